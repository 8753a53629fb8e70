"""A syntax tree split into scopes: the nodes that belong to each function, class and module body.

Everything here is iterative: a file may be nested deeper than Python's recursion limit.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar, cast

from evalforge.evidence.static.source import TOO_DEEP, UnreadableError

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
LOOPS = (ast.For, ast.AsyncFor, ast.While)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_NO_ARGUMENTS = ast.arguments([], [], None, [], [], None, [])
_NAME_FIELDS: dict[type[ast.AST], str] = {
    **dict.fromkeys((*DEFINITIONS, ast.ExceptHandler, ast.MatchAs, ast.MatchStar), "name"),
    **dict.fromkeys((ast.Global, ast.Nonlocal), "names"),
    ast.Name: "id",
    ast.arg: "arg",
    ast.MatchMapping: "rest",
}
"""The field with the name that a node binds or declares, if it has one; imports are followed elsewhere."""
_CHILD_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {}


@dataclass(frozen=True, slots=True)
class PlacedStatement:
    """A statement, and whether it is in a loop of its scope."""

    node: ast.stmt
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
    def arguments(self) -> ast.arguments:
        """What the function takes, as Python parses it; nothing for other scopes."""
        return self.function.args if self.function is not None else _NO_ARGUMENTS

    @cached_property
    def parameters(self) -> list[ast.arg]:
        """Every parameter in order, including ``*args`` and ``**kwargs``."""
        args = self.arguments
        stars = [star for star in (args.vararg, args.kwarg) if star is not None]
        return [*args.posonlyargs, *args.args, *args.kwonlyargs, *stars]

    @property
    def last_name(self) -> str:
        """Its own name, without those of classes and functions around it; empty for a module."""
        return self.name.rsplit(".", 1)[-1]

    @property
    def decorators(self) -> list[ast.expr]:
        """The decorators of a function or class."""
        return [] if isinstance(self.node, ast.Module) else self.node.decorator_list

    @property
    def bases(self) -> list[ast.expr]:
        """The base classes of a class, as written."""
        return self.node.bases if isinstance(self.node, ast.ClassDef) else []

    @property
    def top_name(self) -> str:
        """The name of the outermost function or class around it, or its own; empty for a module."""
        return self.name.split(".", 1)[0]

    @property
    def title(self) -> str:
        """Its name, or words for the body of a module."""
        return self.name or "the module body"

    @property
    def is_method(self) -> bool:
        """Whether it is a function defined directly in a class."""
        return self.function is not None and self.parent is not None and isinstance(self.parent.node, ast.ClassDef)

    @property
    def line(self) -> int:
        """The line of the ``def`` or ``class``; 0 for a module."""
        return 0 if isinstance(self.node, ast.Module) else self.node.lineno

    def nodes(self, *kinds: type[N]) -> list[N]:
        """Every node of exactly these types, grouped by type in source order."""
        return cast("list[N]", [node for kind in kinds for node in self._nodes_by_type.get(kind, ())])

    def add(self, node: ast.AST) -> None:
        """Add a node of this scope."""
        self._nodes_by_type[type(node)].append(node)

    def enclosing(self) -> Iterator["Scope"]:
        """This scope and all those around it, from the innermost to the module."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent

    def visible_scopes(self) -> Iterator["Scope"]:
        """This scope and those around it whose names it can use, from the innermost to the module."""
        return (scope for scope in self.enclosing() if scope is self or not isinstance(scope.node, ast.ClassDef))

    @property
    def local_names(self) -> set[str]:
        """The names that are bound in this function and those around it."""
        return set[str]().union(*(scope.bound_names for scope in self.visible_scopes() if scope.function is not None))

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
    stack: list[tuple[ast.AST, Scope, bool, int]] = [(tree, root, False, 0)]
    while stack:
        node, scope, in_loop, depth = stack.pop()
        if depth > MAX_DEPTH:
            raise UnreadableError(TOO_DEEP)
        scope.add(node)
        if type(node) in _NAME_FIELDS:
            _bind(node, scope)
        if isinstance(node, ast.stmt):
            scope.statements.append(PlacedStatement(node, in_loop))
        depth += 1
        if isinstance(node, DEFINITIONS):
            inner = Scope(node, f"{scope.name}.{node.name}" if scope.name else node.name, scope)
            scopes.append(inner)
            stack.extend([(child, inner, False, depth) for child in reversed([*inner.parameters, *node.body])])
            stack.extend([(child, scope, in_loop, depth) for child in reversed(_nodes_outside(node))])
        elif nodes := children(node):
            in_loop = in_loop or isinstance(node, LOOPS)
            stack.extend([(child, scope, in_loop, depth) for child in reversed(nodes)])
    for scope in scopes:
        scope.bound_names -= scope.declared_names
    return scopes


def called(node: ast.expr) -> ast.expr:
    """What a call calls, such as ``cache`` of a decorator ``@cache(3)``; anything else itself."""
    return node.func if isinstance(node, ast.Call) else node


def docstring_of(node: ScopeNode) -> ast.Expr | None:
    """The statement that is the docstring, if there is one."""
    first = node.body[0] if node.body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return first
    return None


def lines_of(node: ast.expr | ast.stmt) -> range:
    """The numbers of a node's lines."""
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def head_lines(function: FunctionNode) -> range:
    """The lines of a function's head, from its first decorator, where Python says that it begins, to its ``def``."""
    first = min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])
    return range(first, function.lineno + 1)


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
            if isinstance(block, list) and block and not isinstance(placed.node, FunctionNode | ast.ClassDef):
                yield block
        for handler in getattr(placed.node, "handlers", ()):
            yield handler.body


def _nodes_outside(node: FunctionNode | ast.ClassDef) -> list[ast.AST]:
    if isinstance(node, ast.ClassDef):
        return [*node.decorator_list, *node.bases, *node.keywords]
    parts = (*node.decorator_list, *node.args.defaults, *node.args.kw_defaults, node.returns)
    return [part for part in parts if part is not None]


def _bind(node: ast.AST, scope: Scope) -> None:
    """Record the names that a node binds, except imports."""
    if isinstance(node, ast.Global | ast.Nonlocal):
        scope.declared_names.update(node.names)
    elif not isinstance(getattr(node, "ctx", None), ast.Load):
        name: str | None = getattr(node, _NAME_FIELDS[type(node)])
        if name:
            scope.bound_names.add(name)
