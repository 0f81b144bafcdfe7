"""Text in which what stood before is written as a copy of it, however far back.

Pages of positions are much alike, but farther apart than the 32 kilobytes that gzip looks back (RFC 1951). So long
repetitions are written as copies first ("long range matching", as rzip and zstd do), and gzip packs what is left.
"""

from __future__ import annotations

import re

_PIECE = re.compile(r"(?=<)|(?=\\u003c)|(?=&quot;)|(?=,\[)")
RUN = 4  # pieces in a row that are looked for
SHORTEST = 48  # characters that are worth a copy

Folded = list[str | int]


def folded(text: str) -> Folded:
    """Texts, and pairs of numbers: how far back in what was written so far a copy begins, and how long it is.

    Both count UTF-16 code units, as scripts in a browser do; a copy never overlaps the place that it is put to.
    """
    pieces = [piece for piece in _PIECE.split(text) if piece]
    starts = [0]
    for piece in pieces:
        starts.append(starts[-1] + len(piece) + sum(char > "\uffff" for char in piece))
    out: Folded = []
    plain = 0  # the first piece that is not written yet
    met: dict[tuple[str, ...], int] = {}
    at = 0
    while at < len(pieces):
        run = tuple(pieces[at : at + RUN])
        back = met.get(run)
        size = 0
        if back is not None:
            while at + size < len(pieces) and back + size < at and pieces[back + size] == pieces[at + size]:
                size += 1
        length = starts[at + size] - starts[at]
        if back is None or length < SHORTEST:
            met[run] = at
            at += 1
            continue
        if plain < at:
            out.append("".join(pieces[plain:at]))
        out += [starts[at] - starts[back], length]
        for inner in range(at, at + size, RUN):
            met[tuple(pieces[inner : inner + RUN])] = inner
        at += size
        plain = at
    if plain < len(pieces):
        out.append("".join(pieces[plain:]))
    return out


def unfolded(parts: Folded) -> str:
    """The text again (for texts without characters beyond the Basic Multilingual Plane)."""
    text = ""
    numbers = iter(parts)
    for part in numbers:
        if isinstance(part, str):
            text += part
        else:
            start = len(text) - part
            text += text[start : start + int(next(numbers))]
    return text
