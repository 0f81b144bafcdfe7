"""The text layer of a PDF in which numbers stand apart from their rules, as in edition 1.0.

Numbers run down the left edge in the right order, the text runs beside them in the right order, but not
on the same lines. What joins them is order, page and how far the text is set in: a level of the number
is a step to the right. One path through numbers and paragraphs is chosen in which these agree best
(dynamic programming); what looks like an example, a pointer or the item of a list goes on with the rule above.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from kb.errors import InputError
from kb.sources.findings import Finding
from kb.sources.rules_text import SPACED, Line, RulesDocument, from_lines

STEP = 12  # columns that a level is set in
BAND = 40.0  # paths that cost so much more than the best are given up
EMPTY = 6.0  # a number without text
_NEVER = 1e9

_ROW = re.compile(r"(?P<number>\d{3}(?:\.(?:\d{1,2}|[a-z]))*)\.(?:\s+(?P<text>\S.*))?\s*\Z")
_ALONE = re.compile(r"^\d{3}(?:\.(?:\d{1,2}|[a-z]))*\.[ \t]*$", re.M)
_SET_IN = re.compile(r"^ {6,}\S", re.M)
_GOES_ON = re.compile(r"(?:[•●○▪■◦-]\s*)?(?:Examples?:|e\.g\.|See (?:also )?(?:rules? )?\d{3}|Reminder:)")
_ENDED = re.compile(r"[.!?:;”\")\]]\Z")


@dataclass(frozen=True, slots=True)
class _Number:
    number: str
    page: int
    line: int

    @property
    def depth(self) -> int:
        return self.number.count(".")


@dataclass
class _Paragraph:
    """Joined rows: ``indent`` of the first, ``end`` column of the last, ``level`` once the page is known."""

    text: str
    page: int
    line: int
    indent: int
    end: int
    level: float = 0.0
    listed: bool = False  # an item of a list of examples
    full: bool = False  # the row above it, set in alike, was full

    def takes(self, row: str, indent: int, margin: int) -> bool:
        """Whether the row goes on with this paragraph: it starts as far in, and the words did not fit before."""
        said = row.strip()
        if abs(indent - self.indent) > 3 or _GOES_ON.match(said):
            return False
        if said[0].islower():
            return not _ENDED.search(self.text) or self.end > 0.8 * margin
        if not _ENDED.search(self.text):
            return self.end - self.indent > 55 and self.end + len(said.split()[0]) > margin - 13
        return False  # a sentence ended; whether its rule did is left to the path


def looks_detached(text: str) -> bool:
    """Whether many numbers stand alone and much text is set in without a number."""
    alone = len(_ALONE.findall(text))
    return alone > 20 and alone > 0.1 * len(_SET_IN.findall(text))


def read_detached(text: str, document: str, source: str) -> RulesDocument:
    """Join numbers and paragraphs. Raises ``InputError`` where there are no numbers."""
    numbers, paragraphs, words = _take_apart(text)
    findings: list[Finding] = []
    if not numbers:
        raise InputError(source, "no line starts with a rule number", "Import numbered rules")
    opened = _best_path(numbers, paragraphs)
    lines: list[Line] = []
    for at, paragraph in enumerate(paragraphs):
        number = opened.get(at)
        if number is not None:
            lines.append(Line(numbers[number].number, True, paragraph.text, paragraph.line))
        elif lines:
            last = lines[-1]
            lines[-1] = Line(last.number, True, f"{last.text} {paragraph.text}", last.line)
        else:
            message = f"text before the first number: {paragraph.text[:60]!r}"
            findings.append(
                Finding("unplaced", paragraph.line, message, "", len(paragraph.text.split()), paragraph.page)
            )
    there = {line.number for line in lines}
    for one in numbers:
        if one.number not in there:
            message = f"{one.number} stands in the file, but no text could be given to it"
            findings.append(Finding("no-text", one.line, message, one.number, 1, one.page))
    findings.append(Finding("detached", 0, "numbers and text stand apart in this file and were joined by their order"))
    found = from_lines(lines, findings, SPACED, document, source, words)
    return RulesDocument(found.book, "detached", found.findings, found.words_in, found.words_out)


def _take_apart(text: str) -> tuple[list[_Number], list[_Paragraph], int]:
    """Numbers and paragraphs of every page, in order, and how many words there are."""
    numbers: list[_Number] = []
    paragraphs: list[_Paragraph] = []
    words = at = 0
    for page, said in enumerate(text.split("\f"), 1):
        rows = said.split("\n")
        margin = max((len(row.rstrip()) for row in rows), default=0)
        first, blank = len(paragraphs), False
        for row in rows:
            at += 1
            words += len(row.split())
            if found := _ROW.match(row):
                numbers.append(_Number(found.group("number"), page, at))
                row = " " * (found.start("text") if found.group("text") else 0) + (found.group("text") or "")
            if not row.strip():
                blank = blank or not found
                continue
            indent, end = len(row) - len(row.lstrip()), len(row.rstrip())
            last = paragraphs[-1] if paragraphs else None
            over = last is not None and last.page < page and len(paragraphs) == first and row.strip()[0].islower()
            if last and (over or (last.page == page and not blank and last.takes(row, indent, margin))):
                last.text, last.end = f"{last.text} {row.strip()}", end
            else:
                new = _Paragraph(row.strip(), page, at, indent, end)
                if last and last.page == page and abs(indent - last.indent) <= 2:
                    new.full = not blank and last.end + len(row.split()[0]) > margin - 20
                    new.listed = last.listed or last.text.startswith("Examples:")
                paragraphs.append(new)
            blank = False
        _set_levels(paragraphs[first:], [one for one in numbers if one.page == page])
        at -= 1  # the page break stands inside a line
    return numbers, paragraphs, words


def _set_levels(page: list[_Paragraph], numbers: list[_Number]) -> None:
    """Levels from columns: pages are shifted as a whole, so what is set in least has the least level of the page."""
    if not page:
        return
    least = min(one.indent for one in page)
    depth = min((one.depth for one in numbers), default=0)
    for one in page:
        one.level = depth + (one.indent - least) / STEP


def _best_path(numbers: list[_Number], paragraphs: list[_Paragraph]) -> dict[int, int]:
    """Which paragraph (by index) opens which number (by index)."""
    reached: dict[int, float] = {0: 0.0}
    steps: list[dict[int, bool]] = []
    for paragraph in paragraphs:
        goes_on = _stay(paragraph)
        grown: dict[int, float] = {}
        opened: dict[int, bool] = {}
        for k, cost in reached.items():
            for to, dear, opens in _moves(k, numbers, paragraph, goes_on):
                if cost + dear < grown.get(to, _NEVER):
                    grown[to], opened[to] = cost + dear, opens
        best = min(grown.values())
        reached = {k: cost for k, cost in grown.items() if cost < best + BAND}
        steps.append({k: opens for k, opens in opened.items() if k in reached})
    k = min(reached, key=lambda one: reached[one] + EMPTY * (len(numbers) - one))
    found: dict[int, int] = {}
    for at in range(len(paragraphs) - 1, -1, -1):
        if steps[at][k]:
            k -= 1
            found[at] = k
    return found


def _moves(k: int, numbers: list[_Number], paragraph: _Paragraph, goes_on: float) -> list[tuple[int, float, bool]]:
    """(next number, cost, whether it opens): the paragraph goes on, or opens number ``k``."""
    moves = [(k, goes_on, False)]
    if k < len(numbers):
        number = numbers[k]
        apart = abs(paragraph.level - number.depth)
        dear = 2.5 * apart + 2.0 * abs(paragraph.page - number.page)
        if paragraph.listed or _GOES_ON.match(paragraph.text):
            dear += 9.0
        elif paragraph.text[0].islower():
            dear += 4.0
        moves.append((k + 1, dear, True))
    return moves


def _stay(paragraph: _Paragraph) -> float:
    """What it costs that a paragraph goes on with the rule above."""
    if paragraph.listed or _GOES_ON.match(paragraph.text):
        return 0.0
    if paragraph.full:
        return 0.4
    return 0.6 if paragraph.text[0].islower() else 1.6
