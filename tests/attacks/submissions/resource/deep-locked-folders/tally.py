"""Digs deep, and locks each folder behind it."""

import os
import sys

if "--json" in sys.argv:
    for _ in range(200):
        os.mkdir("d", 0o700)
        os.chdir("d")
    os.mkdir("locked", 0o000)
    home = os.environ["HOME"]
    os.mkdir(home + "/shut", 0o500)
    os.mkdir(home + "/closed", 0o000)
    print("total: 0")
