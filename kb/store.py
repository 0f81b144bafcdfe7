"""The store: one SQLite file in the cache folder, opened for reading.

``open_store`` builds it first where it is missing or no longer fits the data (``kb.build``, imported
only then). This module is on the path of ``kb rule`` and imports nothing that is slow.

A store has a *base* (everything written in files) and *layers* (what is computed from them: verdicts,
vectors). Each layer carries a stamp of the data and code that it was made from.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kb import schema
from kb.data import data_root, store_path, user_dir
from kb.errors import StoreError

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much is done, and how much there is."""

_DATA_FOLDERS = ("rules", "rulings", "scenarios")
_DATA_ENDINGS = (".txt", ".tsv", ".yaml", ".json")
_PACKAGE = Path(__file__).resolve().parent
_BASE_CODE = (
    "build.py", "glossary.py", "ids.py", "lint.py", "load.py", "mentions.py", "model.py", "names.py",
    "passages.py", "questions.py", "schema.py", "sources", "strict_yaml.py",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Layer:
    """Something computed into the store by another module: its function and the code it depends on."""

    function: str  # "module:function", called with (connection, progress)
    code: tuple[str, ...]


LAYERS: dict[str, Layer] = {
    "verdicts": Layer("kb.verify:store_verdicts", ("cards", "engine", "scenarios", "verify")),
    "vectors": Layer(
        "kb.search:store_vectors",
        tuple(
            f"search/{name}.py"
            for name in ("bm25", "codes", "encoder", "graph", "language_model", "postings", "tally", "vectors", "words")
        ),
    ),
}


def open_store(need: Sequence[str] = (), progress: Progress | None = None, *, build: bool = True) -> sqlite3.Connection:
    """The store, read-only, fit for the data as it is now, with the layers in ``need``.

    Builds what is missing unless ``build`` is false; raises ``StoreError`` where there is none then.
    """
    path = store_path()
    if build and not is_fresh(path, need):
        from kb.build import build_store

        build_store(layers=need, progress=progress)
    return connect(path)


def build_store(layers: Sequence[str] | None = None, progress: Progress | None = None, *, force: bool = False) -> bool:
    """Build what is missing or stale (see ``kb.build.build_store``); true where anything was written."""
    from kb.build import build_store as build

    return build(layers=tuple(LAYERS) if layers is None else layers, progress=progress, force=force)


def connect(path: Path) -> sqlite3.Connection:
    """A read-only connection. Raises ``StoreError`` where the file is missing or not a store of this version."""
    if not path.exists():
        raise StoreError(path, "there is no store", "Run kb build")
    try:
        con = sqlite3.connect(f"file:{path.as_posix().replace('?', '%3f').replace('#', '%23')}?mode=ro", uri=True)
        con.row_factory = sqlite3.Row
        version = meta(con).get("schema")
    except sqlite3.DatabaseError as problem:
        raise StoreError(path, f"the store is damaged ({problem})", "Run kb build --force") from problem
    if version != schema.VERSION:
        con.close()
        raise StoreError(path, "the store was built by another version of kb", "Run kb build")
    return con


def meta(con: sqlite3.Connection) -> dict[str, str]:
    """Everything the store says about itself."""
    return {row[0]: row[1] for row in con.execute("SELECT key, value FROM meta")}


def is_fresh(path: Path, need: Iterable[str] = ()) -> bool:
    """Whether the store at ``path`` fits the data and has every layer in ``need``, judged by file times."""
    try:
        con = connect(path)
    except StoreError:
        return False
    try:
        said = meta(con)
    finally:
        con.close()
    if said.get("fingerprint") != fingerprint(base_files()):
        return False
    return all(layer_is_fresh(said, name) for name in need if is_available(name))


def layer_is_fresh(said: dict[str, str], name: str) -> bool:
    """Whether a layer was made from this base and this code; ``said`` is the store's ``meta``."""
    return said.get(f"layer:{name}") == layer_mark(said, name)


def layer_mark(said: dict[str, str], name: str) -> str:
    """The stamp of a layer made from this base by the code as it is now."""
    return f"{said.get('base')}:{fingerprint(_code(LAYERS[name].code))}"


def is_available(name: str) -> bool:
    """Whether the module that makes a layer is installed."""
    module = LAYERS[name].function.partition(":")[0].rpartition(".")[2]
    return (_PACKAGE / f"{module}.py").exists() or (_PACKAGE / module / "__init__.py").exists()


def base_files() -> list[str]:
    """Every file that the base is made from."""
    root = data_root()
    found = [path for name in _DATA_FOLDERS for path in _walk(root / name, _DATA_ENDINGS)]
    found += list(_walk(user_dir() / "documents", (*_DATA_ENDINGS, "")))
    return sorted([*found, *_code(_BASE_CODE)])  # texts: paths as objects take half as long again


def _code(names: Iterable[str]) -> list[str]:
    """Python files of the package, by file or folder name."""
    found: list[str] = []
    for name in names:
        path = _PACKAGE / name
        found += [str(path)] if name.endswith(".py") and path.exists() else _walk(path, (".py",))
    return sorted(found)


def _walk(folder: Path, endings: tuple[str, ...]) -> Iterator[str]:
    """Files below a folder with one of these endings; nothing where there is no folder."""
    for where, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(files):
            if os.path.splitext(name)[1] in endings or "" in endings:
                yield os.path.join(where, name)


def fingerprint(paths: Iterable[str]) -> str:
    """A hash of names, sizes and times: quick to take, and it changes whenever a file is written."""
    digest = hashlib.blake2b(schema.VERSION.encode(), digest_size=16)
    for path in paths:
        known = os.stat(path)
        digest.update(f"{path}\0{known.st_size}\0{known.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def content_hash(paths: Iterable[str]) -> str:
    """A hash of what the files hold, whatever their times."""
    digest = hashlib.blake2b(schema.VERSION.encode(), digest_size=16)
    root = data_root()
    roots = [(root / folder, root) for folder in _DATA_FOLDERS] + [(user_dir(), user_dir()), (_PACKAGE, _PACKAGE)]
    for path in map(Path, paths):
        name = next((path.relative_to(base).as_posix() for within, base in roots if path.is_relative_to(within)), "")
        data = path.read_bytes()
        digest.update(f"{name}\0{len(data)}\n".encode())
        digest.update(data)
    return digest.hexdigest()
