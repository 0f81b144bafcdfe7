"""What random games cover: decks deal every card equally often, and what happens is told by parts of cards' texts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner

from kb.commands.fuzz import command, joined
from kb.engine.fuzzing import kinds_of, play_game, random_decks
from kb.engine.happened import parts_of
from kb.engine.library import library
from kb.engine.run import Run
from kb.verify.abilities import labels, modelled_parts, never_happened, silent_chapters

Position = Callable[..., Run]


def answer(run: Run, *keys: str) -> None:
    """Choose options by their keys, one after another."""
    for key in keys:
        run.answer([next(i for i, o in enumerate(run.outcome.options) if o.key == key)])  # type: ignore[union-attr]


def test_decks_of_consecutive_games_deal_every_card_equally_often() -> None:
    kinds = kinds_of(library())
    dealt = {word: Counter[str]() for word in kinds}
    for seed in range(60):
        for deck in random_decks(library(), "duel", seed).values():
            dealt["main"].update(deck.main)
            dealt["legends"].update([deck.legend])
            dealt["battlefields"].update(deck.battlefields)
    for word in ("main", "legends", "battlefields"):
        assert set(dealt[word]) == set(kinds[word])
        assert max(dealt[word].values()) - min(dealt[word].values()) <= 8, word


def test_half_of_a_deck_is_made_of_the_cards_in_focus() -> None:
    for deck in random_decks(library(), "duel", 3, ["Cleave", "Void Gate"]).values():
        assert deck.main.count("Cleave") >= 19
        assert "Void Gate" in deck.battlefields


@pytest.mark.parametrize("seed", range(12))
def test_decks_of_teammates_share_no_legend_and_no_battlefield(seed: int) -> None:
    decks = random_decks(library(), "2v2", seed)
    for one, other in (("A", "C"), ("B", "D")):
        assert decks[one].legend != decks[other].legend
        assert not set(decks[one].battlefields) & set(decks[other].battlefields)


def test_parts_are_keywords_effects_and_abilities_also_those_inside_others() -> None:
    shown = {name: [p.label for p in parts_of(library().need(name))] for name in ("Cleave", "Icathian Rain", "Recruit")}
    assert shown["Cleave"] == ["keyword Action", "effect"]
    assert shown["Recruit"] == []
    assert [p.label for p in parts_of(library().need("Brutalizer"))] == ["keyword Equip", "effect text ability 1"]
    keys = [part.key for part in modelled_parts()]
    assert len(set(keys)) == len(keys)


def test_a_spell_and_a_keyword_count_once_they_did_something(position: Position) -> None:
    given: dict[str, Any] = {
        "turn": "A",
        "battlefields": [{"card": "Field 1", "controller": "B", "units": {"B": ["Recruit"]}}, "Field 2"],
        "A": {"base": ["Chemtech Enforcer"], "hand": ["Cleave"], "pool": {"energy": 1}},
    }
    run = position(given)
    assert not labels(run.game.happened)
    answer(run, "play Cleave", "Chemtech Enforcer", "auto")
    assert "Cleave: effect" not in labels(run.game.happened)
    answer(run, "pass", "pass")
    assert "Cleave: effect" in labels(run.game.happened)
    assert "Chemtech Enforcer: keyword Assault" not in labels(run.game.happened)
    answer(run, "move to Field 1", "Chemtech Enforcer")
    assert "Chemtech Enforcer: keyword Assault" in labels(run.game.happened)


def test_a_random_game_tells_what_happened_and_joined_with_scenarios_what_never_did() -> None:
    _, report = play_game("duel", 7)
    seen = labels(report.happened)
    assert len(seen) > 20
    first = never_happened(seen)
    assert {str(part) for part in first}.isdisjoint(seen)
    found = joined(seen, frozenset(report.rules), (frozenset([str(first[0])]), frozenset(["818.1"])))
    assert found["parts"] == len(modelled_parts()) == len(seen) + 1 + len(found["parts_never"])
    assert str(first[0]) not in found["parts_never"]


def test_a_chapter_is_silent_until_one_of_its_rules_is_cited() -> None:
    every = silent_chapters([])
    assert (len(every["game actions"]), len(every["keywords"])) == (32, 25)
    some = silent_chapters(["413.1", "805.2.b"])
    assert not any(name.startswith("413") for name in some["game actions"])
    assert not any(name.startswith("805") for name in some["keywords"])


def test_the_command_says_what_a_short_run_came_to() -> None:
    shown = CliRunner().invoke(command, ["--games", "1", "--mode", "duel", "--card", "Cleave", "--json"])
    assert shown.exit_code == 0, shown.output
    data = json.loads(shown.output)
    assert data["modes"]["duel"]["games"] == 1
    assert data["modes"]["duel"]["faults"] == []
    assert "Cleave" not in data["cards_never_played"]
