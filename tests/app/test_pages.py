"""Every page and every kind of reply, as Streamlit runs them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.conftest import shown

At = Callable[..., AppTest]
ADDRESSES = [
    {},
    {"q": "I ran out of cards, do I get the point?"},
    {"q": "what is the capital of France"},
    {"q": "431.2.c"},
    {"q": "Zhonya's Hourglass"},
    {"q": "zz"},
    {"rule": "431"},
    {"rule": "core-1.4:431.2.c"},
    {"rule": "tournament-2026-07:408"},
    {"ruling": "burn-out-who-scores"},
    {"card": "Defy"},
    {"scenario": "rulings/burn-out-who-scores"},
    {"page": "rules"},
    {"page": "try"},
    {"page": "desk"},
    {"page": "import"},
]


@pytest.mark.parametrize("address", ADDRESSES, ids=str)
def test_a_page_stands_and_tells_its_edition(at: At, address: dict[str, str]) -> None:
    page = at(**address)
    assert not page.exception and not page.error
    assert "Core Rules 1.4, rules of 2026-07-16" in shown(page)
    assert "not endorsed by the publisher" in shown(page)


def test_a_rule_has_its_parents_children_and_rulings(at: At) -> None:
    said = shown(at(rule="431.2"))
    assert "?rule=core-1.4%3A431&quot;" in said.replace('"', "&quot;") and "431.2.c" in said
    assert "ruling=burn-out-who-scores" in said


def test_an_answer_contradicting_what_people_said_shows_both(at: At) -> None:
    said = shown(at(ruling="burn-out-who-scores"))
    assert "An opponent" in said and "What people said" in said
    assert "scenario=rulings%2Fburn-out-who-scores" in said


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ({"rule": "999"}, "there is no such rule"),
        ({"rule": "no-such"}, "is not a rule number"),
        ({"rule": "x" * 5000}, "is not a rule number"),
        ({"ruling": "no-such-ruling"}, "there is no"),
        ({"card": "Qqqqq Zzzzz"}, "no card"),
        ({"scenario": "no/such"}, "There is no position"),
        ({"scenario": "../../etc/passwd"}, "There is no position"),
        ({"page": "nowhere"}, "There is no page"),
    ],
    ids=str,
)
def test_a_bad_address_gets_a_sentence(at: At, address: dict[str, str], sentence: str) -> None:
    page = at(**address)
    assert not page.exception
    assert sentence in shown(page)


@pytest.mark.parametrize("key", ["q", "rule", "ruling", "card", "scenario", "page"])
def test_nothing_of_an_address_is_markup(at: At, key: str) -> None:
    page = at(**{key: "<script>alert(1)</script><img src=x onerror=alert(2)>"})
    assert not page.exception
    assert "<script>" not in shown(page) and "<img" not in shown(page)


def test_the_box_answers_and_sets_the_address(at: At) -> None:
    page = at()
    page.text_input(key="box").set_value("431.2.c").run()
    assert not page.exception
    assert page.query_params["q"] in ("431.2.c", ["431.2.c"])
    assert "opponent" in shown(page)


def test_a_very_long_question_is_answered_or_refused(at: At) -> None:
    page = at(q="may I draw a card " * 5000)
    assert not page.exception
