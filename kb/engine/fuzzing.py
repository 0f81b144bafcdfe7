"""Random games: legal decisions drawn at random, with the invariants checked at every step.

Decks deal all modelled cards equally often. A report says what came up: rules cited or asked about, cards played,
abilities that triggered, and the parts of cards' texts that happened (:mod:`kb.engine.happened`).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field

from kb.engine.asking import Ask, Refusal
from kb.engine.game import Game
from kb.engine.invariants import bodies, broken, digest
from kb.engine.library import Library, library
from kb.engine.run import Finished, Make, Run, Stuck
from kb.engine.setup import MODES, Deck, GameSetup, full_game
from kb.engine.trace import Trace

LIMIT = 6000
"""Decisions after which a game counts as endless."""

Focus = Callable[["Report"], Collection[str]]
"""Which cards the decks of the next game are made of to a half, by what the games before came to."""

REPLAYED = 10
"""Every so many games the log is replayed and must lead to the same state."""


@dataclass
class Report:
    """What random games came to."""

    games: int = 0
    decisions: int = 0
    combats: int = 0
    played: Counter[str] = field(default_factory=Counter)
    cards: Counter[str] = field(default_factory=Counter)
    events: Counter[str] = field(default_factory=Counter)
    triggered: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    ended: Counter[str] = field(default_factory=Counter)
    happened: set[object] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)

    def add(self, other: Report) -> None:
        """Add another report's numbers."""
        self.games += other.games
        self.decisions += other.decisions
        self.combats += other.combats
        for name in ("played", "cards", "events", "triggered", "rules", "ended"):
            getattr(self, name).update(getattr(other, name))
        self.happened |= other.happened
        self.faults += other.faults


class Shoe:
    """Cards dealt one after another from shuffled rounds of a pool, so that all come up equally often.

    What is dealt depends on where one begins: game after game goes on where the game before it ended.
    """

    def __init__(self, pool: Sequence[str], place: int, name: str) -> None:
        self.pool, self.place, self.name = pool, place, name
        self.round: tuple[int, list[str]] = (-1, [])

    def deal(self, without: Collection[str] = ()) -> str:
        """The next card that is not among some, unless all of the pool are."""
        for _ in range(2 * len(self.pool)):
            card = self.next()
            if card not in without:
                return card
        return self.next()

    def next(self) -> str:
        """The next card."""
        turn, index = divmod(self.place, len(self.pool))
        self.place += 1
        if self.round[0] != turn:
            self.round = (turn, random.Random(f"{self.name} {turn}").sample(self.pool, len(self.pool)))
        return self.round[1][index]


def kinds_of(cards: Library) -> dict[str, list[str]]:
    """Names of the modelled cards that decks are made of, by what a deck lists (103)."""
    pool = [c for c in cards.modelled if not c.token]
    return {
        "main": [c.name for c in pool if set(c.types) & {"unit", "spell", "gear"}],
        "champions": [c.name for c in pool if "unit" in c.types and "champion" in c.supertypes],
        "legends": [c.name for c in pool if "legend" in c.types],
        "battlefields": [c.name for c in pool if "battlefield" in c.types],
        "runes": [c.name for c in pool if "rune" in c.types],
    }


def random_decks(cards: Library, mode: str, seed: int, focus: Collection[str] = ()) -> dict[str, Deck]:
    """Decks of modelled cards for a game, dealt so that over many seeds every card comes up equally often.

    They need not obey 103, but what teammates may not share (489.8.h-i). Of the cards in ``focus``, where there are
    any, half of each deck is made.
    """
    kind = MODES[mode]
    kinds = kinds_of(cards)
    per_game = {"main": 39, "champions": 1, "legends": 1, "battlefields": 3, "runes": 12}
    shoes, focused = {}, {}
    for word, number in per_game.items():
        begin = seed * number * kind.players
        shoes[word] = Shoe(kinds[word], begin, f"{mode} {word}")
        wanted = [name for name in kinds[word] if name in focus]
        focused[word] = Shoe(wanted, begin, f"{mode} focus {word}") if wanted else shoes[word]
    decks: dict[str, Deck] = {}
    for number, name in enumerate("ABCD"[: kind.players]):
        mates = [deck for i, deck in enumerate(decks.values()) if kind.teams and i % 2 == number % 2]
        fields: list[str] = []
        for _ in range(3):
            fields.append(focused["battlefields"].deal([*fields, *(b for deck in mates for b in deck.battlefields)]))
        decks[name] = Deck(
            focused["legends"].deal([deck.legend for deck in mates]),
            focused["champions"].deal(),
            [(focused if i % 2 else shoes)["main"].deal() for i in range(39)],
            [shoes["runes"].deal() for _ in range(12)],
            fields,
        )
    return decks


def make_game(mode: str, seed: int, cards: Library, focus: Collection[str] = ()) -> Make:
    """A factory for the same random game."""
    setup = GameSetup(MODES[mode], random_decks(cards, mode, seed, focus))

    def make() -> tuple[Game, object]:
        game = Game(cards, trace=Trace(enabled=False), seed=seed)
        return game, full_game(game, setup)

    return make  # type: ignore[return-value]


