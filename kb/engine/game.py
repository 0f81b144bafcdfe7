"""The game: its state, what can be read off it, and the few ways in which it is changed.

Everything that asks a player is a flow (a generator, see :mod:`kb.engine.asking`) in one of the neighbouring modules;
here are the plain parts: identity and zones (107-108, 124), traits (by :mod:`kb.engine.traits`), control, the tallies
and facts that phrases ask for, and the notes for the trace.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import InitVar, dataclass, field
from typing import TYPE_CHECKING

from kb.cards.phrases import Ref, What
from kb.cards.syntax import CardDefinition, Dependent, KeywordUse, Rule, Triggered
from kb.engine import filters, layers
from kb.engine.asking import Option, Refusal, T, Unsupported, unique
from kb.engine.citing_keywords import dependent_rules
from kb.engine.filters import Context
from kb.engine.hooks import Hooks
from kb.engine.layers import Granted, Projection, Traits
from kb.engine.state import (
    ChainItem,
    Happening,
    Lasting,
    Location,
    Player,
    State,
    Struggle,
    Thing,
)
from kb.engine.steady import Inputs, inputs
from kb.engine.trace import Trace
from kb.engine.zones import BOARD, Zone

if TYPE_CHECKING:
    from kb.engine.costs import Source
    from kb.engine.library import Library
    from kb.engine.snapshot import Snapshot

OWNED = (Zone.TRASH, Zone.CHAMPION, Zone.DECK, Zone.RUNE_DECK, Zone.BANISHMENT, Zone.HAND)
"""Non-board zones that each player has their own of (056.1)."""


@dataclass(eq=False)
class Game:
    """State, trace and hooks of one game, with the reads and changes that every part of the engine shares."""

    library: Library
    hooks: Hooks = field(default_factory=Hooks)
    trace: Trace = field(default_factory=Trace)
    seed: InitVar[int] = 0
    state: State = field(default_factory=State)
    rng: random.Random = field(default_factory=random.Random)
    version: int = 0
    cleanup_due: bool = False
    outstanding: set[str] = field(default_factory=set)
    cleaning: bool = False
    performed: int = 0
    next_id: int = 1
    projected: tuple[int | None, dict[int, Traits]] = field(default_factory=lambda: (None, {}))
    projected_from: Inputs | None = None
    indexed_from: Inputs | None = None
    projection: Projection | None = None
    granted_by_thing: dict[int, tuple[Traits, int, list[Granted]]] = field(default_factory=dict)
    indexed: dict[type, list[Granted]] = field(default_factory=dict)
    indexed_rules: dict[str, list[Granted]] = field(default_factory=dict)
    indexed_triggers: dict[str, list[Granted]] = field(default_factory=dict)
    indexed_version: int | None = None
    indexed_traits: dict[int, Traits] | None = None
    indexed_board: list[tuple[int, bool, CardDefinition, int]] = field(default_factory=list)
    granting: tuple[int | None, list[Granted]] = field(default_factory=lambda: (None, []))
    add_sources: dict[str, tuple[int, tuple[Source, ...]]] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    name_counts: Counter[str] = field(default_factory=Counter)
    turn_log: list[Happening] = field(default_factory=list)
    replacing: list[tuple[object, ...]] = field(default_factory=list)
    readings: dict[str, str] = field(default_factory=dict)
    answers: int = 0
    action_mark: int = 0
    next_action: str = ""
    before_action: Snapshot | None = None
    undone: Refusal | None = None
    resolving: ChainItem | None = None
    chain_opened_by: str = ""
    counts: Counter[str] = field(default_factory=Counter)
    play_counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    trigger_counts: Counter[str] = field(default_factory=Counter)
    asked: set[str] = field(default_factory=set)
    """Rules of the questions that were asked."""
    happened: set[object] = field(default_factory=set)
    """Keys of the parts of cards' texts that have happened (:mod:`kb.engine.happened`)."""
    released: list[tuple[str | None, list[Thing]]] = field(default_factory=list)
    mighty: dict[int, bool] = field(default_factory=dict)
    """The units on the board and whether they were Mighty when that was looked at last, which was
    at ``mighty_at`` (709)."""
    mighty_at: int | None = None
    ceased: list[Thing] = field(default_factory=list)
    """Tokens that have left the board, and the trace has not said so yet (186.1)."""
    pause_at: tuple[str, str] | None = None
    closed_before_play: bool = False
    finalizing: ChainItem | None = None
    begun: ChainItem | None = None
    """What a player's action began to play last, also after it has left the chain."""
    full_game: bool = False
    regular_turn_player: str | None = None
    recent_damage: dict[int, Happening] = field(default_factory=dict)

    def __post_init__(self, seed: int) -> None:
        self.rng.seed(seed)

    def undo_action(self, refusal: Refusal) -> bool:
        """Bring back what was before the action that is under way; False where that was not kept, and the run does it.

        Whoever asked for the action asks again; ``undone`` says why until then.
        """
        if self.before_action is None:
            return False
        self.before_action.restore()
        self.before_action, self.undone = None, refusal
        self.answers = self.trace.marker = self.action_mark
        return True

    # identity

    def fresh(self) -> int:
        """A new id."""
        self.next_id += 1
        return self.next_id - 1

    def tick(self) -> int:
        """The next timestamp (480.1)."""
        self.state.clock += 1
        return self.state.clock

    def touch(self, cleanup: bool = True) -> None:
        """Something changed: traits are projected afresh and, by 319, a cleanup becomes outstanding."""
        self.version += 1
        if cleanup:
            self.cleanup_due = True
            if self.resolving is not None:
                self.outstanding.add("321.1")

    def create(
        self, card: CardDefinition, owner: str, zone: Zone, location: Location | None = None, token: bool = False
    ) -> Thing:
        """A new body in a zone; used by set-up and for tokens (186)."""
        body = self.fresh()
        self.names[body] = self.new_name(card.name)
        thing = Thing(self.fresh(), body, card, owner, None, zone, token=token or card.token)
        thing.timestamp = self.tick()
        self.state.things[thing.id] = thing
        self.put(thing, zone, location)
        return thing

    def new_name(self, name: str) -> str:
        """``Name``, then ``Name#2``: how scripts and traces tell bodies of one name apart."""
        self.name_counts[name] += 1
        count = self.name_counts[name]
        return f"{name}#{count}" if count > 1 else name

    def label(self, value: object) -> str:
        """How a trace or a question names something."""
        if isinstance(value, Thing):
            return self.names.get(value.body, value.card.name)
        if isinstance(value, ChainItem):
            return self.label(value.thing) if value.thing is not None else value.name
        if isinstance(value, int) and not isinstance(value, bool):
            thing = self.state.things.get(value)
            return self.label(thing) if thing is not None else str(value)
        return str(value)

    def labelled(self, things: Sequence[object]) -> tuple[Option, ...]:
        """Things as options, told apart where two have one name."""
        return tuple(Option(k, t) for k, t in zip(unique([self.label(t) for t in things]), things, strict=True))

    def by_label(self, things: Sequence[T]) -> dict[str, T]:
        """Things by name, told apart where two have one."""
        return dict(zip(unique([self.label(t) for t in things]), things, strict=True))

    def place_label(self, where: Location | None) -> str:
        """A location in words."""
        if where is None:
            return "nowhere"
        return f"{where}'s base" if isinstance(where, str) else self.label(where)

    # zones

    def put(self, thing: Thing, zone: Zone, location: Location | None = None, top: bool = False) -> None:
        """Place an object that is nowhere yet."""
        thing.zone = zone
        if zone in BOARD:
            self.state.board[thing.id] = thing
            if zone is Zone.BASE:
                thing.base = location if isinstance(location, str) else thing.holder
            elif isinstance(location, int):
                thing.battlefield = location
        elif zone in OWNED:
            pile = self.state.zones.setdefault((zone, thing.owner), [])
            if top:
                pile.insert(0, thing.id)
            else:
                pile.append(thing.id)
        self.touch()

    def take_out(self, thing: Thing) -> None:
        """Remove an object from wherever it is, keeping its record and last known traits (124, 359.3.e.13)."""
        if thing.zone in BOARD:
            thing.last = self.traits(thing)
            thing.last_location = thing.location
            self.state.board.pop(thing.id, None)
        elif thing.zone in OWNED:
            pile = self.state.zones.get((thing.zone, thing.owner), [])
            if thing.id in pile:
                pile.remove(thing.id)
        self.touch()

    def change_zone(self, thing: Thing, zone: Zone, location: Location | None = None, top: bool = False) -> Thing:
        """Move an object to a zone; to or from a non-board zone it becomes a new object (124).

        A token that would leave the board ceases to exist (186.1); a card goes to its owner's zone (056.2).
        """
        if thing.zone in BOARD and zone in BOARD:
            self.state.board.pop(thing.id, None)
            thing.battlefield = 0
            self.put(thing, zone, location)
            return thing
        self.take_out(thing)
        self.trace.cite("446.2 428.2.b" if thing.zone in BOARD else "446.2")
        thing.gone = True
        if thing.zone in BOARD:
            self.release(thing)
        if thing.buffs:
            self.trace.cite("747 748 705.1" if zone is Zone.CHAMPION else "747 748")
        if thing.token and zone not in BOARD and zone is not Zone.CHAIN:
            self.ceased.append(thing)
            return thing
        holder = thing.holder
        owner = self.hooks.value("127.1", thing.owner, self.state.turn_player)
        owner = self.hooks.actor("056.2", self.hooks.actor("127.1", owner, holder), holder)
        new = Thing(self.fresh(), thing.body, thing.card, owner, None, zone, token=thing.token)
        new.timestamp = self.tick()
        if not self.hooks.does("124.1 747 748"):
            new.buffs, new.marks, new.exhausted, new.stunned = thing.buffs, thing.marks, thing.exhausted, thing.stunned
            for effect in self.state.lasting:
                effect.ids = (*effect.ids, new.id) if thing.id in effect.ids else effect.ids
        thing.successor = new.id
        self.state.things[new.id] = new
        self.put(new, zone, location, top)
        return new

    def follow(self, thing: Thing) -> Thing:
        """The object itself, or the card it became in a public zone that the event or effect put it in (359.3.e.13)."""
        if thing.gone and thing.successor:
            after = self.state.things[thing.successor]
            if not after.gone and (after.zone in (Zone.TRASH, Zone.BANISHMENT)):
                return after
        return thing

    def release(self, thing: Thing) -> None:
        """Cards attached to an object that leaves the board detach where it was (719.5, 435.4.b).

        What sees it follows with the next event (:func:`kb.engine.events.happen`).
        """
        attached = [t for t in self.state.board.values() if t.attached_to == thing.id]
        if attached:
            self.released.append((thing.controller, attached))
            for other in attached:
                other.attached_to = 0
                self.note("435.4.b 480.2", "{} detaches where that was", other)
                where = thing.last_location if self.hooks.does("435.4.b 719.5") else other.holder
                self.state.board.pop(other.id, None)
                zone = Zone.BATTLEFIELD if isinstance(where, int) else Zone.BASE
                self.put(other, zone, where)

    def zone_cards(self, zone: Zone, owner: str | None) -> list[Thing]:
        """The objects in a zone, of one player or of all."""
        state = self.state
        if zone in BOARD:
            return [t for t in state.board.values() if t.zone is zone and (owner is None or t.controller == owner)]
        owners = [owner] if owner is not None else list(state.players)
        return [state.things[i] for o in owners for i in state.zones.get((zone, o), [])]

    def pile(self, zone: Zone, owner: str) -> list[int]:
        """The ids of an owned zone, top first."""
        return self.state.zones.setdefault((zone, owner), [])

    def at(self, where: Location) -> list[Thing]:
        """Permanents at a location."""
        board = self.state.board.values()
        if isinstance(where, str):
            return [t for t in board if t.base == where and t.zone is Zone.BASE]
        return [t for t in board if t.battlefield == where and t.zone is Zone.BATTLEFIELD]

    def units_at(self, where: Location, player: str | None = None) -> list[Thing]:
        """Units at a location, of one player or of all."""
        return [t for t in self.at(where) if self.is_unit(t) and (player is None or t.controller == player)]

    def unit_players(self, where: Location) -> list[str]:
        """Players with units at a location, in turn order from the turn player."""
        present = {t.controller for t in self.units_at(where)}
        return [p for p in self.players_in_order() if p in present]

    def attached_to(self, thing: Thing) -> list[Thing]:
        """Cards attached to an object."""
        return [t for t in self.state.board.values() if t.attached_to == thing.id]

    def facedown_at(self, battlefield: int) -> list[Thing]:
        """Facedown cards at a battlefield (107.3)."""
        return [t for t in self.state.board.values() if t.zone is Zone.FACEDOWN and t.battlefield == battlefield]

    # players

    def player(self, name: str) -> Player:
        return self.state.players[name]

    def enemies(self, one: str, other: str) -> bool:
        """Whether two players are opponents (740.1.b)."""
        return self.state.players[one].team != self.state.players[other].team

    def opponents(self, name: str) -> list[str]:
        """A player's opponents in turn order after them."""
        return [p for p in self.players_after(name) if self.enemies(p, name)]

    def players_in_order(self) -> list[str]:
        """Players still in the game, in turn order from the turn player (303.2.a)."""
        order = self.state.order
        start = order.index(self.state.turn_player) if self.state.turn_player in order else 0
        return [p for p in order[start:] + order[:start] if not self.state.players[p].lost]

    def players_after(self, name: str) -> list[str]:
        """The other players still in the game, in turn order after one."""
        order = self.state.order
        start = order.index(name)
        return [p for p in order[start + 1 :] + order[:start] if not self.state.players[p].lost]

    def next_player(self, name: str) -> str:
        """The next player in turn order."""
        others = self.players_after(name)
        return others[0] if others else name

    def teammates(self, name: str) -> list[str]:
        return [p for p in self.players_after(name) if not self.enemies(p, name)]

    # traits

    def traits(self, thing: Thing) -> Traits:
        """An object's current traits; off the board, its printed ones."""
        if thing.gone and thing.last is not None:
            return thing.last
        if thing.zone not in BOARD or thing.zone is Zone.FACEDOWN:
            return layers.printed(thing.definition)
        table = self.altered() if self.projection is None else self.projection.table
        return table.get(thing.id) or layers.printed(thing.copied or thing.card)

    def altered(self) -> dict[int, Traits]:
        """Traits of the board objects that differ from their printed ones; the same table as long as it is equal."""
        version, table = self.projected
        if version != self.version:
            now = inputs(self)
            if now is None or now != self.projected_from:
                self.projection = Projection(self)
                try:
                    found = self.projection.run()
                finally:
                    self.projection = None
                table = table if found == table else found
                self.projected_from = now
            self.projected = (self.version, table)
        return table

    def is_unit(self, thing: Thing) -> bool:
        return "unit" in self.traits(thing).types

    def might(self, thing: Thing) -> int:
        """Might as spells and combat read it: never below 0 (143.2.b)."""
        return max(0, self.traits(thing).might or 0)

    def has(self, thing: Thing, keyword: str) -> bool:
        """Whether an object has an active keyword."""
        return any(k.name == keyword for k in self.traits(thing).active_keywords())

    def abilities_of(self, thing: Thing, traits: Traits | None = None) -> list[Granted]:
        """Abilities an object has now, keywords written out."""
        if thing.zone is Zone.FACEDOWN:
            return []
        return layers.all_abilities(thing, traits or self.traits(thing), self.state.board)

    def index(self) -> dict[type, list[Granted]]:
        """Every ability on the board now, by its class; made again where the board or any traits have changed."""
        if self.indexed_version == self.version:
            return self.indexed
        altered = self.altered()
        if self.projected_from is not None and self.projected_from is self.indexed_from:
            self.indexed_version = self.version
            return self.indexed
        self.indexed_from = self.projected_from
        board = [(t.id, t.zone is Zone.FACEDOWN, t.definition, t.attached_to) for t in self.state.board.values()]
        if altered is not self.indexed_traits or board != self.indexed_board:
            self.indexed, self.indexed_rules, self.indexed_triggers = {}, {}, {}
            for thing in self.state.board.values():
                if thing.zone is not Zone.FACEDOWN:
                    for granted in self.granted(thing):
                        self.indexed.setdefault(type(granted.ability), []).append(granted)
            for granted in self.indexed.get(Rule, []):
                assert isinstance(granted.ability, Rule)
                self.indexed_rules.setdefault(granted.ability.name, []).append(granted)
            for granted in self.indexed.get(Triggered, []):
                assert isinstance(granted.ability, Triggered)
                for verb in dict.fromkeys(event.watches for event in granted.ability.events):
                    self.indexed_triggers.setdefault(verb, []).append(granted)
            self.indexed_traits, self.indexed_board = altered, board
        self.indexed_version = self.version
        return self.indexed

    def forget(self) -> None:
        """Drop everything that is kept from question to question, so that it is made afresh."""
        self.projected, self.projected_from, self.indexed_from = (None, {}), None, None
        self.granted_by_thing.clear()
        self.add_sources.clear()
        self.indexed_version, self.indexed_traits = None, None

    def granted(self, thing: Thing) -> list[Granted]:
        """An object's abilities, kept as long as its traits are the same."""
        traits = self.traits(thing)
        kept = self.granted_by_thing.get(thing.id)
        if kept is not None and kept[0] is traits and kept[1] == thing.attached_to:
            return kept[2]
        found: list[Granted] = []
        if traits.abilities or traits.keywords or traits.granted:
            found = layers.all_abilities(thing, traits, self.state.board)
        self.granted_by_thing[thing.id] = (traits, thing.attached_to, found)
        return found

    def all_keywords(self, thing: Thing) -> list[KeywordUse]:
        """An object's active keywords, each instance by itself."""
        return list(self.traits(thing).active_keywords())

    def used_keyword(self, thing: Thing, name: str) -> None:
        """A keyword of an object did something; for one from effect text, the attached card's did."""
        self.happened.add((thing.card.name, name))
        for gear in self.attached_to(thing):
            if any(use.name == name for use in gear.definition.effect_keywords):
                self.happened.add((gear.card.name, name))

    def is_alone(self, thing: Thing) -> bool:
        """740.2.a."""
        self.trace.cite("740.2.a")
        where = thing.location
        if where is None or thing.controller is None:
            return False
        return not any(
            t is not thing and t.controller is not None and not self.enemies(t.controller, thing.controller)
            for t in self.units_at(where)
        )

    def is_chosen_champion(self, thing: Thing) -> bool:
        """103.2.a.3: a champion unit with the name of its player's Chosen Champion, wherever it is."""
        traits = self.traits(thing)
        player = self.player(thing.controller if thing.zone in BOARD and thing.controller else thing.owner)
        same = {"unit", "champion"} <= traits.types | traits.supertypes and traits.name == player.chosen_champion
        return self.hooks.holds("103.2.a.3", same)

    def rules(self, name: str, target: Thing | None = None) -> Iterator[tuple[Rule, Context]]:
        """Active passive rules of a name that reach an object (``target`` None: all of them)."""
        found = self.rules_by_name().get(name, ()) if self.projection is None else self.rules_in_projection()
        for granted in found:
            ability = granted.ability
            if isinstance(ability, Rule) and ability.name == name:
                context = self.context(granted.me, this=granted.this)
                if self.active(ability.dependent, context) and self.reaches(ability, target, context):
                    self.happened.add(id(ability))
                    yield ability, context
        for effect in self.state.lasting:
            if isinstance(effect.ability, Rule) and effect.ability.name == name:
                context = self.lasting_context(effect)
                if self.active(effect.ability.dependent, context) and self.reaches(effect.ability, target, context):
                    self.happened.add(id(effect.ability))
                    yield effect.ability, context

    def triggers(self, verb: str) -> list[Granted]:
        """Triggered abilities on the board now that watch for an event."""
        self.index()
        return self.indexed_triggers.get(verb, [])

    def rules_by_name(self) -> dict[str, list[Granted]]:
        """Passive rules on the board now, by name."""
        self.index()
        return self.indexed_rules

    def rules_in_projection(self) -> list[Granted]:
        """Printed passive rules, read while traits are being projected."""
        found = []
        for thing in list(self.state.board.values()):
            if thing.zone is not Zone.FACEDOWN and any(isinstance(a, Rule) for a in thing.definition.abilities):
                found += layers.all_abilities(thing, self.traits(thing), self.state.board)
        return found

    def reaches(self, rule: Rule, target: Thing | None, context: Context) -> bool:
        if target is None or rule.what is None:
            return True
        return self.fits(target, rule.what, context)

    def fits(self, thing: Thing, what: What, context: Context) -> bool:
        """Whether an object is what a noun phrase or reference speaks of."""
        if isinstance(what, Ref):
            return any(x is thing for x in filters.resolve(what, context))
        return filters.matches_seen(thing, what, context)

    def active(self, dependent: Dependent, context: Context) -> bool:
        """Whether the conditions in front of an ability are met (726-727, 812, 824, 828)."""
        if dependent.always:
            return True
        met = self.conditions_met(dependent, context)
        own = context.me.definition.abilities if dependent.legion and context.me is not None else ()
        legion = [d for a in own if (d := getattr(a, "dependent", None)) is not None and d.legion]
        legions = len(legion)
        self.trace.cite(dependent_rules(dependent, met, legions))
        if legions > 1 and met and context.you is not None:
            due = self.hooks.value("812.2", 1, next((n for n, d in enumerate(legion, 1) if d is dependent), 1))
            due = due if self.hooks.does("812.2") else legions
            return due == 1 or len(self.player(context.you).played) >= due
        return met

    def conditions_met(self, dependent: Dependent, context: Context) -> bool:
        """Whether Legion, Level, Empowered and any other condition in front of an ability are all met (727.1.b.3)."""
        you = context.you
        if dependent.legion and not self.hooks.holds("812.1.b.1 727.1.a.1", self.fact("legion", "", context)):
            return False
        if dependent.level:
            you = self.hooks.actor("824.1.c.1", you, context.me.owner if context.me is not None else you)
            enough = you is not None and self.player(you).xp >= self.hooks.count("824.1.b.1", dependent.level)
            if not self.hooks.holds("824.1.c 824.1.d", enough):
                return False
        empowered = context.me is not None and context.me.empowered
        if dependent.empowered and not self.hooks.holds("828.1.b.1 828.1.c", empowered):
            return False
        if dependent.condition is None:
            return True
        return self.hooks.holds("727.1.a.1", filters.holds(dependent.condition, context))

    # contexts, facts, tallies

    def context(
        self,
        me: Thing | None,
        this: Thing | None = None,
        you: str | None = None,
        item: ChainItem | None = None,
        event: Happening | None = None,
    ) -> Context:
        """Reading phrases through the eyes of an object's ability."""
        source = me if me is not None else this
        who = you
        if who is None and source is not None:
            board = source.zone in BOARD or source.zone is Zone.CHAIN or source.gone
            who = source.controller if board else source.owner
        here: Location | None = None
        if source is not None:
            here = source.location if not source.gone else None
            if "battlefield" in source.card.types:
                here = source.id
        named = source.named if source is not None else {}
        return Context(self, who, me, this if this is not None else me, item, event, None, here, named)

    def item_context(self, item: ChainItem) -> Context:
        """Reading phrases of a chain item while it is played or resolves."""
        me = item.thing if not item.is_ability else item.source
        here = item.here
        source = item.source
        if item.is_ability and source is not None and self.hooks.does("359.3.f.2"):
            here = source.place
            event = item.event
            noted = item.fixed_here or (event is not None and event.verb == "dies" and event.thing is source)
            if source.gone or item.fixed_here:
                here = item.here if noted else None
        this = item.bindings.get("this")
        this_thing = this if isinstance(this, Thing) else me
        you = None if item.nobody else item.controller
        return Context(self, you, me, this_thing, item, item.event, item.they, here, item.bindings)

    def lasting_context(self, effect: Lasting) -> Context:
        """Reading phrases of a delayed ability (389-392)."""
        source = effect.source
        here = effect.here
        if here is None and source is not None and not source.gone:
            here = source.place
        return Context(
            self, effect.controller, source, source, None, None, None, here, {**effect.bindings, "$bound": effect.maker}
        )

    def fact(self, word: str, argument: str, context: Context) -> bool:
        """A condition that the game keeps track of."""
        you, item = context.you, context.item
        match word:
            case "paid":
                return (item is not None and (argument or "paid") in item.paid) or self.thing_paid(context, argument)
            case "did":
                return context.last_did
            case "your turn":
                return you is not None and you == self.state.turn_player
            case "turn of":
                return context.they is not None and context.they == self.state.turn_player
            case "legion":
                return you is not None and self.played_other(you, context)
            case "level":
                return you is not None and self.player(you).xp >= int(argument)
            case "empowered":
                return context.me is not None and context.me.empowered
            case "alone":
                return context.me is not None and self.is_alone(context.me)
            case "one on one":
                return context.me is not None and self.one_on_one(context.me)
            case "in combat":
                event = context.event
                if event is not None and event.verb == "dies" and event.thing is context.me:
                    return event.in_combat
                return context.me is not None and self.in_combat(context.me)
            case "attached this turn":
                this = context.this
                return this is not None and this.attached_turn == self.state.turn and bool(this.attached_to)
            case "you attacked this turn":
                return any(h.verb == "attacks" and h.thing is None and h.player == you for h in self.turn_log)
            case "played from":
                return item is not None and bool(item.hidden_at) is (argument == "hidden")
            case _:
                raise Unsupported(f"the condition {word!r}")

    def thing_paid(self, context: Context, argument: str) -> bool:
        me = context.me
        return me is not None and ("paid", me.id, argument or "paid") in self.state.tallies

    def played_other(self, you: str, context: Context) -> bool:
        """Whether the player has finalized another card this turn (812.1.c)."""
        own = context.me.body if context.me is not None else 0
        return self.hooks.holds("812.1.c", any(body != own for body in self.player(you).played))

    def one_on_one(self, thing: Thing) -> bool:
        """740.2.b."""
        self.trace.cite("740.2.b")
        where = thing.location
        if where is None or not self.is_alone(thing):
            return False
        others = [u for u in self.units_at(where) if u is not thing]
        return len(others) == 1

    def in_combat(self, thing: Thing) -> bool:
        """740.2.c."""
        self.trace.cite("740.2.c")
        struggle = self.state.struggle
        there = struggle is not None and struggle.combat and thing.location == struggle.battlefield
        return there and bool(thing.designation)

    def tally(self, words: str, context: Context) -> int:
        """A number that the game keeps."""
        you = context.you
        match words:
            case "cards played this turn":
                return len(self.player(you).played) if you else 0
            case "other cards played this turn":
                own = context.me.body if context.me is not None else 0
                return len([b for b in self.player(you).played if b != own]) if you else 0
            case "battlefields scored this turn":
                return len(self.player(you).scored) if you else 0
            case "moves this turn":
                return context.me.moves_this_turn if context.me is not None else 0
            case "energy spent this turn" | "power spent this turn":
                return self.state.tallies[("spent", words.split()[0], you, self.state.turn)]
            case "players":
                return len(self.players_in_order())
            case "opponents":
                return len(self.opponents(you)) if you else 0
            case _:
                raise Unsupported(f"the number {words!r}")

    # reading the chain

    def targets_of(self, item: ChainItem) -> list[object]:
        """Everything a chain item chose as targets."""
        return [t for chosen in item.chosen.values() for t in chosen]

    def pending(self) -> list[ChainItem]:
        return [i for i in self.state.chain if i.pending]

    @property
    def closed(self) -> bool:
        """Closed State: a chain exists (309.1)."""
        return bool(self.state.chain)

    @property
    def main_open(self) -> bool:
        """Whether it is somebody's Main Phase in a Neutral State."""
        return self.state.phase == "main" and self.state.struggle is None

    @property
    def showdown(self) -> bool:
        """Showdown State (308.1)."""
        return self.state.struggle is not None

    def struggle_at(self, battlefield: int) -> Struggle | None:
        struggle = self.state.struggle
        return struggle if struggle is not None and struggle.battlefield == battlefield else None

    # notes

    def note(self, rules: str, template: str, *args: object) -> None:
        """A line of the trace."""
        self.trace.add(rules, template, tuple(self.label(a) for a in args))

    def supported(self, card: CardDefinition) -> None:
        """Raise Unsupported for a card whose text the language cannot say or that is not modelled."""
        if card.unsupported:
            raise Unsupported(f"{card.name}: {card.unsupported}")
        if not card.modelled:
            raise Unsupported(f"{card.name} is not modelled")
