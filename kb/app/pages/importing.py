"""Import: an official document from the user's own disk; what was read, what was not; then its wording is quoted."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path, PurePath
from typing import Any

import streamlit as st

from kb.app import shop
from kb.app.address import Address
from kb.app.markup import Html, join, tag
from kb.app.screen import put
from kb.app.views.parts import bullets, note, section
from kb.app.words import called
from kb.documents import imported, keep, read_document
from kb.errors import KbError
from kb.ids import RuleRef
from kb.import_report import summary

LARGEST = 25_000_000
LISTED = 8


def show(address: Address) -> None:
    """The page."""
    put(
        tag("h1", "Import a document"),
        tag("p", "Rules (PDF, text, web page), an FAQ, a redline or card texts. It stays on this machine; "
                 "its wording is then quoted beside ours.", cls="lead"),
    )  # fmt: skip
    file = st.file_uploader("Document", key="upload", max_upload_size=LARGEST // 1_000_000)
    name = st.text_input(
        "Which document it is, if its name does not tell (like core-1.4)", key="document", max_chars=40
    )
    if file is not None:
        put(tag("p", f"{file.name} has arrived ({file.size:,} bytes).", cls="arrived"))
        document = (name or "").strip()
        asked = (file.file_id, document)
        if st.session_state.get("report_of") != asked:
            with st.spinner(f"Reading {file.name} ..."):
                st.session_state["report"] = taken(file.name, file.getvalue(), document, keeping=False)
            st.session_state["report_of"] = asked
        said = st.session_state["report"]
        report(said)
        if (
            not said.get("error")
            and not said.get("kept")
            and st.button("Keep it and quote it", key="keep", type="primary")
        ):
            with st.spinner("Bringing the store up to date ..."):
                made = taken(file.name, file.getvalue(), document, keeping=True)
                if not made.get("error"):
                    problem = shop.bring_up_to_date()
                    made |= {"error": problem} if problem else {}
            st.session_state["report"] = made
            st.rerun()
    known()


def taken(name: str, content: bytes, document: str, keeping: bool) -> dict[str, Any]:
    """What reading a file gives, and keeping it; an error is a sentence in the report."""
    if len(content) > LARGEST:
        return {
            "name": name,
            "error": f"The file has {len(content) // 1_000_000} MB; at most {LARGEST // 1_000_000} are read.",
        }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / (PurePath(name.replace("\\", "/")).name or "document.txt")
        path.write_bytes(content)
        try:
            if document:
                RuleRef.parse(f"{document}:000", where="document")
            parsed = read_document(path, document or None)
            made: dict[str, Any] = dict(summary(path, parsed))
            if keeping:
                made["kept"] = keep(path, parsed).file
        except KbError as problem:
            said = str(problem).replace(f"{folder}/", "").replace("Add --document,", "Say above which document it is,")
            return {"name": name, "error": said}
    return made | {"name": name}


def report(made: dict[str, Any]) -> None:
    """What was read and what was noticed."""
    if made.get("error"):
        put(note(made["error"], tone="bad"))
        return
    said = str(made.get("said") or made.get("rules") or "")
    kept = " It is kept; its wording is now quoted." if made.get("kept") else ""
    put(note(f"{made['name']} was read as {called(str(made['document']))}: {said}.{kept}", tone="good"))
    findings = made.get("findings") or []
    for kind, count in Counter(str(one["kind"]) for one in findings).most_common():
        lines = [_finding(one) for one in findings if one["kind"] == kind][:LISTED]
        put(section(kind.replace("-", " "), bullets(lines), open_=False, count=count))


def _finding(one: dict[str, Any]) -> Html:
    page = f"page {one['page']}, " if one.get("page") else ""
    where = f"{page}line {one['line']}: " if one.get("line") else ""
    return join((where, one["message"]))


def known() -> None:
    """What was imported so far."""
    try:
        kept = imported()
    except KbError as problem:
        put(note(str(problem), tone="bad"))
        return
    put(
        section(
            "Imported so far",
            bullets(f"{called(one.document)} ({one.kind}), from {one.name}" for one in kept),
            count=len(kept),
        )
    )
