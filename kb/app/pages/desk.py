"""The maintainer's desk: register, scenarios, coverage, lint and feedback; each a part of the address."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from kb import feedback
from kb.app import records, shop, workbench
from kb.app.address import Address, link
from kb.app.markup import Html, join, tag
from kb.app.pages.scenario import file_of, missing
from kb.app.screen import progress, put
from kb.app.views.editions import changes_page
from kb.app.views.parts import badge, bullets, fault, marked, note, rows, rule_anchor, ruling_row, scenario_row, section
from kb.app.views.written import written_page
from kb.app.words import SHORT, short_badge
from kb.errors import KbError
from kb.ids import DEFAULT_DOCUMENT, document_title
from kb.records import ruling_list

PARTS = (
    ("Register", ""),
    ("Scenario", "scenario"),
    ("Coverage", "coverage"),
    ("Editions", "editions"),
    ("Lint", "lint"),
    ("Feedback", "feedback"),
)
SHOWN = 150
LISTED = 20


def show(address: Address) -> None:
    """The part of the desk that the address names."""
    part = address.option("part")
    tabs = [
        tag("a", name, href=link("page", "desk", **({"part": key} if key else {})), cls="act",
            aria_current="page" if key == part else None)
        for name, key in PARTS
    ]  # fmt: skip
    put(tag("h1", "Desk", cls="hidden-title"), tag("nav", *tabs, cls="acts", aria_label="Parts of the desk"))
    made = PAGES.get(part, register)
    made(address)


NO_REGISTER = "There is no committed register (docs/coverage.md) beside this data to compare the standings with."


def register(address: Address) -> None:
    """Standings by ruling, claims by verdict, what changed since the committed register."""
    from kb.verify.report import register as committed

    con = shop.reading()
    rulings = ruling_list(con)
    counts = Counter(str(one["standing"]) for one in rulings)
    claims = Counter(str(row[0]) for row in con.execute("SELECT verdict FROM verdict WHERE claim <> ''"))
    wanted = address.option("standing")
    tiles = [
        tag("a", badge(SHORT[word]), tag("b", counts[word]), href=link("page", "desk", standing=word), cls="pill",
            aria_current="true" if word == wanted else None)
        for word in SHORT if counts[word]
    ]  # fmt: skip
    every = tag("a", "All", tag("b", len(rulings)), href=link("page", "desk"), cls="pill",
                aria_current=None if wanted else "true")  # fmt: skip
    said = join(
        (tag("span", badge(short_badge(word)), " ", tag("b", count)) for word, count in claims.most_common()), " "
    )
    put(
        tag("h2", "Rulings by standing"),
        tag("div", every, *tiles, cls="tiles"),
        tag("h2", "Claims by verdict") if said else None,
        tag("p", said, cls="counts") if said else None,
        tag("h2", "Proof"),
        *proof(),
    )
    changed = workbench.changed({str(one["id"]): str(one["standing"]) for one in rulings})
    same = "Every standing is the one in the committed register." if committed() else NO_REGISTER
    put(
        section("Changed since the committed register", rows(_changed(*one) for one in changed), count=len(changed))
        or tag("p", same, cls="lead")
    )
    listed = [one for one in rulings if not wanted or one["standing"] == wanted]
    run_all()
    put(section("Rulings", rows(ruling_row(one) for one in listed), count=len(listed)))


def proof() -> list[Html | None]:
    """How much of the rules is exercised, and how many changed rules some scenario notices."""
    made = workbench.chapters(shop.stamp())
    total: Counter[str] = Counter()
    for one in made:
        total.update(one.counts)
    leaves = sum(total.values())
    covered = f"{leaves - total['missing']:,} of {leaves:,} leaf rules need no further scenario"
    link_ = tag("a", "coverage by chapter", href=link("page", "desk", part="coverage"))
    return [tag("p", covered, " (", link_, ")."), *mutants()]


def mutants(listed: bool = False) -> list[Html | None]:
    """The mutation score; with ``listed`` also what nothing noticed."""
    try:
        found = workbench.mutation()
    except KbError as problem:
        return [note(str(problem), tone="bad")]
    if found is None:
        return [tag("p", "Mutation score: not measured yet. ", tag("code", "kb verify --mutants"), " measures it.")]
    said = f"{found.noticed:,} of {found.mutants:,} changes of a rule in the engine are noticed by a scenario"
    unnoticed = section(
        "Changes that nothing noticed", bullets(found.unnoticed), open_=False, count=len(found.unnoticed)
    )
    idle = section(
        "Rules said to decide that no change confirms",
        tag("p", join((rule_anchor(one) for one in found.not_causal), " ")) if found.not_causal else "",
        open_=False,
        count=len(found.not_causal),
    )
    return [
        tag("p", tag("b", f"Mutation score {found.score:.1%}"), f": {said}."),
        *((unnoticed, idle) if listed else ()),
    ]


def _changed(name: str, before: str, now: str) -> Html:
    said = (badge(short_badge(before)), " → ", badge(short_badge(now)))
    return tag("a", tag("span", name, cls="said"), tag("span", *said), href=link("ruling", name), cls="row between")


def run_all() -> None:
    """Every scenario again, with a progress bar."""
    if not st.button("Run all scenarios now", key="run_all"):
        return
    from kb.verify.suite import run_file, scenario_paths

    paths = scenario_paths()
    outcomes = []
    with progress("Running scenarios") as moved:
        for number, path in enumerate(paths, 1):
            outcomes.append(run_file(path))
            if number % 5 == 0:
                moved(f"{number:,} of {len(paths):,} scenarios", number, len(paths))
    counts = Counter(one.verdict for one in outcomes)
    bad = [one for one in outcomes if one.verdict in ("failed", "unsupported")]
    said = ", ".join(f"{count} {word}" for word, count in counts.most_common())
    put(note(f"{len(outcomes)} scenarios: {said}.", tone="bad" if bad else "good"))
    put(
        rows(join((scenario_row(one.id, one.title), tag("p", "; ".join(one.problems[:2]), cls="aside"))) for one in bad)
    )


def editor(address: Address) -> None:
    """A scenario as text: run it, see the line of an error, the verdict, the trace and the picture."""
    ident = address.option("id")
    path = file_of(ident) if ident else None
    text = path.read_text(encoding="utf-8") if path else workbench.TEMPLATE
    if ident and not path:
        put(missing(ident))
    said = st.text_area("Scenario (YAML)", text, height=360, key=f"edit_{ident}")
    with st.container(horizontal=True):
        pressed = st.button("Run it", type="primary", key="run_it")
        st.download_button("Save", said or "", f"{path.stem if path else 'scenario'}.yaml", key="save_it")
    if pressed:
        st.session_state["checked"] = (said, workbench.check(said or ""))
    kept = st.session_state.get("checked")
    if kept and kept[0] == said:
        result(said or "", kept[1], ident if path and said == text else "")
    put(tag("p", "Open one that is there:", cls="lead"))
    con = shop.reading()
    scenarios(records.titles(con, (row[0] for row in con.execute("SELECT id FROM scenario ORDER BY id"))))


def scenarios(names: dict[str, str]) -> None:
    """A field to find a scenario by its title or id."""
    said = st.text_input("Find a scenario", key="find_scenario", live="300ms", max_chars=100) or ""
    found = [
        (ident, title)
        for ident, title in names.items()
        if all(word in f"{ident} {title}".lower() for word in said.lower().split())
    ]
    links = [
        tag("a", tag("span", title, cls="said"), tag("span", ident, cls="source"),
            href=link("page", "desk", part="scenario", id=ident), cls="row between")
        for ident, title in found[:LISTED]
    ]  # fmt: skip
    put(rows(links) or note("No scenario is named like this."))
    if len(found) > LISTED:
        put(tag("p", f"and {len(found) - LISTED:,} more; type words of a title", cls="lead"))


def result(text: str, made: workbench.Checked, ident: str) -> None:
    """The verdict, or the error with its line marked; ``ident`` is the scenario's where the text is its file's."""
    if made.error or made.result is None or made.scenario is None:
        put(fault(made.error or "It did not run.", text, made.line))
        return
    put(
        tag("p", badge(short_badge(made.result.verdict)), f" in {made.result.milliseconds:.0f} ms"),
        *(note(one, tone="bad") for one in made.result.problems),
    )
    line = next((workbench.line_of(text, one) for one in made.result.problems), 0)
    put(marked(text, line), written_page(made.scenario, made.variants, ident, made.token))


def coverage(address: Address) -> None:
    """Coverage of rules by chapter; a field is shaded by the share that scenarios exercise, which it also says."""
    made = workbench.chapters(shop.stamp())
    total: Counter[str] = Counter()
    for one in made:
        total.update(one.counts)
    fields = [
        tag("a", tag("b", one.name[:3]), _share(one), href=link("rule", one.name[:3]),
            cls="gap" if one.counts["missing"] else None, style=f"--share:{one.share:.0%}",
            title=", ".join(f"{n} {word}" for word, n in one.counts.items()))
        for one in made
    ]  # fmt: skip
    kinds = [
        tag("li", tag("b", f"{total[word]:,}"), f" {meaning}") for word, meaning in COVERAGE.items() if total[word]
    ]
    put(
        tag("h2", "Rules that a scenario exercises"),
        tag("p", f"Of {sum(total.values()):,} rules with nothing below them", cls="lead"),
        tag("ul", *kinds),
        gaps(made),
        tag("h3", "By ten numbers: how many are exercised", cls="gapped"),
        tag(
            "p",
            "The greener a field, the larger their share; one that is framed says how many are missing.",
            cls="lead",
        ),
        tag("div", *fields, cls="heat"),
        tag("h2", "Mutants", cls="gapped"),
        *mutants(listed=True),
    )
    cells = ("exercised", "structural", "other", "missing")
    head = tag("tr", tag("th", "rules"), *(tag("th", word) for word in cells))
    body = [tag("tr", tag("td", one.name), *(tag("td", one.counts[word]) for word in cells)) for one in made]
    put(section("In numbers", tag("div", tag("table", head, *body), cls="scroll", tabindex="0"), open_=False))


def gaps(made: list[workbench.Chapter]) -> Html | None:
    """The rules that no scenario exercises yet, each a link to its page."""
    numbers = [one for chapter in made for one in chapter.missing]
    shown = join((rule_anchor(one) for one in numbers[:SHOWN]), ", ")
    more = f" and {len(numbers) - SHOWN:,} more" if len(numbers) > SHOWN else ""
    return tag("p", "Missing: ", shown, more) if numbers else None


def _share(one: workbench.Chapter) -> Html:
    """How many rules are exercised, and how many are missing."""
    missing = one.counts["missing"]
    said = f"{one.counts['exercised']} of {one.leaves}"
    return tag("span", said, tag("br"), f"{missing} missing") if missing else tag("span", said)


COVERAGE = {
    "exercised": "are exercised by a scenario",
    "structural": "are headings, definitions or statements with nothing to execute",
    "other": "are out of an engine's reach: conduct, print, agreements, or used by no card",
    "missing": "are missing: no scenario exercises them yet",
}
"""What kinds of leaf rules there are."""


def lint(address: Address) -> None:
    """Findings in the data, each with its fix."""
    found = workbench.findings(shop.stamp())
    counts = Counter(one["code"] for one in found)
    said = " · ".join(f"{count} {code}" for code, count in counts.most_common())
    put(
        tag("h2", counted(len(found), "finding")),
        tag("p", said, cls="lead") if said else note("Nothing to mend.", tone="good"),
    )
    put(*(_finding(one) for one in found[:SHOWN]))


def _finding(one: dict[str, str]) -> Html:
    head = tag("p", tag("span", f"{one['severity']} {one['code']}", cls="id"), one["where"])
    return tag("div", head, tag("p", one["message"]), tag("p", one["fix"], cls="aside"), cls="claim")


def counted(count: int, what: str) -> str:
    """A number of things: "1 finding", "2 findings"."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def opinions(address: Address) -> None:
    """What people thought of answers."""
    given = feedback.given()
    counts = Counter(one.opinion for one in given)
    put(
        tag("h2", counted(len(given), "opinion")),
        tag("p", ", ".join(f"{n} {word}" for word, n in counts.items()), cls="lead"),
    )
    if not given:
        put(note("Nobody has said anything yet; the form is under each answer."))
    put(*(_opinion(one) for one in given))


