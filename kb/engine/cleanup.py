"""Cleanups as their numbered steps (318-324), and the special cleanups of combat and of the end of a turn.

Each step looks at the state and mends it; a cleanup in which something changed is followed by another (322).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.engine import actions
from kb.engine.actions import NOBODY
from kb.engine.asking import Ask, Flow, Option
from kb.engine.events import see_mighty
from kb.engine.state import Happening, Lasting, Step, Thing
from kb.engine.zones import Zone

if TYPE_CHECKING:
    from kb.engine.game import Game


def cleanup(game: Game, special: str = "") -> Flow[None]:
    """323: the steps in order; ``special`` is "combat" (466.1) or "ending" (317.2), with its inserted steps."""
    game.cleanup_due = False
    if game.pending():
        game.outstanding |= {"334.2.a", "354.4"}
    if any("gear" in t.card.types and game.is_unit(t) for b in game.state.battlefields for t in game.units_at(b)):
        game.outstanding.add("178.1.a.1.a")
    reasons = " ".join(sorted(game.outstanding - {""}))
    game.cleaning = True
    game.outstanding.clear()
    title = {"combat": "Combat Cleanup", "ending": "Ending Cleanup"}.get(special, "Cleanup")
    rule = {"combat": "466.1.a 324.1", "ending": "317.2.a 324.1"}.get(special, f"323 {reasons}")
    with game.trace.step(rule, "{}", title):
        declare(game)
        yield from designations(game)
        yield from see_mighty(game)
        yield from lethal_units(game)
        yield from early(game)
        if special == "combat":
            yield from combat_steps(game)
        if special == "ending":
            yield from ending_steps(game)
        yield from see_mighty(game)
        lose_control(game)
        yield from corrective_recalls(game)
        stage(game)
        unstage(game)
        yield from begin_struggle(game)
    if game.cleanup_due:
        game.outstanding.add("322.1")
        game.outstanding.add("324.2" if special else "")
    game.cleanup_due = game.cleanup_due and game.hooks.does("322.1")
    game.cleaning = False
    game.recent_damage.clear()
    prune(game)
    tidy_trace(game)


def early(game: Game) -> Flow[None]:
    """No Chain Item is finalized in the middle of a Cleanup."""
    from kb.engine.playing import finalize

    while game.pending() and not game.hooks.does("320 334.1"):
        yield from finalize(game, game.pending()[0])


def tidy_trace(game: Game) -> None:
    """A cleanup that found nothing to do is left out of the trace."""
    children = game.trace.stack[-1].children
    if children and not children[-1].children and children[-1].rules[:1] == ("323",):
        children.pop()


VICTORY = {
    "duel": "485.3 485.6",
    "match": "486.3 486.6",
    "ffa3": "487.3 487.6",
    "ffa4": "488.3 488.6",
    "2v2": "489.3 489.6",
}
"""Mode -> the rules on its Victory Score, which whoever reaches first wins."""


def leader(game: Game) -> str | None:
    """The player with at least the Victory Score and more points than any opponent (194.2)."""
    score = game.hooks.count("194.3 483.3.a", game.hooks.count(VICTORY[game.state.mode], game.state.victory_score))
    for player in game.players_in_order():
        points = game.player(player).points
        ahead = all(points > game.player(o).points for o in game.opponents(player))
        if game.hooks.holds("472", points >= score) and game.hooks.holds("194.2", ahead):
            return player
    return None


def declare(game: Game) -> None:
    """Step 1 (323.1)."""
    from kb.engine.decks import declare_winner
    from kb.engine.turn import mode_rule

    winner = leader(game)
    score = game.state.victory_score
    reached = sum(game.player(p).points >= score for p in game.players_in_order())
    if winner is None:
        if reached:
            game.note("194.2.b", "nobody is ahead at the Victory Score, so play goes on")
            if not game.hooks.does("194.2.b"):
                declare_winner(game, next(p for p in game.players_in_order() if game.player(p).points >= score))
        return
    if not game.hooks.does("323.1"):
        return
    ahead = " 194.2.a" if reached > 1 else ""
    ahead += " 194.3.a" if score != 8 else ""
    mode = mode_rule(game)
    shared = " 489.6.a.3 489.8.d.1 489.8.d.2" if game.teammates(winner) else ""
    game.note(
        f"323.1 194.2 472{ahead} {mode}.3 {mode}.6{shared}",
        "{} has the Victory Score and the most points, and wins",
        winner,
    )
    declare_winner(game, winner)


def designations(game: Game) -> Flow[None]:
    """Step 2 (323.2): Attacker and Defender designations follow the units at the battlefield of the combat."""
    from kb.engine.struggle import designate

    struggle = game.state.struggle
    if struggle is None or not struggle.combat or struggle.step is Step.OPENING:
        return
    yield from designate(game, struggle)


def lethal_units(game: Game) -> Flow[None]:
    """Steps 3a and 3b (323.4-323.5): units with lethal damage are killed, their own triggers first."""
    marked = game.hooks.does("142.4.b")
    units = [t for t in game.state.board.values() if (t.damage or not marked) and t.zone is not Zone.FACEDOWN]
    units = [t for t in units if game.is_unit(t)]
    dying = [t for t in units if actions.lethal(game, t)]
    if dying and game.hooks.does("323.5"):
        yield from actions.kill(game, dying, NOBODY, "323.5 428.1.a.2 142.4.a 142.4.b 143.2.a", passive=True)


def combat_steps(game: Game) -> Flow[None]:
    """Inserted 3c and 3d of a Combat Cleanup (466.1.a.1-2): heal all units, recall attackers if defenders remain."""
    struggle = game.state.struggle
    assert struggle is not None
    if game.hooks.does("466.1.a.1"):
        yield from actions.heal(
            game, [t for t in list(game.state.board.values()) if t.damage], NOBODY, "466.1.a.1 143.3.b.2 142.5"
        )
    where = struggle.battlefield
    units = game.units_at(where)
    attackers = [u for u in units if u.attacks]
    defenders = [u for u in units if u.defends]
    struggle.recalled = False
    if attackers and game.hooks.holds("466.1.a.2", bool(defenders)):
        group = game.hooks.actor("466.1.a.2", attackers, defenders)
        group = game.hooks.options("466.1.a.2", group, [*attackers, *defenders])
        game.note("466.1.a.2", "attackers are recalled, as defenders are still present")
        yield from actions.recall(game, group, NOBODY, "466.1.a.2 455")
        struggle.recalled = True


def ending_steps(game: Game) -> Flow[None]:
    """Inserted 3c to 3e of the Ending Cleanup (317.2.b-d): heal, "this turn" effects expire, Rune Pools empty."""
    if game.hooks.does("317.2.b"):
        yield from actions.heal(
            game, [t for t in list(game.state.board.values()) if t.damage], NOBODY, "317.2.b 143.3.b.1 142.5"
        )
    if game.hooks.does("317.2.c"):
        expire(game, "turn")
    if game.hooks.does("317.2.d"):
        empty_pools(game, "317.2.d")


def expire(game: Game, until: str) -> None:
    """All effects of a duration end at once, Stunned among those of a turn (317.2.c, 423.1.a.2, 466.7.c)."""
    from kb.engine.instructions import end_control

    ended = [e for e in game.state.lasting if e.until == until]
    if until == "turn":
        ended += [e for e in game.state.lasting if e.until == "next turn" and e.turn < game.state.turn]
        stunned = [t for t in game.state.board.values() if t.stunned]
        if stunned and game.hooks.does("423.1.a.2"):
            for thing in stunned:
                thing.stunned = False
                game.note("423.1.a.2", "{} is no longer Stunned", thing)
    game.state.lasting = [e for e in game.state.lasting if e not in ended]
    for effect in ended:
        if effect.gain_control:
            end_control(game, effect)
    if ended:
        game.note("317.2.c" if until == "turn" else "466.7.c", "effects of this {} expire", until)
        game.touch()


def empty_pools(game: Game, rule: str) -> None:
    """Every player's Rune Pool empties; unspent resources are lost (167)."""
    if not game.hooks.does("167"):
        return
    for player in game.state.players.values():
        if player.energy or any(player.power.values()) or player.restricted:
            game.note(f"{rule} 167 167.1", "the Rune Pool of {} empties", player.name)
            player.energy = 0
            player.power.clear()
            player.restricted = []


