"""A rule with everything around it; the chapters of the documents; search within."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from kb.app import records, shop
from kb.app.address import Address, link
from kb.app.markup import Html, tag
from kb.app.screen import put
from kb.app.views.editions import side_by_side
from kb.app.views.parts import note, rule_rows
from kb.app.views.rule import chapter_list, rule_page
from kb.app.wordings import pairs
from kb.edition_records import edition_record, has_rules_of
from kb.ids import RuleRef, document_title
from kb.records import rule_record, section_record

WHOLE = 400
"""As many rules below one are shown as a whole section."""


def show(address: Address) -> None:
    """The page of a rule. Raises ``BadReference`` or ``UnknownId`` for a number that is none."""
    con = shop.reading()
    ref = RuleRef.parse(address.value, where="rule")
    if ref.document not in records.documents(con):
        if not has_rules_of(con, ref.document):
            said = f"The text of {document_title(ref.document)} is not here. "
            put(note(said, tag("a", "Import it", href=link("page", "import")), " to read its rules."))
            return
        record = edition_record(con, ref)
        put(not_in_force(ref.document, records.documents(con)))
        put(rule_page(record, editions=side_by_side(pairs(con, ref))))
        return
    below = records.size_below(con, ref)
    whole = section_record(con, ref) if 0 < below <= WHOLE else None
    record = rule_record(con, ref)
    above, within = records.under(con, ref), records.within(con, ref)
    titles = records.titles(con, (whole or record)["scenarios"])
    put(rule_page(record, whole, above, within, titles, side_by_side(pairs(con, ref))))


def not_in_force(document: str, restated: Sequence[str]) -> Html:
    """That an imported edition is not the one in force: what we restate is, and rulings are checked against that."""
    family = document.partition("-")[0]
    now = " and ".join(document_title(one) for one in restated if one.partition("-")[0] == family)
    said = f"{document_title(document)} is not in force"
    return note(f"{said}: {now} is, and rulings are checked against it." if now else f"{said}.")


def browse(address: Address) -> None:
    """Tables of contents, and search within a document."""
    con = shop.reading()
    names = records.documents(con)
    chosen = address.option("document", names[0])
    document = chosen if chosen in names else names[0]
    tabs = [
        tag("a", document_title(one), href=link("page", "rules", document=one), cls="act",
            aria_pressed=None, aria_current="page" if one == document else None)
        for one in names
    ]  # fmt: skip
    put(tag("nav", *tabs, cls="acts", aria_label="Documents"))
    said = st.text_input(f"Find in {document_title(document)}", key=f"find_{document}", live="300ms", max_chars=200)
    if said and said.strip():
        found = records.find_in(con, document, said)
        if found:
            put(tag("p", f"{len(found)} rules", cls="lead"), rule_rows(found))
        else:
            put(note("No rule of this document holds all these words. Try fewer, or ask above in your own words."))
        return
    put(chapter_list(document, records.contents(con, document)))
