"""Setting up: positions for scenarios, and whole games by mode (103-118, 481-489).

A :class:`Position` is a board as a judge would write it down. A :class:`GameSetup` is a game from the shuffle on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kb.engine import decks
from kb.engine.actions import Cause
from kb.engine.asking import Ask, Flow, GameOver, Option
from kb.engine.chain import drain
from kb.engine.state import Player
from kb.engine.turn import begin_turn, mulligan, play
from kb.engine.zones import Zone

if TYPE_CHECKING:
    from kb.engine.game import Game


@dataclass(frozen=True)
class Mode:
    """A mode of play (483-489)."""

    name: str
    players: int
    victory_score: int
    battlefields: int
    teams: bool = False
    chosen: bool = False
    rule: str = ""


MODES = {
    "duel": Mode("duel", 2, 8, 2, rule="485"),
    "match": Mode("match", 2, 8, 2, chosen=True, rule="486"),
    "ffa3": Mode("ffa3", 3, 8, 3, rule="487"),
    "ffa4": Mode("ffa4", 4, 8, 3, rule="488"),
    "2v2": Mode("2v2", 4, 11, 3, teams=True, rule="489"),
}


@dataclass
class Deck:
    """What a player brings: legend, chosen champion, main deck, runes, battlefields (103)."""

    legend: str
    champion: str
    main: list[str]
    runes: list[str]
    battlefields: list[str]


@dataclass
class GameSetup:
    """A whole game: mode, decks by player in seating order, earlier games of the match.

    ``used`` lists battlefields of games that a player won, which are not selected again (486.5); ``unwon`` those of
    games that nobody won, which may be (486.5.a).
    """

    mode: Mode
    decks: dict[str, Deck]
    used: dict[str, list[str]] = field(default_factory=dict)
    unwon: dict[str, list[str]] = field(default_factory=dict)
    loser: str = ""
    mulligans: bool = True


def add_players(game: Game, names: Sequence[str], teams: bool) -> None:
    """Players in seating order; with teams every other one is a teammate (489.5.c)."""
    for index, name in enumerate(names):
        game.state.players[name] = Player(name, index % 2 if teams else index)
    game.state.order = list(names)


def full_game(game: Game, setup: GameSetup) -> Flow[None]:
    """110-118 in order, then turns until somebody wins."""
    try:
        mode = setup.mode
        game.full_game = True
        game.state.mode = mode.name
        game.state.victory_score = mode.victory_score
        add_players(game, list(setup.decks), mode.teams)
        game.state.turn_player = game.state.order[0]
        game.note(
            f"{mode.rule}.1 {mode.rule}.2 {mode.rule}.3 483.3.a",
            "{}: {} players in {} parties, Victory Score {}",
            mode.name,
            str(mode.players),
            str(len({p.team for p in game.state.players.values()})),
            str(mode.victory_score),
        )
        with game.trace.step("110", "Setup"):
            middle = (place_battlefields, shuffle_decks)
            if not game.hooks.does("114"):
                middle = (shuffle_decks, place_battlefields)
            steps = (reveal_legends, *middle, turn_order, opening_hands)
            early = (turn_order, reveal_legends, *middle, opening_hands)
            steps = game.hooks.value("tournament-2026-07:407.3", steps, early)
            late = not game.hooks.does("tournament-2026-07:407.3") or not game.hooks.does("116")
            for step in game.hooks.order("110", steps[:3] if late else steps[:4]):
                yield from step(game, setup)
            for step in (opening_hands, turn_order) if late else (opening_hands,):
                yield from step(game, setup)
        first = game.state.order[0]
        begin_turn(game, game.hooks.actor("118", first, game.next_player(first)))
    except GameOver:
        return
    yield from play(game)


def reveal_legends(game: Game, setup: GameSetup) -> Flow[None]:
    """111-112: Champion Legend to the Legend Zone, Chosen Champion to the Champion Zone."""
    for name, deck in setup.decks.items():
        legend = game.create(game.library.need(deck.legend), name, Zone.LEGEND)
        legend.controller = name
        game.note("111 103.1.a 107.4.a 174.2.b", "{} reveals the legend {}", name, legend)
    for name, deck in setup.decks.items():
        champion = game.create(game.library.need(deck.champion), name, Zone.CHAMPION)
        game.player(name).chosen_champion = champion.card.name
        game.note("112 103.2.a.1 108.3.a 108.3.b", "{} puts {} in the Champion Zone", name, champion)
    return
    yield


def place_battlefields(game: Game, setup: GameSetup) -> Flow[None]:
    """113 and the mode: one of three each, at random or (in a match) chosen from those not used before (486.5)."""
    contributors = list(setup.decks)
    if len(contributors) == 4:
        left_out = "488.4.b" if setup.mode.rule == "488" else "489.5.b"
        game.note(left_out, "{} takes the first turn and places no battlefield", contributors[0])
        contributors = contributors[1:]
    chosen: list[tuple[str, str]] = []
    for name in contributors:
        used = list(setup.used.get(name, []))
        for again in setup.unwon.get(name, []):
            if game.hooks.does("486.5.a"):
                game.note("486.5.a", "{} may present {} again, as nobody won that game", name, again)
            else:
                used.append(again)
        pool = [b for b in setup.decks[name].battlefields if b not in used]
        if not pool:
            pool = [b for b in setup.decks[name].battlefields if used.count(b) < 2]
            game.note("486.6.a.1 486.6.a.2", "{} has presented each battlefield and presents one again", name)
        else:
            game.trace.cite("486.6.a.1" if used else "")
        pool = game.hooks.options("486.5", pool, setup.decks[name].battlefields)
        if setup.mode.chosen or (setup.mode.rule == "485" and not game.hooks.does("485.5")):
            (answer,) = yield Ask(
                name, "battlefield", tuple(Option(b, b) for b in pool), about="a battlefield", rule="486.5"
            )
            chosen.append((name, str(answer.value)))
            if not game.hooks.does("486.5"):
                put_aside(game, setup, [chosen.pop()])
        else:
            chosen.append((name, game.rng.choice(pool)))
    put_aside(game, setup, chosen if game.hooks.does("113") else [])


def put_aside(game: Game, setup: GameSetup, chosen: Sequence[tuple[str, str]]) -> None:
    """Selected battlefields go into the Battlefield Zone simultaneously (113, 485.5, 486.5)."""
    for name, card in chosen:
        thing = game.create(game.library.need(card), name, Zone.BATTLEFIELD)
        thing.battlefield = 0
        game.state.battlefields.append(thing.id)
        rules = f"113 {setup.mode.rule}.4.a {setup.mode.rule}.5{'.a' if setup.mode.teams else ''} 170.2.b"
        game.note(rules, "{} places {}", name, thing)


def shuffle_decks(game: Game, setup: GameSetup) -> Flow[None]:
    """114: both decks are shuffled and placed in their zones."""
    for name, deck in setup.decks.items():
        for cards, zone in ((deck.main, Zone.DECK), (deck.runes, Zone.RUNE_DECK)):
            shuffled = list(cards)
            game.rng.shuffle(shuffled)
            for card in shuffled:
                game.create(game.library.need(card), name, zone)
        game.note(
            "114 114.1 114.2 103.3.b 108.4.a 108.4.b 108.4.c 108.5.a 108.5.b 108.5.c",
            "{} shuffles the Main Deck and the Rune Deck",
            name,
        )
    return
    yield


def turn_order(game: Game, setup: GameSetup) -> Flow[None]:
    """115: a fair random method; here the loser of the last game, or a player found at random, chooses."""
    if len(setup.decks) == 4:
        return
    chooser = setup.loser or game.rng.choice(game.state.order)
    if setup.loser:
        chooser = game.hooks.actor("tournament-2026-07:407.4", chooser, game.next_player(chooser))
    elif not game.hooks.does("tournament-2026-07:407.1") or not game.hooks.does("tournament-2026-07:407.2"):
        return
    else:
        chooser = game.hooks.value("tournament-2026-07:407.2", chooser, game.state.order[0])
    chosen = chooser
    if setup.loser or game.hooks.may("tournament-2026-07:407.1", True):
        (answer,) = yield Ask(
            chooser,
            "first player",
            tuple(Option(p, p) for p in game.state.order),
            about="who takes the first turn",
            rule="115",
            default=(0,),
        )
        chosen = str(answer.value)
    if setup.loser:
        chosen = game.hooks.value("tournament-2026-07:407.4", chosen, chooser)
    first = game.hooks.actor("115.1.b.1", chosen, game.next_player(chosen))
    start = game.state.order.index(first)
    game.state.order = game.state.order[start:] + game.state.order[:start]
    game.state.turn_player = first
    game.note("115.1.b.1 115.1.a", "{} is the First Player", first)


def opening_hands(game: Game, setup: GameSetup) -> Flow[None]:
    """116-117: each draws 4, then mulligans in turn order."""
    for name in game.state.order:
        yield from decks.draw(game, name, game.hooks.count("116", 4), Cause(name), "116 413.1")
    if setup.mulligans:
        order = game.hooks.order("117", game.state.order)
        for name in order if game.hooks.does("117") else order[:1]:
            yield from mulligan(game, name)
    yield from drain(game)
