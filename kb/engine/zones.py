"""Zones, places and privacy (105-109, 128, 197-200, 355.10.a.1)."""

from __future__ import annotations

from enum import Enum, StrEnum


class Zone(Enum):
    """Where a game object can be (107, 108)."""

    BASE = "base"
    BATTLEFIELD = "battlefield"
    FACEDOWN = "facedown"
    LEGEND = "legend"
    CHAIN = "chain"
    TRASH = "trash"
    CHAMPION = "champion"
    DECK = "deck"
    RUNE_DECK = "runedeck"
    BANISHMENT = "banishment"
    HAND = "hand"


BOARD = frozenset({Zone.BASE, Zone.BATTLEFIELD, Zone.FACEDOWN, Zone.LEGEND})
"""Zones of the board (107); moving between them keeps an object's identity (124)."""

PUBLIC = frozenset({Zone.BASE, Zone.BATTLEFIELD, Zone.FACEDOWN, Zone.LEGEND, Zone.TRASH, Zone.CHAMPION, Zone.CHAIN})
"""Zones whose objects can be targets (355.10.a.1); the Chain is public too (108.1.b)."""


class Privacy(StrEnum):
    """Who may look at a card's face (128.3-128.5)."""

    SECRET = "secret"
    PRIVATE = "private"
    PUBLIC = "public"


PRIVACY = {
    Zone.BASE: Privacy.PUBLIC,
    Zone.BATTLEFIELD: Privacy.PUBLIC,
    Zone.FACEDOWN: Privacy.PRIVATE,
    Zone.LEGEND: Privacy.PUBLIC,
    Zone.CHAIN: Privacy.PUBLIC,
    Zone.TRASH: Privacy.PUBLIC,
    Zone.CHAMPION: Privacy.PUBLIC,
    Zone.DECK: Privacy.SECRET,
    Zone.RUNE_DECK: Privacy.SECRET,
    Zone.BANISHMENT: Privacy.PUBLIC,
    Zone.HAND: Privacy.PRIVATE,
}
"""Privacy of the cards of each zone (107.1.d, 107.2.c, 107.3.f, 108.1.b, 108.2.d ... 108.7.c)."""
