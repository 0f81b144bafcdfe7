"""Showdowns (341-348) and combats (459-466): opening, Focus, combat damage, result, control.

"Struggle" is this engine's word for either in progress. A Showdown is opened at a battlefield by a cleanup; a Combat
begins with one or turns an open one into its own (323.14, 464.1). Where 464.2.c.1.b and 464.2.d disagree on who has
Focus when a Showdown turns into a Combat, the engine follows 464.2.c.1.b, which speaks of that very case; the reading
``464.2.d`` can be chosen instead.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from kb.engine import actions
from kb.engine.actions import Cause, Hit
from kb.engine.asking import Ask, Flow
from kb.engine.events import happen
from kb.engine.filters import amount_of
from kb.engine.replacing import Candidate, amount_order, change_amount, changed_amount, use_up
from kb.engine.state import Happening, Step, Struggle, Thing

if TYPE_CHECKING:
    from kb.engine.game import Game


def begin(game: Game, battlefield: Thing, combat: bool) -> Flow[None]:
    """345, 464.1: a Showdown opens; the player who applied Contested gains Focus."""
    contester = battlefield.contested_by
    both = " 461.3" if combat and battlefield.staged_showdown else ""
    combat = combat and (not both or game.hooks.does("461.3"))
    battlefield.staged_showdown = battlefield.staged_combat = False
    kind = "Combat" if combat else "Showdown"
    with game.trace.step(
        f"323.13 464.1 452 344.1 316.7.a 316.7.d 316.7.f 316.8.a.1{both}" if combat else "323.12 345 451 344.2",
        "{} begins at {}",
        kind,
        game.label(battlefield),
    ):
        struggle = Struggle(battlefield.id, combat, step=Step.OPENING if combat else Step.SHOWDOWN)
        game.state.struggle = struggle
        game.touch()
        player = contester or game.state.turn_player
        if combat:
            yield from open_combat(game, struggle, converted=False)
        else:
            struggle.focus = game.hooks.actor("345", player, game.next_player(player))
            game.note("345 313.2", "{} gains Focus", struggle.focus)
            yield from happen(game, [Happening("showdown_begins", None, player, player, place=battlefield.id)], "344")


def turn_into_combat(game: Game, struggle: Struggle) -> Flow[None]:
    """323.14, 460.1: units of two opposing players at an open Showdown make it a Combat Showdown."""
    battlefield = game.state.things[struggle.battlefield]
    if not game.hooks.does("323.14"):
        return
    with game.trace.step(
        "323.14 464.2 460.1 452 344.1 316.8.b.1.a",
        "the Showdown at {} becomes a Combat Showdown",
        game.label(battlefield),
    ):
        battlefield.staged_combat = False
        struggle.combat = True
        struggle.step = Step.OPENING
        struggle.passed.clear()
        yield from open_combat(game, struggle, converted=game.hooks.value("316.8.b.1.a", True, False))


def open_combat(game: Game, struggle: Struggle, converted: bool) -> Flow[None]:
    """464.2: start of combat effects, Attacker and Defender, Focus, and the Combat Chain."""
    where = struggle.battlefield
    battlefield = game.state.things[where]
    attacker = battlefield.contested_by or game.state.turn_player
    others = [p for p in game.unit_players(where) if game.enemies(p, attacker)]
    defender = others[0] if others else None
    struggle.attacker = game.hooks.actor("464.2.c.1", attacker, defender)
    struggle.defender = game.hooks.actor("464.2.c.1", defender, attacker)
    game.note("464.2.c.1", "{} is the Attacker", struggle.attacker)
    game.note("464.2.c.2", "{} is the Defender", struggle.defender)
    focus_of_combat(game, struggle, converted)
    game.note("464.2.a", "start of combat effects, designations and the Combat Chain follow in this order")
    starts = [Happening("showdown_begins", None, attacker, attacker, place=where)] if not converted else []
    starts.append(Happening("combat_begins", None, attacker, attacker, place=where))
    yield from happen(game, starts, "464.2.b")
    yield from designate(game, struggle, opening=True)
    struggle.step = Step.SHOWDOWN
    game.touch()


def focus_of_combat(game: Game, struggle: Struggle, converted: bool) -> None:
    """Who has Focus: the Attacker (464.2.d), or after a Showdown turned into a Combat who had it (464.2.c.1.b)."""
    if converted and game.readings.get("464.2.d") != "attacker":
        game.note(
            "464.2.c.1.b",
            "{} keeps Focus (464.2.d read alone would give it to the Attacker)",
            struggle.focus or "nobody",
        )
        return
    if game.hooks.does("464.2.d"):
        struggle.focus = game.hooks.actor("464.2.d", struggle.attacker, struggle.defender)
        if not converted:
            struggle.focus = game.hooks.actor("464.2.c.1.a", struggle.focus, struggle.defender)
        rules = "464.2.d 313.2" if converted else "345 464.2.d 464.2.c.1.a 313.2"
        game.note(rules, "{} gains Focus", struggle.attacker)


def designate(game: Game, struggle: Struggle, opening: bool = False) -> Flow[None]:
    """323.2, 464.2.c.3: designations follow units; attack and defend triggers come once a combat (383.4.e.2.a)."""
    sides = {struggle.attacker: "attacker", struggle.defender: "defender"}
    here = game.units_at(struggle.battlefield)
    fresh: list[Thing] = []
    for thing in list(game.state.board.values()):
        wanted = sides.get(thing.controller, "") if thing in here and thing.controller else ""
        if thing.designation == wanted:
            continue
        if wanted and not opening and not (game.hooks.does("323.2.a") and game.hooks.does("464.2.c.3.a")):
            continue
        if thing.designation:
            game.note("323.2.b" if wanted else "323.2.c", "{} is no longer {}", thing, thing.designation.title())
        thing.designation = wanted
        game.touch()
        if wanted:
            fresh.append(thing)
    events = []
    rule = "464.2.c.3" if opening else "323.2.a 464.2.c.3.a"
    for thing in fresh:
        verb = game.hooks.actor("383.4.e", "attacks" if thing.attacks else "defends", "attacks")
        game.note(rule, "{} gains the {} designation", thing, thing.designation.title())
        if (thing.id, verb) in struggle.seen and game.hooks.does("383.4.e.2.a 383.4.f.2.a"):
            once = "383.4.e.2.a" if verb == "attacks" else "383.4.f.2.a"
            game.note(once, "{} had that designation before in this combat, so nothing triggers", thing)
            continue
        if not (game.hooks.does("383.4.e.2") if verb == "attacks" else game.hooks.does("383.4.f.2")):
            continue
        struggle.seen.add((thing.id, verb))
        events.append(
            Happening(
                verb,
                thing,
                thing.controller,
                thing.controller,
                place=struggle.battlefield,
                alone=game.is_alone(thing),
            )
        )
    for player, verb in ((struggle.attacker, "attacks"), (struggle.defender, "defends")):
        if opening and player is not None:
            events.append(Happening(verb, None, player, player, place=struggle.battlefield))
    if events:
        step, struggle.step = struggle.step, Step.OPENING
        yield from happen(game, events)
        struggle.step = step


def showdown_turn(game: Game) -> Flow[None]:
    """347-348: the player with Focus plays something or passes; once all have passed in sequence it closes."""
    from kb.engine.chain import act

    struggle = game.state.struggle
    assert struggle is not None
    if all_left_have_passed(game, struggle):
        yield from close(game, struggle)
        return
    holder = struggle.focus or game.state.turn_player
    holder = game.hooks.actor("335.1", holder, game.next_player(holder))
    game.state.priority = holder
    acted = yield from act(game, holder, "focus")
    if acted in ("acted", "add") and struggle.passed and game.hooks.does("348"):
        game.note("348", "the passes before it do not count any more")
        struggle.passed.clear()
    if acted != "pass":
        return
    struggle.passed.append(holder)
    game.note("347.2", "{} passes with Focus", holder)
    if game.hooks.holds("347.2.a", len(struggle.passed) >= len(game.players_in_order())):
        yield from close(game, struggle)
        return
    following = game.hooks.value("347.2.b", game.next_player(holder), game.state.turn_player)
    struggle.focus = game.hooks.actor("347.2.b", following, holder)
    game.note("347.2.b", "Focus passes to {}", struggle.focus)


def all_left_have_passed(game: Game, struggle: Struggle) -> bool:
    """652.5.b.2: whether the removal of a player leaves only players who have passed Focus in sequence."""
    gone = any(p.lost for p in game.state.players.values())
    struggle.passed = [p for p in struggle.passed if not game.player(p).lost]
    passed = bool(struggle.passed) and len(struggle.passed) >= len(game.players_in_order())
    if not game.hooks.holds("652.5.b.2", gone and passed):
        return False
    game.note("652.5.b.2", "all who are left have passed Focus")
    return True


def close(game: Game, struggle: Struggle) -> Flow[None]:
    """348: a Combat Showdown goes on with the steps of combat; another establishes control."""
    game.state.priority = None
    game.note("348 347.2.a 348.1" if struggle.combat else "348 347.2.a", "the Showdown closes")
    if struggle.combat:
        if game.hooks.does("348.1"):
            yield from combat_damage(game, struggle)
        if not game.hooks.does("465.3"):
            from kb.engine.chain import drain

            yield from drain(game)
        yield from resolution(game, struggle)
        return
    from kb.engine.scoring import conquer, establish_control

    if not game.hooks.does("143.3.b"):
        yield from actions.heal(game, game.units_at(struggle.battlefield))
    present = game.unit_players(struggle.battlefield)
    struggle.step = Step.CLOSING
    game.state.struggle = None
    game.touch()
    if len(present) == 1 and game.hooks.does("348.2.a"):
        game.state.things[struggle.battlefield].contested_by = None
        if establish_control(game, struggle.battlefield, present[0], "348.2.a"):
            yield from conquer(game, struggle.battlefield, present[0], " 348.2.a.1")


# combat damage


def combat_damage(game: Game, struggle: Struggle) -> Flow[None]:
    """465: both sides assign their summed Might, the Attacker first; then all of it is dealt at once."""
    struggle.step = Step.DAMAGE
    where = struggle.battlefield
    attackers = [u for u in game.units_at(where) if u.attacks]
    defenders = [u for u in game.units_at(where) if u.defends]
    if not attackers or not defenders:
        game.note("465.1", "no combat damage, as not both sides have units left")
    if attackers and defenders and game.hooks.does("465.1"):
        yield from both_deal(game, struggle, attackers, defenders)


def both_deal(game: Game, struggle: Struggle, attackers: list[Thing], defenders: list[Thing]) -> Flow[None]:
    """465.2: damage is assigned by the one side and the other, then dealt; no cleanup follows by itself (465.3)."""
    with game.trace.step("465.2 465.1", "Combat damage at {}", game.label(struggle.battlefield)):
        first = yield from assign(game, struggle.attacker or "", attackers, defenders)
        second = yield from assign(game, struggle.defender or "", defenders, attackers)
        hits = [*first, *second]
        if game.hooks.does("465.2.d"):
            yield from actions.deal(game, hits, "465.2.d 465.2.c.1.a")
        for hit in hits:
            recent = game.recent_damage.get(hit.target.id)
            if recent is not None:
                game.recent_damage[hit.target.id] = replace(recent, by=hit.cause.by, item=None, using=None)
    game.note("465.3", "nothing is finalized or executed before the Resolution Step")
    game.cleanup_due = False


def combat_might(game: Game, units: list[Thing]) -> int:
    """465.2.a-b: the summed Might of a side; stunned units and those that deal none contribute nothing (423.1.b)."""
    total = 0
    for unit in units:
        if game.hooks.holds("423.1.b", unit.stunned):
            game.note("423.1.b", "{} is stunned and contributes no damage", unit)
            continue
        if any(True for _ in game.rules("no combat damage", unit)):
            game.note("465.2.a", "{} deals no combat damage", unit)
            continue
        total += game.might(unit) if not unit.token or game.hooks.does("185.2.d") else 0
    return total


def assign(game: Game, player: str, own: list[Thing], enemy: list[Thing]) -> Flow[list[Hit]]:
    """465.2.c: assign damage unit by unit, each to lethal before the next, in the order that abilities demand."""
    left = combat_might(game, own)
    side = "465.2.a" if own and own[0].designation == "attacker" else "465.2.b"
    game.note(f"{side} 465.2.c 417.1.a", "{} assigns {} damage", player, str(left))
    source = next((u for u in own if not u.stunned), own[0])
    waiting = [u for u in enemy if game.hooks.holds("465.2.c.10", can_be_dealt(game, u))]
    for unit in enemy:
        if unit not in waiting:
            game.note("465.2.c.10", "{} can't be dealt damage and is left out", unit)
    roles: dict[int, str] = {}
    hits: list[Hit] = []
    while left > 0 and waiting:
        for unit in waiting:
            if unit.id not in roles:
                roles[unit.id] = role_of(game, player, unit)
        choices = game.hooks.options("465.2.c.6 465.2.c.2", next_in_line(waiting, roles), waiting)
        if len(choices) < len(waiting):
            more = line_rules(game, waiting, choices)
            game.note(f"465.2.c.2 465.2.c.6 {more}", "{} must be assigned damage before others", choices[0])
        unit = yield from choose_unit(game, player, choices, left)
        decide_roles(game, unit, waiting, roles)
        event = Happening("takes_damage", unit, unit.controller, player, None, source, unit.location, amount=left)
        order = yield from amount_order(game, event)
        due = lethal_due(game, unit, event, order)
        given = left if due is None else min(left, game.hooks.count("465.2.c.3", due))
        if len(waiting) == 1:
            given = left
        waiting.remove(unit)
        if unit.stunned and due is not None:
            game.note("423.1.c", "{} is stunned; lethal damage to it is still its whole Might", unit)
        dealt = modified(game, replace(event, amount=given), order)
        if dealt > given:
            game.note("465.2.c.4.a 465.2.c.5", "{} damage comes to {} as it is assigned", str(given), str(dealt))
        elif dealt < given:
            game.note("437.5.a 465.2.c.5", "of {} damage {} are left as it is assigned", str(given), str(dealt))
        hits.append(Hit(unit, dealt, source, Cause(player), assigned=True))
        game.note("465.2.c.3", "{} damage is assigned to {}", str(given), unit)
        left -= given
    return hits


def line_rules(game: Game, waiting: list[Thing], choices: list[Thing]) -> str:
    """Rules about Tank and Backline where some units must be assigned damage before others."""
    found: list[str] = []
    for name, rules, several, twice in (
        ("Tank", ("815.1.b", "815.1.c.1"), "815.1.c.2", "815.2"),
        ("Backline", ("826.3", "826.4.a"), "826.4.b", "826.5"),
    ):
        units = [u for u in waiting if game.has(u, name)]
        for unit in units:
            game.used_keyword(unit, name)
        found += rules if units else ()
        found += [several] if len(units) > 1 else []
        found += [twice] if any(sum(k.name == name for k in game.all_keywords(u)) > 1 for u in units) else []
    return " ".join(found)


def can_be_dealt(game: Game, unit: Thing) -> bool:
    """465.2.c.10: a unit that can't be dealt damage is left out of the assignment."""
    from kb.engine.legality import forbidden

    return forbidden(game, "take damage", thing=unit) is None


