"""The app: reads the address, brings the store up to date, draws the frame and the page.

Pages are functions of an :class:`kb.app.address.Address`. A bad address, a damaged store and bad input are told in one
sentence in place.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module

import streamlit as st

from kb.app import records, shop
from kb.app.address import Address, link, parse, rule_link
from kb.app.pages import ask
from kb.app.screen import ASSETS, dress, foot, progress, put, topbar, wake
from kb.app.views.answer import problem_page
from kb.app.views.parts import shown_number
from kb.app.words import dates_line
from kb.errors import KbError, UnknownId
from kb.ids import RuleRef, document_title, is_number
from kb.records import dates, one_look

PAGES = {
    "": "ask:home",
    "q": "ask:show",
    "rule": "rule:show",
    "ruling": "ruling:show",
    "card": "card:show",
    "scenario": "scenario:show",
}
NAMED = {"rules": "rule:browse", "try": "trying:show", "desk": "desk:show", "import": "importing:show"}
"""Pages as module and function: one that needs the engine is loaded when it is asked for, not before an answer."""


def page_at(place: str) -> Callable[[Address], None]:
    """The function that draws a page."""
    module, _, name = place.partition(":")
    found: Callable[[Address], None] = getattr(import_module(f"kb.app.pages.{module}"), name)
    return found


def main() -> None:
    """One run of the page."""
    address = parse(st.query_params.to_dict())
    st.set_page_config(page_title=title(address), page_icon=str(ASSETS / "icon.svg"), layout="wide")
    dress()
    put(topbar(current(address)))
    try:
        if keep_current():
            said = dates_line(dates(shop.reading()))
            ask.box(address)
            with one_look():
                draw(address)
            put(foot(said))
    except KbError as problem:
        put(problem_page(str(problem)))
    wake()


def title(address: Address) -> str:
    """What the browser calls the page."""
    said = address.value[:60]
    return f"{said} · Riftbound rulings" if said and address.kind != "page" else "Riftbound rulings"


def current(address: Address) -> str:
    """Which entry of the bar the page belongs to."""
    if address.kind == "page":
        return address.value
    return "rules" if address.kind == "rule" else "" if address.kind in ("", "q") else "none"


def draw(address: Address) -> None:
    """The page itself, or one sentence about why there is none."""
    place = NAMED.get(address.value) if address.kind == "page" else PAGES[address.kind]
    if place is None:
        names = [(name, link("page", name)) for name in NAMED]
        put(problem_page(f"There is no page named {address.value[:60]!r}.", names))
        return
    try:
        page_at(place)(address)
    except UnknownId as problem:
        put(problem_page(*unknown(address, problem)))
    except KbError as problem:
        put(problem_page(str(problem)))


def unknown(address: Address, problem: UnknownId) -> tuple[str, list[tuple[str, str]]]:
    """What to say of something that does not exist, and links to what comes near."""
    if address.kind == "rule" or is_number(problem.where.rpartition(":")[2]):
        ref = RuleRef.parse(problem.where)
        near = records.nearest_rules(shop.reading(), ref)
        return f"{document_title(ref.document)} has no rule {ref.number}.", [
            (shown_number(one), rule_link(one)) for one in near
        ]
    kind = "card" if address.kind == "q" else address.kind
    titles = records.titles(shop.reading(), problem.nearest) if kind == "ruling" else {}
    nearest = [(titles.get(str(one), str(one)), link(kind, str(one))) for one in problem.nearest]
    words = problem.where.replace("-", " ")[:100]
    return f"There is no {kind} named {problem.where[:100]!r}.", nearest or [(f"search for {words}", link("q", words))]


def keep_current() -> bool:
    """Build what is missing or stale, with a progress bar; false where there is no store at all."""
    if os.environ.get("KB_APP_BUILD") == "never" and shop.ready():
        return True
    if shop.is_current():
        return True
    said = shop.known_problem()
    if not said:
        with progress("Bringing the store up to date") as moved:
            said = shop.bring_up_to_date(moved)
    there = shop.ready()
    if said:
        put(problem_page(f"{said} Until then the store answers as it is." if there else said))
    return there
