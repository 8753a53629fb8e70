"""The system call filter: it refuses what Landlock can't forbid, by number and arguments.

A refused call fails with ``EPERM``, so Python raises ``PermissionError`` where the program can see it. Calls that only
change metadata (mode, owner, times) answer success and do nothing, so ``shutil.copy`` keeps working.
"""

from __future__ import annotations

import errno
import os
import struct
from typing import NamedTuple

from . import bpf, syscalls

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

# Landlock doesn't control these. As no-ops they can't affect a file outside, and as empty lists they reveal nothing
# about one. `sync` would stall the whole machine.
_NOOP_SYSCALLS = """
chmod fchmod fchmodat fchmodat2 chown lchown fchown fchownat utime utimes utimensat futimesat
setxattr lsetxattr fsetxattr setxattrat removexattr lremovexattr fremovexattr removexattrat file_setattr sync syncfs
listxattr llistxattr flistxattr listxattrat
"""

# Calls newer than this table are unknown here, so they are reported as missing, like the numbers of the x32 ABI above.
_FIRST_UNKNOWN = 470

_CLONE_THREAD = 0x00010000
# New namespaces, and children that would belong to the host instead of to this process (CLONE_PARENT).
_CLONE_REFUSED = 0x7E020000 | 0x00008000
_O_TRUNC, _O_CREAT_OR_TMPFILE, _SET_IDS = 0o1000, 0o20000100, 0o6000
_AF_UNIX, _SOCK_STREAM, _SOCK_KIND = 1, 1, 0xF
# Signals through a descriptor's owner (F_SETOWN, F_SETSIG, F_SETOWN_EX) bypass `kill`; leases stall other programs.
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
_O_ACCMODE = 3
_PRIO_PROCESS, _IOPRIO_WHO_PROCESS = 0, 1
_SUCCESS = 0
_REFUSE, _ABSENT = bpf.answer(errno.EPERM), bpf.answer(errno.ENOSYS)


class Profile(NamedTuple):
    """What the filter allows.

    Attributes:
        fork: Whether to allow new processes, not only new threads.
        execute: Whether to allow executing programs.
        signals: Whether to allow signals to other processes, if something else confines these.
        sessions: Whether to allow ``setsid`` and ``setpgid``, if a process namespace ends what is left behind.
        truncate: Whether to allow truncation by path and by read-only opening, if something else confines it to own
            files.
        special_files: Whether to allow named pipes and sockets here, because Landlock refuses them.
    """

    fork: bool = False
    execute: bool = False
    signals: bool = False
    sessions: bool = False
    truncate: bool = True
    special_files: bool = True


