"""Where the engine's steps are tied to rule numbers, and where a mutant changes one of them.

Engine code asks these hooks instead of writing a step, a condition, a number, an actor, an order or a list of options
down bare. A hook names one rule, or several with spaces between them where one step carries out all of them. Without a
mutant each returns what it was given. A :class:`Mutant` replaces one rule's step by its omission
or a plausible wrong variant; ``docs/scenario-format.md`` says how mutants prove that a scenario means something.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")

OPERATORS = {
    "does": ("omit",),
    "holds": ("never", "always"),
    "count": ("one more", "one less"),
    "actor": ("wrong actor",),
    "order": ("reversed",),
    "options": ("narrower", "wider"),
    "may": ("must", "must not"),
    "value": ("wrong value",),
}
"""Hook -> the mutation operators it offers."""


@dataclass(frozen=True)
class Mutant:
    """The engine with the step of one rule changed by one operator."""

    rule: str
    operator: str

    def __str__(self) -> str:
        return f"{self.rule} {self.operator}"


class Hooks:
    """The hooks; ``mutant`` is the one in force, ``reached`` counts how often it made a difference."""

    def __init__(self, mutant: Mutant | None = None) -> None:
        self.mutant = mutant
        self.rule = mutant.rule if mutant else ""
        self.operator = mutant.operator if mutant else ""
        self.reached = 0
        self.seen: set[str] = set()

    def mutated(self, rules: str) -> bool:
        """Whether the mutant in force is one of these rules'."""
        return rules == self.rule or self.rule in rules.split()

    @property
    def rules_seen(self) -> frozenset[str]:
        """Every rule whose hook was asked."""
        return frozenset(rule for rules in self.seen for rule in rules.split())

    def does(self, rule: str) -> bool:
        """Whether the step of a rule is carried out."""
        self.seen.add(rule)
        if self.operator == "omit" and self.mutated(rule):
            self.reached += 1
            return False
        return True

    def holds(self, rule: str, condition: bool) -> bool:
        """A condition that a rule states."""
        self.seen.add(rule)
        if self.operator in ("never", "always") and self.mutated(rule):
            changed = self.operator == "always"
            self.reached += changed != condition
            return changed
        return condition

    def count(self, rule: str, number: int) -> int:
        """A number that a rule states."""
        self.seen.add(rule)
        if self.operator in ("one more", "one less") and self.mutated(rule):
            self.reached += 1
            return max(0, number + (1 if self.operator == "one more" else -1))
        return number

    def actor(self, rule: str, right: T, wrong: T) -> T:
        """Who a rule says; ``wrong`` is the plausible other."""
        self.seen.add(rule)
        if self.operator == "wrong actor" and self.mutated(rule):
            self.reached += 1
            return wrong
        return right

    def value(self, rule: str, right: T, wrong: T) -> T:
        """What a rule says otherwise (which thing, which place, whether something is so); ``wrong`` is the plausible
        other."""
        self.seen.add(rule)
        if self.operator == "wrong value" and self.mutated(rule):
            self.reached += 1
            return wrong
        return right

    def order(self, rule: str, items: Sequence[T]) -> list[T]:
        """An order that a rule states."""
        self.seen.add(rule)
        if self.operator == "reversed" and len(items) > 1 and self.mutated(rule):
            self.reached += 1
            return list(reversed(items))
        return list(items)

    def options(self, rule: str, legal: Sequence[T], wider: Sequence[T] = ()) -> list[T]:
        """The options that a rule allows; ``wider`` is what would be allowed without the rule's restriction."""
        self.seen.add(rule)
        if self.operator == "narrower" and legal and self.mutated(rule):
            self.reached += 1
            return list(legal[:-1])
        if self.operator == "wider" and len(wider) > len(legal) and self.mutated(rule):
            self.reached += 1
            return list(wider)
        return list(legal)

    def may(self, rule: str, optional: bool) -> bool:
        """Whether a rule leaves something to a player (``must``: never asked; ``must not``: never offered)."""
        self.seen.add(rule)
        if self.operator == "must" and self.mutated(rule):
            self.reached += optional
            return False
        return optional