def lose_control(game: Game) -> None:
    """Step 4 (323.6): control of a battlefield without one's units is lost, in an Open State with no struggle."""
    if not game.hooks.holds("190.4.c", not game.closed):
        return
    for ident in game.state.battlefields:
        battlefield = game.state.things[ident]
        owner = battlefield.controller
        if owner is None or game.units_at(ident, owner):
            continue
        if game.struggle_at(ident) is not None:
            game.note("190.4.b", "{} keeps control of {} while it is fought over", owner, battlefield)
            continue
        if game.hooks.does("323.6"):
            battlefield.controller = None
            game.note("323.6 190.4.c", "{} loses control of {}", owner, battlefield)
            game.touch()


def corrective_recalls(game: Game) -> Flow[None]:
    """Step 5 (323.7): gear, runes and permanents in the wrong place go home; hidden cards of others are removed."""
    wrong = []
    for thing in list(game.state.board.values()):
        if thing.zone is Zone.BATTLEFIELD and "battlefield" not in thing.card.types:
            stays = game.is_unit(thing) and ("gear" not in thing.card.types or game.hooks.does("178.1.a.1.a"))
            if not stays and not thing.attached_to and game.hooks.does("152.2 457.1"):
                wrong.append(thing)
        elif thing.zone is Zone.BASE and thing.controller is not None and thing.base != thing.controller:
            if not thing.attached_to:
                wrong.append(thing)
    if wrong and game.hooks.does("323.7"):
        gear = {t.id for t in wrong if t.zone is Zone.BATTLEFIELD and "gear" in t.card.types}

        def rules(event: Happening) -> str:
            return "323.7 457.1 435.4.a 149.3" if event.thing is not None and event.thing.id in gear else "323.7"

        yield from actions.recall(game, wrong, NOBODY, rules)
    remove_hidden(game, "323.7")
    yield from remove_excess(game)


