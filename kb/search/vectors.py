"""The layer ``vectors``: one vector per passage, kept by the hash of its text.

A vector is stored as 384 signed bytes (``kb.search.codes``). What the old store or the file that ships with the
rules already has is not embedded again, so that building after one changed ruling takes a moment. Cards are found
by name and by words and have no vector. Beside the vectors stands what a search needs of all passages at once: what
each leads to, and the stems that it holds.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from kb.data import rules_dir
from kb.questions import load_slang
from kb.search.bm25 import packed_bm25
from kb.search.codes import packed
from kb.search.encoder import SIZE, Encoder, default_encoder
from kb.search.postings import packed_postings
from kb.search.tally import Pairs, Tally
from kb.search.words import stems_of
from kb.store import Progress

KEY = 8  # bytes of a hash
AT_ONCE = 128
SHIPPED = "vectors.npz"
QUESTION_PARTS = ("question", "asked")  # parts that are somebody's question rather than what a record says
REFUSED = "refusal"  # the kind of a passage that is a question which nothing answers
TABLE = "CREATE TABLE IF NOT EXISTS vectors(name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID"


def store_vectors(con: sqlite3.Connection, progress: Progress, encoder: Encoder | None = None) -> None:
    """Write the vectors of all passages that have one, with their hashes; also word counts and slang."""
    encoder = encoder or default_encoder()
    con.execute(TABLE)
    every = list(con.execute("SELECT id, title, text, kind, target, part FROM passage ORDER BY id"))
    rows = [row for row in every if row[3] != "card"]
    texts = [embedded(row[1], row[2]) for row in rows]
    keys = [key_of(encoder.name, text) for text in texts]
    known = dict(_kept(con))
    missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
    if missing:
        shipped = dict(_shipped(encoder.name))
        known |= {key: shipped[key] for key in missing if key in shipped}
        missing = {key: text for key, text in missing.items() if key not in shipped}
    if missing:
        encoder.prepare_exact()  # what follows takes as long as loading it
    values = {
        "encoder": encoder.name.encode(),
        "ids": np.array([row[0] for row in rows], np.int32).tobytes(),
        "keys": b"".join(keys),
        "texts": str(len(texts)).encode(),
        "slang": json.dumps(load_slang()).encode(),
    }
    values |= outline_of(every) | packed_bm25(con, len(every))
    progress("Embedding passages", 0, max(1, len(missing)))
    for start in range(0, len(missing), AT_ONCE):
        part = sorted(missing.items())[start : start + AT_ONCE]
        codes = packed(encoder.encode([text for _, text in part]))
        known.update({key: code.tobytes() for (key, _), code in zip(part, codes, strict=True)})
        progress("Embedding passages", min(start + AT_ONCE, len(missing)), len(missing))
    values["codes"] = b"".join(known[key] for key in keys)
    exported_now(encoder)
    con.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", list(values.items()))


def outline_of(passages: Sequence[Sequence[Any]]) -> dict[str, bytes]:
    """Values that say what each passage (id, title, text, kind, target, part) leads to and which words it holds.

    The stems of a record's titles count as held by each of its passages.
    """
    numbers: dict[tuple[str, str], int] = {}
    target = np.array([numbers.setdefault((row[3], row[4]), len(numbers)) for row in passages], np.int64)
    with_vector = np.array([row[3] != "card" for row in passages], bool)
    refused = np.array([row[3] == REFUSED for row in passages if row[3] != "card"], bool)
    asked = [row[5].partition(":")[0] in QUESTION_PARTS for row in passages if row[3] != "card"]
    titles: dict[str, int] = {}
    title = np.array([titles.setdefault(row[1], len(titles)) for row in passages], np.int64)
    tally = Tally([*titles, *(row[2] for row in passages if row[3] != "card")])
    of_texts = tally.held.handed(np.arange(with_vector.sum()) + len(titles))
    of_passages = of_texts.joined(tally.held.handed(title[with_vector]))
    by_passage = tally.matter(of_passages)
    of_titles = tally.held.handed(title)
    heads = tally.matter(Pairs(target[of_titles.owners], of_titles.held))
    values = {
        "words": json.dumps(counts := tally.by_word(of_passages)).encode(),
        "stems": json.dumps(stems_of(counts)).encode(),
        "answered": json.dumps(tally.by_stem(by_passage.only(~refused))).encode(),
        "refused": json.dumps(tally.by_stem(by_passage.only(refused))).encode(),
        "targets": json.dumps(list(numbers)).encode(),
        "passages": np.array([row[0] for row in passages], np.int32).tobytes(),
        "passage_targets": target.astype(np.int32).tobytes(),
        "questions": np.array(asked, bool).tobytes(),
    }
    by_record = tally.matter(of_texts).joined(heads.handed(target[with_vector]))
    return values | packed_postings("text", tally.stems, by_record) | packed_postings("title", tally.stems, heads)


def exported_now(encoder: Encoder) -> None:
    """Have the graphs that questions need written while the store is built, and not when somebody asks."""
    if encoder.name == "all-minilm-l6-v2":
        from kb.search.cross_encoder import exported_cross_encoder
        from kb.search.encoder import exported_query_encoder

        exported_query_encoder()
        exported_cross_encoder()


def embedded(title: str, text: str) -> str:
    """What of a passage is embedded: its headings, then the text."""
    return f"{title}. {text}" if title else text


def key_of(encoder: str, text: str) -> bytes:
    """The hash by which the vector of a text is kept."""
    return blake2b(f"{encoder}\0{text}".encode(), digest_size=KEY).digest()


def _kept(con: sqlite3.Connection) -> Iterator[tuple[bytes, bytes]]:
    """Vectors that the store has already."""
    said = dict(con.execute("SELECT name, value FROM vectors"))
    if said:
        yield from _pairs(said["keys"], said["codes"])


def _shipped(encoder: str) -> Iterator[tuple[bytes, bytes]]:
    """Vectors that came with the rules."""
    path = rules_dir() / SHIPPED
    if path.exists():
        with np.load(path) as file:
            if str(file["encoder"]) == encoder:
                yield from _pairs(file["keys"].tobytes(), file["codes"].tobytes())


def _pairs(keys: bytes, codes: bytes) -> Iterator[tuple[bytes, bytes]]:
    for at in range(len(keys) // KEY):
        yield keys[at * KEY : (at + 1) * KEY], codes[at * SIZE : (at + 1) * SIZE]


def ship(con: sqlite3.Connection, path: Path | None = None) -> int:
    """Write the vectors of the store beside the rules, each once; returns how many."""
    pairs: Mapping[bytes, bytes] = dict(_kept(con))
    encoder = con.execute("SELECT value FROM vectors WHERE name = 'encoder'").fetchone()[0].decode()
    order: Iterable[bytes] = sorted(pairs)
    keys = np.frombuffer(b"".join(order), np.uint8)
    codes = np.frombuffer(b"".join(pairs[key] for key in sorted(pairs)), np.int8)
    np.savez_compressed(path or rules_dir() / SHIPPED, encoder=np.array(encoder), keys=keys, codes=codes)
    return len(pairs)
