"""``kb coverage``: which rules the engine's scenarios exercise, and the committed register."""

from __future__ import annotations

import click

from kb.commands.shared import print_json


@click.command("coverage")
@click.option("--missing", is_flag=True, help="Name the rules that nothing exercises.")
@click.option("--write", is_flag=True, help="Write docs/coverage.md, the register that kb verify compares with.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(missing: bool, write: bool, as_json: bool) -> None:
    """Say of every leaf rule whether a scenario exercises it.

    Example: kb coverage --missing
    """
    from kb.data import data_root
    from kb.errors import InputError
    from kb.load import load_rulings
    from kb.progress import shown
    from kb.verify.coverage import coverage_lines, leaves
    from kb.verify.register import document
    from kb.verify.standings import standing_of
    from kb.verify.suite import by_ruling, run_all, scenario_paths
    from kb.writing import write_text

    with shown(as_json) as progress:
        outcomes = run_all(scenario_paths(), lambda done, total: progress("Running scenarios", done, total))
    found = leaves(outcomes)
    if as_json:
        print_json(
            [
                {"rule": f"core-1.4:{leaf.number}", "part": leaf.part, "kind": leaf.kind, "reason": leaf.reason}
                | {"scenarios": list(leaf.scenarios)}
                for leaf in found
            ]
        )
    else:
        for line in coverage_lines(found, missing):
            click.echo(line)
    if write:
        folder = data_root() / "docs"
        if not folder.is_dir():
            raise InputError("kb coverage --write", "this installation has no docs folder", "Use it in a checkout")
        rulings = list(load_rulings().values())
        grouped = by_ruling(outcomes)
        standings = [standing_of(r, grouped.get(r.id, [])) for r in rulings]
        write_text(folder / "coverage.md", document(rulings, standings, outcomes, found))
        click.echo(f"Written: {folder / 'coverage.md'}", err=True)
