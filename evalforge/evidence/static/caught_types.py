"""Which exceptions a handler names, however it comes by them."""

import ast
from collections.abc import Iterator

from evalforge.evidence.static.module import Module
from evalforge.evidence.static.scopes import Scope, parameter_defaults

BROAD_EXCEPTIONS = frozenset({"builtins.Exception", "builtins.BaseException"})
_KIN = frozenset({"__subclasses__", "__bases__", "__base__", "__mro__", "mro"})
"""Attributes by which a class leads to others: what ``except ValueError.__base__`` catches is written nowhere."""
_FAMILIES = (
    frozenset({"ArithmeticError", "ZeroDivisionError", "OverflowError"}),
    frozenset({"AssertionError"}),
    frozenset({"AttributeError"}),
    frozenset({"LookupError", "KeyError", "IndexError"}),
    frozenset({"NameError", "UnboundLocalError"}),
    frozenset({"OSError", "IOError", "EnvironmentError"}),
    frozenset({"RuntimeError", "RecursionError"}),
    frozenset({"TypeError"}),
    frozenset({"ValueError"}),
)
_MIN_BROAD_FAMILIES = 7
"""A handler that names so many kinds of built-in errors expects none of them."""
_MAX_STEPS = 5


def caught_names(module: Module, scope: Scope, caught: ast.expr | None) -> list[str]:
    """The dotted names that a handler or ``suppress`` catches.

    Constants are looked up, and what an expression is made of counts: ``except tuple(KINDS + (KeyError,))``. What leads
    from one class to others (``ValueError.__base__``) is ``builtins.Exception``.
    """
    return list(_names(module, scope, caught, _MAX_STEPS)) if caught is not None else []


def is_broad(names: list[str]) -> bool:
    """Whether a handler that catches these catches nearly everything."""
    kinds = {name.removeprefix("builtins.") for name in names if name.startswith("builtins.")}
    families = sum(not kinds.isdisjoint(family) for family in _FAMILIES)
    return not BROAD_EXCEPTIONS.isdisjoint(names) or families >= _MIN_BROAD_FAMILIES


def _names(module: Module, scope: Scope, node: ast.expr, steps: int) -> Iterator[str]:
    match node:
        case ast.Attribute(attr=attribute) if attribute in _KIN:
            yield "builtins.Exception"
        case ast.Name(id=name):
            yield from _names_of_constant(module, scope, name, steps) or [module.dotted_name(node, scope)]
        case ast.Attribute():
            yield module.dotted_name(node, scope)
        case ast.Call(func=ast.Name(id=name)) if name not in ("tuple", "set", "list"):
            results = list(_results(module, name))
            for result in results if steps else ():
                yield from _names(module, scope, result, steps - 1)
            if not results:
                yield module.dotted_name(node.func, scope)
        case _:
            for part in ast.iter_child_nodes(node):
                if isinstance(part, ast.expr):
                    yield from _names(module, scope, part, steps)


def _names_of_constant(module: Module, scope: Scope, name: str, steps: int) -> list[str]:
    """What a name of the file's own stands for: all that is assigned to it, or is its default as a parameter."""
    values = [*module.assigned_values(name, scope), *_defaults(scope, name)]
    return [each for value in values if steps for each in _names(module, scope, value, steps - 1)]


def _defaults(scope: Scope, name: str) -> Iterator[ast.expr]:
    """The default of a parameter of this name, in the function or those around it."""
    for around in scope.visible_scopes():
        if around.function is not None:
            yield from (default for parameter, default in parameter_defaults(around.function) if parameter == name)


def _results(module: Module, name: str) -> Iterator[ast.expr]:
    """What a function of the file gives back."""
    for function in module.functions:
        if function.name == name:
            yield from (node.value for node in function.nodes(ast.Return) if node.value is not None)
