"""Questions, options and answers of a run in words for people; the keys of the script language stay as they are."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.engine.asking import Ask

WINDOWS = {
    "main": "{} may act: it is their Main Phase",
    "priority": "{} has Priority",
    "focus": "{} has Focus",
}
ACTIONS = (
    (re.compile(r"^pass$"), "passes"),
    (re.compile(r"^end turn$"), "ends the turn"),
    (re.compile(r"^concede$"), "concedes"),
    (re.compile(r"^play (.+)$"), r"plays \1"),
    (re.compile(r"^use (.+)$"), r"uses \1"),
    (re.compile(r"^hide (.+)$"), r"hides \1"),
    (re.compile(r"^move to (.+)$"), r"moves to \1"),
)


_COMPARED = ((re.compile(r" <= (?=\w)"), " at most "), (re.compile(r" >= (?=\w)"), " at least "))
_COUNTED = re.compile(r"\b(\d+) (\w+)\(s\)")
_OWN = re.compile(r"\ban? your (\w+)")
_SECOND = re.compile(r"(?<=\w)#(?=\d)")


def line(text: str) -> str:
    """A line of a derivation, or a clause, as people read it: plurals, comparisons and numbered names in words."""
    said = _COUNTED.sub(lambda found: f"{found[1]} {found[2]}{'' if found[1] == '1' else 's'}", text)
    said = _OWN.sub(r"a \1 of their own", _SECOND.sub(" ", said))
    for sign, words in _COMPARED:
        said = sign.sub(words, said)
    return f"{said[:1].upper()}{said[1:]}"


def asked(ask: Ask) -> str:
    """What a player is asked, as a clause without a full stop."""
    return line(_asked(ask))


def _asked(ask: Ask) -> str:
    about = ask.about
    if ask.kind == "action":
        return WINDOWS.get(about, "{} may act").format(ask.player)
    if ask.kind == "yes or no":
        return f"{ask.player} decides: {about}" if about else f"{ask.player} decides"
    if ask.kind == "pause":
        return about or "The game goes on"
    if ask.kind == "pay" and about.startswith("pay "):
        return f"{ask.player} chooses how to {about}"
    if not about:
        return f"{ask.player} chooses" if ask.kind != "order" else f"{ask.player} chooses the order"
    return f"{ask.player} chooses {about}"


def option(key: str) -> str:
    """An option as a button or a list shows it."""
    return line(key)


def done(ask: Ask, indices: Sequence[int]) -> str:
    """What a player did, as a headline."""
    keys = [ask.options[index].key for index in indices]
    if ask.kind == "action" and len(keys) == 1:
        for pattern, said in ACTIONS:
            if found := pattern.match(keys[0]):
                return f"{ask.player} {found.expand(said)}"
    if ask.kind == "yes or no":
        return f"{ask.player} says {', '.join(keys)}"
    if ask.kind == "pause":
        return asked(ask)
    return f"{ask.player} chooses {', '.join(option(key) for key in keys) or 'nothing'}"
