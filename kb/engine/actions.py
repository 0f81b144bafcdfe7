"""Game actions on objects (413-443): what each does to the state, what it cites, which events it makes.

Each action offers its events to the replacement effects first (:func:`kb.engine.replacing.propose`), changes the state
for those that still happen, and then lets triggered abilities see them (:func:`kb.engine.events.happen`). Choices are
made by the callers; an action that is impossible does nothing (055).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kb.cards.phrases import Ref
from kb.cards.syntax import Triggered
from kb.engine.asking import Flow, in_order
from kb.engine.events import (
    Found,
    Rules,
    add_own_triggers,
    add_triggers,
    event_matches,
    extra_triggers,
    from_ability,
    happen,
    holds_for,
)
from kb.engine.filters import Context, amount_of, matches_item, matches_seen, number_of
from kb.engine.replacing import in_force, propose
from kb.engine.state import ChainItem, Happening, Location, Thing
from kb.engine.zones import Zone

if TYPE_CHECKING:
    from kb.engine.game import Game


@dataclass(frozen=True)
class Cause:
    """Who is responsible for an action (411) and which chain item caused it (411.5)."""

    by: str | None = None
    using: ChainItem | None = None
    source: Thing | None = None


NOBODY = Cause()


def happening(verb: str, thing: Thing, cause: Cause, **more: object) -> Happening:
    """An event on one object."""
    return Happening(
        verb,
        thing,
        thing.holder,
        cause.by,
        cause.using,
        cause.source,
        place=thing.location,
        **more,  # type: ignore[arg-type]
    )


# states: exhaust, ready, stun, buff, empower, heal


def exhaust(game: Game, things: Sequence[Thing], cause: Cause) -> Flow[list[Thing]]:
    """414: mark objects on the board as exhausted; returns those that became so."""
    fresh = [t for t in things if t.on_board and game.hooks.holds("414.1.c", not t.exhausted)]
    for thing in things:
        if thing.on_board and thing.exhausted:
            game.note("414.1.c", "{} is exhausted already", thing)
    events = yield from propose(game, [happening("exhausts", t, cause) for t in fresh])
    done = [e.thing for e in events if e.thing is not None]
    for thing in done:
        thing.exhausted = True
    if done:
        game.touch()
    yield from happen(game, events, "414.1")
    return done


def ready(game: Game, things: Sequence[Thing], cause: Cause) -> Flow[list[Thing]]:
    """415: mark objects on the board as ready; returns those that became so."""
    from kb.engine.legality import forbidden

    fresh = []
    for thing in things if cause.using is None or game.hooks.does("415.3.b") else []:
        if not thing.on_board:
            continue
        if not thing.exhausted:
            game.note("415.1.b 415.1.c", "{} is ready already", thing)
            continue
        if forbidden(game, "ready", thing=thing, item=cause.using):
            game.note("054.1", "{} can't be readied", thing)
            continue
        fresh.append(thing)
    events = yield from propose(game, [happening("readies", t, cause) for t in fresh])
    done = [e.thing for e in events if e.thing is not None]
    for thing in done:
        thing.exhausted = False
    if done:
        game.touch()
    why = "415.3.b" if cause.using is not None else "415.3.a"
    yield from happen(game, events, f"415.1 {why}")
    return done


def stun(game: Game, things: Sequence[Thing], cause: Cause) -> Flow[list[Thing]]:
    """423: a stunned unit can't be stunned again (423.1.a.1)."""
    fresh = [t for t in things if t.on_board and game.hooks.holds("423.1.a.1", not t.stunned)]
    for thing in things:
        if thing.on_board and thing not in fresh:
            game.note("423.1.a.1", "{} is stunned already", thing)
    events = yield from propose(game, [happening("stuns", t, cause) for t in fresh])
    done = [e.thing for e in events if e.thing is not None]
    for thing in done:
        if game.hooks.does("423.1"):
            thing.stunned = True
        for other in [] if game.hooks.does("719.4.a") else game.attached_to(thing):
            other.stunned = True
    if done:
        game.touch()
    yield from happen(game, events, "423.1")
    return done


