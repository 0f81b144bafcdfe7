"""Questions that ask whether the opposite holds: "is it wrong to ...", "is he mistaken?", "he doesn't draw, right?".

Their word is the other one of the question put the straight way ("is it right to ...", "he does draw, right?"), which
is how people mostly ask and what the evidence for a word is made of. Only what frames the question is looked at, never
a condition in it ("if the target is illegal, do I draw?").
"""

from __future__ import annotations

import re

_STRAIGHT = {
    "wrong": "right", "mistaken": "right", "incorrect": "right", "a mistake": "right", "in the wrong": "right",
    "false": "true", "untrue": "true", "illegal": "legal", "against the rules": "within the rules",
    "forbidden": "allowed", "prohibited": "allowed", "banned": "allowed", "disallowed": "allowed",
    "fail to": "", "impossible": "possible", "unable": "able", "optional": "mandatory", "voluntary": "mandatory",
    "a myth": "true", "a misconception": "true", "a misunderstanding": "true", "against": "that allows",
}  # fmt: skip
_OPPOSITE = "|".join(sorted((one for one in _STRAIGHT if one not in ("against", "fail to")), key=len, reverse=True))
_BE = r"(?:is|are|am|was|were|isn['’]?t|aren['’]?t|wasn['’]?t|would|wouldn['’]?t)"
_CLAUSE = r"(?:^|[.?!;:,\n]\s*|\b(?:so|and|but|then|ok|wait|hey)\s+)"
_REST = r"(?:(?!\b(?:if|when|while|because|or)\b)[^.?!,;\n])*?"  # of the clause, without a condition
_END = r"(?=\s*(?:here|there|then|too|in that case)?\s*[?.!]*\s*$)"
_TAG = r"(?:,?\s*(?:right|correct|true|isn['’]?t it))\s*[?.!]*\s*$"
_STOPS = r"(?:stop|prevent|forbid|prohibit|keep|bar|ban)(?:s|ping|ing|ning|ting|ring)?"
_WHO = r"(?:it|that|this|i|he|she|they|we|you|opp|(?:my|the)\s+(?:opponent|friend|mate|buddy|judge|guy))"
_FRAMES = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        # "is it wrong to", "would it be illegal for him to", "is it a mistake to think"
        rf"{_CLAUSE}{_BE}\s+{_WHO}\s+(?:be\s+|considered\s+)?(?P<said>{_OPPOSITE})(?=\s+(?:to|that|for|of|if|when)\b)",
        # "it's illegal to look, right?"
        rf"\b(?:it['’]?s|it is|that['’]?s)\s+(?P<said>{_OPPOSITE})(?=\s+(?:to|that|for)\b[^.,;?!]*{_TAG})",
        # "does it fail to trigger"
        rf"{_CLAUSE}(?:do|does|did|will|would|can|could)\s+{_REST}\b(?P<said>fail to)\b",
        # "is hiding a card there against the rules?", "is he wrong?", "am I mistaken"
        rf"{_CLAUSE}{_BE}\s+{_REST}\b(?P<said>{_OPPOSITE}){_END}",
        # "are players unable to react"
        rf"{_CLAUSE}{_BE}\s+{_REST}\b(?P<said>unable|forbidden|prohibited|banned)(?=\s+(?:to|from)\b)",
        # "is there a rule against", "do the rules stop me from"
        r"\brules?\s+(?P<said>against)\b",
        r"\b(?:rules?|rulebook|anything|something)\s+(?:that\s+|which\s+|in the rules\s+)?"
        rf"(?P<said>{_STOPS})(?=\s+(?:\w+\s+){{1,4}}from\b)",
    )
)
_SKIPS = re.compile(  # "may I skip", "can he refuse to": must it be done?
    rf"{_CLAUSE}(?P<may>can|may|could)\s+(?P<who>(?:(?:my|the|an?|his|her)\s+)?\w+)\s+"
    r"(?:just\s+|simply\s+)?(?:skip|omit|forgo|(?:refuse|decline|choose not|opt not)\s+to)\b",
    re.I,
)
_FROM = re.compile(r"\s+from\b", re.I)

_SUBJECT = (
    r"(?:i|you|he|she|it|we|they|that|this|both|everyone|anyone|"
    r"(?:my|his|her|the|their|our|your|its|a|an|each|opp['’]?s)(?:\s+[\w'’-]+){1,3}|players?|units?|opp|opponents?)"
)
_AUXILIARY = "do|does|did|can|could|may|might|must|will|would|should|is|are|am|was|were|has|have|had"
_DENIED = re.compile(
    rf"(?:^|[.?!;:,\n]\s*|\b(?:so|and|but|then|ok|wait|says|said|thinks|thought|claims|that|"
    rf"told\s+(?:him|her|them|me|us|my\s+\w+))\s+){_SUBJECT}\s+"
    rf"(?:(?P<auxiliary>{_AUXILIARY})(?P<denial>\s?not|n['’]?t)|(?P<short>ca|wo)n['’]?t)\b",
    re.I,
)
_DENIALS = re.compile(
    rf"\b(?:not|no|never|none|nothing|nobody|cannot|without|unless|neither|nor|(?:{_AUXILIARY}|ca|wo)n['’]?t)\b", re.I
)
_TURNED_TAG = re.compile(  # "it can't attack, can it?": a "no" agrees with it for most, but not for all
    rf"\b(?:not|never|cannot|(?:{_AUXILIARY}|ca|wo)n['’]?t)\b.*\b(?:{_AUXILIARY})\s+(?:it|he|she|they|i|we|you|that)"
    r"(?:\s+now|\s+then|\s+tho(?:ugh)?)?\s*[?.!]*\s*$|\bdoubt\b",
    re.I | re.S,
)
_CONFIRMED = re.compile(r"\b(?:right|correct|true)\s*[?.!]*\s*$", re.I)


def affirmed(question: str) -> str | None:
    """The question put the straight way, whose word is the other one; None where it is asked so already."""
    for frame in _FRAMES:
        found = frame.search(question)
        if found:
            before, rest = question[: found.start("said")], question[found.end("said") :]
            straight = _STRAIGHT.get(found.group("said").lower())
            said = f"{before}allow{_FROM.sub('', rest, count=1)}" if straight is None else f"{before}{straight}{rest}"
            return " ".join(said.split())
    if found := _SKIPS.search(question):
        return f"{question[: found.start('may')]}must {found.group('who')}{question[found.end() :]}"
    found = _denied(question)
    if found is None or tangled(question):
        return None
    at = found.start("auxiliary") if found.group("auxiliary") else found.start("short")
    auxiliary = found.group("auxiliary") or {"ca": "can", "wo": "will"}[found.group("short").lower()]
    return f"{question[:at]}{auxiliary}{question[found.end() :]}"


def tangled(question: str) -> bool:
    """Whether no word is safe: a statement to be confirmed is denied and denies something besides, or is denied and
    confirmed by a tag that asks the other way, or is doubted."""
    if _TURNED_TAG.search(question):
        return True
    return _denied(question) is not None and len(_DENIALS.findall(question)) > 1


def _denied(question: str) -> re.Match[str] | None:
    """The "not" of a statement that is to be confirmed: "he doesn't draw, right?", "I can't hide, is he right"."""
    return _DENIED.search(question) if _CONFIRMED.search(question) else None
