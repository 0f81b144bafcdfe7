"""Feedback stays in the user's own file."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb import feedback
from kb.errors import InputError


def test_what_is_given_comes_back_newest_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KB_USER", str(tmp_path))
    assert feedback.given() == []
    feedback.give("first?", "Yes. So.", "right")
    feedback.give("<b>second</b>", "No. So.", "wrong", " why ")
    assert [one.question for one in feedback.given()] == ["<b>second</b>", "first?"]
    assert feedback.given()[0].note == "why"


def test_an_unknown_opinion_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KB_USER", str(tmp_path))
    with pytest.raises(InputError):
        feedback.give("q", "r", "maybe")


def test_a_damaged_file_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KB_USER", str(tmp_path))
    feedback.path().write_bytes(b"no database at all, only words" * 100)
    with pytest.raises(InputError, match="cannot be kept"):
        feedback.give("q", "r", "right")
