"""An inverted index in arrays: the places in which each stem occurs (Zobel and Moffat 2006, "Inverted files").

Made when the store is built, so that a question's words are looked up and no passage has to be read for them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from kb.search.tally import Pairs

Places = npt.NDArray[np.int32]
_NOWHERE = np.zeros(0, np.int32)


class Postings:
    """The places (numbers in order, each once) of each stem."""

    def __init__(self, stems: Mapping[str, int], starts: Places, places: Places) -> None:
        self._stems, self._starts, self._places = stems, starts, places

    def of(self, stemmed: str) -> Places:
        """The places of a stem; none where it occurs nowhere."""
        at = self._stems.get(stemmed)
        return _NOWHERE if at is None else self._places[self._starts[at] : self._starts[at + 1]]


def packed_postings(name: str, stems: Sequence[str], held: Pairs) -> dict[str, bytes]:
    """Values for the store from the stems (numbers in ``stems``) that each place holds."""
    by_stem = np.lexsort((held.owners, held.held))
    counts = held.counted(len(stems))
    return {
        f"{name}:stems": json.dumps([one for one, count in zip(stems, counts.tolist(), strict=True) if count]).encode(),
        f"{name}:starts": np.cumsum([0, *counts[counts > 0]]).astype(np.int32).tobytes(),
        f"{name}:places": held.owners[by_stem].astype(np.int32).tobytes(),
    }


def stored_postings(name: str, said: Mapping[str, bytes]) -> Postings:
    """What ``packed_postings`` wrote under this name."""
    stems = {one: at for at, one in enumerate(json.loads(said[f"{name}:stems"]))}
    starts, places = (np.frombuffer(said[f"{name}:{part}"], np.int32) for part in ("starts", "places"))
    return Postings(stems, starts, places)
