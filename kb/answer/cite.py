"""Citations, checked against the store at the moment of answering.

A reply with a dead citation is a defect: ``Citer`` raises ``StoreError`` rather than quote what is not there.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable

from kb.answer.reply import Citation, Cited, Dates
from kb.errors import StoreError
from kb.ids import RuleRef
from kb.lookup import rule_exists
from kb.records import UNVERIFIED, quote, ruling_record
from kb.records import dates as dates_of

MOST_RULES = 5


class Citer:
    """Quotes rules and rulings of one store."""

    def __init__(self, con: sqlite3.Connection) -> None:
        self._con = con
        said = dates_of(con)
        self.dates = Dates(**{key: str(said[key]) for key in ("edition", "rules_date", "cards_date", "cards_through")})

    def rule(self, ref: str) -> Citation:
        """A rule with its wording and what stands above it. Raises ``StoreError`` where it is not in the store."""
        rule = RuleRef.parse(ref)
        if not rule_exists(self._con, rule):
            raise StoreError(ref, "a reply would cite a rule that is not in the store", "Run kb build --force")
        said = quote(self._con, rule)
        if not said["quote"]:
            raise StoreError(ref, "a reply would quote a rule without a text", "Run kb build --force")
        return Citation(str(said["ref"]), said["quote"], said["wording"], said["citation"], self._above(rule))

    def rules(self, refs: Iterable[str], most: int = MOST_RULES) -> tuple[Citation, ...]:
        """The first few of these rules, each once."""
        return tuple(self.rule(ref) for ref in list(dict.fromkeys(refs))[:most])

    def _above(self, rule: RuleRef) -> tuple[str, ...]:
        """The rules above that are needed to read this one: those that are no mere heading."""
        found = []
        for above in reversed(rule.ancestors):
            row = self._con.execute(
                "SELECT statement, heading FROM rule WHERE document = ? AND number = ?", (above.document, above.number)
            ).fetchone()
            if row and not row["heading"] and row["statement"]:
                found.append(f"{above.number} {row['statement']}")
        return tuple(found)

    def ruling(self, name: str) -> Cited:
        """A ruling, what holds now and what people say. Raises ``UnknownId`` where it is not in the store."""
        record = ruling_record(self._con, name)
        review = record["review"]
        now, sentence = (review["verdict"], review["answer"]) if review else (record["verdict"], record["answer"])
        differs = (bool(review) and not _same(now, record["verdict"])) or record["standing"] in (
            "contradicted", "superseded", "disputed",
        )  # fmt: skip
        return Cited(
            id=record["id"],
            title=record["title"],
            origin=tuple(record["origin"]),
            standing=record["standing"] or UNVERIFIED,
            scenarios=tuple(record["scenarios"]),
            verdict=now,
            answer=sentence,
            said_verdict=record["verdict"],
            said_answer=record["answer"],
            differs=differs,
            why=_why(record) if differs else (),
            changed=review["changed_since"] if review and differs else "",
        )

    def rules_of(self, name: str) -> list[str]:
        """The rules that carry a ruling's answer, the deciding ones first."""
        row = self._con.execute("SELECT json FROM ruling WHERE id = ?", (name,)).fetchone()
        record = json.loads(row[0])
        found = list(record["rules"])
        for one in (record["review"] or {"claims": {}})["claims"].values():
            found += one["rules"] if one["agrees"] == "no" else []
        return [ref for ref in found if rule_exists(self._con, RuleRef.parse(ref))]

    def same_question(self, name: str) -> list[str]:
        """Rulings that answer the same question."""
        rows = self._con.execute(
            "SELECT dst FROM xref WHERE kind = 'same_question' AND src_kind = 'ruling' AND src = ? "
            "UNION SELECT src FROM xref WHERE kind = 'same_question' AND dst_kind = 'ruling' AND dst = ? ORDER BY 1",
            (name, name),
        )
        return [row[0] for row in rows if row[0] != name]


def _same(one: str, other: str) -> bool:
    return one.strip().lower().rstrip(".") == other.strip().lower().rstrip(".")


def _why(record: dict[str, object]) -> tuple[str, ...]:
    """The reasons of the claims that the rules in force contradict."""
    review = record["review"]
    claims = review["claims"] if isinstance(review, dict) else {}
    wrong = [one for one in claims.values() if one["agrees"] == "no" and one["why"]]
    unsure = [one for one in claims.values() if one["agrees"] in ("partly", "open") and one["why"]]
    return tuple(
        f"{one['why']} ({', '.join(one['rules'])})" if one["rules"] else one["why"] for one in (wrong or unsure)[:2]
    )
