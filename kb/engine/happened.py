"""Which parts of which cards' texts have happened in games: their abilities, keywords and effects.

A game collects keys in ``Game.happened`` where an ability is resolved, applied, paid or forbids something; here stands
which parts a card has, by the same keys. An ability's key is its identity, that of a keyword or of a spell's effect the
card's name with a word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass

from kb.cards.syntax import (
    Activated,
    AdditionalCost,
    CardDefinition,
    Continuous,
    CostChange,
    Forbid,
    Permit,
    Replacement,
    Rule,
    Triggered,
)

ABILITIES = (Triggered, Activated, Continuous, Forbid, Permit, CostChange, AdditionalCost, Replacement, Rule)
EFFECT = "effect"
SILENT = frozenset(("Unique",))
"""Keywords that do nothing in a game (825.4)."""


@dataclass(frozen=True)
class Part:
    """A part of a card's text: the card, what it is called, and the key under which a game notes it."""

    card: str
    label: str
    key: object

    def __str__(self) -> str:
        return f"{self.card}: {self.label}"


def parts_of(card: CardDefinition) -> list[Part]:
    """Keywords, the effect of a spell, and abilities, those inside other abilities and effects included."""
    uses = (*card.keywords, *card.effect_keywords)
    names = dict.fromkeys(use.name for use in uses if use.name not in SILENT)
    found = [Part(card.name, f"keyword {name}", (card.name, name)) for name in names]
    if card.effect:
        found.append(Part(card.name, EFFECT, (card.name, EFFECT)))
        found += nested(card, card.effect, EFFECT)
    for words, abilities in (("ability", card.abilities), ("effect text ability", card.effect_abilities)):
        for number, ability in enumerate(abilities, 1):
            found.append(Part(card.name, f"{words} {number}", key_of(ability)))
            found += nested(card, ability, f"{words} {number}")
    return found


def nested(card: CardDefinition, value: object, label: str) -> list[Part]:
    """Abilities that an ability or effect gives or generates."""
    inner = [a for a in within(value) if a is not value]
    return [
        Part(card.name, f"{label}, {type(a).__name__.lower()} {number} inside", key_of(a))
        for number, a in enumerate(inner, 1)
    ]


def key_of(ability: object) -> int:
    """The key of an ability; an additional cost is known by what is paid."""
    return id(ability.cost) if isinstance(ability, AdditionalCost) else id(ability)


def within(value: object) -> Iterator[object]:
    """Every ability in a value of the card language, the value itself included."""
    if isinstance(value, ABILITIES):
        yield value
    if isinstance(value, tuple):
        for one in value:
            yield from within(one)
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from within(one)
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from within(getattr(value, field.name))


def all_parts(cards: Iterable[CardDefinition]) -> list[Part]:
    """Parts of several cards in their order."""
    return [part for card in cards for part in parts_of(card)]
