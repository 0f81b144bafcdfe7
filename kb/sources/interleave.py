"""Take a redlined paragraph apart into what was kept, deleted and inserted, given the old text, the new text or both.

A redline without marks is an old text and a new text laid into each other: what both have stands once,
and where they part the deleted words stand before the inserted ones without a gap ("the deckMain Deck").
The best reading is the cheapest path through paragraph, old text and new text at once, token by token
(Dijkstra's algorithm); changing sides costs, and so does every token that only one side has.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush

from kb.sources.words import squeeze

KEPT, DELETED, INSERTED = 0, 1, 2

PER_TOKEN = 0.035
PER_CHARACTER = 0.022  # where there is no text that the other side's words could be compared with
CHANGE = 0.35
REPLACE = 0.12  # an insertion after a deletion
BACK = 0.01  # to what both have
BACKWARDS = 0.9  # an insertion before a deletion
TORN = 0.5  # a change of sides inside a word
DEAREST = 10.0
STEPS = 60_000
ENDS = 3  # readings of one paragraph, by where they end
SLACK = 0.8

_COSTS = {
    (KEPT, DELETED): CHANGE,
    (KEPT, INSERTED): CHANGE,
    (DELETED, INSERTED): REPLACE,
    (INSERTED, DELETED): BACKWARDS,
    (DELETED, KEPT): BACK,
    (INSERTED, KEPT): BACK,
}
_TOKEN = re.compile(r"[^\W_]+|[\W_]")
_Node = tuple[int, int, int, int]  # characters read, tokens of old, tokens of new, side of the last token


@dataclass(frozen=True)
class Side:
    """A rule's text without white space, cut into tokens; which of them open a word, and which a sentence."""

    tokens: tuple[str, ...]
    words: frozenset[int]
    pieces: frozenset[int]

    @cached_property
    def text(self) -> str:
        """The whole text, without white space."""
        return "".join(self.tokens)

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """Where each token starts in ``text``."""
        found, at = [], 0
        for token in self.tokens:
            found.append(at)
            at += len(token)
        return tuple(found)

    def end_cost(self, at: int) -> float:
        """What it costs to stop before token ``at``: nothing at the end of a sentence, little between words."""
        if at == len(self.tokens) or at in self.pieces:
            return 0.0
        if at in self.words:
            return 0.4
        return 0.05 if not self.tokens[at].isalnum() and at + 1 in {len(self.tokens), *self.words} else 2.0


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a paragraph: (side, characters) runs, and the tokens of both texts that it covers."""

    cost: float
    runs: tuple[tuple[int, int], ...]
    old: tuple[int, int] | None
    new: tuple[int, int] | None


def make_side(text: str) -> Side:
    """Prepare a rule's text."""
    tokens: list[str] = []
    words: set[int] = set()
    pieces: set[int] = set()
    starts = _sentences(text)
    for word in re.finditer(r"\S+", text):
        words.add(len(tokens))
        if word.start() in starts:
            pieces.add(len(tokens))
        tokens += _TOKEN.findall(squeeze(word.group())[0])
    return Side(tuple(tokens), frozenset(words), frozenset(pieces))


def _sentences(text: str) -> set[int]:
    """Where sentences, examples and pointers of ``text`` start."""
    found = {0}
    for at in range(1, len(text) - 1):
        if text[at] != " ":
            continue
        ended = text[at - 1] in '.?!:”")]' and not (at > 1 and text[at - 2].isdigit())
        if ended or text.startswith(("e.g.", "Example", "See "), at + 1):
            found.add(at + 1)
    return found


NO_SIDE = Side((), frozenset(), frozenset())


def read(
    said: str,
    old: Side | None,
    new: Side | None,
    old_starts: Mapping[int, float],
    new_starts: Mapping[int, float],
) -> list[Reading]:
    """The cheapest readings of ``said`` (without white space), one for each place where they end.

    With one side alone, what it does not have belongs to the other.
    """
    search = _Search(said, old, new, DEAREST)
    for a, dear_a in (old_starts if old else {0: 0.0}).items():
        for b, dear_b in (new_starts if new else {0: 0.0}).items():
            search.push(dear_a + dear_b, (0, a, b, KEPT), None)
    return search.run()


