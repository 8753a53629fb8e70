"""Compiles a submission so that its functions pass each answer to a function of ours.

Only bytecode is changed: the files, their lines and their tracebacks stay as they are.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import marshal
import os
from typing import Any

LIST_FILE = "functions.json"
"""The file that lists the functions: path, line, name, whether it takes anything; their order is their number."""
_UNCHECKED_HEADER = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)
_TEXT_METHODS = frozenset({"__str__", "__repr__", "__format__", "__call__"})
_MAKERS = frozenset({"partial", "methodcaller"})
_FORMATTERS = frozenset({"format", "format_map", "substitute", "safe_substitute"})


def compile_marked(source: str, paths: tuple[str, ...], name: str) -> None:
    """Compile files into the folder ``sys.pycache_prefix``; those that can't be compiled are left out.

    Args:
        source: The submission.
        paths: The files, relative to it.
        name: The built-in name by which the code finds our function.
    """
    functions: list[tuple[str, int, str, bool]] = []
    for path in paths:
        marker = _Marker(path, name, len(functions))
        try:
            with open(os.path.join(source, path), "rb") as file:
                tree = ast.fix_missing_locations(marker.visit(ast.parse(file.read())))
            code = compile(tree, file.name, "exec", dont_inherit=True)
            target = importlib.util.cache_from_source(file.name)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as file:
                file.write(_UNCHECKED_HEADER + marshal.dumps(code))
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        functions += marker.functions
    with open(LIST_FILE, "w", encoding="utf-8") as file:
        json.dump(functions, file)


class _Marker(ast.NodeTransformer):
    """Marks the answers in one file, and lists its functions."""

    def __init__(self, path: str, name: str, first_number: int) -> None:
        self.functions: list[tuple[str, int, str, bool]] = []
        self._path = path
        self._function = ast.Name(name, ast.Load())
        self._first_number = first_number
        self._number: int | None = None
        self.visit_AsyncFunctionDef, self.visit_Yield = self.visit_FunctionDef, self.visit_Return

    def visit_FunctionDef(self, node: Any) -> ast.AST:
        is_magic = node.name[:2] == "__" == node.name[-2:] and node.name not in _TEXT_METHODS
        return self._visit_inside(node, None if is_magic else self._add(node, node.name))

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        number = self._add(node, "<lambda>")
        self._visit_inside(node, number)
        node.body = self._marked(node.body, self._function, number)
        return node

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        """Leave out how to sort: that is no answer."""
        return node if node.arg == "key" and isinstance(node.value, ast.Lambda) else self.generic_visit(node)

    def visit_Return(self, node: Any) -> ast.AST:
        self.generic_visit(node)
        if node.value is not None and self._number is not None:
            node.value = self._marked(node.value, self._function, self._number)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        """Mark what a name is bound to if that is callable: a bound ``format``, or a ``partial``."""
        self.generic_visit(node)
        value: Any = node.value
        is_call = isinstance(value, ast.Call)
        callee: Any = value.func if is_call else value
        name = callee.attr if isinstance(callee, ast.Attribute) else getattr(callee, "id", "") if is_call else ""
        target = node.targets[0]
        if isinstance(target, ast.Name) and name in (_MAKERS if is_call else _FORMATTERS):
            function = ast.Attribute(self._function, "of", ast.Load())
            node.value = self._marked(value, function, self._add(node, target.id))
        return node

    def _visit_inside(self, node: ast.AST, number: int | None) -> ast.AST:
        outside, self._number = self._number, number
        self.generic_visit(node)
        self._number = outside
        return node

    def _add(self, node: Any, name: str) -> int:
        """List a function, and return its number."""
        line = min(each.lineno for each in (node, *getattr(node, "decorator_list", ())))
        parameters: Any = getattr(node, "args", None)
        takes_something = parameters is None or any(value for _, value in ast.iter_fields(parameters))
        self.functions.append((self._path, line, name, takes_something))
        return self._first_number + len(self.functions) - 1

    @staticmethod
    def _marked(value: ast.expr, function: ast.expr, number: int) -> ast.expr:
        return ast.copy_location(ast.Call(function, [ast.Constant(number), value], []), value)
