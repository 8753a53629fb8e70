"""A byte for each line of some files, in memory that is shared with every process forked later."""

from __future__ import annotations

import mmap
import os
import re
from collections.abc import Callable
from typing import NamedTuple

LINE_END = re.compile(rb"\r\n?|\n")
_MAX_LINES = 200_000


class FileLines(NamedTuple):
    """Where the lines of a file are in the map: line 1 is at ``start + 1``, and ``start`` is the file's own byte."""

    path: str
    start: int
    line_count: int


class LineMap:
    """The marks of the lines of some files; all zero at first.

    Args:
        root: The folder the paths are relative to.
        paths: Files to look at; those that can't be read, and those beyond 200,000 lines in all, are left out.
        read: Reads the file at a full path.

    Attributes:
        marks: The bytes.
        files: The files by their full paths.
    """

    def __init__(self, root: str, paths: list[str], read: Callable[[str], bytes]) -> None:
        self.files: dict[str, FileLines] = {}
        total = 0
        for path in paths:
            full_path = os.path.join(root, path)
            try:
                line_count = len(LINE_END.split(read(full_path))) + 1
            except OSError:
                continue
            if total + line_count > _MAX_LINES:
                break
            self.files[full_path] = FileLines(path, total, line_count)
            total += line_count
        self._size = max(total, 1)
        self.marks = mmap.mmap(-1, self._size)

    def mark_all(self) -> None:
        """Mark every line."""
        self.marks[:] = b"\x01" * self._size

    def clear(self) -> None:
        """Remove all marks."""
        self.marks[:] = bytes(self._size)

    def marked_lines(self, mark: int) -> dict[str, list[int]]:
        """The lines that have this bit set, in order, by path; line 0 is the file itself."""
        content = self.marks[:]
        lines_by_path: dict[str, list[int]] = {}
        marked = [index for index, byte in enumerate(content) if byte & mark] if any(content) else []
        position = 0
        for path, start, line_count in self.files.values():
            first = position
            while position < len(marked) and marked[position] < start + line_count:
                position += 1
            if position > first:
                lines_by_path[path] = [index - start for index in marked[first:position]]
        return lines_by_path
