"""Measurements of functions and classes: size, complexity, parameters, nesting, documentation, types."""

import ast
import re
from collections import Counter
from collections.abc import Iterator

from evalforge.evidence.static.class_uses import ClassUses
from evalforge.evidence.static.cognitive import body_complexity, function_complexity
from evalforge.evidence.static.fact_builders import Observation
from evalforge.evidence.static.import_work import ImportWork
from evalforge.evidence.static.module import Module
from evalforge.evidence.static.scopes import (
    COMPOUND,
    FunctionNode,
    Scope,
    docstring_of,
    parameters,
    simple_name,
)
from evalforge.evidence.static.unrelated_words import are_about_something_else
from evalforge.evidence.static.vocabulary import VALUE_CLASSES

_LETTERS = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]{2}")
_LOOKUPS = frozenset({"__getattr__", "__getattribute__"})
_MAX_SAME_DOCSTRINGS = 2
"""A function and its async twin may share a docstring; one that fits everything describes nothing."""


def lengths(modules: list[Module], import_work: ImportWork) -> Iterator[tuple[int, Observation]]:
    """Lines of code of every function, from ``def`` on, and of code outside functions that does work.

    Comments, blank lines, docstrings and inner functions don't count; inner functions are measured separately.
    """
    for module in modules:
        inner_lines = _lines_of_inner_functions(module)
        for scope in module.functions:
            function = scope.function
            if function is not None:
                lines = module.code_lines(function.lineno, function.end_lineno) - inner_lines[scope]
                yield lines, Observation(module.path, function.lineno, _length_message(function, lines), scope.name)
    for module, name, statements in import_work.bodies:
        lines = sum(module.code_lines(node.lineno, node.end_lineno) for node in statements)
        where = name or module.path.rsplit("/", 1)[-1]
        yield lines, Observation(module.path, statements[0].lineno, f"does {lines} lines of work on import", where)


def _length_message(function: FunctionNode, lines: int) -> str:
    is_crowded = function.end_lineno is not None and lines > function.end_lineno - function.lineno + 1
    return f"would be {lines} lines long with one statement on each" if is_crowded else f"is {lines} lines long"


def _lines_of_inner_functions(module: Module) -> Counter[Scope]:
    """How many lines of code the direct inner functions of each function take."""
    lines = Counter[Scope]()
    for scope in module.functions:
        maker = _maker(scope)
        if maker is not None and scope.function is not None:
            lines[maker] += module.code_lines(scope.function.lineno, scope.function.end_lineno)
    return lines


def _maker(scope: Scope) -> Scope | None:
    """The function around a function, ignoring classes in between."""
    outer_scope = scope.parent
    while outer_scope is not None and outer_scope.function is None:
        outer_scope = outer_scope.parent
    return outer_scope


def complexities(modules: list[Module], import_work: ImportWork) -> Iterator[tuple[int, Observation]]:
    """Cognitive complexity of every function, of module bodies, and of work in class bodies."""
    for module in modules:
        for scope in module.functions:
            if scope.function is not None:
                points = function_complexity(scope.function)
                message = f"has a cognitive complexity of {points}"
                yield points, Observation(module.path, scope.function.lineno, message, scope.name)
        points = body_complexity(module.tree.body)
        message = f"has a cognitive complexity of {points} outside its functions"
        yield points, Observation(module.path, 0, message, module.path.rsplit("/", 1)[-1])
    for module, name, statements in import_work.bodies:
        if name:
            points = body_complexity(statements)
            message = f"has a cognitive complexity of {points} in its body"
            yield points, Observation(module.path, statements[0].lineno, message, name)


def parameter_counts(modules: list[Module]) -> Iterator[tuple[int, Observation]]:
    """The number of parameters of every function, without ``self``, ``*args`` and ``**kwargs``."""
    for module in modules:
        for scope in module.functions:
            function = scope.function
            if function is not None:
                stars = (function.args.vararg, function.args.kwarg)
                count = sum(parameter not in stars for parameter in _own_parameters(scope, function))
                yield count, Observation(module.path, function.lineno, f"takes {count} parameters", scope.name)