def remove_excess(game: Game) -> Flow[None]:
    """107.3.b.2: where more cards are hidden than there is room for, the controller picks which go to the trash."""
    for ident in game.state.battlefields:
        battlefield = game.state.things[ident]
        hidden = game.facedown_at(ident)
        excess = len(hidden) - 1 - sum(1 for _ in game.rules("facedown capacity", battlefield))
        if excess <= 0 or battlefield.controller is None:
            continue
        answer = yield Ask(
            battlefield.controller,
            "choose",
            game.labelled(hidden),
            excess,
            excess,
            about=f"the hidden cards at {game.label(battlefield)} that go to the trash",
            rule="107.3.b.2",
        )
        for option in answer:
            assert isinstance(option.value, Thing)
            gone = game.change_zone(option.value, Zone.TRASH)
            game.note("107.3.b.2", "{} no longer has room at {}", gone, battlefield)


def remove_hidden(game: Game, rule: str, only: int | None = None) -> None:
    """Hidden cards at battlefields that their player does not control go to their owners' trash (107.3.d)."""
    for thing in list(game.state.board.values()):
        if thing.zone is not Zone.FACEDOWN or (only is not None and thing.battlefield != only):
            continue
        if thing.controller != game.state.things[thing.battlefield].controller and game.hooks.does("107.3.d"):
            where = thing.battlefield
            game.change_zone(thing, Zone.TRASH)
            game.note(f"{rule} 107.3.d 421.4", "the card hidden at {} is removed and revealed as {}", where, thing)


def stage(game: Game) -> None:
    """Steps 6 to 7a (323.8-323.10): Showdowns and Combats become staged, or cease to be."""
    for ident in game.state.battlefields:
        battlefield = game.state.things[ident]
        contester = battlefield.contested_by
        struggle = game.struggle_at(ident)
        present = game.unit_players(ident)
        stays = contester in present and game.hooks.does("323.8.a")
        showdown = contester is not None and stays and struggle is None
        if showdown and not battlefield.staged_showdown:
            game.note("323.8 323.8.a", "a Showdown is staged at {}", battlefield)
        battlefield.staged_showdown = showdown and game.hooks.does("323.8")
        opposed = any(game.enemies(a, b) for a in present for b in present)
        combat = contester is not None and opposed and not (struggle is not None and struggle.combat)
        ceases = game.hooks.does("323.10") and game.hooks.does("461.2") and game.hooks.does("323.9.a")
        combat = combat or (battlefield.staged_combat and struggle is None and not ceases)
        if combat and not battlefield.staged_combat:
            game.note("323.9 323.9.a", "a Combat is staged at {}", battlefield)
        elif battlefield.staged_combat and not combat and struggle is None:
            game.note("323.10 461.2", "the Combat at {} ceases to be staged", battlefield)
        battlefield.staged_combat = combat and game.hooks.does("323.9")


