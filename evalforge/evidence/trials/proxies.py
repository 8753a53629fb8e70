"""The ``player`` fixture: the player's modules and objects, used from outside their process."""

import functools
import inspect
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from evalforge.evidence.trials.disguise import Disguise
from evalforge.evidence.trials.player_errors import PlayerError, RunStoppedError
from evalforge.evidence.trials.player_session import PlayerSession
from evalforge.evidence.trials.shell_command import script_command
from evalforge.model.evidence import TrialStep
from evalforge.sandbox.client import Host
from evalforge.sandbox.program import Program
from evalforge.sandbox.report import RunLimits, RunReport
from evalforge.sandbox.staging import StagedSubmission

__all__ = ["Player", "PlayerError", "RunStoppedError"]
"""The names that trials of boss packs import from this module."""


@functools.cache
def source_of(function: Callable[..., Any]) -> str:
    """The source of a function, for compiling it elsewhere. Cached, since finding it takes longer than most trials."""
    source = textwrap.dedent(inspect.getsource(function))
    return f"from typing import Any\n\n\n{source}" if ": Any" in source or "-> Any" in source else source


@dataclass(frozen=True)
class CallCost:
    """A driver's result and the resources that its process used, as measured by the kernel.

    ``peak_memory_bytes`` includes the initial memory of each run, so only the difference between two runs has a
    meaning.
    """

    answer: Any
    cpu_seconds: float
    peak_memory_bytes: int


class Player:
    """The player's code in a trial. Each trial has one process, started at the first use.

    Args:
        host: The host that runs the code.
        staged: The submission on disk.
        limits: The limits; ``limits.seconds`` applies to each operation.
        note: Called with each step and the report of its run.
    """

    def __init__(
        self,
        host: Host,
        staged: StagedSubmission,
        limits: RunLimits,
        note: Callable[[TrialStep, RunReport | None], None],
    ) -> None:
        self._host = host
        self._staged = staged
        self._limits = limits
        self._note = note
        self._files: dict[str, bytes] = {}
        self._session: PlayerSession | None = None
        self._disguise: Disguise | None = None

    def disguise(self, disguise: Disguise) -> None:
        """Replace words in all plain data and in shipped functions; call this only before the first use of the code.

        Files are unchanged.
        """
        assert self._session is None, "disguise() comes before the first use of the player's code"
        self._disguise = disguise

    def files(self, files: Mapping[str, str | bytes]) -> None:
        """Put files in the working directory; call this only before the first use of the player's code."""
        assert self._session is None, "files() comes before the first use of the player's code"
        for name, content in files.items():
            self._files[name] = content.encode() if isinstance(content, str) else content

    def module(self, name: str) -> Any:
        """Import one of the player's modules; its contents are attributes of the proxy."""
        return self._open().perform("import", [name])

    def wait(self, awaitable: Any) -> Any:
        """Run one of the player's awaitables to its end and return the result."""
        return self._open().perform("wait", [awaitable])

    def equal(self, left: Any, right: Any) -> bool:
        """Whether the player's own ``==`` says that two objects are equal; this never proves that a result is right."""
        return bool(self._open().perform("equal", [left, right]))

    def class_names(self, value: Any) -> list[str]:
        """The names of an object's class and its bases, its own first."""
        return [str(name) for name in self._open().perform("types", [value])]

    def drive(self, function: Callable[..., Any], *args: Any) -> Any:
        """Run a module-level function of the trial in the player's process, and return its result as plain data.

        Use this for threads and asyncio. The function may import the player's modules, but must not contain expected
        results, because the player's code can read it.
        """
        return self._open().perform("drive", [source_of(function), function.__name__, list(args)])

    def measure(self, function: Callable[..., Any], *args: Any) -> CallCost:
        """Run a function like ``drive``, but in a process of its own that is measured from outside."""
        self.close()
        self._session = None
        answer = self.drive(function, *args)
        report = self._open().close()
        self._session = None
        return CallCost(answer, report.cpu_seconds, report.peak_memory_bytes)

    def read(self, name: str) -> bytes | None:
        """Read a file in the working directory, or None. This ends the session, so call it last."""
        report = self.close()
        if report and name in report.files:
            return report.files[name]
        return self._files.get(name)

    def command(self, program: Program | None) -> str:
        """The trial's steps as a shell command; empty if they can't be written as one."""
        script = self._session.transcript.script() if self._session else ""
        return script_command(script, self._files, program)

    def _open(self) -> PlayerSession:
        if self._session is None:
            self._session = PlayerSession(
                self._host, self._staged, self._files, self._limits, self._note, self._disguise
            )
        return self._session

    def close(self) -> RunReport | None:
        """End the player's process, if one was started."""
        return self._session.close() if self._session else None
