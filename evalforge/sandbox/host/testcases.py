"""The player's tests as pytest collected them: run one, and say in a few words how it failed."""

from __future__ import annotations

import asyncio
import inspect
import linecache
import os
import traceback

_DIRECT_PARAMETER = "get_direct_param_fixture_func"
_TELLING_MARKS = frozenset({"skip", "skipif", "xfail", "usefixtures", "filterwarnings"})
_MESSAGE_CAP = 300


class Watcher:
    """A pytest plugin that keeps what failed, and runs coroutine functions."""

    def __init__(self):
        self.broken = []
        self.failed = None

    def pytest_collectreport(self, report):
        """A file that can't be collected."""
        if report.failed:
            self.broken.append((report.nodeid, str(report.longrepr)))

    def pytest_exception_interact(self, call, report):
        """The exception behind a failed test."""
        if report.failed and report.when != "collect":
            self.failed = call.excinfo.value

    def pytest_runtest_logreport(self, report):
        """Only parts of tests report this way here; a failed part fails the test."""
        if report.failed and self.failed is None:
            self.failed = AssertionError(str(report.longrepr).strip().splitlines()[-1:])

    def pytest_pyfunc_call(self, pyfuncitem):
        """Run a coroutine test if no plugin for it is there."""
        if not inspect.iscoroutinefunction(pyfuncitem.obj):
            return None
        names = pyfuncitem._fixtureinfo.argnames
        asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
        return True


def run(item, following, watcher):
    """Run one test.

    Args:
        item: The test.
        following: Tests run after it; fixtures that these share stay set up.
        watcher: The plugin.

    Returns:
        ``(outcome, error)``; outcome is ``passed``, ``failed``, ``skipped`` or ``expected`` (to fail).
    """
    arguments = direct_arguments(item)
    if arguments is not None:
        return _call(item.obj, arguments)
    from _pytest.runner import runtestprotocol

    watcher.failed = None
    following = next((other for other in following if direct_arguments(other) is None), None)
    reports = runtestprotocol(item, log=False, nextitem=following)
    failed = [report for report in reports if report.failed]
    if failed or watcher.failed is not None:
        words = str(failed[0].longrepr).strip().splitlines()[-1:] if failed else []
        return "failed", watcher.failed or AssertionError(*words)
    if any(report.skipped for report in reports):
        return ("expected" if any(hasattr(report, "wasxfail") for report in reports) else "skipped"), None
    return "passed", None


def direct_arguments(item):
    """The arguments of a test that needs nothing but its parameters; None if it needs fixtures or marks."""
    known = item.__dict__.get("_direct", False)
    if known is False:
        known = item.__dict__["_direct"] = _direct_arguments(item)
    return known


def _direct_arguments(item):
    import pytest

    if type(item) is not pytest.Function or inspect.iscoroutinefunction(item.obj):
        return None
    if any(mark.name in _TELLING_MARKS for mark in item.iter_markers()):
        return None
    needed = item._fixtureinfo
    parameters = getattr(getattr(item, "callspec", None), "params", {})
    for name in needed.names_closure:
        definitions = needed.name2fixturedefs.get(name, ())
        if name not in parameters or any(one.func.__name__ != _DIRECT_PARAMETER for one in definitions):
            return None
    return {name: parameters[name] for name in needed.argnames}


def _call(function, arguments):
    import pytest

    try:
        function(**arguments)
    except pytest.skip.Exception:
        return "skipped", None
    except pytest.xfail.Exception:
        return "expected", None
    except BaseException as error:
        return "failed", error
    return "passed", None


def describe(error, root):
    """How a test failed: words, and the place in the player's files where it did, a test file if there is one."""
    places = [
        (frame.f_code.co_filename[len(root) :], line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if frame.f_code.co_filename.startswith(root)
    ]
    path, line = places[-1] if places else ("", 0)
    try:
        words = str(error).strip().splitlines()[0] if str(error).strip() else ""
    except Exception:
        words = ""
    if isinstance(error, AssertionError):
        code = linecache.getline(os.path.join(root, path), line).strip()
        message = words or ("does not hold: " + code if code else "an assertion does not hold")
    else:
        message = type(error).__name__ + (": " + words if words else "")
    return {"message": message[:_MESSAGE_CAP], "path": path, "line": line}
