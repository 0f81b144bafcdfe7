"""YAML read strictly, with line numbers: unknown keys, wrong shapes and keys said twice are errors.

Scalars are taken as they are written, so ``verdict: yes`` is the word "yes" and not a truth value.
Each ``Entry`` is one mapping of the file; its methods read one key each and raise ``DataError`` with
file and line; ``only`` rejects every key that is not expected.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path

import yaml

from kb.errors import DataError

_Loader: type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Entry:
    """One mapping of a YAML file."""

    def __init__(self, path: Path | str, node: yaml.MappingNode) -> None:
        self.path = path
        self.line = node.start_mark.line + 1
        self._nodes: dict[str, yaml.Node] = {}
        self._lines: dict[str, int] = {}
        for key, value in node.value:
            name = str(key.value)
            if name in self._nodes:
                raise DataError(path, f"the key {name!r} is said twice", "Keep one", line=key.start_mark.line + 1)
            self._nodes[name] = value
            self._lines[name] = key.start_mark.line + 1

    def __contains__(self, key: str) -> bool:
        return key in self._nodes and not _is_null(self._nodes[key])

    def names(self) -> Iterator[str]:
        """The keys, in the order of the file."""
        return iter(self._nodes)

    def line_of(self, key: str) -> int:
        """The line on which ``key`` stands, or the first line of this mapping."""
        return self._lines.get(key, self.line)

    def error(self, key: str, what: str, fix: str = "") -> DataError:
        """An error about ``key``, to be raised by the caller."""
        return DataError(self.path, what, fix, line=self.line_of(key))

    def only(self, *known: str) -> None:
        """Raise for the first key that is not in ``known``."""
        for key in self._nodes:
            if key not in known:
                near = get_close_matches(key, known, n=1)
                fix = f"Did you mean {near[0]!r}" if near else f"Known keys: {', '.join(known)}"
                raise self.error(key, f"unknown key {key!r}", fix)

    def text(self, key: str, *, required: bool = False) -> str:
        """A scalar as written, spaces folded; nothing where the key is absent."""
        if key not in self:
            if required:
                raise self.error(key, f"{key!r} is missing", "Add it")
            return ""
        return _scalar(self._nodes[key], key, self)

    def texts(self, key: str, *, required: bool = False) -> tuple[str, ...]:
        """A list of scalars; nothing where the key is absent."""
        if key not in self:
            if required:
                raise self.error(key, f"{key!r} is missing", "Add a list")
            return ()
        node = self._nodes[key]
        if not isinstance(node, yaml.SequenceNode):
            raise self.error(key, f"{key!r} must be a list", "Write it as [one, two] or with a dash a line")
        return tuple(_scalar(item, key, self) for item in node.value)

    def number(self, key: str) -> int | None:
        """A whole number, or None where the key is absent."""
        if key not in self:
            return None
        said = self.text(key)
        if not said.lstrip("-").isdigit():
            raise self.error(key, f"{key!r} must be a whole number, not {said!r}", "Write digits")
        return int(said)

    def flag(self, key: str) -> bool:
        """``true`` or ``false``; false where the key is absent."""
        said = self.text(key) if key in self else "false"
        if said not in ("true", "false"):
            raise self.error(key, f"{key!r} must be true or false, not {said!r}", "Write true or false")
        return said == "true"

    def entry(self, key: str) -> Entry | None:
        """A mapping below ``key``, or None where it is absent."""
        if key not in self:
            return None
        node = self._nodes[key]
        if not isinstance(node, yaml.MappingNode):
            raise self.error(key, f"{key!r} must hold keys of its own", "Write it as {key: value}")
        return Entry(self.path, node)

    def entries(self, key: str, *, required: bool = False) -> tuple[Entry, ...]:
        """A list of mappings below ``key``; nothing where it is absent."""
        if key not in self:
            if required:
                raise self.error(key, f"{key!r} is missing", "Add a list")
            return ()
        node = self._nodes[key]
        if not isinstance(node, yaml.SequenceNode) or not all(isinstance(n, yaml.MappingNode) for n in node.value):
            raise self.error(key, f"{key!r} must be a list of entries", "Start each with a dash")
        return tuple(Entry(self.path, item) for item in node.value if isinstance(item, yaml.MappingNode))


def read_entry(path: Path) -> Entry:
    """The mapping that a YAML file holds. Raises ``DataError`` for anything else."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise DataError(path, f"cannot be read ({problem})", "Save it as UTF-8") from problem
    return parse_entry(text, path)


def parse_entry(text: str, path: Path | str) -> Entry:
    """The mapping in ``text``. Raises ``DataError`` where it is not YAML or not a mapping."""
    try:
        node = yaml.compose(text, Loader=_Loader)
    except yaml.YAMLError as problem:
        mark = getattr(problem, "problem_mark", None)
        what = getattr(problem, "problem", None) or "it cannot be read"
        line = mark.line + 1 if mark else None
        raise DataError(path, f"this is not YAML: {what}", "Quote text that holds ': ' or ' #'", line=line) from problem
    if not isinstance(node, yaml.MappingNode):
        raise DataError(path, "the file must hold keys and values", "Start with a line like 'id: ...'", line=1)
    return Entry(path, node)


def _is_null(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:null"


def _scalar(node: yaml.Node, key: str, entry: Entry) -> str:
    if not isinstance(node, yaml.ScalarNode):
        fix = "Put it in quotes" if isinstance(node, yaml.MappingNode) else "Write one value"
        raise DataError(entry.path, f"a value of {key!r} must be text", fix, line=node.start_mark.line + 1)
    return " ".join(str(node.value).split())
