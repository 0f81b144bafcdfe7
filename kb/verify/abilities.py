"""Which parts of modelled cards' texts, game actions and keywords have happened in no scenario and no random game."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Collection, Iterable
from functools import lru_cache
from pathlib import Path

from kb.engine.happened import Part, all_parts
from kb.engine.library import library
from kb.errors import DataError
from kb.ids import sort_key
from kb.load import load_rules
from kb.scenarios.model import load_scenario
from kb.scenarios.runner import execute
from kb.verify.suite import scenario_paths, scenario_root

CHAPTERS = {"game actions": range(413, 445), "keywords": range(805, 830)}
"""Chapters of the rulebook of which each describes one game action, or one keyword."""

Seen = tuple[frozenset[str], frozenset[str]]
"""Labels of parts that happened, and rules that were cited, asked about or carried out."""


@lru_cache(maxsize=1)
def modelled_parts() -> tuple[Part, ...]:
    """Parts of the texts of all modelled cards."""
    return tuple(all_parts(library().modelled))


def labels(happened: Collection[object]) -> frozenset[str]:
    """Keys of a game as labels that mean the same in every process."""
    return frozenset(str(part) for part in modelled_parts() if part.key in happened)


def seen_in(path: Path) -> Seen:
    """What happened in one scenario; nothing where its file is wrong, which ``kb verify`` tells."""
    try:
        truths = execute(load_scenario(path, scenario_root()))
    except DataError:
        return frozenset(), frozenset()
    if truths.run is None:
        return frozenset(), frozenset()
    game = truths.run.game
    return labels(game.happened), frozenset((*game.trace.cited, *game.asked, *game.hooks.rules_seen, *truths.checked))


def seen_in_scenarios(tell: Callable[[int, int], None] | None = None, workers: int = 2) -> Seen:
    """What happened in all scenarios, as they are written (contrasts apart)."""
    paths = scenario_paths()
    library()
    parts: set[str] = set()
    rules: set[str] = set()
    context = multiprocessing.get_context("fork" if "fork" in multiprocessing.get_all_start_methods() else None)
    with context.Pool(workers) as pool:
        for number, (some, cited) in enumerate(pool.imap(seen_in, paths, chunksize=8), 1):
            parts |= some
            rules |= cited
            if tell is not None:
                tell(number, len(paths))
    return frozenset(parts), frozenset(rules)


def never_happened(seen: Collection[str]) -> list[Part]:
    """Parts of modelled cards that are not among those seen, by card."""
    return sorted((p for p in modelled_parts() if str(p) not in seen), key=lambda p: (p.card, p.label))


def silent_chapters(rules: Iterable[str]) -> dict[str, list[str]]:
    """Game actions and keywords, with their numbers, of whose chapter no rule was cited."""
    book = load_rules("core-1.4")
    heads = {number.partition(".")[0] for number in rules}
    return {
        what: [f"{n} {book[str(n)].parts[0].text}" for n in numbers if str(n) in book and str(n) not in heads]
        for what, numbers in CHAPTERS.items()
    }


def unreached(rules: Iterable[str]) -> list[str]:
    """Rules that the engine's code cites and that are not among those cited."""
    from kb.verify.sites import cited_rules

    return sorted(cited_rules() - set(rules), key=sort_key)
