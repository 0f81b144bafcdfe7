"""Proof of the proof: the engine with one rule's step mutated, and whether any scenario notices.

The registry of mutants is read off the engine's own code: every hook call names its rule (:mod:`kb.engine.hooks`). A
mutant is noticed where a run ends normally and an assertion changes its truth. A rule in ``decides`` is causal where
one of its mutants changes the truth of the very entry that cites it.
"""

from __future__ import annotations

import ast
import multiprocessing
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from kb.engine.hooks import OPERATORS, Mutant
from kb.engine.library import library
from kb.errors import DataError
from kb.scenarios.model import Scenario, load_scenario
from kb.scenarios.runner import execute
from kb.verify.suite import scenario_root


@lru_cache(maxsize=1)
def registry() -> dict[str, frozenset[str]]:
    """Rule -> hooks that implement a step of it, from the engine's syntax trees."""
    import kb.engine

    found: dict[str, set[str]] = {}
    folder = Path(str(kb.engine.__file__)).parent
    for path in sorted(folder.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in OPERATORS:
                if node.args and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str):
                    found.setdefault(node.args[0].value, set()).add(node.func.attr)
    return {rule: frozenset(hooks) for rule, hooks in sorted(found.items())}


def mutants_of(rule: str) -> list[Mutant]:
    """Every mutant of a rule's steps; ``must not`` is left out, as it needs an answer that nobody gives."""
    return [
        Mutant(rule, operator)
        for hook in sorted(registry().get(rule, ()))
        for operator in OPERATORS[hook]
        if operator != "must not"
    ]


def steps_of(cited: str) -> list[str]:
    """The rules of the registry whose steps carry out a cited rule: itself, those below it, else its parent."""
    number = cited.removeprefix("core-1.4:")
    known = registry()
    own = [r for r in known if r == number or r.startswith(f"{number}.")]
    if own:
        return own
    parent = number.rpartition(".")[0]
    return [r for r in known if parent and r == parent]


@dataclass
class Base:
    """One scenario's truths without a mutant, and the hooks that its run consulted."""

    id: str
    truths: dict[int, bool]
    touched: frozenset[str]
    cites: dict[int, tuple[str, ...]]


@dataclass
class MutantResult:
    """What a mutant did: (scenario, entry) pairs whose truth it changed."""

    mutant: Mutant
    flips: list[tuple[str, int]] = field(default_factory=list)
    runs: int = 0

    @property
    def noticed(self) -> bool:
        return bool(self.flips)


@dataclass
class MutationReport:
    """All mutants of the rules that any scenario's ``decides`` cites."""

    results: list[MutantResult]
    cited: dict[str, list[tuple[str, int]]]
    causal: set[tuple[str, str, int]]
    without_step: list[str]

    @property
    def score(self) -> float:
        return sum(r.noticed for r in self.results) / max(1, len(self.results))

    @property
    def not_causal(self) -> list[tuple[str, str, int]]:
        """(rule, scenario, entry) citations that no mutant of the rule confirms."""
        return sorted((r, s, i) for r, uses in self.cited.items() for s, i in uses if (r, s, i) not in self.causal)

    @property
    def rules_not_causal(self) -> list[str]:
        """Cited rules that no mutant confirms anywhere."""
        return sorted(r for r, uses in self.cited.items() if not any((r, s, i) in self.causal for s, i in uses))

    @property
    def good(self) -> bool:
        return self.score >= 0.9 and not self.rules_not_causal

    def lines(self) -> Iterable[str]:
        """The report for a maintainer."""
        noticed = sum(r.noticed for r in self.results)
        yield f"{len(self.results)} rule mutants, {noticed} noticed ({100 * self.score:.1f}%)"
        uses = sum(len(u) for u in self.cited.values())
        causal = len(self.cited) - len(self.rules_not_causal)
        yield f"{len(self.cited)} rules cited in 'decides', {causal} causal somewhere"
        yield f"{uses} citations, {uses - len(self.not_causal)} causal where they stand"
        if self.without_step:
            yield f"No step of the engine is tied to {len(self.without_step)} of them: " + ", ".join(self.without_step)
        yield ""
        yield "Mutants that nobody noticed:"
        for result in self.results:
            if not result.noticed:
                yield f"    {result.mutant} ({result.runs} scenarios reached it)"
        yield ""
        yield "Rules cited in 'decides' that no mutant confirms:"
        for rule in self.rules_not_causal:
            where = ", ".join(sorted({s for s, _ in self.cited[rule]})[:4])
            yield f"    {rule} ({where})"

    def as_json(self) -> dict[str, Any]:
        return {
            "mutants": len(self.results),
            "noticed": sum(r.noticed for r in self.results),
            "score": round(self.score, 4),
            "by_rule": {
                rule: {str(r.mutant): r.noticed for r in self.results if r.mutant.rule == rule}
                for rule in sorted({r.mutant.rule for r in self.results})
            },
            "not_causal": [list(x) for x in self.not_causal],
            "rules_not_causal": self.rules_not_causal,
            "without_step": self.without_step,
            "unnoticed": [str(r.mutant) for r in self.results if not r.noticed],
        }


