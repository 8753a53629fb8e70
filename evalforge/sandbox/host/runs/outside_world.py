"""Detection of the player's lines that touch the outside world: files and other machines.

Python announces to audit hooks that a file is about to be opened, however the function is called. The player's
innermost line is the cause. Imports, error messages that quote code, and clocks that look up a time zone read files
too, but that isn't the program's doing.
"""

from __future__ import annotations

import os
import sys
from types import FrameType
from typing import Any

from .line_map import TOUCHED, LineMap

TOUCHING_EVENTS = frozenset(
    """
    open os.listdir os.scandir os.mkdir os.remove os.rename os.rmdir os.truncate os.chmod os.link os.symlink
    socket.connect socket.bind socket.sendto
    sqlite3.connect glob.glob pathlib.Path.glob tempfile.mkstemp tempfile.mkdtemp builtins.input
    """.split()
)
_LOOKS_FOR_MODULES = "_fill_cache"
"""The function by which an import lists a folder."""
_CODE = (".py", ".pyc", ".pyi", ".so")
_LIBRARIES = (os.path.join(sys.prefix, ""), os.path.join(sys.base_prefix, ""), "/usr/", "/etc/localtime")


def mark_touching_line(lines: LineMap, frame: FrameType, args: tuple[Any, ...]) -> None:
    """Mark the player's line that caused an event, if there is one."""
    if _is_part_of_python(args[0] if args else None):
        return
    around: FrameType | None = frame
    while around is not None:
        path = around.f_code.co_filename
        file = lines.files.get(path)
        if file is not None:
            if around.f_lineno is not None and around.f_lineno < file.line_count:
                lines.marks[file.start + around.f_lineno] |= TOUCHED
            return
        if around.f_code.co_name == _LOOKS_FOR_MODULES and path.startswith("<frozen importlib"):
            return
        around = around.f_back


def _is_part_of_python(path: object) -> bool:
    return type(path) is str and (path.endswith(_CODE) or path.startswith(_LIBRARIES))
