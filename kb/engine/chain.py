"""The chain: HOT-FEPR, priority, resolving (332-340), and what players may do with priority or focus.

:func:`drain` is the loop of 334-336: handle outstanding tasks, finalize pending items, let players act, resolve, until
nothing is left to do and the turn can go on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from kb.cards.phrases import Noun
from kb.cards.syntax import Activated, Triggered
from kb.engine import actions
from kb.engine.asking import Ask, Flow, Option, Rewind
from kb.engine.choices import still_legal
from kb.engine.costs import add_key, is_add, pay_total, total_of, use_add
from kb.engine.events import happen
from kb.engine.happened import EFFECT
from kb.engine.instructions import execute_item
from kb.engine.layers import Granted
from kb.engine.legality import Way, why_not_hide, why_not_standard_move
from kb.engine.playing import (
    WAITING,
    begin_ability,
    begin_card,
    enter,
    finalize,
    playable_ways,
    usable_abilities,
    waiting_kinds,
)
from kb.engine.snapshot import Snapshot
from kb.engine.state import ChainItem, Happening, Location, Step, Thing
from kb.engine.zones import Zone

if TYPE_CHECKING:
    from kb.engine.game import Game


def drain(game: Game) -> Flow[None]:
    """334: outstanding tasks, then Finalize, Execute, Pass, Resolve, until nothing is outstanding."""
    from kb.engine.cleanup import cleanup
    from kb.engine.struggle import showdown_turn

    resolved = returned = finalized = False
    while True:
        if game.cleanup_due and (game.hooks.does("334.2") or not game.pending()):
            yield from cleanup(game)
        elif game.pending() and goes_on_finalizing(game, returned, finalized):
            resolved = returned = False
            finalized = True
            oldest = game.hooks.order("337.1.b", game.pending())[0]
            own = next((i for i in game.pending() if i.controller == game.state.turn_player), oldest)
            oldest = game.hooks.value("337.1.b", oldest, own)
            try:
                yield from finalize(game, oldest)
            except Rewind as rewind:
                if not game.undo_action(rewind.refusal):
                    raise
                continue
            yield from closed_up(game)
            game.cleanup_due = game.cleanup_due and game.hooks.does("319.4")
        elif game.state.chain:
            yield from priority_round(game, resolved)
            resolved, returned, finalized = not game.pending(), True, False
        elif game.state.struggle is not None and game.state.struggle.step is Step.SHOWDOWN:
            yield from showdown_turn(game)
        else:
            return


def goes_on_finalizing(game: Game, returned: bool, finalized: bool) -> bool:
    """Whether pending items are finalized before anybody gets Priority: those that came since, and all that wait."""
    now = game.pending()[0].controller == game.state.turn_player
    if returned and not (game.hooks.does("340.3 338.1.a.7") and game.hooks.value("340.3 338.1.a.7", True, now)):
        return False
    return not finalized or (game.hooks.does("359.3.b 406.3") and game.hooks.value("359.3.b 406.3", True, now))


def closed_up(game: Game) -> Flow[None]:
    """When the chain empties, the state opens; during a Showdown focus may pass (340.2.a, 346)."""
    struggle = game.state.struggle
    if game.state.chain or not game.chain_opened_by:
        return
    opened, game.chain_opened_by = game.chain_opened_by, ""
    game.outstanding.add("319.1")
    game.touch()
    if struggle is None or struggle.step is not Step.SHOWDOWN or struggle.focus is None:
        return
    keeps = game.hooks.holds("346.1", opened in ("trigger", "add"))
    if not keeps:
        nxt = game.next_player(struggle.focus)
        game.note("340.2.a 346 347.1.b", "the chain has closed; Focus passes to {}", nxt)
        struggle.focus = nxt
        struggle.passed.clear()
    return
    yield


def priority_round(game: Game, resolved: bool = False) -> Flow[None]:
    """337.4-340: players with Priority act or pass; when all have passed in sequence the newest item resolves.

    ``resolved``: another item has just resolved, so Priority is gained by 340.4.
    """
    newest = game.state.chain[-1]
    other = game.next_player(newest.controller)
    if game.undone is not None and game.state.priority is not None:
        holder = game.state.priority
    else:
        holder = game.hooks.actor("312.2.c", newest.controller, other)
        holder = game.hooks.actor("340.4" if resolved else "337.4 337.1.a", holder, other)
        turns = game.state.turn_player
        holder = game.hooks.value("340.4 312.2.c" if resolved else "337.4 337.1.a 312.2.c", holder, turns)
        if game.player(holder).lost:
            holder = game.next_player(holder)
        game.state.passed = set()
    while True:
        passed = game.state.passed
        game.state.priority = holder
        acted = yield from act(game, holder, "priority")
        if (game.state.chain and game.state.chain[-1] is not newest) or not game.state.chain:
            return
        match acted:
            case "acted":
                return
            case "add":
                if passed:
                    game.note("339.1 429.2.a", "{} keeps Priority; passes before it do not count any more", holder)
                    passed.clear()
                continue
            case "left":
                passed = game.state.passed = {p for p in passed if not game.player(p).lost}
                if game.player(holder).lost:
                    holder = game.next_player(holder)
                    game.note("652.5.c.1", "{} receives Priority", holder)
                if len(passed) < len(game.players_in_order()):
                    continue
                game.note("652.5.c.2", "all who are left have passed Priority")
                break
        passed.add(holder)
        everyone = len(passed) >= len(game.players_in_order())
        for kind in waiting_kinds(game, newest):
            everyone = game.hooks.value(WAITING[kind], everyone, True)
        if game.hooks.holds("339.1", everyone) or not game.hooks.does("312.2.d"):
            if game.state.struggle is not None and game.hooks.holds("313.3", False):
                game.state.struggle.focus = game.next_player(holder)
            break
        if game.state.struggle is not None and not game.hooks.does("313.3"):
            game.state.struggle.focus = game.next_player(holder)
        holder = game.hooks.actor("339.2", game.next_player(holder), holder)
    game.state.priority = None
    yield from resolve_newest(game)


def resolve_newest(game: Game) -> Flow[None]:
    """340.1: the newest finalized item resolves, wholly."""
    item = game.hooks.order("340.1", game.state.chain)[-1]
    yield from resolve_item(game, item)


def resolve_item(game: Game, item: ChainItem) -> Flow[None]:
    """Execute an item's game effects, then clear it from the chain (359.3.d, 406.5)."""
    if item.is_permanent:
        yield from enter(game, item)
        yield from closed_up(game)
        return
    rules = {Activated: "340.1 406.5 377.3.b.3", Triggered: "340.1 406.5"}.get(type(item.ability), "340.1")
    with game.trace.step(f"{rules} 339.1", "{} resolves", game.label(item)):
        item.resolving = True
        game.resolving = item
        if isinstance(item.ability, Activated) and not game.active(item.ability.dependent, game.item_context(item)):
            game.note("727.1.c.3.a", "the ability has become inactive since, which changes nothing here")
        if isinstance(item.ability, Triggered) and item.ability.cost is not None and not game.hooks.does("204.3.a"):
            yield from pay_total(game, item, total_of(game, item))
        carried_out = game.hooks.does("340.1") and (not item.is_ability or game.hooks.does("406.5"))
        carried_out = carried_out and (not isinstance(item.ability, Activated) or game.hooks.does("377.3.b.3"))
        carried_out = carried_out and (not item.hidden_at or game.hooks.does("811.2"))
        if carried_out and (item.is_spell or isinstance(item.ability, Activated | Triggered)):
            before, events = game.performed, len(game.turn_log)
            for repetition in range(1 + game.hooks.count("820.1.d.1", item.repeats) if item.repeats else 1):
                if repetition:
                    game.note(repeated(item, repetition), "{} is executed an additional time", game.label(item))
                whole = game.hooks.does("359.3.e.1") or all_legal(game, item)
                if whole and (game.hooks.value("359.3.e.1", True, False) or all_legal(game, item, any)):
                    yield from execute_item(game, item, repetition if game.hooks.does("820.2") else 0)
            if game.performed > before or len(game.turn_log) > events:
                note_resolved(game, item)
            else:
                game.note("055.1 359.3.e.10", "nothing that {} says can be done", game.label(item))
        game.resolving = None
        item.resolving = False
        yield from after_resolution(game, item)
    yield from closed_up(game)


