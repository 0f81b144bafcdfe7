"""What happens, and the triggered abilities that see it (382-392).

:func:`happen` records one or more simultaneous events and adds the abilities they trigger to the chain as pending
items, the turn player's first, each player ordering their own (383.3.d). Patterns are matched after the
event (383.2.c).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kb.cards.phrases import Choosing, Comparison, Noun, Number, Ref, What, facts_in
from kb.cards.syntax import Event, Triggered
from kb.engine.asking import Ask, Flow, Option, in_order, unique
from kb.engine.citing import event_rules, outstanding, trigger_rules
from kb.engine.citing_keywords import MEANING, ONCE, SEPARATE, keyword_trigger
from kb.engine.filters import (
    Context,
    amount_of,
    compare,
    described,
    holds,
    is_at,
    location_of,
    matches_place,
    matches_player,
    matches_seen,
    resolve,
    whose,
)
from kb.engine.layers import Granted, printed
from kb.engine.state import ChainItem, Happening, Lasting, Step, Thing
from kb.engine.zones import BOARD, Zone

if TYPE_CHECKING:
    from kb.engine.game import Game

PLAYERS = {"player", "opponent"}
RULES_OF = {
    "plays": "419.4.a",
    "chooses": "383.4.b",
    "attacks": "383.4.e",
    "defends": "383.4.f",
    "conquers": "383.4.c",
    "holds": "383.4.d",
    "dies": "428",
}
"""The rule that a trigger's line of the trace cites, by event."""

OF_UNITS = {"conquers": "383.4.c.2.a", "holds": "383.4.d.2.a"}
OF_PLAYERS = {"conquers": "383.4.c.2.b", "holds": "383.4.d.2.b"}
"""The rule of a conquer or hold ability of a unit that is there, and of one that speaks of the player or the place."""


@dataclass(frozen=True)
class Found:
    """A triggered ability whose condition was met."""

    ability: Triggered
    controller: str
    source: Thing | None
    this: Thing | None
    event: Happening
    they: str | None
    key: tuple[object, ...]
    lasting: Lasting | None = None
    instances: tuple[Happening, ...] = ()
    pattern: Event | None = None
    """The condition of the ability that was met; None where nothing asks for it again."""


Rules = str | Callable[[Happening], str]
"""The rules that require simultaneous events: the same for all, or those of each."""


def happen(game: Game, happenings: list[Happening], rules: Rules = "") -> Flow[None]:
    """Simultaneous events happened: note them, and add what they trigger to the chain (383.3)."""
    found = notice(game, happenings, rules)
    if found:
        yield from add_triggers(game, found)
    while game.released:
        yield from see_released(game, *game.released.pop(0))
    yield from see_mighty(game)


def see_mighty(game: Game) -> Flow[None]:
    """709: units that have become Mighty since this was looked at last, whatever changed their Might.

    What an effect that begins makes Mighty is seen as it begins (370.1.a.1); here it is what passive abilities,
    designations, control, detaching and the end of effects do.
    """
    from kb.engine.replacing import propose

    if game.mighty_at == game.version:
        return
    game.mighty_at = game.version
    before, game.mighty = game.mighty, which_are_mighty(game)
    grown = [i for i, mighty in game.mighty.items() if mighty and before.get(i) is False]
    if grown:
        units = [game.state.board[i] for i in grown]
        events = [Happening("becomes_mighty", t, t.controller, place=t.location) for t in units]
        kept = yield from propose(game, events)
        yield from happen(game, kept)


def which_are_mighty(game: Game) -> dict[int, bool]:
    """The units on the board, and whether each is Mighty (708)."""
    return {t.id: game.might(t) >= 5 for t in game.state.board.values() if game.is_unit(t)}


def see_released(game: Game, player: str | None, cards: list[Thing]) -> Flow[None]:
    """719.5: cards detach from what left the board, in the order that its controller decides (719.5.a).

    The order is asked for only where something sees a card detach.
    """
    later = [e.ability for e in game.state.lasting if isinstance(e.ability, Triggered)]
    seen = bool(game.triggers("detaches")) or any(e.watches == "detaches" for a in later for e in a.events)
    rules = "719.5 435.4.b"
    if len(cards) > 1 and seen and player is not None and not game.player(player).lost:
        named = game.by_label(cards)
        about = "the order in which the attached cards detach (the first one detaches first)"
        cards = yield from in_order(player, named, about, "719.5.a")
        rules = f"{rules} 719.5.a"
    for card in cards:
        card.timestamp = game.tick()
    game.touch()
    for card in cards:
        yield from happen(game, [Happening("detaches", card, card.controller, place=card.location)], rules)


