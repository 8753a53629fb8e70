"""Runs a program as on a kernel that lacks something: ``python -m tests.without_layers LAYER[,LAYER] PROGRAM ...``.

Layers are ``landlock``, ``namespaces`` and ``seccomp``. A system call filter answers their calls as a kernel does that
never heard of them, or grants them to nobody.
"""

import errno
import os
import struct
import sys
from collections.abc import Iterable

from evalforge.sandbox.host.cage import bpf, syscalls

_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _MODE_FILTER = 38, 22, 2
_BEYOND_ALL_CALLS = 1 << 20
_NEW_NAMESPACES = 0x10000000 | 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x20000000 | 0x40000000
_ABSENT = bpf.answer(errno.ENOSYS)
_NO_NEW_NAMESPACE = [bpf.load(0), *bpf.when_any(_NEW_NAMESPACES, bpf.answer(errno.EPERM), bpf.ALLOW)]
_CALLS = {
    "landlock": {name: _ABSENT for name in syscalls.NUMBERS if name.startswith("landlock_")},
    # The flags of clone3 are behind a pointer, where no filter looks.
    "namespaces": {"unshare": _NO_NEW_NAMESPACE, "clone": _NO_NEW_NAMESPACE, "clone3": _ABSENT},
    "seccomp": {"seccomp": _ABSENT, "prctl": bpf.unless(0, [_PR_SET_SECCOMP], bpf.answer(errno.EINVAL))},
}


def withhold(layers: Iterable[str]) -> None:
    """Take these layers from this process, and from all it starts."""
    verdicts = {syscalls.NUMBERS[name]: verdict for layer in layers for name, verdict in _CALLS[layer].items()}
    program = bpf.assemble_filter(syscalls.MACHINE, verdicts, _BEYOND_ALL_CALLS, _ABSENT)
    memory = syscalls.Buffer(program)
    syscalls.prctl(_PR_SET_NO_NEW_PRIVS, 1)
    header = struct.pack("=HxxxxxxQ", len(program) // bpf.INSTRUCTION_BYTES, memory.address)
    syscalls.prctl(_PR_SET_SECCOMP, _MODE_FILTER, header)


if __name__ == "__main__":
    withhold(sys.argv[1].split(","))
    os.execvp(sys.argv[2], sys.argv[2:])
