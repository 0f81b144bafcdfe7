"""The generated part of ``docs/rulings-review.md``: claims against the rules, rulings that contradict each other.

Everything comes from the ``review`` and ``relations`` of ``rulings/*.yaml``. ``python -m kb.verify.reviewing`` writes
the part anew between its markers; a test says when it is stale.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from kb.data import data_root
from kb.errors import DataError
from kb.ids import RuleRef
from kb.load import load_rulings
from kb.model import Agreement, Claim, ClaimReview, Ruling

BEGIN = "<!-- generated: begin -->"
END = "<!-- generated: end -->"
DOUBTED = (Agreement.NO, Agreement.PARTLY)


def document() -> Path:
    """Where the generated part stands."""
    return data_root() / "docs" / "rulings-review.md"


def claims_against_the_rules(rulings: Mapping[str, Ruling] | None = None) -> str:
    """The Markdown between the markers: claims by agreement, then pairs of rulings that contradict each other."""
    known = load_rulings() if rulings is None else rulings
    ordered = sorted(known.values(), key=lambda ruling: ruling.origin)
    return "\n".join(
        [
            *_claims("Claims that disagree with the rules in force", Agreement.NO, ordered),
            "",
            *_claims("Claims that agree only in part", Agreement.PARTLY, ordered),
            "",
            *_pairs(known),
        ]
    )


def contradicting(rulings: Mapping[str, Ruling]) -> list[tuple[Ruling, Ruling]]:
    """Each pair of rulings of which one says in its relations that it contradicts the other, once, in order."""
    found: dict[frozenset[str], tuple[Ruling, Ruling]] = {}
    for ruling in sorted(rulings.values(), key=lambda one: one.origin):
        for other in ruling.relations.contradicts:
            if other in rulings:
                found.setdefault(frozenset((ruling.id, other)), (ruling, rulings[other]))
    pairs = [(a, b) if a.origin <= b.origin else (b, a) for a, b in found.values()]
    return sorted(pairs, key=lambda pair: (pair[0].origin, pair[1].origin))


def split(text: str, where: Path) -> tuple[str, str, str]:
    """The text before, between and after the markers. Raises ``DataError`` where they are not there once, in order."""
    before, begin, rest = text.partition(f"{BEGIN}\n")
    between, end, after = rest.partition(f"\n{END}")
    if not begin or not end or BEGIN in rest or END in after:
        raise DataError(where, "the markers of the generated part are missing or doubled", f"Write {BEGIN} and {END}")
    return before + begin, between, end + after


def write(path: Path | None = None) -> None:
    """Put what the rulings say now between the markers of the document."""
    file = path or document()
    before, _, after = split(file.read_text(encoding="utf-8"), file)
    file.write_text(before + claims_against_the_rules() + after, encoding="utf-8")


def _claims(title: str, agreement: Agreement, rulings: Iterable[Ruling]) -> Iterator[str]:
    rows = [
        (ruling, claim, reviewed)
        for ruling in rulings
        for claim, reviewed in _reviewed(ruling)
        if reviewed.agrees is agreement
    ]
    yield f"### {title}: {len(rows)}"
    yield ""
    yield "| Ruling | Origin | Claim | It says | What the rules say | Rules |"
    yield "|---|---|---|---|---|---|"
    for ruling, claim, reviewed in rows:
        yield _row(_link(ruling), str(ruling.origin), _name(claim), claim.says, reviewed.why, _cited(reviewed.rules))


def _pairs(rulings: Mapping[str, Ruling]) -> Iterator[str]:
    pairs = contradicting(rulings)
    yield f"### Pairs of rulings that contradict each other: {len(pairs)}"
    yield ""
    yield "Each ruling with its claims that disagree (no) or agree in part (partly); the rules are those both cite."
    yield ""
    yield "| One | Origin | Its doubted claims | The other | Origin | Its doubted claims | Rules |"
    yield "|---|---|---|---|---|---|---|"
    for one, other in pairs:
        common = tuple(ref for ref in one.all_rules if ref in other.all_rules)
        yield _row(*_side(one), *_side(other), _cited(common))
    named = {ruling.id: ruling for pair in pairs for ruling in pair}
    concerned = sorted(named.values(), key=lambda ruling: ruling.origin)
    yield ""
    yield f"### What the rules say on these {len(concerned)} rulings"
    yield ""
    yield "| Ruling | Origin | It ruled | By the rules | What the rules say |"
    yield "|---|---|---|---|---|"
    for ruling in concerned:
        verdict, answer = (ruling.review.verdict, ruling.review.answer) if ruling.review else ("not reviewed", "")
        yield _row(_link(ruling), str(ruling.origin), ruling.verdict, verdict, answer)


def _side(ruling: Ruling) -> tuple[str, str, str]:
    doubted = [f"{claim.id} {found.agrees}" for claim, found in _reviewed(ruling) if found.agrees in DOUBTED]
    return _link(ruling), str(ruling.origin), ", ".join(doubted) or "none"


def _reviewed(ruling: Ruling) -> Iterator[tuple[Claim, ClaimReview]]:
    """The claims that have a review, in order."""
    for claim in ruling.claims:
        if ruling.review and claim.id in ruling.review.claims:
            yield claim, ruling.review.claims[claim.id]


def _name(claim: Claim) -> str:
    return f"{claim.id} (documentary)" if claim.documentary else claim.id


def _link(ruling: Ruling) -> str:
    return f"[{ruling.id}](../rulings/{ruling.id}.yaml)"


def _cited(rules: Iterable[RuleRef]) -> str:
    return ", ".join(str(ref) for ref in rules) or "none"


def _row(*cells: str) -> str:
    return "| " + " | ".join(" ".join(cell.replace("|", "\\|").split()) for cell in cells) + " |"


if __name__ == "__main__":
    write()
