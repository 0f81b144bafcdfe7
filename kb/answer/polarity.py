"""Which way a question asks: "do I lose the card?" and "do I keep the card?" have opposite words.

A question is read as a *form* (is a yes or no wanted, or a value: who, when, how many) and a *sign*: how
many times what it asks is turned around, by a negation that belongs to the statement or by a word whose
opposite is in the other question. "Doesn't Defy stop it?" asks whether Defy stops it: a negation in front
of the subject turns nothing; "Defy doesn't stop it, right?" does.

Everything here is about two questions on one matter; it does not know what is true.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from kb.search.words import stem, words

_AUXILIARY = (
    "do does did is are am was were can could may might must shall should will would has have had "
    "dont doesnt didnt isnt arent aint wasnt werent cant couldnt mustnt shouldnt wont wouldnt hasnt havent hadnt cannot"
).split()
_NEGATED = {word for word in _AUXILIARY if word.endswith("nt") or word in ("wont", "cannot")} | {
    "not", "never", "neither", "nor", "nah", "nope",
}  # fmt: skip
_DENYING = frozenset(  # words that hold a negation
    ("unable", "prohibited", "forbidden", "illegal", "impossible", "banned", "disallowed", "incapable", "prevented")
)
_VALUE = ("who", "whom", "whose", "when", "where", "which", "what", "how", "why", "whats", "whos", "wheres", "whens")
_JOINED = ("so", "and", "but", "or", "then", "if", "wait", "ok", "hi", "hey", "also", "still", "just", "really", "well")
_TAGS = re.compile(
    r"[,\s]*\b(right|correct|true|yes|no|yeah|yea|ya|legit|ok|okay|is that so|am i right|is (?:he|she|that|this) right|"
    r"true or not|yes or no|y/n|or not|or nah|or what|or no|innit)\s*[?.!]*$",
    re.I,
)
# Words that turn a statement around against each other, as stems; the groups are independent.
_OPPOSITES = (
    ("keep keeps kept retain", "lose loses lost losing gone forfeit miss"),
    ("stay stays stayed remain remains remained keeps",
     "leave leaves left recall recalled return returns returned home bounce bounced sent go goes removed"),
    (
        "survive survives survived live lives lived alive saved save saves safe",
        "die dies died dead killed kill kills destroyed",
    ),
    ("win wins won winner", "lose loses lost loser"),
    ("before first earlier", "after afterwards second later last"),
    ("now immediately once instantly away", "later wait waits waiting afterwards"),
    ("attacker attack attacks attacking", "defender defend defends defending"),
    ("my me mine i own myself", "opponent opponents opp opps his their they enemy he him"),
    ("public faceup revealed visible open", "hidden private secret facedown"),
    ("random randomly", "choose chosen pick picked"),
    ("same", "different another other"),
    ("all every both each whole", "one only single half"),
    ("work works happen happens resolve resolves trigger triggers go still",
     "fizzle fizzles fizzled lost countered stopped nothing fail fails wasted"),
    ("ready readied untapped untap", "exhausted tapped exhaust tap"),
    ("free", "pay paid paying cost"),
    ("more additional extra", "fewer less"),
    ("late", "time soon"),
)  # fmt: skip


class Form(StrEnum):
    """What kind of answer is wanted."""

    YES_NO = "yes or no"
    VALUE = "a value"
    CHOICE = "one of two"  # "do I draw one or two", "is it the same or different": no yes and no no


@dataclass(frozen=True, slots=True)
class Reading:
    """How a question asks."""

    form: Form
    negated: bool
    leans: frozenset[tuple[int, bool]]  # pairs of opposites of which it has one: which pair, whether its first
    against: frozenset[tuple[int, bool]]  # the opposites of these


def read(question: str) -> Reading:
    """The form of a question, and whether its statement is negated."""
    clause = asking_clause(question)
    said = words(clause)
    tagged = bool(_TAGS.search(clause.strip()))
    bare = words(_TAGS.sub("", clause.strip())) if tagged else said
    inverted = _is_inverted(bare)
    found = [word for word in bare if word in _NEGATED or (word == "no" and bare.index(word) > 0)]
    if inverted and found and _first_negation_inverts(bare):
        found = found[1:]
    found += [word for word in bare if word in _DENYING]
    form = Form.YES_NO if tagged else _form(clause, bare)
    stems = frozenset(stem(word) for word in words(question))
    leans = [
        (at, bool(stems & left))
        for at, (left, right) in enumerate(_PAIRS)
        if bool(stems & left) is not bool(stems & right)
    ]
    return Reading(form, len(found) % 2 == 1, frozenset(leans), frozenset((at, not first) for at, first in leans))


def _form(clause: str, said: list[str]) -> Form:
    """What kind of answer a clause without a tag wants."""
    if _wants_value(said) or _TELLS.search(clause):
        return Form.VALUE
    return Form.CHOICE if _offers(said) else Form.YES_NO


def ambiguous(question: str) -> bool:
    """Whether "yes" could mean either: "am I not allowed to look?" (a yes agrees with the "not", or with looking)."""
    said = words(asking_clause(question))
    return any(
        one in _AUXILIARY and one not in _NEGATED and subject in _SUBJECTS and after == "not"
        for one, subject, after in zip(said, said[1:], said[2:], strict=False)
    )


def turns(one: Reading, other: Reading) -> int:
    """How often what one question asks is turned around against the other."""
    return int(one.negated != other.negated) + len(one.leans & other.against)


def opposed(verdict: str) -> str:
    """The other word of a yes or a no; anything else stays."""
    return {"yes": "no", "no": "yes"}.get(verdict, verdict)


def asking_clause(question: str) -> str:
    """The last sentence that asks, or the last one."""
    parts = [part.strip() for part in re.split(r"(?<=[.?!;])\s+|\s+-\s+|:\s+|\n", question) if part.strip()]
    asking = [part for part in parts if part.endswith("?") or (words(part) and words(part)[0] in _AUXILIARY)]
    chosen = (asking or parts or [question])[-1]
    return parts[-2] + " " + chosen if len(words(chosen)) < 3 and len(parts) > 1 else chosen


def _is_inverted(said: list[str]) -> bool:
    """Whether an auxiliary stands before the subject: "do I draw", "if he dies, do I draw"."""
    return any(
        word in _AUXILIARY
        and (at == 0 or said[at - 1] in _JOINED or (at + 1 < len(said) and said[at + 1] in _SUBJECTS))
        for at, word in enumerate(said)
    )


_SUBJECTS = frozenset(
    "i he she it we they you my his her the a an this that both each anyone someone there opp".split()
)


def _first_negation_inverts(said: list[str]) -> bool:
    """Whether the first negation is the auxiliary in front of the subject: "doesn't it", "is it not"."""
    at = next(index for index, word in enumerate(said) if word in _NEGATED or word == "no")
    if said[at] in _AUXILIARY:
        return at == 0 or said[at - 1] not in _SUBJECTS
    return at >= 2 and said[at - 2] in _AUXILIARY and said[at - 1] in _SUBJECTS


_TELLS = re.compile(  # asks to be told something: what differs, how something works
    r"^(?:(?:so|ok|okay|hey|and|please|pls|can (?:you|someone|anyone))[ ,]+)*"
    r"(?:the )?(?:difference|differences|diff|explain|describe|define|compare|tell me|eli5|remind me)\b"
    r"|\b(?:vs|versus)\b",
    re.I,
)
_CONDITIONS = ("when", "where", "whenever", "wherever")
_OPENING = ("does", "did", "can", "could", "may", "must", "will", "would", "should", "do", "is", "are")


def _wants_value(said: list[str]) -> bool:
    """Whether a question word opens the clause, or stands right after a condition."""
    if len(said) > 1 and said[0] in _CONDITIONS and said[1] not in _AUXILIARY:
        return _wants_value_after_condition(said[1:])
    for at, word in enumerate(said):
        if word in _VALUE:
            return at == 0 or not any(other in _AUXILIARY for other in said[:at])
        if word in _AUXILIARY and (at == 0 or (at + 1 < len(said) and said[at + 1] in _SUBJECTS)):
            return False
    return False


def _wants_value_after_condition(said: list[str]) -> bool:
    """The same for what follows "when": "when it dies, who draws" wants one, "when it dies do I draw" does not."""
    for at, word in enumerate(said[:-1]):
        if word in _VALUE and word not in _CONDITIONS:
            return True
        if (
            word in _OPENING
            and at
            and (said[at + 1] in _SUBJECTS or (word not in ("is", "are") and said[at + 1] != "not"))
        ):
            return False
    return True


def _offers(said: list[str]) -> bool:
    """Whether two things are offered, one of which is right: opposites, numbers, or a second question after "or"."""
    for at, word in enumerate(said):
        if word != "or" or at == 0 or at + 1 == len(said):
            continue
        before, after = said[:at], said[at + 1 :]
        if after[0] in (*_AUXILIARY, "just", "only", "instead", "rather", "really", "simply") and after != ["not"]:
            return True
        if _is_number(before[-1]) and any(map(_is_number, after[:2])):
            return True
        left, right = {stem(one) for one in before[-3:]}, {stem(one) for one in after[:4]}
        if any((left & one and right & other) or (left & other and right & one) for one, other in _PAIRS):
            return True
    return False


def _is_number(word: str) -> bool:
    return word.isdigit() or word in _NUMBERS


_NUMBERS = frozenset("zero one two three four five six seven eight nine ten once twice".split())
_PAIRS = tuple((frozenset(map(stem, left.split())), frozenset(map(stem, right.split()))) for left, right in _OPPOSITES)