def all_legal(game: Game, item: ChainItem, quantity: Callable[[Iterable[bool]], bool] = all) -> bool:
    """Whether every target of an item (or ``any``) is still legal, which a mutant asks before it carries it out."""
    context = game.item_context(item)
    nouns = {key: noun for key, noun in item.nouns.items() if isinstance(noun, Noun)}
    legal = [still_legal(game, item, noun, t, context) for key, noun in nouns.items() for t in item.chosen[key]]
    return not legal or quantity(legal)


def note_resolved(game: Game, item: ChainItem) -> None:
    """The part of a card's text that has been executed and did something."""
    game.happened.add(id(item.ability))
    card = item.thing if item.thing is not None else item.source
    if item.is_spell and card is not None:
        game.happened.add((card.definition.name, EFFECT))
    if card is not None and item.repeats:
        game.used_keyword(card, "Repeat")
    if item.source is not None and isinstance(item.ability, Activated | Triggered) and item.ability.keyword:
        game.used_keyword(item.source, item.ability.keyword)


def repeated(item: ChainItem, repetition: int) -> str:
    """Rules of an additional execution; its choices need not be those of the first (820.2.a)."""
    first, now = ({k[1:]: v for k, v in item.chosen.items() if k[0] == n} for n in (0, repetition))
    modes = ({k[1:]: v for k, v in item.modes.items() if k[0] == n} for n in (0, repetition))
    return "820.1.d.1" if first == now and next(modes) == next(modes) else "820.1.d.1 820.2.a"


