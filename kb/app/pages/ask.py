"""The one box, and what it answers: an answer, a rule, a card, or why there is no answer."""

from __future__ import annotations

from typing import Any

import streamlit as st

from kb.app import asking, records, shop
from kb.app.address import Address, link, parse
from kb.app.markup import tag
from kb.app.pages import card, feedback, rule
from kb.app.screen import is_collected, put
from kb.app.views.answer import abstention_page, answer_page, cards_named, problem_page
from kb.ids import RuleRef

EXAMPLES = (
    "I ran out of cards, do I get the point?",
    "My opponent countered the spell I aimed at my own unit on Dreaming Tree, do I still draw?",
    "My attacker can't kill a stunned defender, does it go back to base?",
    "431.2.c",
    "Zhonya's Hourglass",
)
WELCOME = (
    "Ask what happens in a game. Each answer names the rules it rests on, says how far it was checked, and most can be "
    "replayed on a board, step by step."
)
LABEL = "Ask a question, or type a rule number or a card"
PLACEHOLDER = "A question, a rule number, a card"
SHORTEST = 3


def box(address: Address) -> None:
    """The box, on top of every page; it shows the question of the address."""
    shown = address.value if address.kind == "q" else ""
    if st.session_state.get("box_of") != (address.kind, address.value):
        st.session_state["box_of"] = (address.kind, address.value)
        st.session_state["box"] = shown
    st.text_input(
        LABEL,
        key="box",
        type="search",
        live="400ms",
        placeholder=PLACEHOLDER,
        label_visibility="collapsed",
        on_change=typed,
        autocomplete="off",
        max_chars=20_000,
    )


def typed() -> None:
    """The address follows the box."""
    said = str(st.session_state["box"] or "").strip()
    if said:
        st.query_params.from_dict({"q": said})
    else:
        st.query_params.clear()
    address = parse({"q": said} if said else {})
    st.session_state["box_of"] = (address.kind, address.value)


def home(address: Address) -> None:
    """The first page: examples."""
    links = [tag("a", one, href=link("q", one)) for one in EXAMPLES]
    put(
        tag("h1", "Riftbound rulings", cls="welcome"),
        tag("p", WELCOME, cls="lead"),
        tag("h2", "For example", cls="eyebrow"),
        tag("nav", *links, cls="examples", aria_label="Examples"),
        home=True,
    )
    asking.warm()


def show(address: Address) -> None:
    """What the box answers."""
    question = address.value
    named = asking.direct(question)
    if named:
        kind, value = named
        (rule.show if kind == "rule" else card.show)(Address(kind, value))
        return
    if len(question) < SHORTEST:
        put(problem_page("Write a few more letters: a question, a rule number like 431.2.c, or a card."))
        return
    if number := number_without_rule(question):
        rule.show(Address("rule", number))
        return
    reply = asking.ask(question)
    if reply.get("source") == "card":
        card.show(Address("card", reply["cards"][0]))
        return
    for part in reply.get("parts") or [reply]:
        answered(str(part.get("part") or question), part)
    texts = [one for part in reply.get("parts") or [reply] for one in part.get("card_texts") or ()]
    put(cards_named(reply["cards"], texts))
    if not is_collected():
        feedback.ask_for(question, reply)


def answered(question: str, reply: dict[str, Any]) -> None:
    """One reply: an answer or an abstention."""
    con = shop.reading()
    if reply["status"] == "answer":
        rules = records.rules(con, [one["ref"] for one in reply["citations"]])
        rulings = records.rulings(con, [one["id"] for one in reply["rulings"]])
        names = records.titles_about(con, rulings[0]) if rulings and reply["source"] == "ruling" else {}
        put(answer_page(question, reply, rules, rulings, names))
        return
    found = [one for one in (records.hit(con, str(near["kind"]), str(near["id"])) for near in reply["nearest"]) if one]
    rules = [record for kind, record in found if kind == "rule"]
    put(abstention_page(question, reply, rules, [record for kind, record in found if kind == "ruling"]))


def number_without_rule(question: str) -> str:
    """A well-formed rule number that no rule has, so that the page of rules names the nearest."""
    from kb.ids import is_number

    said = question.strip().strip("?.!").lower().removeprefix("rule ").strip()
    return str(RuleRef.parse(said)) if is_number(said) else ""
