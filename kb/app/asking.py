"""A question -> a reply as ``kb ask --json`` gives it, and hits as ``kb search --json`` gives them.

Search and answers live on one thread of their own, which keeps the encoder and the index warm and belongs to no
session; what comes out is plain data.
"""

from __future__ import annotations

import gc
import logging
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from threading import Event, RLock, Thread
from typing import Any

from kb.app import shop
from kb.errors import BadReference
from kb.ids import RuleRef, is_number
from kb.lookup import rule_exists
from kb.mentions import normal_name

SHORT = 3
"""As many words a name that is not the whole name of a card may have, to be answered while typing."""

WARMING = "may a stunned unit attack?"
"""A question that nobody waits for, so that what is loaded once is loaded."""

Reply = dict[str, Any]
_pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="answers")
_asked = Event()
"""Whether somebody has asked a question yet."""
_lock = RLock()
_open: dict[tuple[str, str], Future[Reply]] = {}
loaded = Event()
"""Set once all has been tried to load that answers and pages need."""

log = logging.getLogger(__name__)


def ask(question: str) -> Reply:
    """The reply to a question; kept for the questions asked last, as long as the store is the same."""
    return _kept(question, shop.stamp())


def search(text: str, limit: int = 12) -> list[dict[str, Any]]:
    """Rules, rulings and cards, the best first: kind, id, score."""
    return _pool.submit(_search, text, limit).result()


def warm() -> None:
    """Load what answers need, so that the first question does not wait for it."""
    _warm(shop.stamp())


@lru_cache(maxsize=1)
def _warm(stamp: str) -> None:
    _pool.submit(_load_answers)


def _load_answers() -> None:
    """What answers need; by a question that nobody waits for, unless somebody does wait already."""
    try:
        answerer = _answerer(shop.stamp())
        if not _asked.is_set():
            answerer.ask(WARMING)
    except Exception:
        log.exception("What answers need could not be loaded.")  # whoever asks meets it again and is told
    Thread(target=_load_pages, name="pages", daemon=True).start()  # an answer that somebody waits for goes on meanwhile


def _load_pages() -> None:
    """The pages that an answer does not need, so that neither the first replay nor an answer waits for the engine."""
    from kb.app.main import NAMED, PAGES, page_at

    try:
        for place in (*PAGES.values(), *NAMED.values()):
            page_at(place)
        gc.collect()
        gc.freeze()  # Streamlit collects after every run; what stays for good need not be looked through each time
    finally:
        loaded.set()


@lru_cache(maxsize=512)
def _kept(question: str, stamp: str) -> Reply:
    return _asked_once(question, stamp).result()


def _asked_once(question: str, stamp: str) -> Future[Reply]:
    """The answer that is being made: whoever asks the same meanwhile waits for it too."""
    _asked.set()
    with _lock:
        if (question, stamp) not in _open:
            made = _open[question, stamp] = _pool.submit(_ask, question)
            made.add_done_callback(lambda _: _open.pop((question, stamp), None))
        return _open[question, stamp]


@lru_cache(maxsize=1)
def _answerer(stamp: str) -> Any:
    """The engine of answers for one state of the store; made and used on the thread of answers only."""
    from kb.app.answering import Answering

    return Answering(shop.reading())


def _ask(question: str) -> Reply:
    found: Reply = _answerer(shop.stamp()).ask(question)
    return found


def _search(text: str, limit: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = _answerer(shop.stamp()).search(text, limit)
    return found


def direct(text: str) -> tuple[str, str] | None:
    """Kind and id of what a text names where it is nothing but a rule number, a heading or a card's name.

    Such a text is answered while it is typed.
    """
    said = text.strip().strip("?.!").strip()
    if not said or len(said) > 80:
        return None
    con = shop.reading()
    number = said.lower().removeprefix("rule ").removeprefix("cr ").strip()
    if is_number(number) or ":" in number:
        try:
            ref = RuleRef.parse(number)
        except BadReference:
            return None
        return ("rule", str(ref)) if rule_exists(con, ref) else None
    exact = con.execute("SELECT name FROM card WHERE name = ? COLLATE NOCASE", (said,)).fetchone()
    if exact:
        return "card", str(exact[0])
    if section := _section(said):
        return "rule", section
    return ("card", said) if len(said.split()) <= SHORT and _is_a_name(said) else None


def _section(said: str) -> str:
    """The section whose heading a typed text is, where there is one such section: a bare word asks for all of it."""
    sql = (
        "SELECT document, number FROM rule WHERE heading AND parent IS NULL "
        "AND rtrim(statement, '.') COLLATE NOCASE IN (?, ?) ORDER BY document"
    )
    found = shop.reading().execute(sql, (said, f"{said}s")).fetchall()
    document = found[0]["document"] if found else ""
    alike = [row["number"] for row in found if row["document"] == document]
    return f"{document}:{alike[0]}" if len(alike) == 1 else ""


def _is_a_name(said: str) -> bool:
    """Whether a typed text is one of the names in the table of names, rather than a near miss."""
    con = shop.reading()
    row = con.execute("SELECT 1 FROM name WHERE key = ? AND kind = 'card'", (normal_name(said),)).fetchone()
    return row is not None
