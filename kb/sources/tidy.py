"""Bytes to clean text: encodings, ligatures, soft hyphens, odd spaces. What words there are stays as it was.

Curly quotes stay (comparisons make no difference, see ``kb.sources.words``); what a typesetter put in
and nobody typed goes: ligatures are spelled out, soft hyphens and zero-width marks dropped, every kind
of space becomes a space.
"""

from __future__ import annotations

import re
import unicodedata
from os import PathLike

from kb.errors import InputError

_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "…": "…"})
_NOTHING = re.compile("\u00ad(?!\\s*(?:\n|$))|[\u200b\u200c\u200d\u2060\ufeff\ufffe]")
_SPACES = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\t\v]")
_HYPHENS = str.maketrans({"\u2010": "-", "\u2011": "-", "\u2212": "-"})
_TYPESET = frozenset(range(0x91, 0x98)) | {0x85, 0xA0, 0xAB, 0xAD, 0xB7, 0xBB, 0xE9, 0x99, 0xAE}
_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


def decode(raw: bytes, where: str | PathLike[str]) -> tuple[str, str]:
    """(text, encoding): UTF-8, UTF-16 with its mark, or Windows-1252 as word processors save it.

    Raises ``InputError`` where it is none of these, or no text at all.
    """
    for mark, encoding in _BOMS:
        if raw.startswith(mark):
            return _decoded(raw[len(mark) :], encoding, where), encoding
    if b"\0" in raw:
        raise InputError(where, "this is not a text file", "Import UTF-8 text, a PDF or a web page")
    try:
        return raw.decode("utf-8"), "utf-8"
    except UnicodeDecodeError as problem:
        high = [byte for byte in raw if byte >= 0x80]
        if sum(byte in _TYPESET for byte in high) < 0.8 * len(high):
            raise InputError(where, f"this is not UTF-8 (byte {problem.start})", "Save it as UTF-8 text") from problem
        return raw.decode("cp1252", errors="replace"), "windows-1252"


def _decoded(raw: bytes, encoding: str, where: str | PathLike[str]) -> str:
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as problem:
        raise InputError(where, f"this is not {encoding.upper()}", "Save it as UTF-8 text") from problem


def tidy(text: str, *, keep_tabs: bool = False) -> str:
    """``text`` without what only a typesetter needs; line ends become plain ones."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n\n")
    text = unicodedata.normalize("NFC", text.translate(_LIGATURES).translate(_HYPHENS))
    text = _NOTHING.sub("", text)
    return "".join(
        piece if piece == "\t" and keep_tabs else _SPACES.sub(" ", piece) for piece in re.split("(\t)", text)
    )
