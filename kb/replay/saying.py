"""What a scenario file says, in words for people: steps, positions, what a contrast changes, what is asserted.

The data stays as it is written; only what is shown is put into sentences. What has no phrase of its own is told key by
key, so that nothing is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kb.scenarios.model import Contrast, Scenario

STEPS = 3
"""As many steps of another script are named."""

_NUMBERED = re.compile(r"(?<=\w)#(?=\d)")


def described(contrast: Contrast, scenario: Scenario) -> str:
    """What a contrast changes, as a question."""
    said = [change for path, value in contrast.change.items() for change in _change(path, value, scenario)]
    said += [f"also {step(value)}" for value in contrast.insert.values()]
    return f"What if {'; '.join(said)}?"


# values


def plain(value: object) -> str:
    """A value of YAML as a person would say it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "nothing"
    if isinstance(value, Mapping):
        return ", ".join(f"{str(key).replace('_', ' ')} {plain(one)}" for key, one in value.items()) or "nothing"
    if isinstance(value, (list, tuple)):
        return ", ".join(plain(one) for one in value) or "nothing"
    return re.sub(r"^non-", "not ", _NUMBERED.sub(" ", str(value)))


def listed(values: Sequence[object], one: Callable[[object], str] = plain) -> str:
    """Several things: "Defy, Gust and Block"."""
    said = [one(value) for value in values]
    return f"{', '.join(said[:-1])} and {said[-1]}" if len(said) > 1 else said[0] if said else "nothing"


def several(value: object, one: Callable[[object], str] = plain) -> str:
    """One thing or a list of things."""
    return listed(value, one) if isinstance(value, (list, tuple)) else one(value)


def permanent(value: object) -> str:
    """A card on a board with the state it is in: "Mech (banner), exhausted, with Svellsongur"."""
    if not isinstance(value, Mapping) or "card" not in value:
        return plain(value)
    rest = dict(value)
    said = plain(rest.pop("card"))
    if own := rest.pop("as", None):
        said += f" ({own})"
    marks = [key for key in ("exhausted", "stunned", "empowered") if rest.get(key) is True]
    for key in marks:
        del rest[key]
    if "damage" in rest:
        marks.append(f"{plain(rest.pop('damage'))} damage on it")
    if "buffs" in rest:
        count = rest.pop("buffs")
        marks.append("buffed" if count == 1 else f"with {plain(count)} buffs")
    if "attached" in rest:
        marks.append(f"with {several(rest.pop('attached'), permanent)}")
    if "owner" in rest:
        marks.append(f"owned by {plain(rest.pop('owner'))}")
    marks += [f"{str(key).replace('_', ' ')} {plain(one)}" for key, one in rest.items()]
    return ", ".join((said, *marks))


# steps

VERBS = {
    "plays": "plays",
    "uses": "uses",
    "hides": "hides",
    "moves": "moves",
    "chooses": "chooses",
    "invites": "invites",
}
DETAILS = {
    "targets": "on {}",
    "from": "from {}",
    "to": "to {}",
    "at": "at {}",
    "with": "with {}",
    "mode": "in mode {}",
    "destination": "moving it to {}",
    "costs": "at the cost of {}",
    "pay": "paying by {}",
    "ability": "(ability {})",
    "keyword": "({})",
    "refused": "(refused by {})",
}


def step(value: object) -> str:
    """A step of a script, without its label and what it expects to be asked."""
    if not isinstance(value, Mapping):
        return plain(value)
    rest = {str(key): one for key, one in value.items() if key not in ("label", "asked")}
    head = _head(rest)
    if head is None:
        return plain(rest or value)
    details = [DETAILS[key].format(several(rest.pop(key))) for key in DETAILS if key in rest]
    other = [f"{key.replace('_', ' ')} {plain(one)}" for key, one in rest.items()]
    return " ".join((head, *details)) + "".join(f", {one}" for one in other)


