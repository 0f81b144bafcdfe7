"""The word of an answer: what the records say for the question *as asked*.

A ruling's review answers its first question; ``rules/questions/`` holds further questions with the word that
answers each by the rules in force, mostly each fact in both directions. The evidence for "yes" and for "no" is
gathered from the labelled questions most like the one asked, over the record that answers and those that come
next to it: how like each is, and how likely it is that the two have the same word (``kb.answer.pairs``); and from the
records themselves, which the cross-encoder has read beside the question. What the
questions of one record have in common (the cards, the situation) counts for little, what tells them apart for much.

A learnt model (``weights.json``: ``word``, ``sure``) makes of it the chance that the word is right; below a
threshold none is claimed. Words that are neither yes nor no (depends, who, how many) come from the nearest
labelled question alone.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kb.answer.pairs import NAMES as PAIR
from kb.answer.pairs import Near, Phrase, columns, phrase
from kb.answer.polarity import Form, ambiguous, asking_clause, opposed, turns
from kb.answer.reply import UNSAID
from kb.search.index import Floats
from kb.search.ranker import load_model
from kb.search.reranker import Read
from kb.search.searcher import Found, Searcher, Target
from kb.search.words import content

BARE = ("yes", "no")
EITHER = ("depends", "open")
COMMON = 0.8  # how much of what the questions of a record share is taken away
TURNED = 0.3  # what a question loses that asks the other way round
OTHER_FORM = 0.1
NO_OTHER = 0.9  # the score of the opposite word where no question stands for it
WIDEST = 0.8  # margins are not told apart beyond this
START, OF_MARGIN = 0.8, 4.2  # chance of a word that is neither yes nor no: logistic in its margin
WEIGHTS = (1.0, 0.5, 0.5, 1.0)  # likeness of the clause, of what tells apart; words of the one, of the other
NEAREST = 25  # labelled questions that are compared in pairs
RECORDS = 5  # the best records whose labelled questions are looked at
SHARP = (12.0, 30.0)  # how quickly evidence fades with likeness
VIEWS = ("plain", "clause", "whole")
EVIDENCE = (
    "margin",
    *(f"near_{view}_{sharp:.0f}_{scope}" for view in VIEWS for sharp in SHARP for scope in ("record", "all")),
    "read", "read_all", "pairs", "pairs_sum",
)  # fmt: skip
FEWEST_MOST = (0.02, 0.98)  # no pair counts as surer than this
LEAST = 0.02  # what a record counts at least
OPTIMISM = 0.25  # log-odds that folds promise too much, by questions of two new authors (docs/evaluation.md)
SURE_COLUMNS = ("strength", "record", "second", "like")


@dataclass(frozen=True, slots=True)
class Labelled:
    """A question of a record with the word that answers it."""

    question: str
    verdict: str
    vector: npt.NDArray[np.float32]
    target: Target


@dataclass(frozen=True, slots=True)
class Word:
    """The word, the chance that it is right, and the question that speaks most for it."""

    verdict: str
    chance: float = 0.0
    question: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the labelled questions most like the one asked say, the most like first."""

    near: Floats  # the columns of ``EVIDENCE`` but for the last two: above 0 for "yes", below for "no"
    pairs: Floats  # one row of ``kb.answer.pairs`` for each
    signs: Floats  # 1 where its word is yes, -1 where it is no
    fades: Floats  # how much each counts
    questions: tuple[str, ...]
    like: float  # likeness of the most like

    def columns(self, same: Floats) -> Floats:
        """The columns of ``EVIDENCE``; ``same`` is the chance of each pair to have one word."""
        says = self._says(same)
        total = float(says.sum())
        return np.array([*self.near, total / float(self.fades.sum()), total / 2], np.float32)

    def best(self, same: Floats, word: str) -> str:
        """The question that speaks most for a word."""
        return self.questions[int((self._says(same) * (1 if word == "yes" else -1)).argmax())]

    def _says(self, same: Floats) -> Floats:
        kept = np.clip(same, *FEWEST_MOST)
        says: Floats = np.log(kept / (1 - kept)) * self.signs * self.fades
        return says


