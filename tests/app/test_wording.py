"""Whose words are shown: official where they were imported, labelled where they are not those around them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from kb.app import records
from kb.app.views.answer import answer_page
from kb.app.views.parts import rule_rows, stated, stated_beside
from kb.app.views.rule import chapter_list, quoted, rule_page
from kb.ids import RuleRef
from kb.records import rule_record, section_record

BRIEF: dict[str, Any] = {
    "ref": "core-1.4:431.2", "number": "431.2", "heading": False, "restated": True, "statement": "Ours.",
}  # fmt: skip
THEIRS = BRIEF | {"official_statement": "Theirs."}
SAME = BRIEF | {"official_statement": "Ours."}
REPLY: dict[str, Any] = {
    "status": "answer", "verdict": "see answer", "answer": "It is so.", "rulings": [], "readings": [], "notes": [],
    "source": "rule",
}  # fmt: skip


@pytest.fixture
def imported(store: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """A copy of the store in which every rule has an official wording: "Theirs 431.2. Example: of 431.2."."""
    con = sqlite3.connect(":memory:")
    store.backup(con)
    con.row_factory = sqlite3.Row
    con.execute("UPDATE rule SET official = 'Theirs ' || number || '. Example: of ' || number || '.'")
    yield con
    con.close()


def record_of(con: sqlite3.Connection, number: str) -> dict[str, Any]:
    return rule_record(con, RuleRef("core-1.4", number))


def test_whose_words_a_rule_is_stated_in() -> None:
    assert stated(BRIEF) == ("Ours.", "restated")
    assert stated(THEIRS) == ("Theirs.", "official")
    assert stated(THEIRS, official=False) == ("Ours.", "restated")
    assert stated(SAME) == ("Ours.", "")
    assert stated(BRIEF | {"restated": False, "statement": ""}) == ("not yet restated", "")
    assert stated(SAME | {"restated": False}) == ("Ours.", "official")
    assert stated_beside(BRIEF, "official") == "Ours. (restated)"
    assert stated_beside(THEIRS, "official") == "Theirs."


def test_a_list_names_its_wording_once_where_it_is_another_than_that_around_it() -> None:
    assert str(rule_rows([THEIRS, THEIRS, SAME])).count("fficial wording") == 1
    assert "source" not in str(rule_rows([THEIRS, SAME], around="official"))
    assert "source" not in str(rule_rows([BRIEF, SAME]))
    mixed = str(rule_rows([THEIRS, BRIEF]))
    assert mixed.count("official wording") == 1 and "restated" not in mixed
    assert str(rule_rows([THEIRS, BRIEF], around="official")).count("restated") == 1


def test_a_quoted_rule_is_in_one_wording_with_ours_as_the_plain_version(imported: sqlite3.Connection) -> None:
    said = str(quoted(record_of(imported, "431.2.c")))
    assert '<span class="before">Theirs 431.2.</span>' in said
    assert "Theirs 431.2.b." in said and "Theirs 431.2.d." in said and said.count("official wording</span>") == 1
    assert "<b>Plainly: </b>They choose an opponent, who gains 1 point." in said
    assert "restated" not in said


def test_what_is_above_a_quoted_rule_is_marked_where_it_is_in_other_words(imported: sqlite3.Connection) -> None:
    imported.execute("UPDATE rule SET official = NULL WHERE number <> '431.2.c'")
    said = str(quoted(record_of(imported, "431.2.c")))
    assert "in this order: (restated)</span>" in said
    imported.execute("UPDATE rule SET official = 'Theirs.' WHERE number = '431.2'")
    beside = str(quoted(record_of(imported, "431.2.b")))
    assert '<span class="before">A player Burns Out' in beside and "Plainly" not in beside


def test_a_rule_page_is_in_one_wording_and_names_it_once(imported: sqlite3.Connection) -> None:
    ref = RuleRef("core-1.4", "431.2.c")
    said = str(rule_page(record_of(imported, ref.number), None, records.under(imported, ref)))
    assert "Theirs 431.2.b." in said and "Theirs 300." in said and said.lower().count("official wording</p>") == 1
    imported.execute("UPDATE rule SET official = NULL WHERE number = '431.2.b'")
    assert "Main Deck. (restated)</span>" in str(rule_page(record_of(imported, ref.number)))


def test_a_section_marks_the_rules_that_were_not_imported(imported: sqlite3.Connection) -> None:
    imported.execute("UPDATE rule SET official = NULL WHERE number = '431.2.c'")
    ref = RuleRef("core-1.4", "431")
    said = str(rule_page(rule_record(imported, ref), section_record(imported, ref)))
    assert said.count(">restated<") == 1 and "Theirs 431.2.b." in said


def test_what_is_found_in_a_document_is_in_the_wording_of_its_pages(imported: sqlite3.Connection) -> None:
    found = records.find_in(imported, "core-1.4", "431.2")
    said = str(rule_rows(found))
    assert "Theirs 431.2.c." in said and said.count("Official wording") == 1


def test_what_is_copied_of_an_answer_is_what_is_shown(imported: sqlite3.Connection) -> None:
    rules = [record_of(imported, number) for number in ("431.2", "431.2.c")]
    said = str(answer_page("what?", REPLY | {"wording": "official"}, rules, []))
    copied = said.partition('data-copy="')[2].partition('"')[0].splitlines()
    assert copied == [
        "It is so.",
        "Core Rules 1.4, 431.2 (official wording): Theirs 431.2. Example: of 431.2.",
        "Core Rules 1.4, 431.2.c (official wording): Theirs 431.2.c. Example: of 431.2.c.",
    ]
    assert "From the documents, in the official wording" in said


def test_an_older_edition_says_that_it_is_not_in_force() -> None:
    from kb.app.pages.rule import not_in_force

    said = str(not_in_force("core-1.3", ["core-1.4", "tournament-2026-07"]))
    assert "Core Rules 1.3 is not in force: Core Rules 1.4 is, and rulings are checked against it." in said
    assert "Tournament" not in said


def test_a_rule_of_an_imported_edition_says_nothing_twice(imported: sqlite3.Connection) -> None:
    from kb.edition_records import edition_record

    text, parts = (
        "Boats float. Example: a raft.",
        [["statement", "Boats float.", []], ["example", "Example: a raft.", []]],
    )
    row = ("core-1.3", "100", 1, None, 0, 0, "Boats float.", text, json.dumps(parts), 1)
    imported.execute("INSERT INTO edition_rule VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
    said = str(rule_page(edition_record(imported, RuleRef("core-1.3", "100"))))
    assert said.count("Example: a raft.") == 2  # as it is shown and as it is copied
    assert "Plainly" not in said and "Official wording" in said


def test_the_exported_site_holds_no_official_wording(imported: sqlite3.Connection) -> None:
    from kb.export import pages

    def quiet(what: str, done: int, total: int) -> None: ...

    made = [*pages.other_pages(imported), *islice(pages.rule_pages(imported, quiet), 150)]
    assert len(made) > 150 and not [name for name, html in made if "Theirs" in html or "fficial wording" in html]
    assert "Theirs" in chapter_list("core-1.4", records.contents(imported, "core-1.4"))
