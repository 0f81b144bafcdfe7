"""``kb fuzz``: random legal games with the engine's invariants checked at every step."""

from __future__ import annotations

import time
from functools import partial

import click

from kb.commands.shared import print_json

MODES = ("duel", "match", "ffa3", "ffa4", "2v2")


@click.command("fuzz")
@click.option("--games", type=click.IntRange(1, 100_000), default=20, show_default=True, help="Games in each mode.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the first game; the next has the next.")
@click.option("--mode", "modes", type=click.Choice(MODES), multiple=True, help="Only this mode; may be repeated.")
@click.option("--unreached", is_flag=True, help="Name the rules that no game cited, and abilities that never happened.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(games: int, seed: int, modes: tuple[str, ...], unreached: bool, as_json: bool) -> None:
    """Play random legal decisions among the modelled cards to the end of each game.

    Exit status 1 where an invariant broke, with the mode, the seed and the log that repeat it.

    Example: kb fuzz --games 100 --seed 7 --mode duel
    """
    from kb.engine.fuzzing import Report, fuzz
    from kb.progress import shown

    total = Report()
    document: dict[str, object] = {}
    for mode in modes or MODES:
        started = time.perf_counter()
        with shown(as_json) as progress:
            found = fuzz([mode], games, seed, partial(progress, f"Playing {mode}"))[mode]
        seconds = time.perf_counter() - started
        total.add(found)
        if as_json:
            document[mode] = {
                "games": found.games,
                "decisions": found.decisions,
                "combats": found.combats,
                "played": dict(found.played),
                "ended": dict(found.ended),
                "faults": found.faults,
                "seconds": round(seconds, 2),
            }
        else:
            for line in mode_lines(mode, found, seconds):
                click.echo(line)
    never = unreached_rules(total)
    silent = silent_cards(total)
    if as_json:
        print_json({"modes": document, "rules_never_reached": never, "cards_never_played": silent})
    else:
        click.echo(f"{len(total.rules)} rules cited, {len(never)} rules that the engine can cite were never reached")
        if unreached:
            click.echo("Never reached: " + (", ".join(never) or "none"))
            click.echo("Cards never played: " + (", ".join(silent) or "none"))
        for fault in total.faults:
            click.echo(f"BROKEN: {fault}")
    raise SystemExit(1 if total.faults else 0)


def mode_lines(mode: str, found: object, seconds: float) -> list[str]:
    """What one mode's games came to."""
    from kb.engine.fuzzing import Report

    assert isinstance(found, Report)
    games = max(1, found.games)
    played = ", ".join(f"{n} {kind}" for kind, n in found.played.most_common())
    ended = ", ".join(f"{n} {how}" for how, n in found.ended.most_common())
    return [
        f"{mode}: {found.games} games, {found.decisions} decisions "
        f"({found.decisions / max(seconds, 1e-9):.0f} a second), "
        f"{found.combats} combats ({found.combats / games:.1f} a game)",
        f"    played: {sum(found.played.values())} ({sum(found.played.values()) / games:.1f} a game): {played}",
        f"    ended: {ended}",
    ]


def unreached_rules(found: object) -> list[str]:
    """Rules that the engine's code cites and no game reached."""
    from kb.engine.fuzzing import Report
    from kb.ids import sort_key
    from kb.verify.sites import cited_rules

    assert isinstance(found, Report)
    return sorted(cited_rules() - set(found.rules), key=sort_key)


def silent_cards(found: object) -> list[str]:
    """Modelled cards that no game played (units, spells and gear; the others are not played)."""
    from kb.engine.fuzzing import Report
    from kb.engine.library import library

    assert isinstance(found, Report)
    kinds = {"unit", "spell", "gear"}
    return sorted(
        c.name for c in library().modelled if kinds & set(c.types) and not c.token and c.name not in found.cards
    )
