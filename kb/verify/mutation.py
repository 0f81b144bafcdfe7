"""Proof of the proof: the engine with one rule's step mutated, and whether any scenario notices.

Two registries, both read off the engine's own code, tie rules to its steps: the hooks (:mod:`kb.engine.hooks`) and the
places where a rule is cited (:mod:`kb.verify.sites`). A mutant is noticed where an assertion changes its truth: one of
``then`` after steps that are all carried out, or what a step says of a question or a refusal (``asked``,
``refused``). A rule in ``decides`` is causal where one of its mutants changes the truth of the very entry that cites
it, or of a step's assertion before it. A mutant is tried on the scenarios that cite its rule, then on the others that
reach its place until one notices. A mutant under which no run ends at all is not a plausible engine: it is told, and
does not count.
"""

from __future__ import annotations

import ast
import multiprocessing
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import FrameType
from typing import Any, Protocol

from kb.engine.hooks import OPERATORS, Mutant
from kb.engine.library import library
from kb.errors import DataError
from kb.scenarios.model import Scenario, load_scenario
from kb.scenarios.runner import execute
from kb.verify.changing import DIFFERENCES
from kb.verify.sites import Site, in_force, lines_of, rules_named, sites
from kb.verify.steps import further, watched
from kb.verify.suite import scenario_root

ENOUGH = 2
"""A rule with fewer plausible mutants gets further ones, derived from its steps, until it has so many."""

FURTHER = 12
"""So many further mutants of a rule are tried at most."""

PER_RULE = 4
"""At most so many places of the code are mutated for one rule, spread over its functions and operators."""

SECONDS = 0.5
"""A mutated run that takes longer on the processor is given up, as a mutant may loop for ever."""


class Change(Protocol):
    """A change of the engine's code, to be made for a while."""

    @property
    def rule(self) -> str:
        """The rule whose step is changed; empty where it is none's in particular."""

    def applied(self) -> AbstractContextManager[object]:
        """The engine with the change made."""


OTHERS = 60
"""So many scenarios that reach a mutant's place without citing its rule are tried at most, likely ones first."""

HOPELESS = 12
"""After so many runs of which none ended, a mutant is given up as one under which no run ends."""


@lru_cache(maxsize=1)
def hook_calls() -> dict[str, list[ast.Call]]:
    """Rule -> the calls of hooks that implement a step of it, from the engine's syntax trees."""
    import kb.engine

    found: dict[str, list[ast.Call]] = {}
    folder = Path(str(kb.engine.__file__)).parent
    for path in sorted(folder.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in OPERATORS:
                owner = node.func.value
                if (owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "")) != "hooks":
                    continue
                for rule in rules_named(node.args[0]) if node.args else ():
                    found.setdefault(rule, []).append(node)
    return dict(sorted(found.items()))


def registry() -> dict[str, frozenset[str]]:
    """Rule -> hooks that implement a step of it."""
    return {rule: frozenset(str(getattr(c.func, "attr", "")) for c in calls) for rule, calls in hook_calls().items()}


def operators_of(call: ast.Call) -> list[str]:
    """The operators that can make a difference at a hook: options are only wider where it says what is wider, and a
    condition that is a constant is not that already."""
    assert isinstance(call.func, ast.Attribute)
    found = list(OPERATORS[call.func.attr])
    if call.func.attr == "options" and len(call.args) < 3:
        found.remove("wider")
    if call.func.attr == "holds" and isinstance(call.args[1], ast.Constant):
        found.remove("always" if call.args[1].value else "never")
    return found


def mutants_of(rule: str) -> list[Mutant | Site]:
    """Every mutant of a rule's steps; ``must not`` is left out, as it needs an answer that nobody gives.

    Places of the code are added up to :data:`PER_RULE`, a different function each time as far as there are any.
    """
    hooked: list[Mutant | Site] = [
        Mutant(rule, operator)
        for operator in sorted({o for call in hook_calls().get(rule, ()) for o in operators_of(call)})
        if operator != "must not"
    ]
    by_function: dict[tuple[str, str], list[Site]] = {}
    for site in sites().get(rule, []):
        by_function.setdefault((site.module, site.function), []).append(site)
    placed: list[Mutant | Site] = []
    queues = list(by_function.values())
    while queues and len(placed) < PER_RULE:
        for queue in list(queues):
            if queue and len(placed) < PER_RULE:
                placed.append(queue.pop(0))
            if not queue:
                queues.remove(queue)
    return hooked + placed