def buff(game: Game, things: Sequence[Thing], cause: Cause) -> Flow[list[Thing]]:
    """426, 702: place a buff counter on each unit that has none, or any number where permitted (426.1.b.2)."""
    from kb.engine.legality import permits_many

    fresh = [
        t
        for t in things
        if t.on_board
        and game.is_unit(t)
        and (game.hooks.holds("702.3 426.1.b.1 426.1.c", not t.buffs) or permits_many(game, t, "many buffs"))
    ]
    for thing in things:
        if thing in fresh and thing.buffs:
            game.note("426.1.b.2", "{} may have several buffs", thing)
        elif thing not in fresh and thing.on_board and thing.buffs:
            game.note("426.1.b.1 426.1.c 702.3.a", "{} has a buff already and gets none", thing)
    events = yield from propose(game, [happening("buffs", t, cause) for t in fresh])
    done = [e.thing for e in events if e.thing is not None]
    before = mighty_now(game, done)
    for thing in done:
        thing.buffs += 1
    if done:
        game.touch()

    def place(count: int) -> Callable[[Thing], None]:
        return lambda thing: setattr(thing, "buffs", thing.buffs + count)

    mighty = yield from becoming_mighty(game, done, before, cause, place(-1), place(1))
    yield from happen(game, [*events, *mighty], "426.1.b 702.2.a")
    return done


def spend_buff(game: Game, thing: Thing) -> bool:
    """702.2.b: remove one buff counter from a unit; False where it has none."""
    if not thing.buffs:
        return False
    thing.buffs -= 1
    game.note("702.2.b 745.2 747", "a buff of {} is spent", thing)
    game.touch()
    return True


def empower(game: Game, things: Sequence[Thing], cause: Cause) -> Flow[list[Thing]]:
    """441: objects become Empowered; nothing more happens to those that are (441.1.c)."""
    fresh = [t for t in things if t.on_board and game.hooks.holds("441.1.a 441.1.b", not t.empowered)]
    for thing in things:
        if thing.on_board and thing.empowered:
            game.note("441.1.a 441.1.b", "{} is Empowered already", thing)
    events = yield from propose(game, [happening("empowers", t, cause) for t in fresh])
    done = [e.thing for e in events if e.thing is not None]
    for thing in done:
        thing.empowered = True
        top = game.state.board.get(thing.attached_to)
        if top is not None and game.hooks.holds("719.4.a", False):
            top.empowered = True
    if done:
        game.touch()
    if game.hooks.does("827.2.a 441.2.a"):
        other = [replace(e, player=e.player and game.next_player(e.player), by=None) for e in events]
        yield from happen(game, game.hooks.actor("827.2.a", events, other), "441.1 441.2.a")
    return done


def disempower(game: Game, things: Sequence[Thing]) -> list[Thing]:
    """442: remove the Empowered status."""
    done = [t for t in things if t.on_board and game.hooks.holds("442.1.a.1", t.empowered)]
    for thing in things:
        if thing.on_board and not thing.empowered:
            game.note("442.1.a.1", "{} is not Empowered", thing)
    for thing in done:
        thing.empowered = False
        game.note("442.1", "{} is no longer Empowered", thing)
    if done:
        game.touch()
    return done


def heal(game: Game, things: Sequence[Thing], cause: Cause = NOBODY, rules: str = "418.1") -> Flow[list[Thing]]:
    """418: clear all damage from units."""
    by_effect = cause.using is not None
    allowed = game.hooks.does("418.3.a") if by_effect else game.hooks.value("418.3.a", True, False)
    done = [t for t in things if t.on_board and t.damage and allowed]
    for thing in done:
        thing.marks.clear()
    if done:
        game.touch()
    several = " 418.2" if len(done) > 1 else ""
    yield from happen(game, [happening("heals", t, cause) for t in done], f"{rules} 418.1.a{several}")
    return done


def mighty_now(game: Game, things: Sequence[Thing]) -> dict[int, bool]:
    """Which of some units are Mighty (708)."""
    return {t.id: game.might(t) >= 5 for t in things}


def became_mighty(game: Game, things: Sequence[Thing], before: dict[int, bool], cause: Cause) -> list[Happening]:
    """Units whose Might has just become 5 or greater (709)."""
    return [
        happening("becomes_mighty", t, cause)
        for t in things
        if t.on_board and not before.get(t.id, True) and game.might(t) >= 5
    ]


def becoming_mighty(
    game: Game,
    things: Sequence[Thing],
    before: dict[int, bool],
    cause: Cause,
    undo: Callable[[Thing], None],
    redo: Callable[[Thing], None],
) -> Flow[list[Happening]]:
    """Units that a change just made Mighty, once replacement effects had their say.

    Replacing that event is the same as replacing the change (370.1.a.1): ``undo`` takes the change of a unit back
    while they are applied (370.1.c), ``redo`` makes it where the unit still becomes Mighty.
    """
    events = became_mighty(game, things, before, cause)
    if not events or not in_force(game, "becomes_mighty", events):
        return events
    if not game.hooks.does("370.1.a.1"):
        yield from propose(game, events)
        return events
    for event in events:
        assert event.thing is not None
        undo(event.thing)
    game.touch()
    kept = yield from propose(game, events)
    for event in kept:
        assert event.thing is not None
        redo(event.thing)
    game.touch()
    return kept


