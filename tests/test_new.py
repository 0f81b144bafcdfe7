"""``kb new ruling`` and ``kb new scenario`` write data that loads, or nothing."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kb.commands.new import command
from kb.data import data_root
from kb.errors import DataError, KbError, UnknownId
from kb.load import load_ruling
from kb.scenarios.model import load_scenario
from kb.scenarios.runner import run_scenario

RULING = (
    "ruling", "my-test", "--title", 'A "quoted": title', "--document", "faq-cards", "--line", "999",
    "--question", "Who gets the point?", "--verdict", "no", "--answer", "An opponent does.", "--yes",
)  # fmt: skip


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the data in which the commands write."""
    for name in ("rules", "rulings", "scenarios"):
        shutil.copytree(data_root() / name, tmp_path / name)
    monkeypatch.setenv("KB_DATA", str(tmp_path))
    return tmp_path


def call(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments, standalone_mode=False)


def test_a_new_ruling_loads_with_its_claims_and_is_linted(data: Path) -> None:
    result = call(*RULING, "--claim", "The point goes to an opponent | 431.2.c")
    ruling = load_ruling(data / "rulings" / "my-test.yaml")
    assert ruling.title == 'A "quoted": title'
    assert [str(r) for r in ruling.claims[0].rules] == ["core-1.4:431.2.c"]
    assert ruling.verdict == "no"
    assert "U004" in result.output


def test_a_ruling_that_is_there_is_not_written_over(data: Path) -> None:
    call(*RULING, "--claim", "One | 431.2.c")
    before = (data / "rulings" / "my-test.yaml").read_bytes()
    assert isinstance(call(*RULING, "--claim", "Two | 431.2.c").exception, KbError)
    assert (data / "rulings" / "my-test.yaml").read_bytes() == before


def test_a_claim_without_a_rule_number_is_refused_and_nothing_is_written(data: Path) -> None:
    assert isinstance(call(*RULING, "--claim", "One | four hundred").exception, KbError)
    assert not (data / "rulings" / "my-test.yaml").exists()


@pytest.mark.parametrize("about", ["burn-out-who-scores", "431.2.c"])
def test_a_new_scenario_loads_and_fails_until_it_is_filled_in(data: Path, about: str) -> None:
    before = set((data / "scenarios").rglob("*.yaml"))
    assert call("scenario", about).exception is None
    (path,) = set((data / "scenarios").rglob("*.yaml")) - before
    try:
        result = run_scenario(load_scenario(path, data / "scenarios"))
    except DataError:
        return
    assert result.verdict == "failed"


def test_a_scenario_for_an_unknown_ruling_or_claim_is_refused(data: Path) -> None:
    assert isinstance(call("scenario", "no-such-ruling").exception, UnknownId)
    assert isinstance(call("scenario", "burn-out-who-scores", "--claim", "c99").exception, KbError)
