"""Chapters, what a heading holds, where a rule stands, and a rule beside its other editions."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from kb.app import records, wordings
from kb.app.views.editions import side_by_side
from kb.ids import RuleRef
from kb.records import one_look, ruling_list, standing


@pytest.fixture(scope="module")
def con(full_store: None) -> sqlite3.Connection:
    from kb.app import shop

    return shop.reading()


def numbers(found: list[dict[str, object]]) -> list[object]:
    return [one["number"] for one in found]


def test_chapters_hold_their_sections(con: sqlite3.Connection) -> None:
    made = records.contents(con, "core-1.4")
    assert numbers(made) == ["000", "100", "300", "700", "800"]
    sections = made[1]["sections"]
    assert sections[0]["number"] == "101" and sections[0]["rules"] == 2
    listed = len(made) + sum(len(one["sections"]) + sum(s["rules"] for s in one["sections"]) for one in made)
    assert listed == len(records.chapters(con, "core-1.4"))


@pytest.mark.parametrize(
    ("number", "above", "within"),
    [
        ("102", ["100", "101"], []),
        ("101", ["100"], ["102", "103"]),
        ("431.2.c", ["300"], []),
        ("000", [], ["001", "050"]),
    ],
)
def test_a_rule_stands_somewhere(con: sqlite3.Connection, number: str, above: list[str], within: list[str]) -> None:
    ref = RuleRef("core-1.4", number)
    assert numbers(records.under(con, ref)) == above
    assert numbers(records.within(con, ref)) == within


def test_titles_are_those_of_scenarios_and_rulings(con: sqlite3.Connection) -> None:
    found = records.titles(con, ["rulings/burn-out-who-scores", "burn-out-who-scores", "no-such"])
    assert found["burn-out-who-scores"] == "Who gains the point when a player burns out"
    assert "burns out" in found["rulings/burn-out-who-scores"] and "no-such" not in found


def test_one_look_judges_the_verdicts_once(con: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    import kb.records

    judged: list[str] = []
    monkeypatch.setattr(kb.records, "layer_is_fresh", lambda said, name: bool(judged.append(name)) or True)
    with one_look():
        listed = ruling_list(con)
        assert standing(con, listed[0]["id"]) == listed[0]["standing"]
    assert len(judged) == 1
    standing(con, listed[0]["id"])
    assert len(judged) == 2


class Editions:
    """A store in which a rule is there in three editions."""

    def __init__(self) -> None:
        self.con = sqlite3.connect(":memory:")
        self.con.row_factory = sqlite3.Row
        self.con.executescript(
            "CREATE TABLE rule(document, number, text, official);"
            "CREATE TABLE edition_rule(document, number, text);"
            "INSERT INTO rule VALUES ('core-1.4', '431.2.c', 'ours', 'They pick a foe to gain 1 point.');"
            "INSERT INTO rule VALUES ('core-1.4', '431.2.b', 'ours', NULL);"
            "INSERT INTO edition_rule VALUES ('core-1.3', '431.2.c', 'They pick a foe to gain 2 points.');"
            "INSERT INTO edition_rule VALUES ('core-1.3', '431.2.b', 'They recycle.');"
        )


def test_a_rule_is_compared_word_by_word_with_its_other_editions() -> None:
    [pair] = wordings.pairs(Editions().con, RuleRef("core-1.4", "431.2.c"))
    assert (pair.old.document, pair.new.document) == ("core-1.3", "core-1.4")
    said = str(side_by_side([pair]))
    assert "<del>2 points.</del>" in said and "<ins>1 point.</ins>" in said
    [back] = wordings.pairs(Editions().con, RuleRef("core-1.3", "431.2.c"))
    assert (back.old, back.new, back.words) == (pair.old, pair.new, pair.words)


def test_words_are_not_marked_where_one_edition_is_in_our_words() -> None:
    [pair] = wordings.pairs(Editions().con, RuleRef("core-1.4", "431.2.b"))
    assert pair.words == () and "in our words only" in str(side_by_side([pair]))


def test_nothing_is_said_where_there_is_one_edition() -> None:
    store = Editions().con
    store.execute("DELETE FROM edition_rule")
    assert wordings.pairs(store, RuleRef("core-1.4", "431.2.c")) == [] and not side_by_side([])


def test_the_mutation_score_is_read_where_it_was_measured(tmp_path: Path) -> None:
    from kb.app.workbench import mutation
    from kb.errors import DataError

    assert mutation(tmp_path) is None
    (tmp_path / "mutants.md").write_text("# Mutants\n\n1,200 rule mutants, 1,100 noticed (91.7%)\n", encoding="utf-8")
    made = mutation(tmp_path)
    assert made is not None and (made.mutants, made.noticed) == (1200, 1100)
    said = '{"mutants": 10, "noticed": 9, "unnoticed": ["431.2.c omit"], "rules_not_causal": ["core-1.4:002"]}'
    (tmp_path / "mutants.json").write_text(said, encoding="utf-8")
    made = mutation(tmp_path)
    assert made is not None and made.score == 0.9 and made.unnoticed == ("431.2.c omit",)
    (tmp_path / "mutants.json").write_text('{"mutants": "many"}', encoding="utf-8")
    with pytest.raises(DataError, match="kb verify --mutants"):
        mutation(tmp_path)


def test_editions_of_one_document_are_compared_and_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    from kb import documents, editions
    from kb.app import workbench
    from kb.documents import RULES, Imported
    from kb.errors import InputError

    there = ("core-1.4", "core-1.10", "core-1.3", "tournament-2026-07", "core-1.2")
    monkeypatch.setattr(documents, "imported", lambda: tuple(Imported(one, RULES, one, one) for one in there))
    monkeypatch.setattr(editions, "book_of", lambda one: ({}, "restated" if one == "core-1.2" else "official"))
    assert workbench.comparable_editions("a stamp of its own") == {"core": ["core-1.3", "core-1.4", "core-1.10"]}
    with pytest.raises(InputError, match="two different documents"):
        workbench.compared("tournament-2026-07", "core-1.4", "")


def test_what_is_to_review_goes_by_its_title() -> None:
    from kb.app.views.editions import changes_page
    from kb.changes import Changes
    from kb.impact import Impact, Touched

    none = Changes("core-1.3", "core-1.4", ("official", "official"), "numbers", ())
    some = [Touched("a-ruling", rules={"core-1.4:431.2.c": 1.0}, title="A ruling with a title")]
    said = str(changes_page(none, [], Impact(none, some, [Touched("rulings/a")], [], [], {})))
    assert ">A ruling with a title</span>" in said and "?ruling=a-ruling" in said and ">rulings/a</span>" in said


def test_what_is_copied_of_a_rule_is_the_wording_that_is_shown(con: sqlite3.Connection) -> None:
    from kb.app.views.rule import cited
    from kb.records import rule_record

    record = rule_record(con, RuleRef("core-1.4", "431.2.c"))
    assert cited(record).startswith("Core Rules 1.4, 431.2.c (restated): They choose")
    said = cited(record | {"official": "The words of the book."})
    assert said == "Core Rules 1.4, 431.2.c (official wording): The words of the book."


def test_an_official_wording_is_not_followed_by_our_version_of_its_examples(con: sqlite3.Connection) -> None:
    from kb.app.views.rule import rule_page
    from kb.records import rule_record, section_record

    ref = RuleRef("core-1.4", "466")
    whole = section_record(con, ref)
    ours = str(rule_page(rule_record(con, ref), whole))
    for one in whole["section"]:
        one["official"] = "Words with a Reminder of their own."
    theirs = str(rule_page(rule_record(con, ref), whole))
    assert "Reminder: Before this step" in ours and "Reminder: Before this step" not in theirs
    assert "Note (ours)" in theirs


def test_the_rules_that_no_scenario_exercises_are_named() -> None:
    from collections import Counter

    from kb.app.pages.desk import gaps
    from kb.app.workbench import Chapter

    made = [Chapter("140-149", Counter(missing=1), ("142.3.a",)), Chapter("150-159", Counter(exercised=4))]
    assert "?rule=core-1.4%3A142.3.a" in str(gaps(made)) and gaps(made[1:]) is None


def test_every_missing_rule_stands_in_its_chapter(con: sqlite3.Connection) -> None:
    from kb.app import shop, workbench

    for one in workbench.chapters(shop.stamp()):
        assert len(one.missing) == one.counts["missing"]
        assert all(one.name[:3] <= number[:3] <= one.name[-3:] for number in one.missing)
