"""Search: passages -> candidates by words (FTS5) and by meaning (FAISS) -> fused -> ranked.

``Searcher`` is the entry; ``store_vectors`` makes the layer of the store. Nothing is imported here, so
that looking whether a layer is there costs nothing.
"""

from __future__ import annotations

import sqlite3

from kb.store import Progress


def store_vectors(con: sqlite3.Connection, progress: Progress) -> None:
    """Make the layer ``vectors`` (see ``kb.search.vectors``)."""
    from kb.search.vectors import store_vectors as make

    make(con, progress)
