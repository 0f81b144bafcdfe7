"""The store as the app uses it: one read-only connection a thread, opened again when the store was rebuilt.

Whether the data changed is looked at every ``LOOK_EVERY`` seconds at most; building is locked against other
processes by ``kb.build`` and against other sessions here.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from dataclasses import dataclass

from kb.data import store_path
from kb.errors import KbError
from kb.store import Progress, base_files, build_store, connect, fingerprint, is_fresh

NEEDED = ("verdicts", "vectors")
LOOK_EVERY = 30.0

_local = threading.local()
_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class Look:
    """When the data was looked at, and what kept the store from being made of these files: a sentence, or nothing."""

    at: float
    problem: str = ""
    files: str = ""

    @property
    def is_recent(self) -> bool:
        """Whether it need not be looked again yet."""
        return time.monotonic() - self.at < LOOK_EVERY


_looked: dict[str, Look] = {}


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
    seen = _looked.get(key)
    if seen and seen.is_recent:
        return not seen.problem
    fresh = is_fresh(store_path(), NEEDED)
    if fresh:
        _looked[key] = Look(time.monotonic())
    return fresh


def known_problem() -> str:
    """What was found wrong lately, as a sentence; nothing where that is not known or the files have changed since.

    Raises ``InputError`` where there is no data at all.
    """
    seen = _looked.get(str(store_path()))
    if seen and seen.problem and seen.is_recent and seen.files == fingerprint(base_files()):
        return seen.problem
    return ""


def bring_up_to_date(progress: Progress | None = None) -> str:
    """Build what is missing or stale; a sentence where that cannot be done, and then any store stays as it was."""
    problem = files = ""
    with _lock:
        try:
            if not is_fresh(store_path(), NEEDED):
                files = fingerprint(base_files())
                build_store(layers=NEEDED, progress=progress)
        except KbError as found:
            problem = str(found)
        _looked[str(store_path())] = Look(time.monotonic(), problem, files)
    return problem


def reading() -> sqlite3.Connection:
    """This thread's connection to the store as it is now. Raises ``StoreError`` where there is none."""
    now = stamp()
    if getattr(_local, "stamp", None) != now or not now:
        _local.con = connect(store_path())
        _local.stamp = now
    con: sqlite3.Connection = _local.con
    return con
