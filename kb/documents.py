"""Official documents that a person has imported: kept in the user folder, quoted beside our wording.

``documents/index.json`` lists them in the order of import; where two give wording for the same rule
(a whole edition and an excerpt of it), the later import is quoted.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from kb.data import user_dir
from kb.errors import InputError
from kb.ids import RuleRef
from kb.sources.faq_text import FaqDocument, looks_like_faq, parse_faq
from kb.sources.rules_text import RulesDocument, parse_rules
from kb.sources.text import read_text

RULES, FAQ = "rules", "faq"


@dataclass(frozen=True, slots=True)
class Imported:
    """One imported document: its id, whether rules or faq, the file kept, and the name it came with."""

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


def read_document(path: Path, document: str | None = None) -> RulesDocument | FaqDocument:
    """Parse any document that we can read. Raises ``InputError`` (or ``DuplicateId``) for one we cannot."""
    text = read_text(path)
    if looks_like_faq(text):
        return parse_faq(text, document or _slug(path.stem), str(path))
    return parse_rules(text, document or guess_edition(path), str(path))


def guess_edition(path: Path) -> str:
    """The edition that a file name tells ("core-rules-1.4.tsv" -> "core-1.4"). Raises ``InputError``."""
    name = path.stem.lower()
    for kind, edition in (("core", r"\d+\.\d+"), ("tournament", r"\d{4}-\d{2}")):
        if kind in name and (found := re.search(edition, name)):
            return f"{kind}-{found.group()}"
    raise InputError(path, "the file name does not tell which edition this is", "Add --document, like core-1.4")


def keep(path: Path, parsed: RulesDocument | FaqDocument) -> Imported:
    """Copy a parsed document into the user folder and list it; an older copy of the same name is replaced."""
    kind = RULES if isinstance(parsed, RulesDocument) else FAQ
    document = parsed.book.document if isinstance(parsed, RulesDocument) else parsed.document
    target = folder() / f"{document}--{_slug(path.stem)}{path.suffix.lower() or '.txt'}"
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.resolve() != path.resolve():
        shutil.copyfile(path, target)
    new = Imported(document, kind, target.name, path.name)
    rest = [one for one in imported() if one.file != new.file]
    index = folder() / "index.json"
    fresh = index.with_suffix(".tmp")
    fresh.write_text(json.dumps([asdict(one) for one in [*rest, new]], indent=1), encoding="utf-8")
    fresh.replace(index)
    return new


def official_wording() -> dict[RuleRef, str]:
    """The official text of every rule that an imported document gives."""
    found: dict[RuleRef, str] = {}
    for one in imported():
        if one.kind == RULES:
            parsed = parse_rules(read_text(folder() / one.file), one.document, one.name)
            found.update({rule.ref: rule.text for rule in parsed.book})
    return found


def faq_documents() -> Iterator[FaqDocument]:
    """The imported FAQ documents."""
    for one in imported():
        if one.kind == FAQ:
            yield parse_faq(read_text(folder() / one.file), one.document, one.name)


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9.]+", "-", name.lower()).strip("-.") or "document"
