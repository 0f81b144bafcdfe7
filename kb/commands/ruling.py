"""``kb ruling``: one ruling, claim by claim."""

from __future__ import annotations

from typing import Any

import click

from kb.commands.shared import footer, heading, open_for, print_json, say


@click.command("ruling")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(name: str, as_json: bool) -> None:
    """Show a ruling: what people said, what holds, each claim with its verdict, rules and scenarios.

    Example: kb ruling burn-out-who-scores      or: kb ruling faq-rules:13
    """
    from kb.records import ruling_record

    con = open_for(("verdicts",))
    record = ruling_record(con, name)
    if as_json:
        print_json(record)
        return
    heading(f"{record['title']}  [{record['standing']}]")
    click.echo(f"{record['id']}, from {', '.join(record['origin'])}")
    say(f"People said: {record['verdict']}. {record['answer']}")
    review = record["review"]
    if review:
        say(f"Now ({review['edition']}): {review['verdict']}. {review['answer']}")
        for label, key in (("Changed", "changed_since"), ("Notes", "notes")):
            if review[key]:
                say(f"{label}: {review[key]}")
    click.echo()
    for claim in record["claims"]:
        _show_claim(claim, (review or {}).get("claims", {}).get(claim["id"]))
    for label, key in (("Sequence", "sequence"), ("Nuances", "nuances"), ("Questions", "questions")):
        if record[key]:
            click.echo(f"{label}:")
            for one in record[key]:
                say(f"- {one}", 2)
    if record["cards"]:
        say(f"Cards: {'; '.join(record['cards'])}")
    for one in record["related"]:
        arrow = "->" if one["direction"] == "to" else "<-"
        click.echo(f"{one['relation'].replace('_', ' ')} {arrow} {one['id']}")
    if record["scenarios"]:
        say(f"Scenarios: {', '.join(record['scenarios'])}")
    click.echo("Rules:")
    for one in record["citations"]:
        say(one["citation"], 2)
    if record["official_paragraph"]:
        say(f"The paragraph itself: {record['official_paragraph']}")
    footer(record)


def _show_claim(claim: dict[str, Any], review: dict[str, Any] | None) -> None:
    """One claim: what it says, what the engine found, what our reading found."""
    rules = ", ".join(claim["rules"]) or f"documentary: {claim['documentary']}"
    verdict = claim["verdict"] or ("documentary" if claim["documentary"] else "unverified")
    say(f"{claim['id']} [{verdict}] {claim['says']} ({rules})", 0, 3)
    if review:
        why = f": {review['why']}" if review["why"] else ""
        say(f"The rules agree: {review['agrees']}{why}", 3)
