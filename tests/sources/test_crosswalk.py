"""Crosswalks between editions: told by text and place, kept as small files without text."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.data import rules_dir
from kb.errors import DataError
from kb.model import RuleBook
from kb.sources.crosswalk import crosswalk
from kb.sources.links import Crosswalk, Kind, read_links, write_links
from kb.sources.reading import read_rules_file
from kb.sources.rules_text import parse_rules

OLD = """100\tShips
100.1\tA ship floats on water unless it is holed. See rule 200. Water for more information.
100.2\tEach player sails one ship at a time.
100.3\tA captain may leave the ship. The crew stays on board until the ship has sunk.
100.4\tThe flag is red.
101\tBoats
101.1\tThey are small.
101.2\tNobody owns a boat that drifts on the open sea without a crew.
200\tWater
200.1\tThey are small.
"""
NEW = """100\tShips
100.1\tA ship floats on water unless it is holed. See rule 201. Water for more information.
100.2\tEach player sails up to two ships at a time.
100.3\tA captain may leave the ship.
100.3.a\tThe crew stays on board until the ship has sunk.
101\tRafts
101.1\tRafts are made of logs that are tied together with a rope.
102\tBoats
102.1\tThey are small.
102.2\tNobody owns a boat that drifts on the open sea without a crew.
201\tWater
201.1\tThey are small.
"""


def book(text: str, document: str) -> RuleBook:
    return parse_rules(text, document, "ships.tsv").book


@pytest.fixture(scope="module")
def walk() -> Crosswalk:
    return crosswalk(book(OLD, "core-1.8"), book(NEW, "core-1.9"))


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("100", "100", Kind.SAME),
        ("100.1", "100.1", Kind.SAME),  # its pointer only follows the renumbering
        ("100.2", "100.2", Kind.REWORDED),
        ("100.3", "100.3.a", Kind.SPLIT),
        ("101.1", "102.1", Kind.RENUMBERED),  # a repeated text, told by what stands around it
        ("200.1", "201.1", Kind.RENUMBERED),
        ("101.2", "102.2", Kind.RENUMBERED),
        ("", "101.1", Kind.NEW),
        ("100.4", "", Kind.GONE),
    ],
)
def test_every_rule_finds_its_counterpart(walk: Crosswalk, old: str, new: str, kind: Kind) -> None:
    assert (old, new, kind) in {(one.old, one.new, one.kind) for one in walk.links}


def test_every_rule_of_both_editions_has_a_link(walk: Crosswalk) -> None:
    assert {one.old for one in walk.links if one.old} == set(book(OLD, "core-1.8").rules)
    assert {one.new for one in walk.links if one.new} == set(book(NEW, "core-1.9").rules)


def test_the_file_holds_the_links_and_no_text(walk: Crosswalk, tmp_path: Path) -> None:
    path = write_links(walk, tmp_path)
    assert path.name == "core-1.8--core-1.9.tsv"
    assert read_links(path) == walk
    assert "ship" not in path.read_text(encoding="utf-8")
    assert walk.turned().turned() == walk


def test_a_damaged_file_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "core-1.8--core-1.9.tsv"
    path.write_text("old\tnew\tkind\tconfidence\n100\t100\tsame\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"tsv:2"):
        read_links(path)


def test_the_bundled_crosswalks_are_whole() -> None:
    numbers = (rules_dir() / "core-1.4" / "numbers.tsv").read_text(encoding="utf-8").split("\n")
    ours = {row.split("\t")[0] for row in numbers if row[:1].isdigit()}
    paths = sorted((rules_dir() / "crosswalks").glob("*.tsv"))
    assert len(paths) == 8
    for path in paths:
        found = read_links(path)
        if found.new == "core-1.4":
            assert {one.new for one in found.links if one.new} == ours


def test_1_3_to_1_4_is_made_as_committed(sources: Path) -> None:
    old = read_rules_file(sources / "core-rules-1.3.tsv", "core-1.3").book
    new = read_rules_file(sources / "core-rules-1.4.tsv", "core-1.4").book
    found = crosswalk(old, new)
    assert found == read_links(rules_dir() / "crosswalks" / "core-1.3--core-1.4.tsv")
    assert {(one.new, one.kind) for one in found.forward("454")} == {("459", Kind.RENUMBERED)}
