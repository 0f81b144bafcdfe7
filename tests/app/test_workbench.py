"""The scenario editor: errors with their line, results with their replay."""

from __future__ import annotations

import re

import pytest

from kb.app import workbench


def test_the_template_runs_and_confirms() -> None:
    made = workbench.check(workbench.TEMPLATE)
    assert made.error == "" and made.result is not None
    assert made.result.verdict == "confirmed", made.result.problems
    assert made.variants[0].frames


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("title: x\ngiven: {turn: A\nthen: []\n", 3),
        ("title: x\ngiven: {}\ngiven: {turn: A}\nthen: []\n", 3),
        ("title: x\ngiven: &a {A: *a}\nthen: []\n", 2),
        ("title: x\ngiven:\n  turn: A\n  A: {hnad: [Defy]}\nthen:\n  - assert: {points: {A: 0}}\n", 4),
        ("title: x\ngiven:\n  A: {hand: [No Such Card]}\nthen:\n  - assert: {points: {A: 0}}\n", 3),
        ("title: x\ngiven: {}\nthen: [unclosed\n", 3),
        ("title: x\ngiven: {}\nthen: [unclosed", 3),
        ("title: x\ngiven:\n  A: {hand: [\n    Defy\n\n\n", 3),
        ("title: 'unclosed\ngiven: {}\n", 1),
        ("title: x\nwhat: 1\ngiven: {}\nthen:\n  - assert: {points: {A: 0}}\n", 2),
    ],
)
def test_an_error_names_its_line(text: str, line: int) -> None:
    made = workbench.check(text)
    assert made.error and made.result is None
    assert made.line == line
    assert not (named := re.match(r"Line (\d+)", made.error)) or int(named.group(1)) == line


@pytest.mark.parametrize(
    "text", ["", "   ", "- 1\n- 2", "just words", "{", "\t", "a: &a [*a]", "x" * 70_000, "given: 5\nthen: 7"]
)
def test_what_is_no_scenario_gets_a_sentence(text: str) -> None:
    made = workbench.check(text)
    assert made.error.endswith(".") and "/tmp" not in made.error and not made.error.startswith(workbench.NAME)


def test_a_script_that_does_not_fit_marks_its_step() -> None:
    text = workbench.TEMPLATE.replace("- {A chooses: B}", "- {A chooses: B}\n  - {B plays: Defy}")
    made = workbench.check(text)
    assert made.result is not None and made.result.verdict == "failed"
    assert not any(one.end for one in made.variants), "what the script does not fit is told once"
    assert "B plays" in text.splitlines()[workbench.line_of(text, made.result.problems[0]) - 1]
