"""The mutants of a module: its tree with one thing changed, a pattern without a branch, a list without a word."""

import ast
import copy
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain

from patterns import weakened

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_OPERATIONS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip
_TWINS = {"any": "all", "all": "any", "min": "max", "max": "min", "match": "search", "fullmatch": "match"}
Change = Callable[[ast.AST], None]


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change to one module.

    Attributes:
        line: the first line of what is changed, as it stands in the source, stripped; with `what` it names the mutant.
        what: what was changed.
        number: the line's number.
        tree: the changed module.
    """

    line: str
    what: str
    number: int
    tree: ast.Module


def mutants(source: str) -> Iterator[Mutant]:
    """Every mutant of a module; no two have the same `line` and `what`: repeats are numbered."""
    module, lines = ast.parse(source), source.splitlines()
    patterns, words = _patterns(module), _word_lists(module)
    seen: dict[tuple[str, str], int] = {}
    for at, node in enumerate(ast.walk(module)):
        more = (
            _weakenings(node) if id(node) in patterns else (),
            _shorter(node) if id(node) in words - patterns else (),
        )
        for what, change in chain(_changes(node), *more):
            tree = copy.deepcopy(module)
            change(list(ast.walk(tree))[at])
            number = getattr(node, "lineno", 1)
            line = lines[number - 1].strip()
            seen[line, what] = again = seen.get((line, what), 0) + 1
            yield Mutant(line, what if again == 1 else f"{what} #{again}", number, ast.fix_missing_locations(tree))


def _changes(node: ast.AST) -> Iterator[tuple[str, Change]]:
    match node:
        case ast.Compare():
            yield from _comparisons(node)
        case ast.BoolOp():
            yield "and/or", lambda it: setattr(it, "op", ast.Or() if isinstance(it.op, ast.And) else ast.And())
            for at in range(len(node.values)):
                yield f"operand {at} left out", lambda it, at=at: _without(it, at)
        case ast.UnaryOp(op=ast.Not()):
            yield "not left out", lambda it: (setattr(it, "op", ast.Not()), setattr(it, "operand", _not(it.operand)))
        case ast.Constant(value=bool()):
            yield "flag", lambda it: setattr(it, "value", not it.value)
        case ast.Constant(value=int()):
            yield "+1", lambda it: setattr(it, "value", it.value + 1)
            yield "-1", lambda it: setattr(it, "value", it.value - 1)
        case ast.BinOp() if type(node.op) in _OPERATIONS:
            yield "operator", lambda it: setattr(it, "op", _OPERATIONS[type(it.op)]())
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield "returns None", lambda it: setattr(it, "value", ast.Constant(None))
        case ast.IfExp():
            yield "branches swapped", lambda it: it.__dict__.update(body=it.orelse, orelse=it.body)
        case ast.If():
            yield "condition true", lambda it: setattr(it, "test", ast.Constant(True))
            yield "condition false", lambda it: setattr(it, "test", ast.Constant(False))
        case ast.Call(func=ast.Name(id=name)) if name in _TWINS:
            yield _TWINS[name], lambda it: setattr(it.func, "id", _TWINS[it.func.id])
        case ast.Call(func=ast.Attribute(attr=name)) if name in _TWINS:
            yield _TWINS[name], lambda it: setattr(it.func, "attr", _TWINS[it.func.attr])


def _comparisons(node: ast.Compare) -> Iterator[tuple[str, Change]]:
    for at, operator in enumerate(node.ops):
        if twin := _COMPARISONS.get(type(operator)):
            yield twin.__name__, lambda it, at=at, twin=twin: it.ops.__setitem__(at, twin())


def _without(node: ast.BoolOp, at: int) -> None:
    del node.values[at]
    if len(node.values) == 1:
        node.values.append(copy.deepcopy(node.values[0]))


def _not(operand: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), operand)


def _patterns(module: ast.Module) -> set[int]:
    """The text nodes that are patterns: what `re.compile` is given, and raw texts anywhere."""
    texts: set[int] = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile":
            texts.update(id(each) for each in ast.walk(node.args[0]) if isinstance(each, ast.Constant))
        if isinstance(node, ast.Tuple) and node.elts and isinstance(node.elts[-1], ast.Constant):
            texts.update(id(each) for each in node.elts[1:] if isinstance(each, ast.Constant))
    return texts


def _weakenings(node: ast.AST) -> Iterator[tuple[str, Change]]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        for what, text in weakened(node.value):
            yield what, lambda it, text=text: setattr(it, "value", text)


def _word_lists(module: ast.Module) -> set[int]:
    """The lists of words, of alternatives and of characters: texts and displays that a module assigns to a name."""
    lists: set[int] = set()
    for statement in module.body:
        value = getattr(statement, "value", None)
        if isinstance(statement, ast.Assign | ast.AnnAssign) and value and "__all__" not in ast.unparse(statement):
            lists.update(id(node) for node in _plain_parts(value))
    return lists


def _plain_parts(node: ast.AST) -> Iterator[ast.AST]:
    """All that is below a node, but for what is a pattern or is put into one."""
    if isinstance(node, ast.JoinedStr | ast.Dict) or (isinstance(node, ast.Call) and "re.compile" in ast.unparse(node)):
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _plain_parts(child)


def _shorter(node: ast.AST) -> Iterator[tuple[str, Change]]:
    match node:
        case ast.List() | ast.Set() if all(isinstance(each, ast.Constant) for each in node.elts):
            for at, element in enumerate(node.elts):
                yield f"without {ast.unparse(element)}", lambda it, at=at: it.elts.__delitem__(at)
        case ast.Call(func=ast.Name(id="frozenset"), args=[ast.Constant(value=str(text))]):
            for at, mark in enumerate(text):
                yield f"without {mark}", lambda it, at=at: setattr(it.args[0], "value", _cut(text, at, at + 1))
        case ast.Constant(value=str(text)) if "|" in text:
            for what, shorter in weakened(text):
                yield what, lambda it, shorter=shorter: setattr(it, "value", shorter)
        case ast.Constant(value=str(text)) if len(text.split()) > 2:
            for found in re.finditer(r"\S+", text):
                yield f"without {found[0]}", lambda it, found=found: setattr(it, "value", _cut(text, *found.span()))


def _cut(text: str, start: int, end: int) -> str:
    return text[:start] + text[end:]
