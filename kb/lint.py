"""Findings in the data: each with a code, a severity, a place, a message and a fix (docs/lint.md).

Files that cannot be read at all raise ``DataError`` while loading and never come this far. Errors stop
the build of the store; warnings do not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from typing import TYPE_CHECKING

from kb.ids import RuleRef
from kb.mentions import Kind, find_rules
from kb.model import Agreement, Rule, Ruling, nearest_numbers

if TYPE_CHECKING:
    from kb.build import Data

ERROR, WARNING, INFO = "error", "warning", "info"

CODES: dict[str, tuple[str, str]] = {
    "R001": (ERROR, "a number occurs twice in a document"),
    "R002": (ERROR, "a pointer leads to a rule that does not exist"),
    "R003": (WARNING, "a rule is not yet restated"),
    "R004": (WARNING, "a rule's parent does not exist"),
    "R005": (INFO, "a number in the tournament rules is one of an older edition of the Core Rules"),
    "C001": (ERROR, "a nickname leads to a card that does not exist"),
    "G001": (ERROR, "a term of the glossary cites a rule that does not exist"),
    "U001": (ERROR, "a ruling names a card that does not exist"),
    "U002": (ERROR, "a claim has neither a rule nor a reason why it is documentary"),
    "U003": (ERROR, "a ruling cites a rule that does not exist"),
    "U004": (WARNING, "a ruling is not reviewed against the edition in force"),
    "U005": (WARNING, "two rulings on one question assert opposite verdicts without a relation"),
    "U006": (ERROR, "two rulings have the same origin"),
    "U007": (INFO, "a paragraph of an FAQ document has no ruling"),
    "U008": (WARNING, "a relation leads to a ruling that does not exist"),
    "U009": (WARNING, "a ruling names a scenario that does not exist"),
    "U010": (WARNING, "a review says that the rules disagree and cites no rule for it"),
    "U011": (WARNING, "a claim is not reviewed"),
    "U012": (WARNING, "a cited rule shares no word with the claim"),
    "S001": (WARNING, "a scenario belongs to a ruling that does not exist"),
    "S002": (ERROR, "a scenario cites a rule that does not exist"),
}

FAQ_LINES = {"faq-cards": range(3, 102, 2), "faq-rules": range(3, 102, 2)}


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: ``code`` is explained in docs/lint.md, ``where`` is a file, rule or ruling."""

    code: str
    where: str
    message: str
    fix: str

    @property
    def severity(self) -> str:
        """Error, warning or info, by its code."""
        return CODES[self.code][0]

    def __str__(self) -> str:
        return f"{self.severity} {self.code} {self.where}: {self.message}. {self.fix}."


def lint(data: Data) -> list[Finding]:
    """All findings, errors first."""
    found = [*_rules(data), *_glossary(data), *_scenarios(data), *_rulings(data), *_pairs(data), *_origins(data)]
    order = (ERROR, WARNING, INFO)
    return sorted(found, key=lambda one: (order.index(one.severity), one.code))


def _nearest(ref: RuleRef, data: Data) -> str:
    if ref.document not in data.books:
        return f"Documents: {', '.join(data.books)}"
    near = nearest_numbers(ref.number, list(data.books[ref.document].rules))
    return f"Nearest: {', '.join(near)}"


def _rules(data: Data) -> Iterator[Finding]:
    for book in data.books.values():
        for rule in book:
            above = rule.ref.parent
            if above and above.number not in book:
                yield Finding("R004", str(rule.ref), f"its parent {above.number} does not exist", "Add the parent")
            if not rule.restated:
                yield Finding("R003", str(rule.ref), "the rule is not yet restated", "Restate it")
            else:
                yield from _pointers(rule, data)


def _pointers(rule: Rule, data: Data) -> Iterator[Finding]:
    """Numbers in a rule that lead nowhere. Our notes may speak of numbers that do not exist."""
    notes = " ".join(rule.notes)
    for mention in find_rules(rule.text, data.has_rule, rule.ref.document):
        ref = RuleRef(*mention.candidates[0].split(":"))  # it need not be well formed
        if mention.kind is Kind.RULE and not data.has_rule(ref) and mention.text not in notes:
            if ref.document != rule.ref.document:
                fix = "Add a line 'Note (ours):' with the number of today"
                yield Finding("R005", str(rule.ref), f"points to {ref}, which does not exist", fix)
            else:
                yield Finding("R002", str(rule.ref), f"points to {ref}, which does not exist", _nearest(ref, data))


def _glossary(data: Data) -> Iterator[Finding]:
    for term in data.glossary.terms:
        for ref in term.rules:
            if not data.has_rule(ref):
                yield Finding("G001", f"glossary: {term.term}", f"cites {ref}", _nearest(ref, data))
    for said, names in data.glossary.nicknames.items():
        for name in names:
            if name not in data.cards:
                yield Finding("C001", f"glossary: {said}", f"no card is named {name!r}", _similar(name, data))


def _similar(name: str, data: Data) -> str:
    near = get_close_matches(name, data.cards, n=3, cutoff=0.5)
    return f"Did you mean {' or '.join(near)}" if near else "Use the printed name"


