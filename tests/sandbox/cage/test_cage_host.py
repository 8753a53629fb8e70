"""The host around the cage: it fails closed, protects itself, and finds out what holds here."""

from __future__ import annotations

import ast
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.sandbox.cage.conftest import CAGE_MODULES

HOST = Path(__file__).resolve().parents[3] / "evalforge" / "sandbox" / "host"
GIBIBYTE = 1 << 30


def test_the_probe_answers_all_that_a_doctor_asks(driver):
    probe = driver.hello["probe"]
    assert set(probe) == {"layer", "landlock_abi", "seccomp", "userns", "bwrap", "root", "notes"}
    assert probe["layer"] in {"full", "standard", "basic"}
    assert probe["root"] is (driver.uid == 0)


def test_the_probe_does_not_believe_a_cage_that_is_open(host):
    probe = host.selftest.probe(lambda trial: None, "/tmp")
    assert probe.layer == "basic"
    assert "Layer standard does not hold" in " ".join(probe.notes)


def test_the_probe_refuses_a_cage_without_files_in_mind(host):
    def enter_without_landlock(trial):
        host.syscalls.prctl(38, 1)
        host.seccomp.install(host.seccomp.Profile())

    notes = " ".join(host.selftest.probe(enter_without_landlock, "/tmp").notes)
    assert "reads files outside" in notes
    assert "opens sockets" not in notes


def test_the_probe_leaves_nothing_behind(host, tmp_path):
    host.layers.probe_layers(str(tmp_path))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("policy", "step"),
    [
        ({"layer": "standard", "work": "/nowhere/at/all"}, "landlock: "),
        ({"layer": "full", "work": "/nowhere/at/all"}, "namespaces: "),
        ({"layer": "cardboard"}, "layer: there is no layer 'cardboard'"),
    ],
)
def test_a_step_that_fails_is_named(driver, world, policy, step):
    outcome = driver.ask("threads", world.as_seen(), policy)
    assert outcome.broken in {"CageError", "FileNotFoundError"}
    assert step in outcome.why or outcome.broken == "FileNotFoundError"


def test_a_second_thread_keeps_the_cage_from_closing(host, in_a_child):
    def action():
        threading.Thread(target=time.sleep, args=(5,), daemon=True).start()
        try:
            host.layers.enter_cage(host.layers.Policy())
        except host.layers.CageError as error:
            return error
        return "entered"

    assert in_a_child(action) == "threads: [Errno 16] 2 threads are running"


def test_limits_are_put_on_as_asked(host, in_a_child):
    def action():
        host.resource_limits.apply_limits(
            host.resource_limits.ResourceLimits(cpu_seconds=1.5, memory_bytes=GIBIBYTE, file_bytes=10, open_files=99)
        )
        kinds = (resource.RLIMIT_CPU, resource.RLIMIT_AS, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE)
        return [resource.getrlimit(kind) for kind in (*kinds, resource.RLIMIT_CORE)]

    assert in_a_child(action) == str([(2, 3), (GIBIBYTE, GIBIBYTE), (10, 10), (99, 99), (0, 0)])


def test_processor_time_is_bounded(host):
    child = os.fork()
    if child == 0:
        host.resource_limits.apply_limits(host.resource_limits.ResourceLimits(cpu_seconds=0.5))
        while time.process_time() < 5:
            pass
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGXCPU


def test_a_limit_already_in_force_is_not_raised(host, in_a_child):
    def action():
        resource.setrlimit(resource.RLIMIT_NOFILE, (50, 60))
        host.resource_limits.apply_limits(host.resource_limits.ResourceLimits(open_files=1000))
        return resource.getrlimit(resource.RLIMIT_NOFILE)

    assert in_a_child(action) == "(60, 60)"


