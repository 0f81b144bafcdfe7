"""Cards back to data: what :mod:`kb.cards.loading` reads, made from a definition.

Loading the data again gives an equal definition. Phrases are written in their canonical words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, cast

from kb.cards.phrases import Number
from kb.cards.syntax import (
    ALWAYS,
    NONE,
    Ability,
    Activated,
    AdditionalCost,
    CardDefinition,
    Continuous,
    Cost,
    CostChange,
    Dependent,
    Effect,
    Event,
    Forbid,
    Instruction,
    KeywordUse,
    Mods,
    Permit,
    Replacement,
    Resources,
    Rule,
    Triggered,
)
from kb.cards.verbs import INSTRUCTIONS

Data = dict[str, Any]


def dump_card(definition: CardDefinition) -> Data:
    """A whole card, facts and text, as a scenario writes one out; YAML-ready."""
    facts = {
        "type": " ".join(definition.types),
        "supertype": " ".join(definition.supertypes),
        "energy": definition.energy,
        "power": definition.power,
        "might": definition.might,
        "might_bonus": definition.might_bonus,
        "domains": list(definition.domains),
        "tags": list(definition.tags),
    }
    kept = {k: v for k, v in facts.items() if v not in ("", 0, None, []) or (k.startswith("might") and v is not None)}
    return kept | dump_text(definition)


def dump_text(definition: CardDefinition) -> Data:
    """What a card does, as an entry of ``rules/cards/abilities/`` says it; YAML-ready."""
    below = some(keywords=keywords(definition.effect_keywords), abilities=abilities(definition.effect_abilities))
    said = some(
        keywords=keywords(definition.keywords),
        abilities=abilities(definition.abilities),
        effect=effect(definition.effect),
        effect_text=below,
        unsupported=definition.unsupported,
    )
    return said or {"blank": True}


def some(**values: Any) -> Data:
    """A mapping of the values that say something; a trailing underscore of a name is dropped."""
    return {
        k.rstrip("_"): v for k, v in values.items() if v is not None and v is not False and v not in ("", [], {}, 0)
    }


def plain(value: object) -> Any:
    """A phrase in its words; a plain number as a number."""
    return value.value if isinstance(value, Number) else str(value)


def optional(value: object | None) -> Any:
    """As :func:`plain`, but nothing stays nothing and zero is kept as text."""
    return None if value is None else "0" if value == NONE else plain(value)


def resources(value: Resources) -> Data:
    """Energy and Power."""
    found: Data = {}
    if value.energy != NONE:
        found["energy"] = plain(value.energy)
    if value.power:
        found["power"] = list(value.power)
    if value.any_power != NONE:
        found["any"] = plain(value.any_power)
    return found


def cost(value: Cost) -> Data:
    """A cost; parts with the same action stand in one list."""
    found = resources(value.resources)
    for part in value.parts:
        if part.action in found:
            before = found[part.action]
            found[part.action] = [*(before if isinstance(before, list) else [before]), plain(part.what)]
        else:
            found[part.action] = plain(part.what)
    return found


def keywords(values: Iterable[KeywordUse]) -> list[Any]:
    """Keywords with their values and costs."""
    return [keyword(v) for v in values]


def keyword(value: KeywordUse) -> Any:
    """``Tank``, ``Assault 2`` or ``{Equip: {power: [C]}}``."""
    if value.cost is not None:
        return {value.name: cost(value.cost)} | some(timing=value.timing, to=optional(value.to))
    if value.value is None:
        return value.name
    if isinstance(value.value, Number):
        return f"{value.name} {value.value}"
    return {value.name: str(value.value)}


def mods(value: Mods) -> Data:
    """What a continuous effect changes."""
    return some(
        might=optional(value.might),
        minimum=optional(value.minimum),
        maximum=optional(value.maximum),
        might_to=optional(value.might_to),
        base_might=optional(value.base_might),
        keywords=keywords(value.keywords),
        keywords_of=optional(value.keywords_of),
        ability_keywords=keywords(value.ability_keywords),
        lose=list(value.lose),
        abilities=abilities(value.abilities),
        exhaust_abilities_of=optional(value.exhaust_abilities_of),
        text_of=optional(value.text_of),
        untargetable_by=value.untargetable_by,
        types=list(value.types),
        tags=list(value.tags),
        domains=list(value.domains),
    )


def event(value: Event) -> Data:
    """An event pattern, its verb first."""
    return {value.verb: str(value.subject)} | some(
        by=optional(value.by),
        with_=optional(value.using),
        at=optional(value.at),
        to=optional(value.to),
        from_=optional(value.origin),
        nth=value.nth,
        alone=value.alone,
        first_each=value.first_each,
    )


def effect(values: Effect) -> list[Data]:
    """Instructions from top to bottom."""
    return [instruction(v) for v in values]


ARGUMENTS: dict[str, Callable[[Any], Any]] = {
    "amount": plain,
    "what": plain,
    "noun": plain,
    "player": plain,
    "place": plain,
    "condition": plain,
    "objects": lambda v: [plain(w) for w in v] if isinstance(v, tuple) else plain(v),
    "whats": lambda v: [plain(w) for w in v],
    "text": lambda v: v,
    "flag": lambda v: v,
    "duration": lambda v: v,
    "resources": resources,
    "cost": cost,
    "keywords": keywords,
    "mods": mods,
    "effect": effect,
    "modes": lambda v: [effect(m) for m in v],
    "ability": lambda v: ability(v),
}
"""How an argument of each type in :data:`kb.cards.verbs.INSTRUCTIONS` is written."""


def instruction(value: Instruction) -> Data:
    """One instruction, its verb first."""
    schema = INSTRUCTIONS[value.verb]
    ordered = [value.verb, *(k for k in schema if k != value.verb)]
    said = {k: ARGUMENTS[schema[k]](value.args[k]) for k in ordered if k in value.args}
    if value.verb == "when_true":
        said = {"if": said["when_true"]}
    return said | some(
        who=optional(value.who),
        if_=None if value.verb == "when_true" else optional(value.only_if),
        may=value.may,
        as_=value.bind,
        then=effect(value.then),
        else_=effect(value.otherwise),
    )


def dependent(value: Dependent) -> Data:
    """The conditions in front of an ability."""
    if value == ALWAYS:
        return {}
    return some(legion=value.legion, level=value.level, empowered=value.empowered, while_=optional(value.condition))


def abilities(values: Iterable[Ability]) -> list[Data]:
    """Abilities in their order."""
    return [ability(v) for v in values]


def ability(value: Ability) -> Data:
    """One ability; the key that tells its kind comes first."""
    writers: dict[type, Callable[[Any], Data]] = {
        Triggered: triggered,
        Activated: activated,
        Continuous: continuous,
        Forbid: forbid,
        Permit: permit,
        CostChange: cost_change,
        AdditionalCost: additional,
        Replacement: replacement,
        Rule: rule,
    }
    return writers[type(value)](value) | dependent(cast(Any, value).dependent)


def zone(word: str) -> str:
    return "" if word == "board" else word


def paying(value: Cost | None) -> Data | None:
    return None if value is None else cost(value)


def triggered(value: Triggered) -> Data:
    if value.keyword == "Deathknell":
        return {"deathknell": effect(value.effect)} | some(may=value.may, cost=paying(value.cost))
    events = [event(e) for e in value.events]
    return (
        {"when": events[0] if len(events) == 1 else events}
        | some(
            if_=optional(value.only_if),
            who=optional(value.who),
            may=value.may,
            cost=paying(value.cost),
            limit=value.limit,
            zone=zone(value.zone),
        )
        | {"do": effect(value.effect)}
    )


def activated(value: Activated) -> Data:
    return (
        {"cost": cost(value.cost)}
        | some(timing=value.timing, if_=optional(value.only_if), repeat=paying(value.repeat))
        | {"do": effect(value.effect)}
    )


def continuous(value: Continuous) -> Data:
    return {"give": mods(value.mods), "to": str(value.to)} | some(zone=zone(value.zone))


def forbid(value: Forbid) -> Data:
    return {"cant": value.action} | some(
        what=optional(value.what),
        who=value.who,
        from_=optional(value.origin),
        to=optional(value.to),
        with_=optional(value.using),
        except_=value.unless,
    )


def permit(value: Permit) -> Data:
    return {"can": value.action} | some(
        what=optional(value.what),
        from_=optional(value.origin),
        to=optional(value.to),
        for_=paying(value.cost),
        timing=value.timing,
        zone=zone(value.zone),
    )


def cost_change(value: CostChange) -> Data:
    said = {value.change: value.ignore if value.change == "ignore_cost" else resources(value.resources)}
    component = "" if value.component == "total" else value.component
    return (
        said
        | {"of": str(value.of)}
        | some(
            times=optional(value.times),
            min=value.minimum,
            component=component,
            either=value.either,
            zone=zone(value.zone),
        )
    )


def additional(value: AdditionalCost) -> Data:
    return {"additional": cost(value.cost), "of": str(value.of)} | some(
        optional=value.optional,
        name="" if value.name == "paid" else value.name,
        as_=value.bind,
        each_beyond=value.each_beyond,
        to=optional(value.to),
        action="" if value.action == "play" else value.action,
    )


def replacement(value: Replacement) -> Data:
    said: Data = {"enters": value.enters} if value.enters else {}
    if value.event != Event("enters", value.event.subject) or str(value.event.subject) != "me" or not said:
        said = {"would": event(value.event)} | said
    return said | some(
        to=optional(value.enters_at),
        if_=optional(value.only_if),
        may=value.may,
        cost=paying(value.cost),
        limit=value.limit,
        amount=value.amount,
        value=optional(value.value),
        zone=zone(value.zone),
        instead=effect(value.instead),
        also=effect(value.also),
    )


def rule(value: Rule) -> Data:
    return {"rule": value.name} | some(
        by=optional(value.by),
        what=optional(value.what),
        value=optional(value.value),
        keyword=value.keyword,
        limit=value.limit,
    )
