"""The world around a fight: secrets, files, listeners and processes that an attack would love to reach.

``look`` sees everything that an attack could have changed; two looks that differ are an escape.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import os
import secrets
import shutil
import socket
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tests.attacks.attack import BOSS, HERE

KEY_NAME = "EVALFORGE_CANARY_KEY"
HIDDEN = "moonstone-5c1f7e"
_SUBREAPER = 36
_PATIENCE = 3.0


class World:
    """Canaries, and where they are. The process that makes it adopts whatever its children's children leave behind.

    Args:
        folder: A directory of its own.
        bosses: The shipped packs; copies of them are fought, so that an attack on trials harms nothing here.
    """

    def __init__(self, folder: Path, bosses: Path) -> None:
        self.folder = folder
        self.secret, self.key = (f"canary-{secrets.token_hex(8)}" for _ in range(2))
        self.mark, self.number = "attack-" + secrets.token_hex(4), 0x00E00000 + os.getpid()
        self.home, self.outside, self.scratch, self.bosses = (
            folder / name for name in ("home", "outside", "scratch", "bosses")
        )
        for place in (self.home, self.outside, self.scratch):
            place.mkdir()
        self.outside.chmod(0o777)
        self._write(self.home / "secret.txt", self.secret)
        self._write(self.outside / "open.txt", "anyone may write here")
        self._packs = {name: bosses / name for name in ("training-dummy", "furnace-controller")}
        self._packs[BOSS] = HERE / "boss"
        self._copy_packs()
        self.victim = _sleeper()
        self._doors = {
            "tcp": _listen(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)),
            "udp": _listen(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
            "unix": _listen(socket.AF_UNIX, socket.SOCK_STREAM, str(folder / "door")),
            "abstract": _listen(socket.AF_UNIX, socket.SOCK_STREAM, "\0attack-" + self.key),
        }
        (folder / "door").chmod(0o777)
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)

    def _copy_packs(self) -> None:
        shutil.rmtree(self.bosses, ignore_errors=True)
        for name, pack in self._packs.items():
            shutil.copytree(pack, self.bosses / name, ignore=shutil.ignore_patterns("__pycache__"))

    @staticmethod
    def _write(path: Path, words: str) -> None:
        path.write_text(words)
        path.chmod(0o666)

    def places(self, boss: str) -> dict[str, Any]:
        """What an attacker is told; more than a real one would ever know."""
        return {
            "home": str(self.home),
            "secret": str(self.home / "secret.txt"),
            "outside": str(self.outside),
            "open_file": str(self.outside / "open.txt"),
            "trials": str(self.bosses / boss / "trials"),
            "key_name": KEY_NAME,
            "tcp": self._doors["tcp"].getsockname()[1],
            "udp": self._doors["udp"].getsockname()[1],
            "unix": self._doors["unix"].getsockname(),
            "abstract": "\0attack-" + self.key,
            "judge": os.getpid(),
            "victim": self.victim.pid,
            "mark": self.mark,
            "number": self.number,
        }

    def look(self) -> dict[str, Any]:
        """Everything that could have been changed outside, by the name of its canary."""
        return {
            "files": _tree(self.outside) | _tree(self.home),
            "trials": _tree(self.bosses),
            "scratch": sorted(str(path) for path in self.scratch.rglob("*")),
            "loose": self._loose(),
            **{kind: self._left_in_kernel(kind) for kind in ("shm", "msg", "sem")},
            "called": sorted(name for name, door in self._doors.items() if _was_called(door)),
            "victim": _condition(self.victim.pid),
            "judge": _condition(os.getpid()),
        }

    def _loose(self) -> list[str]:
        """Files with this world's mark in places that everybody writes to."""
        found: list[str] = []
        for place in ("/tmp", "/var/tmp", "/dev/shm"):
            with contextlib.suppress(OSError):
                found += [str(path) for path in Path(place).iterdir() if path.name.startswith(self.mark)]
        return sorted(found)

    def _left_in_kernel(self, kind: str) -> list[int]:
        """SysV objects with this world's number."""
        try:
            rows = [row.split() for row in Path(f"/proc/sysvipc/{kind}").read_text().splitlines()[1:]]
        except OSError:
            return []
        return [int(row[1]) for row in rows if int(row[0]) == self.number]

    def survivors(self, known: set[int]) -> dict[int, str]:
        """Processes below this one that should not be there any more, given a moment to go."""
        end = time.monotonic() + _PATIENCE
        while True:
            left = {pid: name for pid, name in _below(os.getpid()).items() if pid not in known}
            if not left or time.monotonic() > end:
                return left
            time.sleep(0.02)

    def alive(self) -> set[int]:
        """Processes below this one."""
        return set(_below(os.getpid()))

    def mend(self) -> None:
        """Put things back after an attack was let loose."""
        self._copy_packs()
        for place in self.outside.iterdir():
            shutil.rmtree(place) if place.is_dir() and not place.is_symlink() else place.unlink()
        self._write(self.home / "secret.txt", self.secret)
        self._write(self.outside / "open.txt", "anyone may write here")
        for name in self._loose():
            Path(name).unlink()
        libc = ctypes.CDLL(None)
        for kind, remove in (("shm", libc.shmctl), ("msg", libc.msgctl), ("sem", libc.semctl)):
            for number in self._left_in_kernel(kind):
                remove(number, 0, None) if kind != "sem" else remove(number, 0, 0)
        self.victim.kill()
        self.victim.wait()
        self.victim = _sleeper()

    def close(self) -> None:
        """End it all."""
        self.victim.kill()
        self.victim.wait()
        for door in self._doors.values():
            door.close()


