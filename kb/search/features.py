"""What the ranker looks at: how a record fits a question, as numbers.

``NAMES`` is the order of the columns; ``weights.json`` names the columns it was learnt with, so that a
change here cannot silently meet old weights.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from kb.search.index import Floats, Index, Target
from kb.search.query import Query
from kb.search.words import Rarity

NAMES = (
    "like_best", "like_question", "like_text", "like_second", "behind_best", "dense_rank", "lexical",
    "lexical_rank", "cover_best", "cover_all", "cover_title", "cards_shared", "cards_missing", "cards_extra",
    "cards_none", "is_ruling", "is_tournament", "is_refusal", "depth", "heading", "above", "cited", "cites", "length",
)  # fmt: skip

FACTS = ("is_ruling", "is_tournament", "is_refusal", "depth", "heading")
LAST = 200  # the rank of what a retriever did not find
Numbers = npt.NDArray[np.int64]
Column = npt.NDArray[Any]


@dataclass(frozen=True)
class Scores:
    """What the retrievers say of every record."""

    like: Floats  # per passage
    nearest: Sequence[int]  # rows of the passages most like the question
    best: Floats  # per record
    second: Floats  # the next best passage of a record
    question: Floats
    text: Floats
    dense_rank: Mapping[int, int]
    lexical: Mapping[int, float]
    lexical_rank: Mapping[int, int]
    vectors: Mapping[str, Floats]  # of the question in its several forms


class Features:
    """Computes the columns for the candidates of a question."""

    def __init__(self, index: Index, rarity: Rarity) -> None:
        self._index = index
        self._rarity = rarity

    @cached_property
    def _facts(self) -> Floats:
        """Columns that do not depend on the question, one row for each record."""
        made = np.zeros((len(self._index.targets), len(FACTS)), np.float32)
        for at, (kind, name) in enumerate(self._index.targets):
            document, _, number = name.partition(":") if kind == "rule" else ("", "", "")
            made[at] = (kind == "ruling", document.startswith("tournament"), kind == "refusal", number.count("."), 0.0)
        made[list(self._heading), FACTS.index("heading")] = 1.0
        return made

    @cached_property
    def _above(self) -> npt.NDArray[np.int64]:
        """The record of the rule above each rule; -1 for none."""
        number = self._index.number
        above = [
            number.get(Target("rule", name.rpartition(".")[0]), -1)
            if kind == "rule" and "." in name.partition(":")[2]
            else -1
            for kind, name in self._index.targets
        ]
        return np.array(above, np.int64)

    @cached_property
    def _cards(self) -> dict[int, frozenset[str]]:
        """Cards that each ruling and each rule (in its examples) names."""
        found: dict[int, frozenset[str]] = {}
        for name, record in self._index.con.execute("SELECT id, json FROM ruling"):
            if (at := self._index.number.get(Target("ruling", name))) is not None:
                found[at] = frozenset(json.loads(record)["cards"])
        sql = "SELECT src, dst FROM xref WHERE src_kind = 'rule' AND dst_kind = 'card'"
        for src, dst in self._index.con.execute(sql):
            if (at := self._index.number.get(Target("rule", src))) is not None:
                found[at] = found.get(at, frozenset()) | {dst}
        return found

    @cached_property
    def _citing(self) -> dict[int, frozenset[int]]:
        """Rules that each ruling puts first."""
        found: dict[int, frozenset[int]] = {}
        sql = "SELECT src, dst FROM xref WHERE src_kind='ruling' AND dst_kind='rule' AND kind='cites' AND detail=''"
        made: dict[int, set[int]] = {}
        for src, dst in self._index.con.execute(sql):
            one, other = self._index.number.get(Target("ruling", src)), self._index.number.get(Target("rule", dst))
            if one is not None and other is not None:
                made.setdefault(one, set()).add(other)
        found.update({one: frozenset(rules) for one, rules in made.items()})
        return found

    @cached_property
    def _heading(self) -> frozenset[int]:
        rows = self._index.con.execute("SELECT document || ':' || number FROM rule WHERE heading")
        numbers = (self._index.number.get(Target("rule", row[0])) for row in rows)
        return frozenset(n for n in numbers if n is not None)

    def of(self, query: Query, scores: Scores, candidates: Sequence[int]) -> Floats:
        """One row of columns per candidate."""
        chosen = np.array(candidates, np.int64)
        if not len(chosen):
            return np.zeros((0, len(NAMES)), np.float32)
        column = self._of_likeness(scores, chosen) | self._of_words(query, chosen) | self._of_links(scores, chosen)
        column |= self._of_cards(query, candidates)
        column |= {name: self._facts[chosen, at] for at, name in enumerate(FACTS)}
        column["length"] = np.full(len(chosen), min(3.0, len(query.words) / 10))
        return np.stack([np.asarray(column[name], np.float32) for name in NAMES], axis=1)

    def _of_likeness(self, scores: Scores, chosen: Numbers) -> dict[str, Column]:
        best, above = scores.best[chosen], self._above[chosen]
        most = max(scores.lexical.values(), default=1.0) or 1.0
        return {
            "like_best": best,
            "like_question": scores.question[chosen],
            "like_text": scores.text[chosen],
            "like_second": scores.second[chosen],
            "behind_best": best.max() - best,
            "above": np.where(above >= 0, scores.best[above], 0.0),
            "dense_rank": np.array([1.0 / (10 + scores.dense_rank.get(c, LAST)) for c in chosen.tolist()]),
            "lexical": np.array([scores.lexical.get(c, 0.0) / most for c in chosen.tolist()]),
            "lexical_rank": np.array([1.0 / (10 + scores.lexical_rank.get(c, LAST)) for c in chosen.tolist()]),
        }

    def _of_words(self, query: Query, chosen: Numbers) -> dict[str, Column]:
        """How much of the question's words, by rarity, a record's best passage holds, the record, its titles."""
        index = self._index
        weights = {stem: self._rarity.of(stem) for stem in query.words}
        total = sum(weights.values()) or 1.0
        rows = np.zeros(len(index.ids), np.float32)
        whole, titles = np.zeros(len(index.targets)), np.zeros(len(index.targets))
        for stem, weight in weights.items():
            holding = index.holding(stem)
            rows[holding] += np.float32(weight)
            held = np.zeros(len(index.targets), bool)
            held[index.row_target[holding]] = True
            whole += weight * held
            titles[index.title_postings.of(stem)] += weight
        best = np.maximum(index.best(rows)[chosen], 0.0)
        return {"cover_best": best / total, "cover_all": whole[chosen] / total, "cover_title": titles[chosen] / total}

    def _of_cards(self, query: Query, candidates: Sequence[int]) -> dict[str, Column]:
        named = frozenset(query.cards)
        loose = named | frozenset(query.maybe)
        made = np.zeros((len(candidates), 4))
        for at, c in enumerate(candidates if loose else ()):
            own = self._cards.get(c, frozenset())
            ruling = self._index.targets[c].kind == "ruling"
            shared = len(own & named) + 0.7 * bool((own & loose) - named)
            missing, extra = (len(named - own), len(own - loose)) if ruling else (0, 0)
            made[at] = (min(2.0, shared), missing, extra, not own)
        names = ("cards_shared", "cards_missing", "cards_extra", "cards_none")
        return {name: made[:, at] for at, name in enumerate(names)}

    def _of_links(self, scores: Scores, chosen: Numbers) -> dict[str, Column]:
        """Which rules the best rulings put first, and which rulings put one of the best rules first."""
        order = sorted(chosen.tolist(), key=lambda c: -scores.best[c])
        ruling = self._facts[:, FACTS.index("is_ruling")]
        best_rulings = [c for c in order if ruling[c]][:2]
        best_rules = frozenset([c for c in order if not ruling[c]][:5])
        cited = {rule for c in best_rulings for rule in self._citing.get(c, ())}
        return {
            "cited": np.array([c in cited for c in chosen.tolist()]),
            "cites": np.array([bool(self._citing.get(c, frozenset()) & best_rules) for c in chosen.tolist()]),
        }

    def held(self, query: Query, records: Sequence[int]) -> frozenset[str]:
        """Which of the question's stems these records hold."""
        index = self._index
        return frozenset(s for s in query.words if np.isin(index.row_target[index.holding(s)], records).any())
