"""``kb app``: the browser app on this machine."""

from __future__ import annotations

from contextlib import suppress
from threading import Thread

import click

OPTIONS = {
    "browser.gatherUsageStats": "false",
    "client.toolbarMode": "minimal",
    "client.showErrorDetails": "none",
    "server.fileWatcherType": "none",
    "server.maxUploadSize": "25",
    "server.runOnSave": "false",
    "server.showEmailPrompt": "false",
    "theme.light.backgroundColor": "#ffffff",
    "theme.light.secondaryBackgroundColor": "#f4f6f9",
    "theme.light.primaryColor": "#0b57a4",
    "theme.dark.backgroundColor": "#0e1117",
    "theme.dark.secondaryBackgroundColor": "#1a2029",
    "theme.dark.primaryColor": "#8cc2ff",
}


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
    from kb.errors import InputError

    file = app_file()
    if not file.exists():
        raise InputError("kb app", "the app is missing from this installation", "Install kb again")
    chosen = OPTIONS | {
        "server.port": str(port),
        "server.address": address,
        "server.headless": "false" if open_ else "true",
    }
    flags = [part for key, value in chosen.items() for part in (f"--{key}", value)]
    from streamlit.web.cli import main as streamlit

    Thread(target=warm_up, name="warm-up", daemon=True).start()
    streamlit(args=["run", str(file), *flags], prog_name="streamlit", standalone_mode=False)


def warm_up() -> None:
    """Bring the store up to date and load what answers need while the server starts; a problem shows on the page."""
    from kb.app import asking, shop
    from kb.errors import KbError

    with suppress(KbError):
        shop.bring_up_to_date()
        asking.warm()
