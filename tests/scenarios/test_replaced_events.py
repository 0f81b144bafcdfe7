"""Every event that the card language lets a replacement effect replace is replaced by the engine (370.1)."""

from __future__ import annotations

from typing import Any

import pytest

from kb.cards.verbs import REPLACED
from kb.scenarios.model import build
from kb.scenarios.runner import run_scenario

# event -> (what it happens to, the instruction that would make it happen, what the script answers besides)
CASES: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "banishes": ("a unit", {"banish": "a unit"}, {"targets": ["u"]}),
    "becomes_mighty": ("a unit", {"give": {"might": 4}, "to": "a unit", "for": "turn"}, {"targets": ["u"]}),
    "buffs": ("a unit", {"buff": "a unit"}, {"targets": ["u"]}),
    "dies": ("a unit", {"kill": "a unit"}, {"targets": ["u"]}),
    "discards": ("a card", {"discard": 1}, {}),
    "draws": ("you", {"draw": 1}, {}),
    "empowers": ("a unit", {"empower": "a unit"}, {"targets": ["u"]}),
    "exhausts": ("a unit", {"exhaust": "a unit"}, {"targets": ["u"]}),
    "gains_points": ("you", {"gain_points": 1}, {}),
    "moves": ("a unit", {"move": "a unit"}, {"targets": ["u"], "destination": "Field 1"}),
    "readies": ("a unit", {"ready": "a unit"}, {"targets": ["tired"]}),
    "recycles": ("a card", {"recycle": "all cards in your trash"}, {}),
    "returns": ("a unit", {"return": "a unit"}, {"targets": ["u"]}),
    "reveals": ("a card", {"reveal": 1, "as": "$r"}, {}),
    "stuns": ("a unit", {"stun": "a unit"}, {"targets": ["u"]}),
    "takes_damage": ("a unit", {"deal": 1, "to": "a unit"}, {"targets": ["u"]}),
}
ELSEWHERE = {"enters", "plays_token"}
"""What else happens there than something instead of the whole event; scenarios 369, 372 and 375 hold them."""


@pytest.mark.parametrize("verb", CASES)
def test_it_is_replaced(verb: str) -> None:
    subject, instruction, answers = CASES[verb]
    unit = {"type": "unit", "energy": 1, "might": 2, "blank": True}
    document = {
        "title": f"{verb} is replaced",
        "rule": "core-1.4:370.1",
        "edition": "core-1.4",
        "cards": {
            "Shift": {
                "type": "gear",
                "energy": 1,
                "abilities": [{"would": {verb: subject}, "instead": [{"gain_xp": 1}]}],
            },
            "Do": {"type": "spell", "energy": 0, "effect": [instruction]},
            "Soldier": unit,
        },
        "given": {
            "turn": "A",
            "A": {
                "hand": ["Do", "Gust"],
                "base": ["Shift", {"card": "Soldier", "as": "u"}, {"card": "Soldier", "as": "tired", "exhausted": True}],
                "trash": ["Defy"],
                "deck": 3,
            },
        },
        "when": [{"A plays": "Do", **answers}, {"resolve": "Do"}],
        "then": [{"says": "", "claim": "c1", "assert": {"xp": {"A": 1}, "never": {"event": verb}}, "decides": []}],
    }
    result = run_scenario(build(document, "replaced", "replaced.yaml"))
    assert not result.problems, result.problems
    assert result.verdict == "confirmed"


def test_every_event_that_can_be_replaced_is_tried() -> None:
    assert set(CASES) | ELSEWHERE == set(REPLACED)
