"""Writing a file so that nobody ever sees half of it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path


def write_text(path: Path, text: str) -> None:
    """Replace a file by a text (UTF-8) in one step: written beside it, then renamed.

    Raises: OSError where the folder can't be written.
    """
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(text)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def write_checked(path: Path, text: str, check: Callable[[Path], object]) -> None:
    """Write a new file only if ``check`` accepts it, read from a folder beside it under the same name.

    Raises: whatever ``check`` raises; then nothing is left behind.
    """
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".new-") as folder:
        trial = Path(folder) / path.name
        trial.write_text(text, encoding="utf-8")
        check(trial)
        os.replace(trial, path)