def unstage(game: Game) -> None:
    """Step 8 (323.11): Contested is removed where its player has no units and nothing is ongoing."""
    for ident in game.state.battlefields:
        battlefield = game.state.things[ident]
        contester = battlefield.contested_by
        fought = game.hooks.holds("190.3.b", game.struggle_at(ident) is not None)
        if contester is None or fought or game.units_at(ident, contester):
            continue
        if not game.hooks.does("323.11"):
            continue
        battlefield.contested_by = None
        game.note("323.11 190.3.b.1", "{} is no longer Contested", battlefield)
        game.touch()
        for player in game.unit_players(ident):
            if game.hooks.value("323.11.a", True, player == game.state.turn_player):
                actions.apply_contested(game, ident, player, "323.11.a")


def begin_struggle(game: Game) -> Flow[None]:
    """Steps 9 to 10a (323.12-323.14): a staged Showdown begins, then a staged Combat; an open one becomes a Combat."""
    from kb.engine.struggle import begin, turn_into_combat

    if game.state.over:
        return
    struggle = game.state.struggle
    if struggle is not None:
        battlefield = game.state.things[struggle.battlefield]
        if not struggle.combat and struggle.step is Step.SHOWDOWN and battlefield.staged_combat and not game.closed:
            yield from turn_into_combat(game, struggle)
            return
    busy = struggle is not None or game.closed or bool(game.pending())
    staged = [game.state.things[b] for b in game.state.battlefields if game.state.things[b].staged_showdown]
    alone = [b for b in staged if not b.staged_combat]
    combats = [game.state.things[b] for b in game.state.battlefields if game.state.things[b].staged_combat]
    alone = [] if struggle is not None or game.hooks.holds("323.12", busy) else alone
    combats = [] if game.hooks.holds("323.13", busy) else combats
    first, second = game.hooks.order("323.12", [("323.12", alone), ("323.13", combats)])
    for rule, places in (first, second):
        if places:
            place = yield from choose_battlefield(game, places, rule)
            yield from begin(game, place, combat=rule == "323.13")
            return


def choose_battlefield(game: Game, places: list[Thing], rule: str) -> Flow[Thing]:
    """The turn player picks which staged Showdown or Combat begins (323.12, 323.13, 461.1)."""
    if len(places) == 1:
        return places[0]
    turn_player = game.hooks.actor(rule, game.state.turn_player, game.next_player(game.state.turn_player))
    (answer,) = yield Ask(
        turn_player,
        "battlefield",
        tuple(Option(game.label(b), b) for b in places),
        about="where a Showdown begins" if rule == "323.12" else "where a Combat begins",
        rule=rule if rule == "323.12" else f"{rule} 461.1",
    )
    value = answer.value
    assert isinstance(value, Thing)
    return value


def window_open(game: Game, effect: Lasting) -> bool:
    """A linked ability without a window of time lasts while what it is linked to is in its zone (390.5)."""
    if effect.ability is None or effect.until != "permanent":
        return True
    game.trace.cite("390.5")
    bound = [t for value in effect.bindings.values() for t in (value if isinstance(value, list) else [value])]
    if any(isinstance(t, Thing) and not t.on_board for t in bound):
        return game.hooks.does("390.5.c.1") and game.hooks.value("390.5.c.1", True, effect.turn == game.state.turn)
    now = effect.turn == game.state.turn
    return game.hooks.does("390.5.a 390.5.c.2") and game.hooks.value("390.5.a 390.5.c.2", True, now)


def prune(game: Game) -> None:
    """Lasting effects whose object or source is gone end with it."""
    from kb.engine.instructions import end_control

    kept, given_back = [], []
    for effect in game.state.lasting:
        source = effect.source
        ends = effect.until == "source" and (source is None or source.gone)
        if game.hooks.holds("390.5.b", ends) if effect.until == "source" else not window_open(game, effect):
            if effect.gain_control:
                given_back.append(effect)
            game.touch()
            continue
        if effect.ids and not any(i in game.state.board for i in effect.ids):
            continue
        if effect.remaining == 0:
            continue
        if (
            effect.ability is not None
            and int(getattr(effect.ability, "limit", 0))
            and effect.uses >= int(getattr(effect.ability, "limit", 0))
        ):
            continue
        kept.append(effect)
    game.state.lasting = kept
    for effect in given_back:
        end_control(game, effect)
