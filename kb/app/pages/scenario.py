"""A position, replayed step by step."""

from __future__ import annotations

from functools import lru_cache

from kb.app import records, shop
from kb.app.address import Address, link
from kb.app.markup import Html
from kb.app.screen import put
from kb.app.views.answer import problem_page
from kb.app.views.replay import scenario_page
from kb.replay.frames import variants
from kb.scenarios.model import load_scenario
from kb.verify.suite import scenario_root


def show(address: Address) -> None:
    """The page of a scenario. Raises ``DataError`` where its file is wrong."""
    root = scenario_root().resolve()
    named = address.value if len(address.value) < 200 and "\0" not in address.value else "-"
    path = (root / f"{named}.yaml").resolve()
    if not path.is_relative_to(root) or not path.is_file():
        put(
            problem_page(
                f"There is no position {address.value[:80]!r}.",
                [("all positions", link("page", "desk", part="scenario"))],
            )
        )
        return
    put(page_of(address.value, path.stat().st_mtime_ns, shop.stamp()))


@lru_cache(maxsize=64)
def page_of(ident: str, changed: int, stamp: str) -> Html:
    """The page, kept while the file and the store are the same."""
    root, con = scenario_root(), shop.reading()
    scenario = load_scenario(root / f"{ident}.yaml", root)
    known = records.outcome(con, ident)
    claims = records.claims_of(con, scenario.ruling)
    return scenario_page(scenario, variants(scenario), str(known["verdict"]) if known else None, claims)
