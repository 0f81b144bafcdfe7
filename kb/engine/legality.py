"""What may be done and why not: timing, places, prohibitions and permissions (054, 308-313, 355.2, 358, 447, 806-822).

The one place that decides legality. Each ``why_not_...`` returns None where the act is legal, else a
:class:`~kb.engine.asking.Refusal` with the rule; the options offered and the actions refused both come from here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kb.cards.phrases import Ref
from kb.cards.syntax import Activated, Forbid, Permit
from kb.engine.asking import Refusal
from kb.engine.filters import Context, is_at, matches, matches_item, matches_kind, resolve
from kb.engine.keywords import keyword_abilities
from kb.engine.layers import Granted, printed
from kb.engine.state import ChainItem, Location, PlayTerms, Thing
from kb.engine.zones import BOARD, Zone

if TYPE_CHECKING:
    from kb.engine.game import Game


# prohibitions and permissions in force


def elsewhere(game: Game) -> list[Granted]:
    """None: passive abilities of permanents do nothing where these are not on the Board."""
    zones = [] if game.hooks.does("365.1") else [Zone.HAND]
    zones += [Zone.TRASH] if game.hooks.holds("365.1", False) else []
    cards = [t for zone in zones for t in game.zone_cards(zone, None)]
    return [Granted(a, t, t) for t in cards for a in t.card.abilities if isinstance(a, Forbid)]


def forbids(game: Game) -> Iterator[tuple[Forbid, Context]]:
    """Every prohibition in force (054)."""
    for granted in [*game.index().get(Forbid, []), *elsewhere(game)]:
        ability = granted.ability
        if isinstance(ability, Forbid):
            context = game.context(granted.me, this=granted.this)
            if game.active(ability.dependent, context):
                yield ability, context
    for effect in game.state.lasting:
        if isinstance(effect.ability, Forbid):
            context = game.lasting_context(effect)
            if game.active(effect.ability.dependent, context):
                yield effect.ability, context


def forbidden(
    game: Game,
    action: str,
    *,
    thing: Thing | None = None,
    who: str | None = None,
    item: ChainItem | None = None,
    origin: Location | None = None,
    to: Location | None = None,
) -> Refusal | None:
    """The prohibition that stops an action, if there is one (054.1, "can't" beats "can")."""
    for forbid, context in forbids(game):
        if forbid.action != action:
            continue
        if context.me is not None and "legend" in context.me.card.types and context.you is not None:
            if not game.hooks.does("174.6"):
                continue
            context = game.hooks.actor("174.6", context, replace(context, you=game.next_player(context.you)))
        if forbid.what is not None and thing is not None and not affects(game, forbid, thing, context):
            continue
        actor = who if who is not None else item.controller if item is not None else None
        if not covers(game, forbid.who, actor, item, context):
            continue
        if forbid.using is not None and (
            item is None or not matches_item(item, forbid.using, replace(context, item=None))
        ):
            continue
        if forbid.unless == "action" and actor is not None and timing_refusal(game, actor, True, False) is None:
            continue
        if forbid.origin is not None and not is_at(origin, forbid.origin, context):
            continue
        if forbid.to is not None and not is_at(to, forbid.to, context):
            continue
        if game.hooks.does("054.1"):
            game.happened.add(id(forbid))
            source = game.label(context.this or context.me)
            types = context.me.card.types if context.me is not None else ()
            more = " 170.8" if "battlefield" in types else " 174.6" if "legend" in types else ""
            return Refusal(f"054.1{more}", f"{source} forbids it")
    return None


def affects(game: Game, forbid: Forbid, thing: Thing, context: Context) -> bool:
    what = forbid.what
    if isinstance(what, Ref):
        return any(x is thing for x in resolve(what, context))
    assert what is not None
    if thing.zone not in BOARD:
        return matches_kind(thing, what.kinds, context) or any(k in thing.card.types for k in what.kinds)
    return matches(thing, what, context)


def covers(game: Game, who: str, actor: str | None, item: ChainItem | None, context: Context) -> bool:
    """Whom a prohibition binds: anyone, ``opponents`` or ``enemy`` of its controller, ``you``, spells and abilities."""
    match who:
        case "":
            return True
        case "spells and abilities":
            return item is not None
        case "opponents" | "enemy":
            return actor is not None and context.you is not None and game.enemies(actor, context.you)
        case "you":
            return actor is not None and actor == context.you
        case _:
            return True


def permits(game: Game) -> Iterator[tuple[Permit, Context]]:
    """Every permission on the board in force."""
    for granted in game.index().get(Permit, []):
        ability = granted.ability
        if isinstance(ability, Permit):
            context = game.context(granted.me, this=granted.this)
            if game.active(ability.dependent, context):
                yield ability, context
    for effect in game.state.lasting:
        if isinstance(effect.ability, Permit):
            yield effect.ability, game.lasting_context(effect)


def permits_many(game: Game, thing: Thing, action: str) -> bool:
    """Whether an object may have any number of buffs, or be Empowered again (426.1.b.2)."""
    for permit, context in permits(game):
        if permit.action == action and (permit.what is None or game.fits(thing, permit.what, context)):
            if permit.what is None and context.me is not thing:
                continue
            game.happened.add(id(permit))
            return True
    return False


# movement


def why_not_move(game: Game, thing: Thing, where: Location) -> Refusal | None:
    """Why a permanent may not move somewhere by any means (447.2, 449.2, 462, prohibitions)."""
    stop = forbidden(game, "move", thing=thing, origin=thing.location, to=where)
    if stop is not None:
        return stop
    if isinstance(where, int) and thing.controller is not None and game.is_unit(thing):
        return why_not_present(game, thing.controller, where)
    return None


def why_not_present(game: Game, player: str, where: int) -> Refusal | None:
    """Why a player's units may not become present at a battlefield (447.2.a, 447.2.b, 449.2, 462)."""
    others = {u.controller for u in game.units_at(where)} - {player, None}
    if game.hooks.holds("447.2.b", any(o is not None and not game.enemies(o, player) for o in others)):
        return Refusal("447.2.b", "a teammate's units are there")
    if len(others) >= 2:
        return Refusal("449.2 144.4.a.1", "units of two other players are there")
    if combat_of_others(game, player, where):
        return Refusal("447.2.a 462.1 462.3 144.4.a.1", "a combat of other players is staged or in progress there")
    return None


