"""A rule with everything around it, and a quoted rule that opens in place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kb.app.address import link, rule_link
from kb.app.markup import Html, join, tag
from kb.app.views.parts import (
    Record,
    bullets,
    card_anchor,
    copy_button,
    link_button,
    note,
    rows,
    rule_row,
    ruling_row,
    scenario_row,
    section,
    shown_number,
)
from kb.ids import DEFAULT_DOCUMENT, RuleRef, citation, document_title

NOT_YET = "This rule is not yet restated in our words. Import your copy of the official document to see its wording."
LABELS = {"example": "Example", "pointer": "See", "reminder": "Reminder", "note": "Our note"}


def wording(record: Record) -> Html:
    """What a rule says: the official wording first where a copy was imported, ours as the plain version."""
    official, text = record.get("official"), record.get("statement")
    parts: list[Html | None] = []
    if official:
        parts.append(tag("blockquote", official, cls="official"))
        if text != official:
            parts.append(tag("p", tag("b", "Plainly: "), text or "not yet restated", cls="plainly"))
    elif text:
        parts.append(tag("blockquote", text, cls="heading" if record.get("heading") else None))
    else:
        parts.append(note(NOT_YET))
    for part in record.get("parts") or ():
        parts.append(_part(part, record))
    return join(parts)


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
    around = join(
        (
            section("Above", rows(rule_row(one) for one in record["parents"])),
            section("Below", rows(rule_row(one) for one in record["children"])),
            section("Beside", rows(rule_row(one) for one in (record["previous"], record["next"]) if one)),
            tag("div", tag("a", "Open this rule", href=rule_link(record["ref"]), cls="act"),
                copy_button("Copy citation", cited(record)), link_button("Copy link", link("rule", record["ref"])),
                cls="acts"),
        )
    )  # fmt: skip
    source = "official wording" if record.get("official") else "restated"
    head = tag("summary", tag("span", shown_number(record["ref"]), cls="num"), *_context(record["parents"], before),
               tag("span", record.get("official") or record.get("statement") or "not yet restated", cls="said"),
               tag("span", source, cls="source"))  # fmt: skip
    return tag("details", head, tag("div", around, cls="inner"), cls="quoted")


def _context(parents: Sequence[Record], before: bool) -> list[Html]:
    """What a rule is about and goes on from: the heading above it, and the sentence that it continues."""
    heading = next((one for one in reversed(parents) if one.get("heading")), None)
    last = parents[-1] if parents else None
    found = [tag("span", heading["statement"], cls="about")] if heading else []
    if before and last and not last.get("heading") and last["statement"]:
        found.append(tag("span", last["statement"], cls="before"))
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
    trail = join(rule_row(one, bare=True) for one in (*above, *record["parents"]))
    step = f"Step {record['step']}. " if record.get("step") else None
    acts = tag(
        "div",
        copy_button("Copy citation", cited(record)),
        link_button("Copy link", link("rule", record["ref"])),
        cls="acts",
    )
    head = tag("section", tag("p", title, cls="eyebrow"), tag("h1", record["number"], cls="number"),
               tag("p", step, cls="step") if step else None, wording(record), acts, cls="sheet")  # fmt: skip
    children = rows(rule_row(one, bare=True) for one in record["children"])
    below = _whole(whole) if whole else section("Below", children)
    beside = tag(
        "nav",
        _step_link("← ", record["previous"]),
        _step_link("", record["next"], " →"),
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
            section("In this part", rows(rule_row(one) for one in within)) if not below else None,
            *around(whole or record, titles or {}),
        )
    )


def _step_link(before: str, brief: Record | None, after: str = "") -> Html:
    if not brief:
        return tag("span")
    number = tag("span", before, brief["number"], after, cls="num")
    said = tag("span", brief["statement"] or "not yet restated", cls="said")
    return tag("a", number, said, href=rule_link(brief["ref"]), cls="act")


def around(record: Record, titles: Mapping[str, str]) -> list[Html | None]:
    """Everything that is linked with a rule, in both directions."""
    return [
        section(
            "Rulings that use it", rows(ruling_row(one) for one in record["rulings"]), count=len(record["rulings"])
        ),
        section("Points to", rows(rule_row(one) for one in record["points_to"])),
        section(
            "Pointed to by",
            rows(rule_row(one) for one in record["pointed_to_by"]),
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
    base = record["depth"] if "depth" in record else record["section"][0]["depth"]
    lines = []
    for one in record["section"][1:]:
        said = one.get("official") or one["statement"] or "not yet restated"
        # The official wording holds its own examples and reminders; ours would say them twice.
        kept = [part for part in one["parts"] if part[0] in ("note", "pointer") or not one.get("official")]
        parts = join(_part(part, one) for part in kept)
        number = tag("a", one["number"], href=rule_link(one["ref"]), cls="num")
        level = min(int(one["depth"]) - int(base), 4)
        cls = f"line level{level}" + (" heading" if one["heading"] else "")
        lines.append(tag("div", number, tag("div", tag("span", said, cls="said"), parts), cls=cls))
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
        return tag("div", rule_row(one), cls="rows chapter")
    first, last = sections[0]["number"], sections[-1]["number"]
    names = ", ".join(str(part["statement"]).rstrip(".") for part in sections if part["heading"])
    head = tag(
        "summary",
        tag("span", one["number"], cls="num"),
        tag("span", one["statement"], cls="said"),
        tag("span", f"{first} to {last}", cls="source") if first != last else None,
        tag("span", names, cls="names"),
    )
    return tag("details", head, rows(rule_row(part) for part in (one, *sections)), cls="part chapter")