# damage


@dataclass(frozen=True)
class Hit:
    """Damage to be dealt to one unit; ``source`` is the unit that deals it, None where the spell or ability does."""

    target: Thing
    amount: int
    source: Thing | None
    cause: Cause
    assigned: bool = False


def bonus_damage(game: Game, item: ChainItem | None, target: Thing | None, source: Thing | None = None) -> int:
    """Bonus Damage granted to a Deal action (713-714), all instances summed; ``source`` is a unit that deals it."""
    if item is None:
        return 0
    total = 0
    for rule, context in game.rules("bonus damage"):
        if target is not None and rule.what is not None and not game.fits(target, rule.what, context):
            continue
        if rule.by is not None and not deals(game, item, source, rule.by, context):
            continue
        if rule.limit and not game.hooks.holds("391", context.bindings.get("$bound") is item):
            continue
        value = number_of(rule.value, context)
        game.trace.cite("714.1" if value > 0 else "714.2")
        total += max(0, value)
    return total


def deals(game: Game, item: ChainItem, source: Thing | None, by: object, context: Context) -> bool:
    """Whether what deals damage is among those whose damage is increased.

    A unit that is named as the source deals it alone (417.6.b.3); an ability and what created it both do (417.6.b.2.a).
    """
    if isinstance(by, Ref):
        bound = context.bindings.get(by.name)
        return bound is item
    from kb.cards.phrases import Noun

    assert isinstance(by, Noun)
    if source is not None and game.hooks.does("417.6.b.3"):
        return matches_seen(source, by, context)
    if matches_item(item, by, replace(context, item=None)):
        return True
    created = item.is_ability and item.source is not None
    return game.hooks.holds(
        "417.6.b.2.a", created and item.source is not None and matches_seen(item.source, by, context)
    )


def deal(game: Game, hits: Sequence[Hit], rules: str = "417.1.b") -> Flow[list[Happening]]:
    """417: deal damage to units simultaneously; only positive amounts are dealt (417.1.e). Returns what was dealt."""
    from kb.engine.legality import forbidden

    proposals = []
    for hit in hits:
        if not hit.target.on_board or hit.amount <= 0:
            continue
        if forbidden(game, "take damage", thing=hit.target) is not None:
            game.note("054.1 465.2.c.10", "{} can't be dealt damage", hit.target)
            continue
        cause = hit.cause
        using = None if hit.source is not None else cause.using
        proposals.append(
            Happening(
                "takes_damage",
                hit.target,
                hit.target.controller,
                cause.by,
                using,
                hit.source or cause.source,
                place=hit.target.location,
                amount=hit.amount,
                item=cause.using,
            )
        )
    dealt = yield from propose(game, proposals, assigned=all(h.assigned for h in hits))
    if len(dealt) < len(proposals) or any(e.amount <= 0 for e in dealt):
        game.note("437.4 417.1.e.1", "damage that is prevented wholly is not dealt")
    dealt = [
        e for e in dealt if (e.amount > 0 or not game.hooks.does("437.4")) and e.thing is not None and e.thing.on_board
    ]
    for event in dealt:
        thing = event.thing
        assert thing is not None
        if game.hooks.does("417.1.b") and game.hooks.does("143.3.a"):
            marker = event.by or ""
            thing.marks[marker] += event.amount
        game.recent_damage[thing.id] = event
    if dealt:
        game.touch()
    yield from happen(game, dealt, f"{rules} {dealing_rules(hits, len(dealt))}".strip())
    return dealt


def dealing_rules(hits: Sequence[Hit], dealt: int) -> str:
    """What else the damage of one Deal action carries out: how it is marked, and what its source is."""
    rules = "417.1.c 417.1.d" if dealt > 1 else ""
    if all(h.assigned for h in hits):
        return f"{rules} 417.3.a 417.6.c.1"
    if all(h.source is not None for h in hits):
        return f"{rules} 417.6.b.1 417.6.b.4"
    if all(h.source is None and h.cause.using is not None for h in hits):
        ability = all(h.cause.using is not None and h.cause.using.is_ability for h in hits)
        return f"{rules} 417.6.a" + (" 417.6.b.2.a" if ability else "")
    return rules


def lethal(game: Game, unit: Thing) -> bool:
    """Whether a unit has lethal damage: a non-zero amount of at least its Might (142.4), or what an effect says."""
    if not unit.damage and game.hooks.does("142.4.b"):
        return False
    if unit.token and not game.hooks.does("185.2.d"):
        return False
    might = game.might(unit) if not unit.stunned or game.hooks.does("423.1.c") else 1
    if game.hooks.holds("142.4.b", unit.damage >= might):
        return True
    for rule, context in game.rules("lethal", unit):
        who = context.you
        if who is not None and unit.marks[who] >= (amount_of(rule.value, context) or 1):
            game.note("142.4.c 142.3.b", "less damage is enough to kill {}", unit)
            return True
    return False


