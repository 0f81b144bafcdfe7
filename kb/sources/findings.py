"""What a reader noticed in a document: one kind, one place, one sentence each."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """Something noticed while reading; the kinds are explained in docs/import-findings.md."""

    kind: str
    line: int
    message: str
    number: str = ""

    def __str__(self) -> str:
        at = f"line {self.line}" if self.line else "the whole file"
        return f"{self.kind}: {at}: {self.message}"
