"""``kb lint``: findings in the data, each with its fix."""

from __future__ import annotations

import click

from kb.commands.shared import print_json, say


@click.command("lint")
@click.option("--all", "everything", is_flag=True, help="Show notes of severity 'info' as well.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(everything: bool, as_json: bool) -> int:
    """Check rules, rulings, scenarios, cards and glossary; docs/lint.md explains the codes.

    Example: kb lint
    """
    from collections import Counter

    from kb.build import load_data
    from kb.lint import ERROR, INFO, WARNING, lint

    findings = lint(load_data())
    counts = Counter(one.severity for one in findings)
    totals = {severity: counts[severity] for severity in (ERROR, WARNING, INFO)}
    if as_json:
        keys = ("code", "severity", "where", "message", "fix")
        print_json({"findings": [{key: getattr(one, key) for key in keys} for one in findings], "totals": totals})
    else:
        for one in findings:
            if everything or one.severity != INFO:
                say(str(one))
        click.echo(", ".join(f"{count} {severity}(s)" for severity, count in totals.items()))
    return 1 if counts[ERROR] or counts[WARNING] else 0