# leaving the board


def self_triggers(game: Game, thing: Thing, event: Happening) -> list[Found]:
    """Deathknell and other abilities of an object that trigger on its own death (428.1.a.1.b, 808.1.d)."""
    found = []
    for granted in game.abilities_of(thing):
        ability = granted.ability
        if not isinstance(ability, Triggered) or ability.zone != "board":
            continue
        if ability.keyword == "Deathknell" and not game.hooks.does("808.1.c 808.1.d 808.1.d.3"):
            continue
        for number, pattern in enumerate(ability.events):
            if (
                pattern.verb != "dies"
                or not isinstance(pattern.subject, Ref)
                or pattern.subject.name not in ("me", "this")
            ):
                continue
            context = replace(game.context(thing, this=granted.this, event=event), they=event.doer)
            if not game.active(ability.dependent, context) or not event_matches(game, pattern, event, context):
                continue
            if not holds_for(ability, event, context):
                continue
            controller = thing.holder
            if ability.keyword == "Deathknell":
                controller = game.hooks.actor("808.1.c", controller, game.next_player(controller))
            one = Found(ability, controller, thing, granted.this, event, context.they, (*granted.key, number))
            found += [one] * (1 + extra_triggers(game, ability, thing))
            break
    return found if game.hooks.does("808.2 808.2.a") else found[:1]


def can_die(game: Game, thing: Thing) -> bool:
    """Legends and battlefields are not killed in the course of a game."""
    if thing.zone is Zone.LEGEND:
        return not game.hooks.does("174.3")
    return "battlefield" not in thing.card.types or not game.hooks.does("170.3")


def kill(
    game: Game, things: Sequence[Thing], cause: Cause, rules: str = "428.1", passive: bool = False
) -> Flow[list[Thing]]:
    """428: permanents go to their owners' trash from the board; returns those that did.

    Self-death triggers are added first (428.1.a.1.b, 323.4) and removed where the death is replaced (808.1.d.1).
    """
    victims = [t for t in dict.fromkeys(things) if t.on_board and can_die(game, t)]
    if not victims:
        return []
    fighting = {t.id for t in victims if game.in_combat(t)}
    events = []
    for thing in victims:
        recent = game.recent_damage.get(thing.id) if passive else None
        why = Cause(recent.by, recent.item or recent.using, recent.source) if recent is not None else cause
        events.append(
            Happening(
                "dies",
                thing,
                thing.holder,
                why.by,
                why.using,
                why.source,
                place=thing.location,
                in_combat=thing.id in fighting,
            )
        )
    before = len(game.state.chain)
    knells = [f for e in events if e.thing is not None for f in self_triggers(game, e.thing, e)]
    for player in game.players_in_order():
        own = [f for f in knells if f.controller == player]
        if own:
            noted = "323.4 808.1.d.2" if passive else "428.1.a.1.b 808.1.d.2"
            game.note(noted, "{}'s triggers on their own death are added before the move", player)
            yield from add_own_triggers(game, player, own)
    knell_items = game.state.chain[before:]
    remaining = yield from propose(game, events)
    alive = {id(e.thing) for e in events} - {id(e.thing) for e in remaining}
    for item in knell_items:
        if item.event is not None and id(item.event.thing) in alive and game.hooks.does("808.1.d.1"):
            game.note("808.1.d.1", "the trigger of {} is removed, as it did not die", item.source)
            remove_item(game, item)
    dead = [e.thing for e in remaining if e.thing is not None and e.thing.on_board]
    seers = [] if game.hooks.does("383.2.c.2 370.1.a.2") else [g for t in dead for g in game.abilities_of(t)]
    for thing in dead:
        game.change_zone(thing, Zone.TRASH)
        game.recent_damage.pop(thing.id, None)
    done = [e for e in remaining if e.thing in dead]
    if len(dead) > 1:
        game.note("370.1.a.2 383.2.c.2", "they die at once, and none of them sees another die")
    for together in game.hooks.value("370.1.a.2", [done], [[e] for e in done]):
        yield from happen(game, together, f"{rules} {killing_rules(done, passive)}".strip())
    for seer in seers:
        seen = [e for e in done if e.thing is not seer.me and isinstance(seer.ability, Triggered)]
        found = [f for e in seen for f in from_ability(game, seer.ability, seer, e, [])]  # type: ignore[arg-type]
        yield from add_triggers(game, found)
    return dead


