"""Trying a position: a board from card names, played by choosing among what the engine offers.

A trial is a scenario in the making: what is given, and the log of answers. It prints as a scenario file, and as a
token for a link that leads to the same position after the same answers. Tokens come from anywhere, so everything in
them is bounded before it is used.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import sqlite3
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import yaml

from kb.engine.asking import Ask, Refusal, Unsupported
from kb.engine.library import library
from kb.engine.run import Entry, Outcome
from kb.errors import InputError, UnknownId
from kb.lookup import find_cards
from kb.replay import wording
from kb.replay.frames import Frame, RecordedRun, together
from kb.scenarios.model import Scenario, build
from kb.scenarios.position import Builder

LONGEST_TOKEN = 12_000
LARGEST = 60_000
MOST = 120
DEEPEST = 8
PART_OF_A_STEP = ("movers", "cost")
"""Questions that a step of a script answers together with the action they belong to."""

SETTLED = ("action", "pause")
"""Questions at which a script may end."""

PLAY = re.compile(r"^play (.+?)(?: from (hidden|trash))?$")
HIDE = re.compile(r"^hide (.+) at (.+)$")


class Trial:
    """One trial. Raises ``DataError`` or ``InputError`` for a position that cannot be."""

    def __init__(
        self, given: Mapping[str, Any], log: Sequence[Entry] = (), cards: Mapping[str, Any] | None = None
    ) -> None:
        bounded(dict(given))
        self.given = dict(given)
        self.cards = dict(cards or {})
        data = {
            "title": "A position",
            "given": self.given,
            "cards": self.cards,
            "then": [{"assert": {"points": {"A": 0}}}],
        }
        self.scenario: Scenario = build(data, "position", "position")
        try:
            self.run = RecordedRun(Builder(self.scenario, library()).make())
        except Unsupported as problem:
            raise InputError("position", f"the engine cannot say this yet: {problem.what}", "Use other cards") from None
        except (TypeError, ValueError, KeyError, AttributeError) as problem:
            raise InputError("position", f"it cannot be read ({problem})", "See docs/scenario-format.md") from None
        for entry in log:
            self._again(entry)

    def _again(self, entry: Entry) -> None:
        if not isinstance(self.run.outcome, Ask) or isinstance(entry, str):
            return
        try:
            self.run.answer(entry)
        except ValueError as problem:
            raise InputError("position", f"an answer of the link does not fit ({problem})", "Start again") from None

    @property
    def ask(self) -> Ask | None:
        """The question now asked."""
        return self.run.outcome if isinstance(self.run.outcome, Ask) else None

    @property
    def outcome(self) -> Outcome:
        """Where the run stands."""
        return self.run.outcome

    def answer(self, indices: Sequence[int]) -> str:
        """Answer the question; a sentence where the answer is refused or does not fit, and nothing changes then."""
        try:
            outcome = self.run.answer(indices)
        except ValueError as problem:
            return f"{str(problem)[:1].upper()}{str(problem)[1:]}."
        except Unsupported as problem:
            self.run.replay(list(self.run.log))
            return f"The engine cannot say this yet: {problem.what}."
        if isinstance(outcome, Refusal):
            return f"Refused by rule {outcome.rule}: {outcome.why}."
        return ""

    def undo(self) -> None:
        """Take the last answer back, and with it the payments that it brought."""
        log = list(self.run.log[:-1])
        fresh = Trial(self.given, log, self.cards)
        self.run = fresh.run

    def frames(self) -> list[Frame]:
        """Everything so far, step by step."""
        return together(self.run)

    def token(self) -> str:
        """What a link carries: the position and the answers."""
        log = [list(entry) for entry in self.run.log if not isinstance(entry, str)]
        said: dict[str, Any] = {"g": self.given, "l": log}
        if self.cards:
            said["c"] = self.cards
        packed = zlib.compress(json.dumps(said, separators=(",", ":")).encode(), 9)
        return base64.urlsafe_b64encode(packed).decode().rstrip("=")

    def as_yaml(self) -> str:
        """The trial as a scenario file that runs: what was given, what was done, and as claims how it stands.

        A step of which only a part was decided is left out; a question that stands open is a claim of its own.
        """
        points = {name: player.points for name, player in self.run.game.state.players.items()}
        data: dict[str, Any] = {"title": "A position that was tried", "edition": "core-1.4"}
        if self.cards:
            data["cards"] = self.cards
        then: list[dict[str, Any]] = [{"says": "points", "assert": {"points": points}}]
        when, ask = steps(self.run.frames), self.ask
        if ask is not None and ask.kind in PART_OF_A_STEP:
            when.pop()
        elif ask is not None and ask.kind not in SETTLED and not (ask.kind == "pay" and ask.default is not None):
            asks = {"who": ask.player, "kind": ask.kind, "options": [option.key for option in ask.options]}
            then.append({"says": wording.asked(ask), "assert": {"asks": asks}})
        data |= {"given": self.given, "when": when, "then": then}
        return yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=110, default_flow_style=None)


def from_token(token: str) -> Trial:
    """The trial that a link carries. Raises ``InputError`` for a link that is damaged."""
    problem = InputError("position", "the link to this position is damaged", "Copy it again, all of it")
    if len(token) > LONGEST_TOKEN:
        raise problem
    try:
        packed = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
        reader = zlib.decompressobj()
        raw = reader.decompress(packed, LARGEST)
        if reader.unconsumed_tail:
            raise problem
        said = json.loads(raw)
        given, log, cards = said["g"], said.get("l", []), said.get("c") or {}
        bounded(said)
        answers = [tuple(int(one) for one in entry) for entry in log[:2000]]
    except (binascii.Error, zlib.error, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise problem from None
    if not isinstance(given, dict) or not isinstance(cards, dict):
        raise problem
    return Trial(given, answers, cards)


def bounded(value: Any, depth: int = 0, key: str = "") -> None:
    """Raise ``InputError`` for numbers, lists and nestings that no position needs."""
    if depth > DEEPEST:
        raise InputError("position", "it is nested too deeply", "See docs/scenario-format.md")
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, int) and abs(value) > MOST and key != "seed":
        raise InputError("position", f"{value} is more than {MOST}", "Use a smaller number")
    if isinstance(value, str) and len(value) > 200:
        raise InputError("position", "a name is far too long", "Use names of cards")
    if isinstance(value, (list, tuple)):
        if len(value) > (2000 if key == "l" else MOST):
            raise InputError("position", f"a list has {len(value)} entries", f"At most {MOST}")
        for one in value:
            bounded(one, depth + 1)
    if isinstance(value, dict):
        if len(value) > MOST:
            raise InputError("position", "it has too many keys", "See docs/scenario-format.md")
        for name, one in value.items():
            bounded(one, depth + 1, str(name))


def steps(frames: Sequence[Frame]) -> list[dict[str, Any]]:
    """The answers as steps of a scenario; payments that were proposed are left out."""
    made: list[dict[str, Any]] = []
    movers: dict[str, Any] | None = None
    for before in frames[:-1]:
        asked = before.asked
        if asked is None or "chosen" not in asked:
            continue
        keys = [asked["keys"][index] for index in asked["chosen"]]
        who, kind = asked["who"], asked["kind"]
        if kind == "pay" and before.paying and list(asked["chosen"]) == list(asked["default"]):
            continue
        if kind == "action" and len(keys) == 1:
            step = action(who, keys[0])
            made.append(step)
            movers = step if f"{who} moves" in step else None
        elif kind == "movers" and movers is not None:
            movers[f"{who} moves"] = keys
        elif kind == "cost":
            if keys and made:
                made[-1]["with"] = keys
        else:
            made.append({f"{who} chooses": keys[0] if len(keys) == 1 else keys})
    return made


def action(who: str, key: str) -> dict[str, Any]:
    """An action among the options as a step."""
    if key == "pass":
        return {"pass": who}
    if key == "end turn":
        return {f"{who} ends": "turn"}
    if key == "concede":
        return {f"{who} concedes": "game"}
    if key.startswith("invite "):
        return {f"{who} invites": key.removeprefix("invite ")}
    if found := HIDE.match(key):
        return {f"{who} hides": found.group(1), "at": found.group(2)}
    if found := PLAY.match(key):
        step = {f"{who} plays": found.group(1)}
        return step | ({"from": found.group(2)} if found.group(2) else {})
    if key.startswith("move to "):
        place = key.removeprefix("move to ")
        return {f"{who} moves": [], "to": "base" if place == f"{who}'s base" else place}
    if key.startswith("use "):
        return {f"{who} uses": key.removeprefix("use ")}
    return {f"{who} chooses": key}


@lru_cache(maxsize=1)
def modelled() -> dict[str, str]:
    """The type of every card that the engine can play and that a board can hold, by name."""
    found = {}
    for card in library().modelled:
        kind = next((one for one in ("unit", "gear", "spell", "battlefield") if one in card.types), "")
        if kind:
            found[card.name] = kind
    return dict(sorted(found.items()))


@lru_cache(maxsize=1)
def tokens() -> frozenset[str]:
    """The cards among them that are tokens, which are nowhere but on a board (185)."""
    return frozenset(card.name for card in library().modelled if card.token)


@dataclass(frozen=True, slots=True)
class Meant:
    """The card that a typed name means, or why it means none; and other cards that come near."""

    card: str | None = None
    why: str = ""
    near: tuple[str, ...] = ()


SHOWN = 8
"""Names that are offered where none is meant."""

ELSEWHERE = {
    "battlefield": "Choose it under Battlefields.",
    **dict.fromkeys(("unit", "gear", "spell"), "Choose it under Card."),
}
"""Where a card goes that a field has no place for, by its type; any other is written."""


def meant(con: sqlite3.Connection, said: str, names: Sequence[str]) -> Meant:
    """Which card among some a typed name means, or the beginning of one."""
    try:
        found = find_cards(con, said)
    except UnknownId as problem:
        begun = [one for one in names if one.casefold().startswith(said.casefold())]
        near = tuple(dict.fromkeys((*begun, *(one for one in problem.nearest if one in names))))[:SHOWN]
        if len(begun) == 1:
            return Meant(begun[0], near=near[1:])
        return Meant(why=f"There is no card {said[:60]!r}." + (" These come near:" if near else ""), near=near)
    fitting = tuple(one for one in found if one in names)
    if len(fitting) == 1:
        return Meant(fitting[0])
    if fitting:
        return Meant(why=f"{said[:60]!r} can mean {len(fitting)} cards:", near=fitting)
    card = library().get(found[0])
    if card is None or not card.modelled:
        return Meant(why=f"{found[0]} is a card, but our engine does not play it yet.")
    kind = " and ".join(card.types)
    where = next((ELSEWHERE[one] for one in card.types if one in ELSEWHERE), "Write it as YAML below.")
    return Meant(why=f"{card.name} is a {kind} and is not put here. {where}")


PLACES = {
    "hand": "Hand",
    "base": "Base",
    "at1": "Battlefield 1",
    "at2": "Battlefield 2",
    "down1": "Facedown 1",
    "down2": "Facedown 2",
    "trash": "Trash",
}
"""Where a card can be put, and what people call it."""

BOARD = ("base", "at1", "at2")
STATES = {"unit": ("exhausted", "stunned", "buffed"), "gear": ("exhausted",)}
"""The states that a permanent can be put in, by its type."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A card that was put on a board that is being made."""

    card: str
    who: str
    place: str
    state: tuple[str, ...] = ()
    damage: int = 0
    gear: tuple[str, ...] = ()

    @property
    def said(self) -> str:
        """As a list shows it."""
        hurt = (f"{self.damage} damage",) if self.damage else ()
        more = (*self.state, *hurt, *(f"with {one}" for one in self.gear))
        return " · ".join((self.card, self.who, PLACES[self.place], *more))

    @property
    def given(self) -> str | dict[str, Any]:
        """As a scenario says it."""
        found: dict[str, Any] = {one: True for one in self.state if one != "buffed"}
        found |= {"buffs": 1} if "buffed" in self.state else {}
        found |= {"damage": self.damage} if self.damage else {}
        found |= {"attached": list(self.gear)} if self.gear else {}
        return {"card": self.card, **found} if found else self.card


