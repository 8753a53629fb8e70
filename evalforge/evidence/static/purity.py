"""Pure functions: a value out, nothing else touched. And shared state that functions write."""

import ast
from collections import defaultdict
from collections.abc import Iterator

from evalforge.evidence.static.fact_builders import Observation
from evalforge.evidence.static.input_output import io_places, unpredictable_places
from evalforge.evidence.static.module import UNKNOWN, Module
from evalforge.evidence.static.operator_output import is_logging
from evalforge.evidence.static.scopes import Scope, owner_name, parameters
from evalforge.evidence.static.vocabulary import MUTATORS, SILENT_MUTATORS

_MUTATING_FUNCTIONS = (
    "heapq.heap",
    "bisect.insort",
    "random.shuffle",
    "builtins.setattr",
    "builtins.delattr",
)


def returns_value(scope: Scope) -> bool:
    """Whether a function hands back anything other than None."""
    for node in scope.nodes(ast.Return):
        if node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
            return True
    return bool(scope.nodes(ast.Yield) or scope.nodes(ast.YieldFrom))


def impurity_reasons(modules: list[Module]) -> dict[Scope, str]:
    """Why each impure function isn't pure, in words; calls to impure functions of the submission included."""
    reasons: dict[Scope, str] = {}
    callers: dict[Scope, list[tuple[Scope, str]]] = defaultdict(list)
    index = _FunctionIndex(modules)
    for module in modules:
        for scope in module.functions:
            reason = _own_impurity(module, scope)
            if reason:
                reasons[scope] = reason
            for callee, name in index.called_by(module, scope):
                callers[callee].append((scope, name))
    waiting = list(reasons)
    while waiting:
        for caller, name in callers[waiting.pop()]:
            if caller not in reasons:
                reasons[caller] = f"isn't pure: it calls {name}, which isn't"
                waiting.append(caller)
    return reasons


def pure_functions(modules: list[Module]) -> tuple[list[Observation], list[Observation]]:
    """The pure functions, and those that aren't with the reason.

    Entry functions and magic methods are left out: they are there to act, whatever the style. So are
    functions without parameters, which have nothing to compute from, and functions that no trial calls, or whose
    answers nobody uses.
    """
    reasons = impurity_reasons(modules)
    idle = _idle_names(modules)
    entries = set[str]().union(*(module.entry_functions for module in modules))
    pure: list[Observation] = []
    impure: list[Observation] = []
    for module in modules:
        for scope in module.functions:
            name = scope.name.rsplit(".", 1)[-1]
            if scope.function is None or not parameters(scope.function) or (name[:2] == "__" == name[-2:]):
                continue
            if name in idle or not module.was_called(scope):
                continue
            reason = reasons.get(scope, "" if returns_value(scope) else "returns nothing")
            if reason and scope.name in entries:
                continue
            group = impure if reason else pure
            group.append(Observation(module.path, scope.line or 0, reason or "is pure", scope.name))
    return pure, impure


def _idle_names(modules: list[Module]) -> set[str]:
    """Names of functions of which every call throws the answer away, or is given nothing but constants."""
    called: dict[str, bool] = {}
    mentions: dict[str, int] = defaultdict(int)
    for module in modules:
        for scope in module.scopes:
            thrown = {id(statement.value) for statement in scope.nodes(ast.Expr)}
            for call, _ in scope.calls:
                name = getattr(call.func, "attr", getattr(call.func, "id", ""))
                handed = [*call.args, *(keyword.value for keyword in call.keywords)]
                is_constant = bool(handed) and isinstance(call.func, ast.Name)
                is_constant = is_constant and all(isinstance(value, ast.Constant) for value in handed)
                is_idle = is_constant or id(call) in thrown
                called[name] = called.get(name, True) and is_idle
                mentions[name] -= 1
            for node in [*scope.nodes(ast.Name), *scope.nodes(ast.Attribute)]:
                if isinstance(node.ctx, ast.Load):
                    mentions[node.id if isinstance(node, ast.Name) else node.attr] += 1
    # What is handed on without being called is called by somebody else.
    return {name for name, is_idle in called.items() if is_idle and mentions[name] <= 0}


