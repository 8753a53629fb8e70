"""Families of cases of which a run takes the first and a quarter of the others: any four changes in a row see all.

Which quarter is decided by the number of commits. ``EVALFORGE_SHARE=all`` (``make tier ... ALL=1``) takes everything,
and so does a run that names tests by ``-k`` or one by one; ``EVALFORGE_SHARE=2`` takes the third quarter.
"""

from __future__ import annotations

import os
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

import pytest

SHARES = 4
MARKER = "rotating(shares=4): a case of a family of which a run takes the first and a share of the others"
_REPOSITORY = Path(__file__).resolve().parent.parent


@cache
def turn() -> int | None:
    """The number of commits, which decides whose turn it is; None if it is everybody's."""
    named = os.environ.get("EVALFORGE_SHARE", "")
    if named:
        return None if named == "all" else int(named)
    command = ["git", "-C", str(_REPOSITORY), "rev-list", "--count", "HEAD"]
    try:
        return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    except (OSError, subprocess.CalledProcessError):  # no git, or no repository
        return None


def is_due(position: int, number: int | None, shares: int = SHARES) -> bool:
    """Whether a case is run, by its position among those that take turns, and the number of the turn."""
    return number is None or position % shares == number % shares


def due_cases(families: Sequence[str], number: int | None, shares: int = SHARES) -> list[bool]:
    """Whether each case is run: the first of its family always, of the others a share.

    Args:
        families: The family of each case.
        number: The number of the turn; None for everything.
        shares: After so many turns in a row each was run.
    """
    met: set[str] = set()
    due: list[bool] = []
    position = 0
    for family in families:
        if family not in met:
            met.add(family)
            due.append(True)
        else:
            due.append(is_due(position, number, shares))
            position += 1
    return due


def family_of(node_id: str) -> str:
    """The family of a case: its test, and what stands before a slash in its parameters."""
    test, _, parameters = node_id.partition("[")
    return f"{test}[{parameters.partition('/')[0]}" if "/" in parameters else test


class Rotation:
    """Leaves out the cases whose turn it isn't, and says in the summary how many."""

    def __init__(self) -> None:
        self._counts: dict[str, tuple[int, int]] = {}

    @pytest.hookimpl(trylast=True)  # after pytest has chosen by marker
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Leave out the cases whose turn it isn't."""
        number = turn()
        if number is None or config.getoption("keyword") or any("::" in argument for argument in config.args):
            return
        by_test: defaultdict[str, list[pytest.Item]] = defaultdict(list)
        for item in items:
            if item.get_closest_marker("rotating"):
                by_test[item.nodeid.partition("[")[0]].append(item)
        left_out: set[pytest.Item] = set()
        for test, cases in by_test.items():
            marker = cases[0].get_closest_marker("rotating")
            shares = marker.kwargs.get("shares", SHARES) if marker else SHARES
            due = due_cases([family_of(case.nodeid) for case in cases], number, shares)
            left_out |= {case for case, is_run in zip(cases, due, strict=True) if not is_run}
            self._counts[test] = (sum(due), len(cases))
        if left_out:
            config.hook.pytest_deselected(items=list(left_out))
            items[:] = [item for item in items if item not in left_out]

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hand the counts to the process that writes the summary."""
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["rotation"] = self._counts

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        """Take the counts of a worker; each has the same."""
        self._counts = getattr(node, "workeroutput", {}).get("rotation", {}) or self._counts

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say which share was run."""
        if self._counts:
            terminalreporter.write_line(summary(self._counts.values()))


def summary(counts: Iterable[tuple[int, int]]) -> str:
    """Which share was run, in words."""
    run, cases = (sum(column) for column in zip(*counts, strict=True))
    return f"Rotating tests: {run} of {cases} cases at turn {turn()}; EVALFORGE_SHARE=all takes all."
