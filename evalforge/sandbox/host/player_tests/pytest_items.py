"""The player's tests as pytest collected them: run one, and say in a few words how it failed."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import linecache
import os
import traceback
import unittest
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from . import conftests, pytest_internals
from .suite_notes import TestNotes

if TYPE_CHECKING:  # there is not always a pytest in the player's interpreter, and it is loaded by ``pytest_preload``
    import pytest

_PARAMETER_FIXTURE = "get_direct_param_fixture_func"
_MARKS_FOR_PYTEST = frozenset({"skip", "skipif", "xfail", "usefixtures", "filterwarnings"})
_DIRECT_CALL_ATTRIBUTE = "_evalforge_direct_call"
_EXPECTED_FAILURE = "_evalforge_expected_failure"
_UNITTEST_EXPECTS_FAILURE = "__unittest_expecting_failure__"
_MAX_MESSAGE_CHARS = 300


class TestOutcome(NamedTuple):
    """How one test went.

    Attributes:
        name: ``passed``, ``failed``, ``skipped`` or ``expected`` (to fail).
        error: What made it fail.
    """

    name: str
    error: BaseException | None = None


class DirectCall(NamedTuple):
    """A test function and all the arguments that it needs."""

    function: Callable[..., object]
    arguments: dict[str, Any]


class FailureRecorder:
    """A pytest plugin that keeps what failed, and runs coroutine functions.

    Attributes:
        broken_files: What could not be collected: its node id, and why.
        error: What the test that ran last failed with.
        raised: What it raised, whatever was made of it since.
        notes: What is noted about the test that runs; watched while its own code runs.
    """

    def __init__(self) -> None:
        self.broken_files: list[tuple[str, str]] = []
        self.error: BaseException | None = None
        self.raised: BaseException | None = None
        self.notes = TestNotes()

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A file that can't be collected."""
        if report.failed:
            self.broken_files.append((report.nodeid, str(report.longrepr)))

    def pytest_plugin_registered(self, plugin: object) -> None:
        """A conftest file, perhaps."""
        conftests.name_as_tests_do(plugin)

    def pytest_exception_interact(
        self, call: pytest.CallInfo[Any], report: pytest.CollectReport | pytest.TestReport
    ) -> None:
        """The exception behind a failed test."""
        if report.failed and report.when != "collect" and call.excinfo is not None:
            self.error = call.excinfo.value

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Only parts of tests report this way here; a failed part fails the test."""
        if report.failed and self.error is None:
            self.error = AssertionError(str(report.longrepr).strip().splitlines()[-1:])

    def pytest_runtest_setup(self) -> None:
        """The test's own code begins, its fixtures first."""
        self.notes.is_watching = True

    pytest_runtest_call = pytest_runtest_teardown = pytest_runtest_setup

    def pytest_runtest_makereport(self, call: pytest.CallInfo[Any]) -> Iterator[None]:
        """The test's own code has ended: pytest looks at frames itself, to say what failed."""
        self.notes.is_watching = False
        if call.excinfo is not None and not is_skip_or_xfail(call.excinfo.value):
            self.raised = call.excinfo.value
        yield

    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> bool | None:
        """Run a coroutine test if no plugin for it is there."""
        if not inspect.iscoroutinefunction(pyfuncitem.obj):
            return None
        needs = pytest_internals.fixture_needs(pyfuncitem)
        if needs is None:
            return None
        asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in needs.arguments}))
        return True


def is_skip_or_xfail(error: BaseException) -> bool:
    """Whether a test ended itself without having failed."""
    import pytest

    return isinstance(error, (pytest.skip.Exception, pytest.xfail.Exception, unittest.SkipTest))


def run_test(item: pytest.Item, following: Sequence[pytest.Item], recorder: FailureRecorder) -> TestOutcome:
    """Run one test and say how it ended.

    Args:
        item: The test.
        following: Tests run after it; fixtures that these share stay set up.
        recorder: The plugin.
    """
    direct_call = find_direct_call(item)
    if direct_call is not None:
        recorder.notes.is_watching = True
        outcome = _perform_direct_call(direct_call)
        recorder.notes.is_watching = False
        return outcome
    recorder.error = recorder.raised = None
    next_item = next((other for other in following if find_direct_call(other) is None), None)
    with pytest_internals.warning_filters(item):
        reports = pytest_internals.run_protocol(item, next_item)
    failed = [report for report in reports if report.failed]
    if recorder.raised is not None and all(report.passed for report in reports):  # a hook says so
        return TestOutcome("failed", recorder.raised)
    if failed or recorder.error is not None:
        last_line = str(failed[0].longrepr).strip().splitlines()[-1:] if failed else []
        return TestOutcome("failed", recorder.error or AssertionError(*last_line))
    if any(report.skipped for report in reports):
        return TestOutcome("expected" if any(hasattr(report, "wasxfail") for report in reports) else "skipped")
    return TestOutcome("passed")


