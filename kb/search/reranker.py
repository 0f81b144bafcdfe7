"""Re-ranking: the best records of a search are read beside the question and ordered again.

The cross-encoder is slower than the ranker by far, so it reads only what the ranker put first. A small learnt model
(``weights.json``, ``rerank``) makes one chance of what both say.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Container
from dataclasses import dataclass

import numpy as np

from kb.search.cross_encoder import CrossEncoder, Scores, text_of
from kb.search.index import Floats
from kb.search.ranker import load_model
from kb.search.searcher import Found, Hit

NAMES = ("chance", "read")
READ = 6  # so many of the best records are read


@dataclass(frozen=True)
class Read:
    """The rules and rulings that were read, in the ranker's order."""

    hits: tuple[Hit, ...]
    scores: Scores  # log-odds that each settles the question
    yes: Scores  # log-odds that its answer is a yes, where a yes or a no is asked for
    alone: float  # log-odds that a question of this kind has an answer, from the question alone

    def says(self, only: Container[tuple[str, str]] | None = None) -> float:
        """Log-odds of a yes by these records (kind and id), or by all that were read, each as far as it settles the
        question; 0 where none of them was read."""
        counts = [only is None or (hit.kind, hit.id) in only for hit in self.hits]
        weights = np.array(counts, np.float64) / (1 + np.exp(-self.scores.astype(np.float64)))
        return float((weights * self.yes).sum() / weights.sum()) if weights.any() else 0.0


class Reranker:
    """Reads and re-ranks for one store."""

    def __init__(self, con: sqlite3.Connection, reads: CrossEncoder) -> None:
        self._con = con
        self._reads = reads
        self._model = load_model("rerank", NAMES)

    def read(self, found: Found) -> Read:
        """Read the best records beside the question; those that were named by number are not in doubt."""
        hits = tuple(hit for hit in found.hits if hit.kind in ("rule", "ruling") and not hit.exact)[:READ]
        texts = [text_of(self._con, hit.kind, hit.id) for hit in hits]
        scores = self._reads.scores(found.query.text, [*texts, ""])
        return Read(hits, scores[:-1, 0], scores[:-1, 1], float(scores[-1, 0]))

    def rerank(self, found: Found, read: Read) -> tuple[Hit, ...]:
        """All hits: what was named, then what was read by its chance now, then the rest as it was."""
        if self._model is None or not read.hits:
            return found.hits
        chances = self._model(columns(read))
        order = np.argsort(-chances, kind="stable")
        again = [Hit(read.hits[at].kind, read.hits[at].id, round(float(chances[at]), 4)) for at in order]
        named = [hit for hit in found.hits if hit.exact]
        return (*named, *again, *(hit for hit in found.hits if not hit.exact and hit not in read.hits))


def columns(read: Read) -> Floats:
    """The columns of ``NAMES``, one row for each record that was read."""
    rows = [(log_odds(hit.score), float(score)) for hit, score in zip(read.hits, read.scores, strict=True)]
    return np.array(rows, np.float32).reshape(len(rows), len(NAMES))


def log_odds(chance: float) -> float:
    """A chance as log-odds; neither 0 nor 1 is believed."""
    kept = min(max(chance, 1e-4), 1 - 1e-4)
    return math.log(kept / (1 - kept))
