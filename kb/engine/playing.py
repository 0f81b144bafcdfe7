"""The process of play: of cards, tokens and abilities, by its numbered steps (353-359, 398-406).

1 move to the chain, 2 relevant choices, 3 total cost, 4 pay, 5 check legality, 6 proceed. What a player began as an
action and turns out illegal is rewound with nothing paid (358.5); what an effect or trigger began is taken off the
chain.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

from kb.cards.phrases import Noun, Number, Ref, names_in
from kb.cards.syntax import Activated, AdditionalCost, CostChange, Effect, KeywordUse, Permit, Replacement, Triggered
from kb.engine import actions
from kb.engine.asking import Ask, Flow, Option, Refusal, Rewind, spoken
from kb.engine.choices import (
    Slot,
    destinations,
    group_fits,
    illegal_outcome,
    limits,
    moves_to_fixed,
    narrowed,
    slots,
    still_legal,
    target_options,
)
from kb.engine.citing import ability_rules, begin_rules, cost_rules, entering_rules, target_rules
from kb.engine.citing_keywords import entry_keywords, keyword_costs
from kb.engine.costs import (
    Extra,
    Total,
    can_pay_part,
    cost_changes,
    coverable,
    deflect,
    demands,
    extras,
    is_add,
    item_domains,
    keywords_of,
    means,
    own_cost_changes,
    pay_total,
    plan_payment,
    total_of,
)
from kb.engine.entering import entering_by_others, entry_spot
from kb.engine.events import add_item, happen
from kb.engine.filters import Candidate, Context, amount_of, holds, is_at, resolve
from kb.engine.keywords import keyword_abilities
from kb.engine.layers import Granted, printed
from kb.engine.legality import Way, ambush_places, entry_places, forbidden, timing_refusal, ways_to_play, why_not_way
from kb.engine.state import ChainItem, Happening, Lasting, Location, PlayTerms, Thing
from kb.engine.zones import BOARD, Zone

if TYPE_CHECKING:
    from kb.engine.game import Game


# step 1


def begin_card(
    game: Game, player: str, thing: Thing, terms: PlayTerms, hidden_at: int = 0, by_action: bool = False
) -> ChainItem:
    """354: the card leaves its zone for the chain as a pending item."""
    game.supported(thing.definition)
    origin = thing.zone
    game.closed_before_play = game.closed
    card = game.change_zone(thing, Zone.CHAIN)
    return put_on_chain(game, player, card, terms, origin, hidden_at, by_action)


def put_on_chain(
    game: Game, player: str, card: Thing, terms: PlayTerms, origin: Zone, hidden_at: int = 0, by_action: bool = False
) -> ChainItem:
    """A card or token on the chain becomes a pending item."""
    player = game.hooks.value("156", game.hooks.actor("156", player, card.owner), game.next_player(player))
    card.controller = player
    kind = "spell" if "spell" in printed(card.definition).types else "permanent"
    item = ChainItem(game.fresh(), player, kind, card, opened_by="play", by_action=by_action)
    item.effect = card.definition.effect
    item.terms = terms
    item.origin = origin
    item.hidden_at = hidden_at
    traits = printed(card.definition)
    item.base_cost = (0, 0) if card.token and card.copied is None else (traits.energy, traits.power)
    before = bool(game.state.chain)
    add_item(game, item)
    if by_action:
        game.begun = item
    more = begin_rules(game, item, before) + (" 811.1.c.3 811.6.a 811.2" if hidden_at else "")
    more += " 811.3" if not hidden_at and traits.has("Hidden") else ""
    game.note(f"354 329.1 {more}", "{} begins to play {}", player, card)
    return item


def begin_ability(game: Game, player: str, granted: Granted, by_action: bool = True) -> ChainItem:
    """401: an activated ability becomes a pending item."""
    ability = granted.ability
    assert isinstance(ability, Activated)
    item = ChainItem(game.fresh(), player, "ability", None, ability, granted.me, by_action=by_action)
    item.source_name = game.label(granted.me)
    item.effect = ability.effect
    item.opened_by = "add" if is_add(ability) else "activate"
    item.bindings.update(granted.me.named)
    if granted.this is not granted.me:
        item.bindings["this"] = granted.this
    item.here = granted.me.place
    energy, power = demands(ability.cost.resources, item_domains(item), game.item_context(item))
    item.base_cost = (energy, len(power))
    add_item(game, item)
    if by_action:
        game.begun = item
    rules = f"401.1 377.3.a.1 377.3.b.1 399 {ability_rules(granted.me)}"
    rules += " 827.1.b.1" if ability.keyword == "Empower" else ""
    game.note(rules, "{} activates an ability of {}", player, granted.me)
    return item


# steps 2 to 6


def finalize(game: Game, item: ChainItem) -> Flow[None]:
    """337.1: the controller of a pending item carries out the remaining steps of playing it."""
    name = game.label(item)
    game.finalizing = item
    with game.trace.step("337.1 353", "{} finalizes {}", item.controller, name):
        if isinstance(item.ability, Triggered):
            wanted = yield from decide_trigger(game, item)
            if not wanted:
                return
        refusal = yield from choose_all(game, item)
        if refusal is None:
            total = total_of(game, item)
            refusal = yield from pay_step(game, item, total)
        if refusal is None:
            refusal = check_legality(game, item)
        if refusal is not None:
            cancel(game, item, refusal)
            return
        if item.left:
            return
        item.pending = False
        game.outstanding.add("319.4")
        game.touch()
        if item.is_spell and any(i.verb == "add" for i in item.effect):
            game.note("429.2.b", "{} adds resources when it resolves, not at once", name)
        rules = "359.1 329.3" if not item.is_ability else "359.1 329.3 400.1 406.1 406.2"
        rules += " 329.2 352.2" if not item.is_ability else " 329.2"
        rules += " 359.3.a" if item.is_spell else ""
        rules += " 359.3.b" if item.is_spell and game.pending() else ""
        game.note(rules, "{} is finalized", name)
        item.finalized_at = len(game.turn_log)
        if item.is_ability and game.pending():
            above = " 818.1.c.1" if getattr(item.ability, "keyword", "") == "Equip" else ""
            game.note(f"406.3{above}", "the other pending items are finalized next")
        count_play(game, item)
        bind_next(game, item)
        yield from targeted(game, item)
    at_once = game.hooks.holds("337.2", item.is_permanent or adds_now(item)) or off_chain(game, item)
    if at_once and item.is_permanent:
        yield from enter(game, item)
    elif at_once:
        from kb.engine.chain import resolve_item

        game.note("400.2 429.2.a 337.2", "{} adds resources and resolves at once", name)
        yield from resolve_item(game, item)


def off_chain(game: Game, item: ChainItem) -> bool:
    """Never: spells and abilities wait on the chain, which others can respond to; so do spells that Add."""
    return not all(game.hooks.does(WAITING[kind]) for kind in waiting_kinds(game, item))


WAITING = {
    "activated": "401.1 377.3.a.1 377.3.b.2 377",
    "triggered": "401.1 383.3",
    "hidden": "811.1.c.3",
    "showdown": "342.1 347.1.a",
    "adds": "429.2.b",
    "spell": "359.3.c",
}
"""Why an item waits on the chain until everybody has passed."""


def waiting_kinds(game: Game, item: ChainItem) -> list[str]:
    """Which of :data:`WAITING` apply to an item."""
    if item.is_ability:
        return ["activated" if isinstance(item.ability, Activated) else "triggered"]
    found = ["hidden"] if item.hidden_at else []
    found += ["showdown"] if game.showdown and len(game.state.chain) == 1 else []
    found += ["adds"] if any(i.verb == "add" for i in item.effect) else []
    return [*found, "spell"]


def adds_now(item: ChainItem) -> bool:
    """Triggered and activated abilities that Add resolve as soon as they are finalized (429.2)."""
    return is_add(item.ability) or (isinstance(item.ability, Triggered) and any(i.verb == "add" for i in item.effect))


def decide_trigger(game: Game, item: ChainItem) -> Flow[bool]:
    """383.3.a: "you may" at the beginning of a triggered ability, decided while finalizing it (402.1)."""
    ability = item.ability
    assert isinstance(ability, Triggered)
    performed = (item.limit_key, game.state.turn)
    if item.limit_key and game.hooks.holds("383.3.e.1", game.state.used[performed] >= ability.limit):
        drop(game, item, "383.3.e.1", "it has been performed as often as it may be this turn")
        return False
    if not any_targets(game, item) and game.hooks.does("402.4") and game.hooks.does("355.8"):
        drop(game, item, "402.4 402.4.a", "there are no legal choices for it")
        return False
    if game.hooks.may("383.3.a", ability.may):
        if ability.cost is not None and not payable_parts(game, item):
            drop(game, item, "404.2 404.2.a", "its cost can't be paid")
            return False
        (answer,) = yield Ask(
            item.controller,
            "yes or no",
            (Option("yes", True), Option("no", False)),
            about=f"perform the ability of {item.source_name}?",
            rule="383.3.a.1 383.3.e.2.a" if ability.limit else "383.3.a.1",
        )
        if not answer.value:
            again = " 383.3.e.2.b" if ability.limit else ""
            if ability.limit and not game.hooks.does("383.3.e.2.b"):
                return True
            drop(game, item, f"383.3.a.2 402.1.a{again}", "its controller chooses not to perform it")
            return False
    if item.limit_key:
        game.state.used[performed] += 1
    return True


def drop(game: Game, item: ChainItem, rule: str, why: str) -> None:
    """A pending ability is removed from the chain; it was not countered (402.4.a, 404.2.a)."""
    game.note(rule, "{} is removed from the chain: {}", item.name, why)
    actions.remove_item(game, item)


def payable_parts(game: Game, item: ChainItem) -> bool:
    total = total_of(game, item)
    return all(can_pay_part(game, item.controller, p, c) for p, c, _ in total.parts) and (
        total.free or plan_payment(game, item.controller, total, item) is not None
    )


def any_targets(game: Game, item: ChainItem) -> bool:
    """Whether every mandatory choice of an item has an option at all."""
    return completable(game, item, [s for s in slots(item.effect, item, 0) if s.role in ("target", "place")], [])


def completable(game: Game, item: ChainItem, waiting: list[Slot], singles: list[list[Candidate]]) -> bool:
    """Whether all of these choices can be made; where a later one speaks of an earlier one, in some way."""
    for index, slot in enumerate(waiting):
        if slot.noun is None:
            continue
        context = game.item_context(item)
        options = target_options(game, item, slot, context)
        least, _ = limits(slot.noun, context, len(options))
        if len(options) < least or not any_group(game, slot.noun, options, least, context):
            return False
        if least == 1:
            if slot.noun.other and not distinct_choice(singles, options):
                return False
            singles = [*singles, options]
        name = slot.instruction.bind if slot.instruction is not None else ""
        later = waiting[index + 1 :]
        if name and name not in item.bindings and spoken_of(item, name, later):
            tries: list[Candidate | None] = [*options] if least else [*options, None]
            return any(completable_with(game, item, name, one, later, singles) for one in tries)
    return not item.is_spell or illegal_outcome(game, item, game.item_context(item)) is None


def any_group(game: Game, noun: Noun, options: list[Candidate], least: int, context: Context) -> bool:
    """Whether as many as must be chosen meet together what a phrase asks of a group (355.11)."""
    if least < 2 or not (noun.group or any(c.total for c in noun.comparisons)):
        return True
    return any(group_fits(game, noun, list(some), context) for some in combinations(options, least))


def spoken_of(item: ChainItem, name: str, later: list[Slot]) -> bool:
    """Whether later choices, or the place of a move, speak of what was chosen."""
    places = [i.args["to"] for i in moves_to_fixed(item.effect)]
    return any(name in names_in(phrase) for phrase in (*(s.noun for s in later), *places))


def completable_with(
    game: Game, item: ChainItem, name: str, one: Candidate | None, later: list[Slot], singles: list[list[Candidate]]
) -> bool:
    """Whether the later choices can be made once one thing is chosen and named."""
    item.bindings[name] = [] if one is None else [one]
    try:
        return completable(game, item, later, singles)
    finally:
        del item.bindings[name]


def distinct_choice(earlier: list[list[Candidate]], options: list[Candidate]) -> bool:
    """Whether something is left for ``another`` when the earlier choices are made well."""
    used = 0
    for others in earlier:
        used += all(any(o is x for x in options) for o in others) and len(others) <= 1
    return len(options) > used


def cancel(game: Game, item: ChainItem, refusal: Refusal) -> None:
    """An illegal play is undone (358.5): an action rewinds; what an effect began leaves the chain."""
    if item.by_action:
        raise Rewind(refusal)
    game.note(f"358.5 {refusal.rule}", "{} can't be played: {}", item.name, refusal.why)
    thing = item.thing
    actions.remove_item(game, item)
    if thing is not None and not thing.gone:
        back = item.origin if item.origin not in BOARD and item.origin is not Zone.CHAIN else Zone.TRASH
        game.change_zone(thing, back)


def choose_all(game: Game, item: ChainItem) -> Flow[Refusal | None]:
    """Step 2 (355): additional costs, location, modes, targets and destinations."""
    if item.is_ability and not game.hooks.does("402.2"):
        return None
    yield from choose_costs(game, item)
    if item.is_permanent:
        refusal = yield from choose_location(game, item)
        if refusal is not None:
            return refusal
    for modes in (True, False):
        for repetition in range(1 + item.repeats):
            refusal = yield from choose_slots(game, item, repetition, modes)
            if refusal is not None:
                return refusal
    return None


def choose_costs(game: Game, item: ChainItem) -> Flow[None]:
    """355.1.a: which optional additional costs the player pays; and what a mandatory named cost is paid with."""
    found = extras(game, item)
    optional = [e for e in found if e.optional and extra_payable(game, item, e)]
    if optional:
        answer = yield Ask(
            item.controller,
            "cost",
            tuple(Option(e.name, e) for e in game.hooks.options("355.1.a", optional)),
            0,
            len(optional),
            about=f"optional additional costs of {item.name}",
            rule="355.1.a 356.2.b.1"
            + (" 191.3.c" if item.is_permanent else "")
            + (" 820.1.c.3" if any(e.name.startswith("Repeat") for e in optional) else ""),
        )
        for option in answer if game.hooks.does("355.1.a") else []:
            extra = option.value
            assert isinstance(extra, Extra)
            if not game.hooks.does("356.4.f.1") and free_of_cost(game, item, extra):
                continue
            item.paid.add(extra.name)
            if extra.name.startswith("Repeat"):
                item.repeats += 1
    for extra in found:
        if extra.bind and (not extra.optional or extra.name in item.paid) and needed_before(item, extra.bind):
            yield from bind_payer(game, item, extra)


def free_of_cost(game: Game, item: ChainItem, extra: Extra) -> bool:
    """Whether discounts leave nothing of an additional cost, which was paid all the same."""
    without = total_of(game, item)
    item.paid.add(extra.name)
    whole = total_of(game, item)
    item.paid.discard(extra.name)
    return (whole.energy, len(whole.power)) == (without.energy, len(without.power))


def needed_before(item: ChainItem, name: str) -> bool:
    """Whether a target's description or the total cost depends on what pays a cost; else it is chosen in step 4."""
    card = item.thing.definition if item.thing is not None else None
    if card is None:
        return False
    if any(isinstance(a, CostChange) and name in names_in((a.resources, a.times)) for a in card.abilities):
        return True
    return any(name in names_in(s.noun) for s in with_modes(item, item.effect))


