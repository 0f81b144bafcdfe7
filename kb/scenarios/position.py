"""From ``given`` to a game: the board as written, refused where it is illegal (with the rule)."""

from __future__ import annotations

from typing import Any

from kb.cards.syntax import CardDefinition
from kb.engine.events import which_are_mighty
from kb.engine.game import Game
from kb.engine.hooks import Hooks, Mutant
from kb.engine.library import Library
from kb.engine.run import Make
from kb.engine.setup import MODES, Deck, GameSetup, add_players, full_game
from kb.engine.state import ChainItem, Happening, Thing
from kb.engine.trace import Trace
from kb.engine.turn import PHASES, play
from kb.engine.zones import Zone
from kb.errors import DataError
from kb.scenarios.model import Scenario, check_keys

GIVEN = (
    "mode",
    "turn",
    "phase",
    "number",
    "victory_score",
    "battlefields",
    "setup",
    "loser",
    "used",
    "unwon",
    "seed",
    "wins",
    "best_of",
    "elimination",
    "A",
    "B",
    "C",
    "D",
)
PLAYER = (
    "points", "xp", "hand", "deck", "trash", "base", "banished", "runes", "rune_deck", "legend", "champion", "pool",
    "played", "team", "turns",
)  # fmt: skip
FIELD = ("card", "controller", "units", "facedown", "as", "owner", "scored", "contested")
OBJECT = (
    "card", "as", "damage", "exhausted", "stunned", "buffs", "empowered", "attached", "owner", "controller",
    "hidden_turn", "copy_of", "moved",
)  # fmt: skip

BLANKS = {
    "Blank": {"type": "unit", "energy": 1, "might": 1, "blank": True},
    "Blank Legend": {"type": "legend", "blank": True},
    "Blank Champion": {"type": "unit", "supertype": "champion", "energy": 1, "might": 1, "blank": True},
    "Any Rune": {
        "type": "rune",
        "abilities": [
            {"cost": {"exhaust": "this"}, "timing": "reaction", "do": [{"add": {"energy": 1}}]},
            {"cost": {"recycle": "this"}, "timing": "reaction", "do": [{"add": {"power": ["A"]}}]},
        ],
    },
}


