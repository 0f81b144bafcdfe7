"""Compare our restatement of a rules document with the document itself, mechanically.

Usage, from the project's root (the source document is on your own disk)::

    python tests/rules/fidelity.py SOURCE.tsv RESTATED_DIR_OR_FILES... [--only 400-444] [--modals]

It reports, per rule: a number that is missing, extra or out of order; a digit, symbol, keyword,
card name, example marker or pointer that the source has and the restatement lacks; and, with
``--modals``, every rule whose count of negations, permissions or duties differs. It knows nothing
about meaning: a clean report is where reading starts, not where it ends.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

NUMBER = re.compile(r"(\d{3}(?:\.(?:\d+|[a-z]+))*)(?:\.\s|\t|\s|$)")
POINTER = re.compile(r"\b(?:[Rr]ules?|[Ss]ee|CR|TR|step)\s+(\d{3}(?:\.(?:\d+|[a-z]+\b))*)")
BARE_POINTER = re.compile(r"\b(\d{3}(?:\.(?:\d+|[a-z]\b))+)")
SYMBOL = re.compile(r"\[[^\]\s]+(?: [^\]]+)?\]|:rb_[a-z0-9_]+:|\{[^}]+\}")
KEYWORDS = (
    "Accelerate Action Assault Deathknell Deflect Ganking Hidden Legion Reaction Shield Tank "
    "Temporary Vision Equip Quick-Draw Repeat Weaponmaster Ambush Hunt Level Unique Backline "
    "Empower Empowered Flow Mighty Contested Focus Priority Showdown Cleanup Token"
).split()
MODALS = {
    "not": ("not", "no", "never", "cannot", "can't", "doesn't", "don't", "isn't", "aren't", "won't",
            "without", "nor", "neither", "none", "didn't", "wasn't"),
    "may": ("may", "can", "could", "optional", "optionally"),
    "must": ("must", "required", "have to", "has to"),
    "only": ("only", "solely"),
    "unless": ("unless", "except"),
    "or": ("or",),
}  # fmt: skip
WORD_NUMBERS = {
    "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
    "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12",
}  # fmt: skip


@dataclass(frozen=True)
class Finding:
    """One mechanical difference: the rule's number, its kind, and what differs."""

    number: str
    kind: str
    detail: str

    def __str__(self) -> str:
        return f"{self.number}: {self.kind}: {self.detail}"


def normal(text: str) -> str:
    """Fold typographic quotes, dashes and spaces so that only words and figures differ."""
    for old, new in (("’", "'"), ("‘", "'"), ("“", '"'), ("”", '"'), ("—", "-"), ("–", "-"), ("\u00a0", " ")):
        text = text.replace(old, new)
    return text