def after_resolution(game: Game, item: ChainItem) -> Flow[None]:
    """A spell goes to its owner's trash, or where what let it be played says; then it has been played (419.4.a)."""
    left_already = item.left
    if item in game.state.chain:
        game.state.chain.remove(item)
    item.left = True
    game.outstanding.add("319.5")
    game.touch(game.hooks.does("319.5"))
    thing = item.thing
    if item.is_spell and thing is not None:
        yield from after_spell(game, item, thing, left_already)
    elif isinstance(item.ability, Activated):
        events = [Happening("plays", None, item.controller, item.controller, item, item.source, item=item)]
        yield from happen(game, events, "377.2.a")


# what a player may do


WINDOWS = {
    "priority": "338.1 338.1.a.1",
    "focus": "347 312.2.b 316.8.c",
    "main": "316.5.a",
    "invited": "316.5.b.1 489.8.a",
}
"""The rule that lets a player act, by the window: Priority, Focus, one's own Main Phase, a teammate's invitation."""


def after_spell(game: Game, item: ChainItem, thing: Thing, left_already: bool) -> Flow[None]:
    """359.3.d: the card leaves the chain, if nothing has taken it away already, and the spell counts as played."""
    if not left_already and not thing.gone:
        leaving = actions.leaves_otherwise(game, item)
        if leaving == "banish":
            flow = " 829.1.b.1" if item.terms is not None and item.terms.instead is not None else ""
            game.note(f"390.3.a{flow}", "{} is banished instead", thing)
            yield from actions.banish(game, [thing], actions.Cause(item.controller, item))
        elif leaving == "recycle":
            game.note("390.3.a", "{} is recycled instead", thing)
            yield from actions.recycle(game, [thing], actions.Cause(item.controller, item))
        else:
            game.change_zone(thing, Zone.TRASH)
            game.note("359.3.d 157 108.2.b 351.2", "{} goes to its owner's trash", thing)
    word = "token" if thing.token else ""
    if not game.hooks.does("419.4.a"):
        return
    for _ in range(game.hooks.value("820.3.a", 1, 1 + item.repeats) if item.repeats else 1):
        yield from happen(
            game,
            [Happening("plays", None, item.controller, item.controller, item, thing, item=item, word=word)],
            "419.4.a 820.3.a" if item.repeats else "419.4.a",
        )


