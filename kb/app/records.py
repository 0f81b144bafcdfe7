"""What pages need of the store beyond ``kb.records``: many rules at once, titles of scenarios, chapters."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from typing import Any

from kb.errors import BadReference, UnknownId
from kb.ids import RuleRef, sort_key
from kb.records import dates, official_statement, rule_record, ruling_record, standing

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


def nearest_rules(con: sqlite3.Connection, ref: RuleRef) -> list[str]:
    """What comes near a number that no rule has: the rule it would stand under, the one before it, the one after it."""
    rows = con.execute("SELECT number FROM rule WHERE document = ? ORDER BY pos", (ref.document,))
    numbers = [str(row[0]) for row in rows]
    above = next((one.number for one in ref.ancestors if one.number in numbers), None)
    place = sort_key(ref.number)
    before = [one for one in numbers if sort_key(one) < place][-1:]
    after = [one for one in numbers if sort_key(one) > place][:1]
    return [f"{ref.document}:{one}" for one in dict.fromkeys(([above] if above else []) + before + after)]


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


def contents(con: sqlite3.Connection, document: str) -> list[Record]:
    """Chapters of a document (numbers in full hundreds), each with its sections and how many rules these hold."""
    found: list[Record] = []
    for one in chapters(con, document):
        if (one["heading"] and one["number"].endswith("00")) or not found:
            found.append(one | {"sections": []})
        elif one["heading"] or not found[-1]["sections"]:
            found[-1]["sections"].append(one | {"rules": 0})
        else:
            found[-1]["sections"][-1]["rules"] += 1
    return found


def under(con: sqlite3.Connection, ref: RuleRef) -> list[Record]:
    """The chapter and the section in which a rule stands, where its number does not tell."""
    first = ref.number[:3]
    found: list[Record] = []
    for one in contents(con, ref.document):
        if one["number"] > first:
            break
        inner = [part for part in one["sections"] if part["heading"] and part["number"] < first]
        found = [one, *inner[-1:]] if one["number"] < first else []
    section = found[1:]
    own = con.execute("SELECT heading FROM rule WHERE document = ? AND number = ?", (ref.document, first)).fetchone()
    return found[:1] if own and own[0] else found[:1] + section


def within(con: sqlite3.Connection, ref: RuleRef) -> list[Record]:
    """What follows a heading that has no numbers of its own below it: a chapter's sections, a section's rules."""
    listed = chapters(con, ref.document)
    at = next((at for at, one in enumerate(listed) if one["number"] == ref.number), None)
    if at is None or not listed[at]["heading"]:
        return []
    found: list[Record] = []
    chapter = ref.number.endswith("00")
    for one in listed[at + 1 :]:
        if one["heading"] and (one["number"].endswith("00") or not chapter):
            break
        if one["heading"] or not chapter:
            found.append(one)
    return found


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
    """The short form of a rule, as ``kb.records`` gives it of the rules around one."""
    return {
        "ref": f"{row['document']}:{row['number']}",
        "number": row["number"],
        "heading": bool(row["heading"]),
        "restated": bool(row["restated"]),
        "statement": row["statement"],
        "official_statement": official_statement(row["official"]) if row["official"] else None,
    }


def size_below(con: sqlite3.Connection, ref: RuleRef) -> int:
    """How many rules stand below one."""
    sql = "SELECT count(*) FROM rule WHERE document = ? AND number LIKE ?"
    return int(con.execute(sql, (ref.document, f"{ref.number}.%")).fetchone()[0])


def titles(con: sqlite3.Connection, idents: Iterable[str]) -> dict[str, str]:
    """What scenarios and rulings are called, by id."""
    found: dict[str, str] = {}
    for one in dict.fromkeys(idents):
        made = outcome(con, one)
        if made and made.get("title"):
            found[one] = str(made["title"])
        elif row := con.execute("SELECT title FROM ruling WHERE id = ?", (one,)).fetchone():
            found[one] = str(row[0])
    return found


def titles_about(con: sqlite3.Connection, record: Record) -> dict[str, str]:
    """The titles of the positions of a record and of the rulings that are related to it."""
    related = (one["id"] for one in record.get("related") or ())
    return titles(con, (*record.get("scenarios", ()), *related))


def claims_of(con: sqlite3.Connection, ruling: str) -> dict[str, str]:
    """The words of a ruling's claims by their id; nothing where there is no such ruling."""
    row = con.execute("SELECT json FROM ruling WHERE id = ?", (ruling,)).fetchone()
    return {str(one["id"]): str(one["says"]) for one in json.loads(row[0])["claims"]} if row else {}


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
