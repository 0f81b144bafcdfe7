"""Learn ranker, gate and words, and write ``kb/search/weights.json``.

Run by hand after the questions, the passages or the columns have changed: ``python benchmarks/learn.py``. Needs
scikit-learn and lightgbm (``pip install ".[learn]"``), which the product does not. Ranker, gate and words are learnt on
the tuning questions and on the labelled and refused questions of ``rules/questions/``. Whatever builds on the ranker is
learnt on chances that it gave to questions it had not seen, since it will only ever meet such: folds are drawn by what
a question is about, so that its twins are never on the other side; a question of our own is asked as if it and its
twins were not in the index.
``--words`` learns the words alone, ``--gate`` all but them, ``--stated``, once these are learnt, what a stated
confidence means; ``--check`` prints what the folds give and writes nothing;
``--only FILE`` learns on one file of tuning questions, so that the other can stand in for questions nobody has seen.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from ranking import Ranker, listwise
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from kb.answer.answerer import STATED, Answerer
from kb.answer.cite import Citer
from kb.answer.doubt import NAMES as DOUBT
from kb.answer.doubt import columns_of
from kb.answer.evaluate import TUNING, sources
from kb.answer.evidence import NAMES as GATE
from kb.answer.evidence import TOPIC, measure, topic_vector
from kb.answer.pairs import NAMES as PAIR
from kb.answer.reply import Answer
from kb.answer.verdict import BARE, EVIDENCE, NEAREST, SURE_COLUMNS, Evidence, Labelled, Verdicts
from kb.search.cross_encoder import OnnxCrossEncoder
from kb.search.features import NAMES
from kb.search.ranker import FILE, Trees
from kb.search.reranker import NAMES as READ
from kb.search.reranker import Read, Reranker
from kb.search.reranker import columns as read_columns
from kb.search.searcher import Found, Hit, How, Searcher, Target
from kb.store import open_store

FOLDS = 4
OTHERS, REFUSED = 1500, 2000  # of our own questions, how many of each side the gate learns from
PARTNERS = 12  # labelled questions that each is paired with in learning
OF_OTHERS = 3.0  # how much a pair counts that a question of the tuning questions is in
OF_OURS = 0.5  # how much a question of our own counts in the gate
ROUNDS = 3  # how often folds are drawn
STRENGTH = 0.3
TWIN = 0.9  # likeness above which two questions of our own count as one
SAME = 0.8  # the same for refused questions of the tuning files, which name no record
OF_TOPIC = 10.0  # strength of the topic's regression
FOLDER = Path(__file__).resolve().parent.parent / "tests" / "eval"


def level_of(scores: np.ndarray, right: np.ndarray) -> tuple[float, float]:
    """Factor and start that make chances of scores (Platt 1999)."""
    learnt = linear(scores[:, None], right, ("score",), 1.0)
    return float(learnt["weights"][0]), float(learnt["start"])


def trees(model: HistGradientBoostingClassifier, columns: tuple[str, ...]) -> dict[str, Any]:
    """A fitted model as plain lists, trees padded to one size."""
    made = [stage[0].nodes for stage in model._predictors]
    size = max(len(nodes) for nodes in made)

    def padded(name: str, leaf: float) -> list[list[float]]:
        rows = []
        for nodes in made:
            values = [leaf if node["is_leaf"] and name != "value" else node[name].item() for node in nodes]
            rows.append([*values, *[leaf] * (size - len(values))])
        return rows

    def rounded(rows: list[list[float]]) -> list[list[float]]:
        return [[float(f"{value:.7g}") for value in row] for row in rows]

    values = [
        [n["value"].item() if n["is_leaf"] else 0.0 for n in nodes] + [0.0] * (size - len(nodes)) for nodes in made
    ]
    return {
        "columns": list(columns),
        "start": float(model._baseline_prediction[0][0]),
        "depth": int(max(nodes["depth"].max() for nodes in made)),
        "feature": padded("feature_idx", -1),
        "threshold": rounded(padded("num_threshold", 0.0)),
        "left": padded("left", 0),
        "right": padded("right", 0),
        "value": rounded(values),
    }


def linear(
    table: np.ndarray,
    right: np.ndarray,
    columns: tuple[str, ...],
    strength: float = 0.3,
    weight: np.ndarray | None = None,
) -> dict[str, Any]:
    """Logistic regression as weights of the raw columns."""
    scale = StandardScaler().fit(table)
    model = LogisticRegression(C=strength, max_iter=4000).fit(scale.transform(table), right, weight)
    weights = model.coef_[0] / scale.scale_
    start = float(model.intercept_[0] - (weights * scale.mean_).sum())
    return {"columns": list(columns), "weights": [round(float(w), 5) for w in weights], "start": round(start, 5)}


def about(asked: Sequence[dict[str, Any]], vectors: np.ndarray) -> np.ndarray:
    """What each question is about, as a number: a ruling, a section of the rules, or refused ones that are alike."""
    parent = list(range(len(asked)))

    def root(at: int) -> int:
        while parent[at] != at:
            at = parent[at]
        return at

    first: dict[str, int] = {}
    for at, one in enumerate(asked):
        names = one["rulings"][:1] or [".".join(ref.split(".")[:2]) for ref in one["rules"][:1]]
        for name in names:
            parent[root(at)] = root(first.setdefault(name, at))
    refused = np.array([one["kind"] == "refuse" for one in asked])
    for at, other in np.argwhere(np.triu(vectors @ vectors.T > SAME, 1)):
        if refused[at] and refused[other]:
            parent[root(at)] = root(other)
    return np.array([root(at) for at in range(len(asked))])


def folds(groups: np.ndarray, count: int, seed: int) -> np.ndarray:
    """The fold of each question; all of one group are in one."""
    names = np.unique(groups)
    drawn = np.random.RandomState(seed).permutation(len(names)) % count
    return drawn[np.searchsorted(names, groups)]


class Ours:
    """The questions in ``rules/questions/`` as the gate learns from them."""

    def __init__(self, searcher: Searcher) -> None:
        self.searcher = searcher
        sql = "SELECT id, kind, text FROM passage WHERE part LIKE 'asked:%' ORDER BY id"
        self.rows = list(searcher.con.execute(sql))
        self.refused = np.array([row["kind"] == "refusal" for row in self.rows])
        index = searcher.index
        self.vectors = np.array([index.vector(index.row_of(row["id"])) for row in self.rows])
        others = np.flatnonzero(~self.refused)
        away = np.flatnonzero(self.refused)
        self.chosen = np.r_[away[:: max(1, len(away) // REFUSED)], others[:: max(1, len(others) // OTHERS)]]

    def topic(self) -> tuple[dict[str, Any], np.ndarray]:
        """The model of ``topic``, and what it says of the chosen ones when their twins were not learnt from."""
        weight = np.where(self.refused, len(self.rows) / self.refused.sum() / 2, 1.0)

        def fit(rows: np.ndarray) -> LogisticRegression:
            model = LogisticRegression(C=OF_TOPIC, max_iter=2000)
            return model.fit(self.vectors[rows], self.refused[rows], weight[rows])

        said = np.zeros(len(self.chosen))
        fold = np.random.RandomState(5).randint(0, FOLDS, len(self.chosen))
        for k in range(FOLDS):
            away = self.chosen[fold == k]
            kept = (self.vectors @ self.vectors[away].T).max(axis=1) <= TWIN
            said[fold == k] = fit(np.flatnonzero(kept)).decision_function(self.vectors[away])
        whole = fit(np.arange(len(self.rows)))
        weights = [round(float(w), 5) for w in whole.coef_[0]]
        return {"columns": list(TOPIC), "weights": weights, "start": round(float(whole.intercept_[0]), 5)}, said

    def left_out(self, model: Trees) -> np.ndarray:
        """The gate's columns of the chosen ones, each with itself and its twins taken out of the index."""
        searcher = self.searcher
        ids = np.array([row["id"] for row in self.rows])
        measured = []
        for at in self.chosen:
            searcher.index.hidden = frozenset(ids[self.vectors @ self.vectors[at] > TWIN].tolist()) | {int(ids[at])}
            found = searcher.find(self.rows[at]["text"], How.DENSE)
            found = dataclasses.replace(found, chances=model(found.table).astype(np.float32))
            measured.append(measure(searcher, found))
        searcher.index.hidden = frozenset()
        return np.array(measured)


