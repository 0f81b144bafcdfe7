"""Cards as plain English in one style, for a judge to read, made by composing the phrases of the card language.

:func:`render_card` gives the lines of a card's text; :func:`dump_card` (of :mod:`kb.cards.dumping`) the data again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from kb.cards.dumping import dump_card, dump_text
from kb.cards.english import (
    DONE,
    ORDINALS,
    Voice,
    article,
    base_form,
    collective,
    conjugated,
    listed,
    possessive,
    raised,
)
from kb.cards.phrases import Amount, AttributeOf, Fact, Noun, Number, NumberOf, Place, Ref, Tally, What
from kb.cards.syntax import (
    Ability,
    Activated,
    AdditionalCost,
    CardDefinition,
    Continuous,
    CostChange,
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
from kb.cards.terms import KINDS

IN_COMBAT = "I'm in combat"
DURATIONS = {
    "turn": " this turn", "combat": " this combat",
    "next turn": " until the end of your next turn", "game": " for the rest of the game",
    "source": " until I leave the board",
}  # fmt: skip


def render_card(definition: CardDefinition) -> list[str]:
    """The text of a card, one line for its keywords, each ability, the effect, and each part of the effect text."""
    names = dict(labels(definition))
    voice = Voice(names=names, own=bool({"unit", "legend"} & set(definition.types)))
    below = replace(voice, own=True)
    lines = [f"{keyword_line(voice, definition.keywords)}."] if definition.keywords else []
    lines += [ability_text(voice, a) for a in definition.abilities]
    if definition.effect:
        lines += effect_lines(voice, definition.effect)
    if definition.effect_keywords:
        lines.append(f"Effect text: {keyword_line(voice, definition.effect_keywords)}.")
    lines += [f"Effect text: {ability_text(below, a)}" for a in definition.effect_abilities]
    if definition.unsupported:
        lines.append(f"Not executed: {definition.unsupported}.")
    return lines or ["No text."]


def keyword_line(voice: Voice, keywords: tuple[KeywordUse, ...]) -> str:
    """Keywords with commas between them."""
    return ", ".join(voice.keyword(k) for k in keywords)


def effect_lines(voice: Voice, effect: Effect) -> Iterator[str]:
    """The instructions of a spell; bulleted modes on lines of their own."""
    plain: list[Instruction] = []
    for ins in effect:
        if ins.verb != "one_of":
            plain.append(ins)
            continue
        if plain:
            yield sentences(voice, tuple(plain))
            plain = []
        yield "Choose one:"
        modes: Any = ins.args["one_of"]
        for mode in modes:
            yield f"• {sentences(voice, mode)}"
    if plain:
        yield sentences(voice, tuple(plain))


# names


def labels(definition: CardDefinition) -> Iterator[tuple[str, str]]:
    """What each name of a card is called, told apart where two would be called the same."""
    found: dict[str, tuple[str, Source]] = {}
    for ability in (*definition.abilities, *definition.effect_abilities):
        taken = ""
        if isinstance(ability, AdditionalCost) and ability.bind:
            part = ability.cost.parts[0] if ability.cost.parts else None
            noun = part.what if part is not None and isinstance(part.what, Noun) else None
            done = {"kill": "killed", "discard": "discarded", "banish": "banished"}.get(part.action if part else "", "")
            found[ability.bind] = (f"the {done} {thing(noun)}".replace("  ", " "), (noun, done))
        for effect in effects_of(ability):
            if isinstance(ability, Triggered | Replacement):
                taken = that_label(ability.events[0] if isinstance(ability, Triggered) else ability.event)
            for name, label, source in bindings(effect):
                found.setdefault(name, (label.replace("that ", "the chosen ") if label == taken else label, source))
    for name, label, source in bindings(definition.effect):
        found.setdefault(name, (label, source))
    yield from told_apart(found).items()


def told_apart(found: dict[str, tuple[str, Source]]) -> dict[str, str]:
    """``the friendly unit`` and ``the enemy unit``, ``the killed unit`` and ``that unit``, else first and second."""
    out = {name: label for name, (label, _) in found.items()}
    for label in dict.fromkeys(out.values()):
        alike = [name for name in found if found[name][0] == label]
        if len(alike) == 1:
            continue
        kind = label.split(" ", 1)[1]
        whose = [noun.whose for noun, _ in (found[n][1] for n in alike) if isinstance(noun, Noun)]
        done = [word for _, word in (found[n][1] for n in alike)]
        for index, name in enumerate(alike):
            if len(whose) == len(set(whose)) == len(alike) and set(whose) <= {"friendly", "enemy"}:
                out[name] = f"the {whose[index]} {kind}"
            elif len(set(done)) == len(alike):
                out[name] = f"the {done[index]} {kind}" if done[index] else label
            else:
                out[name] = f"the {ORDINALS[index + 1]} {kind}"
    return out


Source = tuple[What | None, str]
"""The phrase that a name stands for, and what was done to it in one word (``killed``)."""


def thing(noun: What | None) -> str:
    """The kind of something, in the singular."""
    return Voice().kinds(noun, plural=False) if isinstance(noun, Noun) else "card"


def effects_of(ability: Ability) -> Iterator[Effect]:
    """The effects inside an ability."""
    if isinstance(ability, Triggered | Activated):
        yield ability.effect
    elif isinstance(ability, Replacement):
        yield ability.instead
        yield ability.also
    elif isinstance(ability, Continuous):
        for given in ability.mods.abilities:
            yield from effects_of(given)


def bindings(effect: Effect) -> Iterator[tuple[str, str, Source]]:
    """Every name that an effect gives: the name, what to call it, and the phrase it stands for."""
    for ins in effect:
        if ins.bind:
            label, noun = bound_label(ins)
            every = isinstance(noun, Noun) and noun.quantity in ("all", "each")
            yield ins.bind, label, (noun, "" if every else PARTICIPLES.get(ins.verb, ""))
        if ins.verb == "reveal_until":
            yield "$rest", "the rest", (None, "")
        for value in ins.args.values():
            if isinstance(value, tuple) and value and isinstance(value[0], Instruction):
                for name, label, source in bindings(value):
                    yield name, collected(label) if ins.verb == "each_player" else label, source
            elif isinstance(value, tuple) and value and isinstance(value[0], tuple):
                for mode in value:
                    yield from bindings(mode)
            elif isinstance(value, Triggered | Activated | Replacement):
                for inner in effects_of(value):
                    yield from bindings(inner)
        yield from bindings(ins.then)
        yield from bindings(ins.otherwise)


PARTICIPLES = {"kill": "killed", "banish": "banished", "choose": "chosen", "return": "returned", "move": "moved"}


def collected(label: str) -> str:
    """A name given once for each player stands for all of them afterwards."""
    words = label.split(" ")
    many = KINDS.get(words[-1], words[-1])
    return " ".join(["those" if words[0] == "that" else words[0], *words[1:-1], many])


def bound_label(ins: Instruction) -> tuple[str, What | None]:
    """What a name that an instruction gives is called."""
    match ins.verb:
        case "pay_any":
            return ins.bind[1:], None
        case "look":
            return ("that card" if ins.args["look"] == Number(1) else "those cards"), None
        case "reveal":
            return ("the revealed card" if ins.args["reveal"] == Number(1) else "the revealed cards"), None
        case "reveal_hand":
            return "the revealed cards", None
        case "discard":
            return ("the discarded card" if ins.args["discard"] == Number(1) else "the discarded cards"), None
        case "burn":
            return "the burned cards", None
        case "play_token" | "create_token":
            one = ins.args.get("count") in (None, Number(1))
            return ("the token" if one else "those tokens"), None
        case "create_battlefield":
            return f"the {ins.args['create_battlefield']}", None
        case "name_card":
            return "the named card", None
        case "name_tag":
            return "the named tag", None
        case "name_domain":
            return "the named domain", None
        case _:
            first = ins.args.get("to") if ins.verb in ("give", "deal") else ins.args[ins.verb]
            if not isinstance(first, Noun):
                return "it", None
            if first.plural or first.quantity == "each":
                return f"those {Voice().kinds(first, plural=True)}", first
            return f"that {thing(first)}", first


# instructions


def sentences(voice: Voice, effect: Effect, first_raised: bool = True) -> str:
    """Instructions as sentences."""
    found = []
    for index, ins in enumerate(effect):
        text = sentence(voice, ins)
        found.append(raised(text) if index or first_raised else text)
    return " ".join(found)


def sentence(voice: Voice, ins: Instruction) -> str:
    """One instruction with what depends on it, full stops included."""
    if ins.verb == "when_true":
        text = f"{voice.given(arg(ins, 'when_true'))}, {inline(voice, ins.then)}."
        return text + (f" Otherwise, {inline(voice, ins.otherwise)}." if ins.otherwise else "")
    if ins.verb == "each_player":
        return loop(voice, ins)
    text = f"{guarded(voice, ins)}."
    who = voice.subject(ins.who)[0]
    they = "you" if who == "you" else "they"
    if ins.then:
        text += f" If {they} do, {inline(voice, ins.then)}."
    if ins.otherwise:
        text += f" If {they} don't, {inline(voice, ins.otherwise)}."
    return text


def inline(voice: Voice, effect: Effect) -> str:
    """Instructions within a sentence."""
    parts = [within(voice, ins) for ins in effect]
    return ("; then " if any("," in p or ";" in p for p in parts) else ", then ").join(parts)


def within(voice: Voice, ins: Instruction) -> str:
    """One instruction within a sentence."""
    if ins.verb == "when_true":
        text = f"{voice.given(arg(ins, 'when_true'))}, {inline(voice, ins.then)}"
        return text + (f"; otherwise, {inline(voice, ins.otherwise)}" if ins.otherwise else "")
    if ins.verb == "each_player":
        return loop(voice, ins).rstrip(".")
    text = guarded(voice, ins)
    they = "you" if voice.subject(ins.who)[0] == "you" else "they"
    if ins.then:
        text += f", and if {they} do, {inline(voice, ins.then)}"
    if ins.otherwise:
        text += f", and if {they} don't, {inline(voice, ins.otherwise)}"
    return text


def guarded(voice: Voice, ins: Instruction) -> str:
    """An instruction with its own condition."""
    text = clause(voice, ins)
    return text if ins.only_if is None else f"{text} {voice.given(ins.only_if)}"


def clause(voice: Voice, ins: Instruction) -> str:
    """Who does what: an imperative where it is the player."""
    whole = WHOLE.get(ins.verb)
    if whole is not None:
        said = whole(voice, ins)
        if said:
            return said
    words, person = voice.subject(ins.who)
    phrase = PHRASES[ins.verb](voice, ins)
    if ins.may:
        return f"{words} may {phrase}"
    return phrase if words == "you" else f"{words} {conjugated(phrase, person)}"


def loop(voice: Voice, ins: Instruction) -> str:
    """The same for each of several players."""
    noun: Noun = arg(ins, "each_player")
    body: Effect = arg(ins, "do")
    start = "starting with the next player, " if ins.args.get("starting") else ""
    who = voice.noun(noun)
    if body and body[0].who == Ref("they"):
        first = sentence(replace(voice, they=who), replace(body[0], then=(), otherwise=()))
        first = first.replace(f"{possessive(who)} ", "their ")
        rest = sentences(voice, body[1:])
        return f"{start}{first} {rest}".strip()
    return f"{start}for {who}, {inline(voice, body)}."


def arg(ins: Instruction, name: str) -> Any:
    """An argument as the type that the verb's table says."""
    return ins.args[name]


