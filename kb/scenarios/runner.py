"""Running a scenario: truths of its assertions, its contrasts, and the verdict (``docs/scenario-format.md``)."""

from __future__ import annotations

import copy
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kb.engine.asking import Ask, Unsupported
from kb.engine.hooks import OPERATORS, Mutant
from kb.engine.library import Library, library
from kb.engine.run import Run, Stuck
from kb.errors import DataError
from kb.scenarios.asserting import true_now
from kb.scenarios.model import Contrast, Scenario, Then, build
from kb.scenarios.position import Builder
from kb.scenarios.script import Misfit, Script, Untrue

VERDICTS = ("confirmed", "contradicted", "failed", "unsupported")


@dataclass
class Truths:
    """What one run says: for each ``then`` whether its assert (and its instead) is true.

    ``problem`` is why the run stopped; ``untrue`` where that was a step's own assertion (``asked``, ``refused``, ``legal``),
    ``unanswered`` where all steps were carried out and all was judged, but a choice is pending at the end.
    """

    asserted: dict[int, bool] = field(default_factory=dict)
    instead: dict[int, bool] = field(default_factory=dict)
    problem: str = ""
    untrue: bool = False
    unanswered: bool = False
    unsupported: str = ""
    run: Run | None = None
    checked: set[str] = field(default_factory=set)

    @property
    def ended(self) -> bool:
        """Whether the run came to its end with nothing misfitting or unsupported."""
        return not self.problem and not self.unsupported


@dataclass
class Result:
    """The verdict on a scenario and how it came about."""

    scenario: Scenario
    verdict: str
    truths: Truths
    problems: list[str]
    milliseconds: float
    rules: tuple[str, ...] = ()

    def claim_verdicts(self) -> dict[str, str]:
        """Claim -> confirmed, contradicted or unsupported, as far as this scenario speaks of it."""
        found: dict[str, str] = {}
        for then in self.scenario.then:
            for claim in then.claims:
                if self.verdict == "unsupported":
                    verdict = "unsupported"
                elif self.truths.asserted.get(then.index):
                    verdict = "confirmed"
                else:
                    verdict = "contradicted"
                if verdict == "contradicted" or claim not in found:
                    found[claim] = verdict
        return found


def execute(
    scenario: Scenario, cards: Library | None = None, mutant: Mutant | None = None, trace: bool = True
) -> Truths:
    """Run a scenario once; never raises for what the script or the engine says.

    Raises: DataError where the file itself is wrong (an unknown card, an illegal position, an unknown assertion).
    """
    builder = Builder(scenario, cards or library(), mutant, trace)
    truths = Truths()
    try:
        run = Run(builder.make())
    except Unsupported as error:
        truths.unsupported = error.what
        return truths
    truths.run = run
    where = str(scenario.path or scenario.id)

    def look(label: str) -> None:
        for then in scenario.then:
            if then.at and then.at == label:
                judge(run, then, truths, where)

    script = Script(run, scenario.when, look)
    truths.checked = script.checked
    try:
        script.play()
    except Misfit as misfit:
        truths.problem, truths.untrue = str(misfit), isinstance(misfit, Untrue)
    except Unsupported as error:
        truths.unsupported = error.what
        return truths
    if isinstance(run.outcome, Stuck):
        truths.unsupported = run.outcome.what
        truths.problem = ""
        return truths
    if truths.problem:
        return truths
    for then in scenario.then:
        if then.at and then.index not in truths.asserted:
            truths.problem = f"then[{then.index + 1}] looks at {then.at!r}, but no step has that label"
        if not then.at:
            judge(run, then, truths, where)
    if not scenario.given.get("setup") and not asks_about_end(scenario) and pending_choice(run):
        truths.unanswered = not truths.problem
        truths.problem = truths.problem or unanswered(run)
    return truths


def judge(run: Run, then: Then, truths: Truths, where: str) -> None:
    """Truth of one ``then`` at this point."""
    truths.asserted[then.index] = true_now(run, then.asserted, where)
    if isinstance(run.outcome, Ask) and {"asks", "offered", "not_offered"} & set(then.asserted):
        truths.checked.update(run.outcome.rule.split())
    if then.instead is not None:
        truths.instead[then.index] = true_now(run, then.instead, where)


def asks_about_end(scenario: Scenario) -> bool:
    """Whether an assertion speaks of the question that is pending at the end."""
    text = str([t.asserted for t in scenario.then if not t.at] + [t.instead for t in scenario.then if not t.at])
    return any(f"'{word}'" in text for word in ("asks", "offered", "not_offered", "priority"))


def pending_choice(run: Run) -> bool:
    """Whether a question other than for an action is left unanswered."""
    ask = run.outcome
    return isinstance(ask, Ask) and ask.kind not in ("action", "pause")


def unanswered(run: Run) -> str:
    ask = run.outcome
    assert isinstance(ask, Ask)
    shown = ", ".join(o.key for o in ask.options[:10])
    return f"the script ends, but {ask.player} is being asked: {ask.kind} ({ask.about}); options: {shown}"


# contrasts


