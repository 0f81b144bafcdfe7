"""Questions that set terms side by side: "difference between tank and backline", "move vs recall", "explain hold and
conquer". Each term is told by its entry in the glossary."""

from __future__ import annotations

import re

from kb.answer.terms import GENERIC, Term, Terms
from kb.search.query import Query
from kb.search.words import content, stem

MOST = 3
_COMPARES = re.compile(
    r"\b(?:differ|differs|difference|differences|different|diff|distinction|distinguish|distinct|compare|compared|"
    r"comparison|versus|vs|same|identical|equivalent|synonyms?|interchangeable|tell apart|eli5)\b|/",
    re.I,
)
_TELLS = re.compile(r"\b(?:explain|describe|define|what(?:['’]?s| is| are| do| does)|how (?:do|does|is|are))\b", re.I)
_BETWEEN = frozenset(
    stem(word)
    for word in (
        "differ differs difference differences different diff distinction distinguish distinct compare compared "
        "comparison versus vs same identical equivalent synonym synonyms interchangeable apart eli5 between against "
        "type types kind kinds term terms word words card cards game confuse confused confusing always every main "
        "big simple new beginner noob help thanks thx still"
    ).split()
)


def compared(query: Query, terms: Terms) -> tuple[Term, ...]:
    """The terms that a question sets side by side, in its order; nothing where it asks about anything else too."""
    if query.cards or query.maybe or query.rules or len(query.terms) < 2:
        return ()
    if not (_COMPARES.search(query.text) or _TELLS.search(query.text)):
        return ()
    found = tuple(dict.fromkeys(term for name in query.terms if (term := terms.named(name)) is not None))
    known = {one for term in found for name in terms.words_of(term) for one in content(name)}
    left = set(content(query.text)) - known - GENERIC - _BETWEEN
    return found if 2 <= len(found) <= MOST and not left else ()
