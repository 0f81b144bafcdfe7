"""What a person waits for: cold starts, measured by starting the process."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = [pytest.mark.process, pytest.mark.usefixtures("store")]


def command() -> list[str]:
    """The installed script beside this interpreter, else the module."""
    script = shutil.which("kb", path=str(Path(sys.executable).parent))
    return [script] if script else [sys.executable, "-c", "from kb.cli import main; main()"]


def quickest(arguments: list[str], tries: int = 5) -> float:
    """Seconds of the quickest of a few runs: what the machine can do when it is not busy elsewhere."""
    taken = []
    for _ in range(tries):
        start = time.perf_counter()
        subprocess.run([*command(), *arguments], check=True, capture_output=True)
        taken.append(time.perf_counter() - start)
    return min(taken)


@pytest.mark.parametrize("arguments", [["rule", "431.2.c"], ["rule", "465"], ["card", "RTW"]])
def test_a_cold_look_up_takes_less_than_three_tenths_of_a_second(arguments: list[str]) -> None:
    assert quickest(arguments) < 0.3
