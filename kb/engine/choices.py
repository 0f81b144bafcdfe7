"""Choices of a chain item: which phrases of its instructions are targets, modes and destinations (355, 402).

:func:`slots` walks the instructions in printed order and lists every choice that is made while the item is finalized;
which mentions are targets follows 355.10. The same keys find the choices again when the instructions are executed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kb.cards.phrases import Noun, Place, Ref
from kb.cards.syntax import Effect, Forbid, Instruction
from kb.engine.asking import Refusal
from kb.engine.filters import (
    Candidate,
    Context,
    amount_of,
    attribute,
    candidates,
    compare,
    location_of,
    matches,
    number_of,
    resolve,
)
from kb.engine.legality import forbidden, untargetable, why_not_control, why_not_move, why_not_present
from kb.engine.state import ChainItem, Location, Thing
from kb.engine.zones import PUBLIC, Zone

if TYPE_CHECKING:
    from kb.engine.game import Game

Key = tuple[int, int, str]
CHOSEN = ("a", "up to", "any number of", "exactly")


@dataclass(frozen=True)
class Slot:
    """One choice made while finalizing. ``role`` is target, place (a battlefield of "all ... at a battlefield"),
    destination or mode."""

    key: Key
    role: str
    noun: Noun | None = None
    instruction: Instruction | None = None
    argument: str = ""
    modes: tuple[Effect, ...] = ()


def is_choice(noun: Noun) -> bool:
    """Whether a phrase has something chosen at all (355.5.a); of one's own legend there is only one (355.10.d)."""
    return noun.quantity in CHOSEN and not only_one(noun)


def only_one(noun: Noun) -> bool:
    """Whether no choice is ever possible for a phrase (355.10.d.1)."""
    return (noun.quantity, noun.whose, noun.kinds) == ("a", "your", ("legend",))


def is_target(noun: Noun, who: object | None) -> bool:
    """355.10: a chosen thing is a target unless its zone is not public (355.10.a), or another player chooses it
    (355.10.e), or a "must"."""
    if not is_choice(noun):
        return False
    if who is not None:
        return False
    place = noun.place
    if place is not None:
        if place.kind == "from":
            return False
        if place.kind == "zone" and Zone(place.zone) not in PUBLIC:
            return False
    return True


def phrases(instruction: Instruction) -> Iterator[tuple[str, Noun]]:
    """The noun phrases among an instruction's arguments that something can be chosen for."""
    for name, value in instruction.args.items():
        if name in ("source", "whose", "reveal_until", "each_player", "for_each", "name_card"):
            continue
        if isinstance(value, Noun):
            yield name, value
        elif isinstance(value, tuple):
            for index, part in enumerate(value):
                if isinstance(part, Noun):
                    yield f"{name}[{index}]", part


def slots(effect: Effect, item: ChainItem, repetition: int) -> Iterator[Slot]:
    """Choices of instructions in order; those of reflexive, delayed and other players' parts come later (355.5.b)."""
    for instruction in effect:
        yield from slots_of(instruction, item, repetition)


def slots_of(instruction: Instruction, item: ChainItem, repetition: int) -> Iterator[Slot]:
    key = id(instruction)
    verb = instruction.verb
    if verb in ("do_this", "later", "each_player", "for_each"):
        return
    if verb == "one_of":
        modes = instruction.args["one_of"]
        assert isinstance(modes, tuple)
        yield Slot((repetition, key, "mode"), "mode", None, instruction, "one_of", modes)
        for index in item.modes.get((repetition, key), []):
            yield from slots(modes[index], item, repetition)
        return
    if verb == "either":
        modes = instruction.args["either"]
        assert isinstance(modes, tuple)
        for mode in modes:
            yield from slots(mode, item, repetition)
        return
    for argument, noun in phrases(instruction):
        yield from noun_slots(instruction, argument, noun, repetition)
    if verb == "move" and needs_destination(instruction):
        yield Slot((repetition, key, "to"), "destination", None, instruction, "to")
    if verb not in ("pay_any",) or instruction.then:
        yield from slots(instruction.then, item, repetition)
    yield from slots(instruction.otherwise, item, repetition)


