"""Which rules cause what: for each entry of ``then``, every rule of which a mutant changes that entry's truth.

:mod:`kb.verify.mutation` asks of the rules that ``decides`` cites whether a mutant confirms them. Here every mutant of
every rule with a step in the engine is run on every scenario that comes to its place, so that one sees what *could*
stand in ``decides``, and how selective it is: a rule that changes everything decides nothing in particular.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kb.engine.hooks import Mutant
from kb.verify.mutation import (
    BASES,
    Task,
    changes_anything,
    hook_calls,
    known_rules,
    operators_of,
    run_bases,
    run_tasks,
)
from kb.verify.sites import Site, sites


@dataclass
class Causes:
    """Entry -> rule -> operators that change its truth; ``spread`` counts the entries that a rule changes at all."""

    entries: dict[tuple[str, int], dict[str, list[str]]] = field(default_factory=dict)
    cited: dict[str, list[str]] = field(default_factory=dict)

    @property
    def spread(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for rules in self.entries.values():
            for rule in rules:
                found[rule] = found.get(rule, 0) + 1
        return dict(sorted(found.items()))

    def as_json(self) -> dict[str, Any]:
        by_scenario: dict[str, dict[str, Any]] = {}
        for (scenario, index), rules in sorted(self.entries.items()):
            by_scenario.setdefault(scenario, {})[str(index)] = dict(sorted(rules.items()))
        return {"entries": by_scenario, "spread": self.spread, "cited": self.cited}


def changes(rules: Collection[str] = ()) -> dict[object, list[Mutant | Site]]:
    """Every change of the engine (at steps of some rules), with the rules whose mutant it is: places carry several."""
    found: dict[object, list[Mutant | Site]] = {}
    for rule in sorted(rules or known_rules()):
        for operator in sorted({o for call in hook_calls().get(rule, ()) for o in operators_of(call)} - {"must not"}):
            found[rule, operator] = [Mutant(rule, operator)]
        for site in sites().get(rule, []):
            found.setdefault(site.change, []).append(site)
    return found


def causes(
    paths: Sequence[Path],
    progress: Callable[[str, int, int], None] | None = None,
    rules: Collection[str] = (),
) -> Causes:
    """Run every change of the engine (of some rules' steps) on every scenario that comes to its place."""
    run_bases(paths, progress)
    found = Causes(
        {(base.id, index): {} for base in BASES.values() for index in base.truths},
        {base.id: sorted(base.cited) for base in BASES.values()},
    )
    groups = [mutants for mutants in changes(rules).values() if changes_anything(mutants[0])]
    tasks = [Task(g[0], tuple(b.id for b in BASES.values() if b.reaches(g[0])), ()) for g in groups]
    for group, result in zip(groups, run_tasks(tasks, progress), strict=True):
        for mutant in group:
            for entry in result.flips:
                found.entries[entry].setdefault(mutant.rule, []).append(mutant.operator)
    return found
