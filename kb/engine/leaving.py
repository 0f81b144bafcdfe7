"""Conceding and removal of a player (195.1, 649-652)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.cards.syntax import CardDefinition
from kb.engine import actions
from kb.engine.asking import Flow
from kb.engine.decks import declare_winner
from kb.engine.zones import Zone

if TYPE_CHECKING:
    from kb.engine.game import Game

NO_ABILITIES = CardDefinition("Battlefield token", ("battlefield",), ("token",), token=True)
"""What replaces the battlefield of a removed player (652.2.a)."""


def remove_player(game: Game, player: str) -> Flow[None]:
    """651-652: the player (and teammates, 651.4) leave; the last one or team wins; else the game goes on."""
    leaving = [player, *game.teammates(player)]
    for name in leaving:
        game.player(name).lost = True
        why = "651.2 651.3" if name == player else "651.4 489.6.a.1 489.6.a.2"
        game.note(f"651 {why}", "{} is removed from the game", name)
    remaining = game.players_in_order()
    teams = {game.player(p).team for p in remaining}
    if len(teams) == 1 and game.hooks.does("651.1"):
        shared = " 489.6.a.1 489.6.a.2 489.6.a.3" if len(leaving) > 1 else ""
        game.note(f"651.1 195{shared}", "{} remains and wins", remaining[0])
        declare_winner(game, remaining[0])
    for name in leaving:
        take_away(game, name)
        pass_on(game, name)
    return
    yield


def take_away(game: Game, player: str) -> None:
    """652.1-652.4: permanents, runes, facedown cards and the battlefield go; items on the chain are countered."""
    for thing in list(game.state.board.values()):
        if "battlefield" in thing.card.types:
            if thing.owner == player and game.hooks.does("652.2"):
                had_abilities = bool(thing.definition.abilities)
                thing.card = NO_ABILITIES
                thing.copied = None
                rules = "652.2.a 652.2.b" + (" 652.2.c" if had_abilities else "")
                game.note(rules, "the battlefield of {} is replaced by a token without abilities", player)
            if thing.controller == player:
                thing.controller = None
            if thing.contested_by == player:
                thing.contested_by = None
        elif thing.zone is not Zone.LEGEND and player in (thing.controller, thing.owner) and game.hooks.does("652.1"):
            game.change_zone(thing, Zone.BANISHMENT)
            game.note("652.1", "{} is banished", thing)
    for item in list(game.state.chain):
        if item.controller == player and game.hooks.does("652.4"):
            actions.remove_item(game, item)
            if item.thing is not None and not item.thing.gone:
                game.change_zone(item.thing, Zone.BANISHMENT)
            game.note("652.4", "{} is countered", item.name)
    for zone in (Zone.HAND, Zone.DECK, Zone.RUNE_DECK, Zone.TRASH, Zone.BANISHMENT, Zone.CHAMPION):
        for thing in list(game.zone_cards(zone, player)):
            if game.hooks.does("652.3"):
                game.take_out(thing)
                thing.gone = True
    for thing in game.zone_cards(Zone.LEGEND, player):
        game.take_out(thing)
        thing.gone = True
    game.note("652.3", "all cards of {} leave the game", player)
    game.touch()


def pass_on(game: Game, player: str) -> None:
    """652.5: Focus goes to the next player; a combat of the removed player is between nobody any more."""
    struggle = game.state.struggle
    if struggle is None:
        return
    if struggle.focus == player:
        struggle.focus = game.next_player(player)
        game.note("652.5.b.1", "Focus goes to {}", struggle.focus)
