"""Keywords that are short for abilities, written out in the card language (805-829).

Keywords that change a rule instead (Action, Reaction, Assault, Deflect, Ganking, Hidden, Shield, Tank, Backline,
Ambush, Unique) are read where that rule is executed.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from kb.cards.loading import Reader
from kb.cards.syntax import Ability, Activated, AdditionalCost, KeywordUse, Permit, Replacement, Triggered

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


@cache
def keyword_abilities(use: KeywordUse) -> tuple[Ability, ...]:
    """The abilities that a keyword is short for; empty where it only changes a rule."""
    reader = Reader(f"keyword {use.name}")
    name = use.name
    if name == "Hunt":
        value = str(use.value) if use.value is not None else "1"
        hunt = {"when": [{"conquers": "me"}, {"holds": "me"}], "do": [{"gain_xp": value}]}
        return (named(reader.ability(hunt, "Hunt"), name),)
    if name == "Equip" and use.cost is not None:
        whom = "a your unit" if use.to is None else str(use.to)
        effect = reader.effect([{"attach": "this", "to": whom}], "Equip")
        return (Activated(use.cost, effect, use.timing, keyword="Equip"),)
    if name == "Empower" and use.cost is not None:
        effect = reader.effect([{"empower": "me"}], "Empower")
        condition = reader.condition("me is not empowered", "Empower")
        return (Activated(use.cost, effect, use.timing, only_if=condition, keyword="Empower"),)
    if name == "Accelerate":
        cost = reader.cost({"energy": 1, "power": ["C"]}, "Accelerate")
        enters = reader.ability({"enters": "ready", "if": "paid Accelerate"}, "Accelerate")
        assert isinstance(enters, Replacement)
        return (AdditionalCost(cost, reader.what("me", "Accelerate"), optional=True, name="Accelerate"), enters)
    if name == "Flow" and use.cost is not None:
        return (
            Permit(
                "play",
                reader.what("this", "Flow"),
                origin=reader.place("your trash", "Flow"),
                cost=use.cost,
                timing="flow",
                zone="trash",
            ),
        )
    return tuple(named(reader.ability(a, name), name) for a in EXPANSIONS.get(name, ()))


def named(ability: Ability, keyword: str) -> Ability:
    """The same triggered ability, marked with the keyword it comes from."""
    if isinstance(ability, Triggered):
        return Triggered(
            ability.events,
            ability.effect,
            ability.only_if,
            ability.may,
            ability.cost,
            ability.limit,
            ability.zone,
            keyword,
            ability.dependent,
            ability.who,
        )
    return ability
