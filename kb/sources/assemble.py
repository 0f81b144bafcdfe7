"""Rows of a page -> numbered paragraphs: wrapped lines joined, numbers in two pieces put together.

A row opens a rule where it starts with a rule number that is not lower than the last one and that the
text before does not lead up to ("See rule" at the end of a line). A number may stand alone on its row or
be broken in two ("465.2.c." above "4."); a rule may go on over a page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from kb.ids import is_number, parent_number, sort_key
from kb.sources.findings import Finding
from kb.sources.raw import Raw, Row

SOFT = "\u00ad"
COLUMN = 3.0  # how far apart numbers of one column may be set in

_OPENS = re.compile(r"(?P<number>\d{3}(?:\.(?:\d{1,2}|[a-z])(?![a-z\d]))*)(?:\.|(?=\s*\Z))(?P<gap>\s*)(?P<text>.*)\Z")
_REST = re.compile(r"(?P<levels>(?:\d{1,2}|[a-z])(?:\.(?:\d{1,2}|[a-z]))*)\.(?:\s+(?P<text>\S.*))?\Z")
_LEADS_UP = re.compile(
    r"(?:\b(?:see|See|See also|see also|rules?|See Rules?|CR|TR|sections?|and|or|to|through|than|of|for)|[,(–-])\s*\Z"
)
_WORD_END = re.compile(r"[A-Za-z]+-\Z")
_WORD_START = re.compile(r"[a-z]+")


@dataclass(frozen=True, slots=True)
class Numbered:
    """One rule as it was put together: number, whether a space follows it, text, and where it starts."""

    number: str
    spaced: bool
    text: str
    line: int
    page: int = 0


def assemble(raw: Raw) -> tuple[list[Numbered], list[Finding], int]:
    """Rules in the order of the file, findings, and how many words were put together from two."""
    found: list[Numbered] = []
    findings: list[Finding] = []
    column = _column(raw.rows)
    words = frozenset(word.lower() for row in raw.rows for word in re.findall(r"[A-Za-z]+", row.text))
    joined = 0
    seen: set[str] = set()
    half: Row | None = None
    for row in raw.rows:
        if half and (number := _whole_number(half, row, seen)):
            first, rest = _OPENS.match(half.text), _REST.match(row.text)
            assert first and rest
            text, fewer = _join(first.group("text"), rest.group("text") or "", words)
            found.append(Numbered(number, True, text, half.line, half.page))
            seen.add(number)
            joined += 1 + fewer
            half = None
            continue
        rows = [half, row] if half else [row]
        half = row if _is_half(row, seen, column) else None
        for one in rows[: len(rows) - bool(half)]:
            if opened := _opened(one, found, column):
                found.append(opened)
                seen.add(opened.number)
            elif found:
                text, fewer = _join(found[-1].text, one.text, words)
                found[-1] = replace(found[-1], text=text)
                joined += fewer
            else:
                message = f"text before the first number: {one.text[:60]!r}"
                findings.append(Finding("unplaced", one.line, message, "", len(one.text.split()), one.page))
    if half and found:
        found[-1] = replace(found[-1], text=f"{found[-1].text} {half.text}".strip())
    return found, findings, joined


def looks_wrapped(rows: Iterable[str]) -> bool:
    """Whether paragraphs are broken over lines: many lines go on from a long one without a blank line between."""
    wrapped = numbered = 0
    before = ""
    for row in rows:
        said = row.strip()
        if _OPENS.match(said):
            numbered += 1
        elif len(before) > 55 and said and not row.startswith("    ") and before[-1] not in '.!?:”")':
            wrapped += 1
        before = said
    return wrapped > max(3, numbered / 8)


def _opened(row: Row, found: list[Numbered], column: tuple[float, ...]) -> Numbered | None:
    """The rule that this row opens, if it opens one."""
    said = _OPENS.match(row.text)
    if not said or not is_number(said.group("number")):
        return None
    if column and row.indent is not None and not any(abs(row.indent - one) <= COLUMN for one in column):
        return None
    number = said.group("number")
    if found:
        if sort_key(number) <= sort_key(found[-1].number) or _LEADS_UP.search(found[-1].text):
            return None
        if not _near(found[-1].number, number) and row.text[:1].isdigit() and found[-1].text[-1:].islower():
            return None
    return Numbered(number, bool(said.group("gap")), said.group("text").strip(), row.line, row.page)


def _near(last: str, number: str) -> bool:
    """Whether ``number`` may well follow ``last``: it is below it, or goes on one of the levels above it."""
    above = parent_number(number)
    return above is None or (last + ".").startswith(above + ".")


def _is_half(row: Row, seen: set[str], column: tuple[float, ...]) -> bool:
    """Whether the row opens with a number that was there before: the first half of a longer one, perhaps.

    Where numbers have a column of their own, text may stand beside it.
    """
    said = _OPENS.match(row.text)
    if not said or said.group("number") not in seen:
        return False
    in_column = bool(column) and row.indent is not None and abs(row.indent - column[0]) <= COLUMN
    return in_column or (not said.group("text") and row.text.rstrip().endswith("."))


def _whole_number(half: Row, row: Row, seen: set[str]) -> str:
    """The number whose last levels stand on the next row ("465.2.c." above "4."), or "" where they do not."""
    first, rest = _OPENS.match(half.text), _REST.match(row.text)
    if not first or not rest or (half.indent is not None and row.indent != half.indent):
        return ""
    number = f"{first.group('number')}.{rest.group('levels')}"
    return number if is_number(number) and number not in seen else ""


def _column(rows: list[Row]) -> tuple[float, ...]:
    """How far numbers are set in, where nearly all of them are set in alike; else nothing."""
    places = sorted(row.indent for row in rows if row.indent is not None and _OPENS.match(row.text))
    if not places:
        return ()
    middle = places[len(places) // 2]
    alike = sum(abs(place - middle) <= COLUMN for place in places)
    return (middle,) if alike >= 0.9 * len(places) else ()


def _join(text: str, more: str, words: frozenset[str]) -> tuple[str, int]:
    """The text with the next row joined on, and 1 where a word broken at the line's end was put together."""
    if text.endswith(SOFT):
        return text[:-1] + more, 1
    end, start = _WORD_END.search(text), _WORD_START.match(more)
    if end and start:
        whole = end.group()[:-1] + start.group()
        return (text[:-1] if whole.lower() in words else text) + more, 1
    return f"{text} {more}".strip(), 0