def read_source(path: Path) -> dict[str, str]:
    """Rules of a ``number<TAB>text`` file, in order."""
    rows = [line.split("\t", 1) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return {number.rstrip("."): normal(text) for number, text in rows}


def read_restated(paths: list[Path]) -> dict[str, str]:
    """Rules of our files: a line that starts with a number opens a rule, other lines continue it."""
    rules: dict[str, str] = {}
    files = [f for p in paths for f in (sorted(p.glob("*.txt")) if p.is_dir() else [p])]
    for path in files:
        current = None
        for line in path.read_text(encoding="utf-8").splitlines():
            found = NUMBER.match(line)
            if found:
                current = found.group(1)
                if current in rules:
                    raise ValueError(f"{path}: {current} occurs twice")
                rules[current] = normal(line[found.end() :].strip())
            elif line.strip() and not line.startswith("#"):
                if current is None:
                    raise ValueError(f"{path}: text before the first number: {line!r}")
                rules[current] += " " + normal(line.strip())
    return rules


def figures(text: str) -> Counter[str]:
    """Every figure of a text, whether written as a digit or as a word up to twelve."""
    plain = POINTER.sub(" ", BARE_POINTER.sub(" ", SYMBOL.sub(" ", text)))
    found = Counter(re.findall(r"\d+", plain))
    found.update(WORD_NUMBERS[word] for word in re.findall(r"[a-z]+", plain.lower()) if word in WORD_NUMBERS)
    return found


def modal_counts(text: str) -> dict[str, int]:
    """How often each kind of negation or modal word occurs."""
    low = " " + text.lower() + " "
    return {kind: sum(len(re.findall(rf"\b{re.escape(w)}\b", low)) for w in ws) for kind, ws in MODALS.items()}


def compare(source: dict[str, str], ours: dict[str, str], names: frozenset[str] = frozenset()) -> list[Finding]:
    """All mechanical differences that must not exist; see the module's docstring."""
    out: list[Finding] = []
    out += [Finding(n, "missing", "no such number in the restatement") for n in source if n not in ours]
    out += [Finding(n, "extra", "the source has no such number") for n in ours if n not in source]
    shared = [n for n in ours if n in source]
    if shared != [n for n in source if n in ours]:
        out.append(Finding(shared[0] if shared else "-", "order", "numbers are not in the order of the source"))
    for number in shared:
        out += list(compare_rule(number, source[number], ours[number], names))
    return out


def compare_rule(number: str, theirs: str, ours: str, names: frozenset[str]) -> list[Finding]:
    """The differences of one rule: pointers, symbols, digits, keywords, card names, examples."""
    out: list[Finding] = []
    our_pointers = set(POINTER.findall(ours)) | set(BARE_POINTER.findall(ours))
    for pointer in {*POINTER.findall(theirs), *BARE_POINTER.findall(theirs)}:
        if pointer.rstrip(".") not in {p.rstrip(".") for p in our_pointers}:
            out.append(Finding(number, "pointer", pointer))
    for symbol in sorted(set(SYMBOL.findall(theirs)) - set(SYMBOL.findall(ours))):
        out.append(Finding(number, "symbol", symbol))
    ours_figures = figures(ours)
    for figure in sorted(re.findall(r"\d+", POINTER.sub(" ", BARE_POINTER.sub(" ", SYMBOL.sub(" ", theirs))))):
        if not ours_figures[figure]:
            out.append(Finding(number, "figure", figure))
    for keyword in KEYWORDS:
        if re.search(rf"\b{keyword}\b", theirs) and not re.search(rf"\b{keyword}", ours, re.I):
            out.append(Finding(number, "keyword", keyword))
    for name in names:
        if re.search(rf"\b{re.escape(name)}\b", theirs) and name not in ours:
            out.append(Finding(number, "card", name))
    missing = theirs.count("Example:") - ours.count("Example:")
    if missing > 0:
        out.append(Finding(number, "examples", f"{missing} fewer"))
    return out


def compare_modals(source: dict[str, str], ours: dict[str, str]) -> list[Finding]:
    """Rules whose counts of negations or modal words differ: each wants a reason, or mending."""
    out: list[Finding] = []
    for number in source:
        if number in ours:
            a, b = modal_counts(source[number]), modal_counts(ours[number])
            changed = [f"{k} {a[k]}->{b[k]}" for k in a if a[k] != b[k]]
            if changed:
                out.append(Finding(number, "modals", ", ".join(changed)))
    return out


def within(numbers: dict[str, str], span: str) -> dict[str, str]:
    """Keep the rules whose first three digits lie in ``LOW-HIGH``."""
    low, high = span.split("-")
    return {n: t for n, t in numbers.items() if low <= n[:3] <= high}


def main(arguments: list[str]) -> int:
    """Print every finding; exit status 1 where there is one."""
    span = arguments.pop(arguments.index("--only") + 1) if "--only" in arguments else "000-999"
    modals = "--modals" in arguments
    paths = [Path(a) for a in arguments if not a.startswith("--")]
    source, ours = within(read_source(paths[0]), span), within(read_restated(paths[1:]), span)
    cards = paths[0].parent / "cards.json"
    names: frozenset[str] = frozenset()
    if cards.exists():
        import json

        ordinary = {"Tank", "Hidden", "Action", "Focus", "Gold", "Discipline", "Challenge", "Fury", "Mind", "Body"}
        names = frozenset(c["name"] for c in json.loads(cards.read_text(encoding="utf-8"))) - ordinary
    findings = compare(source, ours, names) + (compare_modals(source, ours) if modals else [])
    for finding in findings:
        print(finding)
    print(f"{len(ours)} of {len(source)} rules, {len(findings)} finding(s)", file=sys.stderr)
    return 1 if findings else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
