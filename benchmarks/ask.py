"""Times of search and answers, with processes as a person starts them: ``python benchmarks/ask.py``.

Prints wall and processor time, since the machine that this runs on may be busy: cold ``kb ask`` and ``kb rule``
(a new process each), search and ask in one warm process, the memory that this process took, and building again after
one changed ruling (on a copy of the data, with a cache of its own). Results go to docs/performance.md.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from kb.data import data_root

ROUNDS = 5
QUESTIONS = Path(__file__).resolve().parent.parent / "tests" / "eval" / "tuning.jsonl"
ASK = "my opponent countered the spell I aimed at my own unit on Dreaming Tree, do I still draw?"


def once(*arguments: str, **environment: str) -> tuple[float, float]:
    """Wall and processor seconds of a new process."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    code = f"from kb.cli import run; run({list(arguments)!r})"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run([sys.executable, "-c", code], **quiet, check=True, env=os.environ | environment)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def cold(*arguments: str) -> tuple[float, float]:
    """Median wall and processor seconds of a new process."""
    walls, works = zip(*(once(*arguments) for _ in range(ROUNDS)), strict=True)
    return statistics.median(walls), statistics.median(works)


def rebuild() -> None:
    """The first build of a store, then building it again after a question and a claim of one ruling were changed."""
    with tempfile.TemporaryDirectory() as folder:
        root = data_root()
        for name in ("rules", "rulings", "scenarios"):
            shutil.copytree(root / name, Path(folder) / name)
        places = {"KB_DATA": folder, "KB_CACHE": f"{folder}/cache", "KB_USER": f"{folder}/user"}
        wall, work = once("build", **places)
        print(f"first kb build: {wall:.2f} s wall, {work:.2f} s processor")
        path = Path(folder) / "rulings" / "baited-hook-zero-drive.yaml"
        text = path.read_text(encoding="utf-8")
        walls, works = [], []
        for at in range(ROUNDS):
            changed = text.replace('questions:\n  - "', f'questions:\n  - "Number {at} asks: ')
            changed = changed.replace('says: "', f'says: "As said {at} times: ', 1)
            path.write_text(changed, encoding="utf-8")
            wall, work = once("build", **places)
            walls.append(wall)
            works.append(work)
    wall, work, slowest = statistics.median(walls), statistics.median(works), max(walls)
    print(f"kb build after one changed ruling: {wall:.2f} s wall (slowest {slowest:.2f}), {work:.2f} s processor")


def warm() -> None:
    """Search and ask in this process, and its memory."""
    from kb.answer.answerer import Answerer
    from kb.store import open_store

    con = open_store(("verdicts", "vectors"))
    answerer = Answerer(con)
    asked = [json.loads(line)["question"] for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    for name, call in (("search", answerer.searcher.search), ("ask", answerer.ask)):
        for question in asked[:200]:
            call(question)  # what is read once is read
        walls, works = [], []
        for question in asked[200:500]:
            start, work = time.perf_counter(), time.process_time()
            call(question)
            walls.append((time.perf_counter() - start) * 1000)
            works.append((time.process_time() - work) * 1000)
        for kind, values in (("wall", walls), ("processor", works)):
            cuts = statistics.quantiles(values, n=100)
            print(f"warm {name}, {kind}: median {cuts[49]:.1f} ms, p95 {cuts[94]:.1f} ms, p99 {cuts[98]:.1f} ms")
    print(f"memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def main() -> None:
    """Print everything."""
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    rules = (("rule", "431.2.c"), ("rule", "465"), ("rule", "tournament-2026-07:408.2", "--json"))
    for arguments in (*rules, ("ask", ASK), ("search", "stunned defender")):
        wall, work = cold(*arguments)
        print(f"cold kb {' '.join(arguments)[:40]}: {wall:.2f} s wall, {work:.2f} s processor (median of {ROUNDS})")
    warm()
    rebuild()


if __name__ == "__main__":
    main()
