"""A scenario that is being written, once it ran: the replay, where to go with it, what it shows, the derivation."""

from __future__ import annotations

from kb.app.address import link
from kb.app.markup import Html, join, tag
from kb.app.views.parts import link_button, qualified, section, shown_number
from kb.app.views.replay import check, derivation, player
from kb.replay.frames import Variant
from kb.scenarios.model import Scenario


def written_page(scenario: Scenario, made: list[Variant], ident: str, token: str) -> Html:
    """What a text gave; ``ident`` is the scenario whose file it is, ``token`` what a link to its position carries."""
    first = made[0]
    return join(
        (
            tag("h2", scenario.title, cls="title"),
            player(made),
            tag("div", *about(scenario), *ways(ident, token), cls="acts after"),
            section("What it shows", tag("div", *(check(one, first, {}) for one in scenario.then), cls="checks")),
            section("The whole derivation", derivation(first), open_=False),
        )
    )


def about(scenario: Scenario) -> list[Html]:
    """The ruling and the rule that the text names."""
    made = []
    if scenario.ruling:
        made.append(tag("a", "The ruling it checks", href=link("ruling", scenario.ruling), cls="act"))
    if scenario.rule:
        ref = qualified(scenario.rule)
        made.append(tag("a", f"Rule {shown_number(ref)}", href=link("rule", ref), cls="act"))
    return made


def ways(ident: str, token: str) -> list[Html]:
    """Trying the position and linking to it: a file has an address of its own, any other text travels in the link."""
    if ident:
        return _ways(link("page", "try", scenario=ident), "Copy link", link("scenario", ident))
    carried = link("page", "try", at=token)
    return _ways(carried, "Copy link to this position", carried) if token else []


def _ways(trying: str, label: str, copied: str) -> list[Html]:
    return [tag("a", "Try it yourself", href=trying, cls="act"), link_button(label, copied)]
