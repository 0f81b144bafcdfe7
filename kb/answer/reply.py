"""What ``kb ask`` gives: ``Reply`` is an ``Answer`` or an ``Abstention``; both are plain values.

``as_json`` is the contract of ``kb ask --json``; further keys may be added to it, none are taken away.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, TypeAlias

UNSAID = "see answer"
"""The verdict where the answer stands but no bare word would be safe."""


class Reason(StrEnum):
    """Why there is no answer."""

    OTHER_GAME = "other game"
    UNKNOWN_CARD = "unknown card"
    NO_SUCH_RULE = "no such rule"
    NOT_DECIDED = "not decided"
    STRATEGY = "strategy"
    POLICY = "policy"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Dates:
    """What every reply says about its sources: edition in force and how far rules and cards reach."""

    edition: str
    rules_date: str
    cards_date: str
    cards_through: str


@dataclass(frozen=True, slots=True)
class Citation:
    """A rule quoted from the store; ``wording`` is "restated" (ours) or "official" (imported by the user)."""

    ref: str
    quote: str
    wording: str
    citation: str  # how a copy is headed
    above: tuple[str, ...] = ()  # what the rules above say, where it needs them to be read; another wording is marked


@dataclass(frozen=True, slots=True)
class Cited:
    """A ruling behind an answer, and what people say where it differs from what holds."""

    id: str
    title: str
    origin: tuple[str, ...]
    standing: str
    scenarios: tuple[str, ...]
    verdict: str  # what holds now, for the ruling's first question
    answer: str
    said_verdict: str
    said_answer: str
    differs: bool
    why: tuple[str, ...] = ()  # what is wrong with what people say
    changed: str = ""  # the change of edition that made it wrong


@dataclass(frozen=True, slots=True)
class View:
    """One of several defensible answers."""

    verdict: str
    answer: str
    source: str


@dataclass(frozen=True, slots=True)
class CardText:
    """A card that the question names: its facts in one line, and what it does."""

    name: str
    says: str


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer: the word, one sentence, the rules, the rulings, other readings."""

    verdict: str
    answer: str
    citations: tuple[Citation, ...]
    rulings: tuple[Cited, ...]
    readings: tuple[View, ...]
    confidence: float  # the chance that a record that settles the question is cited
    verdict_confidence: float
    dates: Dates
    part: str = ""  # of a question with several parts, the part that this answers
    parts: tuple[Answer | Abstention, ...] = field(default=())
    notes: tuple[str, ...] = ()
    source: str = "rule"  # what answers: "ruling" (the first of ``rulings``), "rule" or "card" (rulings are only near)
    cards: tuple[str, ...] = ()  # the card that is asked about
    card_texts: tuple[CardText, ...] = ()  # the cards that the question names: a rule often turns on what they say
    wording: str = ""  # whose words ``answer`` is in, where it tells a rule: as in ``Citation``; nothing where both are


@dataclass(frozen=True, slots=True)
class Nearest:
    """A record that comes close to a question that is not answered."""

    kind: str
    id: str
    title: str
    score: float


@dataclass(frozen=True, slots=True)
class Abstention:
    """No answer: the reason, a sentence that says it, and what comes nearest."""

    reason: Reason
    answer: str
    nearest: tuple[Nearest, ...]
    confidence: float  # the chance that there is nothing to answer
    dates: Dates
    part: str = ""


Reply: TypeAlias = Answer | Abstention


def as_json(reply: Reply) -> dict[str, Any]:
    """The document that ``kb ask --json`` prints."""
    record = asdict(reply)
    dates = record.pop("dates")
    record.pop("parts", None)
    if isinstance(reply, Answer):
        record = {"status": "answer"} | record
        record["parts"] = [as_json(part) for part in reply.parts]
        for one, cited in zip(record["rulings"], reply.rulings, strict=True):
            one["review_verdict"], one["review_answer"] = one.pop("verdict"), one.pop("answer")
            one["said"] = {"verdict": one.pop("said_verdict"), "answer": one.pop("said_answer")}
            one["origin"] = list(cited.origin)
    else:
        record = {"status": "abstention"} | record
    return {**record, **dates}
