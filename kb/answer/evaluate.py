"""Measures of search and answers on questions with known answers.

A question is a JSON line with ``id``, ``question``, ``kind`` (ruling, rule, refuse), ``rulings`` (origins), ``rules``,
``verdict`` and, to be refused, ``reason``. *Own* hits are those of the question's kind, *one box* hits are of any kind.
A verdict counts where the question has a yes or no, the reply is an answer and claims a yes or no;
how many of the answers claim one is told beside it. Questions with several parts are a file of their own: each line
has ``id``, ``question`` and ``parts``, each part its ``text`` and the records that answer it (``right``).
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from kb.answer.answerer import Answerer
from kb.answer.reply import Abstention, Answer, Reply
from kb.errors import DataError
from kb.search.metrics import bootstrap, hit_at, ndcg, reciprocal_rank, wilson
from kb.search.searcher import Hit, How

TUNING = ("tuning.jsonl", *(f"tuning-{at}.jsonl" for at in range(2, 7)))  # weights and thresholds are learnt on these
RERANKED = "reranked"  # the ranker's order after the best were read beside the question, which answers go by
BLIND = "blind.jsonl"  # questions that nobody who tunes has seen
MEASURES = ("hit@1", "hit@5", "MRR", "nDCG@10")
BINS = (0.0, 0.3, 0.5, 0.7, 0.85, 0.95, 1.01)


@dataclass(frozen=True, slots=True)
class Question:
    """A question with what answers it."""

    id: str
    text: str
    kind: str
    right: tuple[str, ...]
    verdict: str
    reason: str


@dataclass
class Result:
    """What was measured."""

    ranking: dict[str, dict[str, dict[str, list[float]]]] = field(default_factory=dict)  # how -> table -> measure
    refused: list[bool] = field(default_factory=list)
    refused_by: dict[str, list[bool]] = field(default_factory=dict)  # the same by the reason that is right
    reasons: list[bool] = field(default_factory=list)
    falsely: list[bool] = field(default_factory=list)
    verdicts: list[bool] = field(default_factory=list)
    claimed: list[bool] = field(default_factory=list)
    source: list[bool] = field(default_factory=list)
    sure: list[tuple[float, bool]] = field(default_factory=list)
    words: list[tuple[float, bool]] = field(default_factory=list)
    split: list[bool] = field(default_factory=list)
    parts: list[bool] = field(default_factory=list)
    dead: int = 0
    failures: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Everything as plain numbers with intervals."""
        tables = {
            how: {name: {m: _interval(v) for m, v in measures.items()} for name, measures in kinds.items()}
            for how, kinds in self.ranking.items()
        }
        shares = {
            name: _share(getattr(self, name))
            for name in ("refused", "reasons", "falsely", "verdicts", "claimed", "source", "split", "parts")
            if getattr(self, name)
        }
        by_reason = {reason: _share(values) for reason, values in sorted(self.refused_by.items())}
        calibration = {"answers": _bins(self.sure), "verdicts": _bins(self.words)}
        return {
            "ranking": tables, "shares": shares, "refused_by_reason": by_reason, "calibration": calibration,
            "dead_citations": self.dead,
        }  # fmt: skip


def load(path: Path) -> list[Question]:
    """Read a file of questions. Raises ``DataError`` where there is none, and for a line that is wrong."""
    found = []
    for number, line in enumerate(_lines(path), 1):
        try:
            one = json.loads(line)
            right = (*one.get("rulings", ()), *one.get("rules", ()))
            asked = Question(
                one["id"], one["question"], one["kind"], right, one.get("verdict", ""), one.get("reason", "")
            )
        except (ValueError, KeyError, TypeError) as problem:
            raise DataError(
                path, f"this is not a question ({problem!r})", "See kb/answer/evaluate.py", line=number
            ) from problem
        found.append(asked)
    return found


@dataclass(frozen=True, slots=True)
class Compound:
    """A question with its parts: what each asks and the records that answer it; one without has only one."""

    id: str
    text: str
    parts: tuple[tuple[str, tuple[str, ...]], ...]