class _Search:
    """One search: the queue, the best cost of every node, and where it was reached from."""

    def __init__(self, said: str, old: Side | None, new: Side | None, dearest: float) -> None:
        self.said = said
        self.size = len(said)
        self.old = old
        self.new = new
        self.dearest = dearest
        self.queue: list[tuple[float, _Node]] = []
        self.best: dict[_Node, float] = {}
        self.came: dict[_Node, _Node | None] = {}
        self.dear = PER_TOKEN if old and new else PER_CHARACTER

    def push(self, cost: float, node: _Node, before: _Node | None) -> None:
        if cost < self.best.get(node, self.dearest):
            self.best[node] = cost
            self.came[node] = before
            heappush(self.queue, (cost, node))

    def run(self) -> list[Reading]:
        """Readings with different ends, as long as they cost little more than the first."""
        steps = 0
        found: dict[tuple[int, int], Reading] = {}
        while self.queue and steps < STEPS:
            cost, node = heappop(self.queue)
            if cost > self.best[node]:
                continue
            steps += 1
            i, a, b, mode = node
            if found and (len(found) == ENDS or cost > next(iter(found.values())).cost + SLACK):
                break
            if i > self.size:
                found.setdefault((a, b), self._reading(node, cost))
                continue
            if i == self.size:
                ends = (self.old.end_cost(a) if self.old else 0.0) + (self.new.end_cost(b) if self.new else 0.0)
                self.push(cost + ends, (i + 1, a, b, mode), node)
                continue
            self._spread(cost, node)
        return list(found.values())

    def _spread(self, cost: float, node: _Node) -> None:
        """All nodes one token further."""
        i, a, b, _ = node
        in_old = self._matches(self.old, a, i)
        in_new = self._matches(self.new, b, i)
        if in_old and in_new and (in_old == in_new or not (self.old and self.new)):
            length = in_old if self.old else in_new
            self._to(cost, node, KEPT, length, a + (self.old is not None), b + (self.new is not None))
        if self.old is None:
            self._to(cost, node, DELETED, 1, a, b)
        elif in_old and self.new:
            self._to(cost, node, DELETED, in_old, a + 1, b)
        if self.new is None:
            self._to(cost, node, INSERTED, 1, a, b)
        elif in_new and self.old:
            self._to(cost, node, INSERTED, in_new, a, b + 1)

    def _matches(self, side: Side | None, at: int, i: int) -> int:
        """Length of the token at ``at`` where the paragraph goes on with it; a side that is not there always does."""
        if side is None:
            return 1
        if at >= len(side.tokens) or not self.said.startswith(side.tokens[at], i):
            return 0
        return len(side.tokens[at])

    def _to(self, cost: float, node: _Node, side: int, length: int, a: int, b: int) -> None:
        i, was_a, was_b, mode = node
        if side != KEPT:
            cost += self.dear
        if side != mode and (i or mode != KEPT):
            cost += _COSTS[mode, side]
            if self.old and mode != INSERTED and was_a not in self.old.words and was_a < len(self.old.tokens):
                cost += TORN
            if self.new and mode != DELETED and was_b not in self.new.words and was_b < len(self.new.tokens):
                cost += TORN
        elif side != mode:
            cost += CHANGE
        self.push(cost, (i + length, a, b, side), node)

    def _reading(self, end: _Node, cost: float) -> Reading:
        """Walk back from the end: the side of a node is that of the token that led to it."""
        node = self.came[end]
        assert node is not None
        last = node
        runs: list[list[int]] = []
        while (before := self.came[node]) is not None:
            length = node[0] - before[0]
            if runs and runs[-1][0] == node[3]:
                runs[-1][1] += length
            else:
                runs.append([node[3], length])
            node = before
        old = (node[1], last[1]) if self.old else None
        new = (node[2], last[2]) if self.new else None
        return Reading(cost, tuple((side, length) for side, length in reversed(runs)), old, new)


def runs_of(reading: Reading, sides: Sequence[int]) -> int:
    """How many runs of the reading belong to one of ``sides``."""
    return sum(1 for side, _ in reading.runs if side in sides)
