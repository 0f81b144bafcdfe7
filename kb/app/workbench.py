"""The maintainer's tools as plain functions: running a scenario that is being written, marking the line of an error,
the register with what changed, coverage by chapter, lint findings."""

from __future__ import annotations

import json
import re
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from kb.app import address
from kb.app.trial import Trial, from_token
from kb.cards.document import BASE, read_document
from kb.errors import DataError, InputError, KbError
from kb.replay.frames import Variant, variants
from kb.scenarios.model import EXPECTED, Scenario, build
from kb.scenarios.runner import Result, run_scenario

if TYPE_CHECKING:
    from kb.changes import Changes
    from kb.impact import Impact

LONGEST = 60_000
NAME = "scenario"
_PLACE = re.compile(r"(?:scenario|position)(?::(\d+))?: ")
"""What stands for the file in an error about a text that has none."""

_LINE = re.compile(r":(\d+)(?::|\b)|line (\d+)")
TEMPLATE = """title: What this position shows
edition: core-1.4
given:
  turn: A
  A: {deck: [], trash: [Stalwart Poro, Stalwart Poro], runes: 2}
  phase: draw
when:
  - {A chooses: B}
then:
  - says: the opponent gains the point
    assert: {points: {B: 1}}
    decides: [core-1.4:431.2.c]
"""


@dataclass
class Checked:
    """What became of a scenario that is being written: an error with its line, or a result with its replay.

    ``token`` is what a link to its position carries; nothing where a link cannot carry it.
    """

    error: str = ""
    line: int = 0
    scenario: Scenario | None = None
    result: Result | None = None
    variants: list[Variant] = field(default_factory=list)
    token: str = ""


def parsed(text: str) -> dict[str, Any]:
    """YAML as typed. Raises ``DataError`` with its line, ``InputError`` for far too much of it."""
    if len(text) > LONGEST:
        raise InputError(NAME, f"it has {len(text)} characters", f"At most {LONGEST}")
    if not text.strip():
        raise InputError(NAME, "it is empty", "Write a scenario; docs/scenario-format.md says how")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{NAME}.yaml"
        path.write_text(text, encoding="utf-8")
        try:
            return read_document(path, *EXPECTED)
        except DataError as problem:
            what = problem.what.replace(str(path), NAME)
            raise DataError(NAME, what, problem.fix, line=line_within(text, problem.line)) from None


def line_within(text: str, line: int | None) -> int | None:
    """The line of an error that is not YAML; at the end of the text it is what is still open there that is wrong."""
    last = len(text.rstrip().splitlines())
    if line is None or line <= last:
        return line
    try:
        for _ in yaml.parse(text, Loader=BASE):
            pass
    except yaml.MarkedYAMLError as problem:
        begun = problem.context_mark
        return min(begun.line + 1, last) if begun is not None else last
    return last


def check(text: str) -> Checked:
    """Run a scenario as typed; never raises for what is written in it."""
    made = Checked()
    try:
        data = parsed(text)
        made.scenario = build(data, NAME, NAME)
        made.result = run_scenario(made.scenario)
        made.variants = variants(made.scenario)
        first = made.variants[0]
        if any(one in first.end for one in made.result.problems):
            first.end = ""  # it is told beside the text, with its line
        made.token = token_of(made.scenario)
    except (DataError, InputError) as problem:
        made.error, made.line = fault(text, problem)
    except (TypeError, ValueError, KeyError, AttributeError, IndexError) as problem:
        made.error = f"It cannot be read as a scenario ({type(problem).__name__}: {problem})."
        made.line = line_of(text, made.error)
    return made


def token_of(scenario: Scenario) -> str:
    """What a link to the position of a scenario carries; nothing where it is more than a link can carry."""
    try:
        token = Trial(scenario.given, (), scenario.cards).token()
        from_token(token)
    except KbError:  # the bounds of links are narrower than those of scenarios
        return ""
    return token if len(token) <= address.LONGEST else ""


def fault(text: str, problem: KbError) -> tuple[str, int]:
    """An error about a text that was typed: a sentence, and the line it is about (0 where none is known)."""
    said = str(problem)
    return told(said), getattr(problem, "line", None) or line_in(said) or line_of(text, said)


def told(message: str) -> str:
    """An error as a sentence about the text beside it: it names the line, not the file that there is none of."""
    found = _PLACE.match(message)
    rest = message[found.end() :] if found else message
    return f"Line {found.group(1)}: {rest}" if found and found.group(1) else f"{rest[:1].upper()}{rest[1:]}"


def line_in(message: str) -> int:
    """The line that a message names."""
    found = _LINE.search(message)
    return int(found.group(1) or found.group(2)) if found else 0


def line_of(text: str, message: str) -> int:
    """The first line that holds a word which a message quotes."""
    for quoted in re.findall(r"'([^']{2,60})'", message):
        key = quoted.rsplit(".", 1)[-1].split("[")[0]
        for number, line in enumerate(text.splitlines(), 1):
            if key and key in line:
                return number
    if found := re.search(r"step (\d+)", message):
        return _step_line(text, int(found.group(1)))
    return 0


