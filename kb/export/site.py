"""A static site of everything: pages packed into compressed chunks, a lexical search, nothing from any network.

``index.html`` opens from a file or any web host; over http it can be installed. Chunks are scripts, since a page that
was opened from a file may load scripts but not fetch; each holds pages, repetitions folded, as gzip in base64.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from kb.app.markup import Html, join, tag
from kb.app.records import documents
from kb.app.screen import NOTICE, asset
from kb.app.words import dates_line, short_badge
from kb.errors import InputError
from kb.export import pages
from kb.export.folding import folded
from kb.export.lexicon import lexicon, names, slang
from kb.export.pages import Page, Progress
from kb.ids import document_title
from kb.records import dates, ruling_list

CHUNK = 2_000_000
"""Characters of pages in one chunk, before compression: what a phone unpacks in a moment."""

LIMIT = 8_000_000


def export_site(con: sqlite3.Connection, folder: Path, progress: Progress) -> dict[str, Any]:
    """Write the site; a folder that holds anything else is refused with ``InputError``. Gives counts and size."""
    if folder.exists() and (not folder.is_dir() or (any(folder.iterdir()) and not (folder / "kb-site.json").exists())):
        raise InputError(folder, "it holds other things", "Name an empty folder, or an older export")
    data = folder / "data"
    data.mkdir(parents=True, exist_ok=True)
    for old in data.glob("*.js"):
        old.unlink()
    counts: dict[str, int] = {}
    places: dict[str, dict[str, int]] = {}
    number = 0
    groups: tuple[tuple[str, Iterable[Page]], ...] = (
        ("rule", pages.rule_pages(con, progress)),
        ("ruling", pages.ruling_pages(con)),
        ("card", pages.card_pages(con)),
        ("scenario", pages.scenario_pages(con, progress)),
        ("page", pages.other_pages(con)),
    )
    for kind, made in groups:
        places[kind] = {}
        for chunk in chunks(made):
            write_chunk(data, str(number), packed(chunk))
            places[kind].update(dict.fromkeys(chunk, number))
            number += 1
        counts[kind] = len(places[kind])
    listed, numbers = records_of(con)
    titles = {document: document_title(document) for document in documents(con)}
    index = {"places": places, "records": listed, "names": names(con), "slang": slang(con)}
    index |= {"titles": titles, "welcome": WELCOME}
    write_chunk(data, "index", index | {"lexicon": lexicon(con, numbers)})
    write_frame(con, folder, number)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return {"folder": str(folder), "pages": counts, "bytes": size}


def chunks(made: Iterable[Page]) -> Iterable[dict[str, str]]:
    """Pages in portions that a phone unpacks at once."""
    held: dict[str, str] = {}
    size = 0
    for ident, html in made:
        if held and size + len(html) > CHUNK:
            yield held
            held, size = {}, 0
        held[ident] = str(html)
        size += len(html)
    if held:
        yield held


def packed(pages: dict[str, str]) -> dict[str, Any]:
    """The names of pages, the length of each in UTF-16 code units, and all of them folded."""
    lengths = [len(html.encode("utf-16-le")) // 2 for html in pages.values()]
    return {"names": list(pages), "lengths": lengths, "parts": folded("".join(pages.values()))}


def write_chunk(folder: Path, name: str, value: object) -> None:
    """One chunk as a script."""
    raw = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    said = base64.b64encode(gzip.compress(raw, 9, mtime=0)).decode()
    (folder / f"{name}.js").write_text(f'kbSite.take("{name}","{said}");\n', encoding="ascii")


def records_of(con: sqlite3.Connection) -> tuple[list[list[str]], dict[tuple[str, str], int]]:
    """What hits show: [kind, id, text, badge]; and the numbers of the records."""
    listed: list[list[str]] = []
    numbers: dict[tuple[str, str], int] = {}
    for row in con.execute("SELECT document, number, statement, heading FROM rule ORDER BY document, pos"):
        ref = f"{row[0]}:{row[1]}"
        numbers["rule", ref] = len(listed)
        listed.append(["rule", ref, row[2] or "not yet restated", "heading" if row[3] else ""])
    for one in ruling_list(con):
        numbers["ruling", one["id"]] = len(listed)
        badge = short_badge(one["standing"])
        listed.append(["ruling", one["id"], one["title"], f"{badge.tone} {badge.sign} {badge.words}"])
    return listed, numbers


def write_frame(con: sqlite3.Connection, folder: Path, chunk_count: int) -> None:
    """The page itself, its style and scripts, what makes it installable, and the mark of an export."""
    said = dates_line(dates(con))
    files = {
        "index.html": page(said),
        "style.css": asset("style.css") + asset("site.css"),
        "client.js": asset("client.js"),
        "site.js": asset("site.js"),
        "icon.svg": asset("icon.svg"),
        "manifest.webmanifest": json.dumps(MANIFEST, indent=1),
    }
    everything = ["./", *files, "data/index.js", *(f"data/{number}.js" for number in range(chunk_count))]
    mark = hashlib.sha256("".join(files.values()).encode())
    for path in sorted((folder / "data").glob("*.js")):
        mark.update(path.read_bytes())
    files["worker.js"] = (
        f"const MARK = {mark.hexdigest()[:16]!r};\nconst FILES = {json.dumps(everything)};\n{asset('worker.js')}"
    )
    files["kb-site.json"] = json.dumps({"made_by": "riftbound-kb", "mark": mark.hexdigest()[:16]})
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


MANIFEST = {
    "name": "Riftbound rulings",
    "short_name": "Rulings",
    "start_url": "./index.html",
    "display": "standalone",
    "background_color": "#ffffff",
    "theme_color": "#0b57a4",
    "icons": [{"src": "icon.svg", "sizes": "any", "type": "image/svg+xml", "purpose": "any"}],
}

HEAD = Html(
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
    '<meta name="color-scheme" content="light dark"><title>Riftbound rulings</title>'
    '<link rel="icon" href="icon.svg" type="image/svg+xml"><link rel="manifest" href="manifest.webmanifest">'
    '<link rel="stylesheet" href="style.css">'
)


def page(said: str) -> str:
    """``index.html``."""
    places = (("Ask", "?"), ("Rules", "?page=rules"), ("Rulings", "?page=rulings"))
    bar = tag("nav", *(tag("a", name, href=href) for name, href in places), cls="topbar", aria_label="Pages")
    field = Html(
        '<form id="ask" role="search"><input type="search" id="box" autocomplete="off" maxlength="2000" '
        'aria-label="Ask a question, or type a rule number or a card" '
        'placeholder="A question, a rule number, a card"></form>'
    )
    foot = tag("footer", tag("span", said), tag("span", NOTICE), tag("span", OFFLINE), cls="foot")
    scripts = Html(
        '<script src="site.js"></script><script src="client.js"></script><script src="data/index.js"></script>'
    )
    wait = tag("p", "Unpacking ...", cls="lead")
    body = tag("div", bar, field, tag("main", wait, id="main", tabindex="-1"), foot, cls="kb site")
    noscript = Html(
        "<noscript><p>This page needs scripts; everything is in these files, nothing is loaded.</p></noscript>"
    )
    return (
        "<!doctype html>\n"
        + tag("html", tag("head", HEAD), tag("body", join((body, noscript)), scripts), lang="en")
        + "\n"
    )


WELCOME = (
    "Find rulings, rules and cards by words. Rulings say how far they were checked, and positions can be replayed."
)
OFFLINE = "This copy works without a network. It finds by words; the app on a computer also answers by meaning."
