"""Putting views on a page, and the frame that every page has."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path

import streamlit as st

from kb.app.address import link
from kb.app.markup import Html, join, tag
from kb.store import Progress

ASSETS = Path(__file__).resolve().parent / "assets"
PLACES = (("Ask", ""), ("Rules", "rules"), ("Try", "try"), ("Desk", "desk"), ("Import", "import"))
NOTICE = (
    "An unofficial fan project, not endorsed by the publisher; an instrument for checking rulings, not a game client."
)

_collected: ContextVar[list[Html] | None] = ContextVar("collected", default=None)


@lru_cache(maxsize=8)
def asset(name: str) -> str:
    """A file of ``assets`` as text."""
    return (ASSETS / name).read_text(encoding="utf-8")


def put(*parts: object, home: bool = False) -> None:
    """Show markup; nothing where there is none."""
    inner = join(parts)
    if not inner:
        return
    shown = tag("div", inner, cls="kb", data_home=home)
    held = _collected.get()
    if held is None:
        st.html(shown)
    else:
        held.append(shown)


@contextmanager
def collected() -> Iterator[list[Html]]:
    """What is put meanwhile is gathered instead of shown; then there is no session, so a page leaves out its fields."""
    held: list[Html] = []
    token = _collected.set(held)
    try:
        yield held
    finally:
        _collected.reset(token)


def is_collected() -> bool:
    """Whether what is put is gathered, outside of a session."""
    return _collected.get() is not None


@contextmanager
def progress(said: str) -> Iterator[Progress]:
    """A progress bar in place while something takes long: gives the function that moves it (what, done, total)."""
    place = st.empty()
    shown = place.progress(0.0, f"{said} ...")

    def move(what: str, done: int, total: int) -> None:
        shown.progress(min(1.0, done / total) if total else 0.0, f"{what} ...")

    try:
        yield move
    finally:
        place.empty()


def dress() -> None:
    """Style of the page."""
    st.html(f"<style>{asset('style.css')}{asset('app.css')}</style>")


def wake() -> None:
    """The script of the page, a constant of ours; it comes last, so that the page stands when it runs."""
    js = f"export default function () {{\n{asset('client.js')}\n}}"
    st.components.v2.component("kb_client", js=js, isolate_styles=False)(key="client", height=1)


def topbar(current: str) -> Html:
    """The way to every page."""
    places = [
        tag("a", name, href=link("page", page) if page else "?", aria_current="page" if page == current else None)
        for name, page in PLACES
    ]
    return tag("nav", *places, cls="topbar", aria_label="Pages")


def foot(said: str) -> Html:
    """What every page ends with: edition and dates, and what this is."""
    return tag("footer", tag("span", said, cls="dates"), tag("span", NOTICE), cls="foot")
