"""Questions that ask what a term means or how it works: "how does deflect work", "what is a showdown", "recall"."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Container, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from kb.search.query import Query
from kb.search.words import content, stem, words

_ASKS = re.compile(
    r"^(?:(?:so|ok|okay|hey|hi|and|wait|um|please)[ ,]+)*"
    r"(?:what(?:['’]?s| is| are| does| do)?|how (?:do|does|is|are)|explain|define|describe|tell me|definition of|"
    r"meaning of|can (?:someone|you|anyone) explain|remind me)\b",
    re.I,
)
_ONE_WORD = re.compile(r"\w+")
GENERIC = frozenset(
    stem(word)
    for word in (
        "work works mean means meaning keyword keywords rule rules mechanic mechanics ability exactly again definition "
        "define explain describe tell remind someone anyone basically happen happens during riftbound"
    ).split()
)


@dataclass(frozen=True, slots=True)
class Term:
    """An entry of the glossary, as it answers."""

    name: str
    sentence: str
    rules: tuple[str, ...]


class Terms:
    """The glossary of one store, by the words that name its entries.

    What people say instead counts too where the rules do not use that word for something else ("attack").
    """

    def __init__(self, con: sqlite3.Connection) -> None:
        self._con = con
        self._by_words: dict[frozenset[str], Term] = {}
        rows = con.execute("SELECT term, json FROM term WHERE kind <> 'symbol' ORDER BY term").fetchall()
        records = [(name, json.loads(record)) for name, record in rows]
        self._words = {name: [name, *record["says"]] for name, record in records}
        for name, record in records:
            self._by_words.setdefault(_key(name), _term(name, record))
        self._said = [(name, slang, _key(slang)) for name, record in records for slang in record["says"]]
        self._keys = self._by_words.keys() | {key for _, _, key in self._said}

    @cached_property
    def _slang(self) -> dict[frozenset[str], Term]:
        """What people say and the rules do not, and no entry is named; all rules are looked through for it."""
        said = {row[0].lower() for row in self._con.execute("SELECT statement FROM rule")}
        whole = " ".join(said)
        alone = frozenset(re.findall(r"\w+", whole))
        found: dict[frozenset[str], Term] = {}
        for name, slang, key in self._said:
            if key not in self._by_words and not _has(whole, alone, slang.lower()):
                found.setdefault(key, self._by_words[_key(name)])
        return found

    def _of(self, key: frozenset[str]) -> Term | None:
        """The entry of this name, or that people mean by these words."""
        return (self._by_words.get(key) or self._slang.get(key)) if key in self._keys else None

    def named(self, name: str) -> Term | None:
        """The entry of this name."""
        return self._of(_key(name))

    def words_of(self, term: Term) -> list[str]:
        """How a term is said: its name, and what people say instead."""
        return self._words[term.name]

    def by_slang(self, query: Query) -> bool:
        """Whether a question names its term by a word that may be another game's ("ward")."""
        key = _key(query.text) - GENERIC
        return key in self._keys and key in self._slang

    def asked(self, query: Query) -> Term | None:
        """The one term that a question asks about, where it asks about nothing else."""
        if query.cards or query.maybe or query.rules:
            return None
        term = self._of(_key(query.text) - GENERIC)
        if term is None or not _named(self._words[term.name], query.text):
            return None
        alone = self._of(_key(query.text)) is not None and len(words(query.text)) <= LONGEST
        return term if alone or _ASKS.search(query.text) else None


LONGEST = 3
"""Words of a term that is typed alone."""


def _named(names: Iterable[str], text: str) -> bool:
    """Whether a text has the words of one of the names, or forms of them that go on from there."""
    typed = words(text)
    return any(all(any(one.startswith(word) for one in typed) for word in words(name)) for name in names)


def _has(text: str, alone: Container[str], words: str) -> bool:
    """Whether a text, whose words are ``alone``, has these as whole words; what is quick comes first."""
    if words in alone:
        return True
    return not _ONE_WORD.fullmatch(words) and words in text and re.search(rf"\b{re.escape(words)}\b", text) is not None


def _key(text: str) -> frozenset[str]:
    return frozenset(content(text))


def _term(name: str, record: dict[str, Any]) -> Term:
    denied = f" It is not {record['is_not']}." if record["is_not"] else ""
    return Term(name, f"{name}: {record['means']}{denied}", tuple(record["rules"]))
