"""The YAML of a file of cards or of a scenario, read strictly: safe, no key twice, no depth without end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from kb.errors import DataError

BASE: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
DEEPEST = 40
LONG = 4096
"""Characters from which a text could be nested so deeply that building its nodes exhausts the stack."""


class Loader(BASE):  # type: ignore[misc]
    """The safe loader, for which a date is a text."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in pairs if tag != "tag:yaml.org,2002:timestamp"]
    for first, pairs in BASE.yaml_implicit_resolvers.items()
}


def read_document(path: Path, expected: str, fix: str, anchors: bool = False) -> dict[str, Any]:
    """The mapping that a file holds; ``expected`` and ``fix`` are said where it holds none.

    ``anchors``: whether a value may stand for another one (``*name`` for ``&name``).

    Raises: DataError with file and line where the file is no such thing.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(path, f"cannot be read ({error})", "Save it as UTF-8 text") from None
    loader = None
    try:
        if len(text) > LONG:
            check_depth(text)
        loader = Loader(text)
        node = loader.get_single_node()
        check_nodes(node, path, anchors)
        data = None if node is None else loader.construct_document(node)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        what = getattr(error, "problem", None) or str(error).splitlines()[0]
        line = mark.line + 1 if mark is not None else None
        raise DataError(path, f"not valid YAML ({what})", "Mend the file", line=line) from None
    except RecursionError:
        raise DataError(path, "lists and mappings are nested too deeply", "Write it flatter") from None
    except ValueError as error:
        raise DataError(path, f"a value cannot be read ({error})", "Mend the value") from None
    finally:
        if loader is not None:
            loader.dispose()
    if not isinstance(data, dict):
        raise DataError(path, expected, fix)
    return data


def check_depth(text: str) -> None:
    """Read the text without building anything, as the library builds nodes by recursion that nothing limits.

    Raises: RecursionError where it is nested more deeply than :data:`LONG`; YAMLError where it is not YAML.
    """
    depth = 0
    for event in yaml.parse(text, Loader=BASE):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > LONG:
            raise RecursionError


def check_nodes(root: yaml.Node | None, path: Path, anchors: bool) -> None:
    """No key twice in a mapping, nothing referred to by an anchor (unless allowed), nothing nested too deeply.

    Raises: DataError with file and line.
    """
    seen: set[int] = set()
    waiting = [(root, 0)] if root is not None else []
    while waiting:
        node, depth = waiting.pop()
        line = node.start_mark.line + 1
        if depth > DEEPEST:
            raise DataError(path, f"more than {DEEPEST} levels of lists and mappings", "Write it flatter", line=line)
        if isinstance(node, yaml.ScalarNode):
            continue
        if id(node) in seen and anchors:
            continue
        if id(node) in seen:
            raise DataError(path, "an anchor (&) is used a second time (*)", "Write the value out", line=line)
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            keys: set[str] = set()
            for key, value in node.value:
                if isinstance(key, yaml.ScalarNode):
                    if key.value in keys:
                        at = key.start_mark.line + 1
                        raise DataError(path, f"the key {key.value!r} is said twice", "Keep one", line=at)
                    keys.add(key.value)
                waiting += [(key, depth + 1), (value, depth + 1)]
        else:
            waiting += [(one, depth + 1) for one in node.value]
