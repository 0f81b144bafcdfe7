"""Control of battlefields and scoring (188-190, 467-471)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kb.engine import actions
from kb.engine.actions import Cause
from kb.engine.asking import Flow
from kb.engine.decks import draw
from kb.engine.events import happen
from kb.engine.legality import forbidden
from kb.engine.state import Happening

if TYPE_CHECKING:
    from kb.engine.game import Game


def establish_control(game: Game, where: int, player: str, rule: str) -> bool:
    """A player establishes (or keeps) control; whether that gains it, which is a Conquer (469.1)."""
    battlefield = game.state.things[where]
    before = battlefield.controller
    battlefield.controller = player
    if before != player:
        game.note(f"{rule} 190.4 469.1.b", "{} establishes control of {}", player, battlefield)
    game.touch()
    return game.hooks.holds("466.5.d", game.hooks.holds("469.1", before != player))


def conquer(game: Game, where: int, player: str, more: str = "") -> Flow[None]:
    """469.1, 470: a battlefield that was not scored this turn."""
    who = game.player(player)
    team = [game.player(p) for p in (player, *game.teammates(player))]
    if not game.hooks.holds("470", where not in who.scored):
        game.note("470 471.2.c", "{} has scored {} this turn already", player, where)
        return
    if any(where in t.disqualified for t in team) and game.hooks.does("469.1.a"):
        game.note("469.1.a", "{} is disqualified from being scored by {} this turn", where, player)
        return
    yield from score(game, [where], player, "conquers", f"469.1{more}")


def hold(game: Game, places: Sequence[int], player: str) -> Flow[None]:
    """469.2: control kept into the own Beginning Phase; all battlefields are held in one action (315.2.b.2)."""
    scored = game.player(player).scored
    yield from score(game, [where for where in places if where not in scored], player, "holds", "469.2 190.4.a")


def score(game: Game, places: Sequence[int], player: str, verb: str, rule: str) -> Flow[None]:
    """471: up to one point each, then the score abilities of those battlefields and of what was there trigger."""
    who = game.player(player)
    events: list[Happening] = []
    for where in places:
        if forbidden(game, "score", who=player, to=where) is not None:
            game.note("054.1", "{} can't score {}", player, where)
            continue
        with game.trace.step(f"{rule} 471", "{} scores {}", player, game.label(where)):
            who.scored.add(where)
            before = who.points
            yield from point(game, player, verb)
            gained = who.points != before
            if not gained:
                late = "383.4.c.2.c" if verb == "conquers" else "383.4.d.2.c"
                game.note(late, "no point is gained, and what triggers on it triggers all the same")
        if gained or game.hooks.does("383.4.c.2.c 383.4.d.2.c"):
            at = where
            if verb == "conquers":
                at = game.hooks.value("471.2.a", where, next((b for b in game.state.battlefields if b != where), where))
            events += [Happening(v, None, player, player, place=at) for v in (verb, "scores")]
    if game.hooks.does("471.2"):
        own = {"conquers": "471.2.a", "holds": "471.2.b", "scores": "471.2"}
        yield from happen(game, events, lambda event: own[event.verb])


def point(game: Game, player: str, verb: str) -> Flow[None]:
    """471.1: a point, except that the Final Point from a Conquer needs every battlefield scored this turn (471.1.b)."""
    who = game.player(player)
    near = who.points >= game.state.victory_score - 1
    if game.hooks.holds("471.1.b", verb == "conquers" and near):
        needed = [b for b in game.state.battlefields if b not in excepted(game, player)]
        if not game.hooks.holds("471.1.b.1", all(b in who.scored for b in needed)):
            game.note("471.1.b.1", "{} has not scored every battlefield this turn and draws instead", player)
            yield from draw(game, player, 1, Cause(player), "471.1.b.1 413.1")
            return
        game.note("471.1.b.1", "{} has scored every battlefield this turn", player)
    more = " 194.1.a" if verb == "holds" else " 194.1.b"
    yield from actions.gain_points(game, player, game.hooks.count("471.1", 1), f"471.1 194.1 468.1{more}")


def excepted(game: Game, player: str) -> set[int]:
    """489.8.g.1: battlefields an ally occupied during this turn's scoring step do not count."""
    found: set[int] = set()
    for mate in game.teammates(player):
        game.trace.cite("489.8.g.1")
        found |= game.player(mate).disqualified if game.hooks.does("489.8.g.1") else set()
    return found | (game.player(player).disqualified if game.hooks.does("489.8.g.1") else set())
