"""Identifiers: rule references and ruling ids; how they parse, order and print.

A citation is *document + edition + number*, written ``core-1.4:465.2.c.4``. Numbers alternate digit
and letter levels below a three-digit rule. Nothing here knows whether a rule exists.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import total_ordering

from kb.errors import BadReference

DEFAULT_DOCUMENT = "core-1.4"
DOCUMENT_TITLES = {"core": "Core Rules", "tournament": "Tournament Rules"}

_DOCUMENT = re.compile(r"[a-z]+-\d[\d.-]*\Z")
_RULING = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")

SortKey = tuple[tuple[int, int, str], ...]


def parse_number(text: str, where: str = "") -> str:
    """Return the rule number in ``text``, without a closing full stop or spaces around it.

    Letters may be upper case. Raises ``BadReference`` for anything that is no rule number.
    """
    number = text.strip().rstrip(".").lower()
    if not is_number(number):
        raise BadReference(where, f"{text.strip()!r} is not a rule number", "Write it like 465.2.c")
    return number


def is_number(text: str) -> bool:
    """Whether ``text`` is exactly a rule number: three digits, then digit and letter levels in turn."""
    if len(text) < 3 or not (text[:3].isascii() and text[:3].isdigit()):
        return False
    levels = text.split(".")
    return len(levels[0]) == 3 and all(
        level.isascii() and (level.isdigit() if at % 2 == 0 else len(level) == 1 and level.islower())
        for at, level in enumerate(levels[1:])
    )


def parent_number(number: str) -> str | None:
    """The number one level up, or None for a three-digit rule."""
    return number.rpartition(".")[0] or None


def sort_key(number: str) -> SortKey:
    """Natural order: 465.2.c.10 after 465.2.c.9, a rule before its children."""
    return tuple((0, int(level), "") if level.isdigit() else (1, 0, level) for level in number.split("."))


@total_ordering
@dataclass(frozen=True, slots=True)
class RuleRef:
    """One rule of one edition of one document. Frozen, hashable, in natural order."""

    document: str
    number: str

    @classmethod
    def parse(cls, text: str, document: str = DEFAULT_DOCUMENT, where: str = "") -> RuleRef:
        """Read ``core-1.4:465.2.c.4``, or a bare number of ``document``.

        Raises ``BadReference`` where the text is neither.
        """
        name, colon, number = text.strip().rpartition(":")
        name = name.strip().lower() if colon else document
        if not _DOCUMENT.match(name):
            raise BadReference(
                where,
                f"{text.strip()!r} names no document",
                "Write it like core-1.4:465.2.c or tournament-2026-07:408.2",
            )
        return cls(name, parse_number(number, where))

    @property
    def parent(self) -> RuleRef | None:
        """The rule one level up, or None for a three-digit rule."""
        number = parent_number(self.number)
        return RuleRef(self.document, number) if number else None

    @property
    def ancestors(self) -> tuple[RuleRef, ...]:
        """The rules above, nearest first."""
        above = self.parent
        return (above, *above.ancestors) if above else ()

    @property
    def depth(self) -> int:
        """Levels below the three-digit rule: 0 for 465, 3 for 465.2.c.4."""
        return self.number.count(".")

    @property
    def section(self) -> RuleRef:
        """The three-digit rule that this one belongs to."""
        return RuleRef(self.document, self.number[:3])

    @property
    def sort_key(self) -> tuple[str, SortKey]:
        """Key of the natural order, by document and then by number."""
        return (self.document, sort_key(self.number))

    def is_within(self, other: RuleRef) -> bool:
        """Whether this is ``other`` or lies below it."""
        return self.document == other.document and (self.number + ".").startswith(other.number + ".")

    def __lt__(self, other: object) -> bool:
        return self.sort_key < other.sort_key if isinstance(other, RuleRef) else NotImplemented

    def __str__(self) -> str:
        return f"{self.document}:{self.number}"


def document_title(document: str) -> str:
    """``core-1.4`` -> "Core Rules 1.4", for people."""
    kind, _, edition = document.partition("-")
    return f"{DOCUMENT_TITLES.get(kind, kind.title())} {edition}"


def citation(ref: RuleRef, wording: str) -> str:
    """What a copied quotation is headed by: "Core Rules 1.4, 465.2.c.4 (restated)"."""
    said = "official wording" if wording == "official" else wording
    return f"{document_title(ref.document)}, {ref.number} ({said})"


def parse_ruling_id(text: str, where: str = "") -> str:
    """Return a ruling id: lower-case words joined by hyphens. Raises ``BadReference``."""
    if not _RULING.match(text.strip()):
        raise BadReference(where, f"{text!r} is not a ruling id", "Use lower-case words joined by hyphens")
    return text.strip()
