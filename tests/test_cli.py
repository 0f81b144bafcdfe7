"""The command line: exit status, JSON, one sentence for what went wrong."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import click
import pytest

from kb.cli import COMMANDS, Commands, cli, is_installed, run

pytestmark = pytest.mark.usefixtures("store")


def test_a_rule_with_its_surroundings(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rule", "465.2.c"]) == 0
    shown = capsys.readouterr().out
    for expected in ("465.2.c.10.", "Before: 465.2.b", "Core Rules 1.4, 465.2.c (restated): ", "Edition core-1.4"):
        assert expected in shown


def test_a_section_is_shown_whole(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rule", "431"]) == 0
    assert "431.3.c.1." in capsys.readouterr().out


def test_json_is_one_document_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    for line in (
        ["rule", "431.2.c"],
        ["rule", "431"],
        ["card", "Defy"],
        ["rulings"],
        ["lint"],
        ["build", "--only-base"],
    ):
        run([*line, "--json"])
        assert isinstance(json.loads(capsys.readouterr().out), dict)


@pytest.mark.parametrize(
    ("line", "status", "said"),
    [
        (["rule", "431.9"], 1, "Nearest: 431, 431.5"),
        (["rule", "999"], 1, "there is no such rule"),
        (["rule", "core-1.2:431"], 1, "was not imported"),
        (["rule", "4x"], 2, "not a rule number"),
        (["rule", "x:431"], 2, "names no document"),
        (["rule"], 2, "Missing argument"),
        (["rule", "431", "--nonsense"], 2, "No such option"),
        (["card", "Zzyzx the Unheard"], 1, "no card of this name"),
        (["ruling", "never-ruled"], 1, "no such ruling"),
        (["ruling", ""], 1, "no such ruling"),
        (["rulings", "--standing", "wrong"], 2, "wrong"),
        (["rulings", "--rule", "9"], 2, "not a rule number"),
        (["rulings", "--rule", "431.9"], 1, "Nearest"),
        (["dance"], 2, "No such command"),
        (["rule", "\x00"], 2, "not a rule number"),
        (["rule", "4" * 100_000], 2, "not a rule number"),
        (["card", "x" * 100_000], 1, "no card of this name"),
    ],
)
def test_what_goes_wrong_is_one_sentence(
    capsys: pytest.CaptureFixture[str], line: list[str], status: int, said: str
) -> None:
    assert run(line) == status
    shown = capsys.readouterr()
    assert said in shown.err
    assert len(shown.err.strip().split("\n")) == 1
    assert len(shown.err) < 1000
    assert "Traceback" not in shown.err


def test_errors_are_json_too_when_json_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rule", "431.9", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["nearest"][0] == "431"


@pytest.mark.parametrize("said", ["Zhonya's Hourglass", "zhonyas hourglass", "zhonyas", "Zonyas Hourglas"])
def test_a_card_is_found_however_it_is_typed(capsys: pytest.CaptureFixture[str], said: str) -> None:
    assert run(["card", said, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["name"] == "Zhonya's Hourglass"


def test_an_ambiguous_name_lists_the_cards(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["card", "Jinx"]) == 1
    assert "Jinx, Rebel" in capsys.readouterr().out


def test_every_installed_command_has_help_with_an_example() -> None:
    with click.Context(cli) as context:
        assert isinstance(cli, Commands)
        names = cli.list_commands(context)
        assert {"rule", "ruling", "rulings", "card", "lint", "import", "build"} <= set(names)
        for name in names:
            command = cli.get_command(context, name)
            assert command is not None
            assert command.help, name
            assert "Example: kb" in command.help, name


def test_a_command_that_is_not_there_yet_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(COMMANDS, "dream", ("kb.commands.dream:command", "Dream."))
    assert not is_installed("dream")
    assert run(["dream"]) == 2
    assert "not part of this version" in capsys.readouterr().err


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("KB_USER", str(tmp_path / "user"))
    return tmp_path


def test_imported_wording_is_quoted_beside_ours(folders: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folders / "core-1.4-part.tsv"
    path.write_text("431.2.c\tShips float.\n", encoding="utf-8")
    assert run(["import", str(path), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["document"], report["rules"]) == ("core-1.4", 1)
    assert {one["kind"] for one in report["findings"]} == {"missing-parent", "partial"}
    assert run(["rule", "431.2.c"]) == 0
    shown = capsys.readouterr().out
    assert "Core Rules 1.4, 431.2.c (official wording): Ships float." in shown
    assert "Core Rules 1.4, 431.2.c (restated): " in shown


@pytest.mark.parametrize("text", ["", "%PDF-1.4", "100\tShips.\n100\tBoats.\n", "Ships float.", "100\t\0"])
def test_a_bad_import_changes_nothing(folders: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    path = folders / "core-1.4.txt"
    path.write_text(text, encoding="utf-8")
    assert run(["import", str(path)]) == 2
    assert len(capsys.readouterr().err.strip().split("\n")) == 1
    assert not (folders / "user").exists()
    assert not (folders / "cache").exists()


def test_wrong_data_answers_from_the_store_as_it_was(
    store: sqlite3.Connection, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from kb import build
    from kb.commands import shared
    from kb.errors import DataError

    def fail(*args: object, **kwargs: object) -> bool:
        raise DataError("rulings/a.yaml", "something is wrong", "Mend it")

    monkeypatch.setattr(build, "build_store", fail)
    monkeypatch.setattr(shared, "is_fresh", lambda path, need: False)
    assert run(["rule", "431.2.c"]) == 0
    assert "Until then the store answers as it is" in capsys.readouterr().err
