"""One path through a redline: every paragraph gets a rule of each edition, and the rules go forward.

Candidates are rules that share stretches of letters with the paragraph and the rules just after the
one before it; each is read letter by letter, and of all paths the cheapest one is taken (a beam search:
after each paragraph the best few paths live on).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, log

from kb.model import RuleBook
from kb.sources.crosswalk import crosswalk
from kb.sources.interleave import DELETED, INSERTED, KEPT, Reading, Side, make_side, read, runs_of
from kb.sources.words import squeeze

Span = tuple[int, int]

GRAM = 7
BEAM = 6
AHEAD = 7  # rules after the one before that a paragraph may belong to, whatever its letters
ONLY_NEW = 1.1
ONLY_OLD = 2.4
UNRELATED = 0.9
RETURN = 5.0
UNFINISHED = 0.8
UNPLACED = 9.0
SLACK = 2.5


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a paragraph belongs, and the spans of it that only one side has."""

    old: str
    new: str
    deleted: tuple[Span, ...]
    inserted: tuple[Span, ...]
    confidence: float


@dataclass(frozen=True, slots=True)
class _Cursor:
    """How far a path has come in one edition: rule index and place in its text; -1 before the first."""

    rule: int = -1
    at: int = 0


@dataclass(frozen=True, slots=True)
class _Path:
    cost: float
    old: _Cursor
    new: _Cursor
    steps: tuple[tuple[int, int, Reading | None], ...]  # (old rule or -1, new rule or -1, reading)


@dataclass
class _Edition:
    """One edition, prepared: texts without white space, and which rules have a stretch of letters."""

    book: RuleBook
    numbers: list[str] = field(default_factory=list)
    sides: list[Side] = field(default_factory=list)
    having: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        for rule in self.book:
            side = make_side(rule.text)
            for gram in {side.text[at : at + GRAM] for at in range(len(side.text) - GRAM + 1)}:
                self.having[gram].append(len(self.numbers))
            self.numbers.append(rule.number)
            self.sides.append(side)

    def sharing(self, said: str, count: int) -> list[int]:
        """The rules that share most stretches of letters with ``said``, rare stretches counting more."""
        score: dict[int, float] = defaultdict(float)
        for gram in sorted({said[at : at + GRAM] for at in range(len(said) - GRAM + 1)}):
            there = self.having.get(gram, ())
            for one in there if len(there) <= 200 else ():
                score[one] += 1 / len(there) ** 0.5
        return sorted(score, key=lambda one: (-score[one], one))[:count]


def find_path(said: Sequence[str], old: RuleBook | None, new: RuleBook | None) -> list[Placement | None]:
    """A placement for each paragraph, or None where it fits nowhere."""
    finder = _Finder(_Edition(old) if old else None, _Edition(new) if new else None)
    paths = [_Path(0.0, _Cursor(), _Cursor(), ())]
    dearer: list[float] = []
    for text in said:
        grown = finder.grow(paths, squeeze(text)[0])
        dearer.append(_margin(grown))
        paths = grown[:BEAM]
    return [finder.placement(text, step, gap) for text, step, gap in zip(said, paths[0].steps, dearer, strict=True)]


def _margin(paths: Sequence[_Path]) -> float:
    """How much dearer the next path is that puts the last paragraph elsewhere."""
    first = paths[0].steps[-1][:2]
    return next((one.cost - paths[0].cost for one in paths if one.steps[-1][:2] != first), 6.0)


