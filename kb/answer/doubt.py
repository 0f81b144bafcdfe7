"""How likely it is that nothing answers: what the search found (``evidence``), and what a cross-encoder makes of it.

Two small learnt models in a row (``weights.json``): ``gate`` on the columns of ``evidence``, then ``doubt`` on its
outcome, on how well the best records settle the question when they are read beside it (``kb.search.reranker``), and on
the columns of ``evidence`` again, which count otherwise beside what was read.
"""

from __future__ import annotations

import numpy as np

from kb.answer.evidence import NAMES as GATE
from kb.answer.evidence import measure
from kb.search.index import Floats
from kb.search.ranker import load_model
from kb.search.reranker import Read, log_odds
from kb.search.searcher import Found, Searcher

OF_READING = ("gate", "read_top", "read_best", "read_second", "read_mean", "read_rule", "read_ruling", "alone")
NAMES = (*OF_READING, *GATE)
UNREAD = -6.0  # log-odds of a record that is not there


class Doubt:
    """The chance that nothing answers, for the questions of one store."""

    def __init__(self, searcher: Searcher) -> None:
        self._searcher = searcher
        self._gate = load_model("gate", GATE)
        self._model = load_model("doubt", NAMES)

    def of(self, found: Found, read: Read) -> float:
        """Between 0 (surely answered) and 1; 0 where no model was learnt yet."""
        if self._gate is None or self._model is None:
            return 0.0
        measured = measure(self._searcher, found)
        gate = float(self._gate(measured[None, :])[0])
        return float(self._model(columns_of(gate, read, measured)[None, :])[0])


def columns_of(gate: float, read: Read, measured: Floats) -> Floats:
    """The columns of ``NAMES``.

    The gate's chance as log-odds; what was read of the record that the ranker put first, of the one that settles the
    question best and the next, of all, of the best of each kind, and of the question alone; and what the gate measured.
    """
    scores = read.scores.tolist() or [UNREAD]
    order = sorted(scores, reverse=True)

    def of(kind: str) -> float:
        return max((s for hit, s in zip(read.hits, scores, strict=False) if hit.kind == kind), default=UNREAD)

    second = order[1] if len(order) > 1 else UNREAD
    read_all = (scores[0], order[0], second, sum(scores) / len(scores), of("rule"), of("ruling"), read.alone)
    return np.array((log_odds(gate), *read_all, *measured), np.float32)
