"""Which rule of one edition is which rule of another, told by text and place, never by number alone.

First come texts that both editions have exactly once, then repeated texts told apart by what stands
around them, then the most alike of what is left, and last the rules that were cut out of others or
went into them. Every link has a confidence between 0 and 1: how alike the words are, and how
well the links of the neighbours agree.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import log

from rapidfuzz import fuzz
from rapidfuzz.distance import Indel

from kb.ids import parent_number, sort_key
from kb.model import RuleBook
from kb.sources.links import Crosswalk, Kind, Link
from kb.sources.words import comparable

CANDIDATES = 8
RARE = 14  # the rarest words of a rule, by which candidates are found
COMMON = 300  # a word that this many rules have tells nothing
ALIKE = 0.6  # least likeness of a reworded rule, in words
NEAR = 0.36  # the same, where parent and neighbour agree
HELD = 0.86  # least likeness of a rule's text to a stretch of the rule that took it over


def crosswalk(old: RuleBook, new: RuleBook) -> Crosswalk:
    """Link the rules of two editions of one document."""
    matching = _Matching(_Side(old), _Side(new))
    matching.link_unique()
    matching.link_repeated()
    matching.link_alike()
    matching.link_repeated()
    matching.link_renamed()
    links = list(matching.links())
    links = _own_number_first([*links, *_cut_out(matching)])
    return Crosswalk(old.document, new.document, tuple(_in_order(matching, links)))


class _Side:
    """One edition, as needed for comparing: words of each rule, parents, neighbours, places of texts."""

    def __init__(self, book: RuleBook) -> None:
        self.numbers = list(book.rules)
        self.text = {number: comparable(rule.text) for number, rule in book.rules.items()}
        self.row = {number: said.split() for number, said in self.text.items()}
        self.lead = {number: comparable(rule.statement).split() for number, rule in book.rules.items()}
        self.words = {number: frozenset(said) for number, said in self.row.items()}
        self.place = {number: at for at, number in enumerate(self.numbers)}
        self.having: dict[str, list[str]] = defaultdict(list)
        for number, said in self.text.items():
            self.having[said].append(number)
        self.with_word: dict[str, list[str]] = defaultdict(list)
        for number, words in self.words.items():
            for word in words:
                self.with_word[word].append(number)

    def neighbour(self, number: str, step: int) -> str | None:
        at = self.place[number] + step
        return self.numbers[at] if 0 <= at < len(self.numbers) else None

    def sharing(self, words: Iterable[str], count: int = CANDIDATES, *, long: bool = False) -> list[str]:
        """The rules that share most of the rarest of these words; ``long`` ones are not held against them."""
        known = sorted((len(there), word) for word in words if (there := self.with_word.get(word)))
        score: dict[str, float] = defaultdict(float)
        for size, word in known[:RARE]:
            if size <= COMMON:
                tells = log(1 + len(self.numbers) / size)
                for number in self.with_word[word]:
                    score[number] += tells

        def rank(number: str) -> tuple[float, int]:
            return -score[number] / (1 if long else 8 + len(self.words[number])), self.place[number]

        return sorted(score, key=rank)[:count]


def alike(old: _Side, one: str, new: _Side, other: str) -> float:
    """How alike two rules are, word by word: as a whole, or without their examples where those changed."""
    whole: float = Indel.normalized_similarity(old.row[one], new.row[other])
    lead: float = Indel.normalized_similarity(old.lead[one], new.lead[other])
    return max(whole, 0.95 * lead if len(old.lead[one]) > 3 else 0.0)


class _Matching:
    """The links made so far, in both directions."""

    def __init__(self, old: _Side, new: _Side) -> None:
        self.old = old
        self.new = new
        self.to_new: dict[str, str] = {}
        self.to_old: dict[str, str] = {}

    def add(self, old: str, new: str) -> None:
        self.to_new[old] = new
        self.to_old[new] = old

    def context(self, old: str, new: str) -> float:
        """Between 0 and 1: how many of parent, neighbour before and neighbour after are linked alike."""
        said = 0.0
        above = parent_number(old), parent_number(new)
        if above == (None, None):
            said += 0.25 if old == new else 0.0
        elif above[0] and above[1] and self.to_new.get(above[0]) == above[1]:
            said += 0.5
        for step in (-1, 1):
            near = self.old.neighbour(old, step), self.new.neighbour(new, step)
            if near[0] and near[1] and self.to_new.get(near[0]) == near[1]:
                said += 0.25
        return said

    def drift(self, old: str, new: str) -> float:
        """How far ``new`` lies from where the link before ``old`` would put it, in rules."""
        at = self.old.place[old]
        for back in range(1, 60):
            if at - back < 0:
                break
            before = self.to_new.get(self.old.numbers[at - back])
            if before:
                return abs(self.new.place[new] - self.new.place[before] - back)
        return float(abs(self.new.place[new] - at))

    def link_unique(self) -> None:
        """Texts that both editions have exactly once."""
        for said, numbers in self.old.having.items():
            there = self.new.having.get(said, [])
            if said and len(numbers) == 1 and len(there) == 1:
                self.add(numbers[0], there[0])

    def link_repeated(self) -> None:
        """The same text several times: the pairs whose surroundings agree most, best first."""
        pairs = [
            (old, new)
            for said, numbers in self.old.having.items()
            for old in numbers
            if old not in self.to_new
            for new in self.new.having.get(said, ())
            if new not in self.to_old
        ]
        for _ in range(3):
            scored = sorted(((self.context(*pair), -self.drift(*pair), pair) for pair in pairs), reverse=True)
            made = [pair for _, _, pair in scored if self._take(pair)]
            pairs = [(old, new) for old, new in pairs if old not in self.to_new and new not in self.to_old]
            if not made:
                break

    def _take(self, pair: tuple[str, str]) -> bool:
        old, new = pair
        if old in self.to_new or new in self.to_old:
            return False
        self.add(old, new)
        return True

    def link_alike(self) -> None:
        """The most alike of the rest; those that few words tell apart need surroundings that agree."""
        pairs = {
            (old, new): alike(self.old, old, self.new, new)
            for old in self.old.numbers
            if old not in self.to_new and self.old.text[old]
            for new in self._candidates(old)
        }
        for least, around in ((0.9, 0.0), (ALIKE, 0.0), (NEAR, 0.5), (NEAR, 0.5)):
            ranked = sorted(
                ((like + 0.3 * self.context(*pair), pair) for pair, like in pairs.items() if like >= least),
                key=lambda one: (-one[0], sort_key(one[1][0])),
            )
            for _, pair in ranked:
                if around <= self.context(*pair):
                    self._take(pair)

    def _candidates(self, old: str) -> list[str]:
        """Rules of the newer edition that share telling words with ``old``, and its number and place there."""
        best = self.new.sharing(self.old.words[old])
        if old in self.new.place:
            best.append(old)
        above = parent_number(old)
        parent = self.to_new.get(above) if above else None
        if parent:
            at = self.new.place[parent]
            best += [new for new in self.new.numbers[at : at + 25] if parent_number(new) == parent]
        return [new for new in dict.fromkeys(best) if new not in self.to_old]

    def link_renamed(self) -> None:
        """Headings with a new name: most of what stands below one stands below the other."""
        below: dict[str, Counter[str]] = defaultdict(Counter)
        for old, new in self.to_new.items():
            above, there = parent_number(old), parent_number(new)
            if above and there and above not in self.to_new:
                below[above][there] += 1
        for above, counts in below.items():
            there, count = counts.most_common(1)[0]
            if above in self.old.place and there in self.new.place and count >= max(2, 0.6 * counts.total()):
                self._take((above, there))

    def links(self) -> Iterable[Link]:
        """The one-to-one links with their kind."""
        for old, new in self.to_new.items():
            around = self.context(old, new)
            if self.old.text[old] == self.new.text[new]:
                unique = len(self.old.having[self.old.text[old]]) == 1
                sure = 1.0 if unique or around == 1 else 0.7 + 0.3 * around
                yield Link(old, new, Kind.SAME if old == new else Kind.RENUMBERED, round(sure, 2))
            else:
                sure = min(0.99, 0.2 + 0.6 * alike(self.old, old, self.new, new) + 0.2 * around)
                yield Link(old, new, Kind.REWORDED, round(sure, 2))


def _cut_out(matching: _Matching) -> list[Link]:
    """Links of rules that went into another one or were cut out of it, and the rules that have none."""
    old, new = matching.old, matching.new
    found: list[Link] = []
    for number in new.numbers:
        if number not in matching.to_old:
            kind, (source, sure) = Kind.SPLIT, _holder(number, new, old, matching.to_old, matching.to_new)
            found.append(Link(source, number, kind if source else Kind.NEW, sure))
    for number in old.numbers:
        if number not in matching.to_new:
            kind, (target, sure) = Kind.MERGED, _holder(number, old, new, matching.to_new, matching.to_old)
            found.append(Link(number, target, kind if target else Kind.GONE, sure))
    return found


def _own_number_first(links: list[Link]) -> list[Link]:
    """Of a rule that was cut in two, the piece under the old number is the rule and the other was cut out."""
    pieces = {one.old for one in links if one.kind is Kind.SPLIT and one.old == one.new}
    other = {Kind.SPLIT: Kind.REWORDED, Kind.REWORDED: Kind.SPLIT}
    return [
        Link(one.old, one.new, other[one.kind], one.confidence)
        if one.old in pieces and (one.kind is Kind.REWORDED or one.old == one.new)
        else one
        for one in links
    ]


def _holder(
    number: str, own: _Side, other: _Side, linked: Mapping[str, str], back: Mapping[str, str]
) -> tuple[str, float]:
    """The rule of the other side that holds the text of ``number`` and has a counterpart of its own, or "".

    A rule nearby (the counterpart of its parent or of a neighbour) may be as short as the text itself;
    another one has to be longer, or it is merely built alike.
    """
    said = own.text[number]
    near = dict.fromkeys(linked[one] for one in _around(number, own) if one in linked)
    best = other.sharing(own.words[number], long=True)
    chosen: tuple[str, float] = "", 0.0
    for one in dict.fromkeys([*best, *near]):
        held = other.text[one]
        longer = len(held) >= (1 if one in near else 1.3) * len(said)
        if one not in back or not longer or len(own.row[number]) < (3 if one in near else 8):
            continue
        like = fuzz.partial_ratio(said, held) / 100
        if like >= (HELD if one in near else HELD + 0.06) and like > chosen[1]:
            chosen = one, round(like * (0.95 if one in near else 0.85), 2)
    return chosen if chosen[0] else ("", _alone(number, own, other))


def _around(number: str, side: _Side) -> Sequence[str]:
    """Parent, siblings next to it and the rules before and after."""
    above = parent_number(number)
    found = [one for step in (-2, -1, 1, 2) if (one := side.neighbour(number, step))]
    return [above, *found] if above else found


def _alone(number: str, own: _Side, other: _Side) -> float:
    """How sure it is that a rule has no counterpart: the less like anything, the surer."""
    best = other.sharing(own.words[number], 3)
    return round(1 - 0.5 * max((alike(own, number, other, one) for one in best), default=0.0), 2)


def _in_order(matching: _Matching, links: Iterable[Link]) -> list[Link]:
    """In the order of the newer edition, with what is gone where it would stand."""

    def key(link: Link) -> tuple[float, int]:
        if link.new:
            return matching.new.place[link.new], 1
        at = matching.old.place[link.old]
        for back in range(at - 1, -1, -1):
            before = matching.to_new.get(matching.old.numbers[back])
            if before:
                return matching.new.place[before] + 0.5, at
        return -1.0, at

    return sorted(links, key=key)
