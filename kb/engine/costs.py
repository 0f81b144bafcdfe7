"""Costs: what an item costs in total (356), whether it can be paid, and paying it (357, 201-206, 429.3).

A total is Energy, a list of Power demands (each a set of domains that would do) and non-standard parts. Paying asks
the player how; ``auto`` is a proposal that uses the pool, then runes, then other Add reactions, and a script may use
any Add ability itself first.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from kb.cards.phrases import Noun, Ref
from kb.cards.syntax import (
    Activated,
    AdditionalCost,
    CardDefinition,
    Continuous,
    Cost,
    CostChange,
    CostPart,
    Instruction,
    KeywordUse,
    Resources,
    Rule,
    Triggered,
)
from kb.cards.terms import DOMAINS
from kb.engine import actions
from kb.engine.actions import Cause
from kb.engine.asking import Ask, Flow, Option, Unsupported, unique
from kb.engine.events import happen
from kb.engine.filters import Context, amount_of, as_things, candidates, matches, number_of, resolve, times_of
from kb.engine.keywords import keyword_abilities
from kb.engine.layers import Granted, keyword_value, printed
from kb.engine.state import ChainItem, Happening, Player, Restricted, Thing
from kb.engine.zones import Zone

if TYPE_CHECKING:
    from kb.engine.game import Game

ANY = frozenset(DOMAINS)


@dataclass
class Total:
    """A total cost: Energy, Power demands, and non-standard parts with the eyes to read them through."""

    energy: int = 0
    power: list[frozenset[str]] = field(default_factory=list)
    parts: list[tuple[CostPart, Context, str]] = field(default_factory=list)

    @property
    def free(self) -> bool:
        """Whether no resources are due."""
        return self.energy <= 0 and not self.power


@dataclass(frozen=True)
class Extra:
    """An additional cost that applies to an item: its name, and whether it is optional (356.2)."""

    name: str
    cost: Cost
    optional: bool
    context: Context
    bind: str = ""
    rule: str = "356.2.a"


def symbols(power: tuple[str, ...], domains: tuple[str, ...]) -> list[frozenset[str]]:
    """Power symbols as sets of domains that pay for them (135.2.e.5-6)."""
    named = {"A": ANY, "C": frozenset(domains) or ANY}
    return [named.get(symbol, frozenset({symbol})) for symbol in power]


def demands(resources: Resources, domains: tuple[str, ...], context: Context) -> tuple[int, list[frozenset[str]]]:
    """Energy and Power demands of resources."""
    energy = number_of(resources.energy, context)
    power = symbols(resources.power, domains)
    power += [ANY] * number_of(resources.any_power, context)
    return energy, power


def added_power(resources: Resources, domains: tuple[str, ...], context: Context) -> list[str]:
    """The Power that an Add instruction gives, by domain; "any" is universal (135.2.e.5-6)."""
    named = {"A": "any", "C": next(iter(domains), "any")}
    return [named.get(symbol, symbol) for symbol in resources.power] + ["any"] * number_of(resources.any_power, context)


def item_domains(item: ChainItem) -> tuple[str, ...]:
    """The domains that ``C`` stands for on an item."""
    thing = item.thing if item.thing is not None else item.source
    if thing is None:
        return ()
    return printed(thing.definition).domains


# additional costs


def extras(game: Game, item: ChainItem) -> list[Extra]:
    """All additional costs that can apply to an item: its own, other cards', Repeat (356.2, 805, 820)."""
    found: list[Extra] = []
    if not item.is_ability and item.thing is not None:
        card = item.thing.definition
        keywords = keywords_of(game, item)
        own = [a for a in card.abilities if isinstance(a, AdditionalCost) and a.action == "play"]
        if own or keywords:
            context = game.item_context(item)
            for ability in own:
                if isinstance(ability.of, Ref) and game.active(ability.dependent, context):
                    found.append(Extra(ability.name, ability.cost, ability.optional, context, ability.bind))
            found += keyword_extras(keywords, context)
    elif isinstance(item.ability, Activated) and item.ability.repeat is not None:
        found.append(Extra("Repeat", item.ability.repeat, True, game.item_context(item), rule="820.1.c.1"))
    if item.is_ability and item.source is not None and game.traits(item.source).ability_keywords:
        found += keyword_extras(game.traits(item.source).ability_keywords, game.item_context(item))
    for granted in game.index().get(AdditionalCost, []):
        other = granted.ability
        if not isinstance(other, AdditionalCost) or isinstance(other.of, Ref) or other.action != "play":
            continue
        seen = game.context(granted.me, this=granted.this)
        if game.active(other.dependent, seen) and item_fits(game, item, other.of, seen):
            found.append(Extra(other.name, other.cost, other.optional, seen, other.bind))
    return named_apart(found) if len(found) > 1 else found


def keywords_of(game: Game, item: ChainItem) -> tuple[KeywordUse, ...]:
    """Keywords of a card or token as it is played: its own, those its effect gives it, those that passives grant.

    A passive grants keywords to what is being played with ``zone: chain``.
    """
    assert item.thing is not None
    found = [*item.thing.definition.keywords, *(item.terms.keywords if item.terms else ())]
    for granted in granting(game):
        ability = granted.ability
        if isinstance(ability, Continuous) and isinstance(ability.to, Noun):
            seen = game.context(granted.me, this=granted.this)
            if game.active(ability.dependent, seen) and item_fits(game, item, ability.to, seen):
                found += ability.mods.keywords
    return tuple(found)


