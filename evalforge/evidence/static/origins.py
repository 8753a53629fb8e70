"""The origins of an expression, followed through names, parameters, attributes and the program's functions."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from evalforge.evidence.static.module import UNKNOWN, Module
from evalforge.evidence.static.scopes import Scope, called, simple_name

_MAX_STEPS = 200
"""The limit of the search; honest values come from a handful of places."""


class Origin(NamedTuple):
    """An expression and its place."""

    module: Module
    scope: Scope
    node: ast.expr

    @property
    def name(self) -> str:
        """The dotted name of what it is or calls."""
        return self.module.dotted_name(self._named, self.scope)

    @property
    def ancestry(self) -> set[str]:
        """The dotted names of the class that it is or calls, and of its bases."""
        return self.module.ancestry(self._named, self.scope)

    @property
    def _named(self) -> ast.expr:
        return called(self.node)


class Origins:
    """Finds the origins of expressions in a program.

    Args:
        modules: The files of the program.
    """

    def __init__(self, modules: list[Module]) -> None:
        self._functions: dict[str, list[tuple[Module, Scope]]] = defaultdict(list)
        self._calls: dict[str, list[Origin]] = defaultdict(list)
        self._attributes: dict[str, list[Origin]] = defaultdict(list)
        for module in modules:
            for scope in module.scopes:
                if scope.function is not None:
                    self._functions[scope.last_name].append((module, scope))
                for call, _ in scope.calls:
                    self._calls[simple_name(call.func)].append(Origin(module, scope, call))
                for node in scope.nodes(ast.Assign):
                    for target in node.targets:
                        if isinstance(target, ast.Attribute):
                            self._attributes[target.attr].append(Origin(module, scope, node.value))

    def of(self, module: Module, scope: Scope, node: ast.expr) -> Iterator[Origin]:
        """The expressions from which it gets its value, such as a name's assigned value; itself if there are none."""
        waiting = [Origin(module, scope, node)]
        node_ids = set[int]()
        while waiting and len(node_ids) < _MAX_STEPS:
            origin = waiting.pop()
            if id(origin.node) not in node_ids:
                node_ids.add(id(origin.node))
                earlier = list(self._earlier(origin))
                waiting += earlier
                if not earlier:
                    yield origin

    def _earlier(self, origin: Origin) -> Iterator[Origin]:
        module, scope, node = origin
        match node:
            case ast.Name(id=name):
                yield from (Origin(module, scope, value) for value in module.assigned_values(name, scope))
                yield from self._handed_in(module, scope, name)
            case ast.Attribute(attr=name) if origin.name.startswith(UNKNOWN):
                yield from self._attributes[name]
            case ast.Call(func=function) if not origin.name.startswith("builtins."):
                for of_module, callee in self._functions[simple_name(function)]:
                    results = (result.value for result in callee.nodes(ast.Return))
                    yield from (Origin(of_module, callee, value) for value in results if value is not None)
            case ast.IfExp(body=first, orelse=second):
                yield from (Origin(module, scope, part) for part in (first, second))
            case ast.BoolOp(values=parts):
                yield from (Origin(module, scope, part) for part in parts)
            case _:
                pass

    def _handed_in(self, module: Module, scope: Scope, name: str) -> Iterator[Origin]:
        """The possible values of a parameter: its default, by its type, and from the calls that a trial made."""
        for around in scope.visible_scopes():
            outside = around.parent
            names = [parameter.arg for parameter in around.parameters]
            if outside is None or name not in names:
                continue
            annotations = (parameter.annotation for parameter in around.parameters if parameter.arg == name)
            hints = [hint for hint in annotations if isinstance(hint, ast.Name | ast.Attribute)]
            defaults = [default for parameter, default in around.parameter_defaults if parameter == name]
            yield from (Origin(module, outside, value) for value in [*defaults, *hints])
            called_name = outside.last_name if around.last_name == "__init__" else around.last_name
            position = names.index(name) - around.is_method
            for caller, call_scope, call in self._calls[called_name]:
                if isinstance(call, ast.Call) and caller.ran(call, call_scope):
                    by_name = [keyword.value for keyword in call.keywords if keyword.arg == name]
                    values = by_name or (call.args[position : position + 1] if position >= 0 else [])
                    yield from (Origin(caller, call_scope, value) for value in values)
            return
