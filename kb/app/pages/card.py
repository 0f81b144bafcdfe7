"""A card."""

from __future__ import annotations

from typing import Any

from kb.app import records, shop
from kb.app.address import Address, link
from kb.app.markup import join, tag
from kb.app.screen import put
from kb.app.views.card import card_page
from kb.commands.card import rendered
from kb.lookup import find_cards
from kb.records import card_record


def show(address: Address) -> None:
    """The page of a card; where a short name can mean several, a choice. Raises ``UnknownId``."""
    con = shop.reading()
    names = find_cards(con, address.value)
    if len(names) > 1:
        links = join(tag("a", name, href=link("card", name), cls="pill") for name in names)
        put(tag("h1", f"{address.value[:60]} can mean {len(names)} cards"), tag("p", links))
        return
    record = card_record(con, names[0]) | {"abilities": rendered(names[0])}
    put(card_page(record, records.keyword_rules(con, record["keywords"]), printed_text(record), importing=True))


def printed_text(record: dict[str, Any]) -> str:
    """The words printed on the card, where the user imported them."""
    printed = record.get("printed") or {}
    return "\n".join(str(printed[key]) for key in ("text", "effect_text") if printed.get(key))
