"""Whose words an answer is in: the official ones where the user imported them, else ours, never half and half."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator

import pytest

from kb.answer.answerer import Answerer
from kb.answer.cite import Citer
from kb.answer.outline import Outlines
from kb.answer.reply import Answer, as_json
from kb.ids import RuleRef
from kb.records import official_statement, quote, rule_record
from kb.search.encoder import HashingEncoder
from kb.search.searcher import Searcher

Imported = Callable[[str], sqlite3.Connection]


@pytest.fixture
def imported(hashed: Searcher) -> Iterator[Imported]:
    """Copies of the store in which rules have an official wording: "Theirs 431.2. Example: of 431.2."."""
    made: list[sqlite3.Connection] = []

    def of(where: str) -> sqlite3.Connection:
        con = sqlite3.connect(":memory:")
        hashed.con.backup(con)
        con.row_factory = sqlite3.Row
        ends = "CASE WHEN statement LIKE '%:' THEN ':' ELSE '. Example: of ' || number || '.' END"
        con.execute(f"UPDATE rule SET official = 'Theirs ' || number || {ends} WHERE {where}")
        made.append(con)
        return con

    yield of
    for con in made:
        con.close()


def answer(con: sqlite3.Connection, question: str) -> Answer:
    reply = Answerer(con, HashingEncoder()).ask(question)
    assert isinstance(reply, Answer)
    return reply


def ours(con: sqlite3.Connection, number: str) -> str:
    return str(
        con.execute("SELECT statement FROM rule WHERE document = 'core-1.4' AND number = ?", (number,)).fetchone()[0]
    )


def test_what_stands_above_a_rule_is_in_its_wording(imported: Imported) -> None:
    reply = answer(imported("number LIKE '431%'"), "what is 431.2.c?")
    assert reply.answer == "Theirs 431.2: Theirs 431.2.c. Example: of 431.2.c."
    assert reply.citations[0].above == ("431.2 Theirs 431.2:",)
    assert (reply.wording, reply.citations[0].wording) == ("official", "official")
    assert as_json(reply)["wording"] == "official"


def test_an_answer_is_in_our_words_where_not_all_of_it_was_imported(imported: Imported) -> None:
    con = imported("number = '431.2.c'")
    reply = answer(con, "what is 431.2.c?")
    assert reply.answer == f"{ours(con, '431.2')} {ours(con, '431.2.c')}"
    assert (reply.wording, reply.citations[0].wording) == ("restated", "official")
    assert reply.citations[0].above == (f"431.2 (restated) {ours(con, '431.2')}",)


def test_a_rule_in_our_words_has_ours_above_it(imported: Imported) -> None:
    con = imported("number = '431.2'")
    cited = Citer(con).rule("core-1.4:431.2.c")
    assert (cited.wording, cited.above) == ("restated", (f"431.2 {ours(con, '431.2')}",))


def test_what_was_not_restated_is_told_as_it_was_imported(imported: Imported) -> None:
    con = imported("number LIKE '431%'")
    con.execute("UPDATE rule SET restated = 0, statement = '', text = '' WHERE number = '431.2.c'")
    assert quote(con, RuleRef("core-1.4", "431.2.c"), official=False)["wording"] == "official"
    [lead] = Citer(con).leads(RuleRef("core-1.4", "431.2.c.1"), official=False)[1:]
    assert (lead.statement, lead.beside("restated")) == ("Theirs 431.2.c.", "431.2.c (official) Theirs 431.2.c.")


def test_a_list_is_told_in_one_wording(imported: Imported) -> None:
    con = imported("number LIKE '323%'")
    told = Outlines(con).told("core-1.4:323", official=True)
    assert told.startswith("Theirs 323: Theirs 323.1. Theirs 323.2.") and ours(con, "323.1") not in told
    assert ours(con, "323.1")[:40] in Outlines(con).told("core-1.4:323")
    assert answer(con, "rule 323").wording == "official"
    con.execute("UPDATE rule SET official = NULL WHERE number = '323.3'")
    assert answer(con, "rule 323").wording == "restated"


def test_a_list_that_is_cut_short_ends_in_dots_alone(hashed: Searcher) -> None:
    for (ref,) in hashed.con.execute("SELECT document || ':' || number FROM rule WHERE statement LIKE '%:'"):
        assert "; ..." not in Outlines(hashed.con).told(ref)


def test_an_answer_that_no_rule_gives_has_no_wording_of_one(imported: Imported) -> None:
    assert answer(imported("1"), "what does baron nashor do").wording == ""


@pytest.mark.parametrize(
    ("official", "statement"),
    [
        ("2. A unit dies. See rule 428 (Kill). Example: A Recruit dies.", "A unit dies."),
        ("Example: only that.", "Example: only that."),
    ],
)
def test_the_statement_of_an_official_text(official: str, statement: str) -> None:
    assert official_statement(official) == statement


def test_the_rules_around_one_have_their_official_statements(imported: Imported) -> None:
    con = imported("number = '431.2'")
    record = rule_record(con, RuleRef("core-1.4", "431.2.c"))
    assert [one["official_statement"] for one in record["parents"]] == [None, "Theirs 431.2:"]
