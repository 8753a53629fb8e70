"""The system call filter: what Landlock can't forbid is refused by number and arguments.

A refused call fails with ``EPERM``, so Python raises ``PermissionError`` where the program can see it. Calls that only
change metadata (mode, owner, times) answer success and do nothing, so ``shutil.copy`` keeps working.
"""

from __future__ import annotations

import os
import struct
from typing import NamedTuple

import bpf
import syscalls

# Other processes, other programs' memory, and the machine as a whole.
_REFUSED = """
socket connect bind listen accept accept4 setsockopt
ptrace process_vm_readv process_vm_writev process_madvise process_mrelease kcmp pidfd_getfd get_robust_list
move_pages migrate_pages pidfd_send_signal execveat
io_uring_setup io_uring_enter io_uring_register bpf perf_event_open userfaultfd seccomp lsm_set_self_attr
add_key request_key keyctl memfd_create memfd_secret
shmget shmat shmctl shmdt semget semop semctl semtimedop msgget msgsnd msgrcv msgctl mq_open mq_unlink
mount umount2 move_mount open_tree open_tree_attr fsopen fsconfig fsmount fspick mount_setattr statmount listmount
pivot_root chroot unshare setns quotactl quotactl_fd swapon swapoff acct syslog reboot sethostname setdomainname
iopl ioperm modify_ldt init_module finit_module delete_module kexec_load kexec_file_load personality uselib
nfsservctl lookup_dcookie vhangup settimeofday clock_settime adjtimex clock_adjtime
fanotify_init fanotify_mark inotify_add_watch name_to_handle_at open_by_handle_at
"""

# Landlock does not mediate these; as no-ops they can't touch a file outside, and as empty lists they tell nothing
# of one. `sync` would stall the whole machine.
_PRETENDED = """
chmod fchmod fchmodat fchmodat2 chown lchown fchown fchownat utime utimes utimensat futimesat
setxattr lsetxattr fsetxattr setxattrat removexattr lremovexattr fremovexattr removexattrat file_setattr sync syncfs
listxattr llistxattr flistxattr listxattrat
"""

# Calls newer than this table are unknown here, so they are absent. The numbers of the x32 ABI lie above it too.
_FIRST_UNKNOWN = 470

_CLONE_THREAD = 0x00010000
# New namespaces, and children that would belong to the host instead of to this process (CLONE_PARENT).
_CLONE_REFUSED = 0x7E020000 | 0x00008000
_O_TRUNC, _O_CREAT_OR_TMPFILE, _SET_IDS = 0o1000, 0o20000100, 0o6000
_AF_UNIX, _SOCK_STREAM, _SOCK_KIND = 1, 1, 0xF
# Signals through a descriptor's owner (F_SETOWN, F_SETSIG, F_SETOWN_EX) go past `kill`; leases stall other programs.
_FCNTL_REFUSED = (8, 10, 15, 1024)
# TCGETS, TIOCGPGRP, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX, FIOQSIZE, TCGETS2, FICLONE, FICLONERANGE
_IOCTL_ALLOWED = (
    *(0x5401, 0x540F, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451, 0x5460),
    *(0x802C542A, 0x40049409, 0x4020940D),
)
# GET_PDEATHSIG, GET_DUMPABLE, GET_KEEPCAPS, SET_NAME, GET_NAME, GET_SECCOMP, CAPBSET_READ, GET_SECUREBITS,
# SET_TIMERSLACK, GET_TIMERSLACK, SET_NO_NEW_PRIVS, GET_NO_NEW_PRIVS, GET_THP_DISABLE, SET_VMA
_PRCTL_ALLOWED = (2, 3, 7, 15, 16, 21, 23, 27, 29, 30, 38, 39, 42, 0x53564D41)
_PR_SET_SECCOMP, _MODE_FILTER = 22, 2


class Profile(NamedTuple):
    """What the filter leaves open.

    Attributes:
        fork: New processes, not only new threads.
        execute: Other programs.
        signals: Signals to processes other than itself; only where something else keeps them inside.
        sessions: ``setsid`` and ``setpgid``; only where a process namespace gathers what is left behind.
        truncate: Truncation by path and by read-only opening; only where Landlock mediates it.
    """

    fork: bool = False
    execute: bool = False
    signals: bool = False
    sessions: bool = False
    truncate: bool = True


