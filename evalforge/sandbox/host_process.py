"""A host as a process: start it with its end of a socket, watch it, and kill it with all that it started."""

import contextlib
import os
import select
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Sequence

from evalforge.sandbox.host.protocol import wire

_POLL_SECONDS = 0.1
_EXIT_SECONDS = 1.0
_MAX_STDERR_BYTES = 64 * 1024  # the capacity of a pipe
HOST_ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "PYTHONHASHSEED": "0",
    "TZ": "UTC",
    # Each allocating thread would reserve 64 MB of address space for itself, but a run has only 512 MB.
    "MALLOC_ARENA_MAX": "2",
}
"""The whole environment of a host: nothing of ours, and no ``PYTHON*`` variable that would change the interpreter."""


class HostProcess:
    """A host process and our end of its socket.

    Args:
        command: Makes the command, given the number of the socket's other end.

    Raises:
        OSError: The process does not start.
    """

    def __init__(self, command: Callable[[int], Sequence[str]]) -> None:
        self.connection, theirs = socket.socketpair()
        try:
            self._process = subprocess.Popen(
                command(theirs.fileno()),
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env=HOST_ENVIRONMENT,
                start_new_session=True,
                cwd="/",
            )
        except BaseException:
            self.connection.close()
            raise
        finally:
            theirs.close()

    @property
    def pid(self) -> int:
        """The process id of the host."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether the process is running."""
        return self._process.poll() is None

    @property
    def is_connected(self) -> bool:
        """Whether the process is running and its socket is open; a fork of ours that gave it up closes it for all."""
        try:
            return self.is_alive and self.connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) != b""
        except BlockingIOError:
            return True
        except OSError:
            return False

    def first_frame(self, deadline: float) -> object:
        """Receive its first message.

        Raises:
            wire.WireError: It ends, or sends nothing in time.
        """
        while not select.select([self.connection], [], [], _POLL_SECONDS)[0] and time.monotonic() < deadline:
            if not self.is_alive:  # while another process still has the other end
                raise wire.WireClosedError("the process has ended")
        return wire.receive_frame(self.connection, deadline)

    def kill_and_read_stderr(self) -> str:
        """Kill the process at once, and return the last line of its standard error."""
        assert self._process.stderr is not None
        self._kill_group()
        os.set_blocking(self._process.stderr.fileno(), False)  # another process may still have the other end
        lines = (self._process.stderr.read(_MAX_STDERR_BYTES) or b"").decode("utf-8", "replace").strip().splitlines()
        self.stop()
        return lines[-1] if lines else ""

    def stop(self) -> None:
        """Close the connection, on which the process ends, and kill it if it doesn't."""
        # Closing isn't enough: a fork of ours may have the socket too, and would get replies that nobody waits for.
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)
        self.connection.close()
        try:
            self._process.wait(timeout=_EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            self._kill_group()
            self._process.wait()
        if self._process.stderr:
            self._process.stderr.close()

    def _kill_group(self) -> None:
        """Kill the process and its children: a ``--python`` may be a script that starts another program."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
