"""BM25 with the work done beforehand: what each term gives each passage is computed when the store is built.

The scores are those of SQLite's FTS5 over the store's own full-text index (Robertson and Zaragoza 2009, "The
Probabilistic Relevance Framework"; k1 1.2, b 0.75, a word in a title counts 0.6), so that a question's words are looked
up and added: a fiftieth of the time that the full-text query takes ("eager scoring", Lu 2024, "BM25S").
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from threading import Lock

import numpy as np
import numpy.typing as npt

from kb.schema import TOKENIZER

K1, B = 1.2, 0.75
TITLE = 0.6  # the weight of a word in a title, beside one in the text
LEAST_IDF = 1e-6  # FTS5's, for terms of more than half of the passages
Scores = npt.NDArray[np.float32]
_TOKENIZING = Lock()


def tokens_of(con: sqlite3.Connection) -> Iterator[tuple[str, int, str]]:
    """(term, passage, column) for each token of the store's full-text index."""
    _view_tokens(con)
    rows = con.cursor()
    rows.row_factory = None  # plain tuples: half of the time
    return rows.execute("SELECT term, doc, col FROM temp.tokens")


def _view_tokens(con: sqlite3.Connection) -> None:
    con.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.tokens USING fts5vocab('main', 'passage_fts', 'instance')")


def packed_bm25(con: sqlite3.Connection, passages: int) -> dict[str, bytes]:
    """Values for the store: for each term the passages (by id) that hold it, and what it gives each of them."""
    _view_tokens(con)
    rows = con.execute("SELECT term, col, group_concat(doc) FROM temp.tokens GROUP BY term, col ORDER BY term, col")
    found = [(term, column, np.fromstring(docs, np.int64, sep=",")) for term, column, docs in rows]
    terms = list(dict.fromkeys(term for term, _, _ in found))
    number = {term: at for at, term in enumerate(terms)}
    sizes = [len(docs) for *_, docs in found]
    docs = np.concatenate([np.zeros(0, np.int64), *(docs for *_, docs in found)])
    lengths = np.bincount(docs, minlength=passages + 1)
    of_term = np.repeat(np.array([number[term] for term, *_ in found], np.int64), sizes)
    worth = np.repeat(np.array([TITLE if column == "title" else 1.0 for _, column, _ in found]), sizes)
    width = len(lengths)
    pairs, which = np.unique(of_term * width + docs, return_inverse=True)
    often = np.bincount(which, weights=worth, minlength=len(pairs))
    at, places = np.divmod(pairs, width)
    held_by = np.bincount(at, minlength=len(terms))
    longer = lengths[places] / max(len(docs) / max(1, passages), 1e-9)
    idf = np.maximum(np.log((passages - held_by + 0.5) / (held_by + 0.5)), LEAST_IDF)
    given = idf[at] * often * (K1 + 1) / (often + K1 * (1 - B + B * longer))
    return {
        "bm25:terms": json.dumps(terms).encode(),
        "bm25:starts": np.cumsum([0, *held_by]).astype(np.int32).tobytes(),
        "bm25:places": places.astype(np.int32).tobytes(),
        "bm25:given": given.astype(np.float32).tobytes(),
    }


class Bm25:
    """Scores of passages, by id, for words."""

    def __init__(self, said: Mapping[str, bytes], size: int) -> None:
        self._size = size
        self._terms = {term: at for at, term in enumerate(json.loads(said["bm25:terms"]))}
        self._starts, self._places = (np.frombuffer(said[f"bm25:{part}"], np.int32) for part in ("starts", "places"))
        self._given = np.frombuffer(said["bm25:given"], np.float32)

    def of(self, words: Iterable[str]) -> Scores:
        """The score of each passage, 0 where it holds none of the words."""
        scores = np.zeros(self._size, np.float32)
        for word in dict.fromkeys(words):
            for term in terms_of(word):
                if (at := self._terms.get(term)) is not None:
                    span = slice(self._starts[at], self._starts[at + 1])
                    scores[self._places[span]] += self._given[span]
        return scores


@lru_cache(maxsize=1)
def _tokenizer() -> sqlite3.Connection:
    """FTS5's own tokenizer: an empty table with it, and a view of its terms."""
    con = sqlite3.connect(":memory:", check_same_thread=False)
    con.execute(f'CREATE VIRTUAL TABLE word USING fts5(text, tokenize="{TOKENIZER}")')
    con.execute("CREATE VIRTUAL TABLE term USING fts5vocab('word', 'row')")
    return con


@lru_cache(maxsize=20_000)
def terms_of(word: str) -> tuple[str, ...]:
    """The terms by which the full-text index knows a word: one, but none for what is no word."""
    with _TOKENIZING:
        con = _tokenizer()
        con.execute("DELETE FROM word")
        con.execute("INSERT INTO word VALUES (?)", (word,))
        return tuple(row[0] for row in con.execute("SELECT term FROM term"))
