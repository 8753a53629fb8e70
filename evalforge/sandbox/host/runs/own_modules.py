"""Modules of a program that are named like Python's own: imports find them first, as when Python runs the program."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from collections.abc import Iterable
from importlib.machinery import FrozenImporter

_LOADED_AT_START = frozenset(
    """
    __main__ _abc _codecs _collections_abc _io _sitebuiltins _stat _thread abc builtins codecs encodings genericpath io
    marshal os posix posixpath site stat sys time zipimport
    """.split()
)
_PACKAGE_FILE = "__init__.py"


def is_always_pythons(name: str) -> bool:
    """Whether Python imports its own module of this name, whatever lies in a program's folder."""
    is_within = name in sys.builtin_module_names or FrozenImporter.find_spec(name) is not None
    return is_within or name in _LOADED_AT_START


def make_way(names: Iterable[str]) -> None:
    """Forget loaded modules of these names, so that imports find a program's own.

    What has imported them keeps them, as our own code does. Call this inside the sandbox only: from now on an import
    may run the player's code.
    """
    hidden = {name for name in names if name in sys.modules and not is_always_pythons(name)}
    if hidden:
        for module_name in list(sys.modules):
            if module_name.partition(".")[0] in hidden:
                del sys.modules[module_name]


@functools.lru_cache(maxsize=1)
def module_names(folders: tuple[str, ...]) -> frozenset[str]:
    """The names of the modules and packages directly in folders of a submission, which never change."""
    names: set[str] = set()
    for folder in folders:
        with contextlib.suppress(OSError):
            for entry in os.listdir(folder):
                name, suffix = os.path.splitext(entry)
                if suffix == ".py" or (not suffix and os.path.exists(os.path.join(folder, entry, _PACKAGE_FILE))):
                    names.add(name)
    return frozenset(names)
