"""Readers for what people really have: nothing is lost, furniture goes, numbers are found again."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from kb.errors import InputError
from kb.load import load_rules
from kb.sources.detached import read_detached
from kb.sources.gaps import find_swallowed
from kb.sources.html_text import read_html
from kb.sources.markdown_text import unmarked
from kb.sources.reading import parse_any, read_rules_file
from kb.sources.rules_text import RulesDocument, parse_rules
from kb.sources.tidy import decode, tidy
from kb.sources.words import plain
from tests.documents.pages import write_pdf

HTML = """<!doctype html><html><head><title>x</title><style>p{}</style></head><body><h1>Made-up Rules</h1>
<ol><li><p>100. Ships</p><ol><li>100.1. Ships &ldquo;float&rdquo; on&nbsp;water.<p>Example: The raft.</p></li>
<li>100.1.a. Rafts <b>too</b>.</li></ol></li></ol><script>var a = "100.9. No.";</script></body></html>"""
MARKDOWN = """# Made-up Rules

## 100. Ships

**100.1.** Ships *float* on [water](https://example.org/water),
unless holed.

> Example: The raft.

- 100.1.a. Rafts too.
* * *
"""
WRAPPED = """Made-up Rules of the Sea

100. Ships
100.1. Ships float on water unless they are holed by a rock or by another ship, see rule
101. Boats for more information on that and on a number of other things that matter
for anyone who sails.
100.1.a. Rafts float as well, and so does everything else that is lighter than the wa-
ter which it pushes aside, whatever the captain thinks about it or says to
the crew.
101. Boats
101.1. Boats are small ships without a captain, and the crew elects one of its own for as
long as the boat is out at sea.
101.2. They drift when nobody rows, which is what crews do when they are not watched by
anyone from the ship.
"""


def texts(found: RulesDocument) -> dict[str, str]:
    return {rule.number: rule.text for rule in found.book}


def test_a_web_page_gives_its_visible_text() -> None:
    found = parse_any(HTML, "core-9.9", "ships.html")
    assert texts(found) == {
        "100": "Ships", "100.1": "Ships “float” on water. Example: The raft.", "100.1.a": "Rafts too.",
    }  # fmt: skip
    assert [one.kind for one in found.findings] == ["unplaced"]
    assert found.words_in == found.words_out + found.words_aside


def test_struck_out_text_is_not_text() -> None:
    assert [row.text for row in read_html("<p>100. Boats <del>and ships</del> float</p>").rows] == ["100. Boats float"]


def test_markdown_loses_its_marks_and_no_word() -> None:
    found = parse_any(MARKDOWN, "core-9.9", "ships.md")
    assert texts(found)["100.1"] == "Ships float on water, unless holed. Example: The raft."
    assert texts(found)["100.1.a"] == "Rafts too."
    assert found.words_in == found.words_out + found.words_aside


@pytest.mark.parametrize(
    ("marked", "said"), [("**a** _b_", "a b"), (r"2 \* 3", "2 * 3"), ("`x` y", "x y"), ("[M] unit", "[M] unit")]
)
def test_marks_are_taken_off(marked: str, said: str) -> None:
    assert unmarked(marked) == said


def test_wrapped_text_is_joined_and_a_pointer_at_the_line_start_is_no_rule() -> None:
    found = parse_any(WRAPPED, "core-9.9", "ships.txt")
    assert list(found.book.rules) == ["100", "100.1", "100.1.a", "101", "101.1", "101.2"]
    assert "see rule 101. Boats for more" in texts(found)["100.1"]
    assert "the water which" in texts(found)["100.1.a"]
    assert found.words_in == found.words_out + found.words_aside


def test_typesetting_goes_and_words_stay() -> None:
    assert tidy("ﬁnal e\u00adffect\u00a0“x”\u200b") == "final effect “x”"
    assert decode("100. “Ships”".encode("cp1252"), "f") == ("100. “Ships”", "windows-1252")
    assert decode("\ufeff100. Ships".encode("utf-16-le"), "f")[0] == "100. Ships"
    with pytest.raises(InputError, match="not UTF-8"):
        decode(b"100\t\xff\xfe.", "f")


def test_swallowed_numbers_and_holes_are_noticed() -> None:
    text = "100\tShips\n100.1\tShips float. 100.2 Boats too.\n100.3\tSee rule 100.4 Rafts.\n100.5\tEnd.\n"
    found = find_swallowed(parse_rules(text, "core-9.9", "ships.tsv").book.rules)
    assert [(one.kind, one.number) for one in found] == [("swallowed", "100.2"), ("missing-sibling", "100.4")]


DETACHED = """000.   Ships
                                  Last year
001.        Golden Rule
002.
            Card text wins over what stands here, wherever the two of them say something different of
            a thing.

100.        Boats
100.1.
100.2.                  Boats are small.
100.2.a.
                        They drift.
                                   Example: One drifts.

                                    Not far, though.
"""


def test_numbers_apart_from_their_text_are_joined_by_order_and_level() -> None:
    text = DETACHED.replace("                                  Last year\n", "")
    found = read_detached(text, "core-9.9", "ships.txt")
    assert texts(found)["001"] == "Golden Rule"
    assert texts(found)["002"].endswith("different of a thing.")
    assert texts(found)["100.2"] == "They drift. Example: One drifts."
    assert texts(found)["100.2.a"] == "Not far, though."
    assert found.words_in == found.words_out + found.words_aside


@pytest.mark.parametrize("inline", [False, True])
def test_a_pdf_is_read_back_word_for_word(tmp_path: Path, inline: bool) -> None:
    rules = [(rule.number, rule.text) for rule in load_rules("core-1.4") if "350" <= rule.number[:3] < "385"]
    path = tmp_path / "rules.pdf"
    write_pdf(path, rules, inline=inline)
    found = read_rules_file(path, "core-1.5")
    assert {number: plain(text) for number, text in rules} == {n: plain(text) for n, text in texts(found).items()}
    assert found.words_in == found.words_out + found.words_aside
    assert {one.kind for one in found.findings} == {"furniture"}


def test_a_pdf_without_text_or_in_pieces_is_refused_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "scan.pdf"
    write_pdf(path, [])
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(InputError, match="PDF"):
        read_rules_file(path, "core-1.5")


@pytest.mark.parametrize(
    ("name", "rules", "noticed"),
    [
        ("core-rules-1.0-pdf-layout.txt", 1363, {"detached": 1}),
        ("core-rules-1.1.tsv", 1614, {"swallowed": 2}),
        ("core-rules-1.2.tsv", 1770, {"swallowed": 11}),
        ("core-rules-1.3.tsv", 2087, {"swallowed": 2}),
        ("core-rules-1.4.tsv", 2381, {}),
        ("core-rules-1.4-excerpt-400-489.txt", 620, {"step-label": 15, "unplaced": 1}),
        ("tournament-rules-2026-04-29.tsv", 885, {}),
        ("tournament-rules-2026-07-16.tsv", 935, {"out-of-order": 1}),
    ],
)
def test_every_edition_is_read_with_every_word_accounted_for(
    sources: Path, name: str, rules: int, noticed: dict[str, int]
) -> None:
    found = read_rules_file(sources / name, "core-9.9")
    kinds = Counter(one.kind for one in found.findings)
    assert len(found.book) == rules
    assert found.words_in == found.words_out + found.words_aside
    assert not kinds["words-differ"]
    assert {kind: kinds[kind] for kind in noticed} == noticed


def test_the_numbers_that_1_3_has_lost_are_named(sources: Path) -> None:
    found = read_rules_file(sources / "core-rules-1.3.tsv", "core-1.3")
    assert [one.number for one in found.findings if one.kind == "swallowed"] == ["461.4", "461.7.b"]


def test_pointers_of_1_0_lead_to_rules_of_that_name(sources: Path) -> None:
    """The numbers of 1.0 stand apart from its text; its own pointers tell whether they were joined well."""
    import re

    book = read_rules_file(sources / "core-rules-1.0-pdf-layout.txt", "core-1.0").book
    told = [
        title.lower() in book[number].text.lower()
        for rule in book
        for number, title in re.findall(r"See rule (\d{3}(?:\.\w+)*)\. ([A-Z][A-Za-z ]+?) for more", rule.text)
        if number in book
    ]
    assert len(told) > 70
    assert sum(told) >= 0.92 * len(told)