def with_modes(item: ChainItem, effect: Effect) -> Iterator[Slot]:
    """The choices of an effect, those of every mode among them."""
    for slot in slots(effect, item, 0):
        yield slot
        for mode in slot.modes:
            yield from with_modes(item, mode)


def bind_payer(game: Game, item: ChainItem, extra: Extra) -> Flow[None]:
    """An additional cost whose object the rest of the text speaks of: chosen with the other choices."""
    from kb.engine.costs import choose_payers

    for part in extra.cost.parts:
        chosen = yield from choose_payers(game, item.controller, part, extra.context, item)
        if chosen:
            item.bindings[extra.bind] = chosen[0]


def extra_payable(game: Game, item: ChainItem, extra: Extra) -> bool:
    """Whether an optional additional cost could be paid along with the rest."""
    if not all(can_pay_part(game, item.controller, p, extra.context) for p in extra.cost.parts):
        return False
    item.paid.add(extra.name)
    try:
        total = total_of(game, item)
    finally:
        item.paid.discard(extra.name)
    return bool(extra.bind) or coverable(game, item.controller, total, item)


def choose_location(game: Game, item: ChainItem) -> Flow[Refusal | None]:
    """355.2: where a unit will enter; gear goes to its player's base, or where it was hidden (148.1.a.1, 811.1.d.1)."""
    thing = item.thing
    assert thing is not None
    terms = item.terms or PlayTerms()
    if "unit" not in printed(thing.definition).types:
        at_base = game.hooks.does("148.1.a.1 149.2 359.2.d")
        home: Location = item.controller if at_base else game.state.battlefields[0]
        item.destination = terms.place if terms.place is not None else home
        if item.hidden_at:
            game.trace.cite("811.1.d.1.a")
        if terms.anywhere:
            item.destination = terms.anywhere[0]
        return None
    places = entry_places(game, item.controller, thing, terms, terms.by_effect or bool(item.hidden_at))
    if item.controller and terms.place is not None and not places and terms.by_effect:
        places = [item.controller] if isinstance(terms.place, int) and game.hooks.does("462.2.a") else []
        if places:
            game.note("462.2.a", "it can't be played there and is played to the base of {}", item.controller)
        refusal = blocked(game, item, terms.place)
        if refusal is not None and "054.1" in refusal.rule.split():
            places = []
    if not places:
        refusal = blocked(game, item, terms.place) if terms.place is not None else None
        return refusal or Refusal("355.2", "there is no valid location for the unit")
    game.trace.cite(entry_keywords(item))
    if len(places) == 1:
        choose_place(game, item, places[0])
        return None
    wider: list[Location] = [item.controller, *game.state.battlefields]
    legal = game.hooks.options("355.2.a", places, wider)
    (answer,) = yield Ask(
        item.controller,
        "location",
        tuple(Option(game.place_label(p), p) for p in legal),
        about=f"where {game.label(thing)} enters",
        rule="355.2 191.3.c",
    )
    value = answer.value
    assert isinstance(value, int | str)
    choose_place(game, item, value)
    return None