def known_rules() -> set[str]:
    """Rules with a mutant."""
    return set(hook_calls()) | set(sites())


def steps_of(cited: str) -> list[str]:
    """The rules of the registries whose steps carry out a cited rule: itself, those below it, else its parent."""
    number = cited.removeprefix("core-1.4:")
    known = known_rules()
    own = sorted(r for r in known if r == number or r.startswith(f"{number}."))
    if own:
        return own
    parent = number.rpartition(".")[0]
    return [parent] if parent and parent in known else []


@dataclass
class Base:
    """One scenario's truths without a mutant, and the hooks, rules and lines of the engine that its run came to."""

    id: str
    scenario: Scenario
    truths: dict[int, bool]
    hooks: frozenset[str]
    cited: frozenset[str]
    lines: frozenset[tuple[str, int]]
    cites: dict[int, tuple[str, ...]]

    def reaches(self, mutant: Mutant | Site) -> bool:
        """Whether the run comes to the place of a mutant."""
        return not self.lines.isdisjoint(lines_of(mutant)) if isinstance(mutant, Site) else mutant.rule in self.hooks


@dataclass
class MutantResult:
    """What a mutant did: (scenario, entry) pairs whose truth it changed."""

    mutant: Mutant | Change
    flips: list[tuple[str, int]] = field(default_factory=list)
    runs: int = 0
    ended: int = 0
    differed: int = 0

    @property
    def noticed(self) -> bool:
        return bool(self.flips)

    @property
    def plausible(self) -> bool:
        """Whether any run that comes to its place ends under it; one that nothing reaches counts as plausible."""
        return self.noticed or self.ended > 0 or self.runs == 0


@dataclass
class MutationReport:
    """All mutants of the rules that any scenario's ``decides`` cites."""

    tried: list[MutantResult]
    cited: dict[str, list[tuple[str, int]]]
    causal: set[tuple[str, str, int]]
    without_step: list[str]

    @property
    def results(self) -> list[MutantResult]:
        """The plausible mutants."""
        return [r for r in self.tried if r.plausible]

    @property
    def with_few(self) -> list[str]:
        """Cited rules whose steps have fewer than two plausible mutants."""
        counts = Counter(r.mutant.rule for r in self.results)
        return sorted(rule for rule in self.cited if sum(counts[step] for step in steps_of(rule)) < 2)

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
        broken = len(self.tried) - len(self.results)
        yield f"{broken} more under which no run ends were left out"
        yield f"{len(self.with_few)} rules have fewer than two mutants"
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

    def by_rule(self) -> dict[str, str]:
        """Noticed of all mutants, by the rule whose step is changed: ``3/4``."""
        noticed, tried = Counter[str](), Counter[str]()
        for result in self.results:
            tried[result.mutant.rule] += 1
            noticed[result.mutant.rule] += result.noticed
        return {rule: f"{noticed[rule]}/{tried[rule]}" for rule in sorted(tried)}

    def as_json(self) -> dict[str, Any]:
        return {
            "mutants": len(self.results),
            "left_out": len(self.tried) - len(self.results),
            "fewer_than_two": self.with_few,
            "noticed": sum(r.noticed for r in self.results),
            "score": round(self.score, 4),
            "cited": len(self.cited),
            "citations": sum(len(uses) for uses in self.cited.values()),
            "by_rule": self.by_rule(),
            "not_causal": [list(x) for x in self.not_causal],
            "rules_not_causal": self.rules_not_causal,
            "without_step": self.without_step,
            "unnoticed": [str(r.mutant) for r in self.results if not r.noticed],
        }


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeoutError in the block after some seconds of this process's own time, however busy the machine is.

    It is raised again until the block is left: what is raised in a finalizer, where a run that makes ever more objects
    spends its time, is lost.
    """

    def stop(_signal: int, _frame: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, seconds / 10)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@contextmanager
def lines_executed(found: set[tuple[str, int]]) -> Iterator[None]:
    """Collect (module, line) of the engine's code that the block executes."""
    import kb.engine

    folder = str(Path(str(kb.engine.__file__)).parent)
    modules: dict[str, str] = {}

    def name_of(file: str) -> str:
        if file not in modules:
            modules[file] = f"kb.engine.{Path(file).stem}" if file.startswith(folder) else ""
        return modules[file]

    def enter(frame: FrameType, _event: str, _argument: object) -> Any:
        module = name_of(frame.f_code.co_filename)
        if not module:
            return None

        def line(inner: FrameType, _event: str, _argument: object) -> Any:
            found.add((module, inner.f_lineno))
            return line

        return line

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        yield
    finally:
        sys.settrace(before)


