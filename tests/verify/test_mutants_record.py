"""The committed record of mutants and the page made from it."""

from __future__ import annotations

import json
from pathlib import Path

from kb.data import data_root
from kb.verify.mutants_record import write
from kb.verify.mutation import MutantResult, MutationReport
from kb.verify.sites import Site
from kb.verify.suite import load_all, scenario_paths

ONE, OTHER = (Site("315.1.b", "kb.engine.turn", "awaken", 2, operator) for operator in ("omit", "never"))


def report() -> MutationReport:
    tried = [MutantResult(ONE, [("x", 0)], 1, 1), MutantResult(OTHER, [], 2, 1)]
    return MutationReport(tried, {"core-1.4:315.1.b": [("x", 0), ("y", 0)]}, {("core-1.4:315.1.b", "x", 0)}, [])


def test_the_record_says_what_was_noticed_rule_by_rule_and_what_was_not(tmp_path: Path) -> None:
    write(tmp_path, "rules", report().as_json())
    record = json.loads((tmp_path / "mutants.json").read_text(encoding="utf-8"))
    assert record["by_rule"] == {"315.1.b": "1/2"}
    page = (tmp_path / "mutants.md").read_text(encoding="utf-8")
    assert "2 rule mutants, 1 noticed (50.0%)" in page
    assert "2 citations, 1 causal where they stand" in page
    assert f"- {OTHER}" in page and f"- {ONE}" not in page


def test_a_part_that_is_measured_again_leaves_the_other_as_it_was(tmp_path: Path) -> None:
    code = {"seed": 1, "places": 9, "outcomes": {"noticed": 3, "unnoticed": 1}, "mutants": {"a": "unnoticed"}}
    write(tmp_path, "code", code)
    write(tmp_path, "rules", report().as_json())
    page = (tmp_path / "mutants.md").read_text(encoding="utf-8")
    assert "4 of 9 possible mutants" in page and "| noticed | 3 | 75.0% |" in page and "2 rule mutants" in page


def test_every_rule_in_decides_is_causal_where_it_stands_by_the_committed_record() -> None:
    """``kb verify --mutants`` says what to do: the rule to ``defines``, or a hook at the step that carries it out."""
    record = json.loads((data_root() / "docs" / "mutants.json").read_text(encoding="utf-8"))
    scenarios = {s.id: s for s in load_all(scenario_paths())}
    still = [
        (rule, name, entry + 1)
        for rule, name, entry in record["not_causal"]
        if name in scenarios and entry < len(scenarios[name].then) and rule in scenarios[name].then[entry].decides
    ]
    assert still == []
