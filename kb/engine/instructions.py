"""Executing instructions: the interpreter of effects (135.2.b, 158, 359.3.d-f, 386-390, 413-444).

An :class:`Execution` runs one effect from top to bottom for a chain item, a replacement effect or an Add ability.
Instructions about illegal targets, or that are impossible, are ignored (055, 359.3.e); later instructions linked to an
ignored one are ignored too, as what they refer to is empty (359.3.e.14).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from kb.cards.phrases import AttributeOf, Condition, Every, Fact, Noun, Number, Place, Ref, facts_in, subtracts
from kb.cards.syntax import (
    Cost,
    CostChange,
    Effect,
    Instruction,
    Mods,
    Replacement,
    Resources,
    Triggered,
)
from kb.engine import actions, decks
from kb.engine.actions import Cause, Hit
from kb.engine.asking import Ask, Flow, Option, Unsupported, spoken
from kb.engine.choices import group_fits, limits, narrowed, only_one, still_legal
from kb.engine.costs import add_resources, added_power, can_pay_cost, pay_cost
from kb.engine.events import Found, add_item, add_triggers, from_ability, happen
from kb.engine.filters import (
    Candidate,
    Context,
    amount_of,
    as_things,
    candidates,
    holds,
    location_of,
    number_of,
    resolve,
    times_of,
)
from kb.engine.layers import might_change, printed
from kb.engine.naming import existing_tags, nameable
from kb.engine.state import ChainItem, Happening, Lasting, Location, PlayTerms, Thing
from kb.engine.zones import Zone

if TYPE_CHECKING:
    from kb.engine.game import Game
    from kb.engine.replacing import Candidate as Replacing


def execute_effect(game: Game, effect: Effect, context: Context) -> Flow[bool]:
    """Run an effect that is not a chain item's: of a replacement effect or an Add ability."""
    run = Execution(game, context, context.item, 0)
    run.bindings.update(context.bindings)
    return (yield from run.run(effect))


def execute_naming(game: Game, effect: Effect, context: Context) -> Flow[dict[str, object]]:
    """Run an effect that is part of an event and return what it named, for the object that the event is about."""
    run = Execution(game, context, context.item, 0)
    run.bindings.update(context.bindings)
    yield from run.run(effect)
    return {name: value for name, value in run.bindings.items() if context.bindings.get(name) is not value}


def execute_item(game: Game, item: ChainItem, repetition: int) -> Flow[bool]:
    """Run a chain item's instructions once (820.1.d.1 runs them again)."""
    run = Execution(game, game.item_context(item), item, repetition)
    run.bindings = dict(item.bindings)
    effect = tuple(game.hooks.options("811.2", item.effect)) if item.hidden_at else item.effect
    done = yield from run.run(effect)
    return done


