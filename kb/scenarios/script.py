"""Playing a script: each step of ``when`` answers the question that the engine asks, strictly.

A question that no step answers, or a step that fits no question, ends the run with a :class:`Misfit`.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kb.engine.asking import Ask, Option, Refusal, Unsupported
from kb.engine.layers import Granted, printed
from kb.engine.legality import (
    Way,
    untargetable,
    ways_to_play,
    why_not_hide,
    why_not_location,
    why_not_standard_move,
)
from kb.engine.naming import why_not_name
from kb.engine.playing import why_not_play, why_not_use
from kb.engine.run import Finished, Outcome, Run, Stuck
from kb.engine.state import ChainItem, Location, Thing, Step
from kb.engine.turn import PHASES
from kb.engine.zones import Zone

STEP = re.compile(r"^([A-D]) (plays|uses|moves|hides|chooses|ends|concedes|invites)$")
EXTRA = {
    "plays": ("from", "to", "with", "targets", "mode", "modes", "destination", "costs", "pay", "amount"),
    "uses": ("targets", "ability", "keyword", "mode", "modes", "destination", "costs", "pay", "with", "amount"),
    "moves": ("to", "pay"),
    "hides": ("at", "pay"),
    "chooses": (),
    "ends": (),
    "concedes": (),
    "invites": (),
}
COMMON = ("asked", "refused", "label", "note")
CARRIED = {
    "cost": "with", "location": "to", "mode": "mode", "target": "targets", "destination": "destination",
    "choose": "costs", "pay": "pay", "movers": "targets", "amount": "amount",
}  # fmt: skip
"""Kinds of questions that follow an action, and the key of the step that answers each."""


class Misfit(Exception):
    """The script does not fit the questions asked: which step, what was asked, what was offered."""


class Untrue(Misfit):
    """What a step asserts itself (``asked``, ``refused``, ``legal``) does not hold."""


@dataclass
class Reader:
    """What is left of the answers that a step carries."""

    data: dict[str, Any]

    def take(self, key: str) -> Any:
        """The next answer under a key, or None; lists are taken one at a time."""
        if key not in self.data:
            return None
        value = self.data[key]
        if key in ("targets", "modes", "costs", "pay", "destination") and isinstance(value, list):
            first = value.pop(0)
            if not value:
                del self.data[key]
            return first
        del self.data[key]
        return value


class Undone(Exception):
    """An action that a script expects to be refused was undone (358.5)."""

    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal
        super().__init__(refusal.why)


class Script:
    """Runs the steps of a scenario on a :class:`Run`; ``after`` is called after each step with its label."""

    def __init__(self, run: Run, steps: Sequence[dict[str, Any]], after: Callable[[str], None]) -> None:
        self.run = run
        self.steps = steps
        self.after = after
        self.number = 0
        self.checked: set[str] = set()
        self.undoing = False
        """Rules of the questions and refusals that the script asserts."""

    @property
    def outcome(self) -> Outcome:
        return self.run.outcome

    def fail(self, why: str) -> Misfit:
        asked = ""
        ask = self.outcome
        if isinstance(ask, Ask):
            shown = ", ".join(o.key for o in ask.options[:14])
            asked = f" The question was: {ask.player}, {ask.kind} ({ask.about}); options: {shown}."
        elif isinstance(ask, Finished):
            asked = " The game was over."
        return Misfit(f"step {self.number + 1}: {why}.{asked}")

    def play(self) -> None:
        """All steps in order.

        Raises: Misfit.
        """
        for number, step in enumerate(self.steps):
            self.number = number
            if isinstance(self.outcome, Stuck):
                return
            self.carry_out(copy.deepcopy(step))
            self.after(str(step.get("label", "")))
        self.number = len(self.steps)

    def carry_out(self, step: dict[str, Any]) -> None:
        """One step; where it says ``legal``, that it can be carried out as it is written is an assertion of its own."""
        legal = step.pop("legal", None)
        if legal is not None and "refused" in step:
            raise self.fail("a step is legal or refused, not both")
        try:
            self.step(step)
        except Misfit as misfit:
            if legal is None:
                raise
            raise Untrue(f"{misfit} By {said(legal)} it was to be possible.") from None

    def step(self, step: dict[str, Any]) -> None:
        label = step.pop("label", None)
        step.pop("note", None)
        del label
        keys = [k for k in step if STEP.match(k) or k in ("pass", "resolve", "close", "until", "time")]
        if len(keys) != 1:
            raise self.fail(f"a step has exactly one action (found {', '.join(keys) or 'none'})")
        key = keys[0]
        found = STEP.match(key)
        if found is None:
            value = step.pop(key)
            if step:
                raise self.fail(f"the step {key!r} takes no {', '.join(step)}")
            {"pass": self.passes, "resolve": self.resolve, "close": self.close, "until": self.until, "time": self.time}[
                key
            ](value)
            return
        player, verb = found.groups()
        value = step.pop(key)
        for name in step:
            if name not in (*EXTRA[verb], *COMMON):
                raise self.fail(f"the step {key!r} takes no {name!r}")
        if "refused" in step:
            self.refused(player, verb, value, step)
            return
        asked = step.pop("asked", None)
        handler = {
            "plays": self.plays, "uses": self.uses, "moves": self.moves, "hides": self.hides,
            "chooses": self.chooses, "ends": self.ends, "concedes": self.concedes, "invites": self.invites,
        }[verb]  # fmt: skip
        handler(player, value, step, asked)

    # answering

    def ask_of(self, player: str, kinds: tuple[str, ...] = ()) -> Ask:
        self.go_on()
        ask = self.outcome
        if not isinstance(ask, Ask):
            raise self.fail("no question is pending")
        if ask.player != player:
            raise self.fail(f"{player} is not being asked")
        if kinds and ask.kind not in kinds:
            raise self.fail(f"a question of kind {' or '.join(kinds)} was expected")
        return ask

    def give(self, indices: Sequence[int]) -> None:
        try:
            outcome = self.run.answer(indices)
        except ValueError as error:
            raise self.fail(str(error)) from None
        if isinstance(outcome, Refusal):
            if self.undoing:
                raise Undone(outcome)
            raise self.fail(f"the action was refused by {outcome.rule}: {outcome.why}")

    def pick(self, ask: Ask, value: Any) -> list[int]:
        """Option numbers for what a script says."""
        wanted = value if isinstance(value, list) else [value]
        found: list[int] = []
        for one in wanted:
            index = self.find(ask.options, one, found)
            if index is None:
                raise self.fail(f"{one!r} is not among the options")
            found.append(index)
        return found

    def find(self, options: Sequence[Option], wanted: Any, taken: list[int]) -> int | None:
        """The option a script means: its exact key, else its key without the number of the copy."""
        text = said(wanted)
        for index, option in enumerate(options):
            if option.key == text and index not in taken:
                return index
        for index, option in enumerate(options):
            if bare(option.key) == bare(text) and index not in taken and bare(text) == text:
                return index
        for alternative in (text.removesuffix(" ability"), f"{text} ability"):
            for index, option in enumerate(options):
                if alternative != text and index not in taken and alternative in (option.key, bare(option.key)):
                    return index
        for index, option in enumerate(options):
            if index not in taken and text in self.variants(option.key):
                return index
        base = {"base": "'s base"}.get(text)
        if base is not None:
            return next((i for i, o in enumerate(options) if o.key.endswith(base) and i not in taken), None)
        return None

    def variants(self, key: str) -> set[str]:
        """A key with own names of objects replaced by their cards' names."""
        found = set()
        game = self.run.game
        for thing in game.state.things.values():
            label = game.label(thing)
            if label != thing.card.name and label in key:
                found.add(key.replace(label, thing.card.name))
        return found

    def check_asked(self, ask: Ask, asked: dict[str, Any]) -> None:
        problem = compare_ask(ask, asked)
        if problem:
            raise Untrue(str(self.fail(problem)))
        self.checked.update(ask.rule.split())

    # steps

    def plays(self, player: str, value: Any, step: dict[str, Any], asked: Any) -> None:
        ask = self.ask_of(player, ("action",))
        origin = step.pop("from", "")
        key = f"play {said(value)}" + (f" from {origin}" if origin.split()[:1] in (["hidden"], ["trash"]) else "")
        index = self.find(ask.options, key, [])
        if index is None:
            thing = self.thing(said(value))
            if thing is not None and not thing.definition.modelled:
                raise Unsupported(f"{thing.definition.name}: {thing.definition.unsupported or 'not modelled'}")
            reason = self.reason_play(player, said(value), origin, step)
            raise self.fail(f"{player} can't play {value!r}{reason}")
        self.give([index])
        self.follow(player, Reader(step), asked)

    def uses(self, player: str, value: Any, step: dict[str, Any], asked: Any) -> None:
        ask = self.ask_of(player)
        name = said(value)
        number, keyword = step.pop("ability", None), step.pop("keyword", "")
        key = f"use {name}" + (f" {keyword}" if keyword else "") + (f" {number}" if number and number > 1 else "")
        index = self.find(ask.options, key, [])
        if index is None and not keyword and not number:
            index = next((i for i, o in enumerate(ask.options) if bare(o.key).startswith(f"use {bare(name)}")), None)
        if index is None:
            raise self.fail(f"{player} can't use {value!r}{self.reason_use(player, name)}")
        self.give([index])
        self.follow(player, Reader(step), asked)

    def follow(self, player: str, reader: Reader, asked: Any) -> None:
        """Questions of the action just begun, answered from what the step carries."""
        begun = self.run.game.begun
        while isinstance(self.outcome, Ask) and self.outcome.kind in CARRIED and self.outcome.player == player:
            ask = self.outcome
            item = self.run.game.finalizing
            if item is not None and item is not begun:
                break
            if asked is not None and asked.get("kind", "target") == ask.kind:
                self.check_asked(ask, asked)
                asked = None
            answer = self.follow_up(ask, reader)
            if answer is None:
                break
            self.give(answer)
        if asked is not None:
            raise Untrue(str(self.fail(f"no question of kind {asked.get('kind', 'target')!r} was asked")))
        if "to" in reader.data and begun_place(begun, self.run) == self.place_name(player, said(reader.data["to"])):
            del reader.data["to"]
        if "costs" in reader.data and begun is not None and paid_with(begun, reader.data["costs"]):
            del reader.data["costs"]
        reader.data.pop("with", None) if reader.data.get("with") == [] else None
        if reader.data:
            left = ", ".join(reader.data)
            if isinstance(self.outcome, Ask) and self.outcome.player == player and self.outcome.kind in CARRIED:
                key = CARRIED[self.outcome.kind]
                raise self.fail(f"a question comes before what is left of {left}: answer it with {key}: in this step")
            raise self.fail(f"nobody asked for {left}")

    def place_name(self, player: str, name: str) -> str:
        return f"{player}'s base" if name == "base" else name

    def follow_up(self, ask: Ask, reader: Reader) -> list[int] | None:
        key = CARRIED[ask.kind]
        if ask.kind == "mode" and "modes" in reader.data:
            key = "modes"
        if ask.kind == "choose" and ask.most > 1 and isinstance(reader.data.get("costs"), list):
            value = reader.data.pop("costs")
        else:
            value = reader.take(key)
        if value is None:
            if ask.kind == "cost":
                return []
            if ask.kind == "pay" and ask.default is not None:
                return list(ask.default)
            return None
        if ask.kind == "mode" and isinstance(value, int):
            value = f"mode {value}"
        return self.pick(ask, value)

    def moves(self, player: str, value: Any, step: dict[str, Any], asked: Any) -> None:
        ask = self.ask_of(player, ("action",))
        where = said(step.get("to", "base"))
        place = f"{player}'s base" if where == "base" else where
        index = self.find(ask.options, f"move to {place}", [])
        if index is None:
            raise self.fail(f"{player} can move nothing to {place}{self.reason_move(player, value, place)}")
        self.give([index])
        movers = self.ask_of(player, ("movers",))
        if asked is not None:
            self.check_asked(movers, asked)
        self.give(self.pick(movers, value))
        self.pay_default(step)

    def pay_default(self, step: dict[str, Any]) -> None:
        """A payment that follows at once (an applied cost, hiding)."""
        reader = Reader({k: v for k, v in step.items() if k == "pay"})
        while isinstance(self.outcome, Ask) and self.outcome.kind == "pay":
            ask = self.outcome
            value = reader.take("pay")
            if value is None and ask.default is None:
                raise self.fail("the payment has no proposal")
            self.give(self.pick(ask, value) if value is not None else list(ask.default or ()))

    def hides(self, player: str, value: Any, step: dict[str, Any], asked: Any) -> None:
        ask = self.ask_of(player, ("action",))
        index = self.find(ask.options, f"hide {said(value)} at {said(step.get('at', ''))}", [])
        if index is None:
            refusal = self.refusal_of(player, "hides", value, step)
            why = f" ({refusal.rule}: {refusal.why})" if refusal is not None else ""
            raise self.fail(f"{player} can't hide {value!r} there{why}")
        self.give([index])
        self.pay_default(step)

    def chooses(self, player: str, value: Any, step: dict[str, Any], asked: Any) -> None:
        while isinstance(self.outcome, Ask) and self.outcome.kind == "pay" and self.outcome.default is not None:
            if self.find(self.outcome.options, value, []) is not None:
                break
            self.give(list(self.outcome.default))
        self.go_on()
        if asked is not None and isinstance(self.outcome, Ask):
            self.check_asked(self.outcome, asked)
        self.give(self.pick(self.ask_of(player), value))
        self.skip_payments()

    def skip_payments(self) -> None:
        """A proposal for paying is taken where the script does not override it."""
        upcoming = self.steps[self.number + 1] if self.number + 1 < len(self.steps) else {}
        while isinstance(self.outcome, Ask) and self.outcome.kind == "pay" and self.outcome.default is not None:
            chosen = upcoming.get(f"{self.outcome.player} chooses")
            if chosen is not None and self.find(self.outcome.options, chosen, []) is not None:
                return
            self.give(list(self.outcome.default))

    def ends(self, player: str, value: Any, step: dict[str, Any], asked: Any) -> None:
        ask = self.ask_of(player, ("action",))
        self.give(self.pick(ask, "end turn"))

    def invites(self, player: str, value: Any, step: dict[str, Any], asked: Any) -> None:
        ask = self.ask_of(player, ("action",))
        self.give(self.pick(ask, f"invite {said(value)}"))

    def concedes(self, player: str, value: Any, step: dict[str, Any], asked: Any) -> None:
        self.go_on()
        ask = self.outcome
        if isinstance(ask, Ask) and ask.kind == "action" and ask.player != player:
            self.run.interject(f"concede {player}")
            return
        ask = self.ask_of(player, ("action",))
        self.give(self.pick(ask, "concede"))

    def passes(self, players: Any) -> None:
        for player in players if isinstance(players, list) else [players]:
            ask = self.ask_of(str(player), ("action",))
            self.give(self.pick(ask, "pass"))
            self.skip_payments()

    def resolve(self, name: Any) -> None:
        """Everyone passes until the newest item, which must have that name, resolves."""
        self.go_on()
        chain = self.run.game.state.chain
        if not chain:
            raise self.fail(f"{name!r} can't resolve, the chain is empty")
        item = chain[-1]
        if said(name) not in item_names(self.run, item):
            raise self.fail(f"the newest chain item is {item.name!r}, not {name!r}")
        while item in self.run.game.state.chain and not item.resolving:
            ask = self.outcome
            if not isinstance(ask, Ask) or ask.kind != "action":
                raise self.fail(f"a question comes before {name!r} resolves")
            index = self.find(ask.options, "pass", [])
            if index is None:
                raise self.fail(f"{ask.player} is not asked to pass")
            self.give([index])
            self.skip_payments()
            current = self.same_item(item)
            if current is None:
                return
            item = current

    def same_item(self, item: ChainItem) -> ChainItem | None:
        return item if item in self.run.game.state.chain else None

    def close(self, what: Any) -> None:
        """Everyone passes Focus until the Showdown closes."""
        self.go_on()
        struggle = self.run.game.state.struggle
        if said(what) != "showdown" or struggle is None:
            raise self.fail("no Showdown is ongoing")
        while self.run.game.state.struggle is struggle and struggle.step is Step.SHOWDOWN:
            ask = self.outcome
            if not isinstance(ask, Ask) or ask.kind != "action" or ask.about != "focus":
                raise self.fail("a question comes before the Showdown closes")
            self.give(self.pick(ask, "pass"))

    def until(self, goal: Any) -> None:
        """Everyone passes and ends turns until a phase of a player's turn."""
        if not isinstance(goal, dict) or "turn" not in goal:
            raise self.fail("'until' needs turn: and phase:")
        phase = str(goal.get("phase", "awaken"))
        player = str(goal["turn"])
        if phase not in PHASES:
            raise self.fail(f"there is no phase {phase!r}")
        paused = isinstance(self.outcome, Ask) and self.outcome.kind == "pause"
        self.run.interject(f"pause {player} {phase}")
        if paused:
            self.give([0])
        for _ in range(2000):
            ask = self.outcome
            if not isinstance(ask, Ask):
                return
            if ask.kind == "pause":
                if phase == "main":
                    self.give([0])
                return
            if ask.kind == "pay" and ask.default is not None:
                self.give(list(ask.default))
            elif ask.kind == "action":
                key = "end turn" if self.find(ask.options, "end turn", []) is not None else "pass"
                self.give(self.pick(ask, key))
            else:
                raise self.fail("a question comes before that phase")
        raise self.fail("that phase never comes")

    def go_on(self) -> None:
        """Leave a pause that an earlier ``until`` made."""
        while isinstance(self.outcome, Ask) and self.outcome.kind == "pause":
            self.give([0])

    def time(self, what: Any) -> None:
        if said(what) != "called":
            raise self.fail("'time' can only be called")
        self.run.interject("time")

    # refusals

    def refused(self, player: str, verb: str, value: Any, step: dict[str, Any]) -> None:
        """The action must be refused by the rule, and change nothing."""
        rule = said(step.pop("refused")).removeprefix("core-1.4:")
        step.pop("asked", None)
        refusal = self.refusal_of(player, verb, value, step)
        if refusal is None:
            try:
                refusal = self.undone(player, verb, value, step)
            except Misfit as misfit:  # legal to begin, and not to be carried out like this, is no refusal by that rule
                raise Untrue(str(misfit)) from None
        if refusal is None:
            raise Untrue(str(self.fail(f"the action was to be refused by {rule}, but it is legal")))
        self.run.game.note(f"refused {refusal.rule}", "refused: {} {} {}: {}", player, verb, said(value), refusal.why)
        if not any(same_rule(r, rule) for r in refusal.rule.split()):
            raise Untrue(str(self.fail(f"the action is refused by {refusal.rule} ({refusal.why}), not by {rule}")))
        self.checked.update(refusal.rule.split())

    def undone(self, player: str, verb: str, value: Any, step: dict[str, Any]) -> Refusal | None:
        """Why an action that could be begun is undone while it is carried out (358.5)."""
        handler = {"plays": self.plays, "uses": self.uses}.get(verb)
        if handler is None:
            return None
        self.undoing = True
        try:
            handler(player, value, step, None)
        except Undone as undone:
            return undone.refusal
        finally:
            self.undoing = False
        return None

    def refusal_of(self, player: str, verb: str, value: Any, step: dict[str, Any]) -> Refusal | None:
        """Why the engine refuses an action; None where it is legal."""
        ask = self.outcome
        match verb:
            case "chooses":
                if isinstance(ask, Ask) and self.find(ask.options, value, []) is None:
                    if ask.kind == "name" and "762" in ask.rule.split():
                        return why_not_name(self.run.game.library, said(value))
                    if ask.kind == "name":
                        return Refusal(ask.rule, f"there is no {value!r} to name")
                    return Refusal(ask.rule.split()[0] if ask.rule else "355.9", f"{value!r} is not among the options")
                return None
            case "plays":
                return self.refusal_play(player, said(value), str(step.get("from", "")), step)
            case "moves":
                place = said(step.get("to", "base"))
                return self.refusal_move(player, value, f"{player}'s base" if place == "base" else place)
            case "hides":
                thing = self.thing(said(value))
                field = self.thing(said(step.get("at", "")))
                if thing is None or field is None:
                    raise self.fail(f"there is no {value!r} or no such battlefield")
                return why_not_hide(self.run.game, player, thing, field.id)
            case "uses":
                return self.refusal_use(player, said(value))
            case _:
                raise self.fail(f"{verb!r} can't be refused")

    def refusal_play(self, player: str, name: str, origin: str, step: dict[str, Any]) -> Refusal | None:
        game = self.run.game
        zones = {"hidden": (Zone.FACEDOWN,), "trash": (Zone.TRASH,), "champion": (Zone.CHAMPION,)}.get(
            origin, (Zone.HAND, Zone.CHAMPION)
        )
        things = [t for t in game.state.things.values() if not t.gone and t.zone in zones and self.named(t, name)]
        if not things:
            raise self.fail(f"there is no {name!r} to play")
        ways = ways_to_play(game, player, things[0])
        if not ways:
            return Refusal("419.1.a", "cards are played from the hand or the Champion Zone")
        way = ways[0]
        refusal = why_not_play(game, player, way)
        if refusal is not None:
            return refusal
        return self.refusal_choices(player, way.thing, way.terms, step)

    def refusal_choices(self, player: str, thing: Thing, terms: Any, step: dict[str, Any]) -> Refusal | None:
        """Why a location or target that the step names is not legal."""
        game = self.run.game
        if "to" in step and "unit" in printed(thing.card).types:
            where = self.location(player, said(step["to"]))
            misplaced = why_not_location(game, player, thing, terms, where)
            if misplaced is not None:
                return misplaced
        missing = self.refusal_extras(player, thing, terms, step)
        if missing is not None:
            return missing
        for target in flat(step.get("targets", [])):
            chosen = self.thing(said(target))
            if chosen is None:
                continue
            item = ChainItem(0, player, "spell", thing, effect=thing.card.effect)
            stop = untargetable(game, chosen, item)
            if stop is not None:
                return stop
            from kb.engine.choices import slots, target_options

            context = game.item_context(item)
            options = [
                o
                for s in slots(item.effect, item, 0)
                if s.noun is not None
                for o in target_options(game, item, s, context)
            ]
            if not any(o is chosen for o in options):
                return Refusal("355.9.b", "it does not meet the targeting restrictions")
        return self.refusal_group(player, thing, step)

    def refusal_extras(self, player: str, thing: Thing, terms: Any, step: dict[str, Any]) -> Refusal | None:
        """Why an optional additional cost that the step names can't be paid."""
        from kb.engine.costs import extras
        from kb.engine.playing import extra_payable, trial_item

        item = trial_item(self.run.game, player, Way("", thing, terms))
        for name in flat(step.get("with", [])):
            extra = next((e for e in extras(self.run.game, item) if e.name == said(name)), None)
            if extra is None:
                return Refusal("356.2.b.1", f"the card has no additional cost {name!r}")
            if not extra_payable(self.run.game, item, extra):
                return Refusal("358.2 357.1", f"the cost of {name} can't be paid")
        return None

    def refusal_group(self, player: str, thing: Thing, step: dict[str, Any]) -> Refusal | None:
        """Why targets that are each legal are not legal together (355.11.a)."""
        from kb.engine.choices import group_fits, slots

        targets = step.get("targets", [])
        item = ChainItem(0, player, "spell", thing, effect=thing.card.effect)
        context = self.run.game.item_context(item)
        listed = [s for s in slots(item.effect, item, 0) if s.noun is not None]
        groups = targets if len(listed) > 1 or (targets and isinstance(targets[0], list)) else [targets]
        for slot, names in zip(listed, groups, strict=False):
            chosen: list[object] = [t for n in flat(names) if (t := self.thing(said(n))) is not None]
            if slot.noun is not None and not group_fits(self.run.game, slot.noun, chosen, context):
                return Refusal("355.11.a", "the chosen ones do not fit together")
        return None

    def refusal_move(self, player: str, value: Any, place: str) -> Refusal | None:
        game = self.run.game
        where = self.location(player, place)
        for name in value if isinstance(value, list) else [value]:
            unit = self.thing(said(name))
            if unit is None:
                raise self.fail(f"there is no {name!r}")
            refusal = why_not_standard_move(game, unit, where, player)
            if refusal is not None:
                return refusal
        return None

    def refusal_use(self, player: str, name: str) -> Refusal | None:
        from kb.cards.syntax import Activated

        game = self.run.game
        found: list[Granted] = [
            g for g in game.index().get(Activated, []) if self.named(g.me, name) or game.label(g.me) == name
        ]
        if not found:
            raise self.fail(f"there is no activated ability of {name!r}")
        refusals = [why_not_use(game, player, g) for g in found]
        return None if any(r is None for r in refusals) else refusals[0]

    def reason_play(self, player: str, name: str, origin: str, step: dict[str, Any]) -> str:
        try:
            refusal = self.refusal_play(player, name, origin, {})
        except Misfit:
            return ""
        return f" ({refusal.rule}: {refusal.why})" if refusal is not None else ""

    def reason_move(self, player: str, value: Any, place: str) -> str:
        try:
            refusal = self.refusal_move(player, value, place)
        except Misfit:
            return ""
        return f" ({refusal.rule}: {refusal.why})" if refusal is not None else ""

    def reason_use(self, player: str, name: str) -> str:
        try:
            refusal = self.refusal_use(player, name)
        except Misfit:
            return ""
        return f" ({refusal.rule}: {refusal.why})" if refusal is not None else ""

    # names

    def named(self, thing: Thing, name: str) -> bool:
        return self.run.game.label(thing) == name or bare(self.run.game.label(thing)) == name

    def thing(self, name: str) -> Thing | None:
        return find_thing(self.run, name)

    def location(self, player: str, name: str) -> Location:
        if name == "base" or name.endswith("'s base"):
            return player if name == "base" else name[0]
        field = self.thing(name)
        if field is None:
            raise self.fail(f"there is no battlefield {name!r}")
        return field.id


