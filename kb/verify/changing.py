"""Making the change of a derived mutant (:mod:`kb.verify.steps`) in a copy of a function's syntax tree."""

from __future__ import annotations

import ast
import copy
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kb.verify.sites import Site

Function = ast.FunctionDef
Parents = dict[ast.AST, ast.AST]

OTHER_ZONE = {"TRASH": "BANISHMENT", "BANISHMENT": "TRASH", "HAND": "TRASH", "DECK": "TRASH", "RUNE_DECK": "TRASH"}
"""The plausible other zone of each."""

BOUNDS: dict[type[ast.cmpop], tuple[type[ast.cmpop], str]] = {
    ast.Lt: (ast.LtE, "one more"),
    ast.LtE: (ast.Lt, "one less"),
    ast.Gt: (ast.GtE, "one more"),
    ast.GtE: (ast.Gt, "one less"),
}
"""A comparison and the one that differs from it at the bound alone."""


def change(function: Function, site: Site) -> bool:
    """Apply the change of a derived site to a copy of its function; whether it could be."""
    node = list(ast.walk(function))[site.node]
    parents = parents_of(function)
    new: ast.AST
    match site.operator:
        case "dropped" | "never" | "always":
            return compared(node, ast.Constant(site.operator != "never"), parents)
        case "wrong actor":
            game = game_of(site.module, site.function, function)
            if game is None or not isinstance(node, ast.expr):
                return False
            other = ast.Call(ast.Attribute(game, "next_player", ast.Load()), [copy.deepcopy(node)], [])
            new = ast.IfExp(copy.deepcopy(node), other, copy.deepcopy(node))
        case "one more" | "one less" if isinstance(node, ast.Compare):
            moved = ast.Compare(node.left, [BOUNDS[type(node.ops[0])][0]()], node.comparators)
            return compared(node, moved, parents)
        case "one more" | "one less":
            assert isinstance(node, ast.expr)
            new = ast.BinOp(copy.deepcopy(node), ast.Add(), ast.Constant(1 if site.operator == "one more" else -1))
        case "wrong zone":
            assert isinstance(node, ast.Attribute)
            new = ast.Attribute(node.value, OTHER_ZONE[node.attr], ast.Load())
        case "narrower":
            assert isinstance(node, ast.expr)
            whole = ast.Call(ast.Name("list", ast.Load()), [copy.deepcopy(node)], [])
            new = ast.Subscript(whole, ast.Slice(None, ast.UnaryOp(ast.USub(), ast.Constant(1))), ast.Load())
        case "omit":
            new = ast.Pass()
        case "in part":
            return alone(node, parents)
        case "swapped":
            assert isinstance(node, ast.stmt)
            block = block_of(node, parents)
            place = block.index(node)
            block[place : place + 2] = [block[place + 1], block[place]]
            return True
        case _:
            return False
    put(parents[node], node, new)
    return True


def compared(node: ast.AST, new: ast.expr, parents: Parents) -> bool:
    """Put a condition in place of another inside a whole one, which is asked both ways to see whether that differs."""
    whole = node
    while isinstance(parents[whole], ast.BoolOp | ast.UnaryOp):
        whole = parents[whole]
    if any(isinstance(n, ast.Yield | ast.YieldFrom) for n in ast.walk(whole)):
        put(parents[node], node, new)
        return True
    assert isinstance(whole, ast.expr)
    before, above = copy.deepcopy(whole), parents[whole]
    changed: ast.expr = new
    if whole is not node:
        put(parents[node], node, new)
        changed = whole
    put(above, whole, ast.Call(ast.Name(WATCH, ast.Load()), [before, changed], []))
    return True


WATCH = "_differs"
"""The name by which a changed function tells :func:`watch` what a condition is without and with the change."""

DIFFERENCES = [0]
"""How often a watched condition came out otherwise than without the change."""


def watch(before: object, after: object) -> object:
    """The second of two conditions, counting where they differ."""
    DIFFERENCES[0] += bool(before) != bool(after)
    return after


def put(above: ast.AST, old: ast.AST, new: ast.AST) -> None:
    """Put one node in place of another."""
    for name, value in ast.iter_fields(above):
        if value is old:
            setattr(above, name, new)
        elif isinstance(value, list) and any(v is old for v in value):
            value[[v is old for v in value].index(True)] = new


def alone(node: ast.AST, parents: Parents) -> bool:
    """Do one part of what happens without a rule, and nothing else of it."""
    statement = statement_around(node, parents)
    if node is not statement:
        assert isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Tuple)
        targets = unpacked(statement)
        value = statement.value.elts[targets.index(node)]
        assert isinstance(node, ast.expr)
        kept: ast.stmt = ast.Assign([node], value)
    else:
        kept = statement
    above = parents[statement]
    if not isinstance(above, ast.If):
        return False
    above.body = [kept]
    above.test = without_rule(above.test)
    return True


def without_rule(test: ast.expr) -> ast.expr:
    """A condition as it is where the hooks in it say no."""

    class Denying(ast.NodeTransformer):
        def visit_Call(self, node: ast.Call) -> ast.AST:
            return ast.Constant(False) if is_hook(node) and called(node) == "does" else node

    found = Denying().visit(test)
    assert isinstance(found, ast.expr)
    return found


# finding one's way in a tree


def parents_of(function: Function) -> Parents:
    """Node -> the node that it stands in."""
    return {child: node for node in ast.walk(function) for child in ast.iter_child_nodes(node)}


def statement_around(node: ast.AST, parents: Parents) -> ast.stmt:
    """The statement that a node stands in."""
    while not isinstance(node, ast.stmt):
        node = parents[node]
    return node


def block_of(statement: ast.stmt, parents: Parents) -> list[ast.stmt]:
    """The statements among which one stands."""
    above = parents[statement]
    for name in ("body", "orelse", "finalbody"):
        block = getattr(above, name, None)
        if isinstance(block, list) and statement in block:
            return block
    return [statement]


def called(call: ast.Call) -> str:
    """The last name of what a call calls."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def is_hook(node: ast.expr) -> bool:
    """Whether an expression consults a hook, which has mutants of its own."""
    owner = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
    return (owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "")) == "hooks"


def game_of(module: str, name: str, function: Function) -> ast.expr | None:
    """The expression by which a function has the game, if it does."""
    names = [a.arg for a in (*function.args.args, *function.args.kwonlyargs)]
    if "game" in names:
        return ast.Name("game", ast.Load())
    if "self" in names and name.startswith("Game."):
        return ast.Name("self", ast.Load())
    for owner in ("self", "run", "context"):
        if owner in names and module != "kb.engine.trace":
            return ast.Attribute(ast.Name(owner, ast.Load()), "game", ast.Load())
    return None


def unpacked(statement: ast.stmt) -> list[ast.AST]:
    """The targets of an assignment of several values to as many attributes."""
    if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Tuple) and len(statement.targets) == 1:
        target = statement.targets[0]
        if isinstance(target, ast.Tuple) and len(target.elts) == len(statement.value.elts):
            return list(target.elts)
    return []