def role_of(game: Game, player: str, unit: Thing) -> str:
    """Tank and the like (first), Backline and the like (last), or either of both (465.2.c.8)."""
    ignored = ignores(game, player, unit)
    first = (game.has(unit, "Tank") and "Tank" not in ignored and game.hooks.does("815.1.b 815.1.c.2")) or any(
        True for _ in game.rules("assign first", unit)
    )
    last = (game.has(unit, "Backline") and "Backline" not in ignored and game.hooks.does("826.3")) or any(
        True for _ in game.rules("assign last", unit)
    )
    if first and last:
        return "either" if game.hooks.may("465.2.c.8", True) else "first"
    return "first" if first else "last" if last else ""


def decide_roles(game: Game, picked: Thing, waiting: list[Thing], roles: dict[int, str]) -> None:
    """465.2.c.8-9: a unit demanded both first and last is first by being picked while it can be; when a unit that is
    not first is picked instead, it is last. Each such unit is dealt with individually."""
    if roles[picked.id] == "either":
        several = sum(role == "either" for role in roles.values()) > 1
        rules = "465.2.c.8 465.2.c.9" if several else "465.2.c.8"
        game.note(rules, "{} is assigned damage first", picked)
        roles[picked.id] = "first"
    elif roles[picked.id] != "first":
        for unit in waiting:
            if roles[unit.id] == "either":
                game.note("465.2.c.8 465.2.c.9", "{} is assigned damage last", unit)
                roles[unit.id] = "last"