def nestings(modules: list[Module]) -> Iterator[tuple[int, Observation]]:
    """The deepest nesting of blocks in every function and module body."""
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
    """Every public function and class that is used, and whether it has a docstring."""
    uses_of_classes = ClassUses(modules)
    public = [(module, scope) for module in modules for scope in module.scopes if _is_public(module, scope)]
    repeats = Counter(_docstring(scope) for _, scope in public)
    docstrings = [text for text in repeats.elements() if text]
    is_about_else = are_about_something_else(docstrings, [module.tree for module in modules])
    for module, scope in public:
        if not (module.was_called(scope) if scope.function else uses_of_classes.is_used(module, scope)):
            continue
        kind = "function" if scope.function else "class"
        text = _docstring(scope)
        lack = "without a docstring"
        if text and repeats[text] > _MAX_SAME_DOCSTRINGS:
            lack = "with the docstring of many others"
        elif text and is_about_else:
            lack = "with a docstring that is not about the code, like most here"
        yield (
            bool(text) and repeats[text] <= _MAX_SAME_DOCSTRINGS and not is_about_else,
            Observation(module.path, scope.line or 0, f"is a public {kind} {lack}", scope.name),
        )


def annotations(modules: list[Module]) -> Iterator[tuple[int, int, Observation]]:
    """The annotated and all places for types (parameters and return) of every function that a trial called."""
    for module in modules:
        for scope in module.functions:
            function = scope.function
            if function is None or not module.was_called(scope):
                continue
            annotations: list[ast.expr | None] = [
                parameter.annotation for parameter in _own_parameters(scope, function)
            ]
            if function.name != "__init__" or not any(annotations):
                annotations.append(function.returns)  # a typed __init__ doesn't need "-> None"
            typed = sum(annotation is not None for annotation in annotations)
            message = f"has types for {typed} of {len(annotations)} parameters and results"
            yield typed, len(annotations), Observation(module.path, function.lineno, message, scope.name)


def value_classes(modules: list[Module]) -> Iterator[Observation]:
    """Find dataclasses and similar classes: named tuples, attrs, pydantic models."""
    for module in modules:
        for scope in module.classes:
            node = scope.node
            if isinstance(node, ast.ClassDef) and scope.parent is not None:
                makers: list[ast.expr] = [*node.decorator_list, *node.bases]
                makers_called = [maker.func if isinstance(maker, ast.Call) else maker for maker in makers]
                if any(module.dotted_name(maker, scope.parent) in VALUE_CLASSES for maker in makers_called):
                    yield Observation(module.path, node.lineno, "is a value class", scope.name)
        for scope in module.scopes:
            for call, name in scope.calls:
                if name == "collections.namedtuple":
                    yield Observation(module.path, call.lineno, "makes a value class", "namedtuple")


def _own_parameters(scope: Scope, function: FunctionNode) -> list[ast.arg]:
    """All parameters except the ``self`` or ``cls`` of a method."""
    all_parameters = parameters(function)
    decorators = {node.id for node in function.decorator_list if isinstance(node, ast.Name)}
    bound = scope.is_method and "staticmethod" not in decorators
    receiver = next(iter([*function.args.posonlyargs, *function.args.args]), None)
    return [parameter for parameter in all_parameters if not (bound and parameter is receiver)]


def _docstring(scope: Scope) -> str:
    """The docstring in lower case and without numbers; empty if there is none."""
    docstring = docstring_of(scope.node)
    text = str(getattr(docstring.value, "value", "")) if docstring is not None else ""
    return " ".join(_LETTERS.findall(text.lower())) if _WORD.search(text) else ""


def _is_public(module: Module, scope: Scope) -> bool:
    """Whether users of the module see it: not private, not in a function, not a mere overload."""
    outer_scope = scope
    while outer_scope.parent is not None:
        if outer_scope.last_name.startswith("_") and not _is_published(module, outer_scope):
            return False
        outer_scope = outer_scope.parent
        if outer_scope.function is not None:
            return False
    return scope.parent is not None and not (scope.function is not None and _repeats(scope.function))


def _is_published(module: Module, scope: Scope) -> bool:
    """Whether a private name can be reached by a public one: it was assigned, or its class looks names up."""
    siblings = {other.last_name for other in module.functions if other.parent is scope.parent}
    is_looked_up = scope.is_method and scope.last_name[:2] != "__" and not _LOOKUPS.isdisjoint(siblings)
    return is_looked_up or scope.name in module.published_names


def _repeats(function: FunctionNode) -> bool:
    """Whether it is an overload or a setter, which are documented by the function that they belong to."""
    for decorator in function.decorator_list:
        if simple_name(decorator) in {"overload", "setter", "deleter", "override"}:
            return True
    return False
