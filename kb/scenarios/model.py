"""Scenarios as data: what a file may say, read strictly (``docs/scenario-format.md``)."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kb.cards.document import read_document
from kb.errors import DataError
from kb.scenarios.shapes import GIVEN, asserted, check_shape, step

TOP = (
    "title", "ruling", "rule", "edition", "cards", "readings", "given", "when", "then", "contrasts", "notes",
)  # fmt: skip
THEN = ("claim", "says", "at", "assert", "instead", "decides", "defines")
EXPECTED = ("a scenario is a mapping with the keys title, given, when, then", "See docs/scenario-format.md")
"""What is said where a file holds something else, and what to do."""

CONTRAST = ("change", "insert", "mutant", "flips", "why")


@dataclass(frozen=True)
class Then:
    """One entry under ``then``: what is asserted at a point, for which claims, and the rules it hangs on."""

    index: int
    asserted: dict[str, Any]
    claims: tuple[str, ...] = ()
    says: str = ""
    at: str = ""
    instead: dict[str, Any] | None = None
    decides: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """What ``flips`` may call it: its claims, else ``says``, else its number."""
        return self.claims or ((self.says,) if self.says else (str(self.index + 1),))


@dataclass(frozen=True)
class Contrast:
    """A change of the scenario, or a mutant, and the claims that must change their truth under it."""

    change: dict[str, Any] = field(default_factory=dict)
    insert: dict[str, Any] = field(default_factory=dict)
    mutant: str = ""
    flips: tuple[str, ...] = ()


@dataclass(frozen=True)
class Scenario:
    """A scenario file. ``id`` is its path under ``scenarios/`` without the ending."""

    id: str
    title: str
    ruling: str
    rule: str
    edition: str
    cards: dict[str, Any]
    readings: dict[str, str]
    given: dict[str, Any]
    when: tuple[dict[str, Any], ...]
    then: tuple[Then, ...]
    contrasts: tuple[Contrast, ...]
    path: Path | None = None

    @property
    def decides(self) -> tuple[str, ...]:
        """Every rule that any of its outcomes hangs on."""
        return tuple(dict.fromkeys(r for t in self.then for r in t.decides))

    @property
    def names_rules(self) -> tuple[str, ...]:
        """Rules that any entry of ``then`` names, under ``decides`` or ``defines``."""
        return tuple(dict.fromkeys(r for t in self.then for r in (*t.decides, *t.defines)))


def load_scenario(path: Path, root: Path | None = None) -> Scenario:
    """Read one file.

    Raises: DataError with file and place where a key is unknown, a type wrong or something is missing.
    """
    if not path.exists():
        raise DataError(str(path), "there is no such file", "Check the path")
    data = read_document(path, *EXPECTED)
    ident = path.stem
    if root is not None and path.is_relative_to(root):
        ident = str(path.relative_to(root).with_suffix("")).replace("\\", "/")
    return build(data, ident, str(path), path)


def build(data: dict[str, Any], ident: str, where: str, path: Path | None = None) -> Scenario:
    """A scenario from parsed YAML."""
    check_keys(data, TOP, where, "scenario")
    for key in ("title", "given", "then"):
        if key not in data:
            raise DataError(where, f"the key {key!r} is missing", "See docs/scenario-format.md")
    when = data.get("when") or []
    then = data.get("then") or []
    if not isinstance(when, list) or not all(isinstance(w, dict) for w in when):
        raise DataError(where, "'when' must be a list of steps", "See docs/scenario-format.md")
    if not isinstance(then, list) or not then:
        raise DataError(where, "'then' must be a list with at least one entry", "See docs/scenario-format.md")
    contrasts = data.get("contrasts") or []
    if not isinstance(contrasts, list):
        raise DataError(where, "'contrasts' must be a list", "See docs/scenario-format.md")
    given = mapping(data.get("given"), where, "given")
    check_shape(GIVEN, given, "given", where)
    for index, one in enumerate(when):
        check_shape(step, one, f"when[{index}]", where)
    return Scenario(
        ident,
        str(data["title"]),
        str(data.get("ruling", "")),
        str(data.get("rule", "")),
        str(data.get("edition", "core-1.4")),
        mapping(data.get("cards"), where, "cards"),
        {k: str(v) for k, v in mapping(data.get("readings"), where, "readings").items()},
        given,
        tuple(when),
        tuple(read_then(t, i, where) for i, t in enumerate(then)),
        tuple(read_contrast(c, i, where) for i, c in enumerate(contrasts)),
        path,
    )


def check_keys(data: Any, allowed: tuple[str, ...], where: str, what: str) -> None:
    """Every key must be known.

    Raises: DataError.
    """
    if not isinstance(data, dict):
        raise DataError(where, f"{what} must be a mapping", "See docs/scenario-format.md")
    for key in data:
        if key not in allowed:
            raise DataError(
                where, f"{what} has the unknown key {key!r} (allowed: {', '.join(allowed)})", "Mend the key"
            )


def mapping(value: Any, where: str, what: str) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise DataError(where, f"{what!r} must be a mapping", "See docs/scenario-format.md")
    return value


def texts(value: Any) -> tuple[str, ...]:
    """One text or several."""
    if value is None:
        return ()
    return tuple(str(v) for v in value) if isinstance(value, list) else (str(value),)


def read_then(data: Any, index: int, where: str) -> Then:
    check_keys(data, THEN, where, f"then[{index}]")
    claimed = mapping(data.get("assert"), where, f"then[{index}].assert")
    if not claimed:
        raise DataError(where, f"then[{index}] asserts nothing", "Add assert: {...}")
    instead = data.get("instead")
    check_shape(asserted, claimed, f"then[{index}].assert", where)
    if instead is not None:
        check_shape(asserted, instead, f"then[{index}].instead", where)
    return Then(
        index,
        claimed,
        texts(data.get("claim")),
        str(data.get("says", "")),
        str(data.get("at", "")),
        mapping(instead, where, f"then[{index}].instead") if instead is not None else None,
        texts(data.get("decides")),
        texts(data.get("defines")),
    )


def read_contrast(data: Any, index: int, where: str) -> Contrast:
    check_keys(data, CONTRAST, where, f"contrasts[{index}]")
    if not data.get("flips"):
        raise DataError(where, f"contrasts[{index}] flips nothing", "Add flips: [...]")
    for key in ("change", "insert"):
        for path in mapping(data.get(key), where, f"contrasts[{index}].{key}"):
            if not isinstance(path, str) or (key == "insert" and not path.rpartition(".")[2].isdigit()):
                fix = "Write a path such as when.2" if key == "insert" else "Write a path such as given.A.deck"
                raise DataError(where, f"contrasts[{index}].{key} has no path {path!r}", fix)
    return Contrast(
        mapping(data.get("change"), where, f"contrasts[{index}].change"),
        mapping(data.get("insert"), where, f"contrasts[{index}].insert"),
        str(data.get("mutant", "")),
        texts(data["flips"]),
    )
