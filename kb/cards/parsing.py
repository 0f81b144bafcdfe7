"""Parser of the card language's phrases: noun phrases, places, amounts, conditions.

One recursive-descent parser over words. The grammar is small on purpose (see ``docs/card-language.md``); a word that
does not fit is reported with its position and what was expected.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Final, TypeVar

from kb.cards.phrases import (
    Amount,
    Arithmetic,
    AttributeOf,
    Bound,
    Choosing,
    Compare,
    Comparison,
    Condition,
    Every,
    Fact,
    Having,
    Is,
    Not,
    Noun,
    Number,
    NumberOf,
    Place,
    Qualifier,
    Ref,
    Relation,
    Tally,
    What,
)
from kb.cards.terms import ATTRIBUTES, KINDS, OPERATORS, SELF_REFS, STATES, WHOSE, ZONES

T = TypeVar("T")
TOKEN: Final = re.compile(r"\"[^\"]+\"|<=|>=|!=|[<>=+*]|-(?=\s)|\$?[\w'’&!.,|-]+")
POSSESSIVES: Final = ("controller", "owner", "location", "legend", "base", "origin")
RELATIONS: Final = ("attached to", "other than", "with the same controller as", "banished by", "holding")
TALLIES: Final = (
    "other cards played this turn",
    "cards played this turn",
    "battlefields scored this turn",
    "moves this turn",
    "energy spent this turn",
    "power spent this turn",
    "players",
    "opponents",
)
FACTS_WITH_ARGUMENT: Final = ("paid", "level", "turn of", "played from")
FACTS: Final = (
    "your turn",
    "legion",
    "empowered",
    "did",
    "in combat",
    "attached this turn",
    "you attacked this turn",
    "one on one",
    "alone",
    "paid",
)
SINGULAR: Final = {plural: one for one, plural in KINDS.items()} | {one: one for one in KINDS}
PLAYER_ATTRIBUTES: Final = ("points", "xp", "victory score")


class PhraseError(ValueError):
    """A phrase that the card language cannot read: what was found, where, and what was expected."""


class Reader:
    """Words of one phrase with a position."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words: list[str] = TOKEN.findall(text)
        self.at = 0

    def peek(self, ahead: int = 0) -> str:
        index = self.at + ahead
        return self.words[index] if index < len(self.words) else ""

    def accept(self, phrase: str) -> bool:
        """Take the words of ``phrase`` if they come next."""
        wanted = phrase.split()
        if [w.lower() for w in self.words[self.at : self.at + len(wanted)]] == wanted:
            self.at += len(wanted)
            return True
        return False

    def take(self) -> str:
        if self.at >= len(self.words):
            raise self.error("the phrase ends too early")
        self.at += 1
        return self.words[self.at - 1]

    def error(self, why: str) -> PhraseError:
        here = " ".join([*self.words[: self.at], ">>", *self.words[self.at :]])
        return PhraseError(f"{why} in {here!r}")

    @property
    def done(self) -> bool:
        return self.at >= len(self.words)


@cache
def parse_noun(text: str) -> Noun:
    """Parse a noun phrase such as ``an enemy unit here``."""
    return whole(text, read_noun)


@cache
def parse_what(text: str) -> What:
    """Parse a reference (``me``, ``$victim``, ``controller of $victim``) or a noun phrase."""
    return whole(text, read_what)


@cache
def parse_place(text: str) -> Place:
    """Parse a place such as ``here``, ``your base`` or ``at a battlefield``."""
    return whole(text, read_place_argument)


@cache
def parse_amount(text: str) -> Amount:
    """Parse an amount such as ``2``, ``might of me`` or ``number of cards in your trash``."""
    return whole(text, read_amount)


@cache
def parse_condition(text: str) -> Condition:
    """Parse a condition such as ``me is at a battlefield and number of friendly units here >= 2``."""
    return whole(text, read_condition)


def whole(text: str, read: Callable[[Reader], T]) -> T:
    """Run one reading function over all of a text."""
    reader = Reader(str(text))
    result = read(reader)
    if not reader.done:
        raise reader.error("unexpected words")
    return result


def read_ref(reader: Reader) -> Ref | None:
    """A reference, or None (and nothing taken) when the words are not one."""
    start, path = reader.at, []
    while reader.peek() in POSSESSIVES and reader.peek(1) == "of":
        path.append(reader.take())
        reader.take()
    word = reader.peek()
    if word in SELF_REFS or word.startswith("$"):
        reader.take()
        return Ref(word, tuple(path))
    reader.at = start
    return None


def read_what(reader: Reader) -> What:
    """A reference or a noun phrase."""
    ref = read_ref(reader)
    return ref if ref is not None else read_noun(reader)


