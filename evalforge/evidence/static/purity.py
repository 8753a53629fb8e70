"""Pure functions: those that return a value and touch nothing else."""

import ast
from collections import defaultdict
from collections.abc import Container

from evalforge.evidence.static.answers import AnswerUses, is_predicate
from evalforge.evidence.static.fact_builders import Observation
from evalforge.evidence.static.input_output import io_places, unpredictable_places
from evalforge.evidence.static.module import Module
from evalforge.evidence.static.operator_output import is_logging
from evalforge.evidence.static.program import Program
from evalforge.evidence.static.reachability import reachable
from evalforge.evidence.static.scopes import Scope, simple_name
from evalforge.evidence.static.shared_state import in_place_changes

_NOBODY, _ANYBODY = "<nobody>", "<anybody>"


def returns_value(scope: Scope) -> bool:
    """Whether a function returns anything other than None."""
    for node in scope.nodes(ast.Return):
        if node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
            return True
    return any(node.value is not None for node in scope.nodes(ast.Yield, ast.YieldFrom))


def _impurity_reasons(program: Program) -> dict[Scope, str]:
    """Why each impure function isn't pure, in words; calls to impure functions of the submission count too."""
    reasons = {scope: reason for module, scope in program.functions if (reason := _own_impurity(module, scope))}
    waiting = list(reasons)
    while waiting:
        for caller, name in program.callers.get(waiting.pop(), ()):
            if caller not in reasons:
                reasons[caller] = f"isn't pure: it calls {name}, which isn't"
                waiting.append(caller)
    return reasons


def pure_functions(program: Program) -> tuple[list[Observation], list[Observation]]:
    """The pure functions, and the impure ones with the reason.

    Entry functions and magic methods are left out, because they act whatever the style. So are functions without
    parameters, which have nothing to compute from, and functions that no trial calls or whose results are unused.
    """
    reasons = _impurity_reasons(program)
    idle = _idle_names(program, reasons)
    pure: list[Observation] = []
    impure: list[Observation] = []
    for module, scope in program.functions:
        name = scope.last_name
        is_magic = name[:2] == "__" == name[-2:]
        if not scope.parameters or is_magic or name in idle or not module.was_called(scope):
            continue
        reason = reasons.get(scope, "" if returns_value(scope) else "returns nothing")
        if not reason or scope.name not in program.entry_functions:
            group = impure if reason else pure
            group.append(Observation(module.path, scope.line, reason or "is pure", scope.name))
    return pure, impure


def _idle_names(program: Program, impure: Container[Scope]) -> set[str]:
    """The names of functions whose results are unused.

    Every call discards the result, tests it without consequence, passes only constants, or is in a pure function whose
    own result is unused.
    """
    own_names = {scope.last_name for _, scope in program.functions}
    predicates = {scope.last_name for _, scope in program.functions if is_predicate(scope)}
    acting = _acting_names(program, impure)
    askers: dict[str, set[str]] = defaultdict(set)
    mentions: dict[str, int] = defaultdict(int)
    for module, scope in program.scopes:
        uses = AnswerUses(module, scope, predicates)
        asker = scope.last_name if scope.function is not None else _ANYBODY
        for call, _ in scope.calls:
            name = simple_name(call.func)
            mentions[name] -= 1
            if name in own_names:
                askers[name].add(_NOBODY if _is_constant(call) or not uses.is_used(call) else asker)
        for node in scope.nodes(ast.Name, ast.Attribute):
            if isinstance(node.ctx, ast.Load):
                mentions[simple_name(node)] += 1
    # A function that is passed on without being called is called elsewhere.
    askers_of_called = {name: by - {name} for name, by in askers.items() if mentions[name] <= 0 and by != {name}}
    idle, without_effect = set[str](), {_NOBODY}
    while more := {name for name, by in askers_of_called.items() if by <= without_effect} - idle:
        idle |= more
        without_effect |= more - acting
    return idle


def _acting_names(program: Program, impure: Container[Scope]) -> set[str]:
    """The names of functions that do more than return a value: they change something, or may refuse their arguments."""
    callers: dict[str, set[str]] = defaultdict(set)
    acting = set[str]()
    for _, scope in program.functions:
        if scope in impure or not returns_value(scope) or scope.nodes(ast.Raise):
            acting.add(scope.last_name)
        for call, _ in scope.calls:
            callers[simple_name(call.func)].add(scope.last_name)
    return reachable(acting, lambda name: callers[name])


def _is_constant(call: ast.Call) -> bool:
    """Whether a call has arguments, all of which are constants."""
    arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
    return (
        bool(arguments)
        and isinstance(call.func, ast.Name)
        and all(isinstance(value, ast.Constant) for value in arguments)
    )


def _own_impurity(module: Module, scope: Scope) -> str:
    places = io_places(module, scope) or unpredictable_places(module, scope)
    if places:
        line, what = places[0]
        return f"isn't pure: it uses {what.removeprefix('builtins.')} (line {line})"
    for call, name in scope.calls:
        if is_logging(call, name):
            return f"isn't pure: it logs (line {call.lineno})"
    declared = scope.nodes(ast.Global, ast.Nonlocal)
    if declared:
        return f"isn't pure: it writes {declared[0].names[0]} (line {declared[0].lineno})"
    borrowed = _unassigned_parameters(scope)
    for node, name in in_place_changes(scope):
        if name in borrowed or not scope.is_local(name):
            return f"isn't pure: it changes {name} (line {node.lineno})"
    return ""


def _unassigned_parameters(scope: Scope) -> set[str]:
    """The parameters that still have the caller's value, because they are never reassigned."""
    assigned = {node.id for node in scope.nodes(ast.Name) if isinstance(node.ctx, ast.Store)}
    stars = (scope.arguments.vararg, scope.arguments.kwarg)  # created for each call
    return {parameter.arg for parameter in scope.parameters if parameter not in stars} - assigned
