"""Likeness of all passages in one pass, the nearest of them, and the ranker's trees."""

from __future__ import annotations

import numpy as np
import pytest

from kb.search.ranker import Trees
from kb.search.searcher import Searcher


@pytest.fixture
def asked(hashed: Searcher) -> np.ndarray:
    return hashed.encoder.encode(["my stunned unit defends", "who draws first in the second game"])


def test_likeness_is_the_inner_product_with_every_passage(hashed: Searcher, asked: np.ndarray) -> None:
    index = hashed.index
    said = index.likeness(asked)
    assert said.shape == (2, len(index.ids))
    for row in (0, 17, len(index.ids) - 1):
        assert said[:, row] == pytest.approx(asked @ index.vector(row), abs=1e-5)


def test_the_nearest_are_the_best_by_each_form_of_the_question(hashed: Searcher, asked: np.ndarray) -> None:
    said = hashed.index.likeness(asked)
    found = hashed.index.nearest(said, 10)
    best = said.max(axis=0)
    assert [best[row] for row in found] == sorted((best[row] for row in found), reverse=True)
    assert len(found) >= 10
    for scores in said:
        assert set(np.flatnonzero(scores > np.sort(scores)[-10])) <= set(found)
    assert min(max(said[0, row] - np.sort(said[0])[-10], said[1, row] - np.sort(said[1])[-10]) for row in found) >= 0


def test_a_hidden_passage_is_not_found(hashed: Searcher, asked: np.ndarray) -> None:
    index = hashed.index
    first = index.nearest(index.likeness(asked), 5)[0]
    index.hidden = frozenset({int(index.ids[first])})
    try:
        said = index.likeness(asked)
        assert (said[:, first] == -1).all()
        assert first not in index.nearest(said, 5)
    finally:
        index.hidden = frozenset()


def test_trees_add_up_the_leaf_that_each_row_reaches() -> None:
    record = {
        "columns": ["a", "b"],
        "start": 0.5,
        "depth": 2,
        "feature": [[0, -1, 1, -1, -1], [-1, -1, -1, -1, -1]],
        "threshold": [[1.0, 0, 2.0, 0, 0], [0, 0, 0, 0, 0]],
        "left": [[1, 0, 3, 0, 0], [0, 0, 0, 0, 0]],
        "right": [[2, 0, 4, 0, 0], [0, 0, 0, 0, 0]],
        "value": [[0, 1.0, 0, 2.0, 3.0], [0.25, 0, 0, 0, 0]],
    }
    table = np.array([[1.0, 9.0], [1.5, 2.0], [1.5, 2.5]], np.float32)
    expected = 1 / (1 + np.exp(-(np.array([1.0, 2.0, 3.0]) + 0.75)))
    assert Trees(record, ("a", "b"))(table) == pytest.approx(expected)


@pytest.mark.parametrize(
    "said", ["stunned defender", "who scores the battlefield twice", "Zhonya's zhonyas bouncing", "x"]
)
def test_bm25_is_that_of_the_full_text_index(hashed: Searcher, said: str) -> None:
    words = [word for word in said.split() if word.isalnum()]
    rows = hashed.con.execute(
        "SELECT rowid, -bm25(passage_fts, 0.6, 1.0) AS score FROM passage_fts WHERE passage_fts MATCH ?",
        (" OR ".join(f'"{word}"' for word in words),),
    )
    expected = {row[0]: row[1] for row in rows}
    found = hashed.index.by_words(words)
    assert {at: found[at] for at in np.flatnonzero(found).tolist()} == pytest.approx(expected, rel=1e-5, abs=1e-6)


def test_words_that_occur_nowhere_find_nothing(hashed: Searcher) -> None:
    assert hashed.index.lexical(["qwzx"], ("rule", "ruling")) == {}
    assert hashed.index.lexical([], ("rule", "ruling")) == {}