def pair_learner() -> HistGradientBoostingClassifier:
    """The learner of pairs of questions."""
    return HistGradientBoostingClassifier(
        max_iter=100, learning_rate=0.08, max_leaf_nodes=14, min_samples_leaf=60, l2_regularization=5, random_state=0
    )


class Words:
    """Learns what tells whether two questions have one word, and how the evidence for a word is weighed."""

    def __init__(self, searcher: Searcher) -> None:
        self.searcher = searcher
        self.verdicts = Verdicts(searcher, learnt=False)
        self.labelled = [one for target in searcher.index.targets for one in self.verdicts.of(target)]
        self.labelled = [one for one in self.labelled if one.verdict in BARE]
        self.sign = np.array([1.0 if one.verdict == "yes" else -1.0 for one in self.labelled])
        matrix = np.array([one.vector for one in self.labelled])
        self.near: list[np.ndarray] = []
        self.tables: list[np.ndarray] = []
        for at, one in enumerate(self.labelled):
            like = matrix @ one.vector
            like[at] = -1.0
            order = np.argsort(-like)[:NEAREST]
            plain = searcher.reader.plain(one.question)
            near = [self.labelled[n] for n in order]
            self.near.append(order)
            self.tables.append(self.verdicts.pairs(plain, one.vector, near, like[order], [one.target]))

    def fit(self, rows: list[int], others: Sequence[tuple[Evidence, bool]] = ()) -> HistGradientBoostingClassifier:
        """Learn from these labelled questions, each beside the dozen most like it, and from questions of others."""
        tables = [self.tables[at][:PARTNERS] for at in rows] + [said.pairs[:PARTNERS] for said, _ in others]
        same = [self.sign[self.near[at]][:PARTNERS] == self.sign[at] for at in rows]
        same += [(said.signs[:PARTNERS] > 0) == yes for said, yes in others]
        weight = [np.ones(len(table)) for table in tables[: len(rows)]]
        weight += [np.full(len(table), OF_OTHERS) for table in tables[len(rows) :]]
        return pair_learner().fit(np.vstack(tables), np.concatenate(same), np.concatenate(weight))

    def left_out(self) -> None:
        """Print how often the word is right for labelled questions whose whole records were not learnt from."""
        groups = [_group(one) for one in self.labelled]
        fold = {name: at % FOLDS for at, name in enumerate(sorted(set(groups)))}
        right: dict[str, list[bool]] = {"ruling": [], "rule": []}
        for k in range(FOLDS):
            model = self.fit([at for at, name in enumerate(groups) if fold[name] != k])
            for at in [at for at, name in enumerate(groups) if fold[name] == k]:
                same = np.clip(model.predict_proba(self.tables[at])[:, 1], 0.02, 0.98)
                like = self.tables[at][:, 0]
                says = np.log(same / (1 - same)) * self.sign[self.near[at]] * np.exp((like - like[0]) * 12)
                right[self.labelled[at].target.kind].append(bool((says.sum() > 0) == (self.sign[at] > 0)))
        for kind, values in right.items():
            print(
                f"words of labelled questions, their records left out, {kind}: {np.mean(values):.3f} of {len(values)}"
            )

    def weigh(
        self, asked: list[dict[str, Any]], found: list[Found], reads: list[Read], cluster: Any, groups: np.ndarray
    ) -> tuple[dict[str, Any], ...]:
        """Learn pairs, the weights of the evidence and how sure a word is; print what folds give."""
        said: list[tuple[Evidence, bool]] = []
        rest, kinds, group = [], [], []
        for at, (one, result, read) in enumerate(zip(asked, found, reads, strict=True)):
            top = next((hit for hit in result.hits if hit.kind != "card"), None)
            if one.get("verdict") not in BARE or top is None:
                continue
            names = [top.id, *cluster(top.id)] if top.kind == "ruling" else [top.id]
            targets = [Target(top.kind, name) for name in names]
            evidence = self.verdicts.evidence(result, targets, top.score, read)
            if evidence is not None:
                said.append((evidence, one["verdict"] == "yes"))
                rest.append((result, top.score, evidence.like))
                kinds.append(one["kind"])
                group.append(groups[at])
        total = sum(one.get("verdict") in BARE for one in asked)
        yes, kind = np.array([right for _, right in said]), np.array(kinds)
        every = list(range(len(self.labelled)))
        table = np.zeros((len(said), len(EVIDENCE)), np.float32)
        about = np.array(group)
        part_of = folds(about, FOLDS, 7)
        for k in range(FOLDS):
            fitted = self.fit(every, [one for one, part in zip(said, part_of, strict=True) if part != k])
            for at in np.flatnonzero(part_of == k):
                evidence = said[at][0]
                table[at] = evidence.columns(fitted.predict_proba(evidence.pairs)[:, 1].astype(np.float32))
        model = trees(self.fit(every, said), PAIR)
        sure = rest
        chance = np.zeros(len(yes))
        for seed in range(ROUNDS):
            fold = folds(about, 8, seed)
            for k in range(8):
                weights = _odd(table[fold != k], yes[fold != k])
                chance[fold == k] += (table[fold == k] @ weights) / ROUNDS
        chance = 1 / (1 + np.exp(-chance))
        columns = np.array([self.verdicts.sureness(p, *rest) for p, rest in zip(chance, sure, strict=True)])
        good = (chance > 0.5) == yes
        certain = np.zeros(len(yes))
        for seed in range(ROUNDS):
            fold = folds(about, 8, 100 + seed)
            for k in range(8):
                part = linear(columns[fold != k], good[fold != k], SURE_COLUMNS, 1.0)
                score = columns[fold == k] @ np.array(part["weights"]) + part["start"]
                certain[fold == k] += 1 / (1 + np.exp(-score)) / ROUNDS
        for name, mask in (("all", kind != ""), ("ruling", kind == "ruling"), ("rule", kind == "rule")):
            print(f"words, {name}: right {good[mask].mean():.3f} of {mask.sum()}")
            for limit in (0.5, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95):
                said = mask & (certain >= limit)
                print(f"  at {limit}: {said.sum() / max(1, mask.sum()):.3f} have one, right {good[said].mean():.3f}")
        print(f"questions with a yes or no: {total}")
        weights = _odd(table, yes)
        word = {"columns": list(EVIDENCE), "weights": [round(float(w), 5) for w in weights], "start": 0.0}
        return model, word, linear(columns, good, SURE_COLUMNS, 1.0)