def notice(game: Game, happenings: list[Happening], rules: Rules = "") -> list[Found]:
    """Record events and find what they trigger, without adding it to the chain yet."""
    found: list[Found] = []
    for happening in happenings:
        record(game, happening, rules if isinstance(rules, str) else rules(happening))
    note_ceased(game)
    for happening in happenings:
        found += triggered_by(game, happening, found)
        game.turn_log.append(happening)
    return [replace(f, instances=instances_of(game, f, happenings)) for f in found]


def note_ceased(game: Game) -> None:
    """186.1: tokens that left the board exist no more, once what made them leave has happened."""
    while game.ceased:
        game.note("186.1", "{} ceases to exist", game.ceased.pop(0))


def instances_of(game: Game, found: Found, happenings: list[Happening]) -> tuple[Happening, ...]:
    """The simultaneous events that each meet a condition of "the Nth time" (383.1.b)."""
    event = found.pattern
    if event is None or not (event.nth or event.first_each):
        return ()
    met = []
    for happening in happenings:
        if happening.verb == event.watches:
            context = game.context(found.source, this=found.this, event=happening)
            context = replace(context, they=happening.doer)
            if event_matches(game, event, happening, context) and holds_for(found.ability, happening, context):
                met.append(happening)
    return tuple(met)


def record(game: Game, happening: Happening, rules: str) -> None:
    """An event line of the trace."""
    game.counts[happening.verb] += 1
    if happening.verb == "becomes_mighty" and happening.thing is not None:
        game.mighty[happening.thing.id] = True
    game.outstanding.add(outstanding(happening))
    # what made a unit Mighty happens with it, but is required by other rules
    rules = f"{rules if happening.verb != 'becomes_mighty' else ''} {event_rules(happening)}"
    about = happening.thing
    if happening.verb in ("exhausts", "readies", "stuns", "empowers") and about is not None:
        rules += " 719.4.a" if about.attached_to or game.attached_to(about) else ""
    if not game.trace.enabled:
        game.trace.cite(rules)
        return
    named = happening.thing or (happening.item if happening.verb in ("plays", "counters") else None)
    subject = named if named is not None else happening.player
    node = game.trace.add(rules, "{} {}", (game.label(subject), describe(game, happening)), kind="event")
    if node is not None:
        node.verb = happening.verb
        node.thing = game.label(named) if named is not None else ""
        node.player = happening.player or ""
        node.data = {
            "amount": happening.amount,
            "things": list(happening.things),
            "place": game.place_label(happening.place) if happening.place is not None else "",
            "by": happening.by or "",
            "item": game.label(happening.using) if happening.using is not None else "",
        }


WORDS = {
    "takes_damage": "takes {amount} damage",
    "moves": "moves from {origin} to {place}",
    "moves_units": "moves units to {place}",
    "chooses": "becomes a target",
    "gains_points": "gains {amount} point(s)",
    "loses_points": "loses {amount} point(s)",
    "gains_xp": "gains {amount} XP",
    "draws": "draws {amount}",
    "conquers": "conquers {place}",
    "holds": "holds {place}",
    "scores": "scores {place}",
    "enters": "enters at {place}",
    "plays": "is played",
    "plays_token": "is a token that was played",
    "discards": "is discarded",
    "recycles": "is recycled",
    "returns": "returns to its owner's hand",
    "banishes": "is banished",
    "channels": "is channeled",
    "phase_begins": "begins the {word} phase",
    "turn_ends": "ends the turn",
    "stuns": "is stunned",
    "readies": "becomes ready",
    "exhausts": "becomes exhausted",
    "buffs": "is buffed",
    "empowers": "becomes empowered",
    "reveals": "is revealed",
    "recalls": "is recalled to {place}",
    "attaches": "is attached",
    "detaches": "is detached",
    "counters": "is countered",
    "heals": "is healed",
    "adds": "adds resources",
}


def describe(game: Game, happening: Happening) -> str:
    """An event's verb in words."""
    verb = "moves_units" if happening.verb == "moves" and happening.thing is None else happening.verb
    return WORDS.get(verb, verb.replace("_", " ")).format(
        amount=happening.amount,
        place=game.place_label(happening.place),
        origin=game.place_label(happening.origin),
        word=happening.word,
    )


