"""Speed of the engine: ``pytest benchmarks/bench_engine.py``.

Processor time is measured, as the machine may be busy. ``docs/performance.md`` holds the results with the machine.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time

import pytest

from kb.engine.fuzzing import play_game
from kb.engine.library import library
from kb.scenarios.model import load_scenario
from kb.scenarios.runner import execute, run_scenario
from kb.verify.suite import scenario_paths, scenario_root

pytestmark = pytest.mark.benchmark(timer=time.process_time, warmup=False)

SAMPLE = 12
"""Every so manieth scenario is run."""


@pytest.fixture(scope="module")
def scenarios():
    library()
    return [load_scenario(path, scenario_root()) for path in scenario_paths()[::SAMPLE]]


def test_scenarios_a_second_without_their_contrasts(benchmark, scenarios):
    def run():
        for scenario in scenarios:
            execute(scenario)

    benchmark.pedantic(run, rounds=3, iterations=1)
    benchmark.extra_info["scenarios a second"] = round(len(scenarios) / benchmark.stats["median"])


def test_scenarios_a_second_with_their_contrasts(benchmark, scenarios):
    def run():
        for scenario in scenarios:
            run_scenario(scenario)

    benchmark.pedantic(run, rounds=3, iterations=1)
    benchmark.extra_info["scenarios a second"] = round(len(scenarios) / benchmark.stats["median"])


@pytest.mark.parametrize("check", [False, True], ids=["bare", "with invariants"])
def test_decisions_a_second_in_random_duels(benchmark, check):
    library()
    made = []

    def run():
        made.append(sum(play_game("duel", seed, check=check)[1].decisions for seed in range(41, 47)))

    benchmark.pedantic(run, rounds=3, iterations=1)
    benchmark.extra_info["decisions a second"] = round(made[0] / benchmark.stats["median"])


def test_kb_verify_from_a_cold_start(benchmark):
    """Wall time is what a maintainer waits; the processor time of all its workers is given beside it."""
    work = []

    def run():
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        code = "from kb.cli import run; run(['verify'])"
        subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        work.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)

    start = time.perf_counter()
    benchmark.pedantic(run, rounds=1, iterations=1)
    benchmark.extra_info["wall seconds"] = round(time.perf_counter() - start, 1)
    benchmark.extra_info["processor seconds"] = round(min(work), 1)
