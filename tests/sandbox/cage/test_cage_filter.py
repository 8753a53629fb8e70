"""The system call filter, read step by step as the kernel reads it, for both machines."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
ALLOW, EPERM, PRETEND, ENOSYS, KILL = 0x7FFF0000, 0x00050001, 0x00050000, 0x00050026, 0x80000000
PID = 4321
HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}


def verdict(program, machine, number, arguments=()):
    """What a filter answers: an interpreter for the few instructions that filters are made of."""
    arguments = [*arguments, 0, 0, 0, 0, 0, 0][:6]
    data = struct.pack(
        "=IIQ6Q", number & 0xFFFFFFFF, ARCHITECTURES[machine], 0, *(a & 0xFFFFFFFFFFFFFFFF for a in arguments)
    )
    steps = list(struct.iter_unpack("=HBBI", program))
    at, held = 0, 0
    while True:
        code, then, otherwise, constant = steps[at]
        at += 1
        if code == 0x06:
            return constant
        if code == 0x20:
            held = struct.unpack_from("=I", data, constant)[0]
        elif code == 0x54:
            held &= constant
        elif code == 0x05:
            at += constant
        else:
            true = {0x15: held == constant, 0x35: held >= constant, 0x45: bool(held & constant)}[code]
            at += then if true else otherwise


@pytest.fixture(params=ARCHITECTURES)
def judge(request, host):
    """Asks a filter of the given profile about a call by its name."""
    machine = request.param
    numbers = host.syscalls.numbers(machine)

    def ask(name, *arguments, **profile):
        if name not in numbers:
            pytest.skip(f"{machine} has no {name}")
        program = host.seccomp.assemble(host.seccomp.Profile(**profile), PID, machine)
        return verdict(program, machine, numbers[name], arguments)

    return ask


@pytest.mark.parametrize(
    "name", "reboot kexec_load init_module swapon quotactl acct pivot_root bpf ptrace socket open_tree_attr".split()
)
def test_the_machine_as_a_whole_is_out_of_reach(judge, name):
    assert judge(name) == EPERM


@pytest.mark.parametrize("name", "fchmod fchmodat fchmodat2 utimensat setxattrat file_setattr sync".split())
def test_metadata_calls_are_answered_and_not_made(judge, name):
    assert judge(name) == PRETEND


TABLE = [
    ("clone", (0x3D0F00,), {}, ALLOW),
    ("clone", (17,), {}, EPERM),
    ("clone", (17,), {"fork": True}, ALLOW),
    ("clone", (0x10000000 | 0x3D0F00,), {"fork": True}, EPERM),
    ("clone", (0x00008000 | 17,), {"fork": True}, EPERM),
    ("clone3", (), {"fork": True}, ENOSYS),
    ("fork", (), {"fork": True}, ALLOW),
    ("execve", (), {}, EPERM),
    ("execve", (), {"execute": True}, ALLOW),
    ("execveat", (), {"execute": True}, EPERM),
    ("socketpair", (1, 1), {}, ALLOW),
    ("socketpair", (1, 1 | 0o2000000 | 0o4000), {}, ALLOW),
    ("socketpair", (1, 2), {}, EPERM),
    ("socketpair", (2, 1), {}, EPERM),
    ("kill", (PID, 9), {}, ALLOW),
    ("kill", (PID + 1, 0), {}, EPERM),
    ("kill", (-1, 9), {}, EPERM),
    ("kill", (0, 9), {}, EPERM),
    ("kill", (PID + 1, 9), {"signals": True}, ALLOW),
    ("tgkill", (PID, 99, 9), {}, ALLOW),
    ("prlimit64", (0, 7), {}, ALLOW),
    ("prlimit64", (PID + 1, 7), {}, EPERM),
    ("setpriority", (0, 0, 5), {}, ALLOW),
    ("setpriority", (2, 0, 5), {}, EPERM),
    ("setpriority", (0, 1, 5), {}, EPERM),
    ("ioprio_set", (1, 0), {}, ALLOW),
    ("ioprio_set", (3, 0), {}, EPERM),
    ("fcntl", (3, 4), {}, ALLOW),
    ("fcntl", (3, 8), {}, EPERM),
    ("fcntl", (3, (1 << 32) | 8), {}, EPERM),
    ("ioctl", (1, 0x5401), {}, ALLOW),
    ("ioctl", (1, 0x5412), {}, EPERM),
    ("ioctl", (1, (7 << 32) | 0x5412), {}, EPERM),
    ("prctl", (15,), {}, ALLOW),
    ("prctl", (1, 0), {}, EPERM),
    ("setsid", (), {}, EPERM),
    ("setsid", (), {"sessions": True}, ALLOW),
    ("truncate", (), {}, ALLOW),
    ("truncate", (), {"truncate": False}, EPERM),
    ("openat", (-100, 0, 0o1000), {"truncate": False}, EPERM),
    ("openat", (-100, 0, 0o1003), {"truncate": False}, EPERM),
    ("openat", (-100, 0, 0o1001), {"truncate": False}, ALLOW),
    ("openat", (-100, 0, 0o1000), {}, ALLOW),
    ("open", (0, 0o1000), {"truncate": False}, EPERM),
    ("openat2", (), {}, ENOSYS),
    ("openat", (-100, 0, 0o101, 0o644), {}, ALLOW),
    ("openat", (-100, 0, 0o101, 0o4755), {}, EPERM),
    ("openat", (-100, 0, 0o101, 0o4755), {"truncate": False}, EPERM),
    ("openat", (-100, 0, 0o101, 0o2755), {}, EPERM),
    ("openat", (-100, 0, 0, 0o7777), {}, ALLOW),
    ("openat", (-100, 0, 0o1101, 0o644), {"truncate": False}, ALLOW),
    ("mknodat", (-100, 0, 0o4755), {}, EPERM),
    ("getxattr", (), {}, 0x0005003D),
    ("listxattr", (), {}, PRETEND),
    ("mount", (), {"fork": True, "execute": True, "signals": True, "sessions": True}, EPERM),
]


@pytest.mark.parametrize(("name", "arguments", "profile", "expected"), TABLE)
def test_arguments_decide(judge, name, arguments, profile, expected):
    assert judge(name, *arguments, **profile) == expected


@pytest.mark.parametrize("machine", ARCHITECTURES)
@pytest.mark.parametrize("number", [470, 999, 0x40000000, 0x40000001, 0xFFFFFFFF])
def test_unknown_numbers_are_absent(host, machine, number):
    assert verdict(host.seccomp.assemble(host.seccomp.Profile(), PID, machine), machine, number) == ENOSYS


def test_a_foreign_machine_is_killed(host):
    program = host.seccomp.assemble(host.seccomp.Profile(), PID, "x86_64")
    assert verdict(program, "aarch64", 0) == KILL


def test_a_machine_without_numbers_is_refused(host):
    with pytest.raises(OSError, match="no system call numbers"):
        host.seccomp.assemble(host.seccomp.Profile(), PID, "riscv64")


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_everyday_calls_go_through(host, machine):
    everyday = {
        "x86_64": [0, 1, 3, 5, 8, 9, 10, 11, 12, 13, 202, 231, 232],
        "aarch64": [56, 57, 62, 63, 64, 98, 214, 215, 222],
    }
    program = host.seccomp.assemble(host.seccomp.Profile(), PID, machine)
    assert {verdict(program, machine, number) for number in everyday[machine]} == {ALLOW}


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_the_placeholder_for_ones_own_id_is_gone(host, machine):
    program = host.seccomp.assemble(host.seccomp.Profile(), PID, machine)
    constants = [constant for *_, constant in struct.iter_unpack("=HBBI", program)]
    assert PID in constants
    assert host.bpf.OWN_PID not in constants
    assert len(program) // 8 < 1000


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_numbers_are_those_of_the_kernel(host, machine):
    if not HEADERS[machine].exists():
        pytest.skip("no kernel headers here")
    kernel = {
        name: int(number)
        for name, number in re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", HEADERS[machine].read_text())
    }
    ours = host.syscalls.numbers(machine)
    assert {name: kernel.get(name, number) for name, number in ours.items()} == ours
    assert not [name for name in host.syscalls.numbers("x86_64") if name in kernel and name not in ours]