def install(allow_fork: bool = False, profile: Profile | None = None) -> None:
    """Put the filter on this thread and all it starts, for good.

    Args:
        allow_fork: Let new processes be started; ignored if a profile is given.
        profile: What is left open in detail.

    Raises:
        OSError: The kernel refuses (no filter support, or no-new-privs isn't set).
    """
    program = assemble(profile or Profile(fork=allow_fork), os.getpid(), syscalls.MACHINE)
    held = syscalls.buffer(program)
    header = struct.pack("=HxxxxxxQ", len(program) // bpf.WIDTH, syscalls.address(held))
    syscalls.prctl(_PR_SET_SECCOMP, _MODE_FILTER, header)


_templates: dict[tuple[Profile, str], bytes] = {}


def assemble(profile: Profile, pid: int, machine: str) -> bytes:
    """The filter as the kernel takes it, for the process ``pid`` on a machine (``uname -m``).

    Raises:
        OSError: The machine is not one of those known.
    """
    key = (profile, machine)
    if key not in _templates:
        _templates[key] = _template(profile, machine)
    return _templates[key].replace(bpf.SELF_BYTES, struct.pack("=I", pid))


def _template(profile: Profile, machine: str) -> bytes:
    numbers = syscalls.numbers(machine)
    if not numbers:
        raise OSError(38, "no system call numbers for this machine")
    refuse, pretend, absent, no_data = bpf.answer(1), bpf.answer(0), bpf.answer(38), bpf.answer(61)
    verdicts = dict.fromkeys(_REFUSED.split(), refuse)
    verdicts.update(dict.fromkeys(_PRETENDED.split(), pretend))
    verdicts.update(dict.fromkeys(("getxattr", "lgetxattr", "fgetxattr", "getxattrat"), no_data))
    verdicts["clone3"] = verdicts["openat2"] = absent  # flags in memory, out of sight; libc does without them
    # Taking a disk's space must cost the time it takes to write there, so that it is seen; libc then writes instead.
    verdicts["fallocate"] = bpf.answer(95)
    verdicts["fork"] = verdicts["vfork"] = bpf.ALLOW if profile.fork else refuse
    verdicts["clone"] = _clone(profile.fork)
    verdicts["execve"] = bpf.ALLOW if profile.execute else refuse
    verdicts["socketpair"] = _socketpair()
    verdicts["fcntl"] = bpf.unless(1, _FCNTL_REFUSED, refuse)
    verdicts["ioctl"] = bpf.only(1, _IOCTL_ALLOWED, refuse)
    verdicts["prctl"] = bpf.only(0, _PRCTL_ALLOWED, refuse)
    verdicts["prlimit64"] = bpf.only(0, (0, bpf.SELF), refuse)
    for name in ("sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr"):
        verdicts[name] = bpf.only(0, (0, bpf.SELF), refuse)
    verdicts["setpriority"] = _on_itself(0)
    verdicts["ioprio_set"] = _on_itself(1)
    if not profile.signals:
        for name in ("kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"):
            verdicts[name] = bpf.only(0, (bpf.SELF,), refuse)
    if not profile.sessions:
        verdicts["setsid"] = verdicts["setpgid"] = refuse
    if not profile.truncate:
        verdicts["truncate"] = refuse
    verdicts.update(open=_open(1, profile.truncate), openat=_open(2, profile.truncate))
    verdicts.update(creat=_mode(1), mknod=_mode(1), mknodat=_mode(2))
    by_number = {numbers[name]: verdict for name, verdict in verdicts.items() if name in numbers}
    return bpf.program(machine, by_number, _FIRST_UNKNOWN, absent)


def _clone(allow_fork: bool) -> list[bpf.Step]:
    """Threads always, processes if allowed, namespaces never."""
    rest = bpf.ALLOW if allow_fork else bpf.when_any(_CLONE_THREAD, bpf.ALLOW, bpf.answer(1))
    return [bpf.load(0), *bpf.when_any(_CLONE_REFUSED, bpf.answer(1), rest)]


def _socketpair() -> list[bpf.Step]:
    """Only connected unix streams, which asyncio wakes itself with: a datagram pair could still be sent anywhere."""
    kind = [bpf.load(1), bpf.mask(_SOCK_KIND), *bpf.when_equal((_SOCK_STREAM,), bpf.ALLOW, bpf.answer(1))]
    return [bpf.load(0), *bpf.when_equal((_AF_UNIX,), kind, bpf.answer(1))]


def _on_itself(which: int) -> list[bpf.Step]:
    """A priority of this process alone: ``which`` says that a process is meant, 0 that it is this one."""
    who = [bpf.load(1), *bpf.when_equal((0, bpf.SELF), bpf.ALLOW, bpf.answer(1))]
    return [bpf.load(0), *bpf.when_equal((which,), who, bpf.answer(1))]


def _open(flags: int, truncate: bool) -> list[bpf.Step]:
    """No file that lends its owner's rights; and where Landlock is old, no truncation that it doesn't see.

    Old Landlock finds no write in opening for reading, or for nothing at all (mode 3), with truncation.
    """
    rest = bpf.ALLOW
    if not truncate:
        way = [bpf.mask(3), *bpf.when_equal((1, 2), bpf.ALLOW, bpf.answer(1))]
        rest = [bpf.load(flags), *bpf.when_any(_O_TRUNC, way, bpf.ALLOW)]
    creation = [bpf.load(flags + 1), *bpf.when_any(_SET_IDS, bpf.answer(1), rest)]
    return [bpf.load(flags), *bpf.when_any(_O_CREAT_OR_TMPFILE, creation, rest)]


def _mode(argument: int) -> list[bpf.Step]:
    """No file that lends its owner's rights."""
    return [bpf.load(argument), *bpf.when_any(_SET_IDS, bpf.answer(1), bpf.ALLOW)]
