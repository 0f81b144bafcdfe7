"""Matches: game wins, and how a match ends on time (Core Rules 486.6, Tournament Rules of July 2026, 408.2-408.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kb.engine.game import Game

DRAW = "draw"
UNDECIDED = "undecided"


def needed_wins(game: Game) -> int:
    """Game wins that win the match: 2 in best of 3, 3 in best of 5 (486.6, 486.6.a)."""
    return game.state.best_of // 2 + 1


def record_game(game: Game, winner: str | None) -> None:
    """A game of the match is over; the first player with enough game wins has won the match (408.3)."""
    state = game.state
    if winner is not None:
        state.match_wins[winner] = state.match_wins.get(winner, 0) + 1
        if game.hooks.holds("tournament-2026-07:408.3", state.match_wins[winner] >= needed_wins(game)):
            state.match_result = winner
            game.note("tournament-2026-07:408.3", "{} has the game wins that win the match", winner)


def end_match(game: Game) -> None:
    """The end of match procedure is over: more game wins win the match, else it is a draw (408.3.a-b)."""
    state = game.state
    if state.match_result != UNDECIDED:
        return
    wins = sorted(((state.match_wins.get(p, 0), p) for p in state.order), reverse=True)
    if len(wins) > 1 and wins[0][0] > wins[1][0] and game.hooks.does("tournament-2026-07:408.3.a"):
        state.match_result = wins[0][1]
        game.note("tournament-2026-07:408.3.a", "{} has more game wins and wins the match", wins[0][1])
    elif game.hooks.does("tournament-2026-07:408.3.b"):
        state.match_result = DRAW
        game.note("tournament-2026-07:408.3.b", "both have the same number of game wins: a drawn match")


def end_elimination(game: Game) -> bool:
    """408.4.c: after the additional turns of a timed elimination round; False where play goes on to the next point."""
    state = game.state
    points = sorted(((game.player(p).points, p) for p in game.players_in_order()), reverse=True)
    leader = points[0][1] if len(points) == 1 or points[0][0] > points[1][0] else None
    wins = sorted(((state.match_wins.get(p, 0), p) for p in state.order), reverse=True)
    ahead = wins[0][1] if wins[0][0] > wins[1][0] else None
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
    return False


def decide_elimination(game: Game) -> None:
    """More game wins now win the match; where they are tied a new game is needed (408.4.c.1, 408.4.d)."""
    state = game.state
    if state.match_result != UNDECIDED:
        return
    wins = sorted(((state.match_wins.get(p, 0), p) for p in state.order), reverse=True)
    if game.hooks.holds("tournament-2026-07:408.4.d", wins[0][0] > wins[1][0]):
        state.match_result = wins[0][1]
        game.note("tournament-2026-07:408.4.c.1", "{} has more game wins and wins the match", wins[0][1])
    else:
        game.note("tournament-2026-07:408.4.d", "the game wins are tied, so a new game is needed")
