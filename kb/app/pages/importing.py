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
from kb.app.screen import progress, put
from kb.app.views.parts import bullets, note, section
from kb.app.words import FINDINGS, called
from kb.data import rules_dir
from kb.documents import CARD_LIST, CARDS, FAQ, REDLINE, RULES, imported, keep, read_document
from kb.errors import BadReference, KbError
from kb.ids import RuleRef
from kb.import_report import summary

LARGEST = 25_000_000
LISTED = 8


def show(address: Address) -> None:
    """The page."""
    put(
        tag("h1", "Import a document"),
        tag("p", "Rules (PDF, text, web page), an FAQ, a redline or card texts. It stays on this machine; "
                 "its wording is then quoted, with ours as the plain version.", cls="lead"),
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
        if not said.get("error") and not said.get("kept") and st.button("Keep it", key="keep", type="primary"):
            made = taken(file.name, file.getvalue(), document, keeping=True)
            if not made.get("error"):
                with progress("Bringing the store up to date") as moved:
                    problem = shop.bring_up_to_date(moved)
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
            if document and not is_document(document):
                said = f"{document[:40]!r} names no edition. Write it like core-1.4 or tournament-2026-07."
                return {"name": name, "error": said}
            parsed = read_document(path, document or None)
            made: dict[str, Any] = dict(summary(path, parsed))
            if keeping:
                made["kept"] = keep(path, parsed).file
        except KbError as problem:
            said = str(problem).replace(f"{folder}/", "").replace("Add --document,", "Say above which document it is,")
            return {"name": name, "error": said}
    return made | {"name": name}


def is_document(name: str) -> bool:
    """Whether a name can be that of a document."""
    try:
        RuleRef.parse(f"{name}:000")
    except BadReference:
        return False
    return True


def report(made: dict[str, Any]) -> None:
    """What was read and what was noticed."""
    if made.get("error"):
        put(note(made["error"], tone="bad"))
        return
    findings = made.get("findings") or []
    counts = Counter(str(one["kind"]) for one in findings)
    kept = f" {becomes(made)}" if made.get("kept") else ""
    tone = "plain" if counts["missing-edition"] or counts["words-differ"] else "good"
    put(note(f"{made['name']} was read as {called(str(made['document']))}: {amount(made)}.{kept}", tone=tone))
    for kind, count in counts.most_common():
        lines = [_finding(one) for one in findings if one["kind"] == kind][:LISTED]
        if count > LISTED:
            lines.append(tag("span", f"and {count - LISTED:,} more"))
        put(
            section(FINDINGS[kind], bullets(lines), open_=kind == "missing-edition", count=count if count > 1 else None)
        )


def amount(made: dict[str, Any]) -> str:
    """How much was read, in words."""
    words = made.get("words")
    if not words:
        return str(made.get("said") or "")
    all_ = words["in"] == words["in_rules"]
    share = f"all {words['in']:,}" if all_ else f"{words['in_rules']:,} of {words['in']:,}"
    return f"{made['rules']:,} rules that hold {share} words of the file"


def becomes(made: dict[str, Any]) -> str:
    """What a kept document is used for from now on."""
    kind = str(made["kind"])
    if kind == RULES and not (rules_dir() / str(made["document"])).is_dir():
        return "It is kept: its rules can be looked up and compared."
    return USES[kind]


USES = {
    RULES: "It is kept: its wording is now quoted, with ours as the plain version.",
    FAQ: "It is kept: each ruling now shows its paragraph.",
    REDLINE: "It is kept and never quoted.",
    CARDS: "It is kept: cards now show their printed text.",
    CARD_LIST: "It is kept; there is no text in it to show.",
}


def _finding(one: dict[str, Any]) -> Html:
    page = f"page {one['page']}, " if one.get("page") else ""
    where = f"{page}line {one['line']}: " if one.get("line") else ""
    return join((where, one["message"]))


def _capital(said: str) -> str:
    return f"{said[:1].upper()}{said[1:]}"


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
            bullets(f"{_capital(called(one.document))}, from {one.name}" for one in kept),
            count=len(kept),
        )
    )
