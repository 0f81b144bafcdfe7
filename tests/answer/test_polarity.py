"""Which way a question asks."""

from __future__ import annotations

import pytest

from kb.answer.polarity import Form, opposed, read, turns


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("Do I draw?", Form.YES_NO),
        ("who gets the point", Form.VALUE),
        ("how many buffs can a unit have", Form.VALUE),
        ("if he dies, do I draw", Form.YES_NO),
        ("tree draw is gone, right?", Form.YES_NO),
    ],
)
def test_form(question: str, form: Form) -> None:
    assert read(question).form is form


@pytest.mark.parametrize(
    ("question", "negated"),
    [
        ("does Defy stop the draw", False),
        ("doesn't Defy stop the draw", False),
        ("Defy doesn't stop the draw, right?", True),
        ("is it not killed", False),
        ("so I do not draw?", True),
    ],
)
def test_negation_in_front_of_the_subject_turns_nothing(question: str, negated: bool) -> None:
    assert read(question).negated is negated


@pytest.mark.parametrize(
    ("one", "other", "count"),
    [
        ("do I lose the card", "do I keep the card", 1),
        ("does it survive", "does it die", 1),
        ("do I draw", "do I draw", 0),
        ("before the damage", "after the damage", 1),
    ],
)
def test_opposites_turn_a_question(one: str, other: str, count: int) -> None:
    assert turns(read(one), read(other)) == count


def test_only_bare_words_have_opposites() -> None:
    assert [opposed(word) for word in ("yes", "no", "depends", "2")] == ["no", "yes", "depends", "2"]
