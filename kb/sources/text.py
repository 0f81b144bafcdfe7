"""Read a file that a person handed over as plain text, or say in one sentence why that fails."""

from __future__ import annotations

from pathlib import Path

from kb.errors import InputError

LARGEST = 20_000_000


def read_text(path: Path) -> str:
    """The text of a UTF-8 file, without a byte-order mark and with plain line ends.

    Raises ``InputError`` for a missing, empty, huge or binary file (a PDF named .txt, for instance).
    """
    try:
        if path.is_dir():
            raise InputError(path, "this is a folder", "Name one file")
        if path.stat().st_size > LARGEST:
            raise InputError(path, "the file is larger than any rules document", "Check that it is the right one")
        raw = path.read_bytes()
    except OSError as problem:
        raise InputError(path, f"cannot be read ({problem.strerror or problem})", "Check the name") from problem
    if raw.startswith(b"%PDF"):
        raise InputError(path, "this is a PDF, whatever its name says", "Save its text as UTF-8 and import that")
    if b"\0" in raw:
        raise InputError(path, "this is not a text file", "Import UTF-8 text")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise InputError(path, f"this is not UTF-8 (byte {problem.start})", "Save it as UTF-8 text") from problem
    if not text.strip():
        raise InputError(path, "the file is empty", "Import a file with rules or rulings in it")
    return text.replace("\r\n", "\n").replace("\r", "\n")
