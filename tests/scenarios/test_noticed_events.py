"""Every event of the card language is seen by a trigger when it happens (383.1); none is silently never met."""

from __future__ import annotations

from typing import Any

import pytest

from kb.cards.verbs import EVENTS
from kb.scenarios.model import build
from kb.scenarios.runner import run_scenario

Steps = list[dict[str, Any]]
TAKE: Steps = [{"A moves": ["u"], "to": "Field 2"}, {"close": "showdown"}]
ATTACK: Steps = [{"A moves": ["u"], "to": "Field 1"}]
FIGHT: Steps = [{"A moves": ["big"], "to": "Field 1"}, {"close": "showdown"}]
END: Steps = [{"A ends": "turn"}]
BEGIN: Steps = []


def cast(*effect: dict[str, Any], **answers: Any) -> tuple[list[dict[str, Any]], Steps]:
    """A spell with this effect, and the steps that play it."""
    return list(effect), [{"A plays": "Do", **answers}, {"resolve": "Do"}]


def steps(said: Steps) -> tuple[list[dict[str, Any]], Steps]:
    """Steps without the spell."""
    return [{"draw": 1}], said


U = {"targets": ["u"]}
CASES: list[tuple[dict[str, Any], tuple[list[dict[str, Any]], Steps]]] = [
    ({"plays": "a spell", "by": "you"}, cast({"gain_points": 1})),
    ({"plays": "a unit", "by": "you"}, cast({"play_token": "Recruit", "to": "your base"})),
    ({"attacks": "a unit"}, steps(ATTACK)),
    ({"attacks": "you"}, steps(ATTACK)),
    ({"defends": "an enemy unit"}, steps(ATTACK)),
    ({"conquers": "a unit"}, steps(TAKE)),
    ({"holds": "you"}, steps(BEGIN)),
    ({"scores": "you"}, steps(TAKE)),
    ({"scores": "a friendly unit"}, steps(TAKE)),
    ({"dies": "a unit"}, cast({"kill": "a unit"}, **U)),
    ({"kills": "a unit", "by": "you"}, cast({"kill": "a unit"}, **U)),
    ({"moves": "a unit"}, cast({"move": "a unit"}, **U, destination="Field 2")),
    ({"chooses": "a unit", "with": "a spell"}, ([{"buff": "a unit"}], [{"A plays": "Do", **U}])),
    ({"takes_damage": "a unit"}, cast({"deal": 1, "to": "a unit"}, **U)),
    (
        {"deals_damage": "a friendly unit"},
        cast(
            {"choose": "a friendly unit", "as": "$a"},
            {"choose": "an enemy unit", "as": "$b"},
            {"fight": ["$a", "$b"]},
            targets=["u", "e"],
        ),
    ),
    ({"stuns": "a unit"}, cast({"stun": "a unit"}, **U)),
    ({"readies": "a unit"}, cast({"ready": "a unit"}, targets=["tired"])),
    ({"exhausts": "a unit"}, cast({"exhaust": "a unit"}, **U)),
    ({"buffs": "a unit"}, cast({"buff": "a unit"}, **U)),
    ({"empowers": "a unit"}, cast({"empower": "a unit"}, **U)),
    ({"becomes_mighty": "a unit"}, cast({"give": {"might": 4}, "to": "a unit", "for": "turn"}, **U)),
    ({"discards": "a card", "by": "you"}, cast({"discard": 1})),
    ({"draws": "you"}, cast({"draw": 1})),
    ({"recycles": "a card"}, cast({"recycle": "all cards in your trash"})),
    ({"burns": "a card"}, cast({"burn": 1})),
    ({"reveals": "a card"}, cast({"reveal": 1, "as": "$r"})),
    ({"channels": "a rune"}, cast({"channel": 1})),
    ({"adds": "you"}, cast({"add": {"energy": 1}})),
    ({"gains_points": "you"}, cast({"gain_points": 1})),
    ({"gains_xp": "you"}, cast({"gain_xp": 1})),
    (
        {"attaches": "a gear"},
        cast({"attach": "a gear with tag Equipment", "to": "a friendly unit"}, targets=["sword", "u"]),
    ),
    ({"detaches": "a gear"}, cast({"detach": "an attached gear"}, targets=["on"])),
    ({"banishes": "a unit"}, cast({"banish": "a unit"}, **U)),
    ({"returns": "a unit"}, cast({"return": "a unit"}, **U)),
    ({"recalls": "a unit"}, cast({"recall": "a unit"}, targets=["far"])),
    ({"heals": "a unit"}, cast({"heal": "a unit"}, targets=["hurt"])),
    ({"enters": "a unit"}, cast({"create_token": "Recruit", "to": "your base"})),
    ({"plays_token": "a token unit", "by": "you"}, cast({"play_token": "Recruit", "to": "your base"})),
    ({"wins_combat": "a friendly unit"}, steps(FIGHT)),
    ({"wins_combat": "you"}, steps(FIGHT)),
    ({"loses_combat": "an opponent"}, steps(FIGHT)),
    ({"combat_ends": "a battlefield"}, steps(FIGHT)),
    ({"combat_begins": "a battlefield"}, steps(ATTACK)),
    ({"showdown_begins": "a battlefield"}, steps(TAKE[:1])),
    ({"hides": "a card", "by": "you"}, steps([{"A hides": "Trap", "at": "Field 3"}])),
    (
        {"counters": "a spell", "by": "you"},
        ([{"counter": "a spell"}], [{"A plays": "Sp"}, {"A plays": "Do", "targets": ["Sp"]}, {"resolve": "Do"}]),
    ),
    ({"turn_ends": "turn", "by": "you"}, steps(END)),
    ({"phase_begins": "ending", "by": "you"}, steps(END)),
]
OF_ITSELF = {"played", "discarded"}
"""Only the card itself sees them; the scenarios on play effects and discarding hold them."""


