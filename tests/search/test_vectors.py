"""Vectors are kept by the hash of their text, and packing loses next to nothing."""

from __future__ import annotations

import sqlite3

import numpy as np

from kb.schema import TOKENIZER
from kb.search.codes import packed, unpacked
from kb.search.encoder import HashingEncoder, Vectors
from kb.search.index import Index
from kb.search.vectors import key_of, store_vectors


class Counting(HashingEncoder):
    """Counts the texts that it is given."""

    name = "counting"
    count = 0

    def encode(self, texts: list[str]) -> Vectors:  # type: ignore[override]
        self.count += len(texts)
        return super().encode(texts)


def store_of(*texts: str) -> sqlite3.Connection:
    con = sqlite3.connect(":memory:")
    con.execute("CREATE TABLE passage(id INTEGER PRIMARY KEY, kind, target, part, title, text)")
    said = "INSERT INTO passage(kind, target, part, title, text) VALUES ('rule', 'core-1.4:001', 'restated', '', ?)"
    con.executemany(said, [(text,) for text in texts])
    con.execute(f'CREATE VIRTUAL TABLE passage_fts USING fts5(title, text, tokenize="{TOKENIZER}")')
    con.execute("INSERT INTO passage_fts(rowid, title, text) SELECT id, title, text FROM passage")
    return con


def test_packing_keeps_the_direction() -> None:
    vectors = np.random.RandomState(1).normal(size=(50, 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    assert (np.sum(vectors * unpacked(packed(vectors)), axis=1) > 0.999).all()


def test_only_what_changed_is_embedded_again() -> None:
    con, encoder = store_of("one", "two", "three"), Counting()
    store_vectors(con, lambda what, done, total: None, encoder)
    con.execute("UPDATE passage SET text = 'four' WHERE text = 'two'")
    store_vectors(con, lambda what, done, total: None, encoder)
    assert encoder.count == 4
    index = Index(con)
    assert index.ids.tolist() == [1, 2, 3]
    assert (index.vector(2) @ encoder.encode(["three"])[0]) > 0.999


def test_another_encoder_does_not_take_over_vectors() -> None:
    assert key_of("one", "text") != key_of("two", "text")
