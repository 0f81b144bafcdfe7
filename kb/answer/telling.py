"""What of a rule is told as the answer: its statement, and of a long one the sentences that fit the question.

The whole rule stands beside it as a citation. Examples and pointers ("See rule ...") are left to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from kb.search.words import content

SHORT = 260  # characters that are told whole
TITLE = 40  # a sentence that is shorter says nothing alone
_EXTRA = re.compile(r"\s*(?:\bExamples?\s*(?:\([^)]*\))?:|\bSee (?:rules?|CR|TR)?\s*\d{3}|\bNote \(ours\):).*", re.S)
_SENTENCE = re.compile(r"(?:(?<=[.!?])|(?<=[.!?][\"”')\]]))\s+(?=[\"“(\[A-Z])")
_LEANS = re.compile(
    r"^(?:it|its|they|them|their|this|that|these|those|such|then|he|she|otherwise|if so|also|instead|likewise)\b"
    r"|^(?:\S+\s+){1,4}(?:then|such|that case|from this)\b",
    re.I,
)
_SETS_UP = re.compile(
    r"^(?:suppose|say|imagine|consider|take|picture)\b|\b(?:take|look at|consider) (?:a|an|the)\b", re.I
)


def fitting(quote: str, asked: Collection[str], rarity: Callable[[str], float]) -> str:
    """The part of a rule to tell for a question with these stems; ``rarity`` says how telling a stem is.

    Of a long statement: the sentence that covers most of the question, the first among equals, with those before it
    on which it leans, and with those that complete it: what follows from a case that is set up, and what leans on it.
    """
    statement = _EXTRA.sub("", quote).strip() or quote.strip()
    if len(statement) <= SHORT:
        return statement
    sentences = _sentences(statement)
    covered = [sum(rarity(stem) for stem in set(content(one)) & set(asked)) for one in sentences]
    first = last = max(range(len(sentences)), key=lambda at: (covered[at], -at))
    while first > 0 and _joined(sentences[first - 1], sentences[first]):
        first -= 1
    while last + 1 < len(sentences) and (len(sentences[last]) < TITLE or _joined(sentences[last], sentences[last + 1])):
        last += 1
    return " ".join(sentences[first : last + 1])


def _joined(one: str, following: str) -> bool:
    """Whether a sentence cannot be told without the one that follows it, or the other way round."""
    return bool(_LEANS.match(following) or _SETS_UP.search(one))


def _sentences(statement: str) -> list[str]:
    """The sentences of a text; what stands in quotation marks is not cut."""
    found: list[str] = []
    for piece in _SENTENCE.split(statement):
        if found and found[-1].count('"') % 2:
            found[-1] += f" {piece}"
        else:
            found.append(piece)
    return found
