"""``kb build``: build the store now."""

from __future__ import annotations

import click

from kb.commands.shared import print_json


@click.command("build")
@click.option("--force", is_flag=True, help="Build even where nothing has changed.")
@click.option("--only-base", is_flag=True, help="Neither execute scenarios nor compute vectors.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(force: bool, only_base: bool, as_json: bool) -> None:
    """Build the store: data, verdicts, vectors. Does nothing where all is up to date.

    Example: kb build
    """
    import time

    from kb.data import store_path
    from kb.progress import shown
    from kb.store import build_store

    start = time.perf_counter()
    with shown() as progress:
        built = build_store(layers=() if only_base else None, progress=progress, force=force)
    seconds = round(time.perf_counter() - start, 1)
    if as_json:
        print_json({"built": built, "store": str(store_path()), "seconds": seconds})
    else:
        click.echo(f"Built {store_path()} in {seconds} s." if built else f"{store_path()} is up to date.")