def install(profile: Profile) -> None:
    """Install the filter for this thread and all that it starts, for good.

    Raises:
        OSError: The kernel refuses (no filter support, or no-new-privs isn't set).
    """
    program = assemble(profile, os.getpid(), syscalls.MACHINE)
    memory = syscalls.Buffer(program)
    header = struct.pack("=HxxxxxxQ", len(program) // bpf.INSTRUCTION_BYTES, memory.address)
    syscalls.prctl(_PR_SET_SECCOMP, _MODE_FILTER, header)


_templates: dict[tuple[Profile, str], bytes] = {}


def assemble(profile: Profile, pid: int, machine: str) -> bytes:
    """The filter in the kernel's form, for the process ``pid`` on a machine (``uname -m``).

    Raises:
        OSError: The machine is unknown.
    """
    key = (profile, machine)
    if key not in _templates:
        _templates[key] = _assemble_template(profile, machine)
    return _templates[key].replace(bpf.OWN_PID_BYTES, struct.pack("=I", pid))


def _assemble_template(profile: Profile, machine: str) -> bytes:
    """A filter with ``bpf.OWN_PID`` in place of the process's id."""
    numbers = syscalls.numbers(machine)
    if not numbers:
        raise OSError(errno.ENOSYS, "no system call numbers for this machine")
    verdicts = {**_constant_verdicts(), **_argument_verdicts(), **_profile_verdicts(profile)}
    by_number = {numbers[name]: verdict for name, verdict in verdicts.items() if name in numbers}
    return bpf.assemble_filter(machine, by_number, _FIRST_UNKNOWN, _ABSENT)


def _constant_verdicts() -> dict[str, bpf.Verdict]:
    """Verdicts on calls that depend neither on arguments nor on the profile."""
    return {
        **dict.fromkeys(_REFUSED.split(), _REFUSE),
        **dict.fromkeys(_NOOP_SYSCALLS.split(), bpf.answer(_SUCCESS)),
        **dict.fromkeys(("getxattr", "lgetxattr", "fgetxattr", "getxattrat"), bpf.answer(errno.ENODATA)),
        # Their flags are in memory, where the filter can't see them; the C library does without these calls.
        **dict.fromkeys(("clone3", "openat2"), _ABSENT),
        # Allocating disk space must take as long as writing, so that it is noticed; libc falls back to writing.
        "fallocate": bpf.answer(errno.EOPNOTSUPP),
    }


def _argument_verdicts() -> dict[str, bpf.Verdict]:
    """Verdicts on calls that depend on their arguments, but not on the profile."""
    only_itself = bpf.only(0, (0, bpf.OWN_PID), _REFUSE)
    return {
        "socketpair": _socketpair_verdict(),
        "fcntl": bpf.unless(1, _FCNTL_REFUSED, _REFUSE),
        "ioctl": bpf.only(1, _IOCTL_ALLOWED, _REFUSE),
        "prctl": bpf.only(0, _PRCTL_ALLOWED, _REFUSE),
        **dict.fromkeys(
            ("prlimit64", "sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr"), only_itself
        ),
        "setpriority": _priority_verdict(_PRIO_PROCESS),
        "ioprio_set": _priority_verdict(_IOPRIO_WHO_PROCESS),
        "creat": _mode_verdict(1),
        "mknod": _mode_verdict(1),
        "mknodat": _mode_verdict(2),
    }


def _profile_verdicts(profile: Profile) -> dict[str, bpf.Verdict]:
    """Verdicts on calls that depend on the profile."""
    verdicts = {
        **dict.fromkeys(("fork", "vfork"), bpf.ALLOW if profile.fork else _REFUSE),
        "clone": _clone_verdict(profile.fork),
        "execve": bpf.ALLOW if profile.execute else _REFUSE,
        "open": _open_verdict(1, profile.truncate),
        "openat": _open_verdict(2, profile.truncate),
    }
    if not profile.signals:
        signal_calls = ("kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo")
        verdicts.update(dict.fromkeys(signal_calls, bpf.only(0, (bpf.OWN_PID,), _REFUSE)))
    if not profile.sessions:
        verdicts["setsid"] = verdicts["setpgid"] = _REFUSE
    if not profile.truncate:
        verdicts["truncate"] = _REFUSE
    if not profile.special_files:
        verdicts["mknod"] = verdicts["mknodat"] = _REFUSE
    return verdicts


def _clone_verdict(allow_fork: bool) -> bpf.Verdict:
    """Allow threads always, processes if wanted, and namespaces never."""
    thread_or_process = bpf.ALLOW if allow_fork else bpf.when_any(_CLONE_THREAD, bpf.ALLOW, _REFUSE)
    return [bpf.load(0), *bpf.when_any(_CLONE_REFUSED, _REFUSE, thread_or_process)]


def _socketpair_verdict() -> bpf.Verdict:
    """Allow only connected stream pairs, which asyncio needs to wake itself: a datagram socket could send anywhere."""
    stream = [bpf.load(1), bpf.mask(_SOCK_KIND), *bpf.when_equal((_SOCK_STREAM,), bpf.ALLOW, _REFUSE)]
    return [bpf.load(0), *bpf.when_equal((_AF_UNIX,), stream, _REFUSE)]


def _priority_verdict(process_kind: int) -> bpf.Verdict:
    """Allow only the priority of this process: the first argument must be ``process_kind``, the second its id or 0."""
    own_process = [bpf.load(1), *bpf.when_equal((0, bpf.OWN_PID), bpf.ALLOW, _REFUSE)]
    return [bpf.load(0), *bpf.when_equal((process_kind,), own_process, _REFUSE)]


def _open_verdict(flags: int, truncate: bool) -> bpf.Verdict:
    """Forbid creating set-id files, and truncation that an old Landlock doesn't see.

    Old versions don't count opening with truncation as a write if it is read-only or without access (access mode 3).

    Args:
        flags: The index of the argument with the flags; the next one is the mode.
        truncate: Whether Landlock sees every truncation.
    """
    access = bpf.ALLOW
    if not truncate:
        write_only = [bpf.mask(_O_ACCMODE), *bpf.when_equal((os.O_WRONLY, os.O_RDWR), bpf.ALLOW, _REFUSE)]
        access = [bpf.load(flags), *bpf.when_any(_O_TRUNC, write_only, bpf.ALLOW)]
    creation = [bpf.load(flags + 1), *bpf.when_any(_SET_IDS, _REFUSE, access)]
    return [bpf.load(flags), *bpf.when_any(_O_CREAT_OR_TMPFILE, creation, access)]


def _mode_verdict(argument: int) -> bpf.Verdict:
    """Forbid set-id files, which lend their owner's rights."""
    return [bpf.load(argument), *bpf.when_any(_SET_IDS, _REFUSE, bpf.ALLOW)]
