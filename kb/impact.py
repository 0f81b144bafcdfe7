"""What a change of edition touches: rulings, claims, scenarios, steps of the engine, terms; what matters most first.

Whatever cites a rule that changed in substance is to be reviewed; what cites a rule of which only the number
changed is to be renumbered. Citations of either edition count, so it serves before and after the
project moves on. What the project does not have is absent from the list.
"""

from __future__ import annotations

import ast
import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kb.changes import Change, Changes, order
from kb.data import scenarios_dir
from kb.ids import parent_number
from kb.sources.links import Kind

_PACKAGE = Path(__file__).resolve().parent
_NUMBER = re.compile(r"(?<![\w.:-])\d{3}(?:\.(?:\d{1,2}|[a-z](?![a-z])))*(?![\w-])")
_DECIDES = re.compile(r"\bdecides:\s*\[([^\]]*)\]|\bdecides:\s*\n((?:\s+-\s+\S+\n?)+)")
_REFERENCE = re.compile(r"((?:core|tournament)-[\d.-]*\d):(\d{3}(?:\.(?:\d{1,2}|[a-z]))*)")

DECIDES, REVIEWED, CLAIMED, MENTIONED, ABOVE = 1.0, 0.9, 0.8, 0.4, 0.3


@dataclass
class Touched:
    """Something to look at: how much, why, and the rules that make it so; ``title`` is what a ruling is called."""

    name: str
    weight: float = 0.0
    title: str = ""
    rules: dict[str, float] = field(default_factory=dict)
    details: set[str] = field(default_factory=set)

    def add(self, rule: str, weight: float, detail: str = "") -> None:
        """One more rule; the weightiest counts, others add a little."""
        self.rules[rule] = max(weight, self.rules.get(rule, 0.0))
        most = sorted(self.rules.values(), reverse=True)
        self.weight = round(min(1.0, most[0] + 0.02 * sum(most[1:])), 3)
        if detail:
            self.details.add(detail)

    def as_json(self, details: str) -> dict[str, Any]:
        """As the command prints it."""
        rules = sorted(self.rules, key=lambda one: -self.rules[one])
        titled = {"title": self.title} if self.title else {}
        return {"id": self.name, **titled, "weight": self.weight, "rules": rules, details: sorted(self.details)}


@dataclass
class Impact:
    """Everything that is touched, each list by weight."""

    changes: Changes
    rulings: list[Touched]
    scenarios: list[Touched]
    engine: list[Touched]
    terms: list[Touched]
    renumber: dict[str, str]

    def as_json(self) -> dict[str, Any]:
        """As the command prints it."""
        changed = sorted((one for one in self.changes.changes if one.in_substance), key=order)
        return {
            "old": self.changes.old, "new": self.changes.new, "wording": list(self.changes.wording),
            "rules": [{k: v for k, v in one.as_json().items() if k != "words"} for one in changed],
            "rulings": [one.as_json("claims") for one in self.rulings],
            "scenarios": [one.as_json("as") for one in self.scenarios],
            "engine": [one.as_json("places") for one in self.engine],
            "terms": [one.as_json("as") for one in self.terms],
            "renumber": self.renumber,
        }  # fmt: skip


def impact_of(changes: Changes, con: sqlite3.Connection) -> Impact:
    """What the changes touch in the store, the scenario files and the engine."""
    weights = _weights(changes)
    rulings, scenarios, terms = _cited(con, weights)
    _decided(con, weights, rulings, scenarios)
    engine = _steps(changes, weights)
    titles = dict(con.execute("SELECT id, title FROM ruling").fetchall())
    for one in rulings.values():
        one.title = titles.get(one.name, "")
    lists = [_by_weight(some) for some in (rulings, scenarios, engine, terms)]
    return Impact(changes, lists[0], lists[1], lists[2], lists[3], _renumber(changes, con))


def _weights(changes: Changes) -> dict[str, float]:
    """Weight of every rule that changed in substance, by full reference, in both editions; parents a little."""
    found: dict[str, float] = {}

    def put(document: str, number: str | None, weight: float) -> None:
        if number:
            ref = f"{document}:{number}"
            found[ref] = max(weight, found.get(ref, 0.0))

    for one in changes.changes:
        if one.in_substance:
            put(changes.old, one.link.old, one.weight)
            put(changes.new, one.link.new, one.weight)
            if one.link.kind is Kind.NEW:
                put(changes.new, parent_number(one.link.new), ABOVE * one.weight)
                put(changes.old, _old_parent(one, changes), ABOVE * one.weight)
    return found


