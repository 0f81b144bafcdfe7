"""Documents that a person has imported: kept in the user folder, quoted beside our wording.

``documents/index.json`` lists them in the order of import; where two give wording for the same rule
(a whole edition and an excerpt of it), the later import is quoted. Rules of any edition, FAQ
documents, redlines, card texts and mere lists of cards are told apart by what they hold. A redline is kept, but its
run-together text is never quoted as a rule; a list of cards is kept, but has no texts to show.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from kb.data import user_dir
from kb.errors import InputError, KbError
from kb.ids import RuleRef
from kb.model import RuleBook
from kb.sources.card_texts import (
    CardList,
    CardTexts,
    looks_like_card_list,
    looks_like_cards,
    parse_card_list,
    parse_cards,
)
from kb.sources.faq_text import FaqDocument, looks_like_faq, parse_faq
from kb.sources.reading import is_pdf, load_bytes, parse_any, read_rules_file, read_text_of
from kb.sources.redline import RedlineDocument, looks_like_redline, parse_redline
from kb.sources.rules_text import COMPACT, SPACED, TAB, RulesDocument
from kb.writing import write_text

RULES, FAQ, REDLINE, CARDS, CARD_LIST = "rules", "faq", "redline", "cards", "card list"

Document = RulesDocument | FaqDocument | RedlineDocument | CardTexts | CardList


@dataclass(frozen=True, slots=True)
class Imported:
    """One imported document: its id, its kind, the file kept, and the name it came with."""

    document: str
    kind: str
    file: str
    name: str


def folder() -> Path:
    """Where imported documents are kept. Not created here."""
    return user_dir() / "documents"


def imported() -> tuple[Imported, ...]:
    """What has been imported, in order. Raises ``InputError`` where the index is damaged."""
    path = folder() / "index.json"
    if not path.exists():
        return ()
    try:
        return tuple(Imported(**one) for one in json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, TypeError) as problem:
        raise InputError(path, "the list of imported documents is damaged", "Delete it and import again") from problem


def read_document(path: Path, document: str | None = None) -> Document:
    """Parse any document that we can read. Raises ``InputError`` (or ``DuplicateId``) for one we cannot."""
    raw = load_bytes(path)
    if is_pdf(raw):
        return read_rules_file(path, document or guess_edition(path))
    text, _ = read_text_of(raw, path)
    if looks_like_cards(path, text):
        return parse_cards(path, text)
    if looks_like_card_list(path, text):
        return parse_card_list(path, text)
    if looks_like_faq(text):
        return parse_faq(text, document or _slug(path.stem), str(path))
    if looks_like_redline(text):
        old, new = guess_editions(path)
        return parse_redline(text, old, new, imported_books())
    return read_rules_file(path, document or guess_edition(path))


def guess_edition(path: Path) -> str:
    """The edition that a file name tells ("core-rules-1.4.tsv" -> "core-1.4"). Raises ``InputError``."""
    name = path.stem.lower()
    for kind, edition in (("core", r"\d+\.\d+"), ("tournament", r"\d{4}-\d{2}")):
        if kind in name and (found := re.search(edition, name)):
            return f"{kind}-{found.group()}"
    raise InputError(path, "the file name does not tell which edition this is", "Add --document, like core-1.4")


def guess_editions(path: Path) -> tuple[str, str]:
    """The two editions that the name of a redline tells, or two empty strings."""
    found = re.findall(r"\d+\.\d+", path.stem)
    return (f"core-{found[0]}", f"core-{found[1]}") if len(found) >= 2 else ("", "")


def name_of(parsed: Document) -> tuple[str, str]:
    """(document id, kind) of a parsed document."""
    match parsed:
        case RulesDocument():
            return parsed.book.document, RULES
        case FaqDocument():
            return parsed.document, FAQ
        case RedlineDocument():
            return f"redline-{parsed.old}-{parsed.new}".strip("-"), REDLINE
        case CardTexts():
            return "cards", CARDS
        case CardList():
            return "card-list", CARD_LIST


def keep(path: Path, parsed: Document) -> Imported:
    """Copy a parsed document into the user folder and list it; an older copy of the same name is replaced."""
    document, kind = name_of(parsed)
    target = folder() / f"{document}--{_slug(path.stem)}{path.suffix.lower() or '.txt'}"
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.resolve() != path.resolve():
        shutil.copyfile(path, target)
    if isinstance(parsed, RulesDocument) and parsed.layout not in (TAB, COMPACT, SPACED):
        rows = "".join(f"{rule.number}\t{rule.text}\n" for rule in parsed.book)
        _as_read(target).write_text(rows, encoding="utf-8")
    new = Imported(document, kind, target.name, path.name)
    rest = [one for one in imported() if one.file != new.file]
    index = folder() / "index.json"
    write_text(index, json.dumps([asdict(one) for one in [*rest, new]], indent=1))
    return new


def imported_books() -> dict[str, RuleBook]:
    """The rules of every imported edition; where two files give the same rule, the later one counts."""
    found: dict[str, RuleBook] = {}
    for one in imported():
        if one.kind == RULES:
            book = _read(one).book
            before = found.get(one.document)
            found[one.document] = _merged(before, book) if before else book
    return found


def _read(one: Imported) -> RulesDocument:
    """Parse a kept file under the name it was imported by."""
    path = folder() / one.file
    if _as_read(path).exists():
        path = _as_read(path)
    raw = load_bytes(path)
    if is_pdf(raw):
        return read_rules_file(path, one.document)
    return parse_any(read_text_of(raw, path)[0], one.document, one.name)


def _as_read(path: Path) -> Path:
    """Where the rules of a kept PDF or web page lie as they were read, so that it is taken apart only once."""
    return path.with_name(f"{path.name}.rules.tsv")


def _merged(before: RuleBook, after: RuleBook) -> RuleBook:
    from kb.ids import sort_key

    rules = {**before.rules, **after.rules}
    return RuleBook(after.document, {number: rules[number] for number in sorted(rules, key=sort_key)})


def official_wording(books: dict[str, RuleBook] | None = None) -> dict[RuleRef, str]:
    """The official text of every rule that an imported document gives."""
    there = imported_books() if books is None else books
    return {rule.ref: rule.text for book in there.values() for rule in book}


def faq_documents() -> Iterator[FaqDocument]:
    """The imported FAQ documents."""
    for one in imported():
        if one.kind == FAQ:
            path = folder() / one.file
            yield parse_faq(read_text_of(load_bytes(path), path)[0], one.document, one.name)


def card_texts() -> CardTexts | None:
    """The card texts that were imported last, or None. A file that has become unreadable counts as none."""
    for one in reversed(imported()):
        if one.kind == CARDS:
            path = folder() / one.file
            try:
                return parse_cards(path, read_text_of(load_bytes(path), path)[0])
            except KbError:
                return None
    return None


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9.]+", "-", name.lower()).strip("-.") or "document"