class Verdicts:
    """The labelled questions of a store."""

    def __init__(self, searcher: Searcher, *, learnt: bool = True) -> None:
        """Without what was learnt only evidence can be gathered: to learn from."""
        self._searcher = searcher
        self._held: dict[Target, list[Labelled]] = {}
        self._phrases: dict[str, Phrase] = {}
        self._pair = load_model("pair", PAIR) if learnt else None
        self._word = load_model("word", EVIDENCE) if learnt else None
        self._sure = load_model("sure", SURE_COLUMNS) if learnt else None

    def of(self, target: Target) -> list[Labelled]:
        """The questions of a record that have a word, the record's own first."""
        if target not in self._held:
            index = self._searcher.index
            said = "SELECT id, part, text FROM passage WHERE kind = ? AND target = ? ORDER BY id"
            found = []
            for passage, part, text in index.con.execute(said, (target.kind, target.id)):
                name, _, rest = part.partition(":")
                word = rest.partition(":")[2] if name == "asked" else self._own(target) if part == "question:1" else ""
                if word:
                    found.append(Labelled(text, word, index.vector(index.row_of(passage)), target))
            self._held[target] = found
        return self._held[target]

    def _own(self, target: Target) -> str:
        """The word of a ruling's review, which answers its first question."""
        row = self._searcher.con.execute("SELECT json FROM ruling WHERE id = ?", (target.id,)).fetchone()
        review = json.loads(row[0])["review"] if row else None
        return str(review["verdict"]) if review else ""

    def decide(self, found: Found, targets: Sequence[Target], chance: float, read: Read) -> Word:
        """The word for a question that these records answer, ``chance`` being theirs; ``UNSAID`` if there is none."""
        labelled = [one for target in targets for one in self.of(target)]
        vectors = self._views(found)
        alone = self._alone(found, labelled, vectors)
        form = self._phrase(found.query.plain).reading.form
        if form is not Form.YES_NO and alone.verdict in BARE:
            return Word(UNSAID)
        if alone.verdict in EITHER or form is not Form.YES_NO:
            return alone
        if ambiguous(found.query.text):
            return Word(UNSAID)
        said = self.evidence(found, targets, chance, read)
        if said is None or self._pair is None or self._word is None or self._sure is None:
            return alone
        same = np.asarray(self._pair(said.pairs), np.float32)
        yes = float(self._word(said.columns(same)[None, :])[0])
        verdict = "yes" if yes > 0.5 else "no"
        sure = _lowered(float(self._sure(self.sureness(yes, found, chance, said.like)[None, :])[0]))
        question = said.best(same, verdict)
        return Word(verdict, sure, question)

    def sureness(self, yes: float, found: Found, chance: float, like: float) -> Floats:
        """The columns of ``SURE_COLUMNS``."""
        strength = abs(math.log(max(yes, 1e-4) / max(1 - yes, 1e-4)))
        scores = [hit.score for hit in found.hits if hit.kind in ("rule", "ruling")]
        return np.array([strength, chance, scores[1] if len(scores) > 1 else 0.0, like], np.float32)

    def evidence(
        self, found: Found, targets: Sequence[Target], chance: float, read: Read, hidden: Container[str] = ()
    ) -> Evidence | None:
        """What the labelled questions near the one asked say, but for ``hidden`` ones, and what was read in records.

        None where no record has a labelled question.
        """
        hits = [hit for hit in found.hits if hit.kind != "card"][:RECORDS]
        weights = {Target(hit.kind, hit.id): hit.score for hit in hits}
        for target in targets:
            weights[target] = max(weights.get(target, 0.0), chance)
        every = [one for target in weights for one in self.of(target) if one.question not in hidden]
        labelled = [one for one in every if one.verdict in BARE]
        if not labelled:
            return None
        vectors = self._views(found)
        matrix = np.array([one.vector for one in labelled])
        signs = np.array([1.0 if one.verdict == "yes" else -1.0 for one in labelled])
        own = np.array([one.target in targets for one in labelled], np.float64)
        weight = np.array([weights[one.target] for one in labelled])
        made = [self._margin(found, [one for one in every if one.target in targets], vectors)]
        for view in VIEWS:
            like = matrix @ vectors[view]
            for sharp in SHARP:
                for scope in (own, weight):
                    share = np.exp((like - like.max()) * sharp) * scope
                    made.append(float((share * signs).sum() / (share.sum() + 1e-9)))
        made += [read.says({(target.kind, target.id) for target in targets}), read.says()]
        mixed = vectors["text"] + vectors["plain"]
        mixed /= max(float(np.linalg.norm(mixed)), 1e-6)
        like = matrix @ mixed
        order = np.argsort(-like, kind="stable")[:NEAREST]
        pairs = self.pairs(found.query.plain, mixed, [labelled[at] for at in order], like[order], targets)
        fades = np.exp((like[order] - like[order[0]]) * SHARP[0]) * np.maximum(weight[order], LEAST)
        questions = tuple(labelled[at].question for at in order)
        signed = np.asarray(signs[order], np.float32)
        return Evidence(
            np.array(made, np.float32), pairs, signed, np.asarray(fades, np.float32), questions, float(like.max())
        )

    def pairs(
        self, plain: str, vector: Floats, near: Sequence[Labelled], like: Floats, targets: Sequence[Target]
    ) -> Floats:
        """The columns of ``kb.answer.pairs`` for a question and those most like it, the most like first."""
        asked = self._phrase(plain)
        rarity = self._searcher.rarity.of
        rows = []
        for rank, (one, alike) in enumerate(zip(near, like.tolist(), strict=True)):
            common = COMMON * self._mean(one.target)
            telling = float(_unit((one.vector - common)[None, :])[0] @ _unit((vector - common)[None, :])[0])
            at = Near(alike, telling, rank, float(like[0]) - alike, one.target in targets)
            rows.append(columns(asked, self._phrase(self._plain(one.question)), at, rarity))
        return np.array(rows, np.float32)

    def _mean(self, target: Target) -> Floats:
        """The mean vector of a record's labelled questions."""
        mean: Floats = np.mean([one.vector for one in self.of(target)], axis=0)
        return mean

    def _views(self, found: Found) -> dict[str, Floats]:
        """The vectors of the question: as typed, in the rulebook's words, its asking clause, all together."""
        query = found.query
        clause = asking_clause(query.plain)
        held = dict(found.vectors)
        missing = [text for text in dict.fromkeys((query.text, query.plain, clause)) if text not in held]
        held.update(zip(missing, self._searcher.encoder.encode_queries(missing), strict=True) if missing else ())
        made = {"text": held[query.text], "plain": held[query.plain], "clause": held[clause]}
        whole = made["text"] + made["plain"] + made["clause"]
        return made | {"whole": whole / max(float(np.linalg.norm(whole)), 1e-6)}

    def _best(
        self, found: Found, labelled: Sequence[Labelled], vectors: Mapping[str, Floats]
    ) -> dict[str, tuple[float, str]]:
        """Per word the score of the best labelled question for it, and that question."""
        wants_value = self._phrase(found.query.plain).reading.form is Form.VALUE
        best: dict[str, tuple[float, str]] = {}
        for score, turned, one in self._scores(found.query.plain, labelled, vectors) if labelled else ():
            word = opposed(one.verdict) if turned else one.verdict
            if (word in BARE) is wants_value and word not in EITHER:
                continue
            if score > best.get(word, (-math.inf, ""))[0]:
                best[word] = (score, one.question)
        return best

    def _alone(self, found: Found, labelled: Sequence[Labelled], vectors: Mapping[str, Floats]) -> Word:
        """The word of the nearest labelled question alone."""
        best = self._best(found, labelled, vectors)
        if not best:
            return Word(UNSAID)
        order = sorted(best, key=lambda word: -best[word][0])
        first, second = order[0], best[order[1]][0] if len(order) > 1 else -math.inf
        margin = min(best[first][0] - max(second, NO_OTHER), WIDEST)
        chance = 1.0 / (1.0 + math.exp(-(START + OF_MARGIN * margin)))
        return Word(first, chance, best[first][1])

    def _margin(self, found: Found, labelled: Sequence[Labelled], vectors: Mapping[str, Floats]) -> float:
        """How much nearer the nearest question for "yes" is than that for "no"."""
        best = self._best(found, labelled, vectors)
        yes, no = (best[word][0] if word in best else -math.inf for word in BARE)
        if max(yes, no) == -math.inf:
            return 0.0
        return max(-WIDEST, min(WIDEST, max(yes, NO_OTHER) - max(no, NO_OTHER)))

    def _scores(
        self, plain: str, labelled: Sequence[Labelled], vectors: Mapping[str, Floats]
    ) -> list[tuple[float, bool, Labelled]]:
        """How like each labelled question is, and whether it asks the other way round."""
        matrix = np.array([one.vector for one in labelled])
        common = COMMON * matrix.mean(axis=0)
        alike = matrix @ vectors["clause"]
        telling = _unit(matrix - common) @ _unit(vectors["plain"][None, :] - common)[0]
        asked = self._phrase(plain)
        others = [self._phrase(self._plain(one.question)) for one in labelled]
        said = frozenset(content(plain))
        counts = Counter(stem for one in others for stem in one.stems)
        rarity = {
            s: math.log((len(labelled) + 1) / (counts.get(s, 0) + 0.5)) for s in said.union(*(o.stems for o in others))
        }
        found = []
        for at, (one, other) in enumerate(zip(labelled, others, strict=True)):
            shared = sum(rarity[stem] for stem in said & other.stems)
            own = shared / (sum(rarity[stem] for stem in other.stems) + 1e-6)
            mine = shared / (sum(rarity[stem] for stem in said) + 1e-6)
            score = sum(w * v for w, v in zip(WEIGHTS, (alike[at], telling[at], own, mine), strict=True))
            turned = turns(asked.reading, other.reading)
            score -= TURNED * bool(turned) + OTHER_FORM * (asked.reading.form is not other.reading.form)
            if one.verdict in BARE and asked.reading.form is Form.VALUE:
                score -= OTHER_FORM
            found.append((float(score), turned == 1 and own > 0.6 and mine > 0.6, one))
        return found

    def _phrase(self, plain: str) -> Phrase:
        """A question made ready for comparing; remembered, since those of records come again and again."""
        if plain not in self._phrases:
            self._phrases[plain] = phrase(plain)
        return self._phrases[plain]

    def _plain(self, question: str) -> str:
        return self._searcher.reader.plain(question)


def _lowered(chance: float) -> float:
    """A chance as promised on folds -> as it holds for questions that nobody has seen."""
    odds = chance / max(1 - chance, 1e-6) * math.exp(-OPTIMISM)
    return odds / (1 + odds)


def _unit(rows: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6), np.float32)