def granting(game: Game) -> list[Granted]:
    """Passives that grant keywords to what is being played; found once for each state."""
    version, found = game.granting
    if version != game.version:
        passives = game.index().get(Continuous, [])
        found = [g for g in passives if isinstance(g.ability, Continuous) and g.ability.zone == "chain"]
        game.granting = (game.version, found)
    return found


def keyword_extras(keywords: tuple[KeywordUse, ...], context: Context) -> list[Extra]:
    """Accelerate and Repeat as optional additional costs (805.2, 820.1)."""
    found = []
    for use in keywords:
        if use.name == "Repeat" and use.cost is not None:
            found.append(Extra("Repeat", use.cost, True, context, rule="820.1.c.1"))
    several = [use for use in keywords if use.name == "Accelerate"]
    if len(several) > 1:
        context.game.trace.cite("805.4")
    for use in several[:1] if context.game.hooks.does("805.4") else several:
        cost = next(a for a in keyword_abilities(use) if isinstance(a, AdditionalCost)).cost
        found.append(Extra("Accelerate", cost, True, context, rule="805.2"))
    return found


def named_apart(found: list[Extra]) -> list[Extra]:
    """Several instances of one name are told apart, as each is paid or not (820.1.c.2)."""
    names = unique([e.name for e in found])
    return [Extra(n, e.cost, e.optional, e.context, e.bind, e.rule) for n, e in zip(names, found, strict=True)]


def item_fits(game: Game, item: ChainItem, noun: Noun, context: Context) -> bool:
    """Whether an item that is being played is among the cards or abilities that a noun phrase speaks of."""
    from kb.engine.filters import compare, described, matches_having, whose

    if not whose(item.controller, item.controller, noun.whose, context):
        return False
    if item.is_ability:
        return "ability" in noun.kinds
    thing = item.thing
    if thing is None:
        return False
    if not {"card", *described(printed(thing.definition).types)}.intersection(noun.kinds):
        return False
    for comparison in noun.comparisons:
        have = {**item.base_numbers, "might": thing.definition.might or 0}
        want = amount_of(comparison.amount, context)
        if want is None or not compare(have.get(comparison.attribute, 0), comparison.operator, want):
            return False
    return all(matches_having(thing, h, context) for h in noun.having)


# the total


def total_of(game: Game, item: ChainItem) -> Total:
    """An item's total cost by the order of 356: base, additional, increases, discounts, minimum."""
    context = game.item_context(item)
    changes = cost_changes(game, item)
    total = base_cost(game, item, context, changes)
    domains = item_domains(item)
    for extra in extras(game, item):
        if not game.hooks.does("356.2") or (
            extra.optional and game.hooks.holds("356.2.b.1", extra.name not in item.paid)
        ):
            continue
        if not extra.optional:
            if not game.hooks.does("204.2.a 135.2.b.3"):
                continue
            total = game.hooks.value("204.2.a", total, Total())
        if extra.name.startswith("Repeat") and not game.hooks.does("820.1.c.1"):
            continue
        if extra.name == "Accelerate" and not game.hooks.does("805.1.a"):
            continue
        own = game.hooks.value("805.1.a", domains, ()) if extra.name == "Accelerate" else domains
        energy, power = demands(extra.cost.resources, own, extra.context)
        if extra.optional:
            energy, power = discount_component(game, item, energy, power)
        total.energy += energy
        total.power += power
        once = [(part, extra.context, extra.bind) for part in extra.cost.parts]
        total.parts += once if extra.optional else game.hooks.value("135.2.b.3", once, once * (1 + item.repeats))
    total.power += [ANY] * deflect(game, item)
    for change, seen in changes:
        if change.change == "increase":
            energy, power = demands(change.resources, domains, seen)
            times = times_of(change.times, seen)
            total.energy += energy * times
            total.power += power * times
    reductions = [(c, s) for c, s in changes if c.change == "reduce" and c.component in ("total", component_of(item))]
    reductions.sort(key=lambda pair: -pair[0].minimum)
    for change, seen in reductions if game.hooks.does("356.4 356.4.a 356.4.b") else ():
        reduce(total, change, seen, domains)
    if item.terms is not None and item.terms.reduced_energy:
        total.energy = max(0, total.energy - item.terms.reduced_energy)
    if item.terms is not None and game.hooks.holds("356.5.a", item.terms.ignoring == "all"):
        total = Total()
    total.energy = max(0, total.energy) if game.hooks.does("163.1") else 0
    total.power = total.power if game.hooks.does("163.2") else []
    total.power = [p for wanted in total.power for p in paid_by(game, wanted, domains)]
    return total


def paid_by(game: Game, wanted: frozenset[str], domains: tuple[str, ...]) -> list[frozenset[str]]:
    """The domains that pay for a symbol: [A] any, [C] one of the card's own, any where the card has none."""
    if wanted is ANY:
        if not domains:
            if not game.hooks.does("135.2.e.6.b 805.1.a.2"):
                return []
            wanted = game.hooks.value("135.2.e.6.b 805.1.a.2", wanted, frozenset(("fury",)))
        own = game.hooks.value("135.2.e.5.a", wanted, frozenset(domains) or wanted)
        return [own if game.hooks.does("135.2.e.5.a") else frozenset(domains[:1])]
    if len(wanted) > 1:
        one = [frozenset(domains[:1])]
        each = [frozenset((domain,)) for domain in sorted(wanted)]
        return game.hooks.value("135.2.e.6.c", [wanted], each) if game.hooks.does("135.2.e.6.c") else one
    return [wanted]


