"""Ordinary mutants of the engine's code: where they are made, how they are applied, what becomes of them."""

from __future__ import annotations

import ast

import pytest

from kb.engine import actions
from kb.verify.code_mutants import (
    BROKEN,
    NOTICED,
    UNNOTICED,
    UNREACHED,
    CodeMutant,
    idle_spans,
    outcome_of,
    statement_spans,
)
from kb.verify.mutation import MutantResult

CODE = """
def one(game):
    \"\"\"What.\"\"\"
    if game.a and (
        game.b
    ):
        game.note("323.6", "x")
        return 1
    return 2
"""


def test_a_line_belongs_to_its_innermost_statement_and_notes_to_none() -> None:
    spans = statement_spans(ast.parse(CODE))
    assert spans[4] == spans[5] == ("one", 4, 6)
    assert 7 not in spans
    assert spans[8] == ("one", 8, 8)


@pytest.mark.parametrize(
    ("statement", "idle"),
    [
        ("found: list[str | None] = [left | right]", "list[str | None]"),
        ("known = hooks.does('1') and game.hooks.does('2')", "hooks.does('1') and game.hooks.does('2')"),
        ("known = ready and game.hooks.does('2')", ""),
        ("ask(player, 1 + 1, rule='355.1' if x > 1 else '355.2')", "'355.1' if x > 1 else '355.2'"),
        ("ask(player, 1 + 1, about=f'{x + 1} left')", "f'{x + 1} left'"),
        ("happen(game, events, '471.2.a' if verb == 'x' else '471.2.b')", "'471.2.a' if verb == 'x' else '471.2.b'"),
        ("happen(game, one if verb == 'x' else two)", ""),
    ],
)
def test_what_is_told_and_what_is_never_evaluated_is_not_changed(statement: str, idle: str) -> None:
    line = f"    {statement}"
    spans = idle_spans(ast.parse(f"def f(game):\n{line}\n"))
    assert [line[start:end] for (_, start), (_, end) in spans] == ([idle] if idle else [])


def test_a_function_that_only_notes_is_not_changed() -> None:
    assert statement_spans(ast.parse("def note_it(game):\n    total = 1 + 1\n    game.note('1', str(total))\n")) == {}


def test_a_change_is_made_in_the_running_function_and_taken_back() -> None:
    pytest.importorskip("cosmic_ray")
    from kb.verify.code_mutants import fits, places

    mutants = [m for m in places() if m.module == "kb.engine.actions" and m.function == "lethal"]
    applicable = next(m for m in mutants if fits(m))
    before = actions.lethal.__code__
    with applicable.applied():
        assert actions.lethal.__code__ is not before
    assert actions.lethal.__code__ is before


def test_a_mutant_is_noticed_broken_unnoticed_or_not_reached() -> None:
    mutant = CodeMutant("kb.engine.actions", "lethal", "core/AddNot", 0, 1, 1, 1)
    assert outcome_of(MutantResult(mutant, flips=[("x", 0)], runs=2, ended=1)) == NOTICED
    assert outcome_of(MutantResult(mutant, runs=2, ended=1)) == BROKEN
    assert outcome_of(MutantResult(mutant, runs=2, ended=2)) == UNNOTICED
    assert outcome_of(MutantResult(mutant)) == UNREACHED