def item_names(run: Run, item: ChainItem) -> set[str]:
    """What scripts may call a chain item: its card or its source's ability, by own name or by the card's."""
    label = run.game.label(item)
    names = {label, item.name, bare(label), bare(item.name)}
    if item.thing is not None:
        names.add(item.thing.card.name)
    elif item.source is not None and item.source_name in (run.game.label(item.source), item.source.card.name):
        names |= {f"{item.source.card.name} ability", f"{run.game.label(item.source)} ability"}
    return names


def same_rule(one: str, other: str) -> bool:
    """Whether a number is the rule that was said, or below it; YAML reads 054.1 as 54.1."""
    one, other = one.lstrip("0"), other.lstrip("0")
    return one == other or one.startswith(f"{other}.")


def begun_place(item: ChainItem | None, run: Run) -> str:
    """Where the unit just played was to enter, when there was only one valid location to choose."""
    return "" if item is None else run.game.place_label(item.destination if item.entry is None else item.entry)


def paid_with(item: ChainItem, costs: Any) -> bool:
    """Whether a cost that left no choice was paid with what the script names."""
    names = [said(c) for c in (costs if isinstance(costs, list) else [costs])]
    return all(n in item.payers or n in [bare(p) for p in item.payers] for n in names)


def said(value: Any) -> str:
    """A scalar as scripts write it."""
    if value is True:
        return "yes"
    if value is False:
        return "no"
    return str(value)


