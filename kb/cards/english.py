"""Phrases of the card language as English: nouns, places, amounts, conditions, costs, events.

A :class:`Voice` knows how a text speaks: what ``that`` is, and what each name given with ``as:`` is called. The
canonical words of a phrase (``str()``) are for people who write cards, this is for people who read them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from kb.cards.phrases import (
    Amount,
    Arithmetic,
    AttributeOf,
    Bound,
    Choosing,
    Compare,
    Comparison,
    Condition,
    Every,
    Fact,
    Having,
    Is,
    Not,
    Noun,
    Number,
    NumberOf,
    Place,
    Qualifier,
    Ref,
    Relation,
    Tally,
    What,
)
from kb.cards.syntax import NONE, Cost, CostPart, Event, KeywordUse, Resources
from kb.cards.terms import KINDS

ATTRIBUTES = {
    "might": "Might", "energy": "Energy cost", "power": "Power cost", "damage": "damage", "buffs": "buffs",
    "bonus": "Might bonus", "level": "XP", "xp": "XP", "points": "points", "victory score": "Victory Score",
}  # fmt: skip
KIND_WORDS = {"equipment": "Equipment", "champion": "Chosen Champion"}
STATE_WORDS = {"mighty": "Mighty", "empowered": "Empowered", "chosen": "chosen"}
ZONE_WORDS = {
    "deck": "Main Deck", "runedeck": "Rune Deck", "champion": "Champion Zone", "hand": "hand", "trash": "trash",
}  # fmt: skip
TALLY_WORDS = {
    "cards played this turn": "the number of cards you've played this turn",
    "other cards played this turn": "the number of other cards you've played this turn",
    "battlefields scored this turn": "the number of battlefields you've scored this turn",
    "moves this turn": "the number of times I've moved this turn",
    "energy spent this turn": "the Energy you've spent this turn",
    "power spent this turn": "the Power you've spent this turn",
    "players": "the number of players",
    "opponents": "the number of opponents",
}
FACT_WORDS = {
    "your turn": "it's your turn",
    "turn of": "it's their turn",
    "legion": "you've played another card this turn",
    "empowered": "I'm Empowered",
    "did": "that was done",
    "in combat": "I'm in combat",
    "attached this turn": "this was attached this turn",
    "you attacked this turn": "you've attacked this turn",
    "one on one": "I'm one on one",
    "alone": "I'm alone",
}
ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth")
IRREGULAR = {"be": {"I": "am", "you": "are", "they": "are", "it": "is"}, "have": {"it": "has"}, "do": {"it": "does"}}

Subject = tuple[str, str]
"""Words and person (``I``, ``you``, ``it`` or ``they``) of who does something."""


def listed(items: Sequence[str], last: str = "and") -> str:
    """``a``, ``a and b``, ``a, b, and c``."""
    if len(items) < 3:
        return f" {last} ".join(items)
    return f"{', '.join(items[:-1])}, {last} {items[-1]}"


def article(words: str) -> str:
    """``a`` or ``an`` before some words."""
    vowel = words[:1].lower() in "aeio" or (words[:2].lower() == "un" and not words.startswith("unit"))
    return f"{'an' if vowel else 'a'} {words}"


def conjugated(phrase: str, person: str) -> str:
    """A phrase that begins with a verb in its base form, for a person: ``draw 1``, ``draws 1``."""
    verb, _, rest = phrase.partition(" ")
    if verb in IRREGULAR:
        verb = IRREGULAR[verb].get(person, verb)
    elif person == "it" and verb not in ("can", "can't", "may", "would", "don't"):
        if verb.endswith(("s", "x", "ch", "sh", "o")):
            verb += "es"
        elif verb.endswith("y") and verb[-2:-1] not in "aeiou":
            verb = verb[:-1] + "ies"
        else:
            verb += "s"
    elif verb == "don't" and person == "it":
        verb = "doesn't"
    return f"{verb} {rest}".strip()


def raised(text: str) -> str:
    """With a capital letter."""
    return text[:1].upper() + text[1:]


def possessive(words: str) -> str:
    """``that unit's``, ``those units'``."""
    if words in ("it", "this"):
        return {"it": "its", "this": "its"}[words]
    return f"{words}'" if words.endswith("s") else f"{words}'s"


@dataclass(frozen=True)
class Voice:
    """How one text speaks of things: ``that``, the names given in it, and the player whom ``they`` means.

    ``own`` is whether the object speaks of itself as ``I`` (units and legends); other cards say ``this``.
    """

    that: str = "it"
    names: dict[str, str] = field(default_factory=dict)
    they: str = "they"
    own: bool = True

    # references and nouns

    def named(self, name: str) -> str:
        """A bare reference as an object: ``me``, ``this``, ``that unit``."""
        match name:
            case "that":
                return self.that
            case "me":
                return "me" if self.own else "this"
            case "they":
                return "them" if self.they == "they" else self.they
            case "attacker" | "defender":
                return f"the {name}"
            case "here":
                return "this place"
            case _:
                return self.names.get(name, "it" if name.startswith("$") else name)

    def ref(self, ref: Ref) -> str:
        """A reference as an object."""
        if not ref.path:
            return self.named(ref.name)
        inner = Ref(ref.name, ref.path[1:])
        if ref.path[0] == "origin":
            return f"where {self.subject(inner)[0]} came from"
        return f"{self.owned(inner)} {ref.path[0]}"

    def owned(self, ref: Ref) -> str:
        """A reference as a possessive: ``my``, ``your``, ``that unit's``."""
        if not ref.path:
            plain = {"you": "your", "this": "its", "they": "their" if self.they == "they" else ""}
            plain["me"] = "my" if self.own else "its"
            if plain.get(ref.name):
                return plain[ref.name]
            if ref.name == "that" and self.that == "me":
                return "my"
        return possessive(self.ref(ref))

    def subject(self, who: What | None) -> Subject:
        """Who does something; nobody named is the player."""
        if who is None or (isinstance(who, Ref) and who == Ref("you")):
            return "you", "you"
        if isinstance(who, Noun):
            return self.noun(who, bare=True), "they" if who.plural else "it"
        if not who.path and self.own and (who.name == "me" or (who.name == "that" and self.that == "me")):
            return "I", "I"
        if not who.path and who.name == "they":
            return self.they, "they" if self.they == "they" else "it"
        words = self.ref(who)
        return words, "they" if words.startswith(("those", "the rest")) else "it"

    def what(self, what: What) -> str:
        """A noun phrase or reference as an object."""
        return self.noun(what) if isinstance(what, Noun) else self.ref(what)

    def several(self, whats: Iterable[What]) -> str:
        """Several things that one action is done to."""
        return listed([self.what(w) for w in whats])

    def kinds(self, noun: Noun, plural: bool) -> str:
        """The kinds of a noun, ``or`` between them."""
        words = [KIND_WORDS.get(k) or (KINDS[k] if plural else k) for k in noun.kinds]
        return listed(words, "and" if plural and noun.quantity in ("all", "each") else "or")

    def noun(self, noun: Noun, bare: bool = False, plain: bool = False) -> str:
        """A noun phrase; ``bare`` leaves "all" out, ``plain`` the article as well."""
        many = noun.plural or (noun.quantity == "all" and not plain)
        before = [STATE_WORDS.get(s, s) for s in noun.states if s != "alone"]
        after: list[str] = ["alone"] if "alone" in noun.states else []
        mine = noun.whose == "your" and set(noun.kinds) <= {"spell", "ability", "card", "legend"}
        single = mine and noun.quantity == "a" and noun.kinds != ("legend",)
        many = many or single
        if noun.whose in ("friendly", "enemy"):
            before.append(noun.whose)
        elif noun.whose == "opposing":
            before.append("enemy")
        elif noun.whose == "your" and not mine:
            after.append("you control")
        elif noun.whose in ("their", "its"):
            after.append("of theirs" if "card" in noun.kinds else "they control")
        after += self.qualifiers(noun)
        core = " ".join([*before, self.kinds(noun, many)])
        tail = " ".join(["", *after]) if after else ""
        if plain:
            return f"{'your ' if mine else ''}{'other ' if noun.other else ''}{core}{tail}"
        return self.counted(noun, core, mine, bare) + tail

    def counted(self, noun: Noun, core: str, mine: bool, bare: bool) -> str:
        """The quantity before a noun."""
        other = "other " if noun.other else ""
        yours = "your " if mine else ""
        match noun.quantity:
            case "a" if mine:
                return f"{'' if noun.kinds == ('legend',) else 'one of '}your {other}{core}"
            case "a":
                return f"another {core}" if noun.other else article(core)
            case "up to":
                return f"up to {self.amount(noun.count or NONE)} {other}{core}"
            case "exactly":
                return f"{self.amount(noun.count or NONE)} {other}{core}"
            case "all":
                return f"{'' if bare or mine else 'all '}{yours}{other}{core}"
            case quantity:
                return f"{quantity} {yours}{other}{core}"

    def qualifiers(self, noun: Noun) -> list[str]:
        """What stands after the kind."""
        found = []
        place = noun.place
        if place is not None and place.kind == "elsewhere" and place.ref is not None and noun.kinds == ("battlefield",):
            who, person = self.subject(place.ref)
            found.append(f"other than where {who} {conjugated('be', person)}")
        elif place is not None and not (place.kind == "noun" and "same battlefield" in noun.group):
            found.append(self.place(place))
        for word in noun.group:
            said = f"with the {word}" if word.endswith("controller") else f"at the {word}"
            found.append(said.replace("the different", "different"))
        compared = [self.comparison(c) for c in noun.comparisons]
        found += compared[:1] + [f"and {c.removeprefix('with ')}" for c in compared[1:]]
        return found + [self.having(h, noun) for h in noun.having]

    def comparison(self, comparison: Comparison) -> str:
        """``with Might 3 or less``, ``with less Might than me``."""
        attribute = f"{'total ' if comparison.total else ''}{ATTRIBUTES[comparison.attribute]}"
        amount = comparison.amount
        if isinstance(amount, AttributeOf) and amount.attribute == comparison.attribute:
            words = {"<": f"less {attribute} than", ">": f"more {attribute} than", "=": f"the same {attribute} as"}
            words |= {"<=": f"no more {attribute} than", ">=": f"no less {attribute} than"}
            words |= {"!=": f"other {attribute} than"}
            return f"with {words[comparison.operator]} {self.ref(amount.of)}"
        return f"with {attribute} {self.compared(comparison.operator, amount)}"

    def compared(self, operator: str, amount: Amount, few: str = "less", many: str = "more") -> str:
        """``3 or less``, ``less than your points``."""
        words = self.amount(amount)
        if isinstance(amount, Number):
            short = {"<=": f"{words} or {few}", ">=": f"{words} or {many}", "=": words}
            if operator in short:
                return short[operator]
        long = {"<=": "no more than", ">=": "at least", "<": f"{few} than", ">": f"{many} than", "=": "equal to"}
        return f"{long.get(operator, 'other than')} {words}"

    def having(self, having: Qualifier, noun: Noun) -> str:
        """Tags, keywords, names, choices and relations of what a noun describes."""
        if isinstance(having, Choosing):
            chosen = self.what(having.what)
            verb = "choose" if noun.plural else "chooses"
            return f"that {verb} {chosen}" + (" and no other friendly unit" if having.only else "")
        if isinstance(having, Relation):
            if having.kind == "holding" and isinstance(having.to, Noun):
                return f"where there is {self.noun(having.to)}"
            return f"{having.kind.replace('banished by', 'banished with')} {self.what(having.to)}"
        assert isinstance(having, Having)
        if any(v.startswith("$") for v in having.values):
            return f"{'without' if having.negated else 'with'} the named {having.what}"
        values = listed([raised(v) if having.what == "domain" else v for v in having.values], "or")
        if having.what == "name":
            return f"{'not ' if having.negated else ''}named {values}"
        label = {"keyword": "", "tag": "the tag ", "domain": "the domain ", "type": "the type "}.get(having.what, "")
        return f"{'without' if having.negated else 'with'} {label}{values}"

    # places

    def place(self, place: Place) -> str:
        """Where something is."""
        match place.kind:
            case "here":
                return "here"
            case "base":
                return f"in {self.whose(place.whose)} base"
            case "zone":
                return "in banishment" if place.zone == "banishment" else f"in {self.zone(place)}"
            case "from":
                return f"from among {self.ref(place.ref or Ref('it'))}"
            case "elsewhere":
                ref = place.ref or Ref("me")
                than = "" if ref.name in ("me", "this") else f" than {self.ref(ref)}"
                return f"at another location{than}"
            case "at":
                ref = place.ref or Ref("it")
                return "there" if ref == Ref("that") else f"at {self.ref(ref)}"
            case _:
                return f"at {self.noun(place.noun, bare=True)}" if place.noun is not None else "somewhere"

    def whose(self, word: str) -> str:
        return {"": "a", "your": "your", "their": "their", "friendly": "a friendly", "enemy": "an enemy"}.get(
            word, word
        )

    def zone(self, place: Place) -> str:
        return f"{self.whose(place.whose)} {ZONE_WORDS.get(place.zone, place.zone)}"

    def toward(self, place: Place) -> str:
        """Where something goes: ``here``, ``to your base``, ``to a battlefield you control``."""
        if place.kind == "here":
            return "here"
        if place.kind == "at" and place.ref is not None:
            if place.ref == Ref("that"):
                return "there"
            if place.ref.path[:1] == ("origin",):
                return self.ref(place.ref)
        if place.kind in ("base", "zone", "at"):
            return "to " + self.place(place).removeprefix("in ").removeprefix("at ")
        if place.kind == "noun" and place.noun is not None:
            return f"to {self.noun(place.noun)}"
        return f"to {self.place(place)}"

    def away(self, place: Place) -> str:
        """Where something comes from."""
        if place.kind == "from":
            return self.place(place)
        return "from " + self.place(place).removeprefix("in ").removeprefix("at ")

    # amounts and conditions

    def amount(self, amount: Amount) -> str:
        """A number in words."""
        match amount:
            case Number(value=value):
                return str(value)
            case AttributeOf(attribute=attribute, of=of):
                return f"{self.owned(of)} {ATTRIBUTES[attribute]}"
            case NumberOf(what=what, aggregate="number"):
                return f"the number of {self.noun(replace(what, quantity='all'), bare=True)}"
            case NumberOf(what=what, aggregate=aggregate, attribute=attribute):
                them = self.noun(replace(what, quantity="all"), bare=True)
                return f"the {aggregate} {ATTRIBUTES[attribute]} among {them}"
            case Tally(words=words):
                return TALLY_WORDS[words]
            case Arithmetic(operator=operator, left=left, right=right):
                word = {"+": "plus", "-": "minus", "*": "times"}[operator]
                return f"{self.amount(left)} {word} {self.amount(right)}"
            case Bound(name=name):
                known = self.names.get(name)
                return f"the number of {known}" if known and known != name[1:] else name[1:]

    def condition(self, condition: Condition) -> str:
        """A condition as a clause: ``I'm at a battlefield``."""
        match condition:
            case Is(subject=subject, noun=noun, negated=negated):
                words, person = self.subject(subject)
                if (words, negated) == ("I", False):
                    return f"I'm {self.predicate(noun)}"
                return f"{words} {conjugated('be', person)} {'not ' if negated else ''}{self.predicate(noun)}"
            case Compare(left=NumberOf(what=what, aggregate="number"), operator=operator, right=right):
                if (operator, right) == (">=", Number(1)):
                    return f"there {'are' if what.plural else 'is'} {self.noun(what, bare=True)}"
                counted = self.compared(operator, right, "fewer")
                return f"there are {counted} {self.noun(replace(what, quantity='all'), bare=True)}"
            case Compare(left=Tally(words="moves this turn"), operator=operator, right=right):
                return f"I've moved {self.compared(operator, right, 'fewer')} times this turn"
            case Compare(left=AttributeOf(attribute="points" | "xp" as kind, of=Ref(name="you", path=())), right=right):
                return f"you have {self.compared(condition.operator, right, 'fewer')} {ATTRIBUTES[kind]}"
            case Compare(left=left, operator=operator, right=right):
                return f"{self.amount(left)} is {self.compared(operator, right)}"
            case Fact():
                return self.fact(condition)
            case Not(of=Compare(left=NumberOf(what=what), operator=">=", right=Number(value=1))):
                return f"there is no {self.noun(what, plain=True)}"
            case Not(of=of):
                return f"it isn't so that {self.condition(of)}"
            case Every(joiner=joiner, parts=parts):
                return f" {joiner} ".join(self.condition(p) for p in parts)

    def given(self, condition: Condition, word: str = "if") -> str:
        """``if I'm at a battlefield``, ``unless I'm in combat``."""
        if isinstance(condition, Not) and not isinstance(condition.of, Compare):
            return f"unless {self.condition(condition.of)}"
        return f"{word} {self.condition(condition)}"

    def predicate(self, noun: Noun) -> str:
        """What something is: a noun, or states and places alone."""
        if noun.kinds != ("object",):
            return self.noun(noun)
        states = [STATE_WORDS.get(s, s) for s in noun.states]
        whose = {"your": "yours", "their": "theirs"}.get(noun.whose, noun.whose)
        return " ".join([*([whose] if whose else []), *([listed(states)] if states else []), *self.qualifiers(noun)])

    def fact(self, fact: Fact) -> str:
        """What the game keeps track of."""
        match fact.word:
            case "paid":
                named = {"": "the additional cost", "paid": "the additional cost"}.get(fact.argument, fact.argument)
                return f"you paid {named}"
            case "level":
                return f"you have {fact.argument} or more XP"
            case "played from":
                return f"it was played from {raised(fact.argument)}"
            case word:
                return FACT_WORDS.get(word, str(fact))

    # costs and keywords

    def resources(self, resources: Resources) -> str:
        """``[2][C]``; computed numbers in words."""
        found = ""
        extra = []
        if isinstance(resources.energy, Number):
            found = f"[{resources.energy}]" if resources.energy != NONE else ""
        else:
            extra.append(f"{self.amount(resources.energy)} Energy")
        found += "".join(f"[{s if s in ('A', 'C') else s.title()}]" for s in resources.power)
        if isinstance(resources.any_power, Number):
            found += "[A]" * resources.any_power.value
        else:
            extra.append(f"{self.amount(resources.any_power)} [A]")
        return listed([*([found] if found else []), *extra]) or "[0]"

    def part(self, part: CostPart) -> str:
        """A non-standard part of a cost as a verb phrase."""
        what = part.what
        words = self.what(what) if isinstance(what, Noun | Ref) else self.amount(what)
        match part.action:
            case "spend_buff" if isinstance(what, Ref):
                return f"spend a buff of {words}"
            case "spend_buff":
                return f"spend a buff of {words.replace(' buffed', '')}"
            case "xp":
                return f"spend {words} XP"
            case "return":
                return f"return {words} to its owner's hand"
            case action:
                return f"{action.removesuffix('_card')} {words}"

    def paying(self, cost: Cost) -> list[str]:
        """A cost as verb phrases: ``pay [1]``, ``exhaust me``."""
        found = [] if cost.resources == Resources() else [f"pay {self.resources(cost.resources)}"]
        return found + [self.part(p) for p in cost.parts] or ["pay [0]"]

    def price(self, cost: Cost) -> str:
        """A cost before a colon: ``[1][C], Exhaust``."""
        found = [] if cost.resources == Resources() else [self.resources(cost.resources)]
        for part in cost.parts:
            own = part.action == "exhaust" and isinstance(part.what, Ref)
            found.append("Exhaust" if own else raised(self.part(part)))
        return ", ".join(found) or "[0]"

    def keyword(self, use: KeywordUse) -> str:
        """A keyword with its value or cost."""
        if use.cost is not None:
            timing = f"{raised(use.timing)}: " if use.timing else ""
            return f"{timing}{use.name} {self.price(use.cost)}" + (f" to {self.what(use.to)}" if use.to else "")
        return use.name if use.value is None else f"{use.name} {self.amount(use.value)}"

    # events

    def event(self, event: Event) -> tuple[Subject, str]:
        """Who does something, and what, the verb in its base form: (``I``, ``attack``)."""
        who, phrase = self.happening(event)
        if event.using is not None:
            phrase += f" {'from' if 'damage' in event.verb else 'with'} {self.noun(event.using)}"
        for place, say in ((event.at, self.place), (event.origin, self.away), (event.to, self.toward)):
            if place is not None:
                said = say(place)
                phrase += f" {said.removeprefix('at ') if event.verb == 'attacks' else said}"
        if event.alone:
            phrase += " alone"
        return who, phrase

    def happening(self, event: Event) -> tuple[Subject, str]:
        """As :meth:`event`, without what narrows it."""
        subject = event.subject if event.subject is not None else Ref("that")
        group = isinstance(subject, Noun) and collective(subject)
        words = "one or more " + self.what(subject).removeprefix("all ") if group else self.what(subject)
        by = self.doer(event.by)
        person = "they" if group else self.subject(subject)[1]
        itself: Subject = (words if isinstance(subject, Noun) else self.subject(subject)[0], person)
        verb = event.verb
        if verb in ("conquers", "holds", "scores") and subject == Ref("here"):
            return by or ("a player", "it"), f"{base_form(verb)} here"
        if verb in ACTIVE:
            return itself, ACTIVE[verb]
        if verb in DONE:
            if by is not None or (isinstance(subject, Noun | Ref) and verb in ("played",)):
                return by or ("you", "you"), f"{DONE[verb][0]} {words}"
            return itself, f"be {DONE[verb][1]}"
        if verb in BEGUN:
            return (BEGUN[verb][0], "it"), f"{BEGUN[verb][1]} {'here' if subject == Ref('here') else 'at ' + words}"
        return itself, base_form(verb)

    def doer(self, by: What | None) -> Subject | None:
        """Who did it, or None where the event does not say."""
        if by is None:
            return None
        if isinstance(by, Noun) and by.quantity == "each":
            return self.noun(replace(by, quantity="a")), "it"
        if isinstance(by, Ref) and by == Ref("this"):
            return "this", "it"
        return self.subject(by)


