"""Game actions on decks and hands: draw, burn out, discard, burn, channel, predict, look and reveal (413, 422-440)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kb.engine import actions
from kb.engine.actions import Cause
from kb.engine.asking import Ask, Flow, GameOver, Option, in_order
from kb.engine.events import happen
from kb.engine.matches import end_match, record_game
from kb.engine.replacing import propose
from kb.engine.state import Happening, Thing
from kb.engine.zones import Zone

if TYPE_CHECKING:
    from kb.engine.game import Game


def top(game: Game, player: str, count: int, zone: Zone = Zone.DECK) -> list[Thing]:
    """The top cards of a deck, as many as there are."""
    return [game.state.things[i] for i in game.pile(zone, player)[:count]]


def take_from_deck(
    game: Game, player: str, count: int, zone: Zone, verb: str, rules: str, cause: Cause
) -> Flow[list[Thing]]:
    """Move cards from the top of the Main Deck, burning out where there are too few (431.1); returns what they became.

    "As many as possible, burn out, then the rest" (413.4, 440.4, 431.2).
    """
    moved: list[Thing] = []
    burns = 0
    if verb == "draws":
        rules = f"{rules} 413.1.a"
    while len(moved) < count:
        cards = top(game, player, count - len(moved))
        if len(moved) + len(cards) < count and not burns and not game.hooks.does("431.2.a"):
            cards = []
        if len(moved) + len(cards) < count and not burns:
            cards = game.hooks.value("431.2.a", cards, cards[:-1])
        batch = [game.change_zone(card, zone) for card in cards]
        moved += batch
        if batch:
            yield from happen(game, events_of(game, verb, player, batch, cause), rules)
        if len(moved) >= count or game.state.over or not game.hooks.does("431.1 431.5 369.2"):
            break
        burns += 1
        short = {"draws": "413.4.a 413.4.b 413.4.c 431.1.a", "burns": "440.4 431.1.b"}.get(verb, "431.1.b")
        again = " 431.3.a" if burns > 1 else ""
        game.note(f"{short} 431.2.a{again}", "{} has too few cards: as many as possible, then the rest", player)
        yield from burn_out(game, player, certain=burns > 1)
    return moved


def events_of(game: Game, verb: str, player: str, moved: Sequence[Thing], cause: Cause) -> list[Happening]:
    """One event for a draw, one a card for the rest."""
    if verb == "draws":
        names = tuple(game.label(t) for t in moved)
        return [Happening("draws", None, player, player, cause.using, cause.source, amount=len(moved), things=names)]
    return [Happening(verb, t, player, player, cause.using, cause.source) for t in moved]


def draw(game: Game, player: str, count: int, cause: Cause, rules: str = "413.1") -> Flow[int]:
    """413: cards from the top of the Main Deck to the hand; returns how many."""
    count = game.hooks.count("413.3", count) if count else 0
    if count <= 0:
        return 0
    proposal = Happening("draws", None, player, player, cause.using, cause.source, amount=count)
    events = yield from propose(game, [proposal])
    if not events:
        return 0
    if cause.using is not None:
        game.note("413.2.b", "{} is told to draw", player)
        if not game.hooks.does("413.2.b 410.2.b"):
            return 0
    cards = yield from take_from_deck(game, player, count, Zone.HAND, "draws", rules, cause)
    return len(cards)


def burn(game: Game, player: str, count: int, cause: Cause) -> Flow[list[Thing]]:
    """440: cards from the top of the Main Deck to the trash."""
    return (yield from take_from_deck(game, player, count, Zone.TRASH, "burns", "440.1.a 440.3.a", cause))


def burn_out(game: Game, player: str, certain: bool) -> Flow[None]:
    """431.2: recycle the trash into the Main Deck, choose an opponent to gain 1 point.

    ``certain``: a point after the first burn out in a sequence can't be replaced (431.3.b) and wins at once (431.3.c).
    """
    with game.trace.step("431.1 431.2", "{} burns out", player):
        for step in game.hooks.order("431.2.b", game.hooks.order("431.2.c", (recycle_trash, give_point))):
            yield from step(game, player, certain)


def recycle_trash(game: Game, player: str, certain: bool) -> Flow[None]:
    """431.2.b: the trash is recycled into the Main Deck."""
    trash = game.zone_cards(Zone.TRASH, player)
    if trash and game.hooks.does("431.2.b"):
        game.note("431.2.b", "{} recycles the trash into the Main Deck", player)
        yield from actions.recycle(game, trash, Cause(player))


def give_point(game: Game, player: str, certain: bool) -> Flow[None]:
    """431.2.c: an opponent of the player's choice gains 1 point."""
    opponents = game.opponents(player)
    if not opponents or not game.hooks.does("431.2.c"):
        return
    (answer,) = yield Ask(
        player,
        "choose-player",
        tuple(Option(p, p) for p in game.hooks.options("431.2.c", opponents)),
        about="the opponent who gains 1 point",
        rule="431.2.c",
    )
    gainer = game.hooks.actor("431.2.c", str(answer.value), player)
    amount = game.hooks.count("431.2.c", 1)
    rules = "431.2.c 194.1.d 431.3.b" if certain else "431.2.c 194.1.d"
    yield from actions.gain_points(game, gainer, amount, rules, Cause(player), certain=certain)
    if certain:
        win_at_once(game, gainer)


def win_at_once(game: Game, player: str) -> None:
    """431.3.c.1: such a point wins at once, without a cleanup, for the player who gained it (431.3.c)."""
    from kb.engine.cleanup import leader

    ahead = leader(game)
    if ahead is None or game.player(ahead).team != game.player(player).team:
        return
    if game.hooks.does("431.3.c.1"):
        game.note("431.3.c.1", "{} wins at once", player)
        declare_winner(game, player)


