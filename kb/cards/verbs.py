"""Every verb of the card language and the arguments it takes: instructions, event patterns, costs.

Data only: :mod:`kb.cards.loading` checks cards against these tables, ``docs/card-language.md`` explains them, and
the engine must implement each (a test says so).
"""

from __future__ import annotations

from typing import Final

COMMON: Final = ("who", "if", "may", "as", "then", "else")
"""Arguments that every instruction takes."""

INSTRUCTIONS: Final[dict[str, dict[str, str]]] = {
    # game actions (413-444)
    "draw": {"draw": "amount"},
    "deal": {"deal": "amount", "to": "what", "source": "what", "split": "flag"},
    "fight": {"fight": "whats"},
    "kill": {"kill": "objects", "group": "text"},
    "banish": {"banish": "objects", "group": "text"},
    "return": {"return": "objects", "group": "text"},
    "recall": {"recall": "objects", "group": "text"},
    "move": {"move": "what", "to": "place", "to_or_from": "text"},
    "swap_places": {"swap_places": "whats"},
    "ready": {"ready": "objects", "group": "text"},
    "exhaust": {"exhaust": "objects", "group": "text"},
    "stun": {"stun": "objects", "group": "text"},
    "buff": {"buff": "what"},
    "spend_buff": {"spend_buff": "what"},
    "heal": {"heal": "what"},
    "empower": {"empower": "what"},
    "disempower": {"disempower": "what"},
    "recycle": {"recycle": "what"},
    "discard": {"discard": "amount"},
    "discard_card": {"discard_card": "what"},
    "take": {"take": "what"},
    "put_on_top": {"put_on_top": "what"},
    "counter": {"counter": "what"},
    "channel": {"channel": "amount", "exhausted": "flag"},
    "add": {"add": "resources", "only_for": "text"},
    "gain_points": {"gain_points": "amount"},
    "score_points": {"score_points": "amount"},
    "lose_points": {"lose_points": "amount"},
    "gain_xp": {"gain_xp": "amount"},
    "burn": {"burn": "amount"},
    "predict": {"predict": "amount"},
    "play": {
        "play": "what",
        "ignoring": "text",
        "reduced": "resources",
        "to": "place",
        "leaving": "text",
        "for": "cost",
        "ready": "flag",
    },
    "play_token": {
        "play_token": "text",
        "count": "amount",
        "state": "text",
        "to": "place",
        "keywords": "keywords",
        "copy_of": "what",
    },
    "create_battlefield": {"create_battlefield": "text"},
    "create_token": {
        "create_token": "text",
        "count": "amount",
        "state": "text",
        "to": "place",
        "keywords": "keywords",
    },
    "attach": {"attach": "what", "to": "what"},
    "detach": {"detach": "what"},
    "take_control": {"take_control": "what", "until": "text"},
    "lose_control": {"lose_control": "what"},
    "replace_with": {"replace_with": "text", "what": "what"},
    "swap_back": {"swap_back": "what"},
    "become_copy": {"become_copy": "what", "of": "what"},
    "give": {"give": "mods", "to": "what", "for": "duration"},
    "double_might": {"double_might": "what", "for": "duration"},
    "swap_might": {"swap_might": "whats", "for": "duration"},
    "look": {"look": "amount", "whose": "player"},
    "reveal": {"reveal": "amount", "whose": "player"},
    "reveal_hand": {"reveal_hand": "player"},
    "reveal_until": {"reveal_until": "noun", "whose": "player"},
    "reveal_card": {"reveal_card": "what"},
    "take_turn": {"take_turn": "player"},
    "skip": {"skip": "text", "of": "player"},
    "lose_game": {"lose_game": "player"},
    "win_game": {"win_game": "player"},
    # costs and choices inside a resolution
    "pay": {"pay": "cost"},
    "pay_any": {"pay_any": "text"},
    "choose": {"choose": "noun"},
    "choose_player": {"choose_player": "noun"},
    "name_card": {"name_card": "noun"},
    "name_tag": {"name_tag": "text"},
    "name_domain": {"name_domain": "text"},
    "make_new_choices": {"make_new_choices": "what"},
    "activate": {"activate": "text", "of": "what"},
    "pay_equip": {"pay_equip": "what", "to": "what"},
    # structures
    "one_of": {"one_of": "modes"},
    "either": {"either": "modes"},
    "do_this": {"do_this": "effect", "times": "amount"},
    "for_each": {"for_each": "what", "do": "effect"},
    "each_player": {"each_player": "noun", "do": "effect", "starting": "text"},
    "later": {"later": "ability", "for": "duration"},
    "when_true": {"when_true": "condition"},
}
"""Verb -> its arguments and their types. The first argument carries the verb's own name."""

