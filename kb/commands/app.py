"""``kb app``: the browser app on this machine."""

from __future__ import annotations

from threading import Thread

import click


@click.command("app")
@click.option("--port", type=click.IntRange(1, 65535), default=8501, show_default=True, help="Port to listen on.")
@click.option(
    "--address", default="localhost", show_default=True, help="0.0.0.0 lets other machines of your network in."
)
@click.option("--open/--no-open", "open_", default=True, help="Open a browser window.")
def command(port: int, address: str, open_: bool) -> None:
    """Open the browser app: ask, browse the rules, replay and try positions. Nothing is sent anywhere.

    Example: kb app      or: kb app --address 0.0.0.0 --no-open
    """
    from kb.data import app_file

    file = app_file()
    Thread(target=warm_up, name="warm-up", daemon=True).start()
    from kb.app.server import run

    run(file, port, address, open_)


def warm_up() -> None:
    """Bring the store up to date and load what answers need while the server starts; a problem shows on the page."""
    from kb.app import asking, shop

    shop.bring_up_to_date()
    if shop.ready():
        asking.warm()