@dataclass
class Execution:
    """One run of an effect: what was named so far, and whether the last instruction was performed.

    ``moved`` is what it took off the board (359.3.e.13); ``inherits`` what a replaced play of a token was modified by
    (375), and ``played`` the tokens that are played in its place; ``here`` what "here" was reassigned to (462.2.b).
    """

    game: Game
    base: Context
    item: ChainItem | None
    repetition: int
    bindings: dict[str, object] = field(default_factory=dict)
    did: bool = False
    they: str | None = None
    stopped: bool = False
    moved: frozenset[int] = frozenset()
    inherits: PlayTerms | None = None
    played: list[ChainItem] = field(default_factory=list)
    here: Location | None = None

    @property
    def context(self) -> Context:
        """The context with the names of this run; "here" and the like are read when asked (359.3.f.2)."""
        base = self.base
        if self.item is not None and self.item.is_ability and base.item is self.item:
            base = self.game.item_context(self.item)
        here = base.here if self.here is None else self.here
        they = self.they or base.they
        return replace(base, bindings=self.bindings, last_did=self.did, they=they, moved=self.moved, here=here)

    @property
    def you(self) -> str | None:
        return self.base.you

    @property
    def cause(self) -> Cause:
        """Who and what is responsible for the actions of this effect (411)."""
        source = self.base.me if self.base.me is not None else self.base.this
        return Cause(self.you, self.item, source)

    # running

    def run(self, effect: Effect) -> Flow[bool]:
        """Instructions from top to bottom; returns whether the last was performed."""
        for instruction in self.game.hooks.order("158.1", effect):
            if self.stopped or (self.item is not None and self.item.left and self.item.is_spell):
                self.game.note("359.3.e.15", "the rest is not executed, as the item left the chain")
                return self.did
            self.did = yield from self.step(instruction)
        return self.did

    def step(self, instruction: Instruction) -> Flow[bool]:
        """One instruction with its condition, its "may", and what follows if it was performed."""
        if instruction.only_if is not None and instruction.verb != "when_true":
            if not holds(instruction.only_if, self.context):
                if "did" in facts_in(instruction.only_if):
                    self.game.note("359.3.e.14.b", "the action that this speaks of was not performed")
                return False
            if keyword := keyword_in(instruction.only_if):
                self.game.note("803", "{} takes effect in its place in the text", keyword.title())
        if instruction.may:
            wanted = yield from self.wants(instruction)
            if not wanted:
                if instruction.verb == "pay":
                    self.game.note("444.2.b", "what depends on the payment is not executed")
                self.did = False
                if instruction.otherwise:
                    yield from self.run(instruction.otherwise)
                return False
        done = yield from self.perform(instruction)
        self.did = done
        if instruction.verb not in STRUCTURES or instruction.verb in ("do_this", "later"):
            self.game.performed += done
            note_link(self, instruction, done)
        branch = instruction.then if done else instruction.otherwise
        if instruction.verb not in STRUCTURES and branch:
            yield from self.run(branch)
        return done

    def wants(self, instruction: Instruction) -> Flow[bool]:
        """A "may" inside an effect, decided on execution (383.3.a.3); not asked where it can't be done."""
        players = self.players(instruction.who)
        if not players or not self.possible(instruction):
            return False
        if not self.game.hooks.may("383.3.a.3", True):
            return True
        (answer,) = yield Ask(
            players[0],
            "yes or no",
            (Option("yes", True), Option("no", False)),
            about=f"{instruction.verb.replace('_', ' ')}?",
            rule="383.3.a.3",
        )
        return bool(answer.value)

    def possible(self, instruction: Instruction) -> bool:
        """Whether an optional instruction could do anything."""
        if instruction.verb == "pay":
            cost = instruction.args["pay"]
            players = self.players(instruction.who)
            assert isinstance(cost, Cost)
            return bool(players) and can_pay_cost(self.game, players[0], cost, self.context)
        for name, value in instruction.args.items():
            if (
                isinstance(value, Noun)
                and name not in ("whose", "reveal_until", "each_player", "name_card")
                and not self.preset(instruction, name)
            ):
                if not candidates(self.place_known(value), self.context):
                    return False
            if isinstance(value, Ref) and name == instruction.verb and not resolve(value, self.context):
                return False
        return instruction.verb != "play" or self.any_playable(instruction)

    def any_playable(self, instruction: Instruction) -> bool:
        """Whether anything that an effect may play could be played where it says (358.3.a, 462.2)."""
        from kb.engine.legality import entry_places

        what, place, player = instruction.args["play"], instruction.args.get("to"), self.actor(instruction)
        if (
            not isinstance(what, Noun)
            or not isinstance(place, Place)
            or player is None
            or self.preset(instruction, "play")
        ):
            return True
        spots: list[Location | None] = [player]
        if several(place) and place.noun is not None:
            spots = [location_of(c) for c in candidates(place.noun, self.context)]
        elif place.kind in ("here", "at"):
            spots = [self.context.here] if place.kind == "here" else []
            spots += [location_of(x) for x in resolve(place.ref, self.context)] if place.ref is not None else []
        terms = PlayTerms(anywhere=tuple(s for s in spots if s is not None), by_effect=True)
        if not terms.anywhere:
            return False
        return any(
            "unit" not in printed(card.card).types or entry_places(self.game, player, card, terms, True)
            for card in as_things(candidates(self.place_known(what), self.context))
        )

    def preset(self, instruction: Instruction, name: str) -> bool:
        return self.item is not None and (self.repetition, id(instruction), name) in self.item.chosen

    def perform(self, instruction: Instruction) -> Flow[bool]:
        """Dispatch by verb."""
        handler = HANDLERS.get(instruction.verb)
        if handler is None:
            raise Unsupported(f"the instruction {instruction.verb!r}")
        return (yield from handler(self, instruction))

    # reading arguments

    def amount(self, instruction: Instruction, name: str) -> int | None:
        value = instruction.args.get(name)
        if value is None:
            return None
        number = amount_of(value, self.context)  # type: ignore[arg-type]
        read = isinstance(value, AttributeOf) and value.of.name.startswith("$")
        if read:
            rule = "359.3.e.12" if number is None else "359.3.e.12.a"
            self.game.note(rule, "{} reads as {}", str(value), "null" if number is None else str(number))
        return number if number is None or not read else self.game.hooks.count("359.3.e.12.a", number)

    def number(self, instruction: Instruction, name: str) -> int:
        """An amount, where "null" is as good as none (359.3.e.12)."""
        return self.amount(instruction, name) or 0

    def players(self, who: Ref | Noun | None) -> list[str]:
        """The players a ``who`` names; nobody where it refers to nothing (359.3.e.12, 190.6.d)."""
        if who is None:
            return [self.you] if self.you is not None else []
        if isinstance(who, Ref):
            return [x for x in resolve(who, self.context) if isinstance(x, str)]
        found = [c for c in candidates(who, self.context) if isinstance(c, str)]
        return found if who.quantity in ("all", "each") else found[:1]

    def actor(self, instruction: Instruction) -> str | None:
        found = self.players(instruction.who)
        return found[0] if found else None

    def place_known(self, noun: Noun) -> Noun:
        """ "All units at a battlefield" with the battlefield chosen."""
        place = noun.place
        if (
            place is not None
            and place.kind == "noun"
            and "$place" in self.bindings
            and noun.quantity in ("all", "each")
        ):
            assert place.noun is not None
            if place.noun.quantity == "a":
                return narrowed(noun, self.bindings.get("$place"))
        return noun

    def objects(self, instruction: Instruction, name: str) -> Flow[list[Candidate]]:
        """What an argument names: a reference, legal targets, all that match, or a choice made now."""
        value = instruction.args[name]
        if isinstance(value, tuple):
            found: list[Candidate] = []
            for index, part in enumerate(value):
                found += yield from self.one(instruction, f"{name}[{index}]", part)
            word = instruction.args.get("group")
            if word and not group_fits(self.game, Noun(("object",), group=(str(word),)), list(found), self.context):
                kept = yield from self.subset(Noun(("object",), group=(str(word),)), list(found))
                found = [k for k in kept if isinstance(k, Thing | ChainItem | str)]
        else:
            found = yield from self.one(instruction, name, value)
        if instruction.bind:
            self.name(instruction, list(found))
            key = (self.repetition, id(instruction), name)
            hooks = self.game.hooks
            known = hooks.does("359.3.e.14.a") and hooks.does("359.3.e.12") and hooks.does("359.3.f.2.a")
            if not found and self.item is not None and not known:
                self.bindings[instruction.bind] = list(self.item.chosen.get(key, ()))
        return found

    def one(self, instruction: Instruction, name: str, value: object) -> Flow[list[Candidate]]:
        if isinstance(value, Ref):
            return resolve(value, self.context)
        assert isinstance(value, Noun)
        key = (self.repetition, id(instruction), name)
        if self.item is not None and key in self.item.chosen and self.base.item is self.item:
            if value.quantity in ("all", "each"):
                return self.everything(value, key)
            return (yield from self.legal_targets(value, key))
        if value.quantity in ("all", "each") or only_one(value):
            return candidates(self.place_known(value), self.context)
        return (yield from self.choose_now(instruction, value))

    def everything(self, value: Noun, key: tuple[int, int, str]) -> list[Candidate]:
        """All that match at a chosen battlefield; nothing where it is no longer legal."""
        assert self.item is not None
        chosen = [c for c in self.item.chosen[key] if isinstance(c, Thing) and not c.gone]
        if not chosen:
            return []
        self.bindings["$place"] = chosen[0]
        return candidates(narrowed(value, chosen[0]), self.context)

    def legal_targets(self, noun: Noun, key: tuple[int, int, str]) -> Flow[list[Candidate]]:
        """Targets that are still legal (359.3.e.2-8); a group that no longer fits is cut down (355.11.b)."""
        item = self.item
        assert item is not None
        chosen = item.chosen[key]
        hooks = self.game.hooks
        legal = [t for t in chosen if hooks.holds("359.3.e.5", still_legal(self.game, item, noun, t, self.context))]
        legal = hooks.value("359.3.e.3", legal, list(chosen))
        if not hooks.does("359.3.e.3"):
            since = self.game.turn_log[item.finalized_at :]
            legal = [t for t in legal if not any(h.verb in ("moves", "recalls") and h.thing is t for h in since)]
        note_targets(self, item, chosen, legal)
        if not group_fits(self.game, noun, list(legal), self.context):
            some = yield from self.subset(noun, legal)
            legal = some if hooks.does("355.11.b") else legal
        if len(legal) < len(chosen):
            legal = self.despite(noun, chosen, legal)
        return [t for t in legal if isinstance(t, Thing | ChainItem | str)]

    def despite(self, noun: Noun, chosen: list[object], legal: list[object]) -> list[object]:
        """What is affected where some targets are lost: the legal ones (359.3.e.8, 359.3.e.11), and nothing where none
        is left (359.3.e.7), as no others can be chosen now (355.15)."""
        hooks = self.game.hooks
        if not hooks.does("355.15"):
            others = [c for c in candidates(noun, self.context) if not any(c is t for t in legal)]
            return [*legal, *others][: len(chosen)]
        if not legal and hooks.holds("355.15 359.3.e.7", False):
            fresh: list[object] = [*candidates(noun, self.context)]
            return fresh[: len(chosen)]
        if legal and not (hooks.does("359.3.e.8") and hooks.does("359.3.e.11")):
            return []
        if not legal:
            return legal if hooks.does("359.3.e.7") else chosen
        return hooks.value("359.3.e.8 359.3.e.11", legal, chosen)

    def subset(self, noun: Noun, legal: list[object]) -> Flow[list[object]]:
        """355.11.b: the controller picks those of the original targets that still fit together."""
        options = self.game.labelled(legal)
        if not any(group_fits(self.game, noun, [t], self.context) for t in legal):
            return []
        answer = yield Ask(
            self.you or self.game.state.turn_player,
            "choose",
            options,
            0,
            len(options),
            about=f"which of the targets to affect, so that they are {spoken(noun)}",
            rule="355.11.b",
            fits=lambda picked: group_fits(self.game, noun, [o.value for o in picked], self.context),
        )
        return [o.value for o in answer]

    def choose_now(self, instruction: Instruction, noun: Noun) -> Flow[list[Candidate]]:
        """A choice made on execution (355.17): not a target."""
        chooser = self.actor(instruction)
        if chooser is None:
            return []
        context = self.context
        options = candidates(self.place_known(noun), context)
        if chooser != self.you:
            options = self.game.hooks.options("355.10.e", options, candidates(Noun(noun.kinds), context))
        if noun.other:
            taken = self.named_before(instruction)
            options = [o for o in options if not any(o is t for t in taken)]
        least, most = limits(noun, context, len(options))
        if instruction.verb == "recycle":
            self.game.note("416.6", "{} chooses now what is recycled", chooser)
        most = min(most, len(options))
        least = min(least, most)
        if hidden_from_view(noun) and instruction.verb != "recycle" and self.game.hooks.does("128.6.a"):
            least = 0
        if not most:
            return []
        if noun.place is not None and noun.place.kind == "from" and len(options) == least:
            return options
        answer = yield Ask(
            chooser,
            "choose",
            self.game.labelled(options),
            least,
            most,
            about=f"{spoken(noun)} to {instruction.verb.replace('_', ' ')}",
            rule=self.choice_rules(noun, instruction, chooser),
            fits=lambda picked: group_fits(self.game, noun, [o.value for o in picked], context),
        )
        return [o.value for o in answer if isinstance(o.value, Thing | ChainItem | str)]

    def choice_rules(self, noun: Noun, instruction: Instruction, chooser: str) -> str:
        """Rules about a choice made on execution that hang on where it is made and by whom."""
        found = "355.17"
        if hidden_from_view(noun) and instruction.verb != "recycle":
            found += " 128.6.a"
        if noun.place is not None and noun.place.kind == "zone" and noun.place.zone == "hand":
            found += " 108.7.c 108.7.f"
        return f"{found} 312.1.b.1" if chooser != self.you else found

    def named_before(self, instruction: Instruction) -> list[object]:
        """What ``another`` is other than: what this effect chose before, and the collected names of a loop."""
        taken = self.bindings.get(instruction.bind)
        return taken if isinstance(taken, list) else []

    def name(self, instruction: Instruction, value: object) -> None:
        """What an instruction acted on gets the name that the text gives it, if it gives one."""
        if instruction.bind:
            self.bindings[instruction.bind] = value

    def things(self, instruction: Instruction, name: str) -> Flow[list[Thing]]:
        return as_things((yield from self.objects(instruction, name)))

    def where(self, place: Place | None, instruction: Instruction) -> Flow[Location | None]:
        """The location an argument names; a battlefield that is described is chosen now, if it was not before."""
        if place is None:
            return None
        match place.kind:
            case "here":
                return self.context.here
            case "base":
                return self.you
            case "at" if place.ref is not None:
                found = [location_of(x) for x in resolve(place.ref, self.context)]
                return found[0] if found else None
            case "noun" if place.noun is not None:
                options = candidates(place.noun, self.context)
                if not options:
                    return None
                if len(options) == 1:
                    return location_of(options[0])
                (answer,) = yield Ask(
                    self.actor(instruction) or self.game.state.turn_player,
                    "destination",
                    self.game.labelled(options),
                    about=f"a location for {instruction.verb.replace('_', ' ')}",
                    rule="355.17",
                )
                value = answer.value
                return location_of(value) if isinstance(value, Thing | str) else None
            case _:
                raise Unsupported(f"the place {place}")


def keyword_in(condition: Condition) -> str:
    """The keyword in front of an instruction: Legion, Level or Empowered (812, 824, 828)."""
    parts = condition.parts if isinstance(condition, Every) else (condition,)
    return next((p.word for p in parts if isinstance(p, Fact) and p.word in ("legion", "level", "empowered")), "")


def note_link(run: Execution, instruction: Instruction, done: bool) -> None:
    """Why a linked instruction is executed or ignored (359.3.e.14), or one that nobody is told to do (190.6.d)."""
    if done:
        if instruction.then:
            run.game.note("359.3.e.14.c", "the action was performed, so what hangs on it follows")
        return
    if instruction.then:
        run.game.note("359.3.e.14.b", "the action was not performed, so what hangs on it is ignored")
    refs = [r for r in (instruction.who, *instruction.args.values()) if isinstance(r, Ref)]
    if any(not resolve(r, run.context) for r in refs):
        run.game.note("359.3.e.14.a", "what it refers to is not there, so the instruction is ignored")
    if run.you is None and instruction.who is None:
        run.game.note("190.6.d", "nobody is meant by it, so the instruction is ignored")


def note_targets(run: Execution, item: ChainItem, chosen: list[object], legal: list[object]) -> None:
    """Which targets are not legal any more, and which are again (359.3.e.2-8)."""
    for target in chosen:
        if any(target is t for t in legal):
            since = run.game.turn_log[item.finalized_at :]
            if sum(h.verb in ("moves", "recalls") and h.thing is target for h in since) > 1:
                run.game.note("359.3.e.3", "{} has come back and is a legal target", target)
        else:
            more = "359.3.e.8" if legal else "359.3.e.7"
            more += " 820.1.d.2" if run.repetition else ""
            more += " 359.3.e.4" if isinstance(target, Thing) and target.gone else ""
            run.game.note(f"359.3.e.5 359.3.e.1 359.3.e.2 {more}", "{} is no longer a legal target", target)


def hidden_from_view(noun: Noun) -> bool:
    """128.6: a player can't be compelled to act on private cards of a specified quality."""
    place = noun.place
    private = place is not None and place.kind == "zone" and place.zone in ("hand", "deck")
    return private and ("card" not in noun.kinds or bool(noun.comparisons or noun.having))


Handler = Callable[[Execution, Instruction], Flow[bool]]
HANDLERS: dict[str, Handler] = {}
STRUCTURES = {"when_true", "each_player", "for_each", "do_this", "later", "one_of", "either"}


def verb(name: str) -> Callable[[Handler], Handler]:
    """Register the handler of a verb."""

    def register(handler: Handler) -> Handler:
        HANDLERS[name] = handler
        return handler

    return register


