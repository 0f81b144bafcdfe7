"""Editions side by side: which there are, their rules, and what a number of one is in another.

A number without an edition belongs to the document that it stands in, else to the edition in force;
``Resolved`` says which it was. The crosswalks of ``rules/crosswalks`` serve without any document; where
two editions have none, one is made from their rules, if both are there.
"""

from __future__ import annotations

import hashlib
import re
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

from kb.data import cache_dir, rules_dir
from kb.errors import InputError, UnknownId
from kb.ids import DEFAULT_DOCUMENT, RuleRef, document_title
from kb.model import RuleBook
from kb.sources.links import Crosswalk, Kind, Link, file_name, read_links, write_links


@dataclass(frozen=True, slots=True)
class Resolved:
    """A typed reference and the edition that it was taken for, with the reason in words."""

    ref: RuleRef
    because: str


@dataclass(frozen=True, slots=True)
class Translation:
    """What a rule of one edition is in another: the links, best first, and how they were found."""

    asked: RuleRef
    edition: str
    links: tuple[Link, ...]
    by: str  # "crosswalk", "made now", or the editions between

    @property
    def refs(self) -> tuple[RuleRef, ...]:
        """The rules that correspond, best first."""
        return tuple(RuleRef(self.edition, link.new) for link in self.links if link.new)

    def sentence(self) -> str:
        """The result for people."""
        said = f"{document_title(self.asked.document)}, {self.asked.number}"
        if not self.refs:
            return f"{said} has no counterpart in {document_title(self.edition)}."
        parts = [f"{link.new} ({link.kind}, {link.confidence:.0%} sure)" for link in self.links if link.new]
        return f"{said} is {' and '.join(parts)} in {document_title(self.edition)}."


def resolve(text: str, standing_in: str | None = None, where: str = "") -> Resolved:
    """The rule that is meant by ``text``, and why in that edition. Raises ``BadReference``."""
    if ":" in text:
        return Resolved(RuleRef.parse(text, where=where), "the edition was named")
    if standing_in and standing_in != DEFAULT_DOCUMENT:
        return Resolved(RuleRef.parse(text, standing_in, where), f"it stands in {document_title(standing_in)}")
    because = f"no edition was named; {document_title(DEFAULT_DOCUMENT)} is in force"
    return Resolved(RuleRef.parse(text, where=where), because)


def crosswalk_names() -> tuple[tuple[str, str], ...]:
    """The pairs of editions that have a crosswalk file, older first."""
    folder = rules_dir() / "crosswalks"
    found = [path.stem.partition("--") for path in sorted(folder.glob("*--*.tsv"))] if folder.is_dir() else []
    return tuple((old, new) for old, _, new in found)


def known_editions() -> tuple[str, ...]:
    """Every edition that a crosswalk, the restated rules or an imported document knows."""
    from kb.documents import RULES, imported

    names = {one for pair in crosswalk_names() for one in pair}
    names |= {one.document for one in imported() if one.kind == RULES}
    names |= {path.parent.name for path in rules_dir().glob("*/numbers.tsv")}
    return tuple(sorted(names))


def translate(ref: RuleRef, edition: str) -> Translation:
    """What ``ref`` is in ``edition``.

    Raises ``UnknownId`` for an edition that nothing is known of, and for a number that its crosswalk lacks.
    """
    if ref.document == edition:
        return Translation(ref, edition, (Link(ref.number, ref.number, Kind.SAME, 1.0),), "the same edition")
    walk, by = find_crosswalk(ref.document, edition)
    links = walk.forward(ref.number)
    if not links:
        known = sorted({link.old for link in walk.links if link.old})
        from kb.model import nearest_numbers

        raise UnknownId(str(ref), "there is no such rule", nearest=nearest_numbers(ref.number, known))
    return Translation(ref, edition, links, by)


def find_crosswalk(old: str, new: str) -> tuple[Crosswalk, str]:
    """The crosswalk from one edition to another, in either direction, and where it comes from.

    A file first; else one made from the rules of both; else one joined from files by way of other editions.
    """
    for one, other, turned in ((old, new, False), (new, old, True)):
        path = rules_dir() / "crosswalks" / file_name(one, other)
        if path.exists():
            walk = _read(path)
            return (walk.turned() if turned else walk), "crosswalk"
    try:
        books = book_of(old)[0], book_of(new)[0]
    except UnknownId:
        if way := _way(old, new):
            return _joined([find_crosswalk(*pair)[0] for pair in pairwise(way)]), f"by way of {', '.join(way[1:-1])}"
        raise
    if _newer(old, new):
        return make_crosswalk(books[1], books[0]).turned(), "made now"
    return make_crosswalk(*books), "made now"


