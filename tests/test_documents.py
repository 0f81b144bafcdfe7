"""Imported documents are kept in the user folder and quoted beside our wording."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb import documents
from kb.errors import InputError
from kb.ids import RuleRef


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KB_USER", str(tmp_path / "user"))
    return tmp_path


def bring(folder: Path, name: str, text: str, document: str | None = None) -> documents.Imported:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return documents.keep(path, documents.read_document(path, document))


@pytest.mark.parametrize(
    ("name", "edition"),
    [
        ("core-rules-1.4.tsv", "core-1.4"),
        ("Riftbound Core Rules 1.4 (excerpt).txt", "core-1.4"),
        ("tournament-rules-2026-07-16.tsv", "tournament-2026-07"),
    ],
)
def test_the_file_name_tells_the_edition(name: str, edition: str) -> None:
    assert documents.guess_edition(Path(name)) == edition


def test_a_file_name_that_tells_nothing_asks_for_the_document(user: Path) -> None:
    with pytest.raises(InputError, match="Add --document"):
        bring(user, "rules.txt", "100. Ships\n")
    assert bring(user, "rules.txt", "100. Ships\n", "core-1.4").document == "core-1.4"


def test_the_later_import_is_quoted(user: Path) -> None:
    bring(user, "core-1.4.tsv", "100\tShips.\n101\tBoats.\n")
    bring(user, "core-1.4-part.tsv", "100\tGreat ships.\n")
    said = documents.official_wording()
    assert said == {RuleRef("core-1.4", "100"): "Great ships.", RuleRef("core-1.4", "101"): "Boats."}


def test_the_same_file_again_replaces_its_copy(user: Path) -> None:
    bring(user, "core-1.4.tsv", "100\tShips.\n")
    bring(user, "core-1.4.tsv", "100\tBoats.\n")
    assert len(documents.imported()) == 1
    assert documents.official_wording() == {RuleRef("core-1.4", "100"): "Boats."}


def test_an_faq_document_is_told_by_what_it_holds(user: Path) -> None:
    kept = bring(user, "faq-ships.txt", "Ruling: They float.\n")
    assert (kept.kind, kept.document) == ("faq", "faq-ships")
    assert [doc.rulings[0].statement for doc in documents.faq_documents()] == ["They float."]


def test_nothing_imported_is_nothing(user: Path) -> None:
    assert documents.imported() == ()


def test_a_damaged_list_says_so(user: Path) -> None:
    bring(user, "core-1.4.tsv", "100\tShips.\n")
    (documents.folder() / "index.json").write_text("[{]", encoding="utf-8")
    with pytest.raises(InputError, match="Delete it and import again"):
        documents.imported()
