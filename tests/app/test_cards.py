"""Cards that the engine does not play: their page says so in place of their abilities."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from kb.app.views.card import card_page
from kb.cli import run
from kb.records import NOT_PLAYED, card_record
from tests.app.conftest import shown

UNPLAYED = "Vi, Piltover Enforcer"


def test_a_page_in_the_app_says_what_may_help(at: Callable[..., AppTest]) -> None:
    said = shown(at(card=UNPLAYED))
    assert said.count(NOT_PLAYED) == 1 and "?page=import" in said and "to read its printed text" in said
    assert NOT_PLAYED not in shown(at(card="Defy"))


def test_a_page_of_the_site_does_not_speak_of_importing(store: sqlite3.Connection) -> None:
    record = card_record(store, UNPLAYED) | {"abilities": None}
    assert f"{NOT_PLAYED}." in card_page(record) and "import" not in card_page(record)
    printed = card_page(record, printed="Hits.", importing=True)
    assert NOT_PLAYED in printed and "import" not in printed


@pytest.mark.usefixtures("store")
def test_the_command_says_it_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["card", UNPLAYED]) == 0
    assert f"{NOT_PLAYED}; import card data to read its printed text." in " ".join(capsys.readouterr().out.split())
    run(["card", "Defy"])
    assert NOT_PLAYED not in " ".join(capsys.readouterr().out.split())
    run(["card", UNPLAYED, "--json"])
    assert json.loads(capsys.readouterr().out)["abilities"] is None
