"""Trying a position: from the form to a board, answers, undo, link, scenario file."""

from __future__ import annotations

import base64
import json
import random
import sqlite3
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

from kb.app import trial
from kb.app.trial import Placed, Trial, position
from kb.app.workbench import check
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


@pytest.mark.parametrize("seed", range(6))
def test_whatever_was_played_is_saved_as_a_scenario_that_runs(seed: int) -> None:
    """Random boards and random legal answers, saved wherever the game stands, also in the middle of a step."""
    choose = random.Random(seed)
    kinds = trial.modelled()
    names = {kind: [name for name, one in kinds.items() if one == kind] for kind in ("unit", "spell", "battlefield")}
    placed = []
    for who in "AB":
        units = [name for name in names["unit"] if not trial.why_not(name, "hand")]
        placed += [Placed(choose.choice(units), who, choose.choice(("base", "at1", "hand"))) for _ in range(3)]
        placed += [Placed(choose.choice(names["spell"]), who, "hand") for _ in range(2)]
    settings = {f"field{number}": choose.choice(names["battlefield"]) for number in (1, 2)}
    made = Trial(position(placed, settings | {"A_runes": 8, "B_runes": 8, "A_deck": 9, "B_deck": 9}))
    for _ in range(18):
        ask = made.ask
        if ask is None:
            break
        legal = [at for at, one in enumerate(ask.options) if one.key != "concede"]
        picked = choose.sample(legal, choose.randint(min(ask.least, len(legal)), min(ask.most, len(legal))))
        if made.answer(picked if ask.default is None else list(ask.default)):
            continue
        saved = check(made.as_yaml())
        assert not saved.error and saved.result is not None
        assert saved.result.verdict == "confirmed", (ask, saved.result.problems)


@pytest.mark.parametrize(
    ("card", "place", "said"),
    [
        ("Recruit", "hand", "is a token"),
        ("Recruit", "base", ""),
        ("Defy", "base", "is a spell"),
        ("Defy", "trash", ""),
        ("Guardian Angel", "at1", "attach it to a unit"),
        ("Hidden Blade", "down1", ""),
        ("Defy", "down1", "has no Hidden"),
        ("No Such Card", "hand", "does not play"),
    ],
)
def test_a_card_is_put_only_where_it_can_be(card: str, place: str, said: str) -> None:
    assert (said in trial.why_not(card, place)) if said else trial.why_not(card, place) == ""


@pytest.mark.parametrize(
    ("said", "card", "why", "near"),
    [
        ("Recruit", "Recruit", "", ()),
        ("Zhonya's Hourglas", "Zhonya's Hourglass", "", ()),
        ("defi", "Defiant Dance", "", ("Defy",)),
        ("Dezy", None, "There is no card 'Dezy'. These come near:", ("Defy",)),
        ("Teemo", None, "'Teemo' can mean 2 cards:", ("Teemo, Strategist", "Teemo, Scout")),
        ("Vi, Piltover Enforcer", None, "our engine does not play it yet", ()),
        ("Dreaming Tree", None, "The Dreaming Tree is a battlefield and is not put here", ()),
        ("Ahri, Nine-Tailed Fox", None, "is a legend and is not put here. Write it as YAML below.", ()),
        ("x" * 5000, None, "There is no card", ()),
    ],
)
def test_a_typed_name_means_a_card_or_gets_a_sentence(
    store: sqlite3.Connection, said: str, card: str | None, why: str, near: tuple[str, ...]
) -> None:
    found = trial.meant(store, said, [name for name, kind in trial.modelled().items() if kind != "battlefield"])
    assert found.card == card and why in found.why and found.near == near


def test_damage_states_gear_and_facedown_cards_are_on_the_board() -> None:
    unit = replace(trial.placed("Mech", "A", "at1", ("stunned", "buffed"), 1), gear=("Guardian Angel",))
    cards = [unit, trial.placed("Hidden Blade", "A", "down2", ("stunned",), 3), trial.placed("Defy", "B", "trash")]
    assert trial.why_not_facedown(cards[:1], "A", "down2", 1) and not trial.why_not_facedown(cards, "A", "down1", 1)
    assert trial.why_not_facedown(cards, "A", "down2", 1) == "A battlefield holds one facedown card (107.3.b)."
    cards.append(trial.placed("Recruit", "A", "at2"))
    state = Trial(position(cards, {})).frames()[-1].state
    [there] = state["fields"][0]["here"]
    assert (there["damage"], there["gear"]) == (1, ["Guardian Angel"])
    assert {"stunned", "buffed"} <= set(there["marks"])
    assert state["fields"][1]["facedown"] == ["A"] and state["players"]["B"]["trash"] == 1
