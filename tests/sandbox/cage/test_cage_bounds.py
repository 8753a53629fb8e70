"""Every run ends, within its bounds, and leaves nothing behind; how it ended can be told."""

from __future__ import annotations

import errno
import signal

import pytest


def test_memory_is_bounded(attempt, layer):
    assert attempt("fill_memory", layer, limits={"memory_bytes": 256 << 20}).raised == "MemoryError"


def test_the_size_of_a_file_is_bounded(attempt, layer):
    assert attempt("big_file", layer, limits={"file_bytes": 1 << 20}).errno == errno.EFBIG


def test_open_files_are_bounded(attempt, layer):
    assert attempt("open_many", layer, limits={"open_files": 32}).errno == errno.EMFILE


@pytest.mark.parametrize("action", ["fill_disk", "fill_inodes"])
def test_the_disk_is_bounded_in_full(attempt, full, world, action):
    assert attempt(action, full, disk_bytes=4 << 20).errno == errno.ENOSPC
    assert sum(path.stat().st_size for path in world.work.iterdir()) <= 4 << 20


def test_a_fork_bomb_stops_at_the_limit_in_full(attempt, full):
    said = attempt("fork_bomb", full, allow_fork=True, limits={"processes": 24}).said
    assert said["refused"] == "BlockingIOError"
    assert said["made"] <= 24


def test_a_program_that_ignores_signals_is_ended(attempt, layer):
    outcome = attempt("ignore_everything", layer, seconds=0.2)
    assert outcome.late
    assert outcome.status == -signal.SIGKILL


def test_daemons_end_with_their_run(attempt, layer):
    outcome = attempt("daemon", layer, allow_fork=True)
    assert outcome.said == "left"
    assert not outcome.late


def test_shared_memory_ends_with_its_run(attempt, full, world):
    assert attempt("shared_memory_file", full, allow_fork=True).status == 0


@pytest.mark.parametrize(("action", "status"), [("leave_with_seven", 7), ("segfault", -signal.SIGSEGV)])
def test_the_ending_is_passed_on(attempt, layer, action, status):
    assert attempt(action, layer).status == status


def test_nobody_else_is_in_sight_in_full(attempt, full):
    said = attempt("processes_in_sight", full, read=["/proc"]).said
    assert said in ([1, 2], [])


def test_root_becomes_a_user_without_rights_in_full(attempt, full, driver):
    user = attempt("who_am_i", full).said["user"]
    assert user == driver.uid if driver.uid else user == 65533
