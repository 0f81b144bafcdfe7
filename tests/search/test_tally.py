"""Words of many texts counted as arrays."""

from __future__ import annotations

import numpy as np

from kb.search.searcher import Searcher
from kb.search.tally import Pairs, Tally
from kb.search.vectors import embedded
from kb.search.words import content, count_stems, stored_sides


def test_pairs_are_kept_once_and_handed_on() -> None:
    pairs = Pairs.of(np.array([2, 0, 0, 2]), np.array([1, 3, 3, 0]))
    assert list(zip(pairs.owners.tolist(), pairs.held.tolist(), strict=True)) == [(0, 3), (2, 0), (2, 1)]
    handed = pairs.handed(np.array([2, 1, 2, 0]))
    assert handed.owners.tolist() == [0, 0, 2, 2, 3]
    assert handed.held.tolist() == [0, 1, 0, 1, 3]
    assert pairs.counted(4).tolist() == [1, 1, 0, 1]
    assert pairs.only(np.array([True, True, False])).held.tolist() == [3]


def test_no_pairs_are_no_pairs() -> None:
    nothing = np.zeros(0, np.int64)
    assert Pairs.of(nothing, nothing).owners.size == 0
    assert Tally([]).by_word(Tally([]).held) == {}


def test_stems_of_words_that_carry_matter_are_counted_by_text() -> None:
    tally = Tally(["Scoring scores the Point", "the point's over", ""])
    held = tally.matter(tally.held)
    assert tally.by_stem(held) == count_stems(["Scoring scores the Point", "the point's over", ""])
    assert tally.by_word(tally.held)["the"] == 2


def test_the_store_counts_what_its_passages_say(hashed: Searcher) -> None:
    con = hashed.index.con
    rows = con.execute("SELECT title, text, kind FROM passage WHERE kind <> 'card'").fetchall()
    sides = stored_sides(con)
    answered = count_stems(embedded(title, text) for title, text, kind in rows if kind != "refusal")
    refused = count_stems(text for _, text, kind in rows if kind == "refusal")
    for stemmed in content("can a stunned unit hold a battlefield after the showdown, or price of a booster"):
        assert sides.of(stemmed) == (answered[stemmed], refused[stemmed])
