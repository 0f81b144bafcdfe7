"""Reading phrases against the state: which objects match, what an amount is, whether a condition holds.

A :class:`Context` says whose eyes to look through: the source (``me``, ``this``), its controller (``you``), the event
(``that``, ``they``), and what was named before. Information that is no longer there is None, "null" in 359.3.e.12;
``moved`` are objects that this very effect took off the board and may look back at (359.3.e.13).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from operator import add, mul, sub
from typing import TYPE_CHECKING, assert_never

from kb.cards.phrases import (
    Amount,
    Arithmetic,
    AttributeOf,
    Bound,
    Choosing,
    Compare,
    Comparison,
    Condition,
    Every,
    Fact,
    Having,
    Is,
    Not,
    Noun,
    Number,
    NumberOf,
    Place,
    Qualifier,
    Ref,
    Relation,
    Tally,
)
from kb.engine.asking import Unsupported
from kb.engine.citing_keywords import CHARACTERISTIC, CHARACTERISTIC_OF_SPELLS, asked_for
from kb.engine.state import ChainItem, Happening, Location, Thing
from kb.engine.zones import BOARD, Zone

if TYPE_CHECKING:
    from kb.engine.game import Game

Candidate = Thing | ChainItem | str
"""What a noun phrase can pick: a game object, a chain item, or a player or base (by name)."""


@dataclass(eq=False, slots=True)
class Context:
    """Through whose eyes a phrase is read. ``you`` is None where nobody is (an uncontrolled battlefield, 190.6.d).

    Made often, and never changed once it is made.
    """

    game: Game
    you: str | None
    me: Thing | None = None
    this: Thing | None = None
    item: ChainItem | None = None
    event: Happening | None = None
    they: str | None = None
    here: Location | None = None
    bindings: dict[str, object] = field(default_factory=dict)
    last_did: bool = False
    moved: frozenset[int] = frozenset()


def resolve(ref: Ref, context: Context) -> list[Candidate]:
    """What a reference names now; empty where it names nothing any more."""
    named = base_of_ref(ref.name, context)
    for step in reversed(ref.path):
        named = [x for n in named for x in possess(step, n, context)]
    return named


def base_of_ref(name: str, context: Context) -> list[Candidate]:
    """The things a bare reference names."""
    match name:
        case "me":
            return [] if context.me is None else [current(context.me, context.game)]
        case "this":
            source = context.this or context.me
            return [] if source is None else [current(source, context.game)]
        case "that":
            event = context.event
            if event is None:
                return []
            if event.verb in ("conquers", "holds", "scores") and isinstance(event.place, int):
                return [context.game.state.things[event.place]]
            if event.item is not None and event.thing is None:
                return [event.item]
            return [] if event.thing is None else [current(event.thing, context.game)]
        case "you":
            return [] if context.you is None else [context.you]
        case "they":
            return [] if context.they is None else [context.they]
        case "attacker" | "defender":
            struggle = context.game.state.struggle
            side = None if struggle is None else struggle.attacker if name == "attacker" else struggle.defender
            return [] if side is None else [side]
        case "here":
            here = context.here
            battlefield = context.game.state.things.get(here) if isinstance(here, int) else None
            return [battlefield] if battlefield is not None else [here] if isinstance(here, str) else []
        case _:
            return bound(context.bindings.get(name), context.game)


def bound(value: object, game: Game) -> list[Candidate]:
    """The objects behind a name; a played card stands for what it became."""
    if value is None or isinstance(value, int):
        return []
    if isinstance(value, list | tuple):
        return [x for v in value for x in bound(v, game)]
    if isinstance(value, ChainItem):
        return [value.result] if value.result is not None else [value]
    if isinstance(value, Thing):
        return [current(value, game)]
    return [value] if isinstance(value, str) else []


def current(thing: Thing, game: Game) -> Thing:
    """The object itself, which is another one once it has changed zones (124)."""
    if thing.gone and thing.successor and not game.hooks.does("124"):
        return current(game.state.things[thing.successor], game)
    return thing


def possess(step: str, thing: Candidate, context: Context) -> list[Candidate]:
    """``controller of``, ``owner of``, ``location of``, ``legend of``, ``base of``."""
    game = context.game
    match step:
        case "controller":
            if isinstance(thing, Thing):
                who = thing.controller
                return [who] if who else []
            return [thing.controller] if isinstance(thing, ChainItem) else [thing]
        case "owner":
            if isinstance(thing, ChainItem) and thing.thing is not None:
                return [thing.thing.owner]
            return [thing.owner] if isinstance(thing, Thing) else []
        case "location":
            where = thing.location if isinstance(thing, Thing) else None
            if isinstance(thing, Thing) and thing.gone:
                known = thing.id in context.moved or not game.hooks.does("359.3.e.12")
                where = thing.last_location if known else where
            if context.event is not None and context.event.thing is thing and not game.hooks.does("359.3.f.2"):
                where = context.event.place
            if isinstance(where, int):
                return [game.state.things[where]]
            return [where] if where is not None else []
        case "origin":
            came = context.event.origin if context.event is not None else None
            if isinstance(came, int):
                return [game.state.things[came]]
            return [came] if came is not None else []
        case "base":
            owner = thing if isinstance(thing, str) else thing.controller
            return [owner] if owner else []
        case "legend":
            return [*game.zone_cards(Zone.LEGEND, thing)] if isinstance(thing, str) else []
        case _:
            raise Unsupported(f"the possessive {step!r}")


def location_of(value: Candidate | None) -> Location | None:
    """A location from a battlefield object or a player's name (whose base it is)."""
    if isinstance(value, Thing):
        return value.place
    return value if isinstance(value, str) else None