TRIGGERS_OF = {"battlefield": "170.9", "legend": "174.7"}
"""Types other than permanents on which triggered abilities can be found."""


def triggered_by(game: Game, happening: Happening, already: list[Found]) -> list[Found]:
    """Every triggered ability whose condition this event meets."""
    found: list[Found] = []
    for granted, zone in listeners(game, happening):
        ability = granted.ability
        if not isinstance(ability, Triggered) or ability.zone != zone:
            continue
        kind = granted.me.card.main_type
        if kind in TRIGGERS_OF and not game.hooks.does(TRIGGERS_OF[kind]):
            continue
        if ability.keyword == "Deathknell" and happening.verb == "dies":
            continue
        triggered = from_ability(game, ability, granted, happening, already + found)
        if triggered and kind in TRIGGERS_OF:
            others = [replace(f, controller=game.next_player(f.controller)) for f in triggered]
            triggered = game.hooks.actor(TRIGGERS_OF[kind], triggered, others)
        found += triggered
    for effect in game.state.lasting:
        if isinstance(effect.ability, Triggered) and game.hooks.does("390.2"):
            found += from_lasting(game, effect, effect.ability, happening, already + found)
    return found


def listeners(game: Game, happening: Happening) -> Iterable[tuple[Granted, str]]:
    """Objects whose triggered abilities can see an event, with the zone they are in (384-385)."""
    game.trace.cite("384.1 384.2")
    for granted in list(game.triggers(happening.verb)):
        yield granted, "board"
    inactive = [] if game.hooks.does("384.1 384.2") else [Zone.TRASH]
    for elsewhere_too in (*inactive, *([Zone.HAND] if game.hooks.holds("384.1 384.2", False) else ())):
        for thing in game.zone_cards(elsewhere_too, None):
            yield from ((Granted(a, thing, thing, (thing.id, n)), "board") for n, a in enumerate(thing.card.abilities))
    for zone in (Zone.TRASH, Zone.HAND) if game.hooks.does("385.1 385.2") else ():
        for thing in game.zone_cards(zone, None):
            for index, elsewhere in thing.card.triggers_elsewhere:
                if elsewhere.zone == zone.value:
                    yield Granted(elsewhere, thing, thing, (thing.id, index)), zone.value
    own = happening.thing
    if own is not None and happening.verb == "attaches" and own.attached_to and game.hooks.does("725.1"):
        held = enumerate(a for a, _ in printed(own.definition).abilities)
        for index, seeing in [(i, a) for i, a in held if isinstance(a, Triggered)]:
            game.trace.cite("725.1")
            yield Granted(seeing, own, own, (own.id, index)), "board"
    if own is not None and happening.verb in ("discards", "burns", "reveals", "recycles") and own.zone not in BOARD:
        for index, (ability, _) in enumerate(printed(own.card).abilities):
            if isinstance(ability, Triggered) and any(e.verb == "discarded" for e in ability.events):
                yield Granted(ability, own, own, (own.id, index)), ability.zone


def from_ability(
    game: Game, ability: Triggered, granted: Granted, happening: Happening, already: list[Found]
) -> list[Found]:
    """The ability, as often as this event triggers it."""
    source = granted.me
    for number, event in enumerate(ability.events):
        if event.watches != happening.verb:
            continue
        context = game.context(source, this=granted.this, event=happening)
        they = happening.doer
        context = replace(context, they=they)
        if not game.active(ability.dependent, context) or not sees_own_change(game, source, happening):
            continue
        if not event_matches(game, event, happening, context):
            continue
        if not game.hooks.does(MEANING.get(ability.keyword, "")) or not separate(game, ability, source, already):
            continue
        key = (*granted.key, number)
        if isinstance(event.subject, Noun) and event.subject.quantity == "all" and any(f.key == key for f in already):
            continue
        if not count_matches(game, event, happening, context, already, key):
            continue
        if ability.only_if is not None:
            met = game.hooks.holds("383.2.a.1", holds_for(ability, happening, context))
            if not game.hooks.holds(LATE.get(happening.verb, ""), met):
                rules = f"383.2.a.1 {LATE.get(happening.verb, '')}".strip()
                game.note(rules, "the ability of {} does not trigger: its other condition is not met", source)
                continue
        done = game.state.used[(granted.key, game.state.turn)]
        if ability.limit and game.hooks.holds("383.3.e.1", done >= ability.limit):
            continue
        controller = controller_of(game, ability, source, they)
        if controller is None or (controller != game.state.turn_player and not game.hooks.does("383.3.c")):
            continue
        if game.state.chain and game.hooks.holds("383.3.c", False):
            continue
        if ability.keyword in MEANING:
            controller = game.hooks.actor(MEANING[ability.keyword], controller, game.next_player(controller))
        if happening.thing is source and happening.verb in CHANGES:
            controller = game.hooks.actor(CHANGES[happening.verb], controller, game.next_player(controller))
        if happening.thing is source and happening.verb == "attaches":
            controller = game.hooks.actor("725.1", controller, game.next_player(controller))
        times = repeats(game, ability, source) + extra_triggers(game, ability, source)
        if ability.keyword in SEPARATE:
            times = game.hooks.count(SEPARATE[ability.keyword], times)
        return [Found(ability, controller, source, granted.this, happening, they, key, pattern=event)] * times
    return []