class _Finder:
    """Grows paths by a paragraph; readings of the same paragraph from the same places are made once."""

    def __init__(self, old: _Edition | None, new: _Edition | None) -> None:
        self.old = old
        self.new = new
        self.related: dict[int, set[int]] = defaultdict(set)
        self.back: dict[int, set[int]] = defaultdict(set)
        if old and new:
            at_old = {number: at for at, number in enumerate(old.numbers)}
            at_new = {number: at for at, number in enumerate(new.numbers)}
            for link in crosswalk(old.book, new.book).links:
                if link.old and link.new:
                    self.related[at_new[link.new]].add(at_old[link.old])
            for number, at in at_new.items():
                if number in at_old:
                    self.related[at].add(at_old[number])
            for b, partners in self.related.items():
                for a in partners:
                    self.back[a].add(b)

    def grow(self, paths: Sequence[_Path], said: str) -> list[_Path]:
        """All continuations by one paragraph, cheapest first, one for each place reached."""
        best: dict[tuple[_Cursor, _Cursor], _Path] = {}
        made: dict[tuple[int, ...], list[Reading]] = {}
        wide_new = self.new.sharing(said, 5) if self.new else []
        wide_old = self.old.sharing(said, 5) if self.old else []
        for path in paths:
            for cost, a, b, reading in self._options(path, said, wide_old, wide_new, made):
                old = _Cursor(a, reading.old[1]) if a >= 0 and reading and reading.old else path.old
                new = _Cursor(b, reading.new[1]) if b >= 0 and reading and reading.new else path.new
                grown = _Path(path.cost + cost, old, new, (*path.steps, (a, b, reading)))
                if (old, new) not in best or grown.cost < best[old, new].cost:
                    best[old, new] = grown
        return sorted(best.values(), key=lambda one: one.cost)

    def _options(
        self,
        path: _Path,
        said: str,
        wide_old: list[int],
        wide_new: list[int],
        made: dict[tuple[int, ...], list[Reading]],
    ) -> list[tuple[float, int, int, Reading | None]]:
        """Every way to go on, the likeliest pairs tried first and dear ones given up early."""
        found: list[tuple[float, int, int, Reading | None]] = [(UNPLACED, -1, -1, None)]
        limit = UNPLACED
        pairs = sorted(self._pairs(path, wide_old, wide_new))
        for ahead, a, b in pairs:
            if ahead >= limit:
                break
            old = self.old.sides[a] if self.old and a >= 0 else None
            new = self.new.sides[b] if self.new and b >= 0 else None
            if not _may_hold(said, old, new, a in wide_old or b in wide_new):
                continue
            key = (a, b, path.old.at if a == path.old.rule else -1, path.new.at if b == path.new.rule else -1)
            if key not in made:
                made[key] = self._read(said, path, a, b, old, new)
            for reading in made[key]:
                found.append(_normal(reading, ahead, a, b))
                limit = min(limit, found[-1][0] + SLACK)
        return found

    def _pairs(self, path: _Path, wide_old: list[int], wide_new: list[int]) -> list[tuple[float, int, int]]:
        """(cost so far, old rule, new rule) of every pair to try; -1 stands for no rule of that edition."""
        found: set[tuple[float, int, int]] = set()
        near_new = _near(path.new, wide_new, len(self.new.numbers)) if self.new else []
        near_old = _near(path.old, wide_old, len(self.old.numbers)) if self.old else []
        near_new = list(dict.fromkeys([*near_new, *(b for a in wide_old[:3] for b in self.back.get(a, ()))]))
        for b in near_new:
            assert self.new
            step = _step(self.new, path.new, b)
            found.add((step + (ONLY_NEW if self.old else 0.0), -1, b))
            if self.old:
                for a in {*self.related.get(b, ()), path.old.rule, *wide_old[:2]} - {-1}:
                    apart = 0.0 if a in self.related.get(b, ()) else UNRELATED
                    found.add((step + _step(self.old, path.old, a) + apart, a, b))
        for a in near_old:
            assert self.old
            found.add((_step(self.old, path.old, a) + (ONLY_OLD if self.new else 0.0), a, -1))
        return list(found)

    def _read(self, said: str, path: _Path, a: int, b: int, old: Side | None, new: Side | None) -> list[Reading]:
        old_starts = _starts(said, old, path.old, a) if old else {}
        new_starts = _starts(said, new, path.new, b) if new else {}
        if (old is not None and new is not None) or self.old is None or self.new is None:
            found = read(said, old, new, old_starts, new_starts)
            return [one for one in found if (old and new) or runs_of(one, (KEPT,))]
        side, starts = (old, old_starts) if old else (new, new_starts)
        assert side
        return _whole(said, side, starts, is_new=new is not None)

    def placement(self, text: str, step: tuple[int, int, Reading | None], gap: float) -> Placement | None:
        """The step of the chosen path, in numbers and spans of ``text``."""
        a, b, reading = step
        if reading is None:
            return None
        places = squeeze(text)[1]
        spans: dict[int, list[Span]] = {KEPT: [], DELETED: [], INSERTED: []}
        at = 0
        for mode, length in reading.runs:
            spans[mode].append((places[at], places[at + length - 1] + 1))
            at += length
        changes = runs_of(reading, (DELETED, INSERTED))
        sure = (1 / (1 + exp(-1.5 * gap))) * (0.99 - 0.015 * changes - min(0.3, 0.02 * reading.cost))
        old = self.old.numbers[a] if self.old and a >= 0 else ""
        new = self.new.numbers[b] if self.new and b >= 0 else ""
        one_side = 0.92 if self.old is None or self.new is None else 1.0
        return Placement(old, new, tuple(spans[DELETED]), tuple(spans[INSERTED]), round(sure * one_side, 2))


