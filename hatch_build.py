"""Build hook: the wheel carries the data folders, the app and the records of ``docs/`` under ``kb/_data/``.

The folders stay at the top of the checkout, where people find and correct them. An editable
install needs no copy: ``kb.data`` finds them around the package.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CARRIED = ("rules", "rulings", "scenarios", "app.py", "docs/coverage.md", "docs/mutants.json")
"""The register of standings and the mutation score are shown beside the data that they are about."""


class CarryData(BuildHookInterface):  # type: ignore[type-arg]
    """Adds ``CARRIED`` to a standard wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before it writes the wheel."""
        if version != "standard":
            return
        for name in CARRIED:
            source = Path(self.root) / name
            if source.exists():
                build_data["force_include"][str(source)] = f"kb/_data/{name}"
