"""Digs folders into folders, deeper than any path can say and than recursion can follow."""

import os
import sys

if "--json" in sys.argv:
    for _ in range(1300):
        os.mkdir("d")
        os.chdir("d")
    with open("bottom", "w") as file:
        file.write("here")
    print("total: 0")
