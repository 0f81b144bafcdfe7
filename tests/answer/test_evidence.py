"""What the gate sees of a question."""

from __future__ import annotations

import numpy as np
import pytest

from kb.answer.evidence import HOW_MANY, NAMES, WHY, measure
from kb.search.searcher import Searcher


def columns(searcher: Searcher, question: str) -> dict[str, float]:
    return dict(zip(NAMES, measure(searcher, searcher.find(question)).tolist(), strict=True))


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("how many seconds may I think", True),
        ("number of judges", True),
        ("do I draw", False),
        ("how do I hide", False),
    ],
)
def test_a_number_is_wanted(question: str, wanted: bool) -> None:
    assert bool(HOW_MANY.search(question)) is wanted


@pytest.mark.parametrize(
    ("question", "asked"),
    [("why was this card banned", True), ("who illustrated Void Seeker", True), ("does it die", False)],
)
def test_reasons_and_makers_are_told_from_rules(question: str, asked: bool) -> None:
    assert bool(WHY.search(question)) is asked


def test_a_word_that_no_record_has_is_as_telling_as_it_is_rare(hashed: Searcher) -> None:
    known, odd = (columns(hashed, f"does a stunned unit deal {word}damage") for word in ("", "zyzzyva "))
    assert odd["uncovered"] > known["uncovered"]
    assert odd["cover"] < known["cover"]


def test_a_refused_question_is_most_like_itself(hashed: Searcher) -> None:
    said = columns(hashed, "is a foil worth more than a normal card in price")
    asked = hashed.con.execute("SELECT text FROM passage WHERE kind = 'refusal' ORDER BY id LIMIT 1").fetchone()[0]
    same = columns(hashed, asked)
    assert same["like_refused"] == pytest.approx(1.0, abs=0.02)
    assert same["asked_less"] >= 0 and same["cover_refused"] == pytest.approx(1.0)
    assert all(np.isfinite(value) for value in (*said.values(), *same.values()))