def done_to(voice: Voice, value: object) -> str:
    """One thing or several."""
    if isinstance(value, tuple):
        return voice.several(value)
    return voice.what(value) if isinstance(value, Noun | Ref) else str(value)


def many(value: object) -> bool:
    """Whether an argument speaks of several things."""
    return isinstance(value, tuple) or (isinstance(value, Noun) and value.plural)


def act(before: str, after: str = "") -> Callable[[Voice, Instruction], str]:
    """A verb that is done to something: ``kill X``."""

    def said(voice: Voice, ins: Instruction) -> str:
        return f"{before} {done_to(voice, arg(ins, ins.verb))}{together(ins)}{after}"

    return said


def together(ins: Instruction) -> str:
    """What several things must have in common."""
    group = str(ins.args.get("group", ""))
    if not group:
        return ""
    return f", together at {'' if group.startswith('diff') else 'the '}{group}"


def number(before: str, after: str = "") -> Callable[[Voice, Instruction], str]:
    """A verb with a number: ``draw 2``."""
    return lambda voice, ins: f"{before} {voice.amount(arg(ins, ins.verb))}{after}"


def channel(voice: Voice, ins: Instruction) -> str:
    runes = "rune" if arg(ins, "channel") == Number(1) else "runes"
    return f"channel {voice.amount(arg(ins, 'channel'))} {runes}{' exhausted' if ins.args.get('exhausted') else ''}"


