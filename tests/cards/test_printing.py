"""Cards as English and back as data: every modelled card, every card that a scenario writes out, every word."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from kb.cards import dump_card, render_card
from kb.cards.dumping import ARGUMENTS, dump_text
from kb.cards.english import ACTIVE, BEGUN, DONE
from kb.cards.loading import Reader, inline
from kb.cards.printing import DURATIONS, PHRASES, TEXTS, Voice, ability_text
from kb.cards.syntax import Ability, CardDefinition
from kb.cards.verbs import DURATIONS as ALL_DURATIONS
from kb.cards.verbs import EVENTS, FORBIDDEN, INSTRUCTIONS, OF_PLAYERS, PERMITTED, RULES
from kb.data import data_root
from kb.engine.library import library
from kb.errors import KbError

MODELLED = library().modelled
SENTENCE = re.compile(r".*[.:”]$")


def written_out() -> list[CardDefinition]:
    """Every card that a scenario writes out, also those that use words the language does not have yet."""
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    found = []
    for path in sorted((data_root() / "scenarios").rglob("*.yaml")):
        scenario = yaml.load(path.read_text(encoding="utf-8"), Loader=loader)
        for name, data in (scenario.get("cards") or {}).items():
            found.append(inline(name, data, path.name))
    return found


WRITTEN_OUT = written_out()


def reloaded(card: CardDefinition) -> CardDefinition:
    """The card after it was written as YAML and read again."""
    text = yaml.safe_dump(dump_card(card), sort_keys=False, allow_unicode=True)
    return inline(card.name, yaml.safe_load(text), "again")


@pytest.mark.parametrize("card", MODELLED, ids=lambda c: c.name)
def test_a_card_survives_being_written_and_read(card: CardDefinition) -> None:
    assert reloaded(card) == card


def test_cards_of_scenarios_survive_being_written_and_read() -> None:
    assert len(WRITTEN_OUT) > 50
    assert [c.name for c in WRITTEN_OUT if reloaded(c) != c] == []


def test_a_card_without_text_says_so() -> None:
    card = inline("Rock", {"type": "unit", "might": 2, "blank": True}, "here")
    assert dump_text(card) == {"blank": True}
    assert render_card(card) == ["No text."]


@pytest.mark.parametrize("card", [*MODELLED, *WRITTEN_OUT], ids=lambda c: c.name)
def test_a_card_reads_as_sentences(card: CardDefinition) -> None:
    for line in render_card(card):
        assert SENTENCE.match(line), line
        assert not re.search(r"\$|None|  |\.\.|\bNoun\b|\bRef\b| ,|, \.", line), line
        assert line[0].isupper() or line[0] in "[•+1234567890“", line


@pytest.mark.parametrize(
    ("card", "line"),
    [
        ("Yasuo, Remorseful", "When I attack, deal damage … my Might to an enemy unit here."),
        ("Garbage Grabber", "[1], Recycle 3 cards in your trash, Exhaust: Draw 1."),
        ("Battering Ram", "I cost [1] less … you've played this turn, to a minimum of [1]."),
        ("Sacred Shears", "Effect text: Deathknell: Draw 1."),
        ("Hidden Blade", "Kill a unit at a battlefield. That unit's controller draws 2."),
        ("Hard Bargain", "Choose a spell. That spell's controller may pay [2]. If they don't, counter that spell."),
        ("Noxus Hopeful", "Legion: I cost [2] less."),
        ("Yasuo, Windrider", "The third time each turn that I move, score 1 point."),
        ("Obelisk of Power", "At the start of each player's first Beginning Phase, they channel 1 rune."),
        (
            "Viktor, Leader",
            "When another unit you control without the tag Recruit dies, play a Recruit token to your base.",
        ),
        (
            "Iascylla",
            "When I hold, at the start … Main Phase, you may move an enemy unit to that battlefield.",
        ),
        ("Karthus, Eternal", "Your Deathknell abilities trigger an additional time."),
    ],
)
def test_how_cards_read(card: str, line: str) -> None:
    """``…`` in a line stands for any words."""
    pattern = ".+".join(map(re.escape, line.split("…")))
    lines = render_card(library().need(card))
    assert any(re.fullmatch(pattern, one) for one in lines), lines


def test_a_condition_of_the_effect_stands_behind_and_one_of_the_trigger_in_front() -> None:
    """383.2.a.1: only the latter belongs to the trigger's condition."""
    of_effect = {"when": {"phase_begins": "beginning", "by": "you"}, "do": [{"draw": 1, "if": "your turn"}]}
    of_trigger = {"when": {"phase_begins": "beginning", "by": "you"}, "if": "your turn", "do": [{"draw": 1}]}
    assert text_of(of_effect) == "At the start of your Beginning Phase, draw 1 if it's your turn."
    assert text_of(of_trigger) == "At the start of your Beginning Phase, if it's your turn, draw 1."


