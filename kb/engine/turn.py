"""The turn: its phases and steps in order (301-317), the turn queue (734-738), and the end of a match on time.

:func:`play` runs turns until somebody wins. A run may begin in the middle of a turn (scenarios do): then the steps
before the given phase are taken as done.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.engine import actions, decks
from kb.engine.actions import Cause
from kb.engine.asking import Ask, Flow, GameOver, Option
from kb.engine.chain import act, drain
from kb.engine.cleanup import cleanup, empty_pools
from kb.engine.events import happen
from kb.engine.matches import end_elimination, end_match, record_game
from kb.engine.scoring import hold
from kb.engine.state import Happening
from kb.engine.zones import BOARD, Zone

if TYPE_CHECKING:
    from kb.engine.game import Game

PHASES = ("awaken", "beginning", "channel", "draw", "main", "ending")
"""The phases in order (315-317)."""


def play(game: Game, start: str = "awaken") -> Flow[None]:
    """Turns until the game is over (302)."""
    try:
        phase = start
        while not game.state.over:
            yield from take_turn(game, phase)
            phase = "awaken"
            next_turn(game)
    except GameOver:
        return


def take_turn(game: Game, start: str) -> Flow[None]:
    """One turn from a phase on (303); one that starts in its Main Phase starts with the player's choice of action."""
    player = game.state.turn_player
    with game.trace.step("301 304", "{}'s turn {}", player, str(game.state.turn)):
        for phase in PHASES[PHASES.index(start) :]:
            if game.player(player).lost:
                return
            if skipped(game, f"{phase} phase", player):
                if game.hooks.holds("443.2.a", False):
                    game.state.phase = phase
                    yield from begin_phase(game, player, phase)
                continue
            game.state.phase = phase
            game.outstanding.add("319.2")
            game.touch()
            if game.pause_at == (player, phase):
                game.pause_at = None
                yield Ask(player, "pause", (Option("continue", True),), about=f"the {phase} phase begins", default=(0,))
            with game.trace.step(RULES[phase], "{} Phase", phase.title()):
                if phase == start == "main":
                    yield from main_actions(game, player)
                else:
                    yield from HANDLERS[phase](game, player)


RULES = {
    "awaken": "315.1",
    "beginning": "315.2",
    "channel": "315.3",
    "draw": "315.4",
    "main": "316 316.1",
    "ending": "317 316.9.b 316.9.a 305",
}


def skipped(game: Game, what: str, player: str) -> bool:
    """443: a procedure that an effect skips is replaced with nothing."""
    key = ("skip", what, player)
    count = game.state.tallies[key]
    if count and game.hooks.does("443.1"):
        game.state.tallies[key] -= 1
        game.note("443.2 443.2.a", "{} skips the {}", player, what)
        return True
    return False


def mode_rule(game: Game) -> str:
    """The rule of the mode that is played (485-489)."""
    from kb.engine.setup import MODES

    return MODES[game.state.mode].rule


PHASE_STARTS = {"beginning": "315.2.a.1", "main": "316.4"}
"""Phase -> the rule on effects that are for its start."""


def begin_phase(game: Game, player: str, phase: str) -> Flow[None]:
    """ "At the start of" a phase (315.2.a.1, 316.4)."""
    rules = PHASE_STARTS.get(phase, "")
    if game.hooks.does(PHASE_STARTS.get(phase, "")):
        yield from happen(game, [Happening("phase_begins", None, player, player, word=phase)], rules)


def awaken(game: Game, player: str) -> Flow[None]:
    """315.1: the turn player readies everything that can be readied."""
    yield from begin_phase(game, player, "awaken")
    things = [t for t in game.state.board.values() if t.controller == player and t.exhausted and t.zone in BOARD]
    things = [t for t in things if "battlefield" not in t.card.types]
    if game.hooks.does("315.1.b"):
        yield from actions.ready(game, things, Cause(player))
    yield from drain(game)


def beginning(game: Game, player: str) -> Flow[None]:
    """315.2: start of Beginning Phase effects, then the Scoring Step: Hold all battlefields controlled."""
    yield from begin_phase(game, player, "beginning")
    yield from drain(game)
    disqualify(game, player)
    with game.trace.step("315.2.b 315.2.b.2", "Scoring Step"):
        held = [b for b in game.state.battlefields if game.state.things[b].controller == player]
        if game.hooks.does("315.2.b.2"):
            yield from hold(game, held, player)
    yield from drain(game)


