"""A map with a byte for each line of some files, in memory shared with every process that is forked later."""

from __future__ import annotations

import mmap
import os
import re
from collections.abc import Callable, Sequence
from types import FrameType
from typing import NamedTuple

RAN, ENTERED, TOUCHED = 1, 2, 4
"""The marks of a line: it ran; a called function begins there; it opened a file or the like."""
LINE_END = re.compile(rb"\r\n?|\n")
_MAX_LINES = 200_000


class FileLines(NamedTuple):
    """The position of a file in the map: line 1 is at ``start + 1``, and ``start`` is the file's own byte."""

    path: str
    start: int
    line_count: int


class LineMap:
    """The marks of the lines of some files; all zero at first.

    Args:
        root: The folder the paths are relative to.
        paths: The files to map; unreadable ones, and those beyond 200,000 lines in all, are left out.
        read: Reads the file at a full path.

    Attributes:
        marks: The bytes.
        files: The files by their full paths.
    """

    def __init__(self, root: str, paths: Sequence[str], read: Callable[[str], bytes]) -> None:
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
        self._foreign_files: set[str] = set()
        self.marks = mmap.mmap(-1, self._size)

    def file_of(self, frame: FrameType) -> FileLines | None:
        """The file of a frame's code, if it is mapped."""
        # While audit events are watched, reading a frame's code takes ten times as long as reading its globals.
        module_file = frame.f_globals.get("__file__")
        if type(module_file) is str and module_file in self._foreign_files:
            return None
        path = frame.f_code.co_filename
        file = self.files.get(path)
        if file is None and type(module_file) is str and (path == module_file or path.startswith("<frozen")):
            self._foreign_files.add(module_file)
        return file

    def count_marked(self) -> int:
        """How many lines are marked."""
        return self._size - self.marks[:].count(0)

    def mark_all(self) -> None:
        """Mark all lines of all files as executed."""
        self.marks[:] = b"\x01" * self._size

    def clear(self) -> None:
        """Remove the marks of all lines."""
        self.marks[:] = bytes(self._size)

    def marked_lines(self, mark: int) -> dict[str, list[int]]:
        """The lines with this mark, in order, by path; line 0 is the file itself."""
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
