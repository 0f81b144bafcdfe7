"""Ordinary mutants of the engine's code, made by Cosmic Ray's operators, and whether the scenarios notice them.

The rule mutants (:mod:`kb.verify.mutation`) change the step that carries a rule; these change any expression: an
operator, a comparison, a number, a condition, ``and`` for ``or``, ``break`` for ``continue``. A random sample, drawn
with a seed, is applied one at a time to the function it stands in and tried on the scenarios that execute its line. A
mutant is *noticed* where an assertion changes its truth, *broken* where a run no longer ends (a crash, an unscripted
question, an endless loop) and no assertion changed, and *unnoticed* otherwise. Equality against identity is not
tried: for the words and small numbers that the engine compares they are the same.

Cosmic Ray is not among the dependencies: ``pip install "riftbound-kb[mutation]"``.
"""

from __future__ import annotations

import ast
import importlib
import random
import re
import types
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from kb.errors import InputError
from kb.verify.mutation import BASES, Base, MutantResult, Task, run_bases, run_tasks
from kb.verify.sites import ANNOTATING, annotates, functions, hooked_value, live_function_named, rule_words, trees

SAME = re.compile(r"_(?:(?:Not)?Eq_Is(?:Not)?|Is(?:Not)?_(?:Not)?Eq)$")
TELLING = ANNOTATING | {"kb.engine.happened", "kb.engine.trace"}
"""Modules that only tell what happened: a change there changes no game."""
MOST = 1500
"""So many scenarios that execute a mutant's line are tried at most, spread over all of them."""
NOTICED, BROKEN, UNNOTICED, UNREACHED = "noticed", "broken", "unnoticed", "not reached"


@dataclass(frozen=True)
class CodeMutant:
    """One change of Cosmic Ray's: the ``occurrence``-th place of an operator in a module, inside a function."""

    module: str
    function: str
    operator: str
    occurrence: int
    line: int
    first: int
    last: int
    rule: str = ""

    def __str__(self) -> str:
        operator = self.operator.removeprefix("core/")
        return f"{self.module.removeprefix('kb.engine.')}.{self.function}:{self.line} {operator}"

    def reached_by(self, base: Base) -> bool:
        """Whether a scenario's run executes the statement."""
        return any((self.module, line) in base.lines for line in range(self.first, self.last + 1))

    @contextmanager
    def applied(self) -> Iterator[None]:
        """The engine with the change made."""
        target, code = live_function_named(self.module, self.function), changed_code(self)
        if target is None or code is None or code.co_freevars != target.__code__.co_freevars:
            raise LookupError(str(self))
        before = target.__code__
        target.__code__ = code
        try:
            yield
        finally:
            target.__code__ = before


@dataclass
class CodeReport:
    """What became of each mutant of the sample."""

    seed: int
    places: int
    outcomes: dict[CodeMutant, str]

    def lines(self) -> Iterable[str]:
        """The report for a maintainer."""
        counts = Counter(self.outcomes.values())
        total = len(self.outcomes)
        yield f"{total} code mutants of {self.places} possible ones (Cosmic Ray's operators, seed {self.seed})"
        for name in (NOTICED, BROKEN, UNNOTICED, UNREACHED):
            yield f"    {name}: {counts[name]} ({100 * counts[name] / max(1, total):.1f}%)"
        killed = counts[NOTICED] + counts[BROKEN]
        yield f"    noticed or broken (killed, as it is usually counted): {100 * killed / max(1, total):.1f}%"
        yield ""
        yield "Not noticed:"
        for mutant, outcome in sorted(self.outcomes.items(), key=lambda pair: str(pair[0])):
            if outcome in (UNNOTICED, UNREACHED):
                yield f"    {mutant} ({outcome})"

    def as_json(self) -> dict[str, Any]:
        """Counts by outcome, and every mutant with its outcome."""
        return {
            "seed": self.seed,
            "places": self.places,
            "outcomes": dict(Counter(self.outcomes.values())),
            "mutants": {str(mutant): outcome for mutant, outcome in self.outcomes.items()},
        }


def source_of(module: str) -> str:
    """The source of an engine module."""
    return Path(str(importlib.import_module(module).__file__)).read_text(encoding="utf-8")


