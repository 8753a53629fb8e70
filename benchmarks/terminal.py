"""How long a terminal program takes to show something: run in a pseudo-terminal until a word is on the screen."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_CONTROL = re.compile(rb"\x1b(?:\[[0-9;?<=>]*[A-Za-z$]|\][^\x07]*\x07|P[^\x1b]*\x1b\\|[()][A-Z0-9]|[=>])")


@contextmanager
def in_terminal(
    command: list[str], environment: dict[str, str], size: tuple[int, int] = (24, 80), folder: Path | None = None
) -> Iterator[tuple[int, int]]:
    """Run a program in a pseudo-terminal of so many lines and columns, and kill it at the end.

    Yields:
        Its process id, and the descriptor of what it writes to the terminal.
    """
    pid, terminal = pty.fork()
    if not pid:
        if folder is not None:
            os.chdir(folder)
        os.execvpe(command[0], command, environment)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
    try:
        yield pid, terminal
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(terminal)


def read_written(terminal: int, seconds: float, seen: bytes = b"") -> bytes:
    """What the program writes next; empty if it writes nothing for so many seconds.

    Raises:
        RuntimeError: It has ended; the message is the end of what was seen.
    """
    if not select.select([terminal], [], [], seconds)[0]:
        return b""
    try:
        return os.read(terminal, 1 << 16)
    except OSError:
        raise RuntimeError(f"The program ended: {readable_end(seen)}") from None


def readable_end(seen: bytes) -> str:
    """The end of what was written to a terminal, without what controls it."""
    return _CONTROL.sub(b"", seen)[-3000:].decode("utf-8", "replace")


def seconds_to_show(command: list[str], word: bytes, environment: dict[str, str], limit: float = 30.0) -> float:
    """Seconds from starting a program to the moment ``word`` has been written to its 80x24 terminal.

    Raises:
        RuntimeError: The program ended.
        TimeoutError: The word did not come.
    """
    began = time.perf_counter()
    seen = b""
    with in_terminal(command, environment) as (_, terminal):
        while time.perf_counter() - began < limit:
            seen += read_written(terminal, 0.5, seen)
            if word in _CONTROL.sub(b"", seen):
                return time.perf_counter() - began
    raise TimeoutError(f"{command[0]} never showed {word!r}: {seen[-200:]!r}")