# simple actions on objects


def on_things(name: str, act: Callable[[Game, list[Thing], Cause], Flow[list[Thing]]]) -> None:
    """A verb that does one action to some objects."""

    def handler(run: Execution, ins: Instruction) -> Flow[bool]:
        things = yield from run.things(ins, name)
        cause = run.cause
        if ins.who is not None:
            performer: str | None = run.actor(ins) or cause.by
            performer = run.game.hooks.actor("411.1", performer, cause.by)
            cause = replace(cause, by=run.game.hooks.value("411.1", performer, run.game.state.turn_player))
        present = [t for t in things if t.on_board]
        done = yield from act(run.game, things, cause)
        if ins.bind and present and not done and not run.game.hooks.does("359.3.e.14.b"):
            run.bindings[ins.bind] = []
        run.moved |= {t.id for t in present if t.gone}
        rebind(run, ins, things)
        return bool(done)

    HANDLERS[name] = handler


def ignore(run: Execution, ins: Instruction, things: list[Thing]) -> None:
    """What an instruction could not be followed for is nothing that later ones can refer to by it (359.3.e.14.a)."""
    named = run.bindings.get(ins.bind) if ins.bind else None
    if things and isinstance(named, list) and run.game.hooks.does("359.3.e.14.a"):
        run.bindings[ins.bind] = [v for v in named if v not in things]


def rebind(run: Execution, ins: Instruction, things: list[Thing]) -> None:
    """A name of objects that this effect put into another public zone follows them there for later instructions."""
    if ins.verb in ("banish", "return", "recycle") and things:
        for name, value in list(run.bindings.items()):
            if isinstance(value, list) and any(v in things for v in value):
                run.bindings[name] = [run.game.follow(v) if isinstance(v, Thing) else v for v in value]


on_things("exhaust", lambda g, t, c: actions.exhaust(g, t, c))
on_things("ready", lambda g, t, c: actions.ready(g, t, c))
on_things("stun", lambda g, t, c: actions.stun(g, t, c))
on_things("buff", lambda g, t, c: actions.buff(g, t, c))
on_things("empower", lambda g, t, c: actions.empower(g, t, c))
on_things("heal", lambda g, t, c: actions.heal(g, t, c))
on_things("kill", lambda g, t, c: actions.kill(g, t if g.hooks.does("428.1.a.1") else [], c, "428.1.a.1.a"))
on_things("banish", lambda g, t, c: actions.banish(g, t, c))
on_things("return", lambda g, t, c: actions.return_to_hand(g, t, c))
on_things("recall", lambda g, t, c: actions.recall(g, t, c))
on_things("detach", lambda g, t, c: actions.detach(g, t, c))


@verb("recycle")
def recycle(run: Execution, ins: Instruction) -> Flow[bool]:
    """416.4: as many as possible from the zone."""
    value = ins.args["recycle"]
    if isinstance(value, Noun) and value.quantity == "exactly":
        have = candidates(value, run.context)
        wanted = number_of(value.count, run.context)
        if len(have) <= wanted:
            if len(have) < wanted:
                run.game.note("416.4", "as many as there are")
            done = yield from actions.recycle(run.game, as_things(have), run.cause)
            return bool(done)
    things = yield from run.things(ins, "recycle")
    things = [t for t in map(run.game.follow, things) if not t.gone]
    if isinstance(value, Noun) and value.place is not None and value.place.kind == "from":
        things = [t for t in things if t.zone is Zone.DECK or t.zone is Zone.RUNE_DECK]
    done = yield from actions.recycle(run.game, things, run.cause)
    return bool(done)


@verb("disempower")
def disempower(run: Execution, ins: Instruction) -> Flow[bool]:
    things = yield from run.things(ins, "disempower")
    return bool(actions.disempower(run.game, things))


@verb("spend_buff")
def spend_buff(run: Execution, ins: Instruction) -> Flow[bool]:
    things = yield from run.things(ins, "spend_buff")
    return any(actions.spend_buff(run.game, t) for t in things)


# cards and decks


@verb("draw")
def draw(run: Execution, ins: Instruction) -> Flow[bool]:
    amount = run.amount(ins, "draw")
    done = False
    for player in run.players(ins.who):
        done = bool((yield from decks.draw(run.game, player, amount or 0, run.cause))) or done
    return done


@verb("discard")
def discard(run: Execution, ins: Instruction) -> Flow[bool]:
    amount = run.number(ins, "discard")
    done: list[Thing] = []
    for player in run.players(ins.who):
        done += yield from decks.discard(run.game, player, amount, run.cause)
    run.name(ins, list(done))
    return bool(done)


@verb("discard_card")
def discard_card(run: Execution, ins: Instruction) -> Flow[bool]:
    things = [t for t in (yield from run.things(ins, "discard_card")) if t.zone is Zone.HAND]
    done = []
    for owner in dict.fromkeys(t.owner for t in things):
        done += yield from decks.discard_these(run.game, owner, [t for t in things if t.owner == owner], run.cause)
    return bool(done)


@verb("burn")
def burn(run: Execution, ins: Instruction) -> Flow[bool]:
    done = []
    for player in run.players(ins.who):
        done += yield from decks.burn(run.game, player, run.number(ins, "burn"), run.cause)
    run.name(ins, list(done))
    return bool(done)


@verb("channel")
def channel(run: Execution, ins: Instruction) -> Flow[bool]:
    done = []
    amount = run.number(ins, "channel")
    for player in run.players(ins.who):
        done += yield from decks.channel(run.game, player, amount, bool(ins.args.get("exhausted")), run.cause)
    return len(done) >= amount > 0


@verb("predict")
def predict(run: Execution, ins: Instruction) -> Flow[bool]:
    for player in run.players(ins.who):
        yield from decks.predict(run.game, player, run.number(ins, "predict"), run.cause)
    return True


def deck_owner(run: Execution, ins: Instruction) -> str | None:
    whose = ins.args.get("whose")
    found = run.players(whose) if isinstance(whose, Ref | Noun) else run.players(ins.who)
    return found[0] if found else None


def burns_no_one(game: Game) -> bool:
    """Looking at and revealing more cards than there are burns nobody out (431.1.c, 431.1.c.1)."""
    return game.hooks.does("431.1.c") and game.hooks.does("431.1.c.1")


@verb("look")
def look(run: Execution, ins: Instruction) -> Flow[bool]:
    """Looking at the top cards; never a burn out (431.1.c)."""
    owner = deck_owner(run, ins)
    if owner is None:
        return False
    count = run.number(ins, "look")
    cards = decks.top(run.game, owner, count)
    if len(cards) < count and not burns_no_one(run.game):
        yield from decks.burn_out(run.game, owner, certain=False)
    short = "431.1.c 431.1.c.1" if len(cards) < count else ""
    if not run.game.hooks.does("424.1"):
        yield from decks.reveal(run.game, owner, cards, run.cause)
    run.game.note(short, "{} looks at {} card(s)", run.actor(ins) or owner, str(len(cards)))
    run.name(ins, list(cards))
    return bool(cards)


@verb("reveal")
def reveal(run: Execution, ins: Instruction) -> Flow[bool]:
    owner = deck_owner(run, ins)
    if owner is None:
        return False
    cards = decks.top(run.game, owner, run.number(ins, "reveal"))
    short = len(cards) < run.number(ins, "reveal")
    if short and not burns_no_one(run.game):
        yield from decks.burn_out(run.game, owner, certain=False)
    if short:
        run.game.note("431.1.c 431.1.c.1", "{} reveals as many as there are and does not burn out", owner)
    shown = yield from decks.reveal(run.game, owner, cards, run.cause)
    run.name(ins, list(shown))
    return bool(shown)


@verb("reveal_until")
def reveal_until(run: Execution, ins: Instruction) -> Flow[bool]:
    """Reveal from the top one at a time until one matches; the others are ``$rest``."""
    owner = deck_owner(run, ins)
    noun = ins.args["reveal_until"]
    assert isinstance(noun, Noun)
    if owner is None:
        return False
    rest: list[object] = []
    for ident in list(run.game.pile(Zone.DECK, owner)):
        card = run.game.state.things[ident]
        yield from decks.reveal(run.game, owner, [card], run.cause)
        wanted = any(k in printed(card.card).types for k in noun.kinds) or "card" in noun.kinds
        if wanted and all(run_compares(run, card, noun)):
            run.name(ins, [card])
            run.bindings["$rest"] = rest
            return True
        rest.append(card)
    if not burns_no_one(run.game):
        yield from decks.burn_out(run.game, owner, certain=False)
    run.bindings["$rest"] = rest
    run.name(ins, [])
    return False


def run_compares(run: Execution, card: Thing, noun: Noun) -> list[bool]:
    from kb.engine.filters import compares, matches_having

    return [compares(card, c, run.context) for c in noun.comparisons] + [
        matches_having(card, h, run.context) for h in noun.having
    ]


@verb("reveal_hand")
def reveal_hand(run: Execution, ins: Instruction) -> Flow[bool]:
    whose = ins.args["reveal_hand"]
    assert isinstance(whose, Ref | Noun)
    shown: list[Thing] = []
    for player in run.players(whose):
        run.game.note("424.3.a.1", "the cards that are now in the hand of {} are revealed", player)
        shown += yield from decks.reveal(run.game, player, run.game.zone_cards(Zone.HAND, player), run.cause)
    run.name(ins, list(shown))
    return bool(shown)


@verb("reveal_card")
def reveal_card(run: Execution, ins: Instruction) -> Flow[bool]:
    things = yield from run.things(ins, "reveal_card")
    shown: list[Thing] = []
    for thing in things:
        shown += yield from decks.reveal(run.game, thing.owner, [thing], run.cause)
    return bool(shown)


@verb("take")
def take(run: Execution, ins: Instruction) -> Flow[bool]:
    """Draw particular cards from where they are (413.1)."""
    things = [t for t in (yield from run.things(ins, "take")) if not t.gone]
    if any(h.verb == "reveals" and h.thing in things for h in run.game.turn_log):
        run.game.note("424.4.a", "a revealed card goes elsewhere than back")
    for thing in things:
        run.game.change_zone(thing, Zone.HAND)
    for owner in dict.fromkeys(t.owner for t in things):
        count = len([t for t in things if t.owner == owner])
        yield from happen(run.game, [Happening("draws", None, owner, run.you, run.item, amount=count)], "413.1")
    return bool(things)