def draw(voice: Voice, ins: Instruction) -> str:
    amount = arg(ins, "draw")
    return f"draw {amount}" if isinstance(amount, Number) else f"draw as many cards as {voice.amount(amount)}"


def points(before: str) -> Callable[[Voice, Instruction], str]:
    def said(voice: Voice, ins: Instruction) -> str:
        one = arg(ins, ins.verb) == Number(1)
        return f"{before} {voice.amount(arg(ins, ins.verb))} point{'' if one else 's'}"

    return said


def lasting(ins: Instruction, default: str = "permanent") -> str:
    return DURATIONS.get(str(ins.args.get("for", default)), "")


def deal(voice: Voice, ins: Instruction) -> str:
    amount = arg(ins, "deal")
    words = f"deal {amount}" if isinstance(amount, Number) else f"deal damage equal to {voice.amount(amount)}"
    return f"{words} {'split among' if ins.args.get('split') else 'to'} {voice.what(arg(ins, 'to'))}"


def deal_from(voice: Voice, ins: Instruction) -> str:
    source = ins.args.get("source")
    if not isinstance(source, Ref):
        return ""
    words, person = voice.subject(source)
    return f"{words} {conjugated(deal(voice, ins), person)}"


def give_back(voice: Voice, ins: Instruction) -> str:
    what = arg(ins, "return")
    where = "to their owners' hands" if many(what) else "to its owner's hand"
    if what in (Ref("me"), Ref("this")):
        where = "to your hand"
    return f"return {done_to(voice, what)} {where}{together(ins)}"


def move(voice: Voice, ins: Instruction) -> str:
    place = ins.args.get("to")
    words = voice.what(arg(ins, "move"))
    if isinstance(place, Place) and place.ref is not None and place.ref.path[:1] == ("base",):
        return f"move {words} to {'their bases' if words.startswith('those') else 'its base'}"
    if ins.args.get("to_or_from"):
        return f"move {words} to or from {'their bases' if words.startswith('those') else 'its base'}"
    return f"move {words}" + (f" {voice.toward(place)}" if isinstance(place, Place) else "")


def add(voice: Voice, ins: Instruction) -> str:
    only = ins.args.get("only_for")
    return f"add {voice.resources(arg(ins, 'add'))}" + (f", to be used only for {only}" if only else "")


def play(voice: Voice, ins: Instruction) -> str:
    what = arg(ins, "play")
    words = f"play {voice.what(what)}"
    its = "their" if many(what) else "its"
    if isinstance(ins.args.get("to"), Place):
        words += f" {voice.toward(arg(ins, 'to'))}"
    if ins.args.get("ready"):
        words += " ready"
    ignoring = str(ins.args.get("ignoring", ""))
    if ignoring:
        part = {"cost": f"{its} cost", "energy": f"{its} Energy cost", "power": f"{its} Power cost"}
        words += f", ignoring {part.get(ignoring, f'all {its} costs')}"
    if isinstance(ins.args.get("reduced"), Resources):
        words += f", reducing {its} cost by {voice.resources(arg(ins, 'reduced'))}"
    if "for" in ins.args:
        words += f" for {voice.price(arg(ins, 'for'))}"
    if ins.args.get("leaving"):
        words += f", then {ins.args['leaving']} it"
    return words


def token(verb: str) -> Callable[[Voice, Instruction], str]:
    def said(voice: Voice, ins: Instruction) -> str:
        name = f"{ins.args.get('state', '')} {ins.args[ins.verb]} token".strip()
        count = ins.args.get("count")
        one = count in (None, Number(1))
        words = article(name) if one else f"{voice.amount(arg(ins, 'count'))} {name}s"
        if ins.args.get("keywords"):
            words += f" with {listed([voice.keyword(k) for k in arg(ins, 'keywords')])}"
        if "copy_of" in ins.args:
            words += f" that is a copy of {voice.what(arg(ins, 'copy_of'))}"
        where = f" {voice.toward(arg(ins, 'to'))}" if isinstance(ins.args.get("to"), Place) else ""
        return f"{verb} {words}{where}"

    return said


