"""Further mutants of a rule, derived from the step that its place guards.

A hook in front of a step says whether the step is carried out, and can only be left out; a docstring that names a rule
can only have its function skipped. What the step itself says gives more: the *place* of a rule (:func:`places`) leads
to the statements that it guards, and those to the conditions, players, numbers and zones in them. Each is changed by
one of these operators:

- ``dropped``: one of several conditions is not asked (also one that a list is made with);
- ``never`` / ``always``: a condition inside the step is never or always met;
- ``wrong actor``: the next player in place of the one who is named;
- ``one less`` / ``one more``: a number or a bound is off by one;
- ``wrong zone``: another zone in place of the one that is named;
- ``omit``: one of several things that the step does is left out;
- ``in part``: one of several things that happen where the rule is left out happens alone;
- ``narrower``: all but the last of several are affected;
- ``swapped``: a statement and the one that follows it change places.

The nearest come first: the condition that the hook stands in, what the step is made of, then the definitions of the
names in it and the condition above it. What cannot make a difference is left out by general tests: branches that are
dead where no mutant is in force, conditions that only keep a value of another type away, statements that only annotate,
two statements of which one uses what the other makes. A changed condition is asked both ways in a run
(:func:`kb.verify.changing.watch`), so that one that comes out the same in all of them is seen to be no change.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

from kb.verify.changing import (
    BOUNDS,
    OTHER_ZONE,
    WATCH,
    Function,
    Parents,
    block_of,
    called,
    game_of,
    is_hook,
    parents_of,
    statement_around,
    unpacked,
)
from kb.verify.sites import (
    ANNOTATING,
    IN_PROSE,
    Site,
    annotates,
    asks_for_any,
    functions,
    guard_of,
    hooked_value,
    mutated,
    own_rules,
    parts,
    rules_named,
    trees,
)

PLAYERS = frozenset(
    "player who owner controller holder chooser performer you mate leader active turn_player focus attacker defender "
    "priority by they winner ahead first".split()
)
"""Names of variables and attributes that hold a player, where they hold one name and no object."""

TELLING = frozenset({"note", "add", "cite", "touch"})
"""Calls that only write the trace, or say that something has changed."""

CAUSING = frozenset({"Cause", "Happening", "happening", "Refusal", "Ask", "Option"})
"""Calls whose arguments say who did something, or what is asked: nothing about them is a step."""

NUMERIC = frozenset({"len", "min", "max", "sum", "count"})
"""Calls that make a number."""


@dataclass(frozen=True)
class Place:
    """Where a rule stands in the code: a hook, a statement, or (None) the whole function."""

    module: str
    name: str
    function: Function
    anchor: ast.Call | ast.stmt | None


@dataclass(frozen=True)
class Edit:
    """One change of a node of a function; ``rank`` says how near it is to the rule's place."""

    rank: int
    operator: str
    node: ast.AST


@lru_cache(maxsize=1)
def places() -> dict[str, list[Place]]:
    """Rule -> its places."""
    found: dict[str, list[Place]] = {}
    for module, tree in trees().items():
        for name, function in functions(tree) if module not in ANNOTATING else ():
            if function.name.startswith("note_"):
                continue
            words = function.returns is not None and ast.unparse(function.returns) in ("str", "list[str]")
            for statement in statements_of(function)[1:]:
                for node in parts(statement):
                    if isinstance(node, ast.Call) and is_hook(node) and node.args:
                        for rule in sorted(rules_named(node.args[0])):
                            found.setdefault(rule, []).append(Place(module, name, function, node))
                for rule in () if words else sorted(own_rules(statement)):
                    found.setdefault(rule, []).append(Place(module, name, function, stands_for(function, statement)))
            for rule in sorted({*IN_PROSE.findall(ast.get_docstring(function) or "")}):
                found.setdefault(rule, []).append(Place(module, name, function, None))
    return found


def stands_for(function: Function, statement: ast.stmt) -> ast.stmt | None:
    """What a statement with a rule is about: itself; of a line of the trace the condition above it, else nothing."""
    if not annotates(statement):
        return statement
    guard = guard_of(function, statement)
    return None if guard is None or annotates(guard) else guard


