"""A scenario that is being written, once it ran."""

from __future__ import annotations

from kb.app.markup import Html, join, tag
from kb.app.views.replay import played, ways
from kb.replay.frames import Variant
from kb.scenarios.model import Scenario


def written_page(scenario: Scenario, made: list[Variant], ident: str, token: str) -> Html:
    """What a text gave; ``ident`` is the scenario whose file it is, ``token`` what a link to its position carries."""
    return join((tag("h2", scenario.title, cls="title"), played(scenario, made, ways(ident, token), {})))