@pytest.mark.parametrize(("when", "done"), CASES, ids=lambda value: str(next(iter(value))) if value else "")
def test_a_trigger_sees_it(when: dict[str, Any], done: tuple[list[dict[str, Any]], Steps]) -> None:
    effect, script = done
    cards = {
        "Observer": {"type": "gear", "energy": 0, "abilities": [{"when": when, "do": [{"lose_points": 1}]}]},
        "Do": {"type": "spell", "energy": 0, "keywords": ["Reaction"], "effect": effect},
        "Sp": {"type": "spell", "energy": 0, "effect": [{"predict": 1}]},
        "Trap": {"type": "spell", "energy": 0, "keywords": ["Hidden"], "effect": [{"draw": 1}]},
        "S": {"type": "unit", "energy": 0, "might": 2, "blank": True},
        "Big": {"type": "unit", "energy": 1, "might": 4, "blank": True},
        "Sword": {
            "type": "gear",
            "energy": 1,
            "tags": ["Equipment"],
            "might_bonus": 0,
            "keywords": [{"Equip": {"energy": 1}}],
        },
    }
    base = [
        "Observer",
        {"card": "S", "as": "u"},
        {"card": "S", "as": "tired", "exhausted": True},
        {"card": "Big", "as": "big"},
        {"card": "Big", "as": "hurt", "damage": 1, "attached": [{"card": "Sword", "as": "on"}]},
        {"card": "Sword", "as": "sword"},
    ]
    hand = ["Trap"] if "hides" in when else ["Do", "Sp" if "counters" in when else "Gust"]
    document = {
        "title": f"{when} is seen",
        "rule": "core-1.4:383.1",
        "edition": "core-1.4",
        "cards": cards,
        "given": {
            "turn": "A",
            "mode": "ffa3",
            "phase": "beginning" if not script else "main",
            "battlefields": [
                {"card": "Field 1", "controller": "B", "units": {"B": [{"card": "S", "as": "d"}]}},
                "Field 2",
                {"card": "Field 3", "controller": "A", "units": {"A": [{"card": "S", "as": "far"}]}},
            ],
            "A": {
                "hand": hand,
                "base": base,
                "trash": ["Defy"],
                "deck": 3,
                "rune_deck": 3,
                "pool": {"power": {"any": 1}},
            },
            "B": {"base": [{"card": "S", "as": "e"}], "deck": 3, "rune_deck": 3},
            "C": {"deck": 3, "rune_deck": 3},
        },
        "when": script,
        "then": [
            {
                "claim": "c1",
                "says": "",
                "assert": {"noted": {"rule": "383.3", "words": "ability of Observer triggers"}},
                "decides": [],
            }
        ],
    }
    result = run_scenario(build(document, "seen", "seen.yaml"))
    assert not result.problems, result.problems
    assert result.verdict == "confirmed"


def test_every_event_is_tried() -> None:
    assert {next(iter(when)) for when, _ in CASES} | OF_ITSELF == set(EVENTS)
