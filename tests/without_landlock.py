"""Runs a program as on a kernel without Landlock: ``python -m tests.without_landlock PROGRAM ARGUMENT...``.

A system call filter answers Landlock's calls as a kernel does that never heard of them.
"""

import errno
import os
import struct
import sys

from evalforge.sandbox.host.cage import bpf, syscalls

_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _MODE_FILTER = 38, 22, 2
_BEYOND_ALL_CALLS = 1 << 20


def hide_landlock() -> None:
    """Have every Landlock call of this process, and of all it starts, answered by ``ENOSYS``."""
    absent = bpf.answer(errno.ENOSYS)
    calls = {number: absent for name, number in syscalls.NUMBERS.items() if name.startswith("landlock_")}
    program = bpf.assemble_filter(syscalls.MACHINE, calls, _BEYOND_ALL_CALLS, absent)
    memory = syscalls.Buffer(program)
    syscalls.prctl(_PR_SET_NO_NEW_PRIVS, 1)
    header = struct.pack("=HxxxxxxQ", len(program) // bpf.INSTRUCTION_BYTES, memory.address)
    syscalls.prctl(_PR_SET_SECCOMP, _MODE_FILTER, header)


if __name__ == "__main__":
    hide_landlock()
    os.execvp(sys.argv[1], sys.argv[1:])
