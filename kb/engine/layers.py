"""What an object is right now: printed traits and everything that alters them, in layers (473-480).

A projection starts from the copyable traits of every board object and applies the layers in sequence, again and again
until nothing new applies (476); each effect is applied to an object once (476.1). In the arithmetic layer increases
come before decreases (477.3.e), by timestamp (480) unless one depends on another (478-479), which is found by trial.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from kb.cards.phrases import Noun, Number, Ref
from kb.cards.syntax import Ability, Activated, CardDefinition, Continuous, KeywordUse, Mods, Rule
from kb.engine.citing_keywords import value_rules
from kb.engine.filters import Context, amount_of, matches, number_of, resolve, times_of
from kb.engine.keywords import keyword_abilities
from kb.engine.state import Lasting, Thing

if TYPE_CHECKING:
    from kb.engine.game import Game


RAISING = {"attacker": "Assault", "defender": "Shield"}
RAISED = {"attacker": "807.1.c", "defender": "814.1.c"}
"""The keyword that raises the Might of a unit with a designation, and its rule."""
SEQUENCES = 12
"""How often the layers are gone through at most."""
DEPTH = 3
"""How deep effects of one layer bring each other into being in one sequence; what is deeper applies in the next."""


@dataclass(frozen=True, slots=True)
class Granted:
    """An ability that an object has: ``me`` is the object, ``this`` the card whose text it is (136.2.d)."""

    ability: Ability
    me: Thing
    this: Thing
    key: tuple[object, ...] = ()


@dataclass(slots=True)
class Traits:
    """An object's current characteristics. ``might`` is the actual number, which may be below 0 (143.2.b.1)."""

    name: str
    types: frozenset[str]
    supertypes: frozenset[str]
    tags: frozenset[str]
    domains: tuple[str, ...]
    energy: int
    power: int
    might: int | None
    keywords: tuple[KeywordUse, ...] = ()
    abilities: tuple[tuple[Ability, int], ...] = ()
    untargetable: frozenset[str] = frozenset()
    inactive: bool = False
    granted: tuple[KeywordUse, ...] = ()
    bonus: int = 0
    ability_keywords: tuple[KeywordUse, ...] = ()

    def has(self, keyword: str) -> bool:
        """Whether the keyword is present (active or not, 722.1)."""
        return any(k.name == keyword for k in self.keywords) or any(k.name == keyword for k in self.granted)

    def active_keywords(self) -> Iterator[KeywordUse]:
        """Keywords that are not inactive (135.4, 720)."""
        if not self.inactive:
            yield from self.keywords
        yield from self.granted


def printed(card: CardDefinition) -> Traits:
    """The copyable traits of a card definition; made once for each, shared, never changed in place."""
    found: Traits | None = card.__dict__.get("printed_traits")
    return found if found is not None else _make_printed(card)


def _make_printed(card: CardDefinition) -> Traits:
    traits = Traits(
        card.name,
        frozenset(card.types),
        frozenset(card.supertypes),
        frozenset(card.tags),
        card.domains,
        card.energy,
        card.power,
        card.might,
        card.keywords,
        tuple((ability, 0) for ability in card.abilities),
    )
    card.__dict__["printed_traits"] = traits  # kept with the definition, as a cached property would be
    return traits


@dataclass(slots=True)
class Change:
    """One effect on one object, in one layer."""

    key: tuple[object, ...]
    layer: int
    timestamp: int
    target: Thing
    mods: Mods
    context: Context
    fixed: int | None = None
    passive: bool = False
    extra: str = ""


