"""The trial worker: a trusted process beside the game, preloaded once, which forks a child for each submission.

Requests come as lines of JSON on standard input; events go out as lines of JSON. Hidden trials, expected results and
comparisons are here; the player's code is in the host.
"""

import contextlib
import gc
import itertools
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO

from evalforge.evidence.control_files import control_files
from evalforge.evidence.effects.measure import EffectMeasurement, asked_effects
from evalforge.evidence.effects.reported_failures import FailureReports
from evalforge.evidence.forked_task import ForkedTask, ParserDiedError
from evalforge.evidence.messages import GatheringEnded, GatherRequest, HostsChanged, HostsWarm, WorkerStarted
from evalforge.evidence.process_death import ended_process
from evalforge.evidence.static import is_test_file, read_code
from evalforge.evidence.suite.certification import MutantTrials, trials_end
from evalforge.evidence.suite.claims import check_claims, right_programs
from evalforge.evidence.suite.examination import PlayerTestExamination, TestMeasurement
from evalforge.evidence.suite.impostors import ImpostorSource, meet_impostors
from evalforge.evidence.suite.run import Suite, find_suite
from evalforge.evidence.trials.run_trials import RunTrials, collect_trials, trial_facts
from evalforge.evidence.trials.trial_run import TrialRun
from evalforge.model.base import Frozen
from evalforge.model.errors import EvalForgeError, SandboxError
from evalforge.model.events import (
    ClaimChecked,
    Event,
    FactMeasured,
    ImpostorMet,
    Progress,
    TrialFinished,
    TrialsPlanned,
)
from evalforge.model.evidence import LOAD_GROUP, Fact, Finding
from evalforge.model.submission import Submission
from evalforge.packs.fingerprint import file_states
from evalforge.packs.path_checks import pack_file
from evalforge.sandbox.client import Host
from evalforge.sandbox.execution import Execution
from evalforge.sandbox.player_test_host import PlayerTestHost
from evalforge.sandbox.staging import StagedSubmission
from evalforge.submissions.entry import find_entry

# This many right programs are run at a time. The hosts for tests have a lower priority than the one for trials.
TEST_HOSTS = min(2, os.cpu_count() or 1)
MAX_READING_SECONDS = 15
"""The CPU time for reading, in seconds; the largest code that is read takes two to four."""
_PROGRESS_SECONDS = 0.4
_EXIT_OWN_FAILURE = 3
"""The exit status of a child that has already reported what failed."""


