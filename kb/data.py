"""Where things are: the data folders, the cache and the user's own documents.

``KB_DATA`` names the folder that holds ``rules/``, ``rulings/`` and ``scenarios/``; else the checkout
around the package is used; else the copy inside the wheel. What can be rebuilt lies in the cache
folder (``KB_CACHE``), what a person imported in the user folder (``KB_USER``).
"""

from __future__ import annotations

import os
from pathlib import Path

from kb.errors import InputError

_PACKAGE = Path(__file__).resolve().parent


def data_root() -> Path:
    """The folder that holds ``rules/``.

    Raises ``InputError`` where ``KB_DATA`` names a folder without it, or no copy exists.
    """
    if chosen := os.environ.get("KB_DATA"):
        root = Path(chosen).expanduser().resolve()
        if not (root / "rules").is_dir():
            raise InputError("KB_DATA", f"{root} has no rules/ folder", "Point it to a folder with rules/ and rulings/")
        return root
    for root in (_PACKAGE.parent, _PACKAGE / "_data"):
        if (root / "rules").is_dir():
            return root
    raise InputError("kb", "the rules are missing from this installation", "Install it again, or set KB_DATA")


def rules_dir() -> Path:
    """``rules/`` of the data root."""
    return data_root() / "rules"


def rulings_dir() -> Path:
    """``rulings/`` of the data root; it may be missing."""
    return data_root() / "rulings"


def scenarios_dir() -> Path:
    """``scenarios/`` of the data root; it may be missing."""
    return data_root() / "scenarios"


def app_file() -> Path:
    """The Streamlit script: the one beside the data folders, else the one beside the package.

    Raises ``InputError`` where there is none.
    """
    for root in (data_root(), _PACKAGE / "_data", _PACKAGE.parent):
        if (root / "app.py").is_file():
            return root / "app.py"
    raise InputError("kb app", "the app is missing from this installation", "Install kb again")


def cache_dir() -> Path:
    """Folder of what can be rebuilt: the store, the vectors. Not created here."""
    if chosen := os.environ.get("KB_CACHE"):
        return Path(chosen).expanduser().resolve()
    from platformdirs import user_cache_path

    return user_cache_path("riftbound-kb", appauthor=False)


def user_dir() -> Path:
    """Folder of what a person imported. Not created here."""
    if chosen := os.environ.get("KB_USER"):
        return Path(chosen).expanduser().resolve()
    from platformdirs import user_data_path

    return user_data_path("riftbound-kb", appauthor=False)


def store_path() -> Path:
    """The SQLite store."""
    return cache_dir() / "kb.sqlite"
