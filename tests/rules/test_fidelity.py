"""Every restated rule keeps the facts of the document; the documents are no part of the project."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from kb.data import data_root, rules_dir

SOURCES = data_root().parent / "shared" / "sources"
DOCUMENTS = {"core-1.4": "core-rules-1.4.tsv", "tournament-2026-07": "tournament-rules-2026-07-16.tsv"}
REVIEWS = {"core-1.4": "Core Rules", "tournament-2026-07": "Tournament Rules"}
ORDINARY = {"Tank", "Hidden", "Action", "Focus", "Gold", "Discipline", "Challenge", "Fury", "Mind", "Body"}
needs_sources = pytest.mark.skipif(not SOURCES.is_dir(), reason="the official documents are not on this machine")


def _fidelity() -> ModuleType:
    """The script beside this file, which is no package."""
    spec = importlib.util.spec_from_file_location("rules_fidelity", Path(__file__).with_name("fidelity.py"))
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


fidelity = _fidelity()


@cache
def source(document: str) -> dict[str, str]:
    return fidelity.read_source(SOURCES / DOCUMENTS[document])


@cache
def ours(document: str) -> dict[str, str]:
    return fidelity.read_restated([rules_dir() / document])


@cache
def card_names() -> frozenset[str]:
    cards = json.loads((SOURCES / "cards.json").read_text(encoding="utf-8"))
    return frozenset(card["name"] for card in cards) - ORDINARY


def differences(theirs: dict[str, str], restated: dict[str, str], names: frozenset[str]) -> list[str]:
    """What the script finds; each rule is asked only about the card names that its text can hold, to be quick."""
    found = [str(one) for one in fidelity.compare(theirs, restated)]
    for number in theirs.keys() & restated.keys():
        near = frozenset(name for name in names if name in theirs[number])
        found += [
            str(one)
            for one in fidelity.compare_rule(number, theirs[number], restated[number], near)
            if one.kind == "card"
        ]
    return found


def judged(title: str) -> set[str]:
    """Rules listed with a reason at the end of docs/rules-review.md, under the heading ``title``."""
    text = (data_root() / "docs" / "rules-review.md").read_text(encoding="utf-8")
    part = text.split("\n## Left as they are", 1)[1].split(f"\n### {title}\n", 1)[1].split("\n### ", 1)[0]
    return {number for row in re.findall(r"^\| (\d[^|]*) \| .+ \|$", part, re.M) for number in row.split(", ")}


@needs_sources
@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_restated_rule_keeps_numbers_pointers_symbols_names_and_examples(document: str) -> None:
    assert differences(source(document), ours(document), card_names()) == []


@needs_sources
@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_other_count_of_negations_permissions_or_duties_was_judged(document: str) -> None:
    counted = {one.number for one in fidelity.compare_modals(source(document), ours(document))}
    assert counted == judged(REVIEWS[document])


@needs_sources
@pytest.mark.parametrize(
    ("number", "old", "new", "kind"),
    [
        ("465.2.c.4", "With 5 damage", "With some damage", "figure"),
        ("427.1", "See rule 108.6 (Banishments).", "", "pointer"),
        ("364.1", "[M]", "Might", "symbol"),
        ("431.3.c", "Example:", "", "examples"),
        ("356.4.e", "Sky Splitter", "a spell", "card"),
    ],
)
def test_a_fact_lost_from_a_restated_rule_is_found(number: str, old: str, new: str, kind: str) -> None:
    kept, theirs = ours("core-1.4")[number], {number: source("core-1.4")[number]}
    assert differences(theirs, {number: kept}, card_names()) == []
    found = differences(theirs, {number: kept.replace(old, new)}, card_names())
    assert found and all(one.startswith(f"{number}: {kind}: ") for one in found)


HAND_MADE = {"101": "Draw 4 cards.", "102": "See rule 101 (Draw)."}


def test_a_lost_figure_is_found_without_any_document() -> None:
    assert differences(HAND_MADE, {"101": "Draw cards.", "102": "See rule 101."}, frozenset()) == ["101: figure: 4"]


@pytest.mark.parametrize(
    ("restated", "kind"),
    [({"101": "Four cards are drawn."}, "102: missing"), (HAND_MADE | {"103": "More."}, "103: extra")],
)
def test_a_number_too_few_or_too_many_is_found(restated: dict[str, str], kind: str) -> None:
    (found,) = differences(HAND_MADE, restated, frozenset())
    assert found.startswith(kind)


def test_numbers_out_of_order_are_found() -> None:
    turned = dict(reversed(HAND_MADE.items()))
    assert [one.split(": ")[1] for one in differences(HAND_MADE, turned, frozenset())] == ["order"]
