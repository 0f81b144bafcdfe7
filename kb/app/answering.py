"""The bridge to search and answers: plain data in the shape of ``kb ask --json`` and ``kb search --json``.

Made and used on one thread (see ``kb.app.asking``).
"""

from __future__ import annotations

import sqlite3
from typing import Any

from kb.answer.answerer import Answerer, check_question
from kb.answer.reply import as_json
from kb.records import one_look

MAYBE = 4
"""As many cards that an ambiguous name can mean are named."""


class Answering:
    """Answers and hits from one store, with the encoder kept warm."""

    def __init__(self, con: sqlite3.Connection) -> None:
        self._answerer = Answerer(con)

    def ask(self, question: str) -> dict[str, Any]:
        """A reply, with the cards that the question names or can mean.

        Raises ``InputError`` for a question that cannot be read (empty, far too long).
        """
        check_question(question)
        with one_look():
            read = self._answerer.searcher.reader.read(question)
            return as_json(self._answerer.ask(question)) | {"cards": [*read.cards, *read.maybe[:MAYBE]]}

    def search(self, text: str, limit: int) -> list[dict[str, Any]]:
        """Hits, the best first."""
        check_question(text)
        return [
            {"kind": hit.kind, "id": hit.id, "score": hit.score}
            for hit in self._answerer.searcher.search(text, limit=limit)
        ]
