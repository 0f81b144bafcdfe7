"""Citations, checked against the store at the moment of answering.

A reply with a dead citation is a defect: ``Citer`` raises ``StoreError`` rather than quote what is not there.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from kb.answer.reply import Citation, Cited, Dates
from kb.errors import StoreError
from kb.ids import RuleRef
from kb.lookup import rule_exists
from kb.records import OFFICIAL, RESTATED, UNVERIFIED, official_statement, quote, ruling_record
from kb.records import dates as dates_of

MOST_RULES = 5


@dataclass(frozen=True, slots=True)
class Lead:
    """A rule from which the rules below it go on: what it states, and whose words these are."""

    ref: RuleRef
    statement: str
    wording: str

    def beside(self, wording: str) -> str:
        """Number and statement; whose words they are is said beside a rule in another wording."""
        mark = "" if self.wording == wording else f" ({self.wording})"
        return f"{self.ref.number}{mark} {self.statement}"


class Citer:
    """Quotes rules and rulings of one store."""

    def __init__(self, con: sqlite3.Connection) -> None:
        self._con = con
        said = dates_of(con)
        self.dates = Dates(**{key: str(said[key]) for key in ("edition", "rules_date", "cards_date", "cards_through")})

    def rule(self, ref: str, official: bool = True) -> Citation:
        """A rule with its wording and what stands above it, both official where that was imported, else ours.

        With ``official`` false it is ours wherever we have restated it. Raises ``StoreError`` where the rule is not in
        the store.
        """
        rule = RuleRef.parse(ref)
        if not rule_exists(self._con, rule):
            raise StoreError(ref, "a reply would cite a rule that is not in the store", "Run kb build --force")
        said = quote(self._con, rule, official)
        if not said["quote"]:
            raise StoreError(ref, "a reply would quote a rule without a text", "Run kb build --force")
        wording = str(said["wording"])
        above = tuple(lead.beside(wording) for lead in self.leads(rule, wording == OFFICIAL))
        return Citation(str(said["ref"]), said["quote"], wording, said["citation"], above)

    def rules(self, refs: Iterable[str], most: int = MOST_RULES) -> tuple[Citation, ...]:
        """The first few of these rules, each once."""
        return tuple(self.rule(ref) for ref in list(dict.fromkeys(refs))[:most])

    def leads(self, rule: RuleRef, official: bool) -> tuple[Lead, ...]:
        """The rules above that are needed to read this one: those that are no mere heading, the nearest last.

        They are in the official wording where ``official`` is true and that was imported, else in ours.
        """
        found = []
        for above in reversed(rule.ancestors):
            row = self._con.execute(
                "SELECT statement, official, heading FROM rule WHERE document = ? AND number = ?",
                (above.document, above.number),
            ).fetchone()
            if not row or row["heading"]:
                continue
            if row["official"] and (official or not row["statement"]):
                found.append(Lead(above, official_statement(row["official"]), OFFICIAL))
            elif row["statement"]:
                found.append(Lead(above, row["statement"], RESTATED))
        return tuple(found)

    def are_official(self, refs: Iterable[RuleRef]) -> bool:
        """Whether the official wording of all these rules was imported."""
        sql = "SELECT 1 FROM rule WHERE document = ? AND number = ? AND official <> ''"
        return all(self._con.execute(sql, (ref.document, ref.number)).fetchone() for ref in refs)

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
