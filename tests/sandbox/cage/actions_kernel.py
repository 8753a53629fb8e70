"""Forbidden: what reaches past this process into the kernel, and what would loosen the cage."""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import mmap
import os
import resource
import socket
import struct
import termios
import time

from cage import syscalls

_LIBC = ctypes.CDLL(None, use_errno=True)


def memory_file(world):
    syscalls.call("memfd_create", b"m\0", 0)


def secret_memory_file(world):
    syscalls.call("memfd_secret", 0)


def shared_segment(world):
    syscalls.call("shmget", 0, 123457, 0o1666)


def semaphores(world):
    syscalls.call("semget", 0, 1, 0o1666)


def message_queue(world):
    syscalls.call("msgget", 0, 0o1666)


def posix_queue(world):
    syscalls.call("mq_open", b"evalforge\0", os.O_CREAT | os.O_RDWR, 0o600, 0)


def ring(world):
    syscalls.call("io_uring_setup", 4, bytes(120))


def bpf(world):
    syscalls.call("bpf", 0, bytes(72), 72)


def perf(world):
    syscalls.call("perf_event_open", struct.pack("=II", 1, 112) + bytes(104), 0, -1, -1, 0)


def page_faults(world):
    syscalls.call("userfaultfd", 1)


def keyring(world):
    syscalls.call("keyctl", 0, -3, 0)


def new_namespace(world):
    syscalls.call("unshare", 0x10000000)


def join_namespace(world):
    syscalls.call("setns", 0, 0)


def mount(world):
    syscalls.call("mount", b"tmpfs\0", b"/nowhere-at-all\0", b"tmpfs\0", 0, 0)


def change_root(world):
    os.chroot(".")


def personality(world):
    syscalls.call("personality", 0x0040000)


def set_clock(world):
    time.clock_settime(time.CLOCK_REALTIME, time.time())


def kernel_log(world):
    syscalls.call("syslog", 10, 0, 0)


def host_name(world):
    socket.sethostname(socket.gethostname())


def type_into_terminal(world):
    fcntl.ioctl(0, termios.TIOCSTI, b"x")


def outlive_parent(world):
    syscalls.prctl(1, 0)


def loosen_filter(world):
    syscalls.prctl(22, 1)


def raise_limits(world):
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 40, 1 << 40))


def raise_limits_by_number(world):
    resource.prlimit(0, resource.RLIMIT_NOFILE, (1 << 16, 1 << 16))


def become_root(world):
    held = ctypes.create_string_buffer(24)
    syscalls.call("capget", struct.pack("=Ii", 0x20080522, 0), held)
    with contextlib.suppress(OSError):
        syscalls.call("capset", struct.pack("=Ii", 0x20080522, 0), b"\xff" * 24)
    with contextlib.suppress(OSError):
        os.setresuid(0, 0, 0)
    later = ctypes.create_string_buffer(24)
    syscalls.call("capget", struct.pack("=Ii", 0x20080522, 0), later)
    return {"before": any(bytes(held)), "after": any(bytes(later))}


def _machine_code(code):
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(code)
    return ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()


def call_as_32_bit(world):
    """getpid by ``int 0x80``: the calls of another machine have other numbers."""
    return _machine_code(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")


def call_as_x32(world):
    """getpid with the x32 bit."""
    if _LIBC.syscall(ctypes.c_long(0x40000000 | 39)) < 0:
        raise OSError(ctypes.get_errno(), "x32")


def call_unknown(world):
    if _LIBC.syscall(ctypes.c_long(900)) < 0:
        raise OSError(ctypes.get_errno(), "unknown")
