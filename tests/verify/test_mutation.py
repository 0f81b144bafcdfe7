"""Contrasts and mutants: a proof that nothing can topple is none."""

from __future__ import annotations

import ast
import copy
from typing import Any

import pytest

from kb.engine.hooks import OPERATORS, Hooks, Mutant
from kb.engine.library import library
from kb.scenarios.model import Scenario, build, load_scenario
from kb.scenarios.runner import execute, parse_mutant, run_scenario
from kb.verify.causes import causes
from kb.verify.mutation import (
    Base,
    MutantResult,
    base_of,
    flips_of,
    mutants_of,
    operators_of,
    registry,
    rules_named,
    steps_of,
)
from kb.verify.sites import annotates, functions, hooked_value, line_of, sites, sites_of, trees
from kb.verify.standings import standing_of
from kb.verify.suite import outcome_of, scenario_root

BASE: dict[str, Any] = {
    "title": "The unit of the player whose turn begins becomes ready",
    "ruling": "made-up",
    "given": {
        "turn": "A",
        "phase": "awaken",
        "A": {"base": [{"card": "Stalwart Poro", "as": "poro", "exhausted": True}], "deck": 3, "rune_deck": 3},
        "B": {"deck": 3},
    },
    "then": [{"claim": "c1", "assert": {"state": {"poro": ["ready"]}}, "decides": ["core-1.4:315.1.b"]}],
}


def scenario(**more: Any) -> Scenario:
    return build({**BASE, **more}, "made-up", "made-up.yaml")


# contrasts


def test_a_contrast_that_flips_leaves_the_scenario_confirmed() -> None:
    contrast = {"mutant": "315.1.b omit", "flips": ["c1"]}
    assert run_scenario(scenario(contrasts=[contrast])).verdict == "confirmed"


@pytest.mark.parametrize(
    "contrast",
    [
        {"change": {"given.A.points": 1}, "flips": ["c1"]},
        {"mutant": "317.2.b omit", "flips": ["c1"]},
        {"mutant": "315.1.b wrong actor", "flips": ["c1"]},
    ],
)
def test_a_contrast_that_does_not_flip_makes_the_scenario_failed_and_its_ruling_unverified(contrast: Any) -> None:
    from kb.model import Claim, Origin, Ruling

    result = run_scenario(scenario(contrasts=[contrast]))
    assert result.verdict == "failed"
    assert result.problems == ["contrast 1: c1 does not change its truth"]
    outcome = outcome_of(result)
    assert outcome.claims == {}
    made_up = Ruling("made-up", "x", Origin("faq-rules", 1), (), "yes", "x", (Claim("c1", "x"),))
    assert standing_of(made_up, [outcome]).standing == "unverified"


def test_a_contrast_must_flip_each_claim_that_it_names() -> None:
    then = [*BASE["then"], {"claim": "c2", "assert": {"turn": "A"}}]
    result = run_scenario(scenario(then=then, contrasts=[{"mutant": "315.1.b omit", "flips": ["c1", "c2"]}]))
    assert result.problems == ["contrast 1: c2 does not change its truth"]


# mutants of the project's own scenarios

OMITTED = [
    ("core-1.4/324/steps-added-by-combat-2", "317.2.b"),
    ("core-1.4/324/steps-added-by-combat-2", "317.2.c"),
    ("core-1.4/324/steps-added-by-combat", "466.1.a.1"),
    ("core-1.4/142/lethal-damage", "323.5"),
    ("core-1.4/369/how-a-unit-enters-2", "369.3"),
    ("rulings/hidden-blade-invalid-target-draw", "359.3.e.14.a"),
    ("rulings/might-needed-against-stunned-defenders", "423.1.c"),
    ("rulings/overzealous-fan-bounces-anivia", "383.3.b.1"),
    ("rulings/overzealous-fan-bounces-anivia", "359.3.f.2"),
    ("rulings/soraka-dying-with-other-units", "373.2"),
]


@pytest.mark.parametrize(("name", "rule"), OMITTED)
def test_omitting_a_rule_changes_what_a_scenario_says_that_cites_it(name: str, rule: str) -> None:
    path = scenario_root() / f"{name}.yaml"
    if not path.exists():
        pytest.skip(f"{name} has been renamed")
    loaded = load_scenario(path, scenario_root())
    citing = [t.index for t in loaded.then if f"core-1.4:{rule}" in t.decides]
    assert citing
    sound, broken = execute(loaded, library()), execute(loaded, library(), Mutant(rule, "omit"))
    assert sound.ended and broken.ended
    assert any(sound.asserted[i] != broken.asserted[i] for i in citing)
    assert broken.run is not None and broken.run.game.hooks.reached > 0