def decide(ask: Ask, rng: random.Random, game: Game | None = None) -> tuple[int, ...]:
    """A random legal answer, leaning towards doing something and, where the game is given, towards combat."""
    if ask.kind == "pay" and ask.default is not None and rng.random() < 0.97:
        return ask.default
    count = len(ask.options)
    if ask.ordered:
        order = list(range(count))
        rng.shuffle(order)
        return tuple(order)
    if ask.kind == "action":
        return (choose_action(ask, rng, game),)
    if ask.kind == "yes or no":
        return (0,) if rng.random() < 0.75 else (1,)
    most = min(ask.most, count)
    least = min(ask.least, most)
    for attempt in range(40):
        number = most if attempt == 0 and most <= 2 else rng.randint(least, most) if attempt < 30 else least
        picked = tuple(rng.sample(range(count), number))
        if ask.fits is None or ask.fits(tuple(ask.options[i] for i in picked)):
            return picked
    return ()


def choose_action(ask: Ask, rng: random.Random, game: Game | None = None) -> int:
    """Play, move, use or pass; runes are left for paying, and nobody concedes but rarely."""
    passing = [i for i, o in enumerate(ask.options) if o.key in ("pass", "end turn")]
    acting = [
        i
        for i, o in enumerate(ask.options)
        if i not in passing
        and o.key != "concede"
        and "Rune (" not in o.key
        and (not o.key.startswith("use") or rng.random() < 0.4)
    ]
    if len(ask.options) > 2 and rng.random() < 0.0005:
        return next(i for i, o in enumerate(ask.options) if o.key == "concede")
    moves = [i for i in acting if ask.options[i].key.startswith("move to") and not ask.options[i].key.endswith("base")]
    attacks = [i for i in moves if game is not None and ask.options[i].key in defended(game, ask.player)]
    if attacks and rng.random() < 0.7:
        return rng.choice(attacks)
    if moves and rng.random() < 0.6:
        return rng.choice(moves)
    return rng.choice(acting) if acting and rng.random() < 0.85 else passing[0]


def defended(game: Game, player: str) -> set[str]:
    """Names of the moves to battlefields with units of a player's opponents."""
    return {
        f"move to {game.place_label(field)}"
        for field in game.state.battlefields
        if any(u.controller and game.enemies(u.controller, player) for u in game.units_at(field))
    }


def play_game(
    mode: str, seed: int, cards: Library | None = None, check: bool = True, focus: Collection[str] = ()
) -> tuple[Run, Report]:
    """One random game to its end; half of each deck of the cards in ``focus``."""
    pool = cards or library()
    report = Report(games=1)
    which = f"{mode} seed {seed}" + (f" (cards {', '.join(sorted(focus))})" if focus else "")
    rng = random.Random(seed * 7919 + 17)
    run = Run(make_game(mode, seed, pool, focus))
    start = bodies(run.game)
    started = False
    while isinstance(run.outcome, Ask) and report.decisions < LIMIT:
        if not started and run.game.state.turn:
            start, started = bodies(run.game), True
        answer = decide(run.outcome, rng, run.game)
        report.decisions += 1
        outcome = run.answer(answer)
        if isinstance(outcome, Refusal):
            report.ended["rewound"] += 1
        if check and started and not fallen(run):
            faults = broken(run.game, run.outcome, start)
            if faults:
                report.faults.append(
                    f"{which} after {report.decisions} decisions: {'; '.join(faults[:3])}; log {run.log}"
                )
                break
    if check and not report.faults and seed % REPLAYED == 0:
        again = Run(run.make)
        again.replay(run.log)
        if digest(again.game) != digest(run.game):
            report.faults.append(f"{which}: its log replays to another state; log {run.log}")
    report.ended["stopped" if report.faults else ending(run)] += 1
    if isinstance(run.outcome, Ask) and not report.faults:
        report.faults.append(f"{which} does not end within {LIMIT} decisions")
    count(run, report)
    return run, report


def fallen(run: Run) -> bool:
    """Whether a player was removed (whose cards leave the game, 652.3) or the game is over."""
    return run.game.state.over or any(p.lost for p in run.game.state.players.values())


def ending(run: Run) -> str:
    match run.outcome:
        case Finished(winners=winners):
            return "won" if winners else "without a winner"
        case Stuck(what=what):
            return f"unsupported: {what}"
        case _:
            return "endless"


def count(run: Run, report: Report) -> None:
    """Numbers of one game."""
    game = run.game
    report.combats += game.trace.cited.get("464.2.c.1", 0)
    report.rules.update(game.trace.cited)
    report.rules.update(game.asked)
    report.rules.update(game.hooks.rules_seen)
    report.events.update(game.counts)
    for (kind, name), number in game.play_counts.items():
        report.played[kind] += number
        report.cards[name] += number
    report.triggered.update(game.trigger_counts)
    report.happened |= game.happened


def fuzz(
    modes: Iterable[str],
    games: int,
    seed: int,
    tell: Callable[[int, int], None] | None = None,
    focus: Focus = lambda report: (),
) -> dict[str, Report]:
    """Random games of each mode; half of each deck of the cards that ``focus`` names, seeing the games before."""
    found: dict[str, Report] = {}
    for mode in modes:
        total = Report()
        for number in range(games):
            _, report = play_game(mode, seed + number, focus=focus(total))
            total.add(report)
            if tell is not None:
                tell(number + 1, games)
        found[mode] = total
    return found