def killing_rules(events: Sequence[Happening], passive: bool) -> str:
    """What else a kill carries out: from the board to the trash, and who is responsible (428.2, 428.4, 428.5)."""
    rules = "428.2.a"
    if events and all(e.by is None for e in events):
        rules += " 411.2"
    elif events and all(e.by is not None for e in events):
        rules += " 411.3" if passive else " 411.1"
    if passive:
        rules += " 428.4"
        if events and all(e.using is not None for e in events):
            rules += " 428.5.c.1"
        elif events and all(e.by is not None and e.in_combat for e in events):
            rules += " 428.5.c.2"
    elif events and all(e.using is not None for e in events):
        rules += " 428.5.a 428.5.b"
    return rules


def remove_item(game: Game, item: ChainItem) -> None:
    """A chain item leaves the chain without resolving."""
    item.left = True
    if item in game.state.chain:
        game.state.chain.remove(item)
    game.outstanding.add("319.5")
    game.touch(game.hooks.does("319.5"))


def leave(
    game: Game, verb: str, things: Sequence[Thing], zone: Zone, cause: Cause, rules: str, top: bool = False
) -> Flow[list[Thing]]:
    """Objects go to their owners' zone; returns what they became (tokens cease to exist, 186.1)."""
    subjects = [game.follow(t) for t in dict.fromkeys(things)]
    present = [t for t in subjects if not t.gone and t.zone is not Zone.LEGEND and "battlefield" not in t.card.types]
    events = yield from propose(game, [happening(verb, t, cause) for t in present])
    moved = []
    out = []
    for event in events:
        thing = event.thing
        if thing is None or thing.gone:
            continue
        if thing.zone is Zone.CHAIN:
            off_chain(game, thing)
        bottom = verb != "recycles" or game.hooks.does("416.1")
        new = game.change_zone(thing, target_zone(game, thing, zone), top=top or not bottom)
        if not new.gone:
            moved.append(new)
        out.append(event)
    yield from happen(game, out, rules)
    return moved


def off_chain(game: Game, thing: Thing) -> None:
    """The chain item of a card that leaves the chain for another zone goes with it (359.3.e.15)."""
    for item in list(game.state.chain):
        if item.thing is thing:
            remove_item(game, item)


def target_zone(game: Game, thing: Thing, zone: Zone) -> Zone:
    """Where a card goes: runes, whatever else they are, are recycled to the Rune Deck, other cards to the Main Deck."""
    types = game.traits(thing).types
    if zone is not Zone.DECK:
        return zone
    if "rune" not in types:
        return zone if game.hooks.does("416.1.a") else Zone.RUNE_DECK
    if len(types) > 1:
        zone = game.hooks.value("178.1.a.2", zone, Zone.TRASH)
    runes = game.hooks.does("416.1.b") and (len(types) == 1 or game.hooks.does("178.1.a.2"))
    return Zone.RUNE_DECK if runes and zone is Zone.DECK else zone


ALSO = {"dies": "427.2.a", "discards": "427.2.b"}
"""What banishing is not, with the rule that says so."""


def banish(game: Game, things: Sequence[Thing], cause: Cause) -> Flow[list[Thing]]:
    """427: put cards into Banishment from wherever they are."""
    zone = game.hooks.actor("427.2", Zone.BANISHMENT, Zone.TRASH)
    also = [(verb, rule) for verb, rule in ALSO.items() if not game.hooks.does(ALSO[verb])]
    called = "banishes"
    for verb in ALSO:
        called = game.hooks.value(ALSO[verb], called, verb)
    moved = yield from leave(game, called, things, zone, cause, "427.1 427.2.a 427.2.b")
    for verb, rule in also:
        yield from happen(game, [happening(verb, t, cause) for t in things], rule)
    source = cause.using.bindings.get("this") if cause.using is not None else None
    linked = source if isinstance(source, Thing) else cause.source
    for thing in moved:
        same = linked is not None and game.hooks.does("427.3.a")
        thing.banished_by = linked.id if linked is not None and same else 0
        if linked is not None:
            game.trace.cite("427.3.a 394.1")
    return moved


def return_to_hand(game: Game, things: Sequence[Thing], cause: Cause) -> Flow[list[Thing]]:
    """Return objects to their owners' hands (056.2)."""
    elsewhere = any(t.owner != t.controller for t in things if t.on_board)
    return (yield from leave(game, "returns", things, Zone.HAND, cause, "056.2 124" if elsewhere else "124"))


def arrange_runes(game: Game, owner: str, runes: list[Thing]) -> Flow[list[Thing]]:
    """416.5.a: runes that are recycled together go to the bottom in the order of their owner's choosing."""
    named = game.by_label(runes)
    about = "the order in which the runes go to the bottom of the Rune Deck (the last one lies lowest)"
    return game.hooks.order("416.5.a", (yield from in_order(owner, named, about, "416.5.a")))


