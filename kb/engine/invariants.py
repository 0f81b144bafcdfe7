"""What must be true after every step, whatever happens: broken means the engine is wrong, not the players."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING

from kb.engine.asking import Ask
from kb.engine.zones import BOARD, Zone

if TYPE_CHECKING:
    from kb.engine.game import Game


def bodies(game: Game) -> Counter[int]:
    """How often each card that is no token exists; taken at the start and compared ever after."""
    return Counter(t.body for t in game.state.things.values() if not t.gone and not t.token)


def broken(game: Game, outcome: object, start: Counter[int]) -> list[str]:
    """Every invariant that does not hold now, in one sentence each; empty when all is well."""
    found: list[str] = []
    found += zone_faults(game)
    if bodies(game) != start:
        gone = [game.names.get(b, str(b)) for b in (start - bodies(game))]
        new = [game.names.get(b, str(b)) for b in (bodies(game) - start)]
        found.append(f"cards were lost ({', '.join(gone)}) or made ({', '.join(new)})")
    for player in game.state.players.values():
        if player.points < 0 or player.xp < 0 or player.energy < 0 or any(n < 0 for n in player.power.values()):
            found.append(f"{player.name} has a negative number")
    if isinstance(outcome, Ask) and outcome.kind == "action":
        if game.pending():
            found.append("a player has Priority while an item is pending (337)")
        if game.cleanup_due and outcome.about != "priority":
            found.append("a player acts while a cleanup is outstanding (333)")
        if game.state.priority != outcome.player:
            found.append("the player who acts is not the one with Priority (312)")
    struggle = game.state.struggle
    if struggle is None and any(t.designation for t in game.state.board.values()):
        found.append("a unit has a combat designation and no combat is in progress (466.7.a)")
    kept = abilities_now(game)
    game.forget()
    if kept != abilities_now(game):
        found.append("the abilities on the board are not those that were kept for this state")
    return found


def abilities_now(game: Game) -> list[tuple[object, ...]]:
    """Every ability on the board with the object that has it, and every object's Might."""
    board = game.state.board.values()
    abilities = [(g.key, g.me.id, g.this.id, g.ability) for row in game.index().values() for g in row]
    return sorted(abilities, key=lambda row: str(row[0])) + [(t.id, game.traits(t).might) for t in board]


def zone_faults(game: Game) -> list[str]:
    """Every object is in exactly one zone, units have a location, attached cards are with their top-most card."""
    found = []
    listed: Counter[int] = Counter(i for pile in game.state.zones.values() for i in pile)
    listed.update(game.state.board.keys())
    chain = {i.thing.id for i in game.state.chain if i.thing is not None and not i.thing.gone}
    listed.update(chain)
    for thing in game.state.things.values():
        if thing.gone:
            if listed[thing.id]:
                found.append(f"{game.label(thing)} is gone but still in a zone")
            continue
        if listed[thing.id] != 1:
            found.append(f"{game.label(thing)} is in {listed[thing.id]} zones ({thing.zone.value})")
        if thing.zone in BOARD and thing.zone not in (Zone.LEGEND,):
            if thing.zone is not Zone.FACEDOWN and thing.location is None:
                found.append(f"{game.label(thing)} is on the board without a location")
        if thing.attached_to:
            top = game.state.board.get(thing.attached_to)
            if top is None:
                found.append(f"{game.label(thing)} is attached to nothing on the board")
            elif top.location != thing.location:
                found.append(f"{game.label(thing)} is not where what it is attached to is (719.3)")
        elif thing.zone is Zone.BASE and thing.base != thing.controller:
            found.append(f"{game.label(thing)} of {thing.controller} lies in the base of {thing.base} (107.1.c)")
    for ident in game.state.battlefields:
        players = {u.controller for u in game.units_at(ident)}
        if len(players) > 2:
            found.append(f"units of {len(players)} players at {game.label(ident)} (449.2)")
    return found


def digest(game: Game) -> str:
    """A short hash of the whole state; equal for two games in which the same things are so."""
    state = game.state
    rows = [
        (t.id, t.card.name, str(t.zone), t.owner, t.controller, str(t.location), t.damage, t.buffs, t.exhausted)
        for t in sorted(state.things.values(), key=lambda t: t.id)
        if not t.gone
    ]
    players = [(p.name, p.points, p.xp, p.energy, sorted(p.power.items()), p.lost) for p in state.players.values()]
    piles = sorted((str(zone), owner, list(ids)) for (zone, owner), ids in state.zones.items())
    chain = [(i.kind, i.controller, i.thing.id if i.thing else 0) for i in state.chain]
    whole = (rows, players, piles, chain, state.turn, state.turn_player, state.phase, state.priority, state.winner)
    return hashlib.sha256(repr(whole).encode()).hexdigest()[:16]
