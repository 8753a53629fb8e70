"""Forbidden: calling, signalling, slowing and tracing others, and starting processes."""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import resource
import signal
import socket
import struct
import subprocess
import time

from cage import syscalls

_LIBC = ctypes.CDLL(None, use_errno=True)
_PTRACE_SEIZE = 0x4206  # does not stop the one it takes
# A broken cage must not take the machine down with the test, so what would hit bystanders asks only for leave to.
_LEAVE_TO = 0


def connect_tcp(world):
    socket.create_connection(("127.0.0.1", world["tcp"]), timeout=1).sendall(b"leak")


def send_udp(world):
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"leak", ("127.0.0.1", world["udp"]))


def connect_unix(world):
    link = socket.socket(socket.AF_UNIX)
    link.connect(world["unix"])
    link.sendall(b"leak")


def connect_abstract(world):
    link = socket.socket(socket.AF_UNIX)
    link.connect("\0" + world["abstract"])
    link.sendall(b"leak")


def send_from_a_pair(world):
    """A datagram socket that came as one of a pair can still be sent from to anyone."""
    one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    one.sendto(b"leak", world["unix_datagram"])


def reconnect_a_pair(world):
    one, _ = socket.socketpair()
    one.connect(world["unix"])


def bind_a_pair(world):
    one, _ = socket.socketpair()
    one.bind("door")


def listen_tcp(world):
    socket.socket().listen()


def netlink(world):
    socket.socket(16, socket.SOCK_RAW)


def kill_driver(world):
    os.kill(world["driver"], signal.SIGKILL)


def kill_parent(world):
    os.kill(os.getppid(), _LEAVE_TO)


def kill_everyone(world):
    os.kill(-1, _LEAVE_TO)


def kill_group(world):
    os.killpg(os.getpgid(world["driver"]) if os.getppid() == world["driver"] else 1, _LEAVE_TO)


def kill_by_thread(world):
    syscalls.call("tgkill", world["driver"], world["driver"], 9)


def kill_by_queue(world):
    syscalls.call("rt_sigqueueinfo", world["driver"], 9, struct.pack("=iii", 9, 0, -1) + bytes(116))


def kill_by_descriptor(world):
    handle = _LIBC.syscall(434, world["driver"], 0)  # pidfd_open
    syscalls.call("pidfd_send_signal", handle, 9, 0, 0)


def kill_by_pipe_owner(world):
    """The owner of a descriptor is sent a signal of one's choice when data arrives, without any `kill`."""
    reading, writing = os.pipe()
    fcntl.fcntl(reading, 8, world["driver"])
    fcntl.fcntl(reading, 10, int(signal.SIGKILL))
    fcntl.fcntl(reading, fcntl.F_SETFL, os.O_ASYNC)
    os.write(writing, b"x")


def kill_by_ioctl_owner(world):
    reading, writing = socket.socketpair()
    fcntl.ioctl(reading, 0x8901, struct.pack("=i", world["driver"]))
    fcntl.fcntl(reading, fcntl.F_SETFL, os.O_ASYNC)
    writing.send(b"x")


def limit_parent(world):
    resource.prlimit(world["driver"], resource.RLIMIT_NOFILE, (3, 3))


def slow_parent(world):
    os.setpriority(os.PRIO_PROCESS, world["driver"], 19)


def slow_all_of_user(world):
    os.setpriority(os.PRIO_USER, 0, 0)


def slow_group(world):
    os.setpriority(os.PRIO_PGRP, 0, 0)


def pin_parent(world):
    os.sched_setaffinity(world["driver"], {0})


def idle_disk_of_parent(world):
    syscalls.call("ioprio_set", 1, world["driver"], 3 << 13)


def trace_parent(world):
    syscalls.call("ptrace", _PTRACE_SEIZE, world["driver"], 0, 0)


def read_memory_of_parent(world):
    held = ctypes.create_string_buffer(8)
    vector = struct.pack("=QQ", ctypes.addressof(held), 8)
    syscalls.call("process_vm_readv", world["driver"], vector, 1, vector, 1, 0)


def take_descriptor_of_parent(world):
    syscalls.call("pidfd_getfd", _LIBC.syscall(434, world["driver"], 0), 0, 0)


def fork(world):
    if os.fork() == 0:
        os._exit(0)


def fork_raw(world):
    for name in ("fork", "vfork"):
        if name in syscalls.NUMBERS and syscalls.call(name) == 0:
            os._exit(0)


def clone_raw(world):
    if syscalls.call("clone", 17, 0, 0, 0, 0) == 0:
        os._exit(0)


def clone_beside(world):
    """A child of one's own parent, out of one's own hands."""
    if syscalls.call("clone", 17 | 0x8000, 0, 0, 0, 0) == 0:
        time.sleep(10)
        os._exit(0)


def clone_three(world):
    if syscalls.call("clone3", struct.pack("=11Q", 0, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0), 88) == 0:
        os._exit(0)


def clone_namespace(world):
    if syscalls.call("clone", 17 | 0x10000000, 0, 0, 0, 0) == 0:
        os._exit(0)


def spawn(world):
    subprocess.run(["/bin/true"], check=True)


def spawn_posix(world):
    os.waitpid(os.posix_spawn("/bin/true", ["true"], {}), 0)


def become_program(world):
    os.execv("/bin/sh", ["sh", "-c", "echo gone > " + world["outside"] + "/new"])


def become_by_descriptor(world):
    syscalls.call("execveat", -100, b"/bin/true\0", 0, 0, 0)


def new_session(world):
    os.setsid()


def new_group(world):
    os.setpgid(0, 0)


def daemon(world):
    """Fork twice, leave the session, stay."""
    if os.fork() == 0:
        with contextlib.suppress(OSError):
            os.setsid()
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(30)
        os._exit(0)
    return "left"