LATE = {"attacks": "383.4.e.2.b", "defends": "383.4.f.2.b"}
"""Designations that a trigger's other condition must be met with, and the rule that says so."""

CHANGES = {"empowers": "828.1.d 727.1.c.1.a 725.4", "detaches": "725.2"}
"""Changes of an object that its own triggers see although their text is active only from or up to that moment."""


def sees_own_change(game: Game, source: Thing, happening: Happening) -> bool:
    """Whether a trigger of the changed object itself can see the change."""
    own = happening.thing is source and happening.verb in CHANGES
    return not own or game.hooks.does(CHANGES[happening.verb])


def separate(game: Game, ability: Triggered, source: Thing, already: list[Found]) -> bool:
    """Several instances of some keywords trigger each for itself."""
    again = any(f.source is source and f.ability.keyword == ability.keyword for f in already)
    return ability.keyword not in SEPARATE or not again or game.hooks.does(SEPARATE[ability.keyword])


def repeats(game: Game, ability: Triggered, source: Thing) -> int:
    """How often a keyword's ability triggers: once, for some keywords however many instances there are."""
    if ability.keyword not in ONCE or game.hooks.does(ONCE[ability.keyword]):
        return 1
    return sum(use.name == ability.keyword for use in game.all_keywords(source))


def holds_for(ability: Triggered, happening: Happening, context: Context) -> bool:
    """The condition right after the trigger's event (383.2.a.1); ``played from`` speaks of the card of the event."""
    if ability.only_if is None:
        return True
    if happening.verb == "plays" and happening.item is not None:
        mine = context.me is not None and context.me is happening.thing
        if mine or "played from" in facts_in(ability.only_if):
            context = replace(context, item=happening.item)
    return holds(ability.only_if, context)


def from_lasting(
    game: Game, effect: Lasting, ability: Triggered, happening: Happening, already: list[Found]
) -> list[Found]:
    """A delayed trigger (390.2)."""
    for event in ability.events:
        if event.watches != happening.verb:
            continue
        they = happening.doer
        context = replace(game.lasting_context(effect), event=happening, they=they)
        if not event_matches(game, event, happening, context) or not holds(ability.only_if, context):
            continue
        gone = effect.source is None or effect.source.gone
        if not game.hooks.does("391") or (gone and not game.hooks.does("392")):
            continue
        if effect.maker is not None and happening.using is effect.maker and event.verb == "plays":
            continue
        if ability.limit and effect.uses >= ability.limit:
            continue
        if any(f.lasting is effect and ability.limit for f in already):
            continue
        if ability.limit:
            effect.uses += 1
        key = ("lasting", effect.id)
        controller = game.hooks.actor("390.2", effect.controller, game.next_player(effect.controller))
        if gone:
            controller = game.hooks.actor("392", controller, game.next_player(controller))
        return [Found(ability, controller, effect.source, effect.source, happening, they, key, effect)]
    return []


def controller_of(game: Game, ability: Triggered, source: Thing, they: str | None) -> str | None:
    """Who controls a triggered ability (190.6, 191.4)."""
    if ability.who is not None and ability.who.name == "they":
        return game.hooks.actor("190.6.c", they, source.controller)
    if source.zone not in BOARD and not source.gone:
        return game.hooks.actor("191.4.a.1", source.owner, game.next_player(source.owner))
    if source.controller is not None and "battlefield" in source.card.types:
        controller = game.hooks.value("190.6.a", source.controller, game.next_player(source.controller))
        return game.hooks.actor("190.6.a", controller, game.state.turn_player)
    if source.controller is not None:
        return source.controller
    if "battlefield" in source.card.types:
        return game.hooks.actor("190.6.b", game.state.turn_player, None)
    return None


