"""Putting rankings together."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)
DAMPING = 60


def reciprocal_rank_fusion(rankings: Iterable[Sequence[Key]], damping: int = DAMPING) -> dict[Key, float]:
    """Sum of 1 / (damping + rank) over the rankings that hold a key, best first.

    Cormack, Clarke and Buettcher, "Reciprocal rank fusion outperforms Condorcet and individual rank
    learning methods", SIGIR 2009; ``damping`` is their 60.
    """
    scores: dict[Key, float] = {}
    for ranking in rankings:
        for rank, key in enumerate(ranking, 1):
            scores[key] = scores.get(key, 0.0) + 1.0 / (damping + rank)
    return dict(sorted(scores.items(), key=lambda item: -item[1]))
