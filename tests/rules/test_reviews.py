"""The review documents agree with the rules and rulings that they report on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kb.data import data_root
from kb.errors import DataError
from kb.load import load_rules, load_rulings
from kb.model import Agreement
from kb.verify.reviewing import BEGIN, END, claims_against_the_rules, contradicting, document, split, write

RULES_REVIEW = data_root() / "docs" / "rules-review.md"
CHAPTER = re.compile(r"^\| (\d{3})(?:-(\d{3}))? [^|]+ \| ([\d |]+) \|$", re.M)
TITLES = {"core-1.4": "Core Rules 1.4", "tournament-2026-07": "Tournament Rules of 2026-07-16"}


def test_the_committed_part_is_what_the_rulings_give() -> None:
    _, committed, _ = split(document().read_text(encoding="utf-8"), document())
    assert committed == claims_against_the_rules(), "run: python -m kb.verify.reviewing"


def test_each_doubted_claim_has_one_row() -> None:
    rulings = load_rulings().values()
    doubted = [
        found
        for ruling in rulings
        if ruling.review
        for found in ruling.review.claims.values()
        if found.agrees in (Agreement.NO, Agreement.PARTLY)
    ]
    rows = re.findall(r"^\| \[[^|]+ \| \S+:\d+ \| c\d+(?: \(documentary\))? \| ", claims_against_the_rules(), re.M)
    assert doubted and len(rows) == len(doubted)


def test_a_pair_is_listed_once_whichever_side_names_it() -> None:
    rulings = load_rulings()
    named = {frozenset((r.id, other)) for r in rulings.values() for other in r.relations.contradicts}
    pairs = [frozenset((a.id, b.id)) for a, b in contradicting(rulings)]
    assert len(pairs) == len(set(pairs)) and set(pairs) == named


def test_writing_touches_only_what_is_between_the_markers(tmp_path: Path) -> None:
    file = tmp_path / "review.md"
    file.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", encoding="utf-8")
    write(file)
    assert file.read_text(encoding="utf-8") == f"before\n{BEGIN}\n{claims_against_the_rules()}\n{END}\nafter\n"


@pytest.mark.parametrize("text", ["", f"{BEGIN}\nx", f"x\n{END}", f"{BEGIN}\n{BEGIN}\nx\n{END}"])
def test_a_document_without_its_markers_is_refused(text: str) -> None:
    with pytest.raises(DataError, match="markers"):
        split(text, Path("review.md"))


@pytest.mark.parametrize("edition", TITLES)
def test_chapters_count_every_rule_once_and_their_findings_add_up(edition: str) -> None:
    part = RULES_REVIEW.read_text(encoding="utf-8").split(f"\n## {TITLES[edition]}\n", 1)[1].split("\n## ", 1)[0]
    numbers = list(load_rules(edition).rules)
    counted = 0
    for low, high, cells in CHAPTER.findall(part):
        read, *kinds, mended, _left = (int(cell) for cell in cells.split(" | "))
        assert read == sum(low <= number[:3] <= (high or low) for number in numbers), low
        assert sum(kinds) == mended, low
        counted += read
    assert counted == len(numbers)
