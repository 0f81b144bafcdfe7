"""Naming (759-763): which card words identify, by exact name or by traits that only one card has; what can be named."""

from __future__ import annotations

import re

from kb.cards.syntax import CardDefinition
from kb.engine.asking import Refusal
from kb.engine.library import Library

COLOURS = {"red": "fury", "green": "calm", "blue": "mind", "orange": "body", "purple": "chaos", "yellow": "order"}
"""Domains by colour (134.2)."""

MIGHT = re.compile(r"(\d+)\s*\[M\]|(\d+)[- ]might", re.I)
ENERGY = re.compile(r"\[(\d+)\](?:\s*energy)?|(\d+)[- ](?:energy|cost)", re.I)


def identify(library: Library, words: str, among: list[str] | None = None) -> str | None:
    """The one card that words identify (761.1 exact name, 761.2 a unique combination of traits), else None.

    Tokens can't be named (762.2). ``among`` narrows the cards that are legal in the format (762). A colour means the
    cards of that colour alone where there are any ("the blue one" is not the legend that is red and blue).
    """
    names = among or list(library.cards)
    cards = [c for n in names if (c := library.get(n)) is not None and not c.token]
    text = words.strip()
    exact = [c for c in cards if c.name.lower() == text.lower()]
    if exact:
        return exact[0].name
    found = [c for c in cards if fits(c, text)]
    colours = {COLOURS[w] for w in re.findall(r"\w+", text.lower()) if w in COLOURS}
    plain = [c for c in found if set(c.domains) == colours]
    if colours and plain:
        found = plain
    return found[0].name if len(found) == 1 else None


def fits(card: CardDefinition, words: str) -> bool:
    """Whether a card has every trait that the words give."""
    left = words
    might = MIGHT.search(left)
    if might:
        if card.might != int(next(g for g in might.groups() if g)):
            return False
        left = left.replace(might.group(0), " ")
    energy = ENERGY.search(left)
    if energy:
        if card.energy != int(next(g for g in energy.groups() if g)):
            return False
        left = left.replace(energy.group(0), " ")
    rest = [
        w for w in re.findall(r"[\w'’]+", left.lower()) if w not in ("the", "a", "an", "card", "one", "with", "energy")
    ]
    name = re.findall(r"[\w'’]+", card.name.lower())
    for word in rest:
        if word in COLOURS:
            if COLOURS[word] not in card.domains:
                return False
        elif word in ("unit", "gear", "spell", "battlefield", "legend"):
            if word not in card.types:
                return False
        elif word not in name and word not in [t.lower() for t in card.tags]:
            return False
    return bool(rest)


def nameable(library: Library, kinds: tuple[str, ...] = ("card",)) -> list[str]:
    """Names that a player told to name a card may name: of cards that exist (762.1) and are no tokens (762.2).

    ``kinds`` narrows them to types, such as spells.
    """
    cards = {**library.cards, **library.extra}.values()
    return sorted(c.name for c in cards if not c.token and ("card" in kinds or set(kinds) & set(c.types)))


def existing_tags(library: Library) -> list[str]:
    """Tags of cards and tokens (763)."""
    return sorted({tag for card in library.cards.values() for tag in card.tags})


def why_not_name(library: Library, words: str) -> Refusal:
    """Why what is not among the cards that can be named can't be (762.1, 762.2)."""
    card = library.get(words)
    if card is None:
        return Refusal("762.1", f"there is no card named {words}")
    if card.token:
        return Refusal("762.2", f"{words} is a token")
    return Refusal("762", f"{words} is not what is to be named")
