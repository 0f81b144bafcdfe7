"""Reading questions, exact hits, fusion and measures; quality is measured by ``kb eval``."""

from __future__ import annotations

import pytest

from kb.search.fusion import reciprocal_rank_fusion
from kb.search.metrics import bootstrap, hit_at, ndcg, reciprocal_rank, wilson
from kb.search.searcher import Searcher
from kb.search.words import content, stem


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("431.2.c", "core-1.4:431.2.c"),
        ("what does rule 431.2.c say", "core-1.4:431.2.c"),
        ("rule 809", "core-1.4:809"),
        ("809", "core-1.4:809"),
        ("core-1.4:465.2.c", "core-1.4:465.2.c"),
        ("tournament-2026-07:408.2", "tournament-2026-07:408.2"),
        ("tournament rule 408.2", "tournament-2026-07:408.2"),
        ("Zhonya's Hourglass", "Zhonya's Hourglass"),
        ("zhonyas hourglass", "Zhonya's Hourglass"),
        ("RTW", "Ride the Wind"),
    ],
)
def test_a_number_or_a_name_comes_first(hashed: Searcher, typed: str, expected: str) -> None:
    assert hashed.search(typed)[0].id == expected


def test_kinds_and_limits_are_kept(hashed: Searcher) -> None:
    hits = hashed.search("stunned defender", ("ruling",), 3)
    assert len(hits) == 3
    assert {hit.kind for hit in hits} == {"ruling"}


def test_slang_is_put_into_the_words_of_the_rulebook(hashed: Searcher) -> None:
    query = hashed.reader.read("opp taps his guy")
    assert "opponent" in query.plain
    assert "exhaust" in query.plain


def test_typing_errors_are_mended_and_cards_are_written_out(hashed: Searcher) -> None:
    query = hashed.reader.read("does the battlefeild count with RTW")
    assert "battlefield" in query.plain
    assert query.cards == ("Ride the Wind",)


def test_negation_stays_in_the_text(hashed: Searcher) -> None:
    assert "not" in hashed.reader.read("do I not draw").plain


def test_a_missing_number_is_told_from_a_present_one(hashed: Searcher) -> None:
    query = hashed.reader.read("rule 912.4 and rule 431")
    assert query.missing == ("core-1.4:912.4",)
    assert [str(ref) for ref in query.rules] == ["core-1.4:431"]


def test_a_very_long_question_is_cut(hashed: Searcher) -> None:
    assert len(hashed.reader.read("so my unit moved " * 8000).text) < 1300


def test_fusion_prefers_what_both_rankings_hold() -> None:
    assert next(iter(reciprocal_rank_fusion((["a", "b", "c"], ["b", "d"])))) == "b"


def test_measures() -> None:
    ranking, right = ["x", "b", "y", "a"], ["a", "b"]
    assert hit_at(ranking, right, 1) == 0.0
    assert hit_at(ranking, right, 2) == 1.0
    assert reciprocal_rank(ranking, right) == 0.5
    assert ndcg(["a", "b"], right) == 1.0
    assert 0 < ndcg(ranking, right) < 1
    low, high = wilson(95, 100)
    assert low < 0.95 < high
    assert bootstrap([1.0] * 20) == (1.0, 1.0)


def test_stems_join_forms_of_a_word() -> None:
    assert stem("scoring") == stem("scores") == stem("scored")
    assert content("Do I score the battlefields?") == [stem("score"), stem("battlefields")]


def test_a_champion_whom_no_card_bears_is_told(hashed: Searcher) -> None:
    read = hashed.reader.read
    assert read("mordekaiser stole my dead unit").absent == ("Mordekaiser",)
    assert read("can chogath eat my guy").absent == ("Cho'Gath",)
    assert read("do I have Twitch hidden").absent == ("Twitch",)
    assert not read("my stream on twitch, and the graves of my units").absent
    assert not read("Yasuo moves to a battlefield").absent


@pytest.mark.parametrize(
    ("question", "strange"),
    [
        ("does Moonlit Bargain make me discard", ("Moonlit Bargain",)),
        ("Seal of Wrath: can its power pay", ("Seal of Wrath",)),
        ("I control Thresh, Chain Warden and he has Gust", ("Thresh, Chain Warden",)),
        ("they Rune Prison'd my guy, and Targons Peak is mine", ()),
        ("Mia's Sett stands in my Channel Phase beside three Masks of Foresight", ()),
        ("CAN I SCORE Twice", ()),
    ],
)
def test_names_like_those_of_cards_that_are_none_of_ours(
    hashed: Searcher, question: str, strange: tuple[str, ...]
) -> None:
    assert hashed.reader.read(question).strange == strange


@pytest.mark.parametrize(
    ("question", "rules", "missing"),
    [
        ("TR 811.2, late decklist", (), ("tournament-2026-07:811.2",)),
        ("the tournament rules, 811.3", (), ("tournament-2026-07:811.3",)),
        ("tournament rule 703.9", ("tournament-2026-07:703.9",), ()),
        ("rule 703.9 at a tournament", ("tournament-2026-07:703.9",), ()),
        ("rule 811.3 at my tournament", ("core-1.4:811.3",), ()),
        ("core rules 431.2.c", ("core-1.4:431.2.c",), ()),
    ],
)
def test_a_number_is_looked_for_in_the_document_that_is_named(
    hashed: Searcher, question: str, rules: tuple[str, ...], missing: tuple[str, ...]
) -> None:
    read = hashed.reader.read(question)
    assert (tuple(map(str, read.rules)), read.missing) == (rules, missing)


def test_words_without_an_answer_are_counted_on_their_side(hashed: Searcher) -> None:
    answered, refused = hashed.sides.of("showdown")
    assert answered > 100 > refused
    assert hashed.sides.of("mulligantastic") == (0, 0)
    hidden = next(row[0] for row in hashed.con.execute("SELECT id FROM passage WHERE text LIKE '%trample%' LIMIT 1"))
    before = hashed.sides.of(stem("trample"))
    hashed.index.hidden = frozenset([hidden])
    try:
        after = hashed.sides.of(stem("trample"))
    finally:
        hashed.index.hidden = frozenset()
    assert sum(before) - sum(after) == 1
