"""The files of the program on disk; another file with the same content is a copy, whoever made it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable


class ProgramFiles:
    """Finds the file of the program that a path stands for.

    Args:
        paths: The program's files; what they hold now is how copies are recognized.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = frozenset(paths)
        self._path_by_content: dict[bytes, str] = {}
        for path in sorted(self._paths):
            with contextlib.suppress(OSError), open(path, "rb") as file:
                self._path_by_content.setdefault(file.read(), path)
        self._path_by_content.pop(b"", None)
        self._sizes = frozenset(map(len, self._path_by_content))

    def __contains__(self, path: str) -> bool:
        """Whether a file is one of the program's, or a copy of one."""
        return self.original_of(path) in self._paths

    def original_of(self, path: str) -> str:
        """The program's file that this one is, or is a copy of; else the path itself."""
        if path in self._paths:
            return path
        try:
            if os.path.getsize(path) in self._sizes:
                with open(path, "rb") as file:
                    return self._path_by_content.get(file.read(), path)
        except OSError:
            pass
        return path
