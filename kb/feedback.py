"""What people think of an answer: right, wrong or unclear, with a note, in a file of the user's own.

One SQLite file in the user folder; nothing leaves the machine. Every entry is plain text as typed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from kb.data import user_dir
from kb.errors import InputError

OPINIONS = ("right", "wrong", "unclear")
LONGEST = 4000
_TABLE = """
CREATE TABLE IF NOT EXISTS feedback(
  id INTEGER PRIMARY KEY, at TEXT NOT NULL, question TEXT NOT NULL, reply TEXT NOT NULL, opinion TEXT NOT NULL,
  note TEXT NOT NULL)
"""


@dataclass(frozen=True, slots=True)
class Feedback:
    """One opinion: when, on which question and reply, and what was noted."""

    at: str
    question: str
    reply: str
    opinion: str
    note: str = ""


def path() -> Path:
    """Where feedback is kept. Not created here."""
    return user_dir() / "feedback.sqlite"


def give(question: str, reply: str, opinion: str, note: str = "") -> Feedback:
    """Keep an opinion. Raises ``InputError`` for one that is none of ``OPINIONS``."""
    if opinion not in OPINIONS:
        raise InputError("feedback", f"{opinion!r} is no opinion", f"Say {', '.join(OPINIONS)}")
    at = datetime.now(UTC).isoformat(timespec="seconds")
    made = Feedback(at, question[:LONGEST], reply[:LONGEST], opinion, note.strip()[:LONGEST])
    with _opened() as con:
        con.execute(
            "INSERT INTO feedback(at, question, reply, opinion, note) VALUES (?, ?, ?, ?, ?)",
            (made.at, made.question, made.reply, made.opinion, made.note),
        )
    return made


def given(limit: int = 200) -> list[Feedback]:
    """What was given, the newest first."""
    if not path().exists():
        return []
    with _opened() as con:
        sql = "SELECT at, question, reply, opinion, note FROM feedback ORDER BY id DESC LIMIT ?"
        return [Feedback(*row) for row in con.execute(sql, (limit,))]


@contextmanager
def _opened() -> Iterator[sqlite3.Connection]:
    """The file, made where it is missing; committed and closed at the end."""
    path().parent.mkdir(parents=True, exist_ok=True)
    try:
        con = sqlite3.connect(path(), timeout=5)
        try:
            with con:
                con.execute(_TABLE)
                yield con
        finally:
            con.close()
    except sqlite3.DatabaseError as problem:
        raise InputError(path(), f"feedback cannot be kept ({problem})", "Move the file away") from problem
