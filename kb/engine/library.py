"""Card definitions by name: the project's own, and those a scenario writes out."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from kb.cards.loading import define, inline, read_yaml
from kb.cards.syntax import CardDefinition
from kb.data import data_root
from kb.errors import DataError

BASIC_RUNE = {
    "abilities": [
        {"cost": {"exhaust": "this"}, "timing": "reaction", "do": [{"add": {"energy": 1}}]},
        {"cost": {"recycle": "this"}, "timing": "reaction", "do": [{"add": {"power": ["C"]}}]},
    ]
}
"""The two abilities that every basic rune has (164.2)."""


class Library:
    """Looks card definitions up by exact name; ``extra`` are cards written out in a scenario."""

    def __init__(self, cards: Mapping[str, CardDefinition], extra: Mapping[str, CardDefinition] | None = None) -> None:
        self.cards = cards
        self.extra = dict(extra or {})

    def get(self, name: str) -> CardDefinition | None:
        """The definition, or None."""
        return self.extra.get(name) or self.cards.get(name)

    def need(self, name: str, where: str = "cards") -> CardDefinition:
        """The definition.

        Raises: DataError where no card has that name.
        """
        card = self.get(name)
        if card is None:
            raise DataError(where, f"there is no card named {name!r} in the card data", "Check the spelling")
        return card

    def with_inline(self, cards: Mapping[str, Any], where: str) -> Library:
        """The library plus cards that a scenario writes out."""
        return Library(self.cards, {**self.extra, **{n: written_out(n, d, where) for n, d in cards.items()}})

    @property
    def modelled(self) -> list[CardDefinition]:
        """Every card whose text is modelled whole, by name."""
        return [c for _, c in sorted(self.cards.items()) if c.modelled]


WRITTEN_OUT: dict[tuple[str, str], CardDefinition] = {}
MOST = 5000


def written_out(name: str, data: Any, where: str) -> CardDefinition:
    """A card that a scenario writes out; the same words give the same definition, as contrasts repeat them."""
    key = (name, repr(data))
    found = WRITTEN_OUT.get(key)
    if found is None:
        found = inline(name, data, where)
        if len(WRITTEN_OUT) >= MOST:
            WRITTEN_OUT.clear()
        WRITTEN_OUT[key] = found
    return found


@lru_cache(maxsize=1)
def library() -> Library:
    """The project's cards: facts of all, abilities where modelled."""
    return load(data_root() / "rules" / "cards")


def load(folder: Path) -> Library:
    """Read facts (``*.yaml``) and abilities (``abilities/*.yaml``) from a folder.

    Raises: DataError for abilities of a card without facts, or a card twice.
    """
    facts: dict[str, Any] = {}
    for path in sorted(folder.glob("*.yaml")):
        for name, data in read_yaml(path):
            facts[name] = data
    texts: dict[str, tuple[str, Any]] = {}
    for path in sorted((folder / "abilities").glob("*.yaml")):
        for name, data in read_yaml(path):
            where = f"rules/cards/abilities/{path.name}"
            if name not in facts:
                raise DataError(where, f"abilities of {name!r}, which has no facts", "Check the name")
            if name in texts:
                raise DataError(where, f"{name!r} has abilities twice (also {texts[name][0]})", "Remove one")
            texts[name] = (where, data)
    cards = {}
    for name, data in facts.items():
        where, text = texts.get(name, ("rules/cards", None))
        if data.get("type") == "Rune" and data.get("supertype") == "Basic":
            text = BASIC_RUNE
        cards[name] = define(name, data, text, where)
    return Library(cards)
