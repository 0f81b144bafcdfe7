"""Questions about a card: its facts and what it does, and no guess where the name is shared or more is asked."""

from __future__ import annotations

import json

import pytest

from kb.answer.answerer import Answerer
from kb.answer.cards import NOT_MODELLED, asked_card
from kb.answer.reply import Abstention, Answer, Reason, as_json
from kb.search.encoder import HashingEncoder
from kb.search.searcher import Searcher


@pytest.fixture(scope="module")
def answerer(hashed: Searcher) -> Answerer:
    return Answerer(hashed.con, HashingEncoder())


@pytest.mark.parametrize(
    "question", ["what does baron nashor do", "Baron Nashor", "baron nashor text", "how much does baron nashor cost"]
)
def test_a_question_about_one_card_is_answered_with_its_facts_and_what_it_does(
    answerer: Answerer, question: str
) -> None:
    reply = answerer.ask(question)
    assert isinstance(reply, Answer)
    assert reply.source == "card"
    assert reply.cards == ("Baron Nashor",)
    assert reply.answer.startswith("Baron Nashor: Unit; 10 energy; 3 power; 12 might")
    assert "Other friendly units have +2 Might." in reply.answer
    assert json.loads(json.dumps(as_json(reply)))["cards"] == ["Baron Nashor"]


def test_the_rule_that_says_what_a_keyword_of_the_card_does_is_cited(answerer: Answerer) -> None:
    reply = answerer.ask("Zhonya's Hourglass")
    assert isinstance(reply, Answer)
    assert reply.citations[0].ref == "core-1.4:811.1.b"


def test_a_name_that_several_cards_share_is_not_guessed(answerer: Answerer) -> None:
    reply = answerer.ask("what is ahri")
    assert isinstance(reply, Abstention)
    assert reply.reason is Reason.UNCLEAR
    assert {near.kind for near in reply.nearest} == {"card"}
    assert "Ahri, Alluring" in reply.answer


@pytest.mark.parametrize(
    "question",
    ["can baron nashor be chosen by my own spell", "does vengeance work on a unit in base", "rebuke Baron Nashor"],
)
def test_a_question_that_asks_what_happens_is_not_answered_with_a_card(answerer: Answerer, question: str) -> None:
    assert asked_card(answerer.searcher.reader.read(question)) == ""


def test_a_card_that_is_not_modelled_is_told_by_its_facts_and_said_to_be_so(answerer: Answerer) -> None:
    reply = answerer.ask("what does Ahri, Alluring do")
    assert isinstance(reply, Answer)
    assert reply.answer.startswith("Ahri, Alluring: Champion Unit; 5 energy; 1 power; 4 might; Calm.")
    assert NOT_MODELLED in reply.answer
