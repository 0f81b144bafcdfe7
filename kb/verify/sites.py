"""Where the engine's code cites rules, read off its syntax trees, and the mutants that follow from each place.

Besides the explicit hooks (:mod:`kb.engine.hooks`), rule numbers in the engine's code stand at the step they are
cited for: in a refusal, an event, a line of the trace, a question, or the docstring of the function that carries it
out. A :class:`Site` is one such place with one way to change it:

- ``omit``: the statement is left out (a refusal is not given, an event not recorded, a step not taken);
- ``never`` / ``always``: the condition right above it is false or true;
- ``one more`` / ``one less``: a number in the statement is off by one (a number that is a rule's: no index, no proposal
  of an answer, no stand-in for an amount that is missing);
- ``skip``: a function that carries the rule out, and returns nothing, does nothing;
- ``yes`` / ``no``: a function that answers whether something is so always says the same.

A statement that only annotates (a line of the trace, a string of rule numbers, a call of a function named ``note_...``,
a condition above nothing but those) changes no game; it stands for the condition above it, else for its function.
Where an operator cannot make a difference it is not used: a condition that consists of hooks alone has one value
wherever no mutant is in force, a condition that only asks whether there is anything at all guards work on nothing, and
no player can choose fewer than no options. A mutated function replaces the original's code object, so that every
importer sees it, and is put back afterwards.
"""

from __future__ import annotations

import ast
import copy
import importlib
import re
import types
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from kb.verify.changing import WATCH, change, is_hook, watch

NUMBERS = re.compile(r"\d{3}(?:\.(?:\d+|[a-z]+))*(?: \d{3}(?:\.(?:\d+|[a-z]+))*)*\Z")
IN_PROSE = re.compile(r"(?<![\d.])(\d{3}(?:\.(?:\d+|[a-z]))*)(?![\d])")
ANNOTATING = {"kb.engine.citing", "kb.engine.citing_keywords"}
"""Modules that only add rules to lines of the trace: a change there changes no game."""
Function = ast.FunctionDef
Statement = ast.stmt


@dataclass(frozen=True)
class Site:
    """One place that carries a rule and one way to change it; ``index`` counts statements of the function.

    ``node`` counts all nodes of the function where a part of the statement is changed (:mod:`kb.verify.steps`), else 0.
    """

    rule: str
    module: str
    function: str
    index: int
    operator: str
    node: int = 0

    @property
    def change(self) -> tuple[str, str, int, str, int]:
        """The change itself, which is the same for each of the rules that one place carries."""
        return self.module, self.function, self.index, self.operator, self.node

    def applied(self) -> AbstractContextManager[bool]:
        """The engine with the change made."""
        return in_force(self)

    def __str__(self) -> str:
        part = f".{self.node}" if self.node else ""
        return (
            f"{self.rule} {self.operator} ({self.module.removeprefix('kb.engine.')}.{self.function}:{self.index}{part})"
        )


def rule_numbers(text: str) -> list[str]:
    """Rule numbers of a literal that consists of nothing else."""
    return text.split() if NUMBERS.match(text) else []


@lru_cache(maxsize=1)
def trees() -> dict[str, ast.Module]:
    """Syntax trees of the engine's modules, by name."""
    import kb.engine

    folder = Path(str(kb.engine.__file__)).parent
    return {
        f"kb.engine.{path.stem}": ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(folder.glob("*.py"))
        if path.stem not in ("__init__", "fuzzing", "hooks", "invariants")
    }


def functions(tree: ast.Module) -> Iterator[tuple[str, Function]]:
    """Module-level functions and methods with their qualified names."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef):
                    yield f"{node.name}.{inner.name}", inner


def rules_named(argument: ast.expr) -> set[str]:
    """The rules that a hook's first argument can name: a literal, one of two, or what a table of the engine holds."""
    match argument:
        case ast.Constant(value=str(text)):
            return set(text.split())
        case ast.IfExp(body=one, orelse=other):
            return rules_named(one) | rules_named(other)
        case ast.Subscript(value=ast.Name(id=name)) | ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="get")):
            return {rule for text in tables().get(name, ()) for rule in text.split()}
        case _:
            return set()


@lru_cache(maxsize=1)
def tables() -> dict[str, tuple[str, ...]]:
    """Name -> the texts of each table (a mapping) that stands at the top of an engine module."""
    found: dict[str, tuple[str, ...]] = {}
    for tree in trees().values():
        for node in tree.body:
            target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
            value = getattr(node, "value", None)
            if isinstance(target, ast.Name) and isinstance(value, ast.Dict):
                texts = [n.value for v in value.values for n in ast.walk(v) if isinstance(n, ast.Constant)]
                found[target.id] = tuple(t for t in texts if isinstance(t, str) and rule_numbers(t))
    return found


