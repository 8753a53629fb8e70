"""Whether a test makes something go wrong on purpose and looks at how that is reported."""

import ast
import re
from collections.abc import Iterator

from evalforge.evidence.static.scopes import Scope, root_name

_RAISE_CHECKS = frozenset({"raises", "assertRaises", "assertRaisesRegex", "assertRaisesRegexp"})
_STATUS_ATTRIBUTES = frozenset({"returncode", "exit_code", "exitcode", "code", "status", "retcode"})
_PROGRAM_NAME = re.compile(r"(?:^|_)(?:main|cli|script|program|command|system)(?:_|$)")
"""Functions whose result is an exit code."""
_RUNNER_NAME = re.compile(r"(?:^|_)(?:run|invoke|execute|call|launch|readouterr|communicate)(?:_|$)")
"""Functions whose result, result_names apart, holds an exit code or output."""
_USUAL_FAILURE_CODES = frozenset({1, 2})
"""Exit codes that mean failure by custom; others may well be results."""
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
    """Whether a name speaks of failure: ``test_missing_file``, ``EXIT_BAD_INPUT``, ``testRejectsNaN``."""
    return bool(_FAILURE_WORD.search(_CAMEL_CASE_BORDER.sub("_", name.rsplit(".", 1)[-1]).lower()))


def provokes_failure(scope: Scope) -> bool:
    """Whether a function expects an exception, a failing exit code or words of complaint."""
    result_names = _result_names(scope)
    verdicts = [verdict for verdict in _exit_checks(scope, result_names) if verdict is not None]
    if any(verdicts) or any(_expects_by_hand(node) for node in scope.nodes(ast.Try)):
        return True
    expected = [call for call, name in scope.calls if name.rsplit(".", 1)[-1] in _RAISE_CHECKS]
    if any(not _is_exit(call) for call in expected):
        return True
    return (bool(expected) and not verdicts) or _checks_complaint(scope, result_names)


def expected_errors(scope: Scope) -> set[str]:
    """The errors that a function expects, as they are written; an exit is none."""
    checks = [call for call, name in scope.calls if name.rsplit(".", 1)[-1] in _RAISE_CHECKS]
    return {ast.unparse(call.args[0]) for call in checks if call.args and not _is_exit(call)}


def _is_exit(call: ast.Call) -> bool:
    """Whether the exception expected is SystemExit, which may also carry a result."""
    return bool(call.args) and root_name(call.args[0]) == "SystemExit"


def _result_names(scope: Scope) -> set[str]:
    """Local names that hold an exit code or a program's output."""
    names = set[str]()
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
        return _is_call(node.value, _PROGRAM_NAME) or _is_call(node.value, _RUNNER_NAME)
    if isinstance(node, ast.Attribute):
        return node.attr in _STATUS_ATTRIBUTES
    return _is_call(node, _PROGRAM_NAME) or (isinstance(node, ast.Name) and node.id in result_names)


def _exit_checks(scope: Scope, result_names: set[str]) -> Iterator[bool | None]:
    """For each comparison with an exit code, whether it expects a failure; None where that can't be seen."""
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
    if not _is_status(left, result_names):
        return None
    if isinstance(right, ast.Name | ast.Attribute):
        name = right.id if isinstance(right, ast.Name) else right.attr
        return isinstance(op, ast.Eq) and sounds_like_failure(name) if name.isupper() else None
    parts = right.elts if isinstance(right, ast.Tuple | ast.List | ast.Set) else [right]
    codes = {part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, int)}
    if not codes:
        return None
    if isinstance(op, ast.Eq | ast.In):
        return 0 not in codes and not codes.isdisjoint(_USUAL_FAILURE_CODES)
    return isinstance(op, ast.NotEq | ast.Gt | ast.IsNot) and codes == {0}


def _checks_complaint(scope: Scope, result_names: set[str]) -> bool:
    """Whether words of complaint are looked for on standard error or in the log."""
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
    """``try: provoke() / except ValueError: pass / else: fail()``, or the failing last in the body."""
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
