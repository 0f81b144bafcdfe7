"""Records of the store with their cross-references in both directions, as plain JSON values.

Every record carries the edition in force, the date of the rules and the date of the card data. These
are what ``--json`` prints and what the app shows.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import Any

from kb.ids import RuleRef, citation, document_title
from kb.lookup import find_cards, find_ruling, require_rule
from kb.store import layer_is_fresh, meta

Record = dict[str, Any]
UNVERIFIED = "unverified"
OFFICIAL, RESTATED = "official", "restated"
"""Whose words a rule is quoted in: those of a document that the user imported, or ours."""
_TO = "(dst = ? OR (dst > ? AND dst < ?))"
"""Something itself, or (for rules) what stands below it; ranges use the index."""


def dates(con: sqlite3.Connection) -> Record:
    """Edition in force, date of its rules, date and reach of the card data."""
    said = meta(con)
    return {key: said.get(key, "") for key in ("edition", "rules_date", "cards_date", "cards_through")}


def quote(con: sqlite3.Connection, ref: RuleRef, official: bool = True) -> Record:
    """A citation as replies give it: reference, wording, what is quoted, and how a copy is headed.

    The official wording is quoted where it was imported; with ``official`` false only where there is none of ours.
    """
    row = _rule_row(con, ref)
    wording = OFFICIAL if row["official"] and (official or not row["restated"]) else RESTATED
    text = row["official"] if wording == OFFICIAL else row["text"]
    return {"ref": str(ref), "quote": text, "wording": wording, "citation": f"{citation(ref, wording)}: {text}"}


@lru_cache(maxsize=8192)
def official_statement(official: str) -> str:
    """What an official text states, as ``Rule.statement`` has it of ours: without examples, pointers and reminders."""
    from kb.model import PartKind  # seldom needed: only where wording was imported
    from kb.sources.parts import split_parts

    said = " ".join(part.text for part in split_parts(official) if part.kind is PartKind.STATEMENT)
    return said or official


def rule_record(con: sqlite3.Connection, ref: RuleRef) -> Record:
    """A rule with parents, children, neighbours, pointers both ways, rulings and scenarios.

    Raises ``UnknownId`` for a number that does not exist.
    """
    require_rule(con, ref)
    row = _rule_row(con, ref)
    parts = [{"kind": kind, "text": text, "targets": targets} for kind, text, targets in json.loads(row["parts"])]
    text = row["text"]
    record: Record = {
        **_brief(row),
        "document": ref.document,
        "document_title": document_title(ref.document),
        "step": row["step"],
        "statement": row["statement"],
        "text": text,
        "wording": "restated" if row["restated"] else "none",
        "official": row["official"],
        "parts": parts,
        "source": f"{row['source']}:{row['line']}" if row["source"] else "",
        "citation": f"{citation(ref, 'restated')}: {text}",
        "parents": [_brief(_rule_row(con, above)) for above in reversed(ref.ancestors) if _has(con, above)],
        "children": _briefs(con, "document = ? AND parent = ? ORDER BY pos", (ref.document, ref.number)),
        "previous": _neighbour(con, row, -1),
        "next": _neighbour(con, row, 1),
        "points_to": _linked(con, "src", "dst", str(ref)),
        "pointed_to_by": _linked(con, "dst", "src", str(ref)),
        "rulings": _rulings_of(con, "rule", str(ref)),
        "scenarios": _sources(con, "scenario", "rule", str(ref)),
        "cards": _targets(con, "rule", str(ref), "card"),
        "terms": _sources(con, "term", "rule", str(ref)),
    }
    return record | dates(con)


def section_record(con: sqlite3.Connection, ref: RuleRef) -> Record:
    """A rule with everything below it, in order, each with its whole text."""
    record = rule_record(con, ref)
    record["rulings"] = _rulings_of(con, "rule", str(ref), below=True)
    record["scenarios"] = _sources(con, "scenario", "rule", str(ref), below=True)
    where = "document = ? AND (number = ? OR number LIKE ?) ORDER BY pos"
    rows = con.execute(f"SELECT * FROM rule WHERE {where}", (ref.document, ref.number, f"{ref.number}.%"))
    record["section"] = [
        _brief(row) | {key: row[key] for key in ("depth", "text", "official")} | {"parts": json.loads(row["parts"])}
        for row in rows
    ]
    return record


def ruling_record(con: sqlite3.Connection, said: str) -> Record:
    """A ruling with its standing, each claim's verdict, what it cites, and what relates to it.

    ``said`` is an id or an origin. Raises ``UnknownId``.
    """
    name = find_ruling(con, said)
    row = con.execute("SELECT * FROM ruling WHERE id = ?", (name,)).fetchone()
    record: Record = json.loads(row["json"])
    origin = record["origin"]
    verdicts = claim_verdicts(con, name)
    for claim in record["claims"]:
        claim.update(verdicts.get(claim["id"], {"verdict": None, "scenarios": []}))
    cited = con.execute("SELECT DISTINCT dst FROM xref WHERE src_kind='ruling' AND src=? AND dst_kind='rule'", (name,))
    refs = sorted(RuleRef.parse(one[0]) for one in cited)
    record["origin"] = [f"{origin['document']}:{origin['line']}"]
    record["standing"] = standing(con, name)
    record["citations"] = [quote(con, ref) for ref in refs if _has(con, ref)]
    record["scenarios"] = list(dict.fromkeys([*record["scenarios"], *_scenarios_of(con, name)]))
    record["related"] = _relations(con, name)
    paragraph = con.execute("SELECT json FROM faq WHERE document=? AND line=?", (origin["document"], origin["line"]))
    found = paragraph.fetchone()
    record["official_paragraph"] = json.loads(found[0])["text"] if found else None
    return record | dates(con)


def ruling_list(
    con: sqlite3.Connection, card: str | None = None, rule: RuleRef | None = None, standing_is: str | None = None
) -> list[Record]:
    """Rulings that name a card, cite a rule (or one below it), and have a standing; all where nothing is asked."""
    rows = [
        dict(row) for row in con.execute("SELECT id, title, document, line, verdict, answer FROM ruling ORDER BY pos")
    ]
    if card is not None:
        cards = find_cards(con, card)
        named = {one for name in cards for one in _sources(con, "ruling", "card", name)}
        rows = [row for row in rows if row["id"] in named]
    if rule is not None:
        below = "src_kind='ruling' AND dst_kind='rule' AND (dst = ? OR dst LIKE ?)"
        citing = {one[0] for one in con.execute(f"SELECT src FROM xref WHERE {below}", (str(rule), f"{rule}.%"))}
        rows = [row for row in rows if row["id"] in citing]
    with one_look():
        found = [_ruling_brief(con, row) for row in rows]
    return [one for one in found if standing_is is None or one["standing"] == standing_is]


def card_record(con: sqlite3.Connection, name: str) -> Record:
    """A card's facts, the rulings that name it and the rules whose examples do. ``name`` is exact."""
    row = con.execute("SELECT json FROM card WHERE name = ?", (name,)).fetchone()
    record: Record = json.loads(row[0])
    record["rulings"] = _rulings_of(con, "card", name)
    rules = [RuleRef.parse(ref) for ref in _sources(con, "rule", "card", name)]
    record["rules"] = [_brief(_rule_row(con, ref)) for ref in sorted(rules)]
    printed = con.execute("SELECT json FROM card_text WHERE name = ?", (name,)).fetchone()
    record["printed"] = json.loads(printed[0]) if printed else None
    return record | dates(con)


