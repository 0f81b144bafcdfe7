"""A position, replayed step by step."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from kb.app import records, shop
from kb.app.address import Address, link
from kb.app.markup import Html
from kb.app.screen import put
from kb.app.views.answer import problem_page
from kb.app.views.replay import scenario_page
from kb.replay.frames import variants
from kb.scenarios.model import load_scenario
from kb.verify.suite import scenario_root

LONGEST = 200
"""Characters of an id that are looked for; file systems have names of at most 255."""


def show(address: Address) -> None:
    """The page of a scenario. Raises ``DataError`` where its file is wrong."""
    path = file_of(address.value)
    put(page_of(address.value, path.stat().st_mtime_ns, shop.stamp()) if path else missing(address.value))


def file_of(ident: str) -> Path | None:
    """The file of a scenario as an address names it, or None where there is none."""
    root = scenario_root().resolve()
    if len(ident) >= LONGEST or "\0" in ident:
        return None
    path = (root / f"{ident}.yaml").resolve()
    return path if path.is_relative_to(root) and path.is_file() else None


def missing(ident: str) -> Html:
    """One sentence about a scenario that does not exist, and the way to those that do."""
    return problem_page(
        f"There is no position {ident[:80]!r}.", [("all positions", link("page", "desk", part="scenario"))]
    )


@lru_cache(maxsize=64)
def page_of(ident: str, changed: int, stamp: str) -> Html:
    """The page, kept while the file and the store are the same."""
    root, con = scenario_root(), shop.reading()
    scenario = load_scenario(root / f"{ident}.yaml", root)
    known = records.outcome(con, ident)
    claims = records.claims_of(con, scenario.ruling)
    return scenario_page(scenario, variants(scenario), str(known["verdict"]) if known else None, claims)
