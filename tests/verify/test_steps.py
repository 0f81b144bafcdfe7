"""Mutants derived from the step that a rule's place guards."""

from __future__ import annotations

import ast
from types import SimpleNamespace
from typing import Any

import pytest

from kb.verify import changing
from kb.verify.changing import DIFFERENCES, WATCH, change, parents_of, watch
from kb.verify.mutation import MutantResult, further_results
from kb.verify.mutation import Task as Tried
from kb.verify.sites import Site, mutated
from kb.verify.steps import Place, can_swap, edits_at, further, places, watched

HEAD = "def f(game, player: str, amount: int, things):\n"


def place(body: str) -> Place:
    """The place of the hook of rule 999.1 in a function with this body."""
    function = ast.parse(HEAD + "".join(f"    {line}\n" for line in body.splitlines())).body[0]
    assert isinstance(function, ast.FunctionDef)
    calls = [n for n in ast.walk(function) if isinstance(n, ast.Call) and "hooks" in ast.unparse(n.func)]
    anchor = next(n for n in calls if "999.1" in ast.unparse(n.args[0]))
    return Place("kb.engine.made_up", "f", function, anchor)


def found(body: str) -> list[tuple[str, str]]:
    """What is changed by which operator, the nearest first."""
    at = place(body)
    edits = sorted(edits_at(at, parents_of(at.function)), key=lambda e: e.rank)
    return [(e.operator, ast.unparse(e.node).splitlines()[0]) for e in edits]


def changed(body: str, operator: str, node: str) -> str:
    """The function's body with one of its changes made."""
    at = place(body)
    for number, one in enumerate(ast.walk(at.function)):
        if number and ast.unparse(one).splitlines()[:1] == [node] and not isinstance(one, ast.Load):
            break
    else:
        raise AssertionError(node)
    assert change(at.function, Site("999.1", at.module, at.name, 0, operator, number))
    return ast.unparse(ast.fix_missing_locations(at.function)).partition("\n")[2]


# which changes there are


@pytest.mark.parametrize(
    ("body", "edit"),
    [
        ("if amount > 2 and game.hooks.does('999.1'):\n    act(game)", ("dropped", "amount > 2")),
        ("if amount > 2 and game.hooks.does('999.1'):\n    act(game)", ("one more", "amount > 2")),
        ("if game.hooks.does('999.1'):\n    draw(game, player)", ("wrong actor", "player")),
        ("if game.hooks.does('999.1'):\n    draw(game, amount)", ("one less", "amount")),
        ("if game.hooks.does('999.1'):\n    draw(game, 2)", ("one more", "2")),
        ("if game.hooks.does('999.1'):\n    put(game, Zone.TRASH)", ("wrong zone", "Zone.TRASH")),
        ("if not game.hooks.does('999.1'):\n    return\ndraw(game, player)", ("wrong actor", "player")),
        (
            "own = [t for t in things if t.controller == player]\nif game.hooks.does('999.1'):\n    ready(game, own)",
            ("dropped", "t.controller == player"),
        ),
        ("if not game.hooks.does('999.1'):\n    things.a, things.b = 1, 2", ("in part", "things.a")),
        ("if amount:\n    if game.hooks.does('999.1'):\n        act(game)", ("always", "amount")),
        ("met = game.hooks.holds('999.1', amount and things.ready)\nreturn met", ("dropped", "things.ready")),
        (
            "if game.hooks.does('999.1'):\n    yield from deal(game)\n    yield from draw(game)",
            ("swapped", "yield from deal(game)"),
        ),
    ],
)
def test_a_step_is_changed_in_what_it_says(body: str, edit: tuple[str, str]) -> None:
    edits = found(body)
    if edit == ("always", "amount"):  # a name alone only asks whether there is anything
        assert edit not in edits
        edits = found(body.replace("if amount:", "if amount > 3:"))
        edit = ("always", "amount > 3")
    assert edit in edits


@pytest.mark.parametrize(
    ("body", "not_changed"),
    [
        # dead where no mutant is in force
        ("if amount > 2 and not game.hooks.does('999.1'):\n    draw(game, player)", "amount > 2"),
        ("x = things if game.hooks.does('999.1') else draw(game, player)\nreturn x", "player"),
        # keeps a value of another kind away
        ("if things is not None and game.hooks.does('999.1'):\n    act(game)", "things is not None"),
        ("if isinstance(things, list) and game.hooks.does('999.1'):\n    act(game)", "isinstance(things, list)"),
        # only annotates
        ("if game.hooks.does('999.1'):\n    game.note('999.1', '{}', player)", "player"),
        ("if game.hooks.does('999.1'):\n    with game.trace.step('', '{}', player):\n        act(game)", "player"),
        # the hook has a mutant for that
        ("who = game.hooks.actor('999.1', player, other)\nact(game, who)", "player"),
        # is no step, but says who caused one
        ("if game.hooks.does('999.1'):\n    act(game, Cause(player))", "player"),
    ],
)
def test_what_can_make_no_difference_is_not_changed(body: str, not_changed: str) -> None:
    assert not_changed not in [node for _, node in found(body)]


def test_the_condition_that_the_hook_stands_in_comes_before_what_is_farther_away() -> None:
    edits = found(
        "own = [t for t in things if t.ready]\nif amount > 2 and game.hooks.does('999.1'):\n    draw(game, player, own)"
    )
    order = [edits.index(e) for e in (("dropped", "amount > 2"), ("wrong actor", "player"), ("dropped", "t.ready"))]
    assert order == sorted(order)