NOT_PLAYED = "Our engine does not play this card yet, so its abilities are not rendered here"
"""What is said in place of a card's abilities where it is not modelled; what may help is added where it is said."""

NUMBERS = ("energy", "power", "might", "might_bonus")


def card_facts(record: Record) -> str:
    """Kind, numbers and domains of a card in one line: "Champion Unit; 4 energy; 4 might; Body"."""
    kind = " ".join(part for part in (record["supertype"], record["type"]) if part)
    numbers = [f"{record[key]} {key.replace('_', ' ')}" for key in NUMBERS if record[key] is not None]
    return "; ".join(part for part in (kind, *numbers, ", ".join(record["domains"])) if part)


def rendered(con: sqlite3.Connection, name: str) -> str:
    """What a modelled card does, made from its data; nothing where it is not modelled or was not written out yet."""
    if not con.execute("SELECT 1 FROM sqlite_master WHERE name = 'rendered'").fetchone():
        return ""
    row = con.execute("SELECT text FROM rendered WHERE name = ?", (name,)).fetchone()
    return str(row[0]) if row else ""


def standing(con: sqlite3.Connection, ruling: str) -> str:
    """The computed standing of a ruling; unverified where it was not computed for this data and code."""
    if not _verdicts_fit(con):
        return UNVERIFIED
    row = con.execute("SELECT standing FROM verdict WHERE ruling = ? LIMIT 1", (ruling,)).fetchone()
    return str(row[0]) if row else UNVERIFIED


