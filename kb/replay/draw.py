"""The board as a picture: SVG from a snapshot, drawn for the width of a phone.

Players are told apart by a letter and a shape as well as a colour; colours come from classes, so that light, dark and
contrast are the page's. A picture is drawn for all snapshots of a replay together, so that nothing jumps from frame to
frame; it is made of pieces, of which most stay the same from one frame to the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from math import ceil
from typing import Any

Snapshot = dict[str, Any]

WIDTH = 360
GAP = 6
CHIP = (WIDTH - 5 * GAP) // 2
LINE = 16
ROOM = 50
"""As many signs of small text fit across a panel."""
SHAPES = ("circle", "diamond", "square", "triangle")


class Picture:
    """Draws the snapshots of one replay to one layout."""

    def __init__(self, states: Sequence[Snapshot]) -> None:
        self.order: list[str] = sorted({name for state in states for name in state["players"]})
        self.heights: dict[str, int] = {}
        for state in states:
            for name, height in self._wanted(state).items():
                self.heights[name] = max(self.heights.get(name, 0), height)

    def parts(self, state: Snapshot) -> tuple[str, list[str]]:
        """The opening tag and the pieces of the picture of one snapshot."""
        pieces = []
        at = 0
        for name, inner in self._sections(state):
            pieces.append(f'<g transform="translate(0,{at})">{inner}</g>')
            at += self.heights.get(name, 0) + GAP
        said = f"Board. {state['turn_player']}'s turn {state['turn']}, {state['phase']}. {summary(state)}"
        tall = sum(self.heights.values()) + GAP * len(self.heights)
        return f'<svg viewBox="0 0 {WIDTH} {tall}" role="img" aria-label="{_safe(said)}">', pieces

    def svg(self, state: Snapshot) -> str:
        """The whole picture of one snapshot."""
        head, pieces = self.parts(state)
        return f"{head}{''.join(pieces)}</svg>"

    # layout

    def _seats(self) -> tuple[list[str], list[str]]:
        """Who sits on the far side and who on the near side."""
        return list(reversed(self.order[1:])), self.order[:1]

    def _wanted(self, state: Snapshot) -> dict[str, int]:
        wanted = {"status": 22}
        for name in state["players"]:
            player = state["players"][name]
            wanted[f"player {name}"] = 38 + LINE * len(_counts(player)) + _chips_height(player["base"])
        for index, field in enumerate(state["fields"]):
            sides = self._sides(field)
            height = 30 + sum(_chips_height(side) for _, side in sides)
            wanted[f"field {index}"] = max(height, 44) + (LINE + 4 if field["facedown"] else 0)
        if state["chain"]:
            wanted["chain"] = 26 + sum(17 * len(_item_lines(item)) for item in state["chain"])
        return wanted

    def _sides(self, field: Snapshot) -> list[tuple[str, list[Snapshot]]]:
        """Permanents at a battlefield by player, the far side first."""
        far, near = self._seats()
        found = [(name, [one for one in field["here"] if one["by"] == name]) for name in (*far, *near)]
        return [(name, things) for name, things in found if things]

    def _sections(self, state: Snapshot) -> Iterable[tuple[str, str]]:
        far, near = self._seats()
        yield "status", self._status(state)
        for name in (one for one in far if one in state["players"]):
            yield f"player {name}", self._player(state, name)
        for index, field in enumerate(state["fields"]):
            yield f"field {index}", self._field(field, self.heights[f"field {index}"])
        if "chain" in self.heights:
            yield "chain", self._chain(state, self.heights["chain"])
        for name in (one for one in near if one in state["players"]):
            yield f"player {name}", self._player(state, name)

    # pieces

    def _status(self, state: Snapshot) -> str:
        said = f"Turn {state['turn']} · {state['turn_player']}'s {state['phase']}"
        if state["over"]:
            winner = " and ".join(state["winner"])
            said = f"The game is over: {winner or 'nobody'} won"
        held = " · ".join(
            f"{word}: {state[key]}" for key, word in (("focus", "Focus"), ("priority", "Priority")) if state[key]
        )
        return _text(2, 15, said, "strong") + (_text(WIDTH - 2, 15, held, "strong", end=True) if held else "")

    def _player(self, state: Snapshot, name: str) -> str:
        player = state["players"][name]
        height = self.heights[f"player {name}"]
        lit = " lit" if state["asked"] == name else ""
        parts = [_rect(1, 1, WIDTH - 2, height - 2, f"panel{lit}", 9), self._shape(name, 16, 17)]
        x = 31
        turn = "▸ turn" if state["turn_player"] == name else ""
        asked = "is asked" if state["asked"] == name else ""
        about = " · ".join(word for word in (turn, asked, "lost" if player["lost"] else "") if word)
        legend = player["legend"]
        if legend:
            about = " · ".join((about, _cut(legend["name"], 16) + (" (exhausted)" if legend["exhausted"] else "")))
        parts.append(_text(x, 21, _cut(about.strip(" ·"), 34), ""))
        parts.append(_text(WIDTH - 10, 23, f"{player['points']} / {state['victory']}", "big", end=True))
        at = 43
        for line in _counts(player):
            parts.append(_text(10, at, line, "small"))
            at += LINE
        parts.append(self._chips(player["base"], at - 9))
        return "".join(parts)

    def _field(self, field: Snapshot, height: int) -> str:
        fight = bool(field["fight"])
        parts = [_rect(1, 1, WIDTH - 2, height - 2, "panel fight" if fight else "panel", 9)]
        parts.append(_text(10, 19, _cut(field["name"], 22), "strong", title=field["name"]))
        contested = f"contested by {field['contested']}" if field["contested"] else ""
        said = field["fight"] or contested
        if field["controller"]:
            parts.append(self._shape(field["controller"], WIDTH - 17, 15))
            parts.append(_text(WIDTH - 32, 19, _cut(said, 22), "small", end=True))
        else:
            parts.append(_text(WIDTH - 10, 19, _cut(said or "uncontrolled", 24), "small", end=True))
        at = 28
        if field["facedown"]:
            names = ", ".join(f"facedown card of {name}" for name in field["facedown"])
            parts.append(_rect(10, at + 1, WIDTH - 20, LINE + 2, "chip down", 4) + _text(16, at + 13, names, "small"))
            at += LINE + 4
        for _, things in self._sides(field):
            parts.append(self._chips(things, at))
            at += _chips_height(things)
        return "".join(parts)

    def _chain(self, state: Snapshot, height: int) -> str:
        if not state["chain"]:
            return _rect(1, 1, WIDTH - 2, height - 2, "panel down", 9) + _text(10, 19, "The chain is empty", "small")
        parts = [_rect(1, 1, WIDTH - 2, height - 2, "panel lit", 9), _text(10, 19, "Chain, newest first", "strong")]
        at = 36
        for item in reversed(state["chain"]):
            parts.append(self._shape(item["by"], 18, at - 4, 8))
            for line in _item_lines(item):
                parts.append(_text(32, at, line, ""))
                at += 17
        return "".join(parts)

    def _chips(self, things: Sequence[Snapshot], top: int) -> str:
        parts = []
        for row in range(ceil(len(things) / 2)):
            pair = things[row * 2 : row * 2 + 2]
            for column, thing in enumerate(pair):
                parts.append(self._chip(thing, 2 * GAP - 2 + column * (CHIP + GAP), top))
            top += max(_chip_height(thing) for thing in pair) + GAP
        return "".join(parts)

    def _chip(self, thing: Snapshot, x: int, y: int) -> str:
        number = self._number(thing["by"])
        height = _chip_height(thing)
        parts = [_rect(x, y, CHIP, height, f"b{number} p{number}", 6)]
        first, *more = _name_lines(thing)
        parts.append(self._shape(thing["by"], x + 12, y + 13, 7))
        parts.append(_text(x + 23, y + 17, first, "strong", title=_name(thing["name"])))
        if thing["might"] is not None:
            parts.append(_text(x + CHIP - 7, y + 20, str(thing["might"]), "big", end=True, title="Might"))
        at = y + 17
        for line in more:
            at += LINE
            parts.append(_text(x + 23, at, line, "strong", title=_name(thing["name"])))
        for line, kind in _chip_lines(thing):
            at += LINE
            parts.append(_text(x + 8, at, line, kind))
        return f"<g>{''.join(parts)}</g>"

    def _number(self, name: str) -> int:
        return self.order.index(name) + 1 if name in self.order else 1

    def _shape(self, name: str, x: int, y: int, size: int = 10) -> str:
        """A player's letter in the player's shape."""
        number = self._number(name)
        kind = SHAPES[(number - 1) % len(SHAPES)]
        cls = f'class="f{number}"'
        if kind == "circle":
            shape = f'<circle cx="{x}" cy="{y}" r="{size}" {cls}/>'
        elif kind == "diamond":
            far = size + 2
            shape = f'<polygon points="{x},{y - far} {x + far},{y} {x},{y + far} {x - far},{y}" {cls}/>'
        elif kind == "square":
            shape = f'<rect x="{x - size}" y="{y - size}" width="{2 * size}" height="{2 * size}" {cls}/>'
        else:
            far = size + 2
            shape = f'<polygon points="{x},{y - far} {x + far},{y + size} {x - far},{y + size}" {cls}/>'
        small = ' style="font-size:10px"' if size < 9 else ""
        low = y + (4 if size > 8 else 3.5)
        return f'{shape}<text x="{x}" y="{low}" text-anchor="middle" class="on"{small}>{_safe(name)}</text>'


def _counts(player: Snapshot) -> list[str]:
    """What a player has that is counted, in as many lines as it needs."""
    said = [f"{word} {player[word]}" for word in ("hand", "deck", "trash")]
    said.append(f"runes {player['ready']}/{player['runes']}")
    if player["banished"]:
        said.append(f"banished {player['banished']}")
    if player["energy"]:
        said.append(f"energy {player['energy']}")
    said += [f"{domain} {count}" for domain, count in player["power"].items()]
    if player["xp"]:
        said.append(f"XP {player['xp']}")
    if player["champion"]:
        said.append(f"champion {_name(player['champion'])}")
    lines = [said.pop(0)]
    for one in said:
        if len(lines[-1]) + len(one) + 3 <= ROOM:
            lines[-1] += f" · {one}"
        else:
            lines.append(one)
    return lines


def _name(label: str) -> str:
    """A label as a name: with a capital, and the second of its kind by its number."""
    first, _, number = label.partition("#")
    return f"{first[:1].upper()}{first[1:]}" + (f" {number}" if number else "")


def _name_lines(thing: Snapshot) -> list[str]:
    """The name of a permanent, in two lines where one is too short for it."""
    said, room = _name(thing["name"]), 15 if thing["might"] is not None else 18
    if len(said) <= room:
        return [said]
    at = said.rfind(" ", 0, room + 1)
    return [said[:at], _cut(said[at + 1 :], 18)] if at > 0 else [_cut(said, room)]


def _chip_lines(thing: Snapshot) -> list[tuple[str, str]]:
    """What a chip says under the name: the card where the name is another, damage, marks, gear."""
    lines: list[tuple[str, str]] = []
    if thing["card"]:
        lines.append((_cut(thing["card"], 23), "small"))
    if thing["damage"]:
        lines.append((f"{thing['damage']} damage", "hurt"))
    marks = list(thing["marks"])
    while marks:
        line = marks.pop(0)
        while marks and len(line) + len(marks[0]) < 21:
            line += f" · {marks.pop(0)}"
        lines.append((line, "small"))
    lines += [(f"+ {_cut(_name(name), 20)}", "small") for name in thing["gear"]]
    return lines


def _chip_height(thing: Snapshot) -> int:
    return 27 + LINE * (len(_name_lines(thing)) - 1 + len(_chip_lines(thing)))


def _chips_height(things: Sequence[Snapshot]) -> int:
    rows = [things[at : at + 2] for at in range(0, len(things), 2)]
    return sum(max(_chip_height(thing) for thing in row) + GAP for row in rows)


def _item_lines(item: Snapshot) -> list[str]:
    first = _cut(_name(item["name"]), 38) + (" (pending)" if item["pending"] else "")
    targets = ", ".join(_name(one) for one in item["targets"])
    return [first, _cut(f"→ {targets}", 42)] if targets else [first]


def summary(state: Snapshot) -> str:
    """The board in one line of words, for those who do not see the picture."""
    points = ", ".join(f"{name} {state['players'][name]['points']} points" for name in state["order"])
    fields = []
    for field in state["fields"]:
        units = ", ".join(
            f"{one['name']} ({one['by']}" + (f", might {one['might']}" if one["might"] is not None else "") + ")"
            for one in field["here"]
        )
        fields.append(f"{field['name']}: {units or 'empty'}")
    chain = ", ".join(item["name"] for item in reversed(state["chain"]))
    return f"{points}. {'; '.join(fields)}." + (f" Chain: {chain}." if chain else "")


def _rect(x: int, y: int, width: int, height: int, cls: str, radius: int) -> str:
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{radius}" class="{cls}"/>'


def _text(x: int, y: int, said: str, cls: str, end: bool = False, title: str = "") -> str:
    anchor = ' text-anchor="end"' if end else ""
    tip = f"<title>{_safe(title)}</title>" if title and title != said else ""
    return f'<text x="{x}" y="{y}" class="{cls}"{anchor}>{tip}{_safe(said)}</text>'


def _cut(said: str, room: int) -> str:
    return said if len(said) <= room else said[: room - 1].rstrip() + "…"


def _safe(said: str) -> str:
    return escape(str(said), quote=True)