def take_control(voice: Voice, ins: Instruction) -> str:
    until = {"turn": " this turn", "source": " until I leave the board"}.get(str(ins.args.get("until", "")), "")
    return f"take control of {voice.what(arg(ins, 'take_control'))}{until}"


def give(voice: Voice, ins: Instruction) -> str:
    return f"give {voice.what(arg(ins, 'to'))} {mods_text(voice, arg(ins, 'give'))}{lasting(ins)}"


def top(verb: str) -> Callable[[Voice, Instruction], str]:
    def said(voice: Voice, ins: Instruction) -> str:
        amount = arg(ins, ins.verb)
        cards = "card" if amount == Number(1) else f"{voice.amount(amount)} cards"
        whose = ins.args.get("whose", ins.who)
        deck = "their" if whose == Ref("they") else "your"
        if isinstance(whose, Noun | Ref) and whose not in (Ref("they"), Ref("you")):
            deck = possessive(voice.what(whose))
        return f"{verb} the top {cards} of {deck} Main Deck"

    return said


def reveal_hand(voice: Voice, ins: Instruction) -> str:
    words, person = voice.subject(arg(ins, "reveal_hand"))
    return f"{words} {conjugated('reveal', person)} {'your' if person == 'you' else 'their'} hand"


def acting(argument: str, phrase: Callable[[Voice, Instruction], str]) -> Callable[[Voice, Instruction], str]:
    """A clause whose subject is one of the arguments."""

    def said(voice: Voice, ins: Instruction) -> str:
        words, person = voice.subject(arg(ins, argument))
        done = phrase(voice, ins)
        return done if words == "you" else f"{words} {conjugated(done, person)}"

    return said


def losing(voice: Voice, ins: Instruction) -> str:
    """Taking keywords away is no giving."""
    mods: Mods = arg(ins, "give")
    if mods == Mods(lose=mods.lose):
        words, person = voice.subject(arg(ins, "to"))
        return f"{words} {conjugated('lose', person)} {listed(mods.lose)}{lasting(ins)}"
    return ""


def pay(voice: Voice, ins: Instruction) -> str:
    return listed(voice.paying(arg(ins, "pay")))


def pay_any(voice: Voice, ins: Instruction) -> str:
    kind = {"energy": "Energy", "power": "[A]"}[str(ins.args["pay_any"])]
    return f"pay any amount of {kind}" + (f" ({voice.names.get(ins.bind, ins.bind[1:])})" if ins.bind else "")


def one_of(voice: Voice, ins: Instruction) -> str:
    modes: Any = arg(ins, "one_of")
    return "choose one: " + "; or ".join(inline(voice, m) for m in modes)


def either(voice: Voice, ins: Instruction) -> str:
    modes: Any = arg(ins, "either")
    words = " or ".join(inline(voice, m) for m in modes)
    who, person = voice.subject(ins.who)
    if who == "you":
        return f"either {words}"
    return f"{who} {conjugated('choose', person)} one: " + "; or ".join(alternative(voice, m) for m in modes)


def alternative(voice: Voice, mode: Effect) -> str:
    """One of two things another player chooses between, with the player or the card as the subject."""
    words = inline(voice, mode)
    if mode[0].who != Ref("you"):
        return words
    return f"this deals{words.removeprefix('deal')}" if mode[0].verb == "deal" else f"you {words}"


def do_this(voice: Voice, ins: Instruction) -> str:
    times = ins.args.get("times")
    often = "" if times is None else f" {voice.amount(arg(ins, 'times'))} times"
    return f"do this{often}: {inline(voice, arg(ins, 'do_this'))}"


def for_each(voice: Voice, ins: Instruction) -> str:
    what = arg(ins, "for_each")
    if isinstance(what, Ref):
        return inline(replace(voice, names={**voice.names, "$each": voice.ref(what)}), arg(ins, "do"))
    words = voice.noun(replace(what, quantity="a"), plain=True)
    inner = replace(voice, names={**voice.names, "$each": "it"})
    return f"for each {words}, {inline(inner, arg(ins, 'do'))}"


def later(voice: Voice, ins: Instruction) -> str:
    """A delayed ability, with how long it lasts."""
    return lowered(ability_text(voice, arg(ins, "later"), delayed=True, until=lasting(ins))).rstrip(".")


def activate(voice: Voice, ins: Instruction) -> str:
    verb = str(ins.args["activate"])
    named = DONE[verb][0] if verb in DONE else base_form(verb)
    return f"activate the {named} effects of {voice.what(arg(ins, 'of'))}"


def lowered(text: str) -> str:
    """Without the capital letter of a sentence, unless it is a word that keeps it."""
    return text if text.startswith(("I ", "I'", "[")) else text[:1].lower() + text[1:]


