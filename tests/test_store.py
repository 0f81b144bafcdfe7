"""The store: built whole or not at all, once, and read in both directions."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import types
from pathlib import Path

import pytest

from kb import build as kb_build
from kb import store as kb_store
from kb.data import data_root, store_path
from kb.errors import DataError, StoreError
from kb.ids import RuleRef
from kb.records import card_record, quote, rule_record, ruling_list, ruling_record, section_record
from kb.store import LAYERS, Layer, build_store, connect, is_fresh, meta, open_store

ROOT = data_root()


@pytest.fixture(scope="module")
def seed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small set of data folders: a section of the rules, one set of cards, one ruling."""
    root = tmp_path_factory.mktemp("data")
    for name in ("core-1.4", "tournament-2026-07", "cards"):
        (root / "rules" / name).mkdir(parents=True)
    real = data_root() / "rules"
    shutil.copy(real / "editions.yaml", root / "rules")
    shutil.copy(real / "cards" / "OGS.yaml", root / "rules" / "cards")
    rules = "431. Burn Out\n431.1. Ships float. See rule 431.2.\n431.2. They sink.\n431.2.a. Garen, Rugged rows.\n"
    (root / "rules" / "core-1.4" / "400.txt").write_text(rules, encoding="utf-8")
    (root / "rules" / "tournament-2026-07" / "400.txt").write_text("408. Time\n", encoding="utf-8")
    (root / "rulings").mkdir()
    (root / "rulings" / "ships-float.yaml").write_text(
        "id: ships-float\ntitle: Ships float\norigin: {document: faq-cards, line: 3}\nquestions: [Do they?]\n"
        "verdict: yes\nanswer: They do.\nclaims:\n  - {id: c1, says: Ships sink., rules: ['431.2']}\n",
        encoding="utf-8",
    )
    return root


@pytest.fixture
def small(seed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the small data with folders of its own; returns the data root."""
    shutil.copytree(seed, tmp_path / "data")
    for name in ("data", "cache", "user"):
        monkeypatch.setenv(f"KB_{name.upper()}", str(tmp_path / name))
    return tmp_path / "data"


def write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def test_a_second_build_does_nothing(small: Path) -> None:
    assert build_store(layers=())
    before = store_path().read_bytes()
    assert not build_store(layers=())
    assert store_path().read_bytes() == before


def test_new_file_times_alone_build_nothing(small: Path) -> None:
    build_store(layers=())
    os.utime(small / "rules" / "core-1.4" / "400.txt", (1, 1))
    assert not is_fresh(store_path())
    assert not build_store(layers=())
    assert is_fresh(store_path())


def test_a_changed_file_shows_at_the_next_opening(small: Path) -> None:
    open_store().close()
    path = small / "rules" / "core-1.4" / "400.txt"
    write(path, path.read_text(encoding="utf-8") + "431.3. They rest.\n")
    with open_store() as con:
        assert rule_record(con, RuleRef.parse("431.3"))["statement"] == "They rest."


def test_wrong_data_leaves_the_store_as_it_was(small: Path) -> None:
    build_store(layers=())
    before = store_path().read_bytes()
    write(small / "rulings" / "ships-float.yaml", "id: ships-float\n")
    with pytest.raises(DataError):
        build_store(layers=())
    assert store_path().read_bytes() == before
    assert {path.name for path in store_path().parent.iterdir()} == {"kb.lock", "kb.sqlite"}


def test_a_lint_error_stops_the_build_with_its_code_and_fix(small: Path) -> None:
    path = small / "rules" / "core-1.4" / "400.txt"
    write(path, path.read_text(encoding="utf-8") + "431.4. See rule 432.\n")
    with pytest.raises(DataError, match=r"core-1\.4:431\.4: R002 points to core-1\.4:432.*Nearest: 431"):
        build_store(layers=())


def test_a_damaged_store_is_built_again(small: Path) -> None:
    build_store(layers=())
    store_path().write_bytes(b"no database at all" * 100)
    with pytest.raises(StoreError, match="damaged"):
        connect(store_path())
    with open_store() as con:
        assert meta(con)["edition"] == "core-1.4"


def test_a_cache_that_cannot_be_written_is_told_in_a_sentence(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = small.parent / "blocked"
    blocked.write_text("a file, not a folder", encoding="utf-8")
    monkeypatch.setenv("KB_CACHE", str(blocked))
    with pytest.raises(StoreError, match="Set KB_CACHE"):
        build_store(layers=())


@pytest.fixture
def layer(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A layer that counts how often it is made and keeps a table of its own."""
    calls: list[int] = []
    module = types.ModuleType("kb_test_layer")

    def make(con: sqlite3.Connection, progress: kb_store.Progress) -> None:
        con.execute("CREATE TABLE IF NOT EXISTS kept(n INTEGER)")
        con.execute("INSERT INTO kept VALUES (1)")
        calls.append(con.execute("SELECT count(*) FROM kept").fetchone()[0])
        progress("Counting", 1, 1)

    module.make = make  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "kb_test_layer", module)
    monkeypatch.setitem(LAYERS, "test", Layer("kb_test_layer:make", ("ids.py",)))
    monkeypatch.setattr(kb_store, "is_available", lambda name: name == "test")
    return calls


def test_a_layer_is_made_when_it_is_needed_and_once(small: Path, layer: list[int]) -> None:
    build_store(layers=())
    assert layer == []
    open_store(("test",)).close()
    open_store(("test",)).close()
    assert layer == [1]


