"""Keywords that are short for abilities, written out in the card language (805-829).

Keywords that change a rule instead (Action, Reaction, Assault, Deflect, Ganking, Hidden, Shield, Tank, Backline,
Ambush, Unique) are read where that rule is executed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

from kb.cards.loading import Reader
from kb.cards.syntax import Ability, Activated, AdditionalCost, Cost, KeywordUse, Permit, Triggered

EXPANSIONS: dict[str, list[dict[str, Any]]] = {
    "Vision": [{"when": {"played": "me"}, "do": [{"predict": 1}]}],
    "Temporary": [
        {"when": {"phase_begins": "beginning", "by": "controller of me"}, "do": [{"kill": "me"}]},
    ],
    "Quick-Draw": [
        {"when": {"played": "this"}, "do": [{"attach": "this", "to": "a your unit"}]},
    ],
    "Weaponmaster": [
        {
            "when": {"played": "me"},
            "may": True,
            "do": [
                {"choose": "a your equipment", "as": "$weapon"},
                {"pay_equip": "$weapon", "to": "me"},
            ],
        },
    ],
}
RULES = {
    "Vision": "817.1.b",
    "Temporary": "816.1.b",
    "Quick-Draw": "819.1.d",
    "Weaponmaster": "821.1.c",
    "Hunt": "823.1.c.1",
    "Equip": "818.1.c.2",
    "Empower": "827.1.c.1",
    "Accelerate": "805.1.a",
    "Deathknell": "808.1.c",
}
"""The rule that says what a keyword is short for."""


def hunt(reader: Reader, use: KeywordUse) -> tuple[Ability, ...]:
    """823: XP, one where no number is written."""
    gained = "1" if use.value is None else str(use.value)
    data = {"when": [{"conquers": "me"}, {"holds": "me"}], "do": [{"gain_xp": gained}]}
    return (reader.ability(data, use.name),)


def equip(reader: Reader, use: KeywordUse, cost: Cost) -> tuple[Ability, ...]:
    """818: attach this to a unit of its controller, or to what the text beside the keyword says."""
    whom = "a your unit" if use.to is None else str(use.to)
    effect = reader.effect([{"attach": "this", "to": whom}], use.name)
    return (Activated(cost, effect, use.timing, keyword=use.name),)


def empower(reader: Reader, use: KeywordUse, cost: Cost) -> tuple[Ability, ...]:
    """827: empower me, if I am not."""
    effect = reader.effect([{"empower": "me"}], use.name)
    condition = reader.condition("me is not empowered", use.name)
    return (Activated(cost, effect, use.timing, only_if=condition, keyword=use.name),)


def accelerate(reader: Reader, use: KeywordUse) -> tuple[Ability, ...]:
    """805: an optional additional cost, and entering ready where it was paid."""
    cost = reader.cost({"energy": 1, "power": ["C"]}, use.name)
    enters = reader.ability({"enters": "ready", "if": "paid Accelerate"}, use.name)
    return (AdditionalCost(cost, reader.what("me", use.name), optional=True, name=use.name), enters)


def flow(reader: Reader, use: KeywordUse, cost: Cost) -> tuple[Ability, ...]:
    """829: it can be played from its owner's trash for another cost."""
    this, trash = reader.what("this", use.name), reader.place("your trash", use.name)
    return (Permit("play", this, origin=trash, cost=cost, timing="flow", zone="trash"),)


MADE: dict[str, Callable[[Reader, KeywordUse], tuple[Ability, ...]]] = {"Hunt": hunt, "Accelerate": accelerate}
"""Keywords whose abilities are no triggered ability that is always the same."""

PRICED: dict[str, Callable[[Reader, KeywordUse, Cost], tuple[Ability, ...]]] = {
    "Equip": equip,
    "Empower": empower,
    "Flow": flow,
}
"""Keywords that do something for the cost that is written beside them, and nothing without one."""


@cache
def keyword_abilities(use: KeywordUse) -> tuple[Ability, ...]:
    """The abilities that a keyword is short for; empty where it only changes a rule."""
    reader = Reader(f"keyword {use.name}")
    found = tuple(reader.ability(a, use.name) for a in EXPANSIONS.get(use.name, ()))
    if use.name in MADE:
        found = MADE[use.name](reader, use)
    if use.name in PRICED and use.cost is not None:
        found = PRICED[use.name](reader, use, use.cost)
    return tuple(replace(a, keyword=use.name) if isinstance(a, Triggered) else a for a in found)