def places() -> list[CodeMutant]:
    """Every change that Cosmic Ray's operators can make inside the engine's functions.

    Raises ``InputError`` where Cosmic Ray is not installed.
    """
    try:
        from cosmic_ray.ast import ast_nodes, get_ast
        from cosmic_ray.plugins import get_operator, operator_names
    except ImportError as problem:
        what = "Cosmic Ray is not installed"
        raise InputError("code mutants", what, 'pip install "riftbound-kb[mutation]"') from problem
    names = [name for name in operator_names() if not SAME.search(name)]
    operators = {name: get_operator(name) for name in names if not get_operator(name).arguments()}
    found: list[CodeMutant] = []
    for module, tree in trees().items():
        if module in TELLING:
            continue
        spans, idle = statement_spans(tree), idle_spans(tree)
        nodes = list(ast_nodes(get_ast(source_of(module))))
        for name, made in operators.items():
            operator = made()
            positions = [start for node in nodes for start, _ in operator.mutation_positions(node)]
            for occurrence, (line, column) in enumerate(positions):
                if line in spans and not any(first <= (line, column) < last for first, last in idle):
                    function, first, last = spans[line]
                    found.append(CodeMutant(module, function, name, occurrence, line, first, last))
    return found


def idle_spans(tree: ast.Module) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Where a change changes no game: (line, column) of the beginning and the end of such expressions.

    The type of a local name is never evaluated; hooks alone have one value where no mutant of a rule is in force; what
    only puts rule numbers together, or says what a question is about, is told and not acted on.
    """
    found: list[ast.expr] = []
    for _, function in functions(tree):
        for node in ast.walk(function):
            match node:
                case ast.AnnAssign(target=ast.Name(), annotation=annotation):
                    found.append(annotation)
                case ast.keyword(arg="rule" | "about", value=value):
                    found.append(value)
                case ast.BoolOp() | ast.UnaryOp() if hooked_value(node) is not None:
                    found.append(node)
                case ast.IfExp() | ast.BinOp() if rule_words(node):
                    found.append(node)
    return sorted({((n.lineno, n.col_offset), (n.end_lineno or n.lineno, n.end_col_offset or 0)) for n in found})


def statement_spans(tree: ast.Module) -> dict[int, tuple[str, int, int]]:
    """Line -> (function, first and last line of the innermost statement), those that only annotate left out."""
    spans: dict[int, tuple[str, int, int]] = {}
    for name, function in functions(tree):
        if function.name.startswith("note_"):
            continue
        for statement in ast.walk(function):
            if not isinstance(statement, ast.stmt) or statement is function or annotates(statement):
                continue
            body = getattr(statement, "body", None)
            last = body[0].lineno - 1 if isinstance(body, list) and body else statement.end_lineno or statement.lineno
            for line in range(statement.lineno, max(last, statement.lineno) + 1):
                spans[line] = (name, statement.lineno, max(last, statement.lineno))
    return spans


@cache
def changed_code(mutant: CodeMutant) -> types.CodeType | None:
    """The code object of the mutant's function; None where the change is not inside it."""
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator

    source = mutate_code(source_of(mutant.module), get_operator(mutant.operator)(), mutant.occurrence)
    if source is None:
        return None
    try:
        found = [compile(source, f"<{mutant}>", "exec")]
    except SyntaxError:
        return None
    for name in mutant.function.split("."):
        inner = (c for code in found for c in code.co_consts if isinstance(c, types.CodeType))
        found = [c for c in inner if c.co_name == name]
    return found[0] if found else None


def fits(mutant: CodeMutant) -> bool:
    """Whether a change can be applied: it compiles, and its function is the one that runs."""
    try:
        with mutant.applied():
            return True
    except LookupError:
        return False


def spread(names: list[str]) -> list[str]:
    """At most ``MOST`` of these, evenly apart."""
    return names[:: -(-len(names) // MOST)] if len(names) > MOST else names


def outcome_of(result: MutantResult) -> str:
    """What became of one mutant."""
    if not result.runs:
        return UNREACHED
    return NOTICED if result.noticed else BROKEN if result.ended < result.runs else UNNOTICED


def code_report(
    paths: Sequence[Path], number: int, seed: int, progress: Callable[[str, int, int], None] | None = None
) -> CodeReport:
    """A random sample of code mutants, one at a time, over the scenarios that execute their lines."""
    possible = places()
    order = random.Random(seed).sample(possible, len(possible))
    sample: list[CodeMutant] = []
    for mutant in order:
        if len(sample) == number:
            break
        if fits(mutant):
            sample.append(mutant)
    run_bases(paths, progress)
    tasks = [Task(m, (), tuple(spread([b.id for b in BASES.values() if m.reached_by(b)]))) for m in sample]
    results = run_tasks(tasks, progress)
    outcomes = {mutant: outcome_of(result) for mutant, result in zip(sample, results, strict=True)}
    return CodeReport(seed, len(possible), outcomes)
