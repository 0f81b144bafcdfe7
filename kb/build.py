"""Build the store: data folders -> tables, then the layers that are asked for.

The new store is written to a temporary file beside the old one and renamed into place, under a lock
against a second builder; a failure leaves the old store as it was. Where the content is unchanged
nothing is written but the new file times. The tables of layers are taken over from the old store, so
that a layer can keep what still fits.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import shutil
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path

from filelock import FileLock, Timeout

import kb
from kb import documents, schema, store
from kb.data import cache_dir, rules_dir, rulings_dir, scenarios_dir, store_path
from kb.errors import DataError, KbError, StoreBusy, StoreError
from kb.glossary import Glossary, load_glossary
from kb.ids import RuleRef, parent_number
from kb.load import Editions, load_cards, load_editions, load_rules, load_rulings
from kb.mentions import Kind, Names, find_mentions
from kb.model import Card, RuleBook, Ruling
from kb.names import build_names, common_words, known_cards, load_champions, ordinary_words, without_card
from kb.passages import make_passages
from kb.questions import Asked, check_targets, load_questions
from kb.sources.card_texts import PrintedText
from kb.sources.faq_text import FaqDocument
from kb.store import LAYERS, Progress

LOCK_SECONDS = 900.0
_REFERENCE = re.compile(r"\b((?:core|tournament)-\d[\d.-]*\d:\d{3}(?:\.(?:\d{1,2}|[a-z](?![a-z])))*)")
_RULING_LINE = re.compile(r"^ruling:\s*[\"']?([a-z0-9-]+)[\"']?\s*(?:#.*)?$", re.M)


@dataclass(frozen=True)
class Data:
    """Everything that the data folders and the imported documents hold."""

    editions: Editions
    books: Mapping[str, RuleBook]
    cards: Mapping[str, Card]
    rulings: Mapping[str, Ruling]
    glossary: Glossary
    official: Mapping[RuleRef, str]
    faq: tuple[FaqDocument, ...]
    scenarios: Mapping[str, Path]
    asked: tuple[Asked, ...] = ()
    other_editions: Mapping[str, RuleBook] = field(default_factory=dict)
    printed: Mapping[str, PrintedText] = field(default_factory=dict)

    def has_rule(self, ref: RuleRef) -> bool:
        """Whether a rule with this reference exists."""
        return ref.document in self.books and ref.number in self.books[ref.document]


def load_data() -> Data:
    """Read all files. Raises ``DataError`` for the first that is wrong."""
    editions = load_editions()
    restated = {one.id for one in editions.documents}
    imported = documents.imported_books()
    printed = documents.card_texts()
    root = scenarios_dir()
    paths = sorted(root.rglob("*.yaml")) if root.is_dir() else []
    return Data(
        editions=editions,
        books={one.id: load_rules(one.id) for one in editions.documents},
        cards=load_cards(),
        rulings=load_rulings(),
        glossary=load_glossary() if (rules_dir() / "glossary.yaml").exists() else Glossary(),
        official=documents.official_wording({name: book for name, book in imported.items() if name in restated}),
        faq=tuple(documents.faq_documents()),
        scenarios={path.relative_to(root).with_suffix("").as_posix(): path for path in paths},
        asked=load_questions(),
        other_editions={name: book for name, book in imported.items() if name not in restated},
        printed=printed.texts if printed else {},
    )


def build_store(layers: Sequence[str] = (), progress: Progress | None = None, *, force: bool = False) -> bool:
    """Make the store fit the data and have these layers; true where anything was built.

    Raises ``DataError`` for wrong files, ``StoreBusy`` where another process does not finish building,
    ``StoreError`` where the cache folder cannot be written.
    """
    path = store_path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(cache_dir() / "kb.lock", timeout=LOCK_SECONDS):
            if not force and store.is_fresh(path, layers):
                return False
            return _build(path, layers, progress or (lambda what, done, total: None), force)
    except Timeout as problem:
        raise StoreBusy(path.parent, "another process is building the store", "Try again when it is done") from problem
    except (OSError, sqlite3.OperationalError) as problem:
        raise StoreError(
            path.parent, f"the store cannot be written ({problem})", "Set KB_CACHE to a folder"
        ) from problem


def _build(path: Path, layers: Sequence[str], progress: Progress, force: bool) -> bool:
    temporary = path.with_name(f"{path.name}.new")
    try:
        old = _start_from(path, temporary)
        files = store.base_files()
        stamp, base = store.fingerprint(files), store.content_hash(files)
        with closing(sqlite3.connect(temporary)) as con:
            rebuilt = force or old.get("base") != base
            if rebuilt:
                _write_base(con, progress, store.content_hash(_of_no_ruling(files)), force)
            wanted = [name for name in layers if store.is_available(name)]
            con.executescript(schema.VERDICT)
            _set(con, {"fingerprint": stamp, "base": base, "schema": schema.VERSION, "kb": kb.__version__})
            made = [name for name in wanted if force or not store.layer_is_fresh(store.meta(con), name)]
            con.commit()
            problem = next((one for name in made if (one := _try_layer(con, name, progress))), None)
        temporary.replace(path)
        if problem:
            raise problem
        return rebuilt or bool(made)
    finally:
        temporary.unlink(missing_ok=True)


def _start_from(path: Path, temporary: Path) -> dict[str, str]:
    """Copy the old store, where there is a usable one, and return what it says about itself."""
    temporary.unlink(missing_ok=True)
    try:
        with closing(store.connect(path)) as con:
            said = store.meta(con)
    except StoreError:
        return {}
    shutil.copyfile(path, temporary)
    return said


def _set(con: sqlite3.Connection, values: Mapping[str, str]) -> None:
    con.executemany("INSERT OR REPLACE INTO meta(key, value) VALUES (?, ?)", list(values.items()))


def _try_layer(con: sqlite3.Connection, name: str, progress: Progress) -> KbError | None:
    """Make a layer; where that fails, the base stays without it and the problem is returned."""
    try:
        _write_layer(con, name, progress)
    except KbError as problem:
        con.rollback()
        return problem
    except ImportError as problem:
        con.rollback()
        return StoreError(name, f"this part of the store cannot be made ({problem})", "Install kb again")
    return None


def _write_layer(con: sqlite3.Connection, name: str, progress: Progress) -> None:
    """Call the function that makes a layer and stamp the result."""
    module, _, function = LAYERS[name].function.partition(":")
    make = getattr(importlib.import_module(module), function, None)
    if make is None:
        return
    make(con, progress)
    said = store.meta(con)
    _set(con, {f"layer:{name}": store.layer_mark(said, name)})
    con.commit()


def _of_no_ruling(files: Iterable[str]) -> list[str]:
    """The files on which nothing depends that rules, cards and terms say of each other."""
    besides = tuple(f"{folder}{os.sep}" for folder in (rulings_dir(), scenarios_dir()))
    return [path for path in files if not path.startswith(besides)]


def _write_base(con: sqlite3.Connection, progress: Progress, reference: str, force: bool) -> None:
    """Drop the base tables and write them anew; ``reference`` is the hash of what is no ruling and no scenario.

    The rules' cross-references take the longest to find and are kept from the old store where that hash is the same,
    unless a build is forced.
    """
    progress("Reading rules, rulings and cards", 0, 4)
    data = load_data()
    _stop_on_errors(data)
    check_targets(data.asked, data.has_rule, data.rulings)
    had = store.meta(con) if _has_meta(con) else {}
    of_rules = "SELECT kind, src_kind, src, dst_kind, dst, detail FROM xref WHERE src_kind = 'rule'"
    found = list(con.execute(of_rules)) if had.get("reference") == reference and not force else None
    for table in schema.BASE_TABLES:
        con.execute(f"DROP TABLE IF EXISTS {table}")
    con.executescript(schema.BASE)
    _set(con, {key: value for key, value in had.items() if key.startswith("layer:")} | {"reference": reference})
    progress("Writing the store", 1, 4)
    names = build_names(data.cards, data.glossary, ordinary_words(data.books.values()), common_words())
    _write_records(con, data, names)
    progress("Finding cross-references", 2, 4)
    rows = [*(_rules_references(data, names) if found is None else found), *_cross_references(data)]
    con.executemany("INSERT OR IGNORE INTO xref VALUES (?, ?, ?, ?, ?, ?)", rows)
    progress("Writing passages", 3, 4)
    _write_passages(con, data)
    in_force = next(one for one in data.editions.documents if one.in_force)
    said = {"edition": in_force.id, "rules_date": in_force.date, "cards_date": data.editions.cards_date}
    _set(con, said | {"cards_through": data.editions.cards_through})
    _set(con, {f"document:{one.id}": json.dumps(asdict(one)) for one in data.editions.documents})
    progress("Writing the store", 4, 4)


def _has_meta(con: sqlite3.Connection) -> bool:
    return con.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone() is not None


def _stop_on_errors(data: Data) -> None:
    """Lint findings that are errors stop the build."""
    from kb.lint import ERROR, lint

    errors = [finding for finding in lint(data) if finding.severity == ERROR]
    if errors:
        more = f", and {len(errors) - 1} more" if len(errors) > 1 else ""
        raise DataError(errors[0].where, f"{errors[0].code} {errors[0].message}{more}", f"{errors[0].fix} (kb lint)")


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _write_records(con: sqlite3.Connection, data: Data, names: Names) -> None:
    """Rules, rulings, cards, names, terms, scenarios and imported FAQ paragraphs."""
    con.executemany(f"INSERT INTO rule VALUES ({','.join('?' * 14)})", list(_rule_rows(data)))
    for at, ruling in enumerate(data.rulings.values()):
        con.execute(
            "INSERT INTO ruling VALUES (?,?,?,?,?,?,?,?,?)",
            (ruling.id, at, ruling.title, ruling.origin.document, ruling.origin.line, ruling.verdict, ruling.answer,
             ruling.path, _dump(_plain(asdict(ruling)))),
        )  # fmt: skip
        rows = [(ruling.id, claim.id, n, claim.says, claim.documentary) for n, claim in enumerate(ruling.claims)]
        con.executemany("INSERT INTO claim VALUES (?,?,?,?,?)", rows)
    cards = [(card.name, at, card.type, _dump(asdict(card))) for at, card in enumerate(data.cards.values())]
    con.executemany("INSERT INTO card VALUES (?,?,?,?)", cards)
    con.executemany(f"INSERT INTO edition_rule VALUES ({','.join('?' * 10)})", list(_edition_rows(data)))
    printed = [(name, _dump(asdict(one))) for name, one in known_cards(data.printed, data.cards).items()]
    con.executemany("INSERT INTO card_text VALUES (?,?)", printed)
    rows4 = [(key, kind.value, how.value, _dump(who)) for key, (kind, how, who) in names.keys.items()]
    con.executemany("INSERT INTO name VALUES (?,?,?,?)", rows4)
    words = [(word,) for word in sorted({*common_words(), *names.ordinary})]
    con.executemany("INSERT INTO common_word VALUES (?)", words)
    absent = without_card(load_champions(), data.cards)
    _set(con, {"ordinary": " ".join(sorted(names.ordinary)), "absent": _dump(absent)})
    terms = [(term.term, term.kind, _dump(_plain(asdict(term)))) for term in data.glossary.terms]
    con.executemany("INSERT OR IGNORE INTO term VALUES (?,?,?)", terms)
    for name, path in data.scenarios.items():
        found = _RULING_LINE.search(path.read_text(encoding="utf-8"))
        con.execute("INSERT INTO scenario VALUES (?,?,?)", (name, str(path), found.group(1) if found else None))
    faq = [(doc.document, one.line, _dump(asdict(one))) for doc in data.faq for one in doc.rulings]
    con.executemany("INSERT OR REPLACE INTO faq VALUES (?,?,?)", faq)


def _plain(value: object) -> object:
    """Rule references as text, wherever they stand."""
    if isinstance(value, dict):
        if set(value) == {"document", "number"}:
            return f"{value['document']}:{value['number']}"
        return {key: _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value


def _rule_rows(data: Data) -> Iterable[tuple[object, ...]]:
    root = rules_dir()
    for book in data.books.values():
        for at, rule in enumerate(book):
            source = Path(rule.source).relative_to(root).as_posix() if rule.source else ""
            parts = [[part.kind.value, part.text, list(part.targets)] for part in rule.parts]
            yield (
                book.document, rule.number, at, parent_number(rule.number), rule.ref.depth, rule.heading, rule.restated,
                rule.step, rule.statement, rule.text, _dump(parts), data.official.get(rule.ref), source, rule.line,
            )  # fmt: skip


def _edition_rows(data: Data) -> Iterable[tuple[object, ...]]:
    """Rules of the imported editions that we do not restate."""
    for book in data.other_editions.values():
        for at, rule in enumerate(book):
            parts = [[part.kind.value, part.text, list(part.targets)] for part in rule.parts]
            yield (
                book.document, rule.number, at, parent_number(rule.number), rule.ref.depth, rule.heading,
                rule.statement, rule.text, _dump(parts), rule.line,
            )  # fmt: skip


def _rules_references(data: Data, names: Names) -> Iterable[tuple[str, ...]]:
    """(kind, from kind, from, to kind, to, detail) of every rule and card that a rule names."""
    for book in data.books.values():
        for rule in book:
            if rule.restated:
                yield from _of_rule(str(rule.ref), rule.text, set(rule.pointers), data, names, book.document)


def _cross_references(data: Data) -> Iterable[tuple[str, ...]]:
    """The same of terms, rulings and scenarios."""
    for term in data.glossary.terms:
        for ref in term.rules:
            yield ("defines", "term", term.term, "rule", str(ref), "")
    for ruling in data.rulings.values():
        yield from _of_ruling(ruling)
    for name, path in data.scenarios.items():
        text = path.read_text(encoding="utf-8")
        for ref in dict.fromkeys(_REFERENCE.findall(text)):
            yield ("cites", "scenario", name, "rule", ref, "")
        if found := _RULING_LINE.search(text):
            yield ("proves", "scenario", name, "ruling", found.group(1), "")


def _of_rule(
    ref: str, text: str, pointers: set[str], data: Data, names: Names, document: str
) -> Iterable[tuple[str, ...]]:
    for mention in find_mentions(text, names, data.has_rule, document):
        if mention.resolved and mention.resolved != ref:
            if mention.kind is Kind.RULE:
                kind = "pointer" if mention.resolved.rpartition(":")[2] in pointers else "mention"
                yield (kind, "rule", ref, "rule", mention.resolved, "")
            elif mention.kind is Kind.CARD:
                yield ("names", "rule", ref, "card", mention.resolved, "")


def _of_ruling(ruling: Ruling) -> Iterable[tuple[str, ...]]:
    for ref in ruling.rules:
        yield ("cites", "ruling", ruling.id, "rule", str(ref), "")
    for claim in ruling.claims:
        for ref in claim.rules:
            yield ("cites", "ruling", ruling.id, "rule", str(ref), claim.id)
    for claim_id, review in (ruling.review.claims if ruling.review else {}).items():
        for ref in review.rules:
            yield ("review", "ruling", ruling.id, "rule", str(ref), claim_id)
    for card in ruling.cards:
        yield ("names", "ruling", ruling.id, "card", card, "")
    for kind, other in ruling.relations.pairs():
        yield (kind, "ruling", ruling.id, "ruling", other, "")


def _write_passages(con: sqlite3.Connection, data: Data) -> None:
    official = {str(ref): text for ref, text in data.official.items()}
    made = make_passages(data.books.values(), official, data.rulings, data.cards, data.glossary, data.asked)
    rows = [(one.kind, one.target, one.part, one.title, one.text) for one in made]
    con.executemany("INSERT INTO passage(kind, target, part, title, text) VALUES (?,?,?,?,?)", rows)
    con.execute("INSERT INTO passage_fts(passage_fts) VALUES ('rebuild')")