@verb("put_on_top")
def put_on_top(run: Execution, ins: Instruction) -> Flow[bool]:
    things = yield from run.things(ins, "put_on_top")
    for thing in things:
        run.game.change_zone(run.game.follow(thing), Zone.DECK, top=True)
    return bool(things)


# damage


@verb("deal")
def deal(run: Execution, ins: Instruction) -> Flow[bool]:
    """417: the spell or ability deals it, or the unit it names (417.6)."""
    amount = run.amount(ins, "deal")
    targets = yield from run.things(ins, "to")
    if amount is None:
        return False
    source: Thing | None = None
    cause = run.cause
    named = ins.args.get("source")
    if isinstance(named, Ref):
        found = [t for t in as_things(resolve(named, run.context)) if not t.gone]
        if not found:
            return False
        source = found[0]
        cause = replace(cause, by=source.controller)
    if ins.args.get("split"):
        hits = yield from split(run, targets, amount, source, cause)
    else:
        hits = [Hit(t, boosted(run, amount, t, source), source, cause) for t in targets]
    dealt = yield from actions.deal(run.game, hits)
    run.name(ins, list(targets))
    return bool(dealt)


def boosted(run: Execution, amount: int, target: Thing, source: Thing | None) -> int:
    """Damage of a spell or ability with its Bonus Damage (715.1-2); none where no damage is dealt (715.4)."""
    if amount <= 0:
        run.game.trace.cite("715.4")
        return amount
    more = actions.bonus_damage(run.game, run.item, target, source)
    if more:
        run.game.trace.cite("715.1 715.2 715.4.a")
    return amount + more


def split(run: Execution, targets: list[Thing], amount: int, source: Thing | None, cause: Cause) -> Flow[list[Hit]]:
    """355.14: the division is decided on resolution, at least 1 to each; too many targets are let go (355.14.h)."""
    if not targets:
        return []
    pool = amount
    if amount > 0:
        pool += max(actions.bonus_damage(run.game, run.item, t, source) for t in targets)
        run.game.trace.cite("715.3" if pool > amount else "")
    player = cause.by or run.game.state.turn_player
    if len(targets) > pool:
        kept = yield from let_go(run, player, targets, len(targets) - max(0, pool))
        targets = kept
        if not targets:
            return []
    hits = []
    left = pool
    for index, target in enumerate(targets):
        others = len(targets) - index - 1
        most = left - others
        share = most
        if others and most > 1:
            options = tuple(Option(str(n), n) for n in range(1, most + 1))
            (answer,) = yield Ask(
                player,
                "amount",
                options,
                about=f"damage of the split to {run.game.label(target)}",
                rule="355.14.e 355.14.f 355.14.g",
            )
            value = answer.value
            assert isinstance(value, int)
            share = value
        hits.append(Hit(target, share, source, cause))
        left -= share
    return hits


def let_go(run: Execution, player: str, targets: list[Thing], count: int) -> Flow[list[Thing]]:
    """355.14.h: the player says which targets cease to be targets, exactly as many as there are too many.

    Where all of them are too many there is nothing to say.
    """
    if count >= len(targets):
        run.game.note("355.14.h", "there is no damage left for any of the targets")
        return []
    answer = yield Ask(
        player,
        "choose",
        run.game.labelled(targets),
        count,
        count,
        about="which targets cease to be targets",
        rule="355.14.h 355.14.h.1",
    )
    gone = [o.value for o in answer]
    for target in gone:
        run.game.note("355.14.h 355.14.i", "{} ceases to be a target; what was paid or triggered for it stays", target)
    return [t for t in targets if not any(t is g for g in gone)]


def responsible(run: Execution, source: Thing, other: Thing) -> Cause:
    """Responsible for damage that a unit deals is who controls that unit."""
    return replace(run.cause, by=run.game.hooks.actor("417.6.b.4", source.controller, other.controller))


@verb("fight")
def fight(run: Execution, ins: Instruction) -> Flow[bool]:
    """Two units deal damage equal to their Mights to each other; each is the source of its own (417.6.b.3-4)."""
    pair = yield from run.things(ins, "fight")
    if len(pair) != 2 or any(t.gone for t in pair):
        return False
    one, two = pair
    hits = [
        Hit(two, boosted(run, run.game.might(one), two, one), one, responsible(run, one, two)),
        Hit(one, boosted(run, run.game.might(two), one, two), two, responsible(run, two, one)),
    ]
    dealt = yield from actions.deal(run.game, hits, "417.6.b.3")
    return bool(dealt)


# movement and control


@verb("move")
def move(run: Execution, ins: Instruction) -> Flow[bool]:
    """420, 449: to the named place, or to the destination chosen while finalizing (355.4)."""
    things = yield from run.things(ins, "move")
    key = (run.repetition, id(ins), "to")
    place = ins.args.get("to")
    assert place is None or isinstance(place, Place)
    moves: list[tuple[Thing, Location]] = []
    if run.item is not None and key in run.item.destinations:
        where: Location | None = run.item.destinations[key]
        moves = [(t, where) for t in things if where is not None]
    elif place is not None and place.kind == "at" and place.ref is not None and place.ref.path[:1] == ("base",):
        moves = [(t, t.controller) for t in things if t.controller is not None]
    else:
        where = yield from run.where(place, ins)
        moves = [(t, where) for t in things if where is not None]
    if ins.args.get("to_or_from"):
        moves = [(t, w) for t, w in moves if isinstance(w, str) or isinstance(t.location, str)]
    for thing, _ in moves:
        if "battlefield" in thing.card.types or thing.zone is Zone.LEGEND:
            run.game.note("170.4" if "battlefield" in thing.card.types else "174.4", "{} can't be moved", thing)
    moves = [(t, w) for t, w in moves if "battlefield" not in t.card.types and t.zone is not Zone.LEGEND]
    cause = replace(run.cause, by=run.actor(ins))
    ignore(run, ins, [t for t in things if not any(m is t and actions.can_move(run.game, t, w) for m, w in moves)])
    done = yield from actions.move(run.game, moves, cause, "420.2.a 449.1")
    return bool(done)


@verb("swap_places")
def swap_places(run: Execution, ins: Instruction) -> Flow[bool]:
    """Two units move to each other's locations, at once."""
    pair = yield from run.things(ins, "swap_places")
    if len(pair) != 2 or any(t.location is None for t in pair):
        return False
    one, two = pair
    first, second = one.location, two.location
    assert first is not None
    assert second is not None
    done = yield from actions.move(run.game, [(one, second), (two, first)], run.cause)
    return bool(done)


@verb("take_control")
def take_control(run: Execution, ins: Instruction) -> Flow[bool]:
    """Control for a while; losing it again is part of the same effect (390.5)."""
    from kb.engine.legality import why_not_control

    found = yield from run.objects(ins, "take_control")
    things = as_things(found)
    player = run.actor(ins)
    until = str(ins.args.get("until", "permanent"))
    done = False
    for item in found:
        if isinstance(item, ChainItem) and player is not None and not item.left:
            item.controller = player
            run.game.note("359.3.f.4", "{} gains control of {}", player, item)
            done = True
    for thing in things:
        if player is None or not thing.on_board:
            continue
        source = run.base.me
        if run.game.hooks.holds("359.3.e.16", until == "source" and (source is None or source.gone)):
            run.game.note("359.3.e.16", "control is not gained: the duration has ended already")
            continue
        refusal = why_not_control(run.game, player, thing)
        if refusal is not None:
            run.game.note(f"359.3.e.6 {refusal.rule}", "control of {} is not gained: {}", thing, refusal.why)
            ignore(run, ins, [thing])
            continue
        earlier = controlling(run.game, thing.id)
        before = earlier[0].bindings["$before"] if earlier else thing.holder
        actions.take_control(run.game, thing, player)
        done = True
        effect = lasting(run, until)
        effect.ids = (thing.id,)
        effect.gain_control = True
        effect.bindings = {"$before": before, "$holder": player}
        run.game.state.lasting.append(effect)
    return done


@verb("lose_control")
def lose_control(run: Execution, ins: Instruction) -> Flow[bool]:
    """Control that effects gave this player ends (390.5)."""
    things = yield from run.things(ins, "lose_control")
    holder = run.actor(ins)
    ended = [e for t in things for e in controlling(run.game, t.id) if e.bindings["$holder"] == holder]
    run.game.state.lasting = [e for e in run.game.state.lasting if e not in ended]
    for effect in ended:
        end_control(run.game, effect)
    return bool(ended)


def controlling(game: Game, ident: int) -> list[Lasting]:
    """The effects that give control of an object, the newest last, which is the one that says whose it is (480.3)."""
    return [e for e in game.state.lasting if e.gain_control and ident in e.ids]


def end_control(game: Game, effect: Lasting) -> None:
    """Give an object to whom the newest effect that is left says, else to who had it before any (480.3)."""
    for ident in effect.ids:
        thing = game.state.board.get(ident)
        left = controlling(game, ident)
        holder = left[-1].bindings["$holder"] if left else effect.bindings["$before"]
        if thing is not None and isinstance(holder, str):
            actions.take_control(game, thing, holder)


# lasting effects


def lasting(run: Execution, until: str) -> Lasting:
    """A new lasting effect of this run."""
    game = run.game
    controller = run.you or game.state.turn_player
    source = run.base.this if run.base.this is not None else run.base.me
    effect = Lasting(game.fresh(), controller, until or "permanent", game.state.turn, game.tick(), source)
    effect.bindings = dict(run.bindings)
    effect.here = run.context.here
    return effect


@verb("give")
def give(run: Execution, ins: Instruction) -> Flow[bool]:
    """Continuous changes to objects for a time; limits are snapshotted now (477.3.b)."""
    things = [t for t in (yield from run.things(ins, "to")) if t.on_board]
    mods = ins.args["give"]
    assert isinstance(mods, Mods)
    until = str(ins.args.get("for", "permanent"))
    if until == "source" and (run.base.me is None or run.base.me.gone):
        run.game.note("359.3.e.16", "the effect is not generated: its duration has ended already")
        return False
    before = actions.mighty_now(run.game, things)
    begun = []
    for thing in things:
        effect = lasting(run, until)
        effect.ids = (thing.id,)
        effect.mods = frozen(mods, run)
        if mods.might is not None or mods.might_to is not None:
            effect.snapshot = run.game.hooks.count("477.3.b", snapshot(run, mods, thing))
            if mods.minimum is not None or mods.maximum is not None or mods.might_to is not None:
                limited = "477.3.e.2.b" if effect.snapshot < 0 or mods.minimum is not None else "477.3.e.1.b"
                run.game.note(f"477.3.b {limited}", "the change is limited now and stays as it is")
        if (run.game.traits(thing).might or 0) < 0 and mods.might is not None:
            run.game.note("143.2.b.1", "the change counts from the negative Might of {}", thing)
        run.game.state.lasting.append(effect)
        begun.append(effect)
        run.game.touch()
        if mods.keywords or mods.lose:
            rule = "801.3.a" if mods.keywords else "801.3.b"
            run.game.trace.cite(f"{rule}.{3 - (until != 'permanent') if mods.keywords else 2 - (until != 'permanent')}")
        note_given(run.game, thing, effect)
    yield from see_mighty(run, things, before, begun)
    return bool(things)


