"""Which rules a scenario exercises: those that an assertion is about, not those that merely appear in the trace.

A rule is exercised where

- an asserted event or line carries it, or the step right above that event;
- a state is asserted that such an event brought about (a unit's damage by the damage it took, a place by a move);
- a question whose options are asserted, or an asserted refusal, carries it;
- ``decides`` or ``defines`` names it and the run cites it, or the assertion is of a kind made for it (decks, names, the
  reading of a text, what is offered). Which of them cause the outcome is for the mutants to say (``mutation``).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kb.engine.trace import Node
from kb.scenarios.asserting import Checker
from kb.scenarios.model import Scenario
from kb.scenarios.runner import Result

CAUSES: dict[str, tuple[str, ...]] = {
    "points": ("gains_points", "loses_points", "scores", "conquers", "holds"),
    "xp": ("gains_xp",),
    "energy": ("adds",),
    "power": ("adds",),
    "hand": ("draws", "returns", "discards", "plays"),
    "deck": ("draws", "recycles", "reveals"),
    "trash": ("dies", "discards", "counters", "plays"),
    "banished": ("banishes",),
    "rune_deck": ("channels", "recycles"),
    "base": ("recalls", "moves", "enters", "channels"),
    "runes": ("channels", "recycles"),
    "ready_runes": ("readies", "exhausts", "channels"),
    "units": ("moves", "enters", "recalls", "dies"),
    "where": ("moves", "enters", "recalls", "dies", "returns", "banishes", "attaches", "detaches", "recycles"),
    "damage": ("takes_damage", "heals"),
    "buffs": ("buffs",),
    "state": ("stuns", "readies", "exhausts", "empowers"),
    "contested": ("moves", "conquers"),
    "attached": ("attaches", "detaches"),
    "combat": ("combat_begins", "combat_ends"),
    "showdown": ("showdown_begins",),
    "winner": ("gains_points",),
}
"""Key of an assertion -> events that bring that state about."""


def exercised_rules(result: Result) -> set[str]:
    """Rule numbers (of edition 1.4, without the document) that the scenario's assertions are about."""
    scenario, run = result.scenario, result.truths.run
    found: set[str] = set()
    if run is None or not result.truths.ended:
        return found
    cited = set(run.game.trace.cited)
    for number in (r.removeprefix("core-1.4:") for r in scenario.names_rules):
        if any(c == number or c.startswith(f"{number}.") for c in cited) or number_is_read(scenario, number):
            found.add(number)
    found |= result.truths.checked
    checker = Checker(run, scenario.id)
    nodes = list(with_parent(run.game.trace.root))
    for then in scenario.then:
        for asserted in (then.asserted, then.instead or {}):
            found |= event_rules(checker, asserted, nodes)
    return {number.removeprefix("core-1.4:") for number in found}


def with_parent(node: Node) -> Iterator[tuple[Node, Node]]:
    """All nodes of a trace with the step above each."""
    for child in node.children:
        yield child, node
        yield from with_parent(child)


def number_is_read(scenario: Scenario, number: str) -> bool:
    """Rules about decks, names and the reading of a text are exercised by the assertion kinds made for them."""
    named = {number, f"core-1.4:{number}"}
    text = str([t.asserted for t in scenario.then if named & {*t.decides, *t.defines}])
    return any(
        f"'{word}'" in text for word in ("deck_legal", "identifies", "reads_as", "offered", "not_offered", "asks")
    )


def uncited_rules(result: Result) -> list[str]:
    """Rules in ``decides`` that the run does not come to.

    It comes to a rule where its trace, or a question or refusal that is asserted, cites it, a part of it or what it is
    part of, and where a step asks its hook. Assertions about decks, names, the reading of a text and what is offered
    have no line to cite.
    """
    run = result.truths.run
    if run is None or not result.truths.ended:
        return []
    cited = {*run.game.trace.cited, *run.game.hooks.rules_seen, *result.truths.checked}
    found = []
    for rule in result.scenario.decides:
        number = rule.removeprefix("core-1.4:")
        told = not cited.isdisjoint((number, number.rpartition(".")[0])) or any(
            c.startswith(f"{number}.") for c in cited
        )
        if not told and not number_is_read(result.scenario, number):
            found.append(rule)
    return found


def event_rules(checker: Checker, asserted: dict[str, Any], nodes: list[tuple[Node, Node]]) -> set[str]:
    """Rules carried by the events and lines that an assertion names, or that brought an asserted state about."""
    found: set[str] = set()
    for key, value in asserted.items():
        if key in ("happened", "order", "noted"):
            for pattern in value if isinstance(value, list) else [value]:
                if "event" in pattern:
                    matching = {id(n) for n in checker.matching(pattern)}
                    for node, above in nodes:
                        if id(node) in matching:
                            found |= {*node.rules, *above.rules}
                elif "rule" in pattern:
                    found.add(str(pattern["rule"]))
        elif key in CAUSES:
            names = words_of(value)
            for node, above in nodes:
                if node.verb in CAUSES[key] and (node.thing in names or node.player in names):
                    found |= {*node.rules, *above.rules}
    return found


def words_of(value: Any) -> set[str]:
    """Every name in an assertion's value."""
    if isinstance(value, dict):
        return {str(k) for k in value} | {w for v in value.values() for w in words_of(v)}
    if isinstance(value, list):
        return {w for v in value for w in words_of(v)}
    return {str(value)}
