"""What is searched: short passages of rules, rulings and cards, each leading to one record.

A rule's passage has the headings above it as its title; what players say for a term is a passage of
the rule that defines it; a ruling has one passage for its questions, its answer and each claim. The questions of
``rules/questions/`` are passages of what answers them, or of the reason why nothing does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from kb.glossary import Glossary
from kb.model import Card, RuleBook, Ruling
from kb.questions import Asked


@dataclass(frozen=True, slots=True)
class Passage:
    """A searchable text: ``kind`` and ``target`` name the record, ``part`` which piece of it."""

    kind: str
    target: str
    part: str
    title: str
    text: str


def make_passages(
    books: Iterable[RuleBook],
    official: Mapping[str, str],
    rulings: Mapping[str, Ruling],
    cards: Mapping[str, Card],
    glossary: Glossary,
    asked: Sequence[Asked] = (),
) -> Iterator[Passage]:
    """All passages, in a fixed order; ``official`` is imported wording by reference."""
    for book in books:
        yield from _of_rules(book, official)
    for term in glossary.terms:
        text = " ".join(part for part in (term.term, term.means, ", ".join(term.says)) if part)
        for ref in term.rules[:1]:
            yield Passage("rule", str(ref), f"term:{term.term}", term.term, text)
    for ruling in rulings.values():
        yield from _of_ruling(ruling)
    for card in cards.values():
        yield Passage("card", card.name, "facts", card.name, card_line(card))
    for at, one in enumerate(asked, 1):
        part = f"asked:{at}:{one.verdict}" if one.verdict else f"asked:{at}"
        yield Passage(one.kind, one.target, part, "", one.question)


def _of_rules(book: RuleBook, official: Mapping[str, str]) -> Iterator[Passage]:
    for rule in book:
        if not rule.restated and str(rule.ref) not in official:
            continue
        above = [book[n].statement for n in book.parents(rule.number) if book[n].heading]
        title = " > ".join([*above, rule.statement] if rule.heading else above)
        yield Passage("rule", str(rule.ref), "restated", title, rule.text if rule.restated else "")
        if said := official.get(str(rule.ref)):
            yield Passage("rule", str(rule.ref), "official", title, said)


def _of_ruling(ruling: Ruling) -> Iterator[Passage]:
    for at, question in enumerate(ruling.questions, 1):
        yield Passage("ruling", ruling.id, f"question:{at}", ruling.title, question)
    answers = [ruling.answer] + ([ruling.review.answer] if ruling.review else [])
    yield Passage("ruling", ruling.id, "answer", ruling.title, " ".join(dict.fromkeys(answers)))
    for claim in ruling.claims:
        yield Passage("ruling", ruling.id, f"claim:{claim.id}", ruling.title, claim.says)
    rest = " ".join([*ruling.sequence, *ruling.nuances])
    if rest:
        yield Passage("ruling", ruling.id, "rest", ruling.title, rest)


def card_line(card: Card) -> str:
    """The facts of a card as one line of words."""
    numbers = (("Energy", card.energy), ("Power", card.power), ("Might", card.might), ("Might bonus", card.might_bonus))
    kind = " ".join(part for part in (card.supertype, card.type) if part)
    facts = [card.name, kind, *card.domains, *card.tags, *card.keywords]
    return ", ".join([*facts, *(f"{value} {name}" for name, value in numbers if value is not None)])
