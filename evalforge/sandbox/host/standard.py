"""A program's standard streams, as the interpreter itself makes them at its start."""

from __future__ import annotations

import io
import os
import sys


def install(encoding="utf-8"):
    """Make the streams of descriptors 0, 1 and 2 those of this process."""
    sys.stdin = sys.__stdin__ = _stream(io.BufferedReader, 0, "r", "<stdin>", encoding)
    sys.stdout = sys.__stdout__ = _stream(io.BufferedWriter, 1, "w", "<stdout>", encoding)
    sys.stderr = sys.__stderr__ = _stream(
        io.BufferedWriter, 2, "w", "<stderr>", encoding, errors="backslashreplace", line_buffering=True
    )


def _stream(buffer, descriptor, mode, name, *encoding, **options):
    raw = io.FileIO(descriptor, mode, closefd=False)
    raw.name = name
    stream = io.TextIOWrapper(buffer(raw), *encoding, **options)
    stream.mode = mode
    return stream


def install_for_children():
    """The same, done once for all forked children: a stream remembers of its descriptor only what kind it is.

    So for this moment the descriptors are what each child's will be: a file to read, and pipes to write.
    """
    kept = [os.dup(target) for target in (0, 1, 2)]
    file = os.open(__file__, os.O_RDONLY)
    reading, writing = os.pipe()
    try:
        for target, fd in enumerate((file, writing, writing)):
            os.dup2(fd, target)
        install()
    finally:
        for target, fd in enumerate(kept):
            os.dup2(fd, target)
        for fd in (file, reading, writing, *kept):
            os.close(fd)
