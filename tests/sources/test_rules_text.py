"""One parser for every layout of numbered rules."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from kb.errors import DuplicateId, InputError
from kb.sources.rules_text import RulesDocument, find_layout, parse_rules, read_rules

TABBED = "100\tShips\n100.1\tShips float.\n100.1.a\tRafts too. Example: The raft.\n100.2\t1. Row.\n"
COMPACT = "Sail\n\n100.1.Ships float.\n\n100.1.a.Rafts too.\n\nExample: The\nraft.\n\n100.2.1. Row.\n\n100.2.a.Far.\n"
SPACED = "# Ships\n100. Ships\n100.1. Ships float.\n100.1.a. Rafts too.\n    Example: The raft.\n100.2. 1. Row.\n"


def read(text: str) -> RulesDocument:
    return parse_rules(text, "core-9.9", "ships.txt")


@pytest.mark.parametrize(
    ("text", "layout"), [(TABBED, "tab"), (COMPACT, "compact"), (SPACED, "spaced"), ("Ships", None)]
)
def test_the_layout_is_told_by_most_lines(text: str, layout: str | None) -> None:
    assert find_layout(text.split("\n")) == layout


@pytest.mark.parametrize("text", [TABBED, COMPACT, SPACED])
def test_every_layout_gives_the_same_rules(text: str) -> None:
    book = read(text).book
    assert book["100.1"].statement == "Ships float."
    assert book["100.1.a"].examples == ("Example: The raft.",)
    assert book["100.2"].step == "1"
    assert book["100.2"].statement == "Row."


def test_a_trailing_numeral_that_breaks_the_alternation_is_a_step_label() -> None:
    found = read("466.1.Sail.\n466.1.1. Row.\n466.1.a.Far.\n".replace("466.1.Sail.\n", ""))
    assert list(found.book.rules) == ["466.1", "466.1.a"]
    assert found.book["466.1"].text == "1. Row."
    assert [finding.kind for finding in found.findings if finding.number == "466.1"] == ["step-label"]


def test_a_step_label_that_fits_the_alternation_is_told_by_its_missing_parent() -> None:
    found = read(
        "464.2.a.Sail.\n464.2.b.1. Row.\n464.2.b.1.Far.\n464.2.c.2. Rest.\n464.3.Land.\n464.2.Ships\n464.Boats\n"
    )
    assert found.book["464.2.b"].text == "1. Row."
    assert found.book["464.2.b.1"].text == "Far."
    assert found.book["464.2.c"].text == "2. Rest."


def test_numbers_in_front_of_a_statement_stay_in_it() -> None:
    book = read("103.3.a.12 oars\n485.2.1v1 1 opponent each\n602.3.a.602.1.a. The rest.\n").book
    assert {number: rule.text for number, rule in book.rules.items()} == {
        "103.3.a": "12 oars",
        "485.2": "1v1 1 opponent each",
        "602.3.a": "602.1.a. The rest.",
    }


def test_a_missing_heading_and_text_before_the_first_number_are_reported() -> None:
    kinds = Counter(finding.kind for finding in read(COMPACT).findings)
    assert kinds == {"unplaced": 1, "rejoined": 1, "step-label": 1, "missing-heading": 1}


def test_a_number_that_stands_twice_is_an_error_with_both_lines() -> None:
    with pytest.raises(DuplicateId, match=r"ships\.txt:2: 100 stands here and on line 1"):
        read("100\tShips.\n100\tBoats.\n")


def test_a_text_without_rules_is_refused() -> None:
    with pytest.raises(InputError, match="no line starts with a rule number"):
        read("Ships float.\nBoats too.")


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"%PDF-1.7 x", "PDF"),
        (b"100\tA\0", "not a text"),
        (b"100\t\xff\xfe.", "UTF-8"),
    ],
)
def test_a_file_that_cannot_be_rules_is_refused_in_one_sentence(tmp_path: Path, raw: bytes, said: str) -> None:
    path = tmp_path / "rules.txt"
    path.write_bytes(raw)
    with pytest.raises(InputError, match=said):
        read_rules(path, "core-9.9")


def test_a_byte_order_mark_and_windows_line_ends_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "rules.txt"
    path.write_bytes("\ufeff100. Ships\r\n100.1. Ships float.\r\n".encode())
    assert list(read_rules(path, "core-9.9").book.rules) == ["100", "100.1"]


@pytest.fixture(scope="module")
def edition(sources: Path) -> RulesDocument:
    return read_rules(sources / "core-rules-1.4.tsv", "core-1.4")


@pytest.fixture(scope="module")
def excerpt(sources: Path) -> RulesDocument:
    return read_rules(sources / "core-rules-1.4-excerpt-400-489.txt", "core-1.4")


def test_all_numbers_of_the_edition_come_out_once(edition: RulesDocument) -> None:
    assert len(edition.book) == 2381
    assert not edition.findings


def test_no_word_of_the_edition_is_lost(edition: RulesDocument, sources: Path) -> None:
    for row in (sources / "core-rules-1.4.tsv").read_text(encoding="utf-8").splitlines():
        number, text = row.split("\t", 1)
        assert edition.book[number].text.split() == text.split()


def test_all_numbers_of_the_excerpt_come_out_once(excerpt: RulesDocument) -> None:
    kinds = Counter(finding.kind for finding in excerpt.findings)
    assert len(excerpt.book) == 620
    assert kinds["step-label"] == 15
    assert kinds["unplaced"] == 1  # the page's own name
    assert not kinds["missing-parent"]


def test_the_excerpt_says_what_the_edition_says(edition: RulesDocument, excerpt: RulesDocument) -> None:
    for rule in excerpt.book:
        assert rule.text.replace("’", "'").split() == edition.book[rule.number].text.replace("’", "'").split()


def test_no_word_of_the_excerpt_is_lost(excerpt: RulesDocument, sources: Path) -> None:
    """Words of the page against numbers and words of the rules, the page's own name apart."""
    page = Counter((sources / "core-rules-1.4-excerpt-400-489.txt").read_text(encoding="utf-8").split())
    ours = Counter(["Learn", "Riftbound"])
    for rule in excerpt.book:
        first, *rest = rule.text.split()
        number = f"{rule.number}.{first}"
        ours.update([number, *rest])
    assert page == ours


@pytest.mark.parametrize(
    ("name", "count"),
    [("core-rules-1.1.tsv", 1614), ("core-rules-1.2.tsv", 1770), ("core-rules-1.3.tsv", 2087),
     ("tournament-rules-2026-07-16.tsv", 935), ("tournament-rules-2026-04-29.tsv", 885)],
)  # fmt: skip
def test_other_documents_parse_whole(sources: Path, name: str, count: int) -> None:
    assert len(read_rules(sources / name, "core-9.9").book) == count


def test_every_layout_of_the_edition_parses_alike(edition: RulesDocument) -> None:
    """The edition written in our own layout and as on the page gives the same rules."""
    for form in ("{}. {}", "{}.{}"):
        text = "\n".join(form.format(rule.number, rule.text) for rule in edition.book)
        again = parse_rules(text, "core-1.4", "again.txt").book
        assert {rule.number: rule.text for rule in again} == {rule.number: rule.text for rule in edition.book}
