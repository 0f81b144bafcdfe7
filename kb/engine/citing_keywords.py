"""Which rules of the keyword glossary (800-829) apply to a step of the trace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kb.engine.keywords import keyword_abilities
from kb.engine.state import ChainItem, Thing

if TYPE_CHECKING:
    from kb.cards.syntax import Dependent, Triggered
    from kb.engine.costs import Extra
    from kb.engine.game import Game
    from kb.engine.layers import Traits

CHARACTERISTIC = {
    "Action": "806.5.a",
    "Reaction": "813.5.a",
    "Accelerate": "805.5",
    "Assault": "807.3",
    "Deathknell": "808.3",
    "Deflect": "809.3",
    "Ganking": "810.3",
    "Hidden": "811.5.a",
    "Legion": "812.3",
    "Shield": "814.3",
    "Tank": "815.3",
    "Temporary": "816.3",
    "Vision": "817.3",
    "Equip": "818.5.a 722.1",
    "Quick-Draw": "819.3",
    "Repeat": "820.4",
    "Weaponmaster": "821.3",
    "Ambush": "822.4",
    "Hunt": "823.3",
    "Level": "824.2",
    "Unique": "825.5",
    "Backline": "826.6",
    "Empower": "827.4",
    "Empowered": "828.2",
    "Flow": "829.2",
}
"""The rule by which other effects may ask whether an object has the keyword."""

CHARACTERISTIC_OF_SPELLS = {"Action": "806.5.b", "Reaction": "813.5.b"}
"""The same of spells, where the rules speak of them apart."""

TRIGGERED = {
    "Vision": ("817.1.b 817.1.c", "817.2.a 817.2.b"),
    "Temporary": ("816.1.b 816.1.c", "816.2.a"),
    "Quick-Draw": ("819.1.c 819.1.d", "819.2"),
    "Weaponmaster": ("821.1.b", "821.1.c.7"),
    "Hunt": ("823.1.b 823.1.c.1", "823.2"),
    "Deathknell": ("808.1.d.3", "808.2.a"),
}
"""What a triggered ability keyword is short for, and the rule on several instances."""

MEANING = {
    "Vision": "817.1.b 817.1.c",
    "Temporary": "816.1.b 816.1.c",
    "Quick-Draw": "819.1.c 819.1.d",
    "Weaponmaster": "821.1.b",
    "Hunt": "823.1.b 823.1.c.1",
}
"""What a keyword that is a triggered ability is short for."""

SEPARATE = {"Vision": "817.2.a 817.2.b", "Weaponmaster": "821.1.c.7 821.1.d"}
"""Keywords of which every instance triggers for itself."""

ONCE = {"Temporary": "816.2.a", "Quick-Draw": "819.2"}
"""Keywords of which further instances trigger nothing more."""

VALUES = {
    "Assault": ("807.1.c 807.1.d.1", "807.1.b.3", "807.2"),
    "Shield": ("814.1.c 814.1.d.1", "814.1.b.3", "814.2"),
    "Deflect": ("809.1.d", "809.1.b.3", "809.2"),
    "Hunt": ("823.1.c.1", "823.1.c.2", "823.2"),
}
"""A keyword with a value: what it does, a value left out, values of several sources."""


def asked_for(names: Sequence[str], types: frozenset[str]) -> str:
    """The rules by which an effect may ask for these keywords; Action and Reaction by the type of the object."""
    found = []
    for name in names:
        table = CHARACTERISTIC_OF_SPELLS if "spell" in types and name in CHARACTERISTIC_OF_SPELLS else CHARACTERISTIC
        found.append(table.get(name, ""))
    if set(names) & {"Legion", "Level", "Empowered"}:
        found.append("727.1.b.1")
    return " ".join(found)


def value_rules(traits: Traits, name: str) -> str:
    """Rules on the value of a keyword as it counts on an object."""
    uses = [k for k in traits.active_keywords() if k.name == name]
    does, omitted, several = VALUES[name]
    found = [does] if uses else []
    found += [omitted] if any(k.value is None for k in uses) else []
    found += [several] if len(uses) > 1 else []
    return " ".join(found)


def keyword_trigger(game: Game, source: Thing | None, ability: Triggered) -> str:
    """Rules about a trigger that a keyword is short for."""
    one, several = TRIGGERED.get(ability.keyword, ("", ""))
    if not one or source is None:
        return ""
    if ability.keyword == "Hunt":
        return f"823.1.b {value_rules(game.traits(source), 'Hunt')}"
    if ability.keyword == "Deathknell":
        kept = [a for a, _ in game.traits(source).abilities if getattr(a, "keyword", "") == "Deathknell"]
        return f"{one} {several}" if len(kept) > 1 else one
    uses = [k for k in game.traits(source).active_keywords() if k.name == ability.keyword]
    return f"{one} {several}" if len(uses) > 1 else one


def dependent_rules(dependent: Dependent, met: bool, legions: int = 1) -> str:
    """Rules about an ability behind Legion, Level or Empowered; ``legions`` counts its object's Legion abilities."""
    found = ["727.1.b.2" if met else "721.1"]
    if dependent.legion:
        found += ["727.1.a.1", "812.1.b.1", "812.1.c"]
        found += ["812.2"] if legions > 1 else []
    if dependent.level:
        found += ["824.1.b.1", "824.1.c.1"] if met else ["824.1.b.1", "824.1.c.1", "824.1.d"]
    if dependent.empowered:
        found += ["828.1.b.1", "828.1.c"]
    if sum(bool(x) for x in (dependent.legion, dependent.level, dependent.empowered)) > 1:
        found += ["727.1.b.3"]
    return " ".join(found)


