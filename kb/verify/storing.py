"""The layer of the store that holds verdicts, kept under a hash of everything they were computed from."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from kb.data import data_root
from kb.schema import VERDICT
from kb.store import Progress
from kb.verify.standings import Standing, standing_of
from kb.verify.suite import Outcome, by_ruling, run_file, scenario_paths, scenario_root


def code_hash() -> str:
    """A hash of the engine, the card language, the scenario code and the card data."""
    digest = hashlib.sha256()
    package = Path(__file__).resolve().parent.parent
    files: list[Path] = []
    for folder in ("engine", "cards", "scenarios", "verify"):
        files += sorted((package / folder).rglob("*.py"))
    files += sorted((data_root() / "rules" / "cards").rglob("*.yaml"))
    for path in files:
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:24]


def ruling_hash(code: str, ruling: Any, paths: Iterable[Path]) -> str:
    """The hash under which a ruling's verdicts hold: the record, its scenarios, cards and code."""
    digest = hashlib.sha256(code.encode())
    digest.update(str(ruling).encode())
    for path in sorted(paths):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:24]


def store_verdicts(con: sqlite3.Connection, progress: Progress | None) -> None:
    """Run the scenarios of every ruling whose verdicts are not for this very data and code; write all verdicts."""
    from kb.load import load_rulings

    con.executescript(VERDICT)
    con.executescript(OUTCOMES)
    rulings = load_rulings()
    code = code_hash()
    store_renderings(con, code)
    old = {row[0]: row[1] for row in con.execute("SELECT id, hash FROM scenario_outcome")}
    root = scenario_root()
    todo: list[tuple[Path, str]] = []
    keep: set[str] = set()
    for path in scenario_paths():
        ident = str(path.relative_to(root).with_suffix("")).replace("\\", "/")
        mark = hashlib.sha256(code.encode() + path.read_bytes()).hexdigest()[:24]
        keep.add(ident)
        if old.get(ident) != mark:
            todo.append((path, mark))
    for ident in set(old) - keep:
        con.execute("DELETE FROM scenario_outcome WHERE id = ?", (ident,))
    run_todo(con, todo, progress)
    outcomes = by_ruling(stored_outcomes(con))
    con.execute("DELETE FROM verdict")
    for ruling in rulings.values():
        own = outcomes.get(ruling.id, [])
        paths = [root / f"{o.id}.yaml" for o in own]
        write_standing(con, standing_of(ruling, own), ruling_hash(code, ruling, paths))


OUTCOMES = """
CREATE TABLE IF NOT EXISTS scenario_outcome(
  id TEXT PRIMARY KEY, ruling TEXT NOT NULL, verdict TEXT NOT NULL, hash TEXT NOT NULL, json TEXT NOT NULL);
"""


def run_todo(con: sqlite3.Connection, todo: list[tuple[Path, str]], progress: Progress | None) -> None:
    """Run what changed, on every core, and write it."""
    from kb.verify.suite import run_all

    if not todo:
        return
    paths = [p for p, _ in todo]
    outcomes = run_all(paths, (lambda done, total: progress("Running scenarios", done, total)) if progress else None)
    for outcome, (_, mark) in zip(outcomes, todo, strict=True):
        con.execute(
            "INSERT OR REPLACE INTO scenario_outcome VALUES (?, ?, ?, ?, ?)",
            (outcome.id, outcome.ruling, outcome.verdict, mark, json.dumps(plain(outcome))),
        )


def plain(outcome: Outcome) -> dict[str, Any]:
    """An outcome as plain data."""
    return {
        "id": outcome.id,
        "ruling": outcome.ruling,
        "rule": outcome.rule,
        "verdict": outcome.verdict,
        "claims": outcome.claims,
        "problems": list(outcome.problems),
        "milliseconds": outcome.milliseconds,
        "rules": list(outcome.rules),
        "decides": list(outcome.decides),
        "asserted": list(outcome.asserted),
        "readings": outcome.readings,
        "title": outcome.title,
    }


def restored(data: dict[str, Any]) -> Outcome:
    """An outcome from plain data."""
    lists = ("problems", "rules", "decides", "asserted")
    fields: dict[str, Any] = {k: tuple(v) if k in lists else v for k, v in data.items()}
    return Outcome(**fields)


def stored_outcomes(con: sqlite3.Connection) -> list[Outcome]:
    """All outcomes in the store, by id."""
    return [restored(json.loads(row[0])) for row in con.execute("SELECT json FROM scenario_outcome ORDER BY id")]


RENDERED = """
CREATE TABLE IF NOT EXISTS rendered(name TEXT PRIMARY KEY, text TEXT NOT NULL, hash TEXT NOT NULL) WITHOUT ROWID;
"""


def store_renderings(con: sqlite3.Connection, code: str) -> None:
    """What each modelled card does, in plain English, so that an answer needs no card data to be read."""
    from kb.cards import render_card
    from kb.engine.library import library

    con.executescript(RENDERED)
    if con.execute("SELECT 1 FROM rendered WHERE hash = ? LIMIT 1", (code,)).fetchone():
        return
    con.execute("DELETE FROM rendered")
    for card in library().modelled:
        text = "\n".join(render_card(card))
        con.execute("INSERT INTO rendered VALUES (?, ?, ?)", (card.name, text, code))


def write_standing(con: sqlite3.Connection, standing: Standing, mark: str) -> None:
    """Rows of one ruling: one a claim, and one for the ruling itself."""
    rows: list[tuple[str, str, dict[str, Any]]] = [
        (c.id, c.verdict, {"scenarios": list(c.scenarios)}) for c in standing.claims
    ]
    rows.append(("", standing.standing, {"scenarios": list(standing.scenarios), "why": standing.why}))
    for claim, verdict, details in rows:
        con.execute(
            "INSERT OR REPLACE INTO verdict VALUES (?, ?, ?, ?, ?, ?)",
            (standing.ruling, claim, verdict, standing.standing, mark, json.dumps(details)),
        )


__all__ = ["run_file", "store_verdicts", "stored_outcomes"]
