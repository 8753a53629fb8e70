"""Puts a link where its working folder was, so that whoever collects its files looks into another one."""

import os
import sys

from world import HOME

work = os.getcwd()
os.chdir("..")
try:
    os.rename(work, work + "-old")
    os.symlink(HOME, work)
    words = "done"
except OSError as error:
    words = type(error).__name__
print("exchanged:", words, file=sys.stderr)
