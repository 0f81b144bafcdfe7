"""Replacement effects (367-375): which apply to events about to happen, in which order, and what happens instead.

:func:`propose` takes simultaneous events that would happen and returns those that still do, amounts changed. Each
replacement effect is applied once to an event or to what replaced it (370.2) and in one uninterrupted sequence over a
set of simultaneous events (373.2).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kb.cards.syntax import Replacement
from kb.engine.asking import Ask, Flow, Option, unique
from kb.engine.events import event_matches
from kb.engine.filters import Context, amount_of, holds, number_of
from kb.engine.state import Happening, Lasting, Thing
from kb.engine.zones import Zone

if TYPE_CHECKING:
    from kb.engine.game import Game


@dataclass(frozen=True)
class Candidate:
    """A replacement effect that is in force."""

    ability: Replacement
    controller: str | None
    source: Thing | None
    this: Thing | None
    key: tuple[object, ...]
    lasting: Lasting | None = None


def in_force(game: Game, verb: str, happenings: list[Happening]) -> list[Candidate]:
    """Replacement effects on the board, delayed ones, and those of cards that speak of their own zone (366).

    What enters such a zone in these very events is not there yet (370.3).
    """
    found: list[Candidate] = []
    for granted in game.index().get(Replacement, []):
        ability = granted.ability
        if isinstance(ability, Replacement) and ability.event.verb == verb and ability.zone == "board":
            source = granted.me
            who = source.controller
            who = game.hooks.actor("374", who, game.next_player(who)) if who is not None else who
            if who is None and "battlefield" in source.card.types:
                who = game.state.turn_player
            found.append(Candidate(ability, who, source, granted.this, granted.key))
    for effect in game.state.lasting:
        if isinstance(effect.ability, Replacement) and effect.ability.event.verb == verb:
            key = ("lasting", effect.id)
            found.append(Candidate(effect.ability, effect.controller, effect.source, effect.source, key, effect))
    elsewhere = [
        t for player in game.state.players for zone in (Zone.HAND, Zone.TRASH) for t in game.zone_cards(zone, player)
    ]
    elsewhere += [h.thing for h in happenings if h.thing is not None and h.thing.zone is Zone.DECK]
    for thing in elsewhere:
        for index, ability in thing.card.replacements_elsewhere:
            if ability.event.verb == verb and ability.zone == thing.zone.value:
                found.append(Candidate(ability, thing.owner, thing, thing, (thing.id, index)))
    return found


def context_of(game: Game, candidate: Candidate, happening: Happening) -> Context:
    """Through whose eyes a replacement effect reads an event."""
    if candidate.lasting is not None:
        base = game.lasting_context(candidate.lasting)
    else:
        base = game.context(candidate.source, this=candidate.this)
    if base.you is None and candidate.controller is not None:
        base = replace(base, you=candidate.controller)
    return replace(base, event=happening, they=happening.doer)


def qualifies(game: Game, candidate: Candidate, happening: Happening) -> bool:
    """Whether a replacement effect can be applied to an event (370.1)."""
    ability = candidate.ability
    if candidate.key in game.replacing:
        game.trace.cite("370.2")
        return False
    if ability.limit and candidate.lasting is None:
        if game.state.used[(candidate.key, game.state.turn)] >= ability.limit:
            game.trace.cite("371.1")
            return False
    if candidate.lasting is not None and candidate.lasting.remaining == 0:
        return False
    context = context_of(game, candidate, happening)
    if not game.active(ability.dependent, context):
        return False
    if not event_matches(game, ability.event, happening, context):
        return False
    return holds(ability.only_if, context) and can_pay_for(game, candidate, context)


def can_pay_for(game: Game, candidate: Candidate, context: Context) -> bool:
    """Whether the cost of applying a replacement effect can be paid at all."""
    if candidate.ability.cost is None or candidate.controller is None:
        return True
    from kb.engine.costs import can_pay_cost

    return can_pay_cost(game, candidate.controller, candidate.ability.cost, context)


def propose(game: Game, happenings: list[Happening], assigned: bool = False) -> Flow[list[Happening]]:
    """Apply replacement effects to simultaneous events; returns those that still happen.

    ``assigned``: effects on an amount of damage were applied as it was assigned (465.2.c.5).
    """
    if not happenings:
        return []
    verb = happenings[0].verb
    effects = [c for c in in_force(game, verb, happenings) if not (assigned and c.ability.amount)]
    if not effects:
        return happenings
    waiting = list(happenings)
    used: set[tuple[object, ...]] = set()
    declined: set[tuple[int, tuple[object, ...]]] = set()
    sequence: Candidate | None = None
    while True:
        pairs = [
            (c, h)
            for c in effects
            for h in waiting
            if c.key not in used and (id(h.thing), c.key) not in declined and still(game, c) and qualifies(game, c, h)
        ]
        if not pairs:
            if sequence is None:
                return waiting
            used.add(sequence.key)
            sequence = None
            continue
        if sequence is not None:
            own = [p for p in pairs if p[0].key == sequence.key]
            if not own:
                used.add(sequence.key)
                sequence = None
                continue
            pairs = own
        candidate, happening = yield from choose_pair(game, pairs)
        agreed = yield from agree(game, candidate, happening)
        if not agreed:
            declined.add((id(happening.thing), candidate.key))
            continue
        sequence = candidate
        if not game.hooks.does("373.2"):
            used.add(candidate.key)
            sequence = None
        if game.hooks.holds("373.2", False):
            sequence = None
        game.happened.add(id(candidate.ability))
        if candidate.ability.amount:
            changed = change_amount(game, candidate, happening)
            use_up(game, candidate)
            waiting[waiting.index(happening)] = changed
            declined.add((id(changed.thing), candidate.key))
            if changed.amount <= 0 and game.hooks.does("437.4"):
                waiting.remove(changed)
            continue
        if len(happenings) > 1 and any(h.thing is not None and h.thing is candidate.source for h in happenings):
            game.note("370.4", "{} leaves in the same event and can still be applied", candidate.source)
        use_up(game, candidate)
        yield from apply(game, candidate, happening)
        skips = not candidate.ability.instead and not candidate.ability.also
        whole = bool(candidate.ability.also) and game.hooks.value("370.1.b.1", False, True)
        if candidate.ability.instead or whole or (skips and game.hooks.does("443.1.a 443.2")):
            waiting.remove(happening)
        else:
            declined.add((id(happening.thing), candidate.key))


def still(game: Game, candidate: Candidate) -> bool:
    """Whether the source can still apply it: on the board, or leaving it in these very events (370.4)."""
    source = candidate.source
    return candidate.lasting is not None or source is None or not source.gone


Pair = tuple[Candidate, Happening]


def choose_pair(game: Game, pairs: list[Pair]) -> Flow[Pair]:
    """Which replacement effect is applied next, and to which event.

    To one event: as the controller of the affected object decides (372). To several simultaneous events: in turn order,
    and as the controller of the replacement effects decides (373, 373.1); that does not take from the controller of an
    affected object which of the effects of several players is applied to it first.
    """
    candidate, event = yield from next_event(game, pairs)
    same = [(c, h) for c, h in pairs if h is event]
    controllers = {responsible(game, c) for c, _ in same}
    if len(same) == 1 or (len(same) < len(pairs) and len(controllers) == 1):
        return candidate, event
    chooser = game.hooks.actor("372", affected_controller(game, event), responsible(game, candidate))
    rule = "372"
    if event.thing is None:
        rule = "372 372.1"
    elif event.thing.controller is None:
        rule = "372 372.2"
    return (yield from ask_pair(game, chooser, same, rule))


def next_event(game: Game, pairs: list[Pair]) -> Flow[Pair]:
    """Among simultaneous events: the next one, with the replacement effect of the player whose turn it is to apply."""
    if all(h is pairs[0][1] for _, h in pairs):
        return pairs[0]
    order = game.hooks.order("373.1", game.players_in_order())
    players = [p for p in order if any(responsible(game, c) == p for c, _ in pairs)]
    player = game.hooks.actor("373", players[0], affected_controller(game, pairs[0][1]))
    rule = "373" if len(players) == 1 else "373 373.1"
    own = [p for p in pairs if responsible(game, p[0]) == players[0]]
    return (yield from ask_pair(game, player, own, rule))


def ask_pair(game: Game, player: str, pairs: list[Pair], rule: str) -> Flow[Pair]:
    """Ask which of these is applied next, unless it makes no difference."""
    if len({(c.key, id(h)) for c, h in pairs}) == 1:
        return pairs[0]
    only = pairs[0][0].ability
    if len({c.key for c, _ in pairs}) == 1 and only.amount and only.value is None and not only.limit:
        return pairs[0]
    keys = unique(
        [f"{source_label(game, c).removeprefix('the ')} -> {game.label(h.thing or h.player)}" for c, h in pairs]
    )
    options = tuple(Option(k, i) for i, k in enumerate(keys))
    (answer,) = yield Ask(player, "replacement", options, about="which replacement effect is applied next", rule=rule)
    chosen = answer.value
    assert isinstance(chosen, int)
    return pairs[chosen]


def responsible(game: Game, candidate: Candidate) -> str:
    """The controller of a replacement effect (374); of an uncontrolled battlefield's the turn player (190.6.b)."""
    controller = candidate.controller
    return game.state.turn_player if controller is None or game.player(controller).lost else controller