def _opinion(one: feedback.Feedback) -> Html:
    asked = tag("a", one.question, href=link("q", one.question[:500]))
    return tag(
        "div",
        tag("p", tag("span", one.opinion, cls="id"), asked),
        tag("p", one.reply, cls="aside"),
        tag("p", one.note) if one.note else None,
        tag("p", f"{one.at[:16].replace('T', ' ')} UTC", cls="source"),
        cls="claim",
    )


def editions(address: Address) -> None:
    """Two editions side by side by word, and what rests on what changed."""
    families = workbench.comparable_editions(shop.stamp())
    if not families:
        said = "To compare two editions word by word, import the official text of both. "
        put(note(said, tag("a", "Import", href=link("page", "import"))))
        return
    newer = [one for names in families.values() for one in names[1:]]
    first = DEFAULT_DOCUMENT if DEFAULT_DOCUMENT in newer else newer[-1]
    with st.container(horizontal=True):
        new = str(st.selectbox("Newer", newer, newer.index(first), key="new_edition", format_func=document_title))
        names = families[new.partition("-")[0]]
        older = names[: names.index(new)]
        old = st.selectbox("Older", older, len(older) - 1, key=f"old_edition_{new}", format_func=document_title)
    words = (st.text_input("Rules that begin with", key="changed_rule", live="300ms", max_chars=20) or "").strip()
    try:
        with st.spinner("Comparing ..."):
            found, impact = workbench.compared(str(old), new, shop.stamp())
    except KbError as problem:
        put(note(str(problem), tone="bad"))
        return
    listed = [one for one in found.changes if not words or (one.link.new or one.link.old).startswith(words)]
    listed = [one for one in listed if words or one.in_substance]
    put(changes_page(found, listed, impact))
    if not listed:
        put(note(f"No rule that changed has a number that begins with {words!r}." if words else UNCHANGED))


UNCHANGED = "No rule changed in more than its number or a turn of phrase; name first numbers above to see the others."

PAGES = {"scenario": editor, "coverage": coverage, "editions": editions, "lint": lint, "feedback": opinions}
