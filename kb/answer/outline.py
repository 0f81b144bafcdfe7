"""What follows from a rule that says little by itself: a heading, or a statement that introduces a list.

"What are the steps of a cleanup" finds "These Tasks become Outstanding, in the order described:"; the steps are the
rules below it. "How does Deflect work" finds a heading; what Deflect does is said by the rules below that.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from kb.ids import RuleRef
from kb.records import official_statement

MOST = 16
READ = 1400
"""So many rules, and so many characters of them, a person reads at a table."""

ROOM = 320
"""Characters that what is told in one go may have."""

_FUNCTION = re.compile(r"\bis (?:also )?short for\b|\bin full reads\b")
_ENDED = re.compile(r"[.:;!?][\"'”’)]*$")
_COLUMNS = "document, number, parent, heading, statement, official, depth, pos"


@dataclass(frozen=True, slots=True)
class Line:
    """A rule of an outline: what it states in our words, and in the official ones where they were imported."""

    ref: str
    statement: str
    official: str = ""

    def said(self, official: bool) -> str:
        """What it states, in the official wording where that is asked for and there."""
        return self.official if official and self.official else self.statement


class Outlines:
    """What stands below the rules of one store."""

    def __init__(self, con: sqlite3.Connection) -> None:
        self._con = con

    def needed(self, ref: str) -> bool:
        """Whether a rule says something only together with what stands below it."""
        row = self._row(RuleRef.parse(ref))
        return row is not None and (bool(row["heading"]) or row["statement"].endswith(":"))

    def of(self, ref: str) -> tuple[Line, ...]:
        """The first rules below a heading, or below a statement that introduces a list, that state something.

        A chapter's heading has its rules after it, up to the next one. Where a keyword's function is told, that
        comes first: what it is and where it stands matters less.
        """
        rule = RuleRef.parse(ref)
        row = self._row(rule)
        if row is None:
            return ()
        lines = self._function(rule) or self._below(rule.document, row)
        kept: list[Line] = []
        for line in dict.fromkeys(lines):
            if len(kept) == MOST or (kept and sum(len(k.statement) for k in kept) + len(line.statement) > READ):
                break
            kept.append(line)
        return tuple(kept)

    def _function(self, rule: RuleRef) -> list[Line]:
        """Of a keyword's section: what the keyword does, what belongs to that, and the rules beside it."""
        rows = self._rows("document = ? AND number LIKE ? AND NOT heading", rule.document, f"{rule.number}.%")
        start = next((at for at, row in enumerate(rows) if _FUNCTION.search(row["statement"])), None)
        if start is None:
            return []
        depth = rows[start]["depth"]
        introduces = rows[start]["statement"].endswith(":")
        return [
            _line(row)
            for row in rows[start:]
            if row["depth"] <= depth or (introduces and row["parent"] == rows[start]["number"])
        ]

    def told(self, ref: str, official: bool = False) -> str:
        """A heading or the beginning of a list with as many of its rules as are read in one go.

        Of a list its beginning; under a heading what is short, wherever it stands. The rest is left to be read below.
        It is told in our words, or with ``official`` in the official ones where they were imported.
        """
        rule = RuleRef.parse(ref)
        row = self._row(rule)
        if row is None:
            return ""
        said = f"{_line(row).said(official).rstrip('.:')}:"
        for line in self.of(ref):
            statement = line.said(official)
            if len(statement) <= ROOM / 2 and len(said) + len(statement) <= ROOM:
                said = f"{said} {statement}" + ("" if _ENDED.search(statement) else ";")
            elif not row["heading"]:
                said = said if said.endswith(":") else f"{said.rstrip(';')} ..."
                break
        if said.endswith(":"):
            return f"{said} see the rules below."
        return f"{said[:-1]}." if said.endswith(";") else said

    def _below(self, document: str, row: sqlite3.Row) -> Iterator[Line]:
        rows = self._rows("document = ? AND parent = ?", document, row["number"])
        if not rows and row["heading"] and row["depth"] == 0:
            rows = self._chapter(document, row["pos"])
            if not rows:
                yield from self._sections(document, row["pos"])
        if not rows and row["statement"].endswith(":"):
            rows = self._after(document, row)
        for child in rows:
            if child["heading"]:
                yield from self._below(document, child)
                continue
            yield _line(child)
            if child["statement"].endswith(":"):
                yield from self._below(document, child)

    def _chapter(self, document: str, pos: int) -> list[sqlite3.Row]:
        found = []
        for row in self._rows("document = ? AND pos > ? AND depth = 0", document, pos):
            if row["heading"]:
                break
            found.append(row)
        return found

    def _sections(self, document: str, pos: int) -> Iterator[Line]:
        """The sections that a chapter is made of, with the headings in them; it ends where another chapter begins."""
        for row in self._rows("document = ? AND pos > ? AND depth = 0", document, pos):
            below = self._rows("document = ? AND parent = ?", document, row["number"])
            if not row["heading"] or not below:
                return
            for one in (row, *(child for child in below if child["heading"])):
                yield _line(one)

    def _after(self, document: str, row: sqlite3.Row) -> list[sqlite3.Row]:
        """The rules beside one that introduces them: "This Task becomes Outstanding:" has its Task as a neighbour."""
        parent = RuleRef(document, row["number"]).parent
        if parent is None:
            return []
        return self._rows("document = ? AND parent = ? AND pos > ?", document, parent.number, row["pos"])

    def _rows(self, where: str, *values: str | int) -> list[sqlite3.Row]:
        cursor = self._con.cursor()
        cursor.row_factory = sqlite3.Row
        return cursor.execute(
            f"SELECT {_COLUMNS} FROM rule WHERE {where} AND statement <> '' ORDER BY pos", values
        ).fetchall()

    def _row(self, rule: RuleRef) -> sqlite3.Row | None:
        rows = self._rows("document = ? AND number = ?", rule.document, rule.number)
        return rows[0] if rows else None


def _line(row: sqlite3.Row) -> Line:
    official = official_statement(row["official"]) if row["official"] else ""
    return Line(str(RuleRef(row["document"], row["number"])), row["statement"], official)
