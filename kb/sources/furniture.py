"""Page furniture: headers, footers and page numbers, told by standing at the edge of page after page.

Each line that is taken out is a finding with its words; nothing else is touched.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import replace

from kb.sources.findings import Finding
from kb.sources.raw import Raw, Row

EDGE = 3  # lines at either end of a page that may be furniture
SHARE = 0.4  # of the pages that it stands on

_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(r"(?:page\s+)?(?:\d{1,3}|[ivxl]+)(?:\s*(?:/|of)\s*\d{1,3})?|[-–]\s*\d{1,3}\s*[-–]", re.I)


def strip_furniture(raw: Raw) -> Raw:
    """``raw`` without headers, footers and page numbers. A document of one page has none that could be told."""
    pages: dict[int, list[Row]] = defaultdict(list)
    for row in raw.rows:
        pages[row.page].append(row)
    if len(pages) < 2:
        return raw
    seen = Counter(key for rows in pages.values() for key in {_key(row) for row in _edges(rows)})
    least = max(2, SHARE * len(pages))
    out: set[int] = set()
    for rows in pages.values():
        for side in (rows[:EDGE], rows[::-1][:EDGE]):
            for row in side:
                if seen[_key(row)] >= least or _PAGE_NUMBER.fullmatch(row.text.strip()):
                    out.add(row.line)
                else:
                    break
    aside = [
        Finding(
            "furniture",
            row.line,
            f"{row.text[:60]!r} is a header, footer or page number",
            "",
            len(row.text.split()),
            row.page,
        )
        for row in raw.rows
        if row.line in out
    ]
    return replace(raw, rows=[row for row in raw.rows if row.line not in out], aside=[*raw.aside, *aside])


def _edges(rows: list[Row]) -> list[Row]:
    return rows if len(rows) <= 2 * EDGE else [*rows[:EDGE], *rows[-EDGE:]]


def _key(row: Row) -> str:
    """A line with its numbers left out: "Page 3" and "Page 4" are the same line."""
    return _DIGITS.sub("#", row.text.strip().lower())
