"""Markdown as rows: the marks go, the words stay. Wrapped lines of a paragraph are one row."""

from __future__ import annotations

import re

from kb.sources.raw import Raw, Row

_FENCE = re.compile(r"\s*(?:```|~~~)")
_LEAD = re.compile(r"\s*(?:#{1,6}\s+|>\s?|[-*+•]\s+)*")
_RULE = re.compile(r"\s*(?:[-*_]\s*){3,}\Z")
_TABLE = re.compile(r"\s*\|(.*)\|\s*\Z")
_DASHES = re.compile(r"[\s|:-]+\Z")
_LINK = re.compile(r"!?\[([^\]]*)\]\((?:[^()\s]|\([^()]*\))*(?:\s+\"[^\"]*\")?\)")
_STRONG = re.compile(r"(\*\*\*|\*\*|__|~~|(?<!\w)[*_](?=\S))(?=\S)(.+?)(?<=\S)\1")
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+.!<>|~-])")
_CODE = re.compile(r"`+([^`]+)`+")
_MARKS = re.compile(r"^(?:#{1,6} |\s*[-*+] \S|\*\*\d{3}|>\s)", re.M)
_NUMBER = re.compile(r"\d{3}(?:\.(?:\d{1,2}|[a-z]))*\.?(?:\s|\t|[A-Z])")


def looks_like_markdown(text: str) -> bool:
    """Whether a fair share of the lines carries Markdown's marks."""
    rows = [row for row in text.split("\n") if row.strip()]
    return bool(rows) and len(_MARKS.findall(text)) + text.count("**") / 2 >= max(2, len(rows) / 8)


def read_markdown(text: str) -> Raw:
    """The text without its marks: a row for each paragraph, heading, list item and table row."""
    rows: list[Row] = []
    fresh = True
    for at, line in enumerate(text.split("\n"), 1):
        if not line.strip() or _FENCE.match(line) or _RULE.match(line):
            fresh = True
            continue
        marked = _LEAD.match(line)
        opens = bool(marked and marked.group().strip())
        table = _TABLE.match(line)
        if table and _DASHES.match(table.group(1)):
            continue
        said = " ".join(unmarked(table.group(1).replace("|", " ") if table else _LEAD.sub("", line, count=1)).split())
        if not said:
            continue
        if fresh or opens or table or _NUMBER.match(said) or line.startswith("    "):
            rows.append(Row(said, at))
        else:
            rows[-1] = Row(f"{rows[-1].text} {said}", rows[-1].line)
        fresh = bool(line.lstrip().startswith("#"))
    return Raw("markdown", rows)


def unmarked(text: str) -> str:
    """``text`` without emphasis, links, code marks and escapes."""
    text = _LINK.sub(r"\1", text)
    for _ in range(3):
        text = _STRONG.sub(r"\2", text)
    text = _CODE.sub(r"\1", text)
    return _ESCAPED.sub(r"\1", text)
