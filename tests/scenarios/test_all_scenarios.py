"""Every scenario of the project, one item each: its run as written, and all its contrasts.

A ruling that the engine contradicts is a finding and stands in the register; it is no fault of the scenario.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.verify.suite import run_file, scenario_paths, scenario_root

FILES = {str(path.relative_to(scenario_root()).with_suffix("")): path for path in scenario_paths()}


@pytest.mark.parametrize("name", FILES)
def test_it_runs_to_its_end_and_every_contrast_flips(name: str) -> None:
    outcome = run_file(FILES[name])
    assert outcome.id == name
    assert outcome.verdict in ("confirmed", "contradicted"), "\n".join((outcome.verdict, *outcome.problems))


def test_there_are_scenarios() -> None:
    assert len(FILES) > 500
    assert all(Path(path).is_file() for path in FILES.values())
