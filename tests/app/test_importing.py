"""What the page says of a document that was read, and of one that is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.app.pages.importing import amount, becomes, taken

RULES = b"431\tBurn Out\n431.1\tWords that stand for the rule.\n"


@pytest.mark.parametrize(
    ("name", "content", "read", "kept"),
    [
        ("core-rules-1.4.tsv", RULES, "2 rules that hold all 10 words of the file", "its wording is now quoted"),
        ("core-rules-1.3.tsv", RULES, "2 rules that hold all 10 words of the file", "can be looked up and compared"),
        ("cards.json", b'[{"name": "Defy", "text": "Words of a card."}]', "1 cards, 1 of them known", "printed text"),
    ],
)
def test_what_was_read_and_what_it_is_kept_for(
    name: str, content: bytes, read: str, kept: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KB_USER", str(tmp_path))
    made = taken(name, content, "", keeping=True)
    assert not made.get("error") and made["kept"] and list((tmp_path / "documents").glob("*"))
    assert read in amount(made) and kept in becomes(made)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("core-rules-1.4.pdf", b"%PDF-1.4\n%%EOF\n"),
        ("core-rules-1.4.txt", b""),
        ("core-rules-1.4.txt", b"\x00\x01\x02" * 500),
        ("notes.txt", b"no rule at all"),
        ("../../core-rules-1.4.txt", b"no rule at all"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(
    name: str, content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KB_USER", str(tmp_path))
    made = taken(name, content, "", keeping=True)
    assert made["error"].count("\n") == 0 and "/tmp" not in made["error"] and len(made["error"]) < 400
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("said", ["core", "1.4", "core-1.4:431", "<b>", "x" * 40])
def test_a_name_that_is_no_edition_is_told_how_to_write_one(said: str) -> None:
    assert "Write it like core-1.4" in taken("rules.tsv", RULES, said, keeping=False)["error"]
    assert not taken("rules.tsv", RULES, "core-1.4", keeping=False).get("error")
