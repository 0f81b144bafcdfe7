"""Right, wrong or unclear, under each answer."""

from __future__ import annotations

from typing import Any

import streamlit as st

from kb import feedback
from kb.app.screen import put
from kb.app.views.answer import UNSAID
from kb.app.views.parts import note
from kb.app.words import verdict_word
from kb.errors import KbError


def ask_for(question: str, reply: dict[str, Any]) -> None:
    """The form; what is sent stays on this machine."""
    word = f"{verdict_word(reply['verdict'])}. " if reply.get("verdict") not in (None, UNSAID) else ""
    said = (
        f"{word}{reply['answer']}"
        if reply["status"] == "answer"
        else f"No answer ({reply['reason']}). {reply['answer']}"
    )
    key = str(abs(hash((question, said))))
    if st.session_state.get(f"given_{key}"):
        put(note("Kept on this machine; thank you. It shows on the desk.", tone="good"))
        return
    with st.expander("Is this right?"), st.form(f"feedback_{key}", border=False):
        opinion = st.segmented_control("This answer is", feedback.OPINIONS, key=f"opinion_{key}")
        words = st.text_input("Note", key=f"note_{key}", max_chars=2000)
        if st.form_submit_button("Keep it"):
            if not opinion:
                put(note("Choose right, wrong or unclear first.", tone="bad"))
                return
            try:
                feedback.give(question, said, str(opinion), words or "")
            except KbError as problem:
                put(note(str(problem), tone="bad"))
                return
            st.session_state[f"given_{key}"] = True
            st.rerun()