class TrialWorker:
    """Serves requests, with hosts kept ready between submissions."""

    def __init__(self, out: IO[str]) -> None:
        self._out = out
        self._hosts: dict[tuple[str, str], Host] = {}
        self._test_hosts: dict[tuple[str, str], tuple[PlayerTestHost, ...]] = {}
        self._sent_pids: frozenset[int] = frozenset()

    def host(self, python: str = "", layer: str = "") -> Host:
        """The host for an interpreter and an isolation layer, started if needed, or replaced if it has ended."""
        key = (python, layer)
        if key not in self._hosts:
            self._hosts[key] = Host(python, layer, self._send_hosts)
        elif not self._hosts[key].alive:
            self._hosts[key].start()
        return self._hosts[key]

    def test_hosts(self, python: str = "", layer: str = "") -> tuple[PlayerTestHost, ...]:
        """The hosts for the player's own tests, started in the same way, without waiting until they are ready."""
        key = (python, layer)
        if key not in self._test_hosts:
            host = self.host(python, layer)
            self._test_hosts[key] = tuple(PlayerTestHost(host) for _ in range(TEST_HOSTS))
        for test_host in self._test_hosts[key]:
            if not test_host.alive:
                test_host.start()
        return self._test_hosts[key]

    def _all_hosts(self) -> list[Host]:
        return [*self._hosts.values(), *itertools.chain.from_iterable(self._test_hosts.values())]

    def send(self, message: Frozen) -> None:
        """Send one message to the engine."""
        self._out.write(message.model_dump_json() + "\n")
        self._out.flush()

    def _send_hosts(self, *starting: int) -> None:
        pids = frozenset([*starting, *(host.pid for host in self._all_hosts() if host.alive)])
        if pids != self._sent_pids:
            self._sent_pids = pids
            self.send(HostsChanged(pids=pids))

    def serve(self, lines: IO[str]) -> None:
        """Answer requests until there are no more."""
        try:
            host = self.host()
            with contextlib.suppress(SandboxError):  # a request for tests will report it
                self.test_hosts()
            self._send_hosts()
            self.send(WorkerStarted(layer=host.layer, probe=host.probe))
            collect_trials(Path(__file__).parent, lambda perform: None)  # no trials there; this only preloads pytest
            request = self._next_request(lines)
            while request is not None:
                request = self._serve_same_trials(request, lines)
        finally:
            for host in self._all_hosts():
                host.shut_down()

    def _serve_same_trials(self, first: GatherRequest, lines: IO[str]) -> GatherRequest | None:
        """Serve requests for the same trials; returns the first request for other trials, or None at the end."""
        request: GatherRequest | None = first
        folder, states = first.trials, file_states(first.trials)

        def serve(perform: RunTrials) -> None:
            nonlocal request
            gc.collect()
            gc.freeze()
            while request is not None and request.trials == folder and file_states(folder) == states:
                self._gather_in_child(request, perform)
                request = self._next_request(lines)

        collect_trials(folder, serve)
        return request

    def _gather_in_child(self, request: GatherRequest, perform: RunTrials) -> None:
        """Measure in a forked child, so that nothing of one submission's trials reaches the next."""
        try:
            host = self.host(request.python, request.layer)
            test_hosts = self.test_hosts(request.python, request.layer)
        except SandboxError as error:
            self._send_hosts()
            self.send(GatheringEnded.by(error))
            return
        self._send_hosts()
        child = os.fork()
        if not child:
            code = 1
            try:
                self.send(gather(request, host, test_hosts, perform, self._send_event))
                code = 0
            except Exception as error:  # noqa: BLE001 - the player's code runs elsewhere, so this fault is ours
                self.send(GatheringEnded.by(error))
                code = _EXIT_OWN_FAILURE
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
        if status:
            for used_host in (host, *test_hosts):  # the child may have left them in the middle of a run
                with contextlib.suppress(SandboxError):
                    used_host.start()
            self._send_hosts()
            exit_code = os.waitstatus_to_exitcode(status)
            if exit_code != _EXIT_OWN_FAILURE:
                self.send(GatheringEnded.by(ended_process("The process that runs the trials", exit_code)))
        self._rewarm(host, test_hosts)

    def _rewarm(self, host: Host, test_hosts: Sequence[PlayerTestHost]) -> None:
        """Replace the hosts that a gathering used up, before the next one needs them."""
        with contextlib.suppress(SandboxError):  # the next request meets the same error and reports it
            if not host.is_connected:
                host.start()
            lost_hosts = [test_host for test_host in test_hosts if not test_host.is_connected]
            for test_host in lost_hosts:
                test_host.start()
                self._send_hosts()
            for test_host in lost_hosts:
                test_host.wait_until_warm()
        self._send_hosts()

    def _next_request(self, lines: IO[str]) -> GatherRequest | None:
        self.send(HostsWarm())
        line = lines.readline()
        return GatherRequest.model_validate_json(line) if line else None

    def _send_event(self, event: Event) -> None:
        self.send(event)


