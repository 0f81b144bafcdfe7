"""A scenario as frames: a snapshot, the events since the last one, and the question now asked.

A frame is kept of the position, after each answer, and wherever a step of the engine has changed what lies on the
table (damage is dealt, then the dead leave). Contrasts become further variants of the same replay. The data is plain
and compact: pieces of pictures that frames share are listed once. Questions about payments that the engine proposes an
answer to make no frame of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from kb.engine.asking import Ask, Flow, Unsupported
from kb.engine.game import Game
from kb.engine.hooks import Mutant
from kb.engine.library import library
from kb.engine.run import Entry, Finished, Make, Outcome, Run, Stuck
from kb.engine.trace import Trace
from kb.errors import DataError
from kb.replay import wording
from kb.replay.draw import Picture
from kb.replay.saying import described
from kb.replay.snapshot import Snapshot, snapshot, table
from kb.scenarios.model import Contrast, Scenario
from kb.scenarios.position import Builder
from kb.scenarios.runner import Truths, judge, parse_mutant, patched
from kb.scenarios.script import Misfit, Script

LONGEST = 300
"""As many frames of one variant are kept."""

OPTIONS = 24
"""As many options of a question are listed."""

CHANGED = {
    "omit": "did nothing",
    "never": "never applied",
    "always": "always applied",
    "one more": "gave one more",
    "one less": "gave one less",
    "wrong actor": "spoke of the other player",
    "reversed": "had the opposite order",
    "narrower": "left out an option",
    "wider": "had one option more",
    "must": "forced the player",
    "must not": "forbade it",
}
"""What the operators of mutants do to a rule."""

_PAYING = re.compile(r" uses .+ to add resources")
Event = tuple[int, str, tuple[str, ...], bool]


@dataclass
class Frame:
    """One moment: what was done to get here, what happened since, the table, the question now asked."""

    state: Snapshot
    answers: int
    lines: int  # of the derivation before it
    did: str = ""
    events: list[Event] = field(default_factory=list)
    asked: dict[str, Any] | None = None
    paying: bool = False


@dataclass
class Variant:
    """A run of the scenario, or of one of its contrasts."""

    name: str
    said: str
    frames: list[Frame]
    truths: Truths
    end: str = ""
    flips: tuple[str, ...] = ()


class RecordedRun(Run):
    """A run that keeps frames; replays inside the engine (358.5) leave none."""

    def __init__(self, make: Make) -> None:
        self.frames: list[Frame] = []
        self.silent = False
        super().__init__(lambda: self.watched(make))
        self.keep("")

    def watched(self, make: Make) -> tuple[Game, Flow[None]]:
        """The game as it is made, of which moments are kept from its position on."""
        game, flow = make()
        if not self.silent:
            self.frames = [Frame(table(game), 0, game.trace.count())] if game.state.order else []
            game.trace.watch = lambda: self.moment(game)
        return game, flow

    def moment(self, game: Game) -> None:
        """A frame within an answer, where the table is not as it was."""
        if len(self.frames) < LONGEST:
            state = table(game)
            if state["players"] and (not self.frames or seen(state) != seen(self.frames[-1].state)):
                here = Frame(state, game.answers, game.trace.count())
                last = self.frames[-1] if len(self.frames) > 1 else None
                if last is not None and last.asked is None and last.lines == here.lines:
                    self.frames.pop()  # the same lines brought about both
                self.frames.append(here)

    def keep(self, did: str) -> None:
        """A frame of where the run stands; the last moment is that frame where nothing has changed since."""
        ask = self.outcome
        paying = isinstance(ask, Ask) and ask.kind == "pay" and ask.default is not None
        here = Frame(snapshot(self), self.game.answers, self.game.trace.count(), did, [], question(ask), paying)
        since = [frame for frame in self.frames if frame.answers == here.answers and frame.asked is None]
        if since:  # what was done led to the first moment after it; the others are named by what happened
            since[0].did, here.did = did, ""
        last = since[-1] if since else None
        if last is not None and (last.lines == here.lines or seen(last.state) == seen(here.state)):
            here.did = last.did
            self.frames.pop()
        self.frames.append(here)

    def answer(self, indices: Sequence[int]) -> Outcome:
        ask, before = self.outcome, len(self.log)
        outcome = super().answer(indices)
        if self.silent:
            return outcome
        if len(self.log) > before and isinstance(ask, Ask):
            asked = next(frame.asked for frame in reversed(self.frames) if frame.asked is not None)
            asked["chosen"] = list(indices)
            if len(self.frames) < LONGEST:
                self.keep(wording.done(ask, indices))
        else:  # what was undone leaves no frame
            answers = len([entry for entry in self.log if not isinstance(entry, str)])
            self.frames = [frame for frame in self.frames if frame.answers <= answers]
            (self.frames[-1].asked or {}).pop("chosen", None)
        return outcome

    def rewind(self, entries: int) -> Outcome:
        return self.silently(lambda: super(RecordedRun, self).rewind(entries))

    def replay(self, log: Sequence[Entry]) -> Outcome:
        return self.silently(lambda: super(RecordedRun, self).replay(log))

    def silently(self, play: Callable[[], Outcome]) -> Outcome:
        """Play again what has its frames already; the game that comes of it is watched from there on."""
        self.silent = True
        try:
            outcome = play()
        finally:
            self.silent = False
        game = self.game
        game.trace.watch = lambda: self.moment(game)
        return outcome


def seen(state: Snapshot) -> Snapshot:
    """What of a table makes a moment: all but who may act, and what paying costs turns or spends."""
    players = {
        name: {key: value for key, value in player.items() if key not in SPENT} | {"base": _turned(player["base"])}
        for name, player in state["players"].items()
    }
    fields = [field | {"here": _turned(field["here"])} for field in state["fields"]]
    return {key: value for key, value in state.items() if key not in ACTING} | {"players": players, "fields": fields}


ACTING = ("asked", "focus", "priority")
SPENT = ("runes", "ready", "rune_deck", "energy", "power", "legend")


def _turned(permanents: Sequence[Snapshot]) -> list[Snapshot]:
    """Permanents without whether they are exhausted."""
    return [one | {"marks": [mark for mark in one["marks"] if mark != "exhausted"]} for one in permanents]


def question(ask: object) -> dict[str, Any] | None:
    """A question as plain data."""
    if not isinstance(ask, Ask):
        return None
    options = [option.key for option in ask.options]
    return {
        "said": full_stop(wording.asked(ask)),
        "who": ask.player,
        "kind": ask.kind,
        "keys": options,
        "default": list(ask.default or ()),
    }


def full_stop(said: str) -> str:
    """A sentence, whatever its last mark is."""
    return said if said.endswith(("?", ".", "!")) else f"{said}."


def events_of(trace: Trace) -> dict[int, Event]:
    """The lines of a derivation by their place in it; what only pays is left out below its line."""
    found: dict[int, Event] = {}
    skip = -1
    for at, (depth, node) in enumerate(trace.root.walk()):
        if 0 <= skip < depth:
            continue
        said = wording.line(node.text)
        paying = bool(_PAYING.search(said))
        skip = depth if paying else -1
        found[at] = (depth, said, node.rules, paying)
    return found


def between(events: Mapping[int, Event], first: int, end: int) -> list[Event]:
    """The lines from one place to before another, the least deep at the margin; a heading goes with those below it."""
    first, end = (_before_headings(events, at) for at in (first, end))
    lines = [events[at] for at in range(first, end) if at in events]
    least = min((depth for depth, *_ in lines), default=0)
    return _joined([(depth - least, said, rules, minor) for depth, said, rules, minor in lines])


def _title(events: Sequence[Event]) -> str:
    """What a moment is called: its first heading, else its first line."""
    headings = [one[1] for one, following in pairwise(events) if following[0] > one[0]]
    return (headings or [one[1] for one in events] or [""])[0]


def _before_headings(events: Mapping[int, Event], at: int) -> int:
    """The place before the headings that stand right above this one."""
    while at in events and at - 1 in events and events[at - 1][0] < events[at][0]:
        at -= 1
    return at


def _joined(events: list[Event]) -> list[Event]:
    """The same events, with one line for resources added one after another."""
    made: list[Event] = []
    for event in events:
        last = made[-1] if made else None
        if event[3] and last is not None and last[3] and last[0] == event[0]:
            source = event[1].partition(" uses ")[2].removesuffix(" to add resources")
            said = f"{last[1].removesuffix(' to add resources')}, {source} to add resources"
            made[-1] = (last[0], said, tuple(dict.fromkeys((*last[2], *event[2]))), True)
        else:
            made.append(event)
    return made


def record(scenario: Scenario, name: str = "As it is", said: str = "", mutant: Mutant | None = None) -> Variant:
    """Execute a scenario and keep its frames. Raises ``DataError`` where the file is wrong."""
    truths = Truths()
    try:
        run = RecordedRun(Builder(scenario, library(), mutant).make())
    except Unsupported as problem:
        return Variant(name, said, [], truths, f"The engine cannot say this yet: {problem.what}.")
    where = str(scenario.id)

    def look(label: str) -> None:
        for then in scenario.then:
            if then.at and then.at == label:
                judge(run, then, truths, where)

    end = ""
    try:
        Script(run, scenario.when, look).play()
    except Misfit as misfit:
        end = f"The script does not fit: {misfit}"
    except Unsupported as problem:
        end = f"The engine cannot say this yet: {problem.what}."
    if isinstance(run.outcome, Stuck):
        end = f"The engine cannot say this yet: {run.outcome.what}."
    if not end:
        for then in scenario.then:
            if not then.at:
                judge(run, then, truths, where)
    truths.run = run
    return Variant(name, said, together(run), truths, end)


def together(run: RecordedRun) -> list[Frame]:
    """The frames with their events; those in which only a proposed payment was asked join the next.

    So do moments that no line tells.
    """
    events = events_of(run.game.trace)
    made: list[Frame] = []
    held: Frame | None = None
    before = 0
    for frame in run.frames:
        end = run.game.trace.count() if frame is run.frames[-1] else frame.lines
        frame.events = between(events, before, end)
        before = end
        if held is not None:
            frame.did = held.did or frame.did
            frame.events = held.events + frame.events
            held = None
        if frame.paying and frame is not run.frames[-1]:
            held = frame
            continue
        told = frame.did or frame.events or frame.asked
        if told or not made or frame is run.frames[-1]:  # a moment that no line tells goes with the next
            made.append(frame)
    for frame in made[1:]:
        frame.did = frame.did or _title(frame.events)
    if made:
        made[0].did = "The position"
    return made


def variants(scenario: Scenario) -> list[Variant]:
    """The scenario and each of its contrasts. Raises ``DataError`` where the file is wrong."""
    found = [record(scenario)]
    for number, contrast in enumerate(scenario.contrasts, 1):
        found.append(_contrast(scenario, number, contrast))
    return found


def _contrast(scenario: Scenario, number: int, contrast: Contrast) -> Variant:
    name = f"What if {number}" if len(scenario.contrasts) > 1 else "What if"
    try:
        if contrast.mutant:
            rule, _, operator = contrast.mutant.partition(" ")
            said = f"What if rule {rule} {CHANGED.get(operator, 'were changed')}?"
            made = record(scenario, name, said, parse_mutant(contrast.mutant, scenario.id))
        else:
            made = record(patched(scenario, contrast), name, described(contrast, scenario))
    except DataError as problem:
        return Variant(name, "", [], Truths(), str(problem))
    made.flips = contrast.flips
    return made


def replay_data(made: Sequence[Variant], claims: Mapping[str, str] | None = None) -> dict[str, Any]:
    """What the player in the browser needs: pieces of pictures once, and frames that name them.

    ``claims`` are the words of what turns out the other way in a contrast, by its name.
    """
    words = claims or {}
    pieces: dict[str, int] = {}
    out = []
    for variant in made:
        if not variant.frames:
            continue
        picture = Picture([frame.state for frame in variant.frames])
        frames = []
        for frame in variant.frames:
            head, parts = picture.parts(frame.state)
            numbers = [pieces.setdefault(part, len(pieces)) for part in parts]
            one: dict[str, Any] = {
                "svg": [head, *numbers],
                "did": frame.did,
                "events": [_event(e) for e in frame.events],
            }
            if frame.asked:
                one["asked"] = _asked(frame.asked)
            frames.append(one)
        flips = [words.get(one, one if " " in one else "") for one in variant.flips]
        out.append(
            {"name": variant.name, "said": variant.said, "end": variant.end, "frames": frames}
            | {"flips": [one for one in flips if one]}
        )
    return {"pieces": list(pieces), "variants": out}


def _asked(asked: dict[str, Any]) -> dict[str, Any]:
    """A question as it is shown: not more options than one can read, the chosen ones among them."""
    keys, chosen = asked["keys"], asked.get("chosen", [])
    shown = sorted({*range(min(len(keys), OPTIONS)), *chosen})
    found = {"said": asked["said"], "options": [wording.option(keys[index]) for index in shown]}
    found["chosen"] = [shown.index(index) for index in chosen]
    if len(keys) > len(shown):
        found["more"] = len(keys) - len(shown)
    return found


def _event(event: Event) -> list[Any]:
    depth, said, rules, minor = event
    return [depth, said, list(rules), 1] if minor else [depth, said, list(rules)]


__all__ = ["Finished", "Frame", "RecordedRun", "Variant", "record", "replay_data", "variants"]