def noun_slots(instruction: Instruction, argument: str, noun: Noun, repetition: int) -> Iterator[Slot]:
    """The target of a phrase, or the battlefield of "all units at a battlefield" (355.10.b)."""
    key = (repetition, id(instruction), argument)
    if is_target(noun, instruction.who if instruction.verb not in ("choose_player",) else None):
        yield Slot(key, "target", noun, instruction, argument)
    elif noun.quantity in ("all", "each") and noun.place is not None and instruction.who is None:
        place = noun.place
        if place.kind == "noun" and place.noun is not None and is_choice(place.noun):
            yield Slot(key, "place", place.noun, instruction, argument)


def needs_destination(instruction: Instruction) -> bool:
    """Whether a move leaves its destination to the mover (355.4)."""
    place = instruction.args.get("to")
    if place is None:
        return True
    assert isinstance(place, Place)
    return place.kind == "noun" and place.noun is not None and is_choice(place.noun)


def target_options(game: Game, item: ChainItem, slot: Slot, context: Context) -> list[Candidate]:
    """The legal targets of a slot (355.9): they match, are not the item itself, and can be chosen by it."""
    assert slot.noun is not None
    noun = restricted_to(game, slot.noun)
    found = []
    restricted = hidden_restriction(game, item, noun, context)
    taken = earlier_choices(item, slot) if noun.other else []
    for candidate in candidates(noun, context):
        if candidate is item or any(candidate is t for t in taken):
            continue
        if isinstance(candidate, Thing):
            who = item.controller
            if not in_public(game, candidate, who) or not reached_in_trash(game, candidate, who):
                continue
            if noun.states and candidate.controller != item.controller and not game.hooks.does("109.2"):
                continue
            if noun.states and game.hooks.holds("109.2", False):
                continue
            if restricted is not None and where_is(candidate) != restricted:
                continue
            if untargetable(game, candidate, item) is not None:
                continue
            if taken_illegally(game, item, slot, candidate):
                continue
        found.append(candidate)
    return together(game, item, slot, found, context)


def taken_illegally(game: Game, item: ChainItem, slot: Slot, thing: Thing) -> bool:
    """355.16: a choice that could only end in an illegal state, with units of a third player there (358.3)."""
    instruction = slot.instruction
    if instruction is None or instruction.verb != "take_control" or "who" in instruction.args:
        return False
    refusal = why_not_control(game, item.controller, thing)
    game.trace.cite("" if refusal is None else f"355.16 {refusal.rule}")
    return refusal is not None


def in_public(game: Game, thing: Thing, player: str) -> bool:
    """Objects of all public zones can be targets of every player, legends, battlefields, facedown and attached cards
    among them."""
    key = thing.zone.value
    if thing.zone is not Zone.LEGEND:
        key = "a battlefield" if "battlefield" in thing.card.types else "attached" if thing.attached_to else key
    if key not in OPEN_TO_ALL:
        return True
    own = thing.holder == player
    return game.hooks.does(OPEN_TO_ALL[key]) and game.hooks.value(OPEN_TO_ALL[key], True, own)


OPEN_TO_ALL = {
    Zone.LEGEND.value: "355.10.a.1 107.4.c 174.5 355.9.a.4",
    "a battlefield": "355.10.a.1 107.2.c 170.7",
    "attached": "718.5.b",
    Zone.TRASH.value: "108.2.d",
    Zone.CHAMPION.value: "108.3.e",
    Zone.FACEDOWN.value: "107.3.f",
}
"""What is public although it is no permanent on the board that stands by itself, and the rules that say so."""


def reached_in_trash(game: Game, thing: Thing, player: str) -> bool:
    """Effects that speak of units or gear in a trash reach them there."""
    if thing.zone is not Zone.TRASH:
        return True
    kind = thing.card.main_type
    if kind not in REACHED_IN_TRASH:
        return True
    own = thing.owner == player
    return game.hooks.does(REACHED_IN_TRASH[kind]) and game.hooks.value(REACHED_IN_TRASH[kind], True, own)


REACHED_IN_TRASH = {"unit": "141.1.b.3 141.2.b", "gear": "148.1.b.3 148.2.b"}