def why_not_control(game: Game, player: str, thing: Thing) -> Refusal | None:
    """Why a player may not gain control of a unit where it is: no third player there or in a combat (358.3, 462.3)."""
    where = thing.location
    if not isinstance(where, int) or not game.is_unit(thing) or not game.hooks.does("358.3"):
        return None
    others = {u.controller for u in game.units_at(where) if u is not thing} - {player, None}
    if len(others) >= 2:
        return Refusal("358.3", "units of two other players are there")
    if combat_of_others(game, player, where):
        return Refusal("358.3 462.3", "a combat of other players is staged or in progress there")
    return None


def combat_of_others(game: Game, player: str, where: int) -> bool:
    """Whether a combat is staged or in progress at a battlefield in which a player has no part (462)."""
    struggle = game.struggle_at(where)
    staged = game.state.things[where].staged_combat or (struggle is not None and struggle.combat)
    parties = (struggle.attacker, struggle.defender) if struggle is not None and struggle.combat else ()
    return staged and player not in parties and not game.units_at(where, player)


def why_not_standard_move(game: Game, unit: Thing, where: Location, player: str) -> Refusal | None:
    """Why a unit's Standard Move may not go somewhere (144, 410.1, 810)."""
    refusal = why_not_begin_standard_move(game, unit, player)
    if refusal is not None:
        return refusal
    if unit.location == where:
        return Refusal("420.1", "it is there already")
    if isinstance(where, str):
        if where != player:
            return Refusal("144.4.b", "a unit moves to its own base")
    elif isinstance(unit.location, int):
        if not game.hooks.holds("810.1.b", game.has(unit, "Ganking")) and not freed(game, unit, where):
            return Refusal("144.4.c 144.4.c.1", "only a unit with Ganking moves from battlefield to battlefield")
    return why_not_move(game, unit, where)


def freed(game: Game, unit: Thing, where: int) -> bool:
    """Whether a permission lets a unit move there from any location."""
    for permit, context in permits(game):
        if permit.action == "move" and permit.to is not None and is_at(where, permit.to, context):
            if moves_too(game, unit, permit, context):
                game.happened.add(id(permit))
                return True
    return False


def moves_too(game: Game, unit: Thing, permit: Permit, context: Context) -> bool:
    return permit.what is None or game.fits(unit, permit.what, context)


