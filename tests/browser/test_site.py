"""The exported site, opened from a file with the network off."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

Look = Callable[[str], None]
QUESTIONS = (
    "stunned defender survives combat",
    "countering a spell that targets my unit",
    "deck runs out point",
    "playing from hidden",
    "burning runes recycled trash",
)


@pytest.fixture(scope="session")
def site(server: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An export of the store that the app uses."""
    from kb.app import shop
    from kb.export.site import LIMIT, export_site

    folder = tmp_path_factory.mktemp("site")
    made = export_site(shop.reading(), folder, lambda *said: None)
    assert made["bytes"] < LIMIT
    assert made["pages"]["ruling"] >= 100 and made["pages"]["rule"] > 3000
    return folder


@pytest.fixture
def offline(page: Page, site: Path) -> Page:
    page.context.set_offline(True)
    page.goto((site / "index.html").as_uri())
    page.wait_for_selector(".examples a")
    return page


def test_it_is_searched_and_replayed_without_a_network(offline: Page, look: Look) -> None:
    look("site-home")
    offline.fill("#box", "I ran out of cards, do I get the point?")
    offline.wait_for_selector(".rows a")
    look("site-search")
    offline.locator("a[href='?ruling=burn-out-who-scores']").first.click()
    offline.wait_for_selector(".claims")
    look("site-ruling")
    offline.locator("a.act:has-text('Replay')").first.click()
    offline.wait_for_selector(".replay[data-at] svg")
    offline.keyboard.press("End")
    look("site-replay")
    offline.go_back()
    offline.wait_for_selector(".claims")
    offline.go_back()
    offline.wait_for_selector(".rows a")


@pytest.mark.parametrize(("said", "sign"), [("431.2.c", "h1.number"), ("Zhonya's Hourglass", "h1.title")])
def test_numbers_and_cards_open_at_once(offline: Page, said: str, sign: str) -> None:
    offline.fill("#box", said)
    offline.wait_for_selector(sign)


def test_it_finds_what_the_store_finds_by_words(offline: Page) -> None:
    from kb.app import shop
    from kb.search.index import Index
    from kb.search.words import STOP

    con = shop.reading()
    index = Index(con)
    for question in QUESTIONS:
        words = [word for word in question.split() if word not in STOP]
        scores = index.lexical(words, ("rule", "ruling"))
        best = sorted(scores, key=lambda target: (-scores[target], target))[:8]
        found = offline.evaluate("said => kbSite.search(said, 12).map(one => one[1])", question)
        missing = [index.targets[target].id for target in best if index.targets[target].id not in found]
        assert len(missing) <= 1, (question, missing)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("stuned defnder survives comabt", "stunned defender survives combat"),
        ("burning out recyles my trsah", "burning out recycles my trash"),
    ],
)
def test_typing_errors_are_mended(offline: Page, wrong: str, right: str) -> None:
    found = [offline.evaluate("said => kbSite.search(said, 8).map(one => one[1])", said) for said in (wrong, right)]
    assert found[0] and found[0] == found[1]


def test_a_misspelt_card_opens(offline: Page) -> None:
    offline.fill("#box", "zhonyas hourglas")
    offline.wait_for_selector('h1.title:has-text("Zhonya\'s Hourglass")')


def test_distances_count_swapped_letters_once(offline: Page) -> None:
    from rapidfuzz.distance import OSA

    pairs = [("comabt", "combat"), ("kitten", "sitting"), ("abcd", "badc"), ("focus", "focus"), ("ca", "abc")]
    made = offline.evaluate("pairs => pairs.map(p => kbSite.distance(p[0], p[1], 9))", pairs)
    assert made == [OSA.distance(*pair) for pair in pairs]


def test_words_are_stemmed_as_the_index_stems_them(offline: Page) -> None:
    from kb.app import shop

    texts = " ".join(row[0] for row in shop.reading().execute("SELECT text FROM passage LIMIT 1500"))
    words = sorted(
        {word for word in "".join(c if c.isalpha() else " " for c in texts.lower()).split() if word.isascii()}
    )
    con = sqlite3.connect(":memory:")
    con.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize='porter unicode61 remove_diacritics 2')")
    con.execute("CREATE VIRTUAL TABLE v USING fts5vocab('t', 'instance')")
    con.execute("INSERT INTO t VALUES (?)", (" ".join(words),))
    wanted = [row[0] for row in con.execute("SELECT term FROM v ORDER BY offset")]
    made = offline.evaluate("words => words.map(kbSite.stem)", words)
    wrong = [(word, want, got) for word, want, got in zip(words, wanted, made, strict=True) if want != got]
    assert not wrong, wrong[:10]


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("Yasuo", "Yasuo can mean 3 cards"),
        ("999.9", "Core Rules 1.4 has no rule 999.9."),
        ("466.1.a.9", "Perhaps: 466.1.a"),
        ("does Defy counter a spell that costs 5", "Card: Defy"),
    ],
)
def test_names_with_several_cards_and_numbers_without_a_rule_get_a_sentence(
    offline: Page, said: str, words: str
) -> None:
    offline.fill("#box", said)
    expect(offline.locator("#main")).to_contain_text(words)


def test_a_heading_opens_its_section_and_other_pages_are_told_to_be_elsewhere(offline: Page, site: Path) -> None:
    offline.fill("#box", "tank")
    offline.wait_for_selector("h1.number:has-text('815')")
    offline.goto((site / "index.html").as_uri() + "#?page=try")
    expect(offline.locator(".note")).to_contain_text("in the app on a computer")