def choose_place(game: Game, item: ChainItem, where: Location) -> None:
    """The location is chosen; whether Ambush is among what permits it is checked again at the end (822.3)."""
    thing = item.thing
    assert thing is not None
    item.destination = item.entry = where
    if any(use.name == "Ambush" for use in thing.definition.keywords):
        item.ambushed = where in ambush_places(game, item.controller, thing)


def blocked(game: Game, item: ChainItem, where: Location) -> Refusal | None:
    from kb.engine.legality import why_not_enter

    assert item.thing is not None
    return why_not_enter(game, item.controller, item.thing, where)


def choose_slots(game: Game, item: ChainItem, repetition: int, modes: bool) -> Flow[Refusal | None]:
    """Modes of all repetitions first (355.3), then targets and destinations in printed order (355.4-355.5)."""
    done: set[tuple[int, int, str]] = set()
    while True:
        waiting = (s for s in slots(item.effect, item, repetition) if s.key not in done)
        slot = next((s for s in waiting if (s.role == "mode") == modes), None)
        if slot is None:
            return None
        done.add(slot.key)
        if not chosen_now(game, item, slot):
            continue
        match slot.role:
            case "mode":
                refusal = yield from choose_mode(game, item, slot)
            case "destination":
                refusal = yield from choose_destination(game, item, slot)
            case _:
                refusal = yield from choose_targets(game, item, slot)
        if refusal is not None:
            return refusal