def ignores(game: Game, player: str, unit: Thing) -> set[str]:
    """Keywords that the assigning player ignores (764-767)."""
    found = set()
    for rule, context in game.rules("ignore keyword"):
        own = game.hooks.holds("767", context.you == player)
        if own and (context.here is None or context.here == unit.location) and game.hooks.does("765 766"):
            found.add(rule.keyword)
        game.trace.cite("765 766 767")
    return found


def next_in_line(waiting: list[Thing], roles: dict[int, str]) -> list[Thing]:
    """Units that may be assigned damage next (465.2.c.6-7)."""
    for group in ("first", ""):
        if any(roles[u.id] == group for u in waiting):
            return [u for u in waiting if roles[u.id] in (group, "either")]
    return waiting


def choose_unit(game: Game, player: str, choices: list[Thing], left: int) -> Flow[Thing]:
    """Units of the same priority are taken in any order that the assigning player likes (465.2.c.7)."""
    if len(choices) == 1 or not game.hooks.may("465.2.c.7", True):
        return choices[0]
    (answer,) = yield Ask(
        player,
        "assign",
        game.labelled(choices),
        about=f"the unit to assign damage to next ({left} left)",
        rule="465.2.c 465.2.c.7",
    )
    value = answer.value
    assert isinstance(value, Thing)
    return value


