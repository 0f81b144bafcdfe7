"""``kb fuzz``: random legal games with the engine's invariants checked at every step."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import click

from kb.commands.shared import print_json

Joined = dict[str, Any]
MODES = ("duel", "match", "ffa3", "ffa4", "2v2")


@click.command("fuzz")
@click.option("--games", type=click.IntRange(0, 100_000), default=20, show_default=True, help="Games in each mode.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the first game; the next has the next.")
@click.option("--mode", "modes", type=click.Choice(MODES), multiple=True, help="Only this mode; may be repeated.")
@click.option("--card", "chosen", multiple=True, help="Half of each deck is made of this card; may be repeated.")
@click.option(
    "--cards",
    type=click.Choice(("all", "unseen")),
    help="Run the scenarios too, and name what of the modelled cards happened in neither. With 'unseen' half of each "
    "deck is made of cards of which something has not happened yet.",
)
@click.option("--unreached", is_flag=True, help="Name the rules that no game cited, and cards that none played.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(
    games: int,
    seed: int,
    modes: tuple[str, ...],
    chosen: tuple[str, ...],
    cards: str | None,
    unreached: bool,
    as_json: bool,
) -> None:
    """Play random legal decisions among the modelled cards to the end of each game.

    Exit status 1 where an invariant broke, with the mode, the seed and the log that repeat it.

    Example: kb fuzz --games 100 --seed 7 --mode duel
    """
    from kb.engine.fuzzing import Report, fuzz
    from kb.engine.library import library
    from kb.progress import shown
    from kb.verify.abilities import Seen, labels, never_happened, seen_in_scenarios
    from kb.verify.abilities import unreached as not_reached

    for name in chosen:
        library().need(name, "kb fuzz --card")
    scenarios: Seen = (frozenset(), frozenset())
    if cards:
        with shown(as_json) as progress:
            scenarios = seen_in_scenarios(partial(progress, "Running scenarios"))
    total = Report()

    def focus(so_far: Report) -> list[str]:
        """The chosen cards, and with 'unseen' those of which something has not happened yet."""
        if cards != "unseen":
            return list(chosen)
        seen = scenarios[0] | labels(total.happened | so_far.happened)
        return sorted({*chosen, *(part.card for part in never_happened(seen))})

    document: dict[str, object] = {}
    for mode in modes or MODES:
        started = time.perf_counter()
        with shown(as_json) as progress:
            found = fuzz([mode], games, seed, partial(progress, f"Playing {mode}"), focus)[mode]
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
    never = not_reached(total.rules)
    silent = silent_cards(total)
    if as_json:
        more = {"modes": document, "rules_never_reached": never, "cards_never_played": silent}
        print_json(more | (joined(labels(total.happened), frozenset(total.rules), scenarios) if cards else {}))
    else:
        click.echo(f"{len(total.rules)} rules reached, {len(never)} rules that the engine can cite were not")
        if unreached:
            click.echo("Never reached: " + (", ".join(never) or "none"))
            click.echo("Cards never played: " + (", ".join(silent) or "none"))
        if cards:
            for line in joined_lines(joined(labels(total.happened), frozenset(total.rules), scenarios)):
                click.echo(line)
        for fault in total.faults:
            click.echo(f"BROKEN: {fault}")
    raise SystemExit(1 if total.faults else 0)


def joined(parts: frozenset[str], rules: frozenset[str], scenarios: tuple[frozenset[str], frozenset[str]]) -> Joined:
    """What happened in scenarios and in games, and what in neither."""
    from kb.verify.abilities import modelled_parts, never_happened, silent_chapters, unreached

    cards = {part.card for part in modelled_parts()}
    return {
        "modelled_cards_with_text": len(cards),
        "parts": len(modelled_parts()),
        "parts_in_scenarios": len(scenarios[0]),
        "parts_in_games": len(parts),
        "parts_never": [str(part) for part in never_happened(parts | scenarios[0])],
        "chapters_never": silent_chapters(rules | scenarios[1]),
        "rules_never": unreached(rules | scenarios[1]),
    }


def joined_lines(found: Joined) -> Iterator[str]:
    """The same as text."""
    never, chapters = found["parts_never"], found["chapters_never"]
    yield (
        f"{found['modelled_cards_with_text']} modelled cards with {found['parts']} abilities, keywords and effects: "
        f"{found['parts_in_scenarios']} happened in scenarios, {found['parts_in_games']} in these games, "
        f"{len(never)} in neither"
    )
    for part in never:
        yield f"    {part}"
    for what, names in chapters.items():
        yield f"{what.capitalize()} that never happened: " + (", ".join(names) or "none")
    rules = found["rules_never"]
    yield f"{len(rules)} rules that the engine can cite were reached in neither: " + (", ".join(rules) or "none")


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


def silent_cards(found: object) -> list[str]:
    """Modelled cards that no game played (units, spells and gear; the others are not played)."""
    from kb.engine.fuzzing import Report
    from kb.engine.library import library

    assert isinstance(found, Report)
    kinds = {"unit", "spell", "gear"}
    return sorted(
        c.name for c in library().modelled if kinds & set(c.types) and not c.token and c.name not in found.cards
    )
