"""Questions that the engine asks players, with exactly the options that are legal.

The engine runs until it must ask; an :class:`Ask` says who, what kind, which options and how many of them to choose.
Flows are generators that yield an Ask and are sent the chosen options, so an effect reads in its natural order.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

T = TypeVar("T")


NAMED = {"looked": "the cards looked at", "revealed": "the revealed cards", "hand": "that hand", "pool": "those units"}


def spoken(noun: object) -> str:
    """A phrase of the card language as a question says it: ``from $looked`` is ``from the cards looked at``."""
    words = re.sub(r"\$(\w+)", lambda name: NAMED.get(name[1], f"the {name[1]}"), str(noun))
    return re.sub(r"\ban? (their|your)\b", r"\1", re.sub(r"\bat that\b", "there", words))


@dataclass(frozen=True)
class Option:
    """One thing a player may answer: ``key`` is what scripts call it, ``value`` what the engine gets."""

    key: str
    value: object = None
    rule: str = ""


@dataclass(frozen=True)
class Ask:
    """A question to a player.

    ``least`` and ``most`` bound how many options are chosen; ``fits`` says which of them go together; ``ordered`` asks
    for all of them in an order; ``default`` is a proposal. ``kind`` is
    one of: ``action`` (a discretionary action or pass), ``target``, ``choose``, ``mode``, ``destination``,
    ``location`` (where a unit enters), ``yes or no`` (a "may"), ``cost`` (which optional additional costs),
    ``pay`` (how to pay), ``order``, ``assign`` (combat damage), ``amount``, ``mulligan``, ``first player``,
    ``battlefield``, ``showdown``, ``combat``, ``replacement``.
    """

    player: str
    kind: str
    options: tuple[Option, ...]
    least: int = 1
    most: int = 1
    ordered: bool = False
    about: str = ""
    rule: str = ""
    default: tuple[int, ...] | None = None
    fits: Callable[[tuple[Option, ...]], bool] | None = field(default=None, compare=False)


def unique(keys: Sequence[str]) -> list[str]:
    """The same texts with ``#2`` where one repeats."""
    seen: Counter[str] = Counter()
    out = []
    for key in keys:
        seen[key] += 1
        out.append(f"{key}#{seen[key]}" if seen[key] > 1 else key)
    return out


def in_order(player: str, values: Mapping[str, T], about: str, rule: str) -> Flow[list[T]]:
    """Ask a player for the order of two or more things, by their keys; proposed is the order in which they come."""
    options = tuple(Option(key, value) for key, value in values.items())
    count = len(options)
    answer = yield Ask(player, "order", options, count, count, True, about, rule, tuple(range(count)))
    return [values[option.key] for option in answer]


@dataclass(frozen=True)
class Refusal:
    """Why something is not legal: the rule that forbids it and one sentence."""

    rule: str
    why: str


Answer = tuple[Option, ...]
Flow = Generator[Ask, Answer, T]


class Unsupported(Exception):
    """The engine or the card language cannot say this yet; ends the run with the value ``unsupported``."""

    def __init__(self, what: str) -> None:
        self.what = what
        super().__init__(what)


class Rewind(Exception):
    """An action turned out illegal while it was carried out; it is undone (358.5)."""

    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal
        super().__init__(refusal.why)


class GameOver(Exception):
    """Somebody won; unwinds the flow (196)."""
