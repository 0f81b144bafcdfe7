"""The bridge to ``kb.answer``; until that is there, a ruling that fits a question answers it.

Made and used on one thread (see ``kb.app.asking``).
"""

from __future__ import annotations

import sqlite3
from typing import Any, Protocol

from kb.ids import RuleRef
from kb.records import dates, quote, ruling_record

ENOUGH = 0.3


class Answerer(Protocol):
    """What the app needs of search and answers."""

    def ask(self, question: str) -> dict[str, Any]:
        """A reply in the shape of ``kb ask --json``."""
        ...

    def search(self, text: str, limit: int) -> list[dict[str, Any]]:
        """Hits in the shape of ``kb search --json``."""
        ...


def answerer(con: sqlite3.Connection) -> Answerer:
    """What answers questions from a store."""
    return Searching(con)


class Searching:
    """Answers by the best ruling that a search finds."""

    def __init__(self, con: sqlite3.Connection) -> None:
        from kb.search.searcher import Searcher

        self._con = con
        self._searcher = Searcher(con)

    def search(self, text: str, limit: int) -> list[dict[str, Any]]:
        hits = self._searcher.search(text, limit=limit)
        return [{"kind": hit.kind, "id": hit.id, "score": hit.score} for hit in hits]

    def ask(self, question: str) -> dict[str, Any]:
        hits = self.search(question, 10)
        rulings = [hit for hit in hits if hit["kind"] == "ruling"]
        said = dates(self._con)
        if not rulings or rulings[0]["score"] < ENOUGH:
            reason = "Nothing that we hold answers this with enough certainty."
            nearest = [{"kind": hit["kind"], "id": hit["id"]} for hit in hits]
            return {"status": "abstention", "reason": reason, "nearest": nearest, **said}
        record = ruling_record(self._con, rulings[0]["id"])
        review = record["review"] or {}
        refs = dict.fromkeys(ref for one in review.get("claims", {}).values() for ref in one["rules"])
        citations = [quote(self._con, RuleRef.parse(ref)) for ref in refs or record["rules"]]
        return {
            "status": "answer",
            "verdict": review.get("verdict") or record["verdict"],
            "answer": review.get("answer") or record["answer"],
            "citations": citations[:6],
            "rulings": [{key: record[key] for key in ("id", "origin", "standing", "scenarios")}],
            "readings": [],
            **said,
        }