def global_writes(modules: list[Module]) -> Iterator[Observation]:
    """Where functions declare or change state that outlives them: globals, classes, other modules."""
    for module in modules:
        shared = module.root.bound_names | module.imports.keys()
        for scope in module.functions:
            for node in scope.nodes(ast.Global):
                yield Observation(module.path, node.lineno, f"is made global in {scope.name}", ", ".join(node.names))
            for node, name in _in_place_changes(scope):
                if name in shared and not scope.is_local(name):
                    message = f"is shared by the whole module and changed in {scope.name}"
                    yield Observation(module.path, node.lineno, message, name)


class _FunctionIndex:
    """Finds the function of the submission that a call means, by name."""

    def __init__(self, modules: list[Module]) -> None:
        self._top: dict[str, dict[str, Scope]] = {}
        self._methods: dict[tuple[Scope, str], Scope] = {}
        for module in modules:
            stem = module.path.removesuffix(".py").rsplit("/", 1)[-1]
            top = self._top.setdefault(stem, {})
            for scope in module.functions:
                if scope.parent is module.root:
                    top[scope.name] = scope
                elif scope.parent is not None and scope.function is not None:
                    self._methods[scope.parent, scope.function.name] = scope

    def called_by(self, module: Module, scope: Scope) -> Iterator[tuple[Scope, str]]:
        """The functions a scope calls, each with the name it is called by."""
        here = self._top[module.path.removesuffix(".py").rsplit("/", 1)[-1]]
        for _, name in scope.calls:
            parts = name.split(".")
            last = parts[-1]
            callee = None
            if name.startswith(UNKNOWN) and len(parts) == 2:
                callee = self._nested(scope, last) or (None if scope.is_local(last) else here.get(last))
            elif name.startswith(UNKNOWN) and len(parts) == 3 and scope.is_method and scope.parent is not None:
                callee = self._methods.get((scope.parent, last)) if parts[1] in {"self", "cls"} else None
            if callee is None and len(parts) > 1:
                callee = self._top.get(parts[-2], {}).get(last)
            if callee is not None and callee is not scope:
                yield callee, last

    def _nested(self, scope: Scope, name: str) -> Scope | None:
        return next((found for around in scope.visible_scopes() if (found := self._methods.get((around, name)))), None)


def _own_impurity(module: Module, scope: Scope) -> str:
    outside = io_places(module, scope) or unpredictable_places(module, scope)
    if outside:
        line, what = outside[0]
        return f"isn't pure: it uses {what.removeprefix('builtins.')} (line {line})"
    for call, name in scope.calls:
        if is_logging(call, name):
            return f"isn't pure: it logs (line {call.lineno})"
    declared: list[ast.Global | ast.Nonlocal] = [*scope.nodes(ast.Global), *scope.nodes(ast.Nonlocal)]
    if declared:
        return f"isn't pure: it writes {declared[0].names[0]} (line {declared[0].lineno})"
    borrowed = _unassigned_parameters(scope)
    for node, name in _in_place_changes(scope):
        if name in borrowed or not scope.is_local(name):
            return f"isn't pure: it changes {name} (line {node.lineno})"
    return ""


def _unassigned_parameters(scope: Scope) -> set[str]:
    """Parameters that still stand for what the caller handed in: never assigned anew."""
    if scope.function is None:
        return set()
    assigned = {node.id for node in scope.nodes(ast.Name) if isinstance(node.ctx, ast.Store)}
    stars = (scope.function.args.vararg, scope.function.args.kwarg)  # made anew for every call
    return {parameter.arg for parameter in parameters(scope.function) if parameter not in stars} - assigned


def _in_place_changes(scope: Scope) -> Iterator[tuple[ast.expr, str]]:
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