def act(game: Game, player: str, window: str) -> Flow[str]:
    """Ask a player with Priority or Focus for a discretionary action or a pass.

    Returns pass, add, acted, end or left.
    """
    game.before_action = None
    options = legal_actions(game, player, window, game.next_action)
    game.next_action = ""
    game.action_mark = game.answers
    rule = WINDOWS[window]
    if window == "priority" and game.state.struggle is not None and game.state.struggle.combat:
        rule = f"{rule} 464.2.g"
    if window == "priority" and game.state.chain and isinstance(game.state.chain[-1].ability, Activated):
        rule = f"{rule} 377.3.b.2"
    (answer,) = yield Ask(player, "action", tuple(options), about=window, rule=rule, default=default_of(options))
    value = answer.value
    if not callable(value):
        return str(value)
    if window != "invited":
        game.before_action = Snapshot(game)
    game.finalizing = None
    done: str = yield from value()
    return done


def default_of(options: list[Option]) -> tuple[int, ...]:
    return next(((i,) for i, o in enumerate(options) if o.key in ("pass", "end turn")), (0,))


Doing = Callable[[], Flow[str]]


def legal_actions(game: Game, player: str, window: str, only: str = "") -> list[Option]:
    """Every discretionary action that is legal now (410.1), made by :mod:`kb.engine.legality`.

    ``only`` is the key of the one that is known to be chosen when a game is played again; no other is then looked at.
    """
    if only:
        named = [option for option in some_actions(game, player, window, only) if option.key == only]
        if named:
            return named[:1]
    return distinct(some_actions(game, player, window))


def some_actions(game: Game, player: str, window: str, only: str = "") -> list[Option]:
    """The legal actions; with ``only`` those of its kind."""
    options: list[Option] = []
    free = True
    match window:
        case "main":
            free = game.hooks.does("312.2.a")
        case "priority":
            ability = bool(game.state.chain) and game.state.chain[-1].is_ability
            free = game.hooks.does("312.1.a") and (not ability or game.hooks.does("406.4"))
            if ability:
                free = free and game.hooks.value("406.4", True, game.state.chain[-1].controller == player)
    if free and (only.startswith("play ") or not only):
        for way in playable_ways(game, player, only.removeprefix("play ")):
            options.append(Option(f"play {way.key}", play_doing(game, player, way), way.rule))
    uses = free and game.hooks.value("312.1.a", True, window != "priority")
    if uses and (only.startswith("use ") or not only):
        options += ability_options(game, player)
    if window == "main":
        if only.startswith("move ") or not only:
            options += move_options(game, player)
        if only.startswith("hide ") or not only:
            options += hide_options(game, player)
        options += invite_options(game, player)
        options.append(Option("end turn", "end", "316.9"))
    else:
        options.append(Option("pass", "pass", {"priority": "338.1.b", "focus": "347.2"}.get(window, "316.5.b.1")))
    options.append(Option("concede", concede_doing(game, player), "650"))
    return options


def invite_options(game: Game, player: str) -> list[Option]:
    """316.5.b.1, 489.8.a: the turn player may invite a teammate to play a spell or activate an ability."""
    everyone = game.players_after(player) if game.teammates(player) else []
    mates = game.hooks.options("489.8.a", game.teammates(player), everyone)
    return [Option(f"invite {mate}", invite_doing(game, player, mate), "316.5.b.1") for mate in mates]


def invite_doing(game: Game, player: str, mate: str) -> Doing:
    def doing() -> Flow[str]:
        return (yield from act_invited(game, player, mate))

    return doing


