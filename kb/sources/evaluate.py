"""How good the document readers are, in numbers: the redline against its labelled truth, crosswalks, readers.

What needs the publisher's documents is measured where they are (``KB_SOURCES``, or a folder ``shared/sources`` beside
the project) and says so where they are not.
"""

from __future__ import annotations

import os
import re
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from kb.data import data_root
from kb.model import RuleBook
from kb.sources.crosswalk import crosswalk
from kb.sources.reading import read_rules_file
from kb.sources.redline import Redlined, Span, split_redline
from kb.sources.rules_text import RulesDocument

REDLINE = "core-rules-1.3-to-1.4-redline.txt"
EDITIONS = {
    "core-1.0": "core-rules-1.0-pdf-layout.txt", "core-1.1": "core-rules-1.1.tsv", "core-1.2": "core-rules-1.2.tsv",
    "core-1.3": "core-rules-1.3.tsv", "core-1.4": "core-rules-1.4.tsv",
    "tournament-2026-04": "tournament-rules-2026-04-29.tsv", "tournament-2026-07": "tournament-rules-2026-07-16.tsv",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Truth:
    """One paragraph as labelled by hand: its rules in both editions and the spans that one side has."""

    paragraph: int
    old: str
    new: str
    deleted: tuple[Span, ...]
    inserted: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """How many paragraphs were placed at the right rule and how many words were put on the right side."""

    placed: int
    paragraphs: int
    right: int
    words: int

    @property
    def placed_share(self) -> float:
        """Share of the paragraphs at the right rule (of every edition that was at hand)."""
        return self.placed / self.paragraphs

    @property
    def words_share(self) -> float:
        """Share of the words on the right side."""
        return self.right / self.words


def sources_dir() -> Path | None:
    """Where the publisher's documents are on this machine, or None."""
    chosen = os.environ.get("KB_SOURCES")
    folder = Path(chosen) if chosen else data_root().parent / "shared" / "sources"
    return folder if folder.is_dir() else None


def load_truth(path: Path | None = None) -> tuple[Truth, ...]:
    """The labelled paragraphs of the redline from 1.3 to 1.4."""
    path = path or data_root() / "tests" / "documents" / "redline-truth.tsv"
    found = []
    for row in path.read_text(encoding="utf-8").splitlines():
        if row.startswith(("#", "paragraph")):
            continue
        number, old, new, deleted, inserted = row.split("\t")
        found.append(Truth(int(number), old.strip("-"), new.strip("-"), _spans(deleted), _spans(inserted)))
    return tuple(found)


def _spans(said: str) -> tuple[Span, ...]:
    pairs = [one.split("-") for one in said.split()]
    return tuple((int(start), int(end)) for start, end in pairs)


def score_redline(
    found: Sequence[Redlined], truth: Sequence[Truth], *, has_old: bool = True, has_new: bool = True
) -> Score:
    """Compare with the truth.

    With one edition alone only the other edition's own words can be told (with the new one, what was deleted), so the
    other two sides count as one; with none, all three are told apart.
    """
    placed = right = words = 0
    for one in truth:
        said = found[one.paragraph]
        placed += (not has_old or said.old == one.old) and (not has_new or said.new == one.new)
        want, got = _letters(said.text, one.deleted, one.inserted), _letters(said.text, said.deleted, said.inserted)
        if has_old != has_new:
            only = "d" if has_new else "i"
            want, got = [a == only for a in want], [b == only for b in got]  # type: ignore[misc]
        for start, end in _words(said.text, one):
            words += 1
            right += want[start:end] == got[start:end]
    return Score(placed, len(truth), right, words)


def _letters(text: str, deleted: Sequence[Span], inserted: Sequence[Span]) -> list[str]:
    """The side of every character: kept, deleted or inserted."""
    sides = ["k"] * len(text)
    for spans, side in ((deleted, "d"), (inserted, "i")):
        for start, end in spans:
            sides[start:end] = side * (end - start)
    return sides


def _words(text: str, truth: Truth) -> list[Span]:
    """The words of a paragraph, cut where the truth changes sides inside one ("deck|Main")."""
    cuts = {edge for span in (*truth.deleted, *truth.inserted) for edge in span}
    found = []
    for word in re.finditer(r"\S+", text):
        edges = [word.start(), *sorted(cut for cut in cuts if word.start() < cut < word.end()), word.end()]
        found += list(pairwise(edges))
    return found


def report() -> str:
    """All numbers, a line each."""
    folder = sources_dir()
    if folder is None:
        return "The publisher's documents are not on this machine (KB_SOURCES names their folder); nothing is measured."
    documents = {name: read_rules_file(folder / file, name) for name, file in EDITIONS.items()}
    lines = ["Readers (words in = words in rules + words listed):"]
    lines += [f"  {name}: {_reading(one)}" for name, one in documents.items()]
    books = {name: one.book for name, one in documents.items()}
    lines += ["Crosswalks:", *_crosswalks(books), "Redline from 1.3 to 1.4, 150 paragraphs labelled by hand:"]
    lines += _redline((folder / REDLINE).read_text(encoding="utf-8"), books["core-1.3"], books["core-1.4"])
    return "\n".join(lines)


def _reading(one: RulesDocument) -> str:
    kinds = Counter(finding.kind for finding in one.findings)
    noted = ", ".join(f"{count} {kind}" for kind, count in kinds.items()) or "nothing to report"
    return f"{len(one.book)} rules, {one.words_in} = {one.words_out} + {one.words_aside} ({one.layout}); {noted}"


def _crosswalks(books: dict[str, RuleBook]) -> list[str]:
    lines = []
    names = list(books)
    for old, new in pairwise(names):
        if old.split("-")[0] != new.split("-")[0]:
            continue
        start = time.process_time()
        walk = crosswalk(books[old], books[new])
        counts = ", ".join(f"{count} {kind}" for kind, count in walk.counts().items())
        lines.append(f"  {old} to {new}: {counts}; {time.process_time() - start:.1f} s")
    return lines


def _redline(text: str, old: RuleBook, new: RuleBook) -> list[str]:
    truth = load_truth()
    lines = []
    for name, has_old, has_new in (
        ("both editions", True, True), ("the new edition alone", False, True), ("the old edition alone", True, False),
        ("no edition", False, False),
    ):  # fmt: skip
        start = time.process_time()
        found = split_redline(text, old if has_old else None, new if has_new else None)
        score = score_redline(found, truth, has_old=has_old, has_new=has_new)
        seconds = time.process_time() - start
        placed = f"{score.placed_share:.1%} placed at the right rule, " if has_old or has_new else ""
        lines.append(f"  {name}: {placed}{score.words_share:.1%} of the words on the right side; {seconds:.1f} s")
    return lines
