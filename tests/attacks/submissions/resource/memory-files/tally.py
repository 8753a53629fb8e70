"""Writes gigabytes into memory files and unmaps them, so that they count for nobody."""

import os

for number in range(20):
    descriptor = os.memfd_create("attack-%d" % number)
    for _ in range(200):
        os.write(descriptor, b"x" * 1024 * 1024)
