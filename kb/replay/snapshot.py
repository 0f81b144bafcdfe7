"""The state of a game as plain data: what players see on a table, by name.

Hands and decks are counts; runes are counted, not listed. Nothing here changes the game.
"""

from __future__ import annotations

from typing import Any

from kb.engine.asking import Ask
from kb.engine.game import Game
from kb.engine.run import Run
from kb.engine.state import ChainItem, Thing
from kb.engine.zones import Zone

Snapshot = dict[str, Any]

PHASES = {
    "setup": "Set-up", "awaken": "Awaken Phase", "beginning": "Beginning Phase", "channel": "Channel Phase",
    "draw": "Draw Phase", "main": "Main Phase", "ending": "Ending Phase",
}  # fmt: skip


def snapshot(run: Run) -> Snapshot:
    """What is on the table now, and who is being asked."""
    return table(run.game, run.outcome.player if isinstance(run.outcome, Ask) else None)


def table(game: Game, asked: str | None = None) -> Snapshot:
    """What is on the table now; ``asked`` is the player who has to answer a question."""
    state = game.state
    struggle = state.struggle
    return {
        "turn": state.turn,
        "turn_player": state.turn_player,
        "phase": PHASES.get(state.phase, state.phase),
        "victory": state.victory_score,
        "over": state.over,
        "winner": list(state.winner),
        "order": list(state.order),
        "players": {name: _player(game, name) for name in state.order},
        "fields": [_field(game, ident) for ident in state.battlefields],
        "chain": [_item(game, item) for item in state.chain],
        "focus": struggle.focus if struggle is not None else None,
        "priority": state.priority if state.chain else None,
        "asked": asked,
    }


def _player(game: Game, name: str) -> Snapshot:
    player = game.player(name)
    base = [thing for thing in game.at(name) if thing.zone is Zone.BASE]
    runes = [thing for thing in base if "rune" in game.traits(thing).types]
    legend = next((t for t in game.zone_cards(Zone.LEGEND, name) if not t.gone), None)
    champion = next(iter(game.zone_cards(Zone.CHAMPION, name)), None)
    return {
        "points": player.points,
        "xp": player.xp,
        "hand": len(game.pile(Zone.HAND, name)),
        "deck": len(game.pile(Zone.DECK, name)),
        "trash": len(game.pile(Zone.TRASH, name)),
        "banished": len(game.pile(Zone.BANISHMENT, name)),
        "rune_deck": len(game.pile(Zone.RUNE_DECK, name)),
        "runes": len(runes),
        "ready": len([thing for thing in runes if not thing.exhausted]),
        "energy": player.energy,
        "power": {domain: count for domain, count in player.power.items() if count},
        "legend": {"name": game.label(legend), "exhausted": legend.exhausted} if legend is not None else None,
        "champion": game.label(champion) if champion is not None else None,
        "base": _permanents(game, [thing for thing in base if thing not in runes]),
        "lost": player.lost,
        "team": player.team,
    }


def _field(game: Game, ident: int) -> Snapshot:
    field = game.state.things[ident]
    struggle = game.struggle_at(ident)
    fight = ""
    if struggle is not None:
        fight = f"Combat: {struggle.attacker} attacks" if struggle.combat else "Showdown"
    elif field.staged_combat or field.staged_showdown:
        fight = "Combat is staged" if field.staged_combat else "Showdown is staged"
    return {
        "name": game.label(field),
        "controller": field.controller,
        "contested": field.contested_by,
        "fight": fight,
        "here": _permanents(game, game.at(ident)),
        "facedown": [thing.controller or thing.owner for thing in game.facedown_at(ident)],
    }


def _permanents(game: Game, things: list[Thing]) -> list[Snapshot]:
    """Units and gear at a place; attached gear goes with what it is attached to."""
    free = [thing for thing in things if not thing.attached_to or thing.attached_to not in game.state.board]
    return [_permanent(game, thing) for thing in free]


def _permanent(game: Game, thing: Thing) -> Snapshot:
    unit = game.is_unit(thing)
    marks = []
    if thing.exhausted:
        marks.append("exhausted")
    if thing.stunned:
        marks.append("stunned")
    if thing.empowered:
        marks.append("empowered")
    if thing.buffs:
        marks.append("buffed" if thing.buffs == 1 else f"{thing.buffs} buffs")
    if thing.designation:
        marks.append(str(thing.designation))
    label, card = game.label(thing), (thing.copied or thing.card).name
    own = label.partition("#")[0].lower()
    return {
        "name": label,
        "card": "" if own == card.lower() else card,
        "by": thing.controller or thing.owner,
        "might": game.might(thing) if unit else None,
        "damage": thing.damage,
        "marks": marks,
        "gear": [game.label(other) for other in game.attached_to(thing)],
        "unit": unit,
    }


def _item(game: Game, item: ChainItem) -> Snapshot:
    targets = [game.label(one) for one in game.targets_of(item)]
    name = game.label(item.thing) if item.thing is not None else item.name
    return {"name": name, "by": item.controller, "pending": item.pending, "targets": targets}