def read_noun(reader: Reader, qualified: bool = True) -> Noun:
    """A noun phrase: quantity, other, whose, states, kinds, then (if ``qualified``) places, comparisons, groups.

    The noun inside a place takes no qualifiers: ``a unit at a battlefield with might <= 3`` is about the unit.
    """
    quantity, count, other = read_quantity(reader)
    whose = ""
    states: list[str] = []
    while True:
        word = reader.peek()
        if word in WHOSE:
            whose = reader.take()
        elif word == "other":
            reader.take()
            other = True
        elif word == "attached" and reader.peek(1) == "to":
            break
        elif word.removeprefix("non-") in STATES and not (word in SINGULAR and not is_state_use(reader)):
            states.append(reader.take())
        else:
            break
    plural = reader.peek() in KINDS.values() and reader.peek() not in KINDS
    kinds = [read_kind(reader)]
    if plural and not quantity:
        quantity = "all"
    quantity = quantity or "a"
    while reader.peek() == "or" and reader.peek(1) in SINGULAR:
        reader.take()
        kinds.append(read_kind(reader))
    place, comparisons, having, group = read_qualifiers(reader) if qualified else (None, [], [], [])
    return Noun(
        tuple(kinds),
        quantity,
        count,
        other,
        whose,
        tuple(states),
        place,
        tuple(comparisons),
        tuple(having),
        tuple(group),
    )


def is_state_use(reader: Reader) -> bool:
    """Whether ``token`` or ``champion`` stands before a kind (``token unit``) rather than as the kind itself."""
    following = reader.peek(1)
    return following in SINGULAR or following.removeprefix("non-") in STATES


def read_quantity(reader: Reader) -> tuple[str, Amount | None, bool]:
    """``a``, ``another``, ``all``, ``each``, ``up to N``, ``any number of``, ``N``, or nothing (``a``)."""
    if reader.accept("up to"):
        return "up to", read_term(reader), False
    if reader.accept("any number of"):
        return "any number of", None, False
    if reader.accept("another"):
        return "a", None, True
    for word in ("all", "each"):
        if reader.accept(word):
            return word, None, False
    for word in ("a", "an", "the"):
        if reader.accept(word):
            return "a", None, False
    if reader.peek().isdigit() or (reader.peek().startswith("$") and reader.peek(1) != ""):
        return "exactly", read_term(reader), False
    return "", None, False


def read_kind(reader: Reader) -> str:
    word = reader.take()
    if word not in SINGULAR:
        reader.at -= 1
        raise reader.error(f"{word!r} is no kind of thing (known: {', '.join(sorted(KINDS))}, or a state before it)")
    return SINGULAR[word]


def read_qualifiers(
    reader: Reader,
) -> tuple[Place | None, list[Comparison], list[Qualifier], list[str]]:
    """What may follow the kind, in any order."""
    place: Place | None = None
    comparisons: list[Comparison] = []
    having: list[Qualifier] = []
    group: list[str] = []
    while not reader.done:
        relation = next((r for r in RELATIONS if reader.accept(r)), "")
        if relation:
            having.append(Relation(relation, read_what(reader)))
        elif reader.accept("at the same") or reader.accept("with the same"):
            group.append(f"same {reader.take()}")
        elif reader.accept("at different locations") or reader.accept("in the different locations"):
            group.append("different locations")
        elif (found := read_place(reader)) is not None:
            place = found
        elif reader.accept("with") or reader.accept("without"):
            read_with(reader, comparisons, having)
        elif reader.accept("named"):
            having.append(Having("name", (read_text(reader),)))
        elif reader.accept("choosing"):
            only = reader.accept("only")
            having.append(Choosing(read_what(reader), only))
        else:
            break
    return place, comparisons, having, group


def read_text(reader: Reader) -> str:
    """A quoted name, or one word; alternatives within one word are joined with ``|``."""
    return reader.take().strip('"')


def read_with(reader: Reader, comparisons: list[Comparison], having: list[Qualifier]) -> None:
    negated = reader.peek(-1) == "without"
    if reader.peek() in ("keyword", "tag", "name", "domain", "type"):
        what = reader.take()
        having.append(Having(what, tuple(read_text(reader).split("|")), negated))
        return
    total = reader.accept("total")
    attribute = reader.take()
    if attribute not in ATTRIBUTES:
        raise reader.error(f"{attribute!r} is no attribute (known: {', '.join(sorted(ATTRIBUTES))})")
    operator = reader.take()
    if operator not in OPERATORS:
        raise reader.error(f"{operator!r} is no comparison")
    comparisons.append(Comparison(attribute, operator, read_amount(reader), total))


def read_place(reader: Reader) -> Place | None:
    """A place that follows a kind, or None."""
    if reader.accept("here"):
        return Place("here")
    if reader.accept("elsewhere than"):
        ref = read_ref(reader)
        if ref is None:
            raise reader.error("'elsewhere than' needs a reference")
        return Place("elsewhere", ref=ref)
    start = reader.at
    if reader.accept("from") or reader.accept("in"):
        ref = read_ref(reader)
        if ref is not None and not ref.path:
            return Place("from", ref=ref)
        if ref is not None:
            return Place("at", ref=ref)
        found = read_zone(reader)
        if found is not None:
            return found
        reader.at = start
        return None
    if reader.accept("at"):
        ref = read_ref(reader)
        if ref is not None:
            return Place("at", ref=ref)
        return Place("noun", noun=read_noun(reader, qualified=False))
    return None


