"""Which questions have several parts, and what each is asked with."""

from __future__ import annotations

import json

import pytest

from kb.answer.parts import split
from kb.data import data_root


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("do i draw and who gets the point", ["do i draw", "who gets the point"]),
        ("Can I hide it? Can he look at my card?", ["Can I hide it?", "Can he look at my card?"]),
        ("can i move and play an action", []),
        ("Does it die? Or does it survive?", []),
        ("The draw is lost, right? Yes or no?", []),
        ("if he attacks and is stunned, does he deal damage", []),
        ("does it count, e.g. for a trigger that sees moves", []),
        ("do i win " * 80, []),
    ],
)
def test_split(question: str, parts: list[str]) -> None:
    assert [part.text for part in split(question)] == parts


def test_each_part_is_asked_with_what_was_told_before_it() -> None:
    first, second = split("My spell got countered. Do I get my energy back? Does it count for legion?")
    assert first.asked == "My spell got countered. Do I get my energy back?"
    assert second.asked == "My spell got countered. Does it count for legion?"


def test_a_follow_up_is_asked_with_the_question_that_it_follows() -> None:
    _, second = split("Does my unit die in this fight? If so, do I still get its trigger?")
    assert second.asked.startswith("Does my unit die in this fight?")


def test_the_labelled_questions_are_split_as_they_should_be() -> None:
    path = data_root() / "tests" / "eval" / "parts.jsonl"
    asked = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    wrong = [one["id"] for one in asked if len(split(one["question"])) != len(one["parts"])]
    assert len(asked) == 40
    assert len(wrong) <= 1, wrong


def test_a_part_that_only_points_is_asked_with_what_the_first_names() -> None:
    _, second = split("does repeat cost extra? does it count as two spells?", lambda _: ["Repeat"])
    assert second.text == "does it count as two spells?"
    assert second.asked == "Repeat: does it count as two spells?"
