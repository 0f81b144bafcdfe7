"""Driving a game: answers in, the next question or the end out; rewinding, replaying, branching.

A :class:`Run` is made by a factory that builds the same game again, so that its log of answers (numbers of the chosen
options) replays to the same state. An action that turns out illegal is undone by replaying the log up to it (358.5).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from kb.engine.asking import Answer, Ask, Flow, Option, Refusal, Rewind, Unsupported
from kb.engine.chain import concede_doing
from kb.engine.game import Game
from kb.engine.turn import call_time

Make = Callable[[], tuple[Game, Flow[None]]]


@dataclass(frozen=True)
class Finished:
    """The game is over; ``winners`` may be empty (a game without a winner)."""

    winners: tuple[str, ...]


@dataclass(frozen=True)
class Stuck:
    """The engine or the language cannot say something that the run needs."""

    what: str


Outcome = Ask | Finished | Refusal | Stuck
Entry = tuple[int, ...] | str
"""An entry of the log: the numbers of chosen options, or the name of an interjection."""


class Run:
    """One run of a game. ``outcome`` is where it stands: a question, the end, or what is unsupported."""

    def __init__(self, make: Make) -> None:
        self.make = make
        self.log: list[Entry] = []
        self.actions: list[str] = []
        self.outcome: Outcome = Finished(())
        self.restart()

    def restart(self) -> None:
        """Build the game and go to its first question."""
        self.log, self.actions = [], []
        self.game, self.flow = self.make()
        self.outcome = self.advance(None)

    def advance(self, answer: Answer | None, counted: bool = True) -> Outcome:
        game = self.game
        game.undone = None
        try:
            if counted and answer is not None:
                game.answers += 1
                game.trace.marker = game.answers
            ask = next(self.flow) if answer is None else self.flow.send(answer)
            game.asked.update(ask.rule.split())
            return ask
        except StopIteration:
            return Finished(game.state.winner)
        except Unsupported as error:
            return Stuck(error.what)

    def answer(self, indices: Sequence[int]) -> Outcome:
        """Answer the pending question with option numbers; a Refusal leaves the run as it was before the action.

        Raises: ValueError where there is no question or the numbers do not fit it.
        """
        ask = self.outcome
        if not isinstance(ask, Ask):
            raise ValueError("there is no question to answer")
        check_answer(ask, indices)
        mark = self.game.action_mark
        chosen = tuple(ask.options[i] for i in indices)
        try:
            outcome = self.advance(chosen)
        except Rewind as rewind:
            self.rewind(len(self.log_to(mark)))
            return rewind.refusal
        if self.game.undone is not None:
            kept = len(self.log_to(mark))
            del self.log[kept:], self.actions[kept:]
            self.outcome = outcome
            return self.game.undone
        self.record(tuple(indices), chosen[0].key if ask.kind == "action" else "")
        self.outcome = outcome
        return outcome

    def record(self, entry: Entry, action: str = "") -> None:
        """Put an answer into the log, with the key of the option where an action was chosen."""
        self.log.append(entry)
        self.actions.append(action)

    def rewind(self, entries: int) -> Outcome:
        """Go back to where the first entries of the log lead.

        The game is played again; as the actions that were chosen are known, only these are looked at for each question
        but the last. What was cited on the way that is undone stays cited.
        """
        log, actions = self.log[:entries], self.actions[:entries]
        cited, seen = self.game.trace.cited, self.game.hooks.seen
        answers = [n for n, entry in enumerate(log) if not isinstance(entry, str)]
        after = dict(pairwise(answers))
        self.restart()
        for number, entry in enumerate(log):
            if isinstance(entry, str):
                self.interject(entry)
                continue
            ask = self.outcome
            assert isinstance(ask, Ask)
            known = ask.kind == "action" and len(ask.options) == 1
            chosen = ask.options if known else tuple(ask.options[i] for i in entry)
            self.game.next_action = actions[after[number]] if number in after else ""
            self.outcome = self.advance(chosen)
            self.record(entry, actions[number])
        for rule, times in cited.items():
            self.game.trace.cited.setdefault(rule, times)
        self.game.hooks.seen |= seen
        return self.outcome

    def log_to(self, answers: int) -> list[Entry]:
        """The part of the log before a number of answers, interjections included."""
        kept: list[Entry] = []
        count = 0
        for entry in self.log:
            if not isinstance(entry, str):
                if count >= answers:
                    break
                count += 1
            kept.append(entry)
        return kept

    def interject(self, what: str) -> None:
        """Something from outside the game.

        ``time`` is called in the round (Tournament Rules 408.2); ``pause B draw``: stop, with a question of kind
        ``pause``, when that phase of that player begins; ``concede B``: that player concedes (650) while another is
        asked for an action.

        Raises: ValueError for an unknown interjection.
        """
        word, *rest = what.split()
        if word == "pause" and len(rest) == 2:
            self.game.pause_at = (rest[0], rest[1])
        elif word == "concede" and len(rest) == 1 and rest[0] in self.game.state.players:
            ask = self.outcome
            if not isinstance(ask, Ask) or ask.kind != "action":
                raise ValueError("nobody is being asked for an action")
            self.outcome = self.advance((Option("concede", concede_doing(self.game, rest[0])),), counted=False)
        elif what == "time":
            call_time(self.game)
        else:
            raise ValueError(f"there is no interjection {what!r}")
        self.record(what)

    def replay(self, log: Sequence[Entry]) -> Outcome:
        """Start again and give the answers of a log."""
        self.restart()
        for entry in log:
            if isinstance(entry, str):
                self.interject(entry)
            else:
                self.answer(entry)
        return self.outcome

    def undo(self) -> Outcome:
        """Take the last answer back."""
        return self.rewind(len(self.log) - 1)


def check_answer(ask: Ask, indices: Sequence[int]) -> None:
    """Whether an answer fits its question in number and range.

    Raises: ValueError with what is wrong.
    """
    if len(set(indices)) != len(indices):
        raise ValueError("an option is chosen twice")
    if any(i < 0 or i >= len(ask.options) for i in indices):
        raise ValueError("there is no such option")
    if not ask.least <= len(indices) <= ask.most:
        raise ValueError(f"between {ask.least} and {ask.most} options are to be chosen, not {len(indices)}")
    if ask.fits is not None and not ask.fits(tuple(ask.options[i] for i in indices)):
        raise ValueError(f"the chosen ones do not fit together as {ask.about} asks")
