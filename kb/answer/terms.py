"""Questions that ask what a term means or how it works: "how does deflect work", "what is a showdown", "recall"."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Container, Iterable
from dataclasses import dataclass
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
_GENERIC = frozenset(
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
        self._by_words: dict[frozenset[str], Term] = {}
        self._slang: set[frozenset[str]] = set()
        rows = con.execute("SELECT term, json FROM term WHERE kind <> 'symbol' ORDER BY term").fetchall()
        said = {row[1].lower() for row in con.execute("SELECT document, statement FROM rule")}
        whole = " ".join(said)
        alone = frozenset(re.findall(r"\w+", whole))
        self._words: dict[str, list[str]] = {}
        for name, record in rows:
            self._by_words.setdefault(_key(name), _term(name, json.loads(record)))
            self._words[name] = [name]
        for name, record in rows:
            for slang in json.loads(record)["says"]:
                self._words[name].append(slang)
                if not _has(whole, alone, slang.lower()):
                    self._slang |= {_key(slang)} - self._by_words.keys()
                    self._by_words.setdefault(_key(slang), self._by_words[_key(name)])

    def named(self, name: str) -> Term | None:
        """The entry of this name."""
        return self._by_words.get(_key(name))

    def by_slang(self, query: Query) -> bool:
        """Whether a question names its term by a word that may be another game's ("ward")."""
        return _key(query.text) - _GENERIC in self._slang

    def asked(self, query: Query) -> Term | None:
        """The one term that a question asks about, where it asks about nothing else."""
        if query.cards or query.maybe or query.rules:
            return None
        term = self._by_words.get(_key(query.text) - _GENERIC)
        if term is None or not _named(self._words[term.name], query.text):
            return None
        alone = _key(query.text) in self._by_words and len(words(query.text)) <= LONGEST
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
