"""The publisher's redline between two editions: which rule each paragraph belongs to, and its old and new text.

A redline holds the changed paragraphs in order, without numbers, deleted and inserted words run
together without marks; it also holds unchanged paragraphs and bare pointers, and pages break
paragraphs in two. With an edition at hand every paragraph is laid over the rules that share its
letters (``kb.sources.interleave``, ``kb.sources.redline_path``); without any only the seams
("deckMain") tell where the sides part (``kb.sources.seams``), and the confidence says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from kb.errors import InputError
from kb.model import RuleBook
from kb.sources.findings import Finding
from kb.sources.redline_path import Placement, find_path
from kb.sources.seams import split_at_seams, with_seam

Span = tuple[int, int]

_NUMBERED = re.compile(r"^\d{3}(?:\.(?:\d{1,2}|[a-z]))*[.\t]", re.M)
_OFTEN = 0.12
DOUBTFUL = 0.5


@dataclass(frozen=True, slots=True)
class Redlined:
    """A paragraph, its rule in both editions ("" where unknown or none), and the spans that one side has."""

    text: str
    line: int
    old: str
    new: str
    deleted: tuple[Span, ...]
    inserted: tuple[Span, ...]
    confidence: float

    @property
    def old_text(self) -> str:
        """The paragraph as the older edition had it."""
        return _without(self.text, self.inserted)

    @property
    def new_text(self) -> str:
        """The paragraph as the newer edition has it."""
        return _without(self.text, self.deleted)


@dataclass(frozen=True)
class RedlineDocument:
    """A redline taken apart: the editions that it leads between ("" where unknown) and its paragraphs."""

    old: str
    new: str
    paragraphs: tuple[Redlined, ...]
    findings: tuple[Finding, ...]


def parse_redline(text: str, old: str, new: str, books: Mapping[str, RuleBook]) -> RedlineDocument:
    """Take a redline apart with the editions that are at hand; what fits nowhere is reported."""
    found = split_redline(text, books.get(old), books.get(new))
    findings = [
        Finding("missing-edition", 0, f"{one} is not imported; with it the redline is placed more surely")
        for one in (old, new)
        if one and one not in books
    ]
    for one in found:
        if one.confidence < DOUBTFUL:
            said = "fits no rule" if not (one.old or one.new) else f"may belong to {one.new or one.old}"
            findings.append(Finding("doubtful", one.line, f"{one.text[:60]!r} {said}", one.new or one.old))
    return RedlineDocument(old, new, found, tuple(findings))


def paragraphs(text: str) -> list[tuple[int, str]]:
    """The paragraphs of a redline with the line each starts on."""
    found: list[tuple[int, list[str]]] = []
    fresh = True
    for at, row in enumerate(text.split("\n"), 1):
        if not row.strip():
            fresh = True
        elif fresh:
            found.append((at, [row.strip()]))
            fresh = False
        else:
            found[-1][1].append(row.strip())
    return [(at, " ".join(rows)) for at, rows in found]


def looks_like_redline(text: str) -> bool:
    """Whether the text is a redline: hardly a number at the start of a line, and seams in many paragraphs."""
    said = paragraphs(text)
    if len(said) < 5 or len(_NUMBERED.findall(text)) > len(said) / 20:
        return False
    return sum(with_seam(one) for _, one in said) >= _OFTEN * len(said)


def split_redline(text: str, old: RuleBook | None = None, new: RuleBook | None = None) -> tuple[Redlined, ...]:
    """Place and split every paragraph, with both editions, either one, or none.

    Raises ``InputError`` where there is no paragraph. The words of each paragraph are kept in order: what
    is neither deleted nor inserted stands in both editions.
    """
    said = paragraphs(text)
    if not said:
        raise InputError("redline", "it has no paragraph", "Import the text of the redline")
    if old is None and new is None:
        return tuple(_by_seams(line, one) for line, one in said)
    path = find_path([one for _, one in said], old, new)
    return tuple(
        _placed(line, one, where) if where else _elsewhere(line, one, old is not None, new is not None)
        for (line, one), where in zip(said, path, strict=True)
    )


def _placed(line: int, text: str, where: Placement) -> Redlined:
    return Redlined(text, line, where.old, where.new, where.deleted, where.inserted, where.confidence)


def _elsewhere(line: int, text: str, has_old: bool, has_new: bool) -> Redlined:
    """A paragraph that fits nowhere: with one edition at hand it is taken to stand in the other alone."""
    whole = ((0, len(text)),)
    if has_old and has_new:
        return Redlined(text, line, "", "", (), (), 0.0)
    return Redlined(text, line, "", "", () if has_old else whole, whole if has_old else (), 0.3)


def _by_seams(line: int, text: str) -> Redlined:
    deleted, inserted, sure = split_at_seams(text)
    return Redlined(text, line, "", "", deleted, inserted, sure)


def _without(text: str, spans: tuple[Span, ...]) -> str:
    """``text`` without these spans."""
    kept, at = [], 0
    for start, end in spans:
        kept.append(text[at:start])
        at = end
    return " ".join("".join([*kept, text[at:]]).split())
