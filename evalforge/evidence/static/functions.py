"""Functions and classes, measured: size, complexity, parameters, nesting, documentation, types."""

import ast
import copy
import re
import textwrap
from collections import Counter
from collections.abc import Container, Iterator

from evalforge.evidence.static.fact_builders import Observation
from evalforge.evidence.static.import_work import ImportWork
from evalforge.evidence.static.module import Module
from evalforge.evidence.static.scopes import (
    COMPOUND,
    FunctionNode,
    Scope,
    docstring_of,
    head_lines,
    parameters,
    simple_name,
)
from evalforge.evidence.static.vocabulary import VALUE_CLASSES

_WORD = re.compile(r"[^\W\d_]{2}")
_MAX_SAME_DOCSTRINGS = 2
"""A function and its asynchronous twin may share their words; a sentence for everything says nothing of anything."""


def lengths(modules: list[Module], import_work: ImportWork) -> Iterator[tuple[int, Observation]]:
    """Lines of code of every function, from ``def`` on, and of what stands outside of functions and does work.

    Comments, blank lines and docstrings aside, and functions within a function: those are measured by themselves.
    """
    for module in modules:
        inner_lines = _lines_of_inner_functions(module)
        for scope in module.functions:
            function = scope.function
            if function is not None:
                lines = module.code_lines(function.lineno, function.end_lineno) - inner_lines[scope]
                yield lines, Observation(module.path, function.lineno, f"is {lines} lines long", scope.name)
    for module, name, statements in import_work.bodies:
        lines = sum(module.code_lines(node.lineno, node.end_lineno) for node in statements)
        where = name or module.path.rsplit("/", 1)[-1]
        yield lines, Observation(module.path, statements[0].lineno, f"does {lines} lines of work on import", where)


def _lines_of_inner_functions(module: Module) -> Counter[Scope]:
    """How many lines of code the functions take that stand directly within each function."""
    lines = Counter[Scope]()
    for scope in module.functions:
        maker = _maker(scope)
        if maker is not None and scope.function is not None:
            lines[maker] += module.code_lines(scope.function.lineno, scope.function.end_lineno)
    return lines


def _maker(scope: Scope) -> Scope | None:
    """The function around a function, classes between them aside."""
    around = scope.parent
    while around is not None and around.function is None:
        around = around.parent
    return around


def complexities(modules: list[Module], import_work: ImportWork) -> Iterator[tuple[int, Observation] | None]:
    """Cognitive complexity of every function and module body; None for a file it can't be measured in."""
    from complexipy import code_complexity

    for module in modules:
        try:
            measured = code_complexity(
                module.text.removeprefix("\ufeff"), check_script=True, no_ignore=True, with_plans=False
            )
        except ValueError:
            yield None
            continue
        makers = {maker for scope in module.functions if (maker := _maker(scope))}
        measured_apart = {line for maker in makers if maker.function for line in head_lines(maker.function)}
        for part in measured.functions:
            if part.line_start in measured_apart:
                continue
            body = part.name == "<module>"
            name = module.path.rsplit("/", 1)[-1] if body else part.name.replace("::", ".")
            where = " outside its functions" if body else ""
            message = f"has a cognitive complexity of {part.complexity}{where}"
            yield part.complexity, Observation(module.path, 0 if body else part.line_start, message, name)
        yield from _maker_complexities(module, makers)
    yield from _class_complexities(import_work)


def _maker_complexities(module: Module, makers: Container[Scope]) -> Iterator[tuple[int, Observation]]:
    """Cognitive complexity of functions that hold others, and of those, each by itself."""
    from complexipy import code_complexity

    for scope in module.functions:
        if scope.function is None or not (scope in makers or _maker(scope)):
            continue
        text = ast.unparse(_InnerFunctionRemover().copy_without_inner(scope.function))
        try:
            measured = code_complexity(text, check_script=True, no_ignore=True)
        except ValueError:
            continue
        points = sum(part.complexity for part in measured.functions)
        message = f"has a cognitive complexity of {points}"
        yield points, Observation(module.path, scope.function.lineno, message, scope.name)


