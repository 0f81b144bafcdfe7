"""What a rule says in other editions of its document that a person imported, compared word by word."""

from __future__ import annotations

import re
import sqlite3
from dataclasses import dataclass

from kb.editions import translate
from kb.errors import UnknownId
from kb.ids import RuleRef
from kb.sources.word_diff import Stretch, diff_words


@dataclass(frozen=True, slots=True)
class Pair:
    """A rule in an older and a newer edition. ``words`` is empty where one of them is there in our words only."""

    old: RuleRef
    new: RuleRef
    before: str
    after: str
    kind: str
    words: tuple[Stretch, ...]


def pairs(con: sqlite3.Connection, ref: RuleRef) -> list[Pair]:
    """The rule beside its counterparts in every other edition at hand, the nearest edition first."""
    family = ref.document.partition("-")[0]
    names = {
        row[0] for table in ("rule", "edition_rule") for row in con.execute(f"SELECT DISTINCT document FROM {table}")
    }
    others = [one for one in names if one != ref.document and one.partition("-")[0] == family]
    here, official = wording(con, ref)
    found: list[Pair] = []
    for document in sorted(others, key=lambda one: _distance(one, ref.document)):
        try:
            links = translate(ref, document).links
        except UnknownId:
            continue
        for link in links:
            if not link.new:
                continue
            other = RuleRef(document, link.new)
            there, also = wording(con, other)
            if not there or not here:
                continue
            sides = (other, ref, there, here) if age(document) < age(ref.document) else (ref, other, here, there)
            words = diff_words(sides[2], sides[3]) if official and also else ()
            found.append(Pair(*sides, str(link.kind), words))
    return found


def wording(con: sqlite3.Connection, ref: RuleRef) -> tuple[str, bool]:
    """What a rule says in the store, and whether that is its official wording."""
    sql = "SELECT official, text FROM rule WHERE document = ? AND number = ?"
    if row := con.execute(sql, (ref.document, ref.number)).fetchone():
        return (str(row["official"]), True) if row["official"] else (str(row["text"] or ""), False)
    sql = "SELECT text FROM edition_rule WHERE document = ? AND number = ?"
    row = con.execute(sql, (ref.document, ref.number)).fetchone()
    return (str(row["text"]), True) if row else ("", False)


def age(document: str) -> tuple[int, ...]:
    """A key that puts older editions first."""
    return tuple(int(number) for number in re.findall(r"\d+", document))


def _distance(one: str, other: str) -> tuple[int, ...]:
    length = max(len(age(one)), len(age(other)))
    padded = [(*age(name), *(0,) * (length - len(age(name)))) for name in (one, other)]
    return tuple(abs(a - b) for a, b in zip(*padded, strict=True))
