"""``kb card``: a card's facts, its abilities where modelled, and where it is named."""

from __future__ import annotations

from typing import Any

import click

from kb.commands.shared import footer, heading, open_for, print_json, say
from kb.errors import KbError


@click.command("card")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(name: str, as_json: bool) -> int:
    """Show a card's facts and abilities, the rulings that name it and the rules whose examples do.

    Nicknames, short names and small misspellings are understood.

    Example: kb card "Zhonya's Hourglass"      or: kb card RTW
    """
    from kb.lookup import find_cards
    from kb.records import card_record

    con = open_for()
    names = find_cards(con, name)
    records = [card_record(con, one) | {"abilities": rendered(one)} for one in names]
    if as_json:
        print_json(records[0] if len(records) == 1 else {"ambiguous": name, "candidates": records})
        return 0 if len(records) == 1 else 1
    if len(records) > 1:
        say(f"{name!r} may mean {len(records)} cards:")
        for one in records:
            say(f"{one['name']} ({one['type']})", 2)
        return 1
    _show(records[0])
    return 0


def rendered(name: str) -> str | None:
    """What the card does, in plain English made from its data; None where it is not modelled."""
    from kb.cards import render_card
    from kb.engine.library import library

    try:
        definition = library().get(name)
    except KbError:
        return None
    if definition is None or not (definition.modelled or definition.unsupported):
        return None
    return "\n".join(render_card(definition))


def _show_printed(printed: dict[str, Any]) -> None:
    """The words printed on the card, from the file that the user imported."""
    for label, key in (
        ("Printed text", "text"), ("Effect text", "effect_text"), ("Before errata", "before_errata"),
    ):  # fmt: skip
        if printed[key]:
            say(f"{label} (imported): {' '.join(printed[key].split())}", 0, 4)


def _show(record: dict[str, Any]) -> None:
    from kb.records import NOT_PLAYED, card_facts

    heading(record["name"])
    say(card_facts(record))
    for label in ("tags", "keywords", "aliases"):
        if record[label]:
            say(f"{label.title()}: {', '.join(record[label])}")
    number = f", {record['home_set']} {record['collector_number']}" if record["collector_number"] else ""
    errata = ", with errata" if record["errata"] else ""
    say(f"Sets: {', '.join(record['sets'])}{number}, {record['rarity'] or 'no rarity'}{errata}")
    if record["abilities"]:
        click.echo(record["abilities"])
    else:
        say(f"{NOT_PLAYED}{'' if record.get('printed') else '; import card data to read its printed text'}.")
    if record.get("printed"):
        _show_printed(record["printed"])
    if record["rulings"]:
        click.echo("Rulings:")
        for one in record["rulings"]:
            say(f"{one['id']} [{one['standing']}]: {one['title']}", 2)
    if record["rules"]:
        click.echo("Named in rules:")
        for one in record["rules"]:
            say(f"{one['ref']}. {one['statement']}", 2)
    footer(record)