def see_mighty(run: Execution, things: list[Thing], before: dict[int, bool], begun: list[Lasting]) -> Flow[None]:
    """Units that new effects make Mighty (709); an effect does not begin where that is replaced (370.1.a.1)."""
    lasting_now = run.game.state.lasting

    def undo(thing: Thing) -> None:
        lasting_now[:] = [e for e in lasting_now if not (thing.id in e.ids and any(e is b for b in begun))]

    def redo(thing: Thing) -> None:
        lasting_now.extend(e for e in begun if thing.id in e.ids)

    events = yield from actions.becoming_mighty(run.game, things, before, run.cause, undo, redo)
    yield from happen(run.game, events)


def snapshot(run: Execution, mods: Mods, thing: Thing) -> int:
    """By how much a Might changes, fixed for the duration; never an increase by a negative amount (477.3.c)."""
    might = run.game.traits(thing).might or 0
    moved = might_change(mods, might, run.context)
    if not isinstance(mods.might, Number) and mods.might is not None and moved < 0 and not subtracts(mods.might):
        run.game.note("477.3.c", "an increase by a negative amount is one by 0")
        return 0
    return moved


def frozen(mods: Mods, run: Execution) -> Mods:
    """Mods whose computed numbers are fixed now; keyword values as well."""
    keywords = tuple(
        replace(k, value=Number(number_of(k.value, run.context))) if k.value is not None else k for k in mods.keywords
    )
    if mods.keywords_of is not None:
        for thing in as_things(resolve(mods.keywords_of, run.context)):
            traits = run.game.traits(thing)
            keywords += (*traits.keywords, *traits.granted)
    return replace(mods, keywords=keywords, keywords_of=None)


def note_given(game: Game, thing: Thing, effect: Lasting) -> None:
    """A line of the trace for a continuous effect."""
    mods = effect.mods
    assert mods is not None
    words = []
    if mods.might is not None or mods.might_to is not None:
        words.append(f"{effect.snapshot:+d} Might")
    words += [f"{k.name}{' ' + str(k.value) if k.value is not None else ''}" for k in mods.keywords]
    until = {"turn": " this turn", "combat": " this combat"}.get(effect.until, "")
    words += ["another Might"] if mods.base_might is not None else []
    words += [*mods.types, *mods.tags, *mods.domains]
    words += [f"no {name}" for name in mods.lose]
    words += ["an ability"] if mods.abilities else []
    game.note(" ".join(layer_rules(mods)), "{} gets {}" + until, thing, ", ".join(words) or "an effect")


def layer_rules(mods: Mods) -> list[str]:
    """The layers in which a continuous effect alters something (477)."""
    found = ["477.1.a.1"] if mods.base_might is not None else []
    found += ["477.1.a"] if mods.types or mods.tags or mods.domains else []
    found += ["757.1"] if mods.untargetable_by else []
    found += ["477.3"] if mods.might is not None or mods.might_to is not None else []
    return found if found and mods.layers <= {1, 3, 4} else [*found, "477.2"]


@verb("double_might")
def double_might(run: Execution, ins: Instruction) -> Flow[bool]:
    """432: an increase by the current Might, fixed for the duration; never by a negative amount (477.3.c)."""
    things = [t for t in (yield from run.things(ins, "double_might")) if t.on_board]
    before = actions.mighty_now(run.game, things)
    begun = []
    for thing in things:
        effect = lasting(run, str(ins.args.get("for", "turn")))
        effect.ids = (thing.id,)
        effect.mods = Mods(might=Number(0))
        effect.snapshot = max(0, run.game.traits(thing).might or 0)
        run.game.state.lasting.append(effect)
        begun.append(effect)
        run.game.touch()
        less = " 477.3.c" if (run.game.traits(thing).might or 0) < 0 else ""
        run.game.note(f"432.1.a{less}", "{} gets {} Might", thing, f"+{effect.snapshot}")
    yield from see_mighty(run, things, before, begun)
    return bool(things)


@verb("swap_might")
def swap_might(run: Execution, ins: Instruction) -> Flow[bool]:
    """433: the lower goes up and the higher down by the difference."""
    pair = [t for t in (yield from run.things(ins, "swap_might")) if t.on_board]
    if len(pair) != 2:
        return False
    mights = [run.game.traits(t).might or 0 for t in pair]
    difference = mights[1] - mights[0]
    if not difference:
        run.game.note("433.1.c", "both have the same Might, so swapping has no effect")
        return False
    before = actions.mighty_now(run.game, pair)
    begun = []
    for thing, moved in ((pair[0], difference), (pair[1], -difference)):
        effect = lasting(run, str(ins.args.get("for", "turn")))
        effect.ids = (thing.id,)
        effect.mods = Mods(might=Number(0))
        effect.snapshot = moved
        run.game.state.lasting.append(effect)
        begun.append(effect)
        run.game.note("433.1.a 433.1.b", "{} gets {} Might", thing, f"{moved:+d}")
    run.game.touch()
    yield from see_mighty(run, pair, before, begun)
    return True


@verb("become_copy")
def become_copy(run: Execution, ins: Instruction) -> Flow[bool]:
    """477.1.b: copyable traits are replaced by those of another object."""
    things = yield from run.things(ins, "become_copy")
    of = yield from run.things(ins, "of")
    if not things or not of or (not of[0].on_board and not of[0].gone):
        return False
    for thing in [t for t in things if t.on_board]:
        thing.copied = of[0].definition
        thing.timestamp = run.game.tick()
        token = " 185.1.a 185.1.b 185.3.a.2" if thing.token else ""
        run.game.note(f"477.1.b.1.a 477.1.b.1.b{token}", "{} becomes a copy of {}", thing, of[0])
    run.game.touch()
    return True


@verb("later")
def later(run: Execution, ins: Instruction) -> Flow[bool]:
    """389-390: a delayed ability; not generated where its time is over already (359.3.e.16)."""
    ability = ins.args["later"]
    until = str(ins.args.get("for", "permanent"))
    if isinstance(ability, Triggered) and too_late(run.game, ability, until):
        run.game.note("359.3.e.16", "the delayed ability is not generated: its time is over")
        return False
    missing = subject_missing(run, ability)
    if missing:
        return False
    effect = lasting(run, until)
    effect.ability = ability  # type: ignore[assignment]
    effect.maker = None
    if isinstance(ability, Replacement) and ability.value is not None:
        effect.remaining = number_of(ability.value, run.context)
    run.game.state.lasting.append(effect)
    run.game.touch()
    run.game.note(delayed_rules(effect), "a delayed ability is generated")
    return True
    yield


def delayed_rules(effect: Lasting) -> str:
    """What kind of delayed ability it is, and where one without a window of time gets its window from (390.5)."""
    kind = "390.2" if isinstance(effect.ability, Triggered) else "390.3"
    if not isinstance(effect.ability, Triggered | Replacement):
        kind = "390.4"
    if effect.until == "source":
        return f"{kind} 391 392 390.5.b"
    if effect.until != "permanent":
        return f"{kind} 391 392"
    bound = [t for value in effect.bindings.values() for t in (value if isinstance(value, list) else [value])]
    away = any(isinstance(t, Thing) and not t.on_board for t in bound)
    return f"{kind} 391 392 390.5.a {'390.5.c.1' if away else '390.5.c.2'}"


def too_late(game: Game, ability: Triggered, until: str) -> bool:
    """An end-of-turn trigger made after the Ending Step began."""
    ends = any(e.verb == "turn_ends" for e in ability.events)
    return ends and until == "turn" and game.state.phase == "ending"


def subject_missing(run: Execution, ability: object) -> bool:
    """A delayed ability about an object that is not there is not generated (359.3.e.14.a)."""
    event = None
    if isinstance(ability, Triggered):
        event = ability.events[0]
    elif isinstance(ability, Replacement):
        event = ability.event
    subject = event.subject if event is not None else None
    return isinstance(subject, Ref) and subject.name.startswith("$") and not resolve(subject, run.context)


# chain


@verb("counter")
def counter(run: Execution, ins: Instruction) -> Flow[bool]:
    done = False
    for found in (yield from run.objects(ins, "counter")):
        if isinstance(found, ChainItem):
            done = (yield from actions.counter(run.game, found, run.cause)) or done
    return done


@verb("play")
def play(run: Execution, ins: Instruction) -> Flow[bool]:
    """419.3: cards become pending items; they are finalized after this resolution (354.3)."""
    from kb.engine.playing import begin_card, finalize

    player = run.actor(ins)
    if player is None:
        return False
    value = ins.args["play"]
    cards = yield from run.things(ins, "play")
    if isinstance(value, Noun) and not cards:
        run.game.note("055 358.3.a 419.3.c", "there is nothing that {} can play", player)
    where = yield from run.where(ins.args.get("to"), ins) if not several(ins.args.get("to")) else nothing()  # type: ignore[arg-type]
    anywhere: tuple[Location, ...] = ()
    place = ins.args.get("to")
    if isinstance(place, Place) and not several(place) and where is None:
        run.game.note("359.3.f.2.a", "there is no such place any more")
        return False
    if isinstance(place, Place) and several(place):
        assert place.noun is not None
        spots = [location_of(c) for c in candidates(place.noun, run.context)]
        anywhere = tuple(s for s in spots if s is not None)
        if not anywhere:
            return False
    items = []
    for card in cards:
        source = run.game.follow(card)
        fixed = {"170.2.a": "battlefield", "174.2.a": "legend"}
        for rule in [rule for rule, kind in fixed.items() if kind in source.card.types]:
            run.game.note(rule, "{} is not played in the course of a game", source)
        if source.gone or source.zone in (Zone.BASE, Zone.BATTLEFIELD, Zone.LEGEND):
            continue
        if not printed(source.card).types & {"unit", "gear", "spell"}:
            continue
        spot, spots_left = where, anywhere
        if place is None and "unit" in printed(source.card).types:
            spot = hidden_spot(run, player)
        elif anywhere and "unit" in printed(source.card).types:
            spots_left = where_hidden(run, player, anywhere)
            if not spots_left:
                continue
        elif isinstance(place, Place) and spot is not None and "unit" in printed(source.card).types:
            spot = apart_from_combat(run, player, place, spot)
        reduced = ins.args.get("reduced")
        less = reduced.energy if isinstance(reduced, Resources) else None
        terms = PlayTerms(
            ignoring=str(ins.args.get("ignoring", "")),
            reduced_energy=number_of(less, run.context),
            instead=ins.args.get("for") if isinstance(ins.args.get("for"), Cost) else None,  # type: ignore[arg-type]
            place=spot,
            anywhere=spots_left,
            ready=True if ins.args.get("ready") else None,
            leaving=str(ins.args.get("leaving", "")),
            by_effect=True,
        )
        run.game.note("419.3.b", "{} is played by an effect, with all the steps of playing", source)
        items.append(begin_card(run.game, player, source, terms))
        follow_play(run, card, items[-1])
        if not run.game.hooks.does("354.3"):
            yield from finalize(run.game, items[-1])
    if items:
        run.name(ins, list(items))
    return bool(items)


