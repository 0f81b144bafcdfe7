"""The engine, the card language and the scenario reader know no card by name: what cards do is data."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import kb
from kb.load import load_cards

FOLDERS = ("engine", "cards", "scenarios")
NAMES = sorted(load_cards())
SEVERAL_WORDS = [name for name in NAMES if " " in name]


def literals(path: Path) -> Iterator[tuple[int, str]]:
    """Text constants of a file with their lines; docstrings and comments are left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    said = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.lineno, node.value


def named(text: str) -> list[str]:
    """Cards that a text names: a name of several words anywhere, a single word only where it is the whole text."""
    return [n for n in SEVERAL_WORDS if n in text] + [n for n in NAMES if n == text and " " not in n]


def test_names_are_found_where_they_are() -> None:
    assert len(NAMES) == 935
    assert named("the text of Zhonya's Hourglass") == ["Zhonya's Hourglass"]
    assert named("Defy") == ["Defy"]
    assert named("Charm") == ["Charm"]
    assert named("a Charm or a Block") == []


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_code_names_a_card(folder: str) -> None:
    files = sorted((Path(str(kb.__file__)).parent / folder).rglob("*.py"))
    assert files
    found = [
        f"{folder}/{path.name}:{line} {name}" for path in files for line, text in literals(path) for name in named(text)
    ]
    assert found == []