def why_not_begin_standard_move(game: Game, unit: Thing, player: str) -> Refusal | None:
    """Why a unit may not use its Standard Move now at all."""
    state = game.state
    if unit.on_board and unit.attached_to:
        return Refusal("718.5.c", "attached cards do not move on their own")
    if not unit.on_board or not game.is_unit(unit):
        return Refusal("144", "it is not a unit on the board")
    if unit.controller != player:
        rule = "489.8.c.2" if unit.controller and not game.enemies(unit.controller, player) else "144"
        return Refusal(rule, "the player does not control it")
    if state.turn_player != player or state.phase != "main":
        return Refusal("144.1.a", "a Standard Move is made in the player's own Main Phase")
    if game.closed:
        return Refusal("144.1.b", "not during a Closed State")
    if game.showdown:
        return Refusal("144.1.c", "not during a Showdown or Combat")
    if unit.exhausted:
        return Refusal("144.2", "it is exhausted, and exhausting it is the cost")
    return None


# timing


def timing_refusal(game: Game, player: str, action: bool, reaction: bool) -> Refusal | None:
    """Why nothing of this timing may be played now (308-313, 338.1.a, 347, 358.4)."""
    state = game.state
    if game.closed:
        if not game.hooks.holds("309.1.a", reaction):
            return Refusal("309.1.a 358.4", "only Reactions can be played in a Closed State")
        return None
    if game.showdown:
        if not game.hooks.holds("308.1.a", action or (reaction and game.hooks.does("813.1.b"))):
            return Refusal("308.1.a 358.4", "only Actions and Reactions can be played in a Showdown State")
        struggle = state.struggle
        if struggle is not None and struggle.focus != player:
            return Refusal("313.1 358.4", "the player does not have Focus")
        return None
    if state.turn_player != player and state.invited != player:
        mate = player in game.teammates(state.turn_player)
        rule = "310.1.a 358.4" + (" 316.5.b.1 489.8.a" if mate else "")
        return Refusal(rule, "only the turn player acts in a Neutral Open State, or a teammate whom they invite")
    if state.phase != "main":
        return Refusal("316.5.a", "discretionary actions are taken in the Main Phase")
    return None


def timed(refusal: Refusal | None, closed: str, showdown: str) -> Refusal | None:
    """A refusal for its timing, with the rules for what is refused: a card or an ability (331.1, 343.1)."""
    if refusal is None:
        return None
    more = {"309.1.a": f"{closed} 338.1.a.6", "308.1.a": showdown}.get(refusal.rule.split()[0], "")
    return replace(refusal, rule=f"{refusal.rule} {more}".strip())


@dataclass(frozen=True)
class Way:
    """One way to play a card: from where, on what terms, at what timing."""

    key: str
    thing: Thing
    terms: PlayTerms
    reaction: bool = False
    hidden_at: int = 0
    rule: str = "419.1"


def ways_to_play(game: Game, player: str, thing: Thing) -> list[Way]:
    """The ways in which a player may try to play a card from where it is (419.1.a, 811, permissions)."""
    name = game.label(thing)
    if thing.zone is Zone.FACEDOWN and thing.controller == player:
        terms = PlayTerms(ignoring="cost", place=thing.battlefield)
        reaction = game.hooks.does("811.6 811.6.a")
        return [Way(f"{name} from hidden", thing, terms, reaction, thing.battlefield, "811.1.b")]
    if thing.owner != player:
        return granted_ways(game, player, thing)
    if game.hooks.holds("419.1.a", thing.zone in (Zone.HAND, Zone.CHAMPION)):
        normal = not printed(thing.card).has("Hidden") or game.hooks.does("811.3")
        terms, free = PlayTerms(), PlayTerms(ignoring="cost")
        if thing.zone is Zone.CHAMPION:
            terms = game.hooks.value("108.3.d", terms, free)
        if printed(thing.card).has("Hidden"):
            terms = game.hooks.value("811.3", terms, free)
        return [Way(name, thing, terms)] if normal else []
    return granted_ways(game, player, thing)