def restricted_to(game: Game, noun: Noun) -> Noun:
    """355.9.b: the targeting restrictions of a phrase, beyond the kind of object it speaks of."""
    return noun if game.hooks.does("355.9.b") else replace(noun, whose="", states=(), comparisons=(), having=())


def together(game: Game, item: ChainItem, slot: Slot, found: list[Candidate], context: Context) -> list[Candidate]:
    """What a ``group`` over several phrases of one instruction leaves (355.11.a): each must have a partner."""
    instruction = slot.instruction
    word = str(instruction.args.get("group", "")) if instruction is not None else ""
    if not word or instruction is None:
        return found
    group = Noun(("object",), group=(word,))
    chosen = [t for key, ts in item.chosen.items() if key[:2] == slot.key[:2] and key != slot.key for t in ts]
    if chosen:
        return [f for f in found if group_fits(game, group, [*chosen, f], context)]
    partners = [n for name, n in phrases(instruction) if name != slot.argument]
    return [
        f
        for f in found
        if all(
            any(p is not f and group_fits(game, group, [f, p], context) for p in candidates(n, context))
            for n in partners
        )
    ]


def where_is(thing: Thing) -> Location | None:
    return thing.place


def earlier_choices(item: ChainItem, slot: Slot) -> list[object]:
    """What earlier slots of the same execution chose: ``another`` is something else."""
    return [t for key, chosen in item.chosen.items() if key[0] == slot.key[0] and key != slot.key for t in chosen]


def hidden_from(item: ChainItem) -> int:
    """The battlefield from which a card, or the card whose play effect this is, was played from hidden; else 0."""
    where = item.hidden_at
    if not where and item.is_ability and item.event is not None and item.event.verb == "plays":
        played = item.event.item
        where = played.hidden_at if played is not None and item.event.thing is item.source else 0
    return where


def hidden_restriction(game: Game, item: ChainItem, noun: Noun, context: Context) -> int | None:
    """The battlefield from which a card played from hidden must choose, unless its text makes that impossible.

    811.1.d.2: each target is treated separately (811.1.d.2.a).
    """
    where = hidden_from(item)
    if not where or not game.hooks.does("811.1.d.2"):
        return None
    game.trace.cite("811.1.d.2.a")
    if set(noun.kinds) & {"player", "opponent", "spell", "ability", "legend", "rune", "location"}:
        return None
    place = noun.place
    if place is not None and place.kind in ("base", "zone", "from"):
        return None
    if place is not None and place.kind == "elsewhere" and place.ref is not None:
        spots = [location_of(x) for x in resolve(place.ref, context)]
        if where in spots:
            return None
    return where


def limits(noun: Noun, context: Context, available: int) -> tuple[int, int]:
    """The least and most that a phrase has chosen; "up to" and "any number of" may be none (355.13)."""
    none = 0 if context.game.hooks.does("355.13") else 1
    match noun.quantity:
        case "a":
            return 1, 1
        case "exactly":
            number = number_of(noun.count, context)
            return number, number
        case "up to":
            return none, min(available, number_of(noun.count, context))
        case _:
            return none, available


def group_fits(game: Game, noun: Noun, chosen: list[object], context: Context) -> bool:
    """Whether chosen things meet what a phrase asks of them together (355.11)."""
    things = [c for c in chosen if isinstance(c, Thing)]
    for comparison in noun.comparisons:
        if comparison.total:
            total = sum(attribute(t, comparison.attribute, context) or 0 for t in things)
            want = amount_of(comparison.amount, context)
            if want is None or not compare(total, comparison.operator, want):
                return False
    for word in noun.group:
        spots = [where_is(t) for t in things]
        match word:
            case "same location" | "same battlefield":
                if len(set(spots)) > 1:
                    return False
            case "different locations":
                if len(set(spots)) != len(spots):
                    return False
            case "same controller":
                if len({t.controller for t in things}) > 1:
                    return False
    return True


def narrowed(noun: Noun, place: object) -> Noun:
    """ "All units at a battlefield" once the battlefield is chosen."""
    if isinstance(place, Thing):
        return replace(noun, place=Place("at", ref=Ref("$place")))
    return noun


