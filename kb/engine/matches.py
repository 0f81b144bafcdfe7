"""Matches: game wins, and how a match ends on time (Core Rules 486.6, Tournament Rules of July 2026, 408.2-408.4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kb.engine.game import Game

DRAW = "draw"
UNDECIDED = "undecided"


def needed_wins(game: Game) -> int:
    """Game wins that win the match: 2 in best of 3, 3 in best of 5 (486.6, 486.6.a)."""
    return game.state.best_of // 2 + 1


def game_wins(game: Game) -> dict[str, int]:
    """Game wins of each player of the match."""
    return {player: game.state.match_wins[player] for player in game.state.order}


def foremost(counts: Mapping[str, int]) -> str | None:
    """Who has more than everybody else; None where nobody has."""
    most = max(counts.values())
    best = [player for player, count in counts.items() if count == most]
    return best.pop() if len(best) == 1 else None


def record_game(game: Game, winner: str | None) -> None:
    """A game of the match is over; the first player with enough game wins has won the match (408.3)."""
    state = game.state
    if winner is not None:
        state.match_wins[winner] += 1
        if game.hooks.holds("tournament-2026-07:408.3", state.match_wins[winner] >= needed_wins(game)):
            state.match_result = winner
            game.note("tournament-2026-07:408.3", "{} has the game wins that win the match", winner)


def end_match(game: Game) -> None:
    """The end of match procedure is over: more game wins win the match, else it is a draw (408.3.a-b)."""
    state = game.state
    if state.match_result != UNDECIDED:
        return
    ahead = foremost(game_wins(game))
    if ahead is not None and game.hooks.does("tournament-2026-07:408.3.a"):
        points = {p: game.player(p).points for p in game.players_in_order()}
        state.match_result = game.hooks.value("tournament-2026-07:408.3.a", ahead, foremost(points) or DRAW)
        game.note("tournament-2026-07:408.3.a", "{} has more game wins and wins the match", ahead)
    elif game.hooks.does("tournament-2026-07:408.3.b"):
        state.match_result = game.hooks.value("tournament-2026-07:408.3.b", DRAW, state.order[0])
        game.note("tournament-2026-07:408.3.b", "both have the same number of game wins: a drawn match")


def end_elimination(game: Game) -> bool:
    """408.4.c: after the additional turns of a timed elimination round; False where play goes on to the next point."""
    state = game.state
    leader = foremost({p: game.player(p).points for p in game.players_in_order()})
    ahead = foremost(game_wins(game))
    if leader is not None and game.hooks.does("tournament-2026-07:408.4.c.1"):
        game.note("tournament-2026-07:408.4.c.1", "{} has the most points and wins the game", leader)
        record_game(game, leader)
        state.winner = (leader,)
        decide_elimination(game)
        return True
    if ahead is not None and game.hooks.does("tournament-2026-07:408.4.c.2"):
        game.note(
            "tournament-2026-07:408.4.c.2", "the points are tied; {} has the most game wins and wins the match", ahead
        )
        state.match_result = ahead
        return True
    game.note("tournament-2026-07:408.4.c.3", "points and game wins are tied; the next point decides")
    state.sudden_death = game.hooks.does("tournament-2026-07:408.4.c.3")
    if game.hooks.holds("tournament-2026-07:408.4.c.3", False):
        state.match_result = DRAW
    return False


def decide_elimination(game: Game) -> None:
    """More game wins now win the match; where they are tied a new game is needed (408.4.c.1, 408.4.d)."""
    state = game.state
    if state.match_result != UNDECIDED:
        return
    ahead = foremost(game_wins(game))
    if game.hooks.holds("tournament-2026-07:408.4.d", ahead is not None):
        state.match_result = ahead or UNDECIDED
        game.note("tournament-2026-07:408.4.c.1", "{} has more game wins and wins the match", ahead)
    else:
        game.note("tournament-2026-07:408.4.d", "the game wins are tied, so a new game is needed")
