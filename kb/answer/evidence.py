"""Is there enough to answer? What a search found, as numbers, and the words that speak against an answer.

One of them (``topic``) is itself a learnt model of the question's vector: do questions of this kind have an answer
here? The numbers feed a small learnt model (``weights.json``, ``gate``) whose outcome is the chance that our
documents do not answer; its threshold was set on the tuning questions. The words are those of other games, of advice
and of matters outside the documents; none of them decides alone.
"""

from __future__ import annotations

import math
import re

import numpy as np
import numpy.typing as npt

from kb.search.encoder import SIZE
from kb.search.features import NAMES as COLUMNS
from kb.search.index import Floats
from kb.search.query import Query
from kb.search.ranker import load_model
from kb.search.searcher import Found, Searcher

NAMES = (
    "chance", "chance_ruling", "chance_rule", "second", "like", "like_refused", "refused_less_like", "refused_share",
    "cover", "cover_best", "unknown", "unknown_share", "other_game", "advice", "outside", "orders", "missing", "exact",
    "cards", "cards_missing", "words", "short", "like_five", "lexical", "names_game", "odd_name", "terms",
    "refused_weight", "refused_five", "tournament", "shared", "cover_refused", "cover_refused_less", "asked",
    "asked_less", "refused_asked", "uncovered", "topic", "number_missing", "why",
    "nowhere", "nowhere_share", "nowhere_refused", "lean", "lean_most",
)  # fmt: skip

TOPIC = tuple(f"v{at}" for at in range(SIZE))  # columns of ``topic``: a vector's components
SHARP = 25.0
_MARKS = {
    "other game": (
        "magic|magic the gathering|mtg|mtga|commander format|edh|hearthstone|battlegrounds|yu-?gi-?oh|ygo|"
        "pok[eé]mon|"
        "ptcg|lorcana|one piece|flesh and blood|digimon|star wars|swu|runeterra|lor|gwent|marvel snap|"
        "snap|keyforge|netrunner|"
        "vanguard|weiss|cardfight|dragon ball|uno|poker|blackjack|chess|catan|monopoly|d&d|dnd|dungeons|"
        "warhammer|tft|teamfight|summoners? rift|solo ?q(?:ueue)?|ranked|jungle|jungler|adc|last hit|smite|dota|"
        "valorant|"
        "overwatch|fortnite|planeswalkers?|(?:my|a|basic|play|extra|tap|untap|two|three) lands?|"
        "lands? (?:per|each|every) turn|land drops?|lifelink|deathtouch|trample|first strike|double strike|hexproof|"
        "vigilance|flying|menace|prowess|poison counters?|loyalty|tribute summon|synchro|xyz|pendulum|battlecry|"
        "divine shield|prize cards?|evolve|ink(?:well|able)?|exert(?:ed)?|lore|quest(?:ing)?|fetch ?lands?|"
        "shock ?lands?|dual lands?|commander (?:tax|damage)|quick-?play|trap cards?|back ?row|extra deck|graveyard "
        "order|retreat(?:ing)? cost|don!+|hero (?:power|class)|mana crystals?|mana burn|cantrips?|"
        "sagas?|storm count|cascade|annihilator|monarch|the initiative|venture|sac outlet|life ?link|"
        "special summon|normal summon|fusion summon|link monster|spell speed|gx|vstar|supporter|stadium|bench damage"
    ),
    "advice": (
        "best|better|worth|should (?:i|we|you)|good (?:deck|card|idea|budget)|optimal|ideal|strong(?:est)?|meta|"
        "tier|"
        "matchups?|counters? to|how (?:do|to|can) (?:i|you|we)? ?(?:beat|win against)|rate (?:my|this)|"
        "recommend|advice|"
        "tips?|build|smart|wise|favou?red|combo|curve|ratio|budget|keep this hand|what would you|do (?:yo)?u think|"
        "opinion|overrated|underrated|which (?:deck|legend|champion)"
    ),
    "outside": (
        "price|cost me|dollars?|euros?|buy|sell|sold|shop|store|stock|release date|when (?:is|does|will) the next|"
        "next set|tickets?|entry fee|fee|hotel|venue|schedule|calendar|prizes?|payout|refund|website|discord|app|"
        "download|stream(?:er)?s?|twitch|championship|world champion|who won|booster(?: box)?|pull rates?|grading|"
        "graded|psa|near me|sign ?up|register for|regional|invitation|email|phone number|lawsuit|ceo"
    ),
    "orders": (
        "(?:ignore|disregard|forget) (?:all|any|the|your|previous|everything|that|my)|system prompt|instructions?|"
        "developer mode|pretend|roleplay|jailbreak|you are now|act as|as an ai|answer (?:every|with)|only say|just say|"
        "say yes|poem|joke|song|translate|password|api key|admin|override"
    ),
}
OTHER_GAME, ADVICE, OUTSIDE, ORDERS = (re.compile(rf"\b(?:{words})\b", re.I) for words in _MARKS.values())
HOW_MANY = re.compile(
    r"\b(?:how (?:many|much|long|old|often|far|fast|big|large|high|thick|late)|what (?:percentage|age|time|size)|"
    r"(?:maximum|minimum|max|min|number) (?:number )?of|(?:limit|cap)\b)", re.I,
)  # fmt: skip
NUMBER = re.compile(
    r"\d|\b(?:no limit|any number|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|once|twice|"
    r"single|half|exactly|zero|none|all|every|each)\b", re.I,
)  # fmt: skip
WHY = re.compile(
    r"\bwhy\b|\breasons?\b|\breasoning\b|\bwho (?:made|wrote|designed|drew|illustrated|invented)\b|"
    r"\bdesign(?:er|ers|ed)?\b|\b(?:artist|illustrat\w+|flavou?r|lore|history)\b", re.I,
)  # fmt: skip
GAME = re.compile(r"\briftbound\b", re.I)