def candidates(noun: Noun, context: Context) -> list[Candidate]:
    """Everything that matches a noun phrase now, in a fixed order."""
    return [c for c in pool(noun, context) if matches(c, noun, context)]


def pool(noun: Noun, context: Context) -> Iterable[Candidate]:
    """Where to look for what a noun phrase describes."""
    game, place = context.game, noun.place
    kinds = set(noun.kinds)
    if kinds & {"player", "opponent"}:
        return list(game.players_in_order())
    if place is not None and place.kind == "from" and place.ref is not None:
        return base_of_ref(place.ref.name, context)
    if place is not None and place.kind == "zone":
        return game.zone_cards(Zone(place.zone), None)
    if kinds & {"spell", "ability"}:
        return game.hooks.options("355.9.a.2", list(game.state.chain), [*game.state.chain, *spells_elsewhere(game)])
    if "champion" in kinds and place is None:
        champions = game.zone_cards(Zone.CHAMPION, None)
        return game.hooks.options("355.9.a.5", champions, [*champions, *game.state.board.values()])
    if "facedown" in noun.states:
        hidden = game.zone_cards(Zone.FACEDOWN, None)
        return game.hooks.options("355.9.a.3", hidden, [*hidden, *game.zone_cards(Zone.HAND, None)])
    if "location" in kinds:
        things: list[Candidate] = [game.state.things[b] for b in game.state.battlefields]
        fields = things if game.hooks.does("107.2.b 198.1") else []
        return [*fields, *(game.players_in_order() if game.hooks.does("107.1.b 198.1") else [])]
    return [t for t in game.state.board.values() if t.zone is not Zone.FACEDOWN]


def spells_elsewhere(game: Game) -> list[Candidate]:
    """Spell cards that are not on the Chain, which "spell" does not mean (355.9.a.2)."""
    return [t for t in game.zone_cards(Zone.TRASH, None) if "spell" in t.card.types]


def matches(candidate: Candidate, noun: Noun, context: Context) -> bool:
    """Whether one candidate fits a noun phrase (its quantity and group apart)."""
    if isinstance(candidate, str):
        return matches_player(candidate, noun, context)
    if isinstance(candidate, ChainItem):
        return matches_item(candidate, noun, context)
    if candidate.gone:
        return False
    kinds = noun.kinds
    if len(kinds) == 1 and kinds[0] in TYPES:
        types = context.game.traits(candidate).types
        if kinds[0] not in types or (len(types) > 1 and not any_type_counts(candidate, kinds[0], context.game)):
            return False
    elif not matches_kind(candidate, kinds, context):
        return False
    return (
        not (noun.other and (candidate is context.this or candidate is context.me))
        and matches_whose(candidate, noun.whose, context)
        and all(matches_state(candidate, s, context) for s in noun.states)
        and (noun.place is None or matches_place(candidate, noun.place, context))
        and all(c.total or compares(candidate, c, context) for c in noun.comparisons)
        and all(matches_having(candidate, h, context) for h in noun.having)
    )


def any_type_counts(thing: Thing, kind: str, game: Game) -> bool:
    """Whether each type of an object with more than one lets effects on that type reach it."""
    if kind == thing.card.main_type:
        return game.hooks.value("178.3", True, len(thing.card.types) == 1)
    return game.hooks.does("178.3")