def _scenarios(data: Data) -> Iterator[Finding]:
    from kb.build import _REFERENCE, _RULING_LINE

    for name, path in data.scenarios.items():
        text = path.read_text(encoding="utf-8")
        for said in dict.fromkeys(_REFERENCE.findall(text)):
            if not data.has_rule(ref := RuleRef.parse(said)):
                yield Finding("S002", f"scenarios/{name}", f"cites {ref}", _nearest(ref, data))
        found = _RULING_LINE.search(text)
        if found and found.group(1) not in data.rulings:
            fix = "Correct the id, or add the ruling"
            yield Finding("S001", f"scenarios/{name}", f"no ruling has the id {found.group(1)!r}", fix)


def _rulings(data: Data) -> Iterator[Finding]:
    in_force = {one.id for one in data.editions.documents if one.in_force}
    for ruling in data.rulings.values():
        for card in ruling.cards:
            if card not in data.cards:
                yield Finding("U001", ruling.id, f"no card is named {card!r}", _similar(card, data))
        for ref in ruling.all_rules:
            if not data.has_rule(ref):
                yield Finding("U003", ruling.id, f"cites {ref}", _nearest(ref, data))
        for kind, other in ruling.relations.pairs():
            if other not in data.rulings:
                yield Finding("U008", ruling.id, f"{kind} names {other!r}", "Correct the id")
        for name in ruling.scenarios:
            if name not in data.scenarios:
                yield Finding("U009", ruling.id, f"there is no scenario {name!r}", "Write it, or correct the path")
        if ruling.review is None or ruling.review.edition not in in_force:
            fix = f"Read it against {' or '.join(sorted(in_force))} and fill in 'review'"
            yield Finding("U004", ruling.id, "it is not reviewed against the edition in force", fix)
        yield from _claims(ruling, data)


def _claims(ruling: Ruling, data: Data) -> Iterator[Finding]:
    why = {name: review.why for name, review in ruling.review.claims.items()} if ruling.review else {}
    for claim in ruling.claims:
        where = f"{ruling.id} {claim.id}"
        if not claim.rules and not claim.documentary:
            fix = "Cite the deciding rule, or say in 'documentary' why there is none"
            yield Finding("U002", where, "the claim cites no rule", fix)
        if ruling.review and ruling.review.claims and claim.id not in ruling.review.claims:
            yield Finding("U011", where, "the claim is not reviewed", "Add it to 'review'")
        words = " ".join((claim.says, ruling.title, ruling.answer, why.get(claim.id, "")))
        said, named = _stems(words), set(words.replace(",", " ").split())
        for ref in claim.rules:
            if data.has_rule(ref) and ref.number not in named and all(said.isdisjoint(x) for x in _around(ref, data)):
                yield Finding("U012", where, f"{ref} shares no word with the claim", "Check the number")
    for name, review in (ruling.review.claims if ruling.review else {}).items():
        if review.agrees is Agreement.NO and not review.rules:
            yield Finding("U010", f"{ruling.id} {name}", "no rule is cited for the disagreement", "Cite it in 'rule'")


def _around(ref: RuleRef, data: Data) -> Iterator[frozenset[str]]:
    """The stems of a rule's text, and of the rules above it and directly below."""
    book = data.books[ref.document]
    for number in (ref.number, *book.parents(ref.number), *book.children(ref.number), *book.children(ref.number[:3])):
        yield _stems(book[number].text)


_SMALL = frozenset(
    """
that this with from have when then than they them their there which while into your will does what been also only
other after before must each more most some such would could should about because being
""".split()
)


@lru_cache(maxsize=8192)
def _stems(text: str) -> frozenset[str]:
    """Crude stems of the longer words."""
    words = {"".join(ch for ch in word if ch.isalpha()) for word in text.lower().split()}
    return frozenset(word[:5] for word in words if len(word) > 3 and word not in _SMALL)


_OPPOSITE = ({"yes", "no"},)


def _pairs(data: Data) -> Iterator[Finding]:
    """Rulings on the same question that say yes and no by a shared rule, without a relation between them.

    Only what can be seen mechanically: each pair once, and only where a claim of both cites the same rule.
    """
    seen: set[frozenset[str]] = set()
    for ruling in data.rulings.values():
        for other_id in ruling.relations.same_question:
            other, pair = data.rulings.get(other_id), frozenset((ruling.id, other_id))
            if other is None or pair in seen or _related(ruling, other):
                continue
            seen.add(pair)
            shared = set(ruling.all_rules) & set(other.all_rules)
            if shared and {ruling.verdict.lower(), other.verdict.lower()} in _OPPOSITE:
                message = f"says {ruling.verdict!r} where {other.id} says {other.verdict!r} (both cite {min(shared)})"
                yield Finding("U005", ruling.id, message, "Add 'contradicts' or 'refines', or drop 'same_question'")


def _related(one: Ruling, other: Ruling) -> bool:
    def names(a: Ruling, b: Ruling) -> bool:
        return b.id in (*a.relations.contradicts, *a.relations.refines, *a.relations.depends_on)

    return names(one, other) or names(other, one)


def _origins(data: Data) -> Iterator[Finding]:
    seen: dict[str, str] = {}
    for ruling in data.rulings.values():
        origin = str(ruling.origin)
        if origin in seen:
            yield Finding("U006", ruling.id, f"{origin} is also the origin of {seen[origin]}", "Keep one of them")
        seen.setdefault(origin, ruling.id)
    for document, lines in FAQ_LINES.items():
        for line in lines:
            if f"{document}:{line}" not in seen:
                yield Finding("U007", f"{document}:{line}", "no ruling has this origin", "Write it")
