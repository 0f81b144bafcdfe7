"""A ruling: what people said, what holds now, each claim with its verdict and its positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kb.app.address import link
from kb.app.markup import Html, join, tag
from kb.app.views.parts import (
    Record,
    badge,
    bullets,
    card_anchor,
    copy_button,
    link_button,
    prose,
    rows,
    rule_anchor,
    scenario_row,
    section,
)
from kb.app.views.rule import quoted_in_turn
from kb.app.words import came_from, changed_words, short_badge, standing_badge, verdict_word


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


def ruling_page(record: Record, rules: Sequence[Record], titles: Mapping[str, str] | None = None) -> Html:
    """The page of a ruling; ``rules`` are the records of the rules it cites, ``titles`` those of its positions."""
    titles = titles or {}
    verdict, answer = holds_now(record)
    review = record.get("review") or {}
    citation = (
        f"{record['title']}: {verdict_word(verdict)}. {answer} ({', '.join(record['origin'])}; {record['standing']})"
    )
    changed = str(review.get("changed_since") or "")
    head = tag(
        "section",
        tag("p", "Ruling · ", ", ".join(came_from(one) for one in record["origin"]), cls="eyebrow"),
        tag("h1", record["title"], cls="title"),
        tag("p", verdict_word(verdict), cls=verdict_class(verdict)),
        tag("p", prose(without_word(answer, verdict)), cls="sentence"),
        badge(standing_badge(record)),
        tag("p", prose(changed_words(changed, claims=True)), cls="aside") if changed else None,
        tag("p", prose(review["notes"]), cls="aside") if review.get("notes") else None,
        tag(
            "div",
            *replay_links(record),
            copy_button("Copy citation", citation),
            link_button("Copy link", link("ruling", record["id"])),
            cls="acts",
        ),
        cls="sheet",
    )
    return join(
        (
            head,
            people_said(record) if differs(record) else None,
            *claims_by_verdict(record, review),
            section("Rules", *quoted_in_turn(rules), count=len(rules)),
            section(
                "Positions",
                rows(scenario_row(one, titles.get(one, "")) for one in record["scenarios"]),
                count=len(record["scenarios"]),
            ),
            section(
                "Sequence, as it was told",
                tag("ol", *(tag("li", one) for one in record["sequence"])) if record["sequence"] else "",
            ),
            section("Nuances, as they were told", bullets(record["nuances"])),
            None if differs(record) else section("What people said", people_said(record), open_=False),
            section("Cards", join((card_anchor(one) for one in record["cards"]), " ")),
            section("Related rulings", rows(_related(record["related"], titles))),
            section("Asked like this", bullets(record["questions"]), open_=False),
        )
    )


GROUPS = (
    ("What does not hold", ("contradicted", "failed")),
    ("What holds", ("confirmed",)),
    ("What only documents can tell", ("documentary",)),
    ("Not yet decided", ()),
)
"""Claims by verdict: titles and the verdicts under them; the last takes every other."""


def claims_by_verdict(record: Record, review: Record) -> list[Html | None]:
    """The claims of a ruling, those that do not hold first."""
    known = {word for _, words in GROUPS for word in words}
    said: list[Html | None] = []
    for title, words in GROUPS:
        some = [
            one for one in record["claims"] if (verdict_of(one) in words if words else verdict_of(one) not in known)
        ]
        made = [claim(one, (review.get("claims") or {}).get(one["id"])) for one in some]
        said.append(section(title, tag("div", *made, cls="claims") if made else "", count=len(made)))
    return said


def verdict_of(claim: Record) -> str:
    """The verdict on a claim, ``none`` where there is none yet."""
    return str(claim.get("verdict") or ("documentary" if claim.get("documentary") else "none"))


def without_word(sentence: str, verdict: str) -> str:
    """The sentence without the verdict in front of it, which stands above it already."""
    word, mark, rest = sentence.partition(":")
    if mark and rest.strip() and word.strip().lower() == verdict.strip().lower():
        said = rest.strip()
        return f"{said[:1].upper()}{said[1:]}"
    return sentence


def verdict_class(verdict: str) -> str:
    """The class of a verdict headline: short words are large, longer values smaller."""
    word = verdict.strip().lower()
    tone = word if word in ("yes", "no") else "value"
    return f"verdict {tone}" + (" long" if len(word) > 14 else "")


def replay_links(record: Record) -> list[Html]:
    """The button to the replay of a ruling's first position; the others are listed by their titles."""
    names = list(record.get("scenarios") or ())
    return [tag("a", "▶ Replay", href=link("scenario", one), cls="act strong") for one in names[:1]]


def claim(one: Record, review: Record | None) -> Html:
    """One claim: what it says, the engine's verdict, our reading."""
    numbers = join((rule_anchor(ref) for ref in one["rules"]), " ")
    why = review["why"] if review and review.get("why") else None
    names = one.get("scenarios") or ()
    replays = join(
        (
            tag("a", "▶ Replay" if len(names) == 1 else f"▶ Replay {at}", href=link("scenario", name), cls="play")
            for at, name in enumerate(names, 1)
        ),
        " ",
    )
    return tag(
        "div",
        tag("p", tag("span", one["id"], cls="id"), one["says"]),
        tag("p", prose(why), cls="aside") if why else None,
        tag("p", "Not played out: it is ", one["documentary"], cls="aside") if one.get("documentary") else None,
        tag("p", badge(short_badge(verdict_of(one))), " ", numbers, " ", replays, cls="meta"),
        cls="claim",
    )


def _related(related: Sequence[Record], titles: Mapping[str, str]) -> list[Html]:
    """Each related ruling once, with the ways in which it is related."""
    ways: dict[str, dict[str, None]] = {}
    for one in related:
        ways.setdefault(str(one["id"]), {})[str(one["relation"]).replace("_", " ")] = None
    return [
        tag(
            "a",
            tag("span", titles.get(name) or name.replace("-", " ").capitalize(), cls="said"),
            tag("span", ", ".join(said), cls="source"),
            href=link("ruling", name),
            cls="row between",
        )
        for name, said in ways.items()
    ]