@lru_cache(maxsize=1)
def cited_rules() -> frozenset[str]:
    """Every rule number that stands in a literal of the engine's functions."""
    found: set[str] = set()
    for tree in trees().values():
        for _, function in functions(tree):
            for node in ast.walk(function):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    found.update(rule_numbers(node.value))
    return frozenset(found)


@cache
def lines_of(site: Site) -> frozenset[tuple[str, int]]:
    """Lines of which a run executes one where it comes to the site: of a changed part, those of its statement."""
    if not site.node:
        return frozenset({line_of(site)})
    function = next(f for n, f in functions(trees()[site.module]) if n == site.function)
    statement = [n for n in ast.walk(function) if isinstance(n, ast.stmt)][site.index]
    body = getattr(statement, "body", None)
    last = body[0].lineno - 1 if body else statement.end_lineno or statement.lineno
    return frozenset((site.module, n) for n in range(statement.lineno, max(last, statement.lineno) + 1))


@cache
def line_of(site: Site) -> tuple[str, int]:
    """Module and line that a run executes where it comes to the site: of the condition, the statement or the body."""
    function = next(f for n, f in functions(trees()[site.module]) if n == site.function)
    if site.index == 0:
        body = function.body[1:] if ast.get_docstring(function) and len(function.body) > 1 else function.body
        return site.module, body[0].lineno
    statement = [n for n in ast.walk(function) if isinstance(n, ast.stmt)][site.index]
    guard = guard_of(function, statement) if site.operator in ("never", "always") else None
    return site.module, (guard or statement).lineno


@lru_cache(maxsize=1)
def sites() -> dict[str, list[Site]]:
    """Rule -> its places, hooks apart."""
    found: dict[str, list[Site]] = {}
    for module, tree in trees().items():
        if module in ANNOTATING:
            continue
        for name, function in functions(tree):
            for site in dict.fromkeys(sites_of(module, name, function)):
                found.setdefault(site.rule, []).append(site)
    return found


def sites_of(module: str, name: str, function: Function) -> Iterator[Site]:
    """The places of one function; one named ``note_...`` has none, as all it does is write the trace."""
    if function.name.startswith("note_"):
        return
    statements = [n for n in ast.walk(function) if isinstance(n, ast.stmt)]
    for rule in sorted({*IN_PROSE.findall(ast.get_docstring(function) or "")}):
        for operator in whole_operators(function):
            yield Site(rule, module, name, 0, operator)
    if function.returns is not None and ast.unparse(function.returns) in ("str", "list[str]", "tuple[str, ...]"):
        return  # it makes words or rule numbers
    for index, statement in enumerate(statements):
        if index == 0:
            continue
        guarded = list(guard_operators(function, statement))
        for rule in sorted(own_rules(statement)):
            if annotates(statement) and not guarded:  # it tells what the whole function does
                for operator in whole_operators(function):
                    yield Site(rule, module, name, 0, operator)
                continue
            for operator in guarded if annotates(statement) else statement_operators(function, statement):
                yield Site(rule, module, name, index, operator)


def own_rules(statement: Statement) -> set[str]:
    """Rules in the literals of a statement itself, not of the statements inside it; hooks are mutated on their own."""
    found: set[str] = set()
    stack: list[ast.AST] = [c for c in ast.iter_child_nodes(statement) if not isinstance(c, ast.stmt)]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.expr) and is_hook(node):
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.update(rule_numbers(node.value))
        stack += [c for c in ast.iter_child_nodes(node) if not isinstance(c, ast.stmt)]
    return found


def statement_operators(function: Function, statement: Statement) -> Iterator[str]:
    """How a statement that carries a rule can be changed."""
    if isinstance(statement, ast.Expr | ast.With | ast.Return | ast.Assign | ast.AugAssign):
        yield "omit"
    yield from guard_operators(function, statement)
    number = first_number(statement)
    if number is not None:
        yield "one more"
        if number.value or asked_in(statement) is None:
            yield "one less"


def guard_operators(function: Function, statement: Statement) -> Iterator[str]:
    """The condition above a statement can be false or true, if more than annotations hang on it."""
    guard = guard_of(function, statement)
    if guard is not None and not all(annotates(s) for s in (*guard.body, *guard.orelse)):
        value = hooked_value(guard.test)
        if value is not False:
            yield "never"
        otherwise = any(not annotates(s) for s in guard.orelse)
        if value is not True and (otherwise or not asks_for_any(guard.test)):
            yield "always"


