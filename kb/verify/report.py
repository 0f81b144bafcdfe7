"""What ``kb verify`` says: standings, scenarios, totals, and what changed since the committed register."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kb.data import data_root
from kb.verify.standings import Standing
from kb.verify.suite import Outcome

ROW = re.compile(r"^\| `([a-z0-9-]+)` \| (\w+) \|")
ORDER = ("confirmed", "partly", "contradicted", "superseded", "disputed", "documentary", "unverified")


@dataclass(frozen=True)
class Change:
    """A ruling whose standing is not the one in the register."""

    ruling: str
    before: str
    now: str


def register(path: Path | None = None) -> dict[str, str]:
    """Standings of the committed register (``docs/coverage.md``); empty where there is none."""
    file = path or data_root() / "docs" / "coverage.md"
    if not file.exists():
        return {}
    rows = (ROW.match(line) for line in file.read_text(encoding="utf-8").splitlines())
    return {row.group(1): row.group(2) for row in rows if row}


def changes(standings: Iterable[Standing], before: dict[str, str]) -> list[Change]:
    """What differs from the register; nothing where there is no register."""
    if not before:
        return []
    return [
        Change(s.ruling, before.get(s.ruling, "not listed"), s.standing)
        for s in standings
        if before.get(s.ruling, "not listed") != s.standing
    ]


def as_json(standings: Sequence[Standing], origins: dict[str, str], outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The contract of ``kb verify --json``."""
    return {
        "rulings": [
            {
                "id": s.ruling,
                "origin": [origins[s.ruling]] if s.ruling in origins else [],
                "standing": s.standing,
                "why": s.why,
                "claims": [{"id": c.id, "verdict": c.verdict, "scenarios": list(c.scenarios)} for c in s.claims],
            }
            for s in standings
        ],
        "scenarios": [
            {
                "id": o.id,
                "verdict": o.verdict,
                "rules": [qualified(r) for r in o.rules],
                "milliseconds": o.milliseconds,
                "problems": list(o.problems),
                "uncited": list(o.uncited),
            }
            for o in outcomes
        ],
        "totals": totals(standings, outcomes),
    }


def qualified(rule: str) -> str:
    """A rule number with its document."""
    return rule if ":" in rule else f"core-1.4:{rule}"


def totals(standings: Sequence[Standing], outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Counts of rulings by standing, claims and scenarios by verdict."""
    by_standing = Counter(s.standing for s in standings)
    return {
        "rulings": len(standings),
        "standings": {w: by_standing[w] for w in ORDER if by_standing[w]},
        "claims": dict(Counter(c.verdict for s in standings for c in s.claims)),
        "scenarios": len(outcomes),
        "scenario_verdicts": dict(Counter(o.verdict for o in outcomes)),
    }


def lines(
    standings: Sequence[Standing], outcomes: Sequence[Outcome], changed: Sequence[Change], verbose: bool
) -> Iterable[str]:
    """The summary a maintainer can act on."""
    count = totals(standings, outcomes)
    yield f"{count['rulings']} rulings: " + ", ".join(f"{n} {w}" for w, n in count["standings"].items())
    yield "Claims: " + ", ".join(f"{n} {w}" for w, n in sorted(count["claims"].items(), key=lambda p: -p[1]))
    yield f"{count['scenarios']} scenarios: " + ", ".join(
        f"{n} {w}" for w, n in sorted(count["scenario_verdicts"].items(), key=lambda p: -p[1])
    )
    for outcome in outcomes:
        if outcome.verdict in ("failed", "unsupported"):
            yield ""
            yield f"{outcome.verdict}: {outcome.id}"
            for problem in outcome.problems[:6]:
                yield f"    {problem}"
    for outcome in outcomes:
        if outcome.uncited:
            yield ""
            yield f"not cited by its run: {outcome.id} (in 'decides': {', '.join(outcome.uncited)})"
    for standing in standings:
        if verbose or standing.standing in ("contradicted", "superseded", "disputed"):
            yield ""
            yield f"{standing.standing}: {standing.ruling}" + (f" ({standing.why})" if standing.why else "")
            for claim in standing.claims:
                if verbose or claim.verdict in ("contradicted", "disputed"):
                    yield f"    {claim.id} {claim.verdict}" + (
                        f" by {', '.join(claim.scenarios)}" if claim.scenarios else ""
                    )
    if changed:
        yield ""
        yield "Changed since the committed register (docs/coverage.md):"
        for change in changed:
            yield f"    {change.ruling}: {change.before} -> {change.now}"