def apart_from_combat(run: Execution, player: str, place: Place, where: Location) -> Location:
    """462.2.a: a unit that would be played into a combat of others goes to its player's base, and "here" with it."""
    from kb.engine.legality import combat_of_others

    game = run.game
    if not isinstance(where, int) or not combat_of_others(game, player, where) or not game.hooks.does("462.2.a"):
        return where
    game.note("462.2.a", "it can't be played there and is played to the base of {}", player)
    if place.kind == "here" and game.hooks.does("462.2.b"):
        run.here = player
        game.note("462.2.b", "from now on here is the base of {}", player)
    return player


def hidden_spot(run: Execution, player: str) -> Location | None:
    """811.1.d.3: where a unit enters that a card played from hidden, or its play effect, has its player play."""
    from kb.engine.choices import hidden_from

    where = hidden_from(run.item) if run.item is not None and run.item.controller == player else 0
    if not where or not run.game.hooks.does("811.1.d.3"):
        return None
    run.game.note("811.1.d.3", "the unit is played where the card was hidden")
    return where


def where_hidden(run: Execution, player: str, spots: tuple[Location, ...]) -> tuple[Location, ...]:
    """Of the places that a text leaves open, the battlefield where the card that it is on was hidden (811.1.d.3)."""
    spot = hidden_spot(run, player)
    return spots if spot is None else tuple(s for s in spots if s == spot)


def follow_play(run: Execution, card: Thing, item: ChainItem) -> None:
    """A name of a card that this effect plays is the played card for linked instructions (359.3.e.14.c)."""
    for name, value in run.bindings.items():
        if isinstance(value, list) and any(v is card for v in value):
            run.game.trace.cite("359.3.e.14.c")
            run.bindings[name] = [item if v is card else v for v in value]


def several(place: object) -> bool:
    """A place described by a phrase: which one is chosen while the played unit is finalized."""
    return isinstance(place, Place) and place.kind == "noun"


def nothing() -> Flow[None]:
    return None
    yield


@verb("play_token")
def play_token(run: Execution, ins: Instruction) -> Flow[bool]:
    """184-187: tokens are created on the chain and played like cards."""
    from kb.engine.playing import put_on_chain

    player = run.actor(ins)
    if player is None:
        return False
    name = str(ins.args["play_token"])
    card = run.game.library.need(name)
    place = ins.args.get("to")
    assert place is None or isinstance(place, Place)
    where: Location | None = None
    anywhere: tuple[Location, ...] = ()
    if place is not None and not several(place):
        where = yield from run.where(place, ins)
        if where is None:
            run.game.note("359.3.f.2.a", "there is no such place any more")
            return False
        if "unit" in card.types:
            where = apart_from_combat(run, player, place, where)
    elif place is not None:
        assert place.noun is not None
        anywhere = tuple(s for s in (location_of(c) for c in candidates(place.noun, run.context)) if s is not None)
        if "unit" in card.types:
            anywhere = where_hidden(run, player, anywhere)
        if not anywhere:
            run.game.note("359.3.e.6", "there is no such place")
            return False
    count = run.number(ins, "count") if "count" in ins.args else 1
    keywords = ins.args.get("keywords", ())
    state = str(ins.args.get("state", ""))
    passed = run.inherits or PlayTerms()
    if place is None:
        where, anywhere = passed.place, passed.anywhere
        if where is None and not anywhere and "unit" in card.types:
            where = hidden_spot(run, player)
    items = []
    for _ in range(count):
        terms = PlayTerms(
            place=where,
            anywhere=anywhere,
            ready=passed.ready if not state else state == "ready",
            keywords=(*(keywords if isinstance(keywords, tuple) else ()), *passed.keywords),
            by_effect=True,
        )
        copies, others = yield from replaced_tokens(run, player, name, terms)
        for _ in range(copies):
            token = run.game.create(card, player, Zone.CHAIN, token=True)
            items.append(put_on_chain(run.game, player, token, terms, Zone.CHAIN))
        items += others
    run.played += items
    if items:
        run.name(ins, list(items))
    return bool(items)


def replaced_tokens(run: Execution, player: str, name: str, terms: PlayTerms) -> Flow[tuple[int, list[ChainItem]]]:
    """Replacement effects on playing a token: how often it is played, and what is played in its place or with it.

    Tokens that a replacement effect plays inherit how the replaced one was to enter (375).
    """
    from kb.engine.replacing import agree, choose_pair, context_of, in_force, use_up

    copies = 1
    others: list[ChainItem] = []
    event = Happening("plays_token", None, player, player, run.item, word=name)
    waiting = [c for c in in_force(run.game, "plays_token", [event]) if replaces_play(run.game, c, event)]
    while waiting and copies:
        candidate = waiting[0]
        if any(not c.ability.amount for c in waiting):
            candidate, _ = yield from choose_pair(run.game, [(c, event) for c in waiting])
        waiting.remove(candidate)
        ability = candidate.ability
        agreed = yield from agree(run.game, candidate, event)
        if not agreed:
            continue
        use_up(run.game, candidate)
        run.game.happened.add(id(ability))
        context = context_of(run.game, candidate, event)
        if ability.amount:
            run.game.note("370.1.b 375", "{} adds a copy of the token", candidate.source)
            copies += amount_of(ability.value, context) or 1
            continue
        run.game.note("370.1.b 375", "{} replaces the playing of the token", candidate.source)
        inherited = terms if run.game.hooks.does("375") else None
        inner = Execution(run.game, context, context.item, 0, dict(context.bindings), inherits=inherited)
        run.game.replacing.append(candidate.key)
        try:
            yield from inner.run(ability.instead or ability.also)
        finally:
            run.game.replacing.remove(candidate.key)
        others += inner.played
        if ability.instead:
            copies = 0
    return copies, others


def replaces_play(game: Game, candidate: Replacing, event: Happening) -> bool:
    """Whether a replacement effect qualifies for a play of a token (370.1), of which there is no object yet."""
    from kb.engine.replacing import can_pay_for, context_of

    ability, card = candidate.ability, game.library.need(event.word)
    if ability.limit and game.state.used[(candidate.key, game.state.turn)] >= ability.limit:
        game.trace.cite("371.1")
        return False
    if candidate.key in game.replacing or candidate.controller != event.player:
        return False
    if candidate.lasting is not None and candidate.lasting.remaining == 0:
        return False
    subject = ability.event.subject
    if isinstance(subject, Noun) and not any(k in card.types or k in ("token", "permanent") for k in subject.kinds):
        return False
    context = context_of(game, candidate, event)
    active = game.active(ability.dependent, context) and holds(ability.only_if, context)
    return active and can_pay_for(game, candidate, context)


@verb("create_battlefield")
def create_battlefield(run: Execution, ins: Instruction) -> Flow[bool]:
    """439: a token battlefield is added to the board, uncontrolled (439.4.b), if it is not there already."""
    name = str(ins.args["create_battlefield"])
    game = run.game
    player = run.you or game.state.turn_player
    thing = game.create(game.library.need(name), player, Zone.BATTLEFIELD, token=True)
    if game.hooks.does("439.2.b.5"):
        game.state.battlefields.append(thing.id)
    if game.hooks.holds("439.4.b", False):
        thing.controller = player
    game.note("439.1 439.2.b.5 439.4.b", "{} is added to the board, uncontrolled", thing)
    game.touch()
    run.name(ins, [thing])
    return True
    yield


@verb("create_token")
def create_token(run: Execution, ins: Instruction) -> Flow[bool]:
    """439: tokens come to be on the board unplayed, where the effect says or where they could be played to."""
    from kb.engine.entering import entering_by_others
    from kb.engine.legality import entry_places

    game, player = run.game, run.actor(ins)
    if player is None:
        return False
    card = game.library.need(str(ins.args["create_token"]))
    place = ins.args.get("to")
    assert place is None or isinstance(place, Place)
    count = run.number(ins, "count") if "count" in ins.args else 1
    state, keywords = str(ins.args.get("state", "")), ins.args.get("keywords", ())
    made: list[object] = []
    for _ in range(count):
        places: list[Location] = [player]
        if place is not None:
            where = yield from run.where(place, ins)
            places = [] if where is None else [where]
        elif "unit" in card.types:
            probe = Thing(0, 0, card, player, player, Zone.CHAIN, token=True)
            places = game.hooks.options("439.2.b.1", entry_places(game, player, probe, PlayTerms(by_effect=True), True))
        if not places:
            game.note("439.2", "there is no place for {}", card.name)
            break
        spot = places[0]
        if len(places) > 1:
            options = tuple(Option(game.place_label(p), p) for p in places)
            (answer,) = yield Ask(player, "location", options, about=f"where {card.name} is created", rule="439.2.b.1")
            spot = answer.value  # type: ignore[assignment]
        thing = game.create(card, player, Zone.BATTLEFIELD if isinstance(spot, int) else Zone.BASE, spot, token=True)
        thing.controller = player
        thing.entered = game.state.turn
        thing.exhausted = "unit" in card.types if not state else state == "exhausted"
        if isinstance(keywords, tuple) and keywords:
            effect = lasting(run, "permanent")
            effect.ids, effect.mods = (thing.id,), Mods(keywords=keywords)
            game.state.lasting.append(effect)
        game.note("439.1 439.3.a 439.4.a", "{} is created at {}", thing, game.place_label(spot))
        game.touch()
        if "unit" in card.types:
            actions.apply_contested(game, spot, player, "190.3.a")
        made.append(thing)
        thing.exhausted = yield from entering_by_others(game, thing, thing.exhausted, own=bool(state))
        yield from happen(game, [Happening("enters", thing, player, player, run.item, place=thing.location)], "439.2.a")
    run.name(ins, made)
    return bool(made)