@lru_cache(maxsize=4096)
def further(rule: str) -> tuple[Site, ...]:
    """The mutants of a rule that its steps give beyond those of its hooks and sites, the nearest first."""
    ranked: list[tuple[int, Site]] = []
    for place in places().get(rule, []):
        parents = parents_of(place.function)
        number = {node: i for i, node in enumerate(ast.walk(place.function))}
        ordinal: dict[ast.AST, int] = {s: i for i, s in enumerate(statements_of(place.function))}
        for edit in edits_at(place, parents):
            statement = statement_around(edit.node, parents)
            # what happens without a rule is never reached as it is: the condition above it is
            index = ordinal[parents[statement] if edit.operator == "in part" else statement]
            ranked.append((edit.rank, Site(rule, place.module, place.name, index, edit.operator, number[edit.node])))
    ranked.sort(key=lambda pair: pair[0])
    unique: dict[tuple[str, str, int, str], Site] = {}
    for _, site in ranked:
        unique.setdefault((site.module, site.function, site.node, site.operator), site)
    return tuple(unique.values())


def statements_of(function: Function) -> list[ast.stmt]:
    """The function itself and every statement in it, in the order in which sites count them."""
    return [n for n in ast.walk(function) if isinstance(n, ast.stmt)]


# what belongs to a step


def edits_at(place: Place, parents: Parents) -> Iterator[Edit]:
    """Every change at a place, and of what its step uses and hangs on."""
    if place.anchor is None:
        yield from edits_of(place.function.body, place, parents, 50)
        return
    anchor = place.anchor
    statement = anchor if isinstance(anchor, ast.stmt) else statement_around(anchor, parents)
    heads: list[ast.expr] = []
    block: list[ast.stmt] = []
    if isinstance(statement, ast.If | ast.While):
        heads.append(statement.test)
        if isinstance(anchor, ast.Call) and denied(anchor, statement.test, parents):
            yield from parts_of_omission(statement, 2)
            block = statement.orelse or (following(statement, parents) if jumps(statement.body) else [])
        else:
            block = statement.body
    elif isinstance(statement, ast.For):
        heads.append(statement.iter)
        block = statement.body if live_value(statement.iter) is not None else []
    else:
        block = [statement]
    for head in heads:
        yield from edits_in(head, place, parents, 0)
    yield from edits_of(block, place, parents, 10 if heads else 0)
    asked: list[ast.AST] = [h for h in heads if hooked_value(h) is None]
    for one in block:
        value = getattr(one, "value", None)
        asked += [one] if value is None or hooked_value(value) is None else []
    names = {n.id for node in asked for n in live(node) if isinstance(n, ast.Name)}
    for earlier in definitions(place.function, statement, names):
        yield from edits_in(earlier.value, place, parents, 20)
    if isinstance(statement, ast.Assign) and all(isinstance(t, ast.Name) for t in statement.targets):
        yield from uses(place.function, statement, parents)
    above = parents.get(statement)
    if (
        isinstance(above, ast.If)
        and statement in above.body
        and hooked_value(above.test) is None
        and not same(place.function)
    ):
        yield from edits_in(above.test, place, parents, 40)
        if droppable(above.test) and not asks_for_any(above.test):
            yield Edit(41, "always", above.test)


def same(function: Function) -> bool:
    """Whether a function answers the same wherever no mutant is in force."""
    values = {hooked_value(n.value) for n in ast.walk(function) if isinstance(n, ast.Return) and n.value is not None}
    return len(values) == 1 and None not in values


def denied(anchor: ast.AST, test: ast.AST, parents: Parents) -> bool:
    """Whether a condition is met where the hook in it says no."""
    found = False
    while anchor is not test:
        anchor = parents[anchor]
        found ^= isinstance(anchor, ast.UnaryOp) and isinstance(anchor.op, ast.Not)
    return found


def jumps(block: Sequence[ast.stmt]) -> bool:
    """Whether nothing after a block is done."""
    return isinstance(block[-1], ast.Return | ast.Continue | ast.Break | ast.Raise)


def following(statement: ast.stmt, parents: Parents) -> list[ast.stmt]:
    """The statement that is carried out next in the block of one, with those up to it that only annotate."""
    block = block_of(statement, parents)
    for later in block[block.index(statement) + 1 :]:
        if effective(later):
            return [later]
    return []


def tells(call: ast.Call) -> bool:
    """Whether a call only tells; a step of the trace does no more than that for what stands in it."""
    match call.func:
        case ast.Attribute(value=ast.Attribute(attr="trace") | ast.Name(id="trace"), attr="step"):
            return True
        case _:
            return called(call) in TELLING


