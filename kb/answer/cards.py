"""Questions that ask what a card is or does: "what does Baron Nashor do", "kaisa survivor text"."""

from __future__ import annotations

import sqlite3

from kb.records import Record, card_record, rendered
from kb.search.query import Query
from kb.search.words import stem

FACTS = (("energy", "energy"), ("power", "power"), ("might", "might"), ("might_bonus", "might bonus"))
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


def told(con: sqlite3.Connection, name: str) -> str:
    """A card's facts in one line, and what it does where that is modelled."""
    record = card_record(con, name)
    does = " ".join(rendered(con, name).split())
    return f"{name}: {facts(record)}. {does}".strip()


def facts(record: Record) -> str:
    """Kind, numbers, domains and, where the abilities are not modelled, keywords."""
    kind = " ".join(part for part in (record["supertype"], record["type"]) if part)
    numbers = [f"{record[key]} {word}" for key, word in FACTS if record[key] is not None]
    return "; ".join([kind, *numbers, ", ".join(record["domains"])]).strip("; ")
