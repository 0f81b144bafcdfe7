"""``kb import``: take in an official document from the user's disk."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import click

from kb.commands.shared import print_json, say
from kb.sources.faq_text import FaqDocument
from kb.sources.rules_text import RulesDocument


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--document", help="Which document this is, like core-1.4; else its file name tells.")
@click.option("--check", is_flag=True, help="Only read it and report; keep nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(file: Path, document: str | None, check: bool, as_json: bool) -> None:
    """Read a rules document or an FAQ document and keep a copy; its wording is then quoted beside ours.

    Findings are explained in docs/import-findings.md. Nothing is sent anywhere.

    Example: kb import core-rules-1.4.tsv
    """
    from kb.documents import keep, read_document
    from kb.ids import RuleRef
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


def summary(file: Path, parsed: RulesDocument | FaqDocument) -> dict[str, Any]:
    """What was read, what was noticed, and how it fits what we have."""
    findings = [
        {"kind": one.kind, "line": one.line, "message": one.message, "number": one.number} for one in parsed.findings
    ]
    if isinstance(parsed, FaqDocument):
        return {
            "file": file.name, "document": parsed.document, "kind": "faq", "rulings": len(parsed.rulings),
            "findings": findings,
        }  # fmt: skip
    findings += _against_ours(parsed)
    return {
        "file": file.name, "document": parsed.book.document, "kind": "rules", "layout": parsed.layout,
        "rules": len(parsed.book), "findings": findings,
    }  # fmt: skip


def _against_ours(parsed: RulesDocument) -> list[dict[str, Any]]:
    """Numbers that only one side has, and pointers that lead nowhere, where we restate this document."""
    from kb.data import rules_dir
    from kb.load import load_rules
    from kb.mentions import find_rules

    found: list[dict[str, Any]] = []
    name = parsed.book.document
    if not (rules_dir() / name).is_dir():
        message = f"{name} is not a document that kb restates; it is kept, and not looked up by the commands"
        return [{"kind": "other-edition", "line": 0, "message": message, "number": ""}]
    ours = load_rules(name)
    missing = [number for number in ours.rules if number not in parsed.book]
    if missing:
        message = f"{len(missing)} of our {len(ours)} numbers are not in the file"
        found.append({"kind": "partial", "line": 0, "message": message, "number": ""})
    for rule in parsed.book:
        if rule.number not in ours:
            message = f"{rule.number} is not in our list of numbers"
            found.append({"kind": "unknown-number", "line": rule.line, "message": message, "number": rule.number})
        for mention in find_rules(rule.text, lambda ref: ref.document != name or ref.number in ours, name):
            if mention.resolved is None:
                message = f"{rule.number} points to {mention.text}, which does not exist"
                found.append({"kind": "dead-pointer", "line": rule.line, "message": message, "number": rule.number})
    return found


def _show(report: dict[str, Any], check: bool) -> None:
    count = f"{report['rules']} rules" if report["kind"] == "rules" else f"{report['rulings']} rulings"
    say(f"{report['file']}: {report['document']}, {count}.")
    kinds = Counter(one["kind"] for one in report["findings"])
    for kind, number in kinds.items():
        click.echo(f"  {kind}: {number}")
        for one in [one for one in report["findings"] if one["kind"] == kind][:5]:
            say(f"line {one['line']}: {one['message']}" if one["line"] else one["message"], 4)
    if kinds:
        click.echo("docs/import-findings.md explains each kind; --json lists all.")
    click.echo("Checked, nothing kept." if check else f"Kept as {report['kept']}; its wording is now quoted.")
