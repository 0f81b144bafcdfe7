"""Vectors as signed bytes: each scaled so that its greatest component is 127; cosine with the original above 0.9999."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kb.search.encoder import Vectors

Codes = npt.NDArray[np.int8]


def packed(vectors: Vectors) -> Codes:
    """Vectors as signed bytes."""
    most = np.abs(vectors).max(axis=1, keepdims=True)
    codes: Codes = np.round(vectors / np.maximum(most, 1e-9) * 127).astype(np.int8)
    return codes


def unpacked(codes: Codes) -> Vectors:
    """Signed bytes as vectors of length one."""
    vectors: Vectors = codes.astype(np.float32)
    vectors /= np.maximum(np.sqrt(np.einsum("ij,ij->i", vectors, vectors)), 1e-9)[:, None]
    return vectors
