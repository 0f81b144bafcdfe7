"""Learn the cross-encoder, and write ``kb/search/cross_encoder.npz``.

Run by hand after the questions have changed much: ``python benchmarks/learn_cross_encoder.py`` (a quarter of an hour
on two idle cores for each pass; needs torch, which search does not); ``--on`` goes on from what was learnt before. It
learns from ``rules/questions/`` and the questions of rulings alone: each beside a record that answers it and beside one
that comes near, and those that nothing answers beside the nearest; each also beside no text: has a question of this
kind an answer here? Where the label is a yes or a no, it learns that word as well. The tuning questions are left to
``benchmarks/learn.py``, which so meets the cross-encoder as users do: on questions it has not seen.

The language model stays as it is; low-rank additions to its dense layers are learnt (Hu et al. 2021, "LoRA"), and a
head.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional
from transformers import AutoModel

from kb.search.cross_encoder import FILE, LONGEST_QUESTION, LONGEST_TEXT, MOST_TOKENS, text_of
from kb.search.graph import SPREAD
from kb.search.index import Index, Target
from kb.search.language_model import model_dir
from kb.store import open_store

RANK = 48
SCALE = 2.0
INNER = 128  # size of the head's hidden layer
BATCH = 48
RATE, RATE_OF_HEAD = 6e-4, 1e-3
GENTLY = 0.5  # as large are the rates where what was learnt before is learnt on
WARM_UP = 60  # steps
SOFT = 0.02  # labels are this far from 0 and 1: some are wrong
NEAR = 10  # a text that comes near is drawn from so many
OF_WORDS = 0.5  # what the word counts in the loss
NO_WORD = -1.0
WORDS = {"yes": 1.0, "no": 0.0}


@dataclass(frozen=True, slots=True)
class Pair:
    """A question beside the text of a record, whether that settles it, and whether with a yes or a no."""

    question: str
    text: str
    settles: float
    yes: float = NO_WORD


def pairs(con: sqlite3.Connection, rnd: random.Random) -> list[Pair]:
    """What is learnt from."""
    index = Index(con)
    said = dict(con.execute("SELECT id, text FROM passage"))
    word = words_of(con)
    real = np.flatnonzero(~index.row_refused)
    order = real[np.argsort(index.row_target[real], kind="stable")]
    records, starts = np.unique(index.row_target[order], return_index=True)
    matrix = np.array([index.vector(int(row)) for row in order])
    texts: dict[int, str] = {}

    def text(record: int) -> str:
        if record not in texts:
            texts[record] = text_of(con, *index.targets[record])
        return texts[record]

    made = []
    asked = np.flatnonzero(index.row_question | index.row_refused)
    for start in range(0, len(asked), 256):
        rows = asked[start : start + 256]
        like = np.array([index.vector(int(row)) for row in rows]) @ matrix.T
        like[rows[:, None] == order[None, :]] = -1.0
        best = np.maximum.reduceat(like, starts, axis=1)
        for row, scores in zip(rows, best, strict=True):
            own, question = int(index.row_target[row]), said[int(index.ids[row])]
            near = [int(records[at]) for at in np.argsort(-scores)[: 4 * NEAR]]
            made.append(Pair(question, "", float(not index.row_refused[row])))
            if index.row_refused[row]:
                made += [Pair(question, text(record), 0.0) for record in {near[0], rnd.choice(near[:4])}]
                continue
            other = [one for one in near if not _related(index.targets[own], index.targets[one])]
            made.append(Pair(question, text(own), 1.0, word.get(int(index.ids[row]), NO_WORD)))
            made.append(Pair(question, text(other[min(int(rnd.expovariate(0.5)), NEAR - 1)]), 0.0))
    return made


def words_of(con: sqlite3.Connection) -> dict[int, float]:
    """1 for each question's passage that yes answers, 0 for each that no does."""
    review = {one: json.loads(text)["review"] for one, text in con.execute("SELECT id, json FROM ruling")}
    made = {}
    for passage, part, kind, target in con.execute("SELECT id, part, kind, target FROM passage"):
        named, _, rest = part.partition(":")
        word = rest.partition(":")[2] if named == "asked" else ""
        if part == "question:1" and kind == "ruling" and review[target]:
            word = review[target]["verdict"]
        if word in WORDS:
            made[int(passage)] = WORDS[word]
    return made


