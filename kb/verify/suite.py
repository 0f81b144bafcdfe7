"""Running many scenarios, on every core, and what each says.

Results cross between processes as :class:`Outcome`, plain data without the run behind it.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kb.data import data_root
from kb.engine.library import library
from kb.errors import DataError
from kb.scenarios.model import Scenario, load_scenario
from kb.scenarios.runner import Result, run_scenario
from kb.verify.exercised import exercised_rules, uncited_rules

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Outcome:
    """What a scenario came to: its verdict, the claims it speaks of, problems, rules cited and asserted."""

    id: str
    ruling: str
    rule: str
    verdict: str
    claims: dict[str, str]
    problems: tuple[str, ...]
    milliseconds: float
    rules: tuple[str, ...]
    decides: tuple[str, ...]
    asserted: tuple[str, ...] = ()
    readings: dict[str, str] = field(default_factory=dict)
    title: str = ""
    uncited: tuple[str, ...] = ()
    """Rules in ``decides`` that the run does not cite."""


def scenario_root() -> Path:
    """The folder of the scenarios."""
    return data_root() / "scenarios"


def scenario_paths(prefixes: Sequence[str] = ()) -> list[Path]:
    """Files of all scenarios, or of those whose id begins with one of some prefixes (or is a ruling's)."""
    root = scenario_root()
    found = []
    for path in sorted(root.rglob("*.yaml")):
        ident = str(path.relative_to(root).with_suffix("")).replace(os.sep, "/")
        if not prefixes or any(ident.startswith(p) for p in prefixes):
            found.append(path)
    return found


def run_file(path: Path) -> Outcome:
    """One file's outcome; a file that is wrong is a failed scenario with its one sentence."""
    root = scenario_root()
    ident = str(path.relative_to(root).with_suffix("")).replace(os.sep, "/") if path.is_relative_to(root) else path.stem
    try:
        scenario = load_scenario(path, root)
        return outcome_of(run_scenario(scenario, library()))
    except DataError as error:
        return Outcome(ident, guess_ruling(path), "", "failed", {}, (str(error),), 0.0, (), ())


def guess_ruling(path: Path) -> str:
    """The ruling a broken file says it is for, so that the ruling is not counted as verified without it."""
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        if line.startswith("ruling:"):
            return line.partition(":")[2].strip()
    return ""


def outcome_of(result: Result) -> Outcome:
    """A result without its run."""
    scenario = result.scenario
    claims = result.claim_verdicts() if result.verdict != "failed" else {}
    return Outcome(
        scenario.id,
        scenario.ruling,
        scenario.rule,
        result.verdict,
        claims,
        tuple(result.problems),
        round(result.milliseconds, 2),
        result.rules,
        scenario.decides,
        tuple(asserted_rules(result)),
        dict(scenario.readings),
        scenario.title,
        tuple(uncited_rules(result)),
    )


def asserted_rules(result: Result) -> list[str]:
    """Rules that an assertion of the scenario is about: those it names, and those its asserted events carry."""
    return sorted(exercised_rules(result))


def run_all(paths: Sequence[Path], progress: Progress | None = None, workers: int | None = None) -> list[Outcome]:
    """Outcomes in the order of the files; in several processes, unless this one has threads.

    A process forked while another thread holds a lock waits for that lock for ever, so a server runs them by itself.
    """
    count = workers if workers is not None else min(os.cpu_count() or 1, 4)
    if threading.active_count() > 1:
        count = 1
    library()
    results: list[Outcome] = []
    if count <= 1 or len(paths) < 8:
        for number, path in enumerate(paths):
            results.append(run_file(path))
            if progress is not None:
                progress(number + 1, len(paths))
        return results
    context = multiprocessing.get_context("fork" if "fork" in multiprocessing.get_all_start_methods() else None)
    with context.Pool(count) as pool:
        for number, outcome in enumerate(pool.imap(run_file, paths, chunksize=4)):
            results.append(outcome)
            if progress is not None:
                progress(number + 1, len(paths))
    return results


def by_ruling(outcomes: Iterable[Outcome]) -> dict[str, list[Outcome]]:
    """Outcomes grouped by the ruling they check."""
    found: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        if outcome.ruling:
            found.setdefault(outcome.ruling, []).append(outcome)
    return found


def load_all(paths: Iterable[Path]) -> list[Scenario]:
    """Scenarios of files that load."""
    root = scenario_root()
    return [load_scenario(p, root) for p in paths]
