"""A position: what it proves, the replay, the whole derivation."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

from kb.app.address import link
from kb.app.markup import Html, join, tag
from kb.app.views.parts import badge, link_button, qualified, rule_anchor, section, shown_number
from kb.app.words import Badge, short_badge
from kb.replay.draw import summary
from kb.replay.frames import Variant, replay_data
from kb.replay.saying import asserted
from kb.replay.wording import line
from kb.scenarios.model import Scenario, Then

SHAPE = re.compile(r'viewBox="0 0 (\d+) (\d+)"')
HOLDS = Badge("good", "✓", "holds")
FAILS = Badge("bad", "✕", "does not hold")
UNKNOWN = Badge("plain", "?", "not reached")


def scenario_page(
    scenario: Scenario, made: list[Variant], verdict: str | None, claims: Mapping[str, str] | None = None
) -> Html:
    """The page of a scenario with its variants; ``verdict`` is the store's, ``claims`` are the ruling's words by id."""
    return join(
        (
            tag("p", "Position", cls="eyebrow"),
            tag("h1", scenario.title, cls="title"),
            tag("p", badge(short_badge(verdict)), cls="standing") if verdict else None,
            played(scenario, made, ways(scenario.id), claims or {}),
        )
    )


def played(scenario: Scenario, made: list[Variant], acts: list[Html], claims: Mapping[str, str]) -> Html:
    """The replay of a scenario, where to go from it (``acts`` last), what it shows, and the derivation."""
    first, about = made[0], []
    if scenario.ruling:
        about.append(tag("a", "The ruling it checks", href=link("ruling", scenario.ruling), cls="act"))
    if scenario.rule:
        ref = qualified(scenario.rule)
        about.append(tag("a", f"Rule {shown_number(ref)}", href=link("rule", ref), cls="act"))
    return join(
        (
            player(made, claims),
            tag("div", *about, *acts, cls="acts after"),
            section("What it shows", tag("div", *(check(one, first, claims) for one in scenario.then), cls="checks")),
            section("The whole derivation", derivation(first), open_=False),
        )
    )


def ways(ident: str, token: str = "") -> list[Html]:
    """Trying the position and linking to it: a file has an address of its own, any other text travels in the link."""
    if ident:
        return _ways(link("page", "try", scenario=ident), "Copy link", link("scenario", ident))
    carried = link("page", "try", at=token)
    return _ways(carried, "Copy link to this position", carried) if token else []


def _ways(trying: str, label: str, copied: str) -> list[Html]:
    return [tag("a", "Try it yourself", href=trying, cls="act"), link_button(label, copied)]


def player(made: list[Variant], claims: Mapping[str, str] | None = None) -> Html:
    """The replay, which the client of the page plays; in words until it does."""
    if not any(variant.frames for variant in made):
        return tag("p", made[0].end or "There is nothing to replay.", cls="note bad")
    data = as_data(replay_data(made, claims))
    last = next(variant for variant in made if variant.frames).frames[-1]
    return tag("div", tag("p", summary(last.state), cls="aside"), cls="replay", data_replay=data)


def check(then: Then, variant: Variant, claims: Mapping[str, str]) -> Html:
    """One assertion with its truth in the run: the claim in words, what is looked at, and what holds instead.

    Beside it stand the rules that decide it; where none does, those that say what its words mean.
    """
    truth = variant.truths.asserted.get(then.index)
    shown = HOLDS if truth else FAILS if truth is False else UNKNOWN
    rules = join((rule_anchor(one) for one in then.decides or then.defines), " ")
    if not then.decides and then.defines:
        rules = join(("See ", rules))
    said = [claims[one] for one in then.claims if one in claims] or ([then.says] if then.says else [])
    instead = None
    if truth is False and then.instead is not None and variant.truths.instead.get(then.index):
        instead = tag("p", tag("b", "Instead: "), asserted(then.instead), cls="aside")
    return tag(
        "div",
        *(tag("p", f"{one[:1].upper()}{one[1:]}") for one in said),
        tag("p", "Looked at: " if said else None, asserted(then.asserted), cls="aside"),
        instead,
        tag("p", badge(shown), " ", rules, cls="meta"),
        cls="claim",
    )


def derivation(variant: Variant) -> Html | None:
    """Every line of the trace with the rule that requires it."""
    run = variant.truths.run
    if run is None:
        return None
    return event_list((depth, line(node.text), node.rules) for depth, node in run.game.trace.root.walk())


def event_list(lines: Iterable[tuple[int, str, tuple[str, ...]]]) -> Html:
    """Lines of a derivation, each with its rules as links."""
    made = [
        tag(
            "div",
            tag("span", said),
            tag("span", *(rule_anchor(one) for one in rules), cls="cites"),
            cls=f"event d{min(depth, 4)}",
        )
        for depth, said, rules in lines
    ]
    return tag("div", *made, cls="events")


def as_data(value: object) -> str:
    """JSON for an attribute, without angle brackets: a sanitizer drops attributes that hold closing tags."""
    said = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return said.replace("<", "\\u003c").replace(">", "\\u003e")


def picture(svg: str, said: str) -> Html:
    """A picture of a board that the client of the page shows; in words, as large as the picture, until it does."""
    shape = SHAPE.search(svg)
    style = f"aspect-ratio:{shape.group(1)}/{shape.group(2)}" if shape else None
    return tag("div", said, cls="board", data_svg=as_data(svg), style=style)