def test_the_point_of_a_burn_out_goes_to_the_wrong_player_under_its_mutant() -> None:
    loaded = load_scenario(scenario_root() / "rulings" / "burn-out-who-scores.yaml", scenario_root())
    sound = execute(loaded, library())
    broken = execute(loaded, library(), Mutant("431.2.c", "wrong actor"))
    assert (sound.asserted[0], broken.asserted[0]) == (False, True)


def test_a_mutant_of_a_rule_that_plays_no_part_changes_nothing() -> None:
    sound = execute(scenario(), library())
    other = execute(scenario(), library(), Mutant("466.1.a.1", "omit"))
    assert sound.asserted == other.asserted == {0: True}
    assert other.run is not None and other.run.game.hooks.reached == 0


# hooks


def test_without_a_mutant_every_hook_returns_what_it_was_given() -> None:
    hooks = Hooks()
    assert hooks.does("1") is True
    assert hooks.holds("1", False) is False
    assert hooks.count("1", 3) == 3
    assert hooks.actor("1", "right", "wrong") == "right"
    assert hooks.order("1", [1, 2]) == [1, 2]
    assert hooks.options("1", [1], [1, 2]) == [1]
    assert hooks.may("1", True) is True
    assert hooks.reached == 0
    assert hooks.seen == {"1"}


@pytest.mark.parametrize(
    ("operator", "call", "changed"),
    [
        ("omit", lambda h: h.does("1"), False),
        ("never", lambda h: h.holds("1", True), False),
        ("always", lambda h: h.holds("1", False), True),
        ("one more", lambda h: h.count("1", 3), 4),
        ("one less", lambda h: h.count("1", 3), 2),
        ("wrong actor", lambda h: h.actor("1", "right", "wrong"), "wrong"),
        ("reversed", lambda h: h.order("1", [1, 2]), [2, 1]),
        ("narrower", lambda h: h.options("1", [1, 2]), [1]),
        ("wider", lambda h: h.options("1", [1], [1, 2]), [1, 2]),
        ("must", lambda h: h.may("1", True), False),
    ],
)
def test_an_operator_changes_its_own_rule_and_no_other(operator: str, call: Any, changed: Any) -> None:
    hooks = Hooks(Mutant("1", operator))
    assert call(hooks) == changed
    assert hooks.reached == 1
    other = Hooks(Mutant("2", operator))
    assert call(other) == call(Hooks())
    assert other.reached == 0


def test_a_number_never_falls_below_nothing() -> None:
    assert Hooks(Mutant("1", "one less")).count("1", 0) == 0


def test_a_mutant_is_read_as_it_is_written() -> None:
    written = {o for group in OPERATORS.values() for o in group}
    for operator in written:
        assert str(parse_mutant(f"431.2.c {operator}", "x")) == f"431.2.c {operator}"
    assert parse_mutant("core-1.4:431.2.c wrong actor", "x") == Mutant("431.2.c", "wrong actor")


# registry


def test_the_registry_knows_the_hooks_of_a_rule_and_makes_its_mutants() -> None:
    assert "does" in registry()["315.1.b"]
    assert "315.1.b omit" in [str(m) for m in mutants_of("315.1.b")]
    assert not any("must not" in str(m) for rule in registry() for m in mutants_of(rule))


def test_a_citation_is_carried_out_by_its_own_steps_else_by_its_parents() -> None:
    assert steps_of("core-1.4:315.1.b") == ["315.1.b"]
    assert "315.1.b" in steps_of("core-1.4:315.1")
    assert steps_of("core-1.4:999.9") == []


# places in the code

FUNCTION = """
def settle(game: Game, thing: Thing) -> Flow[None]:
    \"\"\"Step 9 (999.9).\"\"\"
    rules = "999.1 999.2" if thing.exhausted else ""
    game.trace.cite("999.3")
    if thing.damage:
        game.note("999.4", "{} has damage", thing)
    if thing.stunned:
        thing.stunned = False
        game.note("999.5", "{} is no longer stunned", thing)
    yield from kill(game, [thing], "999.6")
"""


def settled_by(rule: str) -> set[str]:
    function = ast.parse(FUNCTION).body[0]
    assert isinstance(function, ast.FunctionDef)
    return {site.operator for site in sites_of("made-up", "settle", function) if site.rule == rule}


def test_what_only_annotates_stands_for_the_condition_above_it_else_for_its_function() -> None:
    assert settled_by("999.5") == {"never", "always"}
    assert settled_by("999.1") == settled_by("999.3") == settled_by("999.4") == {"skip"}
    assert settled_by("999.6") == {"omit"}
    assert settled_by("999.9") == {"skip"}