def _related(one: Target, other: Target) -> bool:
    """Whether two records may settle the same question: the same, or rules under one another or side by side."""
    if one.kind != other.kind or one.kind != "rule":
        return one == other
    same = one.id.rpartition(".")[0] == other.id.rpartition(".")[0]
    return same or one.id.startswith(other.id) or other.id.startswith(one.id)


class Added(nn.Module):
    """A dense layer that stays, and a low-rank addition that is learnt."""

    def __init__(self, layer: nn.Linear) -> None:
        super().__init__()
        self.weight, self.bias = layer.weight.detach().bfloat16(), layer.bias.detach().bfloat16()
        self.A = nn.Parameter(torch.randn(RANK, layer.in_features) / math.sqrt(layer.in_features))
        self.B = nn.Parameter(torch.zeros(layer.out_features, RANK))

    def forward(self, x: Tensor) -> Tensor:
        added = functional.linear(functional.linear(x, self.A.bfloat16()), self.B.bfloat16())
        return functional.linear(x, self.weight, self.bias) + SCALE * added


class Head(nn.Module):
    """As ``kb.search.graph`` writes it."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.lin, self.out = nn.Linear(3 * size, INNER), nn.Linear(INNER, 1)
        self.word_lin, self.word_out = nn.Linear(3 * size, INNER), nn.Linear(INNER, 1)

    def forward(self, hidden: Tensor, mask: Tensor, kinds: Tensor) -> Tensor:
        hidden = hidden.float()

        def mean(chosen: Tensor) -> Tensor:
            return functional.normalize((hidden * chosen.float().unsqueeze(-1)).sum(1), dim=-1) * SPREAD

        question, text = mean(mask * (1 - kinds)), mean(mask * kinds)
        seen = torch.cat([question * text, (question - text).abs(), hidden[:, 0]], dim=-1)
        settles = self.out(functional.gelu(self.lin(seen)))
        yes = self.word_out(functional.gelu(self.word_lin(seen)))
        return torch.cat([settles, yes], dim=-1)


class CrossEncoder(nn.Module):
    """The language model with additions and head."""

    def __init__(self) -> None:
        super().__init__()
        still = {"attention_probs_dropout_prob": 0.0, "hidden_dropout_prob": 0.0}
        # "eager": the backward pass of fused attention takes more than half of all time on a processor.
        self.bert = AutoModel.from_pretrained(str(model_dir()), attn_implementation="eager", **still)
        self.head = Head(self.bert.config.hidden_size)
        for parameter in self.bert.parameters():
            parameter.requires_grad_(False)
        for layer in self.bert.encoder.layer:
            for name in ("query", "key", "value"):
                setattr(layer.attention.self, name, Added(getattr(layer.attention.self, name)))
            for part in (layer.attention.output, layer.intermediate, layer.output):
                part.dense = Added(part.dense)
        self.bert.bfloat16()
        for parameter in self.learnt():
            parameter.data = parameter.data.float()
        self.tokenizer = Tokenizer.from_file(str(model_dir() / "tokenizer.json"))
        self.tokenizer.enable_truncation(MOST_TOKENS, strategy="longest_first")
        self.tokenizer.no_padding()

    def learnt(self) -> list[nn.Parameter]:
        """What changes in learning."""
        return [parameter for parameter in self.parameters() if parameter.requires_grad]

    def forward(self, batch: Sequence[Pair]) -> Tensor:
        found = self.tokenizer.encode_batch([(p.question[:LONGEST_QUESTION], p.text[:LONGEST_TEXT]) for p in batch])
        longest = max(len(one.ids) for one in found)
        ids, mask, kinds = (torch.zeros(len(found), longest, dtype=torch.long) for _ in range(3))
        for row, one in enumerate(found):
            ids[row, : len(one.ids)] = torch.tensor(one.ids)
            mask[row, : len(one.ids)] = 1
            kinds[row, : len(one.ids)] = torch.tensor(one.type_ids)
        hidden = self.bert(input_ids=ids, attention_mask=mask, token_type_ids=kinds).last_hidden_state
        scores: Tensor = self.head(hidden, mask, kinds)
        return scores

    def load(self, path: Path) -> None:
        """Go on from additions and head that were written before; additions of a lower rank are a corner of these."""
        named = dict(self.named_parameters())
        with np.load(path) as before:
            for name in before.files:
                if name != "scale":
                    one = named[name if name.startswith("head.") else f"bert.{name}"]
                    value = torch.from_numpy(before[name]).float()
                    one.data[tuple(slice(size) for size in value.shape)] = value

    def save(self, path: Path) -> None:
        """Write additions and head as half-precision numbers."""
        names = {name.removeprefix("bert."): one for name, one in self.named_parameters() if one.requires_grad}
        np.savez_compressed(path, scale=SCALE, **{name: one.detach().half().numpy() for name, one in names.items()})


def learn(model: CrossEncoder, data: list[Pair], epochs: int, rnd: random.Random, to: Path, share: float = 1.0) -> None:
    """Learn at a share of the rates, and write after each pass; print the loss now and then."""
    own = [parameter for parameter in model.bert.parameters() if parameter.requires_grad]
    rates = (RATE, RATE_OF_HEAD)
    groups = [{"params": own, "lr": RATE}, {"params": list(model.head.parameters()), "lr": RATE_OF_HEAD}]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
    total, step, losses, begun = epochs * len(data) // BATCH, 0, [], time.monotonic()
    for _ in range(epochs):
        for batch in batches(data, rnd):
            factor = share * min(1.0, step / WARM_UP) * max(0.02, 1 - step / total)
            for group, rate in zip(optimizer.param_groups, rates, strict=True):
                group["lr"] = rate * factor
            right = torch.tensor([[pair.settles, pair.yes] for pair in batch])
            counts = (right >= 0).float()
            right = right.clamp(0, 1) * (1 - 2 * SOFT) + SOFT
            each = functional.binary_cross_entropy_with_logits(model(batch), right, counts, reduction="none").sum(0)
            settle, word = each / counts.sum(0).clamp(min=1)
            loss = settle + OF_WORDS * word
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.learnt(), 1.0)
            optimizer.step()
            losses.append((settle.item(), word.item()))
            step += 1
            if step % 50 == 0:
                recent = " and ".join(f"{one:.3f}" for one in np.mean(losses[-50:], axis=0))
                print(f"step {step} of {total}, losses {recent}, {time.monotonic() - begun:.0f} s", flush=True)
        model.save(to)


def batches(data: list[Pair], rnd: random.Random) -> list[list[Pair]]:
    """The pairs in an order of chance, those of like length together."""
    rnd.shuffle(data)
    made = []
    for start in range(0, len(data), 20 * BATCH):
        part = sorted(data[start : start + 20 * BATCH], key=lambda pair: len(pair.question) + len(pair.text))
        some = [part[at : at + BATCH] for at in range(0, len(part), BATCH)]
        rnd.shuffle(some)
        made += some
    return made


def main() -> None:
    """Learn and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--to", type=Path, default=FILE)
    parser.add_argument("--on", action="store_true", help="Go on from what was learnt before, at half the rates.")
    chosen = parser.parse_args()
    torch.manual_seed(0)
    rnd = random.Random(0)
    data = pairs(open_store(("vectors",)), rnd)
    print(json.dumps({"pairs": len(data), "settle": round(float(np.mean([pair.settles for pair in data])), 3)}))
    model = CrossEncoder()
    if chosen.on:
        model.load(FILE)
    learn(model, data, chosen.epochs, rnd, chosen.to, GENTLY if chosen.on else 1.0)
    print(f"{chosen.to.name}: {chosen.to.stat().st_size} bytes")


if __name__ == "__main__":
    main()
