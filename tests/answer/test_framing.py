"""Questions that ask whether the opposite holds are put the straight way."""

from __future__ import annotations

import pytest

from kb.answer.answerer import Answerer
from kb.answer.framing import affirmed, tangled
from kb.answer.reply import UNSAID
from kb.answer.verdict import Verdicts, Word
from kb.search.encoder import HashingEncoder
from kb.search.reranker import Read
from kb.search.searcher import Found, Searcher, Target


@pytest.mark.parametrize(
    ("question", "straight"),
    [
        ("is it wrong to bring two copies", "is it right to bring two copies"),
        ("would it be illegal for him to look", "would it be legal for him to look"),
        ("is playing gear there against the rules?", "is playing gear there within the rules?"),
        ("my friend says I can hide there, is he wrong", "my friend says I can hide there, is he right"),
        ("are players unable to react to a move?", "are players able to react to a move?"),
        ("is there a rule against moving twice", "is there a rule that allows moving twice"),
        ("do the rules stop me from hiding", "do the rules allow me hiding"),
        ("am I wrong that it dies", "am I right that it dies"),
        ("is it a myth that runes are cards", "is it true that runes are cards"),
        ("it's illegal to look, right?", "it's legal to look, right?"),
        ("does the spell fail to resolve", "does the spell resolve"),
        ("i told him it won't die, was i right", "i told him it will die, was i right"),
        ("is it optional to recycle", "is it mandatory to recycle"),
        ("can my opponent skip paying it", "must my opponent paying it"),
        ("may I choose not to draw?", "must I draw?"),
        ("so he doesn't draw, correct?", "so he does draw, correct?"),
        ("my friend says I can't hide there, is he right", "my friend says I can hide there, is he right"),
        ("so the spell wont resolve, right", "so the spell will resolve, right"),
    ],
)
def test_a_question_for_the_opposite_is_put_the_straight_way(question: str, straight: str) -> None:
    assert affirmed(question) == straight
    assert affirmed(straight) is None


@pytest.mark.parametrize(
    "question",
    [
        "if the target is illegal, do I draw",
        "when the target becomes illegal does the spell fizzle",
        "did I resolve it in the wrong order",
        "is the target illegal if it moved",
        "can I choose an illegal target",
        "does Rockfall Path stop me from playing",
        "doesn't it draw?",
        "if he doesn't block I score, right?",
        "do I draw if I can't play it?",
        "he says it's illegal to look, can I",
        "a stunned unit can't attack, can it?",
    ],
)
def test_a_condition_and_what_is_in_the_question_are_left(question: str) -> None:
    assert affirmed(question) is None


def test_a_denied_statement_that_denies_something_besides_has_no_word(
    hashed: Searcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = "I can't hide at a battlefield that I don't control, right?"
    assert tangled(question) and affirmed(question) is None
    assert word_of(hashed, question, monkeypatch).verdict == UNSAID


def word_of(hashed: Searcher, question: str, monkeypatch: pytest.MonkeyPatch) -> Word:
    """The word where the evidence says yes to every question that is put the straight way."""

    def decide(self: Verdicts, found: Found, targets: object, chance: float, read: Read) -> Word:
        return Word("yes", 0.9, found.query.text)

    answerer = Answerer(hashed.con, HashingEncoder())
    monkeypatch.setattr(Verdicts, "decide", decide)
    found = hashed.find(question)
    return answerer._word(found, [Target("rule", "core-1.4:446.3.c")], 0.9, answerer.reranker.read(found))


@pytest.mark.parametrize(
    ("question", "word"),
    [("can I react to a move", "yes"), ("is it illegal to react to a move", "no"), ("I can't react, right?", "no")],
)
def test_the_word_is_the_other_one_of_the_straight_question(
    hashed: Searcher, question: str, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = word_of(hashed, question, monkeypatch)
    assert said.verdict == word
    assert said.question == (affirmed(question) or question)