def declare_winner(game: Game, player: str) -> None:
    """196: the game ends; teammates win together (489.6.a)."""
    team = game.player(player).team
    together = [p for p in game.state.order if game.player(p).team == team]
    if len(together) > 1:
        together = game.hooks.options("489.6.a", together)
    game.state.winner = tuple(together)
    if not game.hooks.does("196"):
        return
    game.state.over = True
    game.note("196", "the game ends; {} wins", player)
    record_game(game, player)
    if game.state.turns_left >= 0:
        end_match(game)
    raise GameOver


def discard(game: Game, player: str, count: int, cause: Cause) -> Flow[list[Thing]]:
    """422: the player chooses cards of the hand; as many as possible as an effect (422.4)."""
    hand = game.zone_cards(Zone.HAND, player)
    number = min(count, len(hand))
    if number < count and not (game.hooks.does("422.4") and game.hooks.does("359.3.e.11")):
        number = 0
    if number <= 0:
        if count > 0:
            game.note("422.4 055 359.3.e.11", "{} has no card to discard", player)
        return []
    if number == len(hand):
        chosen = hand
    else:
        answer = yield Ask(
            player,
            "choose",
            game.labelled(hand),
            number,
            number,
            about=f"{number} card(s) to discard",
            rule="422.1.a 422.2.a",
        )
        chosen = [o.value for o in answer if isinstance(o.value, Thing)]
    return (yield from discard_these(game, player, chosen, cause))


def discard_these(game: Game, player: str, cards: Sequence[Thing], cause: Cause) -> Flow[list[Thing]]:
    """Put cards from a hand into their owners' trash; triggers see it afterwards (422.1.b)."""
    proposals = [Happening("discards", t, player, player, cause.using, cause.source) for t in cards]
    events = yield from propose(game, proposals)
    moved = [game.change_zone(e.thing, Zone.TRASH) for e in events if e.thing is not None and not e.thing.gone]
    yield from happen(
        game, [Happening("discards", t, player, player, cause.using, cause.source) for t in moved], "422.1 422.1.b"
    )
    return moved


def channel(
    game: Game, player: str, count: int, exhausted: bool, cause: Cause, rules: str = "430.1"
) -> Flow[list[Thing]]:
    """430: runes from the top of the Rune Deck to the board, ready by default, as many as there are (430.3)."""
    moved: list[Thing] = []
    there = len(game.pile(Zone.RUNE_DECK, player))
    if there < count and not game.hooks.does("430.3"):
        count = 0
    count = count if there >= count else game.hooks.value("430.3", count, there - 1)
    for card in top(game, player, max(0, count), Zone.RUNE_DECK):
        rune = game.change_zone(card, Zone.BASE, player)
        rune.controller = player
        rune.base = player
        rune.exhausted = game.hooks.does("430.2") if exhausted else not game.hooks.does("430.2.a")
        rune.exhausted = rune.exhausted or game.hooks.value("430.2.a", False, bool(moved))
        moved.append(rune)
    if len(moved) < count:
        game.note("430.3", "{} has only {} rune(s) to channel", player, str(len(moved)))
    rules = rules if exhausted else f"{rules} 430.2.a"
    if moved:
        game.touch()
        yield from happen(
            game, [Happening("channels", t, player, player, cause.using, cause.source) for t in moved], rules
        )
    return moved


def predict(game: Game, player: str, count: int, cause: Cause) -> Flow[None]:
    """436: look at the top cards, recycle any of them, put the rest back in any order; never a burn out (436.4)."""
    cards = top(game, player, count)
    if len(cards) < count:
        game.note("436.4.a", "{} predicts as many as there are and does not burn out", player)
    if not cards:
        return
    answer = yield Ask(
        player,
        "choose",
        game.labelled(cards),
        0,
        len(cards) if game.hooks.does("436.1.a") else 1,
        about="the looked-at cards to recycle",
        rule="436.1.a" if len(cards) > 1 else "436.1",
    )
    gone = [o.value for o in answer if isinstance(o.value, Thing)]
    game.note("436.1", "{} predicts {}", player, str(len(cards)))
    rest = [t for t in cards if t not in gone]
    if gone:
        yield from actions.recycle(game, gone, cause)
    if len(rest) > 1:
        rest = yield from arrange(game, player, rest)
    pile = game.pile(Zone.DECK, player)
    for card in rest:
        pile.remove(card.id)
    pile[:0] = [t.id for t in rest]


def arrange(game: Game, player: str, cards: list[Thing]) -> Flow[list[Thing]]:
    """The player orders cards, the first one on top."""
    named = game.by_label(cards)
    ordered = yield from in_order(player, named, "the order of the cards on top of the deck", "436.1.a")
    return game.hooks.order("436.1.a", ordered)


def reveal(game: Game, player: str, cards: Sequence[Thing], cause: Cause) -> Flow[list[Thing]]:
    """424: present cards to all; they stay in their zone (424.1.a.2). Returns those that were revealed."""
    events = yield from propose(
        game, [Happening("reveals", t, player, cause.by or player, cause.using, cause.source) for t in cards]
    )
    if events:
        game.note("424.1.a.3 424.1.b", "they are known to all while the effect lasts, and nothing else happens to them")
    yield from happen(game, events, "424.1 424.1.a.1 424.1.a.2")
    return [e.thing for e in events if e.thing is not None]