PHRASES: dict[str, Callable[[Voice, Instruction], str]] = {
    "draw": draw,
    "deal": deal,
    "fight": lambda v, i: f"have {v.several(arg(i, 'fight'))} deal damage equal to their Mights to each other",
    "kill": act("kill"),
    "banish": act("banish"),
    "return": give_back,
    "recall": act("recall"),
    "move": move,
    "swap_places": lambda v, i: f"move {v.several(arg(i, 'swap_places'))} to each other's locations",
    "ready": act("ready"),
    "exhaust": act("exhaust"),
    "stun": act("stun"),
    "buff": act("buff"),
    "spend_buff": act("spend a buff of"),
    "heal": act("heal"),
    "empower": act("empower"),
    "disempower": act("disempower"),
    "recycle": act("recycle"),
    "discard": number("discard"),
    "discard_card": act("discard"),
    "take": act("draw"),
    "put_on_top": act("put", " on top of its owner's Main Deck"),
    "counter": act("counter"),
    "channel": channel,
    "add": add,
    "gain_points": points("gain"),
    "score_points": points("score"),
    "lose_points": points("lose"),
    "gain_xp": number("gain", " XP"),
    "burn": number("burn"),
    "predict": number("predict"),
    "play": play,
    "play_token": token("play"),
    "create_token": token("create"),
    "create_battlefield": lambda v, i: f"add the {i.args['create_battlefield']} battlefield token to the board",
    "attach": lambda v, i: f"attach {v.what(arg(i, 'attach'))} to {v.what(arg(i, 'to'))}",
    "detach": act("detach"),
    "take_control": take_control,
    "lose_control": act("lose control of"),
    "replace_with": lambda v, i: f"replace {v.what(arg(i, 'what'))} with a {i.args['replace_with']} battlefield token",
    "swap_back": act("replace", " with the battlefield it replaced"),
    "become_copy": lambda v, i: f"become a copy of {v.what(arg(i, 'of'))}",
    "give": give,
    "double_might": lambda v, i: f"double {v_possessive(v, arg(i, 'double_might'))} Might{lasting(i, 'turn')}",
    "swap_might": lambda v, i: f"swap the Might of {v.several(arg(i, 'swap_might'))}{lasting(i, 'turn')}",
    "look": top("look at"),
    "reveal": top("reveal"),
    "reveal_hand": lambda v, i: "reveal your hand",
    "reveal_until": lambda v, i: (
        f"reveal cards from the top of {'your' if 'whose' not in i.args else 'their'} Main Deck until "
        f"{v.noun(arg(i, 'reveal_until'))} is revealed"
    ),
    "reveal_card": act("reveal"),
    "take_turn": lambda v, i: "take a turn after this one",
    "skip": lambda v, i: f"skip {i.args['skip']}",
    "lose_game": lambda v, i: "lose the game",
    "win_game": lambda v, i: "win the game",
    "pay": pay,
    "pay_any": pay_any,
    "choose": act("choose"),
    "choose_player": act("choose"),
    "name_card": lambda v, i: f"name {v.noun(arg(i, 'name_card'))}",
    "name_tag": lambda v, i: "name a tag",
    "name_domain": lambda v, i: "name a domain",
    "make_new_choices": act("make new choices for"),
    "activate": activate,
    "pay_equip": lambda v, i: (
        f"pay the Equip cost of {v.what(arg(i, 'pay_equip'))}, [A] less, to attach it to {v.what(arg(i, 'to'))}"
    ),
    "one_of": one_of,
    "either": either,
    "do_this": do_this,
    "for_each": for_each,
    "each_player": lambda v, i: lowered(loop(v, i)).rstrip("."),
    "later": later,
    "when_true": lambda v, i: within(v, i),
}
"""What each instruction says, the verb in its base form."""

WHOLE: dict[str, Callable[[Voice, Instruction], str]] = {
    "deal": deal_from,
    "fight": lambda v, i: f"{v.several(arg(i, 'fight'))} deal damage equal to their Mights to each other",
    "become_copy": acting("become_copy", PHRASES["become_copy"]),
    "give": losing,
    "reveal_hand": reveal_hand,
    "take_turn": acting("take_turn", PHRASES["take_turn"]),
    "lose_game": acting("lose_game", PHRASES["lose_game"]),
    "win_game": acting("win_game", PHRASES["win_game"]),
    "skip": lambda v, i: acting("of", PHRASES["skip"])(v, i) if "of" in i.args else "",
    "either": either,
    "later": later,
}
"""Instructions whose subject is not the player, or that are a clause of their own."""


def v_possessive(voice: Voice, what: What) -> str:
    return voice.owned(what) if isinstance(what, Ref) else possessive(voice.noun(what))


def mods_text(voice: Voice, mods: Mods) -> str:
    """What something gets: ``+2 Might and Ganking``."""
    found = []
    if mods.might is not None:
        found.append(might_text(voice, mods))
    if mods.might_to is not None:
        found.append(f"Might increased to {voice.amount(mods.might_to)}")
    if mods.base_might is not None:
        found.append(f"base Might {voice.amount(mods.base_might)}")
    found += [voice.keyword(k) for k in mods.keywords]
    if mods.keywords_of is not None:
        found.append(f"{voice.owned(mods.keywords_of)} keywords")
    if mods.ability_keywords:
        found.append(f"{listed([voice.keyword(k) for k in mods.ability_keywords])} on abilities of its own")
    found += [f"“{ability_text(voice, a)}”" for a in mods.abilities]
    if mods.exhaust_abilities_of is not None:
        found.append(f"the Exhaust abilities of {voice.noun(mods.exhaust_abilities_of)}")
    if mods.text_of is not None:
        found.append(f"{voice.owned(mods.text_of)} text a second time")
    if mods.types:
        found.append(f"the type {listed(mods.types)}")
    if mods.tags:
        found.append(f"the tag {listed(mods.tags)}")
    if mods.domains:
        named = listed([voice.names.get(d, raised(d)) for d in mods.domains])
        found.append(named if named.startswith("the ") else f"the domain {named}")
    if mods.untargetable_by:
        found.append(f"“I can't be chosen by {mods.untargetable_by} spells and abilities.”")
    if mods.lose:
        found.append(f"the loss of {listed(mods.lose)}")
    return listed(found)


def might_text(voice: Voice, mods: Mods) -> str:
    """``+2 Might``, ``-3 Might, to a minimum of 1``."""
    might = mods.might
    assert might is not None
    words = f"{might.value:+d} Might" if isinstance(might, Number) else f"+Might equal to {voice.amount(might)}"
    if mods.minimum is not None:
        words += f", to a minimum of {voice.amount(mods.minimum)},"
    if mods.maximum is not None:
        words += f", to a maximum of {voice.amount(mods.maximum)},"
    return words


# abilities


