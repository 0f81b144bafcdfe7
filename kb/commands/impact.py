"""``kb impact``: what a change of edition touches."""

from __future__ import annotations

import click

from kb.commands.shared import open_for, print_json, say


@click.command("impact")
@click.argument("old")
@click.argument("new")
@click.option("-n", "count", default=20, show_default=True, help="How many lines of each list (0 for all).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(old: str, new: str, count: int, as_json: bool) -> int:
    """List rulings, claims, scenarios, engine steps and terms that rest on rules which changed, weightiest first.

    Exit status 1 where there is something to review.

    Example: kb impact core-1.3 core-1.4
    """
    from kb.changes import changes_between
    from kb.editions import require_edition
    from kb.impact import impact_of

    changes = changes_between(require_edition(old), require_edition(new))
    found = impact_of(changes, open_for())
    if as_json:
        print_json(found.as_json())
        return int(bool(found.rulings))
    counts = changes.counts()
    say(
        f"{changes.old} to {changes.new}: {counts['in_substance']} rules changed in substance, "
        f"{counts['renumbered']} only in number. To review: {len(found.rulings)} rulings, {len(found.scenarios)} "
        f"scenarios, {len(found.engine)} steps of the engine, {len(found.terms)} terms; {len(found.renumber)} cited "
        "numbers have moved."
    )
    for title, some, word in (
        ("Rulings", found.rulings, "claims"), ("Scenarios", found.scenarios, ""), ("Engine", found.engine, "at"),
        ("Glossary", found.terms, ""),
    ):  # fmt: skip
        if not some:
            continue
        click.echo()
        click.echo(click.style(f"{title} ({len(some)})", bold=True))
        for one in some[: count or None]:
            rules = sorted(one.rules, key=lambda rule: -one.rules[rule])
            more = f" and {len(rules) - 4} more" if len(rules) > 4 else ""
            details = f" [{word} {', '.join(sorted(one.details))}]" if word and one.details else ""
            say(f"{one.weight:.2f} {one.name}{details}: {', '.join(rules[:4])}{more}", 2, 7)
    return int(bool(found.rulings))
