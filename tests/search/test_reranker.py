"""Re-ranking: the best records are read beside the question and ordered again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from kb.answer.doubt import NAMES, UNREAD, columns_of
from kb.search.cross_encoder import Scores
from kb.search.query import Query
from kb.search.reranker import READ, Read, Reranker
from kb.search.searcher import Hit, Searcher

QUESTION = "does a stunned unit deal damage in combat"


class Prefers:
    """A cross-encoder that finds that the text at one place settles the question, and no other."""

    def __init__(self, place: int) -> None:
        self.place = place

    def scores(self, question: str, texts: Sequence[str]) -> Scores:
        assert question and all(texts[:-1]) and texts[-1] == ""
        return np.where(np.arange(len(texts)) == self.place, 9.0, -9.0).astype(np.float32)


def test_what_settles_the_question_comes_first_and_nothing_is_lost(hashed: Searcher) -> None:
    found = hashed.find(QUESTION)
    reranker = Reranker(hashed.con, Prefers(3))
    read = reranker.read(found)
    again = reranker.rerank(found, read)
    assert len(read.hits) == READ
    assert (again[0].kind, again[0].id) == (read.hits[3].kind, read.hits[3].id)
    assert sorted((hit.kind, hit.id) for hit in again) == sorted((hit.kind, hit.id) for hit in found.hits)
    assert again[READ:] == tuple(hit for hit in found.hits if hit not in read.hits)


def test_a_rule_that_is_named_is_not_in_doubt(hashed: Searcher) -> None:
    found = hashed.find("431.2.c")
    reranker = Reranker(hashed.con, Prefers(2))
    read = reranker.read(found)
    assert "core-1.4:431.2.c" not in [hit.id for hit in read.hits]
    assert reranker.rerank(found, read)[0] == Hit("rule", "core-1.4:431.2.c", 1.0, True)


def test_the_columns_of_doubt_say_what_was_read() -> None:
    hits = (Hit("rule", "a", 0.5), Hit("ruling", "b", 0.4), Hit("rule", "c", 0.1))
    query = Query("Moonlit Bargain?", "Moonlit Bargain?", "", strange=("Moonlit Bargain",))
    columns = columns_of(0.5, Read(hits, np.array([1.0, -2.0, 3.0], np.float32), 0.7), query)
    said = dict(zip(NAMES, columns.tolist(), strict=True))
    assert said == pytest.approx(
        {
            "gate": 0.0, "read_top": 1.0, "read_best": 3.0, "read_second": 1.0, "read_mean": 2 / 3, "read_rule": 3.0,
            "read_ruling": -2.0, "alone": pytest.approx(0.7), "odd_name": 1.0,
        }
    )  # fmt: skip
    nothing = columns_of(0.5, Read((), np.zeros(0, np.float32), 0.0), Query("x", "x", ""))
    assert nothing[1:].tolist() == [UNREAD] * (len(NAMES) - 3) + [0.0, 0.0]
