"""``kb verify``: execute the scenarios, give each claim its verdict and each ruling its standing."""

from __future__ import annotations

import click

from kb.commands.shared import print_json
from kb.errors import UnknownId


@click.command("verify")
@click.argument("ids", nargs=-1)
@click.option("--mutants", is_flag=True, help="Also mutate every rule in 'decides' and report what nobody noticed.")
@click.option("--code-mutants", type=click.IntRange(1), help="Also try so many random mutants of the engine's code.")
@click.option("--seed", type=int, default=1, show_default=True, help="With --code-mutants: which sample.")
@click.option("--every", type=click.IntRange(1), default=1, help="With --mutants: only every so manieth mutant.")
@click.option("--verbose", is_flag=True, help="Show every claim.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(
    ids: tuple[str, ...], mutants: bool, code_mutants: int | None, seed: int, every: int, verbose: bool, as_json: bool
) -> None:
    """Execute scenarios and give each claim of each ruling its verdict.

    Example: kb verify      or: kb verify burn-out-who-scores core-1.4/431
    """
    from kb.load import load_rulings
    from kb.progress import shown
    from kb.verify.report import as_json as document
    from kb.verify.report import changes, lines, register
    from kb.verify.standings import standing_of
    from kb.verify.suite import by_ruling, run_all, scenario_paths

    rulings = load_rulings()
    wanted = [i for i in ids if i in rulings]
    prefixes = [i for i in ids if i not in rulings]
    paths = scenario_paths()
    if ids:
        by_name = scenario_paths(prefixes) if prefixes else []
        for prefix in prefixes:
            if not scenario_paths([prefix]):
                raise UnknownId("kb verify", f"there is no ruling or scenario {prefix!r}")
        paths = sorted({*by_name, *(p for p in paths if ruling_of(p) in wanted)})
    if mutants:
        from kb.verify.mutation import report

        with shown(as_json) as progress:
            found = report(paths, progress, every)
        if as_json:
            print_json(found.as_json())
        else:
            for line in found.lines():
                click.echo(line)
        raise SystemExit(0 if found.good else 1)
    if code_mutants:
        from kb.verify.code_mutants import code_report

        with shown(as_json) as progress:
            sampled = code_report(paths, code_mutants, seed, progress)
        if as_json:
            print_json(sampled.as_json())
        else:
            for line in sampled.lines():
                click.echo(line)
        return
    with shown(as_json) as progress:
        outcomes = run_all(paths, lambda done, total: progress("Running scenarios", done, total))
    grouped = by_ruling(outcomes)
    chosen = [rulings[i] for i in wanted] if ids else list(rulings.values())
    standings = [standing_of(r, grouped.get(r.id, [])) for r in chosen]
    changed = changes(standings, register())
    if as_json:
        origins = {r.id: f"{r.origin.document}:{r.origin.line}" for r in chosen}
        print_json(document(standings, origins, outcomes))
    else:
        for line in lines(standings, outcomes, changed, verbose):
            click.echo(line)
    bad = any(o.verdict in ("failed", "unsupported") for o in outcomes)
    raise SystemExit(1 if changed or bad else 0)


def ruling_of(path: object) -> str:
    """The ruling that a scenario file names, read without loading all of it."""
    from pathlib import Path

    from kb.verify.suite import guess_ruling

    assert isinstance(path, Path)
    return guess_ruling(path)