def hooked_value(test: ast.expr) -> bool | None:
    """What a condition of hooks alone is without a mutant; None where it depends on the game."""
    match test:
        case ast.Constant(value=bool(value)):
            return value
        case ast.Call(func=ast.Attribute(attr="does")) if is_hook(test):
            return True
        case ast.Call(func=ast.Attribute(attr="holds" | "value"), args=[_, ast.Constant(value=bool(value)), *_]) if (
            is_hook(test)
        ):
            return value
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = hooked_value(operand)
            return None if inner is None else not inner
        case ast.BoolOp(op=op, values=tests):
            values = [hooked_value(t) for t in tests]
            decides = isinstance(op, ast.Or)
            if decides in values:
                return decides
            return None if None in values else not decides
        case ast.IfExp(body=one, orelse=other):
            either = hooked_value(one)
            return either if either == hooked_value(other) else None
        case _:
            return None


def asks_for_any(test: ast.expr) -> bool:
    """Whether a condition only asks if there is anything at all: without it the rest works on nothing, as before."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return all(asks_for_any(v) or is_hook(v) for v in test.values)
    return isinstance(test.target if isinstance(test, ast.NamedExpr) else test, ast.Name)


def annotates(statement: Statement) -> bool:
    """Whether a statement does nothing but add a line to the trace or put rule numbers together."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="note" | "add" | "cite"))):
            return True
        case ast.Expr(value=ast.Call(func=ast.Name(id=name))):
            return name.startswith("note_")
        case ast.Pass() | ast.Continue() | ast.Import() | ast.ImportFrom():
            return True
        case ast.If():
            return all(annotates(s) for s in (*statement.body, *statement.orelse))
        case ast.Assign(value=value) | ast.AugAssign(value=value):
            return rule_words(value)
        case _:
            return False


def rule_words(value: ast.AST) -> bool:
    """Whether an expression only puts rule numbers together: strings with a number, chosen or joined."""
    nodes = list(ast.walk(value))
    if any(isinstance(n, ast.Yield | ast.YieldFrom | ast.Await) for n in nodes):
        return False
    if not any(
        isinstance(n, ast.Constant) and isinstance(n.value, str) and rule_numbers(n.value.strip()) for n in nodes
    ):
        return False
    match value:
        case ast.Constant(value=str()) | ast.JoinedStr():
            return True
        case ast.Set(elts=elements):
            return all(rule_words(e) for e in elements)
        case ast.IfExp(body=one, orelse=other):
            return all(rule_words(x) or empty_words(x) for x in (one, other))
        case ast.BinOp(left=one, right=other):
            return all(rule_words(x) or empty_words(x) or isinstance(x, ast.Name) for x in (one, other))
        case ast.Call(func=ast.Attribute(value=ast.Dict(), attr="get")) | ast.Subscript(value=ast.Dict()):
            return True
        case _:
            return False


def empty_words(value: ast.AST) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def whole_operators(function: Function) -> Iterator[str]:
    """How a function whose docstring names a rule can be changed, by what it returns."""
    returns = ast.unparse(function.returns) if function.returns is not None else ""
    if returns in ("None", "Flow[None]"):
        yield "skip"
    elif returns in ("bool", "Flow[bool]"):
        values = [hooked_value(n.value) if n.value else None for n in ast.walk(function) if isinstance(n, ast.Return)]
        if not values or any(v is not True for v in values):
            yield "yes"
        if not values or any(v is not False for v in values):
            yield "no"
    elif returns == "int":
        yield "one more"
        yield "one less"
    elif "| None" in returns:
        yield "skip"


def first_number(statement: Statement) -> ast.Constant | None:
    """The number of a statement that is off by one in its mutants.

    The index of a list, the ``default`` and ``rule`` of a question (what is proposed, and what it cites) and
    what stands in for a missing amount (``or 0``) are no numbers of a rule.
    """
    other: set[ast.AST] = set()
    for node in parts(statement):
        match node:
            case ast.Subscript(slice=part) if not isinstance(part, ast.Slice):
                other.update(ast.walk(part))
            case ast.keyword(arg="default" | "rule", value=value):
                other.update(ast.walk(value))
            case ast.BoolOp(op=ast.Or(), values=[*_, last]) if isinstance(last, ast.Constant):
                other.add(last)
    for node in parts(statement):
        if isinstance(node, ast.Constant) and node not in other and small_number(node):
            return node
    return None


def asked_in(statement: Statement) -> ast.expr | None:
    """The question that a statement asks, if it does."""
    for node in parts(statement):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Ask":
            return node
    return None


