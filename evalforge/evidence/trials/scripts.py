"""The ``cli`` fixture: run the player's script and check its exit code, output and files."""

import json
import re
import shlex
from collections.abc import Callable, Mapping
from typing import Any

from evalforge.evidence.trials.disguise import Disguise
from evalforge.evidence.trials.player_errors import RunStoppedError
from evalforge.evidence.trials.shell_command import call_command
from evalforge.model.evidence import TrialStep
from evalforge.model.text import clean_line
from evalforge.sandbox.client import Host
from evalforge.sandbox.program import Call, Program
from evalforge.sandbox.report import TRACEBACK_START, RunLimits, RunReport
from evalforge.sandbox.staging import StagedSubmission

_MAX_ARGUMENT_CHARS = 40


class ScriptRun:
    """One finished run of the player's script, as a trial sees it."""

    def __init__(self, report: RunReport) -> None:
        self._report = report
        self.exit_code = report.exit_code
        self.stdout = report.stdout
        self.stderr = report.stderr
        self.files = report.files
        self.seconds = report.seconds

    @property
    def output(self) -> str:
        """Standard output, followed by standard error."""
        return self.stdout + self.stderr

    @property
    def traceback(self) -> bool:
        """Whether an exception escaped, or the program printed a traceback itself."""
        return self._report.uncaught_error is not None or TRACEBACK_START in self.output

    def places_of(self, *words: str) -> list[str]:
        """The places where whole words were printed, such as ``HEAT on stderr, line 3``, in order of lines."""
        pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})\b")
        streams = (("stdout", self.stdout), ("stderr", self.stderr))
        return [
            f"{word} on {name}, line {number}"
            for name, printed in streams
            for number, line in enumerate(printed.splitlines(), 1)
            for word in pattern.findall(line)
        ]

    def json(self, name: str) -> Any:
        """Parse a JSON file that the script wrote.

        Raises:
            AssertionError: The file is missing or invalid; the message fails the trial in words.
        """
        content = self.files.get(name)
        assert content is not None, f"No output file {name} was written."
        try:
            return json.loads(content.decode("utf-8"))
        except (ValueError, RecursionError):
            raise AssertionError(f"{name} is not valid JSON.") from None

    @property
    def report(self) -> RunReport:
        """The sandbox's report of the run."""
        return self._report


class Cli:
    """Runs the boss's entry script; each call is a new process in a new directory.

    Args:
        host: The host that runs the code.
        staged: The submission on disk.
        program: The entry, or None if the submission lacks it.
        entry_name: The entry's name in the contract.
        limits: The limits of each call.
        note: Called with each step and the report of its run.
    """

    def __init__(
        self,
        host: Host,
        staged: StagedSubmission,
        program: Program | None,
        entry_name: str,
        limits: RunLimits,
        note: Callable[[TrialStep, RunReport], None],
    ) -> None:
        self._host = host
        self._staged = staged
        self._program = program
        self._entry_name = entry_name
        self._limits = limits
        self._note = note
        self._last_call: Call | None = None
        self._disguise: Disguise | None = None

    def disguise(self, disguise: Disguise) -> None:
        """Replace words before the program sees them; steps and commands keep the trial's own words."""
        self._disguise = disguise

    def command(self) -> str:
        """The last call as a shell command; empty if there was none, or if it is too long."""
        return call_command(self._program, self._last_call) if self._last_call else ""

    def __call__(
        self,
        *args: object,
        files: Mapping[str, str | bytes] | None = None,
        stdin: str | bytes = b"",
        env: Mapping[str, str] | None = None,
    ) -> ScriptRun:
        """Run the player's script with these arguments.

        Raises:
            SpoiledError: The run did not end by itself.
        """
        assert self._program is not None, f"There is no {self._entry_name} to run."
        call = Call(
            args=tuple(str(arg) for arg in args),
            stdin=_as_bytes(stdin),
            env=dict(env or {}),
            files={name: _as_bytes(content) for name, content in (files or {}).items()},
        )
        self._last_call = call
        shown = self._disguise.show_call(call) if self._disguise else call
        report = self._host.run(self._staged, self._program, shown, self._limits)
        if self._disguise:
            report = self._disguise.reveal_report(report)
        self._note(_step(self._entry_name, call, report), report)
        if report.abnormal_end:
            raise RunStoppedError(report)
        return ScriptRun(report)


def _as_bytes(content: str | bytes) -> bytes:
    return content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content


def _step(entry: str, call: Call, report: RunReport) -> TrialStep:
    """The step of one call: its command line, and how it ended."""
    command_line = " ".join(map(shlex.quote, call.args))
    result = report.abnormal_end or f"exit status {report.exit_code}"
    if report.uncaught_error:
        result += f", {report.uncaught_error.type} escaped"
    elif not report.abnormal_end and report.stderr.strip():
        result += f", last line on stderr: {report.stderr.strip().splitlines()[-1][: _MAX_ARGUMENT_CHARS * 2]}"
    return TrialStep(call=clean_line(f"{entry} {command_line}".strip()), result=clean_line(result))
