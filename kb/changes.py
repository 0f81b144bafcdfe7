"""What changed between two editions, rule by rule: the crosswalk with the words, and how much each change matters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kb.editions import book_of, find_crosswalk, make_crosswalk
from kb.ids import sort_key
from kb.model import RuleBook
from kb.sources.links import Kind, Link
from kb.sources.word_diff import Stretch, diff_words, weight

SUBSTANCE = 0.15  # changes that weigh less are wording only

_WEIGHT_OF_KIND = {
    Kind.SAME: 0.0,
    Kind.RENUMBERED: 0.0,
    Kind.SPLIT: 0.4,
    Kind.MERGED: 0.4,
    Kind.NEW: 0.6,
    Kind.GONE: 0.9,
}


@dataclass(frozen=True, slots=True)
class Change:
    """One rule that is not what it was: its numbers, what kind of change, how much it matters, and the words."""

    link: Link
    weight: float
    words: tuple[Stretch, ...]

    @property
    def in_substance(self) -> bool:
        """Whether more than its wording or number changed."""
        return self.weight >= SUBSTANCE

    def as_json(self) -> dict[str, Any]:
        """As the command prints it."""
        return {
            "old": self.link.old or None, "new": self.link.new or None, "kind": str(self.link.kind),
            "confidence": self.link.confidence, "weight": self.weight, "in_substance": self.in_substance,
            "words": [{"side": one.side, "text": one.text} for one in self.words],
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Changes:
    """All changes between two editions, in the order of the newer one, and whose wording was compared."""

    old: str
    new: str
    wording: tuple[str, str]
    by: str
    changes: tuple[Change, ...]

    def counts(self) -> dict[str, int]:
        """How many changes of each kind, and how many in substance."""
        kinds = {kind.value: sum(one.link.kind is kind for one in self.changes) for kind in Kind}
        return kinds | {"in_substance": sum(one.in_substance for one in self.changes)}


def changes_between(old: str, new: str, *, pointers: bool = False) -> Changes:
    """Compare two editions. Raises ``UnknownId`` where the text of one of them is not there."""
    (before, before_by), (after, after_by) = book_of(old), book_of(new)
    walk, by = find_crosswalk(old, new)
    if before_by != after_by:
        walk, by = make_crosswalk(before, after), "made now"
    found = [_change(link, before, after, pointers) for link in walk.links]
    return Changes(old, new, (before_by, after_by), by, tuple(one for one in found if one))


def _change(link: Link, before: RuleBook, after: RuleBook, pointers: bool) -> Change | None:
    """The change that a link stands for; None where the books at hand lack its rule (another copy of the edition)."""
    if (link.old and link.old not in before) or (link.new and link.new not in after):
        return None
    old = before[link.old] if link.old else None
    new = after[link.new] if link.new else None
    words = diff_words(old.text if old else "", new.text if new else "", pointers=pointers)
    if link.kind is Kind.REWORDED and old and new:
        return Change(link, weight(old, new), words)
    heading = (new or old) is not None and (new or old).heading  # type: ignore[union-attr]
    return Change(link, 0.1 if heading and link.kind in (Kind.NEW, Kind.GONE) else _WEIGHT_OF_KIND[link.kind], words)


def order(change: Change) -> tuple[float, Any]:
    """Sort key: what matters most first."""
    return -change.weight, sort_key(change.link.new or change.link.old)