def recycle(game: Game, things: Sequence[Thing], cause: Cause) -> Flow[list[Thing]]:
    """416: cards go to the bottom of their owners' decks, two or more Main Deck cards in a random order (416.5)."""
    order = list(dict.fromkeys(things))
    main = [t for t in order if "rune" not in game.traits(t).types]
    if game.hooks.does("416.5"):
        game.rng.shuffle(main)
        if len(main) > 1:
            game.note("416.5", "the recycled cards go to the bottom in a random order")
    runes = [t for t in order if t not in main]
    for owner in dict.fromkeys(t.owner for t in runes):
        own = [t for t in runes if t.owner == owner]
        if len({t.card.name for t in own}) > 1:
            sorted_runes = yield from arrange_runes(game, owner, own)
            runes = [t for t in runes if t.owner != owner] + sorted_runes
    rules = "416.1 416.1.c 416.2.a" + (" 416.1.a" if main else "")
    return (yield from leave(game, "recycles", [*main, *runes], Zone.DECK, cause, rules))


# movement


def apply_contested(game: Game, where: Location | None, player: str, rules: str = "190.3.a.1") -> None:
    """A unit that is not its battlefield's controller's applies Contested to it (190.3.a).

    ``rules``: why just now; 190.3.a.1 where it is played there, with 450 where it moves there, 190.3.a else.
    """
    if not isinstance(where, int):
        return
    battlefield = game.state.things[where]
    others = battlefield.controller != player
    for rule in rules.split():
        others = game.hooks.holds(rule, others)
    if battlefield.contested_by is None and others and game.hooks.does(rules.split()[0]):
        battlefield.contested_by = player
        game.note(rules, "{} applies Contested to {}", player, battlefield)
        game.touch()


def relocate(game: Game, thing: Thing, where: Location) -> None:
    """Change an object's location with everything attached to it (719.3.a)."""
    game.trace.cite("719.3.a" if game.attached_to(thing) else "")
    for one in (thing, *(game.attached_to(thing) if game.hooks.does("719.3.a") else ())):
        place = where
        if isinstance(where, str) and one is not thing:
            if not game.hooks.does("107.1.c.1"):
                continue
            place = game.hooks.actor("107.1.c.1", where, one.controller or where)
        zone = Zone.BATTLEFIELD if isinstance(place, int) else Zone.BASE
        game.state.board.pop(one.id, None)
        one.battlefield = 0
        game.put(one, zone, place)


def recall(game: Game, things: Sequence[Thing], cause: Cause, rules: Rules = "455") -> Flow[list[Thing]]:
    """454-458: permanents go to their controller's base; this is not a move and changes nothing else."""
    from kb.engine.legality import forbidden

    done = []
    events = []
    for thing in things:
        if not thing.on_board or thing.controller is None or thing.location == thing.controller:
            continue
        if not game.hooks.does("456.3") and forbidden(game, "move", thing=thing, origin=thing.location) is not None:
            continue
        if game.is_unit(thing) or not thing.attached_to:
            if game.hooks.does("455"):
                relocate(game, thing, thing.controller)
            if not game.hooks.does("458.1"):
                thing.exhausted = False
                thing.marks.clear()
            done.append(thing)
            events.append(happening("recalls", thing, cause))
            if not game.hooks.does("456.1"):
                events.append(happening("moves", thing, cause))
    if done:
        game.note("456.1 456.3", "a Recall is no Move: nothing that speaks of moving sees or stops it")
    yield from happen(game, events, lambda e: f"{rules if isinstance(rules, str) else rules(e)} 456.2 458.1")
    return done


