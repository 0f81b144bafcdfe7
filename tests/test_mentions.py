"""Rules and cards named in prose: found, classified, resolved, or left open."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from kb.ids import RuleRef
from kb.lookup import rule_exists, stored_names
from kb.mentions import How, Kind, Names, find_mentions, find_rules, normal_name
from kb.sources.faq_text import read_faq


@pytest.fixture(scope="module")
def names(store: sqlite3.Connection) -> Names:
    return stored_names(store)


def named(text: str, names: Names, loose: bool = False) -> list[tuple[str, How, str | None]]:
    return [(m.text, m.how, m.resolved) for m in find_mentions(text, names, loose=loose) if m.kind is Kind.CARD]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Rule 431.2.c decides.", ["core-1.4:431.2.c"]),
        ("See rules 431, 432.1 and 433.", ["core-1.4:431", "core-1.4:432.1", "core-1.4:433"]),
        ("CR 448.1.a and TR 408.2", ["core-1.4:448.1.a", "tournament-2026-07:408.2"]),
        ("tournament-2026-07:408.2 says so", ["tournament-2026-07:408.2"]),
        ("by 464.2.c.1.b.", ["core-1.4:464.2.c.1.b"]),
        ("from 462.8.h on", ["core-1.4:462.8.h"]),
        ("100 cards, 3.5 points, $100.50 and room 431", []),
    ],
)
def test_rule_numbers_are_found(text: str, found: list[str]) -> None:
    assert [mention.candidates[0] for mention in find_rules(text)] == found


def test_a_number_that_does_not_exist_stays_unresolved(store: sqlite3.Connection) -> None:
    mentions = find_rules("rule 431.2.c, not rule 431.9", lambda ref: rule_exists(store, ref))
    assert [(mention.text, mention.resolved) for mention in mentions] == [
        ("431.2.c", "core-1.4:431.2.c"),
        ("431.9", None),
    ]


def test_a_bare_number_is_of_the_document_it_stands_in() -> None:
    assert find_rules("see 408.2", document="tournament-2026-07")[0].resolved == "tournament-2026-07:408.2"


def test_spans_are_exact(names: Names) -> None:
    text = "Play Ride the Wind on Rockfall Path, rule 420.1."
    for mention in find_mentions(text, names):
        assert text[mention.start : mention.end] == mention.text


@pytest.mark.parametrize(
    ("said", "card", "how"),
    [
        ("the Hidden Blade here", "Hidden Blade", How.EXACT),
        ("a Hidden Blade's draw", "Hidden Blade", How.EXACT),
        ("plays RTW now", "Ride the Wind", How.NICKNAME),
        ("with Zero Drive out", "The Zero Drive", How.NICKNAME),
        ("the Stupify resolves", "Stupefy", How.NICKNAME),
        ("when Watcher is played", "Thousand-Tailed Watcher", How.NICKNAME),
        ("cast the Fan's ability", "Overzealous Fan", How.NICKNAME),
        ("on Dreaming Tree again", "The Dreaming Tree", How.SHORT),
        ("if Soraka dies", "Soraka, Wanderer", How.SHORT),
        ("a Timewarp now", "Time Warp", How.EXACT),
        ("with Fox-Fire out", "Fox-Fire", How.EXACT),
        ("by Face Breaker today", "Facebreaker", How.EXACT),
        ("use Jinx Rebel there", "Jinx, Rebel", How.EXACT),
        ("uses Overzelous Fan there", "Overzealous Fan", How.MISSPELT),
    ],
)
def test_ways_to_say_a_card(names: Names, said: str, card: str, how: How) -> None:
    assert [(h, c) for _, h, c in named(said, names)] == [(how, card)]


def test_a_short_name_of_several_cards_stays_open(names: Names) -> None:
    (mention,) = find_mentions("if Yasuo attacks", names)[:1]
    assert mention.resolved is None
    assert set(mention.candidates) >= {"Yasuo, Remorseful", "Yasuo, Windrider"}


def test_a_full_name_earlier_decides_a_short_one(names: Names) -> None:
    found = named("Lee Sin, Ascetic attacks, then Lee Sin dies", names)
    assert [card for _, _, card in found] == ["Lee Sin, Ascetic"] * 2
    assert found[1][1] is How.EARLIER


def test_ordinary_words_are_no_cards_in_prose(names: Names) -> None:
    assert named("you may challenge or charm; last stand, on the hunt, block", names) == []
    assert named("they play Challenge", names) == [("Challenge", How.EXACT, "Challenge")]


def test_a_question_needs_no_capitals(names: Names) -> None:
    found = {card for _, _, card in named("does zonyas hourglas stop hidden blade", names, loose=True)}
    assert found == {"Zhonya's Hourglass", "Hidden Blade"}


def test_a_question_that_is_a_name_is_that_card(names: Names) -> None:
    assert named("challenge?", names, loose=True) == [("challenge", How.EXACT, "Challenge")]


def test_words_of_the_language_are_not_misspelt_cards(names: Names) -> None:
    said = "conversion, reduction, selection, existing balance, fighting for conquest, entered, bounces"
    assert named(said, names, loose=True) == []


@pytest.mark.parametrize("said", ["they're all stunned", "theyre known already", "we've won", "what're those"])
def test_contracted_words_are_not_misspelt_cards(names: Names, said: str) -> None:
    assert named(said, names, loose=True) == []


@pytest.mark.parametrize(
    ("said", "card"),
    [
        ("opp Hidden Blades my guy", "Hidden Blade"),
        ("void seekers my monk", "Void Seeker"),
        ("he face breakered it", "Facebreaker"),
        ("if voli imposing attacks", "Volibear, Imposing"),
    ],
)
def test_a_name_as_a_verb_and_a_nickname_with_the_rest_of_the_name(names: Names, said: str, card: str) -> None:
    assert [c for _, _, c in named(said, names, loose=True)] == [card]


def test_slang_is_a_term(names: Names) -> None:
    mentions = find_mentions("do i lose if i deck out", names, loose=True)
    assert ("deck out", "Burn Out") in [(m.text, m.resolved) for m in mentions if m.kind is Kind.TERM]


def test_normal_names_ignore_case_punctuation_and_apostrophes() -> None:
    assert normal_name("Zhonya’s Hourglass!") == normal_name("ZHONYA'S hourglass") == "zhonyas hourglass"


def test_the_cards_of_the_faq_are_found(names: Names, sources: Path) -> None:
    text = {r.line: r.text for r in read_faq(sources / "faq-cards.txt", "faq-cards").rulings}
    found = {
        line: {m.resolved for m in find_mentions(said, names) if m.kind is Kind.CARD} for line, said in text.items()
    }
    assert {"The Dreaming Tree"} <= found[3]
    assert {"Hidden Blade", "Zhonya's Hourglass"} <= found[25]
    assert "Possession" in found[49]


def test_bare_references_of_a_text_come_out_as_rule_refs() -> None:
    assert RuleRef.parse(find_rules("rule 465.2")[0].candidates[0]) == RuleRef("core-1.4", "465.2")