def chosen_now(game: Game, item: ChainItem, slot: Slot) -> bool:
    """Always: targets, those of split damage and of Equip among them, are chosen while the item is finalized."""
    if slot.key[0] and game.hooks.value("820.2", False, True):
        return False
    if slot.instruction is not None and slot.instruction.args.get("split"):
        return game.hooks.does("355.14.b")
    return getattr(item.ability, "keyword", "") != "Equip" or game.hooks.does("818.1.b.1")


def choose_mode(game: Game, item: ChainItem, slot: Slot) -> Flow[Refusal | None]:
    """355.3: one of the bulleted modes, among those with legal targets."""
    possible = [i for i, mode in enumerate(slot.modes) if mode_possible(game, item, mode, slot.key[0])]
    if not possible:
        return Refusal("355.8", "no mode has legal choices")
    (answer,) = yield Ask(
        item.controller,
        "mode",
        tuple(Option(f"mode {i + 1}", i) for i in possible),
        about=f"a mode of {item.name}",
        rule="355.3 191.2.b" if item.is_spell else "355.3 191.4.d",
    )
    value = answer.value
    assert isinstance(value, int)
    item.modes[(slot.key[0], slot.key[1])] = [value]
    return None


def mode_possible(game: Game, item: ChainItem, mode: object, repetition: int) -> bool:
    assert isinstance(mode, tuple)
    return completable(game, item, list(slots(mode, item, repetition)), [])


def choose_targets(game: Game, item: ChainItem, slot: Slot) -> Flow[Refusal | None]:
    """355.7-355.13: targets of one phrase, all of them legal, as many as it says."""
    noun = slot.noun
    assert noun is not None
    context = game.item_context(item)
    options = target_options(game, item, slot, context)
    every = len(options)
    options = affordable_targets(game, item, slot, options)
    options = spared_targets(game, item, options)
    spared = " 355.16" if len(options) < every else ""
    least, most = limits(noun, context, len(options))
    ask_most = split_limit(game, item, slot, most, context, options)
    if len(options) < least and game.hooks.does("355.8"):
        rule = "402.4" if item.is_ability else "355.8"
        return Refusal(rule, f"there is no legal choice for {spoken(noun)}")
    chosen: list[object] = []
    if most > 0:
        listed = game.labelled(options)
        listed = tuple(game.hooks.options("355.9", game.hooks.options("355.9.b", listed)))
        other = game.next_player(item.controller)
        chooser = game.hooks.actor("355.5", item.controller, other)
        if item.is_ability:
            chooser = game.hooks.actor("402.2", chooser, other)
        if getattr(item.ability, "keyword", "") == "Equip":
            chooser = game.hooks.actor("818.1.b.1", chooser, other)
        if slot.instruction is not None and slot.instruction.args.get("split"):
            chooser = game.hooks.actor("355.14.b", chooser, other)
        answer = yield Ask(
            chooser,
            "target",
            listed,
            min(least, len(listed)),
            min(ask_most, len(listed)),
            about=f"{spoken(noun)} for {item.name}",
            rule=f"355.5 355.7 {target_rules(game, item, slot, options)}{spared}",
            fits=lambda picked: group_fits(game, noun, [o.value for o in picked], context),
        )
        chosen = [o.value for o in answer]
    item.chosen[slot.key] = chosen
    item.nouns[slot.key] = noun
    instruction = slot.instruction
    if instruction is not None and instruction.bind:
        item.bindings[instruction.bind] = list(chosen)
    if slot.role == "place" and chosen:
        item.bindings["$place"] = chosen[0]
    if chosen:
        equip = " 818.1.b.1 818.1.b.2" if getattr(item.ability, "keyword", "") == "Equip" else ""
        game.note(f"355.7{equip}", "{} chooses {}", item.controller, ", ".join(game.label(c) for c in chosen))
    return None


def affordable_targets(game: Game, item: ChainItem, slot: Slot, options: list[Candidate]) -> list[Candidate]:
    """355.16: no target whose Deflect could not be paid, unless there is no other."""
    if not any(isinstance(o, Thing) and game.has(o, "Deflect") for o in options):
        return options
    kept = []
    for option in options:
        item.chosen[slot.key] = [option]
        if coverable(game, item.controller, total_of(game, item), item):
            kept.append(option)
        del item.chosen[slot.key]
    return game.hooks.options("355.16", kept, options)


def spared_targets(game: Game, item: ChainItem, options: list[Candidate]) -> list[Candidate]:
    """355.16: no target that a mandatory cost will surely take off the board, unless there is no other."""
    from kb.engine.costs import needed, part_options

    doomed: list[Thing] = []
    for extra in extras(game, item):
        if extra.optional and extra.name not in item.paid:
            continue
        for part in extra.cost.parts:
            if part.action in ("kill", "banish", "recycle", "return") and not item.bindings.get(extra.bind):
                found = part_options(game, item.controller, part, extra.context)
                if len(found) <= needed(part, extra.context):
                    doomed += found
    kept = [o for o in options if not any(o is d for d in doomed)]
    return game.hooks.options("355.16", kept, options) if kept else options


def split_limit(game: Game, item: ChainItem, slot: Slot, most: int, context: Context, options: list[Candidate]) -> int:
    """355.14.c: no more targets than there is damage to split, Bonus Damage included (715.3)."""
    instruction = slot.instruction
    if instruction is None or not instruction.args.get("split"):
        return most
    amount = instruction.args.get("deal")
    value = amount_of(amount, context) if amount is not None else None  # type: ignore[arg-type]
    pool = (value or 0) + split_bonus(game, item, options)
    return min(most, pool) if pool > 0 else most


