"""Forbidden: reading, changing and watching files outside."""

# ruff: noqa: PTH101, PTH102, PTH104, PTH108, PTH110, PTH123, PTH208, PTH211 - plain calls, as programs make them

from __future__ import annotations

import ctypes
import fcntl
import os
import struct

from cage import syscalls

_LIBC = ctypes.CDLL(None, use_errno=True)


def read_secret(world):
    with open(world["secret"]) as file:
        return file.read()


def list_outside(world):
    return os.listdir(world["outside"])


def create_outside(world):
    with open(world["outside"] + "/new", "w") as file:
        file.write("here")


def overwrite_outside(world):
    with open(world["open"], "w") as file:
        file.write("mine now")


def truncate_outside(world):
    os.truncate(world["open"], 0)


def truncate_by_reading(world):
    """Truncation asked for together with reading, of a file that may be read."""
    os.close(os.open(world["readable"], os.O_RDONLY | os.O_TRUNC))


def truncate_by_no_mode(world):
    """Access mode 3 asks neither for reading nor for writing."""
    os.close(os.open(world["open"], 3 | os.O_TRUNC))


def delete_outside(world):
    os.unlink(world["open"])


def rename_outside(world):
    os.rename(world["open"], world["outside"] + "/renamed")


def move_in(world):
    os.rename(world["open"], "stolen")


def hard_link_in(world):
    os.link(world["open"], "linked")
    with open("linked") as file:
        return file.read()


def make_folder_outside(world):
    os.mkdir(world["outside"] + "/folder")


def lend_my_rights(world):
    """A file that runs with its owner's rights, made so from birth."""
    os.close(os.open("lend", os.O_CREAT | os.O_WRONLY, 0o4755))


def read_attributes(world):
    os.getxattr(world["secret"], "user.note")


def make_fifo(world):
    os.mkfifo("pipe")


def follow_link(world):
    os.symlink(world["secret"], "innocent")
    with open("innocent") as file:
        return file.read()


def write_through_linked_folder(world):
    os.symlink(world["outside"], "folder")
    with open("folder/new", "w") as file:
        file.write("here")


def through_proc_root(world):
    with open("/proc/self/root" + world["secret"]) as file:
        return file.read()


def through_parents_root(world):
    with open(f"/proc/{world['driver']}/root{world['secret']}") as file:
        return file.read()


def parents_environment(world):
    with open(f"/proc/{world['driver']}/environ") as file:
        return file.read()


def real_parents_environment(world):
    with open(f"/proc/{os.getppid()}/environ") as file:
        return file.read()


def parents_memory(world):
    with open(f"/proc/{world['driver']}/mem", "rb") as file:
        return str(file.read(1))


def parents_descriptors(world):
    return os.listdir(f"/proc/{os.getppid()}/fd")


def sleep_past_the_fence(world):
    """chdir is free, reading from there isn't."""
    os.chdir(world["outside"])
    with open("secret") as file:
        return file.read()


def chmod_outside(world):
    os.chmod(world["open"], 0o777)
    os.chmod(world["readable"], 0o777)


def chmod_by_descriptor(world):
    with open(world["readable"]) as file:
        os.fchmod(file.fileno(), 0o777)
        os.utime(file.fileno(), (1, 1))


def change_times_outside(world):
    os.utime(world["open"], (1, 1))


def change_owner_outside(world):
    os.chown(world["open"], 12345, 12345)


def set_attribute_outside(world):
    os.setxattr(world["open"], "user.mine", b"1")


def set_flags_by_ioctl(world):
    """chattr +d through a descriptor that is only open for reading."""
    with open(world["readable"]) as file:
        fcntl.ioctl(file.fileno(), 0x40086602, struct.pack("=l", 0x40))


def lease_on_readable(world):
    with open(world["readable"]) as file:
        fcntl.fcntl(file.fileno(), 1024, fcntl.F_RDLCK)


def watch_folder(world):
    if _LIBC.inotify_add_watch(_LIBC.inotify_init(), world["outside"].encode(), 0xFFF) < 0:
        raise PermissionError(ctypes.get_errno(), "inotify_add_watch")


def shared_memory_file(world):
    with open("/dev/shm/evalforge-left", "w") as file:
        file.write("here")


def handle_of_file(world):
    syscalls.call("name_to_handle_at", -100, b"/\0", struct.pack("=Ii", 128, 0) + bytes(128), bytes(4), 0)


def tree_outside(world):
    """What can be seen of the scratch directories that everyone shares."""
    return {place: os.path.exists(place) for place in (world["secret"], "/dev/shm/evalforge-canary")}
