"""What the commands share: opening the store with a progress bar, printing JSON and wrapped text."""

from __future__ import annotations

import json
import sqlite3
import textwrap
from collections.abc import Sequence
from typing import Any

import click

from kb.data import store_path
from kb.errors import DataError, StoreError
from kb.store import connect, is_fresh

WIDTH = 100


def open_for(need: Sequence[str] = ()) -> sqlite3.Connection:
    """The store, built first where it is missing or stale, with progress on standard error.

    Where something cannot be built, what is there still answers, and a warning says so.
    """
    path = store_path()
    if not is_fresh(path, need):
        from kb.progress import shown
        from kb.store import build_store

        try:
            with shown() as progress:
                build_store(layers=tuple(need), progress=progress)
        except (DataError, StoreError) as problem:
            try:
                con = connect(path)
            except StoreError:
                raise problem from None
            click.echo(f"kb: {problem} Until then the store answers as it is.", err=True)
            return con
    return connect(path)


def print_json(value: Any) -> None:
    """One JSON document on standard output."""
    click.echo(json.dumps(value, ensure_ascii=False))


def wrapped(text: str, indent: int = 0, hang: int = 2) -> str:
    """``text`` in lines of readable width."""
    return textwrap.fill(
        text, WIDTH, initial_indent=" " * indent, subsequent_indent=" " * (indent + hang), break_on_hyphens=False
    )


def say(text: str = "", indent: int = 0, hang: int = 2) -> None:
    """Print wrapped text."""
    click.echo(wrapped(text, indent, hang) if text else "")


def heading(text: str) -> None:
    """Print a heading, bold on a terminal."""
    click.echo(click.style(text, bold=True))


def footer(record: dict[str, Any]) -> None:
    """Print the edition and the dates that every reply carries."""
    said = f"Edition {record['edition']}, rules of {record['rules_date']}, cards to {record['cards_through']}"
    click.echo(click.style(f"{said} ({record['cards_date']}).", dim=True))
