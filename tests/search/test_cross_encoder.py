"""The cross-encoder: a question and a text read together."""

from __future__ import annotations

import numpy as np
import pytest

from kb.search.cross_encoder import NoCrossEncoder, OnnxCrossEncoder, cross_encoder_for, text_of
from kb.search.encoder import HashingEncoder
from kb.search.searcher import Searcher

RUNES = "how many runes go into a rune deck"


@pytest.fixture(scope="module")
def reads() -> OnnxCrossEncoder:
    return OnnxCrossEncoder()


def test_what_is_read_beside_a_text_does_not_change_its_score(reads: OnnxCrossEncoder) -> None:
    texts = ["A rune deck holds exactly twelve rune cards.", "Units enter exhausted. " * 30]
    together = reads.scores(RUNES, texts)
    alone = np.concatenate([reads.scores(RUNES, [text]) for text in texts])
    assert together == pytest.approx(alone, abs=1e-3)


def test_a_rule_that_settles_a_question_scores_above_one_that_does_not(
    reads: OnnxCrossEncoder, hashed: Searcher
) -> None:
    asked = {
        RUNES: "core-1.4:103.3.a",
        "does a stunned unit deal damage in combat": "core-1.4:423.1.b",
        "who goes first after the roll": "core-1.4:115",
    }
    texts = {ref: text_of(hashed.con, "rule", ref) for ref in asked.values()}
    for question, right in asked.items():
        scores = dict(zip(texts, reads.scores(question, list(texts.values()))[:, 0].tolist(), strict=True))
        assert max(scores, key=lambda ref: scores[ref]) == right, question


def test_labelled_questions_are_read_with_their_word_more_often_than_by_the_commoner_word(
    reads: OnnxCrossEncoder, hashed: Searcher
) -> None:
    sql = (
        "SELECT kind, target, part, text FROM passage "
        "WHERE part LIKE 'asked:%:yes' OR part LIKE 'asked:%:no' ORDER BY id"
    )
    some = list(hashed.con.execute(sql))[::100]
    yes = np.mean([row["part"].endswith(":yes") for row in some])
    right = []
    for row in some:
        said = reads.scores(row["text"], [text_of(hashed.con, row["kind"], row["target"])])[0, 1]
        right.append((said > 0) == row["part"].endswith(":yes"))
    assert len(right) > 50
    assert np.mean(right) > max(yes, 1 - yes) + 0.05


def test_a_rule_is_read_with_its_heading_and_the_rule_above_it(hashed: Searcher) -> None:
    above = hashed.con.execute("SELECT statement FROM rule WHERE number = '423.1' AND document = 'core-1.4'").fetchone()
    assert above[0] in text_of(hashed.con, "rule", "core-1.4:423.1.b")


def test_nothing_is_read_where_there_is_no_text_and_where_no_language_model_is_in_use(
    reads: OnnxCrossEncoder,
) -> None:
    assert reads.scores(RUNES, []).shape == (0, 2)
    assert isinstance(cross_encoder_for(HashingEncoder()), NoCrossEncoder)
