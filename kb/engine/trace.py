"""The derivation of a run: a tree of steps and events, each with the rules that require it.

``kb run --trace`` prints it; scenarios assert on it; coverage counts it. Texts are formatted only when somebody reads
them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(slots=True)
class Node:
    """One line of the derivation: text with its rules, and what happened because of it.

    ``verb``, ``thing`` and ``player`` are filled for events; ``kind`` is step, event, ask or note; ``marker`` is the
    number of answers given before it.
    """

    rules: tuple[str, ...]
    template: str
    args: tuple[object, ...] = ()
    kind: str = "note"
    verb: str = ""
    thing: str = ""
    player: str = ""
    data: dict[str, object] = field(default_factory=dict)
    marker: int = 0
    children: list[Node] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The line as words."""
        return self.template.format(*self.args) if self.args else self.template

    def walk(self, depth: int = 0) -> Iterator[tuple[int, Node]]:
        """All nodes below this one with their depth, in order."""
        for child in self.children:
            yield depth, child
            yield from child.walk(depth + 1)


class Trace:
    """Builds the tree; ``enabled=False`` keeps only the count of cited rules.

    ``watch`` is called wherever a step begins and where it ends.
    """

    def __init__(self, enabled: bool = True) -> None:
        self.root = Node((), "")
        self.stack = [self.root]
        self.enabled = enabled
        self.cited: dict[str, int] = {}
        self.marker = 0
        self.watch: Callable[[], None] | None = None

    def add(self, rules: str, template: str, args: tuple[object, ...] = (), kind: str = "note") -> Node | None:
        """Add a line under the current step; ``rules`` are numbers separated by spaces."""
        numbers = tuple(dict.fromkeys(rules.split()))
        for number in numbers:
            self.cited[number] = self.cited.get(number, 0) + 1
        if not self.enabled:
            return None
        node = Node(numbers, template, args, kind, marker=self.marker)
        self.stack[-1].children.append(node)
        return node

    def count(self) -> int:
        """The number of lines so far; a step in which nothing happened may be taken out again."""
        return sum(1 for _ in self.root.walk())

    def cite(self, rules: str) -> None:
        """Count rules that a computation without a line of its own carries out."""
        for number in rules.split():
            self.cited[number] = self.cited.get(number, 0) + 1

    @contextmanager
    def step(self, rules: str, template: str, *args: object) -> Iterator[None]:
        """Everything noted inside stands under this line."""
        if self.watch is not None:
            self.watch()
        node = self.add(rules, template, args, "step")
        if node is None:
            yield
            return
        self.stack.append(node)
        try:
            yield
        finally:
            self.stack.pop()
        if self.watch is not None:
            self.watch()

    def lines(self) -> Iterator[str]:
        """The derivation as indented text, each line with its rules."""
        for depth, node in self.root.walk():
            rules = f"  [{', '.join(node.rules)}]" if node.rules else ""
            yield f"{'  ' * depth}{node.text}{rules}"

    def tree(self, node: Node | None = None) -> list[dict[str, object]]:
        """The derivation as plain data."""
        here = node or self.root
        return [
            {
                "text": child.text,
                "rules": list(child.rules),
                "kind": child.kind,
                **({"verb": child.verb, "thing": child.thing, "player": child.player} if child.verb else {}),
                **({"children": self.tree(child)} if child.children else {}),
            }
            for child in here.children
        ]