def disqualify(game: Game, player: str) -> None:
    """315.2.b.3, 489.8.b: battlefields that a teammate controls now can't be scored by the team this turn."""
    for mate in game.teammates(player):
        for where in game.state.battlefields:
            if game.state.things[where].controller == mate and game.hooks.does("489.8.b"):
                game.player(player).disqualified.add(where)
                game.note("489.8.b 315.2.b.3", "{} can't be scored by {}'s team this turn", where, player)


def channel(game: Game, player: str) -> Flow[None]:
    """315.3: channel 2 runes; the player going last in the first round one more (485.7)."""
    yield from begin_phase(game, player, "channel")
    count = game.hooks.count("315.3.b", 2)
    last = game.state.order[-1]
    goes_last = game.player(player).turns == 1 and player == last and game.full_game
    if goes_last and game.hooks.does("485.7 486.7 487.7 488.7 489.7"):
        game.note(f"{mode_rule(game)}.7 115.2", "{} went last and channels an extra rune", player)
        count += 1
    fewer = " 315.3.b.1" if len(game.pile(Zone.RUNE_DECK, player)) < count else ""
    yield from decks.channel(game, player, count, False, Cause(player), f"315.3.b 430.1 430.4.a{fewer}")
    yield from drain(game)


def draw(game: Game, player: str) -> Flow[None]:
    """315.4: the turn player draws 1; not the first player on the first turn with three or more players (487.7)."""
    yield from begin_phase(game, player, "draw")
    first = game.player(player).turns == 1 and player == game.state.order[0] and game.full_game
    several = game.hooks.holds("485.7", len(game.state.order) > 2)
    if first and several and game.hooks.does("487.7 488.7 489.7"):
        game.note(f"{mode_rule(game)}.7 115.2", "{} goes first and does not draw", player)
    elif not game.hooks.does("413.2.a 410.2.b"):
        game.note("413.2.a", "{} does not draw", player)
    elif game.hooks.does("315.4.b"):
        empty = not game.pile(Zone.DECK, player)
        if empty:
            game.note("315.4.b.1 315.4.b.2", "{} has no card to draw", player)
        if empty and not game.hooks.does("315.4.b.2"):
            yield from decks.burn_out(game, player, certain=False)
        elif not empty or game.hooks.does("315.4.b.1"):
            yield from decks.draw(game, player, game.hooks.count("410.2.b", 1), Cause(player), "315.4.b 413.1")
    yield from drain(game)


def main(game: Game, player: str) -> Flow[None]:
    """316: Rune Pools empty, start of Main Phase effects, then discretionary actions until the player ends the turn."""
    if game.hooks.does("316.3"):
        empty_pools(game, "316.3")
    yield from begin_phase(game, player, "main")
    yield from main_actions(game, player)


def main_actions(game: Game, player: str) -> Flow[None]:
    """The player takes actions in a Neutral Open State as long as they wish (316.5, 335)."""
    while True:
        yield from drain(game)
        if game.player(player).lost:
            return
        game.state.priority = player
        acted = yield from act(game, game.hooks.actor("312.2.a", player, game.next_player(player)), "main")
        if acted == "end" or (acted == "acted" and not game.hooks.does("410.1.b")):
            game.state.priority = None
            return


def ending(game: Game, player: str) -> Flow[None]:
    """317: end of turn effects, then the Expiration Step with its special cleanup, again while items were handled."""
    with game.trace.step("317.1", "Ending Step"):
        whose = game.hooks.actor("317.1.a", player, game.next_player(player))
        yield from happen(game, [Happening("turn_ends", None, whose, whose, word="turn")], "317.1.a")
        yield from happen(game, [Happening("phase_begins", None, player, player, word="ending")])
        yield from drain(game)
    for number in range(50):
        with game.trace.step("317.2 317.2.f" if number else "317.2", "Expiration Step"):
            yield from cleanup(game, game.hooks.value("317.2.f", "ending", "") if number else "ending")
            busy = bool(game.state.chain)
            yield from drain(game)
        if not busy or not game.hooks.does("317.2.f"):
            break


HANDLERS = {
    "awaken": awaken,
    "beginning": beginning,
    "channel": channel,
    "draw": draw,
    "main": main,
    "ending": ending,
}


