"""Small pieces that every view uses: badges, links to rules and rulings, copy buttons, lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from kb.app.address import link, rule_link
from kb.app.markup import Html, join, tag
from kb.app.words import Badge, short_badge
from kb.data import rules_dir
from kb.ids import DEFAULT_DOCUMENT, document_title

Record = Mapping[str, Any]


def badge(shown: Badge) -> Html:
    """A standing in words, with a sign and a colour."""
    return tag(
        "span", tag("span", shown.sign, cls="sign", aria_hidden="true"), " ", shown.words, cls=f"badge {shown.tone}"
    )


def shown_number(ref: str) -> str:
    """A rule number as people read it: bare in the Core Rules in force, else with its document."""
    document, _, number = ref.rpartition(":")
    if document in ("", DEFAULT_DOCUMENT):
        return number
    return f"TR {number}" if document.startswith("tournament") else f"{document_title(document)}, {number}"


def qualified(ref: str) -> str:
    """A rule number with its document."""
    return ref if ":" in ref else f"{DEFAULT_DOCUMENT}:{ref}"


def rule_anchor(ref: str) -> Html:
    """A link to a rule, named by its number."""
    return tag("a", shown_number(ref), href=rule_link(qualified(ref)), cls="num")


_REF = re.compile(r"\b([a-z]+-[0-9][0-9.-]*):([0-9]{3}(?:\.[0-9a-z]+)*)")


@lru_cache(maxsize=1)
def restated() -> frozenset[str]:
    """The documents whose rules have pages."""
    return frozenset(path.parent.name for path in rules_dir().glob("*/numbers.tsv"))


def prose(said: str) -> Html:
    """A sentence in which references to rules are links, named as people read them."""
    parts: list[object] = []
    at = 0
    for found in _REF.finditer(said):
        ref = found.group()
        parts += [said[at : found.start()], rule_anchor(ref) if found.group(1) in restated() else shown_number(ref)]
        at = found.end()
    return join((*parts, said[at:]))


def rule_row(brief: Record, bare: bool = False) -> Html:
    """A rule in a list: its number (``bare`` where its document is plain) and what it says, the whole row a link."""
    said = brief["statement"] or "not yet restated"
    cls = "row heading" if brief.get("heading") else "row"
    number = tag("span", brief["number"] if bare else shown_number(brief["ref"]), cls="num")
    return tag("a", number, tag("span", said, cls="said"), href=rule_link(brief["ref"]), cls=cls)


def ruling_row(brief: Record) -> Html:
    """A ruling in a list: title and standing."""
    return tag(
        "a",
        tag("span", brief["title"], cls="said"),
        badge(short_badge(brief.get("standing"))),
        href=link("ruling", brief["id"]),
        cls="row between",
    )


def scenario_row(ident: str, title: str = "") -> Html:
    """A scenario in a list, by its title."""
    sign = tag("span", "▶", cls="sign", aria_hidden="true")
    return tag("a", sign, tag("span", title or ident, cls="said"), href=link("scenario", ident), cls="row")


def card_anchor(name: str) -> Html:
    """A link to a card."""
    return tag("a", name, href=link("card", name), cls="pill")


def copy_button(label: str, said: str) -> Html:
    """A button that copies a text; where the browser refuses, it shows the text selected."""
    return tag("button", label, type="button", cls="act", data_copy=said)


def link_button(label: str, address: str) -> Html:
    """A button that copies the permanent address of a page."""
    return tag("button", label, type="button", cls="act", data_copy_link=address)


def section(title: str, *children: object, open_: bool = True, count: int | None = None) -> Html | None:
    """A titled part that opens and closes; nothing where it would be empty."""
    inner = join(children)
    if not inner:
        return None
    head = join((title, tag("span", f" {count}", cls="count") if count is not None else None))
    return tag("details", tag("summary", head), tag("div", inner, cls="inner"), open=open_, cls="part")


def rows(items: Iterable[Html]) -> Html:
    """A list of rows."""
    made = join(items)
    return tag("div", made, cls="rows") if made else made


def bullets(items: Iterable[object]) -> Html:
    """A list of sentences."""
    made = join(tag("li", item) for item in items)
    return tag("ul", made) if made else made


def note(*said: object, tone: str = "plain") -> Html:
    """A sentence in place: what was not found, what is wrong and what to do."""
    return tag("div", *said, cls=f"note {tone}", role="note")
