"""An inverted index in arrays: the places in which each stem occurs (Zobel and Moffat 2006, "Inverted files").

Made when the store is built, so that a question's words are looked up and no passage has to be read for them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt

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


def packed_postings(name: str, held: Iterable[Iterable[str]]) -> dict[str, bytes]:
    """Values for the store from the stems of each place, in order."""
    found: dict[str, list[int]] = {}
    for place, stems in enumerate(held):
        for stemmed in set(stems):
            found.setdefault(stemmed, []).append(place)
    names = sorted(found)
    starts = np.cumsum([0, *(len(found[one]) for one in names)])
    places = np.array([place for one in names for place in found[one]], np.int32)
    return {
        f"{name}:stems": json.dumps(names).encode(),
        f"{name}:starts": starts.astype(np.int32).tobytes(),
        f"{name}:places": places.tobytes(),
    }


def stored_postings(name: str, said: Mapping[str, bytes]) -> Postings:
    """What ``packed_postings`` wrote under this name."""
    stems = {one: at for at, one in enumerate(json.loads(said[f"{name}:stems"]))}
    starts, places = (np.frombuffer(said[f"{name}:{part}"], np.int32) for part in ("starts", "places"))
    return Postings(stems, starts, places)
