"""Cut the text of one rule into statement, examples, pointers, reminders and notes.

The cuts fall between words and nothing is left out, so the parts joined by spaces are the text
again. What opens a part: a step label at the very start ("3a."), ``Example:`` or ``Examples:``,
``e.g.`` at the start of a sentence, a sentence "See rule 431 ...", ``Reminder:``, ``Note (ours):``.
An example, reminder or note reaches to the next opening; a pointer is one sentence, and what
follows it goes on with what it interrupted.
"""

from __future__ import annotations

import re

from kb.model import Part, PartKind

_LEVELS = r"\d{3}(?:\.(?:\d{1,2}|[a-z]\b))*"
_STEP = re.compile(r"(\d{1,2}[a-z]?\.)\s+(?=\S)")
_SENTENCE_START = r"(?:(?<=^)|(?<=[.!?:;)”\"’\]]\s))"
_OPENING = re.compile(
    _SENTENCE_START
    + r"(?:(?P<example>Examples?:|EXAMPLES?:|e\.g\.)|(?P<reminder>Reminder:)|(?P<note>Note \(ours\):))"
    + rf"|\b(?P<pointer>See (?:also )?(?:rules? |CR |TR )?(?={_LEVELS}))"
)
_POINTED = re.compile(_LEVELS)
_AFTER_NUMBER = re.compile(
    r"\.?(?:"
    r"\s*\([^()]*(?:\([^()]*\)[^()]*)*\)\.?"  # (Burn Out).
    r"|\s+[^.]*?\b(?:for|For)\b[^.]*?\b(?:information|details?|more|examples|definition|responsibilities|types)\b[^.]*(?:\.|$)"
    r"|\s+(?:[a-z]\w*\s+)+[^.]*(?:\.|$)"  # See 703.2 the Slow Play penalty.
    r"|(?:\s+[A-Z][\w'’-]*){1,3}(?:\.|$)"  # See CR 110. Setup Process.
    r")?"
)
_MORE_TARGETS = re.compile(rf"\s*(?:,|and|or|to|through)\s+(?:rules? )?(?={_LEVELS})")


def split_parts(text: str) -> tuple[Part, ...]:
    """Cut ``text`` into its parts; their words in order are the words of ``text``."""
    parts: list[Part] = []
    text = " ".join(text.split())
    at = 0
    if step := _STEP.match(text):
        parts.append(Part(PartKind.STEP, step.group(1)))
        at = step.end()
    kind = PartKind.STATEMENT
    while at < len(text):
        opening = _OPENING.search(text, at)
        start = opening.start() if opening else len(text)
        if text[at:start].strip():
            _add(parts, Part(kind, text[at:start].strip()))
        if not opening:
            break
        if opening.lastgroup == "pointer":
            at, targets = _pointer_end(text, opening.end())
            parts.append(Part(PartKind.POINTER, text[start:at].strip(), targets))
            continue
        kind = PartKind(opening.lastgroup or "statement")
        following = _OPENING.search(text, opening.end())
        at = following.start() if following else len(text)
        parts.append(Part(kind, text[start:at].strip()))
    return tuple(parts)


def _add(parts: list[Part], part: Part) -> None:
    """Append, or go on with the part before where nothing but spaces lies between."""
    if parts and parts[-1].kind is part.kind:
        parts[-1] = Part(part.kind, f"{parts[-1].text} {part.text}")
    else:
        parts.append(part)


def _pointer_end(text: str, at: int) -> tuple[int, tuple[str, ...]]:
    """End of the pointer sentence whose first number starts at ``at``, and the numbers it names."""
    targets: list[str] = []
    while found := _POINTED.match(text, at):
        targets.append(found.group())
        at = found.end()
        if more := _MORE_TARGETS.match(text, at):
            at = more.end()
    after = _AFTER_NUMBER.match(text, at)
    return (after.end() if after else at), tuple(targets)


def is_heading(parts: tuple[Part, ...]) -> bool:
    """Whether this is a heading: nothing but a short statement that ends without a full stop."""
    said = [part.text for part in parts if part.kind is not PartKind.STEP]
    kinds = {part.kind for part in parts} - {PartKind.STEP}
    return kinds == {PartKind.STATEMENT} and len(said[0]) <= 80 and said[0][-1] not in '.!?:;,…”"'
