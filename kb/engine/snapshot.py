"""What a game was like when a player chose an action, so that an illegal one is undone (358.5).

A snapshot keeps the fields of every record and puts them back into the same records: whoever holds one (a flow that
waits, an event) goes on seeing it as it then was. Records that are gone no longer change and are not kept.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from kb.engine.state import ChainItem, Lasting, Player, Restricted, State, Struggle, Thing
from kb.engine.zones import Zone

if TYPE_CHECKING:
    from kb.engine.game import Game

COLLECTIONS = frozenset((dict, list, set, Counter))

DECKS = (Zone.DECK, Zone.RUNE_DECK)
"""Where nothing happens to a card but that it leaves and becomes another object (124)."""

Record = Thing | Player | Restricted | ChainItem | Lasting | Struggle | State

OF_THE_GAME = (
    "cleanup_due", "outstanding", "cleaning", "performed", "next_id", "names", "name_counts", "turn_log", "replacing",
    "readings", "answers", "next_action", "resolving", "chain_opened_by", "counts", "play_counts", "trigger_counts",
    "happened", "released", "ceased", "mighty", "mighty_at",
    "pause_at", "closed_before_play", "finalizing", "begun", "regular_turn_player",
    "recent_damage",
)  # fmt: skip
"""Attributes of a game that belong to its course; the others are settings, or kept from question to question."""


FIELDS = {
    kind: tuple(f.name for f in fields(kind))
    for kind in (Thing, Player, Restricted, ChainItem, Lasting, Struggle, State)
}
READERS = {kind: attrgetter(*names) for kind, names in FIELDS.items()}


def copied(value: Any) -> Any:
    """A collection as it is now, with the collections in it; anything else as it is."""
    if value.__class__ not in COLLECTIONS:
        return value
    new = value.copy()
    if new.__class__ is dict:
        for key, one in value.items():
            if one.__class__ in COLLECTIONS:
                new[key] = copied(one)
    return new


class Snapshot:
    """A game at one moment. ``restore`` brings it back; it can be used more than once."""

    def __init__(self, game: Game) -> None:
        state = game.state
        self.game = game
        self.random = game.rng.getstate()
        self.values = {name: kept(getattr(game, name)) for name in OF_THE_GAME}
        self.stack = list(game.trace.stack)
        self.lengths = [len(node.children) for node in self.stack]
        self.records: list[tuple[Record, tuple[Any, ...]]] = []
        self.in_decks: list[Thing] = []
        for thing in state.things.values():
            if not thing.gone and thing.zone in DECKS:
                self.in_decks.append(thing)
            elif not thing.gone:
                self.keep(thing)
        for player in state.players.values():
            self.keep(player)
            for restricted in player.restricted:
                self.keep(restricted)
        others: list[Record] = [*state.chain, *state.lasting, state]
        for record in others if state.struggle is None else [*others, state.struggle]:
            self.keep(record)

    def keep(self, record: Record) -> None:
        """Read a record's fields; its collections are copied."""
        values = READERS[type(record)](record)
        self.records.append((record, tuple([copied(v) if v.__class__ in COLLECTIONS else v for v in values])))

    def restore(self) -> None:
        """Make the game what it was; what was cited stays cited."""
        game = self.game
        for record, values in self.records:
            for name, value in zip(FIELDS[type(record)], values, strict=True):
                setattr(record, name, copied(value))
        for thing in self.in_decks:
            thing.gone, thing.successor = False, 0
        for name, value in self.values.items():
            setattr(game, name, kept(value))
        game.rng.setstate(self.random)
        game.trace.stack[:] = self.stack
        for node, length in zip(self.stack, self.lengths, strict=True):
            del node.children[length:]
        game.touch(cleanup=False)
        game.forget()


def kept(value: Any) -> Any:
    """A collection of a game as it is now."""
    return value.copy() if hasattr(value, "copy") else value
