"""The shapes of values in a scenario: what must be a number, a word, a list or a mapping, said with its path.

Read before anything runs, so that a wrong value is one sentence with a place. Unknown keys under ``given``, in steps
and in ``assert`` are told by those who read them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kb.errors import DataError

Shape = Callable[[Any, str], None]
PLAYERS = ("A", "B", "C", "D")
MANY = 1000
"""More cards, runes or points than any game has."""


class Wrong(Exception):
    """A value of the wrong shape: its path and what is wrong."""

    def __init__(self, path: str, what: str) -> None:
        super().__init__(f"{path} {what}")


def shown(value: Any) -> str:
    """A value as an error shows it."""
    if isinstance(value, bool):
        words = "yes, on or true" if value else "no, off or false"
        return f"{value} (which {words} without quotes is in YAML)"
    return "nothing" if value is None else f"{value!r:.60}"


def number(value: Any, path: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise Wrong(path, f"must be a whole number, not {shown(value)}")
    if not 0 <= value <= MANY:
        raise Wrong(path, f"must be a number from 0 to {MANY}, not {value}")


def whole(value: Any, path: str) -> None:
    """Any whole number."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise Wrong(path, f"must be a whole number, not {shown(value)}")


def flag(value: Any, path: str) -> None:
    if not isinstance(value, bool):
        raise Wrong(path, f"must be true or false, not {shown(value)}")


def word(value: Any, path: str) -> None:
    """One scalar, as scripts write names, rules and answers."""
    if not isinstance(value, str | int | float):
        raise Wrong(path, f"must be one word or name, not {shown(value)}")


def name(value: Any, path: str) -> None:
    if not isinstance(value, str) or not value:
        raise Wrong(path, f"must be a name, not {shown(value)}")


def player(value: Any, path: str) -> None:
    if value not in PLAYERS:
        raise Wrong(path, f"must be one of the players {', '.join(PLAYERS)}, not {shown(value)}")


def anything(value: Any, path: str) -> None:
    """A value that others read."""


def optional(shape: Shape) -> Shape:
    """The shape, or nothing."""

    def check(value: Any, path: str) -> None:
        if value is not None:
            shape(value, path)

    return check


def listed(shape: Shape) -> Shape:
    def check(value: Any, path: str) -> None:
        if not isinstance(value, list):
            raise Wrong(path, f"must be a list, not {shown(value)}")
        for index, one in enumerate(value):
            shape(one, f"{path}[{index}]")

    return check


def keyed(keys: Shape, shape: Shape) -> Shape:
    """A mapping whose keys and values all have one shape."""

    def check(value: Any, path: str) -> None:
        if not isinstance(value, dict):
            raise Wrong(path, f"must be a mapping, not {shown(value)}")
        for key, one in value.items():
            keys(key, f"a key of {path}")
            shape(one, f"{path}.{key}")

    return check


def record(shapes: Mapping[str, Shape], *needed: str, strict: bool = True) -> Shape:
    """A mapping with known keys."""

    def check(value: Any, path: str) -> None:
        if not isinstance(value, dict):
            raise Wrong(path, f"must be a mapping, not {shown(value)}")
        for key, one in value.items():
            if not isinstance(key, str):
                raise Wrong(path, f"has the key {key!r}, which is no word")
            if key in shapes:
                shapes[key](one, f"{path}.{key}")
            elif strict:
                raise Wrong(path, f"has the unknown key {key!r} (allowed: {', '.join(shapes)})")
        for key in needed:
            if key not in value:
                raise Wrong(path, f"lacks the key {key!r}")

    return check


def one_or_list(shape: Shape) -> Shape:
    several = listed(shape)

    def check(value: Any, path: str) -> None:
        (several if isinstance(value, list) else shape)(value, path)

    return check


def number_or(shape: Shape) -> Shape:
    def check(value: Any, path: str) -> None:
        (number if isinstance(value, int) else shape)(value, path)

    return check


def name_or(shape: Shape) -> Shape:
    def check(value: Any, path: str) -> None:
        (shape if isinstance(value, dict) else name)(value, path)

    return check


def nested(value: Any, path: str) -> None:
    """Names, or lists of names (targets)."""
    one_or_list(nested if isinstance(value, list) else word)(value, path)


# given

CARD = name_or(record({"card": name, "as": name}, "card"))
STATUS: dict[str, Shape] = {
    "card": name, "as": name, "damage": number, "exhausted": flag, "stunned": flag, "buffs": number, "empowered": flag,
    "owner": player, "controller": player, "hidden_turn": number, "copy_of": name, "moved": number,
}  # fmt: skip
ATTACHED = name_or(record(STATUS, "card"))
OBJECT = name_or(record({**STATUS, "attached": optional(listed(ATTACHED))}, "card", strict=False))
LEGEND = name_or(record(STATUS, "card"))
HIDDEN = name_or(record({"card": name, "as": name, "owner": player, "hidden_turn": number}, "card"))
RUNES = number_or(keyed(name, number_or(record({"ready": number, "exhausted": number}))))
PILE = optional(number_or(listed(CARD)))
PLAYER = record(
    {
        "points": number, "xp": number, "hand": PILE, "deck": PILE, "trash": PILE, "banished": PILE, "rune_deck": PILE,
        "base": optional(listed(OBJECT)), "runes": optional(RUNES), "legend": LEGEND, "champion": CARD,
        "played": number, "turns": number,
        "pool": optional(record({"energy": number, "power": optional(keyed(name, number))})),
    },
    strict=False,
)  # fmt: skip
FIELD = name_or(
    record(
        {
            "card": name, "as": name, "controller": optional(player), "owner": player, "contested": optional(player),
            "units": optional(keyed(player, optional(listed(OBJECT)))), "scored": optional(listed(player)),
            "facedown": optional(keyed(player, one_or_list(HIDDEN))),
        },
        "card",
        strict=False,
    )
)  # fmt: skip
GIVEN = record(
    {
        "mode": word, "turn": word, "phase": word, "number": number, "victory_score": number, "setup": flag,
        "loser": word, "used": optional(keyed(player, listed(name))),
        "unwon": optional(keyed(player, listed(name))), "seed": whole, "best_of": number,
        "elimination": flag, "wins": optional(keyed(player, number)), "battlefields": optional(listed(FIELD)),
        **dict.fromkeys(PLAYERS, optional(PLAYER)),
    },
    strict=False,
)  # fmt: skip

