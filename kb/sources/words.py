"""Rule text as comparable words: what stays when quotes, spacing, case and pointer numbers are set aside.

Two editions say the same where these words are the same: a pointer that only follows a renumbering
("See rule 164." and "See rule 165.") is no change, and neither is a curly quote.
"""

from __future__ import annotations

import re

_WORD = re.compile(r"\[[^\[\]\s]*\]|[^\W_]+(?:['-][^\W_]+)*|[+-]\d+")
_POINTED = re.compile(r"((?:[Ss]ee|[Rr]ules?|CR|TR|and|or|,)\s+)\d{3}(?:\.(?:\d{1,2}|[a-z]\b))*")
_BRACKETED = re.compile(r"\[\s*([^\[\]]*?)\s*\]")
_STEP = re.compile(r"\A\d{1,2}[a-z]?\.\s+")
_LETTERS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-"})
_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": " - ", "\xa0": " "})


def plain(text: str) -> str:
    """``text`` with straight quotes, single spaces and no space inside brackets."""
    said = _BRACKETED.sub(lambda found: f"[{found.group(1)}]", text.translate(_QUOTES))
    return " ".join(said.split())


def without_pointers(text: str) -> str:
    """``text`` with the numbers of its pointers left out ("See rule . Rune Pools ...")."""
    return _POINTED.sub(r"\1#", text)


def comparable(text: str) -> str:
    """The words of ``text`` in lower case, joined by spaces; step label and pointer numbers left out."""
    return " ".join(_WORD.findall(without_pointers(_STEP.sub("", plain(text))).lower()))


def squeeze(text: str) -> tuple[str, tuple[int, ...]]:
    """``text`` without white space and with straight quotes, and where each of its characters stands."""
    kept = [(letter, at) for at, letter in enumerate(text) if not letter.isspace()]
    return "".join(letter.translate(_LETTERS) for letter, _ in kept), tuple(at for _, at in kept)
