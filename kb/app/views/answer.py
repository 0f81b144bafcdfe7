"""The answer card: the verdict large, one sentence, the deciding rules, the standing, what people said, the replay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kb.app.address import link
from kb.app.markup import Html, join, tag
from kb.app.views.parts import (
    Record,
    badge,
    card_anchor,
    copy_button,
    link_button,
    note,
    prose,
    rows,
    rule_rows,
    ruling_row,
    scenario_row,
    section,
)
from kb.app.views.rule import cited, quoted_in_turn
from kb.app.views.ruling import replay_links, verdict_class, verdict_of, without_word
from kb.app.words import Badge, came_from, changed_words, standing_badge, verdict_word
from kb.records import OFFICIAL, RESTATED

UNSAID = "see answer"
DECIDING = 3
"""As many rules are quoted under the answer; the rest opens."""

DETAILS = 2
"""As many details that do not hold are told under an answer; the ruling's page has them all."""

EARLIER = "It was right under an earlier edition: "
"""How a note begins that tells the change of edition which made a ruling wrong."""

FROM_RULES = {
    wording: Badge("plain", "§", f"From the documents{whose}; not played out")
    for wording, whose in (("", ""), (OFFICIAL, ", in the official wording"), (RESTATED, ", in our words"))
}
"""The standing of an answer that rules give, by the wording in which it tells them."""

REASONS = {
    "other game": "Another game",
    "unknown card": "Unknown card",
    "no such rule": "No such rule",
    "not decided": "Not decided",
    "strategy": "Not a rules question",
    "policy": "Not for this tool",
    "unclear": "No answer",
}


def answer_page(
    question: str,
    reply: Record,
    rules: Sequence[Record],
    rulings: Sequence[Record],
    titles: Mapping[str, str] | None = None,
) -> Html:
    """An answer; ``rules`` and ``rulings`` are the full records of what it cites, ``titles`` those of its positions."""
    behind, near = (rulings, ()) if reply["source"] == "ruling" else ((), rulings)
    first = behind[0] if behind else None
    names = list(first.get("scenarios") or ()) if first else []
    shown = quoted_in_turn(rules)
    return join(
        (
            _head(question, reply, rules, first),
            tag("section", *shown[:DECIDING], cls="deciding") if rules else None,
            section("More rules behind it", *shown[DECIDING:], open_=False),
            *(_said(one) for one in reply["rulings"] if behind and one.get("differs")),
            section("Other readings", *(_reading(one) for one in reply.get("readings") or ())),
            section("The rulings behind it", rows(ruling_row(one) for one in behind)),
            section("A ruling on something near", rows(ruling_row(one) for one in near)),
            section(
                "All positions to replay",
                rows(scenario_row(one, (titles or {}).get(one, "")) for one in names) if len(names) > 1 else "",
                open_=False,
                count=len(names),
            ),
        )
    )


def _head(question: str, reply: Record, rules: Sequence[Record], first: Record | None) -> Html:
    """The answer itself; its standing is that of the ruling that answers, never of one that is only near."""
    verdict = str(reply["verdict"])
    sentence = without_word(str(reply["answer"]), verdict)
    differing = [str(one["id"]) for one in reply["rulings"] if one.get("differs")]
    notes = [_note(one) for one in reply.get("notes") or () if not any(name in one for name in differing)]
    if any(one.get("differs") and one.get("changed") for one in reply["rulings"]):
        notes = [one for one in notes if not one.startswith(EARLIER)]  # told with what people said
    bare = verdict.lower() != UNSAID
    told = f"{verdict_word(verdict)}. {sentence}" if bare else sentence
    copied = "\n".join((told, *map(cited, rules)))
    return tag(
        "section",
        tag("h1", question[:400], cls="question"),
        tag("p", verdict_word(verdict), cls=verdict_class(verdict)) if bare else None,
        tag("p", prose(sentence), cls="sentence"),
        *(tag("p", prose(one), cls="aside") for one in notes),
        badge(standing_badge(first) if first else FROM_RULES[str(reply.get("wording") or "")]),
        _not_holding(first) if first and first.get("standing") == "partly" else None,
        tag(
            "div",
            *(replay_links(first) if first else ()),
            copy_button("Copy citation", copied),
            link_button("Copy link", link("q", question)),
            cls="acts",
        ),
        cls="sheet answer",
    )


