"""``kb crosswalk``: what became of every rule from one edition to another."""

from __future__ import annotations

import click

from kb.commands.shared import print_json, say


@click.command("crosswalk")
@click.argument("old")
@click.argument("new")
@click.option("--kind", multiple=True, help="Show links of this kind only: same, renumbered, reworded, split, ...")
@click.option("--save", is_flag=True, help="Make it anew from both editions and write it to rules/crosswalks.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(old: str, new: str, kind: tuple[str, ...], save: bool, as_json: bool) -> None:
    """Show which rule of one edition is which of another, told by text: kind and confidence.

    Example: kb crosswalk core-1.3 core-1.4 --kind gone
    """
    from kb.data import rules_dir
    from kb.editions import book_of, find_crosswalk, require_edition
    from kb.sources.crosswalk import crosswalk
    from kb.sources.links import write_links

    old, new = require_edition(old), require_edition(new)
    if save:
        walk, by = crosswalk(book_of(old)[0], book_of(new)[0]), "made now"
        by = str(write_links(walk, rules_dir() / "crosswalks"))
    else:
        walk, by = find_crosswalk(old, new)
    chosen = [one for one in walk.links if not kind or one.kind in kind]
    if as_json:
        links = [{"old": a.old, "new": a.new, "kind": str(a.kind), "confidence": a.confidence} for a in chosen]
        print_json({"old": old, "new": new, "by": by, "counts": walk.counts(), "links": links})
        return
    counts = ", ".join(f"{count} {name}" for name, count in walk.counts().items())
    say(f"{old} to {new} ({by}): {counts}.")
    for one in chosen if kind else ():
        click.echo(f"  {one.old or '-':<14} {one.new or '-':<14} {one.kind:<11} {one.confidence:.2f}")
