"""Ordinary mutants of the engine's code: where they are made, how they are applied, what becomes of them."""

from __future__ import annotations

import ast

import pytest

from kb.engine import actions
from kb.verify.code_mutants import BROKEN, NOTICED, UNNOTICED, UNREACHED, CodeMutant, outcome_of, statement_spans
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
