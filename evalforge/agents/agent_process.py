"""Run a command-line agent in a folder: for a limited time, and as isolated as a program with network access can be."""

import asyncio
import os
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from evalforge.model.errors import UsageError
from evalforge.packs.atomic_files import write_bytes

_KEPT_OUTPUT_BYTES = 200_000
_KILL_GRACE_SECONDS = 5.0
_OWNER_ONLY = 0o077
"""The umask of an agent: nobody else may read what it builds."""


@dataclass(frozen=True)
class AgentCommand:
    """How to start an agent.

    Attributes:
        arguments: The command; ``{folder}``, ``{task}`` and ``{feedback}`` are replaced by paths.
        hidden: Folders that the agent must not read: bosses, attempts, other runs of the contest.
        seconds: The time limit of one attempt.
        caged: Whether it runs in a bubblewrap sandbox.
        keeps_home: Whether it sees the user's home folder; in the sandbox it can't write there.
    """

    arguments: tuple[str, ...]
    hidden: tuple[Path, ...]
    seconds: float
    caged: bool
    keeps_home: bool = False


@dataclass(frozen=True)
class AgentEnding:
    """How a run of an agent ended: ``done``, ``failed`` (its exit status was not 0) or ``timeout``."""

    state: str
    seconds: float
    exit_status: int | None


@dataclass(frozen=True)
class AgentFolders:
    """The folders of one attempt: one to build in, a home for the agent, the task, and feedback."""

    work: Path
    home: Path
    task: Path
    feedback: Path


def split_command(command: str) -> tuple[str, ...]:
    """Split a command into words, and resolve its program; no shell is involved.

    Raises:
        UsageError: It can't be split, or its program isn't found.
    """
    try:
        arguments = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"--agent {command!r} can't be read: {error}.") from None
    program = shutil.which(arguments[0]) if arguments else None
    if program is None:
        raise UsageError(
            f"--agent: there is no program {arguments[0] if arguments else ''!r}.", "Name a command that starts."
        )
    return (str(Path(program).absolute()), *arguments[1:])


@cache
def can_cage() -> bool:
    """Return whether bubblewrap works on this machine."""
    program = shutil.which("bwrap")
    if program is None:
        return False
    command = [program, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-pid", "/bin/true"]
    try:
        return subprocess.run(command, capture_output=True, timeout=20, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


async def run_agent(command: AgentCommand, folders: AgentFolders, log: Path) -> AgentEnding:
    """Run an agent once. Its standard input is the task, with the feedback after it; its output goes to a log.

    At the end its process group is killed; in a sandbox, everything it started.
    """
    names = {"folder": folders.work, "task": folders.task, "feedback": folders.feedback}
    arguments = [_fill_in(argument, names) for argument in command.arguments]
    if command.caged:
        arguments = [*_cage(command, folders), *arguments]
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("EVALFORGE_")},
        "TMPDIR": str(folders.home),
        **{f"EVALFORGE_{name.upper()}": str(path) for name, path in names.items() if path.exists()},
        **({"HOME": str(folders.home)} if not command.keeps_home else {}),
    }
    started_at = time.monotonic()
    process = await asyncio.create_subprocess_exec(
        *arguments,
        cwd=folders.work,
        env=environment,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        start_new_session=True,
        umask=_OWNER_ONLY,
    )
    speaking = asyncio.create_task(_converse(process, _task_text(folders), log))
    try:
        await asyncio.wait({asyncio.create_task(process.wait())}, timeout=command.seconds)
        is_late = process.returncode is None
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), _KILL_GRACE_SECONDS)
        with suppress(TimeoutError):
            # A process that left the group may keep the pipe open forever.
            await asyncio.wait_for(speaking, _KILL_GRACE_SECONDS)
    seconds = round(time.monotonic() - started_at, 3)
    if is_late:
        return AgentEnding("timeout", seconds, None)
    return AgentEnding("failed" if process.returncode else "done", seconds, process.returncode)


def _fill_in(argument: str, names: dict[str, Path]) -> str:
    for name, path in names.items():
        argument = argument.replace(f"{{{name}}}", str(path))
    return argument


def _task_text(folders: AgentFolders) -> bytes:
    return b"\n".join(path.read_bytes() for path in (folders.task, folders.feedback) if path.exists())


async def _converse(process: asyncio.subprocess.Process, text: bytes, log: Path) -> None:
    """Send an agent its task, and keep its output up to a limit; the rest is read and dropped."""
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(BrokenPipeError, ConnectionResetError):
        process.stdin.write(text)
        await process.stdin.drain()
    process.stdin.close()
    output_end = b""
    while block := await process.stdout.read(65_536):
        output_end = (output_end + block)[:_KEPT_OUTPUT_BYTES]
    write_bytes(log, output_end)


def _cage(command: AgentCommand, folders: AgentFolders) -> Sequence[str]:
    """Return the bubblewrap command: the machine read-only, ``hidden`` invisible, the agent's own folders writable."""
    arguments = [shutil.which("bwrap") or "bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    for folder in command.hidden:
        if folder.is_dir():
            arguments += ["--tmpfs", str(folder)]
    for path in (folders.work, folders.home):
        arguments += ["--bind", str(path), str(path)]
    for path in (folders.task, folders.feedback):
        if path.exists():
            arguments += ["--ro-bind", str(path), str(path)]
    # Listed last: mount points are created inside these.
    for folder in command.hidden:
        if folder.is_dir():
            arguments += ["--remount-ro", str(folder)]
    isolation = ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent", "--cap-drop", "ALL"]
    return [*arguments, *isolation, "--chdir", str(folders.work)]
