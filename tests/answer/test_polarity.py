"""Which way a question asks."""

from __future__ import annotations

import pytest

from kb.answer.polarity import Form, ambiguous, opposed, read, turns


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("Do I draw?", Form.YES_NO),
        ("who gets the point", Form.VALUE),
        ("how many buffs can a unit have", Form.VALUE),
        ("if he dies, do I draw", Form.YES_NO),
        ("tree draw is gone, right?", Form.YES_NO),
        ("when my spell goes off can I pick other units than the ones I named", Form.YES_NO),
        ("When it dies does svell copy the shears deathknell", Form.YES_NO),
        ("when it dies and does not come back, who draws", Form.VALUE),
        ("when do I draw", Form.VALUE),
        ("difference between exhaust and stun", Form.VALUE),
        ("explain move and recall pls", Form.VALUE),
        ("tank vs backline", Form.VALUE),
        ("does a unit enter exhausted or ready", Form.CHOICE),
        ("do I draw one or two", Form.CHOICE),
        ("is it extra or is it instead of the cost", Form.CHOICE),
        ("can I attack or move with it", Form.YES_NO),
        ("do I draw or not", Form.YES_NO),
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
        ("are players unable to react to a move", True),
        ("is it prohibited to hide a card there", True),
        ("isn't it illegal to look", True),
        ("so it's not impossible to win that way", False),
    ],
)
def test_negation_in_front_of_the_subject_turns_nothing(question: str, negated: bool) -> None:
    assert read(question).negated is negated


@pytest.mark.parametrize(
    ("question", "either"),
    [
        ("am I not allowed to look at my own facedown card?", True),
        ("he says no. is it not killed then?", True),
        ("can't I look at it?", False),
        ("so I am not allowed to look?", False),
    ],
)
def test_a_yes_to_not_behind_the_subject_could_mean_either(question: str, either: bool) -> None:
    assert ambiguous(question) is either


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
