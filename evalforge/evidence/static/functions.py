"""Measurements of functions and classes: size, complexity, documentation."""

import re
from collections import Counter
from collections.abc import Iterator

from evalforge.evidence.static.class_uses import find_mentions, is_class_used
from evalforge.evidence.static.cognitive import body_complexity, function_complexity
from evalforge.evidence.static.fact_builders import Observation
from evalforge.evidence.static.import_work import ImportWork
from evalforge.evidence.static.module import Module
from evalforge.evidence.static.program import Program
from evalforge.evidence.static.scopes import (
    FunctionNode,
    Scope,
    docstring_of,
    lines_of,
    simple_name,
)
from evalforge.evidence.static.unrelated_words import are_about_something_else

_LETTERS = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]{2}")
_REPEATERS = frozenset({"overload", "setter", "deleter", "override"})
_LOOKUPS = frozenset({"__getattr__", "__getattribute__"})
_MAX_SAME_DOCSTRINGS = 2
"""A function and its async twin may share a docstring; one that fits everything describes nothing."""


def lengths(program: Program, import_work: ImportWork) -> Iterator[tuple[int, Observation]]:
    """Lines of code of every function, from ``def`` on, and of code outside functions that does work.

    Comments, blank lines, docstrings and inner functions don't count; inner functions are measured separately.
    """
    own_lines = Counter[Scope]()
    for module, scope in program.functions:
        if scope.function is not None:
            lines = module.code_lines(scope.function)
            own_lines[scope] += lines
            maker = next((outer for outer in scope.enclosing() if outer is not scope and outer.function), None)
            if maker is not None:
                own_lines[maker] -= lines
    for module, scope in program.functions:
        if scope.function is not None:
            lines = own_lines[scope]
            yield lines, Observation(module.path, scope.line, _length_message(scope.function, lines), scope.name)
    for module, name, statements in import_work.bodies:
        lines = sum(map(module.code_lines, statements))
        message = f"does {lines} lines of work on import"
        yield lines, Observation(module.path, statements[0].lineno, message, name or module.name)


def _length_message(function: FunctionNode, lines: int) -> str:
    is_crowded = lines > len(lines_of(function))
    return f"would be {lines} lines long with one statement on each" if is_crowded else f"is {lines} lines long"


def complexities(program: Program, import_work: ImportWork) -> Iterator[tuple[int, Observation]]:
    """Cognitive complexity of every function, of module bodies, and of work in class bodies."""
    for module, scope in program.functions:
        points = function_complexity(scope.node.body, scope.last_name)
        message = f"has a cognitive complexity of {points}"
        yield points, Observation(module.path, scope.line, message, scope.name)
    for module in program.modules:
        points = body_complexity(module.tree.body)
        message = f"has a cognitive complexity of {points} outside its functions"
        yield points, Observation(module.path, 0, message, module.name)
    for module, name, statements in import_work.bodies:
        if name:
            points = body_complexity(statements)
            message = f"has a cognitive complexity of {points} in its body"
            yield points, Observation(module.path, statements[0].lineno, message, name)


def documentation(program: Program) -> Iterator[tuple[int, int, Observation]]:
    """Every public function and class that is used: 1 if it has a docstring, and the 1 that it should have."""
    mentions = find_mentions(program)
    public = [(module, scope) for module, scope in program.scopes if _is_public(module, scope)]
    repeats = Counter(_docstring(scope) for _, scope in public)
    docstrings = [text for text in repeats.elements() if text]
    is_about_else = are_about_something_else(docstrings, [module.tree for module in program.modules])
    for module, scope in public:
        if not (module.was_called(scope) if scope.function else is_class_used(module, scope, mentions)):
            continue
        kind = "function" if scope.function else "class"
        text = _docstring(scope)
        lack = ""
        if not text:
            lack = "without a docstring"
        elif repeats[text] > _MAX_SAME_DOCSTRINGS:
            lack = "with the docstring of many others"
        elif is_about_else:
            lack = "with a docstring that is not about the code, like most here"
        yield int(not lack), 1, Observation(module.path, scope.line, f"is a public {kind} {lack}", scope.name)


def _docstring(scope: Scope) -> str:
    """The docstring in lower case and without numbers; empty if there is none."""
    docstring = docstring_of(scope.node)
    text = str(getattr(docstring.value, "value", "")) if docstring is not None else ""
    return " ".join(_LETTERS.findall(text.lower())) if _WORD.search(text) else ""


def _is_public(module: Module, scope: Scope) -> bool:
    """Whether users of the module see it: not private, not in a function, not a mere overload."""
    for around in scope.enclosing():
        is_private = around.last_name.startswith("_") and not _is_published(module, around)
        if is_private or (around is not scope and around.function is not None):
            return False
    return scope.parent is not None and not (scope.function is not None and _repeats(scope))


def _is_published(module: Module, scope: Scope) -> bool:
    """Whether a private name can be reached by a public one: it was assigned, or its class looks names up."""
    siblings = {other.last_name for other in module.functions if other.parent is scope.parent}
    is_looked_up = scope.is_method and scope.last_name[:2] != "__" and not _LOOKUPS.isdisjoint(siblings)
    return is_looked_up or scope.name in module.published_names


def _repeats(function: Scope) -> bool:
    """Whether it is an overload or a setter, which are documented by the function that they belong to."""
    return not _REPEATERS.isdisjoint(map(simple_name, function.decorators))
