"""A card: its printed facts, our rendering of its abilities, the rulings and rules that speak of it."""

from __future__ import annotations

from collections.abc import Sequence

from kb.app.address import link
from kb.app.markup import Html, join, tag
from kb.app.views.parts import Record, link_button, note, rows, rule_rows, ruling_row, section
from kb.records import NOT_PLAYED

FACTS = (
    ("type", "Type"), ("supertype", "Supertype"), ("energy", "Energy"), ("power", "Power"), ("might", "Might"),
    ("might_bonus", "Might bonus"), ("domains", "Domains"), ("tags", "Tags"), ("keywords", "Keywords"),
    ("sets", "Sets"), ("collector_number", "Number"), ("rarity", "Rarity"),
)  # fmt: skip


def card_page(record: Record, keyword_rules: Sequence[Record] = (), printed: str = "", importing: bool = False) -> Html:
    """The page of a card; ``keyword_rules`` are the rules of its keywords, ``printed`` an imported text.

    ``importing`` is whether a printed text can be imported where the page is shown.
    """
    facts = [
        tag("div", tag("dt", label), tag("dd", _shown(record[key])))
        for key, label in FACTS
        if record.get(key) not in (None, "", [], ())
    ]
    rendering = record.get("abilities") or record.get("rendering") or record.get("text") or ""
    said = rendering if isinstance(rendering, str) else "\n".join(str(one) for one in rendering)
    kind = " · ".join(str(record[key]) for key in ("supertype", "type") if record.get(key))
    head = tag(
        "section",
        tag("p", "Card · ", kind, cls="eyebrow"),
        tag("h1", record["name"], cls="title"),
        tag("dl", *facts, cls="facts"),
        tag("p", "It carries an erratum.", cls="aside") if record.get("errata") else None,
        tag("div", link_button("Copy link", link("card", record["name"])), cls="acts"),
        cls="sheet",
    )
    lines = [tag("p", line) for line in said.splitlines() if line.strip()]
    does = section("What it does, as our engine reads it", *lines) or _not_played(importing and not printed)
    return join(
        (
            head,
            does,
            section("Printed text", *(tag("p", line) for line in printed.splitlines())) if printed else None,
            section("Rulings", rows(ruling_row(one) for one in record["rulings"]), count=len(record["rulings"])),
            section("Rules for its keywords", rule_rows(keyword_rules)),
            section("Rules whose examples name it", rule_rows(record["rules"])),
        )
    )


def _not_played(importing: bool) -> Html:
    """Why no abilities are shown, and where importing a printed text helps, that it does."""
    way = ("; ", tag("a", "import card data", href=link("page", "import")), " to read its printed text")
    return note(NOT_PLAYED, *(way if importing else ()), ".")


def _shown(value: object) -> str:
    return ", ".join(str(one) for one in value) if isinstance(value, (list, tuple)) else str(value)
