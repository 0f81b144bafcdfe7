"""The questions of players as data: they load, lead to what exists, and bad ones are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.errors import DataError
from kb.ids import RuleRef
from kb.load import load_rulings
from kb.questions import REASONS, check_targets, load_questions, load_slang


def written(folder: Path, name: str, text: str) -> Path:
    (folder / "questions").mkdir()
    (folder / "questions" / name).write_text(text, encoding="utf-8")
    return folder


def test_every_ruling_and_every_reason_has_questions() -> None:
    asked = load_questions()
    assert {one.target for one in asked if one.kind == "ruling"} == set(load_rulings())
    assert {one.target for one in asked if one.kind == "refusal"} == set(REASONS)
    assert all(one.verdict for one in asked if one.kind == "ruling")


def test_no_question_is_asked_twice_of_one_record() -> None:
    asked = [(one.kind, one.target, one.question.lower()) for one in load_questions()]
    assert len(asked) == len(set(asked)), sorted({one for one in asked if asked.count(one) > 1})


def test_a_question_of_a_missing_rule_or_ruling_is_an_error(tmp_path: Path) -> None:
    asked = load_questions(written(tmp_path, "core-1.4.yaml", '"999.1": [what is this]\n'))
    with pytest.raises(DataError, match=r"999\.1"):
        check_targets(asked, lambda ref: ref == RuleRef.parse("431"), {})


def test_a_ruling_question_without_its_word_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no verdict"):
        load_questions(written(tmp_path, "rulings.yaml", "some-ruling:\n  - do I lose\n"))


def test_an_unknown_reason_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="unknown key"):
        load_questions(written(tmp_path, "refused.yaml", "boredom:\n  - why\n"))


def test_slang_is_read() -> None:
    assert load_slang()["opp"] == "opponent"
