"""Realistic PDFs of rules for the tests: made from our own text, with all that a typesetter does to it.

Header and footer on every page, numbers in a column of their own, long ones broken over two lines, rules
broken over pages, curly quotes, soft hyphens at line ends.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from pathlib import Path

from fpdf import FPDF

SIZE = 9
LEAD = 12.0
LEFT, TEXT = 40.0, 96.0
TOP, BOTTOM = 60.0, 780.0
LONG_NUMBER = 9


def curly(text: str) -> str:
    """Straight double quotes turned into curly ones, as in print."""
    said, inside = [], False
    for letter in text:
        if letter == '"':
            said.append("”" if inside else "“")
            inside = not inside
        else:
            said.append("’" if letter == "'" else letter)
    return "".join(said)


def broken(number: str) -> list[str]:
    """A number as its column shows it: a long one in two pieces."""
    if len(number) <= LONG_NUMBER:
        return [f"{number}."]
    head, _, tail = number.rpartition(".")
    return [f"{head}.", f"{tail}."]


def write_pdf(
    path: Path,
    rules: Iterable[tuple[str, str]],
    title: str = "Made-up Rules 1.5",
    *,
    inline: bool = False,
    width: int = 88,
) -> None:
    """Set the rules on pages: numbers in a column, or (``inline``) at the start of each paragraph."""
    pdf = FPDF(unit="pt", format="A4")
    pdf.core_fonts_encoding = "windows-1252"
    pdf.set_auto_page_break(False)
    y = BOTTOM + 1

    def page() -> float:
        pdf.add_page()
        pdf.set_font("Helvetica", size=SIZE)
        pdf.text(LEFT, 36, title)
        pdf.text(460, 36, "Last updated 2027-01-31")
        pdf.text(280, 815, f"Page {pdf.page_no()} of 999")
        return TOP

    for number, text in rules:
        lines = _set(curly(text), width)
        numbers = broken(number) if not inline else []
        if inline:
            lines = _set(f"{number}. {curly(text)}", width + 10)
        for at in range(max(len(lines), len(numbers))):
            if y > BOTTOM:
                y = page()
            if at < len(numbers):
                pdf.text(LEFT, y, numbers[at])
            if at < len(lines):
                pdf.text(LEFT if inline else TEXT, y, lines[at])
            y += LEAD
        y += 4
    pdf.output(str(path))


def _set(text: str, width: int) -> list[str]:
    """Lines of the text; now and then a long word is broken with a soft hyphen, as a typesetter would."""
    lines = textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)
    for at in range(0, len(lines) - 1, 7):
        word, _, rest = lines[at + 1].partition(" ")
        if len(word) > 8 and word.isalpha():
            lines[at] = f"{lines[at]} {word[:5]}\u00ad"
            lines[at + 1] = f"{word[5:]} {rest}".strip()
    return [line.replace("→", "->").encode("cp1252", "replace").decode("cp1252") for line in lines]
