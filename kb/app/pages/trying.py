"""Try a position: a board by card names, played by choosing among what the engine offers; no opponent, no network."""

from __future__ import annotations

from typing import Any

import streamlit as st

from kb.app import trial
from kb.app.address import Address, link
from kb.app.markup import tag
from kb.app.screen import put
from kb.app.trial import Trial
from kb.app.views.answer import problem_page
from kb.app.views.parts import link_button, note, section
from kb.app.views.replay import event_list, picture
from kb.engine.asking import Ask
from kb.engine.run import Finished, Stuck
from kb.errors import KbError
from kb.replay.draw import Picture, summary
from kb.scenarios.model import load_scenario
from kb.verify.suite import scenario_root

MOST_BUTTONS = 40
NUMBERS = (("runes", "Ready runes", 24, 6), ("deck", "Cards in deck", 60, 10), ("points", "Points", 20, 0))


@st.cache_data(show_spinner=False)
def names(kinds: tuple[str, ...]) -> list[str]:
    """Names of modelled cards for the form."""
    return trial.modelled(kinds)


def show(address: Address) -> None:
    """The page: the position that the address carries, the one being played, or the form."""
    arrive(address)
    current: Trial | None = st.session_state.get("trial")
    if current is None:
        form()
    else:
        play(current)


def arrive(address: Address) -> None:
    """Take over a position from the address, once."""
    mark = (address.option("at"), address.option("scenario"))
    if st.session_state.get("trial_from") == mark:
        return
    st.session_state["trial_from"] = mark
    at, ident = mark
    if not at and not ident:
        return
    try:
        if at:
            st.session_state["trial"] = trial.from_token(at)
        else:
            root = scenario_root().resolve()
            path = (root / f"{ident[:200]}.yaml").resolve()
            if path.is_relative_to(root) and path.is_file():
                scenario = load_scenario(path, root)
                st.session_state["trial"] = Trial(scenario.given, (), scenario.cards)
    except KbError as problem:
        put(problem_page(str(problem)))


def form() -> None:
    """The board as a form."""
    put(
        tag("h1", "Try a position"),
        tag("p", "Put cards on a board and play both sides, as far as you like.", cls="lead"),
    )
    board: dict[str, Any] = {}
    permanents, cards, fields = names(("unit", "gear")), names(("unit", "gear", "spell")), names(("battlefield",))
    units = names(("unit",))
    with st.form("board"):
        board["turn"] = st.segmented_control("Whose turn", ("A", "B"), default="A", required=True)
        for who in "AB":
            put(tag("h2", f"Player {who}"))
            board[f"{who}_hand"] = st.multiselect("Hand", cards, key=f"{who}_hand")
            board[f"{who}_base"] = st.multiselect("Base", permanents, key=f"{who}_base")
            with st.container(horizontal=True):
                for key, label, most, first in NUMBERS:
                    board[f"{who}_{key}"] = st.number_input(label, 0, most, first, key=f"{who}_{key}", width=140)
        for number in (1, 2):
            put(tag("h2", f"Battlefield {number}"))
            board[f"field{number}"] = st.selectbox(
                "Card", fields, index=None, key=f"field{number}", placeholder="one without text"
            )
            board[f"controller{number}"] = st.segmented_control("Controller", ("A", "B"), key=f"controller{number}")
            for who in "AB":
                board[f"{who}_at{number}"] = st.multiselect(f"Units of {who}", units, key=f"{who}_at{number}")
        if st.form_submit_button("Play it", type="primary"):
            begin(trial.position(board))
    with st.expander("Write it as YAML instead"):
        text = st.text_area("given", height=220, key="given_yaml", placeholder="turn: A\nA: {hand: [Defy], runes: 4}")
        if st.button("Play this"):
            try:
                begin(given_of(text or ""))
            except KbError as problem:
                put(note(str(problem), tone="bad"))


def given_of(text: str) -> dict[str, Any]:
    """``given`` as typed. Raises ``DataError`` with the line where it is no YAML."""
    from kb.app.workbench import parsed

    data = parsed(text)
    found = data.get("given", data)
    return dict(found) if isinstance(found, dict) else {}


