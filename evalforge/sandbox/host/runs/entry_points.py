"""The entry points of a child: a script or module of a submission, or the compiler."""

from __future__ import annotations

import builtins
import contextlib
import importlib.util
import os
import py_compile
import runpy
import sys
from importlib.machinery import SourceFileLoader
from types import ModuleType

_MAX_FILE_BYTES = 512 * 1024  # collected files are cut at a cap, and half a file of bytecode is worse than none
_MAX_TOTAL_BYTES = 4 * 1024 * 1024


def run_script(path: str, args: list[str]) -> None:
    """Run a script like ``python path``, but with the loader's bytecode, where ``runpy`` would compile each time."""
    sys.argv = [path, *args]
    if os.path.isdir(path):
        runpy.run_path(path, run_name="__main__")
        return
    loader = SourceFileLoader("__main__", path)
    main = sys.modules["__main__"] = ModuleType("__main__")
    main.__dict__.update(__file__=path, __loader__=loader, __cached__=None, __builtins__=builtins)
    code = loader.get_code("__main__")
    assert code is not None  # a source loader returns code or raises
    exec(code, main.__dict__)  # noqa: S102 - running programs is the purpose


def run_module(name: str, args: list[str]) -> None:
    """Run a module like ``python -m name``."""
    sys.argv = [name, *args]
    runpy.run_module(name, run_name="__main__", alter_sys=True)


def compile_files(source: str, paths: tuple[str, ...]) -> None:
    """Compile files once into the folder ``sys.pycache_prefix``, so that each run starts from bytecode.

    Nothing of the submission runs. Paths are relative to it. Files that can't be compiled
    are skipped; running them shows why.
    """
    bytes_left = _MAX_TOTAL_BYTES
    for path in paths:
        bytes_left -= _compile_file(os.path.join(source, path), min(bytes_left, _MAX_FILE_BYTES))


def _compile_file(path: str, max_bytes: int) -> int:
    """Compile one file, and return the size of the stored bytecode."""
    target = importlib.util.cache_from_source(path)
    # The mode that never checks the source again: nothing changes it, and the check would cost each run time.
    unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
    with contextlib.suppress(py_compile.PyCompileError, OSError, ValueError, RecursionError, MemoryError):
        py_compile.compile(path, target, doraise=True, invalidation_mode=unchecked)
        size = os.path.getsize(target)
        if size <= max_bytes:
            return size
        os.unlink(target)
    return 0