def small_number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int) and not isinstance(node.value, bool)


def parts(statement: Statement) -> Iterator[ast.AST]:
    """The expressions of a statement without the statements inside it."""
    stack: list[ast.AST] = [c for c in ast.iter_child_nodes(statement) if not isinstance(c, ast.stmt)]
    while stack:
        node = stack.pop()
        yield node
        stack += [c for c in ast.iter_child_nodes(node) if not isinstance(c, ast.stmt)]


def mutated(site: Site) -> Function | None:
    """The site's function with its change; None where it makes no difference there."""
    original = next((f for n, f in functions(trees()[site.module]) if n == site.function), None)
    if original is None:
        return None
    function = copy.deepcopy(original)
    generator = any(isinstance(n, ast.Yield | ast.YieldFrom) for n in ast.walk(original))
    if site.node:
        if not change(function, site):
            return None
    elif site.index == 0:
        change_whole(function, site.operator)
    elif not change_statement(function, site):
        return None
    if generator:  # stay a generator, whatever is left
        function.body.insert(0, ast.parse("if False:\n    yield").body[0])
    return ast.fix_missing_locations(function)


def change_whole(function: Function, operator: str) -> None:
    """Replace the body, or move what it returns by one."""
    if operator in ("skip", "yes", "no"):
        value = {"skip": "None", "yes": "True", "no": "False"}[operator]
        function.body = [ast.Return(ast.parse(value, mode="eval").body)]
        return
    by = 1 if operator == "one more" else -1
    for node in ast.walk(function):
        if isinstance(node, ast.Return) and node.value is not None:
            node.value = ast.BinOp(node.value, ast.Add(), ast.Constant(by))


def change_statement(function: Function, site: Site) -> bool:
    """Apply a statement's operator in place; whether it could be."""
    statement = [n for n in ast.walk(function) if isinstance(n, ast.stmt)][site.index]
    if site.operator in ("never", "always"):
        guard = guard_of(function, statement)
        if guard is None:
            return False
        guard.test = ast.Constant(site.operator == "always")
        return True
    if site.operator == "omit":
        return replaced(function, statement, ast.Pass())
    number = first_number(statement)
    if number is None or not isinstance(number.value, int):
        return False
    number.value += 1 if site.operator == "one more" else -1
    return True


def guard_of(function: Function, statement: Statement) -> ast.If | None:
    """The condition directly above a statement, or the statement itself if it is one."""
    if isinstance(statement, ast.If):
        return statement
    for node in ast.walk(function):
        if isinstance(node, ast.If) and (statement in node.body or statement in node.orelse):
            return node
    return None


def replaced(function: Function, old: Statement, new: Statement) -> bool:
    """Put one statement in place of another."""
    for node in ast.walk(function):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list) and old in block:
                block[block.index(old)] = new
                return True
    return False


@contextmanager
def in_force(site: Site) -> Iterator[bool]:
    """The engine with one site changed; yields whether there is a change at all."""
    found = changed_code(site)
    if found is None:
        yield False
        return
    target, code = found
    before = target.__code__
    target.__code__ = code
    target.__globals__[WATCH] = watch
    try:
        yield True
    finally:
        target.__code__ = before
        del target.__globals__[WATCH]


@cache
def changed_code(site: Site) -> tuple[types.FunctionType, types.CodeType] | None:
    """The running function of a site and the code to put into it; None where there is no such change."""
    function = mutated(site)
    target = None if function is None else live_function_named(site.module, site.function)
    code = None if function is None or target is None else compiled(site, function)
    if target is None or code is None or code.co_freevars != target.__code__.co_freevars:
        return None
    return target, code


def live_function_named(module: str, function: str) -> types.FunctionType | None:
    """The function object of a name in a module, under its decorators."""
    found: object = importlib.import_module(module)
    for name in function.split("."):
        found = vars(found).get(name)
        if found is None:
            return None
    if isinstance(found, property):
        found = found.fget
    if isinstance(found, staticmethod | classmethod):
        found = found.__func__
    while hasattr(found, "__wrapped__"):
        found = found.__wrapped__
    return found if isinstance(found, types.FunctionType) else None


def compiled(site: Site, function: Function) -> types.CodeType | None:
    """The code object of a changed function."""
    function.decorator_list = []
    module = ast.Module([ast.ImportFrom("__future__", [ast.alias("annotations")], 0), function], [])
    whole = compile(ast.fix_missing_locations(module), f"<{site}>", "exec")
    return next((c for c in whole.co_consts if isinstance(c, types.CodeType) and c.co_name == function.name), None)
