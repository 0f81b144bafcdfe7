"""``kb rule``: a rule or a section, with everything around it."""

from __future__ import annotations

from typing import Any

import click

from kb.commands.shared import footer, heading, open_for, print_json, say
from kb.ids import RuleRef, citation


@click.command("rule")
@click.argument("reference")
@click.option("--section", is_flag=True, help="Show everything below the rule as well (always so for 465).")
@click.option("--edition", help="The edition of a bare number, like core-1.3; else the one in force.")
@click.option("--as", "as_edition", help="Show what the rule is in this edition, like core-1.4.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(reference: str, section: bool, edition: str | None, as_edition: str | None, as_json: bool) -> None:
    """Show a rule with its parents, children, neighbours, pointers, rulings and scenarios.

    Example: kb rule 465.2.c      or: kb rule core-1.3:454 --as core-1.4
    """
    from kb.edition_records import edition_record, has_rules_of
    from kb.records import rule_record, section_record

    asked, extra = _resolve(reference, edition, as_edition)
    ref = asked if "translation" not in extra else None
    if "translation" in extra:
        found = extra["translation"]["refs"]
        ref = RuleRef.parse(found[0]) if found else None
    con = open_for()
    if ref is None or not has_rules_of(con, ref.document):
        _only_translated(extra, asked, as_json)
        return
    whole = section or ref.depth == 0
    if ref.document in restated(con):
        record = section_record(con, ref) if whole else rule_record(con, ref)
    else:
        record = edition_record(con, ref, whole=whole)
    record |= extra
    if as_json:
        print_json(record)
        return
    if "translation" in extra:
        say(extra["translation"]["sentence"])
    elif record["document"] not in restated(con):
        because = extra["resolved"]["because"]
        say(f"{record['document_title']}: {because}. Rulings are checked against the edition in force.")
    heading(f"{record['document_title']}, {record['number']}")
    for depth, above in enumerate(record["parents"]):
        say(f"{above['number']}. {above['statement']}", 2 * depth)
    if whole:
        _show_section(record)
    else:
        _show_rule(record, 2 * len(record["parents"]))
    _show_links(record)
    click.echo()
    _show_copy(record, ref)
    footer(record)


def restated(con: Any) -> tuple[str, ...]:
    """The documents that we restate: rulings and scenarios cite these."""
    return tuple(row[0] for row in con.execute("SELECT DISTINCT document FROM rule"))


def _resolve(reference: str, edition: str | None, as_edition: str | None) -> tuple[RuleRef, dict[str, Any]]:
    """The rule that is meant and what the reply says about how it was found."""
    from kb.ids import DEFAULT_DOCUMENT, document_title

    if edition or as_edition:
        from kb.editions import require_edition, resolve, translate

        found = resolve(reference, require_edition(edition) if edition else None, "kb rule")
        extra: dict[str, Any] = {"resolved": {"asked": reference, "ref": str(found.ref), "because": found.because}}
        if as_edition:
            moved = translate(found.ref, require_edition(as_edition))
            extra["translation"] = {
                "asked": str(found.ref), "edition": moved.edition, "refs": [str(one) for one in moved.refs],
                "links": [{"new": a.new, "kind": str(a.kind), "confidence": a.confidence} for a in moved.links],
                "by": moved.by, "sentence": moved.sentence(),
            }  # fmt: skip
        return found.ref, extra
    ref = RuleRef.parse(reference, where="kb rule")
    because = f"no edition was named; {document_title(DEFAULT_DOCUMENT)} is in force"
    because = "the edition was named" if ":" in reference else because
    return ref, {"resolved": {"asked": reference, "ref": str(ref), "because": because}}


def _only_translated(extra: dict[str, Any], asked: RuleRef, as_json: bool) -> None:
    """The reply where the text of the edition is not there: what is known of the number."""
    from kb.editions import translate
    from kb.errors import UnknownId
    from kb.ids import DEFAULT_DOCUMENT

    if "translation" not in extra:
        now = translate(asked, DEFAULT_DOCUMENT)  # raises for an unknown edition or number
        refs = ", ".join(map(str, now.refs)) or "nothing in the edition in force"
        fix = f"Import it with kb import FILE. Now it is {refs} (kb rule {asked} --as {now.edition})"
        raise UnknownId(str(asked), "the text of this edition was not imported", fix)
    if as_json:
        print_json(extra)
    else:
        say(extra["translation"]["sentence"])


def _show_rule(record: dict[str, Any], indent: int) -> None:
    click.echo()
    _show_parts(record["number"], [(p["kind"], p["text"]) for p in record["parts"]], indent, bold=True)
    if record["official"]:
        say(f"Official wording: {record['official']}", indent + 2)
    for child in record["children"]:
        say(f"{child['number']}. {child['statement']}", indent + 2)
    click.echo()


def _show_section(record: dict[str, Any]) -> None:
    top = record["section"][0]["depth"]
    for one in record["section"]:
        _show_parts(one["number"], [(kind, text) for kind, text, _ in one["parts"]], 2 * (one["depth"] - top))
        if one["official"]:
            say(f"Official wording: {one['official']}", 2 * (one["depth"] - top) + 4)
    click.echo()


def _show_parts(number: str, parts: list[tuple[str, str]], indent: int, bold: bool = False) -> None:
    """The statement on one line with the number, everything else below it."""
    lead = " ".join(text for kind, text in parts if kind in ("step", "statement"))
    if bold:
        click.echo(click.style(_wrap(f"{number}. {lead}", indent), bold=True))
    else:
        say(f"{number}. {lead}", indent)
    for kind, text in parts:
        if kind not in ("step", "statement"):
            say(text, indent + 4)


def _wrap(text: str, indent: int) -> str:
    from kb.commands.shared import wrapped

    return wrapped(text, indent)


def _show_links(record: dict[str, Any]) -> None:
    for label, one in (("Before", record["previous"]), ("After", record["next"])):
        if one:
            say(f"{label}: {one['number']}. {one['statement']}", 0, 4)
    for label, key in (("Points to", "points_to"), ("Pointed to by", "pointed_to_by")):
        if record[key]:
            click.echo(f"{label}:")
            for one in record[key]:
                document = "" if one["ref"].startswith(f"{record['document']}:") else f"{one['ref'].split(':')[0]} "
                say(f"{document}{one['number']}. {one['statement']}", 2)
    if record["rulings"]:
        click.echo("Rulings:")
        for one in record["rulings"]:
            claims = f" ({', '.join(one['claims'])})" if one["claims"] else ""
            say(f"{one['id']} [{one['standing']}]{claims}: {one['title']}", 2)
    if record["scenarios"]:
        say(f"Scenarios: {', '.join(record['scenarios'])}")
    if record["terms"]:
        say(f"Glossary: {', '.join(record['terms'])}")


def _show_copy(record: dict[str, Any], ref: RuleRef) -> None:
    """The line to copy: restated always, official where the document was imported."""
    click.echo("To cite:")
    say(record["citation"], 2)
    if record["official"]:
        say(f"{citation(ref, 'official')}: {record['official']}", 2)
