"""Leaves a file in the machine's shared memory."""

from world import MARK

with open("/dev/shm/" + MARK, "wb") as file:
    file.write(b"x" * 1024 * 1024)
