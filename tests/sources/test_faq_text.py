"""FAQ paragraphs come apart into statement, sequence and nuances, whatever their form."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from kb.errors import InputError
from kb.sources.faq_text import FaqDocument, looks_like_faq, parse_faq, parse_paragraph, read_faq


def test_marks_and_dashes() -> None:
    found = parse_paragraph("Ruling: Ships sink - mostly. Sequence: - Hole - Water comes in Nuances: - Not rafts", 3)
    assert found.statement == "Ships sink - mostly."
    assert [step.text for step in found.sequence] == ["Hole", "Water comes in"]
    assert [step.text for step in found.nuances] == ["Not rafts"]


def test_numbered_steps_keep_their_label() -> None:
    found = parse_paragraph("Ruling: Ships sink. Sequence: 1. Hole in 2 places 2. Water Nuances: - Not rafts", 3)
    assert [(step.label, step.text) for step in found.sequence] == [("1", "Hole in 2 places"), ("2", "Water")]


def test_bold_headings_stand_above_their_items() -> None:
    found = parse_paragraph("When a ship sinks: **At first:** 1. Hole 2. Water **Key Idea:** Rafts float.", 3)
    assert found.statement == "When a ship sinks:"
    assert [(step.heading, step.label, step.text) for step in found.sequence] == [
        ("At first", "1", "Hole"),
        ("At first", "2", "Water"),
    ]
    assert [(step.heading, step.text) for step in found.nuances] == [("Key Idea", "Rafts float.")]


def test_a_paragraph_without_any_mark_is_a_statement() -> None:
    found = parse_paragraph("Ships sink. Note: Rafts float.", 3)
    assert (found.statement, [step.text for step in found.nuances]) == ("Ships sink.", ["Rafts float."])


def test_a_title_is_no_ruling_and_lines_count_from_the_file() -> None:
    found = parse_faq("Ships, often asked\n\nRuling: They float.\n\nRuling: They\nsink.\n", "faq-ships", "ships.txt")
    assert found.title == "Ships, often asked"
    assert [(ruling.line, ruling.statement) for ruling in found.rulings] == [(3, "They float."), (5, "They sink.")]


def test_a_file_without_rulings_is_refused() -> None:
    with pytest.raises(InputError, match="no ruling was found"):
        parse_faq("Ships, often asked", "faq-ships", "ships.txt")


def test_faq_and_rules_are_told_apart() -> None:
    assert looks_like_faq("Ruling: They float.")
    assert not looks_like_faq("100\tShips\n101\tBoats")


@pytest.fixture(scope="module", params=["faq-cards", "faq-rules"])
def document(request: pytest.FixtureRequest, sources: Path) -> FaqDocument:
    return read_faq(sources / f"{request.param}.txt", request.param)


def test_each_document_gives_fifty_rulings_on_their_lines(document: FaqDocument) -> None:
    assert [ruling.line for ruling in document.rulings] == list(range(3, 102, 2))
    assert all(ruling.statement for ruling in document.rulings)


def test_no_word_of_a_paragraph_is_lost(document: FaqDocument) -> None:
    for ruling in document.rulings:
        marks = r"\*\*|\b(?:Ruling|Sequence|Nuances|Note):"
        theirs = Counter(re.findall(r"\w+", re.sub(marks, " ", ruling.text)))
        steps = [*ruling.sequence, *ruling.nuances]
        headings = dict.fromkeys(step.heading for step in steps)
        pieces = [ruling.statement, *headings, *(f"{step.label} {step.text}" for step in steps)]
        assert Counter(re.findall(r"\w+", " ".join(pieces))) == theirs, ruling.line
