"""Imports run one way, and what must be quick to start imports nothing slow."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from kb.data import data_root

PACKAGE = data_root() / "kb"
LEVELS = (
    ("errors",), ("ids",), ("model", "data", "schema", "strict_yaml", "sources", "mentions"),
    ("glossary", "load", "documents", "questions", "store", "lookup"), ("names", "passages", "records", "lint"), ("build",),
)  # fmt: skip
ABOVE_DATA = {"search", "answer", "engine", "scenario", "verify", "cli", "commands", "cards"}


def imported(path: Path) -> set[str]:
    """First-level modules of kb that a file imports at its top."""
    found: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "kb":
            names = [node.module.split(".")[1]] if "." in node.module else [alias.name for alias in node.names]
            found.update(names)
        elif isinstance(node, ast.Import):
            found.update(alias.name.split(".")[1] for alias in node.names if alias.name.startswith("kb."))
    return found


@pytest.mark.parametrize("level", range(len(LEVELS)))
def test_a_level_imports_only_its_own_and_those_below(level: int) -> None:
    above = {name for names in LEVELS[level + 1 :] for name in names} | ABOVE_DATA
    for name in LEVELS[level]:
        files = sorted((PACKAGE / name).glob("*.py")) if (PACKAGE / name).is_dir() else [PACKAGE / f"{name}.py"]
        for path in files:
            assert not imported(path) & above, path.name


def test_the_engine_knows_nothing_of_stores_or_search() -> None:
    forbidden = {"store", "build", "records", "search", "answer", "lookup", "commands", "cli", "documents"}
    for path in (PACKAGE / "engine").rglob("*.py"):
        assert not imported(path) & forbidden, path.name


@pytest.mark.usefixtures("store")
def test_looking_up_a_rule_imports_nothing_slow() -> None:
    code = (
        "import sys\nfrom kb.cli import run\nrun(['rule', '431.2.c'])\n"
        "slow = ('yaml', 'torch', 'numpy', 'msgspec', 'rich', 'faiss', 'onnxruntime', 'transformers')\n"
        "print([name for name in slow if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=data_root())
    assert done.stdout.strip().splitlines()[-1] == "[]"
