"""The passages of a store in memory: which record each leads to, its vector, its stems, and the full-text index.

``likeness`` gives every passage's likeness to the question (FAISS, exact inner product: the collection is
small); ``lexical`` gives BM25 from FTS5, whose tokenizer stems. Both are scores of *records*: the best of a
record's passages counts. A *row* is the number of a passage among those that have a vector.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import faiss
import numpy as np
import numpy.typing as npt

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
        self._row_of_id = np.full(len(self._target_of_id), -1, np.int32)
        self._row_of_id[self.ids] = np.arange(len(self.ids), dtype=np.int32)
        self.row_target = self._target_of_id[self.ids].astype(np.int64)
        self.row_question = np.frombuffer(said["questions"], bool)
        refused = np.array([target.kind == "refusal" for target in self.targets])
        self.row_refused = refused[self.row_target]
        self.postings, self.title_postings = stored_postings("text", said), stored_postings("title", said)
        self._order = np.argsort(self.row_target, kind="stable")
        self._records, self._starts = np.unique(self.row_target[self._order], return_index=True)
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
        pointer, products = faiss.swig_ptr, faiss.fvec_inner_products_ny  # type: ignore[attr-defined]
        for start in range(0, len(self.ids), BLOCK):  # each block is read from memory once for all of them
            block = self._vectors[start : start + BLOCK]
            for one, scores in zip(asked, made, strict=True):
                products(pointer(scores[start:]), pointer(one), pointer(block), SIZE, len(block))
        if self.hidden:
            made[:, self.hidden_rows] = NOTHING
        return made

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

    def best(self, scores: Floats, mask: npt.NDArray[np.bool_] | None = None) -> Floats:
        """Per record the best score of its passages (those in ``mask``); -1 where it has none."""
        return self._greatest(scores if mask is None else np.where(mask, scores, np.float32(NOTHING)))

    def two_best(self, scores: Floats) -> tuple[Floats, Floats]:
        """Per record the best score of its passages and the next; the best again where it has only one."""
        first = self._greatest(scores)
        again = scores[self._order]
        held = np.flatnonzero(again == first[self.row_target[self._order]])
        _, at = np.unique(self.row_target[self._order[held]], return_index=True)
        again[held[at]] = -np.inf
        second = np.full(len(self.targets), NOTHING, np.float32)
        if len(self._starts):
            second[self._records] = np.maximum.reduceat(again, self._starts)
        return first, np.where(np.isneginf(second), first, second)

    def _greatest(self, scores: Floats) -> Floats:
        made = np.full(len(self.targets), NOTHING, np.float32)
        if len(self._starts):
            made[self._records] = np.maximum.reduceat(scores[self._order], self._starts)
        return made

    def holding(self, stemmed: str) -> Rows:
        """The rows of the passages that hold a stem, in their text or a title of their record."""
        rows = self.postings.of(stemmed)
        return rows[~np.isin(rows, self.hidden_rows)] if self.hidden else rows

    def lexical(self, words: Iterable[str], kinds: Sequence[str]) -> dict[int, float]:
        """BM25 per record, the best of its passages, for the records that hold any of the words."""
        said = " OR ".join(f'"{word}"' for word in dict.fromkeys(words) if word)
        if not said:
            return {}
        rows = self.con.execute(
            "SELECT rowid, bm25(passage_fts, 0.6, 1.0) AS score FROM passage_fts WHERE passage_fts MATCH ? "
            "ORDER BY score LIMIT ?",
            (said, LEXICAL_ROWS * 2),
        )
        scores: dict[int, float] = {}
        for rowid, score in rows:
            if rowid in self.hidden:
                continue
            target = int(self._target_of_id[rowid])
            if self.targets[target].kind in kinds:
                scores[target] = max(scores.get(target, 0.0), -score)
        return scores

    def texts(self, target: int) -> list[tuple[str, str]]:
        """(title, text) of a record's passages."""
        kind, name = self.targets[target]
        rows = self.con.execute("SELECT id, title, text FROM passage WHERE kind = ? AND target = ?", (kind, name))
        return [(row[1], row[2]) for row in rows if row[0] not in self.hidden]
