"""Older kernels and narrower systems: what they lack is made up for, or said."""

from __future__ import annotations

import pytest

ABSENT = {"PermissionError", "FileNotFoundError"}


FORBIDDEN = (
    *("read_secret", "overwrite_outside", "truncate_outside", "truncate_by_reading", "truncate_by_no_mode"),
    *("parents_environment", "kill_driver", "kill_by_pipe_owner", "connect_abstract", "create_outside"),
)
ORDINARY = ("threads", "event_loop", "database", "temporary_files", "data_formats", "log_and_parse")


@pytest.mark.parametrize("version", [1, 2, 3, 5])
def test_an_older_landlock_holds_too(attempt, standard, version):
    raised = attempt("several", standard, actions=FORBIDDEN, landlock_version=version).said
    assert {action: name for action, name in raised.items() if name not in ABSENT} == {}


@pytest.mark.parametrize("version", [1, 2])
def test_ordinary_work_is_done_on_an_older_landlock(attempt, standard, version):
    raised = attempt("several", standard, actions=ORDINARY, landlock_version=version).said
    assert raised == dict.fromkeys(ORDINARY)


def test_a_child_may_not_signal_outside_without_scopes(attempt, standard):
    policy = {"allow_fork": True, "landlock_version": 5}
    assert attempt("kill_driver", standard, **policy).raised == "PermissionError"


def test_no_landlock_means_no_cage(driver, world, standard):
    outcome = driver.ask("threads", world.as_seen(), {"layer": "standard", "landlock_version": 0})
    assert outcome.broken == "CageError"
    assert outcome.why.startswith("landlock: ")


def test_without_user_namespaces_the_probe_finds_standard(driver, world, standard):
    outcome = driver.ask("probe_without_namespaces", world.as_seen(), {})
    assert outcome.said["layer"] == "standard"
    assert outcome.said["userns"] is False
    assert "Layer full does not hold: namespaces: " in " ".join(outcome.said["notes"])
