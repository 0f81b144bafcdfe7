"""Names in a question that are written like a card's and are none of ours: "Moonlit Bargain", "Sylas, Chainbreaker"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from kb.mentions import Kind, Mention, Token
from kb.search.words import STOP

_BETWEEN = re.compile(r"[ ,]+(?:(?:of|the|of the|to the|in the) )?")
_OWNER = re.compile(r"['’]s?$")
SHORTEST = 4  # letters of a word that is looked at


def strange_names(
    text: str, words: Sequence[Token], found: Iterable[Mention], known: Callable[[str], bool]
) -> tuple[str, ...]:
    """What is written with capitals like a name of two words or more, with a word that is not ``known``.

    ``known`` says of a word in lower case whether the rules, our cards or players' slang use it. A name of ours as a
    whole is not strange, nor is it with its owner before it ("Mia's Sett").
    """
    cards = [(one.start, one.end) for one in found if one.kind is Kind.CARD]

    def ours(run: Sequence[Token]) -> bool:
        return any(start <= run[0].start and run[-1].end <= end for start, end in cards)

    strange = []
    for run in _runs(text, words):
        owned = run[1:] if _OWNER.search(text[run[0].start : run[0].end]) else run
        if not ours(run) and not ours(owned) and not all(_is_known(word, text, known) for word in run):
            strange.append(text[run[0].start : run[-1].end])
    return tuple(dict.fromkeys(strange))


def _is_known(word: Token, text: str, known: Callable[[str], bool]) -> bool:
    """Whether a word says nothing of a strange card: it is short, or known in one of its forms ("Rune Prison'd")."""
    bare = re.split("['’]", text[word.start : word.end].lower())[0]
    return len(word.normal) < SHORTEST or any(known(form) for form in (word.normal, word.owner, bare))


def _runs(text: str, words: Sequence[Token]) -> Iterator[list[Token]]:
    """Words in a row that begin with capitals, two or more, with small words between them.

    Words in capitals throughout are shouted or abbreviated; a small word that opens a sentence begins no name.
    """
    run: list[Token] = []
    for word in words:
        if not word.capital or text[word.start : word.end].isupper() or (word.opens and word.normal in STOP):
            continue
        if run and _BETWEEN.fullmatch(text[run[-1].end : word.start]):
            run.append(word)
            continue
        if len(run) > 1:
            yield run
        run = [word]
    if len(run) > 1:
        yield run