def next_turn(game: Game) -> None:
    """317.3: the next player in the turn queue; additional turns come first and change nothing else (737)."""
    state = game.state
    if state.over:
        return
    counts = 1
    if state.extra_turns:  # additional turns are among those that follow
        counts = game.hooks.count("737", 1) if game.hooks.does("735") else 0
    if state.turns_left == 0 and counts:
        end_on_time(game)
        return
    if state.turns_left > 0:
        state.turns_left = max(0, state.turns_left - counts)
    regular = game.regular_turn_player or state.turn_player
    while state.extra_turns and game.player(state.extra_turns[0]).lost:
        state.extra_turns.pop(0)
    if state.extra_turns and game.hooks.does("737"):
        following = state.extra_turns.pop(0)
        game.note("737", "{} takes an additional turn", following)
        game.regular_turn_player = regular
    else:
        game.trace.cite("736 489.5.c.1" if game.teammates(regular) else "736")
        following = next_in_queue(game, regular)
        game.regular_turn_player = None
    begin_turn(game, following)


def next_in_queue(game: Game, player: str) -> str:
    """The next player in Turn Order who is still in the game (115.1.c, 652.5.a.1)."""
    others = game.players_after(player)
    if not game.hooks.does("115.1.c 736 652.5.a.1 489.5.c.1"):
        others.reverse()
    game.trace.cite("652.5.a.1" if game.player(player).lost else "")
    return next(iter(others), player)


def begin_turn(game: Game, player: str) -> None:
    """A new turn: what is counted by the turn begins again."""
    state = game.state
    state.turn += 1
    state.turn_player = player
    game.note("317.3 306 302", "{} becomes the Turn Player", player)
    game.player(player).turns += 1
    game.turn_log.clear()
    for one in state.players.values():
        one.scored.clear()
        one.disqualified.clear()
        one.played.clear()
    for thing in state.things.values():
        thing.moves_this_turn = 0


def call_time(game: Game, extra: int = 3) -> None:
    """Tournament Rules 408.2.a: after the current turn a fixed number of turns follow, whoever takes them."""
    game.state.turns_left = game.hooks.count("tournament-2026-07:408.2.a", extra)
    game.note("tournament-2026-07:408.2.a", "time is called; {} more turns follow this one", str(game.state.turns_left))


def end_on_time(game: Game) -> None:
    """Tournament Rules 408.2.b: a lead of at least two points wins the game; otherwise nobody wins it."""
    lead = game.hooks.count("tournament-2026-07:408.2.b", 2)
    best = max(game.players_in_order(), key=lambda p: game.player(p).points)
    ahead = game.player(best).points - max((game.player(p).points for p in game.opponents(best)), default=0)
    if game.state.elimination:
        if not end_elimination(game):
            game.state.turns_left = -1
            begin_turn(game, next_in_queue(game, game.state.turn_player))
            return
        game.state.over = True
        return
    game.state.over = True
    if ahead >= lead:
        game.note("tournament-2026-07:408.2.b", "{} leads by {} and wins the game", best, str(ahead))
        game.state.winner = tuple(p for p in game.state.order if not game.enemies(p, best))
        record_game(game, best)
    else:
        game.note("tournament-2026-07:408.2.b", "nobody leads by {}; the game has no winner", str(lead))
    end_match(game)


def mulligan(game: Game, player: str) -> Flow[None]:
    """117: set aside up to two cards, draw as many, then recycle those set aside."""
    from kb.engine.zones import Zone

    hand = game.zone_cards(Zone.HAND, player)
    most = min(len(hand), game.hooks.count("117.1", 2))
    answer = yield Ask(
        player,
        "mulligan",
        game.labelled(hand),
        0,
        most,
        about="up to two cards to set aside",
        rule="117.1",
    )
    from kb.engine.state import Thing

    aside = [o.value for o in answer if isinstance(o.value, Thing) and game.hooks.does("117.1")]
    with game.trace.step("117", "{} mulligans {} card(s)", player, str(len(aside))):
        pile = game.pile(Zone.HAND, player)
        for card in aside:
            pile.remove(card.id)
        if game.hooks.does("117.2"):
            yield from decks.draw(game, player, len(aside), Cause(player), "117.2 413.1")
        for card in aside:
            pile.append(card.id)
        if aside and game.hooks.does("117.3"):
            with game.trace.step("117.3", "{} recycles what was set aside", player):
                yield from actions.recycle(game, aside, Cause(player))