def make_crosswalk(old: RuleBook, new: RuleBook) -> Crosswalk:
    """The crosswalk between two books, made once for these texts and kept in the cache folder."""
    digest = hashlib.blake2b(digest_size=12)
    for book in (old, new):
        for rule in book:
            digest.update(f"{rule.number}\t{rule.text}\n".encode())
    path = cache_dir() / "crosswalks" / f"{old.document}--{new.document}--{digest.hexdigest()}.tsv"
    if path.exists():
        return Crosswalk(old.document, new.document, read_links(path).links)
    from kb.sources.crosswalk import crosswalk

    walk = crosswalk(old, new)
    with suppress(OSError):
        write_links(walk, path.parent, path.name)
    return walk


@cache
def _read(path: Path) -> Crosswalk:
    return read_links(path)


def _newer(one: str, other: str) -> bool:
    """Whether the first edition is the newer one."""

    def key(name: str) -> tuple[int, ...]:
        return tuple(int(number) for number in re.findall(r"\d+", name))

    return key(one) > key(other)


def _way(old: str, new: str) -> list[str]:
    """The shortest way from one edition to the other over crosswalk files, or nothing."""
    near: dict[str, set[str]] = {}
    for a, b in crosswalk_names():
        near.setdefault(a, set()).add(b)
        near.setdefault(b, set()).add(a)
    ways = [[old]]
    seen = {old}
    while ways:
        way = ways.pop(0)
        if way[-1] == new:
            return way
        for one in sorted(near.get(way[-1], set()) - seen):
            seen.add(one)
            ways.append([*way, one])
    return []


def _joined(walks: list[Crosswalk]) -> Crosswalk:
    """Several crosswalks one after another: a link is as sure as all its parts together."""
    first, *rest = walks
    for walk in rest:
        links: list[Link] = []
        for link in first.links:
            for onward in walk.forward(link.new) if link.new else ():
                links.append(_onward(link, onward))
            if link.old and not link.new:
                links.append(link)
        first = Crosswalk(first.old, walk.new, tuple(links))
    return first


def _onward(link: Link, onward: Link) -> Link:
    weak = [Kind.SAME, Kind.RENUMBERED, Kind.REWORDED, Kind.SPLIT, Kind.MERGED, Kind.NEW, Kind.GONE]
    kind = max(link.kind, onward.kind, key=weak.index)
    if kind in (Kind.SAME, Kind.RENUMBERED):
        kind = Kind.SAME if link.old == onward.new else Kind.RENUMBERED
    return Link(link.old, onward.new, kind, round(link.confidence * onward.confidence, 2))


def book_of(edition: str) -> tuple[RuleBook, str]:
    """The rules of an edition and their wording: "official" where it was imported, else "restated".

    Raises ``UnknownId`` where there is neither.
    """
    from kb.documents import imported_books
    from kb.load import load_rules

    official = imported_books().get(edition)
    restated = load_rules(edition) if (rules_dir() / edition).is_dir() else None
    if official and (restated is None or len(official) >= 0.9 * len(restated)):
        return official, "official"
    if restated:
        return restated, "restated"
    known = known_editions()
    if edition not in known:
        raise UnknownId(edition, "there is no such edition", nearest=known)
    raise UnknownId(edition, "the text of this edition was not imported", "Import it with kb import FILE")


def require_edition(name: str) -> str:
    """The id of an edition as typed ("1.3" for core-1.3). Raises ``UnknownId`` or ``InputError``."""
    said = name.strip().lower()
    known = known_editions()
    if said in known:
        return said
    if f"core-{said}" in known:
        return f"core-{said}"
    if not re.match(r"[a-z]+-\d[\d.-]*\Z|\d[\d.]*\Z", said):
        raise InputError("edition", f"{name!r} names no edition", f"Known are {', '.join(known)}")
    raise UnknownId(name, "there is no such edition", nearest=known)
