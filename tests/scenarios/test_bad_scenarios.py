"""A scenario that is wrong is told in one sentence with its place; nothing else comes out, whatever is written.

What is wrong with the *file* raises a DataError; a script that does not fit the questions makes the scenario *failed*.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from kb.cli import run
from kb.errors import DataError, KbError
from kb.load import load_rules
from kb.scenarios.model import build, load_scenario
from kb.scenarios.runner import Result, patched, run_scenario
from kb.verify.suite import run_file

Document = dict[str, Any]
Change = Callable[[Document], None]


def kb(arguments: list[str]) -> int:
    """The exit status of a command line."""
    try:
        return run(arguments)
    except SystemExit as done:
        return int(done.code or 0)


def right() -> Document:
    """A scenario that is right, which the tests spoil."""
    return copy.deepcopy(
        {
            "title": "A unit moves to an empty battlefield and conquers it",
            "edition": "core-1.4",
            "given": {
                "battlefields": [{"card": "Field 1", "controller": "B"}, "Field 2"],
                "A": {"base": [{"card": "Stalwart Poro", "as": "poro"}], "hand": ["Cleave"], "deck": 4, "runes": 4},
                "B": {"deck": 4, "base": ["Recruit"]},
            },
            "when": [
                {"A moves": ["poro"], "to": "Field 1", "label": "moved"},
                {"close": "showdown"},
            ],
            "then": [
                {"claim": "c1", "assert": {"points": {"A": 1}, "controller": {"Field 1": "A"}}},
                {
                    "claim": "c2",
                    "at": "moved",
                    "assert": {"showdown": "Field 1", "asks": {"who": "A", "kind": "action"}},
                },
            ],
            "contrasts": [{"change": {"given.A.base": ["Recruit"], "when": []}, "flips": ["c1"]}],
        }
    )


def result_of(change: Change | None = None) -> Result:
    document = right()
    document.pop("contrasts")
    if change is not None:
        change(document)
    return run_scenario(build(document, "spoilt", "spoilt.yaml", Path("spoilt.yaml")))


def message_of(change: Change) -> str:
    """The sentence that a spoilt scenario raises."""
    with pytest.raises(DataError) as caught:
        result_of(change)
    said = str(caught.value)
    assert "\n" not in said
    assert said.startswith("spoilt.yaml")
    assert said.endswith(".")
    return said


def problem_of(change: Change) -> str:
    """The one problem of a scenario whose script does not fit."""
    result = result_of(change)
    assert result.verdict == "failed"
    (said,) = result.problems
    assert "\n" not in said
    return said


def test_the_scenario_to_be_spoilt_is_right() -> None:
    document = right()
    document["contrasts"][0]["change"] = {"when.1": None}
    result = run_scenario(build(document, "spoilt", "spoilt.yaml", Path("spoilt.yaml")))
    assert (result.verdict, result.problems) == ("confirmed", [])


# keys


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d.update(whan=[]), "scenario has the unknown key 'whan'"),
        (lambda d: d["given"].update(fase="main"), "given has the unknown key 'fase'"),
        (lambda d: d["given"]["A"].update(hands=[]), "given.A has the unknown key 'hands'"),
        (lambda d: d["given"]["battlefields"][0].update(unit={}), "given.battlefields[0] has the unknown key 'unit'"),
        (lambda d: d["given"]["A"]["base"][0].update(tapped=True), "has the unknown key 'tapped'"),
        (
            lambda d: d["given"]["A"].update(hand=[{"card": "Cleave", "damage": 1}]),
            "given.A.hand[0] has the unknown key",
        ),
        (lambda d: d["given"]["A"].update(pool={"mana": 1}), "given.A.pool has the unknown key 'mana'"),
        (lambda d: d["then"][0].update(expect={}), "then[0] has the unknown key 'expect'"),
        (lambda d: d["then"][0]["assert"].update(life={"A": 1}), "there is no assertion 'life'"),
        (lambda d: d["then"][0]["assert"].update(happened={"verb": "draws"}), "happened has the unknown key 'verb'"),
        (lambda d: d["then"][1]["assert"]["asks"].update(what=1), "then[1].assert.asks has the unknown key 'what'"),
        (
            lambda d: d.update(contrasts=[{"changes": {}, "flips": ["c1"]}]),
            "contrasts[0] has the unknown key 'changes'",
        ),
        (lambda d: d.update(cards={"Big Bear": {"type": "unit", "mihgt": 7}}), "unknown key 'mihgt'"),
    ],
)
def test_an_unknown_key_is_named_with_its_place(change: Change, words: str) -> None:
    assert words in message_of(change)


@pytest.mark.parametrize("key", ["title", "given", "then"])
def test_a_missing_key_is_named(key: str) -> None:
    assert f"the key '{key}' is missing" in message_of(lambda d: d.pop(key))


def test_a_key_of_a_step_that_it_does_not_take_is_named_with_the_step() -> None:
    assert problem_of(lambda d: d["when"][0].update(form="hand")).startswith(
        "step 1: the step 'A moves' takes no 'form'"
    )
    assert "exactly one action" in problem_of(lambda d: d["when"].append({"A jumps": "poro"}))


# values


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d["given"]["A"].update(points="many"), "given.A.points must be a whole number, not 'many'"),
        (lambda d: d["given"]["A"].update(points=-1), "given.A.points must be a number from 0"),
        (lambda d: d["given"]["A"].update(deck=10**9), "given.A.deck must be a number from 0"),
        (lambda d: d["given"]["A"].update(runes={"Fury": [1]}), "given.A.runes.Fury must be a mapping"),
        (
            lambda d: d["given"]["A"]["base"][0].update(exhausted="no"),
            "given.A.base[0].exhausted must be true or false",
        ),
        (lambda d: d["given"]["A"]["base"].append({"as": "x"}), "given.A.base[1] lacks the key 'card'"),
        (lambda d: d["given"].update(battlefields={}), "given.battlefields must be a list"),
        (lambda d: d["given"].update(A="Recruit"), "given.A must be a mapping"),
        (lambda d: d["given"]["A"].update(hand="Cleave"), "given.A.hand must be a list"),
        (lambda d: d.update(when={"pass": ["A"]}), "'when' must be a list of steps"),
        (lambda d: d["when"][0].update(targets=[]), "when[0].targets is empty"),
        (lambda d: d["when"].append({1: 2}), "when[2] has the key 1, which is no word"),
        (lambda d: d.update(then=[]), "'then' must be a list with at least one entry"),
        (lambda d: d["then"][0].update({"assert": {}}), "then[0] asserts nothing"),
        (lambda d: d["then"][0]["assert"].update(points=1), "then[0].assert.points must be a mapping"),
        (lambda d: d["then"][0]["assert"].update(over="yes"), "then[0].assert.over must be true or false"),
        (lambda d: d["then"][0]["assert"].update({"not": [1]}), "then[0].assert.not must be a mapping"),
        (lambda d: d["then"][0].update(instead=[1]), "then[0].instead must be a mapping"),
        (lambda d: d.update(contrasts={"change": {}}), "'contrasts' must be a list"),
        (lambda d: d.update(contrasts=[{"change": {}}]), "contrasts[0] flips nothing"),
        (lambda d: d.update(contrasts=[{"insert": {"when": {}}, "flips": ["c1"]}]), "contrasts[0].insert has no path"),
    ],
)
def test_a_value_of_the_wrong_kind_is_named_with_its_path(change: Change, words: str) -> None:
    assert words in message_of(change)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d["given"].update(mode="solitaire"), "there is no mode 'solitaire'"),
        (lambda d: d["given"].update(phase="supper"), "there is no phase 'supper'"),
        (lambda d: d["given"].update(turn="C"), "'turn' names 'C', who does not play"),
        (lambda d: d["given"].update(C={"deck": 3}), "has no player C"),
        (lambda d: d["given"]["A"]["base"][0].update(owner="C"), "poro belongs to 'C', who does not play"),
        (lambda d: d["given"]["battlefields"][0].update(scored=["C"]), "'C', who does not play"),
        (lambda d: d["given"]["battlefields"][0].update(units={"C": ["Recruit"]}), "units of 'C', who does not play"),
        (lambda d: d["then"][0]["assert"].update(points={"C": 0}), "there is no player 'C' in this game"),
        (lambda d: d["then"][0]["assert"].update(hand={"C": 0}), "there is no player 'C' in this game"),
        (lambda d: d["given"]["A"]["base"].append("Stalwart Porro"), "there is no card named 'Stalwart Porro'"),
        (lambda d: d["given"]["A"].update(runes={"Furry": 1}), "there is no card named 'Furry Rune'"),
        (lambda d: d["given"]["A"].update(legend="Cleave"), "'Cleave' is no legend"),
        (lambda d: d["given"]["A"]["base"].append("Cleave"), "'Cleave' is neither unit nor gear"),
        (lambda d: d["given"]["B"]["base"].append({"card": "Recruit", "as": "poro"}), "two objects are called 'poro'"),
        (lambda d: d["given"]["battlefields"].append("Field 3"), "the mode has 2 battlefields (core-1.4:485.4), not 3"),
    ],
)
def test_a_name_that_does_not_exist_is_named(change: Change, words: str) -> None:
    assert words in message_of(change)


# positions


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (lambda d: d["given"]["battlefields"][0].update(units={"A": ["Recruit"]}), "190.3.a.1"),
        (
            lambda d: d["given"].update(
                mode="ffa3",
                battlefields=[
                    {"card": "Field 1", "controller": "A", "units": {p: ["Recruit"] for p in "ABC"}},
                    "Field 2",
                    "Field 3",
                ],
            ),
            "449.2",
        ),
        (lambda d: d["given"]["battlefields"][0].update(facedown={"A": "Hidden Blade"}), "107.3.c"),
        (lambda d: d["given"]["battlefields"][0].update(facedown={"B": ["Hidden Blade", "Hidden Blade"]}), "107.3.b"),
    ],
)  # fmt: skip
def test_an_illegal_position_is_refused_with_its_rule(change: Change, rule: str) -> None:
    assert f"core-1.4:{rule}" in message_of(change)
    assert rule in load_rules("core-1.4")


# scripts


def test_a_choice_that_nobody_asked_for_fails_the_scenario() -> None:
    said = problem_of(lambda d: d["when"].append({"B chooses": "poro"}))
    assert said.startswith("step 3: B is not being asked")
    assert "nobody asked for targets" in problem_of(
        lambda d: (
            d.update(when=[{"A plays": "Recruit Bear", "targets": ["poro"]}], cards=BEAR)
            or d["given"]["A"].update(hand=["Recruit Bear"])
        )
    )


BEAR = {"Recruit Bear": {"type": "unit", "energy": 1, "might": 2, "blank": True}}
SEER = {
    "Seer": {
        "type": "unit", "energy": 1, "might": 1,
        "abilities": [{"when": {"played": "me"}, "may": True, "do": [{"draw": 1}]}],
    }
}  # fmt: skip


def with_seer(document: Document) -> None:
    """A plays a unit whose play effect asks whether to draw."""
    document["cards"] = SEER
    document["given"]["A"]["hand"] = ["Seer"]
    document["when"] = [{"A plays": "Seer", "to": "base"}]
    document["then"] = [{"claim": "c1", "assert": {"hand": {"A": 0}}}]


def test_a_question_left_unanswered_fails_the_scenario_with_its_options() -> None:
    said = problem_of(with_seer)
    assert said.startswith("the script ends, but A is being asked: yes or no")
    assert said.endswith("options: yes, no")


def test_a_step_that_passes_over_a_question_fails_the_scenario() -> None:
    def pass_over(document: Document) -> None:
        with_seer(document)
        document["when"].append({"A ends": "turn"})

    said = problem_of(pass_over)
    assert said.startswith("step 2: a question of kind action was expected. The question was: A, yes or no")


def test_an_option_that_is_not_offered_fails_the_scenario() -> None:
    def wrong_option(document: Document) -> None:
        with_seer(document)
        document["when"].append({"A chooses": "perhaps"})

    assert "'perhaps' is not among the options" in problem_of(wrong_option)


def test_other_options_than_were_asserted_fail_the_scenario() -> None:
    def wrong_options(document: Document) -> None:
        with_seer(document)
        document["when"].append({"A chooses": "yes", "asked": {"who": "A", "options": ["yes"]}})

    assert "the options were to be ['yes'], but are ['no', 'yes']" in problem_of(wrong_options)


def test_a_label_that_no_step_has_fails_the_scenario() -> None:
    assert "no step has that label" in problem_of(lambda d: d["then"][1].update(at="later"))


@pytest.mark.parametrize(
    ("step", "rule"),
    [
        ({"A moves": ["Recruit"], "to": "Field 1"}, ""),
        ({"A moves": ["tired"], "to": "Field 1"}, "144"),
        ({"A plays": "Costly"}, "357"),
        ({"A plays": "Cleave"}, "355.8"),
    ],
)
def test_an_action_that_is_not_legal_fails_the_scenario_with_the_rule(step: Document, rule: str) -> None:
    def illegal(document: Document) -> None:
        document["cards"] = {
            "Costly": {"type": "unit", "energy": 9, "might": 1, "blank": True},
            "Cleave": {"type": "spell", "energy": 0, "effect": [{"deal": 3, "to": "an enemy unit at a battlefield"}]},
        }
        document["given"]["A"]["hand"] = ["Costly", "Cleave"]
        document["given"]["A"]["base"] = [{"card": "Stalwart Poro", "as": "tired", "exhausted": True}]
        document["when"] = [step]
        document["then"] = [{"claim": "c1", "assert": {"turn": "A"}}]

    said = problem_of(illegal)
    assert said.startswith("step 1: A can")
    assert f"({rule}" in said
    if rule:
        number = said.partition("(")[2].partition(":")[0].split()[0]
        assert number in load_rules("core-1.4")


def test_an_action_that_was_to_be_refused_but_is_legal_fails_the_scenario() -> None:
    assert "it is legal" in problem_of(lambda d: d["when"][0].update(refused="144.4"))


def test_a_refusal_by_another_rule_than_was_said_fails_the_scenario() -> None:
    def other_rule(document: Document) -> None:
        document["given"]["A"]["base"][0]["exhausted"] = True
        document["when"] = [{"A moves": ["poro"], "to": "Field 1", "refused": "449.2"}]

    said = problem_of(other_rule)
    assert "the action is refused by " in said
    assert "not by 449.2" in said


# assertions and contrasts


def test_a_false_assertion_without_instead_fails_and_with_a_true_instead_contradicts() -> None:
    assert problem_of(lambda d: d["then"][0].update({"assert": {"points": {"A": 0}}})) == "then 1 (c1): it is false"
    result = result_of(lambda d: d["then"][0].update({"assert": {"points": {"A": 0}}, "instead": {"points": {"A": 1}}}))
    assert result.verdict == "contradicted"
    assert result.claim_verdicts() == {"c1": "contradicted", "c2": "confirmed"}


def test_an_instead_that_is_false_too_or_true_beside_the_assertion_fails() -> None:
    neither = {"assert": {"points": {"A": 0}}, "instead": {"points": {"A": 2}}}
    assert "neither what is asserted nor what is written instead holds" in problem_of(
        lambda d: d["then"][0].update(neither)
    )
    assert "both the assertion and 'instead' hold" in problem_of(lambda d: d["then"][0].update(instead={"turn": "A"}))


@pytest.mark.parametrize(
    ("contrast", "words"),
    [
        ({"change": {"given.A.xp": 1}, "flips": ["c1"]}, "contrast 1: c1 does not change its truth"),
        ({"change": {"when.1": None}, "flips": ["c9"]}, "nothing under 'then' is called 'c9'"),
        ({"change": {"given.A.base": []}, "flips": ["c1"]}, "contrast 1: step 1: A can move nothing to Field 1"),
        ({"mutant": "316.4 never", "flips": ["c1"]}, "c1 does not change its truth"),
    ],
)
def test_a_contrast_that_does_not_flip_or_does_not_fit_fails_the_scenario(contrast: Document, words: str) -> None:
    assert words in problem_of(lambda d: d.update(contrasts=[contrast]))


@pytest.mark.parametrize(
    ("contrast", "words"),
    [
        ({"change": {"given.A.base.7": "Recruit"}, "flips": ["c1"]}, "the path 'given.A.base.7' leads nowhere"),
        ({"insert": {"when.9": {"pass": "A"}}, "flips": ["c1"]}, "the path 'when.9' leads nowhere"),
        ({"insert": {"given.A.0": "Recruit"}, "flips": ["c1"]}, "the path 'given.A.0' leads nowhere"),
        ({"change": {"then.0": None}, "flips": ["c1"]}, "a contrast can't change 'then.0'"),
        ({"change": {"given.A.points": "many"}, "flips": ["c1"]}, "given.A.points must be a whole number"),
        ({"mutant": "431.2.c sideways", "flips": ["c1"]}, "there is no mutation operator 'sideways'"),
    ],
)
def test_a_contrast_that_changes_nothing_that_is_there_is_named(contrast: Document, words: str) -> None:
    document = right()
    document["contrasts"] = [contrast]
    with pytest.raises(DataError) as caught:
        run_scenario(build(document, "spoilt", "spoilt.yaml", Path("spoilt.yaml")))
    assert words in str(caught.value)


def test_a_contrast_leaves_the_scenario_as_it_was() -> None:
    scenario = build(right(), "spoilt", "spoilt.yaml", Path("spoilt.yaml"))
    before = copy.deepcopy(scenario)
    changed = patched(scenario, scenario.contrasts[0])
    assert changed.when == ()
    assert scenario == before


def test_steps_are_put_in_where_they_stood_before_anything_was_put_in() -> None:
    document = right()
    document["when"] = [{"pass": [str(n)]} for n in range(12)]
    document["contrasts"] = [{"insert": {"when.2": {"pass": "two"}, "when.10": {"pass": "ten"}}, "flips": ["c1"]}]
    scenario = build(document, "spoilt", "spoilt.yaml")
    passing = [step["pass"] for step in patched(scenario, scenario.contrasts[0]).when]
    assert passing == [["0"], ["1"], "two", *([str(n)] for n in range(2, 10)), "ten", ["10"], ["11"]]


# files


FILES = {
    "empty": ("", "a scenario is a mapping"),
    "a list": ("- a\n- b\n", "a scenario is a mapping"),
    "not YAML": ("title: [a, b\ngiven: {}\n", "not valid YAML"),
    "a tab": ("title:\n\t- x\n", "not valid YAML"),
    "two documents": ("title: a\n---\ntitle: b\n", "not valid YAML"),
    "an unhashable key": ("? [a, b]\n: c\n", "not valid YAML"),
    "a key said twice": ("title: x\ntitle: y\n", "the key 'title' is said twice"),
    "deep nesting": ("title: x\ngiven: " + "[" * 200 + "]" * 200 + "\n", "levels of lists and mappings"),
    "huge nesting": ("title: x\ngiven: " + "{a: " * 50_000 + "1" + "}" * 50_000 + "\n", "nest"),
    "a circle": ("title: x\ngiven: &a {A: *a}\nthen: []\n", "an anchor (&) is used a second time"),
    "anchors upon anchors": (
        "a: &a [x, x, x, x]\n" + "".join(f"{q}: &{q} [*{p}, *{p}]\n" for p, q in ("ab", "bc", "cd", "de")),
        "an anchor (&) is used a second time",
    ),
    "a date that is none": ("title: 2020-01-99\n", "the key 'given' is missing"),
    "a number without end": (f"title: x\ngiven: {{A: {{points: {'9' * 5000}}}}}\nthen: []\n", "spoilt.yaml"),
}  # fmt: skip


@pytest.mark.parametrize("kind", FILES)
def test_a_file_that_is_no_scenario_is_one_sentence_with_the_file(kind: str, tmp_path: Path) -> None:
    text, words = FILES[kind]
    path = tmp_path / "spoilt.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        load_scenario(path)
    said = str(caught.value)
    assert str(path) in said
    assert words in said
    assert "\n" not in said
    assert len(said) < 1000
    outcome = run_file(path)
    assert (outcome.verdict, outcome.problems) == ("failed", (said,))


def test_a_line_is_named_where_yaml_knows_it(tmp_path: Path) -> None:
    path = tmp_path / "spoilt.yaml"
    path.write_text("title: x\ngiven: {}\ngiven: {}\nthen: []\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"spoilt\.yaml:3: "):
        load_scenario(path)


def test_bytes_that_are_no_text_and_a_folder_are_told(tmp_path: Path) -> None:
    path = tmp_path / "spoilt.yaml"
    path.write_bytes(b"\xff\xfe\x00title")
    for bad in (path, tmp_path):
        with pytest.raises(DataError, match="cannot be read"):
            load_scenario(bad)
    with pytest.raises(DataError, match="there is no such file"):
        load_scenario(tmp_path / "none.yaml")


@pytest.mark.parametrize(
    "tag", ["!!python/object/apply:pathlib.Path.touch", "!!python/object/new:os.system", "!!python/name:os.system"]
)
def test_a_python_tag_is_refused_and_not_executed(tag: str, tmp_path: Path) -> None:
    made = tmp_path / "made"
    path = tmp_path / "spoilt.yaml"
    path.write_text(f'title: {tag} ["touch {made}"]\ngiven: {{}}\nthen: [{{assert: {{turn: A}}}}]\n', encoding="utf-8")
    with pytest.raises(DataError, match="not valid YAML"):
        load_scenario(path)
    assert not made.exists()
    assert [p.name for p in tmp_path.iterdir()] == ["spoilt.yaml"]


@pytest.mark.parametrize("flags", [[], ["--json"], ["--trace"]])
def test_the_command_says_it_in_one_line_and_returns_2(
    flags: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "spoilt.yaml"
    path.write_text(yaml.safe_dump({**right(), "whan": []}), encoding="utf-8")
    assert kb(["run", str(path), *flags]) == 2
    shown = capsys.readouterr()
    assert "unknown key 'whan'" in shown.out + shown.err
    assert "Traceback" not in shown.out + shown.err
    assert len(shown.err.strip().splitlines()) == 1
    if flags == ["--json"]:
        assert "unknown key 'whan'" in json.loads(shown.out)["error"]
    else:
        assert shown.out == ""


# everything else


ODD: list[Any] = [
    None, [], {}, "zz", -1, 7, 3.5, True, [[]], [None], [{}], {"zz": 1}, {1: 2}, {"card": 5}, {"card": ["x"]}, ["zz"],
    {"A": None}, {"A": ["zz"]}, {"A": {"zz": 1}}, {"C": 1}, 10**12,
]  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place of a document."""
    yield path
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inside:
        yield from places(one, (*path, key))