def base_of(path: Path) -> Base | None:
    """A scenario's own truths; None where it does not run to its end."""
    try:
        scenario = load_scenario(path, scenario_root())
        truths = execute(scenario, library())
    except DataError:
        return None
    if not truths.ended or truths.run is None:
        return None
    cites = {t.index: tuple(r for r in t.decides) for t in scenario.then}
    return Base(scenario.id, dict(truths.asserted), frozenset(truths.run.game.hooks.seen), cites)


def flips_of(scenario: Scenario, mutant: Mutant, base: Base) -> list[tuple[str, int]]:
    """Entries whose truth changes under a mutant; nothing where the run does not end normally."""
    try:
        truths = execute(scenario, library(), mutant)
    except Exception:  # a mutated engine may break anywhere, and a crash is not a notice
        return []
    if not truths.ended:
        return []
    return [(scenario.id, i) for i, true in base.truths.items() if i in truths.asserted and truths.asserted[i] != true]


def one_mutant(task: tuple[Mutant, tuple[str, ...]]) -> MutantResult:
    """A mutant over the scenarios that consult its hook."""
    mutant, idents = task
    result = MutantResult(mutant)
    for ident in idents:
        path = scenario_root() / f"{ident}.yaml"
        base = BASES.get(ident) or base_of(path)
        if base is None:
            continue
        result.runs += 1
        result.flips += flips_of(load_scenario(path, scenario_root()), mutant, base)
    return result


BASES: dict[str, Base] = {}


def report(paths: Sequence[Path], progress: Callable[[str, int, int], None] | None = None) -> MutationReport:
    """Every mutant of every rule cited in ``decides``, one at a time, over the scenarios that reach it."""
    workers = min(os.cpu_count() or 1, 4)
    context = multiprocessing.get_context("fork" if "fork" in multiprocessing.get_all_start_methods() else None)
    library()
    with context.Pool(workers) as pool:
        bases = [b for b in pool.map(base_of, paths, chunksize=8) if b is not None]
    BASES.update({b.id: b for b in bases})
    cited: dict[str, list[tuple[str, int]]] = {}
    for base in bases:
        for index, rules in base.cites.items():
            for rule in rules:
                if rule.startswith("core-1.4:") or ":" in rule:
                    cited.setdefault(rule, []).append((base.id, index))
    steps = {rule: steps_of(rule) for rule in cited}
    wanted = sorted({s for found in steps.values() for s in found})
    tasks = []
    for step in wanted:
        reaching = tuple(b.id for b in bases if step in b.touched)
        tasks += [(m, reaching) for m in mutants_of(step)]
    results: list[MutantResult] = []
    with context.Pool(workers) as pool:
        for number, result in enumerate(pool.imap(one_mutant, tasks, chunksize=1)):
            results.append(result)
            if progress is not None:
                progress("Running mutants", number + 1, len(tasks))
    flipped: dict[str, set[tuple[str, int]]] = {}
    for result in results:
        flipped.setdefault(result.mutant.rule, set()).update(result.flips)
    causal = {
        (rule, s, i)
        for rule, uses in cited.items()
        for s, i in uses
        if any((s, i) in flipped.get(step, ()) for step in steps[rule])
    }
    return MutationReport(results, cited, causal, sorted(r for r, found in steps.items() if not found))
