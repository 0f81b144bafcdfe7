"""``kb verify``: the keys of its JSON, its exit status, what it says of a project in which something is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from kb.cli import run
from kb.data import data_root
from kb.load import load_rulings

RULING = {
    "id": "made-up",
    "title": "A made-up ruling",
    "origin": {"document": "faq-rules", "line": 1},
    "questions": ["Does it become ready?"],
    "verdict": "yes",
    "answer": "It does.",
    "claims": [{"id": "c1", "says": "It becomes ready.", "rules": ["core-1.4:315.1.b"]}],
}
SCENARIO: dict[str, Any] = {
    "title": "It becomes ready",
    "ruling": "made-up",
    "given": {
        "turn": "A",
        "phase": "awaken",
        "A": {"base": [{"card": "Stalwart Poro", "as": "poro", "exhausted": True}], "deck": 3, "rune_deck": 3},
    },
    "then": [{"claim": "c1", "assert": {"state": {"poro": ["ready"]}}, "decides": ["core-1.4:315.1.b"]}],
    "contrasts": [{"mutant": "315.1.b omit", "flips": ["c1"]}],
}
Project = Callable[..., Path]


def kb(arguments: list[str]) -> int:
    """The exit status of a command line."""
    try:
        return run(arguments)
    except SystemExit as done:
        return int(done.code or 0)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project of one ruling and one scenario; ``register`` is the standing that was committed."""
    rules = data_root() / "rules"

    def make(register: str = "", **changed: Any) -> Path:
        (tmp_path / "rules").symlink_to(rules)
        for folder in ("rulings", "scenarios/rulings", "docs"):
            (tmp_path / folder).mkdir(parents=True)
        (tmp_path / "rulings" / "made-up.yaml").write_text(yaml.safe_dump(RULING), encoding="utf-8")
        text = yaml.safe_dump({**SCENARIO, **changed})
        (tmp_path / "scenarios" / "rulings" / "made-up.yaml").write_text(text, encoding="utf-8")
        if register:
            row = f"| `made-up` | {register} | |\n"
            (tmp_path / "docs" / "coverage.md").write_text(row, encoding="utf-8")
        monkeypatch.setenv("KB_DATA", str(tmp_path))
        return tmp_path

    return make


def verified(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    status = kb(["verify", *arguments, "--json"])
    return status, json.loads(capsys.readouterr().out)


def test_json_has_the_keys_of_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    status, found = verified(capsys, "burn-out-who-scores")
    assert status in (0, 1)
    assert set(found) == {"rulings", "scenarios", "totals"}
    (ruling,) = found["rulings"]
    assert {"id", "origin", "standing", "claims"} <= set(ruling)
    origin = load_rulings()["burn-out-who-scores"].origin
    assert ruling["origin"] == [f"{origin.document}:{origin.line}"]
    assert [c["id"] for c in ruling["claims"]] == [c.id for c in load_rulings()["burn-out-who-scores"].claims]
    for claim in ruling["claims"]:
        assert {"id", "verdict", "scenarios"} <= set(claim)
        assert claim["scenarios"]
    for scenario in found["scenarios"]:
        assert {"id", "verdict", "rules", "milliseconds"} <= set(scenario)
        assert scenario["verdict"] in ("confirmed", "contradicted", "failed", "unsupported")
        assert all(":" in rule for rule in scenario["rules"])
        assert scenario["milliseconds"] > 0
        assert (data_root() / "scenarios" / f"{scenario['id']}.yaml").is_file()
    assert found["totals"]["rulings"] == 1


def test_scenarios_of_the_rulebook_are_named_by_their_path(capsys: pytest.CaptureFixture[str]) -> None:
    _, found = verified(capsys, "core-1.4/431")
    assert found["rulings"] == []
    assert found["scenarios"]
    assert all(s["id"].startswith("core-1.4/431") for s in found["scenarios"])


def test_all_is_well_with_status_0(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    project(register="confirmed")
    assert kb(["verify"]) == 0
    shown = capsys.readouterr()
    assert "1 rulings: 1 confirmed" in shown.out
    assert "Changed since" not in shown.out


def test_a_standing_that_differs_from_the_register_is_told_with_status_1(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project(register="contradicted")
    assert kb(["verify"]) == 1
    assert "made-up: contradicted -> confirmed" in capsys.readouterr().out


def test_a_contradicted_ruling_is_a_finding_but_no_failure(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    then = [{"claim": "c1", "assert": {"state": {"poro": ["exhausted"]}}, "instead": {"state": {"poro": ["ready"]}}}]
    project(register="partly", then=then)
    status, found = verified(capsys)
    assert status == 0
    assert found["scenarios"][0]["verdict"] == "contradicted"
    assert found["rulings"][0]["standing"] == "partly"


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"contrasts": [{"change": {"given.A.points": 1}, "flips": ["c1"]}]}, "c1 does not change its truth"),
        ({"when": [{"A chooses": "yes"}]}, "step 1: "),
        ({"then": [{"claim": "c1", "assert": {"turn": "B"}}]}, "then 1 (c1): it is false"),
        ({"whan": []}, "unknown key 'whan'"),
    ],
)
def test_a_scenario_that_fails_is_told_with_status_1_and_leaves_its_ruling_unverified(
    changed: dict[str, Any], words: str, project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project(**changed)
    status, found = verified(capsys)
    assert status == 1
    (scenario,) = found["scenarios"]
    assert scenario["verdict"] == "failed"
    assert words in " ".join(scenario["problems"])
    assert found["rulings"][0]["standing"] == "unverified"


def test_a_ruling_without_a_scenario_is_unverified(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    root = project()
    (root / "scenarios" / "rulings" / "made-up.yaml").unlink()
    status, found = verified(capsys)
    assert (status, found["rulings"][0]["standing"]) == (0, "unverified")
    assert found["rulings"][0]["claims"] == [{"id": "c1", "verdict": "none", "scenarios": []}]


def test_an_unknown_id_is_one_sentence_with_status_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert kb(["verify", "no-such-thing"]) == 1
    shown = capsys.readouterr()
    assert "there is no ruling or scenario 'no-such-thing'" in shown.err
    assert shown.out == ""


def test_run_says_the_verdict_of_a_file_anywhere(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    path = project() / "scenarios" / "rulings" / "made-up.yaml"
    assert kb(["run", str(path), "--json", "--trace"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["verdict"] == "confirmed"
    assert found["then"][0]["true"] is True
    assert found["trace"]
    assert kb(["run", str(path), "--contrast", "7"]) == 2
    assert "it has no contrast 7" in capsys.readouterr().err


def test_a_rule_in_decides_to_which_the_run_does_not_come_is_a_finding(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    then = [{**SCENARIO["then"][0], "decides": ["core-1.4:315.1.b", "core-1.4:466.5.b"]}]
    project(register="confirmed", then=then)
    assert kb(["verify"]) == 1
    assert "not cited by its run: rulings/made-up (in 'decides': core-1.4:466.5.b)" in capsys.readouterr().out
    _, found = verified(capsys)
    assert found["scenarios"][0]["uncited"] == ["core-1.4:466.5.b"]
    assert found["rulings"][0]["standing"] == "confirmed"