def extra_triggers(game: Game, ability: Triggered, source: Thing) -> int:
    """How many additional times an ability triggers."""
    extra = 0
    for rule, context in game.rules("extra triggers"):
        noun = rule.what
        mine = not isinstance(noun, Noun) or whose(source.controller, source.owner, noun.whose, context)
        if rule.keyword == ability.keyword and mine:
            extra += amount_of(rule.value, context) or 1
    return extra


def event_matches(game: Game, event: Event, happening: Happening, context: Context) -> bool:
    """Whether an event fits a pattern, how often it happened apart."""
    if event.verb == "kills" and happening.by is None and happening.using is None:
        return False
    if not subject_matches(game, event, happening, context):
        return False
    if event.by is not None and not by_matches(game, event, happening, context):
        return False
    if event.using is not None and not using_matches(event.using, happening, context):
        return False
    if event.using is not None and event.by is not None and not controlled_by_doer(game, happening):
        return False
    if event.alone and not happening.alone:
        return False
    return all(
        place is None or is_at(where, place, context)
        for place, where in ((event.at, happening.place), (event.to, happening.place), (event.origin, happening.origin))
    )


def subject_matches(game: Game, event: Event, happening: Happening, context: Context) -> bool:
    subject = event.subject
    if event.verb in ("phase_begins", "turn_ends"):
        return isinstance(subject, Ref) and subject.name in (happening.word, "turn")
    if subject is None:
        return True
    if event.verb in ("conquers", "holds", "scores"):
        return score_matches(game, subject, happening, context)
    if event.verb in ("showdown_begins", "combat_begins", "combat_ends"):
        return happening.place is not None and any(
            location_of(x) == happening.place for x in resolve_any(subject, context)
        )
    if isinstance(subject, Ref):
        found = resolve(subject, context)
        if subject.name in ("you", "they") or any(isinstance(x, str) for x in found):
            return happening.thing is None and any(p in found for p in affected_players(game, happening))
        return any(x is happening.thing or (x is not None and x is happening.item) for x in found)
    if set(subject.kinds) <= PLAYERS:
        who = happening.player
        return happening.thing is None and who is not None and matches_player(who, subject, context)
    return thing_matches(game, subject, happening, context, event)


def affected_players(game: Game, happening: Happening) -> list[str]:
    """The player of an event; points are gained and lost by the whole team (489.8.d.3)."""
    if happening.player is None:
        return []
    shared = happening.verb in ("gains_points", "loses_points") and game.hooks.does("489.8.d.3")
    mates = game.teammates(happening.player) if shared else []
    return game.hooks.value("489.8.d.3", [happening.player, *mates], mates or [happening.player])


def thing_matches(game: Game, noun: Noun, happening: Happening, context: Context, event: Event) -> bool:
    """Whether the event's object fits, where and whose it was when it happened."""
    thing = happening.thing
    if thing is None or (happening.item is not None and happening.verb in ("plays", "counters")):
        return item_matches(game, noun, happening, context)
    eyes = context
    if isinstance(event.by, Noun) and event.by.quantity == "each" and noun.whose in ("friendly", "enemy", "your"):
        eyes = replace(context, you=context.they)
    if noun.other and (thing is context.me or thing is context.this):
        return False
    if noun.place is not None:
        in_zone = noun.place.kind == "zone"
        if not (matches_place(thing, noun.place, eyes) if in_zone else is_at(happening.place, noun.place, eyes)):
            return False
        noun = replace(noun, place=None)
    if thing.gone:
        from kb.engine.filters import compares

        return (
            whose(thing.controller, thing.owner, noun.whose, eyes)
            and matches_seen(thing, replace(noun, other=False), eyes)
            and all(compares(thing, c, eyes) for c in noun.comparisons)
        )
    return matches_seen(thing, replace(noun, other=False), eyes)


