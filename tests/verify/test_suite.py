"""Many scenarios at once: in several processes where that is safe."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Iterator

import pytest

from kb.verify.suite import run_all, scenario_paths


@pytest.fixture
def another_thread() -> Iterator[None]:
    """A second thread that lives as long as the test, as a server has many."""
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    yield
    done.set()
    thread.join()


def test_nothing_is_forked_while_another_thread_lives(another_thread: None, monkeypatch: pytest.MonkeyPatch) -> None:
    forked: list[str | None] = []
    monkeypatch.setattr(multiprocessing, "get_context", forked.append)
    paths = scenario_paths()[:10]
    seen: list[tuple[int, int]] = []
    outcomes = run_all(paths, lambda done, total: seen.append((done, total)), workers=2)
    assert not forked and len(outcomes) == len(paths) and seen[-1] == (10, 10)


def test_several_processes_come_to_the_same_outcomes() -> None:
    paths = scenario_paths()[:10]
    verdicts = [[one.verdict for one in run_all(paths, workers=count)] for count in (1, 2)]
    assert verdicts[0] == verdicts[1] and set(verdicts[0]) <= {"confirmed", "contradicted"}
