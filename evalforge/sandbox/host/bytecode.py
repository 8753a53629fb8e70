"""Compile a submission once, in a child that runs nothing of it, so that each of its runs begins with bytecode."""

from __future__ import annotations

import importlib.util
import os
import py_compile

_FILE_MOST = 512 * 1024  # a file that is collected is cut at a cap: half a file of bytecode would be worse than none
_TOTAL_MOST = 4 * 1024 * 1024


def compile_all(source, paths):
    """Compile files of a submission into the folder that ``sys.pycache_prefix`` names.

    What can't be compiled is left out: whoever runs it is told why then.

    Args:
        source: The submission.
        paths: The files, relative to it.
    """
    room = _TOTAL_MOST
    for path in paths:
        room -= _compiled(os.path.join(source, path), room)


def _compiled(path, room):
    """Compile one file; gives the size of what is kept."""
    target = importlib.util.cache_from_source(path)
    try:
        # The mode that never looks at the source again: nothing changes it, and a look costs a run more than it tells.
        unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
        py_compile.compile(path, target, doraise=True, invalidation_mode=unchecked)
        size = os.path.getsize(target)
        if size <= min(room, _FILE_MOST):
            return size
        os.unlink(target)
    except (py_compile.PyCompileError, OSError, ValueError, RecursionError, MemoryError):
        pass
    return 0
