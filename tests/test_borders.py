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
    ("glossary", "load", "documents", "questions", "store", "lookup", "editions"),
    ("names", "passages", "records", "lint", "changes", "edition_records", "import_report", "impact"), ("build",),
)  # fmt: skip
EXECUTED = ("cards", "engine", "scenarios", "verify", "commands")
"""The half that is executed: each imports only itself and what stands before it."""
BELOW = {"errors", "ids", "model", "data"}
"""What everything executable may know of the data half."""
ABOVE_DATA = {"search", "answer", "app", "replay", "export", "cli", *EXECUTED}


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


def imported_anywhere(path: Path) -> set[str]:
    """First-level modules of kb that a file imports at its top or inside its functions."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} imports relatively"
            if node.module and node.module.split(".")[0] == "kb":
                parts = node.module.split(".")
                found.update(parts[1:2] or [alias.name for alias in node.names])
        elif isinstance(node, ast.Import):
            found.update(alias.name.split(".")[1] for alias in node.names if alias.name.startswith("kb."))
    return found


def files_of(folder: str) -> list[Path]:
    found = sorted((PACKAGE / folder).rglob("*.py"))
    assert found, folder
    return found


@pytest.mark.parametrize("level", range(len(LEVELS)))
def test_a_level_imports_only_its_own_and_those_below(level: int) -> None:
    above = {name for names in LEVELS[level + 1 :] for name in names} | ABOVE_DATA
    for name in LEVELS[level]:
        files = sorted((PACKAGE / name).glob("*.py")) if (PACKAGE / name).is_dir() else [PACKAGE / f"{name}.py"]
        for path in files:
            assert not imported(path) & above, path.name


@pytest.mark.parametrize("index", range(len(EXECUTED)), ids=EXECUTED)
def test_cards_engine_scenarios_and_verdicts_import_one_way(index: int) -> None:
    above = {*EXECUTED[index + 1 :], "cli", "app"}
    for path in files_of(EXECUTED[index]):
        starts_the_app = path == PACKAGE / "commands" / "app.py"
        assert not imported_anywhere(path) & (above - {"app"} if starts_the_app else above), path


@pytest.mark.parametrize("folder", ["cards", "engine", "scenarios"])
def test_what_executes_the_rules_knows_nothing_of_stores_or_search(folder: str) -> None:
    own = set(EXECUTED[: EXECUTED.index(folder) + 1])
    for path in files_of(folder):
        assert imported_anywhere(path) <= own | BELOW, path


def test_running_a_scenario_loads_no_store_and_no_search() -> None:
    code = (
        "import sys\nimport kb.scenarios.runner\n"
        "outside = ('kb.store', 'kb.build', 'kb.search', 'kb.answer', 'kb.app', 'kb.verify', 'sqlite3', 'numpy')\n"
        "print([name for name in outside if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=data_root())
    assert done.stdout.strip() == "[]"


@pytest.mark.usefixtures("store")
def test_looking_up_a_rule_imports_nothing_slow() -> None:
    code = (
        "import sys\nfrom kb.cli import run\nrun(['rule', '431.2.c'])\n"
        "slow = ('yaml', 'torch', 'numpy', 'msgspec', 'rich', 'faiss', 'onnxruntime', 'transformers')\n"
        "print([name for name in slow if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=data_root())
    assert done.stdout.strip().splitlines()[-1] == "[]"
