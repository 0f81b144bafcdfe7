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
        self._feature = np.array(record["feature"], np.int32)  # trees x nodes; -1 for a leaf
        self._below = np.array(record["threshold"], np.float32)
        self._left = np.array(record["left"], np.int32)
        self._right = np.array(record["right"], np.int32)
        self._value = np.array(record["value"], np.float32)
        self._depth = int(record["depth"])

    def __call__(self, table: Table) -> npt.NDArray[np.float64]:
        """The chance of each row."""
        trees = np.arange(len(self._feature))[None, :]
        at = np.zeros((len(table), len(self._feature)), np.int32)
        rows = np.arange(len(table))[:, None]
        for _ in range(self._depth):
            feature = self._feature[trees, at]
            goes_left = table[rows, np.maximum(feature, 0)] <= self._below[trees, at]
            after = np.where(goes_left, self._left[trees, at], self._right[trees, at])
            at = np.where(feature < 0, at, after)
        total = self._start + self._value[trees, at].sum(axis=1, dtype=np.float64)
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


def load_model(name: str, columns: Sequence[str]) -> Trees | Linear | None:
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