def component_of(item: ChainItem) -> str:
    """Which named component a discount can speak of."""
    ability = item.ability
    return KEYWORD_PARTS.get(ability.keyword, "total") if isinstance(ability, Activated) else "total"


KEYWORD_PARTS = {"Equip": "equip", "Empower": "empower"}
"""Keywords whose cost the source's text may alter, and the component that a discount names (818.1.c.4, 827.1.c.3)."""


DISCOUNTED = {"equip": "818.1.c.4", "empower": "827.1.c.3"}
"""Component -> the rule by which the source's text may alter it."""


def keyword_discount(game: Game, part: str, change: CostChange, own: Context) -> list[tuple[CostChange, Context]]:
    """A discount of an object's own text on what its Equip or Empower costs."""
    game.trace.cite(DISCOUNTED[part])
    twice = game.hooks.holds(DISCOUNTED[part], False)
    return [(change, own)] * (2 if twice else 1) if game.hooks.does(DISCOUNTED[part]) else []


def base_cost(game: Game, item: ChainItem, context: Context, changes: list[tuple[CostChange, Context]]) -> Total:
    """356.1 and 403.1: printed, replaced by "for [Cost]", or ignored."""
    total = Total()
    domains = item_domains(item)
    ability = item.ability
    if item.is_ability:
        cost = getattr(ability, "cost", None)
        if isinstance(cost, Cost):
            total.energy, total.power = demands(cost.resources, domains, context)
            keyword = getattr(ability, "keyword", "")
            both = game.hooks.does(BOTH.get(keyword, "")) or not cost.parts
            if game.hooks.value(BOTH.get(keyword, ""), False, bool(cost.parts)):
                total = Total()
            total.parts = [(p, context, "") for p in cost.parts if both]
        return total
    thing, terms = item.thing, item.terms
    if thing is None or (thing.token and thing.copied is None):
        return total
    traits = printed(thing.definition)
    if terms is not None and isinstance(terms.instead, Cost) and game.hooks.does("356.1.a 829.1.c.1"):
        total.energy, total.power = demands(terms.instead.resources, domains, context)
        flow = terms.leaving == "banish" and not game.hooks.does("829.1.c.2")
        if terms.leaving == "banish" and game.hooks.value("829.1.c.2", False, bool(terms.instead.parts)):
            total = Total()
        total.energy += game.hooks.value("356.1.a 829.1.c.1", 0, traits.energy)
        total.parts = [(p, context, "") for p in terms.instead.parts if not flow]
        return total
    total.energy = traits.energy
    total.power = symbols(("C",) * traits.power, domains)
    ignoring = {terms.ignoring} - {"all"} if terms is not None else set()
    ignoring |= {c.ignore for c, _ in changes if c.change == "ignore_cost"}
    if ignoring & {"cost", "energy", "all"} and game.hooks.does("356.1.b"):
        total.energy = 0
    if ignoring & {"cost", "power", "all"} and game.hooks.does("356.1.b"):
        total.power = []
    return total


BOTH = {"Equip": "818.1.c.3", "Empower": "827.1.c.2"}
"""Keywords whose cost may have parts that are no resources, with the rule that says so."""


def cost_changes(game: Game, item: ChainItem) -> list[tuple[CostChange, Context]]:
    """Cost changes that reach an item: its own text's, others' on the board, delayed ones (356.3-356.4)."""
    found: list[tuple[CostChange, Context]] = []
    if not item.is_ability and item.thing is not None:
        for change in own_cost_changes(item.thing.definition):
            own = game.item_context(item)
            if game.active(change.dependent, own):
                found.append((change, own))
    elif item.source is not None and (part := component_of(item)) != "total":
        for change in own_cost_changes(item.source.definition):
            own = game.item_context(item)
            if change.component == part and game.active(change.dependent, own):
                found += keyword_discount(game, part, change, own)
    for granted in game.index().get(CostChange, []):
        ability = granted.ability
        if not isinstance(ability, CostChange) or isinstance(ability.of, Ref):
            continue
        seen = game.context(granted.me, this=granted.this)
        if (
            ability.component != "optional"
            and game.active(ability.dependent, seen)
            and item_fits(game, item, ability.of, seen)
        ):
            found.append((ability, seen))
    for effect in game.state.lasting:
        lasting = effect.ability
        if isinstance(lasting, CostChange):
            seen = game.lasting_context(effect)
            if isinstance(lasting.of, Noun) and item_fits(game, item, lasting.of, seen):
                found.append((lasting, seen))
    return found


def own_cost_changes(card: CardDefinition) -> list[CostChange]:
    """Cost changes in a card's text that speak of that card."""
    return [a for a in card.abilities if isinstance(a, CostChange) and isinstance(a.of, Ref)]


def reduce(total: Total, change: CostChange, context: Context, domains: tuple[str, ...]) -> None:
    """One discount on the total, down to its own minimum (356.4.e)."""
    times = times_of(change.times, context)
    energy, power = demands(change.resources, domains, context)
    if energy * times:
        total.energy = max(min(total.energy, change.minimum), total.energy - energy * times)
    for wanted in power * times:
        match = next((p for p in total.power if p & wanted), None)
        if match is not None:
            total.power.remove(match)


