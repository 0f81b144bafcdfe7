"""Card data from the user's disk: JSON and CSV, printed texts, unknown names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kb.cli import run
from kb.documents import card_texts, keep, read_document
from kb.errors import InputError
from kb.import_report import summary
from kb.sources.card_texts import looks_like_card_list, looks_like_cards, parse_card_list, parse_cards

CARDS = [
    {
        "name": "Defy",
        "text": "Made-up words.",
        "effect_text": None,
        "text_before_errata": "Older words.",
        "errata": "set",
    },
    {"name": "Nobody's Card", "text": "Nothing."},
    {"text": "No name."},
]
CSV = 'Name;Text;Errata\nDefy;"Made-up; words.";\nDefy;Later words.;\n'


def test_json_is_read_with_errata_and_what_has_no_name_is_reported() -> None:
    found = parse_cards(Path("cards.json"), json.dumps(CARDS))
    assert found.texts["Defy"].before_errata == "Older words."
    assert [one.kind for one in found.findings] == ["no-name"]


def test_csv_is_read_whatever_parts_the_columns_and_the_later_entry_counts() -> None:
    assert looks_like_cards(Path("cards.csv"), CSV)
    found = parse_cards(Path("cards.csv"), CSV)
    assert found.texts["Defy"].text == "Later words."
    assert [one.kind for one in found.findings] == ["card-twice"]


def test_lists_inside_an_object_are_found() -> None:
    assert set(parse_cards(Path("c.json"), json.dumps({"cards": CARDS})).texts) == {"Defy", "Nobody's Card"}
    assert set(parse_cards(Path("c.json"), json.dumps({"Defy": {"text": "x"}})).texts) == {"Defy"}


@pytest.mark.parametrize("text", ["[", "[]", '[{"id": 1}]'])
def test_a_file_without_cards_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse_cards(Path("cards.json"), text)


def test_printed_texts_stand_on_the_card_and_unknown_names_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KB_USER", str(tmp_path / "user"))
    monkeypatch.setenv("KB_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "cards.json"
    path.write_text(json.dumps(CARDS), encoding="utf-8")
    assert run(["import", str(path), "--json"]) == 0
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert (report["kind"], report["cards"], report["known"]) == ("cards", 2, 1)
    assert [one["number"] for one in report["findings"] if one["kind"] == "unknown-card"] == ["Nobody's Card"]
    assert run(["card", "Defy", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["printed"]["text"] == "Made-up words."
    assert run(["card", "Defy"]) == 0
    assert "Printed text (imported): Made-up words." in capsys.readouterr().out


def test_a_list_of_names_without_texts_is_read_as_a_list(tmp_path: Path) -> None:
    text = "Name\tnamed in\nDefy\tfaq\nNo Such Card\trules\nDefy\tfaq\n"
    path = tmp_path / "wanted.tsv"
    path.write_text(text, encoding="utf-8")
    assert looks_like_card_list(path, text)
    assert not looks_like_cards(path, text)
    assert not looks_like_card_list(Path("cards.csv"), CSV)
    assert not looks_like_card_list(Path("rules.tsv"), "431\tBurn Out\n")
    found = parse_card_list(path, text)
    assert found.names == ("Defy", "No Such Card")
    report = summary(path, read_document(path))
    assert report["said"] == "a list of 2 cards without texts, 1 of them known"
    assert [one["kind"] for one in report["findings"]] == ["card-twice", "unknown-card"]


def test_a_list_of_names_hides_no_printed_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KB_USER", str(tmp_path / "user"))
    cards, names = tmp_path / "cards.json", tmp_path / "names.csv"
    cards.write_text(json.dumps(CARDS), encoding="utf-8")
    names.write_text("name\nDefy\n", encoding="utf-8")
    for path in (cards, names):
        keep(path, read_document(path))
    kept = card_texts()
    assert kept is not None and "Defy" in kept.texts


def test_a_list_without_a_name_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no card name was found"):
        parse_card_list(tmp_path / "names.csv", "name\n")


def test_every_official_document_is_read_with_a_report(sources: Path) -> None:
    for path in sorted(sources.iterdir()):
        report = summary(path, read_document(path))
        assert report["said"], path
        assert not [one for one in report["findings"] if one["kind"] in ("unknown-card", "encoding")], path
