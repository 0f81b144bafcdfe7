"""Whatever the card language accepts the engine can do, and whatever rule the engine names exists."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

import pytest

import kb.engine
from kb.cards.loading import KEYWORDS, Reader
from kb.cards.parsing import (
    FACTS,
    FACTS_WITH_ARGUMENT,
    PLAYER_ATTRIBUTES,
    POSSESSIVES,
    RELATIONS,
    TALLIES,
    parse_amount,
    parse_condition,
    parse_noun,
    parse_what,
)
from kb.cards.phrases import Noun, Ref
from kb.cards.syntax import WATCHES, CostPart
from kb.cards.terms import ATTRIBUTES, KINDS, OPERATORS, SELF_REFS, STATES, WHOSE, ZONES
from kb.cards.verbs import COST_PARTS, DURATIONS, EVENTS, FORBIDDEN, INSTRUCTIONS, PERMITTED, RULES
from kb.engine.actions import Cause
from kb.engine.costs import perform_part
from kb.engine.filters import Context, amount_of, candidates, holds, resolve
from kb.engine.hooks import OPERATORS as MUTATIONS
from kb.engine.instructions import HANDLERS
from kb.engine.run import Run
from kb.engine.state import Thing
from kb.errors import DataError
from kb.ids import RuleRef
from kb.load import load_rules
from kb.verify.mutation import registry

FILES = sorted(Path(str(kb.engine.__file__)).parent.glob("*.py"))
NUMBER = re.compile(r"\d{3}(?:\.\d+(?:\.[a-z]+(?:\.\d+)?)*)*(?:\.[a-z]+)?")
BOOKS = {name: load_rules(name) for name in ("core-1.4", "tournament-2026-07")}
ARGUMENTS = {"paid": "paid", "level": "3", "turn of": "they", "played from": "hidden"}
WORDS = {"WORDS", "RULES_OF"}
"""Tables that describe events instead of raising them."""


@lru_cache(maxsize=1)
def trees() -> dict[str, ast.Module]:
    return {path.name: ast.parse(path.read_text(encoding="utf-8")) for path in FILES}


def texts(node: ast.AST) -> set[str]:
    """Every text constant below a node."""
    return {n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)}


def docstrings(tree: ast.Module) -> set[int]:
    return {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant)}


@lru_cache(maxsize=1)
def raised() -> set[str]:
    """Texts that the engine writes down other than to compare with them or to describe an event."""
    found: set[str] = set()
    for tree in trees().values():
        skipped = docstrings(tree)
        for node in ast.walk(tree):
            described = isinstance(node, ast.Assign) and any(getattr(t, "id", "") in WORDS for t in node.targets)
            if isinstance(node, ast.Compare) or described:
                skipped |= {id(n) for n in ast.walk(node)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
                found.add(node.value)
    return found


@lru_cache(maxsize=1)
def mentions() -> dict[str, set[str]]:
    """Name of a function, attribute or variable -> texts in calls of it and in comparisons with it."""
    found: dict[str, set[str]] = {}
    for tree in trees().values():
        for node in ast.walk(tree):
            sides: list[ast.expr] = []
            if isinstance(node, ast.Call):
                sides = [node.func]
            elif isinstance(node, ast.Compare):
                sides = [node.left, *node.comparators]
            elif isinstance(node, ast.Match):
                sides = [node.subject]
            said = texts(node) if sides else set()
            for side in sides:
                for name in {getattr(side, "id", ""), getattr(side, "attr", "")} - {""}:
                    found.setdefault(name, set()).update(said)
    return found


def read_by(name: str) -> set[str]:
    """Texts that calls of a function, or comparisons with an attribute or variable of that name, mention."""
    return mentions().get(name, set())


# verbs, events, costs, rules


def test_every_instruction_has_a_handler() -> None:
    assert set(INSTRUCTIONS) == set(HANDLERS)


@pytest.mark.parametrize("verb", EVENTS)
def test_every_event_that_can_be_triggered_on_does_happen(verb: str) -> None:
    assert WATCHES.get(verb, verb) in raised()


@pytest.mark.parametrize("action", COST_PARTS)
def test_every_part_of_a_cost_can_be_paid(action: str, begun: Run) -> None:
    if action in ("xp", "burn"):
        assert action in read_by("action")
        return
    list(perform_part(begun.game, "A", CostPart(action, Ref("me")), [], Cause("A")))


@pytest.mark.parametrize("name", RULES)
def test_every_passive_rule_is_read_by_the_engine(name: str) -> None:
    assert name in read_by("rules") | read_by("name")


@pytest.mark.parametrize("action", FORBIDDEN)
def test_every_prohibition_is_asked_for(action: str) -> None:
    assert action in read_by("forbidden")


@pytest.mark.parametrize("action", PERMITTED)
def test_every_permission_is_asked_for(action: str) -> None:
    assert action in read_by("action") | read_by("permits_many")


@pytest.mark.parametrize("word", [w for w in DURATIONS if w not in ("permanent", "game")])
def test_every_duration_comes_to_its_end(word: str) -> None:
    ends = read_by("until") | read_by("expire")
    assert word in ends


def test_a_duration_that_does_not_exist_is_refused() -> None:
    with pytest.raises(DataError):
        Reader("a test").effect([{"give": {"might": 1}, "to": "a unit", "for": "fortnight"}], "effect")


@pytest.mark.parametrize("keyword", sorted(KEYWORDS))
def test_every_keyword_means_something(keyword: str) -> None:
    assert keyword in raised() | set().union(*mentions().values())


# phrases, read against a small board


@pytest.fixture(scope="module")
def begun(position: Callable[..., Run]) -> Run:
    """A is asked for an action, with a unit at a battlefield that carries an Equipment."""
    unit = {"card": "Stalwart Poro", "as": "poro", "attached": ["Guardian Angel"]}
    return position(
        {
            "battlefields": [{"card": "Field 1", "controller": "A", "units": {"A": [unit]}}, "Field 2"],
            "A": {"hand": ["Cleave"], "deck": 3, "trash": ["Stalwart Poro"], "base": ["Recruit"], "runes": 2},
            "B": {"base": [{"card": "Recruit", "as": "foe"}], "deck": 3},
        }
    )


@pytest.fixture
def eyes(begun: Run) -> Context:
    """Reading through the eyes of the unit."""
    me = next(t for t in begun.game.state.board.values() if begun.game.label(t) == "poro")
    return begun.game.context(me)


@pytest.mark.parametrize("state", sorted(STATES))
def test_every_state_can_be_told(state: str, eyes: Context) -> None:
    kind = "battlefield" if state in ("occupied", "open", "controlled", "uncontrolled") else "unit"
    yes = candidates(parse_noun(f"all {state} {KINDS[kind]}"), eyes)
    no = candidates(parse_noun(f"all non-{state} {KINDS[kind]}"), eyes)
    if state not in ("facedown", "hidden"):
        every = candidates(parse_noun(f"all {KINDS[kind]}"), eyes)
        assert len(yes) + len(no) == len(every)
        assert not any(a is b for a in yes for b in no)


@pytest.mark.parametrize("whose", sorted(WHOSE))
def test_every_word_for_whose_can_be_told(whose: str, eyes: Context) -> None:
    assert isinstance(candidates(parse_noun(f"all {whose} units"), eyes), list)


def test_friendly_and_enemy_units_are_those_of_each_side(eyes: Context) -> None:
    for whose, side in (("friendly", "A"), ("enemy", "B"), ("your", "A")):
        found = candidates(parse_noun(f"all {whose} units"), eyes)
        assert {t.controller for t in found if isinstance(t, Thing)} == {side}


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_can_be_looked_for(kind: str, eyes: Context) -> None:
    assert isinstance(candidates(parse_noun(f"all {KINDS[kind]}"), eyes), list)


@pytest.mark.parametrize("zone", sorted(ZONES))
def test_every_zone_can_be_looked_into(zone: str, eyes: Context) -> None:
    assert isinstance(candidates(parse_noun(f"all cards in your {zone}"), eyes), list)


@pytest.mark.parametrize("name", sorted({*ATTRIBUTES, *PLAYER_ATTRIBUTES}))
def test_every_number_of_a_thing_or_player_can_be_read(name: str, eyes: Context) -> None:
    of = "you" if name in PLAYER_ATTRIBUTES or name == "level" else "me"
    assert amount_of(parse_amount(f"{name} of {of}"), eyes) is not None


def test_the_victory_score_is_the_victory_score(eyes: Context) -> None:
    assert amount_of(parse_amount("victory score of you"), eyes) == eyes.game.state.victory_score
    assert amount_of(parse_amount("points of you"), eyes) == 0


@pytest.mark.parametrize("words", TALLIES)
def test_every_tally_is_kept(words: str, eyes: Context) -> None:
    assert isinstance(amount_of(parse_amount(words), eyes), int)


@pytest.mark.parametrize("operator", sorted(OPERATORS))
def test_every_comparison_compares(operator: str, eyes: Context) -> None:
    right = {"<": (1, 2), "<=": (2, 2), ">": (2, 1), ">=": (2, 2), "=": (2, 2), "!=": (1, 2)}[operator]
    wrong = {"<": (2, 2), "<=": (3, 2), ">": (2, 2), ">=": (1, 2), "=": (1, 2), "!=": (2, 2)}[operator]
    assert holds(parse_condition(f"{right[0]} {operator} {right[1]}"), eyes)
    assert not holds(parse_condition(f"{wrong[0]} {operator} {wrong[1]}"), eyes)


@pytest.mark.parametrize("word", [*FACTS, *(f"{word} {ARGUMENTS[word]}" for word in FACTS_WITH_ARGUMENT)])
def test_every_condition_word_is_known(word: str, eyes: Context) -> None:
    assert holds(parse_condition(word), eyes) in (True, False)


@pytest.mark.parametrize("word", FACTS)
def test_every_condition_word_can_be_false(word: str, eyes: Context, begun: Run) -> None:
    if word == "your turn":
        eyes = begun.game.context(None, you="B")
    if word in ("alone",):
        eyes = begun.game.context(None, you="A")
    assert holds(parse_condition(word), eyes) is False


@pytest.mark.parametrize("name", sorted(SELF_REFS))
def test_every_reference_can_be_resolved(name: str, eyes: Context) -> None:
    assert isinstance(resolve(Ref(name), eyes), list)


@pytest.mark.parametrize("step", POSSESSIVES)
def test_every_possessive_can_be_resolved(step: str, eyes: Context) -> None:
    assert isinstance(parse_what(f"{step} of me"), Ref)
    assert isinstance(resolve(Ref("me", (step,)), eyes), list)


@pytest.mark.parametrize("relation", RELATIONS)
def test_every_relation_can_be_told(relation: str, eyes: Context) -> None:
    kind, other = ("battlefields", "a friendly unit") if relation == "holding" else ("units", "me")
    noun = parse_noun(f"all {kind} {relation} {other}")
    assert isinstance(noun, Noun)
    assert isinstance(candidates(noun, eyes), list)


# rules that the engine names


def test_every_hook_names_a_rule_that_exists() -> None:
    unknown = [rule for rule in registry() if not exists(rule)]
    assert unknown == []
    assert len(registry()) > 100


def test_every_operator_belongs_to_a_hook_that_the_engine_calls() -> None:
    assert set(MUTATIONS) == {hook for hooks in registry().values() for hook in hooks}


def exists(cited: str) -> bool:
    ref = RuleRef.parse(cited) if ":" in cited else None
    return ref.number in BOOKS[ref.document] if ref is not None else cited in BOOKS["core-1.4"]


def citations() -> Iterator[tuple[str, str]]:
    """Every rule number in a text of the engine that is made of numbers, docstrings left out: (place, number)."""
    for name, tree in trees().items():
        skipped = docstrings(tree)
        for node in ast.walk(tree):
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in skipped:
                continue
            words = node.value.split()
            tails = [w.rpartition(":")[2] for w in words]
            if words and all(NUMBER.fullmatch(t) for t in tails):
                for word in words:
                    yield f"{name}:{node.lineno}", word


def test_every_rule_that_the_engine_cites_exists() -> None:
    found = list(citations())
    assert len(found) > 400
    assert [(place, number) for place, number in found if not exists(number)] == []


def test_every_rule_named_in_a_docstring_exists_in_one_of_the_documents() -> None:
    dotted = re.compile(r"(?<![\w.])\d{3}(?:\.\d+(?:\.[a-z]+(?:\.\d+)?)*)+(?:\.[a-z]+)?(?![\w])")
    wrong = []
    for name, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                wrong += [
                    (f"{name}:{node.lineno}", number)
                    for number in dotted.findall(node.value)
                    if not any(number in book for book in BOOKS.values())
                ]
    assert wrong == []