def split_bonus(game: Game, item: ChainItem, options: list[Candidate]) -> int:
    """Bonus Damage on a split pool: the most that it is for any of those that could be chosen (715.3)."""
    return max((actions.bonus_damage(game, item, t) for t in options if isinstance(t, Thing)), default=0)


def choose_destination(game: Game, item: ChainItem, slot: Slot) -> Flow[Refusal | None]:
    """355.4: where the moved units will go."""
    instruction = slot.instruction
    assert instruction is not None
    context = game.item_context(item)
    what = instruction.args["move"]
    if isinstance(what, Ref):
        things = [t for t in resolve(what, context) if isinstance(t, Thing)]
    else:
        things = [t for t in item.chosen.get((slot.key[0], slot.key[1], "move"), []) if isinstance(t, Thing)]
    place = instruction.args.get("to")
    ends = bool(instruction.args.get("to_or_from"))
    options = destinations(game, things, place, context, ends)  # type: ignore[arg-type]
    if not things and not options:
        return None
    if not options:
        return Refusal("355.4", "there is no legal destination")
    (answer,) = yield Ask(
        item.controller,
        "destination",
        tuple(Option(game.place_label(w), w) for w in options),
        about=f"where {', '.join(game.label(t) for t in things)} moves",
        rule="355.4 355.4.a",
    )
    value = answer.value
    assert isinstance(value, int | str)
    item.destinations[slot.key] = value
    return None


def pay_step(game: Game, item: ChainItem, total: Total) -> Flow[Refusal | None]:
    """Steps 3 and 4: the total cost (356), paid (357)."""
    owed = not isinstance(item.ability, Triggered) or (game.hooks.does("383.3.b.1") and game.hooks.does("204.3.a"))
    game.trace.cite(keyword_costs(game, item, extras(game, item), deflect(game, item)))
    note_costs(game, item)
    note_total(game, item, total)
    if isinstance(item.ability, Triggered) and item.ability.cost is not None and not item.ability.may:
        if owed and not payable_parts(game, item):
            return Refusal("404.2 404.2.a", "its cost can't be paid")
        (answer,) = yield Ask(
            item.controller,
            "yes or no",
            (Option("yes", True), Option("no", False)),
            about=f"pay the cost of the ability of {item.source_name}?",
            rule="404.2",
        )
        if not answer.value:
            return Refusal("404.2 404.2.a", "its controller declines to pay for it")
    if not owed or not game.hooks.does("357"):
        return None
    paid = yield from pay_total(game, item, total)
    if not paid:
        if item.declined:
            return Refusal("444.2.a 358.5", "its player chooses not to pay")
        rule = "404.2" if isinstance(item.ability, Triggered) else "357.1 203.3"
        return Refusal(rule, "the cost can't be paid")
    if item.is_ability and (total.parts or not total.free):
        game.note("404.1", "the cost of {} is paid", item.name)
    return None


def note_total(game: Game, item: ChainItem, total: Total) -> None:
    """The total cost and the rules that made it up (356), unless a card simply costs nothing."""
    if total.free and item.terms in (None, PlayTerms()):
        return
    changes = [c for c, _ in cost_changes(game, item)]
    rules = "356"
    if item.is_ability:
        rules = "356 403.1.b.1 403.3" if isinstance(item.ability, Triggered) else "356 403.1.a 403.2 403.3"
    rules = f"{rules} {cost_rules(item, total, extras(game, item), deflect(game, item), changes)}"
    rules = f"{rules} {keyword_costs(game, item, extras(game, item), deflect(game, item))}"
    game.note(rules, "{} costs {} Energy and {} Power in total", item.name, str(total.energy), str(len(total.power)))


def note_costs(game: Game, item: ChainItem) -> None:
    """Parts of cards' texts that make up what an item costs."""
    game.happened.update(id(change) for change, _ in cost_changes(game, item))
    for extra in extras(game, item):
        if not extra.optional or extra.name in item.paid:
            game.happened.add(id(extra.cost))
    if deflect(game, item):
        for target in game.targets_of(item):
            if isinstance(target, Thing) and game.has(target, "Deflect"):
                game.used_keyword(target, "Deflect")


def check_legality(game: Game, item: ChainItem) -> Refusal | None:
    """Step 5 (358): targets still legal, location still valid, the right timing."""
    context = game.item_context(item)
    if item.is_permanent and item.thing is not None and "unit" in printed(item.thing.definition).types:
        refusal = blocked(game, item, item.destination) if item.destination is not None else None
        if refusal is not None:
            return refusal
    if not item.is_ability and item.by_action and not item.hidden_at:
        refusal = still_permitted(game, item)
        if refusal is not None:
            return refusal
    for key, chosen in item.chosen.items():
        noun = item.nouns[key]

        assert isinstance(noun, Noun)
        for target in chosen:
            if not still_legal(game, item, noun, target, context) and item.by_action:
                return Refusal(
                    "358.1 405.1" if item.is_ability else "358.1",
                    f"{game.label(target)} is no longer a legal choice",
                )
    if item.is_ability and item.chosen:
        game.note("405.1", "the targets of {} are legal", item.name)
    refusal = illegal_outcome(game, item, context) if item.kind in ("spell", "ability") else None
    if refusal is not None and item.is_ability:
        return Refusal(f"{refusal.rule} 405.2", refusal.why)
    return refusal


def still_permitted(game: Game, item: ChainItem) -> Refusal | None:
    """Whether what let a card be played now and there still does: granted Reaction (813.4.b), Ambush (822.3)."""
    thing, where = item.thing, item.destination
    assert thing is not None
    names = {use.name for use in keywords_of(game, item)}
    ambush = item.ambushed and where in ambush_places(game, item.controller, thing)
    reaction = bool(names & {"Reaction", "Quick-Draw"}) or ambush
    in_time = reaction or (not game.closed_before_play and ("Action" in names or not game.showdown))
    lost = " 822.3" if item.ambushed and not ambush else ""
    if game.hooks.holds("813.4.b", not in_time):
        return Refusal(f"813.4.b 358.4{lost}", "what gave it Reaction does not hold any more")
    if lost:
        if where not in entry_places(game, item.controller, thing, item.terms or PlayTerms()):
            return Refusal("822.3", "Ambush does not let it be played there any more")
        game.note("822.3.a", "Ambush does not let {} be played there any more, but something else does", thing)
    return None


