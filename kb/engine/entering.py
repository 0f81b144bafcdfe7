"""How a permanent enters the board by what other permanents and delayed effects say (369.3).

What its own text says is read while it is played (:mod:`kb.engine.playing`), before it is on the board.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.cards.phrases import Noun, Place, Ref
from kb.cards.syntax import Event, Replacement
from kb.engine import actions
from kb.engine.asking import Flow, Unsupported
from kb.engine.filters import Context, location_of, resolve
from kb.engine.replacing import (
    Candidate,
    agree,
    choose_pair,
    context_of,
    in_force,
    qualifies,
    source_label,
    use_up,
)
from kb.engine.state import Happening, Location, Thing

if TYPE_CHECKING:
    from kb.engine.game import Game


def entering_by_others(game: Game, new: Thing, exhausted: bool, own: bool = False) -> Flow[bool]:
    """How a permanent enters by the text of others, whether exhausted: its controller orders the effects (372, 369.3).

    ``own``: its own text, which is one of them, has said ``exhausted``.
    """
    from kb.engine.instructions import execute_effect

    event = Happening("enters", new, new.controller, new.controller, place=new.location)
    waiting = [
        c
        for c in in_force(game, "enters", [event])
        if c.source is not new and isinstance(c.ability.event.subject, Noun) and qualifies(game, c, event)
    ]
    said = "exhausted" if exhausted else "ready"
    if own and any(c.ability.enters in ("ready", "exhausted") and c.ability.enters != said for c in waiting):
        says = Replacement(Event("enters", Ref("me")), enters=said)
        waiting.append(Candidate(says, new.controller, new, new, ("own", new.id)))
    while waiting:
        candidate, _ = yield from choose_pair(game, [(c, event) for c in waiting])
        waiting.remove(candidate)
        agreed = yield from agree(game, candidate, event)
        if not agreed:
            continue
        use_up(game, candidate)
        ability = candidate.ability
        game.happened.add(id(ability))
        if ability.instead:
            raise Unsupported("replacing that a permanent enters at all")
        context = context_of(game, candidate, event)
        if ability.also:
            yield from execute_effect(game, ability.also, context)
        match ability.enters if game.hooks.does("369.3") else "":
            case "ready" | "exhausted" as state:
                exhausted = state == "exhausted"
                game.note("369.3 370.1.b", "{} enters {} by {}", new, state, source_label(game, candidate))
            case "at" if ability.enters_at is not None:
                spot = entry_spot(ability.enters_at, new.controller, context)
                if spot is not None:
                    actions.relocate(game, new, spot)
                    game.note("369.3 370.1.b", "{} enters at {} instead", new, game.place_label(spot))
    return exhausted


def entry_spot(place: Place, controller: str | None, context: Context) -> Location | None:
    """The location that "enters at ..." names."""
    if place.ref is not None:
        return next((s for s in (location_of(x) for x in resolve(place.ref, context)) if s is not None), None)
    return controller if place.kind == "base" else None
