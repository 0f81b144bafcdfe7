"""The card language: the types that a card's abilities are made of.

Every card is keywords, abilities and (for a spell) instructions. Phrases inside them are the types of
:mod:`kb.cards.phrases`. Everything is frozen data; the engine interprets it, :mod:`kb.cards.printing` prints it, and
:mod:`kb.cards.loading` reads it from YAML. Sources: edition 1.4, 135 (rules text), 360-397 (abilities), 407-444
(game actions), 201-206 (costs).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from kb.cards.phrases import Amount, Condition, Noun, Number, Place, Ref, What

NONE = Number(0)


@dataclass(frozen=True)
class Resources:
    """Energy and Power, as a cost or as what an effect adds.

    ``power`` lists symbols: a domain, ``C`` (a domain of the card) or ``A`` (any); ``any_power`` is a further
    computed number of ``A``.
    """

    energy: Amount = NONE
    power: tuple[str, ...] = ()
    any_power: Amount = NONE


@dataclass(frozen=True)
class CostPart:
    """A non-standard cost (356.7): a game action and what it is done to, or how many."""

    action: str
    what: What | Amount

    @property
    def of_itself(self) -> bool:
        """Whether it is done to the ability's own source."""
        return isinstance(self.what, Ref) and self.what.name in ("me", "this")


@dataclass(frozen=True)
class Cost:
    """A cost (201-206): resources and non-standard parts."""

    resources: Resources = Resources()
    parts: tuple[CostPart, ...] = ()


@dataclass(frozen=True)
class KeywordUse:
    """A keyword on a card or granted by an effect, with its value (``Assault 2``) or cost (``Equip``).

    ``timing`` (``action`` or ``reaction``) and ``to`` are what the text of Equip or Empower says of when it is used
    (818.1.c.5, 827.1.c.4) and of what Equip attaches to.
    """

    name: str
    value: Amount | None = None
    cost: Cost | None = None
    timing: str = ""
    to: What | None = None


@dataclass(frozen=True)
class Mods:
    """What a continuous effect does to an object, by layer (477).

    ``might`` is an increase or decrease, ``minimum`` its floor, ``maximum`` its ceiling; ``might_to`` increases the
    Might to a number; ``base_might`` assigns it (477.1.a.1). ``keywords_of`` gives all keywords of another object;
    ``ability_keywords`` gives keywords to its abilities (820.1.a).
    """

    might: Amount | None = None
    minimum: Amount | None = None
    maximum: Amount | None = None
    might_to: Amount | None = None
    base_might: Amount | None = None
    keywords: tuple[KeywordUse, ...] = ()
    keywords_of: Ref | None = None
    ability_keywords: tuple[KeywordUse, ...] = ()
    lose: tuple[str, ...] = ()
    abilities: tuple[Ability, ...] = ()
    exhaust_abilities_of: Noun | None = None
    text_of: Ref | None = None
    untargetable_by: str = ""
    types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()

    @cached_property
    def layers(self) -> frozenset[int]:
        """The layers in which there is something to do: 1 traits, 2 abilities, 3 and 4 Might up and down (477)."""
        traits = self.types or self.tags or self.domains or self.base_might is not None
        abilities = (
            self.keywords
            or self.keywords_of
            or self.ability_keywords
            or self.lose
            or self.abilities
            or self.exhaust_abilities_of
            or self.text_of
            or self.untargetable_by
        )
        might = self.might is not None or self.might_to is not None
        return frozenset(([1] if traits else []) + ([2] if abilities else []) + ([3, 4] if might else []))


