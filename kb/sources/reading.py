"""Any rules document that people really have -> rules, with a report: PDF, web page, Markdown, wrapped or plain text.

The format is told by the content, never by the ending alone. Every word of the file is in a rule or in
a finding; where the sums differ, that is a finding, too.
"""

from __future__ import annotations

import re
from dataclasses import replace
from os import PathLike
from pathlib import Path

from kb.errors import InputError
from kb.sources.assemble import SOFT, assemble, looks_wrapped
from kb.sources.detached import looks_detached, read_detached
from kb.sources.findings import Finding
from kb.sources.furniture import strip_furniture
from kb.sources.html_text import looks_like_html, read_html
from kb.sources.markdown_text import looks_like_markdown, read_markdown
from kb.sources.pdf_text import read_pdf
from kb.sources.raw import Raw, Row
from kb.sources.rules_text import COMPACT, SPACED, TAB, Line, RulesDocument, find_layout, from_lines, parse_rules
from kb.sources.text import LARGEST
from kb.sources.tidy import decode, tidy

_NUMBER_LINE = re.compile(r"^\s*\d{3}(?:\.(?:\d{1,2}|[a-z]))*[.\t]", re.M)


def load_bytes(path: Path) -> bytes:
    """The content of a file. Raises ``InputError`` for a folder, and for a missing, empty or huge file."""
    try:
        if path.is_dir():
            raise InputError(path, "this is a folder", "Name one file")
        if path.stat().st_size > LARGEST:
            raise InputError(path, "the file is larger than any rules document", "Check that it is the right one")
        raw = path.read_bytes()
    except OSError as problem:
        raise InputError(path, f"cannot be read ({problem.strerror or problem})", "Check the name") from problem
    if not raw.strip():
        raise InputError(path, "the file is empty", "Import a file with rules or rulings in it")
    return raw


def is_pdf(raw: bytes) -> bool:
    """Whether the bytes are a PDF, whatever the file is called."""
    return raw[:1024].lstrip().startswith(b"%PDF")


def read_text_of(raw: bytes, where: str | PathLike[str]) -> tuple[str, list[Finding]]:
    """The clean text of a text file and what its encoding told. Raises ``InputError``."""
    text, encoding = decode(raw, where)
    text = tidy(text, keep_tabs=True)
    if not text.strip():
        raise InputError(where, "the file is empty", "Import a file with rules or rulings in it")
    findings = []
    if encoding != "utf-8":
        findings.append(Finding("encoding", 0, f"the file is not UTF-8; it was read as {encoding}"))
    return text, findings


def read_rules_file(path: Path, document: str) -> RulesDocument:
    """Parse a rules document in any format. Raises ``InputError`` or ``DuplicateId``."""
    raw = load_bytes(path)
    if is_pdf(raw):
        return _from_raw(strip_furniture(read_pdf(raw, path)), document, str(path))
    text, findings = read_text_of(raw, path)
    found = parse_any(text, document, str(path))
    return replace(found, findings=(*findings, *found.findings))


def parse_any(text: str, document: str, source: str) -> RulesDocument:
    """Parse the text of a rules document in any text format."""
    if looks_like_html(text):
        return _from_raw(read_html(text), document, source)
    if looks_detached(text):
        return read_detached(text, document, source)
    rows = text.split("\n")
    if find_layout(rows) == TAB:
        return parse_rules(text, document, source)
    if looks_like_markdown(text):
        return _from_raw(read_markdown(text), document, source)
    if looks_wrapped(rows):
        pages = text.split("\f")
        lines, at = [], 0
        for number, page in enumerate(pages, 1):
            for row in page.split("\n"):
                at += 1
                if row.strip(" \f"):
                    lines.append(Row(" ".join(row.split()), at, number))
        return _from_raw(strip_furniture(Raw("wrapped text", lines)), document, source)
    return parse_rules(text, document, source)


def _from_raw(raw: Raw, document: str, source: str) -> RulesDocument:
    """Rules from rows. Raises ``InputError`` where no row opens a rule."""
    numbered, findings, joined = assemble(raw)
    if not numbered:
        raise InputError(source, "no line starts with a rule number", "Import numbered rules")
    compact = sum(not one.spaced and bool(one.text) for one in numbered) > len(numbered) / 2
    lines = [Line(one.number, one.spaced or not one.text, one.text.replace(SOFT, ""), one.line) for one in numbered]
    noted = [*raw.findings, *raw.aside, *findings]
    found = from_lines(lines, noted, COMPACT if compact else SPACED, document, source, raw.words, joined)
    return replace(found, layout=raw.form)
