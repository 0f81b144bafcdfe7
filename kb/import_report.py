"""What an import brought, as one JSON value: how much was read, every finding, and how it fits what we have.

``words`` accounts for the file: those that came in are those in the rules and those that a finding lists.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kb.data import rules_dir
from kb.documents import Document, name_of
from kb.load import load_cards, load_rules
from kb.mentions import find_rules
from kb.names import known_cards
from kb.sources.card_texts import CardList, CardTexts
from kb.sources.faq_text import FaqDocument
from kb.sources.findings import Finding
from kb.sources.redline import DOUBTFUL, RedlineDocument
from kb.sources.rules_text import RulesDocument

Report = dict[str, Any]


def summary(file: Path, parsed: Document) -> Report:
    """The report on one parsed file: ``said`` is one phrase for people, ``findings`` is the whole list."""
    document, kind = name_of(parsed)
    findings = list(parsed.findings)
    report: Report = {"file": file.name, "document": document, "kind": kind}
    match parsed:
        case RulesDocument():
            findings += _against_ours(parsed)
            words = {"in": parsed.words_in, "in_rules": parsed.words_out, "listed": parsed.words_aside}
            report |= {"layout": parsed.layout, "rules": len(parsed.book), "words": words}
            report["said"] = (
                f"{len(parsed.book)} rules, {parsed.words_out} of {parsed.words_in} words ({parsed.layout})"
            )
        case FaqDocument():
            report |= {"rulings": len(parsed.rulings), "said": f"{len(parsed.rulings)} rulings"}
        case RedlineDocument():
            sure = sum(one.confidence >= DOUBTFUL for one in parsed.paragraphs)
            report |= {
                "old": parsed.old,
                "new": parsed.new,
                "paragraphs": [_paragraph(one) for one in parsed.paragraphs],
            }
            report["said"] = f"a redline of {len(parsed.paragraphs)} paragraphs, {sure} of them placed"
        case CardTexts():
            known = known_cards(parsed.texts, load_cards())
            findings += _unknown_cards(parsed, known)
            errata = sum(bool(one.errata or one.before_errata) for one in parsed.texts.values())
            report |= {"cards": len(parsed.texts), "known": len(known), "errata": errata}
            report["said"] = f"{len(parsed.texts)} cards, {len(known)} of them known, {errata} with errata"
        case CardList():
            ours = known_cards({name: name for name in parsed.names}, load_cards())
            unknown = [name for name in parsed.names if name not in ours.values()]
            findings += [_unknown_card(name) for name in unknown]
            report |= {"cards": len(parsed.names), "known": len(parsed.names) - len(unknown)}
            report["said"] = f"a list of {len(parsed.names)} cards without texts, {report['known']} of them known"
    report["findings"] = [
        {"kind": one.kind, "line": one.line, "page": one.page, "message": one.message, "number": one.number}
        for one in findings
    ]
    return report


def _paragraph(one: Any) -> Report:
    return {
        "line": one.line, "old": one.old, "new": one.new, "confidence": one.confidence,
        "old_text": one.old_text, "new_text": one.new_text,
    }  # fmt: skip


def _unknown_cards(parsed: CardTexts, known: dict[str, Any]) -> list[Finding]:
    """Names in the file that no card of ours has, and cards of ours that the file lacks."""
    there = {one.name for one in known.values()}
    found = [_unknown_card(name) for name in parsed.texts if name not in there]
    missing = [name for name in load_cards() if name not in known]
    if missing:
        found.append(Finding("partial", 0, f"{len(missing)} of our cards are not in the file, {missing[0]} for one"))
    return found


def _unknown_card(name: str) -> Finding:
    return Finding("unknown-card", 0, f"{name!r} is no card that we know", name)


def _against_ours(parsed: RulesDocument) -> list[Finding]:
    """Numbers that only one side has, and pointers that lead nowhere, where we restate this document."""
    name = parsed.book.document
    if not (rules_dir() / name).is_dir():
        message = f"{name} is not a document that kb restates; kb rule, kb diff and kb impact know it, search does not"
        return [Finding("other-edition", 0, message)]
    ours = load_rules(name)
    found: list[Finding] = []
    missing = [number for number in ours.rules if number not in parsed.book]
    if missing:
        found.append(Finding("partial", 0, f"{len(missing)} of our {len(ours)} numbers are not in the file"))
    for rule in parsed.book:
        if rule.number not in ours:
            found.append(
                Finding("unknown-number", rule.line, f"{rule.number} is not in our list of numbers", rule.number)
            )
        for mention in find_rules(rule.text, lambda ref: ref.document != name or ref.number in ours, name):
            if mention.resolved is None:
                message = f"{rule.number} points to {mention.text}, which does not exist"
                found.append(Finding("dead-pointer", rule.line, message, rule.number))
    return found
