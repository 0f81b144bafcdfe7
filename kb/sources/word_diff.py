"""Two wordings of a rule, word by word, and how much the change matters.

The weight is a reading aid, not a judgement: words that grant, forbid, count or time weigh most, terms
of the game more than small words, examples little, and quotes, case and stops nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

from rapidfuzz.distance import Indel

from kb.model import PartKind, Rule
from kb.sources.words import plain, without_pointers

KEPT, DELETED, INSERTED = "same", "deleted", "inserted"

_SMALL = frozenset("a an the of to in on at by for with and or as is are be it its that this these those".split())
_GRAVE = frozenset(
    "may must can cannot can't "
    "could not no never unless only except instead if when whenever until before after during "
    "each all any every both either neither none once twice first last next would up least most more fewer less than "
    "player opponent controller owner turn".split()
)
_STRIP = re.compile(r"^[^\w\[+-]+|[^\w\]]+$")


@dataclass(frozen=True, slots=True)
class Stretch:
    """Words that stand in both wordings, or in one of them."""

    side: str
    text: str


def diff_words(old: str, new: str, *, pointers: bool = False) -> tuple[Stretch, ...]:
    """The stretches of words in order; pointers that only follow a renumbering count as the same, unless asked for."""
    before, after = old.split(), new.split()
    keys = _keys(old, pointers), _keys(new, pointers)
    if len(keys[0]) != len(before) or len(keys[1]) != len(after):
        keys = [plain(word) for word in before], [plain(word) for word in after]
    found: list[Stretch] = []
    for code in Indel.opcodes(keys[0], keys[1]):
        if code.tag == "equal":
            found.append(Stretch(KEPT, " ".join(after[code.dest_start : code.dest_end])))
        elif code.tag == "delete":
            found.append(Stretch(DELETED, " ".join(before[code.src_start : code.src_end])))
        else:
            found.append(Stretch(INSERTED, " ".join(after[code.dest_start : code.dest_end])))
    return tuple(_swapped(found))


def _keys(text: str, pointers: bool) -> list[str]:
    said = " ".join(text.split())
    return [plain(word) for word in (said if pointers else without_pointers(said)).split()]


def _swapped(stretches: list[Stretch]) -> list[Stretch]:
    """Deleted before inserted, wherever both stand between the same words."""
    found: list[Stretch] = []
    for one in stretches:
        if found and one.side == DELETED and found[-1].side == INSERTED:
            found.insert(len(found) - 1, one)
        else:
            found.append(one)
    return found


def weight(old: Rule, new: Rule) -> float:
    """How much a rewording matters, between 0 and 1."""
    told = _points(_said(old, examples=False), _said(new, examples=False))
    shown = _points(_said(old, examples=True), _said(new, examples=True))
    return round(1 - exp(-(told + 0.25 * min(shown, 8.0)) / 4), 2)


def _said(rule: Rule, *, examples: bool) -> str:
    shown = (PartKind.EXAMPLE, PartKind.REMINDER, PartKind.NOTE)
    parts = [part.text for part in rule.parts if part.kind is not PartKind.POINTER and (part.kind in shown) == examples]
    return " ".join(parts)


def _points(old: str, new: str) -> float:
    """The weights of the words that only one wording has, each counted on the side that has more of it."""
    stretches = diff_words(old, new)
    gone = _words([one.text for one in stretches if one.side == DELETED])
    come = _words([one.text for one in stretches if one.side == INSERTED])
    for word in list(gone):
        if word in come:  # moved, or only its case or stop changed
            gone.remove(word)
            come.remove(word)
    return max(sum(map(_word_weight, gone)), sum(map(_word_weight, come)))


def _words(texts: Sequence[str]) -> list[str]:
    return [said for text in texts for word in plain(text).split() if (said := _STRIP.sub("", word).lower())]


def _word_weight(word: str) -> float:
    if word in _SMALL:
        return 0.1
    if word in _GRAVE or any(letter.isdigit() for letter in word):
        return 1.5
    return 1.0 if word.startswith("[") else 0.6
