"""Assertions that are not about a position: a deck's legality, what a name identifies, how a card's text reads."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from kb.cards.syntax import (
    Activated,
    Continuous,
    Effect,
    Forbid,
    Permit,
    Replacement,
    Rule,
    Triggered,
)
from kb.engine.choices import slots
from kb.engine.decklists import DeckList, check_team
from kb.engine.game import Game
from kb.engine.naming import identify
from kb.engine.state import ChainItem
from kb.errors import DataError
from kb.scenarios.model import check_keys


def deck_is_legal(game: Game, value: dict[str, Any], where: str) -> bool:
    """``{deck: {...}, legal: false, rule: 103.2.b}``: what the check of deck construction says (101-103, 489.8.h-i)."""
    check_keys(value, ("deck", "teammate", "legal", "rule"), where, "deck_legal")
    listed = [deck_list(value[key], where) for key in ("deck", "teammate") if key in value]
    found = check_team(game.library, listed, game.hooks)
    if bool(value.get("legal", True)) != (not found):
        return False
    rule = str(value.get("rule", "")).removeprefix("core-1.4:")
    return not rule or any(number.startswith(rule) for f in found for number in f.rule.split())


def deck_list(data: dict[str, Any], where: str) -> DeckList:
    """A deck as a scenario lists it; without ``main`` it lists only what the question is about."""
    check_keys(data, ("legend", "champion", "main", "runes", "battlefields", "mode"), where, "deck")
    return DeckList(
        str(data.get("legend", "")),
        str(data.get("champion", "")),
        {str(k): int(v) for k, v in (data.get("main") or {}).items()},
        {str(k): int(v) for k, v in (data.get("runes") or {}).items()},
        [str(b) for b in data.get("battlefields") or []],
        partial="main" not in data,
    )


def identifies(game: Game, value: dict[str, Any], where: str) -> bool:
    """``{words: the 6 [M] Kai'Sa, card: Kai'Sa, Evolutionary}``: whether words identify exactly that card (761)."""
    check_keys(value, ("words", "card", "among"), where, "identifies")
    found = identify(game.library, str(value["words"]), [str(n) for n in value.get("among") or []])
    return (found or "none") == str(value["card"])


def reads_as(game: Game, value: dict[str, Any], where: str) -> bool:
    """How a card's text is read: its targets (355.10), the kind of an ability, its instructions (135.2.b)."""
    check_keys(
        value,
        (
            "card",
            "ability",
            "kind",
            "targets",
            "cost",
            "keywords",
            "instructions",
            "may",
            "reflexive",
            "delayed",
            "effect_text",
        ),
        where,
        "reads_as",
    )
    card = game.library.need(str(value["card"]), where)
    game.supported(card)
    pool = card.effect_abilities if value.get("effect_text") else card.abilities
    number = value.get("ability")
    if number is not None and not 1 <= int(number) <= len(pool):
        raise DataError(where, f"{card.name!r} has no ability {number}", "Count its abilities in the card data")
    ability = pool[int(number) - 1] if number is not None else None
    effect: Effect = card.effect if ability is None else read_effect(ability)
    checks: dict[str, Callable[[Any], bool]] = {
        "kind": lambda v: kind_of(ability) == v,
        "targets": lambda v: targets_of(effect) == [plain(x) for x in (v or [])],
        "cost": lambda v: (getattr(ability, "cost", None) is not None) == v,
        "keywords": lambda v: {k.name for k in card.keywords} >= set(v),
        "instructions": lambda v: count(effect) == v,
        "may": lambda v: bool(getattr(ability, "may", False)) == v,
        "reflexive": lambda v: any(i.verb == "do_this" for i in flat(effect)) == v,
        "delayed": lambda v: any(i.verb == "later" for i in flat(effect)) == v,
    }
    return all(checks[key](wanted) for key, wanted in value.items() if key in checks)


def read_effect(ability: object) -> Effect:
    """The instructions of an ability: its effect, or what a replacement does instead or as well."""
    for name in ("effect", "instead", "also"):
        found: Effect = getattr(ability, name, ())
        if found:
            return found
    return ()


def plain(text: Any) -> str:
    """A noun phrase without article, so that ``a unit`` and ``unit`` are the same."""
    return re.sub(r"^(?:an?|the) ", "", str(text).strip())


def targets_of(effect: Effect) -> list[str]:
    """The phrases of an effect that are targets, in order (355.10)."""
    item = ChainItem(0, "A", "spell", effect=effect)
    found = []
    for slot in slots(effect, item, 0):
        if slot.role in ("target", "place") and slot.noun is not None:
            found.append(plain(slot.noun))
        if slot.role == "mode":
            for mode in slot.modes:
                found += targets_of(mode)
    return found


def flat(effect: Effect) -> Effect:
    """All instructions, those inside others too."""
    out: list[Any] = []
    for instruction in effect:
        out.append(instruction)
        out += flat(instruction.then) + flat(instruction.otherwise)
    return tuple(out)


def count(effect: Effect) -> int:
    return len(flat(effect))


KINDS = {
    Triggered: "triggered",
    Activated: "activated",
    Continuous: "passive",
    Forbid: "passive",
    Permit: "passive",
    Rule: "passive",
    Replacement: "replacement",
}


def kind_of(ability: object) -> str:
    """361.1: the structure of an ability."""
    return KINDS.get(type(ability), "passive") if ability is not None else "instructions"
