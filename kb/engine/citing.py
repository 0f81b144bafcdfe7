"""Which rules a line of the trace cites because of what it is about: the kind of object, of cost, of place.

The steps themselves cite the rules that require them; these functions add what only the case at hand requires.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kb.cards.syntax import Continuous, CostChange, Triggered
from kb.engine.layers import printed
from kb.engine.state import ChainItem, Happening, PlayTerms, Thing
from kb.engine.zones import Zone

if TYPE_CHECKING:
    from kb.cards.phrases import Noun
    from kb.engine.choices import Slot
    from kb.engine.costs import Extra, Total
    from kb.engine.game import Game

STATUS = frozenset("exhausts readies stuns buffs empowers takes_damage heals attaches detaches".split())
STATUSES = frozenset("exhausted ready stunned buffed empowered damaged attached equipped".split())
BOARD_CHANGES = frozenset("enters dies banishes returns channels".split())


def outstanding(happening: Happening) -> str:
    """By 319, the reason for which an event makes a cleanup outstanding."""
    if happening.verb in STATUS:
        return "319.7"
    if happening.verb in BOARD_CHANGES:
        return "319.6"
    return "319.8" if happening.verb == "moves" else ""


def event_rules(happening: Happening) -> str:
    """Rules about an event that hang on its object and places."""
    thing, found = happening.thing, []
    types: Sequence[str] = thing.card.types if thing is not None else ()
    match happening.verb:
        case "dies":
            found += ["108.2.b"]
            found += ["141.1.a.4"] if "unit" in types else []
            found += ["148.1.a.4"] if "gear" in types else []
            if thing is not None and thing.last is not None and happening.player != thing.owner:
                found += ["127.1", "108.2.a"]
        case "becomes_mighty":
            found += ["708", "709"]
        case "discards":
            found += ["108.2.b"]
        case "banishes":
            found += ["108.6.b"]
            if thing is not None and happening.player != thing.owner:
                found += ["108.6.a"]
        case "draws":
            found += ["108.7.b"]
        case "returns":
            found += ["124.1"]
            if thing is not None and happening.player != thing.owner:
                found += ["127.1", "108.7.a"]
        case "recycles" if "rune" in types:
            found += ["161.2.b"]
            found += ["178.1.a.2"] if len(types) > 1 else []
        case "attacks":
            found += ["383.4.e"]
        case "defends":
            found += ["383.4.f"]
        case "moves" if thing is not None:
            found += ["200", "178.2.a.1"] if "gear" in types and "unit" in types else ["200"]
            found += ["170.5.a"] if isinstance(happening.origin, int) else []
            found += ["170.5.b"] if isinstance(happening.place, int) else []
        case "recycles" if thing is not None and thing.token:
            found += ["185.2.e"]
        case "attaches" | "detaches" if thing is not None:
            found += ["107.1.c.1"] if isinstance(happening.place, str) and happening.place != thing.controller else []
            found += ["137.3.a"] if thing.card.might_bonus is not None else []
            found += ["136.2.b"] if thing.card.effect_keywords or thing.card.effect_abilities else []
            found += ["135.4.a"] if thing.card.keywords or thing.card.abilities else []
        case "takes_damage":
            found += ["142.2", "142.3.a", "143.3.a"]
        case "enters" if thing is not None and thing.token:
            found += ["182", "183", "185.2.d"]
        case _:
            pass
    return " ".join(found)


def trigger_rules(source: Thing | None, ability: Triggered, appended: bool, resolving: bool) -> str:
    """Rules about a trigger that hang on where it comes from and when it is added."""
    found = []
    if source is not None and "battlefield" in source.card.types:
        found += ["170.9"]
    elif source is not None and "legend" in source.card.types:
        found += ["174.7", "191.4.a"]
    elif source is not None:
        found += ["191.4.a.1" if source.zone in (Zone.TRASH, Zone.HAND) and not source.gone else "191.4.a"]
    if ability.who is not None and ability.who.name == "they":
        found += ["190.6.c"]
    if appended:
        found += ["136.2.d"]
    if source is not None and source.zone in (Zone.TRASH, Zone.HAND) and not source.gone:
        found += ["385.1", "385.2"]
    if resolving:
        found += ["158.3.a", "336.1"]
    return " ".join(found)


def begin_rules(game: Game, item: ChainItem, before: bool) -> str:
    """Rules about a card or token put on the chain; ``before`` says whether a chain existed."""
    card, terms = item.thing, item.terms or PlayTerms()
    found = ["354.1", "108.1.a", "328.1", "191.1"]
    found += ["156"] if item.is_spell else []
    found += ["330.1", "330.2"] if before else []
    found += ["338.1.a.4", "338.1.a.7"] if before and item.by_action else []
    found += ["347.1.a", "342.1"] if not before and item.by_action and game.showdown else []
    found += ["829.1.b", "829.1.b.2"] if terms.instead is not None and terms.leaving == "banish" else []
    found += ["108.3.d"] if item.origin is Zone.CHAMPION else []
    if card is not None and card.token:
        found += ["185.2.a", "350.2", "185.3.a.1"]
        found += ["184.1"] if terms.ready is not None else []
        found += ["184.2"] if terms.place is not None or terms.anywhere else []
        found += ["184.3"] if terms.keywords else []
    return " ".join(found)


def ability_rules(source: Thing) -> str:
    """Rules about an activated ability that hang on the type of its source."""
    kinds = {"battlefield": "170.10", "legend": "174.8", "unit": "145.2.a.1 191.3.b", "gear": "151.2.a.1 191.3.b"}
    return " ".join(rule for kind, rule in kinds.items() if kind in source.card.types)


def entering_rules(thing: Thing, exhausted: bool, base: bool) -> str:
    """Rules about how a permanent enters that hang on its type."""
    found = ["351.1", "191.3"]
    types = printed(thing.definition).types
    if "unit" in types:
        found += ["359.2.c", "143.4"] if exhausted else ["143.4.a"]
    elif "gear" in types and not exhausted:
        found += ["149.1"]
        found += ["359.2.d", "149.2", "148.1.a.1"] if base else ["152.2"]
    if any(isinstance(a, Continuous) for a in thing.definition.abilities):
        found += ["359.2.a"]
    return " ".join(found)


def target_rules(game: Game, item: ChainItem, slot: Slot, options: Sequence[object]) -> str:
    """Rules that say what the options of a target are, by what the phrase names."""
    noun: Noun | None = slot.noun
    assert noun is not None
    kinds, place = set(noun.kinds), noun.place
    things = [o for o in options if isinstance(o, Thing)]
    found = ["191.2.a" if item.is_spell else "191.4.c"]
    zone = place.zone if place is not None and place.kind == "zone" else ""
    if zone == "trash":
        found += ["108.2.d", "141.2.b", "148.2.b"]
        found += ["141.1.b.3"] if "unit" in kinds else []
        found += ["148.1.b.3"] if "gear" in kinds else []
    elif zone == "champion":
        found += ["355.9.a.5", "108.3.e"]
    elif not zone:
        found += board_rules(game, kinds, things)
    others = any(t.controller != item.controller for t in things)
    found += ["109.2"] if others and any(s in STATUSES for s in noun.states) else []
    found += ["489.8.e"] if noun.whose == "friendly" and game.teammates(item.controller) else []
    found += ["740.1.b"] if noun.whose == "enemy" else []
    found += ["704.1"] if any(t.buffs for t in things) else []
    found += ["718.5.a", "718.5.b"] if any(t.attached_to for t in things) else []
    words = {"occupied": "170.11.a", "uncontrolled": "170.11.b", "open": "170.11.c", "facedown": "355.9.a.3 107.3.f"}
    found += [words[s] for s in noun.states if s in words]
    found += ["133.3"] if any(s.startswith("non-") for s in noun.states) else []
    if any({"unit", "gear"} <= set(game.traits(t).types) for t in things):
        found += ["178.3"]
    instruction = slot.instruction
    if instruction is not None and instruction.args.get("split"):
        found += ["355.14.a", "355.14.b", "355.14.c", "355.14.d"]
    if instruction is not None and instruction.may:
        found += ["355.12"]
    return " ".join(found)


def board_rules(game: Game, kinds: set[str], things: Sequence[Thing]) -> list[str]:
    """What a kind refers to where no zone is named (355.9.a), and that it lies open (107.1.d)."""
    found = []
    if kinds & {"unit", "gear", "rune", "equipment", "permanent"}:
        found += ["355.9.a.1"]
        found += ["107.1.d"] if any(t.zone is Zone.BASE for t in things) else []
    trash = game.zone_cards(Zone.TRASH, None)
    for kind, chosen, details, elsewhere in (
        ("unit", "141.1.a.3", "141.1.a.2", "141.1.b.2"),
        ("gear", "148.1.a.3", "148.1.a.2", "148.1.b.2"),
    ):
        if kind in kinds:
            found += [chosen, details]
            found += [elsewhere] if any(kind in t.card.types for t in trash) else []
    found += ["355.9.a.2"] if kinds & {"spell", "ability"} else []
    found += ["355.9.a.4", "174.5"] if "legend" in kinds else []
    found += ["170.7"] if "battlefield" in kinds else []
    found += ["150.4", "150.5"] if "equipment" in kinds else []
    return found


def cost_rules(
    item: ChainItem, total: Total, extras: Sequence[Extra], deflect: int, changes: Sequence[CostChange]
) -> str:
    """Rules that made up a total cost (356)."""
    token = item.thing is not None and item.thing.token and item.thing.copied is None
    found = ["185.3.a.1"] if token else ["204.1.b"] if item.is_ability else ["204.1.a"]
    found += [{"ability": "191.4.e", "spell": "191.2.c"}.get(item.kind, "191.3.c")]
    terms = item.terms or PlayTerms()
    if terms.instead is not None:
        found += ["356.1.a"]
    if terms.ignoring in ("cost", "energy", "power"):
        found += ["356.1.b.1" if terms.ignoring == "cost" else "356.1.b.2"]
        found += ["356.1.b.3"] if total.energy or total.power else []
    if terms.ignoring == "all":
        found += ["356.5.a"]
    for extra in extras:
        if not extra.optional:
            found += ["204.2.a", "135.2.b.3"]
        elif extra.name in item.paid:
            found += ["356.2.b.1"]
    if deflect:
        found += ["356.2.a.2"]
    card = item.thing.definition if item.thing is not None else None
    if card is not None and card.power and not card.domains:
        found += ["135.2.e.6.b"]
    if terms.instead is not None or terms.ignoring:
        found += ["356.1.c"]
    if changes:
        found += ["206.1"] if item.is_ability else ["206"]
    found += ["356.3"] if any(c.change == "increase" for c in changes) else []
    found += ["356.4.e"] if any(c.change == "reduce" and c.minimum for c in changes) else []
    reductions = [c for c in changes if c.change == "reduce"]
    if reductions:
        found += ["356.4.a", "356.4.b"]
        found += ["356.4.d.1"] if len([c for c in reductions if c.component == "total"]) > 1 else []
        found += ["356.4.c.1"] if len([c for c in reductions if c.component == "optional"]) > 1 else []
        found += ["356.4.f.1"] if any(e.optional and e.name in item.paid for e in extras) else []
        found += ["356.6"] if not total.energy and item.base_cost[0] else []
    return " ".join(dict.fromkeys(found))