class _InnerFunctionRemover(ast.NodeTransformer):
    """Leaves nothing of functions within a function but that they are there."""

    def copy_without_inner(self, function: FunctionNode) -> ast.stmt:
        """A copy of a function without those in it, and without decorators, which stand outside."""
        own = copy.deepcopy(function)
        own.decorator_list = []
        own.body = [self.visit(node) for node in own.body]
        return own

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        return ast.copy_location(ast.Pass(), node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.stmt:
        return ast.copy_location(ast.Pass(), node)


def _class_complexities(import_work: ImportWork) -> Iterator[tuple[int, Observation]]:
    """Cognitive complexity of what class bodies do by themselves."""
    from complexipy import code_complexity

    for module, name, statements in import_work.bodies:
        if not name:
            continue
        lines = module.lines[statements[0].lineno - 1 : statements[-1].end_lineno]
        try:
            measured = code_complexity(textwrap.dedent("\n".join(lines)), check_script=True, no_ignore=True)
        except ValueError:
            continue
        points = sum(part.complexity for part in measured.functions if part.name == "<module>")
        message = f"has a cognitive complexity of {points} in its body"
        yield points, Observation(module.path, statements[0].lineno, message, name)


def parameter_counts(modules: list[Module]) -> Iterator[tuple[int, Observation]]:
    """Parameters of every function; ``self``, ``*args`` and ``**kwargs`` aside."""
    for module in modules:
        for scope in module.functions:
            function = scope.function
            if function is not None:
                stars = (function.args.vararg, function.args.kwarg)
                count = sum(parameter not in stars for parameter in _own_parameters(scope, function))
                yield count, Observation(module.path, function.lineno, f"takes {count} parameters", scope.name)


def nestings(modules: list[Module]) -> Iterator[tuple[int, Observation]]:
    """Blocks within blocks in every function and module body, at the deepest."""
    for module in modules:
        for scope in module.scopes:
            deepest, line = 0, 0
            for placed in scope.statements:
                if isinstance(placed.node, COMPOUND) and placed.nesting + 1 > deepest:
                    deepest, line = placed.nesting + 1, placed.node.lineno
            yield (
                deepest,
                Observation(module.path, line, f"has blocks nested {deepest} deep", scope.name or "the module body"),
            )


def documentation(modules: list[Module]) -> Iterator[tuple[bool, Observation]]:
    """Every public function and class, and whether it has a docstring."""
    public = [(module, scope) for module in modules for scope in module.scopes if _is_public(module, scope)]
    uses = Counter(_docstring(scope) for _, scope in public)
    for module, scope in public:
        kind = "function" if scope.function else "class"
        text = _docstring(scope)
        repeats = uses[text] > _MAX_SAME_DOCSTRINGS
        lack = "with the docstring of many others" if text and repeats else "without a docstring"
        yield (
            bool(text) and not repeats,
            Observation(module.path, scope.line or 0, f"is a public {kind} {lack}", scope.name),
        )


def annotations(modules: list[Module]) -> Iterator[tuple[int, int, Observation]]:
    """Annotated and all places for types (parameters and return) of every function."""
    for module in modules:
        for scope in module.functions:
            function = scope.function
            if function is None:
                continue
            places: list[ast.expr | None] = [parameter.annotation for parameter in _own_parameters(scope, function)]
            if function.name != "__init__" or not any(places):
                places.append(function.returns)  # a typed __init__ needs no "-> None"
            typed = sum(place is not None for place in places)
            message = f"has types for {typed} of {len(places)} parameters and results"
            yield typed, len(places), Observation(module.path, function.lineno, message, scope.name)


def value_classes(modules: list[Module]) -> Iterator[Observation]:
    """Dataclasses and their kin: named tuples, attrs, pydantic models."""
    for module in modules:
        for scope in module.classes:
            node = scope.node
            if isinstance(node, ast.ClassDef) and scope.parent is not None:
                makers: list[ast.expr] = [*node.decorator_list, *node.bases]
                called = [maker.func if isinstance(maker, ast.Call) else maker for maker in makers]
                if any(module.dotted_name(maker, scope.parent) in VALUE_CLASSES for maker in called):
                    yield Observation(module.path, node.lineno, "is a value class", scope.name)
        for scope in module.scopes:
            for call, name in scope.calls:
                if name == "collections.namedtuple":
                    yield Observation(module.path, call.lineno, "makes a value class", "namedtuple")


def _own_parameters(scope: Scope, function: FunctionNode) -> list[ast.arg]:
    """All parameters but the ``self`` or ``cls`` of a method."""
    all_parameters = parameters(function)
    decorators = {node.id for node in function.decorator_list if isinstance(node, ast.Name)}
    bound = scope.is_method and "staticmethod" not in decorators
    receiver = next(iter([*function.args.posonlyargs, *function.args.args]), None)
    return [parameter for parameter in all_parameters if not (bound and parameter is receiver)]


def _docstring(scope: Scope) -> str:
    """The words of a docstring; empty if it has none."""
    docstring = docstring_of(scope.node)
    text = str(getattr(docstring.value, "value", "")) if docstring is not None else ""
    return " ".join(text.split()) if _WORD.search(text) else ""


def _is_public(module: Module, scope: Scope) -> bool:
    """Whether users of the module see it: not private, not in a function, no mere overload."""
    around = scope
    while around.parent is not None:
        if around.last_name.startswith("_") and around.name not in module.published_names:
            return False
        around = around.parent
        if around.function is not None:
            return False
    return scope.parent is not None and not (scope.function is not None and _repeats(scope.function))


def _repeats(function: FunctionNode) -> bool:
    """Overloads and setters are documented by the function they belong to."""
    for decorator in function.decorator_list:
        if simple_name(decorator) in {"overload", "setter", "deleter", "override"}:
            return True
    return False
