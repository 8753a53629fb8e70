"""A syntax tree split into scopes: the nodes that belong to each function, class and module body.

Everything here is iterative: a file may be nested deeper than Python's recursion limit.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeVar, cast

from evalforge.evidence.static.source import too_deep_error

MAX_DEPTH = 500
"""The deepest tree that is read; the parser's own limit is higher, but depends on the depth of the caller's stack."""

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
ScopeNode = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
N = TypeVar("N", bound=ast.AST)

_LEAF_FIELDS = frozenset({"ctx", "op", "ops", "id", "attr", "lineno", "type_comment", "kind"})
COMPOUND = (
    *(ast.If, ast.For, ast.AsyncFor, ast.While),
    *(ast.With, ast.AsyncWith, ast.Try, ast.TryStar, ast.Match),
)
"""Statements that open a block and nest."""
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
MODULE_STATE = "globals() or a class"
"""The name for state that outlives every call and has no name of its own: ``globals()``, ``type(self)``."""
_BINDERS = frozenset(
    {
        *(ast.Name, ast.arg, ast.Global, ast.Nonlocal, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
        *(ast.ExceptHandler, ast.MatchAs, ast.MatchStar, ast.MatchMapping),
    }
)
_CHILD_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {}


@dataclass(frozen=True, slots=True)
class PlacedStatement:
    """A statement, the number of blocks around it in its scope, and whether one of them is a loop."""

    node: ast.stmt
    nesting: int
    in_loop: bool


@dataclass(eq=False)
class Scope:
    """The body of a module, class or function, without the functions and classes defined in it.

    Lambdas and comprehensions count as part of the scope around them; decorators, defaults and the return
    annotation of a function belong to the scope that defines it.
    """

    node: ScopeNode
    name: str
    parent: "Scope | None"
    statements: list[PlacedStatement] = field(default_factory=list[PlacedStatement])
    bound_names: set[str] = field(default_factory=set[str])
    declared_names: set[str] = field(default_factory=set[str])
    calls: list[tuple[ast.Call, str]] = field(default_factory=list[tuple[ast.Call, str]])
    _nodes_by_type: dict[type[ast.AST], list[ast.AST]] = field(default_factory=lambda: defaultdict(list))

    @property
    def function(self) -> FunctionNode | None:
        """The function of which this is the body, if any."""
        return self.node if isinstance(self.node, FunctionNode) else None

    @property
    def last_name(self) -> str:
        """Its own name, without those of classes and functions around it; empty for a module."""
        return self.name.rsplit(".", 1)[-1]

    @property
    def is_method(self) -> bool:
        """Whether it is a function defined directly in a class."""
        return self.function is not None and self.parent is not None and isinstance(self.parent.node, ast.ClassDef)

    @property
    def line(self) -> int | None:
        """The line of the ``def`` or ``class``; None for a module."""
        return None if isinstance(self.node, ast.Module) else self.node.lineno

    def nodes(self, kind: type[N]) -> list[N]:
        """Every node of exactly this type, in source order."""
        return cast("list[N]", self._nodes_by_type.get(kind, []))

    def all_nodes(self) -> Iterator[ast.AST]:
        """Every node, grouped by type."""
        for nodes in self._nodes_by_type.values():
            yield from nodes

    def add(self, node: ast.AST) -> None:
        """Add a node of this scope."""
        self._nodes_by_type[type(node)].append(node)

    def visible_scopes(self) -> Iterator["Scope"]:
        """This scope and those around it whose names it can use, from the innermost to the module."""
        scope: Scope | None = self
        while scope is not None:
            if scope is self or not isinstance(scope.node, ast.ClassDef):
                yield scope
            scope = scope.parent

    def is_local(self, name: str) -> bool:
        """Whether a name is bound in this function or one around it, rather than in the module."""
        return any(name in scope.bound_names for scope in self.visible_scopes() if scope.parent is not None)


def children(node: ast.AST) -> list[ast.AST]:
    """The direct child nodes, in the order of the grammar."""
    kind = type(node)
    fields = _CHILD_FIELDS.get(kind)
    if fields is None:
        fields = _CHILD_FIELDS[kind] = tuple(name for name in kind._fields if name not in _LEAF_FIELDS)
    nodes: list[ast.AST] = []
    for name in fields:
        value = getattr(node, name, None)
        if isinstance(value, ast.AST):
            nodes.append(value)
        elif isinstance(value, list):
            nodes.extend(item for item in cast("list[object]", value) if isinstance(item, ast.AST))
    return nodes


def cut_into_scopes(tree: ast.Module) -> list[Scope]:
    """Split a tree into its scopes in source order, the module's own first.

    Raises:
        UnreadableError: The tree is nested deeper than ``MAX_DEPTH``.
    """
    root = Scope(tree, "", None)
    scopes = [root]
    stack: list[tuple[ast.AST, Scope, int, bool, int]] = [(tree, root, 0, False, 0)]
    while stack:
        node, scope, nesting, in_loop, depth = stack.pop()
        if depth > MAX_DEPTH:
            raise too_deep_error()
        scope.add(node)
        if type(node) in _BINDERS:
            _bind(node, scope)
        if isinstance(node, ast.stmt):
            scope.statements.append(PlacedStatement(node, nesting, in_loop))
        depth += 1
        if isinstance(node, FunctionNode | ast.ClassDef):
            inner = Scope(node, f"{scope.name}.{node.name}" if scope.name else node.name, scope)
            scopes.append(inner)
            stack.extend([(child, inner, 0, False, depth) for child in reversed(_nodes_inside(node))])
            stack.extend([(child, scope, nesting, in_loop, depth) for child in reversed(_nodes_outside(node))])
        elif isinstance(node, COMPOUND):
            in_loop = in_loop or isinstance(node, _LOOPS)
            stack.extend(
                [
                    (child, scope, nesting + (not _is_elif(node, child)), in_loop, depth)
                    for child in reversed(children(node))
                ]
            )
        elif nodes := children(node):
            stack.extend([(child, scope, nesting, in_loop, depth) for child in reversed(nodes)])
    for scope in scopes:
        scope.bound_names -= scope.declared_names
    return scopes


def docstring_of(node: ScopeNode) -> ast.Expr | None:
    """The statement that is the docstring, if there is one."""
    first = node.body[0] if node.body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return first
    return None


def head_lines(function: FunctionNode) -> range:
    """The lines of a function's head, from its first decorator, where Python says that it begins, to its ``def``."""
    first = min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])
    return range(first, function.lineno + 1)


