"""Puts a link to a secret into its own folder and reads that, and leaves it to be collected as a result."""

import os
import sys

from world import SECRET

os.symlink(SECRET, "out.json")
try:
    words = open("out.json").read()
except OSError as error:
    words = type(error).__name__
print("by link:", words, file=sys.stderr)
