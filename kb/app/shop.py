"""The store as the app uses it: one read-only connection a thread, opened again when the store was rebuilt.

Whether the data changed is looked at every ``LOOK_EVERY`` seconds at most; building is locked against other
processes by ``kb.build`` and against other sessions here.
"""

from __future__ import annotations

import sqlite3
import threading
import time

from kb.data import store_path
from kb.errors import KbError
from kb.store import Progress, build_store, connect, is_fresh

NEEDED = ("verdicts", "vectors")
LOOK_EVERY = 30.0

_local = threading.local()
_lock = threading.Lock()
_looked: dict[str, float] = {}


def stamp() -> str:
    """What tells one state of the store from another; empty where there is none."""
    path = store_path()
    try:
        known = path.stat()
    except OSError:
        return ""
    return f"{path}:{known.st_mtime_ns}:{known.st_size}:{known.st_ino}"


def ready() -> bool:
    """Whether the store can be read as it is."""
    try:
        connect(store_path()).close()
    except KbError:
        return False
    return True


def is_current() -> bool:
    """Whether the store fits the data; looked at now and then only."""
    key = str(store_path())
    if time.monotonic() - _looked.get(key, -LOOK_EVERY) < LOOK_EVERY:
        return True
    fresh = is_fresh(store_path(), NEEDED)
    if fresh:
        _looked[key] = time.monotonic()
    return fresh


def bring_up_to_date(progress: Progress | None = None) -> str:
    """Build what is missing or stale; a sentence where the data is wrong and the store stays as it was."""
    with _lock:
        try:
            if not is_fresh(store_path(), NEEDED):
                build_store(layers=NEEDED, progress=progress)
        except KbError as problem:
            if not ready():
                raise
            return str(problem)
        finally:
            _looked[str(store_path())] = time.monotonic()
    return ""


def reading() -> sqlite3.Connection:
    """This thread's connection to the store as it is now. Raises ``StoreError`` where there is none."""
    now = stamp()
    if getattr(_local, "stamp", None) != now or not now:
        _local.con = connect(store_path())
        _local.stamp = now
    con: sqlite3.Connection = _local.con
    return con
