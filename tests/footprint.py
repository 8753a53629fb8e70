"""What no test may leave behind: anything in the state of the person who runs it, or bytecode beside the bosses."""

from pathlib import Path

import pytest

from evalforge.packs.locations import state_folder

_LIMIT = 20_000
"""Files of the state that are looked at."""


class Footprint:
    """Fails a run that changed what is not the tests' own.

    Args:
        repository: The checkout.
    """

    def __init__(self, repository: Path) -> None:
        self._bosses = repository / "bosses"
        self._state = state_folder()  # before any test has a home of its own
        self._before = self._look()

    def _look(self) -> dict[str, tuple[int, int]]:
        """Size and time of every file that must stay as it is."""
        paths = [path for path, _ in zip(self._state.rglob("*"), range(_LIMIT), strict=False)]
        paths += self._bosses.rglob("__pycache__/*")
        return {str(path): (status.st_size, status.st_mtime_ns) for path in paths if (status := _status(path))}

    @pytest.hookimpl(tryfirst=True)  # so that the closing line counts it
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Add an error if anything changed."""
        after = self._look()
        changed = sorted(path for path in {*self._before, *after} if self._before.get(path) != after.get(path))
        if not changed:
            return
        words = "Changed while the tests ran, though no test may touch it:\n" + "\n".join(changed[:20])
        reporter = session.config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None:
            where = ("tests/footprint.py", 0, "footprint")
            report = pytest.TestReport("footprint", where, {}, "failed", words, "teardown")
            reporter.stats.setdefault("error", []).append(report)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _status(path: Path):
    try:
        return path.stat() if path.is_file() else None
    except OSError:
        return None