@dataclass(slots=True)
class Projection:
    """All board objects' traits at one moment."""

    game: Game
    table: dict[int, Traits] = field(default_factory=dict)
    applied: set[tuple[object, ...]] = field(default_factory=set)
    movers: dict[int, Thing] = field(default_factory=dict)
    counted: Counter[int] = field(default_factory=Counter)
    """How much of a unit's Assault or Shield its Might already has, as more can be granted in a later sequence."""
    gave_changes: bool = False
    """Whether abilities were given that themselves alter abilities."""

    def run(self) -> dict[int, Traits]:
        """Apply the layers until nothing changes; returns traits by object id."""
        game = self.game
        for thing in game.state.board.values():
            if thing.attached_to:
                self.game.trace.cite("718.2 721.1 721.2")
                self.table[thing.id] = replace(printed(thing.definition), inactive=True)
        self.find_movers()
        if not self.movers and not any(changes_traits(e) for e in game.state.lasting):
            return self.table
        again = False
        for _ in range(SEQUENCES):
            changed = False
            for layer in (1, 2, 3, 4):
                changed |= self.apply_layer(layer, again)
                for _ in range(DEPTH):
                    if not self.gave_changes:
                        break
                    # what a change of this layer brought into being applies in the same layer, right after it (478.1.a)
                    self.gave_changes = False
                    changed |= self.apply_layer(layer, True)
            again = True
            if not changed or not self.conditional():
                break
        return self.table

    def apply_layer(self, layer: int, again: bool) -> bool:
        """Apply what now applies in a layer and has not been applied yet; returns whether anything can have changed."""
        changed = False
        changes = [c for c in self.changes(layer) if (*c.key, layer) not in self.applied]
        for change in self.in_order(layer, changes):
            if (*change.key, layer) not in self.applied:
                self.applied.add((*change.key, layer))
                changed |= self.apply(change)
                if again:
                    more = " 478.1.a 478.1.b" if layer < 3 else ""
                    self.game.trace.cite(f"476.1 476.2 476.3{more}")
        return changed

    def of(self, thing: Thing) -> Traits:
        """An object's traits as far as they are projected; ``table`` holds those that differ from the printed ones."""
        return self.table.get(thing.id) or printed(thing.definition)

    def conditional(self) -> bool:
        """Whether a change can make another effect apply; if none can, going through the layers again is spared."""
        if any(t.definition.alters or t.attached_to for t in self.movers.values()):
            return True
        return any(effect.ability is not None for effect in self.game.state.lasting)

    def find_movers(self) -> None:
        """Objects that can change traits: with passive abilities, counters, attachments or a combat designation."""
        for thing in self.game.state.board.values():
            if thing.buffs or thing.attached_to or thing.designation or thing.definition.alters:
                self.movers[thing.id] = thing

    def changes(self, layer: int) -> list[Change]:
        """Every effect that now applies to an object in a layer."""
        found: list[Change] = []
        for thing in list(self.movers.values()):
            if layer in (2, 3) and (thing.buffs or thing.attached_to or thing.designation):
                found += self.inherent(thing, layer)
            traits = self.of(thing)
            if any(isinstance(a, Continuous) and layer in a.mods.layers for a, _ in traits.abilities):
                found += self.from_abilities(thing, traits, layer)
        for effect in self.game.state.lasting:
            found += self.from_lasting(effect, layer)
        return found

    def inherent(self, thing: Thing, layer: int) -> Iterator[Change]:
        """Buffs (703), Might bonuses and effect text of attached cards (137.3, 477.2.c), Assault and Shield."""
        context = self.game.context(thing)
        top = self.game.state.board.get(thing.attached_to)
        if layer == 2 and top is not None:
            card = thing.definition
            text = bool(card.effect_keywords or card.effect_abilities)
            if text and self.game.hooks.does("136.2.c 136.2.b 477.2.c 718.3 719.1"):
                mods = Mods(keywords=card.effect_keywords, abilities=card.effect_abilities)
                self.game.trace.cite("718.3 719.1 718.5.g 724")
                reached = self.game.hooks.value("136.2.b 477.2.c", top, thing)
                yield Change(("effect text", thing.id), 2, thing.timestamp, reached, mods, context)
        if layer != 3:
            return
        if buffs := thing.buffs:
            self.game.trace.cite("703")
            each = 1 + sum(number_of(r.value, c) for r, c in self.game.rules("buffs give", thing))
            yield Change(("buff", thing.id), 3, thing.timestamp, thing, Mods(), context, fixed=buffs * each)
        if top is not None:
            bonus = thing.definition.might_bonus
            if bonus and self.game.hooks.does("137.3.a 718.4"):
                self.game.trace.cite("718.4 718.5.g 724")
                bonus = self.game.hooks.count("137.3.a", bonus)
                yield Change(("bonus", thing.id), 3, thing.timestamp, top, Mods(), context, fixed=bonus)
        if thing.designation:
            name = RAISING[thing.designation]
            total = keyword_value(self.of(thing), name, context)
            total = self.game.hooks.count(RAISED[thing.designation], total) if total else total
            more = total - self.counted[thing.id]
            if more > 0 and self.game.hooks.does(RAISED[thing.designation]):
                self.game.trace.cite(value_rules(self.of(thing), name))
                self.game.used_keyword(thing, name)
                self.counted[thing.id] = total
                yield Change((name, thing.id, total), 3, thing.timestamp, thing, Mods(), context, fixed=more)

    def from_abilities(self, thing: Thing, traits: Traits, layer: int) -> Iterator[Change]:
        """Passive abilities of one object and whom they reach."""
        for index, granted in enumerate(self.game.abilities_of(thing, traits)):
            ability = granted.ability
            if isinstance(ability, Continuous) and ability.zone == "board" and layer in ability.mods.layers:
                context = self.game.context(granted.me, this=granted.this)
                if not self.game.active(ability.dependent, context):
                    continue
                if not ability.dependent.always:
                    self.game.trace.cite("727.1.c.2")
                for target in self.targets(ability.to, context):
                    self.game.happened.add(id(ability))
                    key = ("ability", thing.id, index, target.id)
                    yield Change(key, layer, thing.timestamp, target, ability.mods, context, passive=True)

    def from_lasting(self, effect: Lasting, layer: int) -> Iterator[Change]:
        """Effects of resolved spells and abilities that still last."""
        mods = effect.mods
        if isinstance(effect.ability, Continuous):
            context = self.game.lasting_context(effect)
            if layer in effect.ability.mods.layers and self.game.active(effect.ability.dependent, context):
                for target in self.targets(effect.ability.to, context):
                    self.game.happened.add(id(effect.ability))
                    key = ("delayed", effect.id, target.id)
                    yield Change(key, layer, effect.timestamp, target, effect.ability.mods, context, passive=True)
        if mods is None or layer not in mods.layers:
            return
        for ident in effect.ids:
            target_thing = self.game.state.board.get(ident)
            if target_thing is not None:
                fixed = effect.snapshot if layer in (3, 4) else None
                if fixed is not None and (fixed < 0) != (layer == 4):
                    continue
                context = self.game.lasting_context(effect)
                yield Change(("lasting", effect.id, ident), layer, effect.timestamp, target_thing, mods, context, fixed)

    def targets(self, what: Noun | Ref, context: Context) -> Iterable[Thing]:
        if isinstance(what, Ref):
            return [t for t in resolve(what, context) if isinstance(t, Thing) and t.id in self.game.state.board]
        return [t for t in list(self.game.state.board.values()) if matches(t, what, context)]

    def in_order(self, layer: int, changes: list[Change]) -> list[Change]:
        """By timestamp, an effect that depends on another right after it (478-480)."""
        changes.sort(key=lambda c: c.timestamp)
        changes = self.game.hooks.order("480.3", changes)
        if len(changes) > 1 and changes[0].timestamp < changes[-1].timestamp:
            self.game.trace.cite("480.3")
        if layer not in (3, 4) or all(c.fixed is not None for c in changes):
            return changes
        ordered: list[Change] = []
        waiting = list(changes)
        while waiting:
            ready = next((c for c in waiting if not any(self.depends(c, o) for o in waiting if o is not c)), waiting[0])
            waiting.remove(ready)
            ordered.append(ready)
        return ordered

    def depends(self, one: Change, other: Change) -> bool:
        """Whether applying ``other`` first alters what ``one`` does, and not the other way round (479, 479.1)."""
        if one.target is not other.target or one.fixed is not None:
            return False
        if not self.altered_by(one, other):
            return False
        mutual = other.fixed is None and self.altered_by(other, one)
        self.game.trace.cite("479.1" if mutual else "478.1.c 479.2")
        return not self.game.hooks.holds("479.1", mutual) and self.game.hooks.does("478.1.c 479.2")

    def altered_by(self, one: Change, other: Change) -> bool:
        target = one.target
        before = self.of(target)
        might = before.might or 0
        alone = self.delta(one, might)
        might += self.delta(other, might)
        self.table[target.id] = replace(before, might=might)
        after = self.delta(one, might)
        self.table[target.id] = before
        return alone != after

    def delta(self, change: Change, might: int) -> int:
        """By how much a change moves a Might of ``might``."""
        if change.fixed is not None:
            return change.fixed
        return might_change(change.mods, might, change.context)

    def apply(self, change: Change) -> bool:
        """Carry one change out; returns whether anything can have changed."""
        target = change.target
        traits = self.of(target)
        mods = change.mods
        match change.layer:
            case 1 if mods.base_might is None and not self.game.hooks.does("477.1.c"):
                return False
            case 1 if mods.domains and target.token and not self.game.hooks.does("185.3.b.1"):
                return False
            case 1:
                self.table[target.id] = self.alter_traits(traits, mods, change.context)
            case 2:
                self.table[target.id] = self.alter_abilities(traits, mods, change)
            case _:
                if traits.might is None:
                    return False
                moved = self.delta(change, traits.might)
                if moved == 0:
                    return False
                if (moved < 0) != (change.layer == 4):
                    return False
                self.table[target.id] = replace(traits, might=traits.might + moved)
                bonus = " 477.3.d" if change.key[0] == "bonus" else ""
                self.game.trace.cite(("477.3.a 477.3.e.1.a" if moved > 0 else "477.3.a 477.3.e.2.a") + bonus)
        return True

    def alter_traits(self, traits: Traits, mods: Mods, context: Context) -> Traits:
        """Layer 1 (477.1)."""
        self.game.trace.cite("477.1.a.1" if mods.base_might is not None else "477.1.c")
        might = traits.might
        if mods.base_might is not None:
            might = amount_of(mods.base_might, context)
        types = traits.types | frozenset(mods.types)
        if "unit" in mods.types and might is None:
            might = 0
        named = [context.bindings.get(d) if d.startswith("$") else d for d in mods.domains]
        domains = tuple(dict.fromkeys((*traits.domains, *(d for d in named if isinstance(d, str)))))
        return replace(traits, types=types, tags=traits.tags | frozenset(mods.tags), domains=domains, might=might)

    def alter_abilities(self, traits: Traits, mods: Mods, change: Change) -> Traits:
        """Layer 2 (477.2)."""
        if not self.game.hooks.does("477.2.a 477.2.b"):
            return traits
        self.game.trace.cite("477.2.b")
        keywords = list(mods.keywords)
        # an attached card's effect text speaks of that card as "this" (136.2.d); what else is given, of who has it
        given_by = change.context.this
        source = 0
        if given_by is not None and change.key[0] == "effect text":
            source = self.game.hooks.actor("136.2.c 136.2.d", given_by.id, 0)
            self.game.trace.cite("136.2.d")
        abilities = [(a, source) for a in mods.abilities]
        if mods.keywords_of is not None:
            for thing in resolve(mods.keywords_of, change.context):
                if isinstance(thing, Thing):
                    other = self.table.get(thing.id) or self.game.traits(thing)
                    keywords += [*other.keywords, *other.granted]
        if mods.exhaust_abilities_of is not None:
            for thing in list(self.game.state.board.values()):
                if thing is not change.target and matches(thing, mods.exhaust_abilities_of, change.context):
                    speaker = self.game.hooks.actor("477.2.a", 0, thing.id)
                    abilities += [(a, speaker) for a in exhaust_abilities(thing.definition)]
        if mods.text_of is not None and self.game.hooks.does("477.1.b.1.b"):
            for thing in resolve(mods.text_of, change.context):
                if isinstance(thing, Thing):
                    text = printed(thing.definition)
                    keywords += text.keywords
                    abilities += [(a, 0) for a, _ in text.abilities]
        if abilities:
            self.movers[change.target.id] = change.target
            self.gave_changes |= any(isinstance(a, Continuous) and 2 in a.mods.layers for a, _ in abilities)
        kept = tuple(k for k in traits.keywords if k.name not in mods.lose)
        granted = tuple(k for k in traits.granted if k.name not in mods.lose)
        blocked = traits.untargetable | ({mods.untargetable_by} if mods.untargetable_by else frozenset())
        return replace(
            traits,
            keywords=kept,
            granted=(*granted, *keywords),
            ability_keywords=(*traits.ability_keywords, *mods.ability_keywords),
            abilities=(*traits.abilities, *abilities),
            untargetable=blocked,
        )


