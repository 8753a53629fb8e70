"""Starts processes that hold 300 MB each, and would show that they got it by passing."""

import os
import time

import tally


def test_take():
    pids = []
    for _ in range(6):
        pid = os.fork()
        if not pid:
            held = bytearray(300 * 1024 * 1024)
            for place in range(0, len(held), 4096):
                held[place] = 1
            time.sleep(1.5)
            os._exit(0)
        pids.append(pid)
    assert all(os.waitpid(pid, 0)[1] == 0 for pid in pids)
    assert tally.Tally().add(1) == 3
