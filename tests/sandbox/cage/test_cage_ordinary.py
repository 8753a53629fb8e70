"""Inside the cage, ordinary programs run as they do outside."""

from __future__ import annotations

import pytest

ORDINARY = {
    "threads": [0, 1, 2, 3, 4, 5, 6, 7],
    "event_loop": [1, 2],
    "database": 3,
    "temporary_files": True,
    "files_about": "1",
    "data_formats": '0.3,"{""a"": 1}"',
    "log_and_parse": "INFO:root:ran with Namespace()",
    "lazy_import": 0,
    "signals_to_itself": ["alarm", "user", "user", "user"],
    "null_and_random": [8, True, True, True],
}
WITH_PROGRAMS = {"run_shell": "HELLO", "stop_a_child": -15, "pool_of_processes": [1, 2, 3]}


@pytest.mark.parametrize("action", ORDINARY)
def test_ordinary_work_is_done(attempt, layer, world, action):
    (world.work / "given.txt").write_text("1")
    outcome = attempt(action, layer)
    assert outcome.said == ORDINARY[action], outcome.why


@pytest.mark.parametrize("action", WITH_PROGRAMS)
def test_programs_run_where_they_are_allowed(attempt, full, action):
    outcome = attempt(action, full, allow_fork=True, allow_exec=True)
    assert outcome.said == WITH_PROGRAMS[action], outcome.why


@pytest.mark.parametrize("action", ["run_shell", "stop_a_child", "run_python"])
def test_programs_run_in_standard_too(attempt, standard, driver, action):
    if action == "stop_a_child" and driver.hello["probe"]["landlock_abi"] < 6:
        pytest.skip("this kernel can't keep signals inside")
    outcome = attempt(action, standard, allow_fork=True, allow_exec=True)
    assert outcome.said == {**WITH_PROGRAMS, "run_python": "42"}[action], outcome.why


def test_python_runs_in_python_in_full(attempt, full):
    outcome = attempt("run_python", full, allow_fork=True, allow_exec=True)
    assert outcome.said == "42", outcome.why


def test_the_work_directory_is_left_as_the_program_left_it(attempt, layer, world):
    outcome = attempt("write_in_work", layer)
    assert outcome.said == "given", outcome.why
    found = {str(path.relative_to(world.work)): path.read_text() for path in world.work.rglob("*") if path.is_file()}
    assert found == {"answer.txt": "42", "deep/er/answer.txt": "43", "given.txt": "given and changed"}


def test_a_run_begins_where_it_was_put(attempt, layer, world):
    assert attempt("who_am_i", layer).said["directory"] == str(world.work)


def test_strange_things_in_the_work_directory_stay_there(attempt, full, world):
    assert attempt("dark_files", full).said == "made"
    assert not (world.work / "passwd").is_symlink()
    assert (world.work / "given.txt").is_dir()
    assert (world.work / "dark").read_text() == ""
    assert (world.work / "sparse").stat().st_size == 1 << 20