def load_compound(path: Path) -> list[Compound]:
    """Read a file of questions with parts. Raises ``DataError`` where there is none, and for a line that is wrong."""
    found = []
    for number, line in enumerate(_lines(path), 1):
        try:
            one = json.loads(line)
            parts = tuple((part["text"], tuple(part["right"])) for part in one["parts"])
            found.append(Compound(one["id"], one["question"], parts))
        except (ValueError, KeyError, TypeError) as problem:
            what = f"this is not a question with parts ({problem!r})"
            raise DataError(path, what, "See kb/answer/evaluate.py", line=number) from problem
    return found


def _lines(path: Path) -> list[str]:
    if not path.exists():
        raise DataError(path, "there is no such file of questions", "kb eval needs the project's folder tests/eval")
    return path.read_text(encoding="utf-8").splitlines()


def evaluate(con: sqlite3.Connection, asked: Sequence[Question], compound: Sequence[Compound] = ()) -> Result:
    """Ask every question in every way; of those with parts, how they are split and what answers each part."""
    answerer = Answerer(con)
    origins = {row[0]: f"{row[1]}:{row[2]}" for row in con.execute("SELECT id, document, line FROM ruling")}
    result = Result()
    for one in asked:
        found = answerer.searcher.compare(one.text)
        if one.kind != "refuse":
            for how, ranked in found.items():
                _rank(result, how.value, one, ranked.hits, origins)
            best = found[How.RANKED]
            _rank(result, RERANKED, one, answerer.reranker.rerank(best, answerer.reranker.read(best)), origins)
        _reply(result, one, answerer.ask(one.text, found[How.RANKED]), origins)
    for several in compound:
        _parts(result, several, answerer, origins)
    return result


def _parts(result: Result, one: Compound, answerer: Answerer, origins: dict[str, str]) -> None:
    parts = answerer.parts(one.text)
    well = [_bare(part.text) for part in parts] == [_bare(text) for text, _ in one.parts]
    result.split.append(well)
    if not well:
        result.failures.append(f"{one.id} split into {[part.text for part in parts]}: {one.text[:110]}")
        return
    for part, (_, wanted) in zip(parts, one.parts, strict=True):
        reply = answerer.ask(part.asked)
        right = isinstance(reply, Answer) and any(source in wanted for source in sources(reply, origins))
        result.parts.append(right)
        if not right:
            result.failures.append(f"{one.id} part not answered by {wanted[0]}: {part.asked[:110]}")


def _bare(text: str) -> str:
    return text.lower().strip(" ?.,").removeprefix("and ")


def sources(reply: Answer, origins: dict[str, str]) -> list[str]:
    """What an answer cites, named as the questions name it: rulings by their origin."""
    return [*(origins[cited.id] for cited in reply.rulings), *(cited.ref for cited in reply.citations)]


def _key(hit: Hit, origins: dict[str, str]) -> str:
    return origins.get(hit.id, hit.id) if hit.kind == "ruling" else hit.id


def _rank(result: Result, how: str, one: Question, hits: Sequence[Hit], origins: dict[str, str]) -> None:
    own = [_key(hit, origins) for hit in hits if hit.kind == one.kind]
    box = [_key(hit, origins) for hit in hits if hit.kind != "card"]
    right_own = [ref for ref in one.right if (":" in ref and ref.startswith("faq")) == (one.kind == "ruling")]
    for table, ranking, right in ((one.kind, own, right_own), (f"{one.kind} in one box", box, list(one.right))):
        measures = result.ranking.setdefault(how, {}).setdefault(table, {name: [] for name in MEASURES})
        measures["hit@1"].append(hit_at(ranking, right, 1))
        measures["hit@5"].append(hit_at(ranking, right, 5))
        measures["MRR"].append(reciprocal_rank(ranking, right))
        measures["nDCG@10"].append(ndcg(ranking, right))
    if how == RERANKED and not hit_at(own, right_own, 5):
        result.failures.append(f"{one.id} not in the first five: {one.text[:110]} -> {own[:3]}, right {right_own[:3]}")


