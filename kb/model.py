"""The data of the project as frozen values: rules, rulings and card facts.

Nothing here reads files (see ``kb.load``) or knows the store. Plain dataclasses, so that importing
this costs next to nothing on the path of ``kb rule``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import StrEnum
from functools import cached_property

from kb.errors import UnknownId
from kb.ids import RuleRef, parent_number, sort_key

NOT_RESTATED = "(not yet restated)"


class PartKind(StrEnum):
    """What a piece of a rule's text is."""

    STEP = "step"  # the label of a numbered procedure: "1.", "3a."
    STATEMENT = "statement"
    EXAMPLE = "example"
    POINTER = "pointer"  # "See rule 431 (Burn Out)."
    REMINDER = "reminder"
    NOTE = "note"  # ours, never the publisher's


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of a rule's text; ``targets`` are the numbers that a pointer names."""

    kind: PartKind
    text: str
    targets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of one edition. ``parts`` in their order are the whole text; ``line`` is where it stands."""

    ref: RuleRef
    parts: tuple[Part, ...]
    heading: bool = False
    line: int = 0
    source: str = ""
    restated: bool = True

    @property
    def number(self) -> str:
        """The number without the document."""
        return self.ref.number

    @property
    def text(self) -> str:
        """Everything the rule says, examples and pointers included."""
        return " ".join(part.text for part in self.parts)

    @property
    def statement(self) -> str:
        """What the rule says, without its step label, examples, pointers, reminders and notes."""
        return " ".join(self.of(PartKind.STATEMENT))

    @property
    def step(self) -> str:
        """The label that makes this a step of a procedure ("1"), or nothing."""
        return next(iter(self.of(PartKind.STEP)), "").rstrip(".")

    @property
    def examples(self) -> tuple[str, ...]:
        """The examples, in order."""
        return self.of(PartKind.EXAMPLE)

    @property
    def reminders(self) -> tuple[str, ...]:
        """The reminders, in order."""
        return self.of(PartKind.REMINDER)

    @property
    def notes(self) -> tuple[str, ...]:
        """Our own notes, in order."""
        return self.of(PartKind.NOTE)

    @property
    def pointers(self) -> tuple[str, ...]:
        """The numbers that "See rule ..." sentences name, in order."""
        return tuple(target for part in self.parts for target in part.targets)

    def of(self, kind: PartKind) -> tuple[str, ...]:
        """Texts of the parts of one kind, in order."""
        return tuple(part.text for part in self.parts if part.kind is kind)


@dataclass(frozen=True)
class RuleBook:
    """All rules of one edition of one document, in natural order, looked up by number."""

    document: str
    rules: Mapping[str, Rule]

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules.values())

    def __len__(self) -> int:
        return len(self.rules)

    def __contains__(self, number: object) -> bool:
        return number in self.rules

    def __getitem__(self, number: str) -> Rule:
        """The rule with this number. Raises ``UnknownId`` with the nearest numbers that exist."""
        try:
            return self.rules[number]
        except KeyError:
            near = nearest_numbers(number, list(self.rules))
            raise UnknownId(f"{self.document}:{number}", "there is no such rule", nearest=near) from None

    @cached_property
    def _children(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, list[str]] = {}
        for number in self.rules:
            if above := parent_number(number):
                found.setdefault(above, []).append(number)
        return {number: tuple(below) for number, below in found.items()}

    def children(self, number: str) -> tuple[str, ...]:
        """Numbers one level below, in order."""
        return self._children.get(number, ())

    def parents(self, number: str) -> tuple[str, ...]:
        """Numbers above that exist, the outermost first."""
        above: list[str] = []
        at = parent_number(number)
        while at:
            if at in self.rules:
                above.append(at)
            at = parent_number(at)
        return tuple(reversed(above))

    def section(self, number: str) -> tuple[Rule, ...]:
        """A rule and everything below it, in order."""
        stem = number + "."
        return tuple(rule for rule in self if rule.number == number or rule.number.startswith(stem))


def nearest_numbers(number: str, existing: list[str], count: int = 4) -> list[str]:
    """Existing numbers that someone who typed ``number`` may have meant: its parents, siblings, look-alikes."""
    known = set(existing)
    found: list[str] = []
    at = parent_number(number)
    while at and not found:
        if at in known:
            found.append(at)
            below = [n for n in existing if parent_number(n) == at]
            found += sorted(below, key=lambda n: _distance(n, number))[: count - 1]
        at = parent_number(at)
    if not found:
        found += get_close_matches(number, existing, n=count, cutoff=0.6)
        tops = [n for n in existing if "." not in n]
        found += sorted(tops, key=lambda n: _distance(n, number[:3]))[: count - len(found)]
    return list(dict.fromkeys(found))[:count]


def _distance(one: str, other: str) -> tuple[int, ...]:
    """How far two numbers lie apart, level by level."""
    pairs = zip(sort_key(one), sort_key(other), strict=False)
    return tuple(abs((a[1] or ord((a[2] or "`")[0])) - (b[1] or ord((b[2] or "`")[0]))) for a, b in pairs)


class Agreement(StrEnum):
    """Whether the rules in force agree with what a ruling says, by our reading."""

    YES = "yes"
    NO = "no"
    PARTLY = "partly"
    OPEN = "open"  # the rules leave it open, or allow two readings


@dataclass(frozen=True, slots=True, order=True)
class Origin:
    """Where a ruling came from: the document and the line of its paragraph."""

    document: str
    line: int

    def __str__(self) -> str:
        return f"{self.document}:{self.line}"


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of a ruling that is true or false of a game, or says why it is not (``documentary``)."""

    id: str
    says: str
    rules: tuple[RuleRef, ...] = ()
    documentary: str = ""


