"""Hits of a search: rulings, rules and cards, best first."""

from __future__ import annotations

from collections.abc import Sequence

from kb.app.address import link
from kb.app.markup import Html, tag
from kb.app.views.parts import Record, rows, rule_row, ruling_row


def hit_row(kind: str, record: Record) -> Html:
    """One hit; ``record`` is the short form of a rule, a ruling or a card."""
    if kind == "rule":
        return rule_row(record)
    if kind == "ruling":
        return ruling_row(record)
    facts = " · ".join(str(record[key]) for key in ("type",) if record.get(key))
    name = tag("span", record["name"], cls="said")
    return tag(
        "a",
        name,
        tag("span", facts or "card", cls="source"),
        href=link("card", record["name"]),
        cls="row between",
    )


def hit_list(hits: Sequence[tuple[str, Record]]) -> Html:
    """All hits."""
    return rows(hit_row(kind, record) for kind, record in hits)