def granted_ways(game: Game, player: str, thing: Thing) -> list[Way]:
    """Ways that a card's own text or another effect opens from another zone (366.1, 829)."""
    found: list[Way] = []
    if thing.zone is not Zone.TRASH:
        return found
    context = game.context(thing, you=player)
    own = [a for a, _ in printed(thing.card).abilities]
    for use in printed(thing.card).keywords:
        own += keyword_abilities(use)
    for ability in own:
        if isinstance(ability, Permit) and ability.zone == "trash" and thing.owner == player:
            if game.active(ability.dependent, context):
                leaving = "banish" if ability.timing == "flow" else ""
                terms = PlayTerms(instead=ability.cost, leaving=leaving)
                rule = "829.1.b" if leaving else "366.1"
                again = f" {len(found) + 1}" if found else ""
                if again and not game.hooks.does("829.1.c.3"):
                    continue
                early = bool(leaving) and not game.hooks.does("829.1.b.2")
                found.append(Way(f"{game.label(thing)} from trash{again}", thing, terms, early, rule=rule))
    return found


def why_not_way(game: Game, player: str, way: Way) -> Refusal | None:
    """Why a card may not be played in this way now: timing and permissions (358.4)."""
    thing = way.thing
    card = thing.card
    traits = printed(card)
    if not traits.types & {"unit", "gear", "spell"}:
        return Refusal("350", "it is not a card that is played")
    if game.hooks.holds("316.5.b.1", game.state.invited == player and "spell" not in traits.types):
        return Refusal("316.5.b.1", "an invited teammate plays spells and activates abilities")
    reaction = (
        way.reaction
        or game.hooks.holds("813.1.c.1", traits.has("Reaction"))
        or game.hooks.holds("819.1.b", traits.has("Quick-Draw"))
    )
    if way.hidden_at:
        if not game.hooks.holds("811.1.b", thing.hidden_turn < game.state.turn):
            return Refusal("811.1.b", "a hidden card can be played beginning on the next turn")
    ambush = not reaction and traits.has("Ambush") and game.hooks.does("813.4.a")
    if ambush and ambush_places(game, player, thing):
        reaction = game.hooks.value("813.4.a", True, not game.closed)
    own = why_not_by_own_text(game, player, thing)
    if own is not None:
        return own
    from kb.engine.costs import granting

    action = game.hooks.holds("806.1.b 806.1.c.1", traits.has("Action"))
    if traits.has("Action") and not game.showdown and not game.hooks.does("806.2"):
        return Refusal("806.2", "it can be played in a Showdown alone")
    if traits.has("Reaction") and not game.closed and not game.showdown and not game.hooks.does("813.2"):
        return Refusal("813.2", "it can be played in a Closed State or a Showdown alone")
    refusal = timing_refusal(game, player, action, reaction)
    if refusal is not None and granting(game):
        granted = granted_timing(game, player, thing)
        refusal = timing_refusal(game, player, bool(granted & {"Action", "Reaction"}), "Reaction" in granted)
    if refusal is not None and "spell" not in traits.types:
        refusal = game.hooks.value("331.1.a", refusal, None) if game.closed else refusal
        refusal = game.hooks.value("343.1.a", refusal, None) if game.showdown else refusal
    return timed(refusal, "331.1.a 338.1.a.1", "343.1.a")


def granted_timing(game: Game, player: str, thing: Thing) -> set[str]:
    """Action and Reaction with what passives grant to a card as it is played (813.4)."""
    from kb.engine.costs import keywords_of

    traits = printed(thing.definition)
    item = ChainItem(0, player, "spell" if "spell" in traits.types else "permanent", thing)
    item.base_cost = (traits.energy, traits.power)
    names = {use.name for use in keywords_of(game, item)}
    return names | ({"Reaction"} if "Quick-Draw" in names else set())


def why_not_by_own_text(game: Game, player: str, thing: Thing) -> Refusal | None:
    """A prohibition in a card's own text on playing it holds in every zone from which it can be played (366.1)."""
    for ability, _ in printed(thing.card).abilities:
        if (
            isinstance(ability, Forbid)
            and ability.action == "play"
            and isinstance(ability.what, Ref)
            and ability.to is None
        ):
            context = game.context(thing, you=player)
            applies = ability.what.name in ("me", "this") and game.active(ability.dependent, context)
            if game.hooks.holds("366.1", applies):
                return Refusal("366.1 054.1", "its own text forbids playing it now")
    return None


