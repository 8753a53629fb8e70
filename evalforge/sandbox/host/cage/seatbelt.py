"""The profile and the command line that start a host in ``sandbox-exec`` on macOS.

It follows Apple's profile language as other tools use it, but was never run on real hardware, so it is unproven.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

_PROGRAM = "/usr/bin/sandbox-exec"

_HEAD = """\
(version 1)
(deny default)
(import "system.sb")
(deny network*)
(deny signal)
(allow signal (target self))
(deny process-info*)
(allow process-info* (target self))
(deny sysctl-read (sysctl-name-prefix "kern.procargs"))
(allow file-read-metadata)
(allow file-read* file-map-executable (subpath "/usr/lib") (subpath "/System"))
(allow file-read* (literal "/dev/urandom"))
(allow file-read* file-write* (literal "/dev/null"))
"""


def is_available() -> bool:
    """Whether the program ``sandbox-exec`` exists."""
    return os.access(_PROGRAM, os.X_OK)


def profile_text(readable: int, writable: int, executable: int, allow_fork: bool = False) -> str:
    """A profile that denies by default. Paths are parameters (``READ0``, ``WORK0``, ``PY0``), so none needs quoting.

    Args:
        readable: Number of paths that may be read.
        writable: Number of paths that may be written.
        executable: Number of programs that may be executed.
        allow_fork: Whether processes may be started; a host that forks a child for each run needs it.
    """
    rules = [_HEAD.rstrip("\n"), "(%s process-fork)" % ("allow" if allow_fork else "deny")]
    rules += [f'(allow process-exec* (literal (param "PY{index}")))' for index in range(executable)]
    rules += [f'(allow file-read* file-map-executable (subpath (param "READ{index}")))' for index in range(readable)]
    rules += [f'(allow file-read* file-write* (subpath (param "WORK{index}")))' for index in range(writable)]
    return "\n".join(rules) + "\n"


def wrap_command(
    argv: Sequence[str],
    read: Iterable[str] = (),
    work: Iterable[str] = (),
    interpreters: Iterable[str] = (),
    allow_fork: bool = False,
) -> list[str]:
    """The command line that runs another command inside a profile.

    Args:
        argv: The program, which may be executed, and its arguments.
        read: Paths that may be read.
        work: Paths that may be written.
        interpreters: Other programs that may be executed (framework builds of Python start ``Python.app``).
        allow_fork: Whether processes may be started.
    """
    paths_by_prefix = {
        "READ": [os.path.realpath(path) for path in read],
        "WORK": [os.path.realpath(path) for path in work],
        "PY": [os.path.realpath(path) for path in (argv[0], *interpreters)],
    }
    parameters = [
        argument
        for prefix, paths in paths_by_prefix.items()
        for index, path in enumerate(paths)
        for argument in ("-D", f"{prefix}{index}={path}")
    ]
    rules = profile_text(
        len(paths_by_prefix["READ"]), len(paths_by_prefix["WORK"]), len(paths_by_prefix["PY"]), allow_fork
    )
    return [_PROGRAM, *parameters, "-p", rules, *argv]
