"""A record's sentence beside the word for the question as asked: the two never contradict each other.

A ruling's sentence answers the ruling's first question, so it may begin "No: ..." where the question as asked, on
another fact or the other way round, has the word "yes". The leading word is then taken off; where it is part of the
sentence ("No, unless ...") it cannot be, and no word is shown.
"""

from __future__ import annotations

import re

from kb.answer.reply import UNSAID

_LEADS = re.compile(r"(?P<word>yes|no|it depends)\b", re.I)
_BARE = re.compile(r"(?:yes|no)\s*:\s+(?P<rest>\S.*)", re.I | re.S)
_DEPENDS = re.compile(r"it depends\b[^:.]*:\s+(?P<rest>\S.*)", re.I | re.S)
_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.I)


def leading_word(sentence: str) -> str:
    """The "yes", "no" or "depends" that a sentence begins with, else nothing."""
    found = _LEADS.match(sentence.strip())
    return found.group("word").lower().removeprefix("it ") if found else ""


def fitted(sentence: str, own: str, shown: str) -> tuple[str, str]:
    """The sentence and the word to show, where the record's own word is ``own`` and the one for the question ``shown``.

    The sentence loses a leading word that is not the one shown. Where it cannot lose it, the word is ``UNSAID``.
    """
    word = leading_word(sentence)
    if word:
        if word == shown or (word == "depends" and shown in ("open", UNSAID)):
            return sentence, shown
        found = (_DEPENDS if word == "depends" else _BARE).match(sentence.strip())
        return (_opened(found.group("rest")), shown) if found else (sentence, UNSAID)
    value, mark, rest = sentence.partition(": ")
    leads = mark and rest.strip() and _same(value, own)
    if leads and shown not in ("yes", "no", "depends", UNSAID) and not _same(value, shown):
        return _opened(rest.strip()), shown
    return sentence, shown


def _same(one: str, other: str) -> bool:
    return _ARTICLE.sub("", one.strip().lower()) == _ARTICLE.sub("", other.strip().lower())


def _opened(sentence: str) -> str:
    return f"{sentence[:1].upper()}{sentence[1:]}"