def _step_line(text: str, step: int) -> int:
    """The line of a step under ``when``."""
    count, inside = 0, False
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r"\S", line):
            inside = line.startswith("when:")
        elif inside and line.lstrip().startswith("- "):
            count += 1
            if count == step:
                return number
    return 0


@dataclass(frozen=True)
class Chapter:
    """Coverage of ten rules numbers: leaf rules by kind."""

    name: str
    counts: Counter[str]
    missing: tuple[str, ...] = ()

    @property
    def leaves(self) -> int:
        """How many leaf rules there are."""
        return sum(self.counts.values())

    @property
    def share(self) -> float:
        """The share of leaf rules that a scenario exercises."""
        return self.counts["exercised"] / self.leaves if self.leaves else 0.0


@lru_cache(maxsize=2)
def chapters(stamp: str) -> list[Chapter]:
    """Coverage by tens of rules, from the outcomes that the store keeps."""
    from kb.app import shop
    from kb.verify.coverage import by_chapter, leaves
    from kb.verify.storing import stored_outcomes

    found = leaves(stored_outcomes(shop.reading()))
    missing = [leaf.number for leaf in found if leaf.kind == "missing"]
    return [
        Chapter(name, count, tuple(one for one in missing if name[:3] <= one[:3] <= name[-3:]))
        for name, count in by_chapter(found)
    ]


@lru_cache(maxsize=2)
def findings(stamp: str) -> list[dict[str, str]]:
    """Lint findings other than notes."""
    from kb.build import load_data
    from kb.lint import INFO, lint

    keys = ("code", "severity", "where", "message", "fix")
    return [{key: str(getattr(one, key)) for key in keys} for one in lint(load_data()) if one.severity != INFO]


def changed(standings: dict[str, str]) -> list[tuple[str, str, str]]:
    """Rulings whose standing is not the one of the committed register: id, before, now."""
    from kb.verify.report import register

    before = register()
    if not before:
        return []
    pairs = ((name, before.get(name, "not listed"), now) for name, now in standings.items())
    return [(name, was, now) for name, was, now in pairs if was != now]


@dataclass(frozen=True)
class Mutation:
    """How many changed rules of the engine some scenario noticed, and what stayed unnoticed."""

    mutants: int
    noticed: int
    unnoticed: tuple[str, ...] = ()
    not_causal: tuple[str, ...] = ()

    @property
    def score(self) -> float:
        """The share that was noticed."""
        return self.noticed / self.mutants


_MUTANTS = re.compile(r"([\d,]+) rule mutants, ([\d,]+) noticed")


def mutation(folder: Path | None = None) -> Mutation | None:
    """What ``kb verify --mutants`` last wrote beside the register (``mutants.json``, else ``mutants.md``), if anything.

    Raises ``DataError`` where the file is no such report.
    """
    from kb.data import data_root

    where = folder or data_root() / "docs"
    file = where / "mutants.json"
    if file.exists():
        try:
            said = json.loads(file.read_text(encoding="utf-8"))
            made = Mutation(
                int(said["mutants"]),
                int(said["noticed"]),
                tuple(str(one) for one in said.get("unnoticed", ())),
                tuple(str(one) for one in said.get("rules_not_causal", ())),
            )
        except (ValueError, KeyError, TypeError) as problem:
            raise DataError(file.name, f"it is no report on mutants ({problem})", "Run kb verify --mutants") from None
        return made if made.mutants else None
    file = where / "mutants.md"
    found = _MUTANTS.search(file.read_text(encoding="utf-8")) if file.exists() else None
    if not found:
        return None
    counts = [int(number.replace(",", "")) for number in found.groups()]
    return Mutation(counts[0], counts[1]) if counts[0] else None


@lru_cache(maxsize=2)
def comparable_editions(stamp: str) -> dict[str, list[str]]:
    """Editions whose official text is here, older ones first, by what they are editions of (``core``, ``tournament``).

    Only wordings of one author can be compared word by word: ours beside an official one would differ everywhere.
    """
    from kb.app.wordings import age
    from kb.documents import RULES, imported
    from kb.editions import book_of

    found: dict[str, list[str]] = {}
    for document in sorted({one.document for one in imported() if one.kind == RULES}, key=age):
        if book_of(document)[1] == "official":
            found.setdefault(document.partition("-")[0], []).append(document)
    return {family: names for family, names in found.items() if len(names) > 1}


@lru_cache(maxsize=4)
def compared(old: str, new: str, stamp: str) -> tuple[Changes, Impact]:
    """What changed between two editions, and what rests on it. Raises ``KbError`` where they cannot be compared."""
    from kb.app import shop
    from kb.changes import changes_between
    from kb.editions import require_edition
    from kb.impact import impact_of

    if old.partition("-")[0] != new.partition("-")[0]:
        raise InputError("editions", "these are two different documents", "Choose two editions of one")
    if old == new:
        raise InputError("editions", "an edition is compared with itself", "Choose two")
    found = changes_between(require_edition(old), require_edition(new))
    return found, impact_of(found, shop.reading())
