"""A question as typed -> what it names and what is looked for.

Rule numbers, cards (also by nickname or misspelt), terms; the text with slang put into the rulebook's
words; the content words with typing errors mended against the words of our passages. Nothing here
decides what is right: a card that may be meant stays a candidate. Negation stays in the text.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from kb.ids import RuleRef, is_number
from kb.lookup import rule_exists, stored_names
from kb.mentions import How, Kind, Mention, Names, find_mentions, tokens
from kb.search.strangers import strange_names
from kb.search.words import STOP, WORD, Rarity, content, stem

LONGEST = 1200  # characters that are looked at: the beginning, and the end where people put the question
TAIL = 400
_TOURNAMENT = re.compile(r"\btournament|\btr\b", re.I)
_NAMED = re.compile(r"\b(tr|cr|tournament rules?|core rules?)[,:]?\s*(?:rule |section |number |§ ?)?$", re.I)
_DOCUMENTS = {"t": "tournament-", "c": "core-"}
_SENTENCE = re.compile(r"[^.?!\n]+[.?!]*")
_ASKS = re.compile(
    r"\?|^\s*(?:so |and |but )?(?:can|could|do|does|did|is|are|am|was|may|must|who|what|when|where|which|how|will|"
    r"would|should|if)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Query:
    """What a question names and how it reads."""

    text: str
    plain: str  # slang in the rulebook's words, typing errors mended, names of cards written out
    asks: str  # of a long text the part that asks, else nothing
    rules: tuple[RuleRef, ...] = ()
    missing: tuple[str, ...] = ()  # rule numbers that do not exist
    cards: tuple[str, ...] = ()
    maybe: tuple[str, ...] = ()  # cards that an ambiguous name can mean
    absent: tuple[str, ...] = ()  # champions of the setting whom no card of ours bears
    strange: tuple[str, ...] = ()  # what is written like a card's name and is none of ours
    terms: tuple[str, ...] = ()
    words: tuple[str, ...] = ()  # stems of content words, of names of cards too
    unknown: tuple[str, ...] = ()  # content words that neither our passages nor the language know
    names_only: bool = False  # a rule number or a card and nothing else
    left: tuple[str, ...] = ()  # stems of content words beside the rules and cards that are named

    @property
    def not_held(self) -> tuple[str, ...]:
        """Names of cards that are none of ours, as they are written."""
        return (*self.strange, *self.absent)


class Reader:
    """Reads questions against the names, slang and words of a store."""

    def __init__(self, con: sqlite3.Connection, rarity: Rarity, slang: Mapping[str, str]) -> None:
        self._con = con
        self._names: Names = stored_names(con)
        self._rarity = rarity
        self._slang = dict(slang)
        self._slang.update(_said_of_terms(con, self._slang))
        self._longest_slang: dict[str, int] = {}  # by the first word
        for said in self._slang:
            first, size = said.partition(" ")[0], said.count(" ") + 1
            self._longest_slang[first] = max(self._longest_slang.get(first, 0), size)
        self._documents = tuple(row[0] for row in con.execute("SELECT DISTINCT document FROM rule"))
        said = con.execute("SELECT value FROM meta WHERE key = 'absent'").fetchone()
        self._absent = {name: self._pattern(name) for name in (json.loads(said[0]) if said else ())}
        self._mended: dict[str, str] = {}
        self._known: dict[str, str] = {}

    def read(self, text: str) -> Query:
        """What ``text`` asks; only its beginning and its end are looked at where it is very long."""
        text = " ".join(text.split())
        if len(text) > LONGEST:
            text = f"{text[: LONGEST - TAIL]} {text[-TAIL:]}"
        whole = text.strip(" ?!.\"'").lower().removeprefix("core-1.4:")
        if is_number(whole):
            text = f"rule {whole}"
        found = find_mentions(text, self._names, lambda ref: rule_exists(self._con, ref), loose=True)
        rules = [self._in_its_document(m, text) for m in found if m.kind is Kind.RULE]
        cards = [m for m in found if m.kind is Kind.CARD]
        sure = dict.fromkeys(m.resolved for m in cards if m.resolved)
        maybe = dict.fromkeys(
            name for m in cards if not m.resolved and m.how is not How.DOUBTFUL for name in m.candidates
        )
        plain, unknown = self._plain(text, cards)
        left = _without(text, found)
        return Query(
            text=text,
            plain=plain,
            asks=_asking(text),
            rules=tuple(dict.fromkeys(RuleRef.parse(m.candidates[0]) for m in rules if m.how is not How.MISSING)),
            missing=tuple(m.candidates[0] for m in rules if m.how is How.MISSING),
            cards=tuple(name for name in sure if name),
            maybe=tuple(name for name in maybe if name not in sure),
            absent=tuple(name for name, pattern in self._absent.items() if pattern.search(text)),
            strange=strange_names(text, tokens(text), found, self._known_word),
            terms=tuple(dict.fromkeys(m.candidates[0] for m in found if m.kind is Kind.TERM)),
            words=tuple(content(plain)),
            unknown=unknown,
            names_only=not content(left) or content(left) == ["rule"],
            left=tuple(content(left)),
        )

    @cached_property
    def _stems_of_names(self) -> frozenset[str]:
        """Stems of the words of all names of cards and terms, and of the ordinary words of the rules."""
        said = {word for key in self._names.keys for word in key.split()} | self._names.ordinary
        return frozenset(stem(word) for word in said)

    def _known_word(self, word: str) -> bool:
        """Whether the rules, the names of our cards or players' slang use a word."""
        return stem(word) in self._stems_of_names or word in self._slang

    def _pattern(self, name: str) -> re.Pattern[str]:
        """A name as it is written; one that is also a word of the language only with a capital within a sentence."""
        spelt = re.escape(name).replace("'", "['’]?")
        if any(word.lower() in self._names.common for word in name.split()) or stem(name.lower()) in self._names.common:
            return re.compile(rf"(?<=[a-z,;:] ){spelt}\b")
        return re.compile(rf"\b{spelt}\b", re.I)

    def _in_its_document(self, mention: Mention, text: str) -> Mention:
        """A bare number of the Tournament Rules, where the text speaks of them or the Core Rules lack it.

        Where the document stands before the number ("TR 811.2", "tournament rule 811.2") no other is looked at.
        """
        said = RuleRef.parse(mention.candidates[0])
        if mention.text.startswith(("core-", "tournament-")):
            return mention
        named = _NAMED.search(text[: mention.start])
        if named:
            begins = _DOCUMENTS[named.group(1)[0].lower()]
            document = next((one for one in self._documents if one.startswith(begins)), said.document)
            ref = RuleRef(document, said.number)
            how = How.EXACT if rule_exists(self._con, ref) else How.MISSING
            return replace(mention, how=how, candidates=(str(ref),))
        speaks = _TOURNAMENT.search(text)
        for document in self._documents if speaks or mention.how is How.MISSING else ():
            other = RuleRef(document, said.number)
            if document != said.document and rule_exists(self._con, other):
                return replace(mention, how=How.EXACT, candidates=(str(other),))
        return mention

    def plain(self, text: str) -> str:
        """The text in the rulebook's words; remembered, since the questions of records come again and again."""
        if text not in self._known:
            found = find_mentions(text, self._names, loose=True)
            self._known[text] = self._plain(text, [m for m in found if m.kind is Kind.CARD])[0]
        return self._known[text]

    def _plain(self, text: str, cards: list[Mention]) -> tuple[str, tuple[str, ...]]:
        """The text in the rulebook's words, and the words that nobody knows."""
        out, unknown = [], []
        pieces = list(WORD.finditer(text))
        at, last = 0, 0
        while at < len(pieces):
            start = pieces[at].start()
            out.append(text[last:start])
            card = next((m for m in cards if m.start <= start < m.end), None)
            if card:
                while at < len(pieces) and pieces[at].start() < card.end:
                    at += 1
                out.append(card.resolved or text[card.start : card.end])
                last = max(card.end, start)
                continue
            size, instead = self._slang_at(text, pieces, at)
            if not size:
                size, instead = 1, self._mend(pieces[at].group())
                if not instead:
                    unknown.append(pieces[at].group().lower())
            out.append(instead or pieces[at].group())
            at += size
            last = pieces[at - 1].end()
        out.append(text[last:])
        return "".join(out), tuple(dict.fromkeys(unknown))

    def _slang_at(self, text: str, pieces: list[re.Match[str]], at: int) -> tuple[int, str]:
        """How many words from here are slang, and the rulebook's words for them."""
        longest = self._longest_slang.get(_slang_word(pieces[at]), 0)
        for size in range(min(longest, len(pieces) - at), 0, -1):
            said = " ".join(_slang_word(piece) for piece in pieces[at : at + size])
            if said in self._slang:
                return size, self._slang[said]
        return 0, ""

    def _mend(self, word: str) -> str:
        """The word itself where it is known, the nearest known word, or nothing."""
        said = word.lower()
        if len(said) < 4 or said.replace("'", "").replace("’", "") in STOP or not said.isalpha():
            return word
        if self._rarity.knows(said):
            return word
        if said not in self._mended:
            common = said in self._names.common or stem(said) in self._names.common
            self._mended[said] = word if common else self._nearest(said)
        return self._mended[said]

    def _nearest(self, said: str) -> str:
        from rapidfuzz import process
        from rapidfuzz.distance import DamerauLevenshtein

        known = [w for w in self._rarity.counts if abs(len(w) - len(said)) <= 2 and len(w) > 3 and w[0] == said[0]]
        found = process.extractOne(
            said, known, scorer=DamerauLevenshtein.distance, score_cutoff=1 if len(said) < 7 else 2
        )
        return str(found[0]) if found else ""


def _slang_word(piece: re.Match[str]) -> str:
    return piece.group().lower().replace("'", "")


def _said_of_terms(con: sqlite3.Connection, slang: Mapping[str, str]) -> dict[str, str]:
    """What players say for the terms of the glossary: the term is added to what was said."""
    found = {}
    for name, kind, record in con.execute("SELECT term, kind, json FROM term"):
        if kind == "symbol":
            continue
        for said in json.loads(record)["says"]:
            key = said.lower().replace("'", "")
            if key not in slang:
                found[key] = f"{said} ({name})"
    return found


def _asking(text: str) -> str:
    """The part of a long text that asks something."""
    if len(text) < 160:
        return ""
    sentences = [one.strip() for one in _SENTENCE.findall(text) if one.strip()]
    asking = [one for one in sentences if _ASKS.search(one)]
    return " ".join((asking or sentences[-1:])[-2:]) if len(sentences) > 1 else ""


def _without(text: str, found: tuple[Mention, ...]) -> str:
    """The text without the rules and cards that it names."""
    for mention in reversed(found):
        if mention.kind is not Kind.TERM:
            text = text[: mention.start] + " " + text[mention.end :]
    return text