def discount_component(
    game: Game, item: ChainItem, energy: int, power: list[frozenset[str]]
) -> tuple[int, list[frozenset[str]]]:
    """Discounts on one optional additional cost, applied as it is added (356.4.c)."""
    part = Total(energy, list(power))
    applied = 0
    for granted in game.index().get(CostChange, []):
        ability = granted.ability
        if not isinstance(ability, CostChange) or ability.component != "optional" or isinstance(ability.of, Ref):
            continue
        seen = game.context(granted.me, this=granted.this)
        if not game.active(ability.dependent, seen) or not item_fits(game, item, ability.of, seen):
            continue
        less, less_power = demands(ability.resources, (), seen)
        if not game.hooks.does("356.4.c 356.4.f") or (applied and not game.hooks.does("356.4.c.1")):
            continue
        applied += 1
        game.happened.add(id(ability))
        if ability.either:
            if part.power and less_power:
                part.power.pop()
            else:
                part.energy = max(0, part.energy - less)
        else:
            for _ in range(2 if game.hooks.holds("356.4.c.1", False) else 1):
                reduce(part, ability, seen, ())
    if applied > 1:
        game.trace.cite("356.4.c.1")
    return part.energy, part.power


def hide_cost(game: Game, thing: Thing, times: int) -> Total:
    """What hiding a card costs: [A] for each instance that is paid for, less the discounts on hiding (811.1.b)."""
    total = Total(power=[ANY] * times)
    for granted in game.index().get(CostChange, []):
        ability = granted.ability
        if not isinstance(ability, CostChange) or ability.component != "hide" or isinstance(ability.of, Ref):
            continue
        seen = game.context(granted.me, this=granted.this)
        if game.active(ability.dependent, seen) and matches(thing, ability.of, seen):
            game.happened.add(id(ability))
            reduce(total, ability, seen, ())
    return total


def deflect(game: Game, item: ChainItem) -> int:
    """Power that Deflect adds for each time an opponent's spell or ability chooses an object (809.1.c)."""
    total = 0
    for target in game.targets_of(item):
        if isinstance(target, Thing) and target.on_board and target.controller is not None:
            if game.hooks.holds("766", ignored(game, item, target, "Deflect")):
                continue
            if game.hooks.holds("809.1.c", game.enemies(target.controller, item.controller)):
                total += keyword_value(game.traits(target), "Deflect", game.context(target))
    return total


def ignored(game: Game, item: ChainItem, target: Thing, keyword: str) -> bool:
    """Whether a keyword of an object is ignored while an item's costs are paid: that item's alone (764-767)."""
    own = item.thing.definition.abilities if not item.is_ability and item.thing is not None else ()
    context = game.item_context(item)
    for ability in own:
        if isinstance(ability, Rule) and ability.name == "ignore keyword" and isinstance(ability.by, Ref):
            reached = ability.what is None or game.fits(target, ability.what, context)
            if ability.keyword == keyword and reached and game.active(ability.dependent, context):
                game.trace.cite("766 767")
                return True
    return any(
        rule.keyword == keyword and isinstance(rule.by, Noun) and item_fits(game, item, rule.by, seen)
        for rule, seen in game.rules("ignore keyword", target)
    )


# paying


@dataclass(frozen=True)
class Source:
    """Something that can add resources while paying: an Add reaction whose own cost needs no resources."""

    granted: Granted
    energy: int
    power: tuple[str, ...]
    only_for: str
    recycles: bool


@dataclass
class Plan:
    """A proposal for paying: which sources to use, in order, and how the Power demands are met."""

    uses: list[Source] = field(default_factory=list)


def usable(restricted: Restricted, item: ChainItem | None) -> bool:
    """Whether restricted resources may pay for an item (429, "use only to ...")."""
    return item is not None and restricted.only_for in ("", f"{item.kind}s", item.kind)


def add_instruction(ability: Activated) -> Instruction | None:
    """The Add instruction of an Add ability (400.2, 429.2), wherever it stands in its effect."""
    waiting = list(ability.effect)
    while waiting:
        instruction = waiting.pop(0)
        if instruction.verb == "add":
            return instruction
        waiting = [*instruction.then, *waiting]
    return None


def is_add(ability: object) -> bool:
    """Whether an ability adds resources (429)."""
    return isinstance(ability, Activated) and add_instruction(ability) is not None


def sources(game: Game, player: str, item: ChainItem | None) -> list[Source]:
    """Add reactions the player can use while paying whose cost is only to exhaust, kill or recycle their source."""
    return [s for s in all_sources(game, player) if not s.only_for or usable(Restricted(s.only_for), item)]


def all_sources(game: Game, player: str) -> tuple[Source, ...]:
    """The sources of a player now, whatever they may pay for; kept until something changes."""
    version, known = game.add_sources.get(player, (None, ()))
    if version != game.version:
        known = find_sources(game, player)
        game.add_sources[player] = (game.version, known)
    return known


def find_sources(game: Game, player: str) -> tuple[Source, ...]:
    found = []
    for granted in game.index().get(Activated, []):
        ability = granted.ability
        if not isinstance(ability, Activated) or granted.me.controller != player or ability.timing != "reaction":
            continue
        if len(ability.effect) != 1 or ability.effect[0].verb != "add" or not simple_cost(granted, ability):
            continue
        context = game.context(granted.me, this=granted.this)
        if not game.active(ability.dependent, context):
            continue
        resources = ability.effect[0].args["add"]
        assert isinstance(resources, Resources)
        energy = number_of(resources.energy, context)
        domains = game.traits(granted.me).domains
        power = tuple(added_power(resources, domains, context))
        only = str(ability.effect[0].args.get("only_for", ""))
        recycles = any(p.action in ("recycle", "kill") for p in ability.cost.parts)
        found.append(Source(granted, energy, power, only, recycles))
    return tuple(found)


