"""Learn the ranker and the gate on the tuning half, and write ``kb/search/weights.json``.

Run by hand after the questions, the passages or the columns have changed: ``python benchmarks/learn.py``.
Needs scikit-learn, which the product does not. The gate is learnt on chances that the ranker gave to questions
it had not seen (folds by question), since it will only ever meet such. ``--check`` prints what the folds give
and writes nothing.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from kb.answer.evidence import NAMES as GATE
from kb.answer.evidence import measure
from kb.search.features import NAMES
from kb.search.ranker import FILE, Trees
from kb.search.searcher import How, Searcher
from kb.store import open_store

FOLDS = 4
OTHERS = 700  # answerable questions that the gate learns from besides
QUESTIONS = Path(__file__).resolve().parent.parent / "tests" / "eval" / "tuning.jsonl"


def ranker() -> HistGradientBoostingClassifier:
    """The ranker's learner."""
    return HistGradientBoostingClassifier(
        max_iter=60, learning_rate=0.1, max_leaf_nodes=12, min_samples_leaf=40, l2_regularization=5, random_state=1
    )


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


def linear(table: np.ndarray, right: np.ndarray, columns: tuple[str, ...], strength: float = 0.3) -> dict[str, Any]:
    """Logistic regression as weights of the raw columns."""
    scale = StandardScaler().fit(table)
    model = LogisticRegression(C=strength, max_iter=4000).fit(scale.transform(table), right)
    weights = model.coef_[0] / scale.scale_
    start = float(model.intercept_[0] - (weights * scale.mean_).sum())
    return {"columns": list(columns), "weights": [round(float(w), 5) for w in weights], "start": round(start, 5)}


def left_out(searcher: Searcher, model: Trees) -> tuple[np.ndarray, np.ndarray]:
    """The gate's columns of the questions in ``rules/questions/``, each with itself taken out of the index."""
    sql = "SELECT id, kind, text FROM passage WHERE part LIKE 'asked:%' ORDER BY id"
    rows = list(searcher.con.execute(sql))
    refused = [row for row in rows if row["kind"] == "refusal"]
    others = [row for row in rows if row["kind"] != "refusal"]
    chosen = refused + others[:: max(1, len(others) // OTHERS)]
    measured = []
    for row in chosen:
        searcher.index.hidden = row["id"]
        found = searcher.find(row["text"], How.DENSE)
        measured.append(measure(searcher, dataclasses.replace(found, chances=model(found.table).astype(np.float32))))
    searcher.index.hidden = -1
    return np.array(measured), np.array([row["kind"] == "refusal" for row in chosen])


def main() -> None:
    """Learn, print what the folds give, and write the weights unless ``--check``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    con = open_store(("vectors",))
    searcher = Searcher(con)
    origin = {row[0]: f"{row[1]}:{row[2]}" for row in con.execute("SELECT id, document, line FROM ruling")}
    asked = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    found = [searcher.find(one["question"], How.DENSE) for one in asked]
    targets = searcher.index.targets
    keys = [origin.get(target.id, target.id) if target.kind == "ruling" else target.id for target in targets]
    table, right, group = [], [], []
    for at, (one, result) in enumerate(zip(asked, found, strict=True)):
        wanted = {*one["rulings"], *one["rules"]}
        for candidate, row in zip(result.candidates, result.table, strict=True):
            if one["kind"] != "refuse" and targets[candidate].kind != "refusal":
                table.append(row)
                right.append(keys[candidate] in wanted)
                group.append(at)
    columns, truth, groups = np.array(table), np.array(right), np.array(group)
    fold = np.random.RandomState(0).randint(0, FOLDS, len(asked))
    models = [ranker().fit(columns[fold[groups] != k], truth[fold[groups] != k]) for k in range(FOLDS)]
    measured, hits = [], {"ruling": [], "rule": []}
    for at, (one, result) in enumerate(zip(asked, found, strict=True)):
        chances = models[fold[at]].predict_proba(result.table)[:, 1].astype(np.float32)
        measured.append(measure(searcher, dataclasses.replace(result, chances=chances)))
        if one["kind"] != "refuse":
            order = [c for c in np.argsort(-chances) if targets[result.candidates[c]].kind != "refusal"]
            wanted = {*one["rulings"], *one["rules"]}
            own = [
                keys[result.candidates[c]] in wanted for c in order if targets[result.candidates[c]].kind == one["kind"]
            ]
            box = [keys[result.candidates[c]] in wanted for c in order]
            hits[one["kind"]].append((any(own[:1]), any(own[:5]), any(box[:1]), any(box[:5])))
    model = trees(ranker().fit(columns, truth), NAMES)
    extra, extra_refuse = left_out(searcher, Trees(model, NAMES))
    gate, refuse = np.array(measured), np.array([one["kind"] == "refuse" for one in asked])
    for kind, values in hits.items():
        print(kind, "own hit@1, hit@5, one box hit@1, hit@5:", np.round(np.mean(values, 0), 3).tolist())
    again = np.random.RandomState(3).randint(0, 8, len(asked))
    chance = np.zeros(len(asked))
    for k in range(8):
        rows, answers = np.vstack([gate[again != k], extra]), np.concatenate([refuse[again != k], extra_refuse])
        part = linear(rows, answers, GATE)
        chance[again == k] = 1 / (1 + np.exp(-(gate[again == k] @ np.array(part["weights"]) + part["start"])))
    for limit in (0.2, 0.3, 0.4, 0.5, 0.6):
        print(
            f"gate {limit}: refused {(chance[refuse] > limit).mean():.3f}, false {(chance[~refuse] > limit).mean():.3f}"
        )

    if not check:
        rows, answers = np.vstack([gate, extra]), np.concatenate([refuse, extra_refuse])
        record = {"ranker": model, "gate": linear(rows, answers, GATE)}
        FILE.write_text(json.dumps(record, separators=(",", ":")) + "\n", encoding="utf-8")
        print(f"{FILE.name}: {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
