"""The player's tests as read from source: how many, what they assert, and which exercise a failure."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property

from evalforge.evidence.static.fact_builders import Observation
from evalforge.evidence.static.module import Module
from evalforge.evidence.static.program import Program
from evalforge.evidence.static.reachability import reachable
from evalforge.evidence.static.scopes import Scope, called, root_name, simple_name
from evalforge.sandbox.execution import FoundSuite

_RAISE_CHECKS = frozenset({"raises", "assertRaises", "assertRaisesRegex", "assertRaisesRegexp"})
_STATUS_NAMES = frozenset({"returncode", "exit_code", "exitcode", "code", "status", "retcode", "main"})
_FAILURE_WORD = re.compile(
    r"(?:^|_)(?:invalid|missing|errors?|bad|fail(?:s|ed|ure|ing)?|empty|reject(?:s|ed)?|refuse[sd]?|unknown|malformed"
    r"|raises?|wrong|negative|corrupt(?:ed)?|broken|nonexistent|not_found|unreadable|non_numeric|nonnumeric|nan|usage"
    r"|exceptions?|traceback|crash(?:es)?|denied|expired|timeout|garbage|cycles?|overflow|illegal|unsupported)(?:_|$)"
)
_CAMEL_CASE_BORDER = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def sounds_like_failure(name: str) -> bool:
    """Whether a name suggests a failure: ``test_missing_file``, ``EXIT_BAD_INPUT``, ``testRejectsNaN``."""
    return bool(_FAILURE_WORD.search(_CAMEL_CASE_BORDER.sub("_", name.rsplit(".", 1)[-1]).lower()))


def _expects_failing_status(module: Module, scope: Scope) -> bool:
    """Whether a function expects an exit code of 1 or 2, which usually mean failure, or any but 0."""
    comparisons = [(node.ops[0], node.left, node.comparators[0]) for node in scope.nodes(ast.Compare)]
    for call, name in scope.calls:
        if name.endswith((".assertEqual", ".assertNotEqual")) and len(call.args) > 1:
            comparisons.append((ast.Eq() if name.endswith(".assertEqual") else ast.NotEq(), call.args[0], call.args[1]))
    for comparison in comparisons:
        match comparison:
            case (ast.Eq(), status, ast.Constant(value=1 | 2)) | (ast.NotEq(), status, ast.Constant(value=0)):
                values = module.assigned_values(status.id, scope) if isinstance(status, ast.Name) else [status]
                if any(simple_name(called(value)) in _STATUS_NAMES for value in values):
                    return True
            case _:
                pass
    return False


def _expected_errors(scope: Scope) -> set[str]:
    """The exceptions that a function expects, as written."""
    checks = (call for call, name in scope.calls if name.rsplit(".", 1)[-1] in _RAISE_CHECKS)
    return {ast.unparse(call.args[0]) for call in checks if call.args}


_CHECKING_CALLS = frozenset({"raises", "warns", "deprecated_call", "fail", "expect"})


class PlayerTestCode:
    """The player's test files: their tests, assertions and failure cases.

    Args:
        modules: The test files.
        suite: The tests that pytest finds; if it wasn't asked, functions with the usual names are tests.
    """

    def __init__(self, modules: list[Module], suite: FoundSuite | None) -> None:
        self._files = Program(modules)
        self._places = None if suite is None else {(test.path, test.line) for test in suite.tests}
        self._doctests = [test for test in suite.tests if test.is_doctest] if suite else []

    @cached_property
    def tests(self) -> list[tuple[Module, Scope]]:
        """Every function and method that is a test."""
        return [(module, scope) for module, scope in self._files.functions if self._is_test(module, scope)]

    def _is_test(self, module: Module, scope: Scope) -> bool:
        if scope.function is None or scope.parent is None:
            return False
        if self._places is not None:
            lines = (scope.function.lineno, *(each.lineno for each in scope.function.decorator_list))
            return any((module.path, line) in self._places for line in lines)
        return scope.last_name.startswith("test") and not module.path.endswith("conftest.py")

    @cached_property
    def _functions_within(self) -> dict[Scope, list[Scope]]:
        """Every function with the functions nested in it, itself first."""
        nested: dict[Scope, list[Scope]] = defaultdict(list)
        for _, scope in self._files.scopes:
            for visible_scope in scope.visible_scopes():
                nested[visible_scope].append(scope)
        return nested

    def test_places(self) -> Iterator[Observation]:
        """Where each test function is defined."""
        for module, scope in self.tests:
            description = "is a test" if self._checks(scope) else "has no assertion"
            yield Observation(module.path, scope.line, description, scope.name)
        for test in self._doctests:
            yield Observation(test.path, test.line, "is a test", test.name)

    def assertions(self) -> Iterator[Observation]:
        """Every assertion in a test file, helpers included, that can fail."""
        for module, scope in self._files.scopes:
            for line in _assertions(scope):
                yield Observation(module.path, line, "asserts something here", scope.title)
        for test in self._doctests:
            yield Observation(test.path, test.line, "shows what is expected", test.name)

    def tests_without_assertion(self) -> Iterator[Observation]:
        """Tests that can only fail by crashing, because neither they nor their helpers assert anything."""
        for module, scope in self.tests:
            if not self._checks(scope):
                yield Observation(module.path, scope.line, "has no assertion", scope.name)

    def failure_cases(self) -> Iterator[Observation]:
        """Tests that make something fail and check how it is reported, once for each kind of error that they expect."""
        provoking = {
            scope.last_name
            for module, scope in self._files.functions
            for inner in self._functions_within[scope]
            if _expected_errors(inner) or _expects_failing_status(module, inner)
        }
        for module, scope in self.tests:
            is_failure_test = sounds_like_failure(scope.name) and self._checks(scope)
            if is_failure_test or not provoking.isdisjoint({scope.last_name, *self._called(scope)}):
                kinds = set[str]().union(*map(_expected_errors, self._functions_within[scope]))
                for _ in kinds or ("",):
                    yield Observation(module.path, scope.line, "exercises a failure", scope.name)

    @cached_property
    def _asserting_helpers(self) -> set[str]:
        """The names of functions in test files that assert, directly or through others."""
        tests = {scope for _, scope in self.tests}
        helpers = [scope for _, scope in self._files.functions if scope not in tests]
        callers: dict[str, set[str]] = defaultdict(set)
        for scope in helpers:
            for function in self._called(scope):
                callers[function].add(scope.last_name)
        asserting = {scope.last_name for scope in helpers if self._asserts(scope)}
        return reachable(asserting, lambda name: callers[name])

    def _checks(self, scope: Scope) -> bool:
        return self._asserts(scope) or bool(self._called(scope) & self._asserting_helpers)

    def _asserts(self, scope: Scope) -> bool:
        return any(any(True for _ in _assertions(inner)) for inner in self._functions_within[scope])

    def _called(self, scope: Scope) -> set[str]:
        return {name.rsplit(".", 1)[-1] for inner in self._functions_within[scope] for _, name in inner.calls}


def _assertions(scope: Scope) -> Iterator[int]:
    """The lines of a scope's assertions, except those that always hold."""
    for node in scope.nodes(ast.Assert):
        if not _always_holds(node.test):
            yield node.lineno
    for call, name in scope.calls:
        last = name.rsplit(".", 1)[-1]
        fixed = bool(call.args) and all(_is_fixed(arg) for arg in call.args)
        if (last.startswith("assert") and not fixed) or (last in _CHECKING_CALLS and name != f".{last}"):
            yield call.lineno
    for node in scope.nodes(ast.Raise):
        if node.exc is not None and root_name(node.exc) == "AssertionError":
            yield node.lineno


def _always_holds(test: ast.expr) -> bool:
    """Whether an asserted expression always holds, as a constant or a tuple by mistake does."""
    if isinstance(test, ast.Tuple):
        return bool(test.elts)
    if isinstance(test, ast.Constant):
        return bool(test.value)
    return _is_fixed(test)


def _is_fixed(node: ast.expr) -> bool:
    """Whether an expression depends on nothing."""
    return not any(isinstance(part, ast.Name | ast.Attribute | ast.Call) for part in ast.walk(node))
