"""Questions that ask what a card is or does: "what does Baron Nashor do", "kaisa survivor text"."""

from __future__ import annotations

import sqlite3

from kb.records import card_facts, card_record, rendered
from kb.search.query import Query
from kb.search.words import stem

_ASKED = frozenset(
    stem(word)
    for word in (
        "text card ability abilities effect effects read wording cost costs energy power might stats type keyword "
        "keywords tags domain domains explain describe tell show unit spell gear legend battlefield champion"
    ).split()
)


def asked_card(query: Query) -> str:
    """The one card that a question asks about, where it asks about nothing that happens in a game."""
    if len(query.cards) != 1 or query.maybe or query.rules or about_play(query):
        return ""
    return query.cards[0]


def about_play(query: Query) -> bool:
    """Whether a question says more than what it names and that it asks for a card's facts or text."""
    return bool(set(query.left) - _ASKED)


NOT_MODELLED = "Its text is not modelled here; kb import takes your own copy of the card texts"


def told(con: sqlite3.Connection, name: str) -> str:
    """A card's name, and what it says."""
    return f"{name}: {says(con, name)}"


def says(con: sqlite3.Connection, name: str) -> str:
    """A card's facts in one line, and what it does: as modelled, else as printed in a file that the user imported."""
    record = card_record(con, name)
    printed = record["printed"] or {}
    texts = [printed[key] for key in ("text", "effect_text") if printed.get(key)]
    if does := rendered(con, name):
        said = does
    elif texts:
        said = f"Printed text (imported): {' '.join(texts)}"
    else:
        keywords = f"Keywords: {', '.join(record['keywords'])}. " if record["keywords"] else ""
        said = f"{keywords}{NOT_MODELLED}."
    return f"{card_facts(record)}. {' '.join(said.split())}"
