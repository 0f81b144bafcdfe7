"""Rules documents as text: one parser for every layout of numbered lines.

Layouts, told apart by what most lines do: ``number<TAB>text``; "413.4.b.Text" as on the published
page; "413.4.b. Text" as in ``rules/``. Paragraphs without a number belong to the rule above them.
Digit and letter levels alternate and a numbered parent exists or is a missing heading; where that
does not fit, the trailing numeral is a step label and belongs to the text ("466.1.1. Perform ..."
is step 1 of rule 466.1). Nothing is dropped: what stands before the first number is reported.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from kb.errors import DuplicateId, InputError
from kb.ids import RuleRef, is_number, parent_number, sort_key
from kb.model import Rule, RuleBook
from kb.sources.findings import Finding
from kb.sources.gaps import find_swallowed
from kb.sources.parts import is_heading, split_parts
from kb.sources.text import read_text

TAB, COMPACT, SPACED = "tab", "compact", "spaced"

_TAB_LINE = re.compile(r"(\d{3}(?:\.(?:\d{1,2}|[a-z]))*)\.?\t(.*)\Z")
_NUMBERED = re.compile(r"(\d{3}(?:\.(?:\d{1,2}|[a-z]))*)\.(\s*)(\S.*)\Z")
_OPENS_PART = re.compile(r"(?:Examples?:|EXAMPLES?:|e\.g\.|Reminder:|Note \(ours\):|See )")


@dataclass(frozen=True, slots=True)
class Line:
    """A rule as it stands in the file: the printed number, whether a space follows, text, line number."""

    number: str
    spaced: bool
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class RulesDocument:
    """A parsed rules document: the book, its layout, and what was noticed."""

    book: RuleBook
    layout: str
    findings: tuple[Finding, ...]
    words_in: int = 0
    words_out: int = 0

    @property
    def words_aside(self) -> int:
        """Words of the file that belong to no rule: every one of them stands in a finding."""
        return sum(one.words for one in self.findings)


def read_rules(path: Path, document: str) -> RulesDocument:
    """Parse one file. Raises ``InputError`` (no rules in it) or ``DuplicateId``."""
    return parse_rules(read_text(path), document, str(path))


def parse_rules(text: str, document: str, source: str) -> RulesDocument:
    """Parse the text of a rules document; ``source`` names it in messages."""
    rows = text.split("\n")
    layout = find_layout(rows)
    if layout is None:
        raise InputError(source, "no line starts with a rule number", "Import numbered rules, one rule a line")
    lines, findings = _collect(rows, layout)
    words = sum(len(row.split()) for row in rows if not row.startswith("#"))
    return from_lines(lines, findings, layout, document, source, words)


def from_lines(
    lines: list[Line], findings: list[Finding], layout: str, document: str, source: str, words_in: int, fewer: int = 0
) -> RulesDocument:
    """The document that these numbered lines make; ``fewer`` words were put together from two.

    Raises ``InputError`` for a malformed number and ``DuplicateId`` for one that is there twice.
    """
    words_out = fewer + sum(len(_printed(line, layout).split()) for line in lines)
    lines = list(_with_step_labels(lines, layout, findings))
    rules = _build(lines, document, source)
    findings += _gaps(rules)
    findings += find_swallowed(rules)
    aside = sum(one.words for one in findings)
    if words_in != words_out + aside:
        message = f"{words_in} words came in, {words_out} went into rules and {aside} are listed"
        findings.append(Finding("words-differ", 0, message))
    ordered = dict(sorted(rules.items(), key=lambda item: sort_key(item[0])))
    if list(ordered) != list(rules):
        late = next(b for a, b in zip(rules, list(rules)[1:], strict=False) if sort_key(a) > sort_key(b))
        findings.append(Finding("out-of-order", rules[late].line, f"{late} stands after a higher number", late))
    return RulesDocument(RuleBook(document, ordered), layout, tuple(findings), words_in, words_out)


def _printed(line: Line, layout: str) -> str:
    """The line as it stood in the file: number and text, with a space between them where there was one."""
    return f"{line.number}{' ' if line.spaced else '.'}{line.text}"


def find_layout(rows: Iterable[str]) -> str | None:
    """The layout that most numbered lines have, or None where no line is numbered."""
    seen: Counter[str] = Counter()
    for row in rows:
        if _TAB_LINE.match(row):
            seen[TAB] += 1
        elif found := _NUMBERED.match(row):
            seen[SPACED if found.group(2) else COMPACT] += 1
    return seen.most_common(1)[0][0] if seen else None


def _collect(rows: list[str], layout: str) -> tuple[list[Line], list[Finding]]:
    """Numbered lines with the paragraphs below them joined on, and findings on the rest."""
    lines: list[Line] = []
    findings: list[Finding] = []
    for at, row in enumerate(rows, 1):
        if not row.strip() or row.startswith("#"):
            continue
        if new := _numbered(row, layout, at):
            lines.append(new)
        elif lines:
            said = row.strip()
            if not row.startswith("    ") and not _OPENS_PART.match(said):
                findings.append(Finding("rejoined", at, f"a paragraph without a number belongs to {lines[-1].number}"))
            lines[-1] = replace(lines[-1], text=f"{lines[-1].text} {said}".strip())
        else:
            message = f"text before the first number: {row.strip()[:60]!r}"
            findings.append(Finding("unplaced", at, message, words=len(row.split())))
    return lines, findings


def _numbered(row: str, layout: str, at: int) -> Line | None:
    """The numbered line in ``row``, if it is one in this layout."""
    if layout == TAB:
        found = _TAB_LINE.match(row)
        return Line(found.group(1), True, found.group(2).strip(), at) if found else None
    found = _NUMBERED.match(row)
    return Line(found.group(1), bool(found.group(2)), found.group(3).strip(), at) if found else None


def _with_step_labels(lines: list[Line], layout: str, findings: list[Finding]) -> Iterable[Line]:
    """Move a trailing numeral that is no level of the number into the text."""
    printed = {line.number for line in lines}
    for at, line in enumerate(lines):
        following = lines[at + 1].number if at + 1 < len(lines) else ""
        if layout == TAB or not _ends_in_step(line, layout, printed, following):
            yield line
            continue
        number, _, label = line.number.rpartition(".")
        findings.append(Finding("step-label", line.line, f"{line.number} is step {label} of rule {number}", number))
        yield replace(line, number=number, text=f"{label}. {line.text}")


def _ends_in_step(line: Line, layout: str, printed: set[str], following: str) -> bool:
    """Whether the last numeral of the printed number is a step label."""
    above, _, last = line.number.rpartition(".")
    if not above or not last.isdigit():
        return False
    if not is_number(line.number):
        return is_number(above)
    if above in printed:
        return False
    if layout == COMPACT:
        return line.spaced and following != f"{above}.{int(last) + 1}"
    grandparent = parent_number(above)
    return grandparent is not None and grandparent in printed and following != f"{above}.{int(last) + 1}"


def _build(lines: list[Line], document: str, source: str) -> dict[str, Rule]:
    """Rules by number, in the order of the file. Raises for a number that is malformed or there twice."""
    rules: dict[str, Rule] = {}
    for line in lines:
        if not is_number(line.number):
            raise InputError(f"{source}:{line.line}", f"{line.number} is not a rule number", "Correct the number")
        if line.number in rules:
            first = rules[line.number].line
            raise DuplicateId(source, f"{line.number} stands here and on line {first}", "Keep one", line=line.line)
        parts = split_parts(line.text)
        ref = RuleRef(document, line.number)
        rules[line.number] = Rule(ref, parts, is_heading(parts) if parts else True, line.line, source)
    return rules


def _gaps(rules: dict[str, Rule]) -> list[Finding]:
    """Parents that do not exist, and empty rules."""
    findings: list[Finding] = []
    missing: set[str] = set()
    for number, rule in rules.items():
        above = parent_number(number)
        if above and above not in rules and above not in missing:
            missing.add(above)
            kind = "missing-heading" if "." not in above else "missing-parent"
            findings.append(Finding(kind, rule.line, f"{above}, above {number}, is not in the file", above))
        if not rule.parts:
            findings.append(Finding("empty", rule.line, f"{number} has no text", number))
    return findings