def matches_player(player: str, noun: Noun, context: Context) -> bool:
    game = context.game
    if "location" in noun.kinds:
        return noun.whose != "enemy" or (context.you is not None and game.enemies(player, context.you))
    if "opponent" in noun.kinds and (context.you is None or not game.enemies(player, context.you)):
        return False
    return not (noun.other and player == context.you)


def matches_item(item: ChainItem, noun: Noun, context: Context) -> bool:
    """Spells and abilities on the chain; a spell or ability never means itself (355.9.c)."""
    if context.game.hooks.holds("355.9.c", item is context.item) or item.left:
        return False
    if item.kind not in noun.kinds and "card" not in noun.kinds:
        return False
    if not whose(item.controller, item.controller, noun.whose, context):
        return False
    energy, power = item.base_cost if context.game.hooks.does("206 356.1.c") else total_paid(item, context.game)
    numbers = {"energy": energy, "power": power}
    for comparison in noun.comparisons:
        wanted = amount_of(comparison.amount, context)
        if wanted is None or not compare(numbers[comparison.attribute], comparison.operator, wanted):
            return False
    for having in noun.having:
        if isinstance(having, Choosing):
            if not item_chooses(item, having, context):
                return False
        elif item.thing is not None and not matches_having(item.thing, having, context):
            return False
    return True


def total_paid(item: ChainItem, game: Game) -> tuple[int, int]:
    """What a chain item costs with everything that changes it, which is not what effects read."""
    from kb.engine.costs import total_of

    total = total_of(game, item)
    return total.energy, len(total.power)


def item_chooses(item: ChainItem, choosing: Choosing, context: Context) -> bool:
    """Whether a chain item targets something, counting mistargets that are still on the board (359.3.e.9.a)."""
    targets = [t for t in context.game.targets_of(item) if isinstance(t, Thing) and not t.gone]
    if isinstance(choosing.what, Ref):
        wanted = [t for t in resolve(choosing.what, context) if isinstance(t, Thing)]
        if not any(t is w for t in targets for w in wanted):
            return False
        if choosing.only:
            friends = [t for t in targets if "unit" in context.game.traits(t).types and friendly(t, context)]
            return all(any(t is w for w in wanted) for t in friends)
        return True
    return any(matches(t, choosing.what, context) for t in targets)


def friendly(thing: Thing, context: Context) -> bool:
    """740.1.a."""
    context.game.trace.cite("740.1.a")
    return (
        thing.controller is not None
        and context.you is not None
        and not context.game.enemies(thing.controller, context.you)
    )


TYPES = frozenset(("unit", "gear", "rune", "legend", "battlefield", "spell"))
"""Kinds that are nothing but a card type."""


def matches_kind(thing: Thing, kinds: tuple[str, ...], context: Context) -> bool:
    traits = context.game.traits(thing)
    for kind in kinds:
        match kind:
            case "object" | "card" if thing.zone not in (Zone.BASE, Zone.BATTLEFIELD) or kind == "object":
                return True
            case "permanent":
                if "permanent" in described(traits.types) or counts_as_permanent(thing, traits.types, context):
                    return True
            case "equipment":
                if "Equipment" in traits.tags:
                    return True
            case "champion":
                if thing.zone is Zone.CHAMPION:
                    return True
            case "token":
                if thing.token:
                    return True
            case "location":
                if "battlefield" in traits.types:
                    return True
            case _:
                if kind in traits.types:
                    return True
    return False


NOT_PERMANENT = {"battlefield": "171", "legend": "175", "rune": "161.1.a"}
"""Types of objects that stay on the board without being Permanents, with the rule that says so."""


def described(types: frozenset[str]) -> frozenset[str]:
    """Types with what they are called together: units and gear are permanents (141, 148)."""
    return types if types.isdisjoint(("unit", "gear")) else types | {"permanent"}


def counts_as_permanent(thing: Thing, types: Iterable[str], context: Context) -> bool:
    """Never: battlefields, legends and runes are no Permanents, although they stay on the board; not those that a
    player controls either, for what that player does."""
    hooks = context.game.hooks
    own = thing.controller is not None and thing.controller == context.you
    return any(
        not hooks.does(NOT_PERMANENT[kind]) or hooks.value(NOT_PERMANENT[kind], False, own)
        for kind in types
        if kind in NOT_PERMANENT
    )


