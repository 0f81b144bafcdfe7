"""``kb search``: rules, rulings and cards, best first."""

from __future__ import annotations

import sqlite3
import sys
from typing import Any

import click

from kb.commands.shared import open_for, print_json, say
from kb.errors import InputError


@click.command("search")
@click.argument("query", nargs=-1)
@click.option("--kind", type=click.Choice(["rule", "ruling", "card"]), multiple=True, help="Only records of this kind.")
@click.option("-n", "limit", type=click.IntRange(1, 100), default=10, show_default=True, help="How many at most.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document (with -, one a line).")
def command(query: tuple[str, ...], kind: tuple[str, ...], limit: int, as_json: bool) -> int:
    """Find rules, rulings and cards; "-" reads one query a line from standard input.

    Example: kb search "stunned defender"      or: kb search 431.2.c
    """
    from kb.answer.answerer import check_question
    from kb.search.searcher import KINDS, Searcher

    text = " ".join(query)
    if text != "-":
        check_question(text)
    con = open_for(("vectors",))
    searcher = Searcher(con)
    kinds = kind or KINDS
    if text != "-":
        hits = [_record(con, hit) for hit in searcher.search(text, kinds, limit)]
        _print(con, hits, as_json)
        return 0 if hits else 1
    for line in sys.stdin:
        try:
            check_question(line)
        except InputError as problem:
            print_json({"hits": [], "error": problem.what})
            continue
        _print(con, [_record(con, hit) for hit in searcher.search(line.strip(), kinds, limit)], as_json)
    return 0


def _record(con: sqlite3.Connection, hit: Any) -> dict[str, Any]:
    record: dict[str, Any] = {"kind": hit.kind, "id": hit.id, "score": hit.score}
    if hit.kind == "ruling":
        row = con.execute("SELECT document, line FROM ruling WHERE id = ?", (hit.id,)).fetchone()
        record["origin"] = [f"{row[0]}:{row[1]}"]
    return record


def _print(con: sqlite3.Connection, hits: list[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        print_json({"hits": hits})
        return
    for hit in hits:
        say(f"{hit['score']:.2f} {hit['kind']:6} {hit['id']}: {title(con, hit['kind'], hit['id'])}")


def title(con: sqlite3.Connection, kind: str, name: str) -> str:
    """What a list shows of a record."""
    if kind == "ruling":
        return str(con.execute("SELECT title FROM ruling WHERE id = ?", (name,)).fetchone()[0])
    if kind == "card":
        return str(con.execute("SELECT type FROM card WHERE name = ?", (name,)).fetchone()[0])
    document, _, number = name.partition(":")
    row = con.execute("SELECT statement FROM rule WHERE document = ? AND number = ?", (document, number)).fetchone()
    return str(row[0])