def item_matches(game: Game, noun: Noun, happening: Happening, context: Context) -> bool:
    """Whether a played card fits; tokens are no cards (185)."""
    item, thing = happening.item, happening.thing
    if item is None:
        return False
    from kb.engine.filters import item_chooses, matches_having, matches_state

    if item.is_ability:
        return (
            "ability" in noun.kinds
            and whose(item.controller, item.controller, noun.whose, context)
            and all(costs_fit(item, c, context) for c in noun.comparisons)
            and all(item_chooses(item, h, context) for h in noun.having if isinstance(h, Choosing))
        )
    card = item.thing if item.thing is not None else thing
    if card is None:
        return False
    if "card" in noun.kinds:
        if card.token:
            return False
    elif not described(printed(card.definition).types).intersection(noun.kinds):
        return False
    if noun.other and thing is not None and thing is context.me:
        return False
    if not whose(item.controller, item.controller, noun.whose, context):
        return False
    if not all(matches_state(thing or card, s, context) for s in noun.states):
        return False
    if noun.place is not None and not (thing is not None and matches_place(thing, noun.place, context)):
        return False
    for comparison in noun.comparisons:
        want = amount_of(comparison.amount, context)
        have = item.base_numbers.get(comparison.attribute)
        if have is None:
            have = game.might(thing) if thing is not None else (card.definition.might or 0)
        if want is None or not compare(have, comparison.operator, want):
            return False
    return all(
        item_chooses(item, h, context) if isinstance(h, Choosing) else matches_having(card, h, context)
        for h in noun.having
    )


def costs_fit(item: ChainItem, comparison: Comparison, context: Context) -> bool:
    """An ability's cost is its base cost, whatever was paid (206.1)."""
    context.game.trace.cite("206.1")
    have = item.base_numbers[comparison.attribute]
    want = amount_of(comparison.amount, context)
    return want is not None and compare(have, comparison.operator, want)


def score_matches(game: Game, subject: What, happening: Happening, context: Context) -> bool:
    """Conquer and hold patterns: ``me`` (present there), ``you`` (the player), ``here`` (the battlefield)."""
    match subject:
        case Ref(name="here"):
            return context.here == happening.place
        case Ref(name="you" | "they"):
            scored = happening.player is not None and happening.player in resolve(subject, context)
            return scored and game.hooks.does(OF_PLAYERS.get(happening.verb, ""))
        case Ref():
            there = [t for t in resolve(subject, context) if isinstance(t, Thing) and t.location == happening.place]
            own = any(t.controller == happening.player for t in there)
            return game.hooks.does(OF_UNITS.get(happening.verb, "")) and own
    if set(subject.kinds) <= PLAYERS:
        return happening.player is not None and matches_player(happening.player, subject, context)
    return any(
        u.controller == happening.player and matches_seen(u, subject, context)
        for u in (game.units_at(happening.place) if happening.place is not None else [])
    )


def by_matches(game: Game, event: Event, happening: Happening, context: Context) -> bool:
    """Who did it: a player, or (of phases) whose turn it is, or an object whose ability did it."""
    who = game.hooks.value("411.4", happening.doer, happening.player)
    by = event.by
    if isinstance(by, Ref):
        found = resolve(by, context)
        if who in found:
            return True
        return any(x is m for x in found for m in (happening.using, *done_with(game, happening)))
    assert by is not None
    if set(by.kinds) <= PLAYERS:
        return who is not None and matches_player(who, by, context)
    return any(matches_seen(thing, by, context) for thing in done_with(game, happening))


def done_with(game: Game, happening: Happening) -> list[Thing]:
    """What an action was performed with (411.6): the source of the ability, the spell, and the card whose effect text
    gave the source that ability (411.6.a)."""
    item = happening.using
    found = [happening.source]
    if item is not None:
        this = item.bindings.get("this")
        appended = isinstance(this, Thing) and game.hooks.does("411.6.a")
        found += [item.thing, this if appended and isinstance(this, Thing) else None]
    return [thing for thing in found if thing is not None]


def using_matches(noun: Noun, happening: Happening, context: Context) -> bool:
    """With what: the spell or ability (an ability of a spell counts as the spell too, 428.5.d)."""
    item = happening.using
    if item is None:
        return False
    kinds = {item.kind}
    if item.is_ability and item.source is not None and "spell" in item.source.card.types:
        kinds.add("spell")
    return bool(kinds & set(noun.kinds))


def controlled_by_doer(game: Game, happening: Happening) -> bool:
    """Whether who is responsible also controls what it was done with; else they did not do it "with" that (411.6)."""
    item, who = happening.using, happening.doer
    return item is None or item.controller == who or not game.hooks.does("411.6")