def text_of(data: dict[str, Any]) -> str:
    return ability_text(Voice(), Reader("here").ability(data, "ability"))


def test_every_word_can_be_said() -> None:
    assert set(PHRASES) == set(INSTRUCTIONS)
    assert {kind for schema in INSTRUCTIONS.values() for kind in schema.values()} - {"integer"} <= set(ARGUMENTS)
    assert set(ALL_DURATIONS) - {"permanent"} == set(DURATIONS)
    assert set(TEXTS) == set(Ability.__args__)


@pytest.mark.parametrize("verb", sorted(EVENTS))
def test_every_event_can_be_said(verb: str) -> None:
    subject = "beginning" if EVENTS[verb] == "text" else "here" if verb in BEGUN else "a friendly unit"
    subject = "you" if verb in OF_PLAYERS else subject
    text = text_of({"when": {verb: subject}, "do": [{"draw": 1}]})
    assert re.fullmatch(r"(When|At) .*, draw 1\.", text), text
    assert verb in ACTIVE or verb in DONE or verb in BEGUN or EVENTS[verb] == "text", verb


@pytest.mark.parametrize("name", RULES)
def test_every_rule_can_be_said(name: str) -> None:
    data = {"rule": name, "what": "all friendly units", "by": "all your spells", "value": 1, "keyword": "Deathknell"}
    assert SENTENCE.match(text_of(data))


@pytest.mark.parametrize(("key", "names"), [("cant", FORBIDDEN), ("can", PERMITTED)])
def test_every_prohibition_and_permission_can_be_said(key: str, names: tuple[str, ...]) -> None:
    for name in names:
        text = text_of({key: name, "what": "all friendly units", "to": "here"})
        assert re.fullmatch(r"(Damage dealt by f|F)riendly units (can|can't|may) .*\.", text), text


@pytest.mark.usefixtures("store")
def test_kb_card_shows_what_a_card_does() -> None:
    from kb.commands.card import rendered

    assert rendered("Vengeance") == "Kill a unit."
    assert rendered("There Is No Such Card") is None


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the card data for a command to write to."""
    shutil.copytree(data_root() / "rules" / "cards", tmp_path / "rules" / "cards")
    monkeypatch.setenv("KB_DATA", str(tmp_path))
    return tmp_path / "rules" / "cards" / "abilities" / "tried.yaml"


def test_a_new_card_is_asked_for_checked_and_written(copied: Path) -> None:
    from kb.commands.new import command

    answers = ["Tnak", "Assault 2", "{when: {attacks: me}, do: [{drow: 1}]}", "{when: {attacks: me}, do: [{draw: 1}]}"]
    typed = "\n".join([*answers, "", "y", ""])
    done = CliRunner().invoke(command, ["card", "Flame Chompers", "--file", "tried.yaml"], typed, standalone_mode=False)
    assert done.exception is None, done.output
    assert "'Tnak' is not one of" in done.output and "no verb among 'drow'" in done.output
    assert "When I attack, draw 1." in done.output
    assert yaml.safe_load(copied.read_text(encoding="utf-8")) == {
        "Flame Chompers": {
            "keywords": ["Assault 2"],
            "abilities": [{"when": {"attacks": "me"}, "do": [{"draw": 1}]}],
        }
    }


def test_a_new_card_without_questions(copied: Path) -> None:
    from kb.commands.new import command

    line = ["card", "Flame Chompers", "--file", "tried.yaml", "--yes", "--json", "--keyword", "Tank"]
    done = CliRunner().invoke(command, line, standalone_mode=False)
    assert done.exception is None
    assert json.loads(done.output)["text"] == ["Tank."]
    with pytest.raises(KbError, match=r"tried\.yaml already"):
        CliRunner().invoke(command, line, standalone_mode=False, catch_exceptions=False)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (["card", "Flame Chomper", "--yes"], "Flame Chompers"),
        (["card", "Flame Chompers", "--yes", "--ability", "{when: [}"], "not valid YAML"),
        (["card", "Flame Chompers", "--yes", "--ability", "{when: {attacks: me}}"], "the key 'do' is missing"),
        (["card", "Flame Chompers", "--yes", "--file", "../x.yaml"], "not the name of a YAML file"),
        (["card", "--yes"], "the name of the card is missing"),
        (["card", "Flame Chompers", "--json"], "Add --yes"),
    ],
)
def test_what_is_wrong_with_a_new_card_is_said(copied: Path, line: list[str], said: str) -> None:
    from kb.commands.new import command

    with pytest.raises(KbError, match=re.escape(said)):
        CliRunner().invoke(command, line, standalone_mode=False, catch_exceptions=False)
    assert not copied.exists()