@pytest.mark.parametrize(
    ("one", "other", "can"),
    [
        ("yield from deal(game)", "yield from draw(game)", True),
        ("found = yield from deal(game)", "yield from draw(found)", False),
        ("yield from deal(game)", "return", False),
        ("thing.a = 1", "thing.b = 2", False),
        ("yield from deal(game)", "game.note('1', 'x')", False),
    ],
)
def test_statements_change_places_where_both_are_steps_and_neither_needs_the_other(
    one: str, other: str, can: bool
) -> None:
    pair = [ast.parse(f"def f():\n    {text}").body[0].body[0] for text in (one, other)]  # type: ignore[attr-defined]
    assert can_swap(*pair) is can


# making them


@pytest.mark.parametrize(
    ("body", "operator", "node", "after"),
    [
        (
            "if game.hooks.does('999.1'):\n    draw(game, player)",
            "wrong actor",
            "player",
            "draw(game, game.next_player(player) if player else player)",
        ),
        ("if game.hooks.does('999.1'):\n    draw(game, amount)", "one less", "amount", "draw(game, amount + -1)"),
        ("if game.hooks.does('999.1'):\n    put(Zone.HAND)", "wrong zone", "Zone.HAND", "put(Zone.TRASH)"),
        (
            "if amount > 2 and game.hooks.does('999.1'):\n    act()",
            "dropped",
            "amount > 2",
            f"{WATCH}(amount > 2 and game.hooks.does('999.1'), True and game.hooks.does('999.1'))",
        ),
        (
            "if game.hooks.does('999.1'):\n    act([t for t in things if t.ready])",
            "dropped",
            "t.ready",
            f"[t for t in things if {WATCH}(t.ready, True)]",
        ),
        (
            "if game.hooks.does('999.1') and amount >= 2:\n    act()",
            "one less",
            "amount >= 2",
            "game.hooks.does('999.1') and amount > 2",
        ),
        ("if game.hooks.does('999.1'):\n    one()\n    other()", "swapped", "one()", "        other()\n        one()"),
        (
            "if not game.hooks.does('999.1'):\n    t.a, t.b = (1, 2)",
            "in part",
            "t.b",
            "    if not False:\n        t.b = 2",
        ),
    ],
)
def test_a_change_is_made_where_it_is_said(body: str, operator: str, node: str, after: str) -> None:
    assert after in changed(body, operator, node)


def test_a_changed_condition_tells_where_it_differs() -> None:
    before = DIFFERENCES[0]
    assert watch(True, False) is False
    assert watch([1], [2]) == [2]
    assert DIFFERENCES[0] == before + 1


def test_every_derived_mutant_of_the_engine_can_be_made_and_no_two_are_the_same() -> None:
    sites = [site for rule in list(places())[::12] for site in further(rule)]
    assert len(sites) > 300
    assert len(set(sites)) == len(sites)
    for site in sites[::5]:
        function = mutated(site)
        assert function is not None
        function.decorator_list = []
        compile(ast.Module([function], []), "x", "exec")
        assert site.operator not in ("dropped", "never", "always") or watched(site) or "yield" in ast.unparse(function)
    assert changing.OTHER_ZONE["TRASH"] != "TRASH"


# how many a rule gets


def results(monkeypatch: Any, outcomes: list[tuple[bool, int]], before: int) -> list[MutantResult]:
    """The further results of a rule with so many plausible mutants, of which each next one has this outcome."""
    from kb.verify import mutation

    candidates = [Site("999.1", "kb.engine.turn", "awaken", 1, "dropped", n + 1) for n in range(len(outcomes))]
    known = dict(zip(candidates, outcomes, strict=True))
    monkeypatch.setattr(mutation, "further", lambda _rule: tuple(candidates))
    monkeypatch.setattr(mutation, "changes_anything", lambda _site: True)
    monkeypatch.setattr(mutation, "watched", lambda _site: True)

    def run(tasks: list[Tried], _progress: object) -> list[MutantResult]:
        return [MutantResult(t.mutant, [], 1, known[t.mutant][0], known[t.mutant][1]) for t in tasks]  # type: ignore[index]

    monkeypatch.setattr(mutation, "run_tasks", run)
    had = [MutantResult(SimpleNamespace(rule="999.1"), [("x", 0)], 1, 1)] * before  # type: ignore[arg-type]
    return further_results({"core-1.4:999.1": ["999.1"]}, had, lambda _step, mutant: Tried(mutant, ("x",), ()))


def test_a_rule_gets_further_mutants_until_two_are_plausible(monkeypatch: Any) -> None:
    assert len(results(monkeypatch, [(True, 1)] * 5, before=0)) == 2
    assert len(results(monkeypatch, [(True, 1)] * 5, before=1)) == 1
    assert results(monkeypatch, [(True, 1)] * 5, before=2) == []


def test_one_that_no_run_ends_under_does_not_count_and_one_that_never_differs_is_passed_over(monkeypatch: Any) -> None:
    tried = results(monkeypatch, [(False, 1), (True, 0), (True, 3), (True, 1)], before=1)
    assert [(r.mutant.node, r.plausible) for r in tried] == [(1, False), (3, True)]  # type: ignore[union-attr]