def count_matches(
    game: Game, event: Event, happening: Happening, context: Context, already: list[Found], key: tuple[object, ...]
) -> bool:
    """``the Nth time each turn`` (383.1): counts what happened earlier in the turn."""
    if not event.nth and not event.first_each:
        return True
    nth = game.hooks.count("383.1", event.nth or 1)
    if event.first_each == "game" and event.verb == "phase_begins" and happening.player is not None:
        return game.player(happening.player).turns == nth
    if any(f.key == key for f in already):
        return False
    past = 0
    for old in game.turn_log:
        if old.verb == happening.verb:
            seen = replace(context, event=old, they=old.doer)
            same = not isinstance(event.by, Noun) or old.doer == happening.doer
            past += same and event_matches(game, event, old, seen)
    return past + 1 == nth


def resolve_any(what: What, context: Context) -> list[Thing | ChainItem | str]:
    from kb.engine.filters import candidates

    return list(resolve(what, context)) if isinstance(what, Ref) else list(candidates(what, context))


def add_triggers(game: Game, found: list[Found]) -> Flow[None]:
    """Put triggered abilities on the chain as pending items in turn order, each player ordering their own (383.3.d)."""
    order = game.hooks.order("383.3.d.1", game.players_in_order())
    struggle = game.state.struggle
    several = len({f.controller for f in found}) > 1
    if struggle is not None and struggle.combat and struggle.step is Step.OPENING and struggle.attacker:
        others = [p for p in order if p not in (struggle.attacker, struggle.defender)]
        order = game.hooks.order("464.2.e.1", [struggle.attacker, *others, *([struggle.defender or ""])])
        if several:
            game.note("464.2.e.1", "the Attacker's triggers are added first, the Defender's last")
    elif several:
        game.note("383.3.d.1", "each player's triggers are added in turn order, the turn player's first")
    if several:
        game.note("303.2.a 383.3.d.1", "simultaneous triggers are added in turn order")
    for player in order:
        own = [f for f in found if f.controller == player]
        if not own:
            continue
        yield from add_own_triggers(game, player, own)


def add_own_triggers(game: Game, player: str, own: list[Found]) -> Flow[None]:
    """One player's simultaneous triggers, in the order that the player chooses."""
    for index, one in enumerate(own):
        if len(one.instances) > 1 and game.hooks.may("383.1.b", True):
            own[index] = yield from pick_instance(game, player, one)
    several = {(id(f.ability), id(f.source), id(f.event.thing) if speaks_of_event(f.ability) else 0) for f in own}
    asked = len(several) > 1
    if asked and any(f.ability.keyword == "Deathknell" for f in own):
        asked = game.hooks.may("808.2.a", True)
    if asked:
        named = dict(zip(unique([trigger_name(game, f) for f in own]), own, strict=True))
        about = "the order in which your triggered abilities go on the chain (the last resolves first)"
        own = yield from in_order(player, named, about, "383.3.d")
    for item in own:
        push_trigger(game, item)


def pick_instance(game: Game, player: str, found: Found) -> Flow[Found]:
    """383.1.b: of simultaneous events that meet "the Nth time" the ability's controller picks the one it is about."""
    keys = unique([game.label(h.thing or h.player) for h in found.instances])
    (answer,) = yield Ask(
        player,
        "choose",
        tuple(Option(k, h) for k, h in zip(keys, found.instances, strict=True)),
        about=f"which of them triggers the ability of {speaker(game, found)}",
        rule="383.1.b",
        default=(0,),
    )
    event = answer.value
    assert isinstance(event, Happening)
    game.note("383.1.b", "{} picks {} as what triggers the ability", player, event.subject)
    return replace(found, event=event, they=event.doer)


def speaks_of_event(ability: Triggered) -> bool:
    """Whether an effect depends on the event that triggered it; if not, equal triggers need no order."""
    text = str(ability.effect)
    return any(f"name='{word}'" in text for word in ("that", "they"))


def trigger_name(game: Game, found: Found) -> str:
    """How scripts call a pending trigger: its source and, where it helps, what triggered it."""
    return f"{speaker(game, found)} ability"


def speaker(game: Game, found: Found) -> str:
    """The card whose text triggered: for effect text the attached card (136.2.d)."""
    named = found.this if found.this is not None else found.source
    return game.label(named) if named is not None else "delayed"