def keyword_costs(game: Game, item: ChainItem, extras: Sequence[Extra], deflect: int) -> str:
    """Rules about what Accelerate, Repeat, Deflect, Equip, Empower and Flow add to or make of a cost."""
    found = []
    card = item.thing if not item.is_ability else item.source
    domains = card.definition.domains if card is not None else ()
    if "Accelerate" in item.paid:
        found += ["805.1.a.1" if domains else "805.1.a.2", "805.2.a"]
    repeats = [e for e in extras if e.name.startswith("Repeat")]
    if any(e.name in item.paid for e in repeats):
        found += ["820.1.b", "820.1.c.1"]
    if len(repeats) > 1:
        found += ["820.1.c.2"]
    if deflect:
        found += ["809.1.c.1", "809.1.d"]
        for target in game.targets_of(item):
            if isinstance(target, Thing) and game.enemies(target.controller or "", item.controller):
                found += value_rules(game.traits(target), "Deflect").split()
    keyword = getattr(item.ability, "keyword", "")
    cost = getattr(item.ability, "cost", None)
    uses = [k for k in game.all_keywords(item.source) if k.name == keyword] if item.source is not None else []
    mine = [k for k in uses if item.ability in keyword_abilities(k)]
    if keyword == "Equip":
        found += ["818.1.c.2"]
        several = item.source is not None and sum(k.name == "Equip" for k in game.all_keywords(item.source)) > 1
        found += ["818.4"] if several else []
        found += ["818.1.c.5"] if any(k.timing or k.to is not None for k in mine) else []
        found += ["818.1.c.3"] if cost is not None and cost.parts else []
    if keyword == "Empower":
        found += ["827.1.c.1"]
        source = item.source
        several = source is not None and sum(k.name == "Empower" for k in game.all_keywords(source)) > 1
        found += ["827.3"] if several else []
        found += ["827.1.c.4"] if any(k.timing for k in mine) else []
        found += ["827.1.c.2"] if cost is not None and cost.parts else []
    terms = item.terms
    if terms is not None and terms.instead is not None and terms.leaving == "banish":
        found += ["829.1.c.1"]
        flows = [k for k in card.definition.keywords if k.name == "Flow"] if card is not None else []
        found += ["829.1.c.3"] if len(flows) > 1 else []
        found += ["829.1.c.2"] if getattr(terms.instead, "parts", ()) else []
    return " ".join(dict.fromkeys(found))


def entry_keywords(item: ChainItem) -> str:
    """Rules about where a unit with Reaction or Ambush may enter, and about keywords of a card."""
    uses = [k.name for k in item.thing.definition.keywords] if item.thing is not None else []
    found = ["813.3.a"] if "Reaction" in uses else []
    found += ["822.1.c", "813.4.a"] if "Ambush" in uses else []
    found += ["822.2"] if uses.count("Ambush") > 1 else []
    found += ["802"] if len(uses) > 1 else []
    return " ".join(found)
