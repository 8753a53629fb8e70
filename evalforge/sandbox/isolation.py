"""How well the player's code is shut in, and what that allows."""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from evalforge.sandbox.host import seatbelt

CAGED = frozenset({"full", "standard", "seatbelt"})
"""Layers in which code of strangers may run."""

REFUSAL = "No isolation is available here, so code that could be anybody's is not run."
ADVICE = "If this code is your own: --i-trust-this-code. Elsewhere: Linux 5.13 or newer (WSL2 too), or macOS."


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
