"""``kb new scenario``: a scenario started from a ruling or a rule, for a person to fill in."""

from __future__ import annotations

import json
from pathlib import Path

import click

TEMPLATE = """title: {title}
{about}
edition: core-1.4
# docs/scenario-format.md says how positions, steps and assertions are written. Run it with: kb run {ident} --trace
given:
  turn: A
  battlefields: [Field 1, Field 2]
  A: {{hand: [{cards}], runes: 4}}
when:
  - {{A ends: main}}
then:
{claims}
contrasts: []   # patches under which each claim must change its truth: {{change: {{given.turn: B}}, flips: [c1]}}
"""


@click.command("scenario")
@click.argument("about")
@click.option("--claim", "wanted", multiple=True, help="Only these claims of the ruling, as in c2; may be repeated.")
def command(about: str, wanted: tuple[str, ...]) -> int:
    """Start a scenario for a ruling (its id) or for a rule (its number).

    Writes scenarios/rulings/ID-N.yaml or scenarios/core-1.4/NNN/new-N.yaml with the claims and their rules in place.
    It fails until its position and its assertions are filled in: an assertion that can't fail proves nothing.

    Example: kb new scenario burn-out-who-scores --claim c1
    """
    from kb.data import data_root
    from kb.errors import InputError, UnknownId
    from kb.ids import is_number, parse_number
    from kb.load import load_rules, load_rulings
    from kb.writing import write_text

    root = data_root() / "scenarios"
    if is_number(about.removeprefix("core-1.4:")):
        number = parse_number(about.removeprefix("core-1.4:"), "kb new scenario")
        load_rules("core-1.4")[number]
        path = free(root / "core-1.4" / number[:3], "new")
        ident = f"core-1.4/{number[:3]}/{path.stem}"
        entries = f"  - {{claim: c1, says: TO DO, assert: {{points: {{A: 999}}}}, decides: [core-1.4:{number}]}}"
        text = TEMPLATE.format(title="TO DO", about=f"rule: core-1.4:{number}", ident=ident, cards="", claims=entries)
    else:
        rulings = load_rulings()
        if about not in rulings:
            raise UnknownId(about, "there is no such ruling")
        ruling = rulings[about]
        unknown = set(wanted) - {c.id for c in ruling.claims}
        if unknown:
            raise InputError(about, f"it has no claim {', '.join(sorted(unknown))}", f"kb ruling {about} lists them")
        chosen = [c for c in ruling.claims if (not wanted or c.id in wanted) and not c.documentary]
        path = free(root / "rulings", about)
        ident = f"rulings/{path.stem}"
        entries = "\n".join(
            f"  - claim: {c.id}   # {c.says}\n    assert: {{points: {{A: 999}}}}   # TO DO\n"
            f"    decides: [{', '.join(str(r) for r in c.rules)}]"
            for c in chosen
        )
        cards = ", ".join(f'"{name}"' for name in ruling.cards)
        text = TEMPLATE.format(
            title=json.dumps(ruling.title, ensure_ascii=False),
            about=f"ruling: {about}",
            ident=ident,
            cards=cards,
            claims=entries,
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, text)
    click.echo(f"Written: {path}", err=True)
    click.echo(f"Fill in what says TO DO, then: kb run {ident} --trace", err=True)
    return 0


def free(folder: Path, stem: str) -> Path:
    """The first file name that is not taken."""
    number = 1
    while True:
        path = folder / (f"{stem}.yaml" if number == 1 else f"{stem}-{number}.yaml")
        if not path.exists():
            return path
        number += 1