@dataclass(frozen=True)
class Event:
    """A pattern for something that happens: of a trigger, a replacement effect or a delayed ability.

    ``verb`` is the event's name (``dies``, ``attacks``, ``plays``); ``subject`` what it happens to or who does it;
    the rest narrows it. See ``docs/card-language.md`` for every verb and what it may be narrowed by.
    """

    verb: str
    subject: What | None = None
    by: What | None = None
    using: Noun | None = None
    at: Place | None = None
    to: Place | None = None
    origin: Place | None = None
    nth: int = 0
    alone: bool = False
    first_each: str = ""

    @property
    def watches(self) -> str:
        """The event that it looks at: several verbs look at the same one from another side."""
        return WATCHES.get(self.verb, self.verb)


WATCHES = {"played": "plays", "kills": "dies", "deals_damage": "takes_damage", "discarded": "discards"}


@dataclass(frozen=True)
class Instruction:
    """One instruction (135.2.b): a game action or a structure around others, with its complement.

    ``args`` maps the argument names of the verb (``docs/card-language.md``) to phrases, effects or plain values.
    ``only_if`` guards it; ``may`` makes it optional for ``who`` at resolution; ``bind`` names what it acted on;
    ``then`` runs if it was performed ("if you do"), ``otherwise`` if it was not.
    """

    verb: str
    args: Mapping[str, object]
    who: Ref | Noun | None = None
    only_if: Condition | None = None
    may: bool = False
    bind: str = ""
    then: Effect = ()
    otherwise: Effect = ()


Effect = tuple[Instruction, ...]


@dataclass(frozen=True)
class Dependent:
    """The conditions in front of an ability (726-727): Legion, Level N, Empowered, or a plain ``while``."""

    legion: bool = False
    level: int = 0
    empowered: bool = False
    condition: Condition | None = None

    @property
    def always(self) -> bool:
        """Whether there is no condition at all."""
        return not (self.legion or self.level or self.empowered or self.condition is not None)


ALWAYS = Dependent()


@dataclass(frozen=True)
class Triggered:
    """A triggered ability (382-388). ``cost`` is paid to finalize it (383.3.b); ``limit`` is per turn (383.3.e)."""

    events: tuple[Event, ...]
    effect: Effect
    only_if: Condition | None = None
    may: bool = False
    cost: Cost | None = None
    limit: int = 0
    zone: str = "board"
    keyword: str = ""
    dependent: Dependent = ALWAYS
    who: Ref | None = None


@dataclass(frozen=True)
class Activated:
    """An activated ability (376-381); ``timing`` is ``''``, ``action`` or ``reaction``."""

    cost: Cost
    effect: Effect
    timing: str = ""
    only_if: Condition | None = None
    keyword: str = ""
    repeat: Cost | None = None
    dependent: Dependent = ALWAYS

    @cached_property
    def exhausts_itself(self) -> bool:
        """Whether its cost exhausts its own source."""
        return any(p.action == "exhaust" and p.of_itself for p in self.cost.parts)

    @cached_property
    def just_adds(self) -> bool:
        """Whether it is a Reaction that only adds resources, and only exhausts or recycles its own source for it."""
        own = all(p.action in ("exhaust", "recycle") and p.of_itself for p in self.cost.parts)
        adds = len(self.effect) == 1 and self.effect[0].verb == "add"
        return own and adds and self.timing == "reaction" and not self.repeat and self.cost.resources == Resources()


@dataclass(frozen=True)
class Continuous:
    """A passive ability that changes objects (364, 473-480)."""

    mods: Mods
    to: What
    dependent: Dependent = ALWAYS
    zone: str = "board"


@dataclass(frozen=True)
class Forbid:
    """A passive ability that forbids (054): an action's name, to whom or what, and where.

    ``using`` narrows it to some spells or abilities; ``unless`` is the timing (``action``) at which it does not forbid.
    """

    action: str
    what: What | None = None
    who: str = ""
    origin: Place | None = None
    to: Place | None = None
    dependent: Dependent = ALWAYS
    using: Noun | None = None
    unless: str = ""


@dataclass(frozen=True)
class Permit:
    """A passive ability that permits: playing to a place or from a zone, moving from anywhere, many buffs."""

    action: str
    what: What | None = None
    to: Place | None = None
    origin: Place | None = None
    cost: Cost | None = None
    timing: str = ""
    dependent: Dependent = ALWAYS
    zone: str = "board"