def ability_text(voice: Voice, ability: Ability, delayed: bool = False, until: str = "") -> str:
    """One ability as a sentence or two; ``delayed`` ones with how long they last."""
    text = TEXTS[type(ability)](voice, ability, delayed, until)
    return front(voice, ability.dependent, text)


def front(voice: Voice, dependent: Dependent, text: str) -> str:
    """Legion, Level, Empowered and "while" before an ability."""
    if dependent.condition is not None:
        fixed = isinstance(dependent.condition, Fact) and dependent.condition.word in ("paid", "attached this turn")
        text = raised(f"{voice.given(dependent.condition, 'if' if fixed else 'while')}, {lowered(text)}")
    words = ["Legion"] if dependent.legion else []
    words += [f"Level {dependent.level}"] if dependent.level else []
    words += ["Empowered"] if dependent.empowered else []
    return f"{', '.join(words)}: {text}" if words else text


def that_label(event: Event) -> str:
    """What ``that`` is called after an event."""
    if event.verb in ("conquers", "holds", "scores"):
        return "that battlefield"
    subject = event.subject
    if isinstance(subject, Noun):
        if set(subject.kinds) <= {"player", "opponent"}:
            return f"that {subject.kinds[0]}"
        return f"those {Voice().kinds(subject, plural=True)}" if collective(subject) else f"that {thing(subject)}"
    if isinstance(subject, Ref) and subject.name.startswith("$"):
        return subject.name
    return "me" if subject == Ref("me") else "it"


def speaking(voice: Voice, event: Event) -> Voice:
    """The voice inside an ability about an event."""
    label = that_label(event)
    if label.startswith("$"):
        label = voice.names.get(label, "it")
    return replace(voice, that=label)


def when(voice: Voice, event: Event) -> str:
    """A trigger's event as a clause: ``when I attack``, ``the third time each turn that I move``."""
    if event.verb in ("phase_begins", "turn_ends"):
        return moment(voice, event)
    (words, person), phrase = voice.event(event)
    said = f"{words} {conjugated(phrase, person)}"
    if event.first_each:
        nth = event.nth or 1
        return f"the {ORDINALS[nth]} time each {event.first_each} that {said}"
    return f"when {said}"


def moment(voice: Voice, event: Event) -> str:
    """``at the start of your Beginning Phase``, ``at the end of your turn``."""
    by = event.by
    each = isinstance(by, Noun)
    whose = "each player's" if each else voice.owned(by) if isinstance(by, Ref) else "this"
    if event.verb == "turn_ends":
        return f"at the end of {whose} turn"
    nth = f"{ORDINALS[event.nth]} " if event.nth else ""
    phase = f"{raised(event.subject.name)} Phase" if isinstance(event.subject, Ref) else "phase"
    return f"at the start of {'the' if whose == 'this' else whose} {nth}{phase}"


def triggered_text(voice: Voice, ability: Any, delayed: bool, until: str) -> str:
    assert isinstance(ability, Triggered)
    inner = speaking(voice, ability.events[0])
    body = body_text(inner, ability)
    if ability.keyword == "Deathknell":
        return f"Deathknell: {raised(body)}"
    words = " or ".join(when(inner, e) for e in ability.events)
    if delayed:
        words = delayed_words(inner, ability, until)
    elif ability.limit:
        words = f"{'once' if ability.limit == 1 else f'up to {ability.limit} times'} each turn, {words}"
    if ability.zone != "board":
        words = f"while this is in your {ability.zone}, {words}"
    if ability.only_if is not None:
        given = inner.given(ability.only_if)
        words += f", {given.replace(IN_COMBAT, 'I was in combat') if ability.events[0].verb == 'dies' else given}"
    return raised(f"{words}, {body}")


def delayed_words(voice: Voice, ability: Triggered, until: str) -> str:
    """``the next time that unit takes damage this turn``, ``at the start of your next Main Phase``."""
    event = ability.events[0]
    if event.verb == "turn_ends":
        return moment(voice, event)
    if event.verb == "phase_begins":
        return moment(voice, event).replace("your ", "your next ") if ability.limit else moment(voice, event)
    (words, person), phrase = voice.event(event)
    said = f"{words} {conjugated(phrase, person)}{until}"
    return f"the next time {said}" if ability.limit else f"each time {said}"


def body_text(voice: Voice, ability: Triggered) -> str:
    """The effect of a trigger with its "you may" and cost in front; begins with a small letter."""
    who = voice.subject(ability.who)[0]
    may = f"{who} may " if ability.may else ""
    plain = plain_first(voice, ability.effect)
    if ability.cost is not None:
        cost = listed(voice.paying(ability.cost))
        if plain and len(ability.effect) == 1:
            return f"{may}{cost} to {sentence(voice, ability.effect[0])}"
        return f"{may}{cost}. If {who} do, {inline(voice, ability.effect)}."
    if ability.may and not plain:
        return f"{who} may do this: {inline(voice, ability.effect)}."
    if ability.effect[0].verb == "when_true":
        return f"do this: {sentences(voice, ability.effect, first_raised=False)}"
    return may + sentences(voice, ability.effect, first_raised=False)


def plain_first(voice: Voice, effect: Effect) -> bool:
    """Whether an effect begins with something that the player does, said as a bare verb phrase."""
    first = effect[0]
    whole = WHOLE.get(first.verb)
    if first.who is not None or first.may or first.verb in ("when_true", "each_player", "for_each"):
        return False
    return whole is None or not whole(voice, first)


def activated_text(voice: Voice, ability: Any, delayed: bool, until: str) -> str:
    assert isinstance(ability, Activated)
    timing = f"{raised(ability.timing)} — " if ability.timing else ""
    text = f"{timing}{voice.price(ability.cost)}: {sentences(voice, ability.effect)}"
    if ability.repeat is not None:
        text = f"Repeat {voice.price(ability.repeat)}. {text}"
    if ability.only_if is not None:
        text += f" Use this only while {voice.condition(ability.only_if)}."
    return text


