"""Links between the rules of two editions, and the small files that keep them.

``rules/crosswalks/core-1.3--core-1.4.tsv`` has a line for each link: number in the older edition, number
in the newer one, kind, confidence. No text: whoever has no document knows what became of a number.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import Path

from kb.errors import DataError
from kb.ids import is_number
from kb.writing import write_text

HEAD = "old\tnew\tkind\tconfidence"


class Kind(StrEnum):
    """What became of a rule."""

    SAME = "same"
    RENUMBERED = "renumbered"
    REWORDED = "reworded"
    SPLIT = "split"
    MERGED = "merged"
    NEW = "new"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Link:
    """One rule and its counterpart; ``old`` is empty for a new rule and ``new`` for one that is gone."""

    old: str
    new: str
    kind: Kind
    confidence: float


@dataclass(frozen=True)
class Crosswalk:
    """All links between two editions, looked up from either side."""

    old: str
    new: str
    links: tuple[Link, ...]

    def forward(self, number: str) -> tuple[Link, ...]:
        """What became of a rule of the older edition, best first."""
        return self._by_old.get(number, ())

    def backward(self, number: str) -> tuple[Link, ...]:
        """Where a rule of the newer edition came from, best first."""
        return self._by_new.get(number, ())

    @cached_property
    def _by_old(self) -> dict[str, tuple[Link, ...]]:
        return _grouped(self.links, by_old=True)

    @cached_property
    def _by_new(self) -> dict[str, tuple[Link, ...]]:
        return _grouped(self.links, by_old=False)

    def turned(self) -> Crosswalk:
        """The same links seen from the newer edition: what was new is gone, what was split is merged."""
        other = {Kind.NEW: Kind.GONE, Kind.GONE: Kind.NEW, Kind.SPLIT: Kind.MERGED, Kind.MERGED: Kind.SPLIT}
        turned = (Link(one.new, one.old, other.get(one.kind, one.kind), one.confidence) for one in self.links)
        return Crosswalk(self.new, self.old, tuple(turned))

    def counts(self) -> dict[str, int]:
        """How many links there are of each kind."""
        found = Counter(one.kind for one in self.links)
        return {kind.value: found[kind] for kind in Kind}


def _grouped(links: tuple[Link, ...], *, by_old: bool) -> dict[str, tuple[Link, ...]]:
    found: dict[str, list[Link]] = {}
    for link in links:
        if number := link.old if by_old else link.new:
            found.setdefault(number, []).append(link)
    return {number: tuple(sorted(some, key=lambda one: -one.confidence)) for number, some in found.items()}


def file_name(old: str, new: str) -> str:
    """What the file of a crosswalk is called."""
    return f"{old}--{new}.tsv"


def write_links(walk: Crosswalk, folder: Path, name: str = "") -> Path:
    """Write the file of a crosswalk; "-" stands for no rule."""
    path = folder / (name or file_name(walk.old, walk.new))
    folder.mkdir(parents=True, exist_ok=True)
    rows = [f"{one.old or '-'}\t{one.new or '-'}\t{one.kind}\t{one.confidence:g}" for one in walk.links]
    write_text(path, "\n".join([HEAD, *rows]) + "\n")
    return path


def read_links(path: Path) -> Crosswalk:
    """Read the file of a crosswalk. Raises ``DataError`` with the line that is wrong."""
    old, _, new = path.stem.partition("--")
    links = []
    for at, row in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        cells = row.split("\t")
        if at == 1 or not row:
            continue
        try:
            numbers = ["" if cell == "-" else cell for cell in cells[:2]]
            if len(cells) != 4 or not all(is_number(one) for one in numbers if one) or not any(numbers):
                raise ValueError("four columns: two numbers, kind, confidence")
            links.append(Link(numbers[0], numbers[1], Kind(cells[2]), float(cells[3])))
        except ValueError as problem:
            raise DataError(
                path, f"this is no link ({problem})", "Write the file anew with kb crosswalk --save", line=at
            ) from problem
    return Crosswalk(old, new, tuple(links))
