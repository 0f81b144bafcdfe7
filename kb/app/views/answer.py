"""The answer card: the verdict large, one sentence, the deciding rules, the standing, what people said, the replay."""

from __future__ import annotations

from collections.abc import Sequence

from kb.app.address import link
from kb.app.markup import Html, join, tag
from kb.app.views.parts import Record, badge, copy_button, link_button, note, rows, rule_row, ruling_row, section
from kb.app.views.rule import quoted
from kb.app.views.ruling import differs, people_said, replay_links, verdict_class
from kb.app.words import standing_badge, verdict_word


def answer_page(question: str, reply: Record, rules: Sequence[Record], rulings: Sequence[Record]) -> Html:
    """An answer; ``rules`` and ``rulings`` are the full records of what it cites."""
    verdict, sentence = str(reply["verdict"]), str(reply["answer"])
    first = rulings[0] if rulings else None
    cited = "; ".join(str(one["citation"]) for one in rules)
    head = tag(
        "section",
        tag("h1", question, cls="question"),
        tag("p", verdict_word(verdict), cls=verdict_class(verdict)),
        tag("p", sentence, cls="sentence"),
        badge(standing_badge(first)) if first else badge(standing_badge({"standing": "documentary"})),
        tag(
            "div",
            *(replay_links(first) if first else ()),
            copy_button("Copy citation", f"{verdict_word(verdict)}. {sentence} ({cited})"),
            link_button("Copy link", link("q", question)),
            cls="acts",
        ),
        cls="sheet answer",
    )
    readings = reply.get("readings") or ()
    return join(
        (
            head,
            tag("section", *(quoted(one) for one in rules), cls="deciding") if rules else None,
            people_said(first) if first and differs(first) else None,
            section("Other readings", *(_reading(one) for one in readings)),
            section("The rulings behind it", rows(ruling_row(one) for one in rulings)),
        )
    )


def _reading(one: object) -> Html:
    """Another defensible reading, whatever shape the reply gives it."""
    if not isinstance(one, dict):
        return tag("p", str(one))
    said = one.get("answer") or one.get("reading") or one.get("says") or ""
    verdict = str(one.get("verdict") or "")
    return tag("p", tag("b", verdict_word(verdict), ". ") if verdict else None, said)


def abstention_page(question: str, reply: Record, rules: Sequence[Record], rulings: Sequence[Record] = ()) -> Html:
    """No answer: why, and the nearest rules and rulings."""
    return join(
        (
            tag(
                "section",
                tag("h1", question[:300], cls="question"),
                tag("p", "No answer", cls="verdict none"),
                tag("p", reply["reason"], cls="sentence"),
                cls="sheet answer",
            ),
            section("Nearest rules", rows(rule_row(one) for one in rules)),
            section("Nearest rulings", rows(ruling_row(one) for one in rulings)),
        )
    )


def problem_page(said: str, nearest: Sequence[tuple[str, str]] = ()) -> Html:
    """One sentence about what cannot be shown, with links to what exists: (label, address)."""
    links = join(tag("a", label, href=address, cls="pill") for label, address in nearest)
    return join((note(said, tone="bad"), tag("p", "Nearest: ", links) if links else None))