EVENTS: Final[dict[str, str]] = {
    "plays": "what",  # a card was played (419.4): subject what, by whom
    "played": "what",  # a permanent's play effect (383.4.a): subject me/this
    "attacks": "what",
    "defends": "what",
    "conquers": "what",  # me, you, here
    "holds": "what",
    "scores": "what",
    "dies": "what",
    "moves": "what",
    "chooses": "what",  # becomes a target (383.4.b)
    "takes_damage": "what",
    "deals_damage": "what",
    "kills": "what",
    "stuns": "what",
    "readies": "what",
    "exhausts": "what",
    "buffs": "what",
    "empowers": "what",
    "becomes_mighty": "what",
    "discards": "what",
    "discarded": "what",
    "draws": "what",
    "recycles": "what",
    "burns": "what",
    "reveals": "what",
    "channels": "what",
    "adds": "what",
    "gains_points": "what",
    "gains_xp": "what",
    "attaches": "what",
    "detaches": "what",
    "banishes": "what",
    "returns": "what",
    "recalls": "what",
    "heals": "what",
    "enters": "what",
    "wins_combat": "what",
    "loses_combat": "what",
    "showdown_begins": "what",
    "combat_begins": "what",
    "combat_ends": "what",
    "phase_begins": "text",  # awaken, beginning, channel, draw, main, ending; by: whose
    "turn_ends": "text",
    "hides": "what",
    "counters": "what",
    "plays_token": "what",
}
"""Event verb -> the type of its subject."""

OF_PLAYERS: Final = ("draws", "gains_points", "gains_xp")
"""Events that happen to a player and to no object."""

ALSO_OF_PLAYERS: Final = (
    "attacks", "defends", "conquers", "holds", "scores", "wins_combat", "loses_combat", "moves", "adds", "plays_token",
)  # fmt: skip
"""Events that a player can be the subject of, besides an object or a place; all others are something's."""

REPLACED: Final = (
    "becomes_mighty", "banishes", "buffs", "dies", "discards", "draws", "empowers", "enters", "exhausts",
    "gains_points", "moves", "plays_token", "readies", "recycles", "returns", "reveals", "stuns", "takes_damage",
)  # fmt: skip
"""Events that the engine proposes before they happen, so that something can replace them (370)."""

EVENT_ARGS: Final = {
    "by": "what",
    "with": "noun",
    "at": "place",
    "to": "place",
    "from": "place",
    "nth": "integer",
    "alone": "flag",
    "first_each": "text",
}

COST_PARTS: Final[dict[str, str]] = {
    "exhaust": "what",
    "kill": "what",
    "banish": "what",
    "recycle": "what",
    "return": "what",
    "spend_buff": "what",
    "discard": "amount",
    "discard_card": "what",
    "xp": "amount",
    "burn": "amount",
}

RULES: Final = (
    "bonus damage",
    "lethal",
    "assign first",
    "assign last",
    "no combat damage",
    "extra triggers",
    "buffs give",
    "ignore keyword",
    "facedown capacity",
)
"""Names of the passive rules (``rule:``)."""

FORBIDDEN: Final = (
    "move",
    "play",
    "ready",
    "choose",
    "take damage",
    "hide",
    "score",
    "be prevented",
    "ambush",
)
PERMITTED: Final = ("play", "move", "many buffs", "ambush")
DURATIONS: Final = ("turn", "combat", "permanent", "next turn", "game", "source")
