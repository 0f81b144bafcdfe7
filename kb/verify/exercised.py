"""Which rules a scenario exercises: those that a ``then`` asserts something about, not those that merely appear.

A rule is exercised where an asserted event or line carries it, where a question or refusal with that rule is
asserted, or where ``decides`` names it and the run cites it.
"""

from __future__ import annotations

from typing import Any

from kb.scenarios.asserting import Checker
from kb.scenarios.model import Scenario
from kb.scenarios.runner import Result


def exercised_rules(result: Result) -> set[str]:
    """Rule numbers (of edition 1.4, without the document) that the scenario's assertions are about."""
    scenario, run = result.scenario, result.truths.run
    found: set[str] = set()
    if run is None or not result.truths.ended:
        return found
    cited = set(run.game.trace.cited)
    for number in (r.removeprefix("core-1.4:") for r in scenario.decides):
        if any(c == number or c.startswith(f"{number}.") for c in cited) or number_is_read(scenario, number):
            found.add(number)
            found |= {c for c in cited if c == number}
    checker = Checker(run, scenario.id)
    for then in scenario.then:
        for asserted in (then.asserted, then.instead or {}):
            found |= event_rules(checker, asserted)
    for step in scenario.when:
        refused = step.get("refused")
        if refused:
            found.add(str(refused).removeprefix("core-1.4:"))
    return found


def number_is_read(scenario: Scenario, number: str) -> bool:
    """Rules about decks, names and the reading of a text are exercised by the assertion kinds made for them."""
    text = str([t.asserted for t in scenario.then])
    return any(
        f"'{word}'" in text for word in ("deck_legal", "identifies", "reads_as", "offered", "not_offered", "asks")
    )


def event_rules(checker: Checker, asserted: dict[str, Any]) -> set[str]:
    """Rules carried by the events and lines that an assertion names."""
    found: set[str] = set()
    for key in ("happened", "order", "noted"):
        value = asserted.get(key)
        for pattern in value if isinstance(value, list) else [value] if value else []:
            if "event" in pattern:
                for node in checker.matching(pattern):
                    found |= set(node.rules)
            elif "rule" in pattern:
                found.add(str(pattern["rule"]).removeprefix("core-1.4:"))
    return found