def test_after_is_told_where_and_how_the_run_ended(host, full, tmp_path):
    (tmp_path / "given").touch()
    reading, writing = os.pipe()

    def after(work, status):
        names = " ".join(sorted(path.name for path in Path(work).iterdir()))
        os.write(writing, f"{work} {os.waitstatus_to_exitcode(status)} {names}".encode())

    child = os.fork()
    if child == 0:
        code = 1
        try:
            host.layers.enter_cage(host.layers.Policy(work=str(tmp_path), layer=full), after)
            code = 5
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 5
    os.close(writing)
    with os.fdopen(reading) as file:
        assert file.read() == f"{tmp_path} 5 given"


def test_an_after_that_fails_is_raised_outside(host, in_a_child, full):
    def after(work, status):
        raise OSError("the shelf is full")

    def action():
        try:
            host.layers.enter_cage(host.layers.Policy(layer=full), after)
        except host.layers.CageError as error:
            return error
        os._exit(0)

    assert in_a_child(action).endswith("the shelf is full")


def test_the_environment_of_a_hardened_host_is_private(driver):
    ids = {"user": driver.uid, "group": driver.uid, "extra_groups": []} if driver.user == "nobody" else {}
    if driver.uid == 0:
        pytest.skip("nothing is private from root")
    command = [driver.python, "-I", "-S", "-c", f"open('/proc/{driver.pid}/environ').read()"]
    assert b"PermissionError" in subprocess.run(command, capture_output=True, check=False, **ids).stderr


def test_a_hardened_host_dies_with_its_parent(driver):
    host = (
        f"import os, sys, time; sys.path.insert(0, {str(HOST)!r}); from cage import layers;"
        " layers.harden_host(int(sys.argv[1])); print(os.getpid(), flush=True); time.sleep(60)"
    )
    parent = (
        "import os, subprocess, sys; child = subprocess.Popen([sys.executable, '-c', sys.argv[1], str(os.getpid())],"
        " stdout=subprocess.PIPE); print(child.stdout.readline().decode(), flush=True)"
    )
    said = subprocess.run([sys.executable, "-I", "-S", "-c", parent, host], capture_output=True, text=True, check=True)
    place, deadline = Path("/proc") / said.stdout.strip() / "stat", time.monotonic() + 5
    while place.exists() and ") Z" not in place.read_text():
        assert time.monotonic() < deadline, "the host lives on"
        os.sched_yield()


def imports(tree):
    """The modules that a module imports, and whether it does so late: ``(name, dots, is_late)``."""
    late = {
        inner
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for inner in ast.walk(function)
        if isinstance(inner, ast.Import | ast.ImportFrom)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name.split(".")[0], 0, node in late) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").split(".")[0], node.level, node in late


@pytest.mark.parametrize("name", CAGE_MODULES)
def test_cage_modules_stand_alone_and_import_nothing_late(name):
    tree = ast.parse((HOST / "cage" / f"{name}.py").read_text(), feature_version=(3, 9))
    imported = list(imports(tree))
    assert {module for module, dots, _ in imported if not dots} <= sys.stdlib_module_names
    assert {module for module, dots, _ in imported if dots} <= {"", *CAGE_MODULES}
    assert not [module for module, _, is_late in imported if is_late]


FOLDERS = ["protocol", "cage", "answers", "runs", "player_tests"]


@pytest.mark.parametrize("folder", FOLDERS)
def test_host_folders_import_only_folders_below_them(folder):
    below = {"protocol": set(), "cage": set(), "answers": {"protocol"}, "player_tests": {"protocol", "runs"}}
    below["runs"] = {"protocol", "cage", "answers"}
    test_tools = {"pytest", "_pytest", "hypothesis"} if folder == "player_tests" else set()
    allowed = {*sys.stdlib_module_names, *below[folder], *test_tools}
    for path in (HOST / folder).glob("*.py"):
        imported = imports(ast.parse(path.read_text(), feature_version=(3, 9)))
        assert {module for module, dots, _ in imported if not dots} <= allowed, path