def act_invited(game: Game, player: str, mate: str) -> Flow[str]:
    """The teammate acts with the turn player's Priority, once, or declines."""
    game.note("316.5.b.1 489.8.a", "{} invites {} to act", player, mate)
    game.state.invited = mate
    game.state.priority = mate
    done = yield from act(game, mate, "invited")
    game.state.invited = None
    game.state.priority = player
    return "acted" if done == "pass" else done


def concede_doing(game: Game, player: str) -> Doing:
    """650: a player may concede; offered whenever the player is asked for an action."""

    def doing() -> Flow[str]:
        from kb.engine.leaving import remove_player

        game.note("650", "{} concedes", player)
        yield from remove_player(game, player)
        return "left"

    return doing


def distinct(options: list[Option]) -> list[Option]:
    """Options with one key each; equal ones (two Fury Runes) count once."""
    seen: dict[str, Option] = {}
    for option in options:
        seen.setdefault(option.key, option)
    return list(seen.values())


def play_doing(game: Game, player: str, way: Way) -> Doing:
    def doing() -> Flow[str]:
        begin_card(game, player, way.thing, way.terms, way.hidden_at, by_action=True)
        mark_opened(game)
        return "acted"
        yield

    return doing


def mark_opened(game: Game) -> None:
    """Whoever plays something breaks the sequence of passes."""
    if game.state.struggle is not None:
        game.state.struggle.passed.clear()


def ability_options(game: Game, player: str) -> list[Option]:
    """Activated abilities that can be used now; Add abilities resolve at once without priority passing (429.2.a)."""
    found: list[Option] = []
    counts: Counter[int] = Counter()
    keywords: Counter[tuple[str, int]] = Counter()
    for granted in usable_abilities(game, player):
        ability = granted.ability
        assert isinstance(ability, Activated)
        counts[granted.me.id] += 1
        if "rune" in granted.me.card.types:
            key = f"use {add_key(game, granted)}"
        else:
            number = counts[granted.me.id]
            name = game.label(granted.me)
            this = f" ({game.label(granted.this)})" if granted.this is not granted.me else ""
            word = f" {ability.keyword}" if ability.keyword else ""
            key = f"use {name}{word}{this}" + (f" {number}" if number > 1 and not word and not this else "")
            if word:
                keywords[(key, granted.me.id)] += 1
                again = keywords[(key, granted.me.id)]
                key += f" {again}" if again > 1 else ""
        found.append(Option(key, ability_doing(game, player, granted), "378"))
    return found


def ability_doing(game: Game, player: str, granted: Granted) -> Doing:
    def doing() -> Flow[str]:
        if is_add(granted.ability):
            if not game.state.chain and game.state.struggle is not None:
                game.note("346.1 429.2.a", "an Add ability does not make Focus pass")
                if not game.hooks.does("346.1"):
                    game.state.struggle.focus = game.next_player(player)
            yield from use_add(game, player, granted, paying=False)
            return "add"
        begin_ability(game, player, granted)
        mark_opened(game)
        return "acted"

    return doing


def move_options(game: Game, player: str) -> list[Option]:
    """Standard Moves (144): one option for each destination; the units are chosen next."""
    state = game.state
    units = [t for t in state.board.values() if t.controller == player and t.zone in (Zone.BASE, Zone.BATTLEFIELD)]
    units = units if game.hooks.does("448") else []
    places: list[Location] = [*state.battlefields, player]
    found = []
    for where in places:
        movers = [u for u in units if why_not_standard_move(game, u, where, player) is None]
        if movers:
            found.append(Option(f"move to {game.place_label(where)}", move_doing(game, player, where, movers), "144"))
    return found


def move_doing(game: Game, player: str, where: Location, movers: list[Thing]) -> Doing:
    """144.3: one or more units together; exhausting them is the cost (144.2, 144.3.c)."""

    def doing() -> Flow[str]:
        answer = yield Ask(
            player,
            "movers",
            game.labelled(movers),
            1,
            len(movers) if game.hooks.does("144.3.b") else min(1, len(movers)),
            about=f"the units that move to {game.place_label(where)}",
            rule="144.3 144.3.a 144.3.b 191.3.a",
        )
        chosen = [o.value for o in answer if isinstance(o.value, Thing)]
        yield from standard_move(game, player, where, chosen)
        return "acted"

    return doing