def count_play(game: Game, item: ChainItem) -> None:
    """Remember a finalized card for Legion and for counts of cards played (419.4.b, 812.1.c); tokens are no cards."""
    thing = item.thing
    if thing is None:
        return
    game.play_counts[("token" if thing.token else thing.card.main_type, thing.card.name)] += 1
    if item.by_action:
        note_timing(game, item, thing)
    if not thing.token and not item.counted:
        item.counted = True
        game.trace.cite("419.4.b")
        game.player(item.controller).played.append(thing.body)


def note_timing(game: Game, item: ChainItem, thing: Thing) -> None:
    """Keywords without which the card could not have been played now, or as it was."""
    names = {use.name for use in thing.definition.keywords}
    late = ("Reaction", "Quick-Draw") if game.closed_before_play else ("Action",)
    if (game.closed_before_play or game.showdown) and not item.hidden_at:
        for name in names.intersection(late if names.intersection(late) else ("Reaction", "Quick-Draw")):
            game.used_keyword(thing, name)
    terms = item.terms or PlayTerms()
    for ability in thing.definition.abilities:
        if isinstance(ability, Permit) and ability.zone == "trash" and ability.cost is not None:
            game.happened.update([id(ability)] if ability.cost is terms.instead else [])
    if item.ambushed:
        game.used_keyword(thing, "Ambush")
    if "Accelerate" in item.paid:
        game.used_keyword(thing, "Accelerate")
    if terms.instead is not None and terms.leaving == "banish":
        game.used_keyword(thing, "Flow")


def bind_next(game: Game, item: ChainItem) -> None:
    """ "The next spell you play": a delayed passive ability attaches to the first item it speaks of (391)."""
    from kb.cards.syntax import Rule
    from kb.engine.costs import item_fits

    for effect in game.state.lasting:
        ability = effect.ability
        if isinstance(ability, Rule) and ability.limit and effect.maker is None and isinstance(ability.by, Noun):
            if item_fits(game, item, ability.by, game.lasting_context(effect)):
                effect.maker = item


def targeted(game: Game, item: ChainItem) -> Flow[None]:
    """383.4.b.2: what became a target, after the item is finalized."""
    events = []
    for target in dict.fromkeys(t for t in game.targets_of(item) if isinstance(t, Thing)):
        if not target.gone:
            events.append(
                Happening(
                    "chooses",
                    target,
                    item.controller,
                    item.controller,
                    item,
                    item.source or item.thing,
                    place=target.location,
                )
            )
    if getattr(item.ability, "keyword", "") == "Empower" and item.source and not game.hooks.does("827.1.b.1"):
        events.append(Happening("chooses", item.source, item.controller, item.controller, item, item.source))
    if events and game.hooks.does("383.4.b.2"):
        yield from happen(game, events, "355.7 383.4.b.3")


# step 6 of permanents


def enter(game: Game, item: ChainItem) -> Flow[None]:
    """359.2: a permanent leaves the chain and enters the board; its play effects trigger (383.4.a.2)."""
    thing, controller = item.thing, item.controller
    assert thing is not None
    unit = "unit" in printed(thing.definition).types
    exhausted = unit and game.hooks.does("143.4") and (not thing.token or game.hooks.does("185.2.d"))
    exhausted = exhausted or (not unit and not game.hooks.does("149.1 359.2.d"))
    terms = item.terms or PlayTerms()
    if terms.ready is not None:
        exhausted = not terms.ready
    plain = exhausted
    exhausted = yield from entering(game, item, exhausted)
    where = item.destination if item.destination is not None else controller
    if item in game.state.chain:
        game.state.chain.remove(item)
    zone = Zone.BATTLEFIELD if isinstance(where, int) else Zone.BASE
    copied = thing.copied
    new = game.change_zone(thing, zone, where)
    new.controller = controller
    new.base = where if isinstance(where, str) else controller
    new.copied = copied
    new.named = dict(item.named)
    new.entered = game.state.turn
    item.result = new
    item.left = True
    for name in item.paid:
        game.state.tallies[("paid", new.id, name)] = 1
    if terms.keywords:
        grant_keywords(game, item, new, terms)
    if terms.leaving:
        note_stays(game, new, terms.leaving)
    game.touch()
    exhausted = yield from entering_by_others(game, new, exhausted, own=exhausted != plain)
    if "Accelerate" in item.paid and game.hooks.holds("805.6.a", False):
        exhausted = exhausted or forbidden(game, "ready", thing=new) is not None
    where = new.location if new.location is not None else where
    new.exhausted = exhausted
    state = "exhausted" if exhausted else "ready"
    game.touch()
    more = entering_rules(new, exhausted, isinstance(where, str))
    with game.trace.step(
        f"359.2 {more}", "{} enters the board {} at {}", new.card.name, state, game.place_label(where)
    ):
        if unit:
            actions.apply_contested(game, where, controller)
        events = [Happening("enters", new, controller, controller, item=item, place=where)]
        events.append(
            Happening(
                "plays",
                new,
                controller,
                controller,
                place=where,
                item=item,
                source=new,
                word="token" if new.token else "",
            )
        )
        if not game.hooks.does("446.2"):
            events.append(Happening("moves", None, controller, controller, place=where))
        if game.hooks.holds("446.2", False):
            events.append(Happening("moves", new, controller, controller, place=where))
        if "Accelerate" in item.paid and not game.hooks.does("805.6.a"):
            events.append(Happening("readies", new, controller, controller, place=where))
        if new.token:
            events.append(Happening("plays_token", new, controller, controller, place=where))
        yield from happen(game, events, rules_of_playing)


def rules_of_playing(event: Happening) -> str:
    """Rules of the events in which a permanent has been played."""
    token = event.thing is not None and event.thing.token
    if event.verb == "enters":
        return "359.2 439.2.c" if token else "359.2"
    return "350.1 350.2 419.4.a" if token else "350.1 419.4.a"


def note_stays(game: Game, thing: Thing, leaving: str) -> None:
    """ "Then recycle it" of a played permanent concerns chain items only (390.3.a): nothing to do on the board."""
    game.note("390.3.a", "{} became a permanent, so it is not moved by {}", thing, leaving)


