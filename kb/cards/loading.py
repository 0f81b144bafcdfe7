"""Cards from YAML: checks every key, word and type, and says file, card and path where one is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from kb.cards.document import read_document
from kb.cards.parsing import PhraseError, parse_amount, parse_condition, parse_noun, parse_place, parse_what
from kb.cards.phrases import Amount, Condition, Noun, Place, Ref, What
from kb.cards.syntax import (
    NONE,
    Ability,
    Activated,
    AdditionalCost,
    CardDefinition,
    Continuous,
    Cost,
    CostChange,
    CostPart,
    Dependent,
    Effect,
    Event,
    Forbid,
    Instruction,
    KeywordUse,
    Mods,
    Permit,
    Replacement,
    Resources,
    Rule,
    Triggered,
)
from kb.cards.terms import DOMAINS
from kb.cards.verbs import (
    ALSO_OF_PLAYERS,
    COMMON,
    COST_PARTS,
    DURATIONS,
    EVENT_ARGS,
    EVENTS,
    FORBIDDEN,
    INSTRUCTIONS,
    OF_PLAYERS,
    PERMITTED,
    REPLACED,
    RULES,
)
from kb.errors import DataError

T = TypeVar("T")

KEYWORDS = {
    "Accelerate", "Action", "Ambush", "Assault", "Backline", "Deflect", "Empower", "Equip", "Flow", "Ganking", "Hidden",
    "Hunt", "Quick-Draw", "Reaction", "Repeat", "Shield", "Tank", "Temporary", "Unique", "Vision", "Weaponmaster",
}  # fmt: skip
"""Keywords that stand on their own (805-829); Deathknell, Legion, Level and Empowered introduce an ability."""

KEYWORD_TEXT = {"Equip": ("timing", "to"), "Empower": ("timing",)}
"""What the text of a keyword that is an activated ability may alter beside its cost (818.1.c.5, 827.1.c.4)."""

COMPONENTS = ("total", "optional", "equip", "empower", "hide")
"""Components of a cost that a discount can name (356.4.c)."""

TIMINGS = ("action", "reaction")

DEPENDENT_KEYS = ("while", "legion", "level", "empowered")


class Reader:
    """Reads the values of one card; ``path`` is where in the card it is."""

    def __init__(self, where: str) -> None:
        self.where = where

    def fail(self, path: str, what: str, fix: str = "See docs/card-language.md") -> DataError:
        return DataError(f"{self.where} @ {path}", what, fix)

    def phrase(self, parse: Callable[[str], T], value: Any, path: str) -> T:
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise self.fail(path, f"a phrase (text) is expected, not {type(value).__name__}")
        try:
            return parse(str(value))
        except PhraseError as error:
            raise self.fail(path, str(error)) from None

    def amount(self, value: Any, path: str) -> Amount:
        return self.phrase(parse_amount, value, path)

    def what(self, value: Any, path: str) -> What:
        return self.phrase(parse_what, value, path)

    def whats(self, value: Any, path: str) -> tuple[What, ...]:
        return tuple(self.what(v, f"{path}[{i}]") for i, v in enumerate(self.sequence(value, path)))

    def objects(self, value: Any, path: str) -> What | tuple[What, ...]:
        """One phrase, or several that one action is done to together."""
        return self.whats(value, path) if isinstance(value, list) else self.what(value, path)

    def noun(self, value: Any, path: str) -> Noun:
        return self.phrase(parse_noun, value, path)

    def place(self, value: Any, path: str) -> Place:
        return self.phrase(parse_place, value, path)

    def condition(self, value: Any, path: str) -> Condition:
        return self.phrase(parse_condition, value, path)

    def player(self, value: Any, path: str) -> What:
        return self.what(value, path)

    def text(self, value: Any, path: str) -> str:
        if not isinstance(value, str):
            raise self.fail(path, "text is expected")
        return value

    def flag(self, value: Any, path: str) -> bool:
        if not isinstance(value, bool):
            raise self.fail(path, "true or false is expected")
        return value

    def integer(self, value: Any, path: str) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.fail(path, "a whole number is expected")
        return value

    def sequence(self, value: Any, path: str) -> list[Any]:
        if not isinstance(value, list):
            raise self.fail(path, "a list is expected")
        return value

    def mapping(self, value: Any, path: str) -> dict[str, Any]:
        if not isinstance(value, dict) or not all(isinstance(k, str) for k in value):
            raise self.fail(path, "a mapping of words is expected")
        return value

    def one_of(self, value: Any, allowed: tuple[str, ...], path: str) -> str:
        if value not in allowed:
            raise self.fail(path, f"{value!r} is not one of {', '.join(allowed)}")
        return str(value)

    def known(self, value: Mapping[str, Any], allowed: tuple[str, ...], path: str) -> None:
        for key in value:
            if key not in allowed:
                raise self.fail(path, f"unknown key {key!r} (allowed: {', '.join(allowed)})")

    # resources, costs, keywords

    def resources(self, value: Any, path: str) -> Resources:
        data = self.mapping(value, path)
        self.known(data, ("energy", "power", "any"), path)
        symbols = data.get("power", [])
        if isinstance(symbols, str):
            symbols = symbols.split()
        for symbol in self.sequence(symbols, f"{path}.power"):
            if symbol not in DOMAINS and symbol not in ("A", "C"):
                raise self.fail(f"{path}.power", f"{symbol!r} is no Power symbol", "Use a domain, C or A")
        return Resources(
            self.amount(data["energy"], f"{path}.energy") if "energy" in data else NONE,
            tuple(symbols),
            self.amount(data["any"], f"{path}.any") if "any" in data else NONE,
        )

    def cost(self, value: Any, path: str) -> Cost:
        data = dict(self.mapping(value, path))
        resources = {k: data.pop(k) for k in ("energy", "power", "any") if k in data}
        self.known(data, tuple(COST_PARTS), path)
        parts = []
        for action, what in data.items():
            for one in what if isinstance(what, list) else [what]:
                read = self.amount if COST_PARTS[action] == "amount" else self.what
                parts.append(CostPart(action, read(one, f"{path}.{action}")))
        return Cost(self.resources(resources, path), tuple(parts))

    def keywords(self, value: Any, path: str) -> tuple[KeywordUse, ...]:
        return tuple(self.keyword(v, f"{path}[{i}]") for i, v in enumerate(self.sequence(value, path)))

    def keyword(self, value: Any, path: str) -> KeywordUse:
        if isinstance(value, dict) and value:
            name, cost = next(iter(value.items()))
            self.one_of(name, tuple(sorted(KEYWORDS)), path)
            self.known(value, (name, *KEYWORD_TEXT.get(name, ())), path)
            if isinstance(cost, dict):
                timing = self.one_of(value["timing"], TIMINGS, f"{path}.timing") if "timing" in value else ""
                to = self.what(value["to"], f"{path}.to") if "to" in value else None
                return KeywordUse(name, None, self.cost(cost, f"{path}.{name}"), timing, to)
            return KeywordUse(name, self.amount(cost, f"{path}.{name}"))
        name, _, number = self.text(value, path).partition(" ")
        self.one_of(name, tuple(sorted(KEYWORDS)), path)
        return KeywordUse(name, self.amount(number, path) if number else None)

    def mods(self, value: Any, path: str) -> Mods:
        data = self.mapping(value, path)
        readers: dict[str, Callable[[Any, str], Any]] = {
            "might": self.amount, "minimum": self.amount, "maximum": self.amount, "might_to": self.amount,
            "base_might": self.amount, "keywords": self.keywords, "keywords_of": self.what, "lose": self.texts,
            "ability_keywords": self.keywords,
            "abilities": self.abilities, "exhaust_abilities_of": self.noun, "text_of": self.what,
            "untargetable_by": self.text, "types": self.texts, "tags": self.texts,
            "domains": self.texts,
        }  # fmt: skip
        self.known(data, tuple(readers), path)
        return Mods(**{key: readers[key](v, f"{path}.{key}") for key, v in data.items()})

    def duration(self, value: Any, path: str) -> str:
        word = self.text(value, path)
        if word not in DURATIONS:
            raise self.fail(path, f"there is no duration {word!r}", f"Use one of {', '.join(DURATIONS)}")
        return word

    def texts(self, value: Any, path: str) -> tuple[str, ...]:
        return tuple(self.text(v, path) for v in self.sequence(value, path))

    # events, instructions, abilities

    def event(self, value: Any, path: str) -> Event:
        data = self.mapping(value, path)
        verbs = [k for k in data if k in EVENTS]
        if len(verbs) != 1:
            raise self.fail(path, f"exactly one event verb is expected (found {verbs or 'none'})")
        verb = verbs[0]
        self.known(data, (verb, *EVENT_ARGS), path)
        raw = data[verb]
        subject = Ref(self.text(raw, path)) if EVENTS[verb] == "text" else self.what(raw, f"{path}.{verb}")
        player = isinstance(subject, Ref) and subject.name in ("you", "they")
        player = player or (isinstance(subject, Noun) and set(subject.kinds) <= {"player", "opponent"})
        if player and verb not in (*OF_PLAYERS, *ALSO_OF_PLAYERS):
            raise self.fail(f"{path}.{verb}", f"no player is what this happens to, {raw!r} is", "Say by whom with by:")
        if verb in OF_PLAYERS and not player and not (isinstance(subject, Ref) and subject.name.startswith("$")):
            raise self.fail(f"{path}.{verb}", f"a player does this, not {raw!r}", f"Write {{{verb}: you}}")

        def get(key: str, read: Callable[[Any, str], T]) -> T | None:
            return read(data[key], f"{path}.{key}") if key in data else None

        return Event(
            verb,
            subject,
            get("by", self.what),
            get("with", self.noun),
            get("at", self.place),
            get("to", self.place),
            get("from", self.place),
            data.get("nth", 0),
            bool(data.get("alone", False)),
            data.get("first_each", ""),
        )

    def events(self, value: Any, path: str) -> tuple[Event, ...]:
        if isinstance(value, list):
            return tuple(self.event(v, f"{path}[{i}]") for i, v in enumerate(value))
        return (self.event(value, path),)

    def effect(self, value: Any, path: str) -> Effect:
        items = value if isinstance(value, list) else [value]
        return tuple(self.instruction(v, f"{path}[{i}]") for i, v in enumerate(items))

    def modes(self, value: Any, path: str) -> tuple[Effect, ...]:
        return tuple(self.effect(v, f"{path}[{i}]") for i, v in enumerate(self.sequence(value, path)))

    def instruction(self, value: Any, path: str) -> Instruction:
        data = self.mapping(value, path)
        verb = next((k for k in data if k in INSTRUCTIONS), "")
        if not verb and "if" in data:
            verb = "when_true"
            data = {"when_true": data["if"], **{k: v for k, v in data.items() if k != "if"}}
        if not verb:
            raise self.fail(path, f"no verb among {', '.join(map(repr, data))}")
        schema = INSTRUCTIONS[verb]
        self.known(data, (*schema, *COMMON), f"{path}.{verb}")
        args = {k: getattr(self, schema[k])(data[k], f"{path}.{k}") for k in data if k in schema}
        who = self.what(data["who"], f"{path}.who") if "who" in data else None
        return Instruction(
            verb,
            args,
            who,
            self.condition(data["if"], f"{path}.if") if "if" in data else None,
            self.flag(data.get("may", False), f"{path}.may"),
            self.binding(data.get("as", ""), f"{path}.as"),
            self.effect(data["then"], f"{path}.then") if "then" in data else (),
            self.effect(data["else"], f"{path}.else") if "else" in data else (),
        )

    def binding(self, value: Any, path: str) -> str:
        name = self.text(value, path)
        if name and not name.startswith("$"):
            raise self.fail(path, f"the name {name!r} must begin with $", "Write as: $name")
        return name

    def dependent(self, data: Mapping[str, Any], path: str) -> Dependent:
        return Dependent(
            bool(data.get("legion", False)),
            int(data.get("level", 0)),
            bool(data.get("empowered", False)),
            self.condition(data["while"], f"{path}.while") if "while" in data else None,
        )

    def abilities(self, value: Any, path: str) -> tuple[Ability, ...]:
        return tuple(self.ability(v, f"{path}[{i}]") for i, v in enumerate(self.sequence(value, path)))

    def ability(self, value: Any, path: str) -> Ability:
        data = self.mapping(value, path)
        for key, read in self.ability_readers().items():
            if key in data:
                return read(data, path)
        raise self.fail(path, f"no kind of ability among the keys {', '.join(map(repr, data))}")

    def ability_readers(self) -> dict[str, Callable[[dict[str, Any], str], Ability]]:
        return {
            "deathknell": self.deathknell,
            "when": self.triggered,
            "would": self.replacement,
            "enters": self.replacement,
            "cant": self.forbid,
            "can": self.permit,
            "reduce": self.cost_change,
            "increase": self.cost_change,
            "ignore_cost": self.cost_change,
            "additional": self.additional,
            "rule": self.rule,
            "give": self.continuous,
            "cost": self.activated,
        }

    def deathknell(self, data: dict[str, Any], path: str) -> Ability:
        self.known(data, ("deathknell", "may", "cost", *DEPENDENT_KEYS), path)
        return Triggered(
            (Event("dies", Ref("me")),),
            self.effect(data["deathknell"], f"{path}.deathknell"),
            may=bool(data.get("may", False)),
            cost=self.cost(data["cost"], f"{path}.cost") if "cost" in data else None,
            keyword="Deathknell",
            dependent=self.dependent(data, path),
        )

    def triggered(self, data: dict[str, Any], path: str) -> Ability:
        self.known(data, ("when", "if", "may", "cost", "limit", "zone", "do", "who", *DEPENDENT_KEYS), path)
        who = self.what(data["who"], f"{path}.who") if "who" in data else None
        return Triggered(
            self.events(data["when"], f"{path}.when"),
            self.effect(data["do"], f"{path}.do") if "do" in data else self.missing(path, "do"),
            self.condition(data["if"], f"{path}.if") if "if" in data else None,
            self.flag(data.get("may", False), f"{path}.may"),
            self.cost(data["cost"], f"{path}.cost") if "cost" in data else None,
            self.integer(data.get("limit", 0), f"{path}.limit"),
            self.text(data.get("zone", "board"), f"{path}.zone"),
            dependent=self.dependent(data, path),
            who=who if isinstance(who, Ref) else None,
        )

    def missing(self, path: str, key: str) -> Effect:
        raise self.fail(path, f"the key {key!r} is missing")

    def activated(self, data: dict[str, Any], path: str) -> Ability:
        self.known(data, ("cost", "do", "timing", "if", "repeat", *DEPENDENT_KEYS), path)
        return Activated(
            self.cost(data["cost"], f"{path}.cost"),
            self.effect(data["do"], f"{path}.do") if "do" in data else self.missing(path, "do"),
            self.one_of(data.get("timing", ""), ("", "action", "reaction"), f"{path}.timing"),
            self.condition(data["if"], f"{path}.if") if "if" in data else None,
            repeat=self.cost(data["repeat"], f"{path}.repeat") if "repeat" in data else None,
            dependent=self.dependent(data, path),
        )

    def continuous(self, data: dict[str, Any], path: str) -> Ability:
        self.known(data, ("give", "to", "zone", *DEPENDENT_KEYS), path)
        return Continuous(
            self.mods(data["give"], f"{path}.give"),
            self.what(data.get("to", "me"), f"{path}.to"),
            self.dependent(data, path),
            self.text(data.get("zone", "board"), f"{path}.zone"),
        )

    def optional_place(self, data: dict[str, Any], key: str, path: str) -> Place | None:
        return self.place(data[key], f"{path}.{key}") if key in data else None

    def forbid(self, data: dict[str, Any], path: str) -> Ability:
        self.known(data, ("cant", "what", "who", "from", "to", "with", "except", *DEPENDENT_KEYS), path)
        return Forbid(
            self.one_of(data["cant"], FORBIDDEN, f"{path}.cant"),
            self.what(data["what"], f"{path}.what") if "what" in data else None,
            self.text(data.get("who", ""), f"{path}.who"),
            self.optional_place(data, "from", path),
            self.optional_place(data, "to", path),
            self.dependent(data, path),
            self.noun(data["with"], f"{path}.with") if "with" in data else None,
            self.one_of(data.get("except", ""), ("", "action"), f"{path}.except"),
        )

    def permit(self, data: dict[str, Any], path: str) -> Ability:
        self.known(data, ("can", "what", "from", "to", "for", "timing", "zone", *DEPENDENT_KEYS), path)
        return Permit(
            self.one_of(data["can"], PERMITTED, f"{path}.can"),
            self.what(data["what"], f"{path}.what") if "what" in data else None,
            self.optional_place(data, "to", path),
            self.optional_place(data, "from", path),
            self.cost(data["for"], f"{path}.for") if "for" in data else None,
            self.text(data.get("timing", ""), f"{path}.timing"),
            self.dependent(data, path),
            self.text(data.get("zone", "board"), f"{path}.zone"),
        )

    def cost_change(self, data: dict[str, Any], path: str) -> Ability:
        self.known(
            data,
            ("reduce", "increase", "ignore_cost", "of", "min", "times", "component", "either", "zone", *DEPENDENT_KEYS),
            path,
        )
        change = next(k for k in ("reduce", "increase", "ignore_cost") if k in data)
        ignored = change == "ignore_cost"
        return CostChange(
            change,
            Resources() if ignored else self.resources(data[change], f"{path}.{change}"),
            self.what(data.get("of", "me"), f"{path}.of"),
            self.integer(data.get("min", 0), f"{path}.min"),
            self.amount(data["times"], f"{path}.times") if "times" in data else None,
            self.one_of(data.get("component", "total"), COMPONENTS, f"{path}.component"),
            self.flag(data.get("either", False), f"{path}.either"),
            self.one_of(data[change], ("all", "energy", "power"), f"{path}.{change}") if ignored else "",
            self.dependent(data, path),
            self.text(data.get("zone", "board"), f"{path}.zone"),
        )

    def additional(self, data: dict[str, Any], path: str) -> Ability:
        self.known(
            data, ("additional", "of", "optional", "name", "as", "each_beyond", "to", "action", *DEPENDENT_KEYS), path
        )
        return AdditionalCost(
            self.cost(data["additional"], f"{path}.additional"),
            self.what(data.get("of", "me"), f"{path}.of"),
            self.flag(data.get("optional", False), f"{path}.optional"),
            self.text(data.get("name", "paid"), f"{path}.name"),
            self.binding(data.get("as", ""), f"{path}.as"),
            self.integer(data.get("each_beyond", 0), f"{path}.each_beyond"),
            self.optional_place(data, "to", path),
            self.one_of(data.get("action", "play"), ("play", "move"), f"{path}.action"),
            self.dependent(data, path),
        )

    def replacement(self, data: dict[str, Any], path: str) -> Ability:
        self.known(
            data,
            ("would", "enters", "to", "instead", "also", "may", "cost", "limit", "if", "amount", "value", "zone",
             *DEPENDENT_KEYS),
            path,
        )  # fmt: skip
        event = self.event(data["would"], f"{path}.would") if "would" in data else Event("enters", Ref("me"))
        if event.verb not in REPLACED:
            raise self.fail(
                f"{path}.would", f"{event.verb!r} is nothing that can be replaced", f"Use one of {', '.join(REPLACED)}"
            )
        return Replacement(
            event,
            self.effect(data["instead"], f"{path}.instead") if "instead" in data else (),
            self.effect(data["also"], f"{path}.also") if "also" in data else (),
            self.flag(data.get("may", False), f"{path}.may"),
            self.cost(data["cost"], f"{path}.cost") if "cost" in data else None,
            self.integer(data.get("limit", 0), f"{path}.limit"),
            self.condition(data["if"], f"{path}.if") if "if" in data else None,
            self.one_of(data.get("enters", ""), ("", "ready", "exhausted", "at"), f"{path}.enters"),
            self.optional_place(data, "to", path),
            self.one_of(data.get("amount", ""), ("", "double", "prevent", "add"), f"{path}.amount"),
            self.amount(data["value"], f"{path}.value") if "value" in data else None,
            self.dependent(data, path),
            self.text(data.get("zone", "board"), f"{path}.zone"),
        )

    def rule(self, data: dict[str, Any], path: str) -> Ability:
        self.known(data, ("rule", "what", "by", "value", "keyword", "limit", *DEPENDENT_KEYS), path)
        return Rule(
            self.one_of(data["rule"], RULES, f"{path}.rule"),
            self.what(data["what"], f"{path}.what") if "what" in data else None,
            self.what(data["by"], f"{path}.by") if "by" in data else None,
            self.amount(data["value"], f"{path}.value") if "value" in data else None,
            self.text(data.get("keyword", ""), f"{path}.keyword"),
            self.integer(data.get("limit", 0), f"{path}.limit"),
            self.dependent(data, path),
        )


FACTS = (
    "type", "supertype", "energy", "power", "might", "might_bonus", "domains", "tags", "keywords", "sets", "home_set",
    "collector_number", "rarity", "errata", "aliases",
)  # fmt: skip
TEXT = ("keywords", "abilities", "effect", "effect_text", "unsupported", "blank")
TYPES = ("unit", "gear", "spell", "rune", "battlefield", "legend")
SUPERTYPES = {"champion": "champion", "signature": "signature", "token": "token", "basic": "basic"}


def read_text(name: str, data: Any, where: str) -> dict[str, Any]:
    """The modelled text of a card (keywords, abilities, effect, effect text) as arguments of a CardDefinition.

    Raises: DataError with file, card and path.
    """
    reader = Reader(f"{where}: {name}")
    data = reader.mapping(data, "card")
    reader.known(data, TEXT, "card")
    below = reader.mapping(data.get("effect_text", {}), "effect_text")
    reader.known(below, ("keywords", "abilities"), "effect_text")
    return {
        "keywords": reader.keywords(data.get("keywords", []), "keywords"),
        "abilities": reader.abilities(data.get("abilities", []), "abilities"),
        "effect": reader.effect(data["effect"], "effect") if "effect" in data else (),
        "effect_keywords": reader.keywords(below.get("keywords", []), "effect_text.keywords"),
        "effect_abilities": reader.abilities(below.get("abilities", []), "effect_text.abilities"),
        "unsupported": str(data.get("unsupported", "")),
    }


def define(name: str, facts: Mapping[str, Any], text: Mapping[str, Any] | None, where: str) -> CardDefinition:
    """A card from its printed facts and, where modelled, its text."""
    supertype = (facts.get("supertype") or "").lower()
    types = tuple(t.strip().lower() for t in str(facts["type"]).replace("/", " ").split())
    said = read_text(name, text, where) if text is not None else {}
    return CardDefinition(
        name=name,
        types=types,
        supertypes=(supertype,) if supertype else (),
        energy=facts.get("energy") or 0,
        power=facts.get("power") or 0,
        might=facts.get("might"),
        might_bonus=facts.get("might_bonus"),
        domains=tuple(d.lower() for d in facts.get("domains") or () if d.lower() in DOMAINS),
        tags=tuple(facts.get("tags") or ()),
        token=supertype == "token",
        modelled=text is not None and not said.get("unsupported"),
        **said,
    )


def check_facts(reader: Reader, data: Mapping[str, Any]) -> None:
    """The printed facts of a card that somebody wrote out: numbers are numbers, domains and types exist.

    Raises: DataError with file, card and path.
    """
    for key in ("energy", "power", "might", "might_bonus"):
        value = data.get(key)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or abs(value) > 999):
            raise reader.fail(key, f"a whole number is expected, not {value!r:.40}")
    for key, known in (("domains", DOMAINS), ("tags", None)):
        for value in reader.sequence(data[key], key) if data.get(key) is not None else ():
            if not isinstance(value, str) or (known is not None and value.lower() not in known):
                raise reader.fail(
                    key, f"{value!r:.40} is not one of {', '.join(known)}" if known else "texts are expected"
                )
    types = str(data["type"]).lower().replace("/", " ").split()
    unknown = [t for t in types if t not in TYPES]
    if unknown or not types:
        raise reader.fail("type", f"there is no type {str(data['type'])!r:.40}", f"Use {', '.join(TYPES)}")


def inline(name: str, data: Any, where: str) -> CardDefinition:
    """A card written out in a scenario: facts and text in one mapping."""
    reader = Reader(f"{where}: {name}")
    data = reader.mapping(data, "card")
    reader.known(data, tuple(dict.fromkeys((*FACTS, *TEXT))), "card")
    if "type" not in data:
        raise reader.fail("type", "the card has no type", "Add type: unit (or spell, gear, battlefield, legend, rune)")
    check_facts(reader, data)
    text = {k: v for k, v in data.items() if k in TEXT}
    facts = {k: v for k, v in data.items() if k not in TEXT}
    return define(name, facts, text, where)


def read_yaml(path: Path) -> Iterator[tuple[str, Any]]:
    """Name and value of every entry of a YAML mapping.

    Raises: DataError where the file is no YAML mapping.
    """
    data = read_document(path, "a mapping from card names is expected", "See docs/card-language.md", anchors=True)
    yield from data.items()


__all__ = ["DURATIONS", "Reader", "define", "inline", "read_text", "read_yaml"]