def parameters(function: FunctionNode) -> list[ast.arg]:
    """Every parameter in order, including ``*args`` and ``**kwargs``."""
    args = function.args
    stars = [star for star in (args.vararg, args.kwarg) if star is not None]
    return [*args.posonlyargs, *args.args, *args.kwonlyargs, *stars]


def parameter_defaults(function: FunctionNode) -> Iterator[tuple[str, ast.expr]]:
    """Every parameter with a default, and the default."""
    args = function.args
    ordinary = [*args.posonlyargs, *args.args]
    for parameter, default in zip(ordinary[::-1], args.defaults[::-1], strict=False):
        yield parameter.arg, default
    for parameter, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        if default is not None:
            yield parameter.arg, default


def simple_name(node: ast.AST) -> str:
    """The last part of a name: ``c`` for ``c`` and for ``a.b.c``; empty for anything else."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def root_name(node: ast.AST) -> str | None:
    """The name from which an expression like ``a.b[0].c()`` starts."""
    while True:
        if isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        else:
            return node.id if isinstance(node, ast.Name) else None


def blocks(scope: Scope) -> Iterator[list[ast.stmt]]:
    """The blocks of statements in a scope; first its own body without the docstring."""
    docstring = docstring_of(scope.node)
    yield [node for node in scope.node.body if node is not docstring]
    for placed in scope.statements:
        for name in ("body", "orelse", "finalbody"):
            block = getattr(placed.node, name, None)
            if isinstance(block, list) and block and not isinstance(placed.node, ast.FunctionDef | ast.ClassDef):
                yield block
        for handler in getattr(placed.node, "handlers", ()):
            yield handler.body


def owner_name(node: ast.AST) -> str | None:
    """The name through which an object like ``a.b[0]`` is reached; None past a call, whose result may be new.

    A class reached through its object is named ``MODULE_STATE``, and so are a module's globals.
    """
    while True:
        match node:
            case ast.Attribute(attr="__class__", ctx=ast.Load()) | ast.Call(func=ast.Name(id="type"), args=[_]):
                return MODULE_STATE
            case ast.Call(func=ast.Name(id="globals"), args=[]):
                return MODULE_STATE
            case ast.Attribute(value=inner) | ast.Subscript(value=inner) | ast.Starred(value=inner):
                node = inner
            case ast.Call(func=ast.Name(id="vars"), args=[inner]):
                node = inner
            case _:
                return node.id if isinstance(node, ast.Name) else None


def _is_elif(node: ast.AST, child: ast.AST) -> bool:
    return (
        isinstance(node, ast.If)
        and isinstance(child, ast.If)
        and node.orelse == [child]
        and child.col_offset == node.col_offset
    )


def _nodes_inside(node: FunctionNode | ast.ClassDef) -> list[ast.AST]:
    names = parameters(node) if isinstance(node, FunctionNode) else []
    return [*names, *node.body]


def _nodes_outside(node: FunctionNode | ast.ClassDef) -> list[ast.AST]:
    nodes: list[ast.AST] = [*node.decorator_list]
    if isinstance(node, ast.ClassDef):
        nodes += [*node.bases, *node.keywords]
    else:
        nodes += [
            *node.args.defaults,
            *(default for default in node.args.kw_defaults if default is not None),
        ]
        nodes += [node.returns] if node.returns is not None else []
    return nodes


def _bind(node: ast.AST, scope: Scope) -> None:
    """Record the names that a node binds, except imports."""
    match node:
        case ast.Name(id=name, ctx=ctx):
            if not isinstance(ctx, ast.Load):
                scope.bound_names.add(name)
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            scope.declared_names.update(names)
        case ast.arg(arg=name) | ast.MatchMapping(rest=name):
            if name:
                scope.bound_names.add(name)
        case _:
            name = getattr(node, "name", None)
            if isinstance(name, str):
                scope.bound_names.add(name)
