"""Two questions side by side: how likely it is that one word answers both, as numbers.

``columns`` compares a question asked with a labelled one: likeness, the words that they share and that only one of
them has, numbers, negations, and words that turn a question around. A learnt model (``weights.json``, ``pair``)
makes a chance of them; ``benchmarks/learn.py`` learns it from the labelled questions of ``rules/questions/``, each
set beside those most like it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from kb.answer.polarity import Form, Reading, asking_clause, read, turns
from kb.search.words import STOP, content, words

_MARKED = (
    "still", "only", "before", "after", "both", "my", "opponent", "not", "first", "until", "without", "more", "free",
    "same", "other",
)  # fmt: skip
NAMES = (
    "like", "telling", "rank", "behind", "in_record", "shared", "only_asked", "only_other", "share_asked",
    "share_other", "clause_asked", "clause_other", "count_asked", "count_other", "turns", "opposites", "negated",
    "same_form", "function_words", "words_asked", "words_other", "length_asked", "length_other", "turned_like",
    "numbers_differ", *(f"marked_{word}" for word in _MARKED),
)  # fmt: skip
_NUMBERS = {
    word: str(at)
    for at, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
} | {"once": "1", "twice": "2", "second": "2", "third": "3", "single": "1", "double": "2"}
_DIGITS = re.compile(r"\d+")
_TINY = 1e-6


@dataclass(frozen=True, slots=True)
class Phrase:
    """A question as it is compared."""

    reading: Reading
    stems: frozenset[str]
    clause: frozenset[str]
    words: frozenset[str]
    function: frozenset[str]
    numbers: frozenset[str]
    length: int


@dataclass(frozen=True, slots=True)
class Near:
    """Where a labelled question stands among those most like the one asked."""

    like: float  # cosine of the vectors
    telling: float  # the same after taking away what the questions of the record share
    rank: int
    behind: float  # how much less like it is than the most like
    in_record: bool  # whether it belongs to the record that answers


def phrase(plain: str) -> Phrase:
    """A question, in the rulebook's words, made ready for comparing."""
    said = words(plain)
    numbers = {_NUMBERS.get(word, word) for word in said if word in _NUMBERS or _DIGITS.fullmatch(word)}
    return Phrase(
        read(plain),
        frozenset(content(plain)),
        frozenset(content(asking_clause(plain))),
        frozenset(said),
        frozenset(word for word in said if word in STOP),
        frozenset(numbers),
        len(said),
    )


def columns(asked: Phrase, other: Phrase, near: Near, rarity: Callable[[str], float]) -> list[float]:
    """The columns of ``NAMES``; ``rarity`` tells how telling a stem is."""

    def weight(stems: frozenset[str]) -> float:
        return sum(map(rarity, stems))

    shared = weight(asked.stems & other.stems)
    left, right = asked.stems - other.stems, other.stems - asked.stems
    only_left, only_right = weight(left), weight(right)
    clause = weight(asked.clause & other.clause)
    turned = turns(asked.reading, other.reading)
    negated = asked.reading.negated != other.reading.negated
    return [
        near.like,
        near.telling,
        near.rank,
        near.behind,
        near.in_record,
        shared,
        only_left,
        only_right,
        shared / (shared + only_left + _TINY),
        shared / (shared + only_right + _TINY),
        clause / (weight(asked.clause) + _TINY),
        clause / (weight(other.clause) + _TINY),
        len(left),
        len(right),
        turned,
        turned - negated,
        negated,
        asked.reading.form is other.reading.form,
        len(asked.function & other.function) / (len(asked.function | other.function) + _TINY),
        len(asked.words - other.words),
        len(other.words - asked.words),
        asked.length,
        other.length,
        near.like * (-1 if turned % 2 else 1),
        bool(asked.numbers and other.numbers and asked.numbers != other.numbers),
        *((word in asked.words) != (word in other.words) for word in _MARKED),
    ]


def wants_value(asked: Phrase) -> bool:
    """Whether a value is wanted (who, when, how many) and not a yes or no."""
    return asked.reading.form is Form.VALUE