def continuous_text(voice: Voice, ability: Any, delayed: bool, until: str) -> str:
    assert isinstance(ability, Continuous)
    words, person = voice.subject(ability.to)
    if ability.zone == "chain":
        words = f"while being played, {words}"
    if ability.mods == Mods(lose=ability.mods.lose):
        return raised(f"{words} {conjugated('lose', person)} {listed(ability.mods.lose)}{until}.")
    text = raised(f"{words} {conjugated('have', person)} {mods_text(voice, ability.mods).rstrip(',')}{until}")
    return text if text.endswith(".”") else f"{text}."


def forbid_text(voice: Voice, ability: Any, delayed: bool, until: str) -> str:
    assert isinstance(ability, Forbid)
    who = {"spells and abilities": "spells and abilities", "opponents": "opponents", "enemy": "enemies", "you": "you"}
    doer = who.get(ability.who, ability.who)
    what = ability.what
    thing_words, _ = voice.subject(what) if what is not None else ("", "")
    obj = voice.noun(what, bare=True) if isinstance(what, Noun) else voice.what(what) if what is not None else ""
    where = f" {voice.away(ability.origin)}" if ability.origin is not None else ""
    where += f" {voice.toward(ability.to)}" if ability.to is not None else ""
    using = f" with {voice.noun(ability.using)}" if ability.using is not None else ""
    unless = f" except at {raised(ability.unless)} timing" if ability.unless else ""
    if ability.action == "choose":
        by = f"{ability.who} spells and abilities".strip()
        by = voice.noun(ability.using, bare=True) if ability.using is not None else by
        text = f"{thing_words} can't be chosen by {by}"
    elif ability.action == "be prevented":
        text = f"damage dealt by {doer or obj or 'anything'} can't be prevented"
    elif doer and obj:
        text = f"{doer} can't {ability.action} {obj}{where}{using}"
    elif doer:
        text = f"{doer} can't {ability.action}{where}{using}"
    else:
        done = {"play": "be played", "ready": "become ready", "hide": "be hidden"}.get(ability.action, ability.action)
        text = f"{thing_words} can't {done}{where}{using}"
    return raised(f"{text}{unless}{until}.")


def permit_text(voice: Voice, ability: Any, delayed: bool, until: str) -> str:
    assert isinstance(ability, Permit)
    words, _ = voice.subject(ability.what) if ability.what is not None else ("I", "I")
    own = isinstance(ability.what, Ref) or ability.what is None
    where = f" {voice.away(ability.origin)}" if ability.origin is not None else ""
    where += f" {voice.toward(ability.to)}" if ability.to is not None else ""
    price = f" for {voice.price(ability.cost)}" if ability.cost is not None else ""
    match ability.action:
        case "play" if own:
            text = f"you may play {voice.what(ability.what) if ability.what is not None else 'me'}{where}{price}"
        case "play":
            text = f"{words} may be played{where}{price}"
        case "move":
            text = f"{words} can move{where} from anywhere"
        case "many buffs":
            text = f"{words} can have any number of buffs"
        case action:
            text = f"{words} can {raised(action)}{where}"
    return raised(f"{text}{until}.")


def cost_change_text(voice: Voice, ability: Any, delayed: bool, until: str) -> str:
    assert isinstance(ability, CostChange)
    words, person = voice.subject(ability.of)
    if ability.change == "ignore_cost":
        part = {"all": "cost", "energy": "Energy cost", "power": "Power cost"}[ability.ignore]
        its = voice.owned(ability.of) if isinstance(ability.of, Ref) else possessive(voice.noun(ability.of, bare=True))
        return raised(f"ignore {its} {part}{until}.")
    component = {
        "optional": "optional additional costs of ",
        "equip": "Equip costs of ",
        "empower": "Empower costs of ",
        "hide": "hiding ",
    }
    if ability.component in component:
        words, person = component[ability.component] + voice.what(ability.of).removeprefix("all "), "they"
    resources = ability.resources
    price = voice.resources(resources)
    if ability.either:
        energy = voice.resources(replace(resources, power=()))
        price = f"{energy} or {voice.resources(Resources(power=resources.power))}"
    way = "less" if ability.change == "reduce" else "more"
    if not isinstance(resources.energy, Number):
        text = f"{words} {conjugated('cost', person)} [X] {way}, where X is {voice.amount(resources.energy)}"
    else:
        text = f"{words} {conjugated('cost', person)} {price} {way}"
    if ability.times is not None:
        text += f" for each {unit_of(voice, ability.times)}"
    if ability.minimum:
        text += f", to a minimum of [{ability.minimum}]"
    return raised(f"{text}{until}.")


def unit_of(voice: Voice, amount: Amount) -> str:
    """What a number counts, after "for each"."""
    match amount:
        case Tally(words=words) if words.endswith("cards played this turn"):
            return f"{words.removesuffix('cards played this turn')}card you've played this turn"
        case NumberOf(what=what, aggregate="number"):
            return voice.noun(replace(what, quantity="a"), plain=True)
        case AttributeOf(attribute="energy" | "power" as attribute, of=of):
            return f"{attribute.title()} of {voice.owned(of)} cost"
        case _:
            return f"1 of {voice.amount(amount)}"