def move(game: Game, moves: Sequence[tuple[Thing, Location]], cause: Cause, rules: str = "420.1") -> Flow[list[Thing]]:
    """420, 445: permanents change locations simultaneously; one that may not be there is recalled instead (447.2.c)."""
    from kb.engine.legality import why_not_move

    proposals, recalled = [], []
    for thing, where in moves:
        if not thing.on_board or thing.location == where or thing.attached_to:
            if thing.on_board and thing.attached_to:
                game.note("718.5.c", "{} is attached and does not move by itself", thing)
            continue
        refusal = why_not_move(game, thing, where)
        if refusal is not None and refusal.rule.startswith(("447.2", "449.2")):
            recalled.append(thing)
        elif refusal is not None and game.hooks.does("359.3.e.6") and game.hooks.does("358.3.a"):
            game.note(f"359.3.e.6 {refusal.rule}", "{} can't move: {}", thing, refusal.why)
        else:
            proposals.append(
                Happening("moves", thing, thing.controller, cause.by, cause.using, cause.source, where, thing.location)
            )
    events = yield from propose(game, proposals)
    for event in events:
        moved = event.thing
        assert moved is not None
        assert event.place is not None
        if game.hooks.does("446.3.a 446.3.b"):
            relocate(game, moved, event.place)
        moved.moves_this_turn += 1
    for event in events:
        if event.thing is not None and event.thing.controller is not None and game.is_unit(event.thing):
            apply_contested(game, event.place, event.thing.controller, "190.3.a.1 450")
    if recalled:
        yield from recall(game, recalled, cause, "447.2.c")
    units = [e for e in events if e.thing is not None and game.is_unit(e.thing)]
    movers = [(game.hooks.actor("411.4", e.by or e.player, e.player), e.place) for e in units]
    movers = list(dict.fromkeys(movers)) if game.hooks.does("144.3") else movers
    whole = [Happening("moves", None, who, who, cause.using, cause.source, where) for who, where in movers]
    if events:
        game.note("446.3.a 446.3.c 453", "a Move is made at once, without the Chain; a Cleanup follows")
    seen = game.hooks.value("446.3.b", events, [*events, *events])
    yield from happen(game, [*seen, *whole], f"{rules} 446.1 446.3.b")
    return [e.thing for e in events if e.thing is not None]


def can_move(game: Game, thing: Thing, where: Location) -> bool:
    """Whether an instruction to move this there can be followed, be it by a Recall (447.2.c); else it is ignored."""
    from kb.engine.legality import why_not_move

    if not thing.on_board or thing.location == where or thing.attached_to:
        return False
    refusal = why_not_move(game, thing, where)
    return refusal is None or refusal.rule.startswith(("447.2", "449.2")) or not game.hooks.does("359.3.e.6")


def take_control(game: Game, thing: Thing, player: str) -> None:
    """A player takes control of a permanent, a trait (477.1.a); attached cards keep their controllers (718.5.f)."""
    if not thing.on_board or thing.controller == player:
        return
    thing.controller = player
    if game.hooks.holds("477.1.a", False):
        thing.owner = player
    for one in [] if game.hooks.does("718.5.f") else game.attached_to(thing):
        one.controller = player
    waiting = " 191.4.b" if any(i.source is thing for i in game.state.chain) else ""
    waiting += " 718.5.e 718.5.f" if thing.attached_to or game.attached_to(thing) else ""
    game.note(f"477.1.a{waiting}", "{} takes control of {}", player, thing)
    game.touch()
    if game.is_unit(thing) and isinstance(thing.location, int):
        apply_contested(game, thing.location, player, "190.3.a")


# attaching


def attach(game: Game, gear: Thing, top: Thing, cause: Cause) -> Flow[bool]:
    """434: attach a card to a unit; it detaches from what it was attached to (434.1.f) and moves there (434.4)."""
    if gear.on_board and gear.attached_to == top.id:
        game.note("434.1.g 434.1.h", "{} is attached to {} already", gear, top)
    if not gear.on_board or not top.on_board or gear is top or gear.attached_to == top.id or top.attached_to:
        return False
    worn = [gear] if gear.attached_to else []
    if worn and not game.hooks.does("718.5.d"):
        return False
    if worn:
        game.note("434.1.f 718.5.d", "{} is detached from what it is attached to", gear)
        yield from detach(game, worn, cause)
    if gear.card.might_bonus is not None and game.traits(top).might is None:
        game.note("137.3.b", "{} has no Might that the bonus could change", top)
    before = mighty_now(game, [top])
    gear.attached_to = top.id
    gear.attached_turn = game.state.turn
    gear.timestamp = game.tick()
    where = top.location
    if where is not None and where != gear.location:
        game.state.board.pop(gear.id, None)
        gear.battlefield = 0
        game.put(gear, Zone.BATTLEFIELD if isinstance(where, int) else Zone.BASE, where)
    game.touch()
    game.note(
        "434.1.c 434.1.d 434.1.e 434.3 718.2 718.3 718.4 719.1 724",
        "{} gets the effect text and Might Bonus of {}, whose text is inactive",
        top,
        gear,
    )
    events = [happening("attaches", gear, cause)]
    keyworded = " 818.2.a" if getattr(getattr(cause.using, "ability", None), "keyword", "") == "Equip" else ""
    rules = f"434.1 434.1.a.1 434.4.a 434.5{keyworded}"
    yield from happen(game, [*events, *became_mighty(game, [top], before, cause)], rules)
    return True


