"""Files of the data folders -> values of ``kb.model``.

Strict: unknown keys, bad numbers, duplicate ids and stray text raise ``DataError`` with file and
line. Whether what a file *says* makes sense (a cited rule exists, a card is known) is for ``kb.lint``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from kb.data import rules_dir, rulings_dir
from kb.errors import BadReference, DataError, DuplicateId
from kb.ids import RuleRef, is_number, parse_ruling_id, sort_key
from kb.model import (
    NOT_RESTATED,
    Agreement,
    Card,
    Claim,
    ClaimReview,
    Origin,
    Part,
    PartKind,
    Relations,
    Review,
    Rule,
    RuleBook,
    Ruling,
)
from kb.sources.rules_text import parse_rules
from kb.strict_yaml import Entry, read_entry

_LOOSE_TEXT = ("unplaced", "rejoined")


@dataclass(frozen=True, slots=True)
class Edition:
    """A document that the project restates."""

    id: str
    title: str
    date: str
    in_force: bool


@dataclass(frozen=True, slots=True)
class Editions:
    """The documents, and the date and reach of the card data."""

    documents: tuple[Edition, ...]
    cards_date: str
    cards_through: str


def load_editions(root: Path | None = None) -> Editions:
    """Read ``rules/editions.yaml``."""
    entry = read_entry((root or rules_dir()) / "editions.yaml")
    entry.only("documents", "cards")
    documents = []
    for one in entry.entries("documents", required=True):
        one.only("id", "title", "date", "in_force")
        said = [one.text(key, required=True) for key in ("id", "title", "date")]
        documents.append(Edition(said[0], said[1], said[2], one.flag("in_force")))
    cards = entry.entry("cards")
    if cards is None:
        raise entry.error("cards", "'cards' is missing", "Add its date and reach")
    cards.only("date", "through")
    return Editions(tuple(documents), cards.text("date", required=True), cards.text("through", required=True))


def load_rules(document: str, root: Path | None = None) -> RuleBook:
    """The restated rules of ``document``; numbers of its list without a text come as not yet restated."""
    folder = (root or rules_dir()) / document
    if not folder.is_dir():
        raise DataError(folder, "there is no such folder", "Name a document that rules/ holds")
    rules: dict[str, Rule] = {}
    for path in sorted(folder.glob("*.txt")):
        for rule in _load_rules_file(path, document):
            if rule.number in rules:
                where = rules[rule.number].source
                raise DuplicateId(path, f"{rule.number} also stands in {where}", "Keep one", line=rule.line)
            rules[rule.number] = rule
    known = _load_numbers(folder / "numbers.tsv")
    if known:
        for number, rule in rules.items():
            if number not in known:
                fix = "Correct the number, or add it to numbers.tsv"
                raise DataError(rule.source, f"{number} is not in the list of numbers", fix, line=rule.line)
    blank = (Part(PartKind.STATEMENT, NOT_RESTATED),)
    for number in known:
        if number not in rules:
            rules[number] = Rule(RuleRef(document, number), blank, restated=False)
    return RuleBook(document, dict(sorted(rules.items(), key=lambda item: sort_key(item[0]))))


def _load_rules_file(path: Path, document: str) -> Iterable[Rule]:
    text = path.read_text(encoding="utf-8")
    if not text.strip():
        raise DataError(path, "the file is empty", "Add rules or delete it")
    found = parse_rules(text, document, str(path))
    for finding in found.findings:
        if finding.kind in _LOOSE_TEXT:
            raise DataError(path, finding.message, "Start with a number, or indent by four spaces", line=finding.line)
    return found.book


def _load_numbers(path: Path) -> dict[str, int]:
    """Numbers of the edition with their line; nothing where there is no list."""
    numbers: dict[str, int] = {}
    if path.exists():
        for line, row in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            number = row.strip()
            if not is_number(number):
                raise DataError(path, f"{number!r} is not a rule number", "One number a line", line=line)
            if number in numbers:
                raise DuplicateId(path, f"{number} also stands on line {numbers[number]}", "Keep one", line=line)
            numbers[number] = line
    return numbers


CARD_KEYS = (
    "type", "supertype", "energy", "power", "might", "might_bonus", "domains", "tags", "keywords",
    "sets", "collector_number", "rarity", "errata", "aliases",
)  # fmt: skip
CARD_TYPES = ("Unit", "Spell", "Gear", "Battlefield", "Legend", "Rune")


def load_cards(root: Path | None = None) -> dict[str, Card]:
    """The facts of every card, by name, from ``rules/cards/*.yaml``."""
    cards: dict[str, Card] = {}
    for path in sorted(((root or rules_dir()) / "cards").glob("*.yaml")):
        entry = read_entry(path)
        for name in entry.names():
            if name in cards:
                raise DuplicateId(path, f"{name} also stands in another set", "Keep one", line=entry.line_of(name))
            facts = entry.entry(name)
            if facts is None:
                raise entry.error(name, f"{name} has no facts", "Add its type at least")
            cards[name] = _card(name, facts, path.stem)
    return cards


def _card(name: str, facts: Entry, home_set: str) -> Card:
    facts.only(*CARD_KEYS)
    kind = facts.text("type", required=True)
    if kind not in CARD_TYPES:
        raise facts.error("type", f"{kind!r} is not a card type", f"Use one of {', '.join(CARD_TYPES)}")
    return Card(
        name=name,
        type=kind,
        supertype=facts.text("supertype"),
        energy=facts.number("energy"),
        power=facts.number("power"),
        might=facts.number("might"),
        might_bonus=facts.number("might_bonus"),
        domains=facts.texts("domains"),
        tags=facts.texts("tags"),
        keywords=facts.texts("keywords"),
        sets=facts.texts("sets"),
        home_set=home_set,
        collector_number=facts.number("collector_number"),
        rarity=facts.text("rarity"),
        errata=facts.flag("errata"),
        aliases=facts.texts("aliases"),
    )


RULING_KEYS = (
    "id", "title", "origin", "questions", "verdict", "answer", "claims", "sequence", "nuances",
    "cards", "rules", "relations", "review", "scenarios",
)  # fmt: skip


def load_rulings(root: Path | None = None) -> dict[str, Ruling]:
    """Every ruling, by id, from ``rulings/*.yaml`` (and folders below)."""
    rulings: dict[str, Ruling] = {}
    folder = root or rulings_dir()
    for path in sorted(folder.rglob("*.yaml")) if folder.is_dir() else []:
        ruling = load_ruling(path)
        if ruling.id in rulings:
            raise DuplicateId(path, f"the id {ruling.id!r} is also that of {rulings[ruling.id].path}", "Rename one")
        rulings[ruling.id] = ruling
    return rulings


def load_ruling(path: Path) -> Ruling:
    """One ruling. Raises ``DataError`` for everything that is not as docs/architecture.md says."""
    return read_ruling(read_entry(path), path)


def read_ruling(entry: Entry, path: Path) -> Ruling:
    """The ruling that a YAML mapping holds; ``path`` names it in messages and gives the expected id."""
    entry.only(*RULING_KEYS)
    try:
        name = parse_ruling_id(entry.text("id", required=True))
    except BadReference as problem:
        raise entry.error("id", problem.what, problem.fix) from problem
    if path.stem != name:
        raise entry.error("id", f"the id {name!r} is not the name of the file", f"Name the file {name}.yaml")
    origin = entry.entry("origin")
    if origin is None:
        raise entry.error("origin", "'origin' is missing", "Add {document: ..., line: ...}")
    origin.only("document", "line")
    claims = tuple(_claim(one) for one in entry.entries("claims", required=True))
    _unique(entry, [claim.id for claim in claims])
    return Ruling(
        id=name,
        title=entry.text("title", required=True),
        origin=Origin(origin.text("document", required=True), origin.number("line") or 0),
        questions=entry.texts("questions", required=True),
        verdict=entry.text("verdict", required=True),
        answer=entry.text("answer", required=True),
        claims=claims,
        sequence=entry.texts("sequence"),
        nuances=entry.texts("nuances"),
        cards=entry.texts("cards"),
        rules=_refs(entry, "rules"),
        relations=_relations(entry.entry("relations")),
        review=_review(entry.entry("review"), {claim.id for claim in claims}),
        scenarios=entry.texts("scenarios"),
        path=str(path),
    )


def _claim(entry: Entry) -> Claim:
    entry.only("id", "says", "rules", "documentary")
    said = entry.text("id", required=True), entry.text("says", required=True)
    return Claim(said[0], said[1], _refs(entry, "rules"), entry.text("documentary"))


def _unique(entry: Entry, ids: list[str]) -> None:
    twice = next((one for at, one in enumerate(ids) if one in ids[:at]), None)
    if twice is not None:
        raise entry.error("claims", f"the claim id {twice!r} is used twice", "Number the claims c1, c2, ...")


def _relations(entry: Entry | None) -> Relations:
    if entry is None:
        return Relations()
    entry.only("same_question", "contradicts", "refines", "depends_on")
    return Relations(
        entry.texts("same_question"), entry.texts("contradicts"), entry.texts("refines"), entry.texts("depends_on")
    )


def _review(entry: Entry | None, claims: set[str]) -> Review | None:
    if entry is None:
        return None
    entry.only("edition", "verdict", "answer", "claims", "changed_since", "superseded", "notes")
    return Review(
        edition=entry.text("edition", required=True),
        verdict=entry.text("verdict", required=True),
        answer=entry.text("answer", required=True),
        claims=_claim_reviews(entry.entry("claims"), claims),
        changed_since=entry.text("changed_since") or entry.text("superseded"),
        notes=entry.text("notes"),
    )


def _claim_reviews(entry: Entry | None, claims: set[str]) -> Mapping[str, ClaimReview]:
    found: dict[str, ClaimReview] = {}
    for name in entry.names() if entry else ():
        assert entry is not None
        if name not in claims:
            raise entry.error(name, f"the ruling has no claim {name!r}", "Use the id of a claim")
        one = entry.entry(name)
        if one is None:
            raise entry.error(name, f"the review of {name} is empty", "Say whether the rules agree")
        one.only("agrees", "rule", "rules", "why")
        agrees = one.text("agrees", required=True)
        if agrees not in {a.value for a in Agreement}:
            raise one.error("agrees", f"'agrees' is {agrees!r}", "Write yes, no, partly or open")
        found[name] = ClaimReview(Agreement(agrees), (*_refs(one, "rule"), *_refs(one, "rules")), one.text("why"))
    return found


def _refs(entry: Entry, key: str) -> tuple[RuleRef, ...]:
    try:
        return tuple(RuleRef.parse(said) for said in entry.texts(key))
    except BadReference as problem:
        raise entry.error(key, problem.what, problem.fix) from problem