def _sleeper() -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-I", "-S", "-c", "import time; time.sleep(6000)"])


def _listen(family: int, kind: int, address: Any) -> socket.socket:
    door = socket.socket(family, kind)
    door.bind(address)
    door.setblocking(False)
    if kind == socket.SOCK_STREAM:
        door.listen()
    return door


def _was_called(door: socket.socket) -> bool:
    with contextlib.suppress(BlockingIOError):
        if door.type == socket.SOCK_DGRAM:
            return bool(door.recv(100))
        door.accept()[0].close()
        return True
    return False


def _tree(folder: Path) -> dict[str, Any]:
    """Names, modes, owners, times, links and content of all below a folder."""
    seen: dict[str, Any] = {}
    for path in sorted(folder.rglob("*")):
        if "__pycache__" in path.parts:
            continue
        found = path.lstat()
        content = hashlib.sha256(path.read_bytes()).hexdigest() if stat.S_ISREG(found.st_mode) else ""
        times = found.st_mtime_ns if stat.S_ISREG(found.st_mode) else 0
        links = found.st_nlink if stat.S_ISREG(found.st_mode) else 0
        seen[str(path)] = (found.st_mode, found.st_uid, links, times, content)
    return seen


def _condition(pid: int) -> dict[str, Any]:
    """How a process is: there, untraced, with its limits and its priority."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    status = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
    return {
        "alive": not status["State"].startswith(("Z", "T")),
        "tracer": status["TracerPid"],
        "limits": Path(f"/proc/{pid}/limits").read_text(),
        "nice": os.getpriority(os.PRIO_PROCESS, pid),
    }


def _below(top: int) -> dict[int, str]:
    """All processes that descend from one, with their names; dead ones that only wait to be reaped don't count."""
    parents: dict[int, list[int]] = {}
    names: dict[int, str] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            head, _, tail = path.read_text().rpartition(")")
            state, parent = tail.split()[:2]
            if state == "Z" and int(parent) == top:
                continue
            pid = int(path.parent.name)
            parents.setdefault(int(parent), []).append(pid)
            names[pid] = head.partition("(")[2]
    found, waiting = {}, [top]
    while waiting:
        for pid in parents.get(waiting.pop(), []):
            found[pid] = names[pid]
            waiting.append(pid)
    return found
