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
from kb.records import OFFICIAL, RESTATED

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


WORDINGS = {OFFICIAL: "official wording", RESTATED: "restated"}
"""Whose words a rule is shown in, as it is said beside them."""

NOT_RESTATED = "not yet restated"


def stated(brief: Record, official: bool = True) -> tuple[str, str]:
    """What a rule states, and whose words these are (a key of ``WORDINGS``; nothing where both say the same).

    The official wording where it was imported; with ``official`` false ours, where there is any.
    """
    ours, theirs = str(brief["statement"] or ""), str(brief.get("official_statement") or "")
    if theirs and (official or not ours):
        return theirs, "" if theirs == ours and brief.get("restated") else OFFICIAL
    return ours or NOT_RESTATED, RESTATED if ours and ours != theirs else ""


def stated_beside(brief: Record, wording: str, official: bool = True) -> str:
    """What a rule states; whose words these are is said where something in another ``wording`` stands beside it."""
    said, whose = stated(brief, official)
    return f"{said} ({WORDINGS[whose]})" if whose and whose != wording else said


def rule_row(brief: Record, bare: bool = False, label: str = "") -> Html:
    """A rule in a list: its number (``bare`` where its document is plain) and what it says, the whole row a link.

    ``label`` says whose words these are, where that is not plain.
    """
    said, _ = stated(brief)
    cls = "row heading" if brief.get("heading") else "row"
    number = tag("span", brief["number"] if bare else shown_number(brief["ref"]), cls="num")
    whose = (" ", tag("span", f"({label})", cls="source")) if label else ()
    return tag("a", number, tag("span", said, *whose, cls="said"), href=rule_link(brief["ref"]), cls=cls)


def rule_rows(briefs: Iterable[Record], bare: bool = False, around: str = RESTATED) -> Html:
    """Rules in a list. Where their wording is not the one ``around`` them, it is named: once, if all have the same."""
    listed = list(briefs)
    whose = [stated(one)[1] for one in listed]
    named = set(whose) - {"", around}
    if len(named) == 1 and around not in whose:
        head = tag("p", _sentence(WORDINGS[named.pop()]), cls="source")
        return join((head, rows(rule_row(one, bare) for one in listed)))
    labels = [WORDINGS[one] if one in named else "" for one in whose]
    return rows(rule_row(one, bare, label) for one, label in zip(listed, labels, strict=True))


def _sentence(said: str) -> str:
    return f"{said[:1].upper()}{said[1:]}"


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


def fault(said: str, text: str, line: int) -> Html:
    """What is wrong with a text that was typed, and its line where one is known."""
    return join((note(said, tone="bad"), marked(text, line)))


def marked(text: str, line: int) -> Html | None:
    """The lines around one, that one marked by a sign and a colour; nothing where the text has no such line."""
    lines = text.splitlines()
    if not 0 < line <= len(lines):
        return None
    shown = []
    for number in range(max(1, line - 3), min(len(lines), line + 3) + 1):
        said = f"{'▶' if number == line else ' '} {number:>3}  {lines[number - 1]}\n"
        shown.append(tag("span", said, cls="wrong") if number == line else said)
    return tag("pre", *shown)


def note(*said: object, tone: str = "plain") -> Html:
    """A sentence in place: what was not found, what is wrong and what to do."""
    return tag("div", *said, cls=f"note {tone}", role="note")