def collective(subject: What) -> bool:
    """A bare plural in an event stands for one or more at once."""
    return isinstance(subject, Noun) and subject.quantity == "all"


def base_form(verb: str) -> str:
    """``conquers`` as ``conquer``."""
    words = verb.replace("_", " ").split(" ")
    words[0] = words[0].removesuffix("s")
    return " ".join(words)


ACTIVE = {
    "attacks": "attack", "defends": "defend", "conquers": "conquer", "holds": "hold", "scores": "score",
    "dies": "die", "moves": "move", "takes_damage": "take damage", "deals_damage": "deal damage",
    "becomes_mighty": "become Mighty", "enters": "enter",
    "wins_combat": "win a combat", "loses_combat": "lose a combat", "readies": "become ready",
    "exhausts": "become exhausted", "gains_points": "gain points", "gains_xp": "gain XP", "draws": "draw",
    "channels": "channel", "adds": "add resources",
}  # fmt: skip
"""Events whose subject does it."""

DONE = {
    "plays": ("play", "played"), "played": ("play", "played"), "chooses": ("choose", "chosen"),
    "kills": ("kill", "killed"), "stuns": ("stun", "stunned"), "buffs": ("buff", "buffed"),
    "empowers": ("empower", "Empowered"), "discards": ("discard", "discarded"),
    "discarded": ("discard", "discarded"), "recycles": ("recycle", "recycled"), "burns": ("burn", "burned"),
    "reveals": ("reveal", "revealed"), "attaches": ("attach", "attached"), "detaches": ("detach", "detached"),
    "banishes": ("banish", "banished"), "returns": ("return", "returned to its owner's hand"),
    "recalls": ("recall", "recalled"), "heals": ("heal", "healed"),
    "hides": ("hide", "hidden"), "counters": ("counter", "countered"), "plays_token": ("play", "played"),
}  # fmt: skip
"""Events that are done to their subject: by somebody, or passively."""

BEGUN = {
    "showdown_begins": ("a showdown", "begin"),
    "combat_begins": ("a combat", "begin"),
    "combat_ends": ("a combat", "end"),
}
"""Events of a place."""
