"""Each invariant speaks up when its subject is broken on purpose, and only then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from kb.engine.asking import Ask
from kb.engine.game import Game
from kb.engine.invariants import bodies, broken
from kb.engine.run import Run
from kb.engine.state import ChainItem, Thing
from kb.engine.zones import Zone

Position = Callable[..., Run]


class Board:
    """A small legal position at A's choice of action, and what the invariants say of it."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.game: Game = run.game
        self.start = bodies(run.game)

    def said(self, start: Counter[int] | None = None) -> str:
        return "; ".join(broken(self.game, self.run.outcome, self.start if start is None else start))

    def thing(self, name: str) -> Thing:
        return next(t for t in self.game.state.things.values() if self.game.label(t) == name and not t.gone)


@pytest.fixture
def board(position: Position) -> Board:
    unit = {"card": "Stalwart Poro", "as": "poro", "attached": ["Guardian Angel"]}
    built = Board(
        position(
            {
                "battlefields": [{"card": "Field 1", "controller": "A", "units": {"A": [unit]}}, "Field 2"],
                "A": {"hand": ["Cleave"], "deck": 3, "runes": 2, "base": ["Recruit"]},
                "B": {"deck": 3, "base": ["Recruit"]},
            }
        )
    )
    assert built.said() == ""
    return built


def test_a_card_in_two_zones_is_reported(board: Board) -> None:
    board.game.pile(Zone.TRASH, "A").append(board.thing("Cleave").id)
    assert "Cleave is in 2 zones" in board.said()


def test_a_card_in_no_zone_is_reported(board: Board) -> None:
    board.game.pile(Zone.HAND, "A").clear()
    assert "Cleave is in 0 zones" in board.said()


def test_an_object_that_is_gone_but_still_lies_there_is_reported(board: Board) -> None:
    board.thing("poro").gone = True
    assert "poro is gone but still in a zone" in board.said()


def test_a_lost_card_is_reported_by_name(board: Board) -> None:
    card = board.thing("Cleave")
    board.game.take_out(card)
    card.gone = True
    assert "cards were lost (Cleave)" in board.said()


def test_a_card_out_of_nothing_is_reported_but_a_token_is_not(board: Board) -> None:
    recruit = board.thing("Recruit").card
    board.game.create(recruit, "A", Zone.BASE, "A", token=True).controller = "A"
    assert "or made" not in board.said()
    board.game.create(board.thing("Cleave").card, "A", Zone.HAND)
    assert "made (Cleave#2)" in board.said()


@pytest.mark.parametrize("what", ["points", "xp", "energy", "power"])
def test_a_negative_number_is_reported(board: Board, what: str) -> None:
    player = board.game.player("B")
    if what == "power":
        player.power["fury"] = -1
    else:
        setattr(player, what, -1)
    assert "B has a negative number" in board.said()


def test_a_unit_without_a_location_is_reported(board: Board) -> None:
    board.thing("Recruit").base = None  # type: ignore[assignment]
    assert "Recruit is on the board without a location" in board.said()


def test_a_gear_attached_to_nothing_is_reported(board: Board) -> None:
    board.thing("Guardian Angel").attached_to = board.thing("Cleave").id
    assert "Guardian Angel is attached to nothing on the board" in board.said()


def test_a_gear_that_stays_behind_is_reported(board: Board) -> None:
    poro = board.thing("poro")
    poro.battlefield = board.game.state.battlefields[1]
    assert "Guardian Angel is not where what it is attached to is (719.3)" in board.said()


def test_units_of_three_players_at_one_battlefield_are_reported(position: Position) -> None:
    units = {"A": ["Recruit"], "B": ["Recruit"]}
    fields = [{"card": "Field 1", "controller": "A", "contested": "B", "units": units}, "Field 2", "Field 3"]
    board = Board(
        position({"mode": "ffa3", "battlefields": fields, "C": {"base": [{"card": "Recruit", "as": "third"}]}})
    )
    assert "449.2" not in board.said()
    third = board.thing("third")
    board.game.change_zone(third, Zone.BATTLEFIELD, board.game.state.battlefields[0])
    assert "units of 3 players at Field 1 (449.2)" in board.said()


def test_acting_while_an_item_is_pending_is_reported(board: Board) -> None:
    board.game.state.chain.append(ChainItem(board.game.fresh(), "A", "ability", source=board.thing("poro")))
    assert "an item is pending (337)" in board.said()


def test_acting_while_a_cleanup_is_outstanding_is_reported(board: Board) -> None:
    assert isinstance(board.run.outcome, Ask)
    board.run.outcome = replace(board.run.outcome, about="focus")
    board.game.cleanup_due = True
    assert "a cleanup is outstanding (333)" in board.said()


def test_acting_without_priority_is_reported(board: Board) -> None:
    board.game.state.priority = "B"
    assert "not the one with Priority (312)" in board.said()


def test_a_designation_outside_combat_is_reported(board: Board) -> None:
    board.thing("poro").designation = "attacker"
    assert "combat designation and no combat is in progress (466.7.a)" in board.said()
