"""Which lines of the player's code ran: a map in memory shared with every process that a test forks.

``sys.settrace`` is used on every version: it is inherited by forks, it does not care how a process ends, and tests are
few. Only frames of the player's own files are traced by line.
"""

from __future__ import annotations

import mmap
import os
import re
import sys
import threading

_SEEN = re.compile(b"\x01")
_LINES_MOST = 200_000


class Reach:
    """Lines of some files, each with a byte that says whether it ran.

    Args:
        root: The folder the paths are relative to.
        paths: Files to look at.
    """

    def __init__(self, root, paths):
        self._starts = []
        self._local = {}
        total = 0
        for path in paths:
            full = os.path.join(root, path)
            try:
                with open(full, "rb") as file:
                    lines = len(re.split(rb"\r\n?|\n", file.read())) + 1
            except OSError:
                continue
            if total + lines > _LINES_MOST:
                break
            self._starts.append((path, total, lines))
            self._local[full] = self._tracer(total, lines)
            total += lines
        self._map = mmap.mmap(-1, max(total, 1))
        self._size = max(total, 1)

    def _tracer(self, start, lines):
        def trace(frame, event, _):
            if event == "line" and frame.f_lineno < lines:
                self._map[start + frame.f_lineno] = 1
            return trace

        return trace

    def _trace(self, frame, event, _):
        return self._local.get(frame.f_code.co_filename)

    def begin(self):
        """Look on from here, in this thread, those it starts, and processes they fork."""
        threading.settrace(self._trace)
        sys.settrace(self._trace)

    def end(self):
        """Look away."""
        sys.settrace(None)
        threading.settrace(None)

    def take(self):
        """The lines that ran since the last time, by path."""
        content = self._map[:]
        self._map[:] = bytes(self._size)
        seen = [match.start() for match in _SEEN.finditer(content)]
        found = {}
        for path, start, lines in self._starts:
            inside = [index - start for index in seen if start <= index < start + lines]
            if inside:
                found[path] = inside
        return found