@pytest.mark.parametrize(
    ("code", "only"),
    [
        ('game.note("323.6", "x")', True),
        ('more = " 323.6" if x else ""', True),
        ('found = {"a": "323.6"}.get(key, "")', True),
        ('found = yield from kill(game, "323.6")', False),
        ('item.rule = choose(game, "323.6")', False),
        ("thing.stunned = False", False),
    ],
)
def test_a_statement_annotates_where_it_only_tells_or_puts_rule_numbers_together(code: str, only: bool) -> None:
    assert annotates(ast.parse(code).body[0]) is only


def made(when: list[Any], then: list[Any]) -> Base:
    given = {"turn": "A", "A": {"base": [{"card": "Stalwart Poro", "as": "poro"}]}}
    built = build({"title": "x", "given": given, "when": when, "then": then}, "made-up", "made-up.yaml")
    truths = execute(built, library())
    assert truths.ended, truths.problem
    return Base("made-up", built, dict(truths.asserted), frozenset(), frozenset(), frozenset(), {})


@pytest.mark.parametrize(
    ("test", "value"),
    [
        ("game.hooks.does('1')", True),
        ("not hooks.does('1')", False),
        ("hooks.does('1') and game.hooks.does('2')", True),
        ("legal and not (hooks.does('1') and hooks.does('2'))", False),
        ("legal or hooks.does('1')", True),
        ("legal and hooks.does('1')", None),
        ("game.hooks.holds('1', legal)", None),
        ("game.does('1')", None),
    ],
)
def test_a_condition_of_hooks_alone_has_one_value_without_a_mutant(test: str, value: bool | None) -> None:
    assert hooked_value(ast.parse(test, mode="eval").body) is value


def operators(code: str) -> set[str]:
    function = ast.parse(code).body[0]
    assert isinstance(function, ast.FunctionDef)
    return {site.operator for site in sites_of("kb.engine.made_up", function.name, function)}


def test_no_operator_is_used_where_it_cannot_make_a_difference() -> None:
    hooked = "def f(game) -> Flow[int]:\n    if game.hooks.does('315.1'):\n        go(game, '315.2')\n"
    assert operators(hooked) == {"omit", "never"}
    otherwise = hooked + "    else:\n        game.note('1', 'why')\n"
    assert operators(otherwise) == {"omit", "never"}
    assert operators("def f(game) -> bool:\n    '315.2.'\n    return game.hooks.does('315.2')") == {"no"}
    assert operators("def note_it(game) -> None:\n    '315.2.'\n    game.note('315.2', 'so')") == set()


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("answer = Ask(player, 'choose', options, 0, len(options), rule='117.1')", {"omit", "one more"}),
        ("answer = Ask(player, 'choose', options, 1, 2, rule='117.1')", {"omit", "one more", "one less"}),
        ("answer = Ask(player, 'pay', options, default=(0,), rule='117.1')", {"omit"}),
        ("draw(game, cards[0], '117.1')", {"omit"}),
        ("draw(game, cards[:2], '117.1')", {"omit", "one more", "one less"}),
        ("draw(game, amount or 0, '117.1')", {"omit"}),
        ("draw(game, 1, '117.1')", {"omit", "one more", "one less"}),
    ],
)
def test_a_number_is_off_by_one_where_it_is_a_rules(statement: str, found: set[str]) -> None:
    assert operators(f"def f(game) -> Flow[str | int]:\n    {statement}\n") == found


def test_a_function_that_is_named_for_what_it_notes_changes_no_state() -> None:
    named = [
        f for tree in trees().values() for name, f in functions(tree) if name.rpartition(".")[2].startswith("note_")
    ]
    assert len(named) > 4
    for function in named:
        for node in ast.walk(function):
            assert not isinstance(node, ast.Yield | ast.YieldFrom | ast.Delete), function.name
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            assert not any(isinstance(t, ast.Attribute | ast.Subscript) for t in targets), function.name


def test_a_hook_gets_only_the_operators_that_can_make_a_difference_there() -> None:
    def at(call: str) -> list[str]:
        node = ast.parse(call, mode="eval").body
        assert isinstance(node, ast.Call)
        return operators_of(node)

    assert at("hooks.options('1', legal)") == ["narrower"]
    assert at("hooks.options('1', legal, all)") == ["narrower", "wider"]
    assert at("hooks.holds('1', True)") == ["never"]
    assert at("hooks.holds('1', met)") == ["never", "always"]