def _head(rest: dict[str, Any]) -> str | None:
    """Who does what; its key is taken out of ``rest``."""
    for key in list(rest):
        who, _, verb = key.partition(" ")
        if verb in VERBS:
            return f"{who} {VERBS[verb]} {several(rest.pop(key))}"
        if verb in ("ends", "concedes"):
            rest.pop(key)
            return f"{who} ends the turn" if verb == "ends" else f"{who} concedes"
    if "pass" in rest:
        who = rest.pop("pass")
        many = isinstance(who, (list, tuple)) and len(who) > 1
        return f"{several(who)} {'pass' if many else 'passes'}"
    if "resolve" in rest:
        return f"{plain(rest.pop('resolve'))} resolves"
    if "close" in rest:
        return f"the {plain(rest.pop('close'))} closes"
    if "until" in rest:
        end = rest.pop("until")
        if isinstance(end, Mapping) and set(end) == {"turn", "phase"}:
            return f"play goes on to {end['turn']}'s {end['phase']} phase"
        return f"play goes on to {plain(end)}"
    if rest.get("time") == "called":
        rest.pop("time")
        return "time is called"
    return None


# contrasts

PILES = {"hand": "hand", "deck": "deck", "trash": "trash", "banished": "banished pile", "rune_deck": "rune deck"}
HAVING = {
    "points": ("point", "points"),
    "runes": ("ready rune", "ready runes"),
    "xp": ("XP", "XP"),
}


def _change(path: str, value: object, scenario: Scenario) -> list[str]:
    parts = [part.strip('"') for part in path.split(".")]
    if parts[0] == "when":
        return _in_script(parts[1:], value, scenario)
    if parts[0] == "given" and (said := _in_position(parts[1:], value, scenario)):
        return said
    if parts[0] == "cards" and (len(parts) > 1 or isinstance(value, Mapping)):
        cards = {parts[1]: value} if len(parts) == 2 else value if len(parts) == 1 else None
        if isinstance(cards, Mapping):
            return [_card(str(name), one) for name, one in cards.items()]
        return [f"{parts[1]}'s {' '.join(parts[2:])} is {plain(value)}"]
    if parts[0] == "then":
        return [f"the {parts[-1].replace('_', ' ')} is {plain(value)}"]
    place = " ".join(parts[1:]).replace("_", " ") or parts[0]
    return [f"no {place} is given" if value is None else f"{place} is {plain(value)}"]


def _card(name: str, value: object) -> str:
    """A card that a scenario defines for itself."""
    if not isinstance(value, Mapping):
        return f"{name} is {plain(value)}"
    rest = dict(value)
    kind = plain(rest.pop("type", "card"))
    return f"{name} is a {kind}" + (f" with {plain(rest)}" if rest else "")


def _in_script(parts: list[str], value: object, scenario: Scenario) -> list[str]:
    if not parts:
        return _other_steps(scenario.when, value) if isinstance(value, list) else [step(value)]
    number = int(parts[0]) if parts[0].isdigit() else -1
    before = scenario.when[number] if 0 <= number < len(scenario.when) else None
    if len(parts) == 1:
        if value is None:
            return [f"{step(before)}: not" if before is None else f"it does not happen that {step(before)}"]
        old, new = step(before), step(value)
        return [f"{new} (in step {number + 1})" if new == old or before is None else f"{new} instead of: {old}"]
    if len(parts) == 2 and isinstance(before, Mapping):
        after = {key: one for key, one in before.items() if key != parts[1]}
        return _in_script(parts[:1], after if value is None else {**before, parts[1]: value}, scenario)
    return [f"{' '.join(parts[1:])} is {several(value)} in step {number + 1}"]


