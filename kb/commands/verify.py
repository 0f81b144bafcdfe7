"""``kb verify``: execute the scenarios, give each claim its verdict and each ruling its standing."""

from __future__ import annotations

import json
from pathlib import Path

import click

from kb.commands.shared import print_json
from kb.errors import InputError, UnknownId


@click.command("verify")
@click.argument("ids", nargs=-1)
@click.option("--mutants", is_flag=True, help="Also mutate every rule in 'decides' and report what nobody noticed.")
@click.option("--code-mutants", type=click.IntRange(1), help="Also try so many random mutants of the engine's code.")
@click.option("--seed", type=int, default=1, show_default=True, help="With --code-mutants: which sample.")
@click.option("--rule", "rules", multiple=True, help="With --mutants: only of this rule in 'decides' (repeatable).")
@click.option("--every", type=click.IntRange(1), default=1, help="With --mutants: only every so manieth mutant.")
@click.option("--write", is_flag=True, help="With --mutants or --code-mutants: write docs/mutants.json and mutants.md.")
@click.option("--causes", type=click.Path(path_type=Path), help="Write which rules change which entry to a file.")
@click.option("--verbose", is_flag=True, help="Show every claim.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(
    ids: tuple[str, ...],
    mutants: bool,
    code_mutants: int | None,
    seed: int,
    rules: tuple[str, ...],
    every: int,
    write: bool,
    causes: Path | None,
    verbose: bool,
    as_json: bool,
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
    if mutants or code_mutants:
        raise SystemExit(mutate(paths, mutants, code_mutants, seed, every, write, as_json, rules))
    if causes:
        write_causes(paths, causes, as_json)
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
    bad = any(o.verdict in ("failed", "unsupported") or o.uncited for o in outcomes)
    raise SystemExit(1 if changed or bad else 0)


def ruling_of(path: object) -> str:
    """The ruling that a scenario file names, read without loading all of it."""
    from kb.verify.suite import guess_ruling

    assert isinstance(path, Path)
    return guess_ruling(path)


def write_causes(paths: list[Path], file: Path, as_json: bool) -> None:
    """Measure which rules cause which entries, and write that as JSON."""
    from kb.progress import shown
    from kb.verify.causes import causes
    from kb.writing import write_text

    with shown(as_json) as progress:
        found = causes(paths, progress)
    write_text(file, json.dumps(found.as_json(), indent=1) + "\n")


def mutate(
    paths: list[Path],
    mutants: bool,
    code_mutants: int | None,
    seed: int,
    every: int,
    write: bool,
    as_json: bool,
    rules: tuple[str, ...] = (),
) -> int:
    """Run the mutants that are wanted and tell what became of them; returns the exit status."""
    from kb.data import data_root
    from kb.progress import shown
    from kb.verify.code_mutants import CodeReport, code_report
    from kb.verify.mutants_record import write as record
    from kb.verify.mutation import MutationReport, report
    from kb.verify.suite import scenario_paths

    folder = data_root() / "docs"
    cited = {rule if ":" in rule else f"core-1.4:{rule}" for rule in rules}
    if write and (every > 1 or cited or len(paths) != len(scenario_paths()) or not folder.is_dir()):
        raise InputError(
            "kb verify --write", "the record is of all scenarios and mutants", "Use it in a checkout, whole"
        )
    found: list[tuple[str, MutationReport | CodeReport]] = []
    with shown(as_json) as progress:
        if mutants:
            found.append(("rules", report(paths, progress, every, cited)))
        if code_mutants:
            found.append(("code", code_report(paths, code_mutants, seed, progress)))
    for part, one in found:
        if as_json:
            print_json(one.as_json())
        else:
            for line in one.lines():
                click.echo(line)
        if write:
            for file in record(folder, part, one.as_json()):
                click.echo(f"Written: {file}", err=True)
    return 0 if all(one.good for _, one in found if isinstance(one, MutationReport)) else 1
