"""The word of an answer: what the records say for the question *as asked*.

A ruling's review answers its first question; ``rules/questions/`` holds further questions with the word that
answers each by the rules in force. The word is taken from the question that is most like the one asked, where what the
questions of one record have in common (the cards, the situation) counts for little and what tells them apart
counts for much. A question that asks the same thing the other way round gives the opposite word. Where the best
question for "yes" and the best for "no" are about equally like, no word is claimed.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kb.answer.polarity import Form, Reading, asking_clause, opposed, read, turns
from kb.answer.reply import UNSAID
from kb.search.searcher import Searcher, Target
from kb.search.words import content

BARE = ("yes", "no")
EITHER = ("depends", "open")
COMMON = 0.8  # how much of what the questions of a record share is taken away
TURNED = 0.3  # what a question loses that asks the other way round
OTHER_FORM = 0.1
NO_OTHER = 0.9  # the score of the opposite word where no question stands for it
START, OF_MARGIN = 0.8, 4.2
WEIGHTS = (1.0, 0.5, 0.5, 1.0)  # likeness of the clause, of what tells apart; words of the one, of the other


@dataclass(frozen=True, slots=True)
class Labelled:
    """A question of a record with the word that answers it."""

    question: str
    verdict: str
    vector: npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Word:
    """The word, how sure it is, and the question that it was taken from."""

    verdict: str
    margin: float
    score: float = 0.0
    question: str = ""

    @property
    def chance(self) -> float:
        """The chance that the word is right: logistic in the margin, fitted on the tuning half."""
        return 1.0 / (1.0 + math.exp(-(START + OF_MARGIN * min(self.margin, 0.8))))


class Verdicts:
    """The labelled questions of a store."""

    def __init__(self, searcher: Searcher) -> None:
        self._searcher = searcher
        index = searcher.index
        self._rows: dict[int, list[tuple[int, int, str]]] = {}
        for row, at in enumerate(index.rows):
            entry = index.entries[at]
            if entry.question:
                self._rows.setdefault(entry.target, []).append((row, entry.id, entry.part))

    def of(self, target: Target) -> list[Labelled]:
        """The questions of a record that have a word, the record's own first."""
        index = self._searcher.index
        found = []
        for row, passage, part in self._rows.get(index.number.get(target, -1), []):
            name, _, rest = part.partition(":")
            verdict = rest.partition(":")[2] if name == "asked" else self._own(target) if part == "question:1" else ""
            if verdict:
                text = index.con.execute("SELECT text FROM passage WHERE id = ?", (passage,)).fetchone()[0]
                found.append(Labelled(text, verdict, index.vector(row)))
        return found

    def _own(self, target: Target) -> str:
        """The word of a ruling's review, which answers its first question."""
        row = self._searcher.con.execute("SELECT json FROM ruling WHERE id = ?", (target.id,)).fetchone()
        review = json.loads(row[0])["review"] if row else None
        return str(review["verdict"]) if review else ""

    def decide(self, question: str, plain: str, targets: Sequence[Target]) -> Word:
        """The word for a question that these records answer; ``UNSAID`` where none is safe."""
        labelled = [one for target in targets for one in self.of(target)]
        if not labelled:
            return Word(UNSAID, 0.0)
        scores = self.scores(plain, labelled)
        wants_value = read(plain).form is Form.VALUE
        best: dict[str, tuple[float, str]] = {}
        for score, turned, one in scores:
            word = opposed(one.verdict) if turned else one.verdict
            if (word in BARE) is wants_value and word not in EITHER:
                continue
            if score > best.get(word, (-math.inf, ""))[0]:
                best[word] = (score, one.question)
        if not best:
            return Word(UNSAID, 0.0)
        order = sorted(best, key=lambda word: -best[word][0])
        first, second = order[0], best[order[1]][0] if len(order) > 1 else -math.inf
        return Word(first, best[first][0] - max(second, NO_OTHER), best[first][0], best[first][1])

    def scores(self, plain: str, labelled: Sequence[Labelled]) -> list[tuple[float, bool, Labelled]]:
        """How like each labelled question is, and whether it asks the other way round."""
        clause = asking_clause(plain)
        encoded = self._searcher.encoder.encode([plain, clause])
        matrix = np.array([one.vector for one in labelled])
        common = COMMON * matrix.mean(axis=0)
        alike = matrix @ encoded[1]
        telling = _unit(matrix - common) @ _unit(encoded[:1] - common)[0]
        asked = read(plain)
        said = frozenset(content(plain))
        readings = [self._read(one.question) for one in labelled]
        stems = [frozenset(content(self._plain(one.question))) for one in labelled]
        counts = Counter(stem for one in stems for stem in one)
        rarity = {s: math.log((len(labelled) + 1) / (counts.get(s, 0) + 0.5)) for s in said.union(*stems)}
        found = []
        for at, one in enumerate(labelled):
            shared = sum(rarity[stem] for stem in said & stems[at])
            own = shared / (sum(rarity[stem] for stem in stems[at]) + 1e-6)
            mine = shared / (sum(rarity[stem] for stem in said) + 1e-6)
            score = sum(w * v for w, v in zip(WEIGHTS, (alike[at], telling[at], own, mine), strict=True))
            turned = turns(asked, readings[at])
            score -= TURNED * bool(turned) + OTHER_FORM * (asked.form is not readings[at].form)
            if one.verdict in ("yes", "no") and asked.form is Form.VALUE:
                score -= OTHER_FORM
            found.append((float(score), turned == 1 and own > 0.6 and mine > 0.6, one))
        return found

    def _read(self, question: str) -> Reading:
        return read(self._plain(question))

    def _plain(self, question: str) -> str:
        return self._searcher.reader.plain(question)


def _unit(rows: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6), np.float32)