@verb("replace_with")
def replace_with(run: Execution, ins: Instruction) -> Flow[bool]:
    """438: a token takes the place of a battlefield and inherits its statuses; the same object (438.1.a)."""
    things = yield from run.things(ins, "what")
    card = run.game.library.need(str(ins.args["replace_with"]))
    done = False
    for thing in things:
        if not thing.on_board:
            continue
        if thing.token:
            run.game.note("438.6.a", "a token is replaced and stops existing; what replaces it does not")
        else:
            set_aside(run.game, thing)
        thing.copied = None
        thing.card = card
        run.game.names[thing.body] = run.game.new_name(card.name)
        run.game.note("438.1.a 438.4", "it is replaced by {}", thing)
        done = True
    run.game.touch()
    return done


def set_aside(game: Game, thing: Thing) -> None:
    """438.5: the replaced card goes to Banishment, where it counts as replaced, not as banished (438.5.a).

    The object on the board stays what it was (438.1.a) and goes on with the body of the token.
    """
    card = Thing(game.fresh(), thing.body, thing.card, thing.owner, None, Zone.BANISHMENT)
    card.timestamp = game.tick()
    game.state.things[card.id] = card
    game.put(card, Zone.BANISHMENT)
    thing.body, thing.token, thing.replaced = game.fresh(), True, card.id
    game.note("438.5 438.5.a", "{} is placed in Banishment as replaced, not banished", card)


@verb("swap_back")
def swap_back(run: Execution, ins: Instruction) -> Flow[bool]:
    """438.7: the token stops existing and the card it replaced returns from Banishment to its place."""
    things = yield from run.things(ins, "swap_back")
    done = False
    for thing in things:
        original = run.game.state.things.get(thing.replaced)
        if original is None or original.gone or not thing.on_board:
            run.game.note("438.7.c", "{} replaced nothing that it could be swapped back to", thing)
            continue
        run.game.take_out(original)
        original.gone = True
        thing.card, thing.body, thing.token, thing.replaced = original.card, original.body, False, 0
        run.game.note("438.7.b.1", "{} returns to its place", thing)
        done = True
    run.game.touch()
    return done


@verb("attach")
def attach(run: Execution, ins: Instruction) -> Flow[bool]:
    gears = yield from run.things(ins, "attach")
    tops = yield from run.things(ins, "to")
    done = False
    if tops:
        for gear in gears:
            done = (yield from actions.attach(run.game, gear, tops[0], run.cause)) or done
    return done


@verb("pay_equip")
def pay_equip(run: Execution, ins: Instruction) -> Flow[bool]:
    """821.1.c: pay an Equipment's Equip cost, less one Power of any domain, to attach it."""
    gears = yield from run.things(ins, "pay_equip")
    tops = as_things((yield from run.objects(ins, "to")))
    if not gears or not tops or run.you is None:
        return False
    gear = gears[0]
    cost = next((k.cost for k in run.game.traits(gear).keywords if k.name == "Equip" and k.cost is not None), None)
    if cost is None and run.game.hooks.does("821.1.c.4"):
        run.game.note("821.1.c.1 821.1.c.4", "{} has no Equip cost, so it can't be paid", gear)
        return False
    cost = cost or Cost()
    power = list(cost.resources.power)
    dear = "A" not in power
    if dear:
        run.game.trace.cite("821.1.c.3")
    power = less_any(power)
    run.game.trace.cite("821.1.c.2 821.1.c.6 821.1.d")
    energy = Number(equip_energy(run, gear, number_of(cost.resources.energy, run.context)))
    if dear and not run.game.hooks.does("821.1.c.3"):
        energy = Number(max(0, energy.value - 1))
    reduced = Cost(Resources(energy, tuple(power), cost.resources.any_power), cost.parts)
    context = replace(run.context, this=gear)
    agreed = yield from agree_to_pay(run, run.you, reduced, context)
    if not agreed:
        run.game.note("821.1.c.5", "the Equip cost is not paid, and {} stays as it is", gear)
        if not run.game.hooks.does("821.1.c.5"):
            yield from actions.detach(run.game, [gear], run.cause)
        return False
    paid = yield from pay_cost(run.game, run.you, reduced, context)
    if not paid:
        run.game.note("821.1.c.5", "the Equip cost can't be paid")
        return False
    return (yield from actions.attach(run.game, gear, tops[0], run.cause))


def less_any(power: list[str]) -> list[str]:
    """Power symbols without one of any domain, if there is one (821.1.c)."""
    at = next((i for i, symbol in enumerate(power) if symbol == "A"), len(power))
    return [symbol for i, symbol in enumerate(power) if i != at]


def equip_energy(run: Execution, gear: Thing, energy: int) -> int:
    """The Energy of an Equip cost as altered by what modifies it (725.3, 821.1.c.2)."""
    context = run.game.context(gear)
    run.game.trace.cite("725.3")
    for ability in gear.definition.abilities:
        if (
            isinstance(ability, CostChange)
            and ability.change == "reduce"
            and ability.component == "equip"
            and run.game.active(ability.dependent, context)
        ):
            times = times_of(ability.times, context)
            less = number_of(ability.resources.energy, context) * times
            run.game.trace.cite("725.3")
            energy = max(min(energy, ability.minimum), energy - less)
    return energy


# resources, points, turns


@verb("add")
def add(run: Execution, ins: Instruction) -> Flow[bool]:
    resources = ins.args["add"]
    assert isinstance(resources, Resources)
    player = run.actor(ins)
    if player is None:
        return False
    context = run.context
    energy = number_of(resources.energy, context)
    source = run.base.this or run.base.me
    domains = run.game.traits(source).domains if source is not None else ()
    power = added_power(resources, domains, context)
    yield from add_resources(run.game, player, energy, power, str(ins.args.get("only_for", "")), run.cause)
    return True


@verb("gain_points")
def gain_points(run: Execution, ins: Instruction) -> Flow[bool]:
    done = 0
    for player in run.players(ins.who):
        done += yield from actions.gain_points(run.game, player, run.number(ins, "gain_points"), "194.1.c", run.cause)
    return bool(done)


@verb("score_points")
def score_points(run: Execution, ins: Instruction) -> Flow[bool]:
    """ "You score 1 point": a point gained from an instruction (194.1.c, 471.1.a.1)."""
    done = 0
    for player in run.players(ins.who):
        done += yield from actions.gain_points(
            run.game, player, run.number(ins, "score_points"), "194.1.c 471.1.a.1", run.cause
        )
    return bool(done)


@verb("lose_points")
def lose_points(run: Execution, ins: Instruction) -> Flow[bool]:
    done = 0
    for player in run.players(ins.who):
        done += yield from actions.lose_points(run.game, player, run.number(ins, "lose_points"), run.cause)
    return bool(done)


@verb("gain_xp")
def gain_xp(run: Execution, ins: Instruction) -> Flow[bool]:
    done = 0
    for player in run.players(ins.who):
        done += yield from actions.gain_xp(run.game, player, run.number(ins, "gain_xp"), run.cause)
    return bool(done)


@verb("take_turn")
def take_turn(run: Execution, ins: Instruction) -> Flow[bool]:
    """734-738: an additional turn after this one; queued after those queued before."""
    who = ins.args["take_turn"]
    assert isinstance(who, Ref | Noun)
    for player in run.players(who):
        queue = run.game.state.extra_turns
        run.game.trace.cite("738" if queue else "")
        taker = run.game.hooks.actor("735", player, run.game.next_player(player))
        place = 0 if run.game.hooks.does("738") else len(queue)
        queue[place:place] = [taker] * run.game.hooks.count("735", 1)
        run.game.note("735 737", "{} takes an additional turn after this one", player)
    return True
    yield


@verb("skip")
def skip(run: Execution, ins: Instruction) -> Flow[bool]:
    """443: a procedure of the turn is replaced with nothing, the next time it would come."""
    of = ins.args.get("of")
    for player in run.players(of if isinstance(of, Ref | Noun) else None):
        run.game.state.tallies[("skip", str(ins.args["skip"]), player)] += 1
    return True
    yield


@verb("win_game")
def win_game(run: Execution, ins: Instruction) -> Flow[bool]:
    winners = yield from run.objects(ins, "win_game")
    for player in [w for w in winners if isinstance(w, str)]:
        run.game.note("195", "{} wins the game by an effect", player)
        decks.declare_winner(run.game, player)
    return False
    yield


@verb("lose_game")
def lose_game(run: Execution, ins: Instruction) -> Flow[bool]:
    from kb.engine.leaving import remove_player

    losers = yield from run.objects(ins, "lose_game")
    for player in [x for x in losers if isinstance(x, str)]:
        run.game.note("195.1", "{} loses the game by an effect", player)
        yield from remove_player(run.game, player)
    return True


# costs and choices inside a resolution


@verb("pay")
def pay(run: Execution, ins: Instruction) -> Flow[bool]:
    """204.3.b, 444: paid on resolution; without it the linked effect is not executed."""
    run.game.trace.cite("740.4.a.1" if run.item is not None and run.item.is_spell else "")
    cost = ins.args["pay"]
    assert isinstance(cost, Cost)
    player = run.actor(ins)
    if player is None:
        return False
    if not run.game.hooks.does("204.3.b"):
        return True
    context = run.context
    if not ins.may:
        agreed = yield from agree_to_pay(run, player, cost, context)
        if not agreed:
            return False
    paid = yield from pay_cost(run.game, player, cost, context)
    rules = "204.3.b 205" if ins.may else "204.3.b"
    run.game.note(rules, "{} {}", player, "pays the cost" if paid else "can't pay the cost")
    return run.game.hooks.holds("204.3.b", paid)


