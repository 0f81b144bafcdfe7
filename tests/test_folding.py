"""Repetitions far apart are written as copies, and come back as they were."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from kb.export.folding import SHORTEST, folded, unfolded
from kb.export.site import packed

LINE = '<div class="event d1"><span>Cleanup</span><span class="cites"><a href="#rule=323">323</a></span></div>'


def test_a_long_repetition_is_a_copy() -> None:
    text = f"<p>first</p>{LINE}{'<b>x</b>' * 3}<i>other</i>{LINE}<p>last</p>"
    parts = folded(text)
    copies = [(back, size) for back, size in pairwise(parts) if isinstance(back, int)]
    assert copies and all(isinstance(size, int) and size >= SHORTEST for _, size in copies[:1])
    assert sum(len(part) for part in parts if isinstance(part, str)) < len(text) - SHORTEST
    assert unfolded(parts) == text


@pytest.mark.parametrize("text", ["", "no mark at all", "<", "<<<<<<<<" * 40, LINE * 9, f"{LINE}é·{LINE}"])
def test_every_text_comes_back(text: str) -> None:
    assert unfolded(folded(text)) == text


@pytest.mark.parametrize("seed", range(20))
def test_mixed_pieces_come_back(seed: int) -> None:
    draw = random.Random(seed)
    pieces = [f"<a{draw.randrange(9)}>{'word ' * draw.randrange(12)}" for _ in range(12)]
    text = "".join(draw.choice(pieces) for _ in range(400))
    assert unfolded(folded(text)) == text


def test_pages_are_cut_where_a_browser_counts() -> None:
    pages = {"a": f"{LINE}\U0001f600", "b": LINE, "c": "<p>·</p>"}
    said = packed(pages)
    assert said["names"] == ["a", "b", "c"]
    assert said["lengths"] == [len(LINE) + 2, len(LINE), len("<p>·</p>")]
    assert sum(said["lengths"]) == len("".join(pages.values())) + 1
