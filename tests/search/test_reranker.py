"""Re-ranking: the best records are read beside the question and ordered again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from kb.answer.doubt import NAMES, OF_READING, UNREAD, columns_of
from kb.search.cross_encoder import Scores
from kb.search.reranker import READ, Read, Reranker
from kb.search.searcher import Hit, Searcher

QUESTION = "does a stunned unit deal damage in combat"


class Prefers:
    """A cross-encoder that finds that the text at one place settles the question, and no other."""

    def __init__(self, place: int) -> None:
        self.place = place

    def scores(self, question: str, texts: Sequence[str]) -> Scores:
        assert question and all(texts[:-1]) and texts[-1] == ""
        settles = np.where(np.arange(len(texts)) == self.place, 9.0, -9.0)
        return np.stack([settles, np.arange(len(texts))], axis=1).astype(np.float32)


def read_as(hits: tuple[Hit, ...], scores: list[float], yes: Sequence[float] = (), alone: float = 0.7) -> Read:
    said = yes or [0.0] * len(hits)
    return Read(hits, np.array(scores, np.float32), np.array(said, np.float32), alone)


def test_what_settles_the_question_comes_first_and_nothing_is_lost(hashed: Searcher) -> None:
    found = hashed.find(QUESTION)
    reranker = Reranker(hashed.con, Prefers(3))
    read = reranker.read(found)
    again = reranker.rerank(found, read)
    assert len(read.hits) == READ
    assert read.scores.tolist() == [-9, -9, -9, 9, -9, -9] and read.yes.tolist() == [0, 1, 2, 3, 4, 5]
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
    measured = np.arange(len(NAMES) - len(OF_READING), dtype=np.float32)
    columns = columns_of(0.5, read_as(hits, [1.0, -2.0, 3.0]), measured)
    assert columns[len(OF_READING) :].tolist() == measured.tolist()
    said = dict(zip(OF_READING, columns.tolist(), strict=False))
    assert said == pytest.approx(
        {
            "gate": 0.0, "read_top": 1.0, "read_best": 3.0, "read_second": 1.0, "read_mean": 2 / 3, "read_rule": 3.0,
            "read_ruling": -2.0, "alone": pytest.approx(0.7),
        }
    )  # fmt: skip
    nothing = columns_of(0.5, read_as((), [], alone=0.0), measured)
    assert nothing[1 : len(OF_READING)].tolist() == [UNREAD] * (len(OF_READING) - 2) + [0.0]


def test_a_record_counts_in_the_word_as_far_as_it_settles_the_question() -> None:
    hits = (Hit("rule", "a", 0.5), Hit("ruling", "b", 0.4))
    read = read_as(hits, [0.0, 0.0], [4.0, -2.0])
    assert read.says() == pytest.approx(1.0)
    assert read_as(hits, [9.0, -9.0], [4.0, -2.0]).says() == pytest.approx(4.0, abs=0.01)
    assert read.says({("ruling", "b")}) == pytest.approx(-2.0)
    assert read.says({("ruling", "other")}) == 0.0
    assert read_as((), []).says() == 0.0