def affected_controller(game: Game, happening: Happening) -> str:
    """The player acted on, or the controller of the object that is (372, 372.1, 372.2)."""
    controller = happening.thing.controller if happening.thing is not None else happening.player
    return controller or game.state.turn_player


def amount_order(game: Game, event: Happening) -> Flow[list[Candidate]]:
    """Replacement effects on the amount of damage being assigned, in the order chosen for them (465.2.c.5, 372).

    The order is chosen before the amount, for it decides how much damage is lethal (465.2.c.4.a).
    """
    waiting = [c for c in in_force(game, "takes_damage", [event]) if c.ability.amount and qualifies(game, c, event)]
    order: list[Candidate] = []
    while waiting:
        candidate, _ = yield from choose_pair(game, [(c, event) for c in waiting])
        waiting.remove(candidate)
        agreed = yield from agree(game, candidate, event)
        if agreed:
            order.append(candidate)
    return order


def agree(game: Game, candidate: Candidate, happening: Happening) -> Flow[bool]:
    """The choice of "may" (371.2) and the cost of applying it."""
    ability = candidate.ability
    controller = candidate.controller or game.state.turn_player
    if game.hooks.may("371.2", ability.may):
        subject = game.label(happening.subject)
        (answer,) = yield Ask(
            controller,
            "yes or no",
            (Option("yes", True), Option("no", False)),
            about=f"apply {source_label(game, candidate)} to {subject}?",
            rule="371.2 371.2.a",
        )
        if not answer.value:
            game.note("371.2.b", "{} is not applied", source_label(game, candidate))
            return False
    if ability.cost is not None:
        from kb.engine.costs import pay_cost

        paid = yield from pay_cost(game, controller, ability.cost, context_of(game, candidate, happening))
        if not paid:
            return False
    return True


