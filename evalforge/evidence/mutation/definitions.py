"""Comparison of functions, ignoring private names, docstrings and annotations.

Names that a file itself chooses (locals, parameters, functions, classes, constants, attributes and methods) may differ,
as long as the same name is in the same places. Names from elsewhere must be equal.

    >>> key = lambda text: Definition(ast.parse(text).body[0], FileNames(ast.parse(text))).key
    >>> key("def add(a: int, b: int): return a - b") == key("def plus(x, y): return x - y")
    True
    >>> key("def add(a, b): return a - b") == key("def add(a, b): return b - a")
    False
"""

import ast
import builtins
import sys
from collections.abc import Iterator
from typing import cast

_BUILTINS = frozenset(dir(builtins))
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_ANNOTATIONS = frozenset({"annotation", "returns", "type_params"})
_IGNORED_FIELDS = frozenset({"type_comment", "kind", "asname", "simple"})
_NAME_FIELDS = frozenset(
    {(ast.Name, "id"), (ast.arg, "arg"), (ast.ExceptHandler, "name"), (ast.MatchAs, "name"), (ast.MatchStar, "name")}
    | {(ast.MatchMapping, "rest"), (ast.Global, "names"), (ast.Nonlocal, "names")}
    | {(kind, "name") for kind in _DEFINITIONS}
)

Key = tuple[tuple[object, ...], ...]


class FileNames:
    """The names of a file that have a meaning outside of it.

    Args:
        tree: The file's syntax tree.

    Attributes:
        imports: The full names of imports from the standard library, by their names in the file.
        attributes: The attributes that the file sets, and its functions.
        parameters: The parameters of its functions.
    """

    def __init__(self, tree: ast.Module) -> None:
        self.imports: dict[str, str] = {}
        self.attributes: set[str] = set()
        self.parameters: set[str] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import | ast.ImportFrom):
                self._add_imports(node)
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                self.attributes.add(node.attr)
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                self.attributes.add(node.name)
            elif isinstance(node, ast.arg):
                self.parameters.add(node.arg)

    def _add_imports(self, node: ast.Import | ast.ImportFrom) -> None:
        module = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
        is_relative = isinstance(node, ast.ImportFrom) and node.level > 0
        for alias in node.names:
            name = module + alias.name
            if name.partition(".")[0] in sys.stdlib_module_names and not is_relative:
                self.imports[alias.asname or alias.name.partition(".")[0]] = name

    def is_own(self, part: ast.AST) -> bool:
        """Whether an attribute or keyword is the file's own and may have any name; dunder names may not."""
        if isinstance(part, ast.Attribute):
            is_dunder = part.attr.startswith("__") and part.attr.endswith("__")
            return part.attr in self.attributes and not is_dunder
        return isinstance(part, ast.keyword) and part.arg in self.parameters


class Definition:
    """A function, or a statement outside of functions, in a comparable form.

    Args:
        node: Its syntax tree.
        names: The names of the definition's file.

    Attributes:
        node: Its syntax tree.
        parts: All nodes that matter, each before its inner ones.
        key: A hash that is equal for equal definitions.
    """

    def __init__(self, node: ast.stmt, names: FileNames) -> None:
        self.node = node
        self._names = names
        self._numbers: dict[str, int] = {}
        self.parts = list(_parts(node))
        self._bound = {
            name
            for part in self.parts
            if (isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)) or isinstance(part, ast.arg)
            for name in (part.id if isinstance(part, ast.Name) else part.arg,)
        }
        self.key: Key = tuple(self._label(part) for part in self.parts)

    @property
    def name(self) -> str:
        """The name that it defines or assigns."""
        if isinstance(self.node, _DEFINITIONS):
            return self.node.name
        targets = self.node.targets if isinstance(self.node, ast.Assign) else [getattr(self.node, "target", None)]
        return ", ".join(ast.unparse(target) for target in targets if target is not None)

    def _label(self, part: ast.AST) -> tuple[object, ...]:
        kind = "Assign" if isinstance(part, ast.AnnAssign) else type(part).__name__
        words = [
            self._field_text(part, name, value) for name, value in ast.iter_fields(part) if name not in _IGNORED_FIELDS
        ]
        return (kind, len(list(_inner_parts(part))), *(word for word in words if word is not None))

    def _field_text(self, part: ast.AST, field: str, value: object) -> str | None:
        """A field in comparable form; None if it is a node, or doesn't matter."""
        if (type(part), field) in _NAME_FIELDS:
            names = cast("list[str | None]", value if isinstance(value, list) else [value])
            return " ".join(self._name(name) for name in names if name is not None)
        if field in ("attr", "arg") and self._names.is_own(part):
            return self._number(f".{value}" if field == "attr" else f"{value}=")
        if isinstance(value, ast.AST | list) or (value is None and field != "value"):
            return None
        return f"{type(value).__name__} {value!r}"

    def _name(self, name: str) -> str:
        if name not in self._bound and (name in self._names.imports or name in _BUILTINS):
            return self._names.imports.get(name, name)
        return self._number(name)

    def _number(self, name: str) -> str:
        return str(self._numbers.setdefault(name, len(self._numbers)))


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    pending = [node]
    while pending:
        part = pending.pop()
        yield part
        pending.extend(reversed(list(_inner_parts(part))))


def _inner_parts(node: ast.AST) -> Iterator[ast.AST]:
    """The direct inner nodes that matter."""
    for field, value in ast.iter_fields(node):
        if field in _ANNOTATIONS:
            continue
        children = cast("list[object]", value if isinstance(value, list) else [value])
        for index, child in enumerate(children):
            is_docstring = field == "body" and index == 0 and isinstance(node, _DEFINITIONS) and _is_text(child)
            is_bare = isinstance(child, ast.AnnAssign) and child.value is None
            if isinstance(child, ast.AST) and not (is_docstring or is_bare or isinstance(child, ast.expr_context)):
                yield child


def _is_text(node: object) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