# when

ASKED = record({"who": word, "kind": word, "options": listed(word), "rule": word, "least": number, "most": number})
CARRIED: dict[str, Shape] = {
    "asked": ASKED, "refused": word, "legal": one_or_list(word), "label": word, "note": anything, "from": word,
    "to": word, "at": word, "with": one_or_list(word), "targets": nested, "mode": word, "modes": one_or_list(word),
    "destination": one_or_list(word),
    "costs": nested, "pay": nested, "amount": word, "ability": number, "keyword": word,
}  # fmt: skip
ACTIONS: dict[str, Shape] = {
    "plays": word, "uses": word, "moves": one_or_list(word), "hides": word, "chooses": one_or_list(word),
    "ends": word, "concedes": word, "invites": word, "pass": one_or_list(word), "resolve": word, "close": word,
    "time": word,
    "until": record({"turn": word, "phase": word}, "turn"),
}  # fmt: skip


def step(value: Any, path: str) -> None:
    """One step: its action by the last word of the key, and what it carries."""
    record({}, strict=False)(value, path)
    for key, one in value.items():
        shape = CARRIED.get(key) or ACTIONS.get(key.rpartition(" ")[2])
        if shape is not None:
            shape(one, f"{path}.{key}")
    for key in ("targets", "modes", "costs", "pay"):
        if value.get(key) == [] and "refused" not in value:
            raise Wrong(f"{path}.{key}", "is empty; leave it out, or write [[]] to choose none")


# then

NAMES = one_or_list(word)
COUNT = keyed(word, number)
OF_PLAYERS = keyed(player, number)
CARDS = keyed(player, number_or(listed(word)))
WORDS = keyed(word, word)
LISTS = keyed(word, NAMES)
EVENT = record(
    {"event": word, "who": word, "thing": word, "times": number, "rule": word, "amount": whole, "at": word, "by": word}
)
NOTED = record({"rule": word, "words": word})
DECK = record(
    {
        "legend": name, "champion": name, "main": optional(keyed(name, number)), "runes": optional(keyed(name, number)),
        "battlefields": optional(listed(name)), "mode": word,
    }
)  # fmt: skip


def moment(value: Any, path: str) -> None:
    """An event, or a noted line."""
    (EVENT if isinstance(value, dict) and "event" in value else NOTED)(value, path)


def asserted(value: Any, path: str) -> None:
    """A mapping of assertions; those without a shape here are told when they are read."""
    record(ASSERTIONS, strict=False)(value, path)


ASSERTIONS: dict[str, Shape] = {
    **dict.fromkeys(("points", "xp", "energy", "ready_runes"), OF_PLAYERS),
    "power": keyed(player, number_or(keyed(word, number))),
    **dict.fromkeys(("hand", "deck", "trash", "banished", "rune_deck", "base", "runes"), CARDS),
    **dict.fromkeys(("facedown", "might", "damage", "buffs"), COUNT),
    "units": keyed(word, number_or(listed(word))),
    **dict.fromkeys(("where", "name", "controller", "contested", "attached", "staged"), WORDS),
    **dict.fromkeys(("state", "keywords"), LISTS),
    **dict.fromkeys(("tags", "types"), keyed(word, listed(word))),
    "cost": keyed(word, record({"energy": number, "power": number})),
    "chain": listed(word),
    **dict.fromkeys(
        ("focus", "priority", "attacker", "defender", "turn", "phase", "showdown", "combat", "winner", "match"), word
    ),
    "over": flag,
    "asks": ASKED,
    **dict.fromkeys(("offered", "not_offered"), keyed(player, NAMES)),
    **dict.fromkeys(("happened", "never"), one_or_list(EVENT)),
    "order": listed(moment),
    "noted": one_or_list(NOTED),
    "not": asserted,
    "any": listed(asserted),
    "deck_legal": record({"deck": DECK, "teammate": DECK, "legal": flag, "rule": word}, "deck"),
    "identifies": record({"words": word, "card": word, "among": optional(listed(word))}, "words", "card"),
    "reads_as": record(
        {
            "card": word, "ability": number, "kind": word, "targets": optional(listed(word)), "cost": flag,
            "keywords": listed(word), "instructions": number, "may": flag, "reflexive": flag, "delayed": flag,
            "effect_text": flag,
        },
        "card",
    ),
}  # fmt: skip


def check_shape(shape: Shape, value: Any, path: str, where: str) -> None:
    """Whether a value of a file has its shape.

    Raises: DataError with the path of what has not.
    """
    try:
        shape(value, path)
    except Wrong as wrong:
        raise DataError(where, str(wrong), "See docs/scenario-format.md") from None
