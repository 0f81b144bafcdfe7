"""``kb export``: the data as a static site."""

from __future__ import annotations

from pathlib import Path

import click

from kb.commands.shared import open_for, print_json


@click.group("export")
def command() -> None:
    """Export the data; ``site`` writes a static site that works offline, from a file or any web host.

    Example: kb export site my-folder
    """


@command.command("site")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def site(folder: Path, as_json: bool) -> None:
    """Write a site with all rules, rulings, cards, replays and a search; official wording is left out.

    Example: kb export site my-folder
    """
    from kb.export.site import export_site
    from kb.progress import shown

    con = open_for(("verdicts", "vectors"))
    with shown(as_json) as progress:
        made = export_site(con, folder, progress)
    if as_json:
        print_json(made)
        return
    said = ", ".join(f"{count} {kind} pages" for kind, count in made["pages"].items())
    click.echo(f"{folder}: {said}; {made['bytes'] / 1e6:.1f} MB. Open {folder / 'index.html'}")
