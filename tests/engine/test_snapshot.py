"""What a snapshot keeps: everything that belongs to the course of a game, put back into the same records."""

from __future__ import annotations

import random
from collections.abc import Callable

from kb.engine.asking import Ask
from kb.engine.fuzzing import decide, make_game
from kb.engine.game import Game
from kb.engine.library import library
from kb.engine.run import Run
from kb.engine.snapshot import OF_THE_GAME, Snapshot

SETTINGS = {"library", "hooks", "trace", "full_game"}
KEPT_BY_ITSELF = {"state", "rng"}
OF_THE_UNDOING = {"action_mark", "before_action", "undone"}
REMEMBERED = {"asked"}
"""What was asked stays asked, as what was cited stays cited."""

DERIVED = {
    "version", "projected", "projected_from", "projection", "granted_by_thing", "granting", "add_sources", "indexed",
    "indexed_from", "indexed_rules", "indexed_triggers", "indexed_version", "indexed_traits", "indexed_board",
}  # fmt: skip
"""Made from the state whenever it is needed and older than the state."""


def test_every_attribute_of_a_game_is_kept_or_said_to_need_no_keeping() -> None:
    known = SETTINGS | KEPT_BY_ITSELF | OF_THE_UNDOING | REMEMBERED | DERIVED
    assert set(vars(Game(library()))) == known | set(OF_THE_GAME)
    assert not known & set(OF_THE_GAME)


def test_a_game_that_went_on_is_restored_into_the_same_records(digest: Callable[[Run], str]) -> None:
    run = Run(make_game("duel", 4, library()))
    rng = random.Random(7)
    for _ in range(60):
        assert isinstance(run.outcome, Ask)
        run.answer(decide(run.outcome, rng))
    then, things, asked = digest(run), list(run.game.state.things.values()), run.outcome
    kept = Snapshot(run.game)
    for _ in range(12):
        assert isinstance(run.outcome, Ask)
        run.answer(decide(run.outcome, rng))
    assert digest(run) != then
    kept.restore()
    run.outcome = asked
    assert digest(run) == then
    assert all(one is other for one, other in zip(run.game.state.things.values(), things, strict=True))
