"""Questions about a term, and rules that say something only with what stands below them."""

from __future__ import annotations

import pytest

from kb.answer.answerer import Answerer
from kb.answer.comparison import compared
from kb.answer.outline import READ, Outlines
from kb.answer.reply import UNSAID, Answer
from kb.answer.terms import Term, Terms
from kb.search.encoder import HashingEncoder
from kb.search.searcher import Searcher


@pytest.fixture(scope="module")
def answerer(hashed: Searcher) -> Answerer:
    return Answerer(hashed.con, HashingEncoder())


@pytest.fixture(scope="module")
def outlines(hashed: Searcher) -> Outlines:
    return Outlines(hashed.con)


def answer(answerer: Answerer, question: str) -> Answer:
    reply = answerer.ask(question)
    assert isinstance(reply, Answer)
    return reply


def asked(answerer: Answerer, question: str) -> Term | None:
    return Terms(answerer.searcher.con).asked(answerer.searcher.reader.read(question))


@pytest.mark.parametrize(
    ("question", "begins", "rule"),
    [
        ("how does deflect work", "Deflect: ", "core-1.4:809.1.c"),
        ("what does hidden do", "Hidden: ", "core-1.4:811.1.b"),
        ("recall", "Recall: ", "core-1.4:455"),
        ("what are cleanups", "Cleanup: ", "core-1.4:323.1"),
        ("what happens in the channel phase", "Channel Phase: ", "core-1.4:315.3.b"),
        ("explain the showdown to me", "Showdown: ", "core-1.4:342"),
    ],
)
def test_a_question_about_a_term_is_answered_by_the_glossary_and_the_rules_that_tell_more(
    answerer: Answerer, question: str, begins: str, rule: str
) -> None:
    reply = answer(answerer, question)
    assert reply.answer.startswith(begins)
    assert rule in [one.ref for one in reply.citations]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("difference tank vs backline", ["Tank", "Backline"]),
        ("how do assault and shield differ", ["Assault", "Shield"]),
        ("hold/conquer?", ["Hold", "Conquer"]),
        ("explain move and recall", ["Move", "Recall"]),
        ("is a recall the same thing as a move", ["Recall", "Move"]),
        ("can i recall a unit that moved", []),
        ("difference between hold and conquer when I have 7 points", []),
        ("difference between Tank and Ahri, Nine-Tailed Fox", []),
        ("difference between tank", []),
    ],
)
def test_terms_set_side_by_side_are_both_told(answerer: Answerer, question: str, names: list[str]) -> None:
    found = compared(answerer.searcher.reader.read(question), Terms(answerer.searcher.con))
    assert [term.name for term in found] == names
    if names:
        reply = answer(answerer, question)
        assert reply.verdict == UNSAID
        assert all(f"{name}: " in reply.answer for name in names)
        cited = {one.ref for one in reply.citations}
        assert all(cited & set(answerer.rules_of(term)) for term in found)


@pytest.mark.parametrize(
    "question",
    [
        "does deflect work on my own spells",
        "how does deflect work with a spell that has two targets",
        "what does rule 809 say",
        "how does Ahri, Nine-Tailed Fox work",
        "how does the overrun keyword work",
    ],
)
def test_a_question_that_asks_for_more_than_a_term_is_not_answered_by_the_glossary(
    answerer: Answerer, question: str
) -> None:
    assert asked(answerer, question) is None


def test_what_people_say_for_a_term_is_understood_but_may_be_of_another_game(answerer: Answerer) -> None:
    term = asked(answerer, "what's ward?")
    assert term is not None
    assert term.name == "Deflect"
    read = answerer.searcher.reader.read
    assert Terms(answerer.searcher.con).by_slang(read("what's ward?"))
    assert not Terms(answerer.searcher.con).by_slang(read("what's deflect?"))


def test_a_word_of_the_rules_does_not_stand_for_another_term(answerer: Answerer) -> None:
    assert asked(answerer, "what is attack") is None
    assert asked(answerer, "what are game actions") is None


def test_a_rule_that_introduces_a_list_is_told_with_the_list(answerer: Answerer) -> None:
    reply = answer(answerer, "rule 323")
    assert [one.ref for one in reply.citations[:3]] == ["core-1.4:323", "core-1.4:323.1", "core-1.4:323.2"]
    assert reply.answer.endswith("...")


def test_what_is_short_under_a_heading_is_told_at_once(outlines: Outlines) -> None:
    said = outlines.told("core-1.4:487")
    assert said.startswith("FFA3 (Skirmish): Number of players: 3 Players.")
    assert "Victory Score: 8." in said


def test_a_chapter_of_sections_is_told_by_their_headings(outlines: Outlines) -> None:
    said = outlines.told("core-1.4:314")
    phases = [said.find(name) for name in ("Awaken", "Beginning", "Channel", "Draw", "Main", "Ending")]
    assert phases == sorted(phases)
    assert -1 not in phases


def test_a_task_that_stands_beside_its_introduction_belongs_to_it(outlines: Outlines) -> None:
    assert [line.ref for line in outlines.of("core-1.4:315.3.a")] == ["core-1.4:315.3.b"]


def test_no_outline_is_longer_than_a_person_reads_and_none_repeats_a_rule(outlines: Outlines, hashed: Searcher) -> None:
    refs = [f"{row[0]}:{row[1]}" for row in hashed.con.execute("SELECT document, number FROM rule WHERE restated")]
    needed = [ref for ref in refs if outlines.needed(ref)]
    assert len(needed) > 200
    for ref in needed:
        lines = outlines.of(ref)
        assert len({line.ref for line in lines}) == len(lines)
        assert len(lines) < 2 or sum(len(line.statement) for line in lines) <= READ