def bare(key: str) -> str:
    """A key without the numbers of copies."""
    return re.sub(r"#\d+", "", key)


def flat(value: Any) -> list[Any]:
    if isinstance(value, list):
        return [x for v in value for x in flat(v)]
    return [value]


def compare_ask(ask: Ask, asked: dict[str, Any]) -> str:
    """What differs between a question and what was said about it; empty where it fits."""
    if "who" in asked and asked["who"] != ask.player:
        return f"{asked['who']} was to be asked, not {ask.player}"
    if "kind" in asked and asked["kind"] != ask.kind:
        return f"a question of kind {asked['kind']!r} was expected, not {ask.kind!r}"
    if "options" in asked:
        wanted = sorted(said(o) for o in asked["options"])
        have = sorted(o.key for o in ask.options)
        loose = sorted(bare(k) for k in have)
        plain = sorted(k.removesuffix(" ability") for k in loose)
        if wanted not in (have, loose, plain):
            return f"the options were to be {wanted}, but are {have}"
    for key in asked:
        if key not in ("who", "kind", "options", "rule", "least", "most"):
            return f"'asked' knows no {key!r}"
    if "rule" in asked and said(asked["rule"]) not in ask.rule:
        return f"the question cites {ask.rule}, not {asked['rule']}"
    if ("least" in asked and asked["least"] != ask.least) or ("most" in asked and asked["most"] != ask.most):
        return f"between {ask.least} and {ask.most} are chosen"
    return ""


def find_thing(run: Run, name: str) -> Thing | None:
    """The object that a script calls by a name: the latest object of that body, on the board first."""
    game = run.game
    exact = [t for t in game.state.things.values() if game.label(t) == name]
    live = [t for t in exact if not t.gone]
    if live:
        return live[-1]
    if exact:
        return exact[-1]
    loose = [t for t in game.state.things.values() if bare(game.label(t)) == name and not t.gone]
    return loose[0] if loose else None
