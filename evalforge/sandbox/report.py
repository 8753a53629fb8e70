"""The report of one run of untrusted code, with a name for every way in which it can end."""

from dataclasses import dataclass, field
from enum import StrEnum

TRACEBACK_START = "Traceback (most recent call last)"
"""The line with which Python begins to show an error."""


class Ending(StrEnum):
    """The ways in which a run can end."""

    EXIT = "exit"
    SIGNAL = "signal"
    TIMEOUT = "timeout"
    OUTPUT = "output"
    DISK = "disk"
    MEMORY = "memory"
    KILLED = "killed"
    HOST_LOST = "host lost"


@dataclass(frozen=True)
class RunLimits:
    """Limits of one run. Sizes are in bytes, times in seconds of wall clock.

    ``memory_bytes`` limits each process, ``memory_in_all_bytes`` all processes of a run that may start others.
    """

    seconds: float = 2.0
    memory_bytes: int = 512 * 1024 * 1024
    memory_in_all_bytes: int = 1024 * 1024 * 1024
    output_bytes: int = 1024 * 1024
    file_bytes: int = 16 * 1024 * 1024
    scratch_bytes: int = 64 * 1024 * 1024
    open_files: int = 128


@dataclass(frozen=True)
class UncaughtError:
    """An uncaught exception: its type, message, and the innermost line of the player's code.

    ``refused`` says what the sandbox refused, e.g. ``open a socket``, if that caused it.
    """

    type: str = ""
    message: str = ""
    path: str = ""
    line: int | None = None
    refused: str = ""


@dataclass(frozen=True)
class RunReport:
    """A run that has ended. ``files`` are those created or changed in its working directory.

    ``cpu_seconds`` and ``peak_memory_bytes`` are the kernel's numbers, which the run can't forge.
    """

    ending: Ending
    exit_code: int | None = None
    signal: int | None = None
    stdout: str = ""
    stderr: str = ""
    files: dict[str, bytes] = field(default_factory=dict[str, bytes])
    uncaught_error: UncaughtError | None = None
    stuck_path: str = ""
    stuck_line: int | None = None
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_memory_bytes: int = 0
    limits: RunLimits = RunLimits()

    @property
    def abnormal_end(self) -> str:
        """Why the run did not end normally, e.g. ``timed out after 2.0 s at tally.py:3``; empty if it did."""
        if self.ending is Ending.TIMEOUT:
            where = f" at {self.stuck_path}:{self.stuck_line}" if self.stuck_path else ""
            return f"timed out after {self.limits.seconds:.1f} s{where}"
        if self.ending is Ending.OUTPUT:
            return f"printed more than {self.limits.output_bytes // 1024:,} kB"
        if self.ending is Ending.DISK:
            max_mb = self.limits.scratch_bytes // (1024 * 1024)
            return f"wrote more than {max_mb} MB to disk (a file counts for 32 kB at least)"
        if self.ending is Ending.MEMORY:
            return (
                f"used more than {self.limits.memory_in_all_bytes // (1024 * 1024)} MB of memory in all its processes"
            )
        if self.ending is Ending.SIGNAL:
            return f"was ended by {signal_name(self.signal)}"
        if self.ending is Ending.HOST_LOST:
            return "crashed its process"
        if self.ending is Ending.KILLED:
            return "was stopped"
        if self.uncaught_error and self.uncaught_error.type == "MemoryError":
            return f"used more than {self.limits.memory_bytes // (1024 * 1024)} MB of memory"
        return ""


def signal_name(number: int | None) -> str:
    """A signal in words, e.g. ``a segmentation fault``."""
    import signal

    names = {
        signal.SIGSEGV: "a segmentation fault",
        signal.SIGKILL: "the system (killed)",
        signal.SIGXCPU: "the limit on CPU time",
        signal.SIGXFSZ: "the limit on file size",
        signal.SIGABRT: "an abort",
        signal.SIGSYS: "a forbidden system call",
    }
    if number is None:
        return "a signal"
    return next((name for signal_number, name in names.items() if signal_number == number), f"signal {number}")
