"""``kb rulings``: a list of rulings."""

from __future__ import annotations

import click

from kb.commands.shared import footer, open_for, print_json, say
from kb.ids import RuleRef

STANDINGS = ("confirmed", "partly", "contradicted", "superseded", "disputed", "documentary", "unverified")


@click.command("rulings")
@click.option("--card", help="Only rulings that name this card.")
@click.option("--rule", help="Only rulings that cite this rule or one below it.")
@click.option("--standing", type=click.Choice(STANDINGS), help="Only rulings with this standing.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(card: str | None, rule: str | None, standing: str | None, as_json: bool) -> int:
    """List rulings by card, rule and standing.

    Example: kb rulings --card Defy      or: kb rulings --rule 431 --standing contradicted
    """
    from kb.lookup import require_rule
    from kb.records import dates, ruling_list

    ref = RuleRef.parse(rule, where="--rule") if rule else None
    con = open_for(("verdicts",))
    if ref:
        require_rule(con, ref)
    found = ruling_list(con, card, ref, standing)
    if as_json:
        print_json({"rulings": found} | dates(con))
    else:
        for one in found:
            say(f"{one['id']} [{one['standing']}] {', '.join(one['origin'])}: {one['title']}")
        click.echo(f"{len(found)} ruling(s)")
        footer(dates(con))
    return 0 if found else 1