def detach(game: Game, things: Sequence[Thing], cause: Cause) -> Flow[list[Thing]]:
    """435: attached cards stop being attached, at the same location."""
    done = [t for t in things if t.on_board and t.attached_to]
    for thing in things:
        if thing.on_board and not thing.attached_to:
            game.note("435.1.a.1", "{} is not attached to anything", thing)
    for thing in done:
        thing.attached_to = 0 if game.hooks.does("435.1.e 718.1 723 137.3.a") else thing.attached_to
        thing.timestamp = game.tick()
    if done:
        game.touch()
    if done:
        rules = "435.1.c 435.1.d 435.1.e 435.3 480.2 718.1 719.2 723"
        game.note(rules, "its own text is active again, its effect text and Might Bonus are not")
    yield from happen(game, [happening("detaches", t, cause) for t in done], "435.1 435.1.b.2")
    return done


# chain


def leaves_otherwise(game: Game, item: ChainItem) -> str:
    """What happens to a card that leaves the chain in place of going to the trash; for Flow it is banished."""
    if item.terms is None or not item.terms.leaving:
        return ""
    flow = item.terms.instead is not None
    if not flow:
        return item.terms.leaving
    return game.hooks.value("829.1.b.1", item.terms.leaving, "recycle") if game.hooks.does("829.1.b.1") else ""


def counter(game: Game, item: ChainItem, cause: Cause) -> Flow[bool]:
    """425: a chain item does nothing and leaves the chain; its card goes to its owner's trash."""
    if item.left or item.resolving or item not in game.state.chain:
        return False
    name = game.label(item)
    if not game.hooks.does("425.1.a"):
        from kb.engine.instructions import execute_item

        yield from execute_item(game, item, 0)
    remove_item(game, item)
    thing = item.thing
    if thing is not None and not thing.gone:
        leaving = leaves_otherwise(game, item)
        if leaving:
            game.note("390.3.a", "{} leaves the chain otherwise than into the trash", thing)
            yield from (banish if leaving == "banish" else recycle)(game, [thing], Cause(item.controller, item))
        else:
            game.change_zone(thing, Zone.TRASH)
    trash = " 425.1.a.1" if thing is not None and (item.terms is None or not item.terms.leaving) else ""
    game.note(f"425.1.a{trash}", "{} is countered and does nothing", name)
    if not item.is_ability:
        game.note("419.4.a.1", "{} was not played, for what triggers on cards being played", name)
    game.note("425.1.c.1", "costs that were paid for it, additional ones too, are not refunded")
    yield from happen(
        game,
        [Happening("counters", thing, item.controller, cause.by, cause.using, cause.source, item=item)],
        "425.1 425.1.b",
    )
    return True


# points and XP


def gain_points(
    game: Game, player: str, amount: int, rules: str, cause: Cause = NOBODY, certain: bool = False
) -> Flow[int]:
    """194.1: a player (a team, 489.8.d) gains points; ``certain`` points can't be replaced (431.3.b)."""
    if amount <= 0:
        return 0
    event = Happening("gains_points", None, player, player, cause.using, cause.source, amount=amount)
    events = [event] if certain else (yield from propose(game, [event]))
    total = sum(e.amount for e in events)
    for name in game.state.order:
        if game.state.players[name].team == game.state.players[player].team:
            game.state.players[name].points += total
    if total:
        game.touch()
    shared = " 489.8.d.1 489.8.d.2 489.8.d.3" if game.teammates(player) else ""
    yield from happen(game, list(events), f"{rules}{shared}")
    if total and game.state.sudden_death:
        from kb.engine.decks import declare_winner

        game.state.match_result = player
        game.note("tournament-2026-07:408.4.c.3", "{} scores the next point and wins the match", player)
        declare_winner(game, player)
    return total


def lose_points(game: Game, player: str, amount: int, cause: Cause) -> Flow[int]:
    """194.4: points never go below 0; losing none is no event (194.4.b)."""
    lost = min(amount, game.player(player).points)
    if lost <= 0:
        game.note("194.4.a 194.4.b", "{} has no points to lose", player)
        return 0
    for name in game.state.order:
        if game.state.players[name].team == game.state.players[player].team:
            game.state.players[name].points -= lost
    game.touch()
    yield from happen(game, [Happening("loses_points", None, player, cause.by, amount=lost)], "194.4")
    return lost


def gain_xp(game: Game, player: str, amount: int, cause: Cause) -> Flow[int]:
    """730.1: XP goes up."""
    if amount <= 0:
        return 0
    sharing = [] if game.hooks.does("732") else game.teammates(player)
    mate = next(iter(game.teammates(player)), player)
    for name in (game.hooks.actor("732", player, mate), *sharing):
        game.player(name).xp += amount if game.hooks.does("733") else min(amount, 1)
    game.touch()
    yield from happen(
        game,
        [Happening("gains_xp", None, player, player, cause.using, cause.source, amount=amount)],
        f"730.1 733{' 732' if game.teammates(player) else ''}",
    )
    return amount
