"""``kb new ruling``: asks, writes one ruling as YAML, and says what lint finds in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from kb.commands.shared import print_json, say


@click.command("ruling")
@click.argument("ident", metavar="ID")
@click.option("--title", help="One line that says what it is about.")
@click.option("--document", help="The document it comes from, as in faq-cards.")
@click.option("--line", type=int, help="The line it stands on there.")
@click.option("--question", "questions", multiple=True, help="A question as players ask it; may be repeated.")
@click.option("--verdict", help="yes, no, depends, or a value such as '5 damage'.")
@click.option("--answer", help="One sentence.")
@click.option("--claim", "claims", multiple=True, help="'What it says | RULE RULE'; may be repeated.")
@click.option("--yes", is_flag=True, help="Ask nothing: take the options as they are and write.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document (with --yes).")
def command(
    ident: str,
    title: str | None,
    document: str | None,
    line: int | None,
    questions: Sequence[str],
    verdict: str | None,
    answer: str | None,
    claims: Sequence[str],
    yes: bool,
    as_json: bool,
) -> int:
    """Write a ruling: what was said, as claims that are true or false of a game.

    Example: kb new ruling stunned-defender-hits-back
    """
    from kb.build import load_data
    from kb.data import rulings_dir
    from kb.errors import InputError
    from kb.ids import parse_ruling_id
    from kb.lint import lint
    from kb.load import load_ruling
    from kb.writing import write_checked

    if as_json and not yes:
        raise InputError("--json", "questions and a JSON document do not go together", "Add --yes")
    name = parse_ruling_id(ident, "kb new ruling")
    path = rulings_dir() / f"{name}.yaml"
    if path.exists():
        raise InputError(name, "there is a ruling of this id already", f"Edit {path}")

    def ask(what: str, given: Any, default: Any = None) -> Any:
        if given is not None:
            return given
        if yes:
            raise InputError("kb new ruling", f"{what!r} is missing", f"Give it as an option: --{what}")
        return click.prompt(what.capitalize(), default=default, err=True)

    data: dict[str, Any] = {
        "id": name,
        "title": ask("title", title),
        "origin": {"document": ask("document", document), "line": int(ask("line", line))},
        "questions": list(questions) or several("A question as players ask it", yes, "question"),
        "verdict": ask("verdict", verdict),
        "answer": ask("answer", answer),
        "claims": [
            claim_of(text, number)
            for number, text in enumerate(
                list(claims) or several("A claim, then '|' and the rules that decide it", yes, "claim"), 1
            )
        ],
        "sequence": [],
        "nuances": [],
        "cards": [],
        "scenarios": [],
    }
    text = written(data)
    write_checked(path, text, load_ruling)
    findings = [f for f in lint(load_data()) if f.where.split(" ")[0] == name]
    if as_json:
        print_json({"id": name, "file": str(path), "findings": [str(f) for f in findings]})
        return 0
    click.echo(text)
    for finding in findings:
        say(str(finding))
    click.echo(f"Written: {path}. Next: fill in 'review', then kb new scenario {name}.", err=True)
    return 0


def several(what: str, yes: bool, option: str) -> list[str]:
    """Answers until an empty one; at least one."""
    from kb.errors import InputError

    if yes:
        raise InputError("kb new ruling", f"{option!r} is missing", f"Give it as an option: --{option}")
    found: list[str] = []
    while True:
        more = str(click.prompt(what, default="", show_default=False, err=True)).strip()
        if not more and found:
            return found
        if more:
            found.append(more)


def claim_of(text: str, number: int) -> dict[str, Any]:
    """A claim from ``what it says | rules``; rules of the edition in force unless they name another."""
    from kb.errors import InputError
    from kb.ids import parse_number

    says, _, rules = text.partition("|")
    if not says.strip():
        raise InputError(f"claim {number}", "it says nothing", "Write: what it says | 431.2.c")
    refs = [
        r if ":" in r else f"core-1.4:{parse_number(r, f'claim {number}')}" for r in rules.replace(",", " ").split()
    ]
    return {"id": f"c{number}", "says": says.strip(), "rules": refs}


def written(data: dict[str, Any]) -> str:
    """The ruling as YAML, every text quoted where YAML would read it as something else."""
    import yaml

    text: str = yaml.safe_dump(data, allow_unicode=True, sort_keys=False, width=10_000, default_flow_style=None)
    return text
