"""The lexical index of the exported site: the very tokens of the store's full-text index, as plain data.

The browser scores passages with the BM25 of SQLite's FTS5 (k1 1.2, b 0.75, title 0.6, text 1.0), so that the site finds
what ``kb search`` finds by words.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter
from typing import Any

from kb.search.bm25 import tokens_of
from kb.search.words import COMMON, STOP

KINDS = ("rule", "ruling")
_WORD = re.compile(r"(?<![\w'’])[a-z]{4,}(?![\w'’])")


def lexicon(con: sqlite3.Connection, numbers: dict[tuple[str, str], int]) -> dict[str, Any]:
    """Postings by term, lengths and targets of passages; ``numbers`` are the records by (kind, id).

    Passages of other kinds are never found, but their words count in how rare a term is and in the mean length.
    """
    rows = con.execute("SELECT id, kind, target FROM passage ORDER BY id").fetchall()
    shown = [row for row in rows if row[1] in KINDS]
    place = {row[0]: at for at, row in enumerate(shown)}
    lengths = [0] * len(shown)
    total = 0
    postings: dict[str, dict[int, list[int]]] = {}
    others: dict[str, set[int]] = {}
    for term, doc, column in tokens_of(con):
        total += 1
        at = place.get(doc)
        if at is None:
            others.setdefault(term, set()).add(doc)
            continue
        lengths[at] += 1
        counts = postings.setdefault(term, {}).setdefault(at, [0, 0])
        counts[0 if column == "title" else 1] += 1
    terms = {term: [len(found) + len(others.get(term, ())), *_packed(found)] for term, found in postings.items()}
    return {
        "terms": terms, "lengths": lengths, "targets": [numbers.get((row[1], row[2]), -1) for row in shown],
        "docs": len(rows), "mean": round(total / max(1, len(rows)), 4), "common": COMMON, "stop": sorted(STOP),
        "words": vocabulary(con),
    }  # fmt: skip


def vocabulary(con: sqlite3.Connection) -> list[str]:
    """The words as they are written, the most frequent first: what a typing error is mended to."""
    counts: Counter[str] = Counter()
    for row in con.execute("SELECT title, text FROM passage"):
        counts.update(_WORD.findall(f"{row[0]} {row[1]}".lower()))
    return sorted(counts, key=lambda word: (-counts[word], word))


def _packed(found: dict[int, list[int]]) -> list[int]:
    """Passages as steps from one to the next, each followed by its counts in title and text as one number."""
    out: list[int] = []
    last = 0
    for at in sorted(found):
        title, text = found[at]
        out += [at - last, min(title, 31) * 64 + min(text, 63)]
        last = at
    return out


def names(con: sqlite3.Connection) -> dict[str, list[str]]:
    """What players call cards, in the normal form of names."""
    rows = con.execute("SELECT key, candidates FROM name WHERE kind = 'card'")
    return {row[0]: json.loads(row[1]) for row in rows}


def slang(con: sqlite3.Connection) -> dict[str, str]:
    """Players' words and the rulebook's words for them."""
    try:
        row = con.execute("SELECT value FROM vectors WHERE name = 'slang'").fetchone()
    except sqlite3.OperationalError:
        return {}
    return dict(json.loads(row[0])) if row else {}
