"""A small learnt ranker: trees or weights from a JSON file, evaluated with numpy alone.

Learnt by ``benchmarks/learn.py`` on the tuning questions (gradient-boosted regression trees, Friedman 2001, on the
chance that a candidate is right). Kinds are ranked in one list, since the outcome is a chance and comparable.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kb.errors import DataError

FILE = Path(__file__).with_name("weights.json")
Table = npt.NDArray[np.float32]


class Trees:
    """A sum of binary trees, brought to a chance by the logistic function."""

    def __init__(self, record: Mapping[str, Any], columns: Sequence[str]) -> None:
        if list(record["columns"]) != list(columns):
            raise DataError(FILE, "it was learnt with other columns", "Run benchmarks/learn.py again")
        self._start = float(record["start"])
        feature = np.array(record["feature"], np.int64)  # trees x nodes; -1 for a leaf
        trees, nodes = feature.shape
        first = np.arange(trees, dtype=np.int64)[:, None] * nodes  # where the nodes of each tree begin
        leaf = feature < 0
        own = first + np.arange(nodes)
        self._roots = first.ravel()
        self._feature = np.where(leaf, 0, feature).ravel()
        self._below = np.array(record["threshold"], np.float32).ravel()
        # A leaf leads to itself, so that all rows take the same number of steps.
        left = np.where(leaf, own, first + np.array(record["left"], np.int64))
        right = np.where(leaf, own, first + np.array(record["right"], np.int64))
        self._next = np.stack([right.ravel(), left.ravel()], axis=1).ravel()
        self._value = np.array(record["value"], np.float32).ravel()
        self._depth = int(record["depth"])

    def __call__(self, table: Table) -> npt.NDArray[np.float64]:
        """The chance of each row."""
        cells = np.ascontiguousarray(table).ravel()
        start = (np.arange(len(table), dtype=np.int64) * table.shape[1])[:, None]
        at = np.broadcast_to(self._roots, (len(table), self._roots.size))
        for _ in range(self._depth):
            goes_left = cells.take(start + self._feature.take(at)) <= self._below.take(at)
            at = self._next.take(2 * at + goes_left)
        total = self._start + self._value.take(at).sum(axis=1, dtype=np.float64)
        return np.asarray(1.0 / (1.0 + np.exp(-total)))


class Linear:
    """Logistic regression (Cox 1958) on standardised columns."""

    def __init__(self, record: Mapping[str, Any], columns: Sequence[str]) -> None:
        if list(record["columns"]) != list(columns):
            raise DataError(FILE, "it was learnt with other columns", "Run benchmarks/learn.py again")
        self._weights = np.array(record["weights"], np.float64)
        self._start = float(record["start"])

    def __call__(self, table: Table) -> npt.NDArray[np.float64]:
        """The chance of each row."""
        return np.asarray(1.0 / (1.0 + np.exp(-(table @ self._weights + self._start))))


@lru_cache(maxsize=16)
def load_model(name: str, columns: tuple[str, ...]) -> Trees | Linear | None:
    """The model of this name from ``weights.json``, or None where it was not learnt yet.

    Raises ``DataError`` where it was learnt with other columns.
    """
    if not FILE.exists():
        return None
    record = _weights().get(name)
    if record is None:
        return None
    return Trees(record, columns) if "feature" in record else Linear(record, columns)


@lru_cache(maxsize=1)
def _weights() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found