def lethal_due(game: Game, unit: Thing, event: Happening, order: list[Candidate]) -> int | None:
    """The least damage to assign so that it is lethal, with prevention and replacement counted in (465.2.c.4-5)."""
    whole = not unit.stunned or game.hooks.holds("423.1.c", True)
    game.trace.cite("465.2.c.4")
    need = max(1, game.might(unit) - unit.damage) if whole else 1
    for rule, context in game.rules("lethal", unit):
        value = amount_of(rule.value, context) or 1
        struggle = game.state.struggle
        foe = struggle.attacker if struggle is not None and unit.defends else None
        foe = foe if foe is not None or struggle is None else struggle.defender
        if context.you is not None and context.you == foe:
            need = min(need, value)
    for amount in range(1, 200):
        if comes_to(game, replace(event, amount=amount), order) >= need:
            return amount
    game.note("437.5.b", "no damage to {} is lethal", unit)
    return None


def comes_to(game: Game, event: Happening, order: list[Candidate]) -> int:
    """What assigned damage comes to after replacement effects, none of which is used up."""
    for candidate in order if game.hooks.does("437.5.a 465.2.c.5") else ():
        event = replace(event, amount=changed_amount(game, candidate, event))
    return event.amount


def modified(game: Game, event: Happening, order: list[Candidate]) -> int:
    """465.2.c.5: replacement effects on damage apply once, as it is assigned."""
    for candidate in order:
        if event.amount <= 0:
            break
        game.happened.add(id(candidate.ability))
        event = change_amount(game, candidate, event)
        use_up(game, candidate)
    return event.amount


