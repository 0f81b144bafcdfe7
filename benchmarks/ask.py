"""Times of search and answers, with processes as a person starts them: ``python benchmarks/ask.py``.

Prints wall and processor time, since the machine that this runs on may be busy: cold ``kb ask`` and ``kb rule``
(a new process each), search and ask in one warm process, and the memory that this process took. Results go to
docs/performance.md.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROUNDS = 5
QUESTIONS = Path(__file__).resolve().parent.parent / "tests" / "eval" / "tuning.jsonl"
ASK = "my opponent countered the spell I aimed at my own unit on Dreaming Tree, do I still draw?"


def cold(*arguments: str) -> tuple[float, float]:
    """Median wall and processor seconds of a new process."""
    walls, works = [], []
    for _ in range(ROUNDS):
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        code = f"from kb.cli import run; run({list(arguments)!r})"
        subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, check=True)
        walls.append(time.perf_counter() - start)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        works.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(walls), statistics.median(works)


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


if __name__ == "__main__":
    main()