def measure(searcher: Searcher, found: Found) -> Floats:
    """The columns of ``NAMES`` for one question."""
    index, query = searcher.index, found.query
    kinds = [index.targets[c].kind for c in found.candidates]
    real = [at for at, kind in enumerate(kinds) if kind != "refusal"]
    refusals = [at for at, kind in enumerate(kinds) if kind == "refusal"]
    column = {name: at for at, name in enumerate(COLUMNS)}
    by_chance = sorted(real, key=lambda at: -float(found.chances[at]))
    top = by_chance[0] if by_chance else None

    def of(name: str, rows: list[int]) -> float:
        return max((float(found.table[at, column[name]]) for at in rows), default=0.0)

    def chance(kind: str) -> float:
        return max((float(found.chances[at]) for at in real if kinds[at] == kind), default=0.0)

    like, refused = of("like_best", real), of("like_best", refusals)
    asked = of("like_question", real)
    cover, cover_refused = of("cover_best", by_chance[:5]), of("cover_best", refusals)
    row_asked = index.row_question | index.row_refused
    five = sorted((float(found.table[at, column["like_best"]]) for at in real), reverse=True)[:5]
    text = query.text
    words = max(1, len(query.words))
    values = {
        "chance": float(found.chances[top]) if top is not None else 0.0,
        "chance_ruling": chance("ruling"),
        "chance_rule": chance("rule"),
        "second": float(found.chances[by_chance[1]]) if len(by_chance) > 1 else 0.0,
        "like": like,
        "like_refused": refused,
        "refused_less_like": refused - like,
        "refused_share": found.refused_share,
        "cover": float(found.table[top, column["cover_all"]]) if top is not None else 0.0,
        "cover_best": of("cover_all", by_chance[:5]),
        "unknown": float(len(query.unknown)),
        "unknown_share": len(query.unknown) / words,
        "other_game": float(bool(OTHER_GAME.search(text))),
        "advice": float(bool(ADVICE.search(text))),
        "outside": float(bool(OUTSIDE.search(text))),
        "orders": float(bool(ORDERS.search(text))),
        "missing": float(bool(query.missing)),
        "exact": float(bool(query.rules)),
        "cards": float(min(3, len(query.cards))),
        "cards_missing": float(found.table[top, column["cards_missing"]]) if top is not None else 0.0,
        "words": float(min(20, words)),
        "short": float(len(query.words) <= 1),
        "like_five": float(np.mean(five)) if five else 0.0,
        "lexical": of("lexical", by_chance[:1]),
        "names_game": float(bool(GAME.search(text))),
        "odd_name": float(bool(query.not_held)),
        "terms": float(min(3, len(query.terms))),
        "refused_weight": _weight(found.like, index.row_refused),
        "refused_five": _best(found.like[index.row_refused]) - _best(found.like[~index.row_refused]),
        "tournament": float(found.table[top, column["is_tournament"]]) if top is not None else 0.0,
        "shared": of("cards_shared", by_chance[:5]),
        "cover_refused": cover_refused,
        "cover_refused_less": cover_refused - cover,
        "asked": asked,
        "asked_less": refused - asked,
        "refused_asked": _weight(found.like[row_asked], index.row_refused[row_asked]),
        "uncovered": _uncovered(searcher, found, by_chance[:3]),
        "topic": _topic(found),
        "number_missing": float(bool(HOW_MANY.search(text)) and not _has_number(searcher, found, by_chance[:2])),
        "why": float(bool(WHY.search(text))),
    }
    values |= _sides(searcher, query)
    return np.array([values[name] for name in NAMES], np.float32)


