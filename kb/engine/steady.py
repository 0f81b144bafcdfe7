"""When traits have to be projected anew.

Most effects reach the same objects, by as much, as long as the board is the same: who is where, under whose control,
attached to what; some turn on XP or on whose turn it is. These inputs then tell whether traits can have changed
(473-480). An effect with a condition, a computed number or a description that looks at anything else is not *steady*;
beside one nothing is told.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from kb.cards.phrases import Condition, Every, Fact, Having, Is, Not, Number, Ref, What
from kb.cards.syntax import Ability, CardDefinition, Continuous, Dependent, KeywordUse, Mods, Rule
from kb.engine.state import Lasting

if TYPE_CHECKING:
    from kb.engine.game import Game

Inputs = tuple[object, ...]

FACTS = attrgetter(
    "id", "card", "copied", "controller", "zone", "battlefield", "base", "attached_to", "attached_turn", "buffs",
    "designation", "empowered", "timestamp",
)  # fmt: skip
"""What of an object steady effects can turn on."""


def inputs(game: Game) -> Inputs | None:
    """All that traits now follow from; None where something that is not steady can alter them."""
    board, lasting = game.state.board.values(), game.state.lasting
    if not all(steady(t.copied or t.card) for t in board) or not all(steady_lasting(e) for e in lasting):
        return None
    players = ((p.name, p.xp) for p in game.state.players.values())
    moment = (game.state.turn, game.state.turn_player)
    return (*moment, *players, *map(FACTS, board), *((e.id, e.ids, e.snapshot) for e in lasting))


def steady(card: CardDefinition) -> bool:
    """Whether a card's passive abilities and effect text are steady; found once for each card."""
    found: bool | None = card.__dict__.get("is_steady")
    if found is None:
        keywords = (*card.keywords, *card.effect_keywords)
        found = all(map(steady_ability, (*card.abilities, *card.effect_abilities))) and all(map(plain, keywords))
        card.__dict__["is_steady"] = found  # kept with the definition, as a cached property would be
    return found


def steady_lasting(effect: Lasting) -> bool:
    """Whether an effect of a resolved spell or ability is steady."""
    if effect.ability is not None and not steady_ability(effect.ability):
        return False
    return effect.mods is None or steady_mods(effect.mods)


def steady_ability(ability: Ability) -> bool:
    """Whether a passive ability is steady; others change no traits."""
    if isinstance(ability, Rule):
        return ability.name != "buffs give"
    if not isinstance(ability, Continuous):
        return True
    return steady_front(ability.dependent) and steady_what(ability.to) and steady_mods(ability.mods)


STATES = frozenset(("mighty", "buffed", "attacking", "defending", "equipped", "attached", "unattached", "empowered"))
"""What an object can be that follows from the board and its traits alone."""

MOMENTS = frozenset(("your turn", "attached this turn", "alone", "one on one", "level", "empowered"))
"""Conditions that follow from the board, the players' XP and whose turn it is."""


def steady_front(dependent: Dependent) -> bool:
    """Whether the conditions in front of an ability follow from what :func:`inputs` gives."""
    condition = dependent.condition
    return not dependent.legion and (condition is None or steady_condition(condition))


def steady_condition(condition: Condition) -> bool:
    """Whether a condition follows from what :func:`inputs` gives."""
    match condition:
        case Not(of=of):
            return steady_condition(of)
        case Every(parts=parts):
            return all(map(steady_condition, parts))
        case Fact(word=word):
            return word in MOMENTS
        case Is(subject=subject, noun=noun):
            return steady_what(subject) and steady_what(noun)
        case _:
            return False


def steady_mods(mods: Mods) -> bool:
    """Whether what an effect does to an object is written down and not computed."""
    amounts = (mods.might, mods.minimum, mods.maximum, mods.might_to, mods.base_might)
    copies = mods.keywords_of is not None or mods.text_of is not None or mods.exhaust_abilities_of is not None
    return (
        all(a is None or isinstance(a, Number) for a in amounts)
        and not copies
        and not any(d.startswith("$") for d in mods.domains)
        and all(map(plain, (*mods.keywords, *mods.ability_keywords)))
        and all(map(steady_ability, mods.abilities))
    )


def plain(use: KeywordUse) -> bool:
    """Whether a keyword's value is a plain number, or it has none."""
    return use.value is None or isinstance(use.value, Number)


def steady_what(what: What) -> bool:
    """Whether a phrase describes objects by what they are, whose they are and where they are."""
    if isinstance(what, Ref):
        return what.name in ("me", "this") and not what.path
    if not STATES.issuperset(what.states) or what.comparisons or not all(isinstance(h, Having) for h in what.having):
        return False
    place = what.place
    if place is None or place.kind in ("here", "base"):
        return True
    return place.noun is not None and steady_what(place.noun)
