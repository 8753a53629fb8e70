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
from evalforge.evidence.static.scopes import Scope, root_name, simple_name
from evalforge.sandbox.execution import FoundSuite

# Whether a test deliberately makes something fail and checks how that is reported.

_RAISE_CHECKS = frozenset({"raises", "assertRaises", "assertRaisesRegex", "assertRaisesRegexp"})
_STATUS_ATTRIBUTES = frozenset({"returncode", "exit_code", "exitcode", "code", "status", "retcode"})
_PROGRAM_NAME = re.compile(r"(?:^|_)(?:main|cli|script|program|command|system)(?:_|$)")
"""Matches functions whose result is an exit code."""
_RUNNER_NAME = re.compile(r"(?:^|_)(?:run|invoke|execute|call|launch|readouterr|communicate)(?:_|$)")
"""Matches functions whose result has an exit code or output."""
_USUAL_FAILURE_CODES = frozenset({1, 2})
"""Exit codes that usually mean failure; others may well be results."""
_ERROR_TEXT = re.compile(
    r"error|invalid|missing|fail|not found|no such|not a|cannot|can't|unknown|must|usage|bad|empty|exist",
    re.IGNORECASE,
)
_FAILURE_WORD = re.compile(
    r"(?:^|_)(?:invalid|missing|errors?|bad|fail(?:s|ed|ure|ing)?|empty|reject(?:s|ed)?|refuse[sd]?|unknown|malformed"
    r"|raises?|wrong|negative|corrupt(?:ed)?|broken|nonexistent|not_found|unreadable|non_numeric|nonnumeric|nan|usage"
    r"|exceptions?|traceback|crash(?:es)?|denied|expired|timeout|garbage|cycles?|overflow|illegal|unsupported)(?:_|$)"
)
_CAMEL_CASE_BORDER = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def sounds_like_failure(name: str) -> bool:
    """Whether a name suggests a failure: ``test_missing_file``, ``EXIT_BAD_INPUT``, ``testRejectsNaN``."""
    return bool(_FAILURE_WORD.search(_CAMEL_CASE_BORDER.sub("_", name.rsplit(".", 1)[-1]).lower()))


class StatusHelpers:
    """Helpers of the tests that return an exit status, or compare one with an argument.

    Args:
        scopes: Every function of the test files.

    Attributes:
        names: The helpers that return one, alone or among other results, directly or through others.
    """

    def __init__(self, scopes: list[Scope]) -> None:
        self.names = set[str]()
        results = [
            (scope, node.value) for scope in scopes for node in scope.nodes(ast.Return) if node.value is not None
        ]
        while True:
            others = {scope.last_name for scope, value in results if not self._answers(scope, value)}
            more = {scope.last_name for scope, _ in results} - others - self.names
            if not more:
                break
            self.names |= more
        self._judged: dict[str, list[tuple[int, str, ast.cmpop]]] = defaultdict(list)
        for scope in scopes:
            self._judged[scope.last_name] += self._judged_parameters(scope)

    def _answers(self, scope: Scope, value: ast.expr) -> bool:
        parts = value.elts if isinstance(value, ast.Tuple) else [value]
        return any(_is_status(part, _result_names(scope, self.names)) for part in parts)

    def _judged_parameters(self, scope: Scope) -> Iterator[tuple[int, str, ast.cmpop]]:
        own = [parameter.arg for parameter in scope.parameters]
        names = _result_names(scope, self.names)
        for node in scope.nodes(ast.Compare):
            for left, right in ((node.left, node.comparators[0]), (node.comparators[0], node.left)):
                if isinstance(right, ast.Name) and right.id in own and _is_status(left, names):
                    yield own.index(right.id) - scope.is_method, right.id, node.ops[0]

    def verdicts(self, scope: Scope) -> Iterator[bool | None]:
        """For each status that a scope passes to a helper, or gets for its cases, whether it means failure."""
        for call, name in scope.calls:
            for place, parameter, operator in self._judged[name.rsplit(".", 1)[-1]]:
                by_name = [keyword.value for keyword in call.keywords if keyword.arg == parameter]
                yield from (_names_failure(operator, value) for value in by_name or call.args[place : place + 1])
        for _, parameter, operator in self._judged[scope.last_name]:
            yield from (_names_failure(operator, value) for value in _cases(scope, parameter))


