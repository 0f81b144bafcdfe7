"""What is wrong with a card is said with its file, the card and the place in it; every word has an interpreter."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kb.cards.loading import define, inline, read_text, read_yaml
from kb.cards.parsing import PhraseError, parse_amount, parse_condition, parse_noun, parse_place, parse_what
from kb.cards.verbs import INSTRUCTIONS
from kb.engine.instructions import HANDLERS
from kb.engine.library import library, load
from kb.errors import DataError


@pytest.mark.parametrize(
    ("data", "path", "what"),
    [
        ({"kewords": ["Tank"]}, "card", "unknown key 'kewords'"),
        ({"keywords": ["Tnak"]}, "keywords[0]", "'Tnak' is not one of"),
        ({"keywords": [{"Repeat": {"enrgy": 1}}]}, "keywords[0].Repeat", "unknown key 'enrgy'"),
        ({"effect": [{"draw": 1}, {"drow": 1}]}, "effect[1]", "no verb among 'drow'"),
        ({"effect": [{"kill": "a friendly dragonfly"}]}, "effect[0].kill", "'dragonfly' is no kind of thing"),
        ({"effect": [{"deal": 3, "two": "a unit"}]}, "effect[0].deal", "unknown key 'two'"),
        ({"effect": [{"draw": True}]}, "effect[0].draw", "a phrase (text) is expected, not bool"),
        ({"effect": [{"choose": "a unit", "as": "unit"}]}, "effect[0].as", "must begin with $"),
        ({"effect": [{"draw": 1, "may": "yes"}]}, "effect[0].may", "true or false is expected"),
        (
            {"effect": [{"pay": {"energy": 1}, "then": [{"kill": "me me"}]}]},
            "effect[0].then[0].kill",
            "unexpected words",
        ),
        ({"effect": [{"one_of": [[{"draw": 1}], [{"nap": 1}]]}]}, "effect[0].one_of[1][0]", "no verb among 'nap'"),
        ({"effect": [{"give": {"mihgt": 1}, "to": "a unit"}]}, "effect[0].give", "unknown key 'mihgt'"),
        ({"abilities": [{"wenn": {"attacks": "me"}}]}, "abilities[0]", "no kind of ability"),
        ({"abilities": [{"when": {"atacks": "me"}, "do": []}]}, "abilities[0].when", "exactly one event verb"),
        ({"abilities": [{"when": {"draws": "a card"}, "do": []}]}, "abilities[0].when.draws", "a player does this"),
        (
            {"abilities": [{"would": {"attacks": "me"}, "instead": []}]},
            "abilities[0].would",
            "nothing that can be replaced",
        ),
        ({"abilities": [{"when": {"discards": "you"}, "do": []}]}, "abilities[0].when.discards", "no player is what"),
        ({"abilities": [{"when": {"attacks": "me"}}]}, "abilities[0]", "the key 'do' is missing"),
        ({"abilities": [{"cant": "sing", "what": "me"}]}, "abilities[0].cant", "'sing' is not one of"),
        ({"abilities": [{"rule": "gravity"}]}, "abilities[0].rule", "'gravity' is not one of"),
        ({"abilities": [{"reduce": {"power": ["Z"]}}]}, "abilities[0].reduce.power", "'Z' is no Power symbol"),
        ({"abilities": [{"give": {"might": 1}, "while": "me is"}]}, "abilities[0].while", "a description is expected"),
        ({"effect_text": {"effect": []}}, "effect_text", "unknown key 'effect'"),
    ],
)
def test_errors_name_file_card_and_path(data: dict[str, Any], path: str, what: str) -> None:
    with pytest.raises(DataError) as caught:
        read_text("Any Card", data, "rules/cards/abilities/any.yaml")
    assert caught.value.where == f"rules/cards/abilities/any.yaml: Any Card @ {path}"
    assert what in caught.value.what


def test_a_folder_names_the_file_that_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "abilities").mkdir()
    (tmp_path / "SET.yaml").write_text("Rock: {type: Unit}\n", encoding="utf-8")
    path = tmp_path / "abilities" / "some.yaml"
    for text, said in (
        ("Rock: {effect: [{nap: 1}]}\n", "some.yaml: Rock @ effect[0]"),
        ("Pebble: {blank: true}\n", "abilities of 'Pebble', which has no facts"),
        ("- Rock\n", "a mapping from card names is expected"),
        ("Rock: [\n", "not valid YAML"),
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(DataError) as caught:
            load(tmp_path)
        assert said in str(caught.value)
    path.write_text("Rock: {blank: true}\n", encoding="utf-8")
    (tmp_path / "abilities" / "twice.yaml").write_text("Rock: {blank: true}\n", encoding="utf-8")
    with pytest.raises(DataError, match="twice"):
        load(tmp_path)


def test_a_card_written_out_needs_a_type() -> None:
    with pytest.raises(DataError, match="has no type"):
        inline("Rock", {"blank": True}, "here")


@pytest.mark.parametrize(
    ("facts", "path"),
    [
        ({"type": "unti"}, "type"),
        ({"type": "unit", "might": "five"}, "might"),
        ({"type": "unit", "energy": True}, "energy"),
        ({"type": "unit", "domains": ["furry"]}, "domains"),
        ({"type": "unit", "tags": "Poro"}, "tags"),
    ],
)
def test_a_card_written_out_has_facts_that_exist(facts: dict[str, Any], path: str) -> None:
    with pytest.raises(DataError, match=f"Mine @ {path}: "):
        inline("Mine", facts, "mine.yaml")


def test_what_is_unsupported_blocks_a_card() -> None:
    card = define("Rock", {"type": "Unit"}, {"unsupported": "rolling"}, "here")
    assert (card.modelled, card.unsupported) == (False, "rolling")
    assert not define("Rock", {"type": "Unit"}, None, "here").modelled


def test_every_verb_has_a_handler_and_every_handler_a_verb() -> None:
    assert set(INSTRUCTIONS) == set(HANDLERS)


def test_every_file_of_abilities_is_read() -> None:
    from kb.data import rules_dir

    names = [n for path in (rules_dir() / "cards" / "abilities").glob("*.yaml") for n, _ in read_yaml(path)]
    assert len(names) == len(set(names)) >= 208
    assert [n for n in names if library().get(n) is None] == []
    assert [n for n in names if library().need(n).unsupported] == []


@pytest.mark.parametrize(
    ("parse", "text"),
    [
        (parse_noun, "up to 2 other friendly units here with might <= 3"),
        (parse_noun, "another exhausted enemy unit or gear at a battlefield"),
        (parse_noun, 'a battlefield with name "Baron Pit"'),
        (parse_noun, "any number of gear at a battlefield with total energy <= 4 at the same battlefield"),
        (parse_noun, "an equipment with the same controller as $unit"),
        (parse_noun, "all your units elsewhere than me without tag Recruit"),
        (parse_what, "controller of location of $unit"),
        (parse_place, "a battlefield holding an enemy unit"),
        (parse_place, "a battlefield elsewhere than me"),
        (parse_place, "base of owner of $unit"),
        (parse_amount, "might of $killed + 1"),
        (parse_amount, "highest might among your units"),
        (parse_condition, "not there is a battlefield and me is not at a battlefield"),
        (parse_condition, "number of cards in your hand <= 1 or paid Accelerate"),
    ],
)
def test_phrases_print_as_words_that_read_the_same(parse: Any, text: str) -> None:
    read = parse(text)
    assert parse(str(read)) == read


@pytest.mark.parametrize(
    ("parse", "text", "said"),
    [
        (parse_noun, "a unit at", "ends too early"),
        (parse_noun, "a unit with cleverness <= 3", "'cleverness' is no attribute"),
        (parse_noun, "a unit with might about 3", "'about' is no comparison"),
        (parse_condition, "your turn and legion or paid", "'and' and 'or' cannot be mixed"),
        (parse_amount, "plenty", "an amount is expected"),
        (parse_place, "a unit with might of", "no comparison"),
    ],
)
def test_phrase_errors_say_what_was_expected(parse: Any, text: str, said: str) -> None:
    with pytest.raises(PhraseError, match=said):
        parse(text)


def test_a_card_that_stands_twice_in_a_file_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "cards.yaml"
    path.write_text("Defy: {blank: true}\nGust: {blank: true}\nDefy: {blank: true}\n", encoding="utf-8")
    with pytest.raises(DataError, match="Defy") as caught:
        list(read_yaml(path))
    assert caught.value.line == 3