def _note(said: str) -> str:
    """A note of the reply; a change between editions as a sentence."""
    return EARLIER + changed_words(said.removeprefix(EARLIER)) if said.startswith(EARLIER) else said


def _not_holding(ruling: Record) -> Html | None:
    """Which details of what people said do not hold, where the answer itself does."""
    review = (ruling.get("review") or {}).get("claims") or {}
    wrong = [one for one in ruling.get("claims") or () if verdict_of(one) in ("contradicted", "failed")]
    items = []
    for one in wrong[:DETAILS]:
        why = (review.get(one["id"]) or {}).get("why")
        items.append(
            tag("li", "People also say: ", one["says"], tag("br") if why else None, prose(why) if why else None)
        )
    return tag("ul", *items, cls="aside") if items else None


def _said(one: Record) -> Html:
    """What people say where it differs from what holds, and what is wrong with it.

    Their word is left out: it answers the ruling's first question, which need not be the one asked.
    """
    said = one["said"]
    return tag(
        "aside",
        tag("h2", "What people said"),
        tag("p", without_word(str(said["answer"]), str(said["verdict"]))),
        *(tag("p", prose(why), cls="aside") for why in one.get("why") or ()),
        tag("p", prose(changed_words(str(one["changed"]))), cls="aside") if one.get("changed") else None,
        tag("p", ", ".join(came_from(origin) for origin in one["origin"]), cls="source"),
        cls="people",
    )


def _reading(one: Record) -> Html:
    """Another defensible reading."""
    word = str(one["verdict"])
    return tag(
        "div",
        tag("p", tag("b", verdict_word(word), ". ") if word != UNSAID else None, one["answer"]),
        tag("p", one["source"], cls="source"),
        cls="claim",
    )


def abstention_page(question: str, reply: Record, rules: Sequence[Record], rulings: Sequence[Record] = ()) -> Html:
    """No answer: why, and the nearest rules and rulings."""
    reason = str(reply["reason"])
    return join(
        (
            tag(
                "section",
                tag("h1", question[:400], cls="question"),
                tag("p", REASONS.get(reason, "No answer"), cls="verdict none"),
                tag("p", prose(reply["answer"]), cls="sentence"),
                tag("div", link_button("Copy link", link("q", question)), cls="acts"),
                cls="sheet answer",
            ),
            section("Nearest rules", rule_rows(rules)),
            section("Nearest rulings", rows(ruling_row(one) for one in rulings)),
        )
    )


def cards_named(names: Sequence[str], texts: Sequence[Record] = ()) -> Html | None:
    """The cards that a question names: what they say, where it is told; the others as links."""
    told = {str(one["name"]): str(one["says"]) for one in texts}
    others = [one for one in names if one not in told]
    links = tag("p", "Cards: " if len(others) > 1 else "Card: ", join(map(card_anchor, others), " "), cls="nearest")
    lines = [tag("p", card_anchor(one), " ", said) for one, said in told.items()]
    read = section("The cards, as our engine reads them", *lines)
    return join((read, links if others else None)) or None


def problem_page(said: str, nearest: Sequence[tuple[str, str]] = ()) -> Html:
    """One sentence about what cannot be shown, with links to what exists: (label, address)."""
    links = join(tag("a", label, href=address, cls="pill") for label, address in nearest)
    return join((note(said, tone="bad"), tag("p", "Perhaps: ", links, cls="nearest") if links else None))
