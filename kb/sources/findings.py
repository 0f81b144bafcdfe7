"""What a reader noticed in a document: one kind, one place, one sentence each."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """Something noticed while reading; the kinds are explained in docs/import-findings.md.

    ``words`` is how many words of the file it keeps out of the rules (page furniture, text that belongs
    to no rule); ``page`` is 0 where the file has no pages.
    """

    kind: str
    line: int
    message: str
    number: str = ""
    words: int = 0
    page: int = 0

    def __str__(self) -> str:
        at = (
            f"page {self.page}, line {self.line}"
            if self.page
            else f"line {self.line}"
            if self.line
            else "the whole file"
        )
        return f"{self.kind}: {at}: {self.message}"
