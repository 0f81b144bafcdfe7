"""Where deleted and inserted words of a redline meet, told without any edition: by the seams alone.

A seam is a place where a word runs into another: a small letter before a capital ("deckMain"), a stop
before a letter ("deck.deck"), a number doubled ("164.165."). How far the deleted words reach back and
the inserted ones forward can only be guessed: as many words on both sides as look alike, else one.
"""

from __future__ import annotations

import re

Span = tuple[int, int]

_SEAM = re.compile(
    r"(?<=[a-z’'])(?=[A-Z“\[])"  # deckMain
    r"|(?<=[a-z][.,;:”])(?=[A-Za-z“])"  # deck.deck
    r"|(?<=[.”\"])(?=[A-Z][a-z])"
    r"|(?<=\d\.)(?=\d{2,3}\.)"  # 164.165.
    r"|(?<=\])(?=\[[A-Z]\])"
)
_LITTLE = re.compile(
    r"\b(?P<old>the|a|an|its|their|of|on|to|in|with|that|this|is|has|will|it|at|or|and|be)"
    r"(?P<new>its|their|the|whose|including|that|at|in|into|is|are|reads|own|any|one|on|it)(?=\s)"
)
_KNOWN = re.compile(
    r"(?:than|then|into|onto|within|without|tow|also|andit|another|anion|theit|onion|isin|toin|inion|atone|atin|it)\Z"
)
_ABBREVIATED = re.compile(r"(?:e\.g|i\.e|etc|\b[A-Z])\.?\Z")


def with_seam(text: str) -> bool:
    """Whether deleted and inserted words run together somewhere in ``text``."""
    return bool(_seams(text))


def split_at_seams(text: str) -> tuple[tuple[Span, ...], tuple[Span, ...], float]:
    """(deleted spans, inserted spans, confidence): one guess for each seam."""
    deleted: list[Span] = []
    inserted: list[Span] = []
    floor = 0
    for seam in _seams(text):
        if seam < floor:
            continue
        start, end = _reach(text, seam, floor)
        deleted.append((start, seam))
        inserted.append((seam, end))
        floor = end
    sure = 0.45 if not deleted else max(0.1, 0.4 - 0.05 * len(deleted))
    return tuple(deleted), tuple(inserted), round(sure, 2)


def _seams(text: str) -> list[int]:
    found = {one.start() for one in _SEAM.finditer(text) if not _ABBREVIATED.search(text[: one.start()])}
    for one in _LITTLE.finditer(text):
        if not _KNOWN.match(one.group()):
            found.add(one.start("new"))
    return sorted(found)


def _reach(text: str, seam: int, floor: int) -> tuple[int, int]:
    """The words before the seam that were deleted and those after it that were inserted."""
    before = [one.start() for one in re.finditer(r"\S+", text[floor:seam])]
    after = [one.end() for one in re.finditer(r"\S+", text[seam:])]
    start = floor + (before[-1] if before else 0)
    end = seam + (after[0] if after else 0)
    stop = text[seam - 1]
    if stop in ".,;:" and after:  # the inserted words end as the deleted ones do
        for at in after[:12]:
            if text[seam + at - 1] == stop:
                return start, seam + at
    last = text[start:seam].strip(".,;:").lower()
    for at in after[:6]:
        if last and text[seam : seam + at].strip(".,;:").lower().endswith(last):
            return start, seam + at
    return start, end
