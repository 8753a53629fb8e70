"""The cage's tests: a driver process per kind of user, a world to attack, and a look at that world afterwards."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import importlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
HOST = HERE.parents[2] / "evalforge" / "sandbox" / "host"
NOBODY = 65534
CAGE_MODULES = sorted(path.stem for path in (HOST / "cage").glob("[!_]*.py"))
SECRET = "the answer is hidden"
OPEN = "anyone may write here"

USERS = ("root", "nobody") if os.geteuid() == 0 else ("user",)
LAYERS = ("standard", "full", "namespaces")


class Driver:
    """A running ``driver.py`` as one user."""

    def __init__(self, user: str) -> None:
        self.user = user
        self.uid = NOBODY if user == "nobody" else os.geteuid()
        self.python = interpreter_for(self.uid)
        # Below the usual scratch directory, which another user must be able to pass.
        self.folder = Path(tempfile.mkdtemp(prefix="evalforge-cage-", dir="/tmp"))
        self.folder.chmod(0o755)
        code = self.folder / "code"
        shutil.copytree(HOST, code / "host", ignore=shutil.ignore_patterns("__pycache__"))
        for path in (HERE / "driver.py", *HERE.glob("actions*.py")):
            shutil.copy(path, code / path.name)
        ids = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if user == "nobody" else {}
        self.process = subprocess.Popen(
            [self.python, "-I", "-S", "-B", str(code / "driver.py"), str(code / "host")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={"DRIVER_SECRET": SECRET, "PATH": "/usr/bin:/bin"},
            start_new_session=True,
            **ids,
        )
        self.hello = self._hear()

    def _hear(self) -> dict[str, Any]:
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert line, "the driver is gone"
        return json.loads(line)

    def ask(self, action: str, world: dict[str, Any], policy: dict[str, Any], seconds: float = 5.0) -> SimpleNamespace:
        assert self.process.stdin
        request = {"action": action, "world": world, "policy": policy, "seconds": seconds}
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        empty = {"said": None, "raised": None, "errno": None, "broken": None, "why": None}
        return SimpleNamespace(**{**empty, **self._hear()})

    @property
    def pid(self) -> int:
        return int(self.hello["pid"])

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()
        shutil.rmtree(self.folder, ignore_errors=True)


def interpreter_for(uid: int) -> str:
    """An interpreter that a user can reach: ours, else the system's."""
    for candidate in (os.environ.get("EVALFORGE_CAGE_PYTHON", ""), sys.executable, "/usr/bin/python3"):
        if candidate and (uid == os.geteuid() or passable(Path(candidate).resolve())):
            return str(Path(candidate).resolve())
    return pytest.skip("no interpreter that an unprivileged user can reach")


def passable(path: Path) -> bool:
    return path.exists() and all(folder.stat().st_mode & 0o001 for folder in (path, *path.parents))


@pytest.fixture(scope="session", params=USERS)
def driver(request: pytest.FixtureRequest) -> Iterator[Driver]:
    running = Driver(request.param)
    yield running
    running.end()


@pytest.fixture(params=LAYERS)
def layer(request: pytest.FixtureRequest, driver: Driver) -> str:
    demand(driver, request.param)
    return request.param


@pytest.fixture
def full(driver: Driver) -> str:
    demand(driver, "full")
    return "full"


@pytest.fixture
def standard(driver: Driver) -> str:
    demand(driver, "standard")
    return "standard"


def demand(driver: Driver, layer: str) -> None:
    """Skip where the kernel lacks a layer; where it doesn't, a layer that does not hold is a failure."""
    probe = driver.hello["probe"]
    if not probe["landlock_abi"] or not probe["seccomp"]:
        pytest.skip("this kernel has no Landlock or no system call filter")
    if layer != "standard" and not has_namespaces(driver.uid):
        pytest.skip("user namespaces are refused here")
    if layer != "namespaces" and probe["layer"] not in (layer, "full"):
        pytest.fail(f"layer {layer} does not hold here: {' '.join(probe['notes'])}")


@pytest.fixture(scope="session", name="has_namespaces")
def _has_namespaces() -> Callable[[int], bool]:
    return has_namespaces


@functools.cache
def has_namespaces(uid: int) -> bool:
    """Whether the system's own tool gets a user and mount namespace."""
    tool = shutil.which("unshare")
    ids = {} if uid == os.geteuid() else {"user": uid, "group": uid, "extra_groups": []}
    return (
        bool(tool) and subprocess.run([tool, "-Urm", "true"], capture_output=True, check=False, **ids).returncode == 0
    )


@pytest.fixture(scope="session")
def host() -> SimpleNamespace:
    """The cage's modules, by their plain names."""
    package = "evalforge.sandbox.host.cage"
    return SimpleNamespace(**{name: importlib.import_module(f"{package}.{name}") for name in CAGE_MODULES})


@pytest.fixture(scope="session")
def in_a_child() -> Callable[[Callable[[], object]], str]:
    """Run something in a forked child and return what it says, or the exception that it raised."""

    def run(action: Callable[[], object]) -> str:
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            try:
                said = str(action())
            except BaseException as error:  # noqa: BLE001 - the child's answer
                said = f"{type(error).__name__}: {error}"
            os.write(writing, said.encode())
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as file:
            said = file.read()
        os.waitpid(child, 0)
        return said

    return run