def patched(scenario: Scenario, contrast: Contrast) -> Scenario:
    """The scenario with a contrast's changes.

    Raises: DataError where a path leads nowhere.
    """
    data: dict[str, Any] = {
        "title": scenario.title,
        "ruling": scenario.ruling,
        "rule": scenario.rule,
        "edition": scenario.edition,
        "cards": copy.deepcopy(scenario.cards),
        "readings": dict(scenario.readings),
        "given": copy.deepcopy(scenario.given),
        "when": copy.deepcopy(list(scenario.when)),
    }
    data["then"] = [{"assert": copy.deepcopy(t.asserted)} for t in scenario.then]
    where = f"{scenario.id} contrast"
    removed: list[tuple[list[Any], int]] = []
    for path, value in contrast.change.items():
        if path.startswith("then") and not any(f".assert.{kind}." in path for kind in WITHOUT_POSITION):
            raise DataError(where, f"a contrast can't change {path!r}", "Change given, when or cards")
        set_path(data, path, copy.deepcopy(value), where, removed)
    for items, index in sorted(removed, key=lambda r: -r[1]):
        del items[index]
    for path, value in sorted(contrast.insert.items(), key=lambda p: int(p[0].rpartition(".")[2]), reverse=True):
        head, _, tail = path.rpartition(".")
        items = get_path(data, head, where)
        if not isinstance(items, list) or int(tail) > len(items):
            raise DataError(where, f"the path {path!r} leads nowhere", "Mend the path")
        items.insert(int(tail), copy.deepcopy(value))
    new = build(data, scenario.id, where, scenario.path)
    thens = tuple(replace(t, asserted=n.asserted) for t, n in zip(scenario.then, new.then, strict=True))
    return replace(new, then=thens, contrasts=())


WITHOUT_POSITION = ("deck_legal", "identifies", "reads_as")
"""Assertions that are not about the position: their own subject is what a contrast changes."""


def get_path(data: Any, path: str, where: str) -> Any:
    here = data
    for part in split_path(path):
        try:
            here = here[int(part)] if isinstance(here, list) else here[part]
        except (KeyError, IndexError, ValueError, TypeError):
            raise DataError(where, f"the path {path!r} leads nowhere at {part!r}", "Mend the path") from None
    return here


def split_path(path: str) -> list[str]:
    """Parts of a dotted path; a part in quotes may hold dots (names such as ``Dr. Mundo``)."""
    parts, current, quoted = [], "", False
    for char in path:
        if char == '"':
            quoted = not quoted
        elif char == "." and not quoted:
            parts.append(current)
            current = ""
        else:
            current += char
    return [*parts, current]


def set_path(data: Any, path: str, value: Any, where: str, removed: list[tuple[list[Any], int]]) -> None:
    """Set, add or (with None) remove what a path names."""
    parts = split_path(path)
    here = data
    for part in parts[:-1]:
        if isinstance(here, dict) and part not in here:
            here[part] = {}
        here = get_path(here, f'"{part}"' if "." in part else part, where)
    last = parts[-1]
    if isinstance(here, list):
        index = int(last) if last.isdigit() else -1
        if not 0 <= index < len(here):
            raise DataError(where, f"the path {path!r} leads nowhere", "Mend the path")
        if value is None:
            removed.append((here, index))
        else:
            here[index] = value
    elif isinstance(here, dict):
        if value is None:
            here.pop(last, None)
        else:
            here[last] = value
    else:
        raise DataError(where, f"the path {path!r} leads nowhere", "Mend the path")


def parse_mutant(text: str, where: str) -> Mutant:
    """``431.2.c wrong actor`` as a mutant.

    Raises: DataError for an operator that does not exist.
    """
    rule, _, operator = text.strip().partition(" ")
    if operator not in {o for group in OPERATORS.values() for o in group}:
        raise DataError(where, f"there is no mutation operator {operator!r}", "See docs/scenario-format.md")
    return Mutant(rule.removeprefix("core-1.4:"), operator)


def check_contrast(scenario: Scenario, index: int, contrast: Contrast, base: Truths, cards: Library) -> list[str]:
    """What is wrong with a contrast: empty where every claim in ``flips`` changes its truth."""
    name = f"contrast {index + 1}"
    if contrast.mutant:
        truths = execute(scenario, cards, parse_mutant(contrast.mutant, scenario.id))
    else:
        truths = execute(patched(scenario, contrast), cards)
    if not truths.ended:
        return [f"{name}: {truths.problem or truths.unsupported}"]
    problems = []
    for flip in contrast.flips:
        thens = [t for t in scenario.then if flip in t.names or flip == str(t.index + 1)]
        if not thens:
            problems.append(f"{name}: nothing under 'then' is called {flip!r}")
        elif all(truths.asserted.get(t.index) == base.asserted.get(t.index) for t in thens):
            problems.append(f"{name}: {flip} does not change its truth")
    return problems


def run_scenario(scenario: Scenario, cards: Library | None = None, contrasts: bool = True) -> Result:
    """The verdict on one scenario.

    Raises: DataError where the file is wrong.
    """
    pool = cards or library()
    started = time.perf_counter()
    base = execute(scenario, pool)
    problems: list[str] = []
    if base.problem:
        problems.append(base.problem)
    verdict = "confirmed"
    if base.unsupported:
        verdict = "unsupported"
        problems.append(base.unsupported)
    else:
        for then in scenario.then:
            if base.problem:
                break
            if not base.asserted.get(then.index):
                if base.instead.get(then.index):
                    verdict = "contradicted"
                else:
                    name = ", ".join(then.names)
                    what = (
                        "neither what is asserted nor what is written instead holds" if then.instead else "it is false"
                    )
                    problems.append(f"then {then.index + 1} ({name}): {what}")
            elif then.instead is not None and base.instead.get(then.index):
                problems.append(f"then {then.index + 1}: both the assertion and 'instead' hold")
        if contrasts and not base.problem:
            for index, contrast in enumerate(scenario.contrasts):
                problems += check_contrast(scenario, index, contrast, base, pool)
        if problems:
            verdict = "failed"
    run = base.run
    cited = tuple(run.game.trace.cited) if run is not None else ()
    return Result(scenario, verdict, base, problems, (time.perf_counter() - started) * 1000, cited)


def scenario_files(root: Any) -> Sequence[Any]:
    """All scenario files under a folder, in order."""
    return sorted(root.rglob("*.yaml"))
