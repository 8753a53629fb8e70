"""The layers of isolation for the player's code, and the commands that start a host in them."""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from evalforge.sandbox.host.cage import seatbelt

ATTACKED_LAYERS = frozenset({"full", "standard", "namespaces"})
"""The layers that our attacks were tested against; with any other, a fight shows what is known about it."""
CAGED_LAYERS = ATTACKED_LAYERS | {"seatbelt"}
"""The layers in which untrusted code may run."""

_BUBBLEWRAP_SCRATCH_BYTES = 256 * 1024 * 1024

NO_ISOLATION_MESSAGE = "No sandbox is available here, so no code is run."
NO_ISOLATION_HINT = (
    "If this code is your own: --i-trust-this-code. Elsewhere: Linux 5.13 or newer (WSL2 too), an older one that "
    "grants user namespaces, or macOS."
)


def exclude_hidden(readable: Sequence[str], hidden: Sequence[Path]) -> list[str]:
    """The readable folders and files, without those that must stay hidden.

    EvalForge may be installed in the same interpreter that runs the player's code. Then its bosses and their trials are
    inside the standard library's folder, which is replaced by its other contents.
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

    On Linux the host's children enter the sandbox themselves; on macOS the host starts in a profile that denies by
    default.
    """
    command = [python, *flags, str(folder), *arguments]
    if sys.platform != "darwin" or not seatbelt.is_available():
        return command
    prefix = Path(python).resolve().parent.parent
    readable = [str(folder), str(prefix), sys.base_prefix, tempfile.gettempdir()]
    return seatbelt.wrap_command(command, read=readable, work=[tempfile.gettempdir()], allow_fork=True)


def wrap_in_bubblewrap(command: Sequence[str], bwrap: str, scratch: str) -> list[str]:
    """The command that runs a host inside bubblewrap, for systems that allow namespaces only to that program.

    All files are visible, but only ``scratch``, a file system of limited size, is writable. There is no network, and
    all processes end with the first one. The sandbox inside restricts reading.

    Args:
        command: The command to run.
        bwrap: The path of bubblewrap.
        scratch: The host's own directory; its outside contents are hidden.
    """
    isolation = ["--unshare-all", "--unshare-user", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    files = ["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--ro-bind", "/proc/sys", "/proc/sys"]
    return [bwrap, *isolation, *files, "--size", str(_BUBBLEWRAP_SCRATCH_BYTES), "--tmpfs", scratch, "--", *command]