def _in_position(parts: list[str], value: object, scenario: Scenario) -> list[str]:
    """A change of what is given, for the places that have a phrase of their own."""
    match parts:
        case ["turn"]:
            return [f"it is {plain(value)}'s turn"]
        case ["phase"]:
            return [f"the {plain(value)} phase is next"]
        case ["mode"]:
            return [f"the mode is {plain(value)}"]
        case ["battlefields"] if isinstance(value, list):
            return [f"the battlefields are {listed(value, _field)}"]
        case ["battlefields", number]:
            name = _field_name(number, scenario)
            return [f"{name} is not there"] if value is None else [f"there is {_field(value)}"]
        case ["battlefields", number, "units", who]:
            return [f"{who}'s units at {_field_name(number, scenario)} are {several(value, permanent)}"]
        case ["battlefields", number, "units", who, _]:
            return [f"{who} has at {_field_name(number, scenario)}: {permanent(value)}"]
        case ["battlefields", number, "controller"]:
            return [f"{plain(value) if value else 'nobody'} controls {_field_name(number, scenario)}"]
        case ["battlefields", number, "card"]:
            return [f"{_field_name(number, scenario)} is {plain(value)}"]
        case [who] if len(who) == 1 and isinstance(value, Mapping):
            return [said for key, one in value.items() for said in _of_player(who, str(key), one)]
        case [who, key] if len(who) == 1:
            return _of_player(who, key, value)
        case [who, "base", _] if len(who) == 1:
            return [f"{who} has {permanent(value)} in the base" if value is not None else f"{who}'s base holds less"]
    return []


def _of_player(who: str, key: str, value: object) -> list[str]:
    if key in PILES:
        if isinstance(value, int):
            return [f"{who}'s {PILES[key]} holds {value} card{'' if value == 1 else 's'}"]
        return [f"{who}'s {PILES[key]} is {several(value, permanent) if value else 'empty'}"]
    if key in HAVING and (value is None or isinstance(value, int)):
        count = int(value or 0)
        return [f"{who} has {count or 'no'} {HAVING[key][0 if count == 1 else 1]}"]
    if key == "base":
        return [f"{who}'s base holds {several(value, permanent)}"]
    if key == "pool":
        return [f"{who} has {_pool(value)} in the pool"]
    if key in ("legend", "champion"):
        return [f"{who}'s {key} is {permanent(value)}" if value is not None else f"{who} has no {key}"]
    return [
        f"{who} has no {key.replace('_', ' ')}" if value is None else f"{who}: {key.replace('_', ' ')} {plain(value)}"
    ]


def _pool(value: object) -> str:
    if not isinstance(value, Mapping) or not value:
        return plain(value or None)
    said = [f"{value['energy']} Energy"] if "energy" in value else []
    power = value.get("power")
    if isinstance(power, Mapping):
        said += [f"{count} {domain} Power" for domain, count in power.items()]
    return listed(said) if said else plain(value)


def _field(value: object) -> str:
    """A battlefield with who controls it and what is there."""
    if not isinstance(value, Mapping):
        return plain(value)
    rest = dict(value)
    said = plain(rest.pop("card", "a battlefield"))
    if "controller" in rest:
        said += f" of {plain(rest.pop('controller'))}"
    units = rest.pop("units", None)
    if isinstance(units, Mapping) and units:
        said += " with " + " and ".join(f"{who}'s {several(some, permanent)}" for who, some in units.items())
    facedown = rest.pop("facedown", None)
    if isinstance(facedown, Mapping) and facedown:
        said += ", facedown " + " and ".join(f"{who}'s {permanent(one)}" for who, one in facedown.items())
    return said + "".join(f", {str(key).replace('_', ' ')} {plain(one)}" for key, one in rest.items())


def _field_name(number: str, scenario: Scenario) -> str:
    fields = scenario.given.get("battlefields") or ()
    at = int(number) if number.isdigit() else -1
    if isinstance(fields, (list, tuple)) and 0 <= at < len(fields):
        one = fields[at]
        return plain(one.get("as") or one.get("card") if isinstance(one, Mapping) else one)
    return f"Field {at + 1}"


def _other_steps(before: Sequence[object], after: Sequence[object]) -> list[str]:
    """What is done in one list of steps and not in the other."""
    old, new = [step(one) for one in before], [step(one) for one in after]
    more = [one for one in new if one not in old]
    less = [one for one in old if one not in new]
    if not new:
        return ["nothing is done"]
    if not more and not less:
        return ["the same is done in another order"]
    said = [", then ".join(more[:STEPS]) + (" and so on" if len(more) > STEPS else "")] if more else []
    if less:
        instead = "instead of: " if more else "it does not happen that "
        said.append(instead + ", then ".join(less[:STEPS]) + (" and so on" if len(less) > STEPS else ""))
    return [" ".join(said)] if more else said


