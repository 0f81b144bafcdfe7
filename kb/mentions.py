"""Rules, cards and terms that a piece of prose names: find, classify, resolve.

``find_mentions`` returns non-overlapping spans in order. A mention is *resolved* where exactly one
thing can be meant; where two candidates remain it stays unresolved and says which. How a name was
recognised is kept (``How``), so that a caller can trust an exact name more than a likely misspelling.

Prose and questions differ: in prose a card whose name is ordinary words must be capitalised, in a
question (``loose=True``) nobody reaches for the shift key.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from enum import StrEnum

from kb.ids import DEFAULT_DOCUMENT, RuleRef

_LEVELS = r"\d{3}(?:\.(?:\d{1,2}|[a-z](?![a-z])))*"
_RULE = re.compile(
    rf"(?P<document>\b(?:core|tournament)-\d[\d.-]*\d):(?P<full>{_LEVELS})"
    rf"|\b(?P<cue>(?:[Rr]ules?|[Ss]ee|CR|TR|[Ss]ections?|§)\s*)(?P<cued>{_LEVELS})"
    rf"|(?<![\w.$:])(?P<bare>\d{{3}}(?:\.(?:\d{{1,2}}|[a-z](?![a-z])))+)(?!\w)"
)
_NEXT_RULE = re.compile(rf"\s*(?:,|and|or|to|through|[-–])\s+(?:rules? )?(?P<number>{_LEVELS})(?!\w)")
_WORD = re.compile(r"[^\W_]+(?:['’\-][^\W_]+)*['’]?")
_OWNED = re.compile(r"['’]s?$")
_CONTRACTED = re.compile(  # without apostrophes, as ``normal`` writes them: "theyre", "dont"
    r"(?:i|you|we|they|he|she|it|that|there|this|these|those|who|what|where|when|how|why|yall)(?:m|re|ve|ll|d|s)"
    r"|(?:do|does|did|is|are|was|were|has|have|had|ca|could|should|would|must|need|might|ai|wo)nt"
    r"|(?:could|should|would|must|might)(?:nt)?ve|lets|im|ive"
)
_ENDINGS = ("s", "es", "d", "ed", "ing")  # of a name that is used as a verb or for several: "Hidden Blades my unit"
_DOCUMENT_OF_CUE = {"CR": "core-1.4", "TR": "tournament-2026-07"}
LONGEST_NAME = 7
LIKE_ENOUGH = 0.84
REMEMBERED = 5000


class Kind(StrEnum):
    """What is named."""

    RULE = "rule"
    CARD = "card"
    TERM = "term"


class How(StrEnum):
    """How it was recognised, most certain first."""

    EXACT = "exact"
    NICKNAME = "nickname"
    SHORT = "short"  # "Jinx" for "Jinx, Rebel", "Dreaming Tree" without its article
    EARLIER = "earlier"  # a short name whose full name stands in the same text
    WORD = "word"  # a word that only this card's name has
    MISSPELT = "misspelt"
    DOUBTFUL = "doubtful"  # ordinary words that are also a card's name
    MISSING = "missing"  # a rule number that does not exist


_NAMED = {How.EXACT, How.NICKNAME}
_CERTAIN = {How.EXACT, How.NICKNAME, How.SHORT, How.EARLIER, How.WORD, How.MISSPELT}


@dataclass(frozen=True, slots=True)
class Mention:
    """One span of the text and what it may mean."""

    start: int
    end: int
    text: str
    kind: Kind
    how: How
    candidates: tuple[str, ...]

    @property
    def resolved(self) -> str | None:
        """What is meant, where only one thing can be."""
        return self.candidates[0] if len(self.candidates) == 1 and self.how in _CERTAIN else None


@dataclass(frozen=True)
class Names:
    """Ways to say each card and term: normalised key -> (kind, how, candidates).

    ``ordinary`` are the words of everyday rules prose: a name made of them alone needs care.
    ``common`` are the words of the language at large: such a word is never a misspelt name.
    """

    keys: Mapping[str, tuple[Kind, How, tuple[str, ...]]]
    ordinary: frozenset[str] = frozenset()
    common: Container[str] = frozenset()
    _by_size: dict[int, list[str]] = field(default_factory=dict, compare=False, repr=False)
    _like: dict[str, tuple[float, str]] = field(default_factory=dict, compare=False, repr=False)
    _longest: dict[str, int] = field(default_factory=dict, compare=False, repr=False)

    def longest_from(self, word: Token) -> int:
        """How many words the longest key has that begins with this word; 0 for none."""
        if not self._longest:
            for key in self.keys:
                first, size = key.partition(" ")[0], key.count(" ") + 1
                self._longest[first] = max(self._longest.get(first, 0), size)
        return max(self._longest.get(word.normal, 0), self._longest.get(word.owner, 0))

    def of_size(self, words: int) -> list[str]:
        """Keys of cards with this many words, for the search of misspellings."""
        if not self._by_size:
            for key, (kind, how, _) in self.keys.items():
                if kind is Kind.CARD and how is not How.WORD and key not in self.ordinary:
                    self._by_size.setdefault(key.count(" ") + 1, []).append(key)
        return self._by_size.get(words, [])

    def most_like(self, said: str, words: int) -> tuple[float, str]:
        """The key of so many words that ``said`` is most like, and how much; remembered."""
        if said not in self._like:
            if len(self._like) > REMEMBERED:
                self._like.clear()
            self._like[said] = max(((_likeness(said, key), key) for key in self._near(said, words)), default=(0.0, ""))
        return self._like[said]

    def _near(self, said: str, words: int) -> list[str]:
        """The keys that could be like enough: the longest common subsequence is never shorter than common blocks."""
        from rapidfuzz import process
        from rapidfuzz.distance import Indel

        near = process.extract(
            said, self.of_size(words), scorer=Indel.normalized_similarity, score_cutoff=LIKE_ENOUGH - 1e-6, limit=None
        )
        return [key for key, _, _ in near]


@dataclass(frozen=True, slots=True)
class Token:
    """A word of the text: its span, its normal form, and that form without a possessive."""

    start: int
    end: int
    normal: str
    owner: str
    capital: bool
    opens: bool  # a sentence


def normal(word: str) -> str:
    """Lower case, without apostrophes: "Zhonya's" -> "zhonyas"."""
    return word.lower().replace("’", "").replace("'", "")


def normal_name(name: str) -> str:
    """The key of a name: its normal words joined by spaces, punctuation dropped."""
    return " ".join(normal(word) for word in _WORD.findall(name))


def tokens(text: str) -> list[Token]:
    """The words of ``text``."""
    found: list[Token] = []
    for match in _WORD.finditer(text):
        said = match.group()
        before = match.start()
        while before and text[before - 1] in " \"“'(*":
            before -= 1
        owner = _OWNED.sub("", said)
        opens = not before or text[before - 1] in ".!?:;\n-•"
        found.append(Token(match.start(), match.end(), normal(said), normal(owner), said[0].isupper(), opens))
    return found


def find_mentions(
    text: str,
    names: Names,
    exists: Callable[[RuleRef], bool] = lambda ref: True,
    document: str = DEFAULT_DOCUMENT,
    *,
    loose: bool = False,
) -> tuple[Mention, ...]:
    """Everything that ``text`` names, in order. ``document`` is that of a bare rule number."""
    rules = find_rules(text, exists, document)
    taken = [(rule.start, rule.end) for rule in rules]
    words = [token for token in tokens(text) if not any(a <= token.start < b for a, b in taken)]
    named = list(_find_names(text, words, names, loose))
    return tuple(sorted([*rules, *_settle(text, words, named)], key=lambda mention: mention.start))


def find_rules(
    text: str, exists: Callable[[RuleRef], bool] = lambda ref: True, document: str = DEFAULT_DOCUMENT
) -> tuple[Mention, ...]:
    """Rule numbers in ``text``: full references, numbers after a cue word, dotted bare numbers."""
    found: list[Mention] = []

    def add(start: int, end: int, ref: RuleRef) -> None:
        how = How.EXACT if exists(ref) else How.MISSING
        found.append(Mention(start, end, text[start:end], Kind.RULE, how, (str(ref),)))

    for match in _RULE.finditer(text):
        if found and match.start() < found[-1].end:
            continue
        cue = (match.group("cue") or "").strip()
        of = match.group("document") or _DOCUMENT_OF_CUE.get(cue, document)
        number = match.group("full") or match.group("cued") or match.group("bare")
        start = match.start() if match.group("document") else match.end() - len(number)
        add(start, match.end(), RuleRef(of, number))
        at = match.end()
        while cue and (more := _NEXT_RULE.match(text, at)):
            add(more.start("number"), more.end(), RuleRef(of, more.group("number")))
            at = more.end()
    return tuple(found)


def _find_names(text: str, words: list[Token], names: Names, loose: bool) -> Iterable[Mention]:
    """Cards and terms, longest first at each word."""
    known = [_is_word(word, names) for word in words]
    at = 0
    while at < len(words):
        longest = max(2, names.longest_from(words[at]))  # two words may be one word of a name
        for size in range(min(longest, LONGEST_NAME, len(words) - at), 0, -1):
            if mention := _match(text, words[at : at + size], names, loose):
                yield mention
                at += size
                break
        else:
            size, misspelt = _misspelt(text, words, known, at, names, loose)
            if misspelt:
                yield misspelt
            at += size


def _match(text: str, words: list[Token], names: Names, loose: bool) -> Mention | None:
    """The name that exactly these words spell, if any."""
    stem = [word.normal for word in words]
    for last in dict.fromkeys((words[-1].normal, words[-1].owner, *(_bare(words[-1]) if loose and stem[:-1] else ()))):
        entry = names.keys.get(" ".join([*stem[:-1], last]))
        if not entry and len(words) == 2:  # "Face Breaker" for "Facebreaker"
            entry = names.keys.get(stem[0] + last)
            entry = entry if entry and entry[1] is How.EXACT and entry[0] is Kind.CARD else None
        if entry:
            kind, how, candidates = entry
            alone = not text[: words[0].start].strip() and not text[words[-1].end :].strip(" ?!.")
            judged = _judge(words, [*stem[:-1], last], kind, how, names, loose, alone)
            start, end = words[0].start, words[-1].end
            return Mention(start, end, text[start:end], kind, judged, candidates) if judged else None
    return None


def _bare(word: Token) -> list[str]:
    """The word without an ending that a name takes as a verb or for several."""
    return [word.normal.removesuffix(one) for one in _ENDINGS if word.normal.endswith(one)]


def _judge(
    words: list[Token], said: list[str], kind: Kind, how: How, names: Names, loose: bool, alone: bool
) -> How | None:
    """How sure we are that these words are the name; None where they are just words."""
    if kind is Kind.TERM:
        return how
    if how is How.WORD:
        if not words[0].capital:
            return how if loose and not _is_word(words[0], names) else None
        return None if words[0].opens and said[0] in names.common else how
    if not all(word in names.ordinary or (not loose and word in names.common) for word in said):
        return how
    if loose and alone:
        return how
    capitals = sum(word.capital for word in words)
    if len(words) > 1:
        return how if loose or capitals >= 2 or (capitals and not words[0].opens) else None
    if capitals and not words[0].opens:
        return how
    return How.DOUBTFUL if capitals or loose else None


def _misspelt(
    text: str, words: list[Token], known: list[bool], at: int, names: Names, loose: bool
) -> tuple[int, Mention | None]:
    """The name that the words from ``at`` nearly spell; only where one of them is an unknown word."""
    if not (loose or words[at].capital):
        return 1, None
    best: tuple[float, int, str] = (0.0, 1, "")
    for size in range(min(4, len(words) - at), 0, -1):
        last = at + size - 1
        if all(known[at : last + 1]):
            break  # fewer words are known too
        if size > 1 and any(known[one] and _is_small(words[one]) for one in (at, last)):
            continue
        said = " ".join([*(word.normal for word in words[at:last]), words[last].owner])
        if len(said) < 5:
            continue
        score, key = names.most_like(said, size)
        if score > best[0]:
            best = (score, size, key)
    if best[0] < LIKE_ENOUGH:
        return 1, None
    _, size, key = best
    start, end = words[at].start, words[at + size - 1].end
    return size, Mention(start, end, text[start:end], Kind.CARD, How.MISSPELT, names.keys[key][2])


def _is_word(word: Token, names: Names) -> bool:
    """Whether this is a word of the language or of the rules, and so nothing misspelt."""
    return (
        word.normal in names.ordinary
        or word.normal in names.common
        or _CONTRACTED.fullmatch(word.normal) is not None
        or (word.owner != word.normal and (word.owner in names.ordinary or word.owner in names.common))
    )


def _is_small(word: Token) -> bool:
    """Whether this is a small word that no name would start or end with where it is one of the language."""
    return not word.capital and len(word.normal) < 4


def _likeness(said: str, key: str) -> float:
    """How alike two short texts are, 0 where they cannot be."""
    if abs(len(said) - len(key)) > 3 or (said[0] != key[0] and said[-1] != key[-1]):
        return 0.0
    matcher = SequenceMatcher(None, said, key, autojunk=False)
    return matcher.ratio() if matcher.quick_ratio() >= LIKE_ENOUGH else 0.0


def _settle(text: str, words: list[Token], found: list[Mention]) -> Iterable[Mention]:
    """Let full names in the same text decide short and doubtful ones, and find parts of them again."""
    sure = {
        m.resolved: normal_name(m.resolved).split()
        for m in found
        if m.kind is Kind.CARD and m.resolved and m.how in _NAMED
    }
    spans = [(mention.start, mention.end) for mention in found]
    for mention in found:
        if mention.kind is Kind.CARD and mention.how not in _NAMED:
            said = [token.owner for token in tokens(mention.text)]
            chosen = [name for name in mention.candidates if name in sure] or _holding(said, sure)
            if len(chosen) == 1:
                span = mention.start, mention.end
                yield Mention(*span, mention.text, Kind.CARD, How.EARLIER, (chosen[0],))
                continue
        yield mention
    for word in words:
        if word.capital and not word.opens and not any(a <= word.start < b for a, b in spans):
            chosen = _holding([word.owner], sure)
            if len(chosen) == 1:
                shown = text[word.start : word.end]
                yield Mention(word.start, word.end, shown, Kind.CARD, How.EARLIER, (chosen[0],))


def _holding(said: list[str], names: Mapping[str, list[str]]) -> list[str]:
    """The names that hold all these words."""
    return [n for n, words in names.items() if all(word in words or word.removesuffix("s") in words for word in said)]