def means(game: Game, player: str) -> tuple[int, int] | None:
    """At most how much Energy and how much Power the player could spend now.

    None where one can be turned into the other, or something could make a card or ability cheaper than it is printed.
    """
    changes = [g.ability for g in game.index().get(CostChange, [])] + [e.ability for e in game.state.lasting]
    if any(isinstance(change, CostChange) and not isinstance(change.of, Ref) for change in changes):
        return None
    if convertible(game, player):
        return None
    who = game.player(player)
    energy = who.energy + sum(r.energy for r in who.restricted)
    power = sum(who.power.values()) + sum(sum(r.power.values()) for r in who.restricted)
    for source in all_sources(game, player):
        energy += source.energy
        power += len(source.power)
    return energy, power


def simple_cost(granted: Granted, ability: Activated) -> bool:
    """Whether the source can pay the ability's cost with itself now."""
    if ability.cost.resources != Resources():
        return False
    for part in ability.cost.parts:
        if not isinstance(part.what, Ref) or part.what.name not in ("me", "this"):
            return False
        if part.action == "exhaust" and granted.me.exhausted:
            return False
        if part.action not in ("exhaust", "kill", "recycle", "banish"):
            return False
    return True


def plan_payment(
    game: Game, player: str, total: Total, item: ChainItem | None, spared: frozenset[int] = frozenset()
) -> Plan | None:
    """A way to pay Energy and Power, or None; ``spared`` objects are not used (they pay another part of the cost)."""
    if total.free:
        return Plan()
    who = game.player(player)
    available = [s for s in sources(game, player, item) if s.granted.me.id not in spared]
    plan = Plan()
    energy = total.energy - who.energy - sum(r.energy for r in who.restricted if usable(r, item))
    used: set[int] = set()
    pure = sorted(available, key=lambda s: (s.recycles, "rune" not in s.granted.me.card.types, len(s.power)))
    for source in pure:
        if energy <= 0:
            break
        if (
            source.energy
            and not (source.recycles and source.granted.me.id in used)
            and source.granted.me.id not in used
        ):
            plan.uses.append(source)
            used.add(source.granted.me.id)
            energy -= source.energy
    if energy > 0:
        return None
    supply = power_supply(who, item)
    supply += [(p, None) for s in plan.uses for p in s.power]
    recyclers = [s for s in available if s.power and s not in plan.uses]
    recyclers.sort(
        key=lambda s: (
            "rune" not in s.granted.me.card.types,
            not s.granted.me.exhausted and s.granted.me.id not in used,
        )
    )
    chosen = match_power(total.power, supply, recyclers, used)
    if chosen is None:
        return None
    plan.uses += chosen
    return plan


def coverable(
    game: Game, player: str, total: Total, item: ChainItem | None, spared: frozenset[int] = frozenset()
) -> bool:
    """Whether a total can be paid at all, abilities that turn Power into Energy or back included."""
    if plan_payment(game, player, total, item, spared) is not None:
        return True
    turning = [g for g in convertible(game, player) if g.me.id not in spared]
    if not turning:
        return False
    who = game.player(player)
    available = [s for s in sources(game, player, item) if s.granted.me.id not in spared]
    energy = who.energy + sum(r.energy for r in who.restricted if usable(r, item)) + sum(s.energy for s in available)
    units = power_supply(who, item) + [(p, None) for s in available for p in s.power]
    met = max(
        (n for n in range(len(total.power) + 1) if match_power(total.power[:n], units, [], set()) is not None),
        default=0,
    )
    kinds = {
        str(i.args.get("pay_any", "")) for g in turning if isinstance(g.ability, Activated) for i in g.ability.effect
    }
    short_energy, short_power = max(0, total.energy - energy), len(total.power) - met
    spare_power, spare_energy = len(units) - met, max(0, energy - total.energy)
    enough_energy = not short_energy or ("power" in kinds and spare_power >= short_energy)
    enough_power = not short_power or ("energy" in kinds and spare_energy >= short_power)
    return enough_energy and enough_power


def power_supply(who: Player, item: ChainItem | None) -> list[tuple[str, Source | None]]:
    """Power in the pool, specific domains first."""
    units = [(domain, None) for domain, n in who.power.items() if domain != "any" for _ in range(n)]
    units += [("any", None)] * who.power["any"]
    for restricted in who.restricted:
        if usable(restricted, item):
            units = [(d, None) for d, n in restricted.power.items() for _ in range(n)] + units
    return list(units)


def match_power(
    wanted: list[frozenset[str]], supply: list[tuple[str, Source | None]], recyclers: list[Source], used: set[int]
) -> list[Source] | None:
    """Which further sources to use so that every demand is met (bipartite matching), or None."""
    units: list[tuple[str, Source | None]] = list(supply)
    for source in recyclers:
        exhausts = not source.recycles
        if exhausts and source.granted.me.id in used:
            continue
        units += [(p, source) for p in source.power]
    owner: dict[int, int] = {}

    def assign(demand: int, seen: set[int]) -> bool:
        for index, (domain, _) in enumerate(units):
            if index in seen or not (domain == "any" or domain in wanted[demand]):
                continue
            seen.add(index)
            if index not in owner or assign(owner[index], seen):
                owner[index] = demand
                return True
        return False

    for demand in sorted(range(len(wanted)), key=lambda i: len(wanted[i])):
        if not assign(demand, set()):
            return None
    needed: list[Source] = []
    for index in owner:
        paying = units[index][1]
        if paying is not None and paying not in needed:
            needed.append(paying)
    return needed


