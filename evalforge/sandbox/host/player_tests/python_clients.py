"""Python for programs that the sandbox executes, such as a shell: a small client that has a fork of the test run it.

A shell finds ``python`` on its search path. That is the client: it hands its arguments, folder, environment and
standard descriptors to a process that waits beside the shell, and that is a fork of the test's own process. There the
program runs as if the test had started it, so what is changed in memory applies, and no program is read from disk.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from protocol import wire

_GATE = 99
"""The descriptor that programs inherit. A shell itself uses 10 and a few more, and bash 63 and a few less."""
_STANDARD_DESCRIPTORS = 3
_FIRST_FREE_DESCRIPTOR, _MAX_DESCRIPTORS = 3, 256
_EXIT_FAILED_TO_START = 255
_PROGRAM_MODE = 0o755
_CLIENT = """\
#!{python} -IS
import _socket, json, os, sys
own, other = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_STREAM)
gate = _socket.socket(fileno={gate})
descriptors = b"".join(number.to_bytes(4, sys.byteorder) for number in (other.fileno(), 0, 1, 2))
gate.sendmsg([b"."], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, descriptors)])
other.close()
request = json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)]).encode()
own.sendall(len(request).to_bytes(4, "big") + request)
status = int(own.recv(16) or b"65280")
if os.WIFSIGNALED(status):
    os.kill(os.getpid(), os.WTERMSIG(status))
os._exit(os.WEXITSTATUS(status))
"""


class PythonCall(NamedTuple):
    """What a client was called with.

    Attributes:
        arguments: The arguments, without the name of the interpreter.
        folder: The working directory.
        environment: The values of the environment's variables.
    """

    arguments: list[str]
    folder: str
    environment: dict[str, str]


def write_clients(root: str) -> str:
    """Write the client under each name of Python, and return the folder of these files.

    Args:
        root: The host's directory.
    """
    folder = os.path.join(root, "programs")
    os.makedirs(folder, _PROGRAM_MODE, exist_ok=True)  # a host that is started again keeps its directory
    major, minor = sys.version_info[:2]
    text = _CLIENT.format(python=os.path.realpath(sys.executable), gate=_GATE)
    for name in ("python", f"python{major}", f"python{major}.{minor}"):
        with open(os.path.join(folder, name), "w", opener=_open_program) as file:
            file.write(text)
    return folder


def _open_program(path: str, flags: int) -> int:
    return os.open(path, flags, _PROGRAM_MODE)


def serve_beside(run: Callable[[PythonCall], int]) -> None:
    """Start a process that serves all clients which the caller and what it executes will start.

    It isn't a child of the caller, which is about to execute a program that expects none. It ends when all that hold
    the descriptor have ended.

    Args:
        run: Runs a Python program in its process, and returns the exit status.
    """
    gate, gate_end = socket.socketpair()
    parent = os.fork()
    if parent:
        gate_end.close()
        os.waitpid(parent, 0)
        os.dup2(gate.fileno(), _GATE, inheritable=True)
        return
    try:
        if not os.fork():
            _serve_clients(gate_end.fileno(), run)
    finally:
        os._exit(0)


def _serve_clients(gate_end: int, run: Callable[[PythonCall], int]) -> None:
    null = os.open(os.devnull, os.O_RDWR)
    for target in range(_STANDARD_DESCRIPTORS):
        os.dup2(null, target)
    os.dup2(gate_end, _FIRST_FREE_DESCRIPTOR)
    os.closerange(_FIRST_FREE_DESCRIPTOR + 1, _MAX_DESCRIPTORS)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those who serve one client each
    gate = socket.socket(fileno=_FIRST_FREE_DESCRIPTOR)
    while True:
        _, descriptors, _, _ = socket.recv_fds(gate, 1, 1 + _STANDARD_DESCRIPTORS)
        if not descriptors:
            return
        if not os.fork():
            try:
                _serve_client(socket.socket(fileno=descriptors[0]), descriptors[1:], run)
            finally:
                os._exit(0)
        for descriptor in descriptors:
            os.close(descriptor)


def _serve_client(connection: socket.socket, standard: list[int], run: Callable[[PythonCall], int]) -> None:
    """Run a client's program, end it if the client is killed, and report how it ended."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    request: Any = wire.receive_frame(connection)  # by our client, or by the player's code, which may fail here
    call = PythonCall(*request)
    pid = os.fork()
    if not pid:
        status = _EXIT_FAILED_TO_START
        try:
            for target, descriptor in enumerate(standard):
                os.dup2(descriptor, target)
            os.closerange(_FIRST_FREE_DESCRIPTOR, _MAX_DESCRIPTORS)
            status = run(call)
        finally:
            os._exit(status)
    for descriptor in standard:
        os.close(descriptor)
    if connection in select.select([connection, os.pidfd_open(pid)], [], [])[0]:
        os.kill(pid, signal.SIGTERM)
    connection.sendall(b"%d" % os.waitpid(pid, 0)[1])
