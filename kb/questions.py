"""``rules/questions/``: how players ask, as data that a judge can read and correct.

``core-1.4.yaml`` and the like give, per rule, questions that the rule answers, some with the word that
answers them ("no | do I lose the card"). ``rulings.yaml`` gives the same per ruling, where all have their
word, by the rules in force. ``refused.yaml`` gives, per reason, questions that our documents do not answer.
``slang.yaml`` gives what players write instead of a word of the rules. All are our own words; all are entry
points of the search.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from pathlib import Path

from kb.data import rules_dir
from kb.errors import BadReference, DataError
from kb.ids import RuleRef
from kb.strict_yaml import read_entry

REASONS = ("other game", "unknown card", "no such rule", "not decided", "strategy", "policy", "unclear")
_BAR = " | "


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and what it leads to: a rule, a ruling (with the word that answers it) or a reason to refuse."""

    kind: str  # rule, ruling, refusal
    target: str
    question: str
    verdict: str = ""


def load_questions(root: Path | None = None) -> tuple[Asked, ...]:
    """Every question of the folder, in the order of the files. Raises ``DataError`` for a file that is wrong."""
    folder = (root or rules_dir()) / "questions"
    found: list[Asked] = []
    for path in sorted(folder.glob("*.yaml")) if folder.is_dir() else []:
        if path.stem == "rulings":
            found += _of_rulings(path)
        elif path.stem == "refused":
            found += _refused(path)
        elif path.stem != "slang":
            found += _of_rules(path)
    return tuple(found)


def check_targets(asked: tuple[Asked, ...], has_rule: Callable[[RuleRef], bool], rulings: Container[str]) -> None:
    """Raise ``DataError`` where a question leads to a rule or ruling that does not exist."""
    for kind, target in dict.fromkeys((one.kind, one.target) for one in asked):
        known = has_rule(RuleRef.parse(target)) if kind == "rule" else target in rulings
        if kind != "refusal" and not known:
            raise DataError(f"rules/questions: {target}", f"there is no such {kind}", "Correct the key")


def load_slang(root: Path | None = None) -> dict[str, str]:
    """What players write -> the rulebook's words."""
    path = (root or rules_dir()) / "questions" / "slang.yaml"
    if not path.exists():
        return {}
    entry = read_entry(path)
    return {str(said).lower(): entry.text(said) for said in entry.names()}


def _of_rules(path: Path) -> Iterator[Asked]:
    entry = read_entry(path)
    for number in entry.names():
        try:
            ref = str(RuleRef.parse(str(number), path.stem))
        except BadReference as problem:
            raise DataError(path, problem.what, problem.fix) from problem
        for line in entry.texts(number):
            verdict, bar, question = line.partition(_BAR)
            yield Asked("rule", ref, question.strip(), verdict.strip()) if bar else Asked("rule", ref, line)


def _of_rulings(path: Path) -> Iterator[Asked]:
    entry = read_entry(path)
    for name in entry.names():
        for line in entry.texts(name):
            verdict, bar, question = line.partition(_BAR)
            if not bar:
                raise DataError(path, f"{line!r} has no verdict", 'Write it like "no | do I lose the card"')
            yield Asked("ruling", name, question.strip(), verdict.strip())


def _refused(path: Path) -> Iterator[Asked]:
    entry = read_entry(path)
    entry.only(*REASONS)
    for reason in entry.names():
        for question in entry.texts(reason):
            yield Asked("refusal", reason, question)