# resolution


def resolution(game: Game, struggle: Struggle) -> Flow[None]:
    """466: Combat Cleanup, result, control, end; items on the chain are handled in between."""
    from kb.engine.chain import drain
    from kb.engine.cleanup import cleanup

    struggle.step = Step.RESOLUTION
    yield from cleanup(game, "combat")
    yield from drain(game)
    if game.state.struggle is not struggle:
        return
    game.note("466.2", "the chain is empty; the result of the combat is next")
    yield from determine_result(game, struggle)
    yield from drain(game)
    game.note("466.4", "the chain is empty; control is next")
    yield from establish(game, struggle)
    yield from drain(game)
    game.note("466.6", "the chain is empty; the combat ends next")
    yield from end_combat(game, struggle)


def determine_result(game: Game, struggle: Struggle) -> Flow[None]:
    """466.3: who has won and lost, or No Result."""
    where = struggle.battlefield
    remaining = [p for p in (struggle.attacker, struggle.defender) if p is not None and game.units_at(where, p)]
    events: list[Happening] = []
    parties = [p for p in (struggle.attacker, struggle.defender) if p is not None]
    if game.hooks.holds("466.3.d 740.3.a", struggle.recalled or len(remaining) != 1):
        tie = " 740.3.a" if struggle.recalled or len(remaining) == 2 else ""
        game.note(f"466.3.d{tie}", "the combat has No Result")
        if len(remaining) == 2:
            game.note("466.3.d.1", "a Showdown and a Combat are staged again")
            battlefield = game.state.things[where]
            battlefield.staged_showdown = battlefield.staged_combat = True
            struggle.step = Step.AGAIN
    else:
        winner = remaining[0]
        for player in parties:
            won = player == winner
            struggle.result[player] = "won" if won else "lost"
            verb = "wins_combat" if won else "loses_combat"
            events.append(Happening(verb, None, player, player, place=where))
            for unit in game.units_at(where, player) if won else []:
                events.append(Happening(verb, unit, player, player, place=where))
        game.note("466.3.a", "{} has won the combat", winner)
        for loser in parties:
            if loser != winner:
                game.note("466.3.b", "{} has lost the combat", loser)
    yield from happen(game, events, rules_of_result)


