"""``kb rule``: a rule or a section, with everything around it."""

from __future__ import annotations

from typing import Any

import click

from kb.commands.shared import footer, heading, open_for, print_json, say
from kb.ids import RuleRef, citation


@click.command("rule")
@click.argument("reference")
@click.option("--section", is_flag=True, help="Show everything below the rule as well (always so for 465).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(reference: str, section: bool, as_json: bool) -> None:
    """Show a rule with its parents, children, neighbours, pointers, rulings and scenarios.

    Example: kb rule 465.2.c      or: kb rule tournament-2026-07:408.2
    """
    from kb.records import rule_record, section_record

    ref = RuleRef.parse(reference, where="kb rule")
    con = open_for()
    whole = section or ref.depth == 0
    record = section_record(con, ref) if whole else rule_record(con, ref)
    if as_json:
        print_json(record)
        return
    heading(f"{record['document_title']}, {record['number']}")
    for depth, above in enumerate(record["parents"]):
        say(f"{above['number']}. {above['statement']}", 2 * depth)
    if whole:
        _show_section(record)
    else:
        _show_rule(record, 2 * len(record["parents"]))
    _show_links(record)
    click.echo()
    _show_copy(record, ref)
    footer(record)


def _show_rule(record: dict[str, Any], indent: int) -> None:
    click.echo()
    _show_parts(record["number"], [(p["kind"], p["text"]) for p in record["parts"]], indent, bold=True)
    if record["official"]:
        say(f"Official wording: {record['official']}", indent + 2)
    for child in record["children"]:
        say(f"{child['number']}. {child['statement']}", indent + 2)
    click.echo()


def _show_section(record: dict[str, Any]) -> None:
    top = record["section"][0]["depth"]
    for one in record["section"]:
        _show_parts(one["number"], [(kind, text) for kind, text, _ in one["parts"]], 2 * (one["depth"] - top))
        if one["official"]:
            say(f"Official wording: {one['official']}", 2 * (one["depth"] - top) + 4)
    click.echo()


def _show_parts(number: str, parts: list[tuple[str, str]], indent: int, bold: bool = False) -> None:
    """The statement on one line with the number, everything else below it."""
    lead = " ".join(text for kind, text in parts if kind in ("step", "statement"))
    if bold:
        click.echo(click.style(_wrap(f"{number}. {lead}", indent), bold=True))
    else:
        say(f"{number}. {lead}", indent)
    for kind, text in parts:
        if kind not in ("step", "statement"):
            say(text, indent + 4)


def _wrap(text: str, indent: int) -> str:
    from kb.commands.shared import wrapped

    return wrapped(text, indent)


def _show_links(record: dict[str, Any]) -> None:
    for label, one in (("Before", record["previous"]), ("After", record["next"])):
        if one:
            say(f"{label}: {one['number']}. {one['statement']}", 0, 4)
    for label, key in (("Points to", "points_to"), ("Pointed to by", "pointed_to_by")):
        if record[key]:
            click.echo(f"{label}:")
            for one in record[key]:
                document = "" if one["ref"].startswith(f"{record['document']}:") else f"{one['ref'].split(':')[0]} "
                say(f"{document}{one['number']}. {one['statement']}", 2)
    if record["rulings"]:
        click.echo("Rulings:")
        for one in record["rulings"]:
            claims = f" ({', '.join(one['claims'])})" if one["claims"] else ""
            say(f"{one['id']} [{one['standing']}]{claims}: {one['title']}", 2)
    if record["scenarios"]:
        say(f"Scenarios: {', '.join(record['scenarios'])}")
    if record["terms"]:
        say(f"Glossary: {', '.join(record['terms'])}")


def _show_copy(record: dict[str, Any], ref: RuleRef) -> None:
    """The line to copy: restated always, official where the document was imported."""
    click.echo("To cite:")
    say(record["citation"], 2)
    if record["official"]:
        say(f"{citation(ref, 'official')}: {record['official']}", 2)