def placed(card: str, who: str, place: str, state: Sequence[str] = (), damage: int = 0) -> Placed:
    """A card with what of the state asked for it can have where it is."""
    kind = modelled().get(card, "")
    known = STATES.get(kind, ()) if place in BOARD else ()
    return Placed(card, who, place, tuple(one for one in known if one in state), damage if "stunned" in known else 0)


def why_not(name: str, place: str) -> str:
    """Why a card cannot be put at a place; empty where it can."""
    kind = modelled().get(name, "")
    if not kind:
        return f"The engine does not play {name[:60]!r}."
    if name in tokens() and place not in BOARD:
        return f"{name} is a token: put it on the board."
    if kind == "spell" and place in BOARD:
        return f"{name} is a spell: put it in a hand."
    if kind == "gear" and place in ("at1", "at2"):
        return f"{name} is gear: put it in a base or a hand, or attach it to a unit."
    if place.startswith("down") and not hideable(name):
        return f"{name} has no Hidden: only a card that has it lies facedown."
    return ""


def why_not_facedown(board: Sequence[Placed], who: str, place: str, count: int) -> str:
    """Why no further card of a player can lie facedown at a battlefield; empty where it can."""
    number = place.removeprefix("down")
    if count > 1 or any(one.place == place for one in board):
        return "A battlefield holds one facedown card (107.3.b)."
    if not any((one.who, one.place) == (who, f"at{number}") for one in board):
        return f"Put a unit of {who} there first: without it {who} does not control Battlefield {number}."
    return ""