def test_a_layer_is_stale_when_the_data_changes_and_finds_its_own_tables(small: Path, layer: list[int]) -> None:
    build_store(layers=("test",))
    write(small / "rules" / "tournament-2026-07" / "400.txt", "408. Times\n")
    with open_store() as con:
        assert not kb_store.layer_is_fresh(meta(con), "test")
    open_store(("test",)).close()
    assert layer == [1, 2]


def test_a_layer_that_fails_leaves_the_new_base_without_it(small: Path, layer: list[int]) -> None:
    def fail(con: sqlite3.Connection, progress: kb_store.Progress) -> None:
        con.execute("CREATE TABLE half(n INTEGER)")
        raise DataError("scenarios/a.yaml", "something is wrong", "Mend it")

    sys.modules["kb_test_layer"].make = fail  # type: ignore[attr-defined]
    with pytest.raises(DataError, match="something is wrong"):
        build_store(layers=("test",))
    with connect(store_path()) as con:
        assert not kb_store.layer_is_fresh(meta(con), "test")
        assert rule_record(con, RuleRef.parse("431"))["number"] == "431"


def test_two_builders_at_once_do_not_disturb_each_other(small: Path) -> None:
    code = "from kb.store import build_store; print(build_store(layers=()))"
    command = [sys.executable, "-c", code]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) for _ in range(2)]
    assert sorted(one.communicate(timeout=60)[0].strip() for one in started) == ["False", "True"]
    assert is_fresh(store_path())


def test_progress_says_what_is_done(small: Path) -> None:
    said: list[str] = []
    build_store(layers=(), progress=lambda what, done, total: said.append(what))
    assert said[0].startswith("Reading")


def test_cross_references_lead_both_ways(small: Path) -> None:
    with open_store() as con:
        out = rule_record(con, RuleRef.parse("431.1"))
        back = rule_record(con, RuleRef.parse("431.2"))
        card = card_record(con, "Garen, Rugged")
        ruling = ruling_record(con, "ships-float")
    assert [one["number"] for one in out["points_to"]] == ["431.2"]
    assert [one["number"] for one in back["pointed_to_by"]] == ["431.1"]
    assert [(one["id"], one["claims"]) for one in back["rulings"]] == [("ships-float", ["c1"])]
    assert [one["number"] for one in card["rules"]] == ["431.2.a"]
    assert [one["ref"] for one in ruling["citations"]] == ["core-1.4:431.2"]


def references() -> list[tuple[str, ...]]:
    with connect(store_path()) as con:
        return [tuple(row) for row in con.execute("SELECT * FROM xref ORDER BY src_kind, src, kind, dst")]


def test_the_rules_cross_references_outlive_a_changed_ruling(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build_store(layers=())
    before = references()
    path = small / "rulings" / "ships-float.yaml"
    write(path, path.read_text(encoding="utf-8").replace("rules: ['431.2']", "rules: ['431.1']"))
    with monkeypatch.context() as changed:
        changed.setattr(kb_build, "find_mentions", None)  # a search for them would fail
        build_store(layers=())
    after = references()
    assert [row for row in before if row[0] != "cites"] == [row for row in after if row[0] != "cites"]
    assert {row[4] for row in after if row[0] == "cites"} == {"core-1.4:431.1"}
    build_store(layers=(), force=True)
    assert references() == after


def test_the_rules_cross_references_are_found_anew_when_a_rule_or_a_card_changes(small: Path) -> None:
    build_store(layers=())
    path = small / "rules" / "core-1.4" / "400.txt"
    write(path, path.read_text(encoding="utf-8").replace("See rule 431.2.", "See nothing."))
    build_store(layers=())
    assert [row for row in references() if row[2] == "core-1.4:431.1"] == []
    path = small / "rules" / "cards" / "OGS.yaml"
    write(path, path.read_text(encoding="utf-8").replace("Garen, Rugged", "Garen, Kind"))
    build_store(layers=())
    assert [row[4] for row in references() if row[3] == "card"] == ["Garen, Kind"]


def test_a_ruling_is_unverified_until_the_engine_has_spoken(small: Path) -> None:
    with open_store() as con:
        assert ruling_record(con, "faq-cards:3")["standing"] == "unverified"
        assert [one["id"] for one in ruling_list(con, standing_is="unverified")] == ["ships-float"]
        assert ruling_list(con, standing_is="confirmed") == []


def test_the_neighbourhood_of_a_rule(store: sqlite3.Connection) -> None:
    record = rule_record(store, RuleRef.parse("431.2.c"))
    assert [one["number"] for one in record["parents"]] == ["431", "431.2"]
    assert (record["previous"]["number"], record["next"]["number"]) == ("431.2.b", "431.2.d")
    assert record["citation"].startswith("Core Rules 1.4, 431.2.c (restated): ")
    assert (record["edition"], record["rules_date"]) == ("core-1.4", "2026-07-16")
    section = section_record(store, RuleRef.parse("431"))["section"]
    assert section[0]["number"] == "431"
    assert all(one["number"].startswith("431") for one in section)
    assert len(section) == 19


def test_a_quote_says_whose_wording_it_is(store: sqlite3.Connection) -> None:
    said = quote(store, RuleRef.parse("431.2.c"))
    assert said["wording"] == "restated"
    assert said["quote"]


def test_full_text_search_finds_passages(store: sqlite3.Connection) -> None:
    sql = (
        "SELECT target FROM passage_fts JOIN passage ON passage.id = passage_fts.rowid "
        "WHERE passage_fts MATCH 'decked out' AND kind = 'rule' ORDER BY rank"
    )
    assert store.execute(sql).fetchone()["target"] == "core-1.4:431"


def test_records_are_plain_json(store: sqlite3.Connection) -> None:
    json.dumps(section_record(store, RuleRef.parse("465")))
    json.dumps(card_record(store, "Defy"))