def read_zone(reader: Reader) -> Place | None:
    """``your trash``, ``a base``, ``their hand``, ``all trash``."""
    whose = ""
    word = reader.peek()
    if word in WHOSE or word in ("a", "any"):
        reader.take()
        whose = word if word in WHOSE else ""
    if reader.accept("base"):
        return Place("base", whose=whose)
    if reader.peek() in ZONES:
        return Place("zone", whose=whose, zone=reader.take())
    return None


def read_place_argument(reader: Reader) -> Place:
    """A place that stands on its own as an argument (``to: here``, ``to: your base``, ``to: a battlefield``)."""
    if reader.accept("here"):
        return Place("here")
    if reader.accept("at"):
        ref = read_ref(reader)
        return Place("at", ref=ref) if ref is not None else Place("noun", noun=read_noun(reader))
    if reader.peek() in ("in", "from", "elsewhere"):
        found = read_place(reader)
        if found is not None:
            return found
    start = reader.at
    zone = read_zone(reader)
    if zone is not None and reader.done:
        return zone
    reader.at = start
    ref = read_ref(reader)
    if ref is not None:
        return Place("at", ref=ref)
    return Place("noun", noun=read_noun(reader))


def read_amount(reader: Reader) -> Amount:
    """Terms joined by + - *, from left to right."""
    left = read_term(reader)
    while reader.peek() in ("+", "-", "*"):
        operator = reader.take()
        left = Arithmetic(operator, left, read_term(reader))
    return left


def read_term(reader: Reader) -> Amount:
    word = reader.peek()
    if word.lstrip("-").isdigit():
        return Number(int(reader.take()))
    for tally in TALLIES:
        if reader.accept(tally):
            return Tally(tally)
    if reader.accept("number of"):
        return NumberOf(read_noun(reader))
    for aggregate in ("highest", "lowest", "total"):
        if word == aggregate and reader.peek(2) == "among":
            reader.take()
            attribute = reader.take()
            reader.take()
            return NumberOf(read_noun(reader), aggregate, attribute)
    for attribute in (*ATTRIBUTES, *PLAYER_ATTRIBUTES):
        if reader.accept(f"{attribute} of"):
            ref = read_ref(reader)
            if ref is None:
                raise reader.error(f"'{attribute} of' needs a reference such as me or $name")
            return AttributeOf(attribute, ref)
    if word.startswith("$"):
        return Bound(reader.take())
    raise reader.error("an amount is expected")


def read_condition(reader: Reader) -> Condition:
    """Clauses joined by one kind of ``and`` or ``or``."""
    parts = [read_clause(reader)]
    joiner = ""
    while reader.peek() in ("and", "or"):
        word = reader.take()
        if joiner and word != joiner:
            raise reader.error("'and' and 'or' cannot be mixed in one condition")
        joiner = word
        parts.append(read_clause(reader))
    return Every(joiner, tuple(parts)) if joiner else parts[0]


def read_clause(reader: Reader) -> Condition:
    if reader.accept("not"):
        return Not(read_clause(reader))
    for word in FACTS_WITH_ARGUMENT:
        start = reader.at
        if reader.accept(word) and not reader.done and reader.peek() not in ("and", "or"):
            return Fact(word, reader.take())
        reader.at = start
    for word in FACTS:
        if reader.accept(word):
            return Fact(word)
    if reader.accept("there is") or reader.accept("there are"):
        return Compare(NumberOf(read_noun(reader)), ">=", Number(1))
    start = reader.at
    ref = read_ref(reader)
    if ref is not None and reader.accept("is"):
        negated = reader.accept("not")
        return Is(ref, read_predicate(reader), negated)
    reader.at = start
    left = read_amount(reader)
    operator = reader.take()
    if operator not in OPERATORS:
        raise reader.error(f"{operator!r} is no comparison")
    return Compare(left, operator, read_amount(reader))


def read_predicate(reader: Reader) -> Noun:
    """What something is: a noun phrase whose kind may be left out (``me is at a battlefield``)."""
    start = reader.at
    try:
        return read_noun(reader)
    except PhraseError:
        reader.at = start
    states: list[str] = []
    whose = ""
    while reader.peek().removeprefix("non-") in STATES or reader.peek() in WHOSE:
        if reader.peek() == "attached" and reader.peek(1) == "to":
            break
        word = reader.take()
        if word in WHOSE:
            whose = word
        else:
            states.append(word)
    place, comparisons, having, group = read_qualifiers(reader)
    if not (states or whose or place or comparisons or having):
        raise reader.error("a description is expected after 'is'")
    return Noun(
        ("object",), "a", None, False, whose, tuple(states), place, tuple(comparisons), tuple(having), tuple(group)
    )
