"""The trusted process beside the game: warmed once, it forks one worker for each submission.

Requests come as lines of JSON on standard input; events go out as lines of JSON. Hidden trials, expectations and
comparisons live here; the player's code lives in the host.
"""

import contextlib
import gc
import os
import signal
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO

from evalforge.evidence.aside import Aside
from evalforge.evidence.hygiene import steering_files
from evalforge.evidence.messages import Ended, GatherRequest, Hosts, Ready
from evalforge.evidence.player_tests import PlayerTests
from evalforge.evidence.reading import is_test_file, read_code
from evalforge.evidence.trials.counts import trial_facts
from evalforge.evidence.trials.plugin import TrialRun
from evalforge.evidence.trials.running import Perform, rehearse
from evalforge.evidence.trials.scripts import find_entry
from evalforge.library.contents import files_below
from evalforge.model.base import Frozen
from evalforge.model.errors import EvalForgeError, SandboxError
from evalforge.model.events import Event, FactMeasured, Progress, TrialFinished, TrialsPlanned
from evalforge.model.evidence import Fact, Finding
from evalforge.model.submission import Submission
from evalforge.sandbox.client import Host
from evalforge.sandbox.stage import Staged
from evalforge.sandbox.testhost import TestHost


class Workshop:
    """Hosts, kept warm between submissions."""

    def __init__(self, out: IO[str]) -> None:
        self._out = out
        self._hosts: dict[tuple[str, str], Host] = {}
        self._test_hosts: dict[tuple[str, str], TestHost] = {}
        self._said: frozenset[int] = frozenset()

    def host(self, python: str = "", layer: str = "") -> Host:
        """The host for an interpreter, started if need be, replaced if it is gone."""
        key = (python, layer)
        if key not in self._hosts:
            self._hosts[key] = Host(python, layer, self._say_hosts)
        elif not self._hosts[key].alive:
            self._hosts[key].start()
        return self._hosts[key]

    def test_host(self, python: str = "", layer: str = "") -> TestHost:
        """The host for the player's own tests, in the same way; nobody waits for it to be warm."""
        key = (python, layer)
        if key not in self._test_hosts:
            self._test_hosts[key] = TestHost(self.host(python, layer))
        elif not self._test_hosts[key].alive:
            self._test_hosts[key].start()
        return self._test_hosts[key]

    def say(self, message: Frozen) -> None:
        """Send one message."""
        self._out.write(message.model_dump_json() + "\n")
        self._out.flush()

    def _say_hosts(self, *starting: int) -> None:
        hosts = (*self._hosts.values(), *self._test_hosts.values())
        pids = frozenset([*starting, *(host.pid for host in hosts if host.alive)])
        if pids != self._said:
            self._said = pids
            self.say(Hosts(pids=pids))

    def serve(self, lines: IO[str]) -> None:
        """Answer requests until there are no more."""
        try:
            host = self.host()
            with contextlib.suppress(SandboxError):  # whoever asks for tests is told
                self.test_host()
            self._say_hosts()
            self.say(Ready(layer=host.layer, probe=host.probe))
            rehearse(Path(__file__).parent, lambda perform: None)  # no trials there: it only warms pytest
            request = _next(lines)
            while request is not None:
                request = self._hold(request, lines)
        finally:
            for host in (*self._hosts.values(), *self._test_hosts.values()):
                host.shut_down()

    def _hold(self, first: GatherRequest, lines: IO[str]) -> GatherRequest | None:
        """Serve a request and those after it that want the same trials; gives the first that wants others."""
        request: GatherRequest | None = first
        folder, state = first.trials, _state(first.trials)

        def serve(perform: Perform) -> None:
            nonlocal request
            gc.collect()
            gc.freeze()
            while request is not None and request.trials == folder and _state(folder) == state:
                self._gather_in_child(request, perform)
                request = _next(lines)

        rehearse(folder, serve)
        return request

    def _gather_in_child(self, request: GatherRequest, perform: Perform) -> None:
        """Fork a worker, so that nothing of one submission's trials reaches the next."""
        try:
            host = self.host(request.python, request.layer)
            test_host = self.test_host(request.python, request.layer)
        except SandboxError as error:
            self._say_hosts()
            self.say(Ended(fatal=error.message, hint=error.hint))
            return
        self._say_hosts()
        worker = os.fork()
        if not worker:
            code = 1
            try:
                self.say(gather(request, host, test_host, perform, self._tell))
                code = 0
            finally:
                os._exit(code)
        _, status = os.waitpid(worker, 0)
        if status:
            for lost in (host, test_host):  # it may have left them in the middle of something
                with contextlib.suppress(SandboxError):
                    lost.start()
            self._say_hosts()
            self.say(Ended(fatal="The process that holds the trials ended unexpectedly."))

    def _tell(self, event: Event) -> None:
        self.say(event)


def _next(lines: IO[str]) -> GatherRequest | None:
    line = lines.readline()
    return GatherRequest.model_validate_json(line) if line else None


def _state(trials: Path) -> list[tuple[str, int, int]]:
    """What shows that trials were changed: names, times and sizes."""
    found = ((path, path.stat()) for path in files_below(trials))
    return [(str(path), status.st_mtime_ns, status.st_size) for path, status in found]


def gather(
    request: GatherRequest, host: Host, test_host: TestHost, perform: Perform, tell: Callable[[Event], None]
) -> Ended:
    """Measure everything about one submission. Its own tests run while the trials do."""
    submission = request.submission
    reading = Aside(lambda: [fact.model_dump(mode="json") for fact in read_code(submission)])
    try:
        with (
            Staged(submission, frozenset(steering_files(submission))) as staged,
            PlayerTests(test_host, staged, submission) as tests,
        ):
            run = TrialRun(
                boss_id=request.boss_id,
                host=host,
                staged=staged,
                program=find_entry(submission, request.entry_files),
                entry_name=" or ".join(request.entry_files) or "program",
                planned=lambda groups: tell(TrialsPlanned(groups=groups)),
                finished=lambda trial: tell(TrialFinished(trial=trial)),
            )
            host.compile(staged, _programs(submission))
            perform(run)
            tell(Progress(message="Reading the code"))
            for fact in (*trial_facts(tuple(run.results)), *_read(reading)):
                tell(FactMeasured(fact=fact))
            tell(Progress(message="Trying faults on the tests"))
            for fact in tests.facts():
                tell(FactMeasured(fact=fact))
    except EvalForgeError as error:
        return Ended(fatal=error.message, hint=error.hint)
    return Ended()


def _programs(submission: Submission) -> list[str]:
    """The files that its programs may consist of; those of its tests are not run with them."""
    return [file.path for file in submission.files if file.path.endswith(".py") and not is_test_file(file.path)]


def _read(reading: Aside) -> tuple[Fact, ...]:
    """The static facts; code that can't be read in bounded time and memory has none, and that is said."""
    found = reading.result()
    if found is None:
        finding = Finding(message="This code is too deeply nested or too large to read.")
        return (Fact(name="code.syntax_errors", value=1, findings=(finding,)),)
    return tuple(Fact.model_validate(fact) for fact in found)


def main() -> None:
    """Run the workshop on this process's own standard streams."""
    os.setsid() if os.getpid() != os.getsid(0) else None
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    # Whatever a library prints must not mix with our messages.
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    try:
        Workshop(out).serve(sys.stdin)
    finally:
        # The game removes the folder it gave us; one that was killed can't.
        with contextlib.suppress(OSError):
            Path(tempfile.gettempdir()).rmdir()