def base_of(path: Path) -> Base | None:
    """A scenario's own truths and what of the engine it comes to; None where it does not run to its end."""
    lines: set[tuple[str, int]] = set()
    try:
        scenario = load_scenario(path, scenario_root())
        with lines_executed(lines):
            truths = execute(scenario, library())
    except DataError:
        return None
    if not truths.ended or truths.run is None:
        return None
    cites = {t.index: tuple(r for r in t.decides) for t in scenario.then}
    game = truths.run.game
    seen, cited = game.hooks.rules_seen, frozenset(game.trace.cited)
    return Base(scenario.id, scenario, dict(truths.asserted), seen, cited, frozenset(lines), cites)


def flips_of(base: Base, mutant: Mutant | Change) -> list[tuple[str, int]] | None:
    """Entries whose truth changes under a mutant; None where the run does not end."""
    try:
        with time_limit(SECONDS):
            if isinstance(mutant, Mutant):
                truths = execute(base.scenario, library(), mutant)
            else:
                with mutant.applied():
                    truths = execute(base.scenario, library())
    except BaseException as error:  # a mutated engine may break anywhere, and a crash is not a notice
        if isinstance(error, KeyboardInterrupt | SystemExit):
            raise
        return None
    changed = [(base.id, i) for i, true in base.truths.items() if truths.asserted.get(i, true) != true]
    if truths.untrue:  # what a step asserts is false, so all that is looked at after it hangs on that
        return changed + [(base.id, i) for i in base.truths if i not in truths.asserted]
    if truths.unsupported:
        return None
    # what was looked at before a step that no longer fits was judged in a run that had come so far as a whole
    return changed if changed or truths.ended or truths.unanswered else None


BASES: dict[str, Base] = {}
"""Every scenario's own run; filled before the workers are forked."""


@dataclass(frozen=True)
class Task:
    """A mutant, and the scenarios that reach its place: those that cite its rule, and the others."""

    mutant: Mutant | Change
    citing: tuple[str, ...]
    others: tuple[str, ...]


def one_mutant(task: Task) -> MutantResult:
    """All scenarios that cite the rule, then the others until one notices."""
    result = MutantResult(task.mutant)
    DIFFERENCES[0] = 0
    for number, ident in enumerate((*task.citing, *task.others)):
        if (number >= len(task.citing) and result.flips) or (result.runs >= HOPELESS and not result.ended):
            break
        flips = flips_of(BASES[ident], task.mutant)
        result.runs += 1
        result.ended += flips is not None
        result.flips += flips or []
    result.differed = DIFFERENCES[0]
    return result


def changes_anything(mutant: Mutant | Site) -> bool:
    """Whether there is such a change at all (a statement without a condition above it has no ``never``)."""
    if isinstance(mutant, Mutant):
        return True
    with in_force(mutant) as changed:
        return changed


def run_bases(paths: Sequence[Path], progress: Callable[[str, int, int], None] | None = None) -> None:
    """Run every scenario once without a mutant, into :data:`BASES`, before any worker is forked."""
    library()
    for number, path in enumerate(paths):
        base = base_of(path)
        if base is not None:
            BASES[base.id] = base
        if progress is not None:
            progress("Running scenarios", number + 1, len(paths))