def _old_parent(change: Change, changes: Changes) -> str | None:
    """What the parent of a new rule was in the older edition."""
    above = parent_number(change.link.new)
    return next((one.link.old for one in changes.changes if above and one.link.new == above and one.link.old), None)


def _cited(
    con: sqlite3.Connection, weights: dict[str, float]
) -> tuple[dict[str, Touched], dict[str, Touched], dict[str, Touched]]:
    """Rulings, scenarios and terms by what the store says they cite."""
    found: dict[str, dict[str, Touched]] = {"ruling": {}, "scenario": {}, "term": {}}
    sources = "src_kind IN ('ruling', 'scenario', 'term')"
    sql = f"SELECT kind, src_kind, src, dst, detail FROM xref WHERE dst_kind = 'rule' AND {sources}"
    for kind, src_kind, src, dst, detail in con.execute(sql):
        if dst not in weights:
            continue
        role = {"review": REVIEWED, "defines": DECIDES}.get(kind, CLAIMED if detail else MENTIONED)
        touched = found[src_kind].setdefault(src, Touched(src))
        touched.add(dst, weights[dst] * role, detail if src_kind == "ruling" else kind)
    return found["ruling"], found["scenario"], found["term"]


def _decided(
    con: sqlite3.Connection,
    weights: dict[str, float],
    rulings: dict[str, Touched],
    scenarios: dict[str, Touched],
) -> None:
    """Raise what a changed rule *decides*: the scenario, and the ruling and claim that it proves."""
    root = scenarios_dir()
    proves = {row[0]: row[1] for row in con.execute("SELECT id, ruling FROM scenario")}
    for name, ruling in proves.items():
        path = root / f"{name}.yaml"
        if not path.exists():
            continue
        text = path.read_text(encoding="utf-8")
        for decides in _DECIDES.finditer(text):
            line = text.rfind("\n", 0, decides.start())
            before = text[max(0, line - 200) : decides.end()]
            claims = re.findall(r"claim:\s*(\w+)", before)
            for document, number in _REFERENCE.findall(decides.group()):
                ref = f"{document}:{number}"
                if ref in weights:
                    scenarios.setdefault(name, Touched(name)).add(ref, weights[ref] * DECIDES, "decides")
                    if ruling:
                        rulings.setdefault(ruling, Touched(ruling)).add(ref, weights[ref], claims[-1] if claims else "")


def _steps(changes: Changes, weights: dict[str, float]) -> dict[str, Touched]:
    """Functions of the engine that name a changed rule of the edition which the engine executes."""
    from kb.ids import DEFAULT_DOCUMENT

    found: dict[str, Touched] = {}
    if DEFAULT_DOCUMENT not in (changes.old, changes.new):
        return found
    for path in sorted((_PACKAGE / "engine").glob("*.py")):
        for function, number, line in _named(path):
            ref = f"{DEFAULT_DOCUMENT}:{number}"
            if ref in weights:
                name = f"engine/{path.name}:{function}"
                found.setdefault(name, Touched(name)).add(ref, weights[ref], f"line {line}")
    return found


def _named(path: Path) -> Iterable[tuple[str, str, int]]:
    """(function, rule number, line) of every number in the strings of a module."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    within: dict[int, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                within[line] = node.name
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            for number in _NUMBER.findall(node.value):
                yield within.get(node.lineno, "module"), number, node.lineno


def _renumber(changes: Changes, con: sqlite3.Connection) -> dict[str, str]:
    """Cited rules of the older edition of which the number changed, with the number that they have now."""
    cited = {
        row[0] for row in con.execute("SELECT DISTINCT dst FROM xref WHERE dst_kind = 'rule' AND src_kind <> 'rule'")
    }
    moved: dict[str, str] = defaultdict(str)
    for one in changes.changes:
        ref = f"{changes.old}:{one.link.old}"
        if one.link.old and one.link.new and one.link.old != one.link.new and ref in cited:
            if one.link.kind in (Kind.RENUMBERED, Kind.REWORDED) or ref not in moved:
                moved[ref] = f"{changes.new}:{one.link.new}"
    return dict(moved)


def _by_weight(some: dict[str, Touched]) -> list[Touched]:
    return sorted(some.values(), key=lambda one: (-one.weight, one.name))