def standard_move(game: Game, player: str, where: Location, units: list[Thing]) -> Flow[None]:
    """Pay (exhaust all, and any applied cost, 204.4), then move all of them as one action (144.3)."""
    from kb.engine.applied import pay_applied

    cause = actions.Cause(player)
    together = " 144.3.c" if len(units) > 1 else ""
    together += " 144.4.b" if isinstance(where, str) else ""
    with game.trace.step(f"144 420.3 144.2{together}", "{} moves to {}", player, game.place_label(where)):
        paid = yield from pay_applied(game, player, where, units)
        if not paid:
            game.note("204.4.c", "the applied cost is not paid, so the units do not move")
            return
        if game.hooks.does("144.2"):
            game.note("420.3.a 414.3.a", "exhausting them is the cost")
            yield from actions.exhaust(game, game.hooks.options("420.3.a", units), cause)
        ganks = [u for u in units if isinstance(u.location, int) and isinstance(where, int) and game.has(u, "Ganking")]
        for unit in ganks:
            game.used_keyword(unit, "Ganking")
        more = " 810.1.b" if ganks else ""
        more += " 810.2" if any(sum(k.name == "Ganking" for k in game.all_keywords(u)) > 1 for u in ganks) else ""
        more += " 810.1.c.1" if not ganks and any(game.has(u, "Ganking") for u in units) else ""
        inherent = "144.3" if len(units) > 1 else "144"
        yield from actions.move(game, [(u, where) for u in units], cause, f"{inherent} 420.3.b 420.2.b{more}")


def hide_options(game: Game, player: str) -> list[Option]:
    """Hiding (421, 811): a card with Hidden at a battlefield the player controls."""
    found = []
    cards = [*game.zone_cards(Zone.HAND, player), *game.zone_cards(Zone.CHAMPION, player)]
    for thing in cards:
        if not thing.definition.modelled:
            continue
        for where in game.state.battlefields:
            if why_not_hide(game, player, thing, where) is None and can_pay_hide(game, player, thing):
                key = f"hide {game.label(thing)} at {game.label(where)}"
                found.append(Option(key, hide_doing(game, player, thing, where), "421.2"))
    return found


def can_pay_hide(game: Game, player: str, thing: Thing) -> bool:
    from kb.engine.costs import hide_cost, plan_payment

    return plan_payment(game, player, hide_cost(game, thing, hidings(game, thing)), None) is not None


def hidings(game: Game, thing: Thing) -> int:
    """How often Hidden is paid for: once, however many instances of it there are."""
    if game.hooks.does("811.4"):
        return 1
    return sum(use.name == "Hidden" for use in thing.definition.keywords)


def hide_doing(game: Game, player: str, thing: Thing, where: int) -> Doing:
    def doing() -> Flow[str]:
        yield from hide(game, player, thing, where)
        return "acted"

    return doing


def hide(game: Game, player: str, thing: Thing, where: int) -> Flow[None]:
    """811.1.b: pay [A], put the card facedown; no chain is opened (811.1.c.2)."""
    from kb.engine.costs import hide_cost, pay_resources

    paid = yield from pay_resources(game, player, hide_cost(game, thing, hidings(game, thing)), None, frozenset())
    if not paid:
        return
    card = game.change_zone(thing, Zone.FACEDOWN, where)
    card.controller = player
    card.battlefield = where
    card.hidden_turn = game.state.turn
    game.used_keyword(card, "Hidden")
    game.note("421.1 811.1.b 811.1.c.2 191.1 129.4", "{} hides a card at {}", player, where)
    game.touch()
    yield from happen(game, [Happening("hides", card, player, player, place=where)], "421.1")
    if not game.hooks.does("811.1.c.1"):
        game.player(player).played.append(card.body)
        yield from happen(game, [Happening("plays", card, player, player, place=where)], "811.1.c.1")
