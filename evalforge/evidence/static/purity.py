"""Pure functions: those that return a value and touch nothing else."""

import ast
from collections import defaultdict
from collections.abc import Container, Iterator

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


def pure_functions(program: Program) -> Iterator[Observation]:
    """Find the pure functions.

    Magic methods are left out, because they act whatever the style. So are functions without parameters, which have
    nothing to compute from, and functions that no trial calls or whose results are unused.
    """
    impure = program.functions_reaching(scope for module, scope in program.functions if _touches_more(module, scope))
    idle = _idle_names(program, impure)
    for module, scope in program.functions:
        name = scope.last_name
        is_magic = name[:2] == "__" == name[-2:]
        if not scope.parameters or is_magic or name in idle or not module.was_called(scope):
            continue
        if scope not in impure and returns_value(scope):
            yield Observation(module.path, scope.line, "is pure", scope.name)


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


def _touches_more(module: Module, scope: Scope) -> bool:
    """Whether a function reads, writes, logs, depends on chance, or changes what isn't its own."""
    if io_places(module, scope) or unpredictable_places(module, scope):
        return True
    if any(is_logging(call, name) for call, name in scope.calls) or scope.nodes(ast.Global, ast.Nonlocal):
        return True
    borrowed = _unassigned_parameters(scope)
    return any(name in borrowed or not scope.is_local(name) for _, name in in_place_changes(scope))


def _unassigned_parameters(scope: Scope) -> set[str]:
    """The parameters that still have the caller's value, because they are never reassigned."""
    assigned = {node.id for node in scope.nodes(ast.Name) if isinstance(node.ctx, ast.Store)}
    stars = (scope.arguments.vararg, scope.arguments.kwarg)  # created for each call
    return {parameter.arg for parameter in scope.parameters if parameter not in stars} - assigned
