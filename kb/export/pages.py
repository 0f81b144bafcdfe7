"""Every record as the page that the app shows of it, without what a person imported: official wording stays theirs."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from kb.app import records
from kb.app.markup import Html, join, tag
from kb.app.views.card import card_page
from kb.app.views.parts import rows, ruling_row, section
from kb.app.views.replay import scenario_page
from kb.app.views.rule import chapter_list, rule_page
from kb.app.views.ruling import ruling_page
from kb.errors import KbError
from kb.ids import RuleRef
from kb.records import card_record, rule_record, ruling_list, ruling_record, section_record
from kb.replay.frames import variants
from kb.scenarios.model import load_scenario
from kb.verify.suite import scenario_paths, scenario_root

Page = tuple[str, Html]
Progress = Callable[[str, int, int], None]
PRIVATE = ("official", "official_statement", "official_paragraph", "printed")


def public(value: Any) -> Any:
    """A record without anything that came from a person's own copy of a document."""
    if isinstance(value, Mapping):
        return {key: None if key in PRIVATE else public(one) for key, one in value.items()}
    return [public(one) for one in value] if isinstance(value, list) else value


def rule_pages(con: sqlite3.Connection, progress: Progress) -> Iterator[Page]:
    """Rules of every document, a rule without one above it with its whole section."""
    refs = [f"{row[0]}:{row[1]}" for row in con.execute("SELECT document, number FROM rule ORDER BY document, pos")]
    for at, ref in enumerate(refs):
        one = RuleRef.parse(ref)
        whole = public(section_record(con, one)) if not one.depth and records.size_below(con, one) else None
        record = public(rule_record(con, one))
        titles = records.titles(con, (whole or record)["scenarios"])
        above, within = public(records.under(con, one)), public(records.within(con, one))
        yield ref, rule_page(record, whole, above, within, titles)
        progress("Writing rules", at + 1, len(refs))


def ruling_pages(con: sqlite3.Connection) -> Iterator[Page]:
    """Rulings with the rules they cite."""
    for brief in ruling_list(con):
        record = public(ruling_record(con, brief["id"]))
        cited = [public(one) for one in records.rules(con, [one["ref"] for one in record["citations"]])]
        yield brief["id"], ruling_page(record, cited, records.titles_about(con, record))


def card_pages(con: sqlite3.Connection) -> Iterator[Page]:
    """Cards with our rendering of their abilities."""
    from kb.commands.card import rendered

    for row in con.execute("SELECT name FROM card ORDER BY name").fetchall():
        record = public(card_record(con, row[0])) | {"abilities": rendered(row[0])}
        keywords = [public(one) for one in records.keyword_rules(con, record["keywords"])]
        yield row[0], card_page(record, keywords)


def scenario_pages(con: sqlite3.Connection, progress: Progress) -> Iterator[Page]:
    """Positions with their replays; one whose file is wrong is left out."""
    root, paths = scenario_root(), scenario_paths()
    for at, path in enumerate(paths):
        progress("Writing replays", at + 1, len(paths))
        try:
            scenario = load_scenario(path, root)
            made = variants(scenario)
        except KbError:
            continue
        known = records.outcome(con, scenario.id)
        claims = records.claims_of(con, scenario.ruling)
        yield scenario.id, scenario_page(scenario, made, str(known["verdict"]) if known else None, claims)


def other_pages(con: sqlite3.Connection) -> Iterator[Page]:
    """Tables of contents and the list of rulings."""
    for document in records.documents(con):
        yield f"rules {document}", chapter_list(document, public(records.contents(con, document)))
    listed = ruling_list(con)
    yield (
        "rulings",
        join((tag("h1", "Rulings"), section("All", rows(ruling_row(one) for one in listed), count=len(listed)))),
    )
