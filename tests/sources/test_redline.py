"""The redline: placed and split against paragraphs labelled by hand; small ones by example."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from kb.model import RuleBook
from kb.sources.evaluate import REDLINE, load_truth, score_redline
from kb.sources.reading import read_rules_file
from kb.sources.redline import looks_like_redline, paragraphs, split_redline
from kb.sources.rules_text import parse_rules

OLD_TEXT = """100\tShips
100.1\tThe captain keeps all maps in the cabin of a ship.
100.2\tA ship sinks. See rule 164. Water for more.
100.3\tEach captain sails one ship.
"""
NEW_TEXT = """100\tShips
100.1\tThe captain keeps all maps in the lower cabin of a ship.
100.2\tA ship sinks. See rule 165. Water for more.
100.3\tEach captain sails up to two ships. Example: Two captains sail four ships.
"""
OLD = parse_rules(OLD_TEXT, "core-1.8", "old.tsv").book
NEW = parse_rules(NEW_TEXT, "core-1.9", "new.tsv").book
TEXT = """The captain keeps all maps in the cabinlower cabin of a ship.

A ship sinks.

See rule 164.165. Water for more.

Each captain sails one ship.up to two ships.

Example: Two captains
sail four ships.
"""


def test_both_texts_and_numbers_come_back_with_both_editions() -> None:
    found = split_redline(TEXT, OLD, NEW)
    assert [(one.old, one.new) for one in found] == [
        ("100.1", "100.1"), ("100.2", "100.2"), ("100.2", "100.2"), ("100.3", "100.3"), ("", "100.3"),
    ]  # fmt: skip
    assert found[0].old_text == "The captain keeps all maps in the cabin of a ship."
    assert found[0].new_text == "The captain keeps all maps in the lower cabin of a ship."
    assert found[2].old_text == "See rule 164. Water for more."
    assert found[3].new_text == "Each captain sails up to two ships."
    assert (found[4].old_text, found[4].line) == ("", 9)
    assert all(one.confidence > 0.5 for one in found)


def test_with_the_new_edition_alone_the_new_text_comes_back() -> None:
    found = split_redline(TEXT, None, NEW)
    assert [one.new for one in found] == ["100.1", "100.2", "100.2", "100.3", "100.3"]
    assert found[0].new_text == "The captain keeps all maps in the lower cabin of a ship."
    assert found[0].deleted and not found[0].inserted


def test_without_any_edition_only_the_seams_tell_and_the_confidence_says_so() -> None:
    found = split_redline(TEXT)
    assert [one.new for one in found] == [""] * 5
    assert found[3].deleted and found[3].inserted
    assert all(one.confidence < 0.5 for one in found)


def test_a_redline_is_told_from_rules(sources: Path) -> None:
    assert looks_like_redline((sources / REDLINE).read_text(encoding="utf-8"))
    assert not looks_like_redline((sources / "core-rules-1.4.tsv").read_text(encoding="utf-8"))
    assert not looks_like_redline((sources / "core-rules-1.4-excerpt-400-489.txt").read_text(encoding="utf-8"))


def test_no_word_of_a_paragraph_is_lost_or_on_two_sides() -> None:
    for one in split_redline(TEXT, OLD, NEW):
        spans = sorted([*one.deleted, *one.inserted])
        assert all(a[1] <= b[0] for a, b in pairwise(spans))
        assert all(0 <= start < end <= len(one.text) for start, end in spans)


@pytest.fixture(scope="module")
def books(sources: Path) -> tuple[RuleBook, RuleBook]:
    old = read_rules_file(sources / "core-rules-1.3.tsv", "core-1.3").book
    return old, read_rules_file(sources / "core-rules-1.4.tsv", "core-1.4").book


def test_the_truth_fits_the_documents(sources: Path, books: tuple[RuleBook, RuleBook]) -> None:
    said = paragraphs((sources / REDLINE).read_text(encoding="utf-8"))
    truth = load_truth()
    assert len(truth) == 150
    for one in truth:
        assert not one.old or one.old in books[0]
        assert one.new in books[1]
        assert all(end <= len(said[one.paragraph][1]) for _, end in (*one.deleted, *one.inserted))


@pytest.mark.slow
@pytest.mark.parametrize(("has_old", "placed", "words"), [(True, 0.95, 0.98), (False, 0.90, 0.90)])
def test_the_labelled_paragraphs_are_placed_and_split(
    sources: Path, books: tuple[RuleBook, RuleBook], has_old: bool, placed: float, words: float
) -> None:
    text = (sources / REDLINE).read_text(encoding="utf-8")
    found = split_redline(text, books[0] if has_old else None, books[1])
    score = score_redline(found, load_truth(), has_old=has_old)
    assert score.placed_share >= placed
    assert score.words_share >= words