def spend(who: Player, total: Total, item: ChainItem | None) -> None:
    """Take the due Energy and Power out of the pool (444.1)."""
    energy = total.energy
    for restricted in who.restricted:
        if usable(restricted, item):
            taken = min(energy, restricted.energy)
            restricted.energy -= taken
            energy -= taken
    who.energy -= energy
    pools = [r.power for r in who.restricted if usable(r, item)] + [who.power]
    for wanted in sorted(total.power, key=len):
        for pool in pools:
            domain = next((d for d in sorted(wanted) if pool[d]), "any" if pool["any"] else "")
            if domain:
                pool[domain] -= 1
                break
    who.restricted = [r for r in who.restricted if r.energy or any(r.power.values())]


def affordable(who: Player, total: Total, item: ChainItem | None) -> bool:
    """Whether the pool alone covers a total."""
    energy = who.energy + sum(r.energy for r in who.restricted if usable(r, item))
    return energy >= total.energy and match_power(total.power, power_supply(who, item), [], set()) is not None


def use_add(game: Game, player: str, granted: Granted, paying: bool = True) -> Flow[None]:
    """Activate an Add ability: pay its cost and add, with no Priority passing (429.2); ``paying`` as costs are paid."""
    from kb.engine.instructions import execute_effect

    ability = granted.ability
    assert isinstance(ability, Activated)
    name = game.label(granted.me)
    recycled = any(p.action == "recycle" for p in ability.cost.parts)
    more = "" if "rune" not in granted.me.card.types else " 164.2.b.1 163.2.a.1" if recycled else " 164.2.a"
    more += " 357.1.a" if game.finalizing is not None and game.finalizing.pending else ""
    if game.resolving is not None:
        more += " 444.2.c"
    when = "429.3.a 429.2.a" if paying else "429.2 429.2.a 400.2"
    with game.trace.step(f"{when} 166.1{more}", "{} uses {} to add resources", player, name):
        context = game.context(granted.me, this=granted.this)
        rune = "rune" in granted.me.card.types
        costs = not rune or (game.hooks.does("164.2.b") if recycled else game.hooks.does("164.2.a"))
        paid = not costs or (yield from pay_cost(game, player, ability.cost, context))
        if paid:
            for _ in range(game.hooks.count("164.2.b" if recycled else "164.2.a", 1) if rune else 1):
                yield from execute_effect(game, ability.effect, context)
            game.happened.add(id(ability))


def pay_total(game: Game, item: ChainItem, total: Total) -> Flow[bool]:
    """Step 4 (357): pay Energy and Power together, then the non-standard parts in any order; False if it can't be."""
    player = item.controller
    spared = frozenset(reserved(game, total))
    if not total.free:
        paid = yield from pay_resources(game, player, total, item, spared)
        if not paid:
            return False
    waiting = sorted(total.parts, key=lambda p: part_rank(p[0]))
    while waiting:
        chosen = yield from next_part(game, player, [part for part, _, _ in waiting])
        part, context, bind = waiting.pop(chosen)
        done = yield from pay_part(game, player, part, context, item, bind)
        if not done:
            return False
    return True


def next_part(game: Game, player: str, waiting: list[CostPart]) -> Flow[int]:
    """Which of the remaining parts is paid next: the player decides between those that choose objects (357.2)."""
    among = [i for i, part in enumerate(waiting) if part_rank(part) == 1]
    if among[:1] != [0] or len(among) < 2 or not game.hooks.may("357.2", True):
        return 0
    keys = unique([waiting[i].action.replace("_", " ") for i in among])
    options = tuple(Option(k, i) for k, i in zip(keys, among, strict=True))
    (answer,) = yield Ask(player, "pay", options, about="which cost to pay next", rule="357.2", default=(0,))
    value = answer.value
    assert isinstance(value, int)
    return value


def part_rank(part: CostPart) -> int:
    """Parts may be paid in any order (357.2); what takes the source off the board comes last."""
    own = isinstance(part.what, Ref)
    return 2 if own and part.action in ("kill", "banish", "recycle", "return") else 0 if own else 1


def reserved(game: Game, total: Total) -> list[int]:
    """Objects that pay a non-standard part by themselves (exhaust me), so that paying Energy leaves them alone."""
    found = []
    for part, context, _ in total.parts:
        if isinstance(part.what, Ref):
            found += [t.id for t in as_things(resolve(part.what, context))]
    return found