def whose(controller: str | None, owner: str, word: str, context: Context) -> bool:
    """``friendly``, ``enemy`` (740.1), ``your``, ``their``, ``opposing``."""
    game = context.game
    match word:
        case "":
            return True
        case "friendly":
            if context.you is None or controller is None:
                return False
            if game.hooks.value("489.8.e", False, controller == context.you and bool(game.teammates(controller))):
                return False
            shared = game.hooks.does("489.8.e")
            return not game.enemies(controller, context.you) if shared else controller == context.you
        case "enemy" | "opposing":
            return context.you is not None and controller is not None and game.enemies(controller, context.you)
        case "your":
            return controller is not None and controller == context.you
        case "their" | "its":
            return controller is not None and controller == context.they
        case _:
            raise Unsupported(f"the word {word!r}")


def matches_whose(thing: Thing, word: str, context: Context) -> bool:
    controller = thing.controller if thing.zone in BOARD or thing.zone is Zone.CHAIN else thing.owner
    return whose(controller, thing.owner, word, context)


def matches_state(thing: Thing, word: str, context: Context) -> bool:
    """States and supertypes (124.2, 170.11, 706-708, 740.2)."""
    if word.startswith("non-"):
        has = matches_state(thing, word.removeprefix("non-"), context)
        return not has if context.game.hooks.does("133.3") else has
    game = context.game
    match word:
        case "attacking":
            return thing.attacks
        case "defending":
            return thing.defends
        case "damaged":
            return bool(thing.damage)
        case "stunned":
            return thing.stunned
        case "exhausted":
            return thing.exhausted
        case "ready":
            return game.hooks.holds("415.2", not thing.exhausted)
        case "buffed":
            return bool(thing.buffs)
        case "empowered":
            return thing.empowered
        case "attached":
            return bool(thing.attached_to)
        case "unattached":
            return not thing.attached_to
        case "equipped":
            game.trace.cite("818.3.a 818.3.b 818.3.c")
            return any("Equipment" in game.traits(t).tags for t in game.attached_to(thing))
        case "mighty":
            game.trace.cite("708 710" if thing.on_board else "711")
            return game.might(thing) >= 5
        case "facedown" | "hidden":
            return thing.zone is Zone.FACEDOWN
        case "token":
            return thing.token
        case "champion" | "signature":
            return word in game.traits(thing).supertypes
        case "chosen":
            return game.is_chosen_champion(thing)
        case "alone":
            return game.is_alone(thing)
        case "occupied":
            return any("unit" in game.traits(t).types for t in game.at(thing.id))
        case "uncontrolled":
            return thing.controller is None
        case "controlled":
            return thing.controller is not None
        case "open":
            return thing.controller is None and not matches_state(thing, "occupied", context)
        case "copied":
            return thing.copied is not None
        case _:
            raise Unsupported(f"the state {word!r}")


def matches_place(thing: Thing, place: Place, context: Context) -> bool:
    """Where an object must be."""
    match place.kind:
        case "zone":
            return thing.zone is Zone(place.zone) and whose(thing.owner, thing.owner, place.whose, context)
        case "from":
            return True
        case _:
            return is_at(thing.location, place, context)


def is_at(where: Location | None, place: Place, context: Context) -> bool:
    """Whether a location is the place that a phrase names; "another" battlefield is one other than here."""
    if where is None:
        return False
    match place.kind:
        case "here":
            return where == context.here
        case "base":
            return isinstance(where, str) and whose(where, where, place.whose, context)
        case "at" | "elsewhere":
            assert place.ref is not None
            spots = {location_of(x) for x in resolve(place.ref, context)} - {None}
            return where in spots if place.kind == "at" else bool(spots) and where not in spots
        case "noun":
            noun = place.noun
            assert noun is not None
            if isinstance(where, str):
                return "location" in noun.kinds and matches_player(where, noun, context)
            battlefield = context.game.state.things[where]
            return not (noun.other and where == context.here) and matches(battlefield, noun, context)
        case _:
            raise Unsupported(f"the place {place}")


def compares(thing: Thing, comparison: Comparison, context: Context) -> bool:
    have = attribute(thing, comparison.attribute, context)
    want = amount_of(comparison.amount, context)
    return have is not None and want is not None and compare(have, comparison.operator, want)


