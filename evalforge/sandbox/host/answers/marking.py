"""Compiles a submission so that its functions pass each answer to a function of ours, and each block calls it first.

Only bytecode is changed: the files, their lines and their tracebacks stay as they are.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import marshal
import os
from collections.abc import Iterator
from typing import Any

LIST_FILE = "places.json"
"""The file that lists the functions (path, line, name, whether it takes anything), the blocks, and names.

Blocks are the bodies of functions, of ``try`` and of ``with``: path, first and last line, the line of the last handler
or else of the statement, and whether it is a function. The order is their number. Names are those of modules: path,
name, line.
"""
_Block = tuple[str, int, int, int, bool]
_UNCHECKED_HEADER = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)
_TEXT_METHODS = frozenset({"__str__", "__repr__", "__format__", "__call__"})
_IGNORED_METHODS = frozenset({"__del__"})  # Python itself takes their errors
_MAKERS = frozenset({"partial", "methodcaller"})
_FORMATTERS = frozenset({"format", "format_map", "substitute", "safe_substitute"})


def first_mark(name: str) -> int:
    """The mark of the first function. It can't be guessed, so nobody can write it into a function of their own."""
    return int(name[1:], 16) << 32


def compile_marked(source: str, paths: tuple[str, ...], name: str) -> None:
    """Compile files into the folder ``sys.pycache_prefix``; those that can't be compiled are left out.

    Args:
        source: The submission.
        paths: The files, relative to it.
        name: The built-in name by which the code finds our function.
    """
    functions: list[tuple[str, int, str, bool]] = []
    blocks: list[_Block] = []
    names: list[tuple[str, str, int]] = []
    for path in paths:
        marker = _Marker(path, name, first_mark(name) + len(functions), len(blocks))
        try:
            with open(os.path.join(source, path), "rb") as file:
                parsed = ast.parse(file.read())
            bound = [(path, name, line) for name, line in _bound_names(parsed)]
            tree = ast.fix_missing_locations(marker.visit(parsed))
            code = compile(tree, file.name, "exec", dont_inherit=True)
            target = importlib.util.cache_from_source(file.name)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as file:
                file.write(_UNCHECKED_HEADER + marshal.dumps(code))
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        functions += marker.functions
        blocks += marker.blocks
        names += bound
    with open(LIST_FILE, "w", encoding="utf-8") as file:
        json.dump([functions, blocks, names], file)


def _bound_names(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """The names that a module's statements bind at its outer level, each with its line."""
    for node in tree.body:
        targets: list[Any] = [node, *getattr(node, "targets", ()), getattr(node, "target", None)]
        for target in targets:
            name = getattr(target, "name", None) or getattr(target, "id", None)
            if name:
                yield name, target.lineno


class _Marker(ast.NodeTransformer):
    """Marks the answers and blocks in one file, and lists them."""

    def __init__(self, path: str, name: str, first_number: int, first_block: int) -> None:
        self.functions: list[tuple[str, int, str, bool]] = []
        self.blocks: list[_Block] = []
        self._path = path
        self._function = ast.Name(name, ast.Load())
        self._first_number, self._first_block = first_number, first_block
        self._number: int | None = None
        self.visit_AsyncFunctionDef, self.visit_Yield = self.visit_FunctionDef, self.visit_Return
        self.visit_TryStar, self.visit_AsyncWith = self.visit_Try, self.visit_With

    def visit_FunctionDef(self, node: Any) -> ast.AST:
        is_magic = node.name[:2] == "__" == node.name[-2:] and node.name not in _TEXT_METHODS
        self._visit_inside(node, None if is_magic else self._add(node, node.name))
        if node.name not in _IGNORED_METHODS:
            self._mark_block(node, node.lineno, is_function=True)
        return node

    def visit_Try(self, node: Any) -> ast.AST:
        self.generic_visit(node)
        self._mark_block(node, (node.handlers or [node])[-1].lineno)
        return node

    def visit_With(self, node: Any) -> ast.AST:
        """Mark the last statement as well: at the first one, what the block takes may not be known yet."""
        self.generic_visit(node)
        if len(node.body) > 1:
            self._mark_block(node, node.lineno, before=len(node.body) - 1)
        self._mark_block(node, node.lineno)
        return node

    def _mark_block(self, node: Any, line: int, *, before: int = 0, is_function: bool = False) -> None:
        """Call our function before a statement of a body; a docstring stays the first one."""
        first, last = node.body[0], node.body[-1]
        is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
        mark = ast.Constant(self._first_block + len(self.blocks))
        call = ast.Call(ast.Attribute(self._function, "reach", ast.Load()), [mark], [])
        place = node.body[before]
        node.body.insert(before or int(is_text), ast.copy_location(ast.Expr(ast.copy_location(call, place)), place))
        self.blocks.append((self._path, first.lineno, last.end_lineno, line, is_function))

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        number = self._add(node, "<lambda>")
        self._visit_inside(node, number)
        node.body = self._marked(node.body, self._function, number)
        return node

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        """Leave out how to sort, which answers nothing."""
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
