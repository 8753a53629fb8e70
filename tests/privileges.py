"""What root may and others may not: reading and writing whatever permissions say."""

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager

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


def _check(result: int) -> None:
    if result:
        raise OSError(ctypes.get_errno(), "the capabilities can't be changed")
