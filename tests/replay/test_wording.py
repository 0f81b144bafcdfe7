"""Questions, answers and contrasts in words."""

from __future__ import annotations

import pytest

from kb.data import scenarios_dir
from kb.engine.asking import Ask, Option
from kb.replay import wording
from kb.replay.frames import described, replay_data, variants
from kb.scenarios.model import load_scenario

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
            assert said.startswith("What if: ") and len(said) > len("What if: .")


def test_what_turns_out_the_other_way_is_told_in_the_words_of_the_claims() -> None:
    scenario = load_scenario(scenarios_dir() / "rulings" / "burn-out-who-scores.yaml", scenarios_dir())
    data = replay_data(variants(scenario), {"c1": "The player gains 1 point."})
    assert data["variants"][1]["flips"] == ["The player gains 1 point."]
    assert "c2" not in str([one["flips"] for one in data["variants"]])