def use_up(game: Game, candidate: Candidate) -> None:
    """Count an application of a replacement effect that may be applied so many times only (371.1)."""
    limit = candidate.ability.limit
    if limit and candidate.lasting is not None:
        candidate.lasting.uses += 1
        if candidate.lasting.uses >= limit:
            candidate.lasting.remaining = 0
    elif limit:
        game.state.used[(candidate.key, game.state.turn)] += 1


def source_label(game: Game, candidate: Candidate) -> str:
    """Whose text it is: for effect text the attached card (136.2.d)."""
    source = candidate.this if candidate.this is not None else candidate.source
    return game.label(source) if source is not None else "the effect"


def change_amount(game: Game, candidate: Candidate, happening: Happening) -> Happening:
    """Damage that is doubled (or added to), or prevented up to the Prevent Value (437.2-437.3)."""
    ability, effect = candidate.ability, candidate.lasting
    new = changed_amount(game, candidate, happening)
    if ability.amount in ("double", "add"):
        game.note("370.1.b", "the damage to {} becomes {}", happening.thing, str(new))
        return replace(happening, amount=new)
    prevented = happening.amount - new
    value = prevent_value(game, candidate, happening)
    if effect is not None and value is None:
        effect.remaining = game.hooks.value("437.3.c", effect.remaining, prevented)
        effect.remaining = effect.remaining if game.hooks.does("437.3.c") else 0
    if effect is not None and value is not None:
        effect.remaining = value - (prevented if game.hooks.does("437.3.a 437.3.b") else 0)
        effect.remaining = game.hooks.count("437.3.b", effect.remaining)
    rules = "437.2 437.3 437.1.a.1 437.1.b.2"
    rules += " 437.2.a" if new == 0 else ""
    rules += " 437.3.c 437.1.b.1.b" if value is None else " 437.3.a" if value == prevented else " 437.3.b"
    game.note(rules, "{} of the damage to {} is prevented", str(prevented), happening.thing)
    return replace(happening, amount=new)


