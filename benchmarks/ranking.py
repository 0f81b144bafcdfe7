"""Learners that put a right record above the others of its question, for ``benchmarks/learn.py``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import lightgbm
import numpy as np
from scipy.optimize import minimize

EVEN = 0.001  # how much large weights count against a list of weights


class Ranker:
    """Trees that learn to put a right record above the others of its question (LambdaMART, Burges 2010; LightGBM).

    What they say orders; ``level`` learns what chance it means, from questions that were not learnt from.
    """

    def __init__(self, columns: np.ndarray, right: np.ndarray, places: np.ndarray) -> None:
        counts = np.bincount(places, right)
        kept = counts[places] > 0  # a question without a right record among its candidates teaches nothing
        sizes = np.unique(places[kept], return_counts=True)[1]
        learner = lightgbm.LGBMRanker(
            n_estimators=200, learning_rate=0.04, num_leaves=8, min_child_samples=40, reg_lambda=5, random_state=1,
            n_jobs=2, deterministic=True, force_row_wise=True, verbose=-1,
        )  # fmt: skip
        self._learnt = learner.fit(columns[kept], right[kept].astype(int), group=sizes).booster_

    def scores(self, table: np.ndarray) -> np.ndarray:
        """What it says of each row."""
        return np.asarray(self._learnt.predict(table))

    def record(self, columns: Sequence[str], level: tuple[float, float]) -> dict[str, Any]:
        """As plain lists, trees padded to one size; ``level`` makes chances of what it says: factor and start."""
        factor, start = level
        made = [_flat(one["tree_structure"]) for one in self._learnt.dump_model()["tree_info"]]
        size = max(len(nodes) for nodes in made)

        def padded(at: int, leaf: float) -> list[list[float]]:
            return [[*(node[at] for node in nodes), *[leaf] * (size - len(nodes))] for nodes in made]

        return {
            "columns": list(columns), "start": round(start, 6),
            "depth": max(node[5] for nodes in made for node in nodes),
            "feature": padded(0, -1), "threshold": padded(1, 0.0), "left": padded(2, 0), "right": padded(3, 0),
            "value": [[float(f"{factor * value:.7g}") for value in row] for row in padded(4, 0.0)],
        }  # fmt: skip


Node = tuple[int, float, int, int, float, int]


def _flat(root: dict[str, Any]) -> list[Node]:
    """A tree of LightGBM as nodes: column (-1 for a leaf), threshold, the nodes below it, value, depth."""
    made: list[Node] = []

    def add(node: dict[str, Any], depth: int) -> int:
        at = len(made)
        if "leaf_value" in node:
            made.append((-1, 0.0, 0, 0, float(node["leaf_value"]), depth))
            return at
        assert node["decision_type"] == "<="
        made.append((0, 0.0, 0, 0, 0.0, depth))
        left, right = add(node["left_child"], depth + 1), add(node["right_child"], depth + 1)
        made[at] = (int(node["split_feature"]), float(f"{node['threshold']:.7g}"), left, right, 0.0, depth)
        return at

    add(root, 0)
    return made


def listwise(tables: list[np.ndarray], right: list[np.ndarray]) -> np.ndarray:
    """Weights that put a right record first: the likelihood of it under a softmax over the records of its question
    (conditional logit, McFadden 1974; "ListNet", Cao et al. 2007). Weights learnt record by record order worse."""
    spread = np.vstack(tables).std(axis=0)
    lists = [(table / spread, good) for table, good in zip(tables, right, strict=True) if good.any() and not good.all()]

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        total, slope = 0.0, np.zeros_like(weights)
        for table, good in lists:
            scores = table @ weights
            share = np.exp(scores - scores.max())
            total -= float(np.log(share[good].sum() / share.sum()))
            slope += table.T @ (share / share.sum()) - table[good].T @ (share[good] / share[good].sum())
        return total / len(lists) + EVEN * float(weights @ weights), slope / len(lists) + 2 * EVEN * weights

    found = minimize(loss, np.zeros(len(spread)), jac=True, method="L-BFGS-B")
    return np.asarray(found.x / spread)
