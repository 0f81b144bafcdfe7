"""A ruling."""

from __future__ import annotations

from kb.app import records, shop
from kb.app.address import Address
from kb.app.screen import put
from kb.app.views.ruling import ruling_page
from kb.records import ruling_record


def show(address: Address) -> None:
    """The page of a ruling, by id or origin. Raises ``UnknownId``."""
    con = shop.reading()
    record = ruling_record(con, address.value)
    cited = records.rules(con, [one["ref"] for one in record["citations"]])
    put(ruling_page(record, cited, records.titles_about(con, record)))
