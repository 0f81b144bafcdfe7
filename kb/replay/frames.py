"""A scenario as frames: after each answer a snapshot, the events since the last, and the question now asked.

Contrasts become further variants of the same replay. The data is plain and compact: pieces of pictures that frames
share are listed once. Questions about payments that the engine proposes an answer to make no frame of their own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kb.engine.asking import Ask, Unsupported
from kb.engine.hooks import Mutant
from kb.engine.library import library
from kb.engine.run import Entry, Finished, Make, Outcome, Run, Stuck
from kb.engine.trace import Trace
from kb.errors import DataError
from kb.replay import wording
from kb.replay.draw import Picture
from kb.replay.saying import described
from kb.replay.snapshot import Snapshot, snapshot
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
    """A run that keeps a frame after each answer; replays inside the engine (358.5) leave none."""

    def __init__(self, make: Make) -> None:
        self.frames: list[Frame] = []
        self.replaying = False
        super().__init__(make)
        self.keep("")

    def keep(self, did: str) -> None:
        """A frame of where the run stands."""
        ask = self.outcome
        paying = isinstance(ask, Ask) and ask.kind == "pay" and ask.default is not None
        self.frames.append(Frame(snapshot(self), self.game.answers, did, [], question(ask), paying))

    def answer(self, indices: Sequence[int]) -> Outcome:
        if self.replaying:
            return super().answer(indices)
        ask = self.outcome
        before = len(self.log)
        outcome = super().answer(indices)
        if len(self.log) > before and isinstance(ask, Ask):
            asked = self.frames[-1].asked
            if asked is not None:
                asked["chosen"] = list(indices)
            if len(self.frames) < LONGEST:
                self.keep(wording.done(ask, indices))
        elif len(self.log) < before:
            del self.frames[len([entry for entry in self.log if not isinstance(entry, str)]) + 1 :]
            (self.frames[-1].asked or {}).pop("chosen", None)
        return outcome

    def replay(self, log: Sequence[Entry]) -> Outcome:
        self.replaying = True
        try:
            return super().replay(log)
        finally:
            self.replaying = False


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


def events_of(trace: Trace) -> dict[int, list[Event]]:
    """The lines of a derivation by the number of answers before them; what only pays is left out below its line."""
    found: dict[int, list[tuple[int, Event]]] = {}
    skip = -1
    for depth, node in trace.root.walk():
        if 0 <= skip < depth:
            continue
        said = wording.line(node.text)
        paying = bool(_PAYING.search(said))
        skip = depth if paying else -1
        found.setdefault(node.marker, []).append((depth, (depth, said, node.rules, paying)))
    made: dict[int, list[Event]] = {}
    for marker, lines in found.items():
        least = min(depth for depth, _ in lines)
        made[marker] = _joined([(depth - least, said, rules, minor) for depth, (_, said, rules, minor) in lines])
    return made


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
    """The frames with their events; those in which only a proposed payment was asked join the next."""
    events = events_of(run.game.trace)
    made: list[Frame] = []
    held: Frame | None = None
    for frame in run.frames:
        frame.events = events.get(frame.answers, [])
        if held is not None:
            frame.did = held.did or frame.did
            frame.events = held.events + frame.events
            held = None
        if frame.paying and frame is not run.frames[-1]:
            held = frame
            continue
        made.append(frame)
    if made and not made[0].did:
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
