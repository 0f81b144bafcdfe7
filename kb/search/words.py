"""Words as search sees them: content words, stems, and how rare each is in our passages."""

from __future__ import annotations

import json
import math
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")

# Words that carry no matter of the rules. "no", "not", "can", "may", "must", "before" and the like are
# not matter either; the polarity of an answer looks at them by itself.
STOP = frozenset(
    "a about actually after again all also am an and another any anyway are as at back be because been before being "
    "both but by can cant could couldnt did didnt do does doesnt doing done dont each either else ever every for from "
    "get gets getting go goes going gonna got had has have havent having he her here him his how i id if ill im in "
    "into is isnt it its ive just know let like lol lot may me mean mine more most much must my myself need no nor not "
    "now of off oh ok okay on one ones only or other our out over own pls please pretty put question quick really "
    "right said same say says see she should shouldnt so some someone something still such sure than that thats the "
    "their them then there these they thing things think this those though through to too u up ur us use using very "
    "want was wasnt way we well went were what whats when where whether which while who whom whos whose why will "
    "with without wont work works would wouldnt wtf yeah yes yet you your youre".split()
)
COMMON = 0.12  # of the passages: words in more of them find little
_SUFFIXES = (
    ("ations", "ate"), ("ation", "ate"), ("ies", "y"), ("ied", "y"), ("sses", "ss"), ("shes", "sh"), ("ches", "ch"),
    ("xes", "x"), ("ing", ""), ("ers", ""), ("er", ""), ("ed", ""), ("es", ""), ("ly", ""), ("s", ""), ("e", ""),
)  # fmt: skip


def words(text: str) -> list[str]:
    """The words of a text in lower case, without apostrophes."""
    return [word.replace("'", "").replace("’", "") for word in WORD.findall(text.lower())]


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """A word without its ending, roughly: "scoring", "scores" and "scored" give one stem."""
    if len(word) < 4 or word.isdigit():
        return word
    for ending, instead in _SUFFIXES:
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            base = word[: -len(ending)] + instead
            if len(base) > 3 and base[-1] == base[-2] and base[-1] not in "lse":
                base = base[:-1]
            return base[:-1] if base.endswith("e") and len(base) > 3 else base
    return word


def content(text: str) -> list[str]:
    """Stems of the words that carry matter, each once, in order."""
    return list(dict.fromkeys(stem(word) for word in words(text) if word not in STOP))


class Sides:
    """In how many passages each stem occurs: in those that answer something, and in questions that nothing answers."""

    def __init__(self, answered: Mapping[str, int], refused: Mapping[str, int]) -> None:
        self._answered, self._refused = answered, refused

    def of(self, stemmed: str) -> tuple[int, int]:
        """Passages that answer, and refused questions, with this stem."""
        return self._answered.get(stemmed, 0), self._refused.get(stemmed, 0)

    def without(self, answered: Iterable[str], refused: Iterable[str]) -> Sides:
        """The same as if these texts were not there."""
        return Sides(Counter(self._answered) - count_stems(answered), Counter(self._refused) - count_stems(refused))


def count_stems(texts: Iterable[str]) -> Counter[str]:
    """In how many texts each stem of a word that carries matter occurs."""
    found: Counter[str] = Counter()
    for text in texts:
        found.update(content(text))
    return found


def stems_of(counts: Mapping[str, int]) -> dict[str, int]:
    """The counts of words, by stem."""
    found: Counter[str] = Counter()
    for word, count in counts.items():
        found[stem(word)] += count
    return dict(found)


class Rarity:
    """Inverse document frequency of stems (Sparck Jones 1972), in the smoothed form of BM25."""

    def __init__(self, counts: Mapping[str, int], texts: int, stems: Mapping[str, int] | None = None) -> None:
        self.counts = counts
        self._texts = max(1, texts)
        self._stems = stems_of(counts) if stems is None else stems

    def knows(self, word: str) -> bool:
        """Whether a word, or another with its stem, occurs in our passages."""
        return word in self.counts or stem(word) in self._stems

    def share(self, stemmed: str) -> float:
        """In how many of all passages a stem occurs, roughly: those with two forms of it count twice."""
        return self._stems.get(stemmed, 0) / self._texts

    def of(self, stemmed: str) -> float:
        """How telling a stem is; one that occurs nowhere is as telling as the rarest."""
        count = min(self._stems.get(stemmed, 1), self._texts)
        return math.log(1 + (self._texts - count + 0.5) / (count + 0.5))


def stored_sides(con: sqlite3.Connection) -> Sides:
    """The counts of stems that the layer of vectors wrote."""
    said = dict(con.execute("SELECT name, value FROM vectors WHERE name IN ('answered', 'refused')"))
    return Sides(json.loads(said["answered"]), json.loads(said["refused"]))


def stored_rarity(con: sqlite3.Connection) -> Rarity:
    """The counts that the layer of vectors wrote."""
    said = dict(con.execute("SELECT name, value FROM vectors WHERE name IN ('words', 'texts', 'stems')"))
    return Rarity(json.loads(said["words"]), int(said["texts"]), json.loads(said["stems"]))
