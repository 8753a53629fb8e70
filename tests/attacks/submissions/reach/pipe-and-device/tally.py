"""Leaves a pipe and a device where its results are collected."""

import os
import stat

words = []
for deed in (lambda: os.mkfifo("out.json"), lambda: os.mknod("zero.json", stat.S_IFCHR | 0o666, os.makedev(1, 5))):
    try:
        deed()
        words.append("done")
    except OSError as error:
        words.append(type(error).__name__)
raise RuntimeError("made: " + ", ".join(words))
