"""The ledger of coverage: what became of every leaf rule of the chapters that the engine executes.

A leaf rule is *exercised* (:mod:`kb.verify.exercised`), *structural* (a heading, a definition or a statement without
anything to execute), *other* (one of the closed list :data:`REASONS`), or *missing*. ``rules/coverage/*.yaml`` says
which are structural or other; what a scenario exercises is never taken from there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kb.data import data_root
from kb.errors import DataError
from kb.load import load_rules
from kb.model import RuleBook
from kb.strict_yaml import read_entry
from kb.verify.suite import Outcome

REASONS = {
    "conduct": "what players do with their hands and eyes: shuffling, marking, showing, counting",
    "print": "how cards are printed and read",
    "agreement": "left to the players, an organiser or the rules of a tournament",
    "unused": "no printed card, mode or effect of the edition uses it",
}
"""The only reasons for which a rule is neither executed nor structural."""

PARTS: tuple[tuple[str, tuple[tuple[int, int], ...]], ...] = (
    (
        "the frame of the game",
        (
            (0, 124),
            (179, 206),
            (300, 359),
            (376, 388),
            (398, 406),
            (445, 472),
            (481, 489),
            (649, 652),
            (734, 738),
        ),
    ),
    ("abilities, actions, keywords and layers", ((125, 178), (360, 397), (407, 444), (473, 480), (700, 829))),
)
"""Chapters the engine executes, in two parts."""

KINDS = ("exercised", "structural", "other", "missing")


@dataclass(frozen=True)
class Leaf:
    """A leaf rule: which part it belongs to, what became of it, and why (a reason of the ledger)."""

    number: str
    part: str
    kind: str
    reason: str = ""
    scenarios: tuple[str, ...] = ()


@dataclass
class Ledger:
    """Entries of ``rules/coverage``: structural numbers, and numbers with a reason."""

    structural: set[str] = field(default_factory=set)
    other: dict[str, str] = field(default_factory=dict)


def part_of(number: str) -> str | None:
    """The part of the engine that a rule belongs to."""
    head = int(number[:3])
    found = [name for name, spans in PARTS if any(low <= head <= high for low, high in spans)]
    if found and 376 <= head <= 388:
        return PARTS[0][0]
    return found[0] if found else None


def load_ledger(book: RuleBook, root: Path | None = None) -> Ledger:
    """Read ``rules/coverage``. Raises: DataError for an unknown rule, a rule named twice, an unknown reason."""
    ledger = Ledger()
    for path in sorted((root or data_root() / "rules" / "coverage").glob("*.yaml")):
        entry = read_entry(path)
        entry.only("structural", *REASONS)
        for key in ("structural", *REASONS):
            for number in entry.texts(key):
                if number not in book:
                    raise DataError(path, f"{key}: there is no rule {number}", "Name a rule of edition 1.4")
                if number in ledger.structural or number in ledger.other:
                    raise DataError(path, f"rule {number} is named twice", "Keep one entry")
                if key == "structural":
                    ledger.structural.add(number)
                else:
                    ledger.other[number] = key
    return ledger


def leaves(outcomes: Iterable[Outcome], book: RuleBook | None = None, ledger: Ledger | None = None) -> list[Leaf]:
    """Every leaf rule of the engine's chapters with what became of it."""
    rules = book or load_rules("core-1.4")
    entries = ledger if ledger is not None else load_ledger(rules)
    by_rule: dict[str, list[str]] = {}
    for outcome in outcomes:
        if outcome.verdict in ("confirmed", "contradicted"):
            for number in outcome.asserted:
                by_rule.setdefault(number, []).append(outcome.id)
    found = []
    for rule in rules:
        part = part_of(rule.number)
        if part is None or rules.children(rule.number):
            continue
        number = rule.number
        if number in by_rule:
            found.append(Leaf(number, part, "exercised", scenarios=tuple(by_rule[number])))
        elif rule.heading or number in entries.structural:
            found.append(Leaf(number, part, "structural"))
        elif number in entries.other:
            found.append(Leaf(number, part, "other", entries.other[number]))
        else:
            found.append(Leaf(number, part, "missing"))
    return found


def shares(found: Sequence[Leaf]) -> list[tuple[str, Counter[str]]]:
    """Leaf rules of each part by kind."""
    return [(part, Counter(leaf.kind for leaf in found if leaf.part == part)) for part, _ in PARTS]


def by_chapter(found: Sequence[Leaf], size: int = 10) -> list[tuple[str, Counter[str]]]:
    """Leaf rules by tens of chapters."""
    table: dict[int, Counter[str]] = {}
    for leaf in found:
        table.setdefault(int(leaf.number[:3]) // size, Counter())[leaf.kind] += 1
    return [(f"{tens * size:03d}-{tens * size + size - 1:03d}", count) for tens, count in sorted(table.items())]


def coverage_lines(found: Sequence[Leaf], missing: bool) -> Iterable[str]:
    """What ``kb coverage`` prints."""
    for part, count in shares(found):
        total = sum(count.values())
        shown = ", ".join(f"{count[k]} {k} ({100 * count[k] / max(1, total):.1f}%)" for k in KINDS)
        yield f"{part}: {total} leaf rules: {shown}"
    yield ""
    yield f"{'rules':<10}" + "".join(f"{k:>12}" for k in KINDS)
    for name, count in by_chapter(found):
        yield f"{name:<10}" + "".join(f"{count[k]:>12}" for k in KINDS)
    if missing:
        yield ""
        yield "Missing: " + ", ".join(leaf.number for leaf in found if leaf.kind == "missing")
