"""Nothing outside can be read, changed, called or disturbed, whatever is tried."""

from __future__ import annotations

import pytest

REFUSED = {"PermissionError"}
# What is hidden or lies in another namespace isn't refused but absent.
ABSENT = {"PermissionError", "FileNotFoundError", "ProcessLookupError", "NotADirectoryError"}

READ = [
    "read_secret",
    "list_outside",
    "follow_link",
    "through_proc_root",
    "through_parents_root",
    "parents_environment",
    "real_parents_environment",
    "parents_memory",
    "parents_descriptors",
    "read_attributes",
    "sleep_past_the_fence",
    "watch_folder",
    "handle_of_file",
]
CHANGE = [
    "create_outside",
    "overwrite_outside",
    "truncate_outside",
    "truncate_by_reading",
    "truncate_by_no_mode",
    "delete_outside",
    "rename_outside",
    "move_in",
    "hard_link_in",
    "make_folder_outside",
    "write_through_linked_folder",
    "set_flags_by_ioctl",
    "lease_on_readable",
    "shared_memory_file",
    "make_fifo",
    "lend_my_rights",
]
PRETENDED = [
    "chmod_outside",
    "chmod_by_descriptor",
    "change_times_outside",
    "change_owner_outside",
    "set_attribute_outside",
]
NETWORK = [
    "connect_tcp",
    "send_udp",
    "connect_unix",
    "connect_abstract",
    "send_from_a_pair",
    "reconnect_a_pair",
    "bind_a_pair",
    "listen_tcp",
    "netlink",
]
DISTURB = [
    "kill_driver",
    "kill_parent",
    "kill_everyone",
    "kill_group",
    "kill_by_thread",
    "kill_by_queue",
    "kill_by_descriptor",
    "kill_by_pipe_owner",
    "kill_by_ioctl_owner",
    "limit_parent",
    "slow_parent",
    "slow_all_of_user",
    "slow_group",
    "pin_parent",
    "idle_disk_of_parent",
    "trace_parent",
    "read_memory_of_parent",
    "take_descriptor_of_parent",
]
START = [
    "fork",
    "fork_raw",
    "clone_raw",
    "clone_beside",
    "clone_namespace",
    "spawn",
    "spawn_posix",
    "become_program",
    "become_by_descriptor",
    "new_session",
    "new_group",
    "daemon",
]
KERNEL = [
    "memory_file",
    "secret_memory_file",
    "shared_segment",
    "semaphores",
    "message_queue",
    "posix_queue",
    "ring",
    "bpf",
    "perf",
    "page_faults",
    "keyring",
    "new_namespace",
    "join_namespace",
    "mount",
    "change_root",
    "personality",
    "set_clock",
    "kernel_log",
    "host_name",
    "type_into_terminal",
    "outlive_parent",
    "loosen_filter",
]


@pytest.fixture
def raised_by(attempt, layer):
    """Try many actions in one cage; by name, what each raised."""

    def run(*actions, **policy):
        outcome = attempt("several", layer, actions=actions, **policy)
        assert outcome.said, outcome.why
        return outcome.said

    return run


def test_files_outside_are_not_read(raised_by):
    assert not_among(ABSENT | {"OSError"}, raised_by(*READ)) == {}


def test_files_outside_are_not_changed(raised_by):
    assert not_among(ABSENT | {"OSError"}, raised_by(*CHANGE)) == {}


def test_metadata_outside_stays_as_it_is(raised_by):
    assert not_among({None, *ABSENT}, raised_by(*PRETENDED)) == {}


@pytest.mark.parametrize("actions", [NETWORK, START, KERNEL], ids=["network", "start", "kernel"])
def test_what_is_forbidden_raises_a_permission_error(raised_by, actions):
    assert not_among(REFUSED, raised_by(*actions)) == {}


def test_other_processes_are_left_in_peace(raised_by):
    assert not_among(ABSENT, raised_by(*DISTURB)) == {}


def not_among(expected, raised):
    """The actions that did not end as they should."""
    return {action: name for action, name in raised.items() if name not in expected}


def test_clone3_is_absent_so_that_libc_falls_back(attempt, layer):
    assert attempt("clone_three", layer).errno == 38


def test_calls_of_another_machine_end_the_program(attempt, layer, driver):
    outcome = attempt("call_as_32_bit", layer)
    if outcome.said is not None or outcome.status == -11:
        assert outcome.status == -11, "a 32-bit call went through"
    assert outcome.status in (-31, -11)


@pytest.mark.parametrize("action", ["call_as_x32", "call_unknown"])
def test_calls_that_are_not_in_the_table_are_absent(attempt, layer, action):
    assert attempt(action, layer).errno == 38


@pytest.mark.parametrize("action", ["raise_limits", "raise_limits_by_number"])
def test_limits_are_for_good(attempt, layer, action):
    assert attempt(action, layer).raised in {"PermissionError", "ValueError"}


def test_no_capability_is_left_or_comes_back(attempt, layer):
    assert attempt("become_root", layer).said == {"before": False, "after": False}


def test_without_a_work_directory_there_is_no_place_to_write(attempt, layer):
    assert attempt("write_nowhere", layer, work=False).raised in {"PermissionError", "OSError"}


def test_shared_scratch_directories_look_empty_in_full(attempt, full, world):
    assert attempt("tree_outside", full).said[str(world.outside / "secret")] is False


def test_programs_inherit_the_cage(attempt, layer):
    said = attempt("attack_by_program", layer, allow_fork=True, allow_exec=True).said
    assert said == ""
