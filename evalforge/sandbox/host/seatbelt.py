"""macOS: the profile and command line that put a host into ``sandbox-exec``.

Written after Apple's profile language as other tools use it; never run on real hardware, so its layer is unproven.
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


def available() -> bool:
    """Whether the program that applies profiles is there."""
    return os.access(_PROGRAM, os.X_OK)


def profile(reads: int, works: int, interpreters: int, allow_fork: bool = False) -> str:
    """A profile that denies by default. Paths are parameters (``READ0``, ``WORK0``, ``PY0``), so none needs quoting.

    Args:
        reads: How many paths may be read.
        works: How many may be written.
        interpreters: How many programs may be executed.
        allow_fork: Whether processes may be started; a host that forks a child for each run needs it.
    """
    rules = [_HEAD.rstrip("\n"), "(%s process-fork)" % ("allow" if allow_fork else "deny")]
    rules += ['(allow process-exec* (literal (param "PY%d")))' % index for index in range(interpreters)]
    rules += ['(allow file-read* file-map-executable (subpath (param "READ%d")))' % index for index in range(reads)]
    rules += ['(allow file-read* file-write* (subpath (param "WORK%d")))' % index for index in range(works)]
    return "\n".join(rules) + "\n"


def command(
    argv: Sequence[str],
    read: Iterable[str] = (),
    work: Iterable[str] = (),
    interpreters: Iterable[str] = (),
    allow_fork: bool = False,
) -> list[str]:
    """The command line that runs ``argv`` inside a profile.

    Args:
        argv: The program and its arguments; its first word may be executed.
        read: Paths that may be read.
        work: Paths that may be written.
        interpreters: Other programs that may be executed (framework builds of Python start ``Python.app``).
        allow_fork: Whether processes may be started.
    """
    groups = {
        "READ": [os.path.realpath(path) for path in read],
        "WORK": [os.path.realpath(path) for path in work],
        "PY": [os.path.realpath(path) for path in (argv[0], *interpreters)],
    }
    parameters = [
        word
        for name, paths in groups.items()
        for index, path in enumerate(paths)
        for word in ("-D", "%s%d=%s" % (name, index, path))
    ]
    rules = profile(len(groups["READ"]), len(groups["WORK"]), len(groups["PY"]), allow_fork)
    return [_PROGRAM, *parameters, "-p", rules, *argv]
