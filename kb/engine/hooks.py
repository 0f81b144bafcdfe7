"""Where the engine's steps are tied to rule numbers, and where a mutant changes one of them.

Engine code asks these hooks instead of writing a step, a condition, a number, an actor, an order or a list of options
down bare. Without a mutant each returns what it was given. A :class:`Mutant` replaces one rule's step by its omission
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

    def does(self, rule: str) -> bool:
        """Whether the step of a rule is carried out."""
        self.seen.add(rule)
        if rule == self.rule and self.operator == "omit":
            self.reached += 1
            return False
        return True

    def holds(self, rule: str, condition: bool) -> bool:
        """A condition that a rule states."""
        self.seen.add(rule)
        if rule == self.rule and self.operator in ("never", "always"):
            changed = self.operator == "always"
            self.reached += changed != condition
            return changed
        return condition

    def count(self, rule: str, number: int) -> int:
        """A number that a rule states."""
        self.seen.add(rule)
        if rule == self.rule and self.operator in ("one more", "one less"):
            self.reached += 1
            return max(0, number + (1 if self.operator == "one more" else -1))
        return number

    def actor(self, rule: str, right: T, wrong: T) -> T:
        """Who a rule says; ``wrong`` is the plausible other."""
        self.seen.add(rule)
        if rule == self.rule and self.operator == "wrong actor":
            self.reached += 1
            return wrong
        return right

    def order(self, rule: str, items: Sequence[T]) -> list[T]:
        """An order that a rule states."""
        self.seen.add(rule)
        if rule == self.rule and self.operator == "reversed" and len(items) > 1:
            self.reached += 1
            return list(reversed(items))
        return list(items)

    def options(self, rule: str, legal: Sequence[T], wider: Sequence[T] = ()) -> list[T]:
        """The options that a rule allows; ``wider`` is what would be allowed without the rule's restriction."""
        self.seen.add(rule)
        if rule == self.rule and self.operator == "narrower" and legal:
            self.reached += 1
            return list(legal[:-1])
        if rule == self.rule and self.operator == "wider" and len(wider) > len(legal):
            self.reached += 1
            return list(wider)
        return list(legal)

    def may(self, rule: str, optional: bool) -> bool:
        """Whether a rule leaves something to a player (``must``: never asked; ``must not``: never offered)."""
        self.seen.add(rule)
        if rule == self.rule and self.operator == "must":
            self.reached += optional
            return False
        return optional