def is_failed_check(error: BaseException | None) -> bool:
    """Whether a test failed because it looked at an answer that is wrong, and not by a crash."""
    if error is None or isinstance(error, AssertionError):
        return error is not None
    inner: tuple[BaseException, ...] = getattr(error, "exceptions", ())
    is_pytests = type(error).__module__ == "_pytest.outcomes" or type(error).__qualname__ == "Failed"
    return is_pytests or any(is_failed_check(each) for each in inner)


def is_expected_to_fail(item: pytest.Item) -> bool:
    """Whether a test is marked as one that fails."""
    return any(mark.name == "xfail" for mark in item.iter_markers()) or vars(item).get(_EXPECTED_FAILURE, False)


def may_fail(item: pytest.Item) -> bool:
    """Whether a test is marked as one that may fail or pass: whatever it checks, it never says that anything is wrong.

    Asked after the test, for it may have marked itself.
    """
    if not any(mark.name == "xfail" for mark in item.iter_markers()):
        return False
    with contextlib.suppress(Exception):  # a condition of the mark is code of the player's
        mark = pytest_internals.active_xfail_mark(item)
        return mark is not None and not mark.strict
    return False


def prepare(item: pytest.Item) -> None:
    """Do once, for all forks, what each run of a test would do: find its place, and how it can be called.

    Reports say in a line why a test failed. Nobody reads more of them, and tracebacks take longer than most tests.
    """
    find_direct_call(item)
    with contextlib.suppress(Exception):  # where a test is may be said by code of the player's
        vars(item)["location"] = item.location
    vars(item)["repr_failure"] = _failure_in_a_line


def _failure_in_a_line(excinfo: pytest.ExceptionInfo[BaseException], *_: object, **_options: object) -> str:
    """The type of an error and its first words; in the place of a whole traceback."""
    try:
        return excinfo.exconly(tryshort=True)
    except Exception:  # noqa: BLE001 - the message is made by code of the player's
        return excinfo.typename


def expect_success(item: pytest.Item) -> None:
    """Take back what ``unittest.expectedFailure`` did to a test."""
    for holder in (getattr(item, "obj", None), getattr(item, "cls", None)):
        function = getattr(holder, "__func__", holder)
        if getattr(function, _UNITTEST_EXPECTS_FAILURE, False):
            vars(item)[_EXPECTED_FAILURE] = True
            setattr(function, _UNITTEST_EXPECTS_FAILURE, False)


def find_direct_call(item: pytest.Item) -> DirectCall | None:
    """The call that runs a test which needs nothing but its parameters; None if it needs fixtures or marks."""
    direct_call: DirectCall | bool | None = vars(item).get(_DIRECT_CALL_ATTRIBUTE, False)
    if isinstance(direct_call, bool):
        direct_call = vars(item)[_DIRECT_CALL_ATTRIBUTE] = _make_direct_call(item)
    return direct_call


def forbid_direct_call(item: pytest.Item) -> None:
    """Have pytest itself run a test, with all its hooks."""
    vars(item)[_DIRECT_CALL_ATTRIBUTE] = None


def _make_direct_call(item: pytest.Item) -> DirectCall | None:
    import pytest

    if not isinstance(item, pytest.Function) or type(item) is not pytest.Function:
        return None
    if inspect.iscoroutinefunction(item.obj) or any(mark.name in _MARKS_FOR_PYTEST for mark in item.iter_markers()):
        return None
    needs = pytest_internals.fixture_needs(item)
    if needs is None:
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


def describe_failure(error: BaseException, root: str) -> dict[str, Any]:
    """How a test failed: a message, and the place in the player's files where it did."""
    locations = [
        (frame.f_code.co_filename[len(root) :], line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if frame.f_code.co_filename.startswith(root)
    ]
    path, line = locations[-1] if locations else ("", 0)
    try:
        words = str(error).strip().splitlines()[0] if str(error).strip() else ""
    except Exception:  # noqa: BLE001 - the message is made by code of the player's
        words = ""
    if isinstance(error, AssertionError):
        code = linecache.getline(os.path.join(root, path), line).strip()
        message = words or ("does not hold: " + code if code else "an assertion does not hold")
    else:
        message = type(error).__name__ + (": " + words if words else "")
    return {"message": message[:_MAX_MESSAGE_CHARS], "path": path, "line": line}
