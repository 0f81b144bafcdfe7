"""Saying why there is no answer, and what comes nearest."""

from __future__ import annotations

import json

from kb.answer import evidence
from kb.answer.cite import Citer
from kb.answer.reply import Abstention, Nearest, Reason
from kb.errors import UnknownId
from kb.ids import RuleRef
from kb.lookup import require_rule
from kb.records import card_facts, card_record
from kb.search.searcher import Found, Searcher

MOST_NEAREST = 5


class Refuser:
    """Makes abstentions for one store."""

    def __init__(self, searcher: Searcher, cite: Citer) -> None:
        self._searcher = searcher
        self._cite = cite

    def missing_rule(self, found: Found) -> Abstention:
        """A number that no rule has; nearest are the numbers beside it."""
        said = found.query.missing[0]
        try:
            require_rule(self._searcher.con, RuleRef.parse(said))
        except UnknownId as problem:
            near = [
                Nearest("rule", self._whole(said, one), self._title("rule", self._whole(said, one)), 0.0)
                for one in problem.nearest
            ]
            near = [one for one in near if one.title]
            return Abstention(Reason.NO_SUCH_RULE, f"There is no rule {said}.", tuple(near), 1.0, self._cite.dates)
        return self.because(Reason.NO_SUCH_RULE, found, 1.0)

    def _whole(self, said: str, number: str) -> str:
        return f"{said.rpartition(':')[0]}:{number}"

    def several_cards(self, found: Found) -> Abstention:
        """A name that several cards share, and nothing more."""
        names = found.query.maybe
        near = tuple(Nearest("card", name, card_facts(card_record(self._searcher.con, name)), 0.0) for name in names)
        said = f"Several cards have this name: {'; '.join(names)}. Write which one is meant."
        return Abstention(Reason.UNCLEAR, said, near[:MOST_NEAREST], 1.0, self._cite.dates)

    def guessed(self, found: Found, doubt: float) -> Abstention:
        """The most likely reason, by words that tell and by the refused questions that are most like this one."""
        return self.because(self._reason(found), found, doubt)

    def _reason(self, found: Found) -> Reason:
        text = found.query.text
        votes: dict[str, float] = {hit.id: hit.score for hit in found.refusals}
        index = self._searcher.index
        for name in votes:
            number = next(
                c for c in found.candidates if index.targets[c].kind == "refusal" and index.targets[c].id == name
            )
            at = found.candidates.index(number)
            votes[name] = float(found.table[at, 0])
        for pattern, reason, weight in (
            (evidence.ORDERS, Reason.UNCLEAR, 0.25), (evidence.OTHER_GAME, Reason.OTHER_GAME, 0.25),
            (evidence.OUTSIDE, Reason.POLICY, 0.15), (evidence.ADVICE, Reason.STRATEGY, 0.12),
        ):  # fmt: skip
            if pattern.search(text):
                votes[reason] = votes.get(reason, 0.0) + weight
        if found.query.not_held:
            votes[Reason.UNKNOWN_CARD] = votes.get(Reason.UNKNOWN_CARD, 0.0) + 0.25
        if len(found.query.words) < 2:
            votes[Reason.UNCLEAR] = votes.get(Reason.UNCLEAR, 0.0) + 0.2
        best = max(votes, key=lambda name: votes[name], default=Reason.UNCLEAR)
        return Reason(best)

    def because(self, reason: Reason, found: Found, doubt: float) -> Abstention:
        """An abstention for this reason, with the nearest rules and rulings."""
        hits = [hit for hit in found.hits if hit.kind in ("rule", "ruling")][:MOST_NEAREST]
        nearest = tuple(Nearest(hit.kind, hit.id, self._title(hit.kind, hit.id), hit.score) for hit in hits)
        return Abstention(reason, self._sentence(reason, found), nearest, round(doubt, 3), self._cite.dates)

    def _sentence(self, reason: Reason, found: Found) -> str:
        dates = self._cite.dates
        if reason is Reason.UNKNOWN_CARD:
            data = f"our card data of {dates.cards_date} (cards to {dates.cards_through})"
            names = found.query.not_held
            if names:
                return f"{names[0]} is not in {data}."
            return f"The question may name a card that is not in {data}; if it does not, put it in other words."
        return {
            Reason.OTHER_GAME: "This asks about another game; the documents here are about Riftbound.",
            Reason.NO_SUCH_RULE: f"The rules of {dates.edition} have nothing of this name or number.",
            Reason.NOT_DECIDED: f"Our documents ({dates.edition}, rules of {dates.rules_date}) do not decide this.",
            Reason.STRATEGY: "This asks for advice; rules and rulings are told here, not what to play.",
            Reason.POLICY: "This is about matters outside the rules documents, such as prices, dates or places.",
            Reason.UNCLEAR: "It is not clear what is asked; name the cards or the situation.",
        }[reason]

    def _title(self, kind: str, name: str) -> str:
        con = self._searcher.con
        if kind == "ruling":
            row = con.execute("SELECT json FROM ruling WHERE id = ?", (name,)).fetchone()
            return str(json.loads(row[0])["title"]) if row else ""
        document, _, number = name.partition(":")
        row = con.execute("SELECT statement FROM rule WHERE document = ? AND number = ?", (document, number)).fetchone()
        return str(row[0]) if row else ""
