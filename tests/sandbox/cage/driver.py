"""A small host for the cage's tests: forks a child for each request, cages it, runs one action of ``actions`` in it.

Run as ``python -I -S driver.py HOST_FOLDER``; requests and replies are lines of JSON on standard input and output.
"""

# ruff: noqa: PTH100, PTH120, PTH123 - plain calls, as programs make them

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import time
from collections.abc import Callable

sys.path[:0] = [os.path.abspath(sys.argv[1]), os.path.dirname(os.path.abspath(__file__))]

import actions  # noqa: E402
from cage import capabilities, landlock, layers, syscalls  # noqa: E402
from cage.resource_limits import ResourceLimits  # noqa: E402

STDLIB = os.path.dirname(os.__file__)


def main() -> None:
    layers.harden_host()
    say({"probe": layers.probe_layers()._asdict(), "pid": os.getpid(), "stdlib": STDLIB, "prefix": sys.base_prefix})
    for line in sys.stdin:
        request = json.loads(line)
        say(serve(request, become_confined if request["action"] == "probe_without_namespaces" else become))


def say(message: dict) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def serve(request: dict, become: Callable[[dict, int], None]) -> dict:
    reading, writing = os.pipe()
    started = time.monotonic()
    child = os.fork()
    if child == 0:
        os.close(reading)
        become(request, writing)
    os.close(writing)
    told, status, late = watch(child, reading, started + request.get("seconds", 5.0))
    reply = json.loads(told) if told.strip() else {}
    return {**reply, "status": os.waitstatus_to_exitcode(status), "late": late, "survivors": survivors()}


def watch(child: int, reading: int, deadline: float) -> tuple[bytes, int, bool]:
    """Read what the child tells until it ends; end it and its group at the deadline."""
    os.set_blocking(reading, False)
    told, late = b"", False
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        with contextlib.suppress(BlockingIOError):
            told += os.read(reading, 1 << 20)
        if ended:
            break
        if time.monotonic() > deadline and not late:
            late = True
            os.kill(child, signal.SIGKILL)
        time.sleep(0.0005)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    with contextlib.suppress(BlockingIOError):
        told += os.read(reading, 1 << 20)
    os.close(reading)
    return told, status, late


def survivors() -> int:
    """How many processes of the run are still there a second later. Orphans come to us, so they can be counted."""
    deadline = time.monotonic() + 1.0
    while time.monotonic() < deadline:
        try:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                time.sleep(0.001)
        except ChildProcessError:
            return 0
    left = 0
    with open(f"/proc/self/task/{os.getpid()}/children") as file:
        for pid in file.read().split():
            left += 1
            os.kill(int(pid), signal.SIGKILL)
    return left


def become(request: dict, writing: int) -> None:
    """In the child: cage it, do the action, tell what came of it."""
    code = 0
    try:
        os.setsid()
        null = os.open(os.devnull, os.O_RDWR)
        for target in (0, 1):
            os.dup2(null, target)
        os.dup2(writing, 3)
        os.closerange(4, 256)
        work = request["policy"].get("work")
        os.chdir(work or "/")
        os.environ.clear()
        os.environ.update({"PATH": "/usr/bin:/bin", "TMPDIR": work or "/", "HOME": work or "/"})
        pretend_kernel(request["policy"].pop("landlock_version", None))
        layers.enter_cage(policy_of(request["policy"]))
        try:
            answer = {"said": actions.ALL[request["action"]](request["world"])}
        except Exception as error:  # noqa: BLE001 - the result
            answer = {"raised": type(error).__name__, "errno": getattr(error, "errno", None), "why": str(error)}
        os.write(3, json.dumps(answer).encode())
    except BaseException as error:  # noqa: BLE001 - never back into the loop
        code = 99
        os.write(3, json.dumps({"broken": type(error).__name__, "why": str(error)}).encode())
    finally:
        os._exit(code)


def become_confined(request: dict, writing: int) -> None:
    """In the child: probe as on a system that has no user namespaces left to give."""
    syscalls.prctl(4, 1)
    owner = os.getuid()
    syscalls.call("unshare", 0x10000000)
    for name, text in (("setgroups", "deny"), ("uid_map", f"{owner} {owner} 1")):
        with open("/proc/self/" + name, "w") as file:
            file.write(text)
    with open("/proc/sys/user/max_user_namespaces", "w") as file:
        file.write("0")
    capabilities.drop_all()
    os.write(writing, json.dumps({"said": layers.probe_layers()._asdict()}).encode())
    os._exit(0)


def pretend_kernel(landlock_version: int | None) -> None:
    """Use no more of Landlock than an older kernel has."""
    if landlock_version is not None:
        landlock.abi_version = lambda: landlock_version


def policy_of(wish: dict) -> layers.Policy:
    bounds = {"cpu_seconds": 4, "file_bytes": 1 << 20, "open_files": 64, **wish.pop("limits", {})}
    read = [STDLIB, *wish.pop("read", [])]
    return layers.Policy(read=read, limits=ResourceLimits(**bounds), **wish)


if __name__ == "__main__":
    main()
