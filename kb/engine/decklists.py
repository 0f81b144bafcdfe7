"""Deck construction (101-103, 825) as a check of its own: every rule that a deck breaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from kb.cards.syntax import CardDefinition
from kb.engine.asking import Refusal
from kb.engine.hooks import Hooks
from kb.engine.library import Library

UNCHANGED = Hooks()
"""The hooks of a check that no game makes: no rule is changed."""


@dataclass
class DeckList:
    """A deck as listed. ``partial`` lists only what a question is about: sizes are not checked then."""

    legend: str
    champion: str
    main: dict[str, int] = field(default_factory=dict)
    runes: dict[str, int] = field(default_factory=dict)
    battlefields: list[str] = field(default_factory=list)
    partial: bool = False


def check_deck(library: Library, deck: DeckList) -> list[Refusal]:
    """All violations of deck construction, each with its rule; empty for a legal deck."""
    found: list[Refusal] = []
    legend = library.get(deck.legend) if deck.legend else None
    if legend is None or "legend" not in legend.types:
        if not deck.partial or deck.legend:
            found.append(Refusal("103.1", "a deck has one Champion Legend"))
        legend = None
    found += check_champion(library, deck, legend)
    found += check_main(library, deck, legend)
    found += check_runes(library, deck, legend)
    found += check_battlefields(library, deck, legend)
    return found


def identity_refuses(card: CardDefinition, legend: CardDefinition | None) -> bool:
    """103.1.b.3-4: all of a card's domains must be among the legend's."""
    return legend is not None and not set(card.domains) <= set(legend.domains)


def check_champion(library: Library, deck: DeckList, legend: CardDefinition | None) -> list[Refusal]:
    """103.2.a: a champion unit with a champion tag of the legend."""
    if not deck.champion:
        return [] if deck.partial else [Refusal("103.2.a", "the deck has no Chosen Champion")]
    card = library.need(deck.champion, "deck")
    if "unit" not in card.types or "champion" not in card.supertypes:
        return [Refusal("103.2.a.2", f"{card.name} is no champion unit")]
    if legend is not None and not set(card.tags) & set(legend.tags):
        return [Refusal("103.2.a.2", f"{card.name} has no champion tag of {legend.name}")]
    return []


def check_main(library: Library, deck: DeckList, legend: CardDefinition | None) -> list[Refusal]:
    """103.2: size, copies, Domain Identity, signature cards, Unique."""
    found: list[Refusal] = []
    counts = Counter(deck.main)
    if deck.champion:
        counts[deck.champion] += 1
    if not deck.partial and sum(counts.values()) < 40:
        found.append(Refusal("103.2", f"the Main Deck has {sum(counts.values())} cards, fewer than 40"))
    signature = 0
    for name, number in counts.items():
        card = library.need(name, "deck")
        if not set(card.types) & {"unit", "gear", "spell"} or card.token:
            found.append(Refusal("103.2", f"{name} is no Main Deck card"))
            continue
        if number > 3:
            found.append(Refusal("103.2.b", f"{number} copies of {name}"))
        if any(k.name == "Unique" for k in card.keywords) and number > 1:
            rule = "825.3.a 825.3.b" if "signature" in card.supertypes else "825.3.a"
            found.append(Refusal(rule, f"{number} copies of {name}, which is Unique"))
        if identity_refuses(card, legend):
            found.append(Refusal("103.1.b", f"{name} is outside the Domain Identity"))
        if "signature" in card.supertypes:
            signature += number
            if legend is not None and not set(card.tags) & set(legend.tags):
                found.append(Refusal("103.2.d.2", f"{name} has no champion tag of the legend"))
    if signature > 3:
        found.append(Refusal("103.2.d.1", f"{signature} Signature cards"))
    return found


def check_runes(library: Library, deck: DeckList, legend: CardDefinition | None) -> list[Refusal]:
    """103.3: exactly 12 runes of the Domain Identity."""
    found = []
    total = sum(deck.runes.values())
    if total != 12 and not (deck.partial and not deck.runes):
        found.append(Refusal("103.3.a", f"the Rune Deck has {total} cards, not 12"))
    for name in deck.runes:
        card = library.get(name) or library.need(f"{name} Rune", "deck")
        if "rune" not in card.types:
            found.append(Refusal("103.3.a", f"{name} is no rune"))
        elif identity_refuses(card, legend):
            found.append(Refusal("103.3.a.1", f"{name} is outside the Domain Identity"))
    return found


def check_battlefields(library: Library, deck: DeckList, legend: CardDefinition | None) -> list[Refusal]:
    """103.4: the mode's number, none of them twice."""
    found = []
    if not deck.partial and len(deck.battlefields) != 3:
        found.append(Refusal("103.4.a", f"{len(deck.battlefields)} battlefields, not 3"))
    if len(set(deck.battlefields)) != len(deck.battlefields):
        found.append(Refusal("103.4.c", "a battlefield of the same name twice"))
    for name in deck.battlefields:
        card = library.need(name, "deck")
        if "battlefield" not in card.types or card.token:
            found.append(Refusal("103.4", f"{name} is no battlefield card"))
        elif identity_refuses(card, legend):
            found.append(Refusal("103.4.b", f"{name} is outside the Domain Identity"))
    return found


def check_team(library: Library, decks: Sequence[DeckList], hooks: Hooks = UNCHANGED) -> list[Refusal]:
    """489.8.h-i: what the decks of teammates may not share, on top of what each breaks by itself."""
    found = [refusal for deck in decks for refusal in check_deck(library, deck)]
    for index, deck in enumerate(decks):
        for other in decks[index + 1 :]:
            if deck.legend and deck.legend == other.legend:
                found.append(Refusal("489.8.h", f"both teammates use the legend {deck.legend}"))
            shared = set(deck.battlefields) & set(other.battlefields)
            whole = set(deck.battlefields) == set(other.battlefields)
            if hooks.does("489.8.i") and hooks.value("489.8.i", True, whole):
                for name in sorted(shared):
                    found.append(Refusal("489.8.i", f"both teammates use the battlefield {name}"))
    return found
