"""FAQ documents as text: one ruling a paragraph, whatever its form.

A paragraph is a statement, then a sequence, then nuances, marked ``Ruling:``, ``Sequence:`` and
``Nuances:``; items open with a dash or with consecutive numbers. Some paragraphs have bold headings
with lists below instead, some have nothing but sentences. A short first line without a closing full
stop is the document's title. Nothing is dropped: marks aside, the words of the pieces are the words
of the paragraph.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from kb.errors import InputError
from kb.sources.findings import Finding
from kb.sources.text import read_text

_MARK = re.compile(r"(?:(?<=^)|(?<=\s))(?:(Ruling|Sequence|Nuances|Note):|\*\*([^*]+?):?\*\*:?)(?=\s|\Z)")
_DASH = re.compile(r"(?:(?<=^)|(?<=\s))[-–•*]\s+(?=[^a-z\s,;])")
_NUMBER = re.compile(r"(?:(?<=^)|(?<=\s))(\d{1,2})\.\s+(?=\S)")
_PRINCIPLE = re.compile(r"key|principle|note|nuance|remember", re.I)


@dataclass(frozen=True, slots=True)
class Step:
    """One item of a sequence; ``heading`` is the bold heading above it and ``label`` its number, if any."""

    text: str
    label: str = ""
    heading: str = ""


@dataclass(frozen=True, slots=True)
class FaqRuling:
    """A paragraph of an FAQ document, taken apart; ``line`` is where it stands."""

    line: int
    statement: str
    sequence: tuple[Step, ...]
    nuances: tuple[Step, ...]
    text: str


@dataclass(frozen=True, slots=True)
class FaqDocument:
    """A parsed FAQ document and what was noticed while reading it."""

    document: str
    title: str
    rulings: tuple[FaqRuling, ...]
    findings: tuple[Finding, ...]


def read_faq(path: Path, document: str) -> FaqDocument:
    """Parse one file. Raises ``InputError`` where it holds no ruling."""
    return parse_faq(read_text(path), document, str(path))


def parse_faq(text: str, document: str, source: str) -> FaqDocument:
    """Parse the text of an FAQ document; ``source`` names it in messages."""
    title = ""
    rulings: list[FaqRuling] = []
    findings: list[Finding] = []
    for line, said in _paragraphs(text):
        if not rulings and not title and _is_title(said):
            title = said
            continue
        ruling = parse_paragraph(said, line)
        rulings.append(ruling)
        if not said.startswith("Ruling:"):
            findings.append(Finding("no-ruling-mark", line, "the paragraph does not start with 'Ruling:'"))
        if not ruling.statement:
            findings.append(Finding("no-statement", line, "nothing stands before the first list"))
        for step in (*ruling.sequence, *ruling.nuances):
            if torn := re.search(r"(?:\A|- )[,;].{,40}", step.text):
                findings.append(Finding("lost-words", line, f"words are missing before {torn.group()!r}"))
    if not rulings:
        raise InputError(source, "no ruling was found", "Import a document with one ruling a paragraph")
    return FaqDocument(document, title, tuple(rulings), tuple(findings))


def looks_like_faq(text: str) -> bool:
    """Whether the text is an FAQ document rather than numbered rules."""
    return len(re.findall(r"^\s*Ruling:", text, re.M)) > len(re.findall(r"^\d{3}[.\t]", text, re.M))


def parse_paragraph(text: str, line: int) -> FaqRuling:
    """Take one paragraph apart."""
    statement: list[str] = []
    sequence: list[Step] = []
    nuances: list[Step] = []
    for mark, heading, said in _sections(" ".join(text.split())):
        lead, items = _items(said, heading)
        if mark in ("", "Ruling") and not heading:
            statement += [lead] if lead else []
            sequence += items
            continue
        target = nuances if mark in ("Nuances", "Note") or (heading and _PRINCIPLE.search(heading)) else sequence
        if lead:
            target.append(Step(lead, heading=heading))
        target += items
    return FaqRuling(line, " ".join(statement), tuple(sequence), tuple(nuances), text)


def _paragraphs(text: str) -> list[tuple[int, str]]:
    """Paragraphs with the line they start on: separated by blank lines, or opened by ``Ruling:``."""
    found: list[tuple[int, list[str]]] = []
    fresh = True
    for at, row in enumerate(text.split("\n"), 1):
        said = row.strip()
        if not said:
            fresh = True
        elif fresh or said.startswith("Ruling:"):
            found.append((at, [said]))
            fresh = False
        else:
            found[-1][1].append(said)
    return [(at, " ".join(rows)) for at, rows in found]


def _is_title(said: str) -> bool:
    return len(said) <= 80 and said[-1] not in ".!?:" and not said.startswith("Ruling:")


def _sections(text: str) -> list[tuple[str, str, str]]:
    """(mark, bold heading, text) of each section in order; the first may have neither."""
    marks = list(_MARK.finditer(text))
    cut = [("", "", text[: marks[0].start()] if marks else text)]
    for at, mark in enumerate(marks):
        end = marks[at + 1].start() if at + 1 < len(marks) else len(text)
        cut.append((mark.group(1) or "", (mark.group(2) or "").strip(), text[mark.end() : end]))
    return [(mark, heading, said.strip()) for mark, heading, said in cut if said.strip()]


def _items(said: str, heading: str) -> tuple[str, list[Step]]:
    """The sentence before the list, and the list's items."""
    opened = [(dash.start(), dash.end(), "") for dash in _DASH.finditer(said)]
    wanted = 1
    for number in _NUMBER.finditer(said):
        if int(number.group(1)) == wanted:
            opened.append((number.start(), number.end(), number.group(1)))
            wanted += 1
    if wanted == 2:  # a lone "1." is no list
        opened = [item for item in opened if not item[2]]
    opened.sort()
    if not opened:
        return said, []
    ends = [start for start, _, _ in opened[1:]] + [len(said)]
    items = [Step(said[at:end].strip(), label, heading) for (_, at, label), end in zip(opened, ends, strict=True)]
    return said[: opened[0][0]].strip(), [item for item in items if item.text]
