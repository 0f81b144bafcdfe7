"""Texts -> vectors of length one: the sentence encoder on ONNX Runtime, and a small one for tests.

Passages are encoded exactly, once. A question is encoded by the same model with weights of one byte: a third of the
time, and a cosine of 0.99 with the exact vector, which the evaluation does not notice.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from kb.search.language_model import OneByOne, OnnxModel, graph_file, model_dir, write_as_bytes

Vectors = npt.NDArray[np.float32]
LONGEST_TEXT = 4000  # characters; far more than 256 tokens of prose
BATCH = 32
SIZE = 384


class Encoder(Protocol):
    """What turns texts into vectors; ``name`` changes whenever the vectors of passages would."""

    name: str

    def prepare_exact(self) -> None:
        """Begin to load what ``encode`` needs, so that the caller can do something else meanwhile."""
        ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One row of length one per text."""
        ...

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """The same for what somebody asks: quicker, and nearly the same rows."""
        ...


class HashingEncoder:
    """Words hashed into a vector (Weinberger et al. 2009): deterministic, quick, needs no model.

    For tests of everything that is not about the quality of the vectors.
    """

    name = "hashing-1"

    def prepare_exact(self) -> None:
        """Nothing has to be loaded."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One row of length one per text; a text without words gives a fixed row."""
        made = np.zeros((len(texts), SIZE), np.float32)
        for row, text in enumerate(texts):
            words = re.findall(r"\w+", text.lower()) or [""]
            for word in words:
                digest = int.from_bytes(blake2b(word.encode(), digest_size=8).digest(), "big")
                made[row, digest % SIZE] += 1.0 if digest >> 63 else -1.0
            if not made[row].any():
                made[row, 0] = 1.0
        vectors: Vectors = made / np.linalg.norm(made, axis=1, keepdims=True).astype(np.float32)
        return vectors

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """The same rows."""
        return self.encode(texts)


class _Exact(OnnxModel):
    """The encoder with its own weights, for texts of many lengths at once."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One row per text; texts of like length share a batch."""
        made = np.zeros((len(texts), SIZE), np.float32)
        found = self.tokens(texts)
        order = sorted(range(len(texts)), key=lambda at: len(found[at].ids))
        for start in range(0, len(order), BATCH):
            rows = order[start : start + BATCH]
            longest = max(len(found[row].ids) for row in rows)
            ids, mask = np.zeros((len(rows), longest), np.int64), np.zeros((len(rows), longest), np.int64)
            for at, row in enumerate(rows):
                ids[at, : len(found[row].ids)] = found[row].ids
                mask[at, : len(found[row].ids)] = 1
            made[rows] = self.session.run(None, {"input_ids": ids, "attention_mask": mask})[0]
        return made

    def _graph(self) -> Path:
        return exported_encoder()


class _Quick(OneByOne):
    """The encoder with weights of one byte."""

    def _graph(self) -> Path:
        return exported_query_encoder()


class OnnxEncoder:
    """all-MiniLM-L6-v2 on ONNX Runtime; the graphs lie in the cache folder and are written when missing."""

    name = "all-minilm-l6-v2"

    def __init__(self) -> None:
        self._exact, self._quick = _Exact(), _Quick("asking")

    def prepare(self) -> None:
        """Begin to load what encodes questions, in a thread."""
        self._quick.prepare()

    def prepare_exact(self) -> None:
        """Begin to load what encodes passages, in a thread."""
        self._exact.prepare()

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One row of length one per text."""
        return self._exact.encode([text[:LONGEST_TEXT] for text in texts])

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """One row of length one per text, by the quicker graph; a text's row does not depend on the others."""
        found = self._quick.tokens([text[:LONGEST_TEXT] for text in texts])
        return np.array(self._quick.run(found), np.float32).reshape(len(texts), SIZE)


def _stamp() -> str:
    return f"{OnnxEncoder.name}|{(model_dir() / 'model.safetensors').stat().st_size}"


def _write(path: Path) -> None:
    from kb.search.graph import write_encoder

    write_encoder(model_dir(), path)


def exported_encoder() -> Path:
    """The encoder's graph in the cache folder, written and optimised first where it is missing."""
    return graph_file("encoder", _stamp(), _write)


def exported_query_encoder() -> Path:
    """The same with weights of one byte."""
    return graph_file("query-encoder", f"{_stamp()}|int8", lambda path: write_as_bytes(_write, path))


def default_encoder() -> Encoder:
    """The encoder in use: the language model, or the small one where ``KB_ENCODER`` is ``hashing``."""
    return HashingEncoder() if os.environ.get("KB_ENCODER") == "hashing" else OnnxEncoder()
