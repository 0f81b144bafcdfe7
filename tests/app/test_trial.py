"""Trying a position: from the form to a board, answers, undo, link, scenario file."""

from __future__ import annotations

import base64
import json
import zlib
from pathlib import Path

import pytest

from kb.app import trial
from kb.app.trial import Placed, Trial
from kb.errors import KbError
from kb.scenarios.model import load_scenario
from kb.scenarios.runner import run_scenario

GIVEN = {
    "turn": "A",
    "battlefields": [{"card": "Field 1", "controller": "B", "units": {"B": ["Stalwart Poro"]}}, "Field 2"],
    "A": {"base": ["Mech"], "hand": ["Cleave"], "runes": 6, "deck": 5},
    "B": {"deck": 5},
}


def pick(current: Trial, key: str) -> str:
    ask = current.ask
    assert ask is not None
    return current.answer([next(index for index, option in enumerate(ask.options) if option.key == key)])


def test_a_position_of_the_form_is_played() -> None:
    placed = [Placed("Mech", "A", "base"), Placed("Stalwart Poro", "B", "at1", ("exhausted",))]
    current = Trial(trial.position(placed, {"turn": "A", "A_runes": 3, "A_deck": 4}))
    assert current.ask is not None and current.ask.player == "A"
    assert "move to Field 1" in [option.key for option in current.ask.options]


def test_the_same_card_is_put_several_times() -> None:
    current = Trial(trial.position([Placed("Recruit", "A", "at2")] * 3, {}))
    here = current.frames()[0].state["fields"][1]
    assert [one["name"] for one in here["here"]] == ["Recruit", "Recruit#2", "Recruit#3"]
    assert here["controller"] == "A"


@pytest.mark.parametrize(
    ("card", "place", "fits"),
    [("Defy", "base", False), ("Defy", "hand", True), ("Mech", "at1", True), ("No Such Card", "hand", False)],
)
def test_a_card_goes_only_where_it_can_be(card: str, place: str, fits: bool) -> None:
    assert (trial.why_not(card, place) == "") is fits


def test_answers_are_undone() -> None:
    current = Trial(GIVEN)
    before = [option.key for option in current.ask.options] if current.ask else []
    assert pick(current, "move to Field 1") == ""
    assert len(current.run.log) == 1
    current.undo()
    assert current.run.log == [] and current.ask is not None
    assert [option.key for option in current.ask.options] == before
    assert len(current.frames()) == 1


def test_an_answer_that_does_not_fit_is_a_sentence_and_changes_nothing() -> None:
    current = Trial(GIVEN)
    assert current.answer([99]) == "There is no such option."
    assert current.run.log == []


def test_a_link_leads_to_the_same_place() -> None:
    current = Trial(GIVEN)
    pick(current, "move to Field 1")
    current.answer([0])
    again = trial.from_token(current.token())
    assert again.run.log == current.run.log
    assert again.frames()[-1].state == current.frames()[-1].state


def test_what_was_tried_is_saved_as_a_scenario_that_runs(tmp_path: Path) -> None:
    current = Trial(GIVEN)
    pick(current, "move to Field 1")
    current.answer([0])
    while current.ask is not None and "pass" in [option.key for option in current.ask.options]:
        if current.ask.player == "A" and not current.run.game.state.struggle:
            break
        pick(current, "pass")
    file = tmp_path / "tried.yaml"
    file.write_text(current.as_yaml(), encoding="utf-8")
    made = run_scenario(load_scenario(file))
    assert made.verdict == "confirmed", made.problems


@pytest.mark.parametrize("token", ["", "x", "####", "a" * 20_000, "eJw", base64.urlsafe_b64encode(b"{}").decode()])
def test_a_damaged_link_is_a_sentence(token: str) -> None:
    with pytest.raises(KbError, match="damaged"):
        trial.from_token(token)


@pytest.mark.parametrize(
    "given",
    [
        {"A": {"deck": 10**9}},
        {"A": {"hand": ["Cleave"] * 500}},
        {"A": {"hand": [{"card": {"a": {"b": {"c": {"d": {"e": {"f": {"g": {"h": 1}}}}}}}}}]}},
        {"A": {"hand": ["x" * 5000]}},
        {"A": {"hand": ["No Such Card"]}},
        {"A": "nonsense"},
        {"battlefields": 7},
        {"unknown": 1},
    ],
    ids=str,
)
def test_a_position_that_cannot_be_is_a_sentence(given: dict[str, object]) -> None:
    token = base64.urlsafe_b64encode(zlib.compress(json.dumps({"g": given, "l": []}).encode())).decode()
    with pytest.raises(KbError):
        trial.from_token(token)


def test_an_invitation_of_a_teammate_is_a_step_of_its_own() -> None:
    assert trial.action("A", "invite C") == {"A invites": "C"}
    current = Trial({"mode": "2v2", "turn": "A", "C": {"hand": ["Cleave"], "base": ["Mech"], "runes": 1}})
    pick(current, "invite C")
    assert current.ask is not None and current.ask.player == "C"
    assert "play Cleave" in [option.key for option in current.ask.options]