@dataclass(frozen=True)
class CostChange:
    """A passive ability that changes costs (356): reduces, increases or sets them."""

    change: str
    resources: Resources
    of: What
    minimum: int = 0
    times: Amount | None = None
    component: str = "total"
    either: bool = False
    ignore: str = ""
    dependent: Dependent = ALWAYS
    zone: str = "board"


@dataclass(frozen=True)
class AdditionalCost:
    """An additional cost of playing (356.2): mandatory or optional; ``name`` is what ``paid`` refers to.

    ``move`` makes it an applied cost of moving several units (204.4).
    """

    cost: Cost
    of: What
    optional: bool = False
    name: str = "paid"
    bind: str = ""
    each_beyond: int = 0
    to: Place | None = None
    action: str = "play"
    dependent: Dependent = ALWAYS


@dataclass(frozen=True)
class Replacement:
    """A replacement effect (367-375): ``instead`` of the event, or (``also``) with it.

    ``amount`` changes a number of the event instead (``double``, ``prevent``, ``+N``).
    """

    event: Event
    instead: Effect = ()
    also: Effect = ()
    may: bool = False
    cost: Cost | None = None
    limit: int = 0
    only_if: Condition | None = None
    enters: str = ""
    enters_at: Place | None = None
    amount: str = ""
    value: Amount | None = None
    dependent: Dependent = ALWAYS
    zone: str = "board"


@dataclass(frozen=True)
class Rule:
    """A passive ability that changes a rule of the game for objects: a name from a closed list, with a number.

    ``bonus damage`` (712), ``lethal`` (142.4.c), ``assign first/last`` (465.2.c), ``no combat damage``,
    ``extra triggers``, ``buffs give``, ``many buffs``, ``ignore keyword``.
    """

    name: str
    what: What | None = None
    by: What | None = None
    value: Amount | None = None
    keyword: str = ""
    limit: int = 0
    dependent: Dependent = ALWAYS


Ability = Triggered | Activated | Continuous | Forbid | Permit | CostChange | AdditionalCost | Replacement | Rule


@dataclass(frozen=True)
class CardDefinition:
    """A card as the engine knows it: printed facts and abilities (131-137).

    ``unsupported`` names the words of its text that the language cannot say yet; such a card cannot be executed.
    """

    name: str
    types: tuple[str, ...]
    supertypes: tuple[str, ...] = ()
    energy: int = 0
    power: int = 0
    might: int | None = None
    might_bonus: int | None = None
    domains: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    keywords: tuple[KeywordUse, ...] = ()
    abilities: tuple[Ability, ...] = ()
    effect: Effect = ()
    effect_keywords: tuple[KeywordUse, ...] = ()
    effect_abilities: tuple[Ability, ...] = ()
    unsupported: str = ""
    token: bool = False
    modelled: bool = True

    @property
    def main_type(self) -> str:
        """The type that is printed first."""
        return self.types[0]

    @cached_property
    def alters(self) -> bool:
        """Whether any of its abilities can change objects while it is on the board."""
        return any(isinstance(a, Continuous | Rule) for a in self.abilities)

    @cached_property
    def replacements_elsewhere(self) -> tuple[tuple[int, Replacement], ...]:
        """Its replacement effects that apply from another zone than the board, each with its place in the text."""
        return tuple(
            (index, ability)
            for index, ability in enumerate(self.abilities)
            if isinstance(ability, Replacement) and ability.zone != "board"
        )

    @cached_property
    def triggers_elsewhere(self) -> tuple[tuple[int, Triggered], ...]:
        """Its triggered abilities that are active off the board, each with its place among the abilities."""
        return tuple(
            (index, ability)
            for index, ability in enumerate(self.abilities)
            if isinstance(ability, Triggered) and ability.zone != "board"
        )