def claim_verdicts(con: sqlite3.Connection, ruling: str) -> dict[str, Record]:
    """Verdict and scenarios of each claim, where they were computed for this data and code."""
    if not _verdicts_fit(con):
        return {}
    rows = con.execute("SELECT claim, verdict, json FROM verdict WHERE ruling = ? AND claim <> ''", (ruling,))
    return {
        row["claim"]: {"verdict": row["verdict"], "scenarios": json.loads(row["json"] or "{}").get("scenarios", [])}
        for row in rows
    }


@contextmanager
def one_look() -> Iterator[None]:
    """Within it, whether the verdicts fit the data and the code is judged once, for all records that are made."""
    token = None if _look.get() is not None else _look.set({})
    try:
        yield
    finally:
        if token is not None:
            _look.reset(token)


_look: ContextVar[dict[tuple[str, str], bool] | None] = ContextVar("look", default=None)


def _verdicts_fit(con: sqlite3.Connection) -> bool:
    said = meta(con)
    seen = _look.get()
    if seen is None:
        return layer_is_fresh(said, "verdicts")
    key = said.get("base", ""), said.get("layer:verdicts", "")
    if key not in seen:
        seen[key] = layer_is_fresh(said, "verdicts")
    return seen[key]


def _has(con: sqlite3.Connection, ref: RuleRef) -> bool:
    found = con.execute("SELECT 1 FROM rule WHERE document = ? AND number = ?", (ref.document, ref.number)).fetchone()
    return found is not None


def _rule_row(con: sqlite3.Connection, ref: RuleRef) -> sqlite3.Row:
    found = con.execute("SELECT * FROM rule WHERE document = ? AND number = ?", (ref.document, ref.number)).fetchone()
    assert isinstance(found, sqlite3.Row)
    return found


def _brief(row: sqlite3.Row) -> Record:
    """What a list of rules shows of each."""
    return {
        "ref": f"{row['document']}:{row['number']}",
        "number": row["number"],
        "heading": bool(row["heading"]),
        "restated": bool(row["restated"]),
        "statement": row["statement"],
        "official_statement": official_statement(row["official"]) if row["official"] else None,
    }


def _briefs(con: sqlite3.Connection, where: str, values: tuple[object, ...]) -> list[Record]:
    return [_brief(row) for row in con.execute(f"SELECT * FROM rule WHERE {where}", values)]