# assertions


def asserted(values: Mapping[str, object]) -> str:
    """What is looked at, as a sentence without a full stop."""
    return "; ".join(said for key, value in values.items() for said in _asserted(key, value))


def _asserted(key: str, value: object) -> list[str]:
    if key in BY_NAME and isinstance(value, Mapping):
        phrase = BY_NAME[key]
        return [phrase.format(plain(name), several(one)) for name, one in value.items()]
    match key, value:
        case "turn", _:
            return [f"it is {plain(value)}'s turn"]
        case "phase", _:
            return [f"it is the {plain(value)} phase"]
        case (("focus" | "priority"), _):
            return [f"{plain(value)} has {key.capitalize()}"]
        case (("combat" | "showdown"), _):
            return [f"there is no {key}" if value in ("none", None) else f"there is a {key} at {plain(value)}"]
        case "chain", _:
            return [f"on the chain: {several(value)}" if value else "the chain is empty"]
        case (("happened" | "never"), _):
            some = value if isinstance(value, (list, tuple)) else [value]
            return [f"{'it happened' if key == 'happened' else 'it never happened'}: {event(one)}" for one in some]
        case "order", (list() | tuple()):
            return [f"in this order: {', then '.join(event(one) for one in value)}"]
        case "asks", Mapping():
            return [_question(value)]
        case "not", Mapping():
            return [f"it is not so that {asserted(value)}"]
        case "any", (list() | tuple()):
            return [" or ".join(asserted(one) if isinstance(one, Mapping) else plain(one) for one in value)]
        case "over", bool():
            return ["the game is over" if value else "the game goes on"]
        case "winner", _:
            return [f"{several(value)} won"]
    return [f"{key.replace('_', ' ')}: {plain(value)}"]


BY_NAME = {
    "where": "{}: {}",
    "points": "{}'s points: {}",
    "hand": "{}'s hand: {}",
    "deck": "{}'s deck: {}",
    "trash": "{}'s trash: {}",
    "base": "{}'s base: {}",
    "banished": "{}'s banished cards: {}",
    "runes": "{}'s runes: {}",
    "ready_runes": "{}'s ready runes: {}",
    "energy": "{}'s Energy: {}",
    "power": "{}'s Power: {}",
    "xp": "{}'s XP: {}",
    "might": "the Might of {} is {}",
    "damage": "damage on {}: {}",
    "buffs": "buffs on {}: {}",
    "state": "{} is {}",
    "units": "units at {}: {}",
    "facedown": "facedown cards at {}: {}",
    "controller": "{} is controlled by {}",
    "contested": "{} is contested by {}",
    "attached": "{} is attached to {}",
    "keywords": "{} has {}",
    "offered": "{} may {}",
    "not_offered": "{} may not {}",
}
"""Assertions about something or somebody by name."""


def event(value: object) -> str:
    """An event as it is asserted: "A plays Time Warp, twice"."""
    if not isinstance(value, Mapping):
        return plain(value)
    rest = dict(value)
    said = plain(rest.pop("event", "something happens")).replace("_", " ")
    who, thing = rest.pop("who", None), rest.pop("thing", None)
    if who is not None:
        said = f"{plain(who)} {said}" + (f" {plain(thing)}" if thing is not None else "")
    elif thing is not None:
        said = f"{plain(thing)} {said}"
    if "times" in rest:
        count = rest.pop("times")
        said += {1: " once", 2: " twice"}.get(count, f" {plain(count)} times")
    return said + "".join(f", {str(key).replace('_', ' ')} {plain(one)}" for key, one in rest.items())


def _question(value: Mapping[str, object]) -> str:
    rest = dict(value)
    who, kind, options = rest.pop("who", "somebody"), rest.pop("kind", ""), rest.pop("options", None)
    said = f"{plain(who)} is asked" + (f" for {plain(kind).replace('-', ' ')}" if kind else "")
    if options is not None:
        said += f", offered {several(options)}"
    return said + "".join(f", {str(key).replace('_', ' ')} {plain(one)}" for key, one in rest.items())
