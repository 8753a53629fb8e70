"""The player's tests as pytest collected them: run one, and describe in a few words how it failed."""

from __future__ import annotations

import contextlib
import inspect
import linecache
import os
import traceback
import unittest
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from . import pytest_internals
from .suite_notes import TestNotes
from .suite_session import AROUND_ALL

if TYPE_CHECKING:  # the player's interpreter may lack pytest, and ``pytest_preload`` loads it
    import pytest

_PARAMETER_FIXTURE = "get_direct_param_fixture_func"
_MARKS_FOR_PYTEST = frozenset({"skip", "skipif", "xfail", "usefixtures", "filterwarnings"})
_SETTINGS_FOR_PYTEST = ("filterwarnings", "log_level", "usefixtures", "xfail_strict")
"""Settings that change what a test meets."""
_DIRECT_CALL_ATTRIBUTE = "_evalforge_direct_call"
_EXPECTED_FAILURE = "_evalforge_expected_failure"
_UNITTEST_EXPECTS_FAILURE = "__unittest_expecting_failure__"
_MAX_MESSAGE_CHARS = 300


class TestOutcome(NamedTuple):
    """The result of one test.

    Attributes:
        name: ``passed``, ``failed``, ``skipped`` or ``expected`` (to fail).
        error: The exception that made it fail.
    """

    name: str
    error: BaseException | None = None


class DirectCall(NamedTuple):
    """A test function and all the arguments that it needs."""

    function: Callable[..., object]
    arguments: dict[str, Any]


class FailureRecorder:
    """A pytest plugin that records failures, and runs coroutine functions.

    Args:
        notes: The notes on the running test; taken only while the test's own code runs.

    Attributes:
        broken_files: The node id of each file that could not be collected, pytest's report, and what was refused.
        reports: What pytest reported on the last test.
        error: The exception with which the last test failed.
        raised: The exception that it raised, even if a hook has changed its report.
    """

    hook_options: ClassVar[dict[str, dict[str, bool]]] = {"pytest_runtest_makereport": AROUND_ALL}

    def __init__(self, notes: TestNotes) -> None:
        self.broken_files: list[tuple[str, str, str]] = []
        self.reports: list[pytest.TestReport] = []
        self.error: BaseException | None = None
        self.raised: BaseException | None = None
        self.notes = notes

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Record a file that can't be collected."""
        refused = self.notes.read_refusal()
        if report.failed:
            self.broken_files.append((report.nodeid, str(report.longrepr), refused))

    def pytest_exception_interact(
        self, call: pytest.CallInfo[Any], report: pytest.CollectReport | pytest.TestReport
    ) -> None:
        """Record the exception of a failed test."""
        if report.failed and report.when != "collect" and call.excinfo is not None:
            self.error = call.excinfo.value

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what is reported: of the phases of a test, and of its parts, of which a failed one fails the whole."""
        self.reports.append(report)
        if report.failed and self.error is None:
            self.error = AssertionError(str(report.longrepr).strip().splitlines()[-1:])

    def pytest_runtest_setup(self) -> None:
        """Start watching, because the test's own code begins with its fixtures."""
        self.notes.is_watching = True

    pytest_runtest_call = pytest_runtest_teardown = pytest_runtest_setup

    def pytest_runtest_makereport(self, call: pytest.CallInfo[Any]) -> Iterator[None]:
        """Stop watching, because pytest itself now looks at frames to describe the failure."""
        self.notes.is_watching = False
        if call.excinfo is not None and not is_skip_or_xfail(call.excinfo.value):
            self.raised = call.excinfo.value
        yield

    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> bool | None:
        """Run a coroutine test, unless a plugin does."""
        is_coroutine = inspect.iscoroutinefunction(pyfuncitem.obj)
        return True if is_coroutine and pytest_internals.call_with_fixtures(pyfuncitem, pyfuncitem.obj) else None


def is_skip_or_xfail(error: BaseException) -> bool:
    """Whether a test ended itself by a skip or an expected failure."""
    import pytest

    return isinstance(error, (pytest.skip.Exception, pytest.xfail.Exception, unittest.SkipTest))


def run_test(item: pytest.Item, following: Sequence[pytest.Item], recorder: FailureRecorder) -> TestOutcome:
    """Run one test.

    Args:
        item: The test.
        following: The tests after it; fixtures that they share stay set up.
        recorder: The plugin that records failures.
    """
    direct_call = find_direct_call(item)
    if direct_call is not None:
        recorder.notes.is_watching = True
        outcome = _perform_direct_call(direct_call)
        recorder.notes.is_watching = False
        return outcome
    recorder.error = recorder.raised = None
    reports = recorder.reports = []
    next_item = next((other for other in following if find_direct_call(other) is None), None)
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=next_item)
    failed = [report for report in reports if report.failed]
    if recorder.raised is not None and all(report.passed for report in reports):  # a hook hid the failure
        return TestOutcome("failed", recorder.raised)
    if failed or recorder.error is not None:
        last_line = str(failed[0].longrepr).strip().splitlines()[-1:] if failed else []
        return TestOutcome("failed", recorder.error or AssertionError(*last_line))
    if any(report.skipped for report in reports) or not reports:  # without any, a hook has put it aside
        return TestOutcome("expected" if any(hasattr(report, "wasxfail") for report in reports) else "skipped")
    return TestOutcome("passed")


