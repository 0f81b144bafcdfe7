"""Noun phrases, amounts and conditions of the card language: their types, and how they print.

A phrase is written as plain words (``up to 2 friendly units here with might <= 3``) and parsed by
:mod:`kb.cards.parsing` into the frozen types of this module; ``str()`` gives the canonical words back, which
parse to an equal value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Final

from kb.cards.terms import KINDS

AN: Final = re.compile(r"\ba(?= (?:[aeio]|un(?!it)))")


@dataclass(frozen=True)
class Ref:
    """A reference to something already known: ``me``, ``that``, ``$victim``, ``controller of $victim``.

    ``name`` is the innermost name; ``path`` the possessives around it, outermost first
    (``("controller",)``, ``("owner",)``, ``("location",)``, ``("legend",)``).
    """

    name: str
    path: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "".join(f"{step} of " for step in self.path) + self.name


@dataclass(frozen=True)
class Number:
    """A plain whole number."""

    value: int

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True)
class AttributeOf:
    """A number read off an object or player: ``might of me``, ``points of you``."""

    attribute: str
    of: Ref

    def __str__(self) -> str:
        return f"{self.attribute} of {self.of}"


@dataclass(frozen=True)
class NumberOf:
    """How many objects match, or the highest, lowest or total of an attribute among them."""

    what: Noun
    aggregate: str = "number"
    attribute: str = ""

    def __str__(self) -> str:
        if self.aggregate == "number":
            return f"number of {self.what}"
        return f"{self.aggregate} {self.attribute} among {self.what}"


@dataclass(frozen=True)
class Tally:
    """A number the game keeps: ``cards played this turn``, ``other cards played this turn``, ``players``."""

    words: str

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True)
class Arithmetic:
    """``left + right``, ``left - right`` or ``left * right``."""

    operator: str
    left: Amount
    right: Amount

    def __str__(self) -> str:
        return f"{self.left} {self.operator} {self.right}"


@dataclass(frozen=True)
class Bound:
    """A number named earlier in the same effect: ``$X``."""

    name: str

    def __str__(self) -> str:
        return self.name


Amount = Number | AttributeOf | NumberOf | Tally | Arithmetic | Bound


@dataclass(frozen=True)
class Comparison:
    """``with might <= 3``, or of a whole group ``with total might <= 4``."""

    attribute: str
    operator: str
    amount: Amount
    total: bool = False

    def __str__(self) -> str:
        return f"with {'total ' if self.total else ''}{self.attribute} {self.operator} {self.amount}"


@dataclass(frozen=True)
class Having:
    """``with keyword Hidden``, ``with tag Poro|Cat``, ``with name "A Name"``, ``choosing a friendly unit``."""

    what: str
    values: tuple[str, ...]
    negated: bool = False

    def __str__(self) -> str:
        word = "without" if self.negated else "with"
        values = "|".join(self.values)
        return f"{word} {self.what} " + (f'"{values}"' if " " in values else values)


@dataclass(frozen=True)
class Choosing:
    """Of a spell or ability on the chain: that it chose (targets) something; ``only`` and no other such."""

    what: Noun | Ref
    only: bool = False

    def __str__(self) -> str:
        return f"choosing {'only ' if self.only else ''}{self.what}"


@dataclass(frozen=True)
class Relation:
    """How a thing stands to another: ``attached to $u``, ``other than $u``, ``with the same controller as $u``,
    ``banished by this``, and of battlefields ``holding an enemy unit``."""

    kind: str
    to: Ref | Noun

    def __str__(self) -> str:
        return f"{self.kind} {self.to}"


@dataclass(frozen=True)
class Place:
    """Where: ``here``, ``at a battlefield``, ``in a base``, ``in your trash``, ``at location of $x``, ``from $looked``.

    ``kind`` is one of ``here``, ``base``, ``zone``, ``at`` (a reference), ``elsewhere`` (another location than the
    reference), ``from`` (a named group), ``noun`` (a battlefield that is described).
    """

    kind: str
    whose: str = ""
    zone: str = ""
    ref: Ref | None = None
    noun: Noun | None = None

    def __str__(self) -> str:
        match self.kind:
            case "here":
                return "here"
            case "base":
                return f"in {self.whose or 'a'} base"
            case "zone":
                return f"in {self.whose or 'a'} {self.zone}"
            case "from":
                return f"from {self.ref}"
            case "elsewhere":
                return f"elsewhere than {self.ref}"
            case "at":
                return f"at {self.ref}"
            case _:
                return f"at {self.noun}"


@dataclass(frozen=True)
class Noun:
    """A description of objects or players, and how many of them.

    ``quantity`` is ``a``, ``all``, ``each``, ``up to``, ``any number of`` or ``exactly``. ``group`` holds what the
    chosen ones must satisfy together: ``same location``, ``same battlefield``, ``same controller``,
    ``different locations``.
    """

    kinds: tuple[str, ...]
    quantity: str = "a"
    count: Amount | None = None
    other: bool = False
    whose: str = ""
    states: tuple[str, ...] = ()
    place: Place | None = None
    comparisons: tuple[Comparison, ...] = ()
    having: tuple[Qualifier, ...] = ()
    group: tuple[str, ...] = ()

    @property
    def plural(self) -> bool:
        """Whether the phrase speaks of several."""
        return self.quantity in ("all", "up to", "any number of", "exactly") and self.count != Number(1)

    def __str__(self) -> str:
        words: list[str] = []
        match self.quantity:
            case "a":
                words.append("another" if self.other else "a")
            case "up to":
                words += ["up to", str(self.count)]
            case "exactly":
                words.append(str(self.count))
            case _:
                words.append(self.quantity)
        if self.other and self.quantity != "a":
            words.append("other")
        words += [w for w in (self.whose,) if w]
        words += self.states
        words.append(" or ".join(KINDS[k] if self.plural else k for k in self.kinds))
        if self.place is not None:
            words.append(str(self.place))
        words += [str(c) for c in self.comparisons]
        words += [str(h) for h in self.having]
        words += [f"in the {g}" if g.startswith("different") else f"at the {g}" for g in self.group]
        return AN.sub("an", " ".join(words))


Qualifier = Having | Choosing | Relation


@dataclass(frozen=True)
class Compare:
    """A condition that compares two amounts."""

    left: Amount
    operator: str
    right: Amount

    def __str__(self) -> str:
        return f"{self.left} {self.operator} {self.right}"


@dataclass(frozen=True)
class Is:
    """A condition on something known: ``me is at a battlefield``, ``$it is a stunned unit``."""

    subject: Ref
    noun: Noun
    negated: bool = False

    def __str__(self) -> str:
        return f"{self.subject} is {'not ' if self.negated else ''}{self.noun}"


@dataclass(frozen=True)
class Fact:
    """A condition the game keeps track of: ``paid``, ``did``, ``your turn``, ``legion``, ``level``, ``empowered``."""

    word: str
    argument: str = ""

    def __str__(self) -> str:
        return f"{self.word} {self.argument}".strip()


@dataclass(frozen=True)
class Not:
    """Negation of a condition."""

    of: Condition

    def __str__(self) -> str:
        return f"not {self.of}"


@dataclass(frozen=True)
class Every:
    """All (``and``) or any (``or``) of several conditions."""

    joiner: str
    parts: tuple[Condition, ...]

    def __str__(self) -> str:
        return f" {self.joiner} ".join(str(p) for p in self.parts)


Condition = Compare | Is | Fact | Not | Every
What = Noun | Ref


def within(phrase: object) -> Iterator[object]:
    """A phrase and every phrase in it; of a tuple, those of its members."""
    if isinstance(phrase, tuple):
        for one in phrase:
            yield from within(one)
    elif is_dataclass(phrase):
        yield phrase
        for field in fields(phrase):
            yield from within(getattr(phrase, field.name))


@cache
def names_in(phrase: object) -> frozenset[str]:
    """The names that a phrase refers to: ``me``, ``$unit``, ``$X``."""
    return frozenset(p.name for p in within(phrase) if isinstance(p, Ref | Bound))


@cache
def facts_in(condition: Condition | None) -> frozenset[str]:
    """The facts that a condition turns on: ``in combat``, ``did``."""
    return frozenset(p.word for p in within(condition) if isinstance(p, Fact))


@cache
def subtracts(amount: Amount) -> bool:
    """Whether a number is made by taking one from another, or is below 0 as written."""
    return any(
        (isinstance(p, Arithmetic) and p.operator == "-") or (isinstance(p, Number) and p.value < 0)
        for p in within(amount)
    )
