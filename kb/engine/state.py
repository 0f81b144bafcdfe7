"""The state of a game: players, game objects, chain items, effects that last (119-124, 127, 327-331).

Plain mutable records; every change goes through :mod:`kb.engine.game` and the actions, which tell the trace and the
cleanups about it. An object becomes a new one when it enters or leaves a zone off the board (124): the old record
stays behind with ``gone`` set, its last known traits, and the ``successor`` it became.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from kb.cards.syntax import Ability, CardDefinition, Cost, Effect, KeywordUse, Mods, Replacement, Rule, Triggered
from kb.engine.zones import BOARD, Zone

if TYPE_CHECKING:
    from kb.engine.layers import Traits

PlayerName = str
Location = int | str
"""A battlefield's id, or the name of the player whose base it is."""


@dataclass(eq=False, slots=True)
class Thing:
    """A game object (119-124): a card or token in a zone.

    ``battlefield`` is the battlefield object's id where it is at one (units, gear, facedown cards); ``owner`` never
    changes (127); ``marks`` is damage by the player who marked it (142.3); ``named`` what was named as it entered;
    ``replaced`` the id of the card in Banishment that a token replaces (438.5).
    """

    id: int
    body: int
    card: CardDefinition
    owner: PlayerName
    controller: PlayerName | None
    zone: Zone
    battlefield: int = 0
    base: PlayerName = ""
    token: bool = False
    exhausted: bool = False
    stunned: bool = False
    empowered: bool = False
    buffs: int = 0
    marks: Counter[PlayerName] = field(default_factory=Counter)
    attached_to: int = 0
    attached_turn: int = 0
    designation: str = ""
    fought: set[str] = field(default_factory=set)
    hidden_turn: int = 0
    entered: int = 0
    timestamp: int = 0
    moves_this_turn: int = 0
    copied: CardDefinition | None = None
    named: dict[str, object] = field(default_factory=dict)
    replaced: int = 0
    banished_by: int = 0
    gone: bool = False
    successor: int = 0
    last: Traits | None = None
    last_location: Location | None = None
    contested_by: PlayerName | None = None
    staged_showdown: bool = False
    staged_combat: bool = False

    @property
    def damage(self) -> int:
        """Damage marked on it (142)."""
        return sum(self.marks.values())

    @property
    def attacks(self) -> bool:
        """Whether it has the Attacker designation (464.2.c)."""
        return self.designation == "attacker"

    @property
    def defends(self) -> bool:
        """Whether it has the Defender designation (464.2.c)."""
        return self.designation == "defender"

    @property
    def location(self) -> Location | None:
        """The battlefield's id, or the player whose base it is in; None off the locations (197-199)."""
        if self.gone:
            return None
        if self.zone is Zone.BASE:
            return self.base
        if self.zone is Zone.BATTLEFIELD:
            return self.battlefield or self.id
        return None

    @property
    def place(self) -> Location | None:
        """The battlefield that it is, else its location: what "here" is in its text."""
        return self.id if "battlefield" in self.card.types else self.location

    @property
    def holder(self) -> PlayerName:
        """Its controller, or its owner where nobody controls it."""
        return self.controller or self.owner

    @property
    def on_board(self) -> bool:
        """Whether it is in a zone of the board and still this object."""
        return not self.gone and self.zone in BOARD

    @property
    def definition(self) -> CardDefinition:
        """Its copyable traits: printed, or copied (477.1.b.1)."""
        return self.copied or self.card


@dataclass(eq=False, slots=True)
class Player:
    """A player: score, resources and what is remembered about the turn."""

    name: PlayerName
    team: int
    points: int = 0
    xp: int = 0
    energy: int = 0
    power: Counter[str] = field(default_factory=Counter)
    restricted: list[Restricted] = field(default_factory=list)
    scored: set[int] = field(default_factory=set)
    disqualified: set[int] = field(default_factory=set)
    played: list[int] = field(default_factory=list)
    turns: int = 0
    chosen_champion: str = ""
    lost: bool = False
    no_legend: bool = False


@dataclass(slots=True)
class Restricted:
    """Resources that can only be spent on something (``only_for`` spells, 429)."""

    only_for: str
    energy: int = 0
    power: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Happening:
    """Something that happened, as triggers and conditions see it (370.1.a).

    ``thing`` is what it happened to, ``player`` who did it or whose it is, ``using`` the chain item that caused it.
    ``place`` and ``origin`` are battlefield ids or 0 for a base.
    """

    verb: str
    thing: Thing | None = None
    player: PlayerName | None = None
    by: PlayerName | None = None
    using: ChainItem | None = None
    source: Thing | None = None
    place: Location | None = None
    origin: Location | None = None
    amount: int = 0
    alone: bool = False
    word: str = ""
    item: ChainItem | None = None
    in_combat: bool = False
    things: tuple[str, ...] = ()

    @property
    def doer(self) -> PlayerName | None:
        """Who did it, or whose it is where nobody did."""
        return self.by or self.player

    @property
    def subject(self) -> Thing | PlayerName | None:
        """What it happened to: an object, else a player."""
        return self.thing or self.player


Value = object
Bindings = dict[str, "Value"]


