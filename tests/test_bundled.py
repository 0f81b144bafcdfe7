"""What the project carries is whole: rules, cards, glossary, documentation."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from kb.build import Data, load_data
from kb.commands.lint import command as lint_command
from kb.data import app_file, data_root
from kb.errors import InputError
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


def test_the_wheel_carries_the_data_the_app_and_the_register() -> None:
    hook = ast.parse((data_root() / "hatch_build.py").read_text(encoding="utf-8"))
    [carried] = [ast.literal_eval(one.value) for one in hook.body if isinstance(one, ast.Assign)]
    assert {"rules", "rulings", "scenarios", "app.py", "docs/coverage.md"} <= set(carried)
    assert [name for name in carried if not (data_root() / name).exists()] == []


def test_the_app_is_found_beside_the_package_where_the_data_folder_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = app_file()
    (tmp_path / "rules").mkdir()
    monkeypatch.setenv("KB_DATA", str(tmp_path))
    assert app_file() == ours
    (tmp_path / "app.py").touch()
    assert app_file() == tmp_path / "app.py"


def test_the_app_of_a_wheel_lies_beside_its_data_and_may_be_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    carried = tmp_path / "kb" / "_data"
    (carried / "rules").mkdir(parents=True)
    monkeypatch.setattr("kb.data._PACKAGE", tmp_path / "kb")
    with pytest.raises(InputError, match="Install kb again"):
        app_file()
    (tmp_path / "app.py").touch()  # another program's, beside the package
    (carried / "app.py").touch()
    assert app_file() == carried / "app.py"