@dataclass(frozen=True, slots=True)
class ClaimReview:
    """What we found on one claim: whether the rules in force agree, by which rules, and why."""

    agrees: Agreement
    rules: tuple[RuleRef, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class Review:
    """What holds now: a reading against ``edition``, beside what people said."""

    edition: str
    verdict: str
    answer: str
    claims: Mapping[str, ClaimReview] = field(default_factory=dict)
    changed_since: str = ""
    notes: str = ""


@dataclass(frozen=True, slots=True)
class Relations:
    """Ids of other rulings, by how they stand to this one."""

    same_question: tuple[str, ...] = ()
    contradicts: tuple[str, ...] = ()
    refines: tuple[str, ...] = ()
    depends_on: tuple[str, ...] = ()

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Every (relation, ruling id)."""
        for kind in ("same_question", "contradicts", "refines", "depends_on"):
            for other in getattr(self, kind):
                yield kind, other


@dataclass(frozen=True, slots=True)
class Ruling:
    """What people ruled, as they meant it, cut into claims; ``review`` says what holds now."""

    id: str
    title: str
    origin: Origin
    questions: tuple[str, ...]
    verdict: str
    answer: str
    claims: tuple[Claim, ...]
    sequence: tuple[str, ...] = ()
    nuances: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    rules: tuple[RuleRef, ...] = ()
    relations: Relations = Relations()
    review: Review | None = None
    scenarios: tuple[str, ...] = ()
    path: str = ""

    @property
    def all_rules(self) -> tuple[RuleRef, ...]:
        """Every rule that the ruling, a claim or the review cites, once, in natural order."""
        cited = set(self.rules)
        for claim in self.claims:
            cited.update(claim.rules)
        if self.review:
            for review in self.review.claims.values():
                cited.update(review.rules)
        return tuple(sorted(cited))


@dataclass(frozen=True, slots=True)
class Card:
    """The printed facts of a card; its abilities, where modelled, live in ``kb.cards``."""

    name: str
    type: str
    supertype: str = ""
    energy: int | None = None
    power: int | None = None
    might: int | None = None
    might_bonus: int | None = None
    domains: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    home_set: str = ""
    collector_number: int | None = None
    rarity: str = ""
    errata: bool = False
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Term:
    """An entry of the glossary: what a term means, what it is not, its rules, how players say it."""

    term: str
    kind: str  # term, keyword, symbol
    means: str = ""
    is_not: str = ""
    rules: tuple[RuleRef, ...] = ()
    says: tuple[str, ...] = ()  # what people say instead
