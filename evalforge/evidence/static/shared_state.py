"""State that outlives a call: what functions change in place, and what of that is shared."""

import ast
from collections.abc import Iterator

from evalforge.evidence.static.fact_builders import Observation
from evalforge.evidence.static.module import UNKNOWN, Module
from evalforge.evidence.static.scopes import MODULE_STATE, Scope, owner_name
from evalforge.evidence.static.vocabulary import MUTATORS, SILENT_MUTATORS

_MUTATING_FUNCTIONS = (
    "heapq.heap",
    "bisect.insort",
    "random.shuffle",
    "builtins.setattr",
    "builtins.delattr",
)


def global_writes(modules: list[Module]) -> Iterator[Observation]:
    """Where functions declare or change state that outlives them: globals, classes, other modules."""
    for module in modules:
        shared = module.root.bound_names | module.imports.keys()
        for scope in module.functions:
            for node in scope.nodes(ast.Global):
                yield Observation(module.path, node.lineno, f"is made global in {scope.name}", ", ".join(node.names))
            for node, name in in_place_changes(scope):
                if name == MODULE_STATE or (name in shared and not scope.is_local(name)):
                    message = f"is shared by the whole module and changed in {scope.name}"
                    yield Observation(module.path, node.lineno, message, name)


def in_place_changes(scope: Scope) -> Iterator[tuple[ast.expr, str]]:
    """Every change made to an object in place, with the name that leads to it."""
    places: list[ast.Attribute | ast.Subscript] = [*scope.nodes(ast.Attribute), *scope.nodes(ast.Subscript)]
    for node in places:
        if not isinstance(node.ctx, ast.Load) and (name := owner_name(node)):
            yield node, name
    statements = {id(statement.value) for statement in scope.nodes(ast.Expr)}
    for call, dotted in scope.calls:
        function = call.func
        if dotted.startswith(_MUTATING_FUNCTIONS) and call.args:
            name = owner_name(call.args[0])
        elif isinstance(function, ast.Attribute) and function.attr in MUTATORS and dotted.startswith(UNKNOWN):
            # What is asked for its answer is no change, where a change would have none: `context.add(a, b)`.
            silent = function.attr in SILENT_MUTATORS and id(call) not in statements
            name = None if silent else owner_name(function)
        else:
            name = None
        if name:
            yield call, name
