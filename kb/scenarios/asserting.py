"""Assertions of scenarios: each key of an ``assert`` mapping is a small reader of the state, the trace or the question.

:func:`true_now` says whether a mapping holds at this point of a run; an unknown key or name is a DataError.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from kb.engine.asking import Ask
from kb.engine.filters import has_introducing_keyword, matches_state
from kb.engine.layers import keyword_value
from kb.engine.run import Finished, Run
from kb.engine.state import Player, Thing
from kb.engine.trace import Node
from kb.engine.zones import Zone
from kb.errors import DataError
from kb.scenarios.reading import deck_is_legal, identifies, reads_as
from kb.scenarios.script import bare, compare_ask, find_thing, item_names, said


def true_now(run: Run, asserted: dict[str, Any], where: str) -> bool:
    """Whether every assertion of a mapping holds now.

    Raises: DataError for an assertion or an object that does not exist.
    """
    return all(Checker(run, where).check(key, value) for key, value in asserted.items())


class Checker:
    """Reads one run."""

    def __init__(self, run: Run, where: str) -> None:
        self.run = run
        self.game = run.game
        self.where = where

    def fail(self, what: str) -> DataError:
        return DataError(self.where, what, "See docs/scenario-format.md")

    def check(self, key: str, value: Any) -> bool:
        handler: Callable[[Any], bool] | None = getattr(self, f"is_{key}", None)
        if handler is None:
            raise self.fail(f"there is no assertion {key!r}")
        return handler(value)

    def thing(self, name: Any) -> Thing:
        found = find_thing(self.run, said(name))
        if found is None:
            raise self.fail(f"there is no object called {name!r}")
        return found

    def existing(self, name: Any) -> Thing | None:
        return find_thing(self.run, said(name))

    # players

    def player(self, name: str) -> Player:
        found = self.game.state.players.get(name)
        if found is None:
            raise self.fail(f"there is no player {name!r} in this game")
        return found

    def is_points(self, value: dict[str, int]) -> bool:
        return all(self.player(p).points == n for p, n in value.items())

    def is_xp(self, value: dict[str, int]) -> bool:
        return all(self.player(p).xp == n for p, n in value.items())

    def is_energy(self, value: dict[str, int]) -> bool:
        return all(
            self.player(p).energy + sum(r.energy for r in self.player(p).restricted) == n
            for p, n in value.items()
        )

    def is_power(self, value: dict[str, Any]) -> bool:
        for name, wanted in value.items():
            player = self.player(name)
            pools = [player.power, *(r.power for r in player.restricted)]
            if isinstance(wanted, dict):
                if any(sum(p.get(d, 0) for p in pools) != n for d, n in wanted.items()):
                    return False
            elif sum(sum(p.values()) for p in pools) != wanted:
                return False
        return True

    # zones

    def is_hand(self, value: dict[str, Any]) -> bool:
        return self.pile(Zone.HAND, value)

    def is_deck(self, value: dict[str, Any]) -> bool:
        return self.pile(Zone.DECK, value, ordered=True)

    def is_trash(self, value: dict[str, Any]) -> bool:
        return self.pile(Zone.TRASH, value)

    def is_banished(self, value: dict[str, Any]) -> bool:
        return self.pile(Zone.BANISHMENT, value)

    def is_rune_deck(self, value: dict[str, Any]) -> bool:
        return self.pile(Zone.RUNE_DECK, value, ordered=True)

    def pile(self, zone: Zone, value: dict[str, Any], ordered: bool = False) -> bool:
        return all(self.same(self.game.zone_cards(zone, self.player(p).name), w, ordered) for p, w in value.items())

    def same(self, things: Iterable[Thing], wanted: Any, ordered: bool = False) -> bool:
        """A count, or exactly these names."""
        found = list(things)
        if isinstance(wanted, int) and not isinstance(wanted, bool):
            return len(found) == wanted
        names = [said(w) for w in wanted]
        if len(names) != len(found):
            return False
        if ordered:
            return all(self.called(t, n) for t, n in zip(found, names, strict=True))
        left = list(found)
        for test in (self.labelled, self.called):
            for name in list(names):
                match = next((t for t in left if test(t, name)), None)
                if match is not None:
                    left.remove(match)
                    names.remove(name)
        return not names

    def labelled(self, thing: Thing, name: str) -> bool:
        return self.game.label(thing) == name

    def called(self, thing: Thing, name: str) -> bool:
        """Whether a script may call an object so: its own name, or its card's."""
        label = self.game.label(thing)
        return name in (label, bare(label), thing.card.name)

    def is_base(self, value: dict[str, Any]) -> bool:
        return all(self.same(self.base(p), wanted) for p, wanted in value.items())

    def base(self, player: str) -> list[Thing]:
        """Units and gear in a player's base."""
        return [t for t in self.game.at(self.player(player).name) if "rune" not in t.card.types]

    def is_runes(self, value: dict[str, Any]) -> bool:
        return all(self.same(self.runes(p), wanted) for p, wanted in value.items())

    def is_ready_runes(self, value: dict[str, Any]) -> bool:
        return all(self.same([r for r in self.runes(p) if not r.exhausted], wanted) for p, wanted in value.items())

    def runes(self, player: str) -> list[Thing]:
        owner = self.player(player).name
        return [t for t in self.game.state.board.values() if "rune" in t.card.types and t.controller == owner]

    def is_facedown(self, value: dict[str, int]) -> bool:
        return all(len(self.game.facedown_at(self.thing(f).id)) == n for f, n in value.items())

    def is_units(self, value: dict[str, Any]) -> bool:
        return all(self.same(self.game.units_at(self.spot(f)), wanted) for f, wanted in value.items())

    def spot(self, name: Any) -> int | str:
        text = said(name)
        return text[0] if text.endswith("'s base") else self.thing(text).id

    def is_where(self, value: dict[str, Any]) -> bool:
        return all(self.place_of(self.existing(name)) == self.canonical(place) for name, place in value.items())

    def canonical(self, place: Any) -> str:
        text = said(place)
        found = self.existing(text)
        return self.game.label(found) if found is not None and "battlefield" in found.card.types else text

    def place_of(self, thing: Thing | None) -> str:
        if thing is None or thing.gone:
            return "nowhere"
        match thing.zone:
            case Zone.BASE:
                return f"{thing.base}'s base"
            case Zone.BATTLEFIELD:
                return self.game.label(thing.battlefield)
            case Zone.FACEDOWN:
                return f"facedown at {self.game.label(thing.battlefield)}"
            case Zone.CHAIN:
                return "chain"
            case Zone.LEGEND:
                return "legend zone"
            case _:
                word = {"runedeck": "rune deck", "champion": "Champion Zone"}.get(thing.zone.value, thing.zone.value)
                return f"{thing.owner}'s {word}"

    # objects

    def is_might(self, value: dict[str, int]) -> bool:
        return all(self.board(n) is not None and self.game.might(self.thing(n)) == m for n, m in value.items())

    def board(self, name: Any) -> Thing | None:
        found = self.existing(name)
        return found if found is not None and found.on_board else None

    def is_damage(self, value: dict[str, int]) -> bool:
        return all((t := self.board(n)) is not None and t.damage == d for n, d in value.items())

    def is_buffs(self, value: dict[str, int]) -> bool:
        return all((t := self.board(n)) is not None and t.buffs == b for n, b in value.items())

    def is_state(self, value: dict[str, Any]) -> bool:
        for name, words in value.items():
            thing = self.board(name)
            if thing is None:
                return False
            context = self.game.context(thing)
            for word in words if isinstance(words, list) else [words]:
                if not matches_state(thing, said(word).replace("not ", "non-"), context):
                    return False
        return True

    def is_keywords(self, value: dict[str, Any]) -> bool:
        for name, words in value.items():
            thing = self.board(name)
            if thing is None:
                return False
            for word in words if isinstance(words, list) else [words]:
                keyword, _, number = said(word).partition(" ")
                introduces = has_introducing_keyword(self.game.traits(thing).abilities, keyword)
                if not (introduces or self.game.has(thing, keyword)):
                    return False
                if number and keyword_value(self.game.traits(thing), keyword, self.game.context(thing)) != int(number):
                    return False
        return True

    def is_name(self, value: dict[str, str]) -> bool:
        return all(self.game.traits(self.thing(n)).name == wanted for n, wanted in value.items())

    def is_tags(self, value: dict[str, Any]) -> bool:
        return all(set(words) <= self.game.traits(self.thing(n)).tags for n, words in value.items())

    def is_types(self, value: dict[str, Any]) -> bool:
        return all(set(words) <= self.game.traits(self.thing(n)).types for n, words in value.items())

    def is_cost(self, value: dict[str, Any]) -> bool:
        found = []
        for name, wanted in value.items():
            traits = self.game.traits(self.thing(name))
            found.append(all({"energy": traits.energy, "power": traits.power}[k] == n for k, n in wanted.items()))
        return all(found)

    def is_controller(self, value: dict[str, Any]) -> bool:
        return all((self.thing(n).controller or "nobody") == said(c) for n, c in value.items())

    def is_contested(self, value: dict[str, Any]) -> bool:
        return all((self.thing(n).contested_by or "nobody") == said(c) for n, c in value.items())

    def is_attached(self, value: dict[str, Any]) -> bool:
        for name, top in value.items():
            gear = self.thing(name)
            on = self.game.state.board.get(gear.attached_to) if gear.attached_to and not gear.gone else None
            wanted = None if said(top) == "nothing" else self.thing(top)
            if on is not wanted:
                return False
        return True

    # chain, windows

    def is_chain(self, value: list[Any]) -> bool:
        items = self.game.state.chain
        return len(items) == len(value) and all(
            said(v) in item_names(self.run, i) for v, i in zip(value, items, strict=True)
        )

    def is_focus(self, value: Any) -> bool:
        struggle = self.game.state.struggle
        return (struggle.focus if struggle is not None else None) == (None if said(value) == "nobody" else value)

    def is_priority(self, value: Any) -> bool:
        ask = self.run.outcome
        asked = ask.player if isinstance(ask, Ask) and ask.kind == "action" else "nobody"
        return bool(asked == said(value))

    def is_attacker(self, value: Any) -> bool:
        struggle = self.game.state.struggle
        return bool((struggle.attacker if struggle is not None and struggle.combat else None) == value)

    def is_defender(self, value: Any) -> bool:
        struggle = self.game.state.struggle
        return bool((struggle.defender if struggle is not None and struggle.combat else None) == value)

    def is_turn(self, value: Any) -> bool:
        return bool(self.game.state.turn_player == value)

    def is_phase(self, value: Any) -> bool:
        return bool(self.game.state.phase == value)

    def is_showdown(self, value: Any) -> bool:
        struggle = self.game.state.struggle
        here = None if struggle is None else struggle.battlefield
        return here == (None if said(value) == "none" else self.thing(value).id)

    def is_combat(self, value: Any) -> bool:
        struggle = self.game.state.struggle
        here = None if struggle is None or not struggle.combat else struggle.battlefield
        return here == (None if said(value) == "none" else self.thing(value).id)

    def is_staged(self, value: dict[str, Any]) -> bool:
        for name, word in value.items():
            field = self.thing(name)
            have = "combat" if field.staged_combat else "showdown" if field.staged_showdown else "none"
            if have != said(word):
                return False
        return True

    def is_winner(self, value: Any) -> bool:
        winners = self.game.state.winner
        return not winners if said(value) == "nobody" else value in winners

    def is_match(self, value: Any) -> bool:
        return self.game.state.match_result == said(value)

    def is_over(self, value: Any) -> bool:
        return (self.game.state.over or isinstance(self.run.outcome, Finished)) == bool(value)

    # questions

    def is_asks(self, value: dict[str, Any]) -> bool:
        ask = self.run.outcome
        return isinstance(ask, Ask) and not compare_ask(ask, value)

    def is_offered(self, value: dict[str, Any]) -> bool:
        return self.offers(value, True)

    def is_not_offered(self, value: dict[str, Any]) -> bool:
        return self.offers(value, False)

    def offers(self, value: dict[str, Any], wanted: bool) -> bool:
        ask = self.run.outcome
        for player, keys in value.items():
            if not isinstance(ask, Ask) or ask.player != player:
                return False
            have = {o.key for o in ask.options} | {bare(o.key) for o in ask.options}
            for key in keys if isinstance(keys, list) else [keys]:
                if (said(key) in have) != wanted:
                    return False
        return True

    # trace

    def events(self) -> list[Node]:
        return [n for _, n in self.game.trace.root.walk() if n.kind == "event"]

    def matching(self, pattern: dict[str, Any]) -> list[Node]:
        for key in pattern:
            if key not in ("event", "who", "thing", "times", "rule", "amount", "at", "by"):
                raise self.fail(f"an event knows no {key!r}")
        return [n for n in self.events() if self.event_fits(n, pattern)]

    def event_fits(self, node: Node, pattern: dict[str, Any]) -> bool:
        if "event" in pattern and node.verb != pattern["event"]:
            return False
        if "who" in pattern and node.player != said(pattern["who"]):
            return False
        if "by" in pattern and node.data.get("by") != said(pattern["by"]):
            return False
        if "thing" in pattern and not self.node_names(node, said(pattern["thing"])):
            return False
        if "amount" in pattern and node.data.get("amount") != pattern["amount"]:
            return False
        if "at" in pattern and node.data.get("place") != said(pattern["at"]):
            return False
        return "rule" not in pattern or rule_in(said(pattern["rule"]), node.rules)

    def node_names(self, node: Node, name: str) -> bool:
        """Whether an event is about an object of that name: its own, its card's, or one of several cards drawn."""
        things = node.data.get("things")
        labels = [node.thing, *(things if isinstance(things, list) else [])]
        if name in labels or name in [bare(x) for x in labels]:
            return True
        found = [t for t in self.game.state.things.values() if self.game.label(t) == node.thing]
        return any(t.card.name == name for t in found)

    def is_happened(self, value: Any) -> bool:
        for pattern in value if isinstance(value, list) else [value]:
            found = self.matching(pattern)
            if found == [] and pattern.get("times") != 0:
                return False
            if "times" in pattern and len(found) != pattern["times"]:
                return False
        return True

    def is_never(self, value: Any) -> bool:
        return all(not self.matching(p) for p in (value if isinstance(value, list) else [value]))

    def is_order(self, value: list[dict[str, Any]]) -> bool:
        nodes = [n for _, n in self.game.trace.root.walk()]
        last = -1
        for pattern in value:
            spots = [
                i
                for i, n in enumerate(nodes)
                if (
                    self.note_fits(n, pattern)
                    if "event" not in pattern
                    else n.kind == "event" and self.event_fits(n, pattern)
                )
            ]
            later = [i for i in spots if i > last]
            if not spots or not later or later[0] != min(spots):
                return False
            last = later[0]
        return True

    def is_noted(self, value: Any) -> bool:
        nodes = [n for _, n in self.game.trace.root.walk()]
        return all(any(self.note_fits(n, p) for n in nodes) for p in (value if isinstance(value, list) else [value]))

    def note_fits(self, node: Node, pattern: dict[str, Any]) -> bool:
        for key in pattern:
            if key not in ("rule", "words"):
                raise self.fail(f"a noted line knows no {key!r}")
        if "rule" in pattern and not rule_in(said(pattern["rule"]), node.rules):
            return False
        return "words" not in pattern or said(pattern["words"]).lower() in node.text.lower()

    # combinations, readings

    def is_not(self, value: dict[str, Any]) -> bool:
        return not true_now(self.run, value, self.where)

    def is_any(self, value: list[dict[str, Any]]) -> bool:
        return any(true_now(self.run, v, self.where) for v in value)

    def is_deck_legal(self, value: dict[str, Any]) -> bool:
        return deck_is_legal(self.game, value, self.where)

    def is_identifies(self, value: dict[str, Any]) -> bool:
        return identifies(self.game, value, self.where)

    def is_reads_as(self, value: dict[str, Any]) -> bool:
        return reads_as(self.game, value, self.where)


def rule_in(wanted: str, rules: Iterable[str]) -> bool:
    """Whether a line cites a rule or one below it."""
    number = wanted.removeprefix("core-1.4:").lstrip("0")
    return any(r.lstrip("0") == number or re.match(re.escape(number) + r"\.", r.lstrip("0")) for r in rules)