def _cases(scope: Scope, parameter: str) -> Iterator[ast.expr]:
    """The values that ``pytest.mark.parametrize`` gives a parameter."""
    for decorator in scope.decorators:
        match decorator:
            case ast.Call(
                func=ast.Attribute(attr="parametrize"), args=[names, ast.List(elts=rows) | ast.Tuple(elts=rows)]
            ):
                words = [part.value for part in ast.walk(names) if isinstance(part, ast.Constant)]
                places = re.findall(r"\w+", " ".join(map(str, words)))
                for row in rows if parameter in places else ():
                    parts = row.args if isinstance(row, ast.Call) else getattr(row, "elts", [row])
                    yield from parts[places.index(parameter) : places.index(parameter) + 1]
            case _:
                pass


def provokes_failure(scope: Scope, helpers: StatusHelpers) -> bool:
    """Whether a function expects an exception, a failing exit code or an error message."""
    result_names = _result_names(scope, helpers.names)
    verdicts = [verdict for verdict in _exit_checks(scope, result_names) if verdict is not None]
    verdicts += [verdict for verdict in helpers.verdicts(scope) if verdict is not None]
    if any(verdicts) or any(_expects_by_hand(node) for node in scope.nodes(ast.Try)):
        return True
    expected = [call for call, name in scope.calls if name.rsplit(".", 1)[-1] in _RAISE_CHECKS]
    if any(not _is_exit(call) for call in expected):
        return True
    hands_on_status = scope.last_name in helpers.names
    return (bool(expected) and not verdicts and not hands_on_status) or _checks_complaint(scope, result_names)


def expected_errors(scope: Scope) -> set[str]:
    """The errors that a function expects, as written; exits don't count."""
    checks = [call for call, name in scope.calls if name.rsplit(".", 1)[-1] in _RAISE_CHECKS]
    return {ast.unparse(call.args[0]) for call in checks if call.args and not _is_exit(call)}


def _is_exit(call: ast.Call) -> bool:
    """Whether the expected exception is SystemExit, which may also carry a result."""
    return bool(call.args) and root_name(call.args[0]) == "SystemExit"


def _result_names(scope: Scope, helper_names: set[str]) -> set[str]:
    """Local names that hold an exit code or a program's output, and functions that return one."""
    names = set(helper_names)
    for node in scope.nodes(ast.Assign):
        if not (_is_status(node.value, names) or _is_call(node.value, _RUNNER_NAME)):
            continue
        for target in node.targets:
            if isinstance(target, ast.Tuple):
                names.update(part.id for part in target.elts if isinstance(part, ast.Name))
            elif isinstance(target, ast.Name) and _is_status(node.value, names):
                names.add(target.id)
    return names


def _is_call(node: ast.expr, pattern: re.Pattern[str]) -> bool:
    if not isinstance(node, ast.Call):
        return False
    function = node.func
    name = function.attr if isinstance(function, ast.Attribute) else root_name(function)
    return bool(name and pattern.search(name))


def _is_status(node: ast.expr, result_names: set[str]) -> bool:
    """Whether an expression is an exit code."""
    if isinstance(node, ast.Subscript):
        is_call = isinstance(node.value, ast.Call)
        return is_call and (_is_status(node.value, result_names) or _is_call(node.value, _RUNNER_NAME))
    if isinstance(node, ast.Attribute):
        return node.attr in _STATUS_ATTRIBUTES
    function = node.func if isinstance(node, ast.Call) else node
    return _is_call(node, _PROGRAM_NAME) or simple_name(function) in result_names