def _sides(searcher: Searcher, query: Query) -> dict[str, float]:
    """Words of the question that no passage with an answer has, and to which side its words lean (log-odds)."""
    sides = searcher.sides
    counts = [sides.of(stem) for stem in query.words]
    nowhere = [refused for answered, refused in counts if not answered]
    lean = [math.log((refused + 0.5) / (answered + 0.5)) for answered, refused in counts] or [0.0]
    return {
        "nowhere": float(min(4, len(nowhere))),
        "nowhere_share": len(nowhere) / max(1, len(counts)),
        "nowhere_refused": float(min(3, sum(refused > 0 for refused in nowhere))),
        "lean": sum(lean) / len(lean),
        "lean_most": max(lean),
    }


def _topic(found: Found) -> float:
    """What the question's vector alone says: log-odds that nothing answers, 0 where no model was learnt yet."""
    model = load_model("topic", TOPIC)
    if model is None:
        return 0.0
    chance = float(model(topic_vector(found)[None, :])[0])
    return math.log(max(chance, 1e-4) / max(1 - chance, 1e-4))


def topic_vector(found: Found) -> Floats:
    """The question as typed and in the rulebook's words, as one vector of length one."""
    mixed: Floats = found.vectors[found.query.text] + found.vectors[found.query.plain]
    return np.asarray(mixed / max(float(np.linalg.norm(mixed)), 1e-6), np.float32)


def _has_number(searcher: Searcher, found: Found, rows: list[int]) -> bool:
    """Whether a passage of these records gives a number: what is asked with "how many" needs one."""
    texts = (text for row in rows for _, text in searcher.index.texts(found.candidates[row]))
    return any(NUMBER.search(text) for text in texts)


def _uncovered(searcher: Searcher, found: Found, rows: list[int]) -> float:
    """How telling the most telling word is that none of these records has."""
    held = searcher.held(found.query, [found.candidates[row] for row in rows])
    return max((searcher.rarity.of(stem) for stem in found.query.words if stem not in held), default=0.0)


def _weight(like: Floats, chosen: npt.NDArray[np.bool_]) -> float:
    """The share of some passages in all, where likeness counts sharply."""
    share = np.exp((like - like.max()) * SHARP) if like.size else like
    return float(share[chosen].sum() / max(float(share.sum()), 1e-9))


def _best(like: Floats) -> float:
    """The mean of the five greatest."""
    return float(np.mean(np.sort(like)[-5:])) if like.size else 0.0