def still_legal(game: Game, item: ChainItem, noun: Noun, target: object, context: Context) -> bool:
    """Whether a target is legal as the item resolves (359.3.e.2-4): same object, same requirements."""
    if isinstance(target, Thing):
        if target.gone:
            return False
        restricted = hidden_restriction(game, item, noun, context)
        if restricted is not None and where_is(target) != restricted:
            return False
        if untargetable(game, target, item) is not None:
            game.trace.cite("758.1")
            return False
        if any(isinstance(g.ability, Forbid) and g.ability.action == "choose" for g in game.index().get(Forbid, [])):
            game.trace.cite("758.2.a")
        legal = matches(target, replace(restricted_to(game, noun), other=False), context)
        return game.hooks.holds("359.3.e.2", legal)
    if isinstance(target, ChainItem):
        return not target.left and target in game.state.chain
    return True


def destinations(
    game: Game, things: list[Thing], place: Place | None, context: Context, one_end_base: bool = False
) -> list[Location]:
    """Where things may be moved (355.4.a): not where they are, and where they may be present.

    ``one_end_base``: the text says "to or from its base".
    """
    state = game.state
    options: list[Location] = list(state.battlefields)
    options += dict.fromkeys(t.controller for t in things if t.controller)
    found = []
    for where in options:
        if place is not None and place.kind == "noun" and place.noun is not None:
            spot: Candidate = state.things[where] if isinstance(where, int) else where
            if isinstance(where, str) and "location" not in place.noun.kinds:
                continue
            if not matches(spot, place.noun, context):
                continue
        if isinstance(where, str) and any(t.controller != where for t in things):
            continue
        if things and all(t.location == where for t in things):
            continue
        if one_end_base and isinstance(where, int) and any(isinstance(t.location, int) for t in things):
            continue
        if all(movable(game, t, where) for t in things):
            found.append(where)
    return found


def illegal_outcome(game: Game, item: ChainItem, context: Context) -> Refusal | None:
    """358.3: a move to a fixed place that would put units of a third player there, whichever unit is moved.

    An effect that forbids the move is no bar (358.3.a).
    """
    for repetition in range(1 + item.repeats):
        for instruction in moves_to_fixed(item.effect):
            place, what = instruction.args["to"], instruction.args["move"]
            assert isinstance(place, Place)
            spots = resolve(place.ref, context) if place.ref is not None else []
            where = context.here if place.kind == "here" else location_of(spots[0]) if spots else None
            key = (repetition, id(instruction), "move")
            movers: Sequence[object]
            if isinstance(what, Ref):
                movers, least = resolve(what, context), 1
            elif isinstance(what, Noun):
                movers = item.chosen.get(key) or candidates(what, context)
                least = 1 if key in item.chosen else limits(what, context, len(movers))[0]
            else:
                continue
            units = [t for t in movers if isinstance(t, Thing) and t.controller]
            if not isinstance(where, int) or not units or not least:
                continue
            stop = why_not_present if game.hooks.does("358.3.a") else barred
            refusals = [stop(game, t.controller or "", where) for t in units]
            reason = next(iter(refusals))
            if reason is not None and all(refusals) and game.hooks.does("358.3"):
                return Refusal(f"358.3 {reason.rule}", "it would create an illegal state")
    return None


def barred(game: Game, player: str, where: int) -> Refusal | None:
    """As if an effect that forbids moving there made a play illegal, which it does not."""
    return why_not_present(game, player, where) or forbidden(game, "move", who=player, to=where)


def moves_to_fixed(effect: Effect) -> Iterator[Instruction]:
    """Moves of an effect to a place that nothing is chosen for, outside of modes and later abilities."""
    for instruction in effect:
        place = instruction.args.get("to")
        if instruction.verb == "move" and isinstance(place, Place) and place.kind in ("here", "at"):
            yield instruction


def movable(game: Game, thing: Thing, where: Location) -> bool:
    """A legal choice of destination; a prohibition on moving alone does not make it illegal (358.3.a)."""
    refusal = why_not_move(game, thing, where)
    return refusal is None or refusal.rule.startswith("054.1")
