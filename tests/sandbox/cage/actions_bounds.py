"""Too much of something: memory, disk, processes, time."""

# ruff: noqa: FURB122, PTH109, PTH123, PTH208 - plain calls, as programs make them

from __future__ import annotations

import os
import signal
import time


def fill_memory(world):
    return sum(len(piece) for piece in [bytearray(16 << 20) for _ in range(256)])


def big_file(world):
    with open("big", "wb") as file:
        for _ in range(64):
            file.write(bytes(1 << 20))


def open_many(world):
    held = []
    while True:
        held.append(os.open(os.devnull, os.O_RDONLY))


def fill_disk(world):
    for number in range(64):
        with open(f"piece{number}", "wb") as file:
            file.write(bytes(1 << 20))


def fill_inodes(world):
    for number in range(200_000):
        os.close(os.open(f"n{number}", os.O_CREAT))


def fork_bomb(world):
    """Fork until refused, children included; says how many could be made by the first alone."""
    made = 0
    while made < 300:
        try:
            if os.fork() == 0:
                time.sleep(30)
                os._exit(0)
        except OSError as error:
            return {"made": made, "refused": type(error).__name__}
        made += 1
    return {"made": made, "refused": ""}


def ignore_everything(world):
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    while True:
        time.sleep(1)


def segfault(world):
    os.kill(os.getpid(), signal.SIGSEGV)


def leave_with_seven(world):
    os._exit(7)


def processes_in_sight(world):
    return sorted(int(name) for name in os.listdir("/proc") if name.isdigit())


def who_am_i(world):
    return {"user": os.getuid(), "directory": os.getcwd()}