def _weights(rows: np.ndarray, extra: np.ndarray) -> np.ndarray:
    """Our own questions, which stand last, count less than those that others wrote."""
    return np.r_[np.ones(len(rows) - len(extra)), np.full(len(extra), OF_OURS)]


def _odd(table: np.ndarray, yes: np.ndarray) -> np.ndarray:
    """Weights by logistic regression without a start: evidence turned around gives the other word."""
    scale = table.std(axis=0) + 1e-6
    both = np.vstack([table, -table]) / scale
    model = LogisticRegression(C=STRENGTH, fit_intercept=False, max_iter=4000).fit(both, np.r_[yes, ~yes])
    return np.asarray(model.coef_[0] / scale)


def _group(one: Labelled) -> str:
    """What is left out together: a ruling, or the rules of one chapter number."""
    document, _, number = one.target.id.partition(":")
    return f"{document}:{number.partition('.')[0]}"


def seen(searcher: Searcher, result: Found, chances: np.ndarray) -> Found:
    """A search ranked by other chances."""
    order = np.argsort(-chances, kind="stable")
    targets = [(searcher.index.targets[result.candidates[at]], float(chances[at])) for at in order]
    hits = tuple(Hit(target.kind, target.id, round(score, 4)) for target, score in targets if target.kind != "refusal")
    return dataclasses.replace(result, chances=chances, hits=hits)


