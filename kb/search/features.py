"""What the ranker looks at: how a record fits a question, as numbers.

``NAMES`` is the order of the columns; ``weights.json`` names the columns it was learnt with, so that a
change here cannot silently meet old weights.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kb.search.index import Floats, Index, Target
from kb.search.query import Query
from kb.search.words import Rarity, content

NAMES = (
    "like_best", "like_question", "like_text", "like_second", "behind_best", "dense_rank", "lexical",
    "lexical_rank", "cover_best", "cover_all", "cover_title", "cards_shared", "cards_missing", "cards_extra",
    "cards_none", "is_ruling", "is_tournament", "is_refusal", "depth", "heading", "above", "cited", "cites", "length",
)  # fmt: skip

_NOTHING = np.zeros(0, np.float32)


@dataclass(frozen=True)
class Scores:
    """What the retrievers say of every record."""

    like: Floats  # per passage
    nearest: Sequence[int]  # rows of the passages most like the question
    best: Floats  # per record
    question: Floats
    text: Floats
    dense_rank: Mapping[int, int]
    lexical: Mapping[int, float]
    lexical_rank: Mapping[int, int]
    vectors: Mapping[str, Floats]  # of the question in its several forms


class Features:
    """Computes the columns for the candidates of a question; remembers what it read of records."""

    def __init__(self, index: Index, rarity: Rarity) -> None:
        self._index = index
        self._rarity = rarity
        self._read: dict[int, tuple[list[frozenset[str]], frozenset[str], frozenset[str]]] = {}
        rows: dict[int, list[int]] = {}
        for row, target in enumerate(index.row_target.tolist()):
            rows.setdefault(target, []).append(row)
        self._rows = {target: np.array(held, np.int64) for target, held in rows.items()}

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
        top = max((float(scores.best[c]) for c in candidates), default=0.0)
        most = max(scores.lexical.values(), default=1.0) or 1.0
        weights = {stem: self._rarity.of(stem) for stem in query.words}
        total = sum(weights.values()) or 1.0
        rulings = [c for c in candidates if self._index.targets[c].kind == "ruling"]
        best_rulings = sorted(rulings, key=lambda c: -scores.best[c])[:2]
        cited = {rule for c in best_rulings for rule in self._citing.get(c, ())}
        best_rules = set(sorted((c for c in candidates if c not in set(rulings)), key=lambda c: -scores.best[c])[:5])
        named = frozenset(query.cards)
        loose = named | frozenset(query.maybe)
        made = np.zeros((len(candidates), len(NAMES)), np.float32)
        for at, c in enumerate(candidates):
            made[at] = self._row(c, query, scores, top, most, weights, total, named, loose, cited, best_rules)
        return made

    def _row(
        self, c: int, query: Query, scores: Scores, top: float, most: float, weights: Mapping[str, float],
        total: float, named: frozenset[str], loose: frozenset[str], cited: set[int], best_rules: set[int],
    ) -> list[float]:  # fmt: skip
        kind, name = self._index.targets[c]
        parts, whole, title = self._words(c)
        own = self._cards.get(c, frozenset())
        like = scores.like[self._rows[c]] if c in self._rows else _NOTHING
        second = float(np.partition(like, -2)[-2]) if like.size > 1 else float(like.sum())
        document, _, number = name.partition(":") if kind == "rule" else ("", "", "")
        above = self._index.number.get(Target("rule", f"{document}:{number.rpartition('.')[0]}")) if number else None

        held = {stem: weight for stem, weight in weights.items() if stem in whole}

        said = frozenset(held)

        def cover(stems: frozenset[str]) -> float:
            return sum(map(held.__getitem__, stems & said)) / total

        shared = len(own & named) + 0.7 * bool((own & loose) - named)
        return [
            float(scores.best[c]),
            float(scores.question[c]),
            float(scores.text[c]),
            second,
            top - float(scores.best[c]),
            1.0 / (10 + scores.dense_rank.get(c, 200)),
            scores.lexical.get(c, 0.0) / most,
            1.0 / (10 + scores.lexical_rank.get(c, 200)),
            max(map(cover, {part & said for part in parts}), default=0.0) if held else 0.0,
            sum(held.values()) / total,
            cover(title) if held else 0.0,
            min(2.0, shared),
            float(len(named - own)) if kind == "ruling" else 0.0,
            float(len(own - loose)) if kind == "ruling" and loose else 0.0,
            float(not own and bool(loose)),
            float(kind == "ruling"),
            float(document.startswith("tournament")),
            float(kind == "refusal"),
            float(number.count(".")),
            float(c in self._heading),
            float(scores.best[above]) if above is not None else 0.0,
            float(c in cited),
            float(bool(self._citing.get(c, frozenset()) & best_rules)),
            min(3.0, len(query.words) / 10),
        ]

    def words(self, c: int) -> frozenset[str]:
        """Stems of all passages of a record."""
        return self._words(c)[1]

    def _words(self, c: int) -> tuple[list[frozenset[str]], frozenset[str], frozenset[str]]:
        """Stems of each passage of a record, of all of them, and of its titles."""
        if c not in self._read or self._index.hidden:
            texts = self._index.texts(c)
            titles = frozenset(stem for title in {title for title, _ in texts} for stem in content(title))
            parts = [frozenset(content(text)) | titles for _, text in texts]
            found = (parts, titles.union(*parts), titles)
            if self._index.hidden:
                return found
            self._read[c] = found
        return self._read[c]
