"""The first page: what an address shows comes with the page itself, before any script."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from kb.app import asking, first, shop
from kb.app.address import Address
from kb.app.markup import Html
from kb.app.server import places

PASSED = "the app itself"


def served(query: str = "", path: str = "/", method: str = "GET", kind: str = "http") -> str:
    """What the server sends for a request; ``PASSED`` where it leaves the request to Streamlit."""
    sent: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        sent.append(PASSED)

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(60)
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message.get("body", b"").decode())

    scope = {"type": kind, "method": method, "path": path, "query_string": query.encode(), "asgi": {}}
    asyncio.run(first.FirstPage(app)(scope, receive, send))
    return "".join(sent)


def asked(**params: str) -> str:
    return served(urlencode(params))


pytestmark = pytest.mark.usefixtures("full_store")


def test_a_question_comes_with_its_answer_and_a_box_that_needs_no_script() -> None:
    page = asked(q="I ran out of cards, do I get the point?")
    assert '<div id="root"></div><div id="first">' in page
    assert '<p class="verdict no">No</p>' in page
    assert '<form role="search" action="./" method="get">' in page
    assert 'name="q" value="I ran out of cards, do I get the point?"' in page
    assert "<title>I ran out of cards, do I get the point? · Riftbound rulings</title>" in page
    assert page.rstrip().endswith("</html>")


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({}, "For example"),
        ({"rule": "431.2.c"}, '<h1 class="number">431.2.c</h1>'),
        ({"ruling": "burn-out-who-scores"}, "claims"),
        ({"card": "Defy"}, "Defy"),
        ({"rule": "999"}, "has no rule 999."),
        ({"ruling": "no-such-ruling"}, "There is no ruling named"),
        ({"q": "what is the price of a booster"}, 'class="verdict none"'),
    ],
)
def test_what_has_a_first_page(params: dict[str, str], said: str) -> None:
    page = asked(**params)
    assert said in page
    assert 'class="foot"' in page


def test_what_is_asked_is_never_markup() -> None:
    page = asked(q='<script>alert(1)</script>"><img src=x onerror=alert(2)> may a stunned unit attack?')
    assert "<script>alert" not in page
    assert "<img src=x" not in page
    assert "&lt;script&gt;alert(1)" in page


@pytest.mark.parametrize(
    "request_",
    [
        {"query": "page=try"},
        {"query": "scenario=rules/ch466/x"},
        {"path": "/_stcore/health"},
        {"method": "HEAD"},
        {"method": "POST"},
        {"kind": "websocket"},
    ],
)
def test_everything_else_passes(request_: dict[str, str]) -> None:
    assert served(**request_) == PASSED


def test_a_query_that_is_no_text_is_read_as_far_as_it_goes() -> None:
    assert 'id="first"' in served("q=%ff%fe+stunned&&&=&rule")


def test_a_page_that_cannot_be_made_is_told_and_the_app_loads_all_the_same(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(address: Address) -> Html:
        raise ZeroDivisionError(address.kind)

    monkeypatch.setattr(first, "first_page", broken)
    page = asked(rule="431")
    assert '<div id="root"></div>' in page
    assert 'id="first"' not in page
    assert page.rstrip().endswith("</html>")
    assert "ZeroDivisionError" in caplog.text


def test_a_page_that_takes_too_long_is_left_to_the_app(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first, "first_page", lambda address: time.sleep(0.3) or Html("late"))
    monkeypatch.setattr(first, "PATIENCE", 0.01)
    page = asked(rule="431")
    assert "late" not in page
    assert page.rstrip().endswith("</html>")


def test_a_store_that_is_not_current_is_left_to_the_app_which_shows_its_progress(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shop, "is_current", lambda: False)
    page = asked(rule="431")
    assert 'id="first"' not in page
    assert '<div id="root"></div>' in page


def test_a_frame_that_is_not_known_is_left_to_streamlit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<html><head><title>x</title></head><body></body></html>")
    monkeypatch.setattr(first, "INDEX", tmp_path / "index.html")
    first.frame.cache_clear()
    assert asked(rule="431") == PASSED
    first.frame.cache_clear()


def test_nobody_is_told_that_scripts_are_needed() -> None:
    assert "<noscript>" not in asked(rule="431")


def test_who_asks_the_same_meanwhile_waits_for_the_same_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def slow(question: str) -> dict[str, str]:
        made.append(question)
        time.sleep(0.2)
        return {"answer": question}

    monkeypatch.setattr(asking, "_ask", slow)
    with ThreadPoolExecutor(3) as pool:
        replies = list(pool.map(asking.ask, ["once or twice?"] * 3))
    assert made == ["once or twice?"]
    assert replies == [{"answer": "once or twice?"}] * 3
    asking._kept.cache_clear()


@pytest.mark.parametrize(
    ("address", "begins"),
    [("localhost", "http://localhost:8501/"), ("::1", "http://[::1]:8501/"), ("0.0.0.0", "http://localhost:8501/")],
)
def test_the_address_to_open_is_told(address: str, begins: str) -> None:
    found = places(address, 8501)
    assert found[0] == begins
    assert all(one.startswith("http://") and one.endswith(":8501/") for one in found)


def test_scripts_that_every_page_needs_are_named_early() -> None:
    assert len(first.early()) == len(first.LAZY)
    assert all(one in asked() for one in first.early())
