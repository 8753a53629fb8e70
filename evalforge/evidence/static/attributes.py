"""Attributes looked up by a literal name, turned into normal attributes."""

import ast
from typing import cast


def read_attributes(tree: ast.Module) -> None:
    """Replace each ``getattr(a, "b")`` by ``a.b``."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        for name, value in ast.iter_fields(node):
            if isinstance(value, list):
                setattr(node, name, [_read(item) for item in cast("list[object]", value)])
            elif isinstance(value, ast.AST):
                setattr(node, name, _read(value))
        waiting += ast.iter_child_nodes(node)


def _read(node: object) -> object:
    match node:
        case ast.Call(func=ast.Name(id="getattr"), args=[owner, ast.Constant(value=str() as name)], keywords=[]):
            return ast.copy_location(ast.Attribute(owner, name, ast.Load()), node) if name.isidentifier() else node
        case _:
            return node
