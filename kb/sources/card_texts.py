"""Card data from the user's disk: printed texts and errata, as JSON or CSV, keyed by the card's name.

What the columns are called varies; the common names for the same thing are understood. Facts that we
hold ourselves are not taken from the file, only what may not be carried along: the printed words.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from kb.errors import InputError
from kb.sources.findings import Finding

_NAMES = ("name", "card name", "card_name", "title")
_TEXTS = ("text", "rules_text", "rules text", "ability", "abilities", "description", "oracle_text")
_EFFECTS = ("effect_text", "effect text", "effect")
_BEFORE = ("text_before_errata", "printed_text", "printed text", "original_text")
_ERRATA = ("errata", "errata_in", "errata source")


@dataclass(frozen=True, slots=True)
class PrintedText:
    """What is printed on a card: its text, its effect text, and where errata changed it the text before."""

    name: str
    text: str
    effect_text: str = ""
    before_errata: str = ""
    errata: str = ""


@dataclass(frozen=True)
class CardTexts:
    """All printed texts of a file by card name, and what was noticed."""

    texts: Mapping[str, PrintedText]
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class CardList:
    """The names of a list of cards without their texts, and what was noticed."""

    names: tuple[str, ...]
    findings: tuple[Finding, ...] = ()


def looks_like_card_list(path: Path, text: str) -> bool:
    """Whether a file is a table (CSV, TSV) that opens with a column of card names and has no column of texts."""
    head = _head(text)
    return (
        path.suffix.lower() in (".csv", ".tsv")
        and head[0] in _NAMES
        and not any(one in head for one in (*_TEXTS, *_EFFECTS))
    )


def parse_card_list(path: Path, text: str) -> CardList:
    """Read a list of card names. Raises ``InputError`` where there is none in it."""
    names: dict[str, int] = {}
    findings: list[Finding] = []
    for at, row in enumerate(_rows(path, text), 2):
        name = _first({str(key).strip().lower(): value for key, value in row.items() if key is not None}, _NAMES)
        if not name:
            findings.append(Finding("no-name", at, f"line {at} has no card name"))
        elif name in names:
            findings.append(Finding("card-twice", at, f"{name} is there twice, first on line {names[name]}", name))
        else:
            names[name] = at
    if not names:
        raise InputError(path, "no card name was found", "Import a list with one card name a line under its head")
    return CardList(tuple(names), tuple(findings))


def looks_like_cards(path: Path, text: str) -> bool:
    """Whether a file is card data: JSON, or CSV whose head names a card column and a text column."""
    if path.suffix.lower() == ".json" or (text.lstrip()[:1] in "[{" and '"name"' in text[:4000]):
        return True
    head = _head(text)
    return any(one in head for one in _NAMES) and any(one in head for one in (*_TEXTS, *_EFFECTS))


def parse_cards(path: Path, text: str) -> CardTexts:
    """Read card data. Raises ``InputError`` where there is no card with a name in it."""
    texts: dict[str, PrintedText] = {}
    findings: list[Finding] = []
    for at, row in enumerate(_rows(path, text), 1):
        values = {str(key).strip().lower(): value for key, value in row.items() if key is not None}
        name = _first(values, _NAMES)
        if not name:
            findings.append(Finding("no-name", at, f"entry {at} has no card name"))
            continue
        if name in texts:
            findings.append(Finding("card-twice", at, f"{name} is there twice; the later entry counts", name))
        before, errata = _first(values, _BEFORE), _first(values, _ERRATA)
        texts[name] = PrintedText(name, _first(values, _TEXTS), _first(values, _EFFECTS), before, errata)
    if not texts:
        raise InputError(path, "no card with a name was found", "Import a list of cards with name and text")
    return CardTexts(texts, tuple(findings))


def _rows(path: Path, text: str) -> Iterable[Mapping[str, Any]]:
    """The entries of a JSON list (or of the first list in a JSON object), or the rows of a CSV file."""
    if text.lstrip()[:1] in ("[", "{"):
        try:
            data = json.loads(text)
        except ValueError as problem:
            raise InputError(path, f"this is not JSON ({problem})", "Save it again") from problem
        if isinstance(data, dict):
            lists = [value for value in data.values() if isinstance(value, list)]
            data = (
                lists[0]
                if lists
                else [{"name": name, **value} for name, value in data.items() if isinstance(value, dict)]
            )
        return [one for one in data if isinstance(one, dict)]
    head = text.split("\n", 1)[0]
    mark = max(",;\t", key=head.count)
    return list(csv.DictReader(StringIO(text), delimiter=mark))


def _head(text: str) -> list[str]:
    """The first line's cells, whatever parts them."""
    line = text.lstrip("\ufeff").split("\n", 1)[0]
    return [cell.strip().lower() for cell in line.replace(";", ",").replace("\t", ",").split(",")]


def _first(values: Mapping[str, Any], names: Iterable[str]) -> str:
    """The first of these values that is there, as text."""
    for name in names:
        if (value := values.get(name)) not in (None, "", [], False):
            return "\n".join(map(str, value)) if isinstance(value, list) else str(value).strip()
    return ""