def _reply(result: Result, one: Question, reply: Reply, origins: dict[str, str]) -> None:
    refused = isinstance(reply, Abstention)
    if one.kind == "refuse":
        result.refused.append(refused)
        result.refused_by.setdefault(one.reason, []).append(refused)
        if isinstance(reply, Abstention):
            result.reasons.append(reply.reason.value == one.reason)
        else:
            result.failures.append(f"{one.id} not refused ({one.reason}): {one.text[:110]}")
        return
    result.falsely.append(refused)
    if not isinstance(reply, Answer):
        result.failures.append(f"{one.id} refused ({reply.reason}): {one.text[:110]}")
        return
    right = any(source in one.right for source in sources(reply, origins))
    result.source.append(right)
    result.sure.append((reply.confidence, right))
    result.dead += sum(not cited.quote for cited in reply.citations)
    if one.verdict in ("yes", "no"):
        said = reply.verdict in ("yes", "no", "depends")
        result.claimed.append(said)
        if said:
            result.verdicts.append(reply.verdict == one.verdict)
            result.words.append((reply.verdict_confidence, reply.verdict == one.verdict))
            if reply.verdict != one.verdict:
                result.failures.append(f"{one.id} said {reply.verdict}, right {one.verdict}: {one.text[:110]}")


def _interval(values: Sequence[float]) -> dict[str, float]:
    low, high = bootstrap(values)
    return {"mean": round(sum(values) / max(1, len(values)), 4), "low": round(low, 4), "high": round(high, 4)}


def _share(values: Sequence[bool]) -> dict[str, float]:
    low, high = wilson(sum(values), len(values))
    share = sum(values) / max(1, len(values))
    return {"share": round(share, 4), "low": round(low, 4), "high": round(high, 4), "of": len(values)}


def _bins(pairs: Sequence[tuple[float, bool]]) -> list[dict[str, float]]:
    """A reliability table: of the replies that claim so much, how many were right."""
    rows = []
    for low, high in pairwise(BINS):
        inside = [(sure, right) for sure, right in pairs if low <= sure < high]
        if inside:
            claimed = sum(sure for sure, _ in inside) / len(inside)
            right = sum(good for _, good in inside) / len(inside)
            rows.append({"from": low, "claimed": round(claimed, 3), "right": round(right, 3), "of": len(inside)})
    return rows


def report(result: Result) -> str:
    """The result as text."""
    lines = []
    record = result.as_json()
    for how, tables in record["ranking"].items():
        for table, measures in tables.items():
            shown = "  ".join(
                f"{name} {m['mean']:.1%} [{m['low']:.1%}, {m['high']:.1%}]"
                if name.startswith("hit")
                else f"{name} {m['mean']:.3f}"
                for name, m in measures.items()
            )
            lines.append(f"{how:8} {table:18} {shown}")
    words = {
        "refused": "refused of those to be refused", "reasons": "refused for the right reason",
        "falsely": "refused though answerable", "source": "answers that cite the right record",
        "claimed": "yes/no questions answered with a word", "verdicts": "of these, the right word",
        "split": "questions split into their parts, or rightly left whole", "parts": "parts that cite a right record",
    }  # fmt: skip
    for name, one in record["shares"].items():
        label = words[name]
        lines.append(f"{label}: {one['share']:.1%} [{one['low']:.1%}, {one['high']:.1%}] of {one['of']}")
    told = [f"{reason} {one['share']:.0%} of {one['of']}" for reason, one in record["refused_by_reason"].items()]
    lines.append(f"refused by the reason that is right: {', '.join(told)}")
    lines.append(f"dead citations: {record['dead_citations']}")
    for name, rows in record["calibration"].items():
        lines.append(f"calibration of {name}: claimed -> right")
        lines += [f"  {row['claimed']:.2f} -> {row['right']:.2f} ({row['of']})" for row in rows]
    return "\n".join(lines)