def changed_amount(game: Game, candidate: Candidate, happening: Happening) -> int:
    """What damage comes to when a replacement effect on its amount is applied; nothing is used up."""
    ability, amount = candidate.ability, happening.amount
    if ability.amount in ("double", "add") and not game.hooks.does("370.1.b"):
        return amount
    match ability.amount:
        case "double":
            return amount * 2
        case "add":
            return amount + number_of(ability.value, context_of(game, candidate, happening))
    applies = game.hooks.does("437.1.a 437.1.b 437.1.b.2 369.2") and game.hooks.does("437.2")
    if unpreventable(game, happening) or not applies:
        return amount
    value = prevent_value(game, candidate, happening)
    return 0 if value is None else amount - min(amount, game.hooks.count("437.1.a 437.1.b.2 437.2", value))


def prevent_value(game: Game, candidate: Candidate, happening: Happening) -> int | None:
    """How much damage is still to be prevented (437.1.b.1.a); None is all of it (437.1.b.1.b)."""
    ability, effect = candidate.ability, candidate.lasting
    if ability.value is None and (effect is None or effect.remaining <= 0):
        return None
    if effect is not None and effect.remaining >= 0:
        return effect.remaining
    assert ability.value is not None
    return amount_of(ability.value, context_of(game, candidate, happening))


def unpreventable(game: Game, happening: Happening) -> bool:
    """Whether something says that this damage can't be prevented (054)."""
    from kb.engine.legality import forbidden

    if happening.by is None:
        return False
    game.trace.cite("142.3.b")
    marker = game.hooks.actor("142.3.b", happening.by, happening.player or happening.by)
    return forbidden(game, "be prevented", who=marker) is not None


def apply(game: Game, candidate: Candidate, happening: Happening) -> Flow[None]:
    """Carry out what happens instead (370.1.b), before any simultaneous unmodified event (373.1.a)."""
    from kb.engine.instructions import execute_effect

    ability = candidate.ability
    rules = "370.1.b 370.1.a.1" if ability.instead else "370.1.b.1"
    rules += " 373.2.a.1" if game.replacing else ""
    subject = happening.subject
    with game.trace.step(
        f"{rules} 373.1.a", "{} replaces the event of {}", source_label(game, candidate), game.label(subject)
    ):
        game.replacing.append(candidate.key)
        try:
            context = context_of(game, candidate, happening)
            performed = game.hooks.options("373.1.a", ability.instead or ability.also)
            yield from execute_effect(game, tuple(performed), context)
        finally:
            game.replacing.remove(candidate.key)
