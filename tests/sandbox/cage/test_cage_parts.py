"""Each part of the cage holds by itself: where one is lacking or wrong, the others still stand."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.sandbox.cage.conftest import HOST


def listed(folder):
    return sorted(path.name for path in Path(folder).iterdir())


@pytest.fixture
def namespaces_here(has_namespaces):
    if not has_namespaces(os.geteuid()):
        pytest.skip("user namespaces are refused here")


@pytest.fixture
def inside(host, in_a_child, namespaces_here):
    """Do something in namespaces alone, without Landlock or filter, and return what it says."""

    def run(action, **view):
        def enter_and_do():
            host.namespaces.enter_namespaces(host.mounts.View(**view))
            return action()

        return in_a_child(enter_and_do)

    return run


@pytest.fixture
def behind_landlock(host, in_a_child):
    """Do something behind Landlock alone."""
    if not host.landlock.abi_version():
        pytest.skip("this kernel has no Landlock")

    def run(action, **paths):
        def restrict_and_do():
            host.syscalls.prctl(38, 1)
            host.landlock.restrict(**paths)
            return action()

        return in_a_child(restrict_and_do)

    return run


def test_namespaces_make_the_tree_read_only(inside):
    places = ("/", "/usr", "/dev", "/tmp", "/var")
    assert inside(lambda: [bool(os.statvfs(place).f_flag & os.ST_RDONLY) for place in places]) == str([True] * 5)


@pytest.mark.parametrize("place", ["/tmp", "/var/tmp", "/dev/shm"])
def test_namespaces_hide_shared_scratch_directories(inside, place, tmp_path):
    assert inside(lambda: listed(place)) == "[]"


def test_what_is_kept_is_seen_and_read_only(inside, tmp_path):
    (tmp_path / "kept").write_text("mine")
    seen = inside(lambda: (tmp_path / "kept").read_text(), keep=(str(tmp_path),))
    assert seen == "mine"
    written = inside(lambda: (tmp_path / "kept").write_text("theirs"), keep=(str(tmp_path),))
    assert "Errno 30" in written or "Errno 13" in written
    assert (tmp_path / "kept").read_text() == "mine"


def test_a_single_file_can_be_kept(inside, tmp_path):
    (tmp_path / "kept").write_text("mine")
    (tmp_path / "hidden").touch()
    seen = inside(lambda: ((tmp_path / "kept").read_text(), listed(tmp_path)), keep=(str(tmp_path / "kept"),))
    assert seen == "('mine', ['kept'])"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes somebody else")
def test_the_way_to_work_is_open_for_whom_root_becomes(inside):
    with tempfile.TemporaryDirectory(dir="/var") as barred:
        work, kept = Path(barred) / "a" / "work", Path(barred) / "kept"
        work.mkdir(parents=True)
        kept.mkdir()
        (kept / "file").write_text("seen")

        def use():
            (work / "new").write_text("made")
            return (kept / "file").read_text(), os.getuid()

        assert inside(use, work=str(work), size_bytes=1 << 20, keep=(str(kept),)) == "('seen', 65533)"
        assert (work / "new").read_text() == "made"


def test_namespaces_have_no_network(inside):
    assert inside(socket.if_nameindex) == "[(1, 'lo')]"


def test_namespaces_show_only_their_own_processes(inside):
    assert inside(lambda: [name for name in listed("/proc") if name.isdigit()]) == "['1', '2']"


def test_namespaces_pass_no_descriptors_on(inside, tmp_path):
    known = listed("/proc/self/fd")
    seen = inside(lambda: len(listed("/proc/self/fd")), work=str(tmp_path), size_bytes=1 << 20)
    assert int(seen) == len(known) + 1  # the pipe that this answer travels on


def test_all_inside_end_with_the_process_outside(host, namespaces_here):
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            host.namespaces.enter_namespaces(host.mounts.View())
            os.write(writing, b"in")
            signal.alarm(10)
            signal.pause()
        os._exit(1)
    os.close(writing)
    assert os.read(reading, 2) == b"in"
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    assert select.select([reading], [], [], 5)[0], "somebody inside lives on"
    assert os.read(reading, 2) == b""  # the last writer is gone
    os.close(reading)


def test_signals_reach_the_process_inside(host, namespaces_here):
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            host.namespaces.enter_namespaces(host.mounts.View())
            signal.signal(signal.SIGUSR2, lambda *_: os._exit(7))
            os.write(writing, b"in")
            signal.alarm(10)
            signal.pause()
        os._exit(1)
    assert os.read(reading, 2) == b"in"
    os.kill(child, signal.SIGUSR2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    os.close(reading)
    os.close(writing)


_OF_THE_C_LIBRARY = pytest.mark.skipif(
    sys.version_info >= (3, 12), reason="the C library has had use for it by then, and handles it"
)


@pytest.mark.parametrize(
    "end", [signal.SIGTERM, signal.SIGKILL, signal.SIGABRT, pytest.param(33, marks=_OF_THE_C_LIBRARY), 34]
)
def test_a_signal_that_ends_the_run_ends_the_process_outside(namespaces_here, end):
    script = (
        f"import os, sys; sys.path.insert(0, {str(HOST)!r}); from cage import mounts, namespaces;"
        f" namespaces.enter_namespaces(mounts.View()); os.kill(os.getpid(), {int(end)})"
    )
    # In a process of its own: some signals are the C library's once it has had use for them.
    assert subprocess.run([sys.executable, "-I", "-S", "-c", script], check=False).returncode == -end


def test_landlock_alone_keeps_files_apart(behind_landlock, tmp_path):
    for name in ("open", "closed"):
        (tmp_path / name).write_text(name)
    assert behind_landlock((tmp_path / "open").read_text, read=[str(tmp_path / "open")]) == "open"
    assert behind_landlock((tmp_path / "closed").read_text, read=[str(tmp_path / "open")]).startswith("PermissionError")


def test_landlock_alone_keeps_what_may_be_read_unwritten(behind_landlock, tmp_path):
    def write():
        (tmp_path / "file").write_text("x")

    assert behind_landlock(write, read=[str(tmp_path)]).startswith("PermissionError")
    assert behind_landlock(write, write=[str(tmp_path)]) == "None"


def test_landlock_alone_refuses_programs_that_were_not_granted(behind_landlock):
    assert behind_landlock(lambda: os.execv("/bin/true", ["true"]), read=["/"]).startswith("PermissionError")


def test_landlock_alone_refuses_tcp(behind_landlock, host):
    if host.landlock.abi_version() < 4:
        pytest.skip("this Landlock knows no TCP")
    assert behind_landlock(lambda: socket.create_connection(("127.0.0.1", 9))).startswith("PermissionError")


def test_landlock_keeps_signals_and_abstract_sockets_inside(behind_landlock, host):
    if host.landlock.abi_version() < 6:
        pytest.skip("this Landlock has no scopes")
    assert behind_landlock(lambda: os.kill(os.getppid(), 0)).startswith("PermissionError")
    with socket.socket(socket.AF_UNIX) as door:
        door.bind("")
        door.listen()
        address = door.getsockname()
        assert behind_landlock(lambda: socket.socket(socket.AF_UNIX).connect(address)).startswith("PermissionError")


def test_a_path_to_write_that_is_missing_is_an_error(behind_landlock):
    assert behind_landlock(lambda: None, write=["/nowhere/at/all"]).startswith("FileNotFoundError")


@pytest.fixture
def carried(host, tmp_path):
    """Carry a directory in, change it, carry it out; returns what is outside then."""

    def run(change, size_bytes=1 << 20):
        outside, within = tmp_path / "outside", tmp_path / "inside"
        outside.mkdir()
        within.mkdir()
        (outside / "kept").write_text("kept")
        (outside / "gone").write_text("gone")
        doors = [os.open(folder, os.O_RDONLY) for folder in (outside, within)]
        snapshot = host.file_transfer.copy_in(doors[0], doors[1], os.getuid())
        change(within)
        host.file_transfer.copy_out(doors[1], doors[0], snapshot, size_bytes)
        for door in doors:
            os.close(door)
        return {str(path.relative_to(outside)): path for path in outside.rglob("*")}

    return run


def test_changes_are_carried_out(carried):
    def change(folder):
        (folder / "kept").write_text("changed")
        (folder / "gone").unlink()
        (folder / "deep").mkdir()
        (folder / "deep" / "new").write_text("new")

    found = carried(change)
    assert set(found) == {"kept", "deep", "deep/new"}
    assert found["kept"].read_text() == "changed"


def test_more_than_the_disk_holds_is_not_carried_out(carried):
    def change(folder):
        with (folder / "sparse").open("wb") as file:
            file.truncate(1 << 24)
        (folder / "small").write_text("small")

    assert set(carried(change, size_bytes=1000)) == {"kept", "gone", "small"}


def test_links_and_pipes_are_not_carried_out(carried):
    def change(folder):
        (folder / "link").symlink_to("/etc/passwd")
        (folder / "kept").unlink()
        (folder / "kept").symlink_to("/etc/passwd")
        os.mkfifo(folder / "pipe")

    assert set(carried(change)) == {"gone"}


def test_a_flood_of_files_is_not_carried_out_whole(carried):
    def change(folder):
        for number in range(600):
            (folder / f"n{number}").touch()

    assert len(carried(change)) == 502
