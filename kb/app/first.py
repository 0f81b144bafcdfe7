"""The first page in the HTML itself: what an address shows is read before the scripts of the page have loaded.

A browser takes seconds to load the scripts that draw the app, a phone on a hall's network more; the answer is a matter
of a tenth of a second. So the server sends page and answer in one go, with a plain search box that works without any
script. When the app has drawn the same page, it takes over: scroll, open details and what was typed move across.

Pages that are worked with (trying a position, the desk, import, replays) have no first page.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from urllib.parse import parse_qsl

import streamlit
from starlette.responses import StreamingResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from kb.app import shop
from kb.app.address import Address, parse
from kb.app.main import current, draw, title
from kb.app.markup import Html, join, tag
from kb.app.pages.ask import LABEL, PLACEHOLDER
from kb.app.screen import asset, collected, foot, topbar
from kb.app.words import dates_line
from kb.records import dates, one_look

KINDS = frozenset({"", "q", "rule", "ruling", "card"})
"""Kinds of address that have a first page."""

PATIENCE = 1.5
"""Seconds that a page, and the app with it, waits for what it shows at most; the app shows it in any case."""

LONGEST = 1500
"""As many characters the plain box takes: a server reads no request line without end."""

INDEX = Path(streamlit.__file__).parent / "static" / "index.html"
ROOT, TITLE = '<div id="root"></div>', "<title>Riftbound rulings</title>"
LAZY = ("TextInput", "BidiComponent", "Html")
"""Scripts that the app's frame asks for only once it runs, though every page of ours needs them."""

log = logging.getLogger(__name__)
_pool = ThreadPoolExecutor(max_workers=8, thread_name_prefix="first")  # they only wait


class FirstPage:
    """ASGI middleware: a page that is asked for comes with what it shows; everything else passes."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request for the page itself where it has a first page."""
        if scope["type"] != "http" or scope["method"] != "GET" or scope["path"] != "/":
            await self._app(scope, receive, send)
            return
        asked = dict(parse_qsl(scope["query_string"].decode("utf-8", "replace"), errors="replace"))
        address = parse(asked)
        pieces = frame()
        if address.kind not in KINDS or pieces is None:
            await self._app(scope, receive, send)
            return
        made = asyncio.get_running_loop().run_in_executor(_pool, first_page, address)
        response = StreamingResponse(
            parts(address, pieces, made), media_type="text/html", headers={"Cache-Control": "no-cache"}
        )
        await response(scope, receive, send)


async def parts(address: Address, pieces: tuple[str, str], made: asyncio.Future[Html]) -> AsyncIterator[str]:
    """The page in two portions: what lets the browser load the app, and what the address shows."""
    head, rest = pieces
    yield head.replace(TITLE, tag("title", title(address)), 1)
    try:
        yield await asyncio.wait_for(made, PATIENCE)
    except TimeoutError:
        log.warning("The first page of %s took longer than %s seconds.", address.kind or "the app", PATIENCE)
    except Exception:
        # The app draws the same page and tells there what is wrong; without this it would not even load.
        log.exception("The first page of %s could not be made.", address.kind or "the app")
    yield rest


@lru_cache(maxsize=1)
def frame() -> tuple[str, str] | None:
    """Streamlit's own page in two pieces, between which the first page stands; None where it is not as it is known.

    What every page of ours needs is loaded early. Scripts run once the page is there, and do not hold it up.
    """
    page = INDEX.read_text(encoding="utf-8")
    page = re.sub("<title>.*?</title>", TITLE, page, count=1)
    page = re.sub("<noscript>.*?</noscript>", "", page, count=1, flags=re.DOTALL)
    page = page.replace("</head>", "".join(early()) + "</head>", 1)
    head, root, rest = page.partition(ROOT)
    return (head + root, rest) if root and TITLE in head else None


@lru_cache(maxsize=1)
def early() -> tuple[str, ...]:
    """Hints to load what the app's frame would ask for late."""
    found = (path for name in LAZY for path in sorted(INDEX.parent.glob(f"static/js/{name}.*.js")))
    return tuple(tag("link", rel="modulepreload", crossorigin=True, href=f"./static/js/{path.name}") for path in found)


def first_page(address: Address) -> Html:
    """What an address shows, as the app would draw it; nothing while the store is not current."""
    if not shop.is_current():
        return Html()
    with collected() as shown, one_look():
        draw(address)
        shown.append(tag("div", foot(dates_line(dates(shop.reading()))), cls="kb"))
    bar = tag("div", topbar(current(address)), cls="kb")
    style = Html(f"<style>{asset('style.css')}{asset('first.css')}</style>")
    script = Html(f"<script>{asset('first.js')}</script>")
    return tag("div", style, tag("div", bar, box(address), join(shown), cls="page"), script, id="first")


def box(address: Address) -> Html:
    """The box as a form that needs no script."""
    said = address.value if address.kind == "q" else ""
    field = tag(
        "input", type="search", name="q", value=said, placeholder=PLACEHOLDER, aria_label=LABEL, autocomplete="off",
        maxlength=LONGEST, autofocus=address.kind == "",
    )  # fmt: skip
    return tag("form", field, role="search", action="./", method="get")
