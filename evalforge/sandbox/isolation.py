"""Which isolation there is for the player's code, and how a host is started in it."""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from evalforge.sandbox.host.cage import seatbelt

ATTACKED_LAYERS = frozenset({"full", "standard", "namespaces"})
"""Layers that our attacks were tried against; with any other, a fight says what is known of it."""
CAGED_LAYERS = ATTACKED_LAYERS | {"seatbelt"}
"""Layers in which code that anybody wrote may run."""

_BUBBLEWRAP_SCRATCH_BYTES = 256 * 1024 * 1024

NO_ISOLATION_MESSAGE = "No sandbox is available here, so no code is run."
NO_ISOLATION_HINT = (
    "If this code is your own: --i-trust-this-code. Elsewhere: Linux 5.13 or newer (WSL2 too), an older one that "
    "grants user namespaces, or macOS."
)


def exclude_hidden(readable: Sequence[str], hidden: Sequence[Path]) -> list[str]:
    """The folders and files that may be read, without those that must stay hidden.

    EvalForge may be installed into the very interpreter that runs the player's code; its bosses and their trials then
    lie inside the standard library's folder. Such a folder is replaced by what else lies in it.

    Args:
        readable: Folders and files that may be read.
        hidden: Folders that may not be.
    """
    allowed: list[str] = []
    pending = [Path(path) for path in readable]
    secrets = [path.resolve() for path in hidden]
    while pending:
        path = pending.pop(0)
        holds_secret = any(secret == path or path in secret.parents for secret in secrets)
        if holds_secret:
            pending += [] if path in secrets else sorted(path.iterdir())
        elif not any(secret in path.parents for secret in secrets):
            allowed.append(str(path))
    return allowed


def host_command(python: str, flags: Sequence[str], folder: Path, arguments: Sequence[str]) -> list[str]:
    """The command that starts a host.

    On Linux the host's children shut themselves in; on macOS the host starts inside a profile that denies by default.

    Args:
        python: The interpreter.
        flags: Its flags.
        folder: The host program.
        arguments: Its arguments.
    """
    command = [python, *flags, str(folder), *arguments]
    if sys.platform != "darwin" or not seatbelt.is_available():
        return command
    prefix = Path(python).resolve().parent.parent
    readable = [str(folder), str(prefix), sys.base_prefix, tempfile.gettempdir()]
    return seatbelt.wrap_command(command, read=readable, work=[tempfile.gettempdir()], allow_fork=True)


def wrap_in_bubblewrap(command: Sequence[str], bwrap: str, scratch: str) -> list[str]:
    """The command that runs a host inside bubblewrap, where namespaces are granted to that program alone.

    Everything can be seen and nothing written but ``scratch``, which is a file system of bounded size; there is no
    network, and the process tree ends with its first process. What may be read is for the cage within.

    Args:
        command: What to run.
        bwrap: The program.
        scratch: The host's own directory; what it holds outside is out of sight.
    """
    isolation = ["--unshare-all", "--unshare-user", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    files = ["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--ro-bind", "/proc/sys", "/proc/sys"]
    return [bwrap, *isolation, *files, "--size", str(_BUBBLEWRAP_SCRATCH_BYTES), "--tmpfs", scratch, "--", *command]
