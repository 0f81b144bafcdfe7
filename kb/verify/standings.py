"""From the outcomes of scenarios to a verdict on each claim and the standing of each ruling.

Confirmed: every claim. Partly: the answer holds, a claim beside it does not. Contradicted: the answer does not hold.
Superseded: contradicted now, right under an earlier edition. Disputed: two defensible readings give two results.
Documentary: no claim is about a game state. Unverified: some claim has no verdict.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from kb.verify.suite import Outcome


@dataclass(frozen=True)
class ClaimVerdict:
    """The verdict on one claim and the scenarios behind it."""

    id: str
    verdict: str
    scenarios: tuple[str, ...] = ()


@dataclass(frozen=True)
class Standing:
    """The standing of a ruling, computed."""

    ruling: str
    standing: str
    claims: tuple[ClaimVerdict, ...]
    scenarios: tuple[str, ...]
    why: str = ""
    problems: tuple[str, ...] = field(default=())


def claim_verdict(claim: Any, outcomes: Iterable[Outcome]) -> ClaimVerdict:
    """One claim's verdict over all scenarios that speak of it."""
    speaking = [o for o in outcomes if claim.id in o.claims]
    names = tuple(o.id for o in speaking)
    if claim.documentary:
        return ClaimVerdict(claim.id, "documentary", names)
    plain = {o.claims[claim.id] for o in speaking if not o.readings}
    other = {o.claims[claim.id] for o in speaking if o.readings}
    found = plain | other
    if not found:
        return ClaimVerdict(claim.id, "none")
    if "unsupported" in found:
        return ClaimVerdict(claim.id, "unsupported", names)
    if plain and other and other - plain:
        return ClaimVerdict(claim.id, "disputed", names)
    return ClaimVerdict(claim.id, "contradicted" if "contradicted" in found else "confirmed", names)


def standing_of(ruling: Any, outcomes: list[Outcome]) -> Standing:
    """A ruling's standing from its claims' verdicts; ``ruling`` is a :class:`kb.model.Ruling`."""
    claims = tuple(claim_verdict(c, outcomes) for c in ruling.claims)
    verdicts = {c.verdict for c in claims}
    scenarios = tuple(o.id for o in outcomes)
    failed = [o for o in outcomes if o.verdict == "failed"]
    problems = tuple(f"{o.id}: {p}" for o in failed for p in o.problems)
    word, why = "confirmed", ""
    if failed or verdicts & {"none", "unsupported"}:
        word = "unverified"
        missing = [c.id for c in claims if c.verdict in ("none", "unsupported")]
        why = f"no verdict yet on {', '.join(missing)}" if missing else "a scenario fails"
    elif "disputed" in verdicts:
        word = "disputed"
        why = "two readings of the rules give two results"
    elif "contradicted" in verdicts:
        word, why = contradicted(ruling, claims)
    elif verdicts <= {"documentary"}:
        word = "documentary"
        why = "its claims are about terms, dates or procedures outside a game"
    return Standing(ruling.id, word, claims, scenarios, why, problems)


def contradicted(ruling: Any, claims: tuple[ClaimVerdict, ...]) -> tuple[str, str]:
    """Whether the answer itself falls, or only a claim beside it; and whether it was right once."""
    wrong = [c.id for c in claims if c.verdict == "contradicted"]
    review = ruling.review
    answer_falls = (
        bool(wrong) and review is not None and review.verdict.strip().lower() != ruling.verdict.strip().lower()
    )
    named = f"the engine contradicts {', '.join(wrong)}"
    if not answer_falls:
        return "partly", f"the answer holds, but {named}"
    superseded = getattr(review, "superseded", "") or getattr(review, "changed_since", "")
    if superseded:
        return "superseded", f"{named}; right under an earlier edition ({superseded})"
    return "contradicted", named
