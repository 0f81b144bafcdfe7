"""The server of the app: Streamlit's, with the first page before it."""

from __future__ import annotations

import asyncio
import socket
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Timer

import click
import streamlit as st
from starlette.middleware import Middleware

from kb.app import asking, shop
from kb.app.first import FirstPage

OPTIONS = {
    "browser.gatherUsageStats": False,
    "logger.hideWelcomeMessage": True,  # it would ask the internet for the address of this machine
    "client.toolbarMode": "minimal",
    "client.showErrorDetails": "none",
    "server.fileWatcherType": "none",
    "server.maxUploadSize": 25,
    "server.runOnSave": False,
    "server.showEmailPrompt": False,
    "theme.light.backgroundColor": "#ffffff",
    "theme.light.secondaryBackgroundColor": "#f4f6f9",
    "theme.light.primaryColor": "#0b57a4",
    "theme.dark.backgroundColor": "#0e1117",
    "theme.dark.secondaryBackgroundColor": "#1a2029",
    "theme.dark.primaryColor": "#8cc2ff",
}

EVERYWHERE = ("0.0.0.0", "::")

AFTER = 0.3
"""Seconds after the start at which a browser is opened."""

READY = 5.0
"""Seconds that the start waits for answers to be loaded at most, so that the first one does not wait."""


def run(file: Path, port: int, address: str, open_: bool) -> None:
    """Serve the app of a file until it is ended; a port that is taken ends the process with one sentence."""

    @asynccontextmanager
    async def opened(app: st.App) -> AsyncIterator[None]:
        """The server is up once it can answer; a store that has to be built shows its progress on the page instead."""
        if shop.is_current():
            await asyncio.to_thread(asking.loaded.wait, READY)
        found = places(address, port)
        click.echo(f"The app is open at {' and '.join(found)}. Press Ctrl+C to end it.")
        if open_:
            Timer(AFTER, webbrowser.open, [found[0]]).start()
        yield

    app = st.App(file, middleware=[Middleware(FirstPage)], lifespan=opened)
    app.run(config=OPTIONS | {"server.port": port, "server.address": address, "server.headless": not open_})


def places(address: str, port: int) -> list[str]:
    """Where the app can be opened: on this machine first, and from others of the network where it lets them in."""
    if address not in EVERYWHERE:
        return [f"http://{f'[{address}]' if ':' in address else address}:{port}/"]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        try:
            one.connect(("10.255.255.255", 1))  # nothing is sent: it tells which address this machine would send from
            own = str(one.getsockname()[0])
        except OSError:
            own = ""
    return [f"http://localhost:{port}/", *([f"http://{own}:{port}/"] if own and own != "0.0.0.0" else [])]