def grant_keywords(game: Game, item: ChainItem, thing: Thing, terms: PlayTerms) -> None:
    """Keywords that the effect which made a token gives it (184.3)."""
    from kb.cards.syntax import Mods

    effect = Lasting(game.fresh(), item.controller, "permanent", game.state.turn, game.tick(), item.source)
    effect.ids = (thing.id,)
    effect.mods = Mods(keywords=tuple(game.hooks.options("184.3", terms.keywords)))
    game.state.lasting.append(effect)


def entering(game: Game, item: ChainItem, exhausted: bool) -> Flow[bool]:
    """Replacement effects on how a permanent enters (369.3): ready, exhausted, elsewhere, and what happens then."""
    from kb.engine.instructions import execute_naming

    thing = item.thing
    assert thing is not None
    context = game.item_context(item)
    abilities = list(thing.definition.abilities)
    uses = [*thing.definition.keywords, *(item.terms.keywords if item.terms else ())]
    if "Accelerate" in item.paid.difference(use.name for use in uses):
        game.note("805.2.b", "Accelerate was paid for {} and holds whatever granted it", thing.card.name)
        uses.append(KeywordUse("Accelerate"))
    for use in uses:
        if use.name != "Accelerate" or game.hooks.does("805.2"):
            abilities += keyword_abilities(use)
    for ability in abilities:
        if (
            not isinstance(ability, Replacement)
            or ability.event.verb != "enters"
            or not isinstance(ability.event.subject, Ref)
        ):
            continue
        if not game.active(ability.dependent, context) or not holds(ability.only_if, context):
            continue
        if ability.event.to is not None and not is_at(item.destination, ability.event.to, context):
            continue
        game.happened.add(id(ability))
        also = ability.also
        if also:
            game.note("359.2.b", "{} executes its text in order as it enters", thing.card.name)
            named = yield from execute_naming(game, also if game.hooks.does("359.2.b") else (), context)
            item.bindings.update(named)
            item.named.update(named)
            context = game.item_context(item)
        match ability.enters:
            case "ready":
                exhausted = not game.hooks.does("369.3")
                own = " 805.6.a" if "Accelerate" in item.paid else ""
                game.note(f"369.3 143.4.a{own}", "{} enters ready", thing.card.name)
            case "exhausted":
                exhausted = True
            case "at" if ability.enters_at is not None and game.hooks.does("369.3"):
                spot = entry_spot(ability.enters_at, item.controller, context)
                if spot is not None:
                    item.destination = spot
                    game.note("369.3", "{} enters at {} instead", thing.card.name, game.place_label(spot))
            case _:
                pass
    return exhausted


# what may be begun


def why_not_play(game: Game, player: str, way: Way) -> Refusal | None:
    """Why a card can't be played this way now: timing, then choices, then cost (355.8, 357, 358.4)."""
    refusal = why_not_way(game, player, way)
    if refusal is not None:
        return refusal
    return why_not_finish(game, player, way)


def why_not_finish(game: Game, player: str, way: Way) -> Refusal | None:
    """Whether steps 2 to 4 can be carried out at all, tried on an item that is not put on the chain."""
    thing = way.thing
    card = thing.definition
    if not card.modelled:
        return None
    item = trial_item(game, player, way)
    if item.is_permanent:
        if "unit" in printed(card).types:
            places = entry_places(game, player, thing, way.terms, way.reaction)
            if not places:
                if way.terms.place is not None:
                    stop = blocked(game, item, way.terms.place)
                    if stop is not None:
                        return stop
                return Refusal("355.2", "there is no valid location for the unit")
    elif game.hooks.does("355.8") and not any_targets_of(game, item):
        return Refusal("355.8", "there are no legal choices for its targets")
    return why_not_pay(game, item)


def trial_item(game: Game, player: str, way: Way) -> ChainItem:
    """An item as it would be, for checking."""
    thing = way.thing
    kind = "spell" if "spell" in printed(thing.definition).types else "permanent"
    item = ChainItem(0, player, kind, thing, effect=thing.definition.effect, terms=way.terms, hidden_at=way.hidden_at)
    traits = printed(thing.definition)
    item.base_cost = (traits.energy, traits.power)
    return item


def any_targets_of(game: Game, item: ChainItem) -> bool:
    """Whether the choices of an item can be made, with some payer of a cost that they speak of (355.1.a)."""
    for extra in extras(game, item):
        if extra.bind and not extra.optional and extra.bind not in item.bindings and needed_before(item, extra.bind):
            return any(choices_with(game, item, extra.bind, thing) for thing in payers_of(game, item, extra))
    return any_choices(game, item)


def payers_of(game: Game, item: ChainItem, extra: Extra) -> list[Thing]:
    """Objects that could pay the parts of an additional cost."""
    from kb.engine.costs import part_options

    return [t for part in extra.cost.parts for t in part_options(game, item.controller, part, extra.context)]


def choices_with(game: Game, item: ChainItem, name: str, thing: Thing) -> bool:
    """Whether the choices of an item can be made with a cost paid by one object."""
    item.bindings[name] = thing
    try:
        return any_choices(game, item)
    finally:
        del item.bindings[name]


def any_choices(game: Game, item: ChainItem) -> bool:
    for slot in slots(item.effect, item, 0):
        if slot.role == "mode":
            if not any(mode_possible(game, item, m, 0) for m in slot.modes):
                return False
    return any_targets(game, item)


def why_not_pay(game: Game, item: ChainItem) -> Refusal | None:
    """Whether the cost without optional parts could be paid."""
    for extra in extras(game, item):
        if not extra.optional and not all(
            can_pay_part(game, item.controller, p, extra.context) for p in extra.cost.parts
        ):
            return Refusal("356.2.a.1", "a mandatory additional cost can't be paid")
    total = total_of(game, item)
    if not coverable(game, item.controller, total, item):
        if not cheaper_with_options(game, item):
            return Refusal("357.1", "the cost can't be paid")
    return None


def cheaper_with_options(game: Game, item: ChainItem) -> bool:
    """Whether paying an optional additional cost would make the total payable (a discount linked to it)."""
    for extra in extras(game, item):
        if extra.optional and all(can_pay_part(game, item.controller, p, extra.context) for p in extra.cost.parts):
            item.paid.add(extra.name)
            bound = bool(extra.bind)
            total = total_of(game, item)
            item.paid.discard(extra.name)
            if bound_payable(game, item, extra) if bound else coverable(game, item.controller, total, item):
                return True
    return False