def main() -> None:
    """Learn, print what the folds give, and write the weights unless ``--check``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--words", action="store_true")
    parser.add_argument("--gate", action="store_true")
    parser.add_argument("--stated", action="store_true")
    parser.add_argument("--only", choices=TUNING)
    chosen = parser.parse_args()
    con = open_store(("vectors",))
    searcher = Searcher(con)
    origin = {row[0]: f"{row[1]}:{row[2]}" for row in con.execute("SELECT id, document, line FROM ruling")}
    files = [FOLDER / name for name in TUNING if chosen.only in (None, name)]
    asked = [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    found = [searcher.find(one["question"], How.DENSE) for one in asked]
    groups = about(asked, np.array([result.vectors[result.query.text] for result in found]))
    targets = searcher.index.targets
    keys = [origin.get(target.id, target.id) if target.kind == "ruling" else target.id for target in targets]
    table, right, place = [], [], []
    for at, (one, result) in enumerate(zip(asked, found, strict=True)):
        wanted = {*one["rulings"], *one["rules"]}
        for candidate, row in zip(result.candidates, result.table, strict=True):
            if one["kind"] != "refuse" and targets[candidate].kind != "refusal":
                table.append(row)
                right.append(keys[candidate] in wanted)
                place.append(at)
    columns, truth, places = np.array(table), np.array(right), np.array(place)
    # People ask about what others asked about before, so what is stated is learnt on folds that part only wordings.
    fold = folds(np.arange(len(asked)) if chosen.stated else groups, FOLDS, 0)
    apart = [fold[places] != k for k in range(FOLDS)]
    models = [Ranker(columns[rows], truth[rows], places[rows]) for rows in apart]
    unlearnt = np.select([~rows for rows in apart], [one.scores(columns) for one in models])
    factor, start = level_of(unlearnt, truth)
    measured, hits = [], {"ruling": [], "rule": []}
    unseen = []
    for at, (one, result) in enumerate(zip(asked, found, strict=True)):
        said = factor * models[fold[at]].scores(result.table) + start
        chances = (1 / (1 + np.exp(-said))).astype(np.float32)
        unseen.append(seen(searcher, result, chances))
        measured.append(measure(searcher, unseen[-1]))
        if one["kind"] != "refuse":
            order = [c for c in np.argsort(-chances) if targets[result.candidates[c]].kind != "refusal"]
            wanted = {*one["rulings"], *one["rules"]}
            own = [
                keys[result.candidates[c]] in wanted for c in order if targets[result.candidates[c]].kind == one["kind"]
            ]
            box = [keys[result.candidates[c]] in wanted for c in order]
            hits[one["kind"]].append((any(own[:1]), any(own[:5]), any(box[:1]), any(box[:5])))
    model = Ranker(columns, truth, places).record(NAMES, (factor, start))
    for kind, values in hits.items():
        print(kind, "own hit@1, hit@5, one box hit@1, hit@5:", np.round(np.mean(values, 0), 3).tolist())
    record = json.loads(FILE.read_text(encoding="utf-8")) if chosen.words or chosen.gate or chosen.stated else {}
    if chosen.stated:
        record["stated"] = learn_stated(con, asked, unseen, origin)
        write(record)
        return
    reranker = Reranker(con, OnnxCrossEncoder())
    reads = [reranker.read(result) for result in unseen]
    if not chosen.gate:
        words = Words(searcher)
        pair, word, sure = words.weigh(asked, unseen, reads, Citer(con).same_question, groups)
        record |= {"pair": pair, "word": word, "sure": sure}
        if chosen.check:
            words.left_out()
    if not chosen.words:
        ours = Ours(searcher)
        topic, said = ours.topic()
        own, gate = ours.left_out(Trees(model, NAMES)), np.array(measured)
        own[:, GATE.index("topic")] = said
        vectors = np.array([topic_vector(result) for result in found])
        gate[:, GATE.index("topic")] = vectors @ np.array(topic["weights"]) + topic["start"]
        refuse = np.array([one["kind"] == "refuse" for one in asked])
        learnt, chance = learn_gate(gate, refuse, own, ours.refused[ours.chosen], groups)
        settled = np.array([columns_of(*one) for one in zip(chance, reads, gate, strict=True)])
        queries = [result.query for result in unseen]
        doubted = np.array([not query.rules and not query.missing for query in queries])  # numbers are looked up
        doubt = learn_doubt(settled[doubted], refuse[doubted], groups[doubted])
        record |= {"ranker": model, "gate": learnt, "doubt": doubt, "topic": topic}
        record["rerank"] = learn_rerank(asked, reads, origin, groups)
    if not chosen.check:
        write(record)


def write(record: dict[str, Any]) -> None:
    """Write the weights."""
    FILE.write_text(json.dumps(record, separators=(",", ":")) + "\n", encoding="utf-8")
    print(f"{FILE.name}: {FILE.stat().st_size} bytes")


def learn_stated(
    con: sqlite3.Connection, asked: list[dict[str, Any]], found: list[Found], origin: dict[str, str]
) -> dict[str, Any]:
    """Learn how often an answer of which so much is thought cites a right record; print both by tenths."""
    answerer = Answerer(con)
    answerer.stated = None
    odds, right = [], []
    for one, result in zip(asked, found, strict=True):
        reply = answerer.ask(one["question"], result)
        if one["kind"] != "refuse" and isinstance(reply, Answer) and reply.confidence < 1:
            odds.append(np.log(reply.confidence / (1 - reply.confidence)))
            right.append(bool({*one["rulings"], *one["rules"]} & {*sources(reply, origin)}))
    table, good = np.array(odds)[:, None], np.array(right)
    learnt = linear(table, good, STATED, 1.0)
    said = 1 / (1 + np.exp(-(table @ np.array(learnt["weights"]) + learnt["start"])))
    for low in np.arange(0, 1, 0.1):
        inside = (said >= low) & (said < low + 0.1)
        if inside.any():
            print(f"stated {said[inside].mean():.2f}: right {good[inside].mean():.2f} of {inside.sum()}")
    return learnt


def learn_gate(
    gate: np.ndarray, refuse: np.ndarray, extra: np.ndarray, extra_refuse: np.ndarray, groups: np.ndarray
) -> tuple[dict[str, Any], np.ndarray]:
    """Learn the gate from questions of others and our own (``extra``); print and return what folds give."""
    again = folds(groups, 8, 3)
    chance = np.zeros(len(gate))
    for k in range(8):
        rows, answers = np.vstack([gate[again != k], extra]), np.concatenate([refuse[again != k], extra_refuse])
        part = linear(rows, answers, GATE, weight=_weights(rows, extra))
        chance[again == k] = 1 / (1 + np.exp(-(gate[again == k] @ np.array(part["weights"]) + part["start"])))
    told("gate", chance, refuse)
    rows = np.vstack([gate, extra])
    learnt = linear(rows, np.concatenate([refuse, extra_refuse]), GATE, weight=_weights(rows, extra))
    return learnt, chance


def learn_doubt(settled: np.ndarray, refuse: np.ndarray, groups: np.ndarray) -> dict[str, Any]:
    """Learn what the gate and the cross-encoder say together, from questions that neither has seen."""
    chance = np.zeros(len(settled))
    for seed in range(ROUNDS):
        part_of = folds(groups, 8, 50 + seed)
        for k in range(8):
            part = linear(settled[part_of != k], refuse[part_of != k], DOUBT)
            score = settled[part_of == k] @ np.array(part["weights"]) + part["start"]
            chance[part_of == k] += 1 / (1 + np.exp(-score)) / ROUNDS
    told("doubt", chance, refuse)
    return linear(settled, refuse, DOUBT)


def learn_rerank(
    asked: list[dict[str, Any]], reads: list[Read], origin: dict[str, str], groups: np.ndarray
) -> dict[str, Any]:
    """Learn how the ranker's chance and what the cross-encoder says are weighed; print what folds give."""
    tables, right, group = [], [], []
    for one, read, about_ in zip(asked, reads, groups, strict=True):
        wanted = {*one["rulings"], *one["rules"]}
        if one["kind"] == "refuse" or not read.hits:
            continue
        tables.append(read_columns(read))
        right.append(np.array([(origin[h.id] if h.kind == "ruling" else h.id) in wanted for h in read.hits]))
        group.append(about_)
    part_of = folds(np.array(group), 8, 70)
    before, after = [], []
    for k in range(8):
        weights = listwise(
            [tables[at] for at in np.flatnonzero(part_of != k)], [right[at] for at in np.flatnonzero(part_of != k)]
        )
        for at in np.flatnonzero(part_of == k):
            before.append(right[at][0])
            after.append(right[at][int(np.argmax(tables[at] @ weights))])
    print(f"first of those that are read: right {np.mean(before):.3f} by the ranker, {np.mean(after):.3f} re-ranked")
    weights = listwise(tables, right)
    chance = linear((np.vstack(tables) @ weights)[:, None], np.concatenate(right), ("sum",), 1.0)
    named = [round(float(weight * chance["weights"][0]), 5) for weight in weights]
    return {"columns": list(READ), "weights": named, "start": chance["start"]}


def told(name: str, chance: np.ndarray, refuse: np.ndarray) -> None:
    """Print refusals and false refusals at several thresholds, and refusals where 3% are refused falsely."""
    for limit in (0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7):
        refused, falsely = (chance[refuse] > limit).mean(), (chance[~refuse] > limit).mean()
        print(f"{name} {limit}: refused {refused:.3f}, false {falsely:.3f}")
    limit = np.quantile(chance[~refuse], 0.97)
    print(f"{name}: refused {(chance[refuse] > limit).mean():.3f} where 3% are refused falsely (above {limit:.3f})")


if __name__ == "__main__":
    main()