@dataclass(eq=False, slots=True)
class ChainItem:
    """A card, token or ability on the chain (328-329), pending until it is finalized."""

    id: int
    controller: PlayerName
    kind: str
    thing: Thing | None = None
    ability: Ability | None = None
    source: Thing | None = None
    source_name: str = ""
    effect: Effect = ()
    pending: bool = True
    event: Happening | None = None
    they: PlayerName | None = None
    here: Location | None = None
    chosen: dict[tuple[int, int, str], list[object]] = field(default_factory=dict)
    nouns: dict[tuple[int, int, str], object] = field(default_factory=dict)
    destinations: dict[tuple[int, int, str], Location] = field(default_factory=dict)
    modes: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    paid: set[str] = field(default_factory=set)
    repeats: int = 0
    destination: Location | None = None
    entry: Location | None = None
    """The location chosen for the unit to enter at, whatever replaces it then (369.3)."""
    origin: Zone = Zone.HAND
    hidden_at: int = 0
    terms: PlayTerms | None = None
    bindings: Bindings = field(default_factory=dict)
    named: Bindings = field(default_factory=dict)
    result: Thing | None = None
    resolving: bool = False
    left: bool = False
    opened_by: str = ""
    by_action: bool = False
    fixed_here: bool = False
    ambushed: bool = False
    declined: bool = False
    nobody: bool = False
    payers: list[str] = field(default_factory=list)
    counted: bool = False
    limit_key: tuple[object, ...] = ()
    """Which ability of which object a limit each turn counts (383.3.e); empty where nothing is counted."""
    finalized_at: int = 0
    base_cost: tuple[int, int] = (0, 0)
    """Energy and Power as printed (206)."""

    @property
    def base_numbers(self) -> dict[str, int]:
        """Its base cost by the names that texts use (206)."""
        return dict(zip(("energy", "power"), self.base_cost, strict=True))

    @property
    def is_ability(self) -> bool:
        """Whether it is an activated or triggered ability."""
        return self.kind == "ability"

    @property
    def is_spell(self) -> bool:
        """Whether it is a spell."""
        return self.kind == "spell"

    @property
    def is_permanent(self) -> bool:
        """Whether it is a unit or gear that will enter the board."""
        return self.kind == "permanent"

    @property
    def name(self) -> str:
        """What players call it: the card, or the source's ability."""
        if self.thing is not None:
            return self.thing.definition.name
        return f"{self.source_name} ability"


@dataclass(frozen=True)
class PlayTerms:
    """How a card is played: what the effect or permission that lets it be played says (356.1, 419.3)."""

    ignoring: str = ""
    reduced_energy: int = 0
    reduced_power: int = 0
    instead: Cost | None = None
    place: Location | None = None
    anywhere: tuple[Location, ...] = ()
    ready: bool | None = None
    leaving: str = ""
    keywords: tuple[KeywordUse, ...] = ()
    by_effect: bool = False
    copy_of: CardDefinition | None = None


@dataclass(eq=False, slots=True)
class Lasting:
    """An effect that lasts: continuous mods on fixed objects, or a delayed ability (389-392, 477).

    ``ids`` are the objects it applies to; ``until`` its duration; ``snapshot`` the Might change fixed when it began
    (477.3.b).
    """

    id: int
    controller: PlayerName
    until: str
    turn: int
    timestamp: int
    source: Thing | None = None
    ids: tuple[int, ...] = ()
    mods: Mods | None = None
    snapshot: int = 0
    ability: Ability | None = None
    bindings: Mapping[str, Value] = field(default_factory=dict)
    uses: int = 0
    remaining: int = -1
    here: Location | None = None
    gain_control: bool = False
    maker: ChainItem | None = None
    recall: bool = False


class Step(Enum):
    """Where a showdown or combat stands; ``AGAIN`` is a combat that is staged once more (466.3.d.1)."""

    OPENING = "opening"
    SHOWDOWN = "showdown"
    DAMAGE = "damage"
    RESOLUTION = "resolution"
    AGAIN = "again"
    CLOSING = "closing"


@dataclass(eq=False, slots=True)
class Struggle:
    """The showdown or combat in progress (341-348, 459-466)."""

    battlefield: int
    combat: bool
    attacker: PlayerName | None = None
    defender: PlayerName | None = None
    focus: PlayerName | None = None
    passed: list[PlayerName] = field(default_factory=list)
    seen: set[tuple[int, str]] = field(default_factory=set)
    step: Step = Step.SHOWDOWN
    recalled: bool = False
    result: dict[PlayerName, str] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class State:
    """All of a game's state."""

    players: dict[PlayerName, Player] = field(default_factory=dict)
    order: list[PlayerName] = field(default_factory=list)
    things: dict[int, Thing] = field(default_factory=dict)
    zones: dict[tuple[Zone, PlayerName], list[int]] = field(default_factory=dict)
    board: dict[int, Thing] = field(default_factory=dict)
    battlefields: list[int] = field(default_factory=list)
    chain: list[ChainItem] = field(default_factory=list)
    lasting: list[Lasting] = field(default_factory=list)
    turn_player: PlayerName = ""
    turn: int = 0
    phase: str = "setup"
    extra_turns: list[PlayerName] = field(default_factory=list)
    struggle: Struggle | None = None
    victory_score: int = 8
    winner: tuple[PlayerName, ...] = ()
    over: bool = False
    priority: PlayerName | None = None
    passed: set[PlayerName] = field(default_factory=set)
    invited: PlayerName | None = None
    clock: int = 0
    tallies: Counter[tuple[object, ...]] = field(default_factory=Counter)
    used: Counter[tuple[object, ...]] = field(default_factory=Counter)
    turns_left: int = -1
    mode: str = "duel"
    best_of: int = 3
    match_wins: Counter[PlayerName] = field(default_factory=Counter)
    match_result: str = "undecided"
    elimination: bool = False
    sudden_death: bool = False


__all__ = [
    "Bindings",
    "ChainItem",
    "Happening",
    "Lasting",
    "Location",
    "PlayTerms",
    "Player",
    "PlayerName",
    "Replacement",
    "Restricted",
    "Rule",
    "State",
    "Step",
    "Struggle",
    "Thing",
    "Triggered",
    "Value",
]
