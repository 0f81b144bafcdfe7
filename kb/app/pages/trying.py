"""Try a position: a board by card names, played by choosing among what the engine offers; no opponent, no network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from kb.app import shop, trial, workbench
from kb.app.address import Address, link
from kb.app.markup import tag
from kb.app.pages.scenario import file_of, missing
from kb.app.screen import put
from kb.app.trial import Placed, Trial
from kb.app.views.answer import problem_page
from kb.app.views.parts import fault, link_button, note, section
from kb.app.views.replay import event_list, picture
from kb.engine.asking import Ask
from kb.engine.run import Finished, Stuck
from kb.errors import DataError, KbError
from kb.replay import wording
from kb.replay.draw import Picture, summary
from kb.scenarios.model import load_scenario, mapping
from kb.verify.suite import scenario_root

MOST_BUTTONS = 40
NUMBERS = (("runes", "Ready runes", 24, 6), ("deck", "Cards in deck", 60, 10), ("points", "Points", 20, 0))
MOST_CARDS = 60
WIDE = 150
"""Pixels of a number between its two buttons, each as wide as a finger."""

POSITION = ("given", "cards")
"""The keys of a scenario that say what its position is."""


def show(address: Address) -> None:
    """The page: the position that the address carries, the one being played, or the form."""
    arrive(address)
    current: Trial | None = st.session_state.get("trial")
    if wrong := st.session_state.get("trial_wrong"):
        put(wrong)
    if current is None or wrong:
        form()
    else:
        play(current)


def arrive(address: Address) -> None:
    """Take over a position from the address, once; where there is none, what is wrong stands until one is played."""
    mark = (address.option("at"), address.option("scenario"))
    if st.session_state.get("trial_from") == mark:
        return
    st.session_state["trial_from"] = mark
    st.session_state["trial_wrong"] = None
    at, ident = mark
    if not at and not ident:
        return
    try:
        if at:
            st.session_state["trial"] = trial.from_token(at)
        elif path := file_of(ident):
            scenario = load_scenario(path, scenario_root())
            st.session_state["trial"] = Trial(scenario.given, (), scenario.cards)
        else:
            st.session_state["trial_wrong"] = missing(ident)
    except KbError as problem:
        st.session_state["trial_wrong"] = problem_page(str(problem))


def form() -> None:
    """The board that is being made: cards one by one, the picture beside them, the rest folded away."""
    put(
        tag("h1", "Try a position", data_view="board"),
        tag("p", "Put cards on a board, then play both sides among what the rules allow.", cls="lead"),
    )
    placed: list[Placed] = st.session_state.setdefault("placed", [])
    left, right = st.columns([1, 1], gap="medium")
    with left:
        adding(placed)
        settings = more_settings()
    given = trial.position(placed, settings)
    with right:
        current = tried(given)
        if current is not None:
            state = current.frames()[-1].state
            put(picture(Picture([state]).svg(state), summary(state)))
        listed(placed)
        st.button(
            "Play from here", type="primary", key="begin", on_click=begin, args=(given,), disabled=current is None
        )
    with st.expander("Write it as YAML instead"):
        writing()
    if said := st.session_state.pop("trial_said", ""):
        put(note(said, tone="bad"))


def writing() -> None:
    """A position as text; an error stands beside the text until that is another."""
    said = st.text_area("given", height=220, key="given_yaml", placeholder="turn: A\nA: {hand: [Defy], runes: 4}")
    text = said or ""
    if st.button("Play this", key="play_yaml"):
        try:
            start(written(text))
        except KbError as problem:
            st.session_state["written_wrong"] = (text, *workbench.fault(text, problem))
        else:
            st.rerun()
    kept = st.session_state.get("written_wrong")
    if kept and kept[0] == text:
        put(fault(kept[1], text, kept[2]))


def written(text: str) -> Trial:
    """A trial of the position that a text holds: what is ``given``, or that and ``cards`` of its own.

    Raises ``DataError`` or ``InputError`` where it holds none, or more than that.
    """
    data = workbench.parsed(text)
    if "given" not in data:
        return Trial(data)
    for key in data:
        if key not in POSITION:
            what = f"{str(key)[:60]!r} is no part of a position, of which 'given' is played from its start"
            raise DataError(workbench.NAME, what, "Take it out, or run the whole scenario on the desk")
    given, cards = (mapping(data.get(key), workbench.NAME, key) for key in POSITION)
    return Trial(given, (), cards)


def card_field(label: str, names: Sequence[str], key: str, placeholder: str) -> str | None:
    """A card among some, by its name as people write it; a sentence, and names that come near, where it is none."""
    said = st.selectbox(label, names, index=None, key=key, placeholder=placeholder, accept_new_options=True)
    if said is None or said in names:
        return said
    found = trial.meant(shop.reading(), said, names)
    put(tag("p", f"Read as {found.card}.", cls="aside") if found.card else note(found.why, tone="bad"))
    with st.container(horizontal=True, gap="xsmall"):
        for one in found.near:
            st.button(one, key=f"{key} {one}", on_click=take, args=(key, one))
    return found.card


def take(key: str, name: str) -> None:
    """Put a name into a field."""
    st.session_state[key] = name


def adding(placed: list[Placed]) -> None:
    """Choose a card, whose it is, where it goes, how many; then add it."""
    kinds = trial.modelled()
    names = [name for name, kind in kinds.items() if kind != "battlefield"]
    card = card_field("Card", names, "add_card", f"Type a name: {len(names)} cards can be played")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        who = st.segmented_control("Whose", ("A", "B"), default="A", required=True, key="add_who")
        count = st.number_input("How many", 1, 12, key="add_count", width=WIDE)
    units = [one for one in dict.fromkeys(placed) if one.place in trial.BOARD and kinds.get(one.card) == "unit"]
    if units and kinds.get(str(card)) == "gear":
        on = st.selectbox(
            "Attach to", units, index=None, key="add_on", format_func=lambda one: one.said, placeholder="nothing"
        )
        if on is not None:
            st.button("Attach it", key="attach", on_click=attach, args=(str(card), on))
            return
    place = st.pills(
        "Where",
        tuple(trial.PLACES),
        format_func=trial.PLACES.__getitem__,
        default="base",
        required=True,
        key="add_place",
        wrap=True,
    )
    state: list[str] = []
    damage = 0
    known = trial.STATES.get(kinds.get(str(card), ""), ()) if place in trial.BOARD else ()
    if known:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            state = st.pills("State", known, selection_mode="multi", key="add_state") or []
            if "stunned" in known:
                damage = int(st.number_input("Damage", 0, 20, key="add_damage", width=WIDE) or 0)
    st.button("Add to the board", key="add", on_click=add, disabled=card is None,
              args=(str(card), str(who), str(place), int(count or 1), tuple(state), damage))  # fmt: skip
    if said := st.session_state.pop("add_said", ""):
        put(note(said, tone="bad"))


def add(card: str, who: str, place: str, count: int, state: tuple[str, ...], damage: int) -> None:
    """Put cards on the board, or say why not; the next card is one in no special state again."""
    board: list[Placed] = st.session_state.setdefault("placed", [])
    said = trial.why_not(card, place)
    if not said and len(board) + count > MOST_CARDS:
        said = f"A board holds at most {MOST_CARDS} cards here."
    if not said and place.startswith("down"):
        said = trial.why_not_facedown(board, who, place, count)
    if not said:
        board.extend([trial.placed(card, who, place, state, damage)] * count)
        st.session_state["add_count"] = 1
        st.session_state["add_state"], st.session_state["add_damage"] = [], 0
    st.session_state["add_said"] = said


def attach(card: str, unit: Placed) -> None:
    """Attach gear to a unit on the board, unless a click before did."""
    board: list[Placed] = st.session_state["placed"]
    if unit in board:
        board[board.index(unit)] = replace(unit, gear=(*unit.gear, card))
    st.session_state["add_on"] = None


def listed(placed: list[Placed]) -> None:
    """The cards on the board; each button takes one away."""
    counts = Counter(placed)
    with st.container(horizontal=True, gap="xsmall"):
        for one, count in counts.items():
            said = f"✕ {count} x {one.said}" if count > 1 else f"✕ {one.said}"
            st.button(said, key=f"drop {one.said}", on_click=drop, args=(one, count))
        if len(counts) > 1:
            st.button("✕ All", key="drop all", on_click=placed.clear)


def drop(one: Placed, count: int) -> None:
    """Take one card away, unless a click before did."""
    placed: list[Placed] = st.session_state["placed"]
    if placed.count(one) == count:
        placed.remove(one)


def more_settings() -> dict[str, Any]:
    """Turn, resources and battlefields."""
    board: dict[str, Any] = {}
    with st.expander("Turn, runes, decks, points"):
        board["turn"] = st.segmented_control("Whose turn", ("A", "B"), default="A", required=True, key="turn")
        for who in "AB":
            put(tag("h3", f"Player {who}"))
            with st.container(horizontal=True):
                for key, label, most, first in NUMBERS:
                    board[f"{who}_{key}"] = st.number_input(label, 0, most, first, key=f"{who}_{key}", width=WIDE)
    fields = [name for name, kind in trial.modelled().items() if kind == "battlefield"]
    with st.expander("Battlefields"):
        for number in (1, 2):
            board[f"field{number}"] = card_field(f"Battlefield {number}", fields, f"field{number}", "one without text")
            board[f"controller{number}"] = st.segmented_control("Controller", ("A", "B"), key=f"controller{number}")
    return board


def tried(given: dict[str, Any]) -> Trial | None:
    """The board as the engine sets it up, or a sentence about why it cannot be."""
    try:
        return Trial(given)
    except KbError as problem:
        put(note(str(problem), tone="bad"))
        return None


def begin(given: dict[str, Any]) -> None:
    """Start a trial, or say why not."""
    try:
        start(Trial(given))
    except KbError as problem:
        st.session_state["trial_said"] = str(problem)


def start(made: Trial) -> None:
    """Play a trial from now on, whatever the address led to."""
    st.session_state["trial"] = made
    st.session_state["trial_wrong"] = None


def play(current: Trial) -> None:
    """The board, the question and its options, what happened, and what can be done with the position."""
    frames = current.frames()
    frame = frames[-1]
    put(tag("h1", "Try a position", cls="hidden-title", data_view="play"))
    for _ in range(2):  # they stand where the form has its columns and its expander, and so take them away at once
        st.empty()
    left, right = st.columns([1, 1], gap="medium")
    with left:
        put(picture(Picture([one.state for one in frames[-3:]]).svg(frame.state), summary(frame.state)))
    with right:
        question(current)
        controls(current)
        if frame.did and frame.did != "The position":
            put(tag("h2", frame.did), event_list((depth, said, rules) for depth, said, rules, _ in frame.events))
    lines = [(depth, wording.line(node.text), node.rules) for depth, node in current.run.game.trace.root.walk()]
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
    put(tag("h2", wording.asked(ask)))
    step = len(current.run.log)
    if ask.default is not None and ask.kind != "action":
        proposed = ", ".join(wording.option(ask.options[index].key) for index in ask.default) or "nothing"
        said = "Pay as proposed" if ask.kind == "pay" else f"As proposed: {proposed}"
        st.button(said, key=f"d{step}", type="primary", on_click=choose, args=(step, list(ask.default)))
    if ask.least <= 1 == ask.most and len(ask.options) <= MOST_BUTTONS:
        with st.container(horizontal=True, gap="xsmall"):
            for index, option in enumerate(ask.options):
                if ask.kind == "pay" and [index] == list(ask.default or ()):
                    continue  # it is the button above
                st.button(wording.option(option.key), key=f"o{step}_{index}", on_click=choose, args=(step, [index]))
            if ask.least == 0:
                st.button("None", key=f"n{step}", on_click=choose, args=(step, []))
        return
    keys = [f"{index + 1}. {wording.option(option.key)}" for index, option in enumerate(ask.options)]
    said = f"Choose {ask.least}" if ask.least == ask.most else f"Choose {ask.least} to {ask.most}"
    chosen = st.multiselect(f"{said}, in order" if ask.ordered else said, keys, key=f"m{step}", max_selections=ask.most)
    picked = [keys.index(one) for one in chosen]
    st.button("Choose these", key=f"c{step}", type="primary", on_click=choose, args=(step, picked))


def choose(step: int, indices: list[int]) -> None:
    """Answer the question of a step; a second click on a question that was answered does nothing."""
    current: Trial | None = st.session_state.get("trial")
    if current is not None and len(current.run.log) == step:
        st.session_state["trial_said"] = current.answer(indices)


def undo() -> None:
    """Take the last answer back; a click that comes before the page is whole takes back what is last by then."""
    current: Trial | None = st.session_state.get("trial")
    if current is not None and current.run.log:
        current.undo()


def leave() -> None:
    """Back to the board that is being made, under its own address."""
    st.session_state["trial"] = None
    st.session_state["trial_from"] = ("", "")
    st.query_params.from_dict({"page": "try"})


def controls(current: Trial) -> None:
    """Undo, start again, save, share."""
    with st.container(horizontal=True, gap="xsmall", key="controls"):
        st.button("Undo", on_click=undo, disabled=not current.run.log, key="undo", icon=":material/undo:")
        st.button("Another position", on_click=leave, key="leave")
        st.download_button("Save as a scenario", current.as_yaml(), "position.yaml", "application/yaml", key="save")
    put(tag("div", link_button("Copy link to this position", link("page", "try", at=current.token())), cls="acts"))