def ambush_places(game: Game, player: str, thing: Thing) -> list[int]:
    """Battlefields to which Ambush lets a unit be played: where its player has units, or where it says (822)."""
    if thing.zone is not Zone.CHAIN and game.hooks.holds(
        "822.1.d", bool(forbidden(game, "ambush", thing=thing, who=player))
    ):
        return []
    places = [b for b in game.state.battlefields if game.hooks.holds("822.1.b", bool(game.units_at(b, player)))]
    context = game.context(thing, you=player)
    for ability in thing.card.abilities:
        if isinstance(ability, Permit) and ability.action == "ambush" and ability.to is not None:
            more = [b for b in game.state.battlefields if b not in places and is_at(b, ability.to, context)]
            game.happened.update([id(ability)] if more else [])
            places += more
    return places


# where units enter


def entry_places(game: Game, player: str, thing: Thing, terms: PlayTerms, by_reaction: bool = False) -> list[Location]:
    """Valid locations for a unit that is being played (355.2, 462.2, 811.1.d.1, 822)."""
    wanted = permitted_places(game, player, thing, terms)
    if not terms.anywhere and terms.place is None and needs_ambush(game, player, thing, by_reaction):
        wanted = [w for w in wanted if w in ambush_places(game, player, thing)]
    return [w for w in wanted if why_not_enter(game, player, thing, w) is None]


def permitted_places(game: Game, player: str, thing: Thing, terms: PlayTerms) -> list[Location]:
    """Where a unit may be played by default or by permission (355.2.a, 355.2.b), whatever stands against it."""
    if terms.place is not None:
        return [terms.place]
    wanted: list[Location]
    if terms.anywhere:
        wanted = list(terms.anywhere)
    else:
        wanted = [player]
        if printed(thing.definition).has("Reaction") and game.hooks.value("813.3.a", False, True):
            return wanted
        only = printed(thing.definition).has("Reaction") and not game.hooks.does("813.3.a")
        only = only or (printed(thing.definition).has("Action") and not game.hooks.does("806.3"))
        wanted += [b for b in game.state.battlefields if only and game.state.things[b].controller != player]
        wanted += [b for b in game.state.battlefields if game.state.things[b].controller == player]
        extra = [b for b in game.state.battlefields if b not in wanted and may_enter(game, player, thing, b)]
        wanted += extra
        if printed(thing.definition).has("Ambush") and game.hooks.value("822.1.c", False, True):
            return [*extra]
    return wanted


def needs_ambush(game: Game, player: str, thing: Thing, by_reaction: bool) -> bool:
    """Whether the unit is being played at a timing that only Ambush gives (822.1.b)."""
    from kb.engine.costs import granting

    traits = printed(thing.definition)
    if not traits.has("Ambush") or by_reaction:
        return False
    names = {name for name in ("Action", "Reaction") if traits.has(name)}
    if granting(game):
        names |= granted_timing(game, player, thing)
    closed = game.closed_before_play if thing.zone is Zone.CHAIN else game.closed
    if closed:
        return "Reaction" not in names
    if game.showdown:
        return not names & {"Action", "Reaction"}
    return not game.main_open and "Reaction" not in names


def why_not_location(game: Game, player: str, thing: Thing, terms: PlayTerms, where: Location) -> Refusal | None:
    """Why a unit may not be played to a location now."""
    if where in entry_places(game, player, thing, terms):
        return None
    if where in entry_places(game, player, thing, terms, by_reaction=True):
        return Refusal("358.4 822.1.b", "only Ambush lets it be played now, and not to there")
    invalid = Refusal("355.2.a", "it is no valid location")
    if where not in permitted_places(game, player, thing, terms):
        return invalid
    return why_not_enter(game, player, thing, where) or invalid


def may_enter(game: Game, player: str, thing: Thing, battlefield: int) -> bool:
    """Whether a permission makes a battlefield valid for a unit (355.2.b)."""
    context = game.context(thing, you=player)
    for ability in thing.definition.abilities:
        if (
            isinstance(ability, Permit)
            and ability.action == "play"
            and ability.to is not None
            and ability.zone == "board"
        ):
            if game.active(ability.dependent, context) and is_at(battlefield, ability.to, context):
                game.happened.add(id(ability))
                return True
    ambush = printed(thing.definition).has("Ambush") and game.hooks.does("822.1.c")
    if ambush and battlefield in ambush_places(game, player, thing):
        return True
    for permit, seen in permits(game):
        if permit.action != "play" or permit.to is None or seen.me is thing:
            continue
        if not is_at(battlefield, permit.to, seen) or permit.what is None or isinstance(permit.what, Ref):
            continue
        noun = permit.what
        friendly = seen.you is not None and not game.enemies(player, seen.you)
        if ("unit" in noun.kinds) and (noun.whose in ("", "friendly", "your")) and friendly:
            game.happened.add(id(permit))
            return True
    return False


