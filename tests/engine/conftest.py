"""What the tests of the engine share: a digest of a whole game, and small positions."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

import pytest

from kb.cards.syntax import CardDefinition
from kb.engine.asking import Ask
from kb.engine.run import Run
from kb.engine.state import ChainItem, Thing
from kb.scenarios.model import build
from kb.scenarios.position import Builder


def plain(value: Any, top: bool = False) -> Any:
    """A value as nested tuples of plain values; objects inside others stand as their ids, so that no circle arises."""
    if isinstance(value, Thing) and not top:
        return ("thing", value.id)
    if isinstance(value, ChainItem) and not top:
        return ("item", value.id)
    if isinstance(value, CardDefinition):
        return value.name
    if isinstance(value, Enum) or value is None or isinstance(value, str | int | float):
        return str(value)
    if isinstance(value, dict):
        return tuple(sorted((str(plain(key)), plain(one)) for key, one in value.items()))
    if isinstance(value, set | frozenset):
        return tuple(sorted(str(plain(one)) for one in value))
    if isinstance(value, list | tuple):
        return tuple(plain(one) for one in value)
    if is_dataclass(value):
        kept = [f.name for f in fields(value) if f.name != "last"]
        return (type(value).__name__, *((name, plain(getattr(value, name))) for name in kept))
    return type(value).__name__


def digest_of(run: Run) -> str:
    """A hash of everything that a game remembers and of the question it stands at."""
    game, state = run.game, run.game.state
    asked = run.outcome
    if isinstance(asked, Ask):
        keys = tuple(option.key for option in asked.options)
        pending: Any = (asked.player, asked.kind, keys, asked.least, asked.most, asked.about)
    else:
        pending = str(asked)
    parts = (
        *((f.name, plain(getattr(state, f.name))) for f in fields(state)),
        *(plain(thing, top=True) for thing in state.things.values()),
        *(plain(item, top=True) for item in state.chain),
        plain(game.names),
        plain([(h.verb, h.thing, h.player, h.amount) for h in game.turn_log]),
        str(game.rng.getstate()),
        pending,
    )
    return hashlib.sha256(repr(parts).encode()).hexdigest()


@pytest.fixture(scope="session")
def digest() -> Callable[[Run], str]:
    """The digest of a run."""
    return digest_of


@pytest.fixture(scope="session")
def position() -> Callable[..., Run]:
    """Begin a game at a position that is written as in a scenario."""
    from kb.engine.library import library

    def begin(given: dict[str, Any], cards: dict[str, Any] | None = None) -> Run:
        data = {"title": "a position", "given": given, "then": [{"assert": {"turn": "A"}}], "cards": cards or {}}
        return Run(Builder(build(data, "position", "a test"), library()).make())

    return begin
