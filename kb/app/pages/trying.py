"""Placeholder."""

from __future__ import annotations

from kb.app.address import Address
from kb.app.screen import put
from kb.app.views.parts import note


def show(address: Address) -> None:
    """Not there yet."""
    put(note("This page is being built."))