def gather(
    request: GatherRequest,
    host: Host,
    test_hosts: Sequence[PlayerTestHost],
    perform: RunTrials,
    emit: Callable[[Event], None],
) -> GatheringEnded:
    """Measure everything about one submission; the player's tests run while the trials do.

    Args:
        request: The submission and its boss.
        host: The host for the player's code.
        test_hosts: The hosts for the player's tests.
        perform: Runs the trials.
        emit: Called with each event.
    """
    submission = request.submission
    source = ImpostorSource(request.trials.parent, request.entry_files)
    try:
        if request.tests_alone:
            impostors = meet_impostors(find_suite(Suite(test_hosts, submission)), source, meets_all=True)
            _emit_tests(TestMeasurement(facts=impostors.facts(), impostors=impostors.results), emit)
            return GatheringEnded()
        if request.claims:
            right = right_programs(source, host.version)
            for result in check_claims(test_hosts, submission, right, request.claims):
                emit(ClaimChecked(claim=result))
            return GatheringEnded()
        with (
            StagedSubmission(submission, frozenset(control_files(submission))) as staged,
            contextlib.ExitStack() as stack,
        ):
            run = TrialRun(
                trial_seed=request.trial_seed,
                host=host,
                staged=staged,
                program=find_entry(submission, request.entry_files),
                entry_name=" or ".join(request.entry_files) or "program",
                on_planned=lambda groups: emit(TrialsPlanned(groups=groups)),
                on_finished=lambda trial: emit(TrialFinished(trial=trial)),
                hides_inputs=request.hides_inputs,
            )
            mutant_trials = MutantTrials(submission, run, perform)
            tests = stack.enter_context(PlayerTestExamination(test_hosts, submission, source, mutant_trials))
            program_files = _program_files(submission)
            host.compile(staged, program_files)
            failures = FailureReports()
            with host.reports_to(failures.count):
                perform(run)
            emit(Progress(message="Reading the code"))
            has_worked = any(trial.passed for trial in run.results if trial.group != LOAD_GROUP)
            execution = replace(host.execution(staged), has_worked=has_worked, suite=tests.suite())
            names = asked_effects(pack_file(request.trials.parent, "evidence"))
            effects = EffectMeasurement(names, run, perform, program_files, execution)
            execution = effects.execution()
            reading = ReadingTask(submission, execution)
            effect_facts = effects.facts()
            tests.report_trials_end(trials_end(execution, run.results))
            for fact in (*trial_facts(tuple(run.results)), *reading.facts(), failures.fact(), *effect_facts):
                emit(FactMeasured(fact=fact))
            emit(Progress(message="Sending impostors to the tests"))
            _emit_tests(tests.result(_StepProgress(emit).show), emit)
    except EvalForgeError as error:
        return GatheringEnded.by(error)
    return GatheringEnded(execution=execution)


class _StepProgress:
    """Says from time to time how many wrong programs the tests have met."""

    def __init__(self, emit: Callable[[Event], None]) -> None:
        self._emit = emit
        self._shown_at = time.monotonic()

    def show(self, count: int) -> None:
        """Say so, unless something was said just before."""
        if time.monotonic() - self._shown_at >= _PROGRESS_SECONDS:
            self._shown_at = time.monotonic()
            self._emit(Progress(message=f"Sending impostors to the tests: {count} sent"))


def _emit_tests(measured: TestMeasurement, emit: Callable[[Event], None]) -> None:
    for result in measured.impostors:
        emit(ImpostorMet(impostor=result))
    for fact in measured.facts:
        emit(FactMeasured(fact=fact))


def _program_files(submission: Submission) -> list[str]:
    """The files that the player's programs may consist of: Python files, except tests."""
    return [file.path for file in submission.files if file.path.endswith(".py") and not is_test_file(file.path)]


class ReadingTask:
    """Reads the code in a process of its own.

    Args:
        submission: The submission.
        execution: What its trials executed.
    """

    def __init__(self, submission: Submission, execution: Execution) -> None:
        self._task = ForkedTask(
            "reading the code",
            lambda: [fact.model_dump(mode="json") for fact in read_code(submission, execution)],
            MAX_READING_SECONDS,
        )

    def facts(self) -> tuple[Fact, ...]:
        """The facts of static reading; if Python's parser fails on the code, only the fact that says so."""
        try:
            fact_data = self._task.result()
        except ParserDiedError:
            finding = Finding(message="This code is too deeply nested or too large to read.")
            return (Fact(name="code.syntax_errors", value=1, findings=(finding,)),)
        return tuple(Fact.model_validate(fact) for fact in fact_data)


def static_facts(submission: Submission, execution: Execution) -> tuple[Fact, ...]:
    """The facts of static reading, without anything beside it."""
    return ReadingTask(submission, execution).facts()


def main() -> None:
    """Run the trial worker on this process's standard streams."""
    os.setsid() if os.getpid() != os.getsid(0) else None
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # No bytecode is left in a pack, which may be a repository, and none reused for a file changed within a second.
    sys.dont_write_bytecode = True
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    # Output of libraries must not mix with our messages.
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    worker = TrialWorker(out)
    try:
        worker.serve(sys.stdin)
    except Exception as error:  # noqa: BLE001 - sent to the engine, since nobody reads our standard error
        worker.send(GatheringEnded.by(error))
    finally:
        # The game removes the folder that it made for us, unless it was killed.
        with contextlib.suppress(OSError):
            Path(tempfile.gettempdir()).rmdir()
