"""The walk-through of docs/new-edition.md: a made-up edition 1.5, as a PDF, to the list of what to review."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kb.cli import run
from tests.documents.made_up import GROWN, SHIFTED_FROM, edition_1_5
from tests.documents.pages import write_pdf


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    root = tmp_path_factory.mktemp("new-edition")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KB_USER", str(root / "user"))
        patch.setenv("KB_CACHE", str(root / "cache"))
        yield root


def ask(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    capsys.readouterr()
    status = run([*arguments, "--json"])
    return status, json.loads(capsys.readouterr().out)


@pytest.fixture(scope="module")
def imported(folders: Path) -> dict[str, Any]:
    path = folders / "core-rules-1.5.pdf"
    write_pdf(path, edition_1_5())
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert run(["import", str(path), "--json"]) == 0
    report: dict[str, Any] = json.loads(out.getvalue())
    return report


def test_every_rule_of_the_pdf_is_read_and_every_word_accounted_for(imported: dict[str, Any]) -> None:
    assert imported["document"] == "core-1.5"
    assert imported["layout"] == "pdf"
    assert imported["rules"] == len(edition_1_5())
    words = imported["words"]
    assert words["in"] == words["in_rules"] + words["listed"]
    assert {one["kind"] for one in imported["findings"]} <= {"furniture", "other-edition", "missing-sibling"}


@pytest.mark.usefixtures("imported")
def test_the_ten_changes_and_nothing_else_are_found(capsys: pytest.CaptureFixture[str]) -> None:
    status, found = ask(capsys, "diff", "core-1.4", "core-1.5")
    assert status == 0
    assert found["wording"] == ["restated", "official"]
    changes = {(one["old"], one["new"]): one for one in found["changes"]}
    kinds = {key: one["kind"] for key, one in changes.items()}
    for number in ("431.2.c", "430.4.a", "808.1.c", "430.2", "425.1", "415.1"):
        assert kinds.pop((number, number)) == "reworded"
    assert kinds.pop((None, GROWN)) == "new"
    assert kinds.pop((None, f"{SHIFTED_FROM}")) == "new"
    assert kinds.pop((None, f"{SHIFTED_FROM}.1")) == "new"
    assert kinds.pop(("414.1.c", None)) == "gone"
    assert kinds.pop(("425.1.b", "425.1")) == "merged"
    assert kinds.pop(("430.2", "430.2.b")) == "split"
    assert kinds.pop(("423", "423")) == "reworded"
    assert not kinds
    assert changes["431.2.c", "431.2.c"]["weight"] > changes["415.1", "415.1"]["weight"]
    assert not changes["415.1", "415.1"]["in_substance"]


@pytest.mark.usefixtures("imported")
def test_what_is_to_review_is_listed_weightiest_first(capsys: pytest.CaptureFixture[str]) -> None:
    status, found = ask(capsys, "impact", "core-1.4", "core-1.5")
    assert status == 1  # there is something to review
    rulings = {one["id"]: one for one in found["rulings"]}
    assert "core-1.4:431.2.c" in rulings["burn-out-who-scores"]["rules"]
    assert rulings["burn-out-who-scores"]["claims"]
    assert rulings["burn-out-who-scores"]["title"] == "Who gains the point when a player burns out"
    weights = [one["weight"] for one in found["rulings"]]
    assert weights == sorted(weights, reverse=True)
    assert any("core-1.4:431.2.c" in one["rules"] for one in found["engine"])
    assert any("core-1.4:431.2.c" in one["rules"] for one in found["scenarios"])
    assert all(one["rules"] for some in ("rulings", "scenarios", "engine", "terms") for one in found[some])
    assert not any("415.1" in rule.split(":")[1:] for one in found["rulings"] for rule in one["rules"])
    moved = found["renumber"]
    assert moved["core-1.4:465.2.c"] == "core-1.5:466.2.c"
    assert all(old.split(":")[1] != new.split(":")[1] for old, new in moved.items())


@pytest.mark.usefixtures("imported")
def test_a_rule_of_either_edition_is_found_in_the_other(capsys: pytest.CaptureFixture[str]) -> None:
    status, found = ask(capsys, "rule", "core-1.4:465.2.c", "--as", "core-1.5")
    assert (status, found["translation"]["refs"], found["ref"]) == (0, ["core-1.5:466.2.c"], "core-1.5:466.2.c")
    assert found["wording"] == "official"
    status, found = ask(capsys, "rule", "466.2.c", "--edition", "core-1.5")
    assert found["resolved"]["because"] == "it stands in Core Rules 1.5"
    status, found = ask(capsys, "rule", "core-1.5:466.2.c", "--as", "core-1.4")
    assert found["ref"] == "core-1.4:465.2.c"


@pytest.mark.usefixtures("imported")
def test_the_edition_in_force_stays_what_is_searched(folders: Path) -> None:
    from kb.store import open_store

    con = open_store()
    assert con.execute("SELECT count(*) FROM edition_rule WHERE document = 'core-1.5'").fetchone()[0] > 2000
    assert con.execute("SELECT count(*) FROM passage WHERE target LIKE 'core-1.5%'").fetchone()[0] == 0