def _near(cursor: _Cursor, wide: list[int], size: int) -> list[int]:
    """The rules to look at: those that share most, and the next ones."""
    first = max(cursor.rule, 0)
    return list(dict.fromkeys([*wide, *range(first, min(size, first + AHEAD))]))


def _may_hold(said: str, old: Side | None, new: Side | None, known: bool) -> bool:
    """A quick look whether the paragraph can start or end in these texts, or shares much with one of them."""
    return known or any(side and (said in side.text or said[:GRAM] in side.text) for side in (old, new))


def _normal(reading: Reading, ahead: float, a: int, b: int) -> tuple[float, int, int, Reading]:
    """The option, without a side that the reading takes nothing from."""
    sides = {side for side, _ in reading.runs}
    if b >= 0 and a >= 0:
        a = a if sides & {KEPT, DELETED} else -1
        b = b if sides & {KEPT, INSERTED} else -1
    return reading.cost + ahead, a, b, reading


def _whole(said: str, side: Side, starts: Mapping[int, float], *, is_new: bool) -> list[Reading]:
    """``said`` as an unbroken stretch of one text, all of it inserted (or deleted)."""
    best: Reading | None = None
    for start, dear in starts.items():
        if start >= len(side.tokens) or not side.text.startswith(said, side.offsets[start]):
            continue
        end = side.offsets[start] + len(said)
        stop = side.offsets.index(end) if end < len(side.text) and end in side.offsets else len(side.tokens)
        cost = dear + side.end_cost(stop)
        if best is None or cost < best.cost:
            runs = ((INSERTED if is_new else DELETED, len(said)),)
            best = Reading(cost, runs, None if is_new else (start, stop), (start, stop) if is_new else None)
    return [best] if best else []


def _starts(said: str, side: Side, cursor: _Cursor, rule: int) -> Mapping[int, float]:
    """The tokens at which a paragraph may start in a rule, and what that costs."""
    torn = {at for at in side.words - side.pieces if said.startswith(side.text[side.offsets[at] :][:GRAM])}
    if rule != cursor.rule:
        return dict.fromkeys(torn, 2.2) | {at: 0.0 if at == 0 else 1.0 for at in side.pieces}
    later = {at: 0.8 if at in side.pieces else 2.0 for at in torn | side.pieces if at > cursor.at}
    before = {at: 3.5 for at in side.pieces if at < cursor.at}
    return {cursor.at: 0.0} | later | before


def _step(edition: _Edition, cursor: _Cursor, rule: int) -> float:
    """What it costs to go on from the cursor to a rule: little ahead, much back, more in mid-rule."""
    gap = rule - cursor.rule
    if gap == 0:
        return 0.0
    unfinished = UNFINISHED if cursor.rule >= 0 and cursor.at < len(edition.sides[cursor.rule].tokens) else 0.0
    return unfinished + (RETURN if gap < 0 else 0.15 + 0.12 * log(gap))
