"""``rules/glossary.yaml``: terms, keywords, symbols, slang and nicknames.

A term says what it means in our words, which rule defines it, what it is *not*, and how players
really say it. Nicknames lead to one card, or to several and then stay ambiguous.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kb.data import rules_dir
from kb.errors import BadReference, DuplicateId
from kb.ids import RuleRef
from kb.mentions import normal_name
from kb.model import Term
from kb.strict_yaml import Entry, read_entry

KINDS = ("term", "keyword", "symbol")


@dataclass(frozen=True, slots=True)
class Glossary:
    """Everything the glossary holds."""

    terms: tuple[Term, ...] = ()
    nicknames: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def load_glossary(root: Path | None = None) -> Glossary:
    """Read the glossary. Raises ``DataError`` for unknown keys and for words said twice."""
    path = (root or rules_dir()) / "glossary.yaml"
    entry = read_entry(path)
    entry.only("terms", "keywords", "symbols", "nicknames")
    terms = [_term(one, kind) for kind in KINDS for one in entry.entries(f"{kind}s")]
    seen: dict[str, str] = {}
    for term in terms:
        for said in (term.term, *term.says):
            key = normal_name(said) or said
            if seen.setdefault(key, term.term) != term.term:
                raise DuplicateId(path, f"{said!r} is said of {seen[key]!r} and of {term.term!r}", "Keep one")
    nicknames = entry.entry("nicknames")
    names = {said: nicknames.texts(said) for said in nicknames.names()} if nicknames else {}
    return Glossary(tuple(terms), names)


def _term(entry: Entry, kind: str) -> Term:
    entry.only("term", "means", "not", "rules", "says")
    try:
        rules = tuple(RuleRef.parse(said) for said in entry.texts("rules"))
    except BadReference as problem:
        raise entry.error("rules", problem.what, problem.fix) from problem
    return Term(
        term=entry.text("term", required=True),
        kind=kind,
        means=entry.text("means", required=True),
        is_not=entry.text("not"),
        rules=rules,
        says=entry.texts("says"),
    )
