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

_CONTROL = re.compile(rb"\x1b(?:\[[0-9;?<=>]*[A-Za-z$]|\][^\x07]*\x07|P[^\x1b]*\x1b\\|[()][A-Z0-9]|[=>])")


def seconds_to_show(command: list[str], word: bytes, environment: dict[str, str], limit: float = 30.0) -> float:
    """Seconds from starting a program to the moment ``word`` has been written to its 80x24 terminal.

    Raises:
        TimeoutError: The word did not come.
    """
    began = time.perf_counter()
    pid, terminal = pty.fork()
    if not pid:
        os.execvpe(command[0], command, environment)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    seen = b""
    try:
        while time.perf_counter() - began < limit:
            if not select.select([terminal], [], [], 0.5)[0]:
                continue
            seen += os.read(terminal, 1 << 16)
            if word in _CONTROL.sub(b"", seen):
                return time.perf_counter() - began
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(terminal)
    raise TimeoutError(f"{command[0]} never showed {word!r}: {seen[-200:]!r}")