def _neighbour(con: sqlite3.Connection, row: sqlite3.Row, step: int) -> Record | None:
    """The rule before or after on the same level, under the same parent (or any chapter)."""
    order = "pos > ? ORDER BY pos" if step > 0 else "pos < ? ORDER BY pos DESC"
    found = _briefs(
        con, f"document = ? AND parent IS ? AND {order} LIMIT 1", (row["document"], row["parent"], row["pos"])
    )
    return found[0] if found else None


def _linked(con: sqlite3.Connection, this: str, other: str, ref: str) -> list[Record]:
    """Rules at the other end of a pointer or mention."""
    rows = con.execute(
        f"SELECT DISTINCT {other} FROM xref WHERE {this} = ? AND src_kind = 'rule' AND dst_kind = 'rule'", (ref,)
    )
    return [_brief(_rule_row(con, one)) for one in sorted(RuleRef.parse(row[0]) for row in rows) if _has(con, one)]


def _sources(con: sqlite3.Connection, kind: str, dst_kind: str, dst: str, below: bool = False) -> list[str]:
    """What of one kind names ``dst`` (or, for rules, anything below it)."""
    sql = f"SELECT DISTINCT src FROM xref WHERE src_kind = ? AND dst_kind = ? AND {_TO} ORDER BY src"
    return [row[0] for row in con.execute(sql, (kind, dst_kind, *_reach(dst, below)))]


def _reach(dst: str, below: bool) -> tuple[str, str, str]:
    """The values of ``_TO``: with ``below``, everything that goes on with a full stop (a slash is the next sign)."""
    return (dst, f"{dst}.", f"{dst}/") if below else (dst, dst, dst)


def _targets(con: sqlite3.Connection, src_kind: str, src: str, dst_kind: str) -> list[str]:
    sql = "SELECT DISTINCT dst FROM xref WHERE src_kind = ? AND src = ? AND dst_kind = ? ORDER BY dst"
    return [row[0] for row in con.execute(sql, (src_kind, src, dst_kind))]


def _rulings_of(con: sqlite3.Connection, dst_kind: str, dst: str, below: bool = False) -> list[Record]:
    """Rulings that name a card or cite a rule, with the claims that do."""
    sql = f"SELECT src, detail FROM xref WHERE src_kind='ruling' AND dst_kind=? AND {_TO} ORDER BY src, detail"
    claims: dict[str, list[str]] = {}
    for src, detail in con.execute(sql, (dst_kind, *_reach(dst, below))):
        claims.setdefault(src, [])
        if detail and detail not in claims[src]:
            claims[src].append(detail)
    columns = "id, title, document, line, verdict, answer"
    rows = [dict(con.execute(f"SELECT {columns} FROM ruling WHERE id=?", (one,)).fetchone()) for one in claims]
    with one_look():
        return [_ruling_brief(con, row) | {"claims": claims[row["id"]]} for row in rows]


def _ruling_brief(con: sqlite3.Connection, row: Record) -> Record:
    return {
        "id": row["id"],
        "title": row["title"],
        "origin": [f"{row['document']}:{row['line']}"],
        "verdict": row["verdict"],
        "answer": row["answer"],
        "standing": standing(con, row["id"]),
        "scenarios": _scenarios_of(con, row["id"]),
    }


def _scenarios_of(con: sqlite3.Connection, ruling: str) -> list[str]:
    return [row[0] for row in con.execute("SELECT id FROM scenario WHERE ruling = ? ORDER BY id", (ruling,))]


def _relations(con: sqlite3.Connection, name: str) -> list[Record]:
    """Relations to and from a ruling."""
    out = con.execute("SELECT kind, dst FROM xref WHERE src_kind='ruling' AND src=? AND dst_kind='ruling'", (name,))
    back = con.execute("SELECT kind, src FROM xref WHERE src_kind='ruling' AND dst=? AND dst_kind='ruling'", (name,))
    found = [{"relation": kind, "direction": "to", "id": other} for kind, other in out]
    return found + [{"relation": kind, "direction": "from", "id": other} for kind, other in back]
