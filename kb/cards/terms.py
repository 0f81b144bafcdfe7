"""The words of the card language: what its noun phrases, amounts and conditions may consist of.

Data only. The rulebook's terms (edition 1.4): types 133, states 124.2, 423, 441, 740.2; places 107, 108, 198.
"""

from __future__ import annotations

from typing import Final

KINDS: Final = {
    "unit": "units",
    "gear": "gear",
    "equipment": "equipment",
    "rune": "runes",
    "legend": "legends",
    "battlefield": "battlefields",
    "permanent": "permanents",
    "spell": "spells",
    "ability": "abilities",
    "card": "cards",
    "champion": "champions",
    "location": "locations",
    "player": "players",
    "opponent": "opponents",
    "object": "objects",
    "token": "tokens",
}
"""Singular to plural of every kind of thing a noun phrase can name (``unit or gear`` joins two of them)."""

STATES: Final = frozenset(
    "attacking defending damaged stunned exhausted ready buffed equipped mighty empowered attached unattached "
    "facedown alone token uncontrolled occupied open controlled champion signature chosen hidden copied".split()
)
"""States and supertypes that may stand before a kind; each may be negated with ``non-``."""

WHOSE: Final = frozenset({"friendly", "enemy", "your", "their", "opposing", "its"})
"""Whose: ``friendly`` and ``enemy`` as in 740.1, ``your`` under your control (or owned, off the board)."""

ZONES: Final = frozenset({"trash", "hand", "deck", "banishment", "champion", "runedeck"})
"""Zones outside the board that a noun phrase can name (108)."""

ATTRIBUTES: Final = frozenset({"might", "energy", "power", "damage", "buffs", "level", "bonus"})
"""Numbers of an object that a comparison can use."""

OPERATORS: Final = frozenset({"<=", ">=", "<", ">", "=", "!="})

DOMAINS: Final = frozenset({"fury", "calm", "mind", "body", "chaos", "order"})
"""The six domains (134.2). ``C`` is a domain of the card itself, ``A`` any domain (135.2.e)."""

SELF_REFS: Final = frozenset({"me", "this", "that", "you", "they", "here", "attacker", "defender"})
"""References that need no name: the source, the event's object, players, the source's location."""