FULL = """
title: everything that a scenario can say
readings: {464.2.d: attacker}
cards: {Big Bear: {type: unit, energy: 3, might: 7, keywords: [Tank], abilities: [{deathknell: [{draw: 1}]}]}}
given:
  mode: duel
  turn: A
  wins: {A: 1}
  battlefields:
    - {card: Field 1, controller: A, as: tree, facedown: {A: Hidden Blade},
       units: {A: [{card: Stalwart Poro, as: poro, damage: 1, attached: [Guardian Angel]}]}, owner: B, scored: [A]}
    - {card: Field 2, contested: B, units: {B: [Big Bear]}}
  A: {points: 1, hand: [Cleave], deck: 3, base: [{card: Recruit, as: r1}], runes: {Fury: {ready: 3, exhausted: 1}},
      champion: {card: Blank Champion, as: champ}, pool: {energy: 2, power: {fury: 1}}, played: 1}
  B: {deck: [Blank], runes: 4}
when:
  - {close: showdown, label: here}
  - {A plays: Cleave, targets: [poro], asked: {who: A, kind: target, options: [poro]}}
  - {until: {turn: B, phase: main}}
then:
  - {claim: c1, at: here, assert: {points: {A: 1}, hand: {A: [Cleave]}, where: {poro: tree}, state: {poro: [damaged]},
     asks: {who: A, kind: action}, offered: {A: [pass]}, reads_as: {card: Hidden Blade, targets: []},
     identifies: {words: Defy, card: Defy}, deck_legal: {deck: {legend: Cleave, main: {Defy: 3}}, legal: false},
     happened: {event: holds, times: 0}, order: [{event: plays}], not: {xp: {A: 1}}, any: [{turn: A}], chain: []}}
contrasts:
  - {change: {given.A.points: 3}, insert: {when.0: {pass: [A]}}, flips: [c1]}
"""


def test_whatever_value_stands_anywhere_only_our_own_error_comes_out() -> None:
    document = yaml.safe_load(FULL)
    sound = build(document, "full", "full.yaml")
    assert sound.given["wins"] == {"A": 1}
    everywhere = list(places(document))
    assert len(everywhere) > 120
    for number, path in enumerate(everywhere):
        for odd in ODD[number % 3 :: 3]:
            spoilt = copy.deepcopy(document)
            here = spoilt
            for key in path[:-1]:
                here = here[key]
            if path:
                here[path[-1]] = odd
            try:
                run_scenario(build(spoilt if path else odd, "full", "full.yaml"))
            except KbError:
                continue
            except Exception as error:
                raise AssertionError(f"{path} = {odd!r} ends in {type(error).__name__}: {error}") from error
