"""Replies: what is always true of them, whatever the encoder; quality is measured by ``kb eval``."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace

import pytest

from kb.answer.answerer import KIN, Answerer
from kb.answer.cite import Citer
from kb.answer.reply import Abstention, Answer, Reason, as_json
from kb.answer.verdict import Word
from kb.data import data_root
from kb.errors import InputError, StoreError
from kb.search.encoder import HashingEncoder
from kb.search.searcher import Hit, Searcher, Target


@pytest.fixture(scope="module")
def answerer(hashed: Searcher) -> Answerer:
    return Answerer(hashed.con, HashingEncoder())


def test_a_number_is_answered_with_the_rule_and_what_stands_above_it(answerer: Answerer) -> None:
    reply = answerer.ask("what does 431.2.c say")
    assert isinstance(reply, Answer)
    assert reply.citations[0].ref == "core-1.4:431.2.c"
    assert reply.citations[0].wording == "restated"
    assert reply.citations[0].quote in reply.answer
    assert any(above.startswith("431.2 ") for above in reply.citations[0].above)


def test_a_missing_number_is_refused_with_its_neighbours(answerer: Answerer) -> None:
    reply = answerer.ask("what does rule 431.9 say")
    assert isinstance(reply, Abstention)
    assert reply.reason is Reason.NO_SUCH_RULE
    assert any(near.id.startswith("core-1.4:431") for near in reply.nearest)


def test_every_reply_carries_edition_and_dates(answerer: Answerer) -> None:
    for question in ("rule 431", "asdf", "do I draw?"):
        record = as_json(answerer.ask(question))
        assert record["edition"] == "core-1.4"
        assert record["rules_date"]
        assert record["cards_date"]
        assert record["status"] in ("answer", "abstention")
        json.dumps(record)


def test_every_citation_is_quoted_from_the_store(answerer: Answerer, hashed: Searcher) -> None:
    for question in ("do I lose when my deck is empty", "is a recalled unit readied", "431", "stunned defender lives"):
        reply = answerer.ask(question)
        for cited in reply.citations if isinstance(reply, Answer) else ():
            document, _, number = cited.ref.partition(":")
            row = hashed.con.execute(
                "SELECT text, official FROM rule WHERE document = ? AND number = ?", (document, number)
            ).fetchone()
            assert cited.quote == (row["official"] or row["text"])


def test_a_dead_citation_stops_the_reply(hashed: Searcher) -> None:
    with pytest.raises(StoreError):
        Citer(hashed.con).rule("core-1.4:999.9")


def test_a_ruling_that_does_not_hold_says_so(hashed: Searcher) -> None:
    cited = Citer(hashed.con).ruling("burn-out-who-scores")
    assert cited.differs
    assert cited.why
    assert cited.said_verdict != cited.verdict


@pytest.mark.parametrize("question", ["", "   ", "word " * 30_000])
def test_nothing_and_far_too_much_are_bad_input(answerer: Answerer, question: str) -> None:
    with pytest.raises(InputError):
        answerer.ask(question)


@pytest.mark.parametrize("question", ["?", "'", '"', "a OR b", "NEAR(", "*", "431.2.", "\x00", "🂡", "-- ; DROP"])
def test_odd_characters_are_harmless(answerer: Answerer, question: str) -> None:
    assert isinstance(answerer.ask(question), Answer | Abstention)


@pytest.mark.process
@pytest.mark.slow
def test_asking_imports_no_torch_and_answers_the_two_first_questions() -> None:
    asked = (
        "my opponent countered the spell I aimed at my own unit on Dreaming Tree, do I still draw?\n"
        "I ran out of cards, do I get the point?\n\nwhat does the card Obsidian Dragon Emperor do\n"
    )
    code = (
        "import sys\nfrom kb.cli import run\nstatus = run(['ask', '-', '--json'])\n"
        "slow = [n for n in ('torch', 'transformers', 'sentence_transformers', 'sklearn') if n in sys.modules]\n"
        "print(repr(slow), status)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=asked, capture_output=True, text=True, check=True, cwd=data_root()
    )
    *lines, last = done.stdout.strip().splitlines()
    assert last == "[] 0"
    tree, deck, empty, unknown = map(json.loads, lines)
    assert tree["verdict"] == "yes"
    assert tree["rulings"][0]["origin"] == ["faq-cards:3"]
    assert deck["verdict"] == "no"
    assert "faq-rules:13" in [origin for one in deck["rulings"] for origin in one["origin"]]
    assert any("says otherwise" in note for note in deck["notes"])
    assert "error" in empty
    assert unknown["status"] == "abstention"


@pytest.mark.parametrize(
    ("question", "left"),
    [("how many runes do I channel", True), ("how many runes do I channel going second", False)],
)
def test_a_value_is_said_only_where_a_question_that_it_answers_says_all_that_is_asked(
    answerer: Answerer, question: str, left: bool
) -> None:
    word = Word("2", 0.99, "how many runes do I channel each turn")
    target = Target("rule", "core-1.4:315.3.b")
    fitting = answerer._fitting(word, [target], answerer.searcher.find(question))
    assert (fitting.chance > 0) is left
    assert answerer._fitting(Word("no", 0.9), [target], answerer.searcher.find(question)).chance == 0.9


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("what does the card Obsidian Dragon Emperor do", "Obsidian Dragon Emperor is not in our card data"),
        ("Kann ich eine Einheit bewegen?", "may name a card that is not in our card data"),
    ],
)
def test_only_a_card_that_can_be_named_is_called_unknown(answerer: Answerer, question: str, said: str) -> None:
    found = answerer.searcher.find(question)
    named = next(
        c for c, target in enumerate(answerer.searcher.index.targets) if target == Target("refusal", "unknown card")
    )
    likest = replace(
        found,
        candidates=(named,),
        table=found.table[:1] * 0 + 1,
        refusals=(Hit("refusal", "unknown card", 1.0),),
    )
    reply = answerer._refuse.guessed(likest, 0.9)
    assert reply.reason is Reason.UNKNOWN_CARD
    assert said in reply.answer


def test_rulings_of_the_cluster_that_the_question_is_not_about_are_not_told(
    answerer: Answerer, hashed: Searcher
) -> None:
    cluster = {"first-player-draws-on-first-turn", *Citer(hashed.con).same_question("first-player-draws-on-first-turn")}
    sql = "SELECT text FROM passage WHERE kind = 'ruling' AND target = ? AND part LIKE 'asked:%' ORDER BY id"
    told = []
    for name in sorted(cluster):
        question = hashed.con.execute(sql, (name,)).fetchone()[0]
        reply = answerer.ask(question)
        if isinstance(reply, Answer) and reply.source == "ruling":
            chances = {hit.id: hit.score for hit in answerer.searcher.find(question).hits if hit.kind == "ruling"}
            told.append({one.id for one in reply.rulings})
            assert all(chances[one.id] >= KIN * max(chances.values()) for one in reply.rulings if one.id in cluster)
    assert any(len(one & cluster) > 1 for one in told)
    assert all(one != cluster for one in told)