def compare(left: int, operator: str, right: int) -> bool:
    match operator:
        case "<=":
            return left <= right
        case ">=":
            return left >= right
        case "<":
            return left < right
        case ">":
            return left > right
        case "=":
            return left == right
        case _:
            return left != right


def relates(thing: Thing, relation: Relation, context: Context) -> bool:
    """Whether a thing stands in a relation to another."""
    game = context.game
    if relation.kind == "holding":
        noun = relation.to
        assert isinstance(noun, Noun)
        return any(matches(u, noun, context) for u in game.at(thing.id))
    others = resolve(relation.to, context) if isinstance(relation.to, Ref) else candidates(relation.to, context)
    things = [t for t in others if isinstance(t, Thing)]
    match relation.kind:
        case "attached to":
            return any(thing.attached_to == t.id for t in things)
        case "other than":
            return not any(t is thing for t in things)
        case "with the same controller as":
            return any(t.controller == thing.controller for t in things)
        case "banished by":
            game.trace.cite("395 397")
            return game.hooks.holds("395 397 427.3.a", any(thing.banished_by == t.id for t in things))
        case _:
            raise Unsupported(f"the relation {relation.kind!r}")


def matches_having(thing: Thing, having: Qualifier, context: Context) -> bool:
    if isinstance(having, Choosing):
        return False
    if isinstance(having, Relation):
        return relates(thing, having, context)
    traits = context.game.traits(thing)
    values = having.values
    if any(v.startswith("$") for v in values):
        values = tuple(str(context.bindings.get(v, "")) if v.startswith("$") else v for v in values)
    match having.what:
        case "keyword":
            found = any(has_keyword(thing, v, context) for v in values)
            context.game.trace.cite(asked_for(values, traits.types))
            if traits.inactive:
                context.game.trace.cite("722.1 722.2")
        case "tag":
            found = context.game.hooks.holds("133.3", any(v in traits.tags for v in values))
        case "name":
            found = traits.name in values
        case "domain":
            found = any(v in traits.domains for v in values)
        case _:
            found = any(v in traits.types for v in values)
    if having.negated:
        context.game.trace.cite("133.3")
    return found != (having.negated and context.game.hooks.does("133.3"))


def has_keyword(thing: Thing, keyword: str, context: Context) -> bool:
    """Whether an object has a keyword, which is a characteristic of it that effects may ask for.

    A keyword in front of an ability is there as well while its condition is not met.
    """
    hooks, traits = context.game.hooks, context.game.traits(thing)
    found = traits.has(keyword)
    if has_introducing_keyword(traits.abilities, keyword):
        found = hooks.does("727.1.b.1") or keyword not in ("Legion", "Level", "Empowered")
    if "spell" in traits.types and keyword in CHARACTERISTIC_OF_SPELLS:
        return hooks.holds(CHARACTERISTIC_OF_SPELLS[keyword], found)
    return hooks.holds(CHARACTERISTIC.get(keyword, ""), found)


def has_introducing_keyword(abilities: tuple[tuple[object, int], ...], keyword: str) -> bool:
    """Deathknell, Legion, Level, Empowered: keywords that stand in front of an ability (726, 808)."""
    for ability, _ in abilities:
        if getattr(ability, "keyword", "") == keyword:
            return True
        dependent = getattr(ability, "dependent", None)
        if dependent is not None:
            said = {"Legion": dependent.legion, "Level": dependent.level, "Empowered": dependent.empowered}
            if said.get(keyword):
                return True
    return False


def attribute(thing: Candidate, name: str, context: Context) -> int | None:
    """A number of an object or player; None where the object is not where the number can be read (359.3.e.12)."""
    game = context.game
    if isinstance(thing, str):
        player = game.state.players.get(thing)
        if player is None:
            return None
        return {"points": player.points, "xp": player.xp, "level": player.xp}.get(name, game.state.victory_score)
    if isinstance(thing, ChainItem):
        return thing.base_numbers.get(name)
    traits = thing.last if thing.gone and thing.last is not None else game.traits(thing)
    if thing.gone:
        game.trace.cite("359.3.e.13")
    match name:
        case "might":
            return None if traits.might is None else max(0, traits.might)
        case "energy":
            return traits.energy if game.hooks.does("206") else 0
        case "power":
            return traits.power
        case "damage":
            return thing.damage
        case "buffs":
            return thing.buffs
        case "bonus":
            return thing.definition.might_bonus or 0
        case _:
            raise Unsupported(f"the attribute {name!r}")


