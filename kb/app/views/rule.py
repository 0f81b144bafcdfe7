"""A rule with everything around it, and a quoted rule that opens in place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kb.app.address import link, rule_link
from kb.app.markup import Html, join, tag
from kb.app.views.parts import (
    NOT_RESTATED,
    WORDINGS,
    Record,
    bullets,
    card_anchor,
    copy_button,
    link_button,
    note,
    rows,
    rule_rows,
    ruling_row,
    scenario_row,
    section,
    shown_number,
    stated,
    stated_beside,
)
from kb.ids import DEFAULT_DOCUMENT, RuleRef, citation, document_title
from kb.records import OFFICIAL, RESTATED

NOT_YET = "This rule is not yet restated in our words. Import your copy of the official document to see its wording."
KEPT = ("note", "pointer")
"""Parts that are shown beside an official wording: it holds its own examples and reminders already."""

LABELS = {"example": "Example", "pointer": "See", "reminder": "Reminder", "note": "Our note"}


def wording(record: Record) -> Html:
    """What a rule says: the official wording first where a copy was imported, ours as the plain version."""
    official, text = record.get("official"), record.get("statement")
    parts: list[Html | None] = []
    if official:
        parts += [tag("p", "Official wording", cls="source"), tag("blockquote", official, cls="official")]
        parts.append(plainly(record))
    elif text:
        parts.append(tag("blockquote", text, cls="heading" if record.get("heading") else None))
    else:
        parts.append(note(NOT_YET))
    for part in record.get("parts") or ():
        if record.get("restated") or not official or part["kind"] in KEPT:
            parts.append(_part(part, record))
    return join(parts)


def plainly(record: Record) -> Html | None:
    """Our version of a rule that is quoted in its official wording; nothing where there is none or it says the same."""
    ours = record.get("statement")
    if not record.get("official") or not record.get("restated"):
        return None
    if not ours or ours in (record["official"], record.get("official_statement")):
        return None
    return tag("p", tag("b", "Plainly: "), ours, cls="plainly")


def wording_of(record: Record) -> str:
    """Whose words a rule is quoted in."""
    return OFFICIAL if record.get("official") else RESTATED


def cited(record: Record) -> str:
    """What is copied of a rule: the wording that is shown, under a heading that says whose words they are."""
    if official := record.get("official"):
        return f"{citation(RuleRef.parse(str(record['ref'])), 'official')}: {official}"
    return str(record["citation"])


def _part(part: Any, record: Record) -> Html | None:
    """An example, pointer, reminder or note; statements and step labels are shown elsewhere."""
    kind, said, targets = (part["kind"], part["text"], part["targets"]) if isinstance(part, dict) else part
    if kind not in LABELS:
        return None
    document = DEFAULT_DOCUMENT if said.startswith("See CR ") else str(record["ref"]).rpartition(":")[0]
    return tag("p", _linked(said, targets, document), cls=f"aside {kind}")


def _linked(said: str, targets: Sequence[str], document: str) -> Html:
    """A sentence in which the numbers that it points to are links."""
    parts: list[object] = []
    for number in targets:
        before, found, after = said.partition(number)
        if found:
            parts += [before, tag("a", number, href=rule_link(f"{document}:{number}"), cls="num")]
            said = after
    return join((*parts, said))


def quoted_in_turn(records: Sequence[Record]) -> list[Html]:
    """Deciding rules one after another; the sentence that several of them go on from stands before the first alone."""
    made, told = [], set()
    for one in records:
        before = one["parents"][-1]["ref"] if one["parents"] else ""
        made.append(quoted(one, before not in told))
        told |= {before, one["ref"]}
    return made


def quoted(record: Record, before: bool = True) -> Html:
    """A deciding rule: its wording, and on opening its parents, children and neighbours.

    ``before`` shows the sentence that it goes on from.
    """
    whose = wording_of(record)
    around = join(
        (
            plainly(record),
            section("Above", rule_rows(record["parents"], around=whose)),
            section("Below", rule_rows(record["children"], around=whose)),
            section("Beside", rule_rows((one for one in (record["previous"], record["next"]) if one), around=whose)),
            tag("div", tag("a", "Open this rule", href=rule_link(record["ref"]), cls="act"),
                copy_button("Copy citation", cited(record)), link_button("Copy link", link("rule", record["ref"])),
                cls="acts"),
        )
    )  # fmt: skip
    head = tag("summary", tag("span", shown_number(record["ref"]), cls="num"), *_context(record, before),
               tag("span", record.get("official") or record.get("statement") or NOT_RESTATED, cls="said"),
               tag("span", WORDINGS[whose], cls="source"))  # fmt: skip
    return tag("details", head, tag("div", around, cls="inner"), cls="quoted")


def _context(record: Record, before: bool) -> list[Html]:
    """What a rule is about and goes on from: the heading above it, and the sentence that it continues.

    Both are in the wording that the rule is quoted in, where they are there in it.
    """
    parents, whose = record["parents"], wording_of(record)
    heading = next((one for one in reversed(parents) if one.get("heading")), None)
    last = parents[-1] if parents else None
    found = [tag("span", stated_beside(heading, whose, whose == OFFICIAL), cls="about")] if heading else []
    if before and last and not last.get("heading") and stated(last)[0] != NOT_RESTATED:
        found.append(tag("span", stated_beside(last, whose, whose == OFFICIAL), cls="before"))
    return found


def rule_page(
    record: Record,
    whole: Record | None = None,
    above: Sequence[Record] = (),
    within: Sequence[Record] = (),
    titles: Mapping[str, str] | None = None,
    editions: Html | None = None,
) -> Html:
    """The page of a rule.

    ``whole`` is the section record where all of it is shown, ``above`` the chapter and section it stands in, ``within``
    what follows a heading, ``titles`` those of positions, ``editions`` the same rule in other editions.
    """
    title = f"{document_title(str(record['document']))}, {record['number']}"
    whose = wording_of(record)
    trail = rule_rows((*above, *record["parents"]), bare=True, around=whose)
    step = f"Step {record['step']}. " if record.get("step") else None
    acts = tag(
        "div",
        copy_button("Copy citation", cited(record)),
        link_button("Copy link", link("rule", record["ref"])),
        cls="acts",
    )
    head = tag("section", tag("p", title, cls="eyebrow"), tag("h1", record["number"], cls="number"),
               tag("p", step, cls="step") if step else None, wording(record), acts, cls="sheet")  # fmt: skip
    children = rule_rows(record["children"], bare=True, around=whose)
    below = _whole(whole) if whole else section("Below", children)
    beside = tag(
        "nav",
        _step_link("← ", record["previous"], "", whose),
        _step_link("", record["next"], " →", whose),
        cls="beside",
        aria_label="Neighbouring rules",
    )
    return join(
        (
            tag("nav", trail, cls="trail rows", aria_label="Rules above") if trail else None,
            head,
            beside,
            editions,
            below,
            section("In this part", rule_rows(within, around=whose)) if not below else None,
            *around(whole or record, titles or {}),
        )
    )


def _step_link(before: str, brief: Record | None, after: str, whose: str) -> Html:
    if not brief:
        return tag("span")
    number = tag("span", before, brief["number"], after, cls="num")
    said = tag("span", stated_beside(brief, whose), cls="said")
    return tag("a", number, said, href=rule_link(brief["ref"]), cls="act")


def around(record: Record, titles: Mapping[str, str]) -> list[Html | None]:
    """Everything that is linked with a rule, in both directions."""
    whose = wording_of(record)
    return [
        section(
            "Rulings that use it", rows(ruling_row(one) for one in record["rulings"]), count=len(record["rulings"])
        ),
        section("Points to", rule_rows(record["points_to"], around=whose)),
        section(
            "Pointed to by",
            rule_rows(record["pointed_to_by"], around=whose),
            open_=len(record["pointed_to_by"]) < 8,
            count=len(record["pointed_to_by"]),
        ),
        section(
            "Positions that use it",
            rows(scenario_row(one, titles.get(one, "")) for one in record["scenarios"]),
            open_=False,
            count=len(record["scenarios"]),
        ),
        section("Cards in its examples", join((card_anchor(one) for one in record["cards"]), " ")),
        section("Terms", bullets(record["terms"])),
    ]


def _whole(record: Record) -> Html | None:
    """The section view: every rule below, indented by level, each with its parts."""
    whose = wording_of(record)
    base = record["depth"] if "depth" in record else record["section"][0]["depth"]
    lines = []
    for one in record["section"][1:]:
        said = one.get("official") or one["statement"] or NOT_RESTATED
        own = stated(one)[1]
        source = tag("p", WORDINGS[own], cls="source") if own not in ("", whose) else None
        kept = [part for part in one["parts"] if part[0] in KEPT or not one.get("official")]
        parts = join(_part(part, one) for part in kept)
        number = tag("a", one["number"], href=rule_link(one["ref"]), cls="num")
        level = min(int(one["depth"]) - int(base), 4)
        cls = f"line level{level}" + (" heading" if one["heading"] else "")
        lines.append(tag("div", number, tag("div", tag("span", said, cls="said"), source, parts), cls=cls))
    return section("The whole section", tag("div", *lines, cls="whole"), count=len(lines)) if lines else None


def chapter_list(document: str, chapters: Sequence[Record], said: str = "") -> Html:
    """The table of contents of a document: chapters that open to their sections."""
    return join(
        (
            tag("h1", document_title(document)),
            tag("p", said, cls="lead") if said else None,
            *(_chapter(one) for one in chapters),
        )
    )


def _chapter(one: Record) -> Html:
    """A chapter that opens to its sections; one without any is a row of its own."""
    sections = one["sections"]
    if not sections:
        return tag("div", rule_rows((one,)), cls="rows chapter")
    first, last = sections[0]["number"], sections[-1]["number"]
    names = ", ".join(stated(part)[0].rstrip(".") for part in sections if part["heading"])
    head = tag(
        "summary",
        tag("span", one["number"], cls="num"),
        tag("span", stated_beside(one, RESTATED), cls="said"),
        tag("span", f"{first} to {last}", cls="source") if first != last else None,
        tag("span", names, cls="names"),
    )
    return tag("details", head, rule_rows((one, *sections)), cls="part chapter")
