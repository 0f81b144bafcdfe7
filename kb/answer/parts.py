"""One question or several? "Do I draw, and who gets the point?" has two parts, each with an answer of its own.

A part is a clause that asks; what is told before it (the situation) is asked together with it, since "does it
die?" means nothing alone. Where nothing is told and a part only points ("does it count twice?"), what the first part
names is put in front. Tags ("right?", "yes or no?"), either-or questions and statements after a question make no
further part.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kb.search.words import words

LONGEST = 600  # characters; of longer stories the end is what asks (``kb.search.query``)
SHORTEST = 4  # words of a part
MOST = 3
_AUXILIARY = (
    "do|does|did|can|could|is|are|am|was|were|may|must|will|would|should|has|have|"
    "dont|doesnt|cant|isnt|arent|don't|doesn't|can't|isn't|aren't|won't|wont"
)
_OPENING = "does|did|can|could|is|are|may|must|will|doesnt|cant|isnt|doesn't|can't|isn't|aren't"  # before any word
_SUBJECT = (
    "i|he|she|it|we|they|you|my|his|her|their|our|its|the|a|an|this|that|these|those|both|each|any|anyone|someone|"
    "there|opp|opponent|opponents|another|all"
)
_VALUE = "who|whom|whose|when|where|which|what|how|why|what's|who's|whos|whats"
_JOIN = r"(?:and|also|plus|so|but|or|then|ok|okay|wait|if so|if not|if yes)[, ]+"
_SENTENCE = re.compile(r"(?<=[?!.;])(?<!e\.g\.)(?<!i\.e\.)(?<!vs\.)\s+|\n+")
_AND = re.compile(
    rf",?\s+(?:and|plus)\s+(?:also\s+|then\s+|if so,?\s+|if not,?\s+)?"
    rf"(?=(?:{_AUXILIARY})\s+(?:{_SUBJECT})\b|(?:(?:does|can)|(?:is|are)\s+(?!\w+(?:ed|ing)\b))\s*\w+\s+\w+|(?:{_VALUE})\s+(?:{_AUXILIARY}|{_SUBJECT}|gets|wins|scores|many|much)\b)",
    re.I,
)
_ASKS = re.compile(rf"^(?:{_JOIN})*(?:(?:{_AUXILIARY})\s+(?:{_SUBJECT})\b|(?:{_OPENING})\s+[a-z]|(?:{_VALUE})\b)", re.I)
_FOLLOWS = re.compile(r"^(?:and |or )?(?:if so|if not|if yes|in that case|then)\b", re.I)
_POINTS = re.compile(r"\b(?:it|its|they|them|that|this|those)\b")  # to something that an earlier part names
_OR = re.compile(r"^or\b", re.I)
_CONDITION = re.compile(r"^(?:and |but |so )?(?:if|when|while|after|once)\b", re.I)


@dataclass(frozen=True, slots=True)
class Part:
    """A part as the person wrote it, and as it is looked up: with the situation in front."""

    text: str
    asked: str


def split(question: str, names: Callable[[str], Sequence[str]] = lambda _: ()) -> tuple[Part, ...]:
    """The parts of a question, in order; nothing where it has only one, more than ``MOST``, or is very long.

    ``names`` gives the cards and terms that a text names.
    """
    if len(question) > LONGEST:
        return ()
    told: list[str] = []
    found: list[Part] = []
    for sentence in (one.strip() for one in _SENTENCE.split(question)):
        if not sentence:
            continue
        if not _asking(sentence):
            told.append(sentence)
            continue
        for piece in _pieces(sentence):
            if found and (len(words(piece)) < SHORTEST or _OR.match(piece)):
                last = found.pop()  # a tag, or the other half of an either-or
                found.append(Part(f"{last.text} {piece}", f"{last.asked} {piece}"))
                continue
            before = list(told)
            if found and _FOLLOWS.match(piece):
                before.append(found[0].text)
            elif found and not told and _POINTS.search(" ".join(words(piece)[:4])):
                before += [f"{name}:" for name in names(found[0].text)]
            found.append(Part(piece, " ".join([*before, piece])))
    return tuple(found) if 2 <= len(found) <= MOST else ()


def _asking(sentence: str) -> bool:
    return sentence.rstrip("\"')").endswith("?") or bool(_ASKS.match(sentence))


def _pieces(sentence: str) -> list[str]:
    """An asking sentence at each "and" that opens another question."""
    pieces = [piece.strip(" ,") for piece in _AND.split(sentence)]
    if len(pieces) > 1 and not _asks_itself(pieces[0]):  # "when he attacks and does not die, do I ...": a condition
        return [sentence]
    return pieces


def _asks_itself(piece: str) -> bool:
    """Whether a piece asks, also behind a condition or a fragment of a story."""
    if _ASKS.match(piece):
        return True
    inverted = re.search(rf"[,;:-]?\s(?:{_AUXILIARY})\s+(?:{_SUBJECT})\b|[,;:-]\s*(?:{_VALUE})\b", piece, re.I)
    return inverted is not None and not (_CONDITION.match(piece) and "," not in piece and not piece.endswith("?"))
