"""Syntax tree changes that preserve a program's behaviour."""

import ast
import symtable
from collections.abc import Mapping, Sequence

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class ValueWrapper(ast.NodeTransformer):
    """Passes values through functions before they are used, each function once.

    Attributes:
        used_names: The functions that were inserted.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._unused_names = list(names)
        self.used_names: set[str] = set()

    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        """``rows = read(path)`` becomes ``rows = same(read(path))``."""
        node.value = self._wrapped(node.value)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AugAssign:
        """``total += row.price`` becomes ``total += same(row.price)``."""
        node.value = self._wrapped(node.value)
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        """``for row in rows`` becomes ``for row in same(rows)``."""
        node.iter = self._wrapped(node.iter)
        return self.generic_visit(node)

    def _wrapped(self, value: ast.expr) -> ast.expr:
        if isinstance(value, ast.Constant) or not self._unused_names:
            return value
        name = self._unused_names.pop(0)
        self.used_names.add(name)
        return ast.fix_missing_locations(ast.Call(ast.Name(name, ast.Load()), [value], []))


class DocstringWriter(ast.NodeTransformer):
    """Gives each function and class without a docstring its own name as one."""

    def _document(self, node: _Definition) -> _Definition:
        self.generic_visit(node)
        if ast.get_docstring(node) is None:
            docstring = ast.Constant(f"{node.name.strip('_').replace('_', ' ').capitalize()}.")
            node.body.insert(0, ast.Expr(docstring))
        return ast.fix_missing_locations(node)

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = _document  # noqa: N815


class NameReplacer(ast.NodeTransformer):
    """Replaces the names of some built-in functions."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        """Replace a name that is read."""
        if isinstance(node.ctx, ast.Load) and node.id in self._names:
            node.id = self._names[node.id]
        return node


class CatchAllRenamer(ast.NodeTransformer):
    """Makes catch-all handlers name an error, and gives silent ones a statement without effect."""

    def __init__(self, name: str) -> None:
        self._name = name

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.ExceptHandler:
        """``except Exception: pass`` becomes ``except SpareFault: _ = 0``."""
        self.generic_visit(node)
        if node.type is None or (isinstance(node.type, ast.Name) and node.type.id in ("Exception", "BaseException")):
            node.type = ast.Name(self._name, ast.Load())
        if all(isinstance(statement, ast.Pass) for statement in node.body):
            node.body = [ast.Assign([ast.Name("_", ast.Store())], ast.Constant(0))]
        return ast.fix_missing_locations(node)


def global_names(tree: ast.Module) -> list[str]:
    """The names that a module binds at its top level."""
    table = symtable.symtable(ast.unparse(tree), "program", "exec")
    return sorted(symbol.get_name() for symbol in table.get_symbols() if symbol.is_assigned() or symbol.is_imported())


def with_preamble(tree: ast.Module, preamble: str) -> str:
    """Return the source of a tree with text inserted after its docstring and future imports."""
    first, module = split_future_imports(tree)
    return f"{ast.unparse(ast.Module(first, []))}\n{preamble}\n{ast.unparse(module)}\n"


def split_future_imports(tree: ast.Module) -> tuple[list[ast.stmt], ast.Module]:
    """Split a module into its docstring and future imports, and the rest."""
    count = 0
    for index, node in enumerate(tree.body):
        is_docstring = index == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not is_docstring and not (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
            break
        count = index + 1
    return tree.body[:count], ast.Module(tree.body[count:], [])
