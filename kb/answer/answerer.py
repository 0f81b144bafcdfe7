"""A question -> ``Reply``.

Exact numbers first; then the gate says whether our documents answer at all (``kb.answer.doubt``); then the best
record answers: a ruling with its review, standing and rules, or a rule with what stands above it. Rulings that
answer the same question are cited together and answer once. Nothing is advised: rules are told.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from kb.answer.cards import about_play, asked_card, says, told
from kb.answer.cite import MOST_RULES, Citer
from kb.answer.claims import Claims
from kb.answer.comparison import compared
from kb.answer.doubt import Doubt
from kb.answer.framing import affirmed, tangled
from kb.answer.outline import MOST, Line, Outlines
from kb.answer.parts import Part, split
from kb.answer.polarity import opposed
from kb.answer.refuse import Refuser
from kb.answer.reply import UNSAID, Abstention, Answer, CardText, Cited, Reason, Reply, View
from kb.answer.sentence import fitted
from kb.answer.telling import fitting
from kb.answer.terms import Term, Terms
from kb.answer.verdict import BARE, EITHER, Verdicts, Word
from kb.errors import InputError
from kb.ids import RuleRef
from kb.records import card_record
from kb.search.cross_encoder import cross_encoder_for
from kb.search.encoder import Encoder
from kb.search.ranker import load_model
from kb.search.reranker import READ, Read, Reranker
from kb.search.searcher import Found, Hit, Searcher, Target
from kb.search.words import content

LONGEST = 20_000
GATE = 0.25  # above this chance that nothing answers, nothing is answered
MOST_RULINGS = 3
MOST_CARDS = 3  # as many cards that a question names are told beside the answer
SURE = 0.88  # the chance that a yes or a no must have to be said; that the record is wrong is counted in it
SURE_OTHER = 0.96  # the same for "depends" and for values
KIN = 0.25  # of the best ruling's chance, what another of the cluster that answers must have to be told beside it
NOTED = 0.6  # of the same, what it must have that what people say of it is told
AMOUNT = frozenset(("many", "much", "long", "number"))  # words that ask for a value and say nothing of which
NAMED = 0.3  # the chance that a ruling must have to be named beside a rule that answers
STATED = ("log_odds",)
LEAST = 1e-3  # a chance is never nearer to 0 or 1
RIGHT = 0.6  # the chance that the record must have for such a word to be taken from it


class Answerer:
    """Answers questions from one store; see ``kb.search.searcher.Searcher`` for what it may be shared with."""

    def __init__(self, con: sqlite3.Connection, encoder: Encoder | None = None) -> None:
        self.searcher = Searcher(con, encoder)
        self._verdicts = Verdicts(self.searcher)
        self._cite = Citer(con)
        self._outlines = Outlines(con)
        self._terms = Terms(con)
        self._claims = Claims(self.searcher)
        self._refuse = Refuser(self.searcher, self._cite)
        self.reranker = Reranker(con, cross_encoder_for(self.searcher.encoder))
        self._doubt = Doubt(self.searcher)
        self.stated = load_model("stated", STATED)

    def ask(self, question: str, found: Found | None = None) -> Reply:
        """Answer, or say why not; ``found`` saves a search that was done already.

        Raises ``InputError`` for an empty question and for one that is far too long.
        """
        check_question(question)
        whole = self._one(question, found)
        parts = self.parts(question)
        if not parts or not isinstance(whole, Answer):
            return whole
        replies = [replace(self._one(part.asked), part=part.text) for part in parts]
        first = {_source(reply) for reply in replies}
        if len(first) < 2 or any(isinstance(reply, Abstention) for reply in replies):
            return whole
        return replace(whole, parts=tuple(replies))

    def parts(self, question: str) -> tuple[Part, ...]:
        """The parts of a question that has several, each as it is looked up."""
        return split(question, self._named)

    def _named(self, text: str) -> tuple[str, ...]:
        query = self.searcher.reader.read(text)
        return (*query.cards, *query.terms)

    def _one(self, question: str, found: Found | None = None) -> Reply:
        found = found or self.searcher.find(question)
        query = found.query
        if query.missing and not query.rules:
            return self._refuse.missing_rule(found)
        if query.rules:
            return self._by_number(found)
        if query.names_only and not query.words and not query.cards:
            return self._refuse.because(Reason.UNCLEAR, found, 1.0)
        if name := asked_card(query):
            return self._card(name)
        if len(query.maybe) > 1 and not query.cards and not about_play(query):
            return self._refuse.several_cards(found)
        if several := compared(query, self._terms):
            return self._compare(several, found)
        term = self._terms.asked(query)
        if term is not None and not self._terms.by_slang(query):
            return self._term(term)
        read = self.reranker.read(found)
        doubt = self._doubt.of(found, read)
        ranked = self.reranker.rerank(found, read)
        first = next((hit for hit in ranked if hit.kind in ("rule", "ruling")), None)
        if first is None or doubt > GATE:
            return self._refuse.guessed(found, doubt)
        if term is not None:
            return self._term(term)
        # How sure a word is was learnt with the ranker's chance, so the record keeps that here.
        top = next(hit for hit in found.hits if (hit.kind, hit.id) == (first.kind, first.id))
        answer = self._ruling(top, found, read) if top.kind == "ruling" else self._rule(top, found, read, ranked)
        texts = tuple(CardText(name, says(self.searcher.con, name)) for name in query.cards[:MOST_CARDS])
        return replace(answer, confidence=round(self._states(min(first.score, 1 - doubt)), 3), card_texts=texts)

    def _states(self, chance: float) -> float:
        """How often an answer of which this is thought cites a right record."""
        odds = math.log(max(chance, LEAST) / max(1 - chance, LEAST))
        return float(self.stated(np.array([[odds]], np.float32))[0]) if self.stated else chance

    def _ruling(self, top: Hit, found: Found, read: Read) -> Answer:
        """The ruling's review answers; others of its cluster that fit too and what people say stand beside it."""
        ranked = {hit.id: hit.score for hit in found.hits if hit.kind == "ruling"}
        best = max(ranked.values(), default=0.0)
        near = [name for name in self._cite.same_question(top.id) if ranked.get(name, 0.0) >= KIN * best]
        cluster = sorted(near, key=lambda name: -ranked[name])
        names = [top.id, *cluster]
        cited = [self._cite.ruling(name) for name in names]
        targets = [Target("ruling", name) for name in names]
        word = self._word(found, targets, top.score, read)
        sure = _claimed(word, top.score) != UNSAID  # only a word that is said may choose whose question it answers
        lead = next((one for one in cited if sure and _asked_of(word, one, self._verdicts)), cited[0])
        said, verdict = fitted(lead.answer, lead.verdict, self._safe(word, lead, top.score))
        if lead.verdict == "open" and verdict in BARE:  # the word is that of a claim which is not open
            settled = self._claims.best(lead.id, found)
            said, verdict = (settled, verdict) if settled else (said, UNSAID)
        readings = _readings(lead)
        noted = [one for one in cited if one.id in (lead.id, top.id) or ranked.get(one.id, 0.0) >= NOTED * best]
        claim = self._claims.nearest(lead.id, said, found)
        notes = (*((f"In particular: {claim}",) if claim else ()), *_notes(noted))
        refs = [ref for one in (lead.id, *names) for ref in self._cite.rules_of(one)]
        return Answer(
            verdict=verdict,
            answer=said,
            citations=self._cite.rules(refs),
            rulings=tuple(dict.fromkeys([lead, *cited])),
            readings=readings,
            confidence=top.score,
            verdict_confidence=round(word.chance, 3),
            dates=self._cite.dates,
            notes=notes,
            source="ruling",
        )

    def _word(self, found: Found, targets: Sequence[Target], chance: float, read: Read) -> Word:
        """The word for the question as asked; where that asks for the opposite, the other one of the straight one."""
        if tangled(found.query.text):
            return Word(UNSAID)
        straight = affirmed(found.query.text)
        if straight is None:
            return self._fitting(self._verdicts.decide(found, targets, chance, read), targets, found)
        other = self.searcher.find(straight)
        word = self._verdicts.decide(other, targets, chance, self.reranker.read(other))
        return replace(word, verdict=opposed(word.verdict)) if word.verdict in BARE else Word(UNSAID)

    def _fitting(self, word: Word, targets: Sequence[Target], found: Found) -> Word:
        """A value only where a question that it answers says everything that this one says.

        "How many runes do I channel going second" is not answered by what "how many runes do I channel" is answered by.
        """
        if word.verdict in (*BARE, *EITHER, ""):
            return word
        asked, plain = set(found.query.words) - AMOUNT, self.searcher.reader.plain
        known = [one.question for target in targets for one in self._verdicts.of(target) if one.verdict == word.verdict]
        return word if any(asked <= set(content(plain(one))) for one in known) else replace(word, chance=0.0)

    def _safe(self, word: Word, lead: Cited, chance: float) -> str:
        """The word to say; where a ruling is disputed or left open, that it depends is the only one, if it is sure."""
        if lead.standing == "disputed" or word.verdict == "open":
            sure = word.verdict in EITHER and word.chance >= SURE_OTHER and chance >= RIGHT
            return "depends" if sure else UNSAID
        return _claimed(word, chance)

    def _rule(self, top: Hit, found: Found, read: Read, ranked: Sequence[Hit]) -> Answer:
        """The rule answers, with what stands above it; what else was read and comes near in ``ranked`` is named."""
        least = 0.5 * next(hit.score for hit in ranked if (hit.kind, hit.id) == (top.kind, top.id))
        near = [hit for hit in ranked[:READ] if hit.id != top.id and hit.score >= least]
        others = [hit.id for hit in near if hit.kind == "rule"]
        said, wording, told = self._told(top.id, found)
        citations = self._cite.rules([*told, *others[:3]], max(MOST_RULES, len(told)))
        targets = [Target("rule", top.id)]
        word = self._word(found, targets, top.score, read)
        return Answer(
            verdict=_claimed(word, top.score),
            answer=said,
            citations=citations,
            rulings=self._named_ruling(near),
            readings=(),
            confidence=top.score,
            verdict_confidence=round(word.chance, 3),
            dates=self._cite.dates,
            wording=wording,
        )

    def _told(self, ref: str, found: Found | None = None) -> tuple[str, str, list[str]]:
        """What a rule says, after the condition above it; with what it introduces, where it says nothing by itself.

        Of a long rule only what fits the question is told, where there is one. Also whose words these are, and the
        rules that are told. It is told in one wording: the official one where that of every rule in it was imported.
        """
        rule = RuleRef.parse(ref)
        below = self._outlines.of(ref) if self._outlines.needed(ref) else ()
        above = self._cite.leads(rule, official=True)[-1:]
        official = self._cite.are_official(
            (rule, *(lead.ref for lead in above), *(RuleRef.parse(line.ref) for line in below))
        )
        first, above = self._cite.rule(ref, official), self._cite.leads(rule, official)[-1:]
        if below:
            said = self._outlines.told(ref, official)
        else:
            said = fitting(first.quote, found.query.words, self.searcher.rarity.of) if found else first.quote
        wordings = {first.wording, *(lead.wording for lead in above)}
        told = " ".join((*(lead.statement for lead in above), said))
        return told, wordings.pop() if len(wordings) == 1 else "", [ref, *(line.ref for line in below)]

    def _term(self, term: Term) -> Answer:
        """What a term means, by the glossary, with the rules that say how it works."""
        return self._defined(term.sentence, self.rules_of(term), MOST)

    def _compare(self, terms: Sequence[Term], found: Found) -> Answer:
        """What each of several terms means, side by side, with the first rules of each; a ruling that fits is named."""
        refs = [ref for term in terms for ref in self.rules_of(term)[: MOST_RULES // 2]]
        told = self._defined(" ".join(term.sentence for term in terms), refs, len(refs))
        return replace(told, rulings=self._named_ruling(found.hits))

    def rules_of(self, term: Term) -> list[str]:
        """The rules that say how a term works: for a heading, those below it."""
        told: list[str] = []
        for ref in term.rules:
            told += [line.ref for line in self._outlines.of(ref)] if self._outlines.needed(ref) else [ref]
        return told or list(term.rules)

    def _defined(self, sentence: str, refs: Sequence[str], most: int) -> Answer:
        return Answer(
            verdict=UNSAID,
            answer=sentence,
            citations=self._cite.rules(refs, most),
            rulings=(),
            readings=(),
            confidence=1.0,
            verdict_confidence=0.0,
            dates=self._cite.dates,
        )

    def _card(self, name: str) -> Answer:
        """What a card is and does, with the rules of its keywords and the rulings that name it."""
        record = card_record(self.searcher.con, name)
        refs = [line.ref for word in record["keywords"] for line in self._keyword(word)]
        return Answer(
            verdict=UNSAID,
            answer=told(self.searcher.con, name),
            citations=self._cite.rules(refs),
            rulings=tuple(self._cite.ruling(str(one["id"])) for one in record["rulings"][:MOST_RULINGS]),
            readings=(),
            confidence=1.0,
            verdict_confidence=0.0,
            dates=self._cite.dates,
            source="card",
            cards=(name,),
        )

    def _keyword(self, word: str) -> tuple[Line, ...]:
        """The rule that says what a keyword does; with what it introduces where it says nothing by itself."""
        term = self._terms.named(word)
        lines = self._outlines.of(term.rules[0]) if term is not None else ()
        return lines[: 3 if lines and lines[0].statement.endswith(":") else 1]

    def _by_number(self, found: Found) -> Answer:
        """The rules that the question names, quoted; with more words, the ruling that fits them is named."""
        refs = [str(ref) for ref in found.query.rules]
        said, wording, told = self._told(refs[0])
        citations = self._cite.rules([*refs, *told], max(MOST_RULES, len(told) + len(refs)))
        notes = tuple(f"There is no rule {name}." for name in found.query.missing)
        return Answer(
            verdict=UNSAID,
            answer=said,
            citations=citations,
            rulings=self._named_ruling(found.hits),
            readings=(),
            confidence=1.0,
            verdict_confidence=0.0,
            dates=self._cite.dates,
            notes=notes,
            wording=wording,
        )

    def _named_ruling(self, hits: Sequence[Hit]) -> tuple[Cited, ...]:
        """The best ruling to name beside rules that answer, if it is likely enough."""
        fit = [hit.id for hit in hits if hit.kind == "ruling" and hit.score >= NAMED]
        return tuple(self._cite.ruling(name) for name in fit[:1])


def check_question(question: str) -> None:
    """Raise ``InputError`` for an empty question and for one that is far too long."""
    if not question.strip():
        raise InputError("question", "it is empty", 'Ask something, like kb ask "do I draw from an empty deck?"')
    if len(question) > LONGEST:
        what = f"it has {len(question):,} characters, more than the {LONGEST:,} that are read"
        raise InputError("question", what, "Ask in a few sentences")


def _claimed(word: Word, chance: float) -> str:
    """The bare word, where it is sure enough."""
    if word.verdict in BARE:
        return word.verdict if word.chance >= SURE else UNSAID
    return word.verdict if word.chance >= SURE_OTHER and chance >= RIGHT else UNSAID


def _source(reply: Reply) -> str:
    if isinstance(reply, Abstention):
        return ""
    return reply.rulings[0].id if reply.rulings else reply.citations[0].ref


def _asked_of(word: Word, cited: Cited, verdicts: Verdicts) -> bool:
    """Whether the question that gave the word is one of this ruling's."""
    return any(one.question == word.question for one in verdicts.of(Target("ruling", cited.id)))


def _readings(lead: Cited) -> tuple[View, ...]:
    """Both readings, where a ruling is disputed or the rules leave it open.

    Their words answer the ruling's first question, which need not be the one asked, so the sentences speak alone.
    """
    if lead.standing != "disputed" and lead.verdict != "open":
        return ()
    views = ((lead.verdict, lead.answer, "the rules"), (lead.said_verdict, lead.said_answer, ", ".join(lead.origin)))
    return tuple(View(UNSAID, fitted(answer, own, UNSAID)[0], source) for own, answer, source in views)


def _notes(cited: list[Cited]) -> tuple[str, ...]:
    """What people say where it does not hold, and why not."""
    notes = []
    for one in cited:
        if one.differs:
            origin = ", ".join(one.origin)
            sentence = fitted(one.said_answer, one.said_verdict, UNSAID)[0]
            said = f"The ruling {one.id} ({origin}) says otherwise: {sentence}"
            notes.append(" ".join([said, *(f"Why it does not hold: {why}" for why in one.why[:1])]))
        if one.changed:
            notes.append(f"It was right under an earlier edition: {one.changed}")
    return tuple(notes)
