"""System calls by name, for the machines whose call numbers are listed here.

Everything is resolved when this module is loaded, because the sandbox prevents it later.
"""

from __future__ import annotations

import contextlib
import errno
import os
import struct
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import ctypes
else:
    with contextlib.suppress(ImportError):  # an interpreter built without libffi can make no system calls
        import ctypes

_MACHINES = ("x86_64", "aarch64")

# name, number on x86_64, number on aarch64 (the kernel's unistd tables).
_TABLE = """
accept 43 202 | accept4 288 242 | acct 163 89 | add_key 248 217 | adjtimex 159 171 | bind 49 200 | bpf 321 280
capget 125 90 | capset 126 91 | chmod 90 - | chown 92 - | chroot 161 51 | clock_adjtime 305 266
clock_settime 227 112 | clone 56 220 | clone3 435 435 | connect 42 203 | creat 85 - | delete_module 176 106
execve 59 221 | execveat 322 281 | fallocate 285 47 | fanotify_init 300 262 | fanotify_mark 301 263 | fchmod 91 52
fchmodat 268 53 | fchmodat2 452 452 | fchown 93 55 | fchownat 260 54 | fcntl 72 25 | fgetxattr 193 10
file_setattr 469 469 | finit_module 313 273 | flistxattr 196 13 | fork 57 - | fremovexattr 199 16
fsconfig 431 431 | fsetxattr 190 7 | fsmount 432 432 | fsopen 430 430 | fspick 433 433 | futimesat 261 -
get_robust_list 274 100 | getxattr 191 8 | getxattrat 464 464 | init_module 175 105 | inotify_add_watch 254 27
io_uring_enter 426 426 | io_uring_register 427 427 | io_uring_setup 425 425 | ioctl 16 29 | ioperm 173 -
iopl 172 - | ioprio_set 251 30 | kcmp 312 272 | kexec_file_load 320 294 | kexec_load 246 104 | keyctl 250 219
kill 62 129 | landlock_add_rule 445 445 | landlock_create_ruleset 444 444 | landlock_restrict_self 446 446
lchown 94 - | lgetxattr 192 9 | listen 50 201 | listmount 458 458 | listxattr 194 11 | listxattrat 465 465
llistxattr 195 12 | lookup_dcookie 212 18 | lremovexattr 198 15 | lsetxattr 189 6 | lsm_set_self_attr 460 460
memfd_create 319 279 | memfd_secret 447 447 | migrate_pages 256 238 | mknod 133 - | mknodat 259 33
modify_ldt 154 - | mount 165 40 | mount_setattr 442 442 | move_mount 429 429 | move_pages 279 239
mq_open 240 180 | mq_unlink 241 181 | msgctl 71 187 | msgget 68 186 | msgrcv 70 188 | msgsnd 69 189
name_to_handle_at 303 264 | nfsservctl 180 42 | open 2 - | open_by_handle_at 304 265 | open_tree 428 428
open_tree_attr 467 467 | openat 257 56 | openat2 437 437 | perf_event_open 298 241 | personality 135 92
pidfd_getfd 438 438 | pidfd_send_signal 424 424 | pivot_root 155 41 | prctl 157 167 | prlimit64 302 261
process_madvise 440 440 | process_mrelease 448 448 | process_vm_readv 310 270 | process_vm_writev 311 271
ptrace 101 117 | quotactl 179 60 | quotactl_fd 443 443 | reboot 169 142 | removexattr 197 14
removexattrat 466 466 | request_key 249 218 | rt_sigqueueinfo 129 138 | rt_tgsigqueueinfo 297 240
sched_setaffinity 203 122 | sched_setattr 314 274 | sched_setparam 142 118 | sched_setscheduler 144 119
seccomp 317 277 | semctl 66 191 | semget 64 190 | semop 65 193 | semtimedop 220 192 | setdomainname 171 162
sethostname 170 161 | setns 308 268 | setpgid 109 154 | setpriority 141 140 | setsid 112 157
setsockopt 54 208 | settimeofday 164 170 | setxattr 188 5 | setxattrat 463 463 | shmat 30 196 | shmctl 31 195
shmdt 67 197 | shmget 29 194 | socket 41 198 | socketpair 53 199 | statmount 457 457 | swapoff 168 225
swapon 167 224 | sync 162 81 | syncfs 306 267 | syslog 103 116 | tgkill 234 131 | tkill 200 130
truncate 76 45 | umount2 166 39 | unshare 272 97 | uselib 134 - | userfaultfd 323 282 | utime 132 -
utimensat 280 88 | utimes 235 - | vfork 58 - | vhangup 153 58
"""


def numbers(machine: str) -> dict[str, int]:
    """The system call numbers of a machine by name; calls that the machine lacks are left out."""
    if machine not in _MACHINES:
        return {}
    column = 1 + _MACHINES.index(machine)
    rows = [entry.split() for line in _TABLE.split("\n") for entry in line.split("|") if entry.strip()]
    return {row[0]: int(row[column]) for row in rows if row[column] != "-"}


def _callable_machine() -> str:
    """The name of this machine if its system calls can be made, else ''."""
    if sys.platform != "linux" or "ctypes" not in sys.modules or struct.calcsize("P") != 8:
        return ""
    name = os.uname().machine
    return name if name in _MACHINES else ""


MACHINE = _callable_machine()
"""This machine as in ``uname -m``, or '' if it can't make system calls from here."""
NUMBERS = numbers(MACHINE)


def _load_syscall() -> Any:
    """The C library's ``syscall``, which returns a long."""
    if not MACHINE:
        return None
    function = ctypes.CDLL(None, use_errno=True).syscall
    function.restype = ctypes.c_long
    return function


_SYSCALL = _load_syscall()


class Buffer:
    """Bytes in memory that a call may get by address, and that the kernel may overwrite.

    Args:
        content: The initial bytes.
    """

    def __init__(self, content: bytes) -> None:
        self.as_argument = ctypes.create_string_buffer(content, len(content))

    @property
    def address(self) -> int:
        """The address of the bytes, valid as long as this object lives."""
        return ctypes.addressof(self.as_argument)

    @property
    def content(self) -> bytes:
        """The present bytes."""
        return self.as_argument.raw


def call(name: str, *arguments: int | bytes | Buffer) -> int:
    """Make a system call.

    Args:
        name: Its name in the kernel's table.
        arguments: Integers, or bytes and buffers, which are passed by address.

    Returns:
        The kernel's return value.

    Raises:
        OSError: The kernel refused, or the call is unknown on this machine (``ENOSYS``).
    """
    if name not in NUMBERS:
        raise OSError(errno.ENOSYS, "not known on this machine: " + name)
    result: int = _SYSCALL(ctypes.c_long(NUMBERS[name]), *map(_as_c_argument, arguments))
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, name + ": " + os.strerror(code))
    return result


def _as_c_argument(argument: int | bytes | Buffer) -> object:
    if isinstance(argument, int):
        return ctypes.c_long(argument)
    return argument.as_argument if isinstance(argument, Buffer) else argument


def prctl(option: int, *arguments: int | bytes) -> int:
    """Call ``prctl`` with unused arguments as zeros, as some options require."""
    padded = [*arguments, 0, 0, 0, 0]
    return call("prctl", option, *padded[:4])