def agree_to_pay(run: Execution, player: str, cost: Cost, context: Context) -> Flow[bool]:
    """444.2: a player told to pay may choose not to; then the linked effect is not executed (444.2.b)."""
    if not can_pay_cost(run.game, player, cost, context):
        run.game.note("203.3", "{} can't pay the cost", player)
        return False
    if cost == Cost(Resources(Number(0))) or cost == Cost():
        return True
    (answer,) = yield Ask(
        player, "yes or no", (Option("yes", True), Option("no", False)), about="pay the cost?", rule="444.2"
    )
    if not answer.value:
        run.game.note("444.2.b", "{} does not pay, so what depends on it is not executed", player)
    return bool(answer.value)


@verb("pay_any")
def pay_any(run: Execution, ins: Instruction) -> Flow[bool]:
    """Any amount of Energy or Power from the pool, Add reactions allowed (204.3.b, 429.3)."""
    from kb.engine.costs import Source, Total, add_key, pay_resources, sources, use_add

    player = run.actor(ins)
    if player is None:
        return False
    kind = str(ins.args["pay_any"])
    who = run.game.player(player)
    while True:
        pool = {"energy": who.energy, "power": sum(who.power.values())}[kind]
        more = [s for s in sources(run.game, player, run.item) if {"energy": s.energy, "power": s.power}[kind]]
        more = [s for s in more if s.granted.me is not run.base.me]
        options = [Option(str(n), n) for n in range(pool + 1)]
        seen: dict[str, Option] = {}
        for source in more:
            key = f"use {add_key(run.game, source.granted)}"
            seen.setdefault(key, Option(key, source))
        (answer,) = yield Ask(
            player, "amount", (*options, *seen.values()), about=f"how much {kind} to pay", rule="204.3.b"
        )
        value = answer.value
        if isinstance(value, int):
            break
        assert isinstance(value, Source)
        yield from use_add(run.game, player, value.granted)
    if value and run.game.hooks.does("204.3.b"):
        total = {"energy": Total(energy=value), "power": Total(power=[ANY_DOMAIN] * value)}[kind]
        paid = yield from pay_resources(run.game, player, total, run.item, frozenset())
        if not paid:
            return False
    run.name(ins, value)
    return run.game.hooks.holds("204.3.b", True)


ANY_DOMAIN = frozenset(("fury", "calm", "mind", "body", "chaos", "order"))


@verb("choose")
def choose(run: Execution, ins: Instruction) -> Flow[bool]:
    """Choosing as an instruction of its own; the targets of it were chosen while finalizing."""
    before = run.bindings.get(ins.bind) if ins.bind else None
    found = yield from run.objects(ins, "choose")
    if run.they is not None and isinstance(before, list) and ins.bind and not run.preset(ins, "choose"):
        noun = ins.args["choose"]
        if isinstance(noun, Noun) and noun.quantity in CHOSEN_ONES:
            run.bindings[ins.bind] = [*before, *found]
    return bool(found)


CHOSEN_ONES = ("a", "up to", "any number of", "exactly")


@verb("choose_player")
def choose_player(run: Execution, ins: Instruction) -> Flow[bool]:
    found = yield from run.objects(ins, "choose_player")
    return bool(found)


@verb("name_tag")
def name_tag(run: Execution, ins: Instruction) -> Flow[bool]:
    """760-763: name a tag that exists on cards."""
    player = run.actor(ins)
    if player is None:
        return False
    tags = tuple(Option(t, t) for t in run.game.hooks.options("763", existing_tags(run.game.library)))
    (answer,) = yield Ask(player, "name", tags, about="a tag", rule="763 763.1")
    run.name(ins, str(answer.value))
    return True


@verb("name_card")
def name_card(run: Execution, ins: Instruction) -> Flow[bool]:
    """762: name a card that exists and is no token."""
    player, noun = run.actor(ins), ins.args["name_card"]
    assert isinstance(noun, Noun)
    if player is None:
        return False
    names = tuple(Option(n, n) for n in nameable(run.game.library, noun.kinds))
    (answer,) = yield Ask(player, "name", names, about=str(noun), rule="762 762.1 762.2")
    run.game.note("762 762.1 762.2", "{} names {}", player, answer.key)
    run.name(ins, str(answer.value))
    return True


@verb("name_domain")
def name_domain(run: Execution, ins: Instruction) -> Flow[bool]:
    """Pick one of the six domains (134.2)."""
    player = run.actor(ins)
    if player is None:
        return False
    options = tuple(Option(d.capitalize(), d) for d in ("fury", "calm", "mind", "body", "chaos", "order"))
    (answer,) = yield Ask(player, "name", options, about="a domain", rule="134.2")
    run.name(ins, str(answer.value))
    return True


@verb("make_new_choices")
def make_new_choices(run: Execution, ins: Instruction) -> Flow[bool]:
    """750-755: a player remakes any of an item's choices, to legal ones only."""
    from kb.engine.new_choices import choose_anew

    player = run.actor(ins)
    done = False
    for item in (yield from run.objects(ins, "make_new_choices")):
        if isinstance(item, ChainItem) and player is not None:
            done = (yield from choose_anew(run.game, item, player)) or done
    return done


@verb("activate")
def activate(run: Execution, ins: Instruction) -> Flow[bool]:
    """383.4.g: named effects of objects trigger as if their event had happened; other conditions are checked."""
    things = yield from run.things(ins, "of")
    named = str(ins.args["activate"])
    found: list[Found] = []
    for thing in things:
        event = Happening(named, None, thing.controller, thing.controller, run.item, place=thing.location)
        if named == "played":
            event = Happening("plays", thing, thing.controller, thing.controller, run.item, place=thing.location)
        for granted in run.game.abilities_of(thing):
            if not isinstance(granted.ability, Triggered):
                continue
            if named == "played" and all(e.verb != "played" for e in granted.ability.events):
                continue
            found += from_ability(run.game, granted.ability, granted, event, found)
    if found:
        rules = "383.4.g.1 383.4.a.4" if named == "played" else "383.4.g.1"
        kind = {"played": "play"}.get(named, named.removesuffix("s"))
        run.game.note(rules, "the {} effects are activated", kind)
        yield from add_triggers(run.game, found)
    return bool(found)


# structures


@verb("when_true")
def when_true(run: Execution, ins: Instruction) -> Flow[bool]:
    true = holds(ins.args["when_true"], run.context)  # type: ignore[arg-type]
    branch = ins.then if true else ins.otherwise
    if true and ins.then and ins.otherwise:
        run.game.note("158.2", "this takes the place of the other instruction")
    if branch:
        yield from run.run(branch)
    return true


@verb("one_of")
def one_of(run: Execution, ins: Instruction) -> Flow[bool]:
    """Bulleted modes chosen while finalizing (355.3)."""
    modes = ins.args["one_of"]
    assert isinstance(modes, tuple)
    picked = run.item.modes.get((run.repetition, id(ins)), []) if run.item is not None else []
    done = False
    for index in picked:
        done = (yield from run.run(modes[index])) or done
    return done


@verb("either")
def either(run: Execution, ins: Instruction) -> Flow[bool]:
    """ "Do X or Y", decided on execution (355.17)."""
    modes = ins.args["either"]
    assert isinstance(modes, tuple)
    player = run.actor(ins)
    if player is None:
        return False
    options = tuple(Option(f"mode {i + 1}", i) for i, m in enumerate(modes) if all(run.possible(x) for x in m[:1]))
    if not options:
        return False
    (answer,) = yield Ask(player, "mode", options, about="which of the two to do", rule="355.17")
    value = answer.value
    assert isinstance(value, int)
    return (yield from run.run(modes[value]))


@verb("do_this")
def do_this(run: Execution, ins: Instruction) -> Flow[bool]:
    """386-388: a reflexive trigger becomes one or more pending items."""
    effect = ins.args["do_this"]
    assert isinstance(effect, tuple)
    times = run.amount(ins, "times")
    if any(i.verb == "one_of" for i in effect) and not run.game.hooks.does("387.1.b"):
        return False
    for _ in range(1 if times is None else run.game.hooks.count("387.1.a", times)):
        controller = run.you or run.game.state.turn_player
        source = run.base.me if run.base.me is not None else run.base.this
        item = ChainItem(run.game.fresh(), controller, "ability", None, Triggered((), effect), source)
        item.source_name = run.game.label(source) if source is not None else "effect"
        item.effect = effect
        item.event = run.base.event
        item.they = run.they or run.base.they
        item.here = run.context.here
        item.bindings = dict(run.bindings)
        item.opened_by = "trigger"
        add_item(run.game, item)
        rules = "388.1 401.2 387.2" if ins.only_if is None else "388.1 401.2"
        rules += " 387.1.b" if any(i.verb == "one_of" for i in effect) else ""
        rules += " 387.1.a 388.2" if times is not None and times > 1 else ""
        run.game.note(rules, "a reflexive trigger of {} is added to the chain", item.source_name)
    return True
    yield


@verb("for_each")
def for_each(run: Execution, ins: Instruction) -> Flow[bool]:
    """The same for each of several objects, named ``$each``."""
    things = yield from run.objects(ins, "for_each")
    body = ins.args["do"]
    assert isinstance(body, tuple)
    done = False
    for thing in list(things):
        run.bindings["$each"] = [thing]
        done = (yield from run.run(body)) or done
    return done


@verb("each_player")
def each_player(run: Execution, ins: Instruction) -> Flow[bool]:
    """The same for each of several players, named ``they``; names given inside collect over the rounds."""
    noun, body = ins.args["each_player"], ins.args["do"]
    assert isinstance(noun, Noun)
    assert isinstance(body, tuple)
    order = run.game.players_in_order()
    if run.you is not None:
        others = run.game.players_after(run.you)
        order = others + [run.you] if ins.args.get("starting") == "next" else [run.you, *others]
    context = run.context
    from kb.engine.filters import matches_player

    collected: dict[str, list[object]] = {}
    outer = run.they
    done = False
    for player in order:
        if not matches_player(player, noun, context):
            continue
        run.they = player
        done = (yield from run.run(body)) or done
        for name in names_bound(body):
            value = run.bindings.get(name)
            if isinstance(value, list):
                fresh = [v for v in value if not any(v is c for c in collected.get(name, []))]
                collected.setdefault(name, []).extend(fresh)
    run.they = outer
    for name, values in collected.items():
        run.bindings[name] = values
    return done


def names_bound(effect: Effect) -> list[str]:
    """Names that an effect gives."""
    found = []
    for instruction in effect:
        if instruction.bind:
            found.append(instruction.bind)
        found += names_bound(instruction.then) + names_bound(instruction.otherwise)
    return found
