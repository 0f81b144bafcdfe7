"""The claim of a ruling that a question is about, told beside the ruling's sentence.

A ruling's sentence answers its first question in a line; what was asked may be another of its claims ("how big is the
unit then?"). A claim is told where it is clearly more like the question than the sentence, adds words to it, and holds:
the review agrees with it and our engine has not refuted it.
"""

from __future__ import annotations

import json

import numpy as np

from kb.search.index import Floats
from kb.search.searcher import Found, Searcher
from kb.search.words import content

CLOSER = 0.15  # cosine by which a claim must be more like the question than the ruling's sentence
LIKE = 0.5  # cosine that it must have at least
NEW = 0.3  # share of its stems that the sentence must not have
HOLDS = ("confirmed", "documentary")


class Claims:
    """The claims of one store's rulings."""

    def __init__(self, searcher: Searcher) -> None:
        self._searcher = searcher

    def nearest(self, ruling: str, sentence: str, found: Found) -> str:
        """The claim to tell after ``sentence``, or nothing."""
        own, score, says = self._best(ruling, found)
        new = set(content(says)) - set(content(sentence))
        telling = score >= max(LIKE, own + CLOSER) and len(new) >= NEW * len(set(content(says)))
        return says if telling else ""

    def best(self, ruling: str, found: Found) -> str:
        """The claim that comes nearest among those that hold; nothing where none holds."""
        return self._best(ruling, found)[2]

    def _best(self, ruling: str, found: Found) -> tuple[float, float, str]:
        """How like the question the ruling's sentence is, how like the best claim that holds, and that claim."""
        con, index = self._searcher.con, self._searcher.index
        rows = con.execute("SELECT id, part, text FROM passage WHERE kind = 'ruling' AND target = ?", (ruling,))
        asked = _mean([found.vectors[form] for form in (found.query.text, found.query.plain) if form in found.vectors])
        like = {part: (float(index.vector(index.row_of(at)) @ asked), text) for at, part, text in rows}
        own = like.get("answer", (1.0, ""))[0]
        holding = self._holding(ruling)
        claims = [(score, text) for part, (score, text) in like.items() if part.removeprefix("claim:") in holding]
        return (own, *max(claims, default=(0.0, "")))

    def _holding(self, ruling: str) -> frozenset[str]:
        """The claims that hold by the rules in force."""
        con = self._searcher.con
        row = con.execute("SELECT json FROM ruling WHERE id = ?", (ruling,)).fetchone()
        review = json.loads(row[0])["review"]
        agreed = {name for name, one in review["claims"].items() if one["agrees"] == "yes"} if review else set()
        said = con.execute("SELECT claim, verdict FROM verdict WHERE ruling = ? AND claim <> ''", (ruling,))
        return frozenset(agreed - {claim for claim, verdict in said if verdict not in HOLDS})


def _mean(vectors: list[Floats]) -> Floats:
    mean: Floats = np.mean(vectors, axis=0)
    return mean / max(float(np.linalg.norm(mean)), 1e-6)
