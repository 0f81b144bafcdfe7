"""Shared fixtures: a cache of its own, the documents beside the project where they are, a built store."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

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