def pay_resources(game: Game, player: str, total: Total, item: ChainItem | None, spared: frozenset[int]) -> Flow[bool]:
    """Energy and Power: the player may use Add reactions, or take the proposal (357.1.a)."""
    who = game.player(player)
    while True:
        plan = plan_payment(game, player, total, item, spared)
        covered = affordable(who, total, item)
        if plan is None and not covered:
            extra = convertible(game, player)
            if not extra:
                return False
        choices = [Option("auto", "auto")] if plan is not None or covered else []
        adders = [s for s in sources(game, player, item) if s.granted.me.id not in spared]
        keys = []
        granteds: list[Granted] = []
        for granted in [*(s.granted for s in adders), *convertible(game, player)]:
            key = f"use {add_key(game, granted)}"
            if key not in keys and not any(g is granted for g in granteds):
                keys.append(key)
                granteds.append(granted)
        choices += [Option(k, g) for k, g in zip(keys, granteds, strict=True)]
        playing = item is not None and item.pending and not isinstance(item.ability, Triggered)
        if game.hooks.holds("444.2.a", playing):
            choices.append(Option("decline", "decline"))
        (answer,) = yield Ask(
            player,
            "pay",
            tuple(choices),
            about=f"pay {total.energy} Energy and {len(total.power)} Power",
            rule="357.1 357.1.a" if item is not None else "444.2 444.2.c",
            default=(0,) if choices and choices[0].key == "auto" else None,
        )
        value = answer.value
        if value == "auto":
            break
        if value == "decline":
            assert item is not None
            item.declined = True
            return False
        assert isinstance(value, Granted)
        yield from use_add(game, player, value)
        if item is not None and item.left:
            return False
    if plan is not None:
        for source in plan.uses:
            yield from use_add(game, player, source.granted)
    if not affordable(who, total, item):
        return False
    universal = who.power["any"]
    spend(who, game.hooks.value("444.1", total, replace(total, energy=0)), item)
    more = " 135.2.e.5.a" if ANY in total.power else ""
    more += " 135.2.e.5.b 163.2.b" if who.power["any"] < universal else ""
    for kind, amount in (("energy", total.energy), ("power", len(total.power))):
        tally = ("spent", kind, player, game.state.turn)
        game.state.tallies[tally] += amount
    # while something is played it is a step of that, else an instruction to pay
    why = "444.2" if item is None or not item.pending else "357.1" if not item.is_ability else "404.1"
    game.note(f"{why} 444.1{more}", "{} pays {} Energy and {} Power", player, str(total.energy), str(len(total.power)))
    game.touch(cleanup=False)
    return True


def convertible(game: Game, player: str) -> list[Granted]:
    """Add reactions that turn resources in the pool into others (pay any amount ...)."""
    found = []
    for granted in game.index().get(Activated, []):
        ability = granted.ability
        if (
            isinstance(ability, Activated)
            and granted.me.controller == player
            and ability.timing == "reaction"
            and is_add(ability)
            and ability.effect[0].verb != "add"
            and simple_cost(granted, ability)
        ):
            found.append(granted)
    return found


def add_key(game: Game, granted: Granted) -> str:
    """How a script names an Add ability: its source, and for runes what is done with it."""
    ability = granted.ability
    assert isinstance(ability, Activated)
    verbs = " ".join(p.action for p in ability.cost.parts)
    name = granted.me.card.name if "rune" in granted.me.card.types else game.label(granted.me)
    return f"{name} ({verbs})" if "rune" in granted.me.card.types else name


# non-standard parts


def part_options(game: Game, player: str, part: CostPart, context: Context) -> list[Thing]:
    """Objects with which a part of a cost can be paid (203.3, 414.4)."""
    what = part.what
    if isinstance(what, Ref):
        found = [game.follow(t) for t in as_things(resolve(what, context))]
    elif isinstance(what, Noun):
        found = as_things(candidates(what, context))
    else:
        return game.zone_cards(Zone.HAND, player)
    match part.action:
        case "exhaust":
            return [
                t
                for t in found
                if t.on_board and (not game.hooks.holds("414.4", t.exhausted) or not game.hooks.does("414.1.b"))
            ]
        case "spend_buff":
            return [t for t in found if t.on_board and t.buffs and t.controller == player]
        case "kill":
            return [t for t in found if t.on_board and t.zone is not Zone.LEGEND]
        case "discard_card":
            return [t for t in found if t.zone is Zone.HAND and t.owner == player]
        case "recycle" | "banish":
            return [t for t in found if not t.gone]
        case _:
            return [t for t in found if t.on_board]


def needed(part: CostPart, context: Context) -> int:
    """How many objects a part of a cost takes."""
    what = part.what
    if isinstance(what, Noun):
        return times_of(what.count, context)
    if isinstance(what, Ref):
        return 1
    return number_of(what, context)


def can_pay_part(game: Game, player: str, part: CostPart, context: Context) -> bool:
    """Whether a part of a cost can be paid at all (203.3)."""
    if part.action == "xp":
        assert not isinstance(part.what, Noun | Ref)
        return game.player(player).xp >= number_of(part.what, context)
    if part.action == "burn":
        return True
    enough = len(part_options(game, player, part, context)) >= max(1, needed(part, context))
    if part.action in ("discard", "discard_card") and not game.hooks.does("422.3"):
        return True
    return enough or not game.hooks.does("203.3")


def can_pay_cost(game: Game, player: str, cost: Cost, context: Context) -> bool:
    """Whether a whole cost inside an instruction or replacement can be paid."""
    thing = context.this or context.me
    domains = printed(thing.definition).domains if thing is not None else ()
    energy, power = demands(cost.resources, domains, context)
    total = Total(energy, power, [(p, context, "") for p in cost.parts])
    spared = frozenset(reserved(game, total))
    if not all(can_pay_part(game, player, p, context) for p in cost.parts):
        return False
    return total.free or coverable(game, player, total, context.item, spared)