def begin(given: dict[str, Any]) -> None:
    """Start a trial, or say why not."""
    try:
        st.session_state["trial"] = Trial(given)
    except KbError as problem:
        put(note(str(problem), tone="bad"))
        return
    st.rerun()


def play(current: Trial) -> None:
    """The board, the question and its options, what happened, and what can be done with the position."""
    frames = current.frames()
    frame = frames[-1]
    left, right = st.columns([1, 1], gap="medium")
    with left:
        put(picture(Picture([one.state for one in frames[-3:]]).svg(frame.state), summary(frame.state)))
    with right:
        question(current)
        if frame.did and frame.did != "The position":
            put(tag("h2", frame.did), event_list((depth, said, rules) for depth, said, rules, _ in frame.events))
    controls(current)
    lines = [(depth, node.text, node.rules) for depth, node in current.run.game.trace.root.walk()]
    put(section("The whole derivation", event_list(lines), open_=False))


def question(current: Trial) -> None:
    """What is asked, and the options that are legal."""
    if said := st.session_state.pop("trial_said", ""):
        put(note(said, tone="bad"))
    match current.outcome:
        case Finished(winners=winners):
            put(note(f"The game is over. {' and '.join(winners) or 'Nobody'} won.", tone="good"))
        case Stuck(what=what):
            put(note(f"The engine cannot say this yet: {what}.", tone="bad"))
        case Ask() as ask:
            options(current, ask)
        case _:
            put(note("The run stands still.", tone="bad"))


def options(current: Trial, ask: Ask) -> None:
    """One button an option where one is chosen, else a list to choose from."""
    wanted = {"action": "may act", "yes or no": "decides"}.get(ask.kind, f"is asked: {ask.kind}")
    about = f" ({ask.about})" if ask.about and ask.about != ask.kind else ""
    put(tag("h2", f"{ask.player} {wanted}{about}"))
    step = len(current.run.log)
    if ask.default is not None and ask.kind != "action":
        proposed = ", ".join(ask.options[index].key for index in ask.default) or "nothing"
        st.button(
            f"As proposed: {proposed}", key=f"d{step}", type="primary", on_click=choose, args=(list(ask.default),)
        )
    if ask.least <= 1 == ask.most and len(ask.options) <= MOST_BUTTONS:
        with st.container(horizontal=True):
            for index, option in enumerate(ask.options):
                st.button(option.key, key=f"o{step}_{index}", on_click=choose, args=([index],))
            if ask.least == 0:
                st.button("none", key=f"n{step}", on_click=choose, args=([],))
        return
    keys = [f"{index + 1}. {option.key}" for index, option in enumerate(ask.options)]
    said = f"Choose {ask.least}" if ask.least == ask.most else f"Choose {ask.least} to {ask.most}"
    chosen = st.multiselect(f"{said}, in order" if ask.ordered else said, keys, key=f"m{step}", max_selections=ask.most)
    if st.button("Choose these", key=f"c{step}", type="primary"):
        choose([keys.index(one) for one in chosen])
        st.rerun()


def choose(indices: list[int]) -> None:
    """Answer; a refusal is said on the page."""
    current: Trial = st.session_state["trial"]
    st.session_state["trial_said"] = current.answer(indices)


def undo() -> None:
    """Take the last answer back."""
    current: Trial = st.session_state["trial"]
    if current.run.log:
        current.undo()


def leave() -> None:
    """Back to the form."""
    st.session_state["trial"] = None


def controls(current: Trial) -> None:
    """Undo, start again, save, share."""
    with st.container(horizontal=True):
        st.button("Undo", on_click=undo, disabled=not current.run.log, key="undo")
        st.button("Another position", on_click=leave, key="leave")
        st.download_button("Save as a scenario", current.as_yaml(), "position.yaml", "application/yaml", key="save")
    put(tag("div", link_button("Copy link to this position", link("page", "try", at=current.token())), cls="acts"))
