"""What the app calls things: standings, verdicts, documents; a sign beside each so that colour never stands alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kb.ids import document_title

DOCUMENTS = {
    "faq-cards": "community rulings on cards",
    "faq-rules": "community rulings on rules",
    "cards": "card texts",
    "card-list": "a list of cards",
    "redline": "redline",
}


@dataclass(frozen=True, slots=True)
class Badge:
    """A standing as people see it: a tone for the colour, a sign, and words."""

    tone: str
    sign: str
    words: str


def standing_badge(record: Mapping[str, Any], edition: str = "core-1.4") -> Badge:
    """The badge of a ruling record (or its short form)."""
    standing = str(record.get("standing", "unverified"))
    count = len(record.get("scenarios") or ())
    positions = f"{count} position" + ("" if count == 1 else "s")
    title = document_title(edition)
    match standing:
        case "confirmed":
            said = f"Checked by our engine in {positions}, {title}" if count else f"Confirmed, {title}"
            return Badge("good", "✓", said)
        case "partly":
            return Badge("mixed", "◐", f"The answer holds, details do not ({positions}, {title})")
        case "contradicted":
            return Badge("bad", "✕", f"The engine disagrees with what people said ({positions}, {title})")
        case "superseded":
            return Badge("bad", "↻", f"Was right once, superseded by {title}")
        case "disputed":
            return Badge("mixed", "⇄", "Disputed: two readings")
        case "documentary":
            return Badge("plain", "§", "From the documents")
        case _:
            return Badge("plain", "?", "Unverified")


SHORT = {
    "confirmed": Badge("good", "✓", "confirmed"),
    "partly": Badge("mixed", "◐", "partly right"),
    "contradicted": Badge("bad", "✕", "contradicted"),
    "superseded": Badge("bad", "↻", "superseded"),
    "disputed": Badge("mixed", "⇄", "disputed"),
    "documentary": Badge("plain", "§", "documentary"),
    "unverified": Badge("plain", "?", "unverified"),
    "failed": Badge("bad", "!", "failed"),
    "unsupported": Badge("plain", "…", "not yet supported"),
    "none": Badge("plain", "?", "no verdict yet"),
}


def short_badge(word: str | None) -> Badge:
    """A standing or a verdict on a claim in one word."""
    return SHORT.get(word or "unverified", Badge("plain", "?", str(word)))


_CHANGE = re.compile(r"^([a-z]+-[\d.]+):([\w.]+) -> ([a-z]+-[\d.]+):([\w.]+): (.+)$", re.DOTALL)
_CLAIMS = re.compile(r"\s*\((?=[^()]*\bc\d+\b)[^()]*\)")


def changed_words(said: str, claims: bool = False) -> str:
    """What changed between editions as a sentence; remarks on single claims only where the claims are shown."""
    found = _CHANGE.match(said.strip())
    if not found:
        return said
    old, number, new, other, what = found.groups()
    what = what if claims else _CLAIMS.sub("", what)
    return f"{what[:1].upper()}{what[1:].rstrip('.')} ({document_title(old)}, {number}; now {new}:{other})."


def verdict_word(verdict: str) -> str:
    """A verdict as a headline."""
    said = verdict.strip()
    return {"yes": "Yes", "no": "No", "depends": "It depends"}.get(said.lower(), said[:1].upper() + said[1:])


def called(document: str) -> str:
    """What people call a document."""
    if found := _REDLINE.match(document):
        return f"redline from {document_title(found.group(1))} to {document_title(found.group(2))}"
    return DOCUMENTS.get(document) or document_title(document)


_REDLINE = re.compile(r"^redline-([a-z]+-\d[\d.]*)-([a-z]+-\d[\d.]*)$")

FINDINGS = {
    "unplaced": "Text before the first number",
    "rejoined": "Paragraphs joined to the rule above",
    "step-label": "Labels of steps told from numbers",
    "missing-heading": "Headings that the file leaves out",
    "missing-parent": "Numbers missing above others",
    "out-of-order": "Numbers out of order",
    "empty": "Numbers without a text",
    "partial": "Not in the file",
    "unknown-number": "Numbers that our list lacks",
    "dead-pointer": "Pointers that lead nowhere",
    "other-edition": "Not a document in force",
    "no-ruling-mark": "Paragraphs without the mark of a ruling",
    "no-statement": "Rulings that start with a list",
    "lost-words": "Items that start in mid-sentence",
    "furniture": "Headers, footers and page numbers",
    "swallowed": "Numbers inside the text of a neighbour",
    "missing-sibling": "Gaps in the numbers",
    "detached": "Numbers apart from their texts",
    "no-text": "Pages and numbers without a text",
    "words-differ": "Words lost or doubled",
    "encoding": "Odd encoding",
    "missing-edition": "Import these first",
    "doubtful": "Paragraphs that found no sure place",
    "no-name": "Entries without a name",
    "card-twice": "Cards given twice",
    "unknown-card": "Cards that we do not know",
}
"""What was noticed while reading a document (docs/import-findings.md), as a heading."""


def came_from(origin: str) -> str:
    """``faq-rules:13`` -> "community rulings on rules, line 13"."""
    document, _, line = origin.rpartition(":")
    return f"{DOCUMENTS.get(document, document)}, line {line}" if document else origin


def dates_line(record: Mapping[str, Any]) -> str:
    """What every page says about the age of what it shows."""
    edition = document_title(str(record.get("edition") or "core-1.4"))
    said = f"{edition}, rules of {record.get('rules_date') or 'unknown date'}"
    cards = " · ".join(str(record[key]) for key in ("cards_through",) if record.get(key))
    return f"{said} · cards to {cards or '?'} ({record.get('cards_date') or 'unknown date'})"