AGGREGATES: dict[str, Callable[[list[int]], int]] = {"highest": max, "lowest": min, "total": sum}
SIGNS: dict[str, Callable[[int, int], int]] = {"+": add, "-": sub, "*": mul}


def amount_of(amount: Amount | None, context: Context) -> int | None:
    """The number an amount stands for now; None is "null" (359.3.e.12)."""
    match amount:
        case None:
            return None
        case Number(value=value):
            return value
        case AttributeOf(attribute=name, of=ref):
            found = [attribute(x, name, context) for x in resolve(ref, context)]
            known = [x for x in found if x is not None]
            return sum(known) if known else None
        case NumberOf(what=noun, aggregate=aggregate, attribute=name):
            things = candidates(noun, context)
            if aggregate == "number":
                return len(things)
            values = [v for v in (attribute(t, name, context) for t in things) if v is not None]
            if not values:
                return 0
            return AGGREGATES[aggregate](values)
        case Tally(words=words):
            return context.game.tally(words, context)
        case Arithmetic(operator=operator, left=left, right=right):
            one, two = amount_of(left, context), amount_of(right, context)
            if one is None or two is None:
                return None
            return SIGNS[operator](one, two)
        case Bound(name=name):
            bound = context.bindings.get(name)
            if isinstance(bound, int):
                return bound
            return len(bound) if isinstance(bound, list | tuple) else None
        case _:
            assert_never(amount)


def number_of(amount: Amount | None, context: Context) -> int:
    """The number an amount stands for now, where "null" is as good as none (359.3.e.12)."""
    return amount_of(amount, context) or 0


def times_of(amount: Amount | None, context: Context) -> int:
    """How many times, once where a text does not say."""
    return 1 if amount is None else number_of(amount, context)


def holds(condition: Condition | None, context: Context) -> bool:
    """Whether a condition is true now."""
    match condition:
        case None:
            return True
        case Compare(left=left, operator=operator, right=right):
            one, two = amount_of(left, context), amount_of(right, context)
            return one is not None and two is not None and compare(one, operator, two)
        case Is(subject=subject, noun=noun, negated=negated):
            found = resolve(subject, context)
            return bool(found) and all(matches_seen(x, noun, context) != negated for x in found)
        case Fact(word=word, argument=argument):
            return context.game.fact(word, argument, context)
        case Not(of=inner):
            return not holds(inner, context)
        case Every(joiner=joiner, parts=parts):
            results = (holds(p, context) for p in parts)
            return all(results) if joiner == "and" else any(results)
        case _:
            assert_never(condition)


def matches_seen(candidate: Candidate, noun: Noun, context: Context) -> bool:
    """As :func:`matches`; an object that left the board is read by its last known traits.

    What left another zone was a card there, and only "a card" speaks of it (355.9.a.1).
    """
    if isinstance(candidate, Thing) and candidate.gone and candidate.last is None:
        card = candidate.definition
        named = [h for h in noun.having if isinstance(h, Having) and h.what == "tag"]
        return (
            "card" in noun.kinds
            and not candidate.token
            and not noun.states
            and all(any(v in card.tags for v in h.values) != h.negated for h in named)
        )
    if isinstance(candidate, Thing) and candidate.gone and candidate.last is not None:
        wanted = [k for k in noun.kinds if k not in ("object", "permanent", "card", "token", "equipment")]
        kinds = not wanted or any(k in candidate.last.types for k in wanted)
        tags = all(
            not isinstance(h, Having)
            or h.what != "tag"
            or (any(v in candidate.last.tags for v in h.values) != h.negated)
            for h in noun.having
        )
        states = all(matches_gone_state(candidate, s) for s in noun.states)
        return kinds and tags and states
    return matches(candidate, noun, context)


def matches_gone_state(thing: Thing, word: str) -> bool:
    """States that can still be told of an object that left the board."""
    if word.startswith("non-"):
        return not matches_gone_state(thing, word.removeprefix("non-"))
    match word:
        case "token":
            return thing.token
        case "stunned":
            return thing.stunned
        case "exhausted":
            return thing.exhausted
        case "damaged":
            return bool(thing.damage)
        case "buffed":
            return bool(thing.buffs)
        case "champion" | "signature":
            return thing.last is not None and word in thing.last.supertypes
        case _:
            return False


def as_things(found: Iterable[Candidate]) -> list[Thing]:
    """Only the game objects among candidates."""
    return [x for x in found if isinstance(x, Thing)]
