"""Questions, answers and contrasts in words."""

from __future__ import annotations

import pytest

from kb.data import scenarios_dir
from kb.engine.asking import Ask, Option
from kb.replay import wording
from kb.replay.frames import replay_data, variants
from kb.replay.saying import asserted, described
from kb.scenarios.model import build, load_scenario

PATHS = sorted(scenarios_dir().rglob("*.yaml"))


def ask(kind: str, about: str, *keys: str) -> Ask:
    return Ask("A", kind, tuple(Option(key) for key in keys), about=about)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (ask("action", "main", "pass"), "A may act: it is their Main Phase"),
        (ask("action", "priority", "pass"), "A has Priority"),
        (ask("movers", "the units that move to Field 1", "x"), "A chooses the units that move to Field 1"),
        (ask("yes or no", "draw?", "yes", "no"), "A decides: draw?"),
        (ask("pay", "pay 2 Energy and 0 Power", "x"), "A chooses how to pay 2 Energy and 0 Power"),
        (ask("order", "", "x", "y"), "A chooses the order"),
    ],
)
def test_a_question_is_a_clause(question: Ask, said: str) -> None:
    assert wording.asked(question) == said


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (ask("action", "main", "move to Field 1"), "A moves to Field 1"),
        (ask("action", "main", "play Defy from hidden"), "A plays Defy from hidden"),
        (ask("action", "focus", "pass"), "A passes"),
        (ask("yes or no", "draw?", "yes"), "A says yes"),
        (ask("movers", "the units", "mech#2"), "A chooses Mech 2"),
    ],
)
def test_an_answer_is_a_headline(question: Ask, said: str) -> None:
    assert wording.done(question, [0]) == said


@pytest.mark.parametrize("path", PATHS[::40], ids=lambda path: path.stem)
def test_a_contrast_says_what_is_different(path: object) -> None:
    scenario = load_scenario(path, scenarios_dir())  # type: ignore[arg-type]
    for contrast in scenario.contrasts:
        if not contrast.mutant:
            said = described(contrast, scenario)
            assert said.startswith("What if ") and said.endswith("?") and len(said) > len("What if ?")
            assert "{" not in said and "[" not in said, "the notation of the file is not shown"


def test_what_turns_out_the_other_way_is_told_in_the_words_of_the_claims() -> None:
    scenario = load_scenario(scenarios_dir() / "rulings" / "burn-out-who-scores.yaml", scenarios_dir())
    data = replay_data(variants(scenario), {"c1": "The player gains 1 point."})
    assert data["variants"][1]["flips"] == ["The player gains 1 point."]
    assert "c2" not in str([one["flips"] for one in data["variants"]])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("leona gains 1 point(s)", "Leona gains 1 point"),
        ("B has only 0 rune(s) to channel", "B has only 0 runes to channel"),
        ("A uses Any Rune#9 to add resources", "A uses Any Rune 9 to add resources"),
        ("a spell with energy <= 4", "A spell with energy at most 4"),
        ("A chooses a your unit", "A chooses a unit of their own"),
        ("", ""),
    ],
)
def test_a_line_of_a_derivation_reads_as_a_sentence(text: str, said: str) -> None:
    assert wording.line(text) == said


GIVEN = {"battlefields": [{"card": "The Dreaming Tree", "as": "tree"}, "Field 2"], "turn": "A"}
WHEN = [{"A plays": "Cleave", "targets": ["poro"]}, {"pass": ["A", "B"]}]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"given.A.hand": ["Defy", "Gust"]}, "A's hand is Defy and Gust"),
        ({"given.A.hand": []}, "A's hand is empty"),
        ({"given.B.deck": 1}, "B's deck holds 1 card"),
        ({"given.B.points": 7}, "B has 7 points"),
        ({"given.A.runes": 1}, "A has 1 ready rune"),
        ({"given.A.pool": {"energy": 2, "power": {"fury": 1}}}, "A has 2 Energy and 1 fury Power in the pool"),
        ({"given.A.legend": None}, "A has no legend"),
        ({"given.A": {"hand": ["Gust"], "points": 3}}, "A's hand is Gust; A has 3 points"),
        (
            {"given.battlefields.0.units.B": [{"card": "Recruit", "as": "r1", "stunned": True, "damage": 1}]},
            "B's units at tree are Recruit (r1), stunned, 1 damage on it",
        ),
        ({"given.battlefields.1.controller": "B"}, "B controls Field 2"),
        ({"given.turn": "B"}, "it is B's turn"),
        ({"cards.Sting.energy": 2}, "Sting's energy is 2"),
        ({"cards.Sting": {"type": "spell", "energy": 0}}, "Sting is a spell with energy 0"),
        ({"when.0.targets": ["r1"]}, "A plays Cleave on r1 instead of: A plays Cleave on poro"),
        ({"when.0": None}, "it does not happen that A plays Cleave on poro"),
        ({"when": []}, "nothing is done"),
        ({"when": [{"pass": "A"}, *WHEN]}, "A passes"),
        ({"when": WHEN[::-1]}, "the same is done in another order"),
    ],
    ids=str,
)
def test_a_contrast_is_a_question_in_words(change: dict[str, object], said: str) -> None:
    scenario = build(
        {"title": "x", "given": GIVEN, "when": WHEN, "then": [{"assert": {"turn": "A"}}],
         "cards": {"Sting": {"type": "spell"}}, "contrasts": [{"change": change, "flips": ["c1"]}]},
        "x", "x",
    )  # fmt: skip
    assert described(scenario.contrasts[0], scenario) == f"What if {said}?"


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"points": {"A": 4}}, "A's points: 4"),
        ({"state": {"mf": ["stunned", "non-exhausted"]}}, "mf is stunned and not exhausted"),
        ({"happened": {"event": "plays", "who": "A", "thing": "Gust", "times": 1}}, "it happened: A plays Gust once"),
        ({"never": {"event": "turn_ends"}}, "it never happened: turn ends"),
        ({"chain": []}, "the chain is empty"),
        ({"not": {"combat": "Field 1"}}, "it is not so that there is a combat at Field 1"),
        (
            {"asks": {"who": "B", "kind": "choose-player", "options": ["A", "C"]}},
            "B is asked for choose player, offered A and C",
        ),
        ({"something_new": {"a": [1, 2]}}, "something new: a 1, 2"),
    ],
    ids=str,
)
def test_an_assertion_is_told_in_words(values: dict[str, object], said: str) -> None:
    assert asserted(values) == said