def test_a_refusal_that_a_step_asserts_notices_a_mutant_that_allows_the_act() -> None:
    refused = {"A moves": ["poro"], "to": "base", "refused": "144.2"}
    base = made(
        [{"A moves": ["poro"], "to": "Field 1"}, {"close": "showdown"}, refused],
        [{"says": "it stays", "assert": {"where": {"poro": "Field 1"}}}],
    )
    mutants = [s for s in sites()["144.2"] if s.operator == "omit" and s.function == "why_not_begin_standard_move"]
    assert mutants
    assert flips_of(base, mutants[0]) == [("made-up", 0)]


def test_a_run_that_no_longer_ends_notices_nothing_and_is_no_plausible_engine() -> None:
    base = made(
        [{"A moves": ["poro"], "to": "Field 1"}, {"close": "showdown"}], [{"says": "x", "assert": {"turn": "A"}}]
    )
    breaking = next(s for s in sites()["144"] if s.function == "move_options" and s.operator == "never")
    assert flips_of(base, breaking) is None
    assert not MutantResult(breaking, runs=1, ended=0).plausible
    assert MutantResult(breaking, runs=1, ended=1).plausible


def test_a_scenario_reaches_the_lines_that_its_run_executes() -> None:
    base = base_of(scenario_root() / "core-1.4" / "142" / "lethal-damage.yaml")
    assert base is not None
    lethal = next(s for s in sites()["323.5"] if s.function == "lethal_units")
    assert line_of(lethal) in base.lines and base.reaches(lethal)
    burning = next(s for rule in sites().values() for s in rule if s.function == "burn_out")
    assert not base.reaches(burning)


def base_from(made: Scenario) -> Base:
    truths = execute(made, library())
    assert truths.ended and truths.run is not None, truths.problem
    return Base(made.id, made, dict(truths.asserted), truths.run.game.hooks.rules_seen, frozenset(), frozenset(), {})


def test_a_step_that_is_legal_by_a_rule_notices_a_mutant_under_which_it_is_not() -> None:
    plain = {
        "title": "A Reaction is played in response",
        "given": {
            "turn": "A",
            "A": {"hand": ["Cleave"], "base": ["Recruit"], "runes": 2},
            "B": {"hand": ["Defy"], "runes": 3},
        },
        "when": [
            {"A plays": "Cleave", "targets": ["Recruit"]},
            {"pass": ["A"]},
            {"B plays": "Defy", "targets": ["Cleave"], "label": "second"},
            {"resolve": "Defy"},
        ],
        "then": [{"at": "second", "says": "it is on the chain", "assert": {"chain": ["Cleave", "Defy"]}}],
    }
    mutant = Mutant("813.1.c.1", "never")
    assert flips_of(base_from(build(plain, "made-up", "made-up.yaml")), mutant) is None
    said = copy.deepcopy(plain)
    said["when"][2]["legal"] = "813.1.c.1"  # type: ignore[index]
    assert flips_of(base_from(build(said, "made-up", "made-up.yaml")), mutant) == [("made-up", 0)]


def test_a_step_is_legal_or_refused_but_not_both() -> None:
    step = {"A plays": "Cleave", "refused": "358.4", "legal": "813.1.c.1"}
    made = build({**BASE, "given": {"turn": "A", "A": {"hand": ["Cleave"]}}, "when": [step]}, "made-up", "made-up.yaml")
    assert "legal or refused" in execute(made, library()).problem


def test_a_hook_may_carry_several_rules_and_each_is_a_mutant_of_it() -> None:
    assert not Hooks(Mutant("2", "omit")).does("1 2")
    assert Hooks(Mutant("3", "omit")).does("1 2")
    hooks = Hooks()
    hooks.does("1 2")
    assert hooks.rules_seen == {"1", "2"}


@pytest.mark.parametrize(
    ("argument", "rules"),
    [
        ("'1.2 1.3'", {"1.2", "1.3"}),
        ("'1.2' if x else '1.3'", {"1.2", "1.3"}),
        ("CHARACTERISTIC_OF_SPELLS[name]", {"806.5.b", "813.5.b"}),
        ("CHARACTERISTIC_OF_SPELLS.get(name, '')", {"806.5.b", "813.5.b"}),
        ("name", set()),
    ],
)
def test_the_rules_of_a_hook_are_read_off_a_literal_or_a_table(argument: str, rules: set[str]) -> None:
    assert rules_named(ast.parse(argument, mode="eval").body) == rules


def test_rules_that_change_an_entry_are_measured_though_it_cites_others() -> None:
    path = scenario_root() / "core-1.4/431/again-and-again.yaml"
    found = causes([path], rules=["431.2.c", "315.1.b"])
    changed = found.entries[("core-1.4/431/again-and-again", 0)]
    assert "wrong actor" in changed["431.2.c"]
    assert "315.1.b" not in changed
    assert found.spread == {"431.2.c": 1}
