"""The exceptions that a handler catches, however they are expressed."""

import ast

from evalforge.evidence.static.module import Module
from evalforge.evidence.static.origins import Origin, Origins
from evalforge.evidence.static.scopes import Scope

BROAD_EXCEPTIONS = frozenset({"builtins.Exception", "builtins.BaseException"})
_KIN = frozenset({"__subclasses__", "__bases__", "__base__", "__mro__", "mro"})
"""Attributes that lead from a class to others: what ``except ValueError.__base__`` catches is not written anywhere."""
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
"""A handler of this many kinds of built-in errors expects none of them in particular."""


def caught_names(origins: Origins, module: Module, scope: Scope, caught: ast.expr | None) -> list[str]:
    """The dotted names that a handler or ``suppress`` catches.

    Constants are resolved, and all parts of an expression count: ``except tuple(KINDS + (KeyError,))``. An attribute
    that leads from one class to others (``ValueError.__base__``) is ``builtins.Exception``.
    """
    names = list[str]()
    waiting = [Origin(module, scope, caught)] if caught is not None else []
    node_ids = set[int]()
    while waiting:
        for origin in origins.of(*waiting.pop(0)):
            match origin.node:
                case ast.Attribute(attr=attribute) if attribute in _KIN:
                    names.append("builtins.Exception")
                case ast.Name() | ast.Attribute():
                    names.append(origin.name)
                case ast.Call(func=ast.Name(id=name)) if name not in ("tuple", "set", "list"):
                    names.append(origin.name)
                case node if id(node) not in node_ids:
                    node_ids.add(id(node))
                    parts = (part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr))
                    waiting += [origin._replace(node=part) for part in parts]
                case _:
                    pass
    return names


def is_broad(names: list[str]) -> bool:
    """Whether a handler of these names catches nearly everything."""
    kinds = {name.removeprefix("builtins.") for name in names if name.startswith("builtins.")}
    families = sum(not kinds.isdisjoint(family) for family in _FAMILIES)
    return not BROAD_EXCEPTIONS.isdisjoint(names) or families >= _MIN_BROAD_FAMILIES
