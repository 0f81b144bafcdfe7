"""What the app calls things, and sentences in which references are links."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kb.app.views.parts import prose
from kb.app.words import FINDINGS, SHORT, called, changed_words, standing_badge

CHANGE = "core-1.3:481.5 -> core-1.4:486.5.a: every battlefield was out; now only after a win (c9, c10)"


def test_a_change_between_editions_is_a_sentence() -> None:
    assert changed_words(CHANGE) == (
        "Every battlefield was out; now only after a win (Core Rules 1.3, 481.5; now core-1.4:486.5.a)."
    )
    assert "(c9, c10)" in changed_words(CHANGE, claims=True)
    assert changed_words("only words") == "only words"


def test_references_in_prose_are_links_where_there_is_a_page() -> None:
    said = prose("It is so (core-1.4:431.2.c), it was not (core-1.3:481.5) <b>")
    assert '<a href="?rule=core-1.4%3A431.2.c" class="num">431.2.c</a>' in said
    assert "Core Rules 1.3, 481.5" in said and "core-1.3" not in said and "<b>" not in said


@pytest.mark.parametrize("standing", [*SHORT, "something new"])
def test_every_standing_has_words_and_a_sign(standing: str) -> None:
    badge = standing_badge({"standing": standing, "scenarios": ["one"], "review": {"changed_since": CHANGE}})
    assert badge.words and badge.sign and "->" not in badge.words and "core-" not in badge.words


def test_every_finding_of_an_import_has_a_heading() -> None:
    told = (Path(__file__).parents[2] / "docs" / "import-findings.md").read_text(encoding="utf-8")
    kinds = {kind for line in told.splitlines() if line.startswith("## ") for kind in re.findall(r"`([\w-]+)`", line)}
    assert len(kinds) > 20 and kinds == set(FINDINGS)


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ("core-1.3", "Core Rules 1.3"),
        ("cards", "card texts"),
        ("redline-core-1.3-core-1.4", "redline from Core Rules 1.3 to Core Rules 1.4"),
        ("faq-cards", "community rulings on cards"),
    ],
)
def test_documents_go_by_what_people_call_them(document: str, words: str) -> None:
    assert called(document) == words
