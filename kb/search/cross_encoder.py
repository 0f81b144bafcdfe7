"""Does this text settle this question, and with a yes or a no? A small model that reads both together.

The language model with learnt additions (``cross_encoder.npz``, learnt by ``benchmarks/learn_cross_encoder.py``): it
was shown questions beside the rule or ruling that answers them, beside texts that come near and do not, and questions
that nothing answers beside what comes nearest; and each question beside no text. Where yes or no answers a question,
it was shown which.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from kb.search.encoder import Encoder, OnnxEncoder
from kb.search.language_model import OneByOne, graph_file, model_dir, write_as_bytes

FILE = Path(__file__).with_name("cross_encoder.npz")
MOST_TOKENS = 88
LONGEST_QUESTION = 600  # characters
LONGEST_TEXT = 1200
Scores = npt.NDArray[np.float32]


class CrossEncoder(Protocol):
    """What reads a question beside texts."""

    def scores(self, question: str, texts: Sequence[str]) -> Scores:
        """Log-odds that each text settles the question, and that it says yes to it: one row a text, two columns.

        For an empty text the first says that such questions have an answer.
        """
        ...


class OnnxCrossEncoder(OneByOne):
    """The learnt cross-encoder on ONNX Runtime; its graph lies in the cache folder and is written when missing."""

    most_tokens = MOST_TOKENS

    def __init__(self) -> None:
        super().__init__("reading")

    def scores(self, question: str, texts: Sequence[str]) -> Scores:
        """Two log-odds for each text; a text that is too long is cut."""
        if not texts:
            return np.zeros((0, 2), np.float32)
        pairs = [(question[:LONGEST_QUESTION], text[:LONGEST_TEXT]) for text in texts]
        return np.array(self.run(self.tokens(pairs)), np.float32)

    def _graph(self) -> Path:
        return exported_cross_encoder()


class NoCrossEncoder:
    """Finds that no text settles anything: for tests of everything that is not about the quality of answers."""

    def scores(self, question: str, texts: Sequence[str]) -> Scores:
        """Zeros for each text."""
        return np.zeros((len(texts), 2), np.float32)


def cross_encoder_for(encoder: Encoder) -> CrossEncoder:
    """The learnt cross-encoder, which begins to load, where the encoder is the language model; else none."""
    if not isinstance(encoder, OnnxEncoder):
        return NoCrossEncoder()
    reads = OnnxCrossEncoder()
    reads.prepare()
    return reads


def exported_cross_encoder() -> Path:
    """The cross-encoder's graph in the cache folder, written first where it is missing.

    Its weights are bytes: a quarter of the memory and half of the time, and scores that differ from the exact ones by
    a fifteenth of their spread.
    """
    stamp = f"{blake2b(FILE.read_bytes(), digest_size=8).hexdigest()}|int8"
    return graph_file("cross-encoder", stamp, lambda path: write_as_bytes(_write, path))


def _write(path: Path) -> None:
    from kb.search.graph import write_cross_encoder

    with np.load(FILE) as adapter:
        write_cross_encoder(model_dir(), dict(adapter), path)


def text_of(con: sqlite3.Connection, kind: str, name: str) -> str:
    """What is read of a record: a rule with its heading and the rule above it, a ruling's answer and claims."""
    rows = con.execute("SELECT part, title, text FROM passage WHERE kind = ? AND target = ? ORDER BY id", (kind, name))
    parts = {part: (title, text) for part, title, text in rows}
    if kind == "ruling":
        title, answer = parts.get("answer", ("", ""))
        return " ".join(
            [f"{title}. {answer}", *(text for part, (_, text) in parts.items() if part.startswith("claim:"))]
        )
    title, own = parts.get("restated", ("", ""))
    document, _, number = name.partition(":")
    above = con.execute(
        "SELECT above.statement FROM rule JOIN rule AS above ON above.document = rule.document "
        "AND above.number = rule.parent WHERE rule.document = ? AND rule.number = ?",
        (document, number),
    ).fetchone()
    headings = title.split(" > ")
    said = above[0] if above and above[0] and above[0] not in headings else ""
    return f"{' > '.join(headings[-2:])}. {said} {own}".strip()
