"""Editions side by side: numbers resolved and translated, imported editions looked up, differences told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kb import documents, editions
from kb.cli import run
from kb.errors import UnknownId
from kb.ids import RuleRef
from kb.sources.links import Kind
from kb.sources.word_diff import diff_words, weight

EIGHT = "100\tShips\n100.1\tA ship may float. See rule 200.\n100.2\tBoats drift on the open sea at night.\n200\tWater\n"
NINE = (
    "100\tShips\n100.1\tA ship must float. See rule 201.\n101\tNets\n101.1\tA net is cast by two players.\n"
    "102\tBoats\n102.1\tBoats drift on the open sea at night.\n201\tWater\n"
)


@pytest.fixture(scope="module")
def user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    root = tmp_path_factory.mktemp("editions")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KB_USER", str(root / "user"))
        patch.setenv("KB_CACHE", str(root / "cache"))
        for name, text in (("core-0.8.tsv", EIGHT), ("core-0.9.tsv", NINE)):
            path = root / name
            path.write_text(text, encoding="utf-8")
            documents.keep(path, documents.read_document(path))
        yield root


def ask(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    capsys.readouterr()
    status = run([*arguments, "--json"])
    return status, json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("text", "standing_in", "ref", "because"),
    [
        ("core-1.3:454", None, "core-1.3:454", "the edition was named"),
        ("454", "core-1.3", "core-1.3:454", "it stands in Core Rules 1.3"),
        ("454", None, "core-1.4:454", "no edition was named; Core Rules 1.4 is in force"),
    ],
)
def test_a_number_belongs_to_its_document_else_to_the_edition_in_force(
    text: str, standing_in: str | None, ref: str, because: str
) -> None:
    found = editions.resolve(text, standing_in)
    assert (str(found.ref), found.because) == (ref, because)


def test_a_bundled_crosswalk_serves_without_any_document() -> None:
    found = editions.translate(RuleRef("core-1.3", "454"), "core-1.4")
    assert [str(ref) for ref in found.refs] == ["core-1.4:459"]
    assert found.by == "crosswalk"
    back = editions.translate(RuleRef("core-1.4", "459"), "core-1.3")
    assert [str(ref) for ref in back.refs] == ["core-1.3:454"]


def test_editions_without_a_crosswalk_are_joined_by_way_of_others() -> None:
    found = editions.translate(RuleRef("core-1.1", "100"), "core-1.3")
    assert found.by == "by way of core-1.2" or "core-1.4" in found.by
    assert [str(ref) for ref in found.refs] == ["core-1.3:100"]


def test_numbers_and_editions_that_do_not_exist_say_what_is_near() -> None:
    with pytest.raises(UnknownId, match="Nearest"):
        editions.translate(RuleRef("core-1.3", "454.9"), "core-1.4")
    with pytest.raises(UnknownId, match="no such edition"):
        editions.require_edition("core-7.7")
    assert editions.require_edition("1.3") == "core-1.3"


@pytest.mark.usefixtures("store")
def test_the_reply_says_how_a_number_was_taken(capsys: pytest.CaptureFixture[str]) -> None:
    status, found = ask(capsys, "rule", "459")
    assert (status, found["resolved"]["ref"]) == (0, "core-1.4:459")
    assert "in force" in found["resolved"]["because"]
    status, found = ask(capsys, "rule", "core-1.3:454", "--as", "core-1.4")
    assert (status, found["ref"], found["translation"]["links"][0]["kind"]) == (0, "core-1.4:459", "renumbered")


@pytest.mark.usefixtures("store")
def test_a_rule_of_an_edition_that_is_not_imported_says_what_it_is_today(capsys: pytest.CaptureFixture[str]) -> None:
    status, found = ask(capsys, "rule", "core-1.3:454")
    assert status == 1
    assert "core-1.4:459" in found["fix"]


@pytest.mark.usefixtures("user")
def test_imported_editions_are_looked_up_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    status, found = ask(capsys, "rule", "100.1", "--edition", "core-0.8")
    assert (status, found["text"], found["wording"]) == (0, "A ship may float. See rule 200.", "official")
    assert found["parents"][0]["number"] == "100"
    status, found = ask(capsys, "rule", "core-0.8:100.2", "--as", "core-0.9")
    assert (found["ref"], found["translation"]["by"]) == ("core-0.9:102.1", "made now")
    assert ask(capsys, "rule", "core-0.9:333")[0] == 1


@pytest.mark.usefixtures("user")
def test_the_difference_is_told_by_word_and_renumbering_is_hidden(capsys: pytest.CaptureFixture[str]) -> None:
    status, found = ask(capsys, "diff", "core-0.8", "core-0.9")
    shown = {(one["old"], one["new"]): one for one in found["changes"]}
    assert (status, found["wording"]) == (0, ["official", "official"])
    assert set(shown) == {("100.1", "100.1"), (None, "101"), (None, "101.1"), (None, "102")}
    words = shown["100.1", "100.1"]["words"]
    assert [one["text"] for one in words if one["side"] != "same"] == ["may", "must"]
    _, found = ask(capsys, "diff", "core-0.8", "core-0.9", "--renumbered")
    assert ("100.2", "102.1") in {(one["old"], one["new"]) for one in found["changes"]}


@pytest.mark.usefixtures("user")
def test_a_diff_for_people_marks_the_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["diff", "core-0.8", "core-0.9", "--substance"]) == 0
    assert "[-may-] {+must+}" in capsys.readouterr().out


def test_an_edition_that_was_not_imported_cannot_be_compared(capsys: pytest.CaptureFixture[str]) -> None:
    status, found = ask(capsys, "diff", "core-1.1", "core-1.2")
    assert status == 1
    assert "kb import" in found["fix"]


def test_words_that_only_follow_a_renumbering_are_the_same() -> None:
    found = diff_words("Sail. See rule 164. Water.", "Sail. See rule 165. Water.")
    assert [one.side for one in found] == ["same"]
    assert len(diff_words("See rule 164.", "See rule 165.", pointers=True)) == 3


@pytest.mark.parametrize(
    ("old", "new", "grave"),
    [
        ("A ship may float.", "A ship can't float.", True),
        ("It gains 1 point.", "It gains 2 points.", True),
        ("The ship floats.", "A ship floats", False),
        ("It says “yes”.", 'It says "yes."', False),
    ],
)
def test_words_that_grant_forbid_or_count_weigh_more(old: str, new: str, grave: bool) -> None:
    from kb.sources.rules_text import parse_rules

    one = parse_rules(f"100\t{old}\n", "core-0.8", "a").book["100"]
    other = parse_rules(f"100\t{new}\n", "core-0.9", "b").book["100"]
    assert (weight(one, other) >= 0.15) is grave


@pytest.mark.usefixtures("user")
def test_crosswalks_are_printed_by_kind(capsys: pytest.CaptureFixture[str]) -> None:
    status, found = ask(capsys, "crosswalk", "core-0.8", "core-0.9", "--kind", "new")
    assert status == 0
    assert {one["kind"] for one in found["links"]} == {Kind.NEW}