def effective(statement: ast.stmt) -> bool:
    """Whether a statement does something for the game."""
    if isinstance(statement, ast.Expr):
        value = statement.value
        if isinstance(value, ast.Constant) or (isinstance(value, ast.Call) and tells(value)):
            return False
    return not annotates(statement) and not isinstance(statement, ast.Assert | ast.FunctionDef)


def live_value(value: ast.expr) -> ast.expr | None:
    """What an expression is where no mutant is in force; None where that is nothing at all."""
    if isinstance(value, ast.IfExp) and (met := hooked_value(value.test)) is not None:
        value = value.body if met else value.orelse
    empty = isinstance(value, ast.List | ast.Tuple) and not value.elts
    return None if empty else value


def live(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a statement or expression that matter without a mutant: no dead branches, no arguments of hooks
    that are rule numbers, nothing that only annotates."""
    if isinstance(node, ast.stmt) and not effective(node):
        return
    if isinstance(node, ast.expr) and hooked_value(node) is not None:
        return
    yield node
    if isinstance(node, ast.If | ast.IfExp) and (met := hooked_value(node.test)) is not None:
        branch = node.body if met else node.orelse
        for inner in branch if isinstance(branch, list) else [branch]:
            yield from live(inner)
        return
    if isinstance(node, ast.Call) and (tells(node) or (called(node) == "actor" and is_hook(node))):
        return
    for child in ast.iter_child_nodes(node):
        yield from live(child)


def definitions(function: Function, statement: ast.stmt, names: set[str]) -> Iterator[ast.Assign]:
    """The assignments before a statement that make the values of names, the nearest first."""
    made: dict[str, list[ast.Assign]] = {}
    for node in statements_of(function):
        if isinstance(node, ast.Assign) and node.lineno < statement.lineno:
            for target in node.targets:
                for part in ast.walk(target):
                    if isinstance(part, ast.Name):
                        made.setdefault(part.id, []).append(node)
    for name in sorted(names & set(made)):
        yield from reversed(made[name])


def uses(function: Function, statement: ast.Assign, parents: Parents) -> Iterator[Edit]:
    """What stands beside the name that a statement assigns, in the conditions that ask for it later."""
    names = {t.id for t in statement.targets if isinstance(t, ast.Name)}
    for node in ast.walk(function):
        if not isinstance(node, ast.BoolOp) or not isinstance(node.op, ast.And):
            continue
        if node.lineno <= statement.lineno or hooked_value(node) is not None:
            continue
        if any(isinstance(v, ast.Name) and v.id in names for v in node.values):
            for operand in node.values:
                if droppable(operand) and not isinstance(operand, ast.Name):
                    yield Edit(30, "dropped", operand)


def parts_of_omission(statement: ast.If | ast.While, rank: int) -> Iterator[Edit]:
    """Several things that happen where a rule is left out can happen alone."""
    if isinstance(statement, ast.While):
        return
    found: list[ast.AST] = []
    for one in statement.body:
        pair = unpacked(one)
        found += pair if pair else [one] if effective(one) and leaves_no_gap(one) else []
    if len(found) > 1:
        for one_part in found:
            yield Edit(rank, "in part", one_part)


# how it can be changed


def edits_of(block: Sequence[ast.stmt], place: Place, parents: Parents, rank: int) -> Iterator[Edit]:
    """The changes of the statements of a block, and of their order."""
    done = [s for s in block if effective(s)]
    for statement in done:
        yield from edits_in(statement, place, parents, rank)
    if len(done) > 1:
        for statement in done:
            if leaves_no_gap(statement):
                yield Edit(rank + 5, "omit", statement)
    if done:
        around = block_of(done[0], parents)
        for one, other in pairwise(around):
            if one in done and can_swap(one, other):
                yield Edit(rank + 8, "swapped", one)


def leaves_no_gap(statement: ast.stmt) -> bool:
    """Whether a statement can be left out without a name that is never made, or a value that is never returned."""
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        return not any(isinstance(n, ast.Name) for t in targets for n in (t, *getattr(t, "elts", ())))
    return not isinstance(statement, ast.Return | ast.Continue | ast.Break | ast.Raise | ast.With)


def can_swap(one: ast.stmt, other: ast.stmt) -> bool:
    """Whether two statements can change places: both are steps of the game (flows), neither jumps, and neither makes a
    name that the other uses."""
    if not (effective(one) and effective(other)):
        return False
    if any(isinstance(n, ast.Return | ast.Continue | ast.Break | ast.Raise) for s in (one, other) for n in ast.walk(s)):
        return False

    def named(statement: ast.stmt, stored: bool) -> set[str]:
        return {
            n.id
            for n in ast.walk(statement)
            if isinstance(n, ast.Name) and (not stored or isinstance(n.ctx, ast.Store))
        }

    if named(one, True) & named(other, False) or named(other, True) & named(one, False):
        return False
    return all(any(isinstance(n, ast.YieldFrom) for n in ast.walk(s)) for s in (one, other))


def edits_in(node: ast.AST, place: Place, parents: Parents, rank: int) -> Iterator[Edit]:
    """The changes inside a statement or expression."""
    game = game_of(place.module, place.name, place.function) is not None
    local = local_players(place.function)
    numbers = local_numbers(place.function)
    for inner in live(node):
        far = rank
        if in_call(inner, CAUSING, parents):
            continue
        match inner:
            case ast.BoolOp(op=ast.And(), values=values) if hooked_value(inner) is None:
                for value in values:
                    if droppable(value) and condition_at(inner, parents):
                        yield Edit(far, "dropped", value)
            case ast.comprehension(ifs=[test]) if droppable(test) and not isinstance(test, ast.BoolOp):
                yield Edit(far, "dropped", test)
            case ast.If(test=test) if hooked_value(test) is None:
                if any(effective(s) for s in (*inner.body, *inner.orelse)):
                    yield Edit(far + 2, "never", test)
                    if not asks_for_any(test):
                        yield Edit(far + 2, "always", test)
            case ast.Compare(ops=[op], left=left, comparators=[right]) if type(op) in BOUNDS:
                if not isinstance(left, ast.Set) and not isinstance(right, ast.Set):
                    yield Edit(far + 1, BOUNDS[type(op)][1], inner)
            case ast.For(iter=items) if live_value(items) is not None and ordered(items):
                yield Edit(far + 6, "narrower", items)
            case ast.Attribute(value=ast.Name(id="Zone"), attr=attr) if attr in OTHER_ZONE:
                yield Edit(far + 3, "wrong zone", inner)
        if game and isinstance(inner, ast.expr) and is_player(inner, local) and named_here(inner, parents):
            if isinstance(inner, ast.Call) and called(inner) == "actor":
                continue
            yield Edit(far + 1, "wrong actor", inner)
        if isinstance(inner, ast.expr) and is_number(inner, numbers) and counted_here(inner, parents):
            yield Edit(far + 1, "one less", inner)
            yield Edit(far + 1, "one more", inner)


def droppable(test: ast.expr) -> bool:
    """Whether a condition may be left out: it asks no hook alone, and does not only keep away what has no such part."""
    match test:
        case ast.Constant() | ast.NamedExpr():
            return False
        case ast.Compare(ops=[ast.Is() | ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return False
        case ast.Call(func=ast.Name(id="isinstance")):
            return False
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return droppable(operand)
        case ast.BoolOp(values=values):
            return hooked_value(test) is None and any(droppable(v) for v in values)
        case _:
            return not is_hook(test) or called(test) == "holds" if isinstance(test, ast.Call) else True


def condition_at(node: ast.AST, parents: Parents) -> bool:
    """Whether an expression is a condition: of a statement, a comprehension, a hook, or a value that is yes or no."""
    above = parents.get(node)
    while isinstance(above, ast.BoolOp | ast.UnaryOp):
        node, above = above, parents.get(above)
    return isinstance(above, ast.If | ast.While | ast.IfExp | ast.comprehension | ast.Assign | ast.Return | ast.Call)


def in_call(node: ast.AST, names: Iterable[str], parents: Parents) -> bool:
    """Whether a node is an argument of a call of one of these."""
    above: ast.AST | None = node
    while above is not None and not isinstance(above, ast.stmt):
        above = parents.get(above)
        if isinstance(above, ast.Call) and called(above) in names:
            return True
    return False


def ordered(items: ast.expr) -> bool:
    """Whether a loop goes over a list of things rather than over numbers or a table."""
    return not (isinstance(items, ast.Call) and called(items) in ("range", "enumerate", "items", "zip"))


def local_players(function: Function) -> set[str]:
    """The variables of a function that hold a player's name."""
    found = set()
    for argument in (*function.args.args, *function.args.kwonlyargs):
        kind = ast.unparse(argument.annotation) if argument.annotation is not None else ""
        if argument.arg in PLAYERS and kind in ("str", "str | None"):
            found.add(argument.arg)
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and is_player(node.value, found):
            found |= {t.id for t in node.targets if isinstance(t, ast.Name)}
        if isinstance(node, ast.For | ast.comprehension) and isinstance(node.target, ast.Name):
            if isinstance(node.iter, ast.Call) and called(node.iter) in PLAYER_LISTS:
                found.add(node.target.id)
            if isinstance(node.iter, ast.Attribute) and node.iter.attr == "order":
                found.add(node.target.id)
    return found


PLAYER_LISTS = frozenset({"players_in_order", "players_after", "opponents", "teammates"})
"""Methods that tell several players."""


def is_player(node: ast.expr, local: set[str]) -> bool:
    """Whether an expression is the name of a player."""
    match node:
        case ast.Name(id=name):
            return name in local
        case ast.Attribute(attr=attr):
            return attr in PLAYERS
        case ast.Call(func=ast.Attribute(attr="next_player")):
            return True
        case ast.Call(func=ast.Attribute(attr="actor"), args=[_, right, _]):
            return is_player(right, local)
        case ast.BoolOp(op=ast.Or(), values=values):
            return all(is_player(v, local) for v in values)
        case _:
            return False


def named_here(node: ast.expr, parents: Parents) -> bool:
    """Whether a player stands where a rule says who: what a call, a comparison, a key or an assignment is about."""
    if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        return False
    match parents.get(node):
        case ast.Call(args=arguments) as call:
            return any(node is a for a in arguments) and called(call) not in ("next_player", "isinstance")
        case ast.keyword() | ast.Subscript() | ast.Return():
            return True
        case ast.Assign(value=value):
            return value is node
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return not isinstance(right, ast.Constant) and not (isinstance(op, ast.In | ast.NotIn) and left is not node)
        case _:
            return False


def local_numbers(function: Function) -> set[str]:
    """The variables of a function that hold a number."""
    found = set()
    for argument in (*function.args.args, *function.args.kwonlyargs):
        if argument.annotation is not None and ast.unparse(argument.annotation) == "int":
            found.add(argument.arg)
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and is_number(node.value, found):
            found |= {t.id for t in node.targets if isinstance(t, ast.Name)}
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and is_number(node.value, found):
            found.add(node.target.id)
    return found - {"where", "at", "location", "index", "battlefield", "hidden_at", "place", "timestamp", "ident"}


def is_number(node: ast.expr, local: set[str]) -> bool:
    """Whether an expression is a number of a rule."""
    match node:
        case ast.Constant(value=int(value)):
            return not isinstance(value, bool)
        case ast.Name(id=name):
            return name in local
        case ast.Attribute(attr=attr):
            return attr in ("amount", "energy", "points", "xp", "minimum", "remaining", "repeats", "reduced_energy")
        case ast.Call(func=ast.Name(id=name)):
            return name in NUMERIC
        case ast.Call(func=ast.Attribute(attr="might" | "count")):
            return True
        case ast.BinOp(op=ast.Add() | ast.Sub(), left=left, right=right):
            return is_number(left, local) and is_number(right, local)
        case _:
            return False


def counted_here(node: ast.expr, parents: Parents) -> bool:
    """Whether a number stands where it counts something: an argument, a slice, what is added, assigned or returned."""
    if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        return False
    match parents.get(node):
        case ast.Call(args=arguments) as call:
            return any(node is a for a in arguments) and called(call) not in (*NUMERIC, "range", "str", "holds", "bool")
        case ast.keyword(arg=name):
            return name in ("amount", "count", "least", "most", "fixed")
        case ast.Slice() | ast.Return():
            return True
        case ast.Assign(value=value) | ast.AugAssign(value=value):
            return value is node
        case _:
            return False


@cache
def watched(site: Site) -> bool:
    """Whether it is told where the change of a site makes a difference."""
    function = mutated(site)
    return function is not None and any(isinstance(n, ast.Name) and n.id == WATCH for n in ast.walk(function))