def run_tasks(tasks: Sequence[Task], progress: Callable[[str, int, int], None] | None = None) -> list[MutantResult]:
    """What became of each task's mutant, in order, on up to four processes."""
    context = multiprocessing.get_context("fork" if "fork" in multiprocessing.get_all_start_methods() else None)
    results: list[MutantResult] = []
    with context.Pool(min(os.cpu_count() or 1, 4)) as pool:
        for result in pool.imap(one_mutant, tasks, chunksize=1):
            results.append(result)
            if progress is not None:
                progress("Running mutants", len(results), len(tasks))
    return results


def further_results(
    steps: dict[str, list[str]],
    results: Sequence[MutantResult],
    task: Callable[[str, Mutant | Site], Task],
    progress: Callable[[str, int, int], None] | None = None,
) -> list[MutantResult]:
    """Mutants derived from the steps of the rules that have fewer than :data:`ENOUGH`, one more each time, whether it
    is noticed or not. One that no run comes to, or whose condition comes out the same in every run, is passed over."""
    plausible = Counter(r.mutant.rule for r in results if r.plausible)
    done = {r.mutant.change for r in results if isinstance(r.mutant, Site)}
    waiting = {step: iter(further(step)) for found in steps.values() for step in found}
    tried: Counter[str] = Counter()
    more: list[MutantResult] = []
    while True:
        tasks: dict[str, Task] = {}
        for rule in sorted(steps):
            if sum(plausible[s] for s in steps[rule]) >= ENOUGH or any(s in tasks for s in steps[rule]):
                continue
            found = next_task([s for s in steps[rule] if tried[s] < FURTHER], waiting, task, done)
            if found is not None:
                tasks[found.mutant.rule] = found
                tried[found.mutant.rule] += 1
        if not tasks:
            return more
        for result in run_tasks(list(tasks.values()), progress):
            if result.differed or not (isinstance(result.mutant, Site) and watched(result.mutant)):
                plausible[result.mutant.rule] += result.plausible
                more.append(result)


def next_task(
    steps: Sequence[str],
    waiting: dict[str, Iterator[Site]],
    task: Callable[[str, Mutant | Site], Task],
    done: set[tuple[str, str, int, str, int]],
) -> Task | None:
    """The next further mutant of one of some steps that changes something and that a run comes to."""
    for step in steps:
        for site in waiting[step]:
            if site.change in done or not changes_anything(site):
                continue
            found = task(step, site)
            if found.citing or found.others:
                return found
    return None


def report(
    paths: Sequence[Path],
    progress: Callable[[str, int, int], None] | None = None,
    every: int = 1,
    only: Collection[str] = (),
) -> MutationReport:
    """Every mutant of every rule cited in ``decides``, one at a time; ``every`` takes each nth mutant only, ``only``
    names the cited rules that are looked at (all where it is empty)."""
    run_bases(paths, progress)
    bases = list(BASES.values())
    cited: dict[str, list[tuple[str, int]]] = {}
    for base in bases:
        for index, rules in base.cites.items():
            for rule in rules:
                if not only or rule in only:
                    cited.setdefault(rule, []).append((base.id, index))
    steps = {rule: steps_of(rule) for rule in cited}
    citing: dict[str, dict[str, None]] = {}
    for rule, found in steps.items():
        for step in found:
            citing.setdefault(step, {}).update(dict.fromkeys(s for s, _ in cited[rule]))

    def task(step: str, mutant: Mutant | Site) -> Task:
        # those whose trace has the rule first, as they are the likeliest to notice
        reaching = [b.id for b in sorted(bases, key=lambda b: step not in b.cited) if b.reaches(mutant)]
        own = tuple(i for i in reaching if i in citing[step])
        return Task(mutant, own, tuple(i for i in reaching if i not in citing[step])[:OTHERS])

    mutants = [(step, m) for step in sorted(citing) for m in mutants_of(step) if changes_anything(m)][::every]
    results = run_tasks([task(step, mutant) for step, mutant in mutants], progress)
    if every == 1:
        results += further_results(steps, results, task, progress)
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