class World:
    """Files, listeners and processes outside the cage, and what they looked like before."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.folder = Path(tempfile.mkdtemp(prefix="world-", dir=driver.folder))
        self.folder.chmod(0o755)
        self.outside, self.work, self.lent = (self.folder / name for name in ("outside", "work", "lent"))
        for folder in (self.outside, self.lent):
            folder.mkdir()
        self.outside.chmod(0o777)
        files = {"secret": SECRET, "open": OPEN}
        for name, content in files.items():
            self._own(self.outside / name, content)
        self._own(self.lent / "readable", OPEN)
        self.tcp, self.udp = self._listen(socket.SOCK_STREAM), self._listen(socket.SOCK_DGRAM)
        self.unix = self._listen_at(str(self.folder / "door"), socket.SOCK_STREAM)
        self.unix_datagram = self._listen_at(str(self.folder / "letterbox"), socket.SOCK_DGRAM)
        self.abstract = self._listen_at("\0" + self.folder.name, socket.SOCK_STREAM)
        self.renew_work()
        self.before = self.look()

    def renew_work(self) -> None:
        """A fresh work directory, holding two files."""
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(mode=0o700)
        self._own(self.work / "given.txt", "given")
        self._own(self.work / "unwanted.txt", "unwanted")
        os.chown(self.work, self.driver.uid, -1)

    def _own(self, path: Path, content: str) -> None:
        path.write_text(content)
        path.chmod(0o666)
        os.chown(path, self.driver.uid, -1)

    def _listen(self, kind: int) -> socket.socket:
        door = socket.socket(socket.AF_INET, kind)
        door.bind(("127.0.0.1", 0))
        return self._open(door, kind)

    def _listen_at(self, address: str, kind: int) -> socket.socket:
        door = socket.socket(socket.AF_UNIX, kind)
        door.bind(address)
        if not address.startswith("\0"):
            Path(address).chmod(0o777)
        return self._open(door, kind)

    @staticmethod
    def _open(door: socket.socket, kind: int) -> socket.socket:
        door.setblocking(False)
        if kind == socket.SOCK_STREAM:
            door.listen()
        return door

    def as_seen(self) -> dict[str, Any]:
        return {
            "secret": str(self.outside / "secret"),
            "open": str(self.outside / "open"),
            "outside": str(self.outside),
            "readable": str(self.lent / "readable"),
            "driver": self.driver.pid,
            "python": self.driver.python,
            "tcp": self.tcp.getsockname()[1],
            "udp": self.udp.getsockname()[1],
            "unix": self.unix.getsockname(),
            "unix_datagram": self.unix_datagram.getsockname(),
            "abstract": self.folder.name,
        }

    def look(self) -> dict[str, Any]:
        """Everything that an action could have changed outside."""
        files = {}
        for path in sorted([*self.outside.rglob("*"), *self.lent.rglob("*")]):
            found = path.stat()
            marks = (found.st_mode, found.st_uid, found.st_mtime_ns, found.st_nlink, tuple(os.listxattr(path)))
            files[str(path)] = (*marks, path.read_text(), flags_of(path))
        pid = self.driver.pid
        return {
            "files": files,
            # Other programs of this machine have shared memory too; these are what the actions would leave.
            "shared": list(Path("/dev/shm").glob("evalforge-*")),
            "segments": Path("/proc/sysvipc/shm").read_text().count(" 123457 "),
            "alive": self.driver.process.poll() is None,
            "limits": Path(f"/proc/{pid}/limits").read_text(),
            "nice": os.getpriority(os.PRIO_PROCESS, pid),
            "processors": sorted(os.sched_getaffinity(pid)),
            "called": [self._was_called(door) for door in (self.tcp, self.unix, self.abstract)],
            "written": [self._was_written(door) for door in (self.udp, self.unix_datagram)],
        }

    @staticmethod
    def _was_called(door: socket.socket) -> bool:
        with contextlib.suppress(BlockingIOError):
            door.accept()[0].close()
            return True
        return False

    @staticmethod
    def _was_written(door: socket.socket) -> bool:
        with contextlib.suppress(BlockingIOError):
            return bool(door.recv(10))
        return False

    def close(self) -> None:
        for door in (self.tcp, self.udp, self.unix, self.unix_datagram, self.abstract):
            door.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def flags_of(path: Path) -> int:
    """Attributes as ``lsattr`` shows them; 0 where the file system has none."""
    import fcntl

    held = ctypes.create_string_buffer(8)
    with path.open() as file, contextlib.suppress(OSError):
        fcntl.ioctl(file.fileno(), 0x80086601, held)
    return int.from_bytes(held.raw, "little")


@pytest.fixture(scope="session")
def one_world(driver: Driver) -> Iterator[World]:
    made = World(driver)
    yield made
    made.close()


@pytest.fixture
def world(one_world: World) -> Iterator[World]:
    """A world that must look the same after the test as before it."""
    one_world.renew_work()
    one_world.before = one_world.look()
    yield one_world
    assert one_world.look() == one_world.before


Attempt = Callable[..., SimpleNamespace]


@pytest.fixture
def attempt(driver: Driver, world: World) -> Attempt:
    """Run one of ``actions`` in a cage and return what came of it; the cage closed, and nobody outlived the run."""

    def run(
        action: str, layer: str, seconds: float = 5.0, work: bool = True, actions: tuple[str, ...] = (), **policy: Any
    ) -> SimpleNamespace:
        policy = {"layer": layer, "work": str(world.work) if work else None, **policy}
        policy["read"] = [str(world.lent), *policy.get("read", [])]
        seen = {**world.as_seen(), "actions": actions}
        outcome = driver.ask(action, seen, policy, seconds)
        assert outcome.broken is None, f"the cage did not close: {outcome.why}"
        assert outcome.survivors == 0, "somebody outlived the run"
        return outcome

    return run