def is_failed_check(error: BaseException | None) -> bool:
    """Whether a test failed because a check found a wrong answer, rather than by a crash."""
    if error is None or isinstance(error, AssertionError):
        return error is not None
    inner: tuple[BaseException, ...] = getattr(error, "exceptions", ())
    is_pytests = type(error).__module__ == "_pytest.outcomes" or type(error).__qualname__ == "Failed"
    return is_pytests or any(is_failed_check(error) for error in inner)


def is_expected_to_fail(item: pytest.Item) -> bool:
    """Whether a test is marked as one that must fail."""
    return any(mark.name == "xfail" for mark in item.iter_markers()) or vars(item).get(_EXPECTED_FAILURE, False)


def may_fail(item: pytest.Item) -> bool:
    """Whether a test is marked so that it may either fail or pass, and so never reports a fault.

    Call this after the test, because it may mark itself.
    """
    if not any(mark.name == "xfail" for mark in item.iter_markers()):
        return False
    with contextlib.suppress(Exception):  # the mark's condition is the player's code
        mark = pytest_internals.active_xfail_mark(item)
        return mark is not None and not mark.strict
    return False


def prepare(item: pytest.Item) -> None:
    """Do once for all forks what each run of a test would repeat: find its location, and how to call it.

    Failure reports are cut to a line, because nobody reads more, and tracebacks take longer than most tests.
    """
    find_direct_call(item)
    with contextlib.suppress(Exception):  # the player's code may compute the location
        vars(item)["location"] = item.location
    vars(item)["repr_failure"] = _failure_in_a_line


def _failure_in_a_line(excinfo: pytest.ExceptionInfo[BaseException], *_: object, **_options: object) -> str:
    """The type of an error and its first words, in place of a whole traceback."""
    try:
        return excinfo.exconly(tryshort=True)
    except Exception:  # noqa: BLE001 - the player's code makes the message
        return excinfo.typename


def expect_success(item: pytest.Item) -> None:
    """Undo the effect of ``unittest.expectedFailure`` on a test."""
    for holder in (getattr(item, "obj", None), getattr(item, "cls", None)):
        function = getattr(holder, "__func__", holder)
        if getattr(function, _UNITTEST_EXPECTS_FAILURE, False):
            vars(item)[_EXPECTED_FAILURE] = True
            setattr(function, _UNITTEST_EXPECTS_FAILURE, False)


def find_direct_call(item: pytest.Item) -> DirectCall | None:
    """The direct call of a test that needs only its parameters; None if it needs fixtures or marks."""
    direct_call: DirectCall | bool | None = vars(item).get(_DIRECT_CALL_ATTRIBUTE, False)
    if isinstance(direct_call, bool):
        direct_call = vars(item)[_DIRECT_CALL_ATTRIBUTE] = _make_direct_call(item)
    return direct_call


def forbid_direct_call(item: pytest.Item) -> None:
    """Make pytest itself run a test, with all its hooks."""
    vars(item)[_DIRECT_CALL_ATTRIBUTE] = None


def _make_direct_call(item: pytest.Item) -> DirectCall | None:
    import pytest

    if not isinstance(item, pytest.Function) or type(item) is not pytest.Function:
        return None
    if inspect.iscoroutinefunction(item.obj) or any(mark.name in _MARKS_FOR_PYTEST for mark in item.iter_markers()):
        return None
    needs = pytest_internals.fixture_needs(item)
    if needs is None or any(item.config.getini(name) for name in _SETTINGS_FOR_PYTEST):
        return None
    parameters: dict[str, Any] = getattr(getattr(item, "callspec", None), "params", {})
    for name in needs.closure:
        definitions = needs.definitions.get(name, ())
        if name not in parameters or any(definition.func.__name__ != _PARAMETER_FIXTURE for definition in definitions):
            return None
    return DirectCall(item.obj, {name: parameters[name] for name in needs.arguments})


def _perform_direct_call(direct_call: DirectCall) -> TestOutcome:
    import pytest

    try:
        direct_call.function(**direct_call.arguments)
    except pytest.skip.Exception:
        return TestOutcome("skipped")
    except pytest.xfail.Exception:
        return TestOutcome("expected")
    except BaseException as error:  # noqa: BLE001 - a test may raise anything
        return TestOutcome("failed", error)
    return TestOutcome("passed")


def describe_place(name: str, item: pytest.Item) -> dict[str, Any]:
    """Where a test is written; ``name`` is that of its file, ``::``, and its own."""
    import pytest

    file, _, own_name = name.partition("::")
    path, line = file, None
    with contextlib.suppress(Exception):  # the player's code may compute the location
        path, line, _ = item.location
    is_doctest = isinstance(item, pytest.DoctestItem)
    first_line = 0 if line is None else line + 1
    return {"file": file, "name": own_name, "path": path, "line": first_line, "is_doctest": is_doctest}


def describe_failure(error: BaseException, root: str) -> dict[str, Any]:
    """Describe how a test failed: the message, and the innermost place in the player's files."""
    locations = [
        (frame.f_code.co_filename[len(root) :], line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if frame.f_code.co_filename.startswith(root)
    ]
    path, line = locations[-1] if locations else ("", 0)
    try:
        first_line = str(error).strip().splitlines()[0] if str(error).strip() else ""
    except Exception:  # noqa: BLE001 - the player's code makes the message
        first_line = ""
    if isinstance(error, AssertionError):
        code = linecache.getline(os.path.join(root, path), line).strip()
        message = first_line or ("does not hold: " + code if code else "an assertion does not hold")
    else:
        message = type(error).__name__ + (": " + first_line if first_line else "")
    return {"message": message[:_MAX_MESSAGE_CHARS], "path": path, "line": line}
