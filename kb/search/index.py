"""The passages of a store in memory: which record each leads to, its vector, and the full-text index.

``likeness`` gives every passage's likeness to the question (FAISS, exact inner product: the collection is
small); ``lexical`` gives BM25 from FTS5, whose tokenizer stems. Both are scores of *records*: the best of a
record's passages counts.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kb.search.encoder import Vectors
from kb.search.vectors import stored

Floats = npt.NDArray[np.float32]
LEXICAL_ROWS = 300
NEAREST = 300
QUESTION_PARTS = ("question", "asked")


class Target(NamedTuple):
    """A record that a passage leads to: ("rule", "core-1.4:431.2.c")."""

    kind: str
    id: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A passage without its text."""

    id: int
    target: int
    part: str
    question: bool  # someone's question rather than what a record says


class Index:
    """What a store's passages lead to, and how well each fits a question."""

    def __init__(self, con: sqlite3.Connection) -> None:
        self.con = con
        self.hidden: frozenset[int] = frozenset()  # ids of passages that are as if absent: learning leaves them out
        self.targets: list[Target] = []
        self.entries: list[Entry] = []
        numbers: dict[Target, int] = {}
        for row in con.execute("SELECT id, kind, target, part FROM passage ORDER BY id"):
            target = Target(row[1], row[2])
            if target not in numbers:
                numbers[target] = len(self.targets)
                self.targets.append(target)
            part = row[3]
            self.entries.append(Entry(row[0], numbers[target], part, part.partition(":")[0] in QUESTION_PARTS))
        self.number = numbers
        ids, self._vectors = stored(con)
        places = {entry.id: at for at, entry in enumerate(self.entries)}
        self.place = places
        self.rows = np.array([places[one] for one in ids], np.int64)  # vector row -> entry
        self.row_target = np.array([self.entries[at].target for at in self.rows], np.int64)
        self.row_question = np.array([self.entries[at].question for at in self.rows], bool)
        self.row_refused = np.array([self.targets[target].kind == "refusal" for target in self.row_target], bool)

    @cached_property
    def _faiss(self) -> Any:
        import faiss

        # One thread: a pass takes half a millisecond, waiting for a second thread on a busy machine many.
        faiss.omp_set_num_threads(1)
        index = faiss.IndexFlatIP(self._vectors.shape[1])
        index.add(self._vectors)
        return index

    @cached_property
    def _all_rows(self) -> npt.NDArray[np.int64]:
        return np.arange(self._vectors.shape[0], dtype=np.int64)

    def vector(self, row: int) -> Floats:
        """The stored vector of a row."""
        vector: Floats = self._vectors[row]
        return vector

    def likeness(self, vectors: Vectors) -> Floats:
        """The inner product of every stored vector with each of the question's ``vectors``, one row each (FAISS)."""
        import faiss

        made = np.empty((len(vectors), self._vectors.shape[0]), np.float32)
        asked = np.ascontiguousarray(vectors, np.float32)
        rows, pointer = self._all_rows, faiss.swig_ptr
        for one, scores in zip(asked, made, strict=True):
            self._faiss.compute_distance_subset(1, pointer(one), rows.size, pointer(scores), pointer(rows))
        if self.hidden:
            made[:, np.isin(self.rows, [self.place[one] for one in self.hidden])] = -1.0
        return made

    def nearest(self, likeness: Floats, count: int = NEAREST) -> list[int]:
        """Rows of the passages most like the question, the ``count`` best by each of its vectors, best first."""
        count = min(count, likeness.shape[1])
        least = np.partition(likeness, -count, axis=1)[:, -count]
        best = likeness.max(axis=0)
        rows = np.flatnonzero((likeness >= least[:, None]).any(axis=0))
        found: list[int] = rows[np.argsort(-best[rows], kind="stable")].tolist()
        return found if not self.hidden else [row for row in found if not self._is_hidden(row)]

    def _is_hidden(self, row: int) -> bool:
        return self.entries[int(self.rows[row])].id in self.hidden

    def best(self, scores: Floats, mask: npt.NDArray[np.bool_] | None = None) -> Floats:
        """Per record the best score of its passages (those in ``mask``); -1 where it has none."""
        made = np.full(len(self.targets), -1.0, np.float32)
        if mask is None:
            np.maximum.at(made, self.row_target, scores)
        else:
            np.maximum.at(made, self.row_target[mask], scores[mask])
        return made

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
            target = self.entries[self.place[rowid]].target
            if self.targets[target].kind in kinds:
                scores[target] = max(scores.get(target, 0.0), -score)
        return scores

    def texts(self, target: int) -> list[tuple[str, str]]:
        """(title, text) of a record's passages."""
        kind, name = self.targets[target]
        rows = self.con.execute("SELECT id, title, text FROM passage WHERE kind = ? AND target = ?", (kind, name))
        return [(row[1], row[2]) for row in rows if row[0] not in self.hidden]