def push_trigger(game: Game, found: Found) -> ChainItem:
    """Add one triggered ability as a pending item (401.1, 388.1)."""
    rule = RULES_OF.get(found.event.verb, "383.3")
    if found.event.verb in OF_UNITS:
        mine = any(isinstance(e.subject, Ref) and e.subject.name == "me" for e in found.ability.events)
        rule = f"{rule} {(OF_UNITS if mine else OF_PLAYERS)[found.event.verb]}"
    elif found.event.verb == "plays" and found.event.thing is not None and found.event.thing is found.source:
        rule = f"{rule} 383.4.a.2"
    elif found.event.verb == "chooses":
        rule = f"{rule} 383.4.b.2 383.4.b.3"
    elif found.lasting is not None:
        rule = f"{rule} 391 392"
    item = ChainItem(game.fresh(), found.controller, "ability", None, found.ability, found.source)
    if game.resolving is not None:
        rule = f"{rule} 401.2"
    own = any(isinstance(e.by, Ref) and e.by.name == "you" for e in found.ability.events)
    if own and found.event.by == found.controller:
        rule = f"{rule} 411.4"
        if any(e.using is not None for e in found.ability.events):
            rule = f"{rule} 411.6"
    performer = [e.by for e in found.ability.events if isinstance(e.by, Noun) and not set(e.by.kinds) <= PLAYERS]
    if performer and any(found.event.source is not t for t in done_with(game, found.event)):
        rule = f"{rule} 411.6.a"
    item.source_name = speaker(game, found)
    item.effect = found.ability.effect
    item.event = found.event
    item.they = found.they
    item.opened_by = "trigger"
    if found.ability.limit and found.lasting is None:
        item.limit_key = found.key[:-1]
    if found.source is not None and "battlefield" in found.source.card.types and found.lasting is None:
        named = found.ability.who is not None and found.ability.who.name == "they"
        item.nobody = found.source.controller is None and game.hooks.does("190.6.d") and not named
    if found.source is not None:
        item.bindings.update(found.source.named)
    if found.this is not None and found.this is not found.source:
        item.bindings["this"] = found.this
    if found.lasting is not None:
        item.bindings.update(found.lasting.bindings)
        item.here = found.lasting.here
        item.fixed_here = found.lasting.here is not None
    elif found.source is not None:
        item.here = found.source.location if not found.source.gone else found.source.last_location
        if found.ability.keyword == "Deathknell":
            item.here = game.hooks.value("808.1.d.3", item.here, None)
        if "battlefield" in found.source.card.types:
            item.here = found.source.id
    add_item(game, item)
    game.trigger_counts[item.source_name.split("#")[0]] += 1
    appended = found.this is not None and found.this is not found.source
    more = trigger_rules(found.source, found.ability, appended, game.resolving is not None)
    if found.event.verb == "plays" and found.source is not None and found.event.thing is found.source:
        more += " 191.3.d"
    if found.lasting is not None:
        more += " 359.3.f.3.a 359.3.f.3.b" if found.lasting.here is not None else " 359.3.f.3.a"
    if game.cleaning:
        more += " 334.1"
    more = f"{more} {keyword_trigger(game, found.source, found.ability)}"
    if found.ability.dependent.empowered and found.event.verb == "empowers" and found.event.thing is found.source:
        more += " 828.1.d 727.1.c.1.a 725.4 827.2.a"
    if found.event.verb == "detaches" and found.event.thing is found.source:
        more += " 725.2"
    game.trace.add(
        f"{rule} 383.3 {more}",
        "{}'s ability of {} triggers and is added to the chain",
        (found.controller, item.source_name),
    )
    return item


def add_item(game: Game, item: ChainItem) -> None:
    """A pending item is added to the chain (329, 354.1), which closes the state (309.1).

    What triggers as the last item resolves joins the chain that is still being handled (340.1, 340.2): who opened that
    decides whether Focus passes when it closes (346).
    """
    if not game.state.chain and not game.chain_opened_by:
        game.chain_opened_by = item.opened_by or "play"
        game.outstanding.add("319.1")
    place = len(game.state.chain) if game.hooks.does("330.1 330.2") else 0
    place = game.hooks.value("330.1 330.2", place, max(0, place - 1))
    equipping = game.finalizing is not None and getattr(game.finalizing.ability, "keyword", "") == "Equip"
    if equipping and place:
        place -= 0 if game.hooks.does("818.1.c.1") else 1
        item.pending = game.hooks.value("818.1.c.1", item.pending, False)
    game.state.chain.insert(place, item)
    game.outstanding.add("319.3")
    game.touch()


ONE = Number(1)