def bound_payable(game: Game, item: ChainItem, extra: Extra) -> bool:
    """Whether some object that could pay a named additional cost makes the total payable (a linked discount)."""
    from kb.engine.costs import part_options

    for part in extra.cost.parts:
        for thing in part_options(game, item.controller, part, extra.context):
            item.bindings[extra.bind] = thing
            item.paid.add(extra.name)
            payable = coverable(game, item.controller, total_of(game, item), item)
            item.paid.discard(extra.name)
            item.bindings.pop(extra.bind, None)
            if payable:
                return True
    return False


def playable_ways(game: Game, player: str, only: str = "") -> list[Way]:
    """Every way in which the player could legally begin to play a card now; ``only`` names the one that matters."""
    things = [
        *game.zone_cards(Zone.HAND, player),
        *(game.zone_cards(Zone.CHAMPION, player) if game.hooks.does("108.3.d") else ()),
        *game.zone_cards(Zone.TRASH, player),
        *game.zone_cards(Zone.FACEDOWN, player),
    ]
    found = []
    limits = means(game, player)
    for thing in things:
        for way in ways_to_play(game, player, thing):
            if (only and way.key != only) or (limits is not None and costs_more(way, limits)):
                continue
            if way.thing.definition.modelled and game.hooks.holds("419.2.a", why_not_play(game, player, way) is None):
                found.append(way)
    return found


def costs_more(way: Way, limits: tuple[int, int]) -> bool:
    """Whether a card costs as it is printed, and that is more Energy or Power than a player could spend."""
    card, terms = way.thing.definition, way.terms
    altered = terms.ignoring or terms.instead is not None or terms.reduced_energy or terms.reduced_power
    if altered or own_cost_changes(card):
        return False
    energy, power = limits
    return card.energy > energy or card.power > power


def ability_costs_more(granted: Granted, limits: tuple[int, int]) -> bool:
    """Whether an ability costs as it is printed, and that is more Energy or Power than a player could spend."""
    ability = granted.ability
    assert isinstance(ability, Activated)
    resources = ability.cost.resources
    if own_cost_changes(granted.me.definition) or not isinstance(resources.energy, Number):
        return False
    energy, power = limits
    return resources.energy.value > energy or len(resources.power) > power


def why_not_use(game: Game, player: str, granted: Granted) -> Refusal | None:
    """Why an activated ability can't be used now: timing, condition, choices, cost (402.3)."""
    from kb.engine.legality import why_not_activate

    refusal = why_not_activate(game, player, granted)
    if refusal is not None:
        return refusal
    ability = granted.ability
    assert isinstance(ability, Activated)
    if ability.just_adds and not (ability.exhausts_itself and granted.me.exhausted) and costs_as_printed(game, granted):
        return None
    item = ChainItem(0, player, "ability", None, ability, granted.me, effect=ability.effect)
    item.bindings.update(granted.me.named)
    if granted.this is not granted.me:
        item.bindings["this"] = granted.this
    item.here = granted.me.place
    energy, power = demands(ability.cost.resources, item_domains(item), game.item_context(item))
    item.base_cost = (energy, len(power))
    if not any_targets_of(game, item):
        return Refusal("402.3", "there are no legal choices for it")
    total = total_of(game, item)
    for part, context, _ in total.parts:
        if not can_pay_part(game, player, part, context):
            rule = {"exhaust": " 414.4", "recycle": " 416.3", "discard": " 422.3"}.get(part.action, "")
            return Refusal(f"203.3{rule}", f"the cost to {part.action} can't be paid")
    if not game.hooks.holds("410.1.b.2", coverable(game, player, total, item, frozenset([granted.me.id]))):
        return Refusal("357.1", "the cost can't be paid")
    return None


def costs_as_printed(game: Game, granted: Granted) -> bool:
    """Whether nothing now could add to the cost of an ability or alter it."""
    index = game.index()
    return not (
        index.get(AdditionalCost)
        or index.get(CostChange)
        or game.traits(granted.me).ability_keywords
        or any(isinstance(effect.ability, CostChange) for effect in game.state.lasting)
    )


def usable_abilities(game: Game, player: str) -> list[Granted]:
    """Activated abilities that the player could use now (380-381); of runes of one card in one state the first."""
    found: list[Granted] = []
    runes: set[tuple[int, int, bool]] = set()
    limits = means(game, player)
    for granted in [*game.index().get(Activated, []), *in_hand(game, player)]:
        me, ability = granted.me, granted.ability
        assert isinstance(ability, Activated)
        if me.card.main_type in ACTIVATED_OF and not game.hooks.does(ACTIVATED_OF[me.card.main_type]):
            continue
        controller = me.controller
        if controller is not None and me.card.main_type in ACTIVATED_OF:
            controller = game.hooks.actor(ACTIVATED_OF[me.card.main_type], controller, game.next_player(controller))
        if controller != player or (
            ability.exhausts_itself and game.hooks.holds("414.4", me.exhausted) and game.hooks.does("414.1.b")
        ):
            continue
        if me.card.types == ("rune",) and granted.this is me:
            twin = (id(ability), id(me.definition), me.exhausted)
            if twin in runes:
                continue
            runes.add(twin)
        keyword = ability.keyword
        again = keyword in EACH and any(g.me is me and getattr(g.ability, "keyword", "") == keyword for g in found)
        if again and not game.hooks.does(EACH[keyword]):
            continue
        paid = limits is None or not ability_costs_more(granted, limits)
        if not game.hooks.holds("410.1.b.2", paid):
            continue
        if why_not_use(game, player, granted) is None:
            found.append(granted)
    return found


ACTIVATED_OF = {"battlefield": "170.10", "legend": "174.8"}
"""Types other than permanents on which activated abilities can be found."""


def in_hand(game: Game, player: str) -> list[Granted]:
    """None: abilities of cards that are not on the Board can't be activated."""
    if game.hooks.does("380"):
        return []
    cards = game.zone_cards(Zone.HAND, player)
    return [Granted(a, t, t) for t in cards for a in t.card.abilities if isinstance(a, Activated)]


EACH = {"Equip": "818.4", "Empower": "827.3"}
"""Keywords of which every instance is an activated ability of its own."""


__all__ = [
    "begin_ability",
    "begin_card",
    "finalize",
    "narrowed",
    "playable_ways",
    "put_on_chain",
    "timing_refusal",
    "usable_abilities",
    "why_not_play",
    "why_not_use",
]
