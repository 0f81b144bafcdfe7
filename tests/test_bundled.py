"""What the project carries is whole: rules, cards, glossary, documentation."""

from __future__ import annotations

import re

import pytest

from kb.build import Data, load_data
from kb.commands.lint import command as lint_command
from kb.data import data_root
from kb.lint import CODES, ERROR, lint


@pytest.fixture(scope="module")
def data() -> Data:
    return load_data()


def test_every_number_of_both_documents_exists(data: Data) -> None:
    assert {name: len(book) for name, book in data.books.items()} == {"core-1.4": 2381, "tournament-2026-07": 935}


def test_every_card_has_its_facts(data: Data) -> None:
    assert len(data.cards) == 935
    assert sum(card.errata for card in data.cards.values()) == 63
    assert data.cards["Defy"].type == "Spell"
    assert data.cards["Zhonya's Hourglass"].keywords == ("Hidden",)


def test_card_facts_equal_the_source(data: Data, sources: object) -> None:
    import json
    from pathlib import Path

    assert isinstance(sources, Path)
    cards = json.loads((sources / "cards.json").read_text(encoding="utf-8"))
    assert [card["name"] for card in cards if card["name"] not in data.cards] == []
    for theirs in cards:
        ours = data.cards[theirs["name"]]
        for key in ("type", "energy", "power", "might", "might_bonus", "collector_number", "home_set"):
            assert getattr(ours, key) == theirs[key], (theirs["name"], key)
        for key in ("domains", "tags", "keywords", "sets", "aliases"):
            assert list(getattr(ours, key)) == theirs[key], (theirs["name"], key)


def test_the_lists_of_numbers_equal_the_sources(data: Data, sources: object) -> None:
    from pathlib import Path

    assert isinstance(sources, Path)
    for document, name in (("core-1.4", "core-rules-1.4"), ("tournament-2026-07", "tournament-rules-2026-07-16")):
        rows = (sources / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
        assert set(data.books[document].rules) == {row.split("\t")[0] for row in rows}


def test_the_data_has_no_errors(data: Data) -> None:
    assert [str(finding) for finding in lint(data) if finding.severity == ERROR] == []


def test_every_lint_code_is_documented() -> None:
    text = (data_root() / "docs" / "lint.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| ([A-Z]\d{3}) \|", text, re.M) == sorted(CODES)
    assert lint_command.help


def test_every_import_finding_is_documented() -> None:
    text = (data_root() / "docs" / "import-findings.md").read_text(encoding="utf-8")
    paths = [*(data_root() / "kb" / "sources").glob("*.py"), data_root() / "kb" / "import_report.py"]
    code = "".join(path.read_text(encoding="utf-8") for path in paths)
    kinds = {*re.findall(r'Finding\(\s*"([a-z-]+)"', code), "missing-heading", "missing-parent"}
    headings = re.findall(r"^## (`.+)", text, re.M)
    assert kinds == {kind for heading in headings for kind in re.findall(r"`([a-z-]+)`", heading)}
