"""A ruling: what people said, what holds now, each claim with its verdict and its positions."""

from __future__ import annotations

from collections.abc import Sequence

from kb.app.address import link
from kb.app.markup import Html, join, tag
from kb.app.views.parts import (
    Record,
    badge,
    bullets,
    card_anchor,
    copy_button,
    link_button,
    rows,
    rule_anchor,
    scenario_row,
    section,
)
from kb.app.views.rule import quoted
from kb.app.words import came_from, short_badge, standing_badge, verdict_word


def differs(record: Record) -> bool:
    """Whether what holds now is another answer than the one people gave."""
    review = record.get("review")
    return review is not None and str(review["verdict"]).strip().lower() != str(record["verdict"]).strip().lower()


def holds_now(record: Record) -> tuple[str, str]:
    """Verdict and sentence that hold now: our review where there is one, else what people said."""
    review = record.get("review")
    source = review if review and review.get("answer") else record
    return str(source["verdict"]), str(source["answer"])


def people_said(record: Record) -> Html:
    """What the ruling itself says, as a box beside our answer."""
    origin = ", ".join(came_from(one) for one in record["origin"])
    verdict = verdict_word(str(record["verdict"]))
    official = record.get("official_paragraph")
    return tag(
        "aside",
        tag("h3", "What people said"),
        tag("p", tag("b", verdict, ". "), record["answer"]),
        tag("p", origin, cls="source"),
        tag("details", tag("summary", "The paragraph itself"), tag("p", official)) if official else None,
        cls="people",
    )


def ruling_page(record: Record, rules: Sequence[Record]) -> Html:
    """The page of a ruling; ``rules`` are the records of the rules it cites."""
    verdict, answer = holds_now(record)
    review = record.get("review") or {}
    citation = (
        f"{record['title']}: {verdict_word(verdict)}. {answer} ({', '.join(record['origin'])}; {record['standing']})"
    )
    head = tag(
        "section",
        tag("p", "Ruling · ", ", ".join(came_from(one) for one in record["origin"]), cls="eyebrow"),
        tag("h1", record["title"], cls="title"),
        tag("p", verdict_word(verdict), cls=verdict_class(verdict)),
        tag("p", answer, cls="sentence"),
        badge(standing_badge(record)),
        tag("p", review["notes"], cls="aside") if review.get("notes") else None,
        tag(
            "div",
            *replay_links(record),
            copy_button("Copy citation", citation),
            link_button("Copy link", link("ruling", record["id"])),
            cls="acts",
        ),
        cls="sheet",
    )
    claims = [claim(one, (review.get("claims") or {}).get(one["id"])) for one in record["claims"]]
    return join(
        (
            head,
            people_said(record) if differs(record) else None,
            section("Claims", tag("div", *claims, cls="claims"), count=len(claims)),
            section("Rules", *(quoted(one) for one in rules), count=len(rules)),
            section(
                "Positions", rows(scenario_row(one) for one in record["scenarios"]), count=len(record["scenarios"])
            ),
            section(
                "Sequence", tag("ol", *(tag("li", one) for one in record["sequence"])) if record["sequence"] else ""
            ),
            section("Nuances", bullets(record["nuances"])),
            None if differs(record) else section("What people said", people_said(record), open_=False),
            section("Cards", join((card_anchor(one) for one in record["cards"]), " ")),
            section("Related rulings", rows(_related(one) for one in record["related"])),
            section("Asked like this", bullets(record["questions"]), open_=False),
        )
    )


def verdict_class(verdict: str) -> str:
    """The class of a verdict headline: short words are large, longer values smaller."""
    word = verdict.strip().lower()
    tone = word if word in ("yes", "no") else "value"
    return f"verdict {tone}" + (" long" if len(word) > 14 else "")


def replay_links(record: Record) -> list[Html]:
    """Buttons to the replays of a ruling's positions: the first by name, the rest under it."""
    names = list(record.get("scenarios") or ())
    many = len(names) > 1
    return [
        tag("a", f"▶ Replay {number}" if many else "▶ Replay", href=link("scenario", one), cls="act strong")
        for number, one in enumerate(names[:4], 1)
    ]


def claim(one: Record, review: Record | None) -> Html:
    """One claim: what it says, the engine's verdict, our reading."""
    word = one.get("verdict") or ("documentary" if one.get("documentary") else None)
    numbers = join((rule_anchor(ref) for ref in one["rules"]), " ")
    why = review["why"] if review and review.get("why") else None
    names = one.get("scenarios") or ()
    replays = join((tag("a", "▶ position", href=link("scenario", name), cls="act") for name in names), " ")
    return tag(
        "div",
        tag("p", tag("span", one["id"], cls="id"), one["says"]),
        tag("p", badge(short_badge(word)), " ", numbers, " ", replays, cls="meta"),
        tag("p", why, cls="aside") if why else None,
        tag("p", "Not about a game state: ", one["documentary"], cls="aside") if one.get("documentary") else None,
        cls="claim",
    )


def _related(one: Record) -> Html:
    relation = str(one["relation"]).replace("_", " ")
    said = relation if one["direction"] == "to" else f"{relation} (from there)"
    name = str(one["id"]).replace("-", " ")
    return tag(
        "a",
        tag("span", name, cls="said"),
        tag("span", said, cls="source"),
        href=link("ruling", one["id"]),
        cls="row between",
    )
