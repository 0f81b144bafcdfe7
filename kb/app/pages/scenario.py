"""A position, replayed step by step."""

from __future__ import annotations

from kb.app.address import Address, link
from kb.app.screen import put
from kb.app.views.answer import problem_page
from kb.verify.suite import scenario_root


def show(address: Address) -> None:
    """The page of a scenario."""
    root = scenario_root().resolve()
    path = (root / f"{address.value}.yaml").resolve()
    if not path.is_relative_to(root) or not path.exists():
        put(problem_page(f"There is no position {address.value[:80]!r}.", [("the desk", link("page", "desk"))]))
        return
    put(problem_page("The replay is being built."))
