"""Random games: they end, break no invariant, replay from their log, and can be taken back answer by answer."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kb.cards.syntax import Activated
from kb.engine.asking import Ask, Refusal
from kb.engine.fuzzing import Report, decide, make_game, play_game
from kb.engine.legality import ways_to_play, why_not_activate, why_not_enter, why_not_hide, why_not_standard_move
from kb.engine.library import library
from kb.engine.playing import why_not_play, why_not_use
from kb.engine.run import Finished, Run
from kb.engine.setup import MODES
from kb.load import load_rules

SEEDS = {"duel": 1, "match": 1, "ffa3": 2, "ffa4": 2, "2v2": 1}
Digest = Callable[[Run], str]


def test_every_mode_has_a_seed() -> None:
    assert set(SEEDS) == set(MODES)


@pytest.mark.parametrize("mode", MODES)
def test_a_random_game_ends_unbroken_and_its_log_replays_to_the_same_state(mode: str, digest: Digest) -> None:
    run, report = play_game(mode, SEEDS[mode])
    assert report.faults == []
    assert isinstance(run.outcome, Finished), report.ended
    assert report.decisions > 20
    again = Run(make_game(mode, SEEDS[mode], library()))
    again.replay(run.log)
    assert again.log == run.log
    assert digest(again) == digest(run)


def test_an_attached_gear_that_an_effect_would_move_stays_with_its_unit() -> None:
    # 718.5.c, 719.3: in this game Akshan left before his ability moved a gear that a unit carried
    _, report = play_game("duel", 9216)
    assert report.faults == []


def test_the_same_seed_gives_the_same_game_and_another_seed_another(digest: Digest) -> None:
    one, two, other = (prefix("duel", seed, 4, 25) for seed in (5, 5, 6))
    assert digest(one) == digest(two) != digest(other)


def prefix(mode: str, seed: int, choices: int, count: int) -> Run:
    """A random game up to a number of decisions."""
    run = Run(make_game(mode, seed, library()))
    rng = random.Random(choices)
    for _ in range(count):
        if not isinstance(run.outcome, Ask):
            break
        run.answer(decide(run.outcome, rng))
    return run


@settings(max_examples=8, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(
    mode=st.sampled_from(sorted(MODES)), seed=st.integers(1, 500), choices=st.integers(0, 99), count=st.integers(1, 60)
)
def test_a_decision_taken_back_and_a_log_replayed_give_the_same_state(
    digest: Digest, mode: str, seed: int, choices: int, count: int
) -> None:
    run = prefix(mode, seed, choices, count)
    here, log = digest(run), list(run.log)
    again = Run(make_game(mode, seed, library()))
    again.replay(log)
    assert digest(again) == here
    if isinstance(run.outcome, Ask):
        outcome = run.answer(decide(run.outcome, random.Random(choices + 1)))
        if not isinstance(outcome, Refusal):
            run.undo()
    assert run.log == log
    assert digest(run) == here
    if isinstance(run.outcome, Ask) and isinstance(again.outcome, Ask):
        assert [o.key for o in run.outcome.options] == [o.key for o in again.outcome.options]
    assert run.game.trace.cited.keys() >= again.game.trace.cited.keys()


@settings(max_examples=8, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(1, 500), count=st.integers(5, 60))
def test_an_answer_that_fits_no_option_changes_nothing(digest: Digest, seed: int, count: int) -> None:
    run = prefix("duel", seed, 0, count)
    if isinstance(run.outcome, Ask):
        here = digest(run)
        for wrong in ((len(run.outcome.options),), (-1,), (0, 0)):
            with pytest.raises(ValueError, match="option"):
                run.answer(wrong)
        assert digest(run) == here


def refusals(run: Run) -> Iterator[Refusal]:
    """Every refusal of every action that any player could think of now."""
    game = run.game
    fields = game.state.battlefields
    for player in game.state.order:
        for thing in list(game.state.things.values()):
            if thing.gone:
                continue
            for way in ways_to_play(game, player, thing):
                yield from filter(None, (why_not_play(game, player, way),))
            found = [why_not_hide(game, player, thing, field) for field in fields]
            if thing.on_board and game.is_unit(thing):
                found += [why_not_standard_move(game, thing, where, player) for where in (*fields, *game.state.order)]
            if "unit" in thing.card.types and not thing.on_board:
                found += [why_not_enter(game, player, thing, where) for where in (*fields, *game.state.order)]
            yield from filter(None, found)
        for granted in list(game.index().get(Activated, [])):
            yield from filter(None, (why_not_use(game, player, granted), why_not_activate(game, player, granted)))


@pytest.mark.parametrize(("mode", "seed"), [("duel", 3), ("ffa3", 4), ("2v2", 5)])
def test_every_refusal_names_a_rule_and_says_why(mode: str, seed: int) -> None:
    book = load_rules("core-1.4")
    seen: set[str] = set()
    for count in (15, 40, 70):
        for refusal in refusals(prefix(mode, seed, 1, count)):
            numbers = refusal.rule.split()
            assert numbers, refusal
            assert all(number in book for number in numbers), refusal
            assert refusal.why.strip(), refusal
            seen.add(refusal.rule)
    assert len(seen) > 8, seen


@pytest.mark.parametrize(("mode", "seed"), [("duel", 108), ("ffa3", 12), ("2v2", 3)])
def test_an_action_refused_on_the_way_leaves_the_game_and_its_log_as_they_were(
    mode: str, seed: int, digest: Digest
) -> None:
    """What turned out illegal while it was carried out is undone (358.5): the log holds only what stood."""
    found = 0
    run = Run(make_game(mode, seed, library()))
    rng = random.Random(seed * 7919 + 17)
    while isinstance(run.outcome, Ask) and found < 2:
        log = list(run.log)
        if isinstance(run.answer(decide(run.outcome, rng, run.game)), Refusal):
            found += 1
            assert log[: len(run.log)] == run.log
            again = Run(run.make)
            again.replay(run.log)
            assert digest(again) == digest(run)
    assert found


def test_reports_of_random_games_add_up() -> None:
    one, two = Report(games=1, decisions=5, faults=["a"]), Report(games=2, decisions=6, faults=["b"])
    one.ended["won"], two.ended["won"] = 1, 2
    one.add(two)
    assert (one.games, one.decisions, one.ended["won"], one.faults) == (3, 11, 3, ["a", "b"])
