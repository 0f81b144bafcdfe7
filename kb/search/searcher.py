"""One box: a question -> records in order, the best first.

Exact rule numbers and names of cards come first when nothing else was typed, else they are evidence like
the rest. Candidates are the best by meaning and by words; the learnt ranker gives each the chance
that it answers the question. Where no ranker was learnt the fusion decides.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np

from kb.search.encoder import Encoder, OnnxEncoder, default_encoder
from kb.search.features import NAMES, Features, Scores
from kb.search.fusion import reciprocal_rank_fusion
from kb.search.index import Floats, Index, Target
from kb.search.query import Query, Reader
from kb.search.ranker import load_model
from kb.search.words import COMMON, STOP, Rarity, Sides, stem, stored_rarity, stored_sides

KINDS = ("rule", "ruling", "card")
CANDIDATES = 25  # of each kind and retriever
SHOWN = 10
NEAREST = 10


class How(StrEnum):
    """Which ranking is wanted; all but ``RANKED`` are there to be compared with it."""

    LEXICAL = "lexical"
    DENSE = "dense"
    FUSED = "fused"
    RANKED = "ranked"


@dataclass(frozen=True, slots=True)
class Hit:
    """A record and how well it fits; ``exact`` where it was named itself."""

    kind: str
    id: str
    score: float
    exact: bool = False


@dataclass(frozen=True)
class Found:
    """Everything a search knows: the question as read, candidates with their columns and scores."""

    query: Query
    candidates: tuple[int, ...]
    table: Floats
    chances: Floats
    hits: tuple[Hit, ...]  # rules, rulings and named cards, the best first
    refusals: tuple[Hit, ...]  # reasons to refuse, by likeness of their questions
    refused_share: float  # of the passages most like the question, how many are refused questions
    like: Floats  # likeness of every passage with a vector
    vectors: Mapping[str, Floats]  # of the question in its several forms


class Searcher:
    """Searches one store. Not safe for use by several threads at once: SQLite's connection is not."""

    def __init__(self, con: sqlite3.Connection, encoder: Encoder | None = None) -> None:
        self.con = con
        self.encoder = encoder or default_encoder()
        if isinstance(self.encoder, OnnxEncoder):
            self.encoder.prepare()
        self.rarity = stored_rarity(con)
        slang = json.loads(con.execute("SELECT value FROM vectors WHERE name = 'slang'").fetchone()[0])
        self.reader = Reader(con, self.rarity, slang)
        self.index = Index(con)
        self._features = Features(self.index, self.rarity)
        self._model = load_model("ranker", NAMES)
        kinds = np.array([target.kind for target in self.index.targets])
        self._of_kind = {kind: np.flatnonzero(kinds == kind) for kind in (*KINDS, "refusal")}

    def search(self, text: str, kinds: Sequence[str] = KINDS, limit: int = SHOWN, how: How = How.RANKED) -> list[Hit]:
        """The best ``limit`` records of these kinds."""
        hits = self.find(text, how).hits
        return [hit for hit in hits if hit.kind in kinds][:limit]

    @cached_property
    def _all_sides(self) -> Sides:
        return stored_sides(self.con)

    @property
    def sides(self) -> Sides:
        """On which side each stem occurs, without the passages that are hidden."""
        hidden = self.index.hidden
        if not hidden:
            return self._all_sides
        marks = ",".join("?" * len(hidden))
        rows = list(self.con.execute(f"SELECT kind, text FROM passage WHERE id IN ({marks})", tuple(hidden)))
        answered = [row[1] for row in rows if row[0] != "refusal"]
        return self._all_sides.without(answered, [row[1] for row in rows if row[0] == "refusal"])

    def held(self, query: Query, records: Sequence[int]) -> frozenset[str]:
        """Which of the question's stems these records hold, by their numbers in the index."""
        return self._features.held(query, records)

    def find(self, text: str, how: How = How.RANKED) -> Found:
        """Everything known about a question."""
        return self.compare(text, (how,))[how]

    def compare(self, text: str, hows: Sequence[How] = tuple(How)) -> dict[How, Found]:
        """The same, ranked in several ways."""
        query = self.reader.read(text)
        scores = self._score(query)
        candidates = self._candidates(scores)
        refused = np.isin(self.index.row_target[scores.nearest[:NEAREST]], self._of_kind["refusal"])
        table = self._features.of(query, scores, candidates)
        share = float(refused.mean())
        return {how: self._found(how, query, scores, candidates, table, share) for how in hows}

    def _found(
        self, how: How, query: Query, scores: Scores, candidates: Sequence[int], table: Floats, refused_share: float
    ) -> Found:
        chances = self._rank(how, candidates, scores, table)
        order = np.argsort(-chances, kind="stable")
        ranked = [self._hit(candidates[at], float(chances[at])) for at in order]
        seen: dict[tuple[str, str], Hit] = {}
        for hit in [*_exact(query), *(hit for hit in ranked if hit.kind != "refusal")]:
            seen.setdefault((hit.kind, hit.id), hit)
        refusals = sorted((hit for hit in ranked if hit.kind == "refusal"), key=lambda hit: -hit.score)
        return Found(
            query, tuple(candidates), table, chances, tuple(seen.values()), tuple(refusals), refused_share, scores.like,
            scores.vectors,
        )  # fmt: skip

    def _hit(self, target: int, score: float) -> Hit:
        kind, name = self.index.targets[target]
        return Hit(kind, name, round(score, 4))

    def _score(self, query: Query) -> Scores:
        texts = list(dict.fromkeys(text for text in (query.text, query.plain, query.asks) if text)) or [""]
        vectors = self.encoder.encode_queries(texts)
        index = self.index
        by_each = index.likeness(vectors)
        like: Floats = by_each.max(axis=0)
        ranks: dict[int, int] = {}
        counts: dict[str, int] = {}
        nearest = index.nearest(by_each)
        for row in nearest:
            target = int(index.row_target[row])
            if target not in ranks:
                kind = index.targets[target].kind
                ranks[target] = counts[kind] = counts.get(kind, 0) + 1
        words = [word for word in query.plain.lower().split() if word.isalnum()]
        lexical = index.lexical(_searched(words, self.rarity), ("rule", "ruling"))
        by_kind: dict[str, int] = {}
        lexical_rank = {}
        for target in sorted(lexical, key=lambda t: -lexical[t]):
            kind = index.targets[target].kind
            by_kind[kind] = lexical_rank[target] = by_kind.get(kind, 0) + 1
        by_form = dict(zip(texts, vectors, strict=True))
        return Scores(like, nearest, *index.bests(like), ranks, lexical, lexical_rank, by_form)

    def _candidates(self, scores: Scores) -> list[int]:
        found: dict[int, None] = {}
        for kind in ("rule", "ruling"):
            for ranks in (scores.dense_rank, scores.lexical_rank):
                of_kind = [t for t in ranks if self.index.targets[t].kind == kind and ranks[t] <= CANDIDATES]
                found.update(dict.fromkeys(of_kind))
        found.update(dict.fromkeys(int(t) for t in self._of_kind["refusal"]))
        return list(found)

    def _rank(self, how: How, candidates: Sequence[int], scores: Scores, table: Floats) -> Floats:
        if how is How.RANKED and self._model is not None:
            return self._model(table).astype(np.float32)
        if how is How.LEXICAL:
            return np.array([scores.lexical.get(c, 0.0) for c in candidates], np.float32)
        if how is How.DENSE:
            return np.array([scores.best[c] for c in candidates], np.float32)
        dense = sorted(candidates, key=lambda c: -scores.best[c])
        lexical = sorted((c for c in candidates if c in scores.lexical), key=lambda c: -scores.lexical[c])
        fused = reciprocal_rank_fusion((dense, lexical))
        return np.array([fused[c] for c in candidates], np.float32)


def _searched(words: Sequence[str], rarity: Rarity) -> list[str]:
    """Words for the full-text index: those that carry matter, or all where none does.

    Words of every eighth passage cost most of the time and tell least: beside two rarer ones they are left out.
    """
    telling = list(dict.fromkeys(word for word in words if word not in STOP)) or list(dict.fromkeys(words))
    rare = [word for word in telling if rarity.share(stem(word)) <= COMMON]
    return rare if len(rare) >= 2 else sorted(telling, key=lambda word: rarity.share(stem(word)))[:2]


def _exact(query: Query) -> list[Hit]:
    """What the question names itself."""
    rules = [Hit("rule", str(ref), 1.0, True) for ref in query.rules]
    cards = [Hit("card", name, 1.0, True) for name in (*query.cards, *query.maybe)]
    return rules + cards if query.names_only or query.rules else []


__all__ = ["Found", "Hit", "How", "Searcher", "Target"]
