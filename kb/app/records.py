"""What pages need of the store beyond ``kb.records``: many rules at once, titles of scenarios, chapters."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from typing import Any

from kb.errors import BadReference, UnknownId
from kb.ids import RuleRef
from kb.records import dates, rule_record, ruling_record, standing

Record = dict[str, Any]


def rules(con: sqlite3.Connection, refs: Iterable[str]) -> list[Record]:
    """Full records of rules; numbers that do not exist are left out."""
    found = []
    for ref in dict.fromkeys(refs):
        try:
            found.append(rule_record(con, RuleRef.parse(ref)))
        except (UnknownId, BadReference):
            continue
    return found


def rulings(con: sqlite3.Connection, ids: Iterable[str]) -> list[Record]:
    """Full records of rulings; ids that do not exist are left out."""
    found = []
    for one in dict.fromkeys(ids):
        try:
            found.append(ruling_record(con, one))
        except (UnknownId, BadReference):
            continue
    return found


def hit(con: sqlite3.Connection, kind: str, ident: str) -> tuple[str, Record] | None:
    """The short form of a hit, or nothing where it does not exist."""
    if kind == "rule":
        document, _, number = ident.rpartition(":")
        row = con.execute("SELECT * FROM rule WHERE document = ? AND number = ?", (document, number)).fetchone()
        return ("rule", brief(row)) if row else None
    if kind == "ruling":
        row = con.execute("SELECT id, title FROM ruling WHERE id = ?", (ident,)).fetchone()
        return ("ruling", {"id": row["id"], "title": row["title"], "standing": standing(con, ident)}) if row else None
    return None


def documents(con: sqlite3.Connection) -> list[str]:
    """The rules documents of the store, the Core Rules first."""
    return [row[0] for row in con.execute("SELECT DISTINCT document FROM rule ORDER BY document")]


def chapters(con: sqlite3.Connection, document: str) -> list[Record]:
    """The rules with no rule above them."""
    sql = "SELECT * FROM rule WHERE document = ? AND parent IS NULL ORDER BY pos"
    return [brief(row) for row in con.execute(sql, (document,))]


def find_in(con: sqlite3.Connection, document: str, words: str, limit: int = 60) -> list[Record]:
    """Rules of a document that hold all the words typed, or a number that begins with them."""
    said = [word for word in "".join(c if c.isalnum() else " " for c in words.lower()).split() if word]
    if not said:
        return []
    if words.strip()[:3].isdigit():
        sql = "SELECT * FROM rule WHERE document = ? AND number LIKE ? ORDER BY pos LIMIT ?"
        return [brief(row) for row in con.execute(sql, (document, f"{words.strip()}%", limit))]
    match = " AND ".join(f'"{word}"' for word in said)
    sql = (
        "SELECT DISTINCT target FROM passage_fts JOIN passage ON passage.id = passage_fts.rowid "
        "WHERE passage_fts MATCH ? AND passage.kind = 'rule' AND target LIKE ? ORDER BY bm25(passage_fts) LIMIT ?"
    )
    refs = [row[0] for row in con.execute(sql, (match, f"{document}:%", limit))]
    sql = "SELECT * FROM rule WHERE document = ? AND number = ?"
    found = [con.execute(sql, (document, ref.rpartition(":")[2])).fetchone() for ref in dict.fromkeys(refs)]
    return [brief(row) for row in found if row]


def brief(row: sqlite3.Row) -> Record:
    """The short form of a rule."""
    return {
        "ref": f"{row['document']}:{row['number']}",
        "number": row["number"],
        "heading": bool(row["heading"]),
        "statement": row["official"] or row["statement"],
    }


def size_below(con: sqlite3.Connection, ref: RuleRef) -> int:
    """How many rules stand below one."""
    sql = "SELECT count(*) FROM rule WHERE document = ? AND number LIKE ?"
    return int(con.execute(sql, (ref.document, f"{ref.number}.%")).fetchone()[0])


def scenario_title(con: sqlite3.Connection, ident: str) -> str:
    """The title of a scenario that was executed, else its id."""
    made = outcome(con, ident)
    return str(made["title"]) if made and made.get("title") else ident


def outcome(con: sqlite3.Connection, ident: str) -> Record | None:
    """What a scenario came to when the store was built."""
    try:
        row = con.execute("SELECT json FROM scenario_outcome WHERE id = ?", (ident,)).fetchone()
    except sqlite3.OperationalError:
        return None
    return dict(json.loads(row[0])) if row else None


def keyword_rules(con: sqlite3.Connection, keywords: Iterable[str]) -> list[Record]:
    """The rules that the glossary gives for keywords."""
    refs: list[str] = []
    for word in keywords:
        name = word.split()[0] if word else word
        row = con.execute("SELECT json FROM term WHERE term = ? COLLATE NOCASE", (name,)).fetchone()
        if row:
            refs += [str(one) for one in json.loads(row[0]).get("rules", [])][:2]
    return rules(con, refs)


__all__ = ["dates"]