def additional_text(voice: Voice, ability: Any, delayed: bool, until: str) -> str:
    assert isinstance(ability, AdditionalCost)
    cost = listed(voice.paying(ability.cost))
    if ability.action == "move":
        where = f" {voice.toward(ability.to)}" if ability.to is not None else ""
        count = ability.each_beyond
        units = "units"
        if isinstance(ability.of, Noun):
            units = voice.noun(replace(ability.of, quantity="exactly", count=Number(count)))
        return f"To move more than {units}{where} at once, {cost} for each beyond that."
    named = "" if ability.name in ("paid", "") else f" ({ability.name})"
    if ability.optional:
        return f"You may {cost} as an additional cost{named} to play {voice.what(ability.of).removeprefix('all ')}."
    return f"As an additional cost{named} to play {voice.what(ability.of).removeprefix('all ')}, {cost}."


def replacement_text(voice: Voice, ability: Any, delayed: bool, until: str) -> str:
    assert isinstance(ability, Replacement)
    inner = speaking(voice, ability.event)
    event = ability.event
    if isinstance(event.subject, Noun) and event.subject.quantity == "all":
        event = replace(event, subject=replace(event.subject, quantity="a"))
    (words, person), phrase = inner.event(event)
    condition = f"{inner.given(ability.only_if)}, " if ability.only_if is not None else ""
    if ability.zone == "deck":
        phrase += " from your Main Deck"
    elif ability.zone != "board":
        condition = f"and this is in your {ability.zone}, {condition}"
    if ability.enters:
        return enters_text(inner, ability, words, person, phrase, condition)
    if ability.also and not ability.instead:
        done = inline(inner, ability.also)
        return raised(f"as {words} {conjugated(phrase, person)}{until}, {condition}{may_text(inner, ability)}{done}.")
    if ability.limit and delayed:
        opening = f"the next time {words} would {phrase}{until}, "
    else:
        often = "once each turn, " if ability.limit == 1 else ""
        opening = f"{often}if {words} would {phrase}{until}, "
    if ability.amount:
        return raised(f"{opening}{condition}{'you may ' if ability.may else ''}{amount_words(inner, ability)}.")
    instead = listed([within(inner, i) for i in ability.instead]) if ability.instead else "nothing happens"
    return raised(f"{opening}{condition}{may_text(inner, ability)}instead {instead}.")


def may_text(voice: Voice, ability: Replacement) -> str:
    """``you may pay [A] to``, before what happens instead."""
    if ability.cost is not None:
        return f"{'you may ' if ability.may else ''}{listed(voice.paying(ability.cost))} to "
    return "you may " if ability.may else ""


def enters_text(voice: Voice, ability: Replacement, words: str, person: str, phrase: str, condition: str) -> str:
    """``I enter ready``, ``If I enter at a battlefield, I enter ready``."""
    state = f" {ability.enters}"
    if ability.enters == "at":
        state = f" {voice.place(ability.enters_at)}" if ability.enters_at is not None else " elsewhere"
    said = f"{words} {conjugated('enter', person)}{state}."
    if ability.also:
        return f"As I'm played, {condition}{inline(voice, ability.also)}. If you do, {said}"
    if ability.event.to is not None:
        where = voice.place(ability.event.to)
        condition = f"if {words} {conjugated('enter', person)} {where}, {condition}"
    return raised(f"{condition}{said}")


def amount_words(voice: Voice, ability: Replacement) -> str:
    """What becomes of a number: prevented, doubled, more."""
    value = voice.amount(ability.value) if ability.value is not None else ""
    match ability.amount:
        case "prevent":
            return f"prevent {value} of it" if value else "prevent it"
        case "double":
            return "double it"
        case _ if ability.event.verb == "plays_token":
            return f"play {value} additional copy of it as well"
        case _:
            return f"add {value} to it"


def rule_text(voice: Voice, ability: Any, delayed: bool, until: str) -> str:
    assert isinstance(ability, Rule)
    value = voice.amount(ability.value) if ability.value is not None else ""
    words, person = voice.subject(ability.what) if ability.what is not None else ("", "it")
    by, by_person = voice.subject(ability.by) if ability.by is not None else ("you", "you")
    match ability.name:
        case "bonus damage":
            if ability.limit and isinstance(ability.by, Noun):
                kind = voice.noun(replace(ability.by, quantity="a", whose=""), plain=True)
                by, by_person, until = f"the next {kind} you play{until}", "it", ""
            everything = ability.what is None or ability.what == Noun(("unit",), "all")
            text = f"{by} {conjugated('deal', by_person)} {value} Bonus Damage{'' if everything else f' to {words}'}"
        case "lethal":
            whose = voice.owned(ability.by) if isinstance(ability.by, Ref) else "your"
            text = f"{value} or more of {whose} damage is enough to kill {words}"
        case "assign first" | "assign last":
            text = f"{words} must be assigned combat damage {ability.name.split()[1]}"
        case "no combat damage":
            text = f"{words} {'does not' if person == 'it' else 'do not'} deal combat damage"
        case "extra triggers":
            times = "an additional time" if value in ("1", "") else f"{value} additional times"
            text = f"{words.replace('abilities', f'{ability.keyword} abilities')} trigger {times}"
        case "buffs give":
            text = f"buffs give {words} an additional +{value} Might"
        case "ignore keyword":
            owner = f" of {words}" if words else ""
            text = f"{by} {conjugated('ignore', by_person)} {ability.keyword}{owner}"
        case "facedown capacity":
            where = f"at {words}" if words else "here"
            text = f"{value or '1'} more card may be hidden {where}"
        case name:
            text = f"{name} {value} {words}".strip()
    return raised(f"{text}{until}.")


TEXTS: dict[type, Callable[[Voice, Any, bool, str], str]] = {
    Triggered: triggered_text,
    Activated: activated_text,
    Continuous: continuous_text,
    Forbid: forbid_text,
    Permit: permit_text,
    CostChange: cost_change_text,
    AdditionalCost: additional_text,
    Replacement: replacement_text,
    Rule: rule_text,
}
"""How each kind of ability is said."""

__all__ = ["dump_card", "dump_text", "render_card"]