def why_not_enter(game: Game, player: str, thing: Thing, where: Location) -> Refusal | None:
    """Why a unit may not be played to a location."""
    stop = forbidden(game, "play", thing=thing, who=player, to=where)
    if stop is not None:
        return stop
    if isinstance(where, int):
        return why_not_present(game, player, where)
    return None


# abilities and hiding


def why_not_activate(game: Game, player: str, granted: Granted) -> Refusal | None:
    """Why an activated ability may not be used now (378, 381, timing, its own condition)."""
    ability = granted.ability
    assert isinstance(ability, Activated)
    source = granted.me
    if source.controller != player:
        return Refusal("378", "the player does not control it")
    context = game.context(source, this=granted.this)
    if not game.active(ability.dependent, context):
        return Refusal("727.1.b", "the ability is inactive")
    from kb.engine.filters import holds

    met = holds(ability.only_if, context)
    if not game.hooks.holds("827.1.c.1" if ability.keyword == "Empower" else "410.1.b.1", met):
        return Refusal("377.2.b", "the condition on using it is not met")
    reaction = game.hooks.holds("813.1.c.2", ability.timing == "reaction")
    action = game.hooks.holds("806.1.c.2", ability.timing == "action")
    if ability.keyword in OWN_TIMING and not game.hooks.does(OWN_TIMING[ability.keyword]):
        action = reaction = False
    if ability.keyword in OWN_TIMING and game.hooks.value(OWN_TIMING[ability.keyword], False, True):
        reaction = True
    refusal = timing_refusal(game, player, action, reaction)
    if not ability.timing and not game.hooks.does("381"):
        refusal = None
    return timed(refusal, "331.1.b 338.1.a.1", "343.1.b")


OWN_TIMING = {"Equip": "818.1.c.5", "Empower": "827.1.c.4"}
"""Keywords whose ability may say itself when it can be activated."""


def why_not_hide(game: Game, player: str, thing: Thing, battlefield: int) -> Refusal | None:
    """Why a card may not be hidden at a battlefield (421, 811.1.b, 107.3)."""
    state = game.state
    if thing.zone not in (Zone.HAND, Zone.CHAMPION) or thing.owner != player:
        return Refusal("421.2.a", "only a card in hand or the Champion Zone can be hidden")
    if not printed(thing.card).has("Hidden"):
        return Refusal("811.1", "the card does not have Hidden")
    if game.showdown and not game.closed and state.turn_player == player:
        return Refusal("347 410.1.a", "in a Showdown one plays cards, activates abilities or passes")
    if state.turn_player != player or state.phase != "main" or game.closed or game.showdown:
        return Refusal("811.1.b", "hiding is done on one's own turn in an Open State")
    place = state.things[battlefield]
    if place.controller != player:
        rule = "489.8.c.1" if place.controller and not game.enemies(place.controller, player) else "107.3.c"
        return Refusal(rule, "the player does not control that battlefield")
    room = 1 + sum(1 for _ in game.rules("facedown capacity", place))
    if len(game.facedown_at(battlefield)) >= game.hooks.count("107.3.b", room):
        return Refusal("107.3.b", "a card is hidden there already")
    return forbidden(game, "hide", thing=thing, who=player, to=battlefield)


# targets


def untargetable(game: Game, thing: Thing, item: ChainItem) -> Refusal | None:
    """Why an object may not be chosen by a spell or ability (756-758)."""
    traits = game.traits(thing)
    if traits.untargetable and thing.controller is not None:
        for word in traits.untargetable:
            if word != "enemy" or game.enemies(thing.controller, item.controller):
                return Refusal("757 757.1", "it can't be chosen by this")
    stop = forbidden(game, "choose", thing=thing, item=item)
    game.trace.cite("757.1" if stop is not None else "")
    return Refusal("757.1", stop.why) if stop is not None and game.hooks.does("757.1") else None