def pay_cost(game: Game, player: str, cost: Cost, context: Context) -> Flow[bool]:
    """Pay a cost that is not that of a chain item: of an Add ability, an instruction, a replacement (204)."""
    thing = context.this or context.me
    domains = printed(thing.definition).domains if thing is not None else ()
    energy, power = demands(cost.resources, domains, context)
    total = Total(energy, power)
    if not can_pay_cost(game, player, cost, context):
        return False
    if not total.free:
        full = Total(energy, power, [(p, context, "") for p in cost.parts])
        paid = yield from pay_resources(game, player, total, context.item, frozenset(reserved(game, full)))
        if not paid:
            return False
    waiting = sorted(cost.parts, key=part_rank)
    while waiting:
        part = waiting.pop((yield from next_part(game, player, waiting)))
        done = yield from pay_part(game, player, part, context, context.item, "")
        if not done:
            return False
    return True


def pay_part(
    game: Game, player: str, part: CostPart, context: Context, item: ChainItem | None, bind: str
) -> Flow[bool]:
    """Perform the game action of one part (203.1); replaced actions still pay it (203.2)."""
    if part.action == "xp":
        assert not isinstance(part.what, Noun | Ref)
        amount = number_of(part.what, context)
        who = game.player(player)
        if who.xp < amount:
            return False
        who.xp -= amount
        game.note("730.2 203.1", "{} spends {} XP", player, str(amount))
        game.touch()
        return True
    if part.action == "burn":
        from kb.engine.decks import burn

        yield from burn(game, player, needed(part, context), Cause(player, item, context.this))
        return True
    preset = item.bindings.get(bind) if item is not None and bind else None
    chosen = [preset] if isinstance(preset, Thing) else (yield from choose_payers(game, player, part, context, item))
    if chosen is None:
        return False
    if item is not None:
        item.payers += [game.label(t) for t in chosen]
    if bind and item is not None:
        item.bindings[bind] = chosen[0] if len(chosen) == 1 else list(chosen)
    staying = [t for t in chosen if t.on_board]
    yield from perform_part(game, player, part, chosen, Cause(player, item, context.this))
    replaced = part.action in ("kill", "banish", "return", "recycle") and any(t.on_board for t in staying)
    if replaced:
        game.note("203.2 357.2.a", "the action was replaced; the cost is paid all the same")
    return not replaced or game.hooks.does("203.2")


def choose_payers(
    game: Game, player: str, part: CostPart, context: Context, item: ChainItem | None
) -> Flow[list[Thing] | None]:
    """Which objects pay a part of a cost; not one that the item targets, unless there is no choice (357.3)."""
    options = part_options(game, player, part, context)
    count = needed(part, context)
    if len(options) < count and game.hooks.does("203.3") and game.hooks.does("422.3"):
        return None
    if isinstance(part.what, Ref):
        return options[:1]
    targets = game.targets_of(item) if item is not None else []
    spared = [t for t in options if not any(t is x for x in targets)]
    if len(spared) >= count and part.action in ("kill", "banish", "return", "recycle"):
        options = game.hooks.options("357.3", spared, options)
    if len(options) <= count:
        return options
    answer = yield Ask(
        player,
        "choose",
        game.labelled(options),
        count,
        count,
        about=f"what to {part.action.replace('_', ' ')} as a cost",
        rule="357.2",
    )
    return [o.value for o in answer if isinstance(o.value, Thing)]


def perform_part(game: Game, player: str, part: CostPart, chosen: list[Thing], cause: Cause) -> Flow[None]:
    """The game action of a part of a cost."""
    match part.action:
        case "exhaust":
            game.note("414.3.a", "{} exhausts what pays the cost", player)
            if not isinstance(part.what, Ref):
                yield from actions.exhaust(game, chosen, cause)
            elif game.hooks.does("414.5"):
                ready = (t for t in game.state.board.values() if t.controller == player and not t.exhausted)
                other = [t for t in ready if t not in chosen][:1]
                yield from actions.exhaust(game, game.hooks.value("414.5", chosen, other or chosen), cause)
        case "kill":
            dying = chosen if game.hooks.does("428.1.a.1") else []
            yield from actions.kill(game, dying, cause, "203.1 428.1.a.1")
        case "banish":
            yield from actions.banish(game, chosen, cause)
        case "recycle":
            yield from actions.recycle(game, chosen, cause)
        case "return":
            yield from actions.return_to_hand(game, chosen, cause)
        case "spend_buff":
            for thing in chosen:
                actions.spend_buff(game, thing)
        case "discard" | "discard_card":
            from kb.engine.decks import discard_these

            yield from discard_these(game, player, chosen, cause)
        case _:
            raise Unsupported(f"the cost {part.action!r}")


def add_resources(game: Game, player: str, energy: int, power: list[str], only_for: str, cause: Cause) -> Flow[None]:
    """429.1: put resources into a player's pool."""
    who = game.player(player)
    energy = game.hooks.count("429.1", energy) if energy else energy
    power = power if game.hooks.does("135.2.e.5.b") else [domain for domain in power if domain != "any"]
    if "any" in power:
        power = game.hooks.value("135.2.e.5.b", power, ["fury" if domain == "any" else domain for domain in power])
    if only_for and game.hooks.does("054.2"):
        who.restricted.append(Restricted(only_for, energy, Counter(power)))
    else:
        who.energy += energy
        who.power.update(power)
    game.touch(cleanup=False)
    yield from happen(
        game, [Happening("adds", None, player, player, cause.using, cause.source, amount=energy)], "429.1"
    )
