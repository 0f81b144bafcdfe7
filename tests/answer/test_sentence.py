"""The sentence and the word beside it never contradict each other, whatever was asked."""

from __future__ import annotations

import pytest

from kb.answer.answerer import Answerer
from kb.answer.cite import Citer
from kb.answer.reply import UNSAID, Answer, as_json
from kb.answer.sentence import fitted, leading_word
from kb.app.views.answer import answer_page
from kb.questions import load_questions
from kb.search.encoder import HashingEncoder
from kb.search.searcher import Searcher

WORDS = ("yes", "no", "depends", "open", UNSAID)


@pytest.mark.parametrize(
    ("sentence", "own", "shown", "expected"),
    [
        ("No: the unit dies.", "no", "no", ("No: the unit dies.", "no")),
        ("No: the unit dies.", "no", "yes", ("The unit dies.", "yes")),
        ("No: the unit dies.", "no", UNSAID, ("The unit dies.", UNSAID)),
        ("Yes: the unit dies.", "yes", "2", ("The unit dies.", "2")),
        ("It depends on the mode: one is random.", "depends", "yes", ("One is random.", "yes")),
        ("It depends: one is random.", "depends", "depends", ("It depends: one is random.", "depends")),
        ("No, unless it is stunned.", "no", "yes", ("No, unless it is stunned.", UNSAID)),
        ("It depends on the mode.", "depends", "no", ("It depends on the mode.", UNSAID)),
        ("9 Might: each buff counts.", "9 Might", "no", ("9 Might: each buff counts.", "no")),
        ("A defender: it joins.", "defender", "attacker", ("It joins.", "attacker")),
        ("Nobody knows: it joins.", "no", "yes", ("Nobody knows: it joins.", "yes")),
    ],
)
def test_a_leading_word_that_is_not_the_one_shown_is_taken_off(
    sentence: str, own: str, shown: str, expected: tuple[str, str]
) -> None:
    assert fitted(sentence, own, shown) == expected


def contradicts(sentence: str, shown: str) -> bool:
    """Whether a sentence opens with another word than the one shown above it."""
    return leading_word(sentence) not in ("", shown, "depends" if shown in ("open", UNSAID) else "")


def test_no_sentence_of_a_ruling_contradicts_the_word_of_any_of_its_questions(hashed: Searcher) -> None:
    citer = Citer(hashed.con)
    pairs = {(one.target, one.verdict) for one in load_questions() if one.kind == "ruling"}
    names = {name for name, _ in pairs}
    assert len(names) == hashed.con.execute("SELECT count(*) FROM ruling").fetchone()[0]
    pairs |= {(name, word) for name in names for word in WORDS}
    for name, word in sorted(pairs):
        cited = citer.ruling(name)
        said, shown = fitted(cited.answer, cited.verdict, word)
        assert not contradicts(said, shown), (name, word)
        assert shown == word, (name, word)  # no ruling is written so that its word cannot be taken off
        assert said[:1] == said[:1].upper()
        assert not contradicts(fitted(cited.said_answer, cited.said_verdict, UNSAID)[0], UNSAID), name


def test_replies_and_their_page_keep_sentence_and_word_together(hashed: Searcher) -> None:
    answerer = Answerer(hashed.con, HashingEncoder())
    seen = set()
    for one in [one for one in load_questions() if one.kind == "ruling"][::9]:
        reply = answerer.ask(one.question)
        if not isinstance(reply, Answer):
            continue
        record = as_json(reply)
        seen.add(record["verdict"])
        assert not contradicts(record["answer"], record["verdict"]), one.question
        for view in record["readings"]:
            assert not contradicts(view["answer"], view["verdict"]), one.question
        page = str(answer_page(one.question, record, (), ()))
        assert 'class="sentence">Yes:' not in page or record["verdict"] == "yes"
        assert 'class="sentence">No:' not in page or record["verdict"] == "no"
        for note in record["notes"]:
            assert not leading_word(note.partition("says otherwise: ")[2]), one.question
    assert {"yes", "no", UNSAID} <= seen