class Builder:
    """Builds one scenario's game; used again for every replay."""

    def __init__(self, scenario: Scenario, library: Library, mutant: Mutant | None = None, trace: bool = True) -> None:
        self.scenario = scenario
        self.where = str(scenario.path or scenario.id)
        self.given = scenario.given
        extra: dict[str, Any] = {**BLANKS, **scenario.cards}
        for field in self.field_names():
            extra.setdefault(field, {"type": "battlefield", "blank": True})
        self.library = library.with_inline(extra, self.where)
        self.mutant = mutant
        self.trace = trace
        check_keys(self.given, GIVEN, self.where, "given")

    def field_names(self) -> list[str]:
        """Names of battlefields without text."""
        names = ["Field 1", "Field 2", "Field 3"]
        names += [f"{p} Field {n}" for p in "ABCD" for n in (1, 2, 3)]
        for entry in self.given.get("battlefields") or []:
            name = entry.get("card", "") if isinstance(entry, dict) else str(entry)
            if name.startswith("Field"):
                names.append(name)
        return names

    def make(self) -> Make:
        """A factory for :class:`kb.engine.run.Run`."""

        def factory() -> Any:
            game = Game(self.library, Hooks(self.mutant), Trace(self.trace), int(self.given.get("seed", 0)))
            game.readings = dict(self.scenario.readings)
            if self.given.get("setup"):
                return game, full_game(game, self.setup())
            self.place(game)
            game.mighty = which_are_mighty(game)
            return game, play(game, str(self.given.get("phase", "main")))

        return factory

    def fail(self, what: str, fix: str = "See docs/scenario-format.md") -> DataError:
        return DataError(self.where, what, fix)

    def setup(self) -> GameSetup:
        """A whole game with decks of blanks, from the first step of setting up."""
        mode = MODES.get(str(self.given.get("mode", "duel")))
        if mode is None:
            raise self.fail(f"there is no mode {self.given.get('mode')!r}")
        decks = {
            name: Deck(
                "Blank Legend",
                "Blank Champion",
                ["Blank"] * 39,
                ["Any Rune"] * 12,
                [f"{name} Field {n}" for n in (1, 2, 3)],
            )
            for name in "ABCD"[: mode.players]
        }
        used, unwon = ({k: list(v) for k, v in (self.given.get(key) or {}).items()} for key in ("used", "unwon"))
        return GameSetup(mode, decks, used, unwon, str(self.given.get("loser", "")))

    # positions

    def place(self, game: Game) -> None:
        """Put everything where ``given`` says."""
        mode = MODES.get(str(self.given.get("mode", "duel")))
        if mode is None:
            raise self.fail(f"there is no mode {self.given.get('mode')!r}")
        names = "ABCD"[: mode.players]
        for name in "ABCD"[mode.players :]:
            if name in self.given:
                raise self.fail(f"the mode {mode.name} has no player {name}")
        add_players(game, names, mode.teams)
        state = game.state
        state.mode = mode.name
        state.victory_score = int(self.given.get("victory_score", mode.victory_score))
        state.turn_player = str(self.given.get("turn", "A"))
        if state.turn_player not in names:
            raise self.fail(f"'turn' names {state.turn_player!r}, who does not play")
        if str(self.given.get("phase", "main")) not in PHASES:
            raise self.fail(f"there is no phase {self.given.get('phase')!r}")
        state.turn = int(self.given.get("number", 5))
        state.phase = str(self.given.get("phase", "main"))
        state.best_of = int(self.given.get("best_of", 3))
        state.elimination = bool(self.given.get("elimination", False))
        state.match_wins.update({str(k): int(v) for k, v in (self.given.get("wins") or {}).items()})
        fields = self.battlefields(game, mode.battlefields)
        for name in names:
            data = self.given.get(name) or {}
            check_keys(data, PLAYER, self.where, f"given.{name}")
            self.count_turns(game, name, data)
            self.legend(game, name, data)
            self.permanents(game, name, data.get("base"), name)
        for entry, thing in fields:
            self.field_contents(game, entry, thing)
        for name in names:
            self.off_board(game, name, self.given.get(name) or {})
        self.check(game)
        game.touch()

    def count_turns(self, game: Game, name: str, data: dict[str, Any]) -> None:
        player = game.player(name)
        player.points = int(data.get("points", 0))
        player.xp = int(data.get("xp", 0))
        players = len(game.state.order)
        turns = (game.state.turn + players - 1) // players
        player.turns = int(data.get("turns", turns if name == game.state.turn_player else max(0, turns - 1)))
        for mate in game.state.order:
            other = game.player(mate)
            if other.team == player.team and mate != name:
                player.points = other.points = max(player.points, other.points)

    def battlefields(self, game: Game, count: int) -> list[tuple[dict[str, Any], Thing]]:
        """The battlefields in order, without what is at them."""
        listed = self.given.get("battlefields")
        entries = list(listed) if listed is not None else [f"Field {n + 1}" for n in range(count)]
        if len(entries) != count:
            raise self.fail(f"the mode has {count} battlefields (core-1.4:{self.rule_of_count()}), not {len(entries)}")
        found = []
        order = game.state.order
        for index, entry in enumerate(entries):
            data = entry if isinstance(entry, dict) else {"card": entry}
            check_keys(data, FIELD, self.where, f"given.battlefields[{index}]")
            owner = str(data.get("owner", order[index % len(order)]))
            thing = game.create(self.card(str(data["card"]), "battlefield"), owner, Zone.BATTLEFIELD)
            thing.battlefield = 0
            if "as" in data:
                game.names[thing.body] = str(data["as"])
            thing.controller = data.get("controller")
            if thing.controller is not None and thing.controller not in order:
                raise self.fail(
                    f"battlefield {data['card']!r} is controlled by {thing.controller!r}, who does not play"
                )
            game.state.battlefields.append(thing.id)
            found.append((data, thing))
        return found

    def rule_of_count(self) -> str:
        return f"{MODES[str(self.given.get('mode', 'duel'))].rule}.4"

    def card(self, name: str, kind: str = "") -> CardDefinition:
        card = self.library.get(name)
        if card is None:
            raise self.fail(f"there is no card named {name!r}", "Check the spelling, or write it out under cards:")
        if kind and kind not in card.types:
            raise self.fail(f"{name!r} is no {kind}")
        return card

    def legend(self, game: Game, name: str, data: dict[str, Any]) -> None:
        if "legend" in data:
            entry = data["legend"]
            facts = entry if isinstance(entry, dict) else {"card": entry}
            thing = game.create(self.card(str(facts["card"]), "legend"), name, Zone.LEGEND)
            thing.controller = name
            self.dress(game, thing, facts, name)
        if "champion" in data:
            entry = data["champion"]
            facts = entry if isinstance(entry, dict) else {"card": entry}
            thing = game.create(self.card(str(facts["card"])), name, Zone.CHAMPION)
            game.player(name).chosen_champion = thing.card.name
            if "as" in facts:
                game.names[thing.body] = str(facts["as"])

    def permanents(self, game: Game, name: str, entries: Any, where: int | str) -> None:
        """Units and gear of a player at a location."""
        for entry in self.entries(entries):
            facts = entry if isinstance(entry, dict) else {"card": entry}
            check_keys(facts, OBJECT, self.where, f"an object of {name}")
            card = self.card(str(facts["card"]))
            if not set(card.types) & {"unit", "gear"}:
                raise self.fail(f"{card.name!r} is neither unit nor gear, so it can't be on the board")
            owner = str(facts.get("owner", name))
            zone = Zone.BATTLEFIELD if isinstance(where, int) else Zone.BASE
            thing = game.create(card, owner, zone, where)
            thing.controller = str(facts.get("controller", name))
            thing.base = where if isinstance(where, str) else thing.controller
            self.dress(game, thing, facts, name)
            for gear in self.entries(facts.get("attached")):
                details = gear if isinstance(gear, dict) else {"card": gear}
                piece = game.create(
                    self.card(str(details["card"]), "gear"), str(details.get("owner", name)), zone, where
                )
                piece.controller = str(details.get("controller", details.get("owner", name)))
                piece.attached_to = thing.id
                piece.attached_turn = 0
                self.dress(game, piece, details, name)

    def entries(self, value: Any) -> list[Any]:
        if value is None:
            return []
        if not isinstance(value, list):
            raise self.fail(f"a list is expected, not {value!r}")
        return value

    def dress(self, game: Game, thing: Thing, facts: dict[str, Any], name: str) -> None:
        """Statuses of an object (124.2)."""
        if "as" in facts:
            game.names[thing.body] = str(facts["as"])
        thing.exhausted = bool(facts.get("exhausted", False))
        thing.stunned = bool(facts.get("stunned", False))
        thing.empowered = bool(facts.get("empowered", False))
        thing.buffs = int(facts.get("buffs", 0))
        thing.moves_this_turn = int(facts.get("moved", 0))
        if "copy_of" in facts:
            thing.copied = self.card(str(facts["copy_of"]))
        damage = int(facts.get("damage", 0))
        if damage:
            foe = next((p for p in game.state.order if p != name), name)
            thing.marks[foe] = damage

    def field_contents(self, game: Game, data: dict[str, Any], thing: Thing) -> None:
        """Units, facedown cards, contested and scored marks of one battlefield."""
        for name, entries in (data.get("units") or {}).items():
            if name not in game.state.order:
                raise self.fail(f"units of {name!r}, who does not play")
            self.permanents(game, name, entries, thing.id)
        for name, entry in (data.get("facedown") or {}).items():
            for one in entry if isinstance(entry, list) else [entry]:
                facts = one if isinstance(one, dict) else {"card": one}
                card = game.create(
                    self.card(str(facts["card"])), str(facts.get("owner", name)), Zone.FACEDOWN, thing.id
                )
                card.controller = name
                card.battlefield = thing.id
                card.hidden_turn = int(facts.get("hidden_turn", game.state.turn - 1))
                if "as" in facts:
                    game.names[card.body] = str(facts["as"])
        if data.get("contested"):
            thing.contested_by = str(data["contested"])
        for name in data.get("scored") or []:
            if name not in game.state.order:
                raise self.fail(f"{name!r}, who does not play, scored {data['card']!r}")
            game.player(name).scored.add(thing.id)

    def off_board(self, game: Game, name: str, data: dict[str, Any]) -> None:
        """Cards in a player's own zones, runes and pool."""
        zones: tuple[tuple[str, Zone], ...] = (
            ("hand", Zone.HAND),
            ("deck", Zone.DECK),
            ("trash", Zone.TRASH),
            ("banished", Zone.BANISHMENT),
            ("rune_deck", Zone.RUNE_DECK),
        )
        for key, zone in zones:
            value = data.get(key)
            blank = "Any Rune" if key == "rune_deck" else "Blank"
            entries = [blank] * value if isinstance(value, int) else self.entries(value)
            for entry in entries:
                facts = entry if isinstance(entry, dict) else {"card": entry}
                thing = game.create(self.card(str(facts["card"])), name, zone)
                if "as" in facts:
                    game.names[thing.body] = str(facts["as"])
        self.runes(game, name, data.get("runes"))
        pool = data.get("pool") or {}
        player = game.player(name)
        player.energy = int(pool.get("energy", 0))
        player.power.update({k: int(v) for k, v in (pool.get("power") or {}).items()})
        for number in range(int(data.get("played", 0))):
            player.played.append(-1 - number)
            card = Thing(-1, -1, self.card("Blank"), name, name, Zone.TRASH)
            item = ChainItem(-1, name, "permanent", card)
            game.turn_log.append(Happening("plays", None, name, name, item=item))

    def runes(self, game: Game, name: str, value: Any) -> None:
        listed: dict[str, Any] = {"Any": value} if isinstance(value, int) else dict(value or {})
        for domain, count in listed.items():
            ready, exhausted = (
                (count, 0) if isinstance(count, int) else (count.get("ready", 0), count.get("exhausted", 0))
            )
            card = self.card(f"{domain} Rune")
            for number in range(ready + exhausted):
                thing = game.create(card, name, Zone.BASE, name)
                thing.controller = name
                thing.base = name
                thing.exhausted = number >= ready

    def check(self, game: Game) -> None:
        """Illegal positions are refused with the rule they break; cards on the board must be modelled."""
        self.check_names(game)
        for thing in game.state.things.values():
            if thing.token and not thing.on_board and thing.zone is not Zone.FACEDOWN:
                raise self.fail(
                    f"{game.label(thing)} is a token and not on the board (core-1.4:186)",
                    "Write a card there, or one of your own under cards:",
                )
        for thing in game.state.board.values():
            if thing.zone is not Zone.FACEDOWN:
                game.supported(thing.definition)
        for ident in game.state.battlefields:
            field = game.state.things[ident]
            present = game.unit_players(ident)
            if len(present) > 2:
                raise self.fail(f"units of {len(present)} players at {game.label(field)} (core-1.4:449.2)")
            foreign = [p for p in present if p != field.controller]
            if foreign and field.contested_by is None:
                raise self.fail(
                    f"{game.label(field)} has units of {foreign[0]}, who does not control it, "
                    "and is not contested (core-1.4:190.3.a.1)",
                    f"Write controller: {foreign[0]} or contested: {foreign[0]}",
                )
            for card in game.facedown_at(ident):
                if card.controller != field.controller:
                    raise self.fail(
                        f"a card of {card.controller} hidden at {game.label(field)}, "
                        "which they do not control (core-1.4:107.3.c)"
                    )
            if len(game.facedown_at(ident)) > 1:
                raise self.fail(f"two cards hidden at {game.label(field)} (core-1.4:107.3.b)")

    def check_names(self, game: Game) -> None:
        """Every object has a name of its own, and belongs to players of this game."""
        seen: set[str] = set()
        for thing in game.state.things.values():
            label = game.label(thing)
            if label in seen:
                raise self.fail(f"two objects are called {label!r}", "Give each a name of its own with as:")
            seen.add(label)
            for who in (thing.owner, thing.controller, thing.contested_by):
                if who is not None and who not in game.state.order:
                    raise self.fail(f"{label} belongs to {who!r}, who does not play")
