"""A rule's text is cut into parts and nothing is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.model import PartKind
from kb.sources.parts import is_heading, split_parts


def kinds(text: str) -> list[str]:
    return [part.kind.value for part in split_parts(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ships float.", ["statement"]),
        ("3a. Ships sink.", ["step", "statement"]),
        ("12 oars belong to a ship.", ["statement"]),
        ("Ships float. Example: The Ark. Example: A raft.", ["statement", "example", "example"]),
        ("Ships float. e.g., “Row” moves one. e.g., Rafts.", ["statement", "example", "example"]),
        ("Ships (e.g. rafts) float.", ["statement"]),
        ("Ships float. See rule 431 (Burn Out).", ["statement", "pointer"]),
        ("Ships float. See rule 431. Burn Out for more information.", ["statement", "pointer"]),
        ("Ships float. See 108.6. Banishment for more information. Too.", ["statement", "pointer", "statement"]),
        ("Ships float. Reminder: wood floats. Note (ours): Iron too.", ["statement", "reminder", "note"]),
        ("Oars, see 603.7.", ["statement"]),
    ],
)  # fmt: skip
def test_a_text_falls_into_its_parts(text: str, expected: list[str]) -> None:
    assert kinds(text) == expected


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("Oars. See rule 740.2.a.", ("740.2.a",)),
        ("Oars. See rule 349. Playing Ships for more information on ships. See rule 337 (Row).", ("349", "337")),
        ("Oars. See rules 349 and 350.2.", ("349", "350.2")),
        ("Oars. See CR 128. Privacy for information types.", ("128",)),
        ("Oars. See rule 447.2. For more information on valid places.", ("447.2",)),
    ],
)
def test_a_pointer_names_its_targets(text: str, targets: tuple[str, ...]) -> None:
    found = [target for part in split_parts(text) for target in part.targets]
    assert tuple(found) == targets
    assert {part.kind for part in split_parts(text)} == {PartKind.STATEMENT, PartKind.POINTER}


pieces = st.sampled_from(
    ["Example:", "Examples:", "e.g.,", "Reminder:", "See rule 431.2.c.", "See rule 12.", "Note (ours):", "1.", "3a.",
     "Ships", "float.", "(so they say)", "“Row,”", "for more information.", "See", "431"]
)  # fmt: skip


@given(st.lists(pieces, max_size=20))
def test_the_words_of_the_parts_are_the_words_of_the_text(words: list[str]) -> None:
    text = " ".join(words)
    assert " ".join(part.text for part in split_parts(text)).split() == text.split()


@pytest.mark.parametrize(("text", "expected"), [("Deck Building", True), ("1v1 (Duel)", True), ("2. Arithmetic", True),
                                                ("Ships float.", False), ("Ships do this:", False),
                                                ("Ships Example: A raft.", False)])  # fmt: skip
def test_a_heading_is_short_and_has_no_full_stop(text: str, expected: bool) -> None:
    assert is_heading(split_parts(text)) is expected
