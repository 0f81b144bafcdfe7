"""Numbers that a document has lost: swallowed by the rule before, or missing in a row of siblings.

When a list is turned into lines, a number may end up inside its neighbour ("... players. 461.7.b All ..."),
or with spaces for stops ("747 4 ..."). Such a number is reported; the text stays where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from kb.ids import is_number, parent_number
from kb.model import Rule
from kb.sources.findings import Finding

_INSIDE = re.compile(
    r"(?P<before>\S+)\s+(?P<number>\d{3}(?:[ .](?:\d{1,2}|[a-z]))+)\.? (?=(?:\d{1,2}[a-z]?\. )?[A-Z“\"\[])"
)
_POINTS = re.compile(r"(?:see|rules?|also|and|or|to|through|CR|TR)\Z", re.I)


def find_swallowed(rules: Mapping[str, Rule]) -> list[Finding]:
    """A finding for every number that stands inside another rule, and for every hole among siblings."""
    found: list[Finding] = []
    missing = {number: after for number in rules if (after := _hole(number, rules))}
    lost: set[str] = set()
    for number, rule in rules.items():
        for inside in _INSIDE.finditer(rule.text):
            swallowed = inside.group("number").replace(" ", ".")
            if _POINTS.search(inside.group("before")) or not _fits(swallowed, number, rules):
                continue
            lost.add(swallowed)
            message = f"{swallowed} seems to stand inside {number}, which has swallowed it"
            found.append(Finding("swallowed", rule.line, message, swallowed))
    for number, hole in missing.items():
        if hole not in lost:
            message = f"{number} is there, but {hole}, which should stand before it, is not"
            found.append(Finding("missing-sibling", rules[number].line, message, hole))
    return found


def _fits(swallowed: str, number: str, rules: Mapping[str, Rule]) -> bool:
    """Whether a number could stand right after ``number``: it is new, and below it or beside something above it."""
    above = parent_number(swallowed)
    return is_number(swallowed) and swallowed not in rules and bool(above) and (number + ".").startswith(f"{above}.")


def _hole(number: str, rules: Mapping[str, Rule]) -> str:
    """The sibling just before ``number`` where it does not exist though their parent does, else ""."""
    above, _, last = number.rpartition(".")
    if above not in rules or last in ("a", "1", "0"):
        return ""
    before = f"{above}.{int(last) - 1}" if last.isdigit() else f"{above}.{chr(ord(last) - 1)}"
    return "" if before in rules else before
