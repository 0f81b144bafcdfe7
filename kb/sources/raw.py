"""What a reader of one file format hands on: rows of visible text with their places, and what it set aside.

Every reader keeps count: the words of the file are the words of the rows and of what was set aside.
``kb.sources.assemble`` then joins the rows to rules.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from kb.sources.findings import Finding


@dataclass(frozen=True, slots=True)
class Row:
    """One line of visible text: where it stands, how far it is set in (``None`` where the format has no places)."""

    text: str
    line: int
    page: int = 0
    indent: float | None = None


@dataclass
class Raw:
    """The rows of a file, what was set aside (each a finding with its words), and the name of the format."""

    form: str
    rows: list[Row]
    aside: list[Finding] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    @property
    def words(self) -> int:
        """How many words the file has."""
        return count_words(row.text for row in self.rows) + sum(one.words for one in self.aside)


def count_words(texts: Iterable[str]) -> int:
    """Words between white space."""
    return sum(len(text.split()) for text in texts)