def changes_traits(effect: Lasting) -> bool:
    """Whether a lasting effect can change any object's traits."""
    return effect.mods is not None or isinstance(effect.ability, Continuous | Rule)


def exhaust_abilities(card: CardDefinition) -> list[Ability]:
    """Activated abilities whose cost exhausts their source (``[Exhaust]`` abilities)."""
    return [
        a
        for a in card.abilities
        if isinstance(a, Activated) and any(p.action == "exhaust" and isinstance(p.what, Ref) for p in a.cost.parts)
    ]


def might_change(mods: Mods, might: int, context: Context) -> int:
    """By how much mods move a Might, limits included (477.3)."""
    if mods.might_to is not None:
        return max(0, number_of(mods.might_to, context) - might)
    moved = amount_of(mods.might, context) if mods.might is not None else 0
    if moved is None:
        return 0
    if moved < 0 and mods.minimum is not None:
        floor = number_of(mods.minimum, context)
        return -min(-moved, max(0, might - floor))
    if moved > 0 and mods.maximum is not None:
        ceiling = number_of(mods.maximum, context)
        return min(moved, max(0, ceiling - might))
    return moved


def keyword_value(traits: Traits, name: str, context: Context) -> int:
    """The summed value of a keyword that adds up (807.2, 809.2, 814.2, 823.2); an omitted value is 1."""
    total = 0
    for use in traits.active_keywords():
        if use.name == name:
            total += times_of(use.value, context)
    return total


