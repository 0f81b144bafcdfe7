"""Which passages hold a stem, and the columns that are made of it."""

from __future__ import annotations

import numpy as np

from kb.search.features import NAMES
from kb.search.postings import packed_postings, stored_postings
from kb.search.searcher import Searcher
from kb.search.tally import Pairs
from kb.search.words import content


def test_a_stem_leads_to_every_place_that_holds_it_once() -> None:
    held = Pairs.of(np.array([0, 0, 0, 2, 2]), np.array([0, 1, 0, 1, 3]))
    postings = stored_postings("text", packed_postings("text", "abcd", held))
    assert [postings.of(stem).tolist() for stem in "abd"] == [[0], [0, 2], [2]]
    assert postings.of("c").size == postings.of("e").size == 0


def test_covered_words_are_those_of_the_passages_and_titles_of_a_record(hashed: Searcher) -> None:
    found = hashed.find("can my stunned unit defend a battlefield in a showdown")
    weights = {stem: hashed.rarity.of(stem) for stem in found.query.words}
    total = sum(weights.values())
    for at in (0, 7, len(found.candidates) - 1):
        texts = hashed.index.texts(found.candidates[at])
        titles = frozenset(stem for title, _ in texts for stem in content(title))
        parts = [titles.union(content(text)) for _, text in texts]
        expected = {
            "cover_title": sum(weights.get(stem, 0.0) for stem in titles) / total,
            "cover_all": sum(weights.get(stem, 0.0) for stem in titles.union(*parts)) / total,
            "cover_best": max(sum(weights.get(stem, 0.0) for stem in part) for part in parts) / total,
        }
        for name, value in expected.items():
            assert abs(float(found.table[at, NAMES.index(name)]) - value) < 1e-5


def test_what_is_hidden_covers_nothing(hashed: Searcher) -> None:
    index = hashed.index
    row = int(np.flatnonzero(index.row_refused)[0])
    stem = content(index.con.execute("SELECT text FROM passage WHERE id = ?", (int(index.ids[row]),)).fetchone()[0])[0]
    assert row in index.holding(stem)
    index.hidden = frozenset({int(index.ids[row])})
    try:
        assert row not in index.holding(stem)
    finally:
        index.hidden = frozenset()


def test_the_best_passages_of_a_record_by_kind(hashed: Searcher) -> None:
    index = hashed.index
    scores = np.random.default_rng(3).random(len(index.ids)).astype(np.float32)
    bests = index.bests(scores)
    assert (bests.best == index.best(scores)).all()
    for target in np.unique(index.row_target)[::97].tolist():
        own = np.sort(scores[index.row_target == target])
        assert bests.best[target] == own[-1]
        assert bests.second[target] == own[-2 if own.size > 1 else -1]
        for found, kind in ((bests.question, index.row_question), (bests.text, ~index.row_question)):
            assert found[target] == max(scores[(index.row_target == target) & kind], default=-1)
