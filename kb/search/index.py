"""The passages of a store in memory: which record each leads to, its vector, its stems, and BM25.

``likeness`` gives every passage's likeness to the question (FAISS, exact inner product: the collection is
small); ``lexical`` gives the BM25 of FTS5, whose tokenizer stems. Both are scores of *records*: the best of a
record's passages counts. A *row* is the number of a passage among those that have a vector.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, NamedTuple

import faiss
import numpy as np
import numpy.typing as npt

from kb.search.bm25 import Bm25
from kb.search.codes import unpacked
from kb.search.encoder import SIZE, Vectors
from kb.search.postings import stored_postings

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[Any]
LEXICAL_ROWS = 300
NEAREST = 300
BLOCK = 512  # rows whose likeness is measured at once: what a processor's cache holds
NOTHING = -1.0  # the score of a record without passages


class Target(NamedTuple):
    """A record that a passage leads to: ("rule", "core-1.4:431.2.c")."""

    kind: str
    id: str


class Bests(NamedTuple):
    """Scores of every record; -1 for what it has no passage for."""

    best: Floats
    second: Floats  # of its next best passage; the best again where it has only one
    question: Floats  # of its questions
    text: Floats  # of its own text


class Index:
    """What a store's passages lead to, and how well each fits a question."""

    def __init__(self, con: sqlite3.Connection) -> None:
        self.con = con
        self.hidden: frozenset[int] = frozenset()  # ids of passages that are as if absent: learning leaves them out
        said = dict(con.execute("SELECT name, value FROM vectors"))
        self.targets = [Target(kind, name) for kind, name in json.loads(said["targets"])]
        self.number = {target: at for at, target in enumerate(self.targets)}
        passages = np.frombuffer(said["passages"], np.int32)
        self._target_of_id = np.zeros(int(passages.max(initial=0)) + 1, np.int32)
        self._target_of_id[passages] = np.frombuffer(said["passage_targets"], np.int32)
        self.ids = np.frombuffer(said["ids"], np.int32)  # row -> id of the passage
        self._bm25 = Bm25(said, len(self._target_of_id))
        self._row_of_id = np.full(len(self._target_of_id), -1, np.int32)
        self._row_of_id[self.ids] = np.arange(len(self.ids), dtype=np.int32)
        self.row_target = self._target_of_id[self.ids].astype(np.int64)
        self.row_question = np.frombuffer(said["questions"], bool)
        refused = np.array([target.kind == "refusal" for target in self.targets])
        self.row_refused = refused[self.row_target]
        self.postings, self.title_postings = stored_postings("text", said), stored_postings("title", said)
        self._order = np.argsort(self.row_target, kind="stable")
        self._target_in_order = self.row_target[self._order]
        self._asks = self.row_question[self._order]
        self._records, self._starts = np.unique(self._target_in_order, return_index=True)
        self._threads = min(4, os.cpu_count() or 1)
        self._measuring = ThreadPoolExecutor(self._threads, "likeness")
        self._vectors = unpacked(np.frombuffer(said["codes"], np.int8).reshape(-1, SIZE))

    def vector(self, row: int) -> Floats:
        """The stored vector of a row."""
        vector: Floats = self._vectors[row]
        return vector

    def row_of(self, passage: int) -> int:
        """The row of a passage, by its id; -1 where it has no vector."""
        return int(self._row_of_id[passage])

    def likeness(self, vectors: Vectors) -> Floats:
        """The inner product of every stored vector with each of the question's ``vectors``, one row each (FAISS)."""
        made = np.empty((len(vectors), len(self.ids)), np.float32)
        asked = np.ascontiguousarray(vectors, np.float32)
        cuts = np.linspace(0, len(self.ids), self._threads + 1).astype(int).tolist()
        list(self._measuring.map(lambda span: self._measure(asked, made, *span), pairwise(cuts)))
        if self.hidden:
            made[:, self.hidden_rows] = NOTHING
        return made

    def _measure(self, asked: Vectors, made: Floats, first: int, last: int) -> None:
        """Fill the columns from ``first`` to ``last`` of ``made``."""
        pointer, products = faiss.swig_ptr, faiss.fvec_inner_products_ny  # type: ignore[attr-defined]
        for start in range(first, last, BLOCK):  # each block is read from memory once for all of them
            block = self._vectors[start : min(start + BLOCK, last)]
            for one, scores in zip(asked, made, strict=True):
                products(pointer(scores[start:]), pointer(one), pointer(block), SIZE, len(block))

    @property
    def hidden_rows(self) -> Rows:
        """The rows of the hidden passages."""
        rows = self._row_of_id[np.fromiter(self.hidden, np.int64, len(self.hidden))]
        return np.asarray(rows[rows >= 0], np.int64)

    def nearest(self, likeness: Floats, count: int = NEAREST) -> list[int]:
        """Rows of the passages most like the question, the ``count`` best by each of its vectors, best first."""
        count = min(count, likeness.shape[1])
        least = np.partition(likeness, -count, axis=1)[:, -count]
        best = likeness.max(axis=0)
        rows = np.flatnonzero((likeness >= least[:, None]).any(axis=0))
        rows = rows[np.argsort(-best[rows], kind="stable")]
        found: list[int] = (rows[~np.isin(rows, self.hidden_rows)] if self.hidden else rows).tolist()
        return found

    def best(self, scores: Floats) -> Floats:
        """Per record the best score of its passages; -1 where it has none."""
        return self._greatest(scores[self._order])

    def bests(self, scores: Floats) -> Bests:
        """Per record its best scores of several kinds."""
        ordered = scores[self._order]
        first = self._greatest(ordered)
        asked = self._greatest(np.where(self._asks, ordered, np.float32(NOTHING)))
        own = self._greatest(np.where(self._asks, np.float32(NOTHING), ordered))
        held = np.flatnonzero(ordered == first[self._target_in_order])
        ordered[held[np.diff(self._target_in_order[held], prepend=-1) > 0]] = -np.inf  # the first of each record's best
        second = self._greatest(ordered)
        return Bests(first, np.where(np.isneginf(second), first, second), asked, own)

    def _greatest(self, ordered: Floats) -> Floats:
        """Per record the greatest of its passages' scores, which stand in the order of records."""
        made = np.full(len(self.targets), NOTHING, np.float32)
        if len(self._starts):
            made[self._records] = np.maximum.reduceat(ordered, self._starts)
        return made

    def holding(self, stemmed: str) -> Rows:
        """The rows of the passages that hold a stem, in their text or a title of their record."""
        rows = self.postings.of(stemmed)
        return rows[~np.isin(rows, self.hidden_rows)] if self.hidden else rows

    def by_words(self, words: Iterable[str]) -> Floats:
        """BM25 of each passage, by its id; 0 where it holds none of the words."""
        scores = self._bm25.of(words)
        if self.hidden:
            scores[np.fromiter(self.hidden, np.int64, len(self.hidden))] = 0.0
        return scores

    def lexical(self, words: Iterable[str], kinds: Sequence[str]) -> dict[int, float]:
        """BM25 per record, the best of its passages, for the records that hold any of the words; the best first."""
        by_passage = self.by_words(words)
        found = np.flatnonzero(by_passage > 0)
        best = found[np.argsort(-by_passage[found], kind="stable")[: LEXICAL_ROWS * 2]]
        scores: dict[int, float] = {}
        for target, score in zip(self._target_of_id[best].tolist(), by_passage[best].tolist(), strict=True):
            if self.targets[target].kind in kinds:
                scores.setdefault(target, score)
        return scores

    def texts(self, target: int) -> list[tuple[str, str]]:
        """(title, text) of a record's passages."""
        kind, name = self.targets[target]
        rows = self.con.execute("SELECT id, title, text FROM passage WHERE kind = ? AND target = ?", (kind, name))
        return [(row[1], row[2]) for row in rows if row[0] not in self.hidden]