def all_abilities(thing: Thing, traits: Traits, board: dict[int, Thing]) -> list[Granted]:
    """Abilities an object has now, its active keywords' included; inactive rules text is left out (721)."""
    found: list[Granted] = []
    for index, (ability, source) in enumerate(traits.abilities):
        if traits.inactive and index < len(thing.definition.abilities):
            continue
        this = board.get(source, thing) if source else thing
        found.append(Granted(ability, thing, this, (thing.id, index)))
    for position, use in enumerate(merged(traits)):
        for number, ability in enumerate(keyword_abilities(use)):
            found.append(Granted(ability, thing, thing, (thing.id, "keyword", position, number)))
    return found


def merged(traits: Traits) -> list[KeywordUse]:
    """Keywords as they count: values summed where they add up, redundant ones once (807.2, 816.2, 823.2)."""
    found: list[KeywordUse] = []
    once: set[str] = set()
    for use in traits.active_keywords():
        if use.name == "Hunt" and "Hunt" in once:
            old = next(k for k in found if k.name == "Hunt")
            first = old.value.value if isinstance(old.value, Number) else 1
            second = use.value.value if isinstance(use.value, Number) else 1
            found[found.index(old)] = KeywordUse("Hunt", Number(first + second))
            continue
        if use.name in ("Temporary", "Quick-Draw", "Hunt"):
            if use.name in once:
                continue
            once.add(use.name)
        found.append(use)
    return found
