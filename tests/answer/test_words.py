"""Pairs of questions, and what their labels say together."""

from __future__ import annotations

import numpy as np
import pytest

from kb.answer.pairs import NAMES, Near, columns, phrase
from kb.answer.verdict import EVIDENCE, OPTIMISM, Evidence, Verdicts, _lowered
from kb.search.reranker import Read, log_odds
from kb.search.searcher import Searcher, Target


def of(one: str, other: str) -> dict[str, float]:
    near = Near(0.9, 0.5, 0, 0.0, True)
    return dict(zip(NAMES, map(float, columns(phrase(one), phrase(other), near, lambda _: 1.0)), strict=True))


@pytest.mark.parametrize(
    ("one", "other", "column", "value"),
    [
        ("can I run four copies", "can I run three copies", "numbers_differ", 1.0),
        ("can I run 3 copies", "can I run three copies", "numbers_differ", 0.0),
        ("do I keep the card", "do I lose the card", "opposites", 1.0),
        ("so I do not draw", "do I draw", "negated", 1.0),
        ("is it dead before I draw", "is it dead after I draw", "marked_before", 1.0),
        ("who gets the point", "do I get the point", "same_form", 0.0),
        ("does the unit die", "does the unit die", "words_asked", 0.0),
    ],
)
def test_what_tells_two_questions_apart(one: str, other: str, column: str, value: float) -> None:
    assert of(one, other)[column] == value


def test_a_question_beside_itself_shares_everything() -> None:
    row = of("does the stunned unit die", "does the stunned unit die")
    assert row["share_asked"] == pytest.approx(1.0) and row["share_other"] == pytest.approx(1.0)
    assert not any(row[name] for name in NAMES if name.startswith("marked_"))


def evidence(signs: list[float]) -> Evidence:
    fades = np.array([1.0, 0.5, 0.2], np.float32)
    near = np.zeros(len(EVIDENCE) - 2, np.float32)
    return Evidence(
        near, np.zeros((3, len(NAMES)), np.float32), np.array(signs, np.float32), fades, ("a", "b", "c"), 0.9
    )


def test_labels_turned_around_give_the_opposite_evidence() -> None:
    same = np.array([0.9, 0.3, 0.6], np.float32)
    one, other = evidence([1, -1, 1]), evidence([-1, 1, -1])
    assert one.columns(same) == pytest.approx(-other.columns(same))
    assert one.columns(same)[-1] > 0
    assert one.best(same, "yes") == "a" and other.best(same, "no") == "a"


def test_a_pair_that_is_likely_opposite_speaks_for_the_other_word() -> None:
    assert evidence([1, 1, 1]).columns(np.array([0.05, 0.5, 0.5], np.float32))[-1] < 0


def test_the_evidence_of_a_labelled_question_is_led_by_itself(hashed: Searcher) -> None:
    verdicts = Verdicts(hashed)
    target = Target("ruling", "burn-out-is-not-a-loss")
    one = next(one for one in verdicts.of(target) if one.verdict == "no")
    read = Read((), np.zeros(0, np.float32), np.zeros(0, np.float32), 0.0)
    said = verdicts.evidence(hashed.find(one.question), [target], 1.0, read)
    assert said is not None
    assert said.questions[0] == one.question and said.signs[0] == -1
    assert said.fades[0] == said.fades.max()
    assert 0.8 < said.like <= 1.001


def test_a_chance_is_lowered_and_keeps_its_order() -> None:
    chances = [_lowered(chance) for chance in (0.0, 0.3, 0.91, 0.98, 1.0)]
    assert chances == sorted(chances) and chances[0] >= 0.0 and chances[-1] <= 1.0
    for chance, lowered in zip((0.3, 0.91, 0.98), chances[1:4], strict=True):
        assert log_odds(chance) - log_odds(lowered) == pytest.approx(OPTIMISM)
