"""``kb new``: write new data; the abilities of a card here, rulings and scenarios in modules of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from kb.commands.new_ruling import command as ruling
from kb.commands.new_scenario import command as scenario
from kb.commands.shared import print_json

PROMPTS = {
    "keywords": "Keywords, with commas between them",
    "instructions": "An instruction of the spell",
    "abilities": "An ability",
    "effect keywords": "Keywords of the effect text, with commas between them",
    "effect abilities": "An ability of the effect text",
}


@click.group("new")
def command() -> None:
    """Write new data, checked before it is written.

    Example: kb new card "Brazen Buccaneer"
    """


command.add_command(ruling)
command.add_command(scenario)


@command.command("card")
@click.argument("name", required=False)
@click.option("--keyword", "keywords", multiple=True, help="A keyword: Tank, 'Assault 2', '{Repeat: {energy: 2}}'.")
@click.option("--ability", "abilities", multiple=True, help="An ability, as a YAML mapping.")
@click.option("--instruction", "instructions", multiple=True, help="An instruction of a spell, as a YAML mapping.")
@click.option("--effect-keyword", "below", multiple=True, help="A keyword of an Equipment's effect text.")
@click.option("--effect-ability", "below_abilities", multiple=True, help="An ability of an Equipment's effect text.")
@click.option("--file", "file", default="others.yaml", show_default=True, help="Where in rules/cards/abilities/.")
@click.option("--yes", is_flag=True, help="Ask nothing: take the options as they are and write.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document (with --yes).")
def card(
    name: str | None,
    keywords: Sequence[str],
    abilities: Sequence[str],
    instructions: Sequence[str],
    below: Sequence[str],
    below_abilities: Sequence[str],
    file: str,
    yes: bool,
    as_json: bool,
) -> int:
    """Write what a card does as data: asks, checks, prints it as English, and adds it to the card data.

    docs/card-language.md says how abilities and instructions are written.

    Example: kb new card "Brazen Buccaneer"
    """
    from kb.cards.dumping import dump_text
    from kb.cards.loading import define
    from kb.cards.printing import render_card
    from kb.errors import InputError

    if as_json and not yes:
        raise InputError("--json", "questions and a JSON document do not go together", "Add --yes")
    if name is None:
        if yes:
            raise InputError("kb new card", "the name of the card is missing", "Give it: kb new card NAME --yes")
        name = str(click.prompt("Name of the card", err=True))
    path, facts = place_for(name, file)
    data = said(keywords, abilities, instructions, below, below_abilities)
    if not yes and not data:
        data = ask_all(name, str(facts["type"]), "Equipment" in (facts.get("tags") or ()))
    definition = define(name, facts, data or {"blank": True}, "kb new card")
    entry = entry_text(name, dump_text(define(name, {"type": facts["type"]}, data or {"blank": True}, "kb new card")))
    lines = render_card(definition)
    if as_json:
        add_entry(path, entry)
        print_json({"name": name, "file": str(path), "yaml": entry, "text": lines})
        return 0
    click.echo(entry)
    for line in lines:
        click.echo(line)
    if not yes and not click.confirm(f"Does it say what the card says? Then it is added to {path.name}", err=True):
        click.echo("Nothing was written.", err=True)
        return 1
    add_entry(path, entry)
    click.echo(f"Added to {path}.", err=True)
    return 0


def place_for(name: str, file: str) -> tuple[Path, dict[str, Any]]:
    """The file that a card's data goes to, and its facts.

    Raises: UnknownId where no card has that name, InputError where its data is there already.
    """
    from difflib import get_close_matches

    from kb.cards.loading import read_yaml
    from kb.data import rules_dir
    from kb.errors import InputError, UnknownId

    folder = rules_dir() / "cards"
    facts = {n: data for path in sorted(folder.glob("*.yaml")) for n, data in read_yaml(path)}
    if name not in facts:
        near = tuple(get_close_matches(name, facts, 3))
        raise UnknownId(name, "there are no facts of a card of this name", nearest=near)
    for path in sorted((folder / "abilities").glob("*.yaml")):
        if any(n == name for n, _ in read_yaml(path)):
            raise InputError(name, f"its abilities are in {path.name} already", f"Edit {path}")
    if Path(file).name != file or not file.endswith(".yaml"):
        raise InputError("--file", f"{file!r} is not the name of a YAML file", "Write --file others.yaml")
    return folder / "abilities" / file, facts[name]


def said(
    keywords: Sequence[str],
    abilities: Sequence[str],
    instructions: Sequence[str],
    below: Sequence[str],
    below_abilities: Sequence[str],
) -> dict[str, Any]:
    """The options as the data of a card; raises InputError for what is no YAML."""
    data: dict[str, Any] = {}
    for key, values in (("keywords", keywords), ("abilities", abilities), ("effect", instructions)):
        if values:
            data[key] = [as_data(v) for v in values]
    if below or below_abilities:
        data["effect_text"] = {
            k: [as_data(v) for v in values]
            for k, values in (("keywords", below), ("abilities", below_abilities))
            if values
        }
    return data


def as_data(text: str) -> Any:
    """One option or line as YAML."""
    import yaml

    from kb.errors import InputError

    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as problem:
        raise InputError(
            text, f"not valid YAML ({str(problem).splitlines()[0]})", "See docs/card-language.md"
        ) from None


def ask_all(name: str, kind: str, equipment: bool) -> dict[str, Any]:
    """Ask for everything that a card of this type can have; each line is checked and read back at once."""
    data: dict[str, Any] = {}
    if words := ask_keywords("keywords"):
        data["keywords"] = words
    if kind == "Spell" and (lines := ask_lines(name, "instructions", "effect")):
        data["effect"] = lines
    if lines := ask_lines(name, "abilities", "abilities"):
        data["abilities"] = lines
    if equipment:
        below = {
            "keywords": ask_keywords("effect keywords"),
            "abilities": ask_lines(name, "effect abilities", "abilities"),
        }
        if any(below.values()):
            data["effect_text"] = {k: v for k, v in below.items() if v}
    return data


def ask_keywords(which: str) -> list[Any]:
    """Keywords on one line; asked again until they are keywords."""
    from kb.cards.loading import Reader

    def read(line: str) -> list[Any]:
        words = as_data(f"[{line}]")
        Reader("kb new card").keywords(words, "keywords")
        return list(words)

    return list(ask_once(PROMPTS[which], read) or [])


def ask_lines(name: str, which: str, key: str) -> list[Any]:
    """Lines until an empty one, each read back as English."""
    from kb.cards.loading import define
    from kb.cards.printing import render_card

    lines: list[Any] = []

    def read(line: str) -> Any:
        data = as_data(line)
        shown = render_card(define(name, {"type": "unit"}, {key: [*lines, data]}, "kb new card"))
        click.echo(f"  = {shown[-1]}", err=True)
        return data

    while (found := ask_once(f"{PROMPTS[which]} (empty: no {'more' if lines else which})", read)) is not None:
        lines.append(found)
    return lines


def ask_once(prompt: str, read: Callable[[str], Any]) -> Any:
    """One line, asked again until it can be read; None for an empty one."""
    from kb.errors import KbError

    while True:
        line = str(click.prompt(prompt, default="", show_default=False, err=True)).strip()
        if not line:
            return None
        try:
            return read(line)
        except KbError as problem:
            click.echo(f"  {problem}", err=True)


def entry_text(name: str, data: dict[str, Any]) -> str:
    """The entry as YAML, the way the files are written."""
    import yaml

    text = yaml.safe_dump({name: data}, sort_keys=False, allow_unicode=True, width=110, default_flow_style=None)
    return str(text)


def add_entry(path: Path, entry: str) -> None:
    """Append an entry to a file of card data; written whole or not at all.

    Raises: InputError where the folder cannot be written.
    """
    from kb.errors import InputError
    from kb.writing import write_text

    before = path.read_text(encoding="utf-8") if path.exists() else ""
    gap = "" if not before or before.endswith("\n\n") else "\n" if before.endswith("\n") else "\n\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, before + gap + entry)
    except OSError as problem:
        raise InputError(
            str(path), f"it cannot be written ({problem.strerror})", "Set KB_DATA to a copy of the data"
        ) from None
