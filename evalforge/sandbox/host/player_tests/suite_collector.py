"""Collects the player's tests with their own settings and conftest files, even if some of them break."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from protocol.player_test_messages import PlayerTestPlan

from . import conftests, program_launcher, pytest_items, suite_settings
from .left_out_tests import LeftOutTests
from .pytest_items import FailureRecorder

if TYPE_CHECKING:
    import pytest


_MAX_LEFT_OUT = 50


class PausedSession(NamedTuple):
    """A session of pytest before collection, and its plugins."""

    session: pytest.Session
    recorder: FailureRecorder
    left_out: LeftOutTests


class SuiteCollector:
    """Collects the test files of a suite in one process.

    Args:
        paused: The pytest session.
        plan: Which tests to run, and with which settings.
        root: The submission's folder, with a separator at its end.
        newest_module: The last module that was loaded before the player's.
    """

    def __init__(self, paused: PausedSession, plan: PlayerTestPlan, root: str, newest_module: str) -> None:
        self._session, self._recorder, self._left_out = paused
        self._plan = plan
        self._root = root
        self._newest_module = newest_module

    def collect(self, paths: list[str]) -> tuple[Sequence[pytest.Item], list[dict[str, Any]]]:
        """Collect test files together, or each by itself if one of them aborts the collection.

        Returns:
            All tests, and the files that aborted even when collected by themselves, each with the reason.
        """
        broken_count = len(self._recorder.broken_files)
        try:
            self._put_settings_in_force()
            return self._session.perform_collect([self._root + path for path in paths]), []
        except BaseException as error:  # noqa: BLE001 - loading runs the player's code
            if len(paths) == 1 and self._recorder.broken_files[broken_count:]:
                return [], []  # the session already reported its folder as broken
            if len(paths) == 1:
                return [], [{"file": paths[0], **pytest_items.describe_failure(error, self._root)}]
        items: list[pytest.Item] = []
        broken: list[dict[str, Any]] = []
        del self._recorder.broken_files[:]
        conftests.forget_conftests(self._session)
        program_launcher.forget_modules(self._root, self._newest_module)  # an aborted one is half loaded
        for path in paths:
            items_of_file, broken_file = self.collect([path])
            conftests.forget_conftests(self._session)  # their fixtures belong to the folders of one collection
            items.extend(items_of_file)
            broken.extend(broken_file)
        return items, broken

    def left_out_items(self) -> list[pytest.Item]:
        """The tests that the player's hooks leave out."""
        return self._left_out.items[:_MAX_LEFT_OUT]

    def has_item_hooks(self) -> bool:
        """Whether the player's hooks affect how each test runs."""
        return conftests.have_item_hooks(self._session, self._root)

    def _put_settings_in_force(self) -> None:
        if self._plan.settings_file:
            suite_settings.apply_settings(self._session, self._root + self._plan.settings_file)
        conftests.load_first_conftests(self._session, self._root)
        if self._plan.options:
            suite_settings.apply_options(self._session, self._plan.options)
