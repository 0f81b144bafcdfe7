"""Names and rule numbers as a person types them -> records of the store.

Reads the table of names that ``kb.names`` built; needs no YAML. Where nothing has a name or a number,
``UnknownId`` lists the nearest.
"""

from __future__ import annotations

import json
import sqlite3
from difflib import get_close_matches

from kb.errors import UnknownId
from kb.ids import RuleRef
from kb.mentions import REMEMBERED, How, Kind, Names, normal_name

LONGEST = 100  # characters of a typed name that are looked at


class StoredWords:
    """The common words of the language, looked up in the store one at a time and remembered."""

    def __init__(self, con: sqlite3.Connection) -> None:
        self._con = con
        self._known: dict[object, bool] = {}

    def __contains__(self, word: object) -> bool:
        if word not in self._known:
            if len(self._known) > REMEMBERED:
                self._known.clear()
            found = self._con.execute("SELECT 1 FROM common_word WHERE word = ?", (word,)).fetchone()
            self._known[word] = found is not None
        return self._known[word]


def stored_names(con: sqlite3.Connection) -> Names:
    """The names of all cards and terms, for ``kb.mentions.find_mentions``."""
    rows = con.execute("SELECT key, kind, how, candidates FROM name").fetchall()
    kinds, hows = {kind.value: kind for kind in Kind}, {how.value: how for how in How}
    candidates = json.loads(f"[{','.join(row[3] for row in rows)}]")  # at once: it is on the way of every question
    keys = {row[0]: (kinds[row[1]], hows[row[2]], tuple(who)) for row, who in zip(rows, candidates, strict=True)}
    ordinary = con.execute("SELECT value FROM meta WHERE key = 'ordinary'").fetchone()
    return Names(keys, frozenset(ordinary[0].split()) if ordinary else frozenset(), StoredWords(con))


def rule_exists(con: sqlite3.Connection, ref: RuleRef) -> bool:
    """Whether the store has this rule."""
    found = con.execute("SELECT 1 FROM rule WHERE document = ? AND number = ?", (ref.document, ref.number))
    return found.fetchone() is not None


def require_rule(con: sqlite3.Connection, ref: RuleRef) -> None:
    """Raise ``UnknownId`` with the nearest existing numbers where the store lacks this rule."""
    if rule_exists(con, ref):
        return
    numbers = [
        row[0] for row in con.execute("SELECT number FROM rule WHERE document = ? ORDER BY pos", (ref.document,))
    ]
    if not numbers:
        documents = [row[0] for row in con.execute("SELECT DISTINCT document FROM rule ORDER BY 1")]
        raise UnknownId(str(ref), f"there is no document {ref.document}", nearest=documents)
    from kb.model import nearest_numbers  # seldom needed

    raise UnknownId(str(ref), "there is no such rule", nearest=nearest_numbers(ref.number, numbers))


def find_cards(con: sqlite3.Connection, said: str) -> tuple[str, ...]:
    """The cards that a typed name can mean, best guess alone where there is one.

    Raises ``UnknownId`` with similar names where there is none.
    """
    exact = con.execute("SELECT name FROM card WHERE name = ? COLLATE NOCASE", (said,)).fetchone()
    if exact:
        return (exact[0],)
    key = normal_name(said[:LONGEST])
    row = con.execute("SELECT candidates FROM name WHERE key = ? AND kind = 'card'", (key,)).fetchone()
    if row:
        return tuple(json.loads(row[0]))
    rows = list(con.execute("SELECT key, candidates FROM name WHERE kind = 'card'"))
    by_key = {row["key"]: tuple(json.loads(row["candidates"])) for row in rows}
    close = get_close_matches(key, by_key, n=5, cutoff=0.6)
    if close and get_close_matches(key, close[:1], cutoff=0.88):
        return by_key[close[0]]
    nearest = dict.fromkeys(name for match in close for name in by_key[match])
    raise UnknownId(said, "there is no card of this name", nearest=tuple(nearest)[:5])


def find_ruling(con: sqlite3.Connection, said: str) -> str:
    """The id of a ruling, given by id or by origin ("faq-cards:3"). Raises ``UnknownId``."""
    text = said.strip().removesuffix(".yaml").rpartition("/")[2]
    document, _, line = text.partition(":")
    row = con.execute("SELECT id FROM ruling WHERE id = ?", (text,)).fetchone()
    if row is None and line.isdigit():
        row = con.execute("SELECT id FROM ruling WHERE document = ? AND line = ?", (document, int(line))).fetchone()
    if row is None:
        ids = [one[0] for one in con.execute("SELECT id FROM ruling")]
        raise UnknownId(
            said, "there is no such ruling", nearest=get_close_matches(text[:LONGEST], ids, n=4, cutoff=0.4)
        )
    return str(row[0])
