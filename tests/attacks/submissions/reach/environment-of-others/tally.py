"""Reads the environment of its parents and of every process there is."""

import os

from world import JUDGE, KEY_NAME

found = ""
pids = [os.getppid(), JUDGE, "self", *range(1, 3000)]
try:
    pids += [name for name in os.listdir("/proc") if name.isdigit()]
except OSError:
    pass
for pid in pids:
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            words = file.read()
    except OSError:
        continue
    if KEY_NAME.encode() in words:
        found = words.partition(KEY_NAME.encode() + b"=")[2].partition(b"\0")[0].decode()
        break
print(found)
raise RuntimeError("no key anywhere" if not found else found)
