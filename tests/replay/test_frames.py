"""Replays: frames follow the answers, pictures stay whole, contrasts are variants."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from kb.data import scenarios_dir
from kb.replay.draw import Picture
from kb.replay.frames import between, events_of, record, replay_data, variants
from kb.scenarios.model import load_scenario
from kb.scenarios.runner import execute

PATHS = sorted(scenarios_dir().rglob("*.yaml"))
SOME = PATHS[::12]
BURN_OUT = scenarios_dir() / "rulings" / "burn-out-who-scores.yaml"


@pytest.mark.parametrize("path", SOME, ids=lambda path: path.stem)
def test_recording_changes_nothing(path: Path) -> None:
    scenario = load_scenario(path, scenarios_dir())
    plain, recorded = execute(scenario), record(scenario)
    assert recorded.truths.asserted == plain.asserted
    if plain.run is not None and recorded.truths.run is not None and plain.ended:
        assert [n.text for _, n in plain.run.game.trace.root.walk()] == [
            n.text for _, n in recorded.truths.run.game.trace.root.walk()
        ]


@pytest.mark.parametrize("path", SOME, ids=lambda path: path.stem)
def test_every_picture_is_well_formed_and_within_its_frame(path: Path) -> None:
    made = record(load_scenario(path, scenarios_dir()))
    if not made.frames:
        return
    picture = Picture([frame.state for frame in made.frames])
    sizes = set()
    for frame in made.frames:
        tree = ElementTree.fromstring(picture.svg(frame.state))
        sizes.add(tree.attrib["viewBox"])
        assert tree.attrib["aria-label"].startswith("Board.")
        for rect in tree.iter("rect"):
            assert float(rect.attrib["x"]) >= 0 and float(rect.attrib["x"]) + float(rect.attrib["width"]) <= 360
    assert len(sizes) == 1


def test_frames_hold_the_events_between_answers() -> None:
    made = record(load_scenario(BURN_OUT, scenarios_dir()))
    assert made.frames[0].did == "The position"
    said = [event[1] for frame in made.frames for event in frame.events]
    assert any("gains 1 point" in one for one in said)
    asked = next(frame.asked for frame in made.frames if frame.asked is not None)
    assert asked["chosen"]
    assert made.frames[-1].state["players"]["B"]["points"] > made.frames[0].state["players"]["B"]["points"]


def test_the_first_frame_is_the_position_as_it_was_given() -> None:
    made = record(load_scenario(BURN_OUT, scenarios_dir()))
    first = made.frames[0]
    assert not first.events
    assert (first.state["players"]["A"]["deck"], first.state["players"]["A"]["trash"]) == (0, 2)


def test_damage_is_seen_before_the_dead_leave() -> None:
    made = record(load_scenario(scenarios_dir() / "rulings" / "equal-might-trade.yaml", scenarios_dir()))
    damage = [[one["damage"] for field in frame.state["fields"] for one in field["here"]] for frame in made.frames]
    at = damage.index([5, 5])
    assert made.frames[at].did == "B passes"
    assert [event[1] for event in made.frames[at].events][-1] == "Mine takes 5 damage"
    assert (made.frames[at + 1].did, damage[at + 1]) == ("Combat Cleanup", [])


@pytest.mark.parametrize("path", SOME, ids=lambda path: path.stem)
def test_every_line_of_the_derivation_belongs_to_one_frame(path: Path) -> None:
    made = record(load_scenario(path, scenarios_dir()))
    run = made.truths.run
    if run is None:
        return
    told = [event[1] for frame in made.frames for event in frame.events]
    assert told == [event[1] for event in between(events_of(run.game.trace), 0, run.game.trace.count())]
    assert all(frame.did for frame in made.frames)
    assert all(before.state is not after.state for before, after in pairwise(made.frames))


def test_contrasts_are_variants_and_pieces_are_shared() -> None:
    scenario = load_scenario(BURN_OUT, scenarios_dir())
    data = replay_data(variants(scenario))
    assert len(data["variants"]) == 1 + len(scenario.contrasts)
    assert all(one["name"] for one in data["variants"])
    used = {piece for one in data["variants"] for frame in one["frames"] for piece in frame["svg"][1:]}
    assert used == set(range(len(data["pieces"])))
    count = sum(len(frame["svg"]) - 1 for one in data["variants"] for frame in one["frames"])
    assert len(data["pieces"]) < count


def test_names_are_escaped_in_pictures() -> None:
    scenario = load_scenario(BURN_OUT, scenarios_dir())
    state = record(scenario).frames[0].state
    state["fields"][0]["name"] = "<script>alert(1)</script>"
    assert "<script>" not in Picture([state]).svg(state)
