"""Which words each of many texts holds, as arrays: every text is read once, all counts are made of the result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kb.search.words import STOP, stem, words

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Pairs:
    """Owners (texts, passages, records) and what each of them holds, by number; each pair once, ordered by owner."""

    owners: Numbers
    held: Numbers

    @classmethod
    def of(cls, owners: Numbers, held: Numbers) -> Pairs:
        """From pairs in any order, some of them several times."""
        width = int(held.max(initial=0)) + 1
        keys = np.sort(owners * width + held)  # sorting and comparing takes a fifth of the time of numpy's unique
        return cls(*np.divmod(keys[np.concatenate([[True], keys[1:] != keys[:-1]])[: len(keys)]], width))

    def joined(self, other: Pairs) -> Pairs:
        """What is held by the one or the other."""
        return Pairs.of(np.concatenate([self.owners, other.owners]), np.concatenate([self.held, other.held]))

    def handed(self, to: Numbers) -> Pairs:
        """What each of the new owners holds by the owner named for it: number ``n`` gets what ``to[n]`` held."""
        starts = np.searchsorted(self.owners, to)
        counts = np.searchsorted(self.owners, to, side="right") - starts
        new = np.repeat(np.arange(len(to)), counts)
        within = np.arange(len(new)) - np.repeat(np.cumsum(counts) - counts, counts)
        return Pairs(new, self.held[np.repeat(starts, counts) + within])

    def only(self, wanted: npt.NDArray[np.bool_]) -> Pairs:
        """The pairs of those owners for which ``wanted`` is true."""
        kept = wanted[self.owners]
        return Pairs(self.owners[kept], self.held[kept])

    def counted(self, size: int) -> Numbers:
        """By how many owners each of ``size`` things is held."""
        return np.bincount(self.held, minlength=size)


class Tally:
    """The words of texts and their stems, numbered: words as they were met, stems by the alphabet."""

    def __init__(self, texts: Iterable[str]) -> None:
        numbers: dict[str, int] = {}
        met: list[int] = []
        lengths: list[int] = []
        for text in texts:
            found = words(text)
            lengths.append(len(found))
            met += [numbers.setdefault(word, len(numbers)) for word in found]
        self.words = list(numbers)
        of_words = [stem(word) for word in self.words]
        self.stems: Sequence[str] = sorted(set(of_words))
        place = {one: at for at, one in enumerate(self.stems)}
        self._stem = np.array([place[one] for one in of_words], np.int64)
        self._matter = np.array([word not in STOP for word in self.words], bool)
        self.held = Pairs.of(np.repeat(np.arange(len(lengths)), lengths), np.array(met, np.int64))

    def matter(self, pairs: Pairs) -> Pairs:
        """The stems of those words that carry matter."""
        carries = self._matter[pairs.held]
        return Pairs.of(pairs.owners[carries], self._stem[pairs.held[carries]])

    def by_word(self, pairs: Pairs) -> dict[str, int]:
        """How many owners hold each word."""
        counts = pairs.counted(len(self.words)).tolist()
        return {word: count for word, count in zip(self.words, counts, strict=True) if count}

    def by_stem(self, pairs: Pairs) -> dict[str, int]:
        """How many owners hold each stem, of pairs that ``matter`` made."""
        counts = pairs.counted(len(self.stems)).tolist()
        return {one: count for one, count in zip(self.stems, counts, strict=True) if count}
