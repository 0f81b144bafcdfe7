"""The server of the app: Streamlit's, with the first page before it."""

from __future__ import annotations

import asyncio
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Timer

import streamlit as st
from starlette.middleware import Middleware

from kb.app import asking, shop
from kb.app.first import FirstPage

OPTIONS = {
    "browser.gatherUsageStats": False,
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
        place = "localhost" if address in ("0.0.0.0", "::") else address
        if open_:
            Timer(AFTER, webbrowser.open, [f"http://{place}:{port}/"]).start()
        yield

    app = st.App(file, middleware=[Middleware(FirstPage)], lifespan=opened)
    app.run(config=OPTIONS | {"server.port": port, "server.address": address, "server.headless": not open_})
