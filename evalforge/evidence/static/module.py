"""A parsed Python file: its scopes, and what its names refer to."""

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from evalforge.evidence.static.reachability import reachable
from evalforge.evidence.static.scopes import (
    COMPOUND,
    DEFINITIONS,
    Scope,
    cut_into_scopes,
    docstring_of,
    head_lines,
    lines_of,
)
from evalforge.evidence.static.source import parse, split_lines
from evalforge.model.submission import SubmissionFile

_MAIN_NAMES = frozenset({"main", "_main", "amain", "async_main", "main_cli", "cli", "run_cli", "entry_point"})
"""Functions with these names are entry points by convention."""
UNKNOWN = "."
"""The start of the dotted name of anything not imported or built in: locals, own functions, results of calls."""


@dataclass(eq=False)
class Module:
    """A readable Python file, with queries on its syntax tree.

    Attributes:
        lines_run: The lines that ran in the trials; None if unknown.
        functions_called: The first lines of functions that were called in the trials.
        touching_lines: By scope, the lines that opened a file or the like in the trials.
        streaming_lines: By scope, the lines that read or wrote a standard stream in plain use.
        acting_lines: The lines outside functions that read or wrote something, themselves or through calls.
    """

    path: str
    text: str
    tree: ast.Module
    scopes: list[Scope]
    imports: dict[str, str]
    lines_run: frozenset[int] | None = None
    functions_called: frozenset[int] = frozenset()
    touching_lines: Mapping[Scope, list[int]] = field(default_factory=dict[Scope, list[int]])
    streaming_lines: Mapping[Scope, list[int]] = field(default_factory=dict[Scope, list[int]])
    acting_lines: frozenset[int] = frozenset()

    def ran(self, node: ast.stmt | ast.expr, scope: Scope) -> bool:
        """Whether a trial executed part of a node in this scope; true if there is no record.

        The line of ``def complain(): log.error("no")`` also runs on definition, so the function must have been called.
        """
        return self.lines_run is None or (self.was_called(scope) and not self.lines_run.isdisjoint(lines_of(node)))

    def was_called(self, scope: Scope) -> bool:
        """Whether a trial called this function; true if there is no record."""
        function = scope.function
        if self.lines_run is None or function is None:
            return True
        return not self.functions_called.isdisjoint(head_lines(function))

    @property
    def root(self) -> Scope:
        """The scope of the module's own body."""
        return self.scopes[0]

    @property
    def name(self) -> str:
        """The file's name without folders: ``app.py``."""
        return self.path.rsplit("/", 1)[-1]

    @property
    def stem(self) -> str:
        """The name by which other files import it: ``app``."""
        return self.name.removesuffix(".py")

    @cached_property
    def functions(self) -> list[Scope]:
        """Every function, method and nested function, in source order."""
        return [scope for scope in self.scopes if scope.function is not None]

    @cached_property
    def classes(self) -> list[Scope]:
        """Every class, in source order."""
        return [scope for scope in self.scopes if isinstance(scope.node, ast.ClassDef)]

    def methods(self, class_scope: Scope) -> list[Scope]:
        """The functions defined directly in a class."""
        return [scope for scope in self.functions if scope.parent is class_scope]

    @cached_property
    def main_guards(self) -> list[ast.stmt]:
        """Every ``if __name__ == "__main__":`` at the top level."""
        return [node for node in self.tree.body if is_main_guard(node)]

    @cached_property
    def entry_functions(self) -> frozenset[str]:
        """The functions that the main guard or a ``__main__.py`` calls, and those with a name like main."""
        called_names = {
            node.func.id
            for guard in (self.tree.body if self.is_main_file else self.main_guards)
            if not isinstance(guard, DEFINITIONS)
            for node in ast.walk(guard)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        return _MAIN_NAMES | called_names

    @cached_property
    def _values_by_name(self) -> dict[Scope, dict[str, list[ast.expr]]]:
        assigned: dict[Scope, dict[str, list[ast.expr]]] = {}
        for scope in self.scopes:
            values = assigned[scope] = defaultdict[str, list[ast.expr]](list)
            for node in scope.nodes(ast.Assign, ast.AnnAssign, ast.NamedExpr):
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    for name, value in _pairs(target, node.value) if node.value else ():
                        values[name].append(value)
        return assigned

    def assigned_values(self, name: str, scope: Scope) -> list[ast.expr]:
        """The values assigned to a name in the innermost scope that assigns it."""
        for visible_scope in scope.visible_scopes():
            if name in self._values_by_name[visible_scope]:
                return self._values_by_name[visible_scope][name]
        return []

    @cached_property
    def published_names(self) -> frozenset[str]:
        """The private names that a module or class makes public by assignment, as in ``Cache = _Cache``, and where."""
        return frozenset(
            f"{around.name}.{value.id}".lstrip(".")
            for around in (self.root, *self.classes)
            for name, expression in self._values_by_name[around].items()
            if not name.startswith("_")
            for value in expression
            if isinstance(value, ast.Name)
        )

    @property
    def is_main_file(self) -> bool:
        """Whether ``python -m package`` runs this file."""
        return self.name == "__main__.py"

    @cached_property
    def _code_lines(self) -> list[int]:
        return _count_lines(split_lines(self.text), self.scopes)

    def code_lines(self, node: ast.stmt) -> int:
        """Count the lines of code of a statement: not blank, comment or docstring.

        A crowded line counts as the lines that it should be: ``a = 1; b = 2`` as two.
        """
        counted = self._code_lines
        lines = lines_of(node)
        return counted[min(lines.stop, len(counted)) - 1] - counted[min(lines.start, len(counted)) - 1]

    def dotted_name(self, node: ast.expr, scope: Scope) -> str:
        """What a name or attribute refers to, as far as this file shows.

        It is ``json.load`` for an imported name whatever its alias, and ``builtins.open`` for a built-in that nothing
        shadows. All others start with ``UNKNOWN``: ``.self.rows.append``, ``.().read``.
        """
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        parts.append(self._root_name(node.id, scope) if isinstance(node, ast.Name) else ".()")
        return ".".join(reversed(parts))

    def _root_name(self, name: str, scope: Scope) -> str:
        """What a name refers to; it is this file's own if it is bound in it other than by an import."""
        if scope.is_local(name) or (name in self.root.bound_names and name not in self.imports):
            return UNKNOWN + name
        return self.imports.get(name) or f"builtins.{name}"

    def ancestry(self, node: ast.expr, scope: Scope) -> set[str]:
        """The dotted names of a class and its bases, as far as this file shows."""
        classes = {UNKNOWN + found_class.name: found_class for found_class in self.classes}

        def base_names(name: str) -> list[str]:
            return [self.dotted_name(base, self.root) for base in classes[name].bases] if name in classes else []

        return reachable([self.dotted_name(node, scope)], base_names)


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """The names that an assignment binds, each with its value; for an unpacking, as far as both sides show them."""
    match target, value:
        case ast.Name(id=name), _:
            yield name, value
        case ((ast.Tuple(elts=parts) | ast.List(elts=parts)), (ast.Tuple(elts=values) | ast.List(elts=values))):
            for part, part_value in zip(parts, values, strict=False):
                if isinstance(part, ast.Name) and len(parts) == len(values):
                    yield part.id, part_value
        case _:
            pass


def read_module(file: SubmissionFile) -> Module:
    """Parse one Python file.

    Raises:
        UnreadableError: The file can't be parsed.
    """
    tree = parse(file.content)
    scopes = cut_into_scopes(tree)
    module = Module(file.path, file.content, tree, scopes, _imports(scopes))
    for scope in scopes:
        scope.calls.extend((call, module.dotted_name(call.func, scope)) for call in scope.nodes(ast.Call))
    return module


def is_main_guard(node: ast.stmt) -> bool:
    """Whether a statement is ``if __name__ == "__main__":``, in either order."""
    match node:
        case ast.If(test=ast.Compare(left=ast.Name() as name, ops=[ast.Eq()], comparators=[ast.Constant() as value])):
            return (name.id, value.value) == ("__name__", "__main__")
        case ast.If(test=ast.Compare(left=ast.Constant() as value, ops=[ast.Eq()], comparators=[ast.Name() as name])):
            return (name.id, value.value) == ("__name__", "__main__")
        case _:
            return False


def _imports(scopes: list[Scope]) -> dict[str, str]:
    """What each imported name refers to, wherever in the file it is imported."""
    imports: dict[str, str] = {}
    for scope in scopes:
        for node in scope.nodes(ast.Import):
            for alias in node.names:
                package = alias.name.split(".")[0]
                imports[alias.asname or package] = alias.name if alias.asname else package
        for node in scope.nodes(ast.ImportFrom):
            origin = "." * node.level + (node.module or "")
            for alias in node.names:
                imports[alias.asname or alias.name] = f"{origin}.{alias.name}"
    return imports


def _count_lines(lines: list[str], scopes: list[Scope]) -> list[int]:
    """The number of lines of code up to each line, from 0 before the first."""
    string_lines, documentation = set[int](), set[int]()
    extra_counts = Counter[int]()
    for scope in scopes:
        extra_counts.update(_spare_lines(scope))
        docstring = docstring_of(scope.node)
        if docstring is not None:
            documentation.update(lines_of(docstring))
        for text in scope.nodes(ast.Constant, ast.JoinedStr):
            if text.end_lineno and text.end_lineno > text.lineno:
                string_lines.update(lines_of(text))  # in which "#" doesn't start a comment
    counted = [0]
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        counts = bool(text) and number not in documentation and (number in string_lines or not text.startswith("#"))
        counted.append(counted[-1] + counts + (extra_counts[number] if counts else 0))
    return counted


def _spare_lines(scope: Scope) -> Counter[int]:
    """How many more lines a scope would take, by line, if each line had one statement."""
    simple = (statement.node for statement in scope.statements if not isinstance(statement.node, COMPOUND))
    return Counter({line: count - 1 for line, count in Counter(node.lineno for node in simple).items()})
