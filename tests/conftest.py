"""Shared fixtures: a cache of its own, the documents beside the project where they are, a built store."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from kb.search.searcher import Searcher

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT.parent / "shared" / "sources"


@pytest.fixture(scope="session", autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache and a user folder of this test run's own, shared by its workers."""
    base = tmp_path_factory.getbasetemp()
    root = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    os.environ["KB_CACHE"] = str(root / "kb-cache")
    os.environ["KB_USER"] = str(root / "kb-user")
    os.environ.pop("KB_DATA", None)
    return root


@pytest.fixture(scope="session")
def sources() -> Path:
    """The official documents beside the project; tests that need them are skipped where they are not."""
    if not SOURCES.is_dir():
        pytest.skip("the official documents are not on this machine")
    return SOURCES


@pytest.fixture(scope="session")
def store(own_folders: Path) -> Iterator[sqlite3.Connection]:
    """The store of the project's own data, without the layers that need the engine or a model."""
    from kb.store import open_store

    con = open_store()
    yield con
    con.close()


@pytest.fixture(scope="session")
def hashed(store: sqlite3.Connection, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    """A searcher over a copy of the project's store: vectors of the small deterministic encoder, cards written out."""
    from contextlib import closing

    from kb.data import store_path
    from kb.search.encoder import HashingEncoder
    from kb.search.searcher import Searcher
    from kb.search.vectors import store_vectors
    from kb.store import connect
    from kb.verify.storing import store_renderings

    path = tmp_path_factory.mktemp("hashed") / "kb.sqlite"
    path.write_bytes(store_path().read_bytes())
    with closing(sqlite3.connect(path)) as con:
        con.execute("DROP TABLE IF EXISTS vectors")
        store_vectors(con, lambda what, done, total: None, HashingEncoder())
        store_renderings(con, "test")
        con.commit()
    copy = connect(path)
    yield Searcher(copy, HashingEncoder())
    copy.close()