def rules_of_result(event: Happening) -> str:
    """Who has won or lost; units share the result of their controllers (466.3.c)."""
    if event.thing is not None:
        return "466.3.c"
    return "466.3.a" if event.verb == "wins_combat" else "466.3.b"


def establish(game: Game, struggle: Struggle) -> Flow[None]:
    """466.5: who has units left establishes control; Contested is cleared; others' hidden cards are removed."""
    from kb.engine.cleanup import remove_hidden
    from kb.engine.scoring import conquer, establish_control

    if struggle.step is Step.AGAIN:
        return
    where = struggle.battlefield
    battlefield = game.state.things[where]
    present = game.unit_players(where)
    gained: str | None = None
    if game.hooks.does("466.5.a"):
        if battlefield.contested_by is not None:
            game.note("466.5.a", "{} is no longer Contested", battlefield)
            if present and battlefield.contested_by not in present:
                game.note("466.5.e", "{}, who did not contest it, keeps or gains control", present[0])
        battlefield.contested_by = None
    if not present:
        if battlefield.controller is not None:
            game.note("466.5.b", "{} becomes uncontrolled", battlefield)
        if game.hooks.does("466.5.b"):
            battlefield.controller = None
            game.touch()
    elif game.hooks.does("466.5"):
        other = next((p for p in (struggle.attacker, struggle.defender) if p not in (None, present[0])), None)
        holder = game.hooks.actor("466.5", present[0], other or present[0])
        gained = holder if establish_control(game, where, holder, "466.5 466.5.d") else None
    if game.hooks.does("466.5.c"):
        remove_hidden(game, "466.5.c", where)
    if gained:
        yield from conquer(game, where, gained)


def end_combat(game: Game, struggle: Struggle) -> Flow[None]:
    """466.7: designations are removed, "this combat" effects expire."""
    from kb.engine.cleanup import expire

    game.note("466.7.a", "the combat ends; units and players lose their designations")
    for thing in game.state.board.values():
        if thing.designation:
            thing.designation = ""
    again = struggle.step is Step.AGAIN
    game.state.struggle = None
    game.touch()
    yield from happen(game, [Happening("combat_ends", None, struggle.attacker, place=struggle.battlefield)], "466.7.b")
    expire(game, "combat")
    if again:
        game.state.things[struggle.battlefield].staged_combat = True
