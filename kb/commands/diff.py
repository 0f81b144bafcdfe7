"""``kb diff``: two editions compared rule by rule, word by word."""

from __future__ import annotations

import click

from kb.commands.shared import print_json, say


@click.command("diff")
@click.argument("old")
@click.argument("new")
@click.option("--renumbered", is_flag=True, help="Also show rules and pointers of which only numbers changed.")
@click.option("--substance", is_flag=True, help="Only changes that are more than wording.")
@click.option("--by-weight", is_flag=True, help="What matters most first, else in the order of the rules.")
@click.option(
    "--rule", "within", help="Only this rule and what is below it, by its new number (old, where it is gone)."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(
    old: str, new: str, renumbered: bool, substance: bool, by_weight: bool, within: str | None, as_json: bool
) -> None:
    """Compare two imported editions by word within rules; renumbering is hidden unless asked for.

    Example: kb diff core-1.3 core-1.4 --rule 383
    """
    from kb.changes import changes_between, order
    from kb.editions import require_edition
    from kb.sources.links import Kind

    found = changes_between(require_edition(old), require_edition(new), pointers=renumbered)
    hidden = {Kind.SAME} if renumbered else {Kind.SAME, Kind.RENUMBERED}
    shown = [one for one in found.changes if one.link.kind not in hidden]
    if renumbered:
        shown = [
            one for one in found.changes if one.link.kind is not Kind.SAME or any(w.side != "same" for w in one.words)
        ]
    if within:
        shown = [one for one in shown if f"{one.link.new or one.link.old}.".startswith(f"{within.rstrip('.')}.")]
    if substance:
        shown = [one for one in shown if one.in_substance]
    if by_weight:
        shown.sort(key=order)
    counts = found.counts()
    if as_json:
        print_json({
            "old": found.old, "new": found.new, "wording": list(found.wording), "by": found.by, "counts": counts,
            "changes": [one.as_json() for one in shown],
        })  # fmt: skip
        return
    said = ", ".join(f"{number} {name.replace('_', ' ')}" for name, number in counts.items() if number)
    say(f"{found.old} ({found.wording[0]}) to {found.new} ({found.wording[1]}): {said}.")
    for one in shown:
        number = one.link.new or one.link.old
        moved = f" (was {one.link.old})" if one.link.old and one.link.old != number else ""
        click.echo()
        click.echo(click.style(f"{number}{moved}: {one.link.kind}, weight {one.weight:.2f}", bold=True))
        say(marked(one.words), 2, 2)


def marked(words: tuple[object, ...]) -> str:
    """The words with [-deleted-] and {+inserted+} marks; long stretches that stayed are cut."""
    said = []
    for one in words:
        side, text = getattr(one, "side", ""), str(getattr(one, "text", ""))
        if side == "deleted":
            said.append(f"[-{text}-]")
        elif side == "inserted":
            said.append(f"{{+{text}+}}")
        else:
            kept = text.split()
            said.append(text if len(kept) <= 24 else " ".join([*kept[:10], "...", *kept[-10:]]))
    return " ".join(said)
