"""Measures of rankings and of proportions, each with its source."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Container, Sequence

ROUNDS = 1000


def hit_at(ranking: Sequence[str], right: Container[str], depth: int) -> float:
    """1 where a right answer is among the first ``depth``."""
    return float(any(one in right for one in ranking[:depth]))


def reciprocal_rank(ranking: Sequence[str], right: Container[str]) -> float:
    """1 / rank of the first right answer (Voorhees 1999), 0 where there is none."""
    return next((1.0 / rank for rank, one in enumerate(ranking, 1) if one in right), 0.0)


def ndcg(ranking: Sequence[str], right: Sequence[str], depth: int = 10) -> float:
    """Normalised discounted cumulative gain with grades 0 and 1 (Jarvelin and Kekalainen 2002)."""
    wanted = set(right)
    gained = sum(1 / math.log2(rank + 1) for rank, one in enumerate(ranking[:depth], 1) if one in wanted)
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(len(wanted), depth) + 1))
    return gained / ideal if ideal else 0.0


def wilson(successes: int, trials: int, z: float = 1.96) -> tuple[float, float]:
    """Score interval of a proportion (Wilson 1927), 95% by default."""
    if not trials:
        return 0.0, 1.0
    share = successes / trials
    middle = share + z * z / (2 * trials)
    spread = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    below = 1 + z * z / trials
    return max(0.0, (middle - spread) / below), min(1.0, (middle + spread) / below)


def bootstrap(values: Sequence[float], of: Callable[[Sequence[float]], float] | None = None) -> tuple[float, float]:
    """95% percentile interval of the mean by resampling (Efron 1979), with a fixed seed."""
    if not values:
        return 0.0, 1.0
    mean = of or (lambda sample: sum(sample) / len(sample))
    chance = random.Random(7)
    means = sorted(mean(chance.choices(values, k=len(values))) for _ in range(ROUNDS))
    return means[int(0.025 * ROUNDS)], means[int(0.975 * ROUNDS) - 1]
