"""What root may and others may not: reading and writing whatever permissions say."""

import ctypes
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_VERSION_3 = 0x20080522
_WITHOUT_ASKING = 1 << 1 | 1 << 2
"""``CAP_DAC_OVERRIDE`` and ``CAP_DAC_READ_SEARCH``, as in linux/capability.h."""


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Set(ctypes.Structure):
    _fields_ = (("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32))


@contextmanager
def bound_by_permissions() -> Iterator[None]:
    """Let permissions bind this thread and those it starts meanwhile, even if it is root's.

    Root's programs have their rights back: what a process that is started may read is not changed.
    """
    if os.geteuid():
        yield
        return
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        header, sets = _Header(_VERSION_3, 0), (_Set * 2)()
        _check(libc.capget(ctypes.byref(header), sets))
        before = sets[0].effective
        sets[0].effective = before & ~_WITHOUT_ASKING
        _check(libc.capset(ctypes.byref(header), sets))
    except (AttributeError, OSError):
        pytest.skip("root can't let go of its rights here")
    try:
        yield
    finally:
        sets[0].effective = before
        _check(libc.capset(ctypes.byref(header), sets))


def interpreter_for_nobody(home: Path) -> str:
    """An interpreter of this version that nobody may run, with our packages in reach."""
    if (os.geteuid(), sys.platform) != (0, "linux"):
        pytest.skip("only root can become another user; these tests ran as an unprivileged user already")
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    packages = {
        str(Path(module.__file__ or "").parents[1]) for name in ("pytest", "pydantic") for module in [sys.modules[name]]
    }
    if not all(can_pass(Path(folder)) for folder in packages):
        pytest.skip("an unprivileged user can't reach the packages these tests run with")
    for candidate in (Path(sys.executable).resolve(), Path("/usr/bin") / version):
        if not candidate.exists() or not can_pass(candidate):
            continue
        made = subprocess.run([str(candidate), "-m", "venv", "--without-pip", str(home / "venv")], check=False)
        if made.returncode == 0:
            site = home / "venv" / "lib" / version / "site-packages"
            (site / "ours.pth").write_text("\n".join([*packages, str(home)]) + "\n")
            return str(home / "venv" / "bin" / "python")
    return pytest.skip(f"there is no {version} that an unprivileged user can reach")


def can_pass(path: Path) -> bool:
    return all(folder.stat().st_mode & 0o001 for folder in (path, *path.parents))


def _check(result: int) -> None:
    if result:
        raise OSError(ctypes.get_errno(), "the capabilities can't be changed")
