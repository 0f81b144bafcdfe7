"""Applied costs (204.4): costs that a passive ability puts on a game action, paid as it is performed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.cards.phrases import Noun
from kb.cards.syntax import AdditionalCost
from kb.engine.asking import Flow
from kb.engine.costs import Total, demands, pay_resources, plan_payment
from kb.engine.filters import is_at, matches
from kb.engine.state import Location, Thing

if TYPE_CHECKING:
    from kb.engine.game import Game


def applied_total(game: Game, player: str, where: Location, units: list[Thing]) -> Total:
    """What moving these units there together costs on top of exhausting them."""
    total = Total()
    for granted in game.index().get(AdditionalCost, []):
        ability = granted.ability
        if not isinstance(ability, AdditionalCost) or ability.action != "move" or not isinstance(ability.of, Noun):
            continue
        context = game.context(granted.me, this=granted.this)
        if ability.to is not None and not is_at(where, ability.to, context):
            continue
        count = len([u for u in units if matches(u, ability.of, context)])
        times = max(0, count - ability.each_beyond) if ability.each_beyond else min(1, count)
        if times and game.hooks.does("204.4.a"):
            energy, power = demands(ability.cost.resources, (), context)
            total.energy += energy * times
            total.power += power * times
            game.happened.add(id(ability.cost))
    return total


def pay_applied(game: Game, player: str, where: Location, units: list[Thing]) -> Flow[bool]:
    """204.4.b: paid as the action is performed, off the chain; without it the action is not performed (204.4.c)."""
    total = applied_total(game, player, where, units)
    if total.free:
        return True
    if plan_payment(game, player, total, None) is None:
        return False
    game.note("204.4.b 204.4.a 204.4.b.1", "{} pays an applied cost of {} Power", player, str(len(total.power)))
    return (yield from pay_resources(game, player, total, None, frozenset()))
