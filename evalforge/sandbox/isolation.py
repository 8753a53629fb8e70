"""How well the player's code is shut in, and what that allows."""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from evalforge.sandbox.host import seatbelt

CAGED = frozenset({"full", "standard", "seatbelt"})
"""Layers in which code of strangers may run."""

_SCRATCH_BYTES = 256 * 1024 * 1024

REFUSAL = "No isolation is available here, so code that could be anybody's is not run."
ADVICE = "If this code is your own: --i-trust-this-code. Elsewhere: Linux 5.13 or newer (WSL2 too), or macOS."


def readable_without(readable: Sequence[str], hidden: Sequence[Path]) -> list[str]:
    """What may be read, less what must stay hidden.

    EvalForge may be installed into the very interpreter that runs the player's code; its bosses and their trials then
    lie inside the standard library's folder. Such a folder is replaced by what else lies in it.

    Args:
        readable: Folders and files that may be read.
        hidden: Folders that may not be.
    """
    allowed: list[str] = []
    waiting = [Path(place) for place in readable]
    secrets = [path.resolve() for path in hidden]
    while waiting:
        place = waiting.pop(0)
        if any(secret == place or place in secret.parents for secret in secrets):
            waiting += [] if place in secrets else sorted(place.iterdir())
        elif not any(secret in place.parents for secret in secrets):
            allowed.append(str(place))
    return allowed


def host_command(python: str, flags: Sequence[str], folder: Path, arguments: Sequence[str]) -> list[str]:
    """The command that starts a host.

    On Linux the host's children shut themselves in; on macOS the host starts inside a profile that denies by default.

    Args:
        python: The interpreter.
        flags: Its flags.
        folder: The host program.
        arguments: What the host is told.
    """
    command = [python, *flags, str(folder), *arguments]
    if sys.platform != "darwin" or not seatbelt.available():
        return command
    prefix = Path(python).resolve().parent.parent
    readable = [str(folder), str(prefix), sys.base_prefix, tempfile.gettempdir()]
    return seatbelt.command(command, read=readable, work=[tempfile.gettempdir()], allow_fork=True)


def bubblewrapped(command: Sequence[str], bwrap: str, scratch: str) -> list[str]:
    """The command that runs a host inside bubblewrap, where namespaces are granted to that program alone.

    Everything can be seen and nothing written but ``scratch``, which is a file system of bounded size; there is no
    network, and the process tree ends with its first process. What may be read is for the cage within.

    Args:
        command: What to run.
        bwrap: The program.
        scratch: The host's own directory; what it holds outside is out of sight.
    """
    separate = ["--unshare-all", "--unshare-user", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    files = ["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--ro-bind", "/proc/sys", "/proc/sys"]
    return [bwrap, *separate, *files, "--size", str(_SCRATCH_BYTES), "--tmpfs", scratch, "--", *command]
