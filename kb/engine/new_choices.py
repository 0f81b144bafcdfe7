"""Making new choices for an item on the chain (750-755): its modes, targets and destinations.

What is chosen anew was not chosen before (751.1) and must be legal (753.1); nothing more is paid for it (755). Choices
made "as you play this", and those of optional additional costs, stay (752.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kb.cards.phrases import Place, Ref
from kb.engine.asking import Ask, Flow, Option, spoken
from kb.engine.choices import Slot, destinations, group_fits, limits, needs_destination, slots, target_options
from kb.engine.events import happen
from kb.engine.filters import Candidate, resolve
from kb.engine.state import ChainItem, Happening, Location, Thing

if TYPE_CHECKING:
    from kb.engine.game import Game

RULES = "752.1 753 751.1 753.1 752.2"


def choose_anew(game: Game, item: ChainItem, player: str) -> Flow[bool]:
    """A player remakes any of an item's choices; returns whether something was chosen anew."""
    before = set(map(id, game.targets_of(item)))
    done = False
    for repetition in range(1 + item.repeats):
        done = (yield from other_modes(game, item, player, repetition)) or done
        for slot in list(slots(item.effect, item, repetition)):
            if slot.role in ("target", "place") and slot.noun is not None:
                done = (yield from other_targets(game, item, player, slot)) or done
            elif slot.role == "destination":
                done = (yield from other_destination(game, item, player, slot)) or done
    fresh = [t for t in game.targets_of(item) if isinstance(t, Thing) and id(t) not in before]
    if fresh:
        game.note("755.1", "nothing more is paid for the new choices")
    events = [Happening("chooses", t, item.controller, player, item, place=t.location) for t in fresh]
    yield from happen(game, events, "754")
    return done


def other_modes(game: Game, item: ChainItem, player: str, repetition: int) -> Flow[bool]:
    """Another mode, with the choices that it calls for; those of the old one are dropped."""
    from kb.engine.playing import mode_possible

    done = False
    for slot in [s for s in slots(item.effect, item, repetition) if s.role == "mode"]:
        key = slot.key[:2]
        now = item.modes.get(key, [])
        others = [i for i, m in enumerate(slot.modes) if i not in now and mode_possible(game, item, m, repetition)]
        options = tuple(Option(f"mode {i + 1}", i) for i in others)
        if not options:
            continue
        answer = yield Ask(player, "choose", options, 0, 1, about=f"another mode of {item.name}", rule=RULES)
        if not answer:
            continue
        old = [s.key for i in now for s in slots(slot.modes[i], item, repetition)]
        for gone in old:
            for kept in (item.chosen, item.nouns, item.destinations):
                kept.pop(gone, None)
        value = answer[0].value
        assert isinstance(value, int)
        item.modes[key] = [value]
        game.note("752.1", "{} has mode {} now", item, str(value + 1))
        done = True
    return done


def other_targets(game: Game, item: ChainItem, player: str, slot: Slot) -> Flow[bool]:
    """Other targets of a phrase; those of a mode that is new are all chosen now."""
    noun, context = slot.noun, game.item_context(item)
    assert noun is not None
    now = item.chosen.get(slot.key)
    options = [o for o in target_options(game, item, slot, context) if can_go(game, item, slot, o)]
    fresh = [o for o in options if now is None or not any(o is c for c in now)]
    if not fresh:
        game.note("753.2", "there is nothing else that {} could be", noun)
        return False
    least, most = limits(noun, context, len(fresh)) if now is None else (0, min(len(now), len(fresh)))
    kept = now or []
    answer = yield Ask(
        player,
        "choose",
        game.labelled(fresh),
        min(least, len(fresh)),
        min(most, len(fresh)),
        about=f"new choices for {spoken(noun)}",
        rule=RULES,
        fits=lambda picked: group_fits(game, noun, merged(picked, kept), context),
    )
    if now is not None and not answer:
        return False
    item.chosen[slot.key] = merged(answer, kept)
    item.nouns[slot.key] = noun
    if slot.instruction is not None and slot.instruction.bind:
        item.bindings[slot.instruction.bind] = list(item.chosen[slot.key])
    if slot.role == "place" and answer:
        item.bindings["$place"] = answer[0].value
    game.note("752.1", "{} chooses {} anew", item, ", ".join(game.label(o.value) for o in answer) or "nothing")
    return True


def merged(picked: Sequence[Option], kept: Sequence[object]) -> list[object]:
    """New choices in place of as many of the old ones."""
    return [*(o.value for o in picked), *kept[len(picked) :]]


def can_go(game: Game, item: ChainItem, slot: Slot, option: Candidate) -> bool:
    """Whether what would be moved to a destination of the mover's choice has one (753.1)."""
    instruction = slot.instruction
    if (
        instruction is None
        or instruction.verb != "move"
        or slot.argument != "move"
        or not needs_destination(instruction)
    ):
        return True
    return isinstance(option, Thing) and bool(spots(game, item, slot, [option]))


def spots(game: Game, item: ChainItem, slot: Slot, things: list[Thing]) -> list[Location]:
    """Legal destinations of a move."""
    assert slot.instruction is not None
    place = slot.instruction.args.get("to")
    assert place is None or isinstance(place, Place)
    ends = bool(slot.instruction.args.get("to_or_from"))
    return destinations(game, things, place, game.item_context(item), ends)


def other_destination(game: Game, item: ChainItem, player: str, slot: Slot) -> Flow[bool]:
    """Another destination; it must be chosen where what moves now can't go to the old one."""
    assert slot.instruction is not None
    what = slot.instruction.args["move"]
    found = resolve(what, game.item_context(item)) if isinstance(what, Ref) else ()
    things = [t for t in found or item.chosen.get((*slot.key[:2], "move"), []) if isinstance(t, Thing)]
    legal = spots(game, item, slot, things)
    now = item.destinations.get(slot.key)
    others = [w for w in legal if w != now]
    if not others:
        return False
    answer = yield Ask(
        player,
        "choose",
        tuple(Option(game.place_label(w), w) for w in others),
        int(now not in legal),
        1,
        about=f"another destination for {', '.join(game.label(t) for t in things)}",
        rule=RULES,
    )
    if not answer:
        return False
    value = answer[0].value
    assert isinstance(value, int | str)
    item.destinations[slot.key] = value
    game.note("752.1", "it will move to {}", game.place_label(value))
    return True
