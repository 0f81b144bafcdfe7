"""Records of rules of imported editions that we do not restate: official text, looked up and never searched."""

from __future__ import annotations

import json
import sqlite3

from kb.errors import UnknownId
from kb.ids import RuleRef, citation, document_title
from kb.model import nearest_numbers
from kb.records import Record, dates


def has_rules_of(con: sqlite3.Connection, document: str) -> bool:
    """Whether the store holds rules of this document, restated or imported."""
    for table in ("rule", "edition_rule"):
        if con.execute(f"SELECT 1 FROM {table} WHERE document = ? LIMIT 1", (document,)).fetchone():
            return True
    return con.execute("SELECT 1 FROM rule LIMIT 1").fetchone() is None


def edition_record(con: sqlite3.Connection, ref: RuleRef, *, whole: bool = False) -> Record:
    """A rule of an imported edition that we do not restate: its official text and what stands around it.

    Shaped like ``rule_record``; nothing of ours cites it, so rulings and scenarios are empty. Raises ``UnknownId``.
    """
    rows = {row["number"]: row for row in con.execute("SELECT * FROM edition_rule WHERE document = ?", (ref.document,))}
    if ref.number not in rows:
        raise UnknownId(str(ref), "there is no such rule", nearest=nearest_numbers(ref.number, list(rows)))
    row = rows[ref.number]

    def brief(one: sqlite3.Row) -> Record:
        return {
            "ref": f"{one['document']}:{one['number']}", "number": one["number"], "heading": bool(one["heading"]),
            "restated": False, "statement": one["statement"], "official_statement": one["statement"],
        }  # fmt: skip

    def parts(one: sqlite3.Row) -> list[Record]:
        return [{"kind": kind, "text": text, "targets": to} for kind, text, to in json.loads(one["parts"])]

    alike = [one for one in rows.values() if one["parent"] == row["parent"]]
    at = alike.index(row)
    record: Record = {
        **brief(row), "document": ref.document, "document_title": document_title(ref.document), "step": "",
        "text": row["text"], "wording": "official", "official": row["text"], "parts": parts(row), "source": "",
        "citation": f"{citation(ref, 'official')}: {row['text']}",
        "parents": [brief(rows[one.number]) for one in reversed(ref.ancestors) if one.number in rows],
        "children": [brief(one) for one in rows.values() if one["parent"] == ref.number],
        "previous": brief(alike[at - 1]) if at else None,
        "next": brief(alike[at + 1]) if at + 1 < len(alike) else None,
        "points_to": [], "pointed_to_by": [], "rulings": [], "scenarios": [], "cards": [], "terms": [],
    }  # fmt: skip
    if whole:
        below = [one for one in rows.values() if f"{one['number']}.".startswith(f"{ref.number}.")]
        record["section"] = [
            brief(one)
            | {"depth": one["depth"], "text": one["text"], "official": None}
            | {"parts": json.loads(one["parts"])}
            for one in below
        ]
    return record | dates(con)