def _exit_checks(scope: Scope, result_names: set[str]) -> Iterator[bool | None]:
    """For each comparison with an exit code, whether it expects a failure; None if that can't be determined."""
    for node in scope.nodes(ast.Compare):
        if len(node.ops) == 1:
            yield _expects_failure(node.ops[0], node.left, node.comparators[0], result_names)
    for node in scope.nodes(ast.Assert):
        if _is_status(node.test, result_names):
            yield True
    operators = {
        "assertEqual": ast.Eq(),
        "assertNotEqual": ast.NotEq(),
        "assertGreater": ast.Gt(),
        "assertIn": ast.In(),
    }
    for call, name in scope.calls:
        last = name.rsplit(".", 1)[-1]
        if last in operators and len(call.args) > 1:
            yield _expects_failure(operators[last], call.args[0], call.args[1], result_names)
        elif last == "assertTrue" and call.args and _is_status(call.args[0], result_names):
            yield True


def _expects_failure(op: ast.cmpop, left: ast.expr, right: ast.expr, result_names: set[str]) -> bool | None:
    if not _is_status(left, result_names):
        left, right = right, left
    return _names_failure(op, right) if _is_status(left, result_names) else None


def _names_failure(op: ast.cmpop, right: ast.expr) -> bool | None:
    """Whether comparing a status with this expects a failure; None if that can't be determined."""
    if isinstance(right, ast.Name | ast.Attribute):
        name = simple_name(right)
        return isinstance(op, ast.Eq) and sounds_like_failure(name) if name.isupper() else None
    parts = right.elts if isinstance(right, ast.Tuple | ast.List | ast.Set) else [right]
    codes = {part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, int)}
    if not codes:
        return None
    if isinstance(op, ast.Eq | ast.In):
        return 0 not in codes and not codes.isdisjoint(_USUAL_FAILURE_CODES)
    return isinstance(op, ast.NotEq | ast.Gt | ast.IsNot) and codes == {0}


def _checks_complaint(scope: Scope, result_names: set[str]) -> bool:
    """Whether an error message is looked for on standard error or in the log."""
    pairs = [
        (node.left, node.comparators[0])
        for node in scope.nodes(ast.Compare)
        if len(node.ops) == 1 and isinstance(node.ops[0], ast.In)
    ]
    for call, name in scope.calls:
        if name.endswith(".assertIn") and len(call.args) > 1:
            pairs.append((call.args[0], call.args[1]))
    return any(
        isinstance(words, ast.Constant)
        and isinstance(words.value, str)
        and bool(_ERROR_TEXT.search(words.value))
        and _is_complaint(output, result_names)
        for words, output in pairs
    )


def _is_complaint(node: ast.expr, result_names: set[str]) -> bool:
    parts = list(ast.walk(node))
    if any(isinstance(part, ast.Attribute) and part.attr in {"err", "stderr"} for part in parts):
        return True
    return any(isinstance(part, ast.Name) and part.id in result_names | {"caplog"} for part in parts)


def _expects_by_hand(node: ast.Try) -> bool:
    """Whether a ``try`` expects an error: ``except ValueError: pass`` with ``fail()`` in ``else`` or in the body."""
    last = node.orelse[-1:] or node.body[-1:]
    if not node.handlers or not last:
        return False
    match last[0]:
        case ast.Assert(test=ast.Constant(value=value)):
            return not value
        case ast.Raise(exc=ast.expr() as raised):
            return root_name(raised) == "AssertionError"
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="fail"))):
            return True
        case _:
            return False


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
        name, owner = scope.function.name, scope.parent.node
        is_in_place = scope.parent.parent is None
        if isinstance(owner, ast.ClassDef):
            is_in_place = bool(owner.bases) or owner.name.startswith("Test") or owner.name.endswith("Test")
        return is_in_place and name.startswith("test") and not module.path.endswith("conftest.py")

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
        functions = [scope for _, scope in self._files.functions]
        helpers = StatusHelpers(functions)
        provoking = {scope for scope in functions if provokes_failure(scope, helpers)}
        provoking |= {scope for scope in functions if not provoking.isdisjoint(self._functions_within[scope])}
        refusing = {scope.last_name for scope in provoking} - {
            scope.last_name for scope in functions if scope not in provoking
        }
        for module, scope in self.tests:
            within = self._functions_within[scope]
            is_failure_test = sounds_like_failure(scope.name) and self._checks(scope)
            if is_failure_test or scope in provoking or self._called(scope) & refusing:
                kinds = set[str]().union(*(expected_errors(inner) for inner in within))
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