def hideable(name: str) -> bool:
    """Whether a card has Hidden (811), so that it can lie facedown at a battlefield."""
    return any(card.name == name and any(one.name == "Hidden" for one in card.keywords) for card in library().modelled)


def position(placed: Sequence[Placed], settings: Mapping[str, Any]) -> dict[str, Any]:
    """``given`` of a scenario from cards and settings (``turn``, ``A_runes`` ...); what is empty is left out."""
    given: dict[str, Any] = {"turn": str(settings.get("turn") or "A")}
    at = {
        (who, place): [one.given for one in placed if (one.who, one.place) == (who, place)]
        for who in "AB"
        for place in PLACES
    }
    down = {(one.who, one.place): one.card for one in placed if one.place.startswith("down")}
    fields = []
    for number in (1, 2):
        field: dict[str, Any] = {"card": settings.get(f"field{number}") or f"Field {number}"}
        units = {who: at[who, f"at{number}"] for who in "AB" if at[who, f"at{number}"]}
        controller = settings.get(f"controller{number}")
        if controller in ("A", "B"):
            field["controller"] = controller
        elif len(units) == 1:
            field["controller"] = next(iter(units))
        facedown = {who: down[who, f"down{number}"] for who in "AB" if (who, f"down{number}") in down}
        if facedown:
            field["facedown"] = facedown
            field.setdefault("controller", next(iter(facedown)))
        if units:
            field["units"] = units
        if len(units) == 2:
            holder = field.setdefault("controller", "B")
            field["contested"] = "A" if holder == "B" else "B"
        fields.append(field)
    given["battlefields"] = fields
    for who in "AB":
        player: dict[str, Any] = {key: at[who, key] for key in ("base", "hand", "trash") if at[who, key]}
        for key in ("runes", "deck", "points"):
            if settings.get(f"{who}_{key}"):
                player[key] = int(settings[f"{who}_{key}"])
        given[who] = player
    return given
