"""PDF as rows: the words of each page from top to bottom, those on one line side by side, with how far they are set in.

Only what is written as text can be read; a scanned page has none, and that is said.
"""

from __future__ import annotations

import logging
from io import BytesIO
from os import PathLike
from typing import Any

from kb.errors import InputError
from kb.sources.findings import Finding
from kb.sources.raw import Raw, Row
from kb.sources.tidy import tidy

SAME_LINE = 0.45  # of the letter height

_Piece = tuple[float, float, float, str]  # y, x, size, text


def read_pdf(raw: bytes, where: str | PathLike[str]) -> Raw:
    """The rows of every page. Raises ``InputError`` for a file that is locked, damaged or only pictures."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    logging.getLogger("pypdf").setLevel(logging.ERROR)
    rows: list[Row] = []
    findings: list[Finding] = []
    try:
        reader = PdfReader(BytesIO(raw))
        if reader.is_encrypted and not reader.decrypt(""):
            raise InputError(where, "the PDF is locked with a password", "Save a copy without it")
        for number, page in enumerate(reader.pages, 1):
            found = _rows_of(page, number, len(rows))
            if not found:
                findings.append(Finding("no-text", len(rows), f"page {number} has no text in it", page=number))
            rows += found
    except InputError:
        raise
    except (PyPdfError, ValueError, KeyError, TypeError, OSError, RecursionError) as problem:
        raise InputError(where, f"the PDF is damaged ({problem})", "Download it again") from problem
    if not rows:
        raise InputError(where, "the PDF holds pictures of text, no text", "Run text recognition over it first")
    return Raw("pdf", rows, findings=findings)


def _rows_of(page: Any, number: int, before: int) -> list[Row]:
    """The lines of one page, top to bottom."""
    pieces: list[_Piece] = []

    def visit(text: str, cm: list[float], tm: list[float], font: Any, size: float) -> None:
        if text.strip():
            x, y = tm[4] * cm[0] + tm[5] * cm[2] + cm[4], tm[4] * cm[1] + tm[5] * cm[3] + cm[5]
            height = abs(size * tm[3] * cm[3]) or 10.0
            for step, part in enumerate(text.strip("\n").split("\n")):
                if part.strip():
                    pieces.append((y - step * height * 1.2, x, height, part))

    page.extract_text(visitor_text=visit)
    lines: list[list[_Piece]] = []
    for piece in sorted(pieces, key=lambda one: (-one[0], one[1])):
        if lines and abs(lines[-1][0][0] - piece[0]) <= SAME_LINE * piece[2]:
            lines[-1].append(piece)
        else:
            lines.append([piece])
    rows: list[Row] = []
    for line in lines:
        line.sort(key=lambda one: one[1])
        text = " ".join(tidy(" ".join(piece[3].strip() for piece in line)).split())
        if text:
            rows.append(Row(text, before + len(rows) + 1, number, line[0][1]))
    return rows
