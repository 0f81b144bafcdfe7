"""Files become values; everything that is not as it should be is an error with file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.errors import DataError
from kb.glossary import load_glossary
from kb.load import load_cards, load_rules, load_ruling
from kb.model import NOT_RESTATED, Agreement

RULING = """\
id: ships-float
title: Ships float
origin: {document: faq-cards, line: 3}
questions: [Do ships float?]
verdict: yes
answer: They do.
claims:
  - {id: c1, says: Ships float., rules: ["core-1.4:431.2.c"]}
  - {id: c2, says: Nobody asked., documentary: about a date}
relations: {contradicts: [ships-sink]}
review:
  edition: core-1.4
  verdict: no
  answer: They sink.
  claims:
    c1: {agrees: no, rule: ["431"], why: Water.}
"""


def ruling_file(folder: Path, text: str, name: str = "ships-float.yaml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_ruling_is_read_whole(tmp_path: Path) -> None:
    ruling = load_ruling(ruling_file(tmp_path, RULING))
    assert (ruling.id, str(ruling.origin), ruling.verdict) == ("ships-float", "faq-cards:3", "yes")
    assert [str(ref) for ref in ruling.claims[0].rules] == ["core-1.4:431.2.c"]
    assert ruling.claims[1].documentary == "about a date"
    assert list(ruling.relations.pairs()) == [("contradicts", "ships-sink")]
    assert ruling.review is not None
    assert ruling.review.verdict == "no"  # the word, not a truth value
    assert ruling.review.claims["c1"].agrees is Agreement.NO
    assert [str(ref) for ref in ruling.all_rules] == ["core-1.4:431", "core-1.4:431.2.c"]


@pytest.mark.parametrize(
    ("change", "line", "said"),
    [
        (("title:", "titel:"), 2, "Did you mean 'title'"),
        (("id: ships-float", "id: Ships"), 1, "lower-case words"),
        (("id: ships-float", "id: boats-float"), 1, "not the name of the file"),
        (("core-1.4:431.2.c", "core-1.4:43.2"), 8, "not a rule number"),
        (("id: c2", "id: c1"), 7, "used twice"),
        (("agrees: no", "agrees: never"), 16, "yes, no, partly or open"),
        (("    c1: {agrees", "    c7: {agrees"), 16, "no claim 'c7'"),
        (("answer: They do.", "answer: They: do."), 6, "not YAML"),
        (("verdict: yes", "verdict: yes\nverdict: no"), 6, "said twice"),
        (("line: 3", "line: third"), 3, "whole number"),
        (("questions: [Do ships float?]", "questions: Do ships float?"), 4, "must be a list"),
        (("origin: {document: faq-cards, line: 3}\n", ""), 1, "'origin' is missing"),
        (("edition: core-1.4", "editions: core-1.4"), 12, "unknown key"),
    ],
)
def test_a_wrong_ruling_says_file_line_and_fix(tmp_path: Path, change: tuple[str, str], line: int, said: str) -> None:
    path = ruling_file(tmp_path, RULING.replace(*change))
    with pytest.raises(DataError) as caught:
        load_ruling(path)
    message = str(caught.value)
    assert message.startswith(f"{path}:{line}:"), message
    assert said in message
    assert "\n" not in message


def rules_folder(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / "core-9.9" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def test_rules_of_several_files_come_in_order_and_missing_ones_as_not_restated(tmp_path: Path) -> None:
    files = {
        "2.txt": "# Two\n200. Boats\n",
        "1.txt": "100. Ships\n100.1. Float.\n",
        "numbers.tsv": "100\n100.1\n100.2\n200\n",
    }
    book = load_rules("core-9.9", rules_folder(tmp_path, files))
    assert list(book.rules) == ["100", "100.1", "100.2", "200"]
    assert book["100.2"].text == NOT_RESTATED
    assert not book["100.2"].restated
    assert book["100"].heading
    assert book.children("100") == ("100.1", "100.2")
    assert book["100.1"].line == 2


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"1.txt": "100. Ships\n", "2.txt": "100. Ships\n"}, r"2\.txt:1: 100 also stands in"),
        ({"1.txt": "100. Ships\nThey float.\n"}, r"1\.txt:2: .*indent by four spaces"),
        ({"1.txt": "100. Ships\n", "numbers.tsv": "200\n"}, r"100 is not in the list of numbers"),
        ({"1.txt": "100. Ships\n", "numbers.tsv": "100\n100\n"}, r"numbers\.tsv:2: 100 also stands on line 1"),
        ({"1.txt": ""}, r"the file is empty"),
    ],
)
def test_wrong_rules_say_where(tmp_path: Path, files: dict[str, str], said: str) -> None:
    with pytest.raises(DataError, match=said):
        load_rules("core-9.9", rules_folder(tmp_path, files))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Ark:\n  type: Boat\n", "2: 'Boat' is not a card type"),
        ("Ark: {type: Unit, mihgt: 3}\n", "Did you mean 'might'"),
        ("Ark: {type: Unit, might: much}\n", "whole number"),
        ("Ark:\n", "Ark has no facts"),
        ("Ark: {type: Unit, errata: maybe}\n", "true or false"),
    ],
)
def test_wrong_card_facts_say_where(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards" / "SEA.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=said):
        load_cards(tmp_path)


def test_one_way_of_saying_cannot_mean_two_terms(tmp_path: Path) -> None:
    text = "terms:\n  - {term: Ship, means: floats, says: [boat]}\n  - {term: Raft, means: too, says: [Boat]}\n"
    (tmp_path / "glossary.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match="'Boat' is said of 'Ship' and of 'Raft'"):
        load_glossary(tmp_path)
