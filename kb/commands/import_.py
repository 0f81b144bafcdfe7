"""``kb import``: take in a document from the user's disk."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import click

from kb.commands.shared import print_json, say


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--document", help="Which document this is, like core-1.4; else its file name tells.")
@click.option("--check", is_flag=True, help="Only read it and report; keep nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(file: Path, document: str | None, check: bool, as_json: bool) -> None:
    """Read rules (PDF, web page, Markdown, text), an FAQ, a redline, card texts or a list of cards, and keep a copy.

    Official wording and printed texts are then shown beside ours. Findings are explained in
    docs/import-findings.md. Nothing is sent anywhere.

    Example: kb import core-rules-1.4.pdf      or: kb import cards.json
    """
    from kb.documents import keep, read_document
    from kb.ids import RuleRef
    from kb.import_report import summary
    from kb.progress import shown
    from kb.store import build_store

    if document:
        RuleRef.parse(f"{document}:000", where="--document")
    parsed = read_document(file, document)
    report = summary(file, parsed)
    if not check:
        report["kept"] = keep(file, parsed).file
        with shown() as progress:
            build_store(layers=(), progress=progress)
    if as_json:
        print_json(report)
    else:
        _show(report, check)


def _show(report: dict[str, Any], check: bool) -> None:
    say(f"{report['file']}: {report['document']}, {report['said']}.")
    kinds = Counter(one["kind"] for one in report["findings"])
    for kind, number in kinds.items():
        click.echo(f"  {kind}: {number}")
        for one in [one for one in report["findings"] if one["kind"] == kind][:5]:
            page = f"page {one['page']}, " if one["page"] else ""
            say(f"{page}line {one['line']}: {one['message']}" if one["line"] else one["message"], 4)
    if kinds:
        click.echo("docs/import-findings.md explains each kind; --json lists all.")
    kept = {"rules": "its wording is now quoted", "cards": "its texts are now shown on the cards"}
    after = kept.get(report["kind"], "it is kept")
    click.echo("Checked, nothing kept." if check else f"Kept as {report['kept']}; {after}.")
