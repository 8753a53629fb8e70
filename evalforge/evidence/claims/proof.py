"""Proof of claims by running each on the submission and on every program that keeps the contract.

A claim is confirmed if all right programs give the result that it expects, and the submission twice gives the wrong
result that it predicts. An unconfirmed claim proves nothing.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from evalforge.evidence.claims.claim_runner import Interpreter
from evalforge.evidence.claims.claim_steps import MAX_STEPS, ClaimError, Step, parse_step
from evalforge.evidence.claims.claimed_program import LIMITS, ClaimedProgram
from evalforge.evidence.claims.contract import is_stated
from evalforge.evidence.claims.outcomes import Outcome, OutcomeKind, parse_outcome, value_outcome
from evalforge.evidence.claims.right_programs import RightPrograms
from evalforge.evidence.control_files import control_files
from evalforge.evidence.trials.player_errors import PlayerError, RunStoppedError
from evalforge.evidence.trials.scripts import ScriptRun
from evalforge.evidence.trials.trial_timeout import OverlongError, time_limited
from evalforge.model.claim import Claim
from evalforge.model.evidence import ClaimResult, ClaimState, TrialStep
from evalforge.model.submission import Submission
from evalforge.sandbox.client import Host
from evalforge.sandbox.staging import StagedSubmission
from evalforge.submissions.entry import find_entry

MAX_SECONDS = 40.0
"""The time limit of all claims in one judging, in seconds."""


@dataclass(frozen=True)
class _ClaimRun:
    """The outcome of a claim's steps on one program."""

    outcome: Outcome
    steps: tuple[TrialStep, ...] = ()
    command: str = ""
    path: str = ""
    line: int | None = None


@dataclass(frozen=True)
class _ReadClaim:
    """A parsed claim, with its steps and outcomes."""

    claim: Claim
    steps: tuple[Step, ...]
    expected: Outcome
    got: Outcome


def check_claims(
    host: Host, submission: Submission, right: RightPrograms, claims: Sequence[Claim]
) -> Iterator[ClaimResult]:
    """Run claims, in the main thread of one of our processes; yields a result for each.

    Raises:
        SandboxError: The host can't run anything.
    """
    deadline = time.monotonic() + MAX_SECONDS
    with ExitStack() as stack:
        claim_checker = _ClaimChecker(host, submission, right, stack)
        for claim in claims:
            if time.monotonic() > deadline:
                reason = f"the claims before it took {MAX_SECONDS:.0f} s"
                yield ClaimResult(claim=claim, state=ClaimState.NOT_RUN, reason=reason)
                continue
            try:
                yield claim_checker.check(claim)
            except ClaimError as error:
                yield ClaimResult(claim=claim, state=ClaimState.NOT_RUN, reason=str(error))


class _ClaimChecker:
    """Checks claims on the submission and the right programs, each written to disk when it is first needed."""

    def __init__(self, host: Host, submission: Submission, right: RightPrograms, stack: ExitStack) -> None:
        self._host = host
        self._submission = submission
        self._right = right
        self._stack = stack
        self._staged: dict[int, StagedSubmission] = {}

    def check(self, claim: Claim) -> ClaimResult:
        """Run one claim on the submission and, if that gives the predicted result, on the right programs.

        Raises:
            ClaimError: The claim can't be run as written.
        """
        read_claim = self._read(claim)
        own = self._run(read_claim, self._submission)
        if not self._is_as_claimed(read_claim, own):
            return _result(claim, ClaimState.NOT_CONFIRMED, _difference_words(read_claim, own), own)
        for program in self._right.programs:
            outcome = self._run(read_claim, program).outcome
            if not outcome.matches(read_claim.expected):
                reason = f"a program that keeps the contract gives {outcome.words}, not {read_claim.expected.words}"
                return _result(claim, ClaimState.NOT_CONFIRMED, reason, own)
        if not self._is_as_claimed(read_claim, self._run(read_claim, self._submission)):
            return _result(claim, ClaimState.NOT_CONFIRMED, "it comes to something else the second time", own)
        return _result(claim, ClaimState.CONFIRMED, "", own)

    def _read(self, claim: Claim) -> _ReadClaim:
        if not self._right.programs:
            raise ClaimError("this boss has no right programs to hold it against")
        if not is_stated(self._right.contract, claim.contract):
            raise ClaimError("the contract doesn't say that in these words")
        if not 1 <= len(claim.steps) <= MAX_STEPS:
            raise ClaimError(f"it has no steps, or more than {MAX_STEPS}")
        expected, got = parse_outcome(claim.expected), parse_outcome(claim.got)
        if got.matches(expected):
            raise ClaimError("what it expects is what it says will come")
        steps = tuple(parse_step(step, self._right.entry_files) for step in claim.steps)
        return _ReadClaim(claim, steps, expected, got)

    @staticmethod
    def _is_as_claimed(read_claim: _ReadClaim, run: _ClaimRun) -> bool:
        return run.outcome.matches(read_claim.got) and not run.outcome.matches(read_claim.expected)

    def _run(self, read_claim: _ReadClaim, submission: Submission) -> _ClaimRun:
        program = ClaimedProgram(
            self._host,
            self._stage(submission),
            find_entry(submission, self._right.entry_files),
            self._right.entry_files,
            read_claim.claim.files,
        )
        try:
            with time_limited(LIMITS.seconds):
                return _run_steps(program, read_claim.steps)
        except OverlongError:
            return _ClaimRun(Outcome(OutcomeKind.HANGS), tuple(program.record.steps))
        finally:
            program.stop()

    def _stage(self, submission: Submission) -> StagedSubmission:
        if id(submission) not in self._staged:
            staged = StagedSubmission(submission, frozenset(control_files(submission)))
            self._staged[id(submission)] = self._stack.enter_context(staged)
        return self._staged[id(submission)]


def _run_steps(program: ClaimedProgram, steps: Sequence[Step]) -> _ClaimRun:
    """Perform all steps; one that raises doesn't prevent the next."""
    interpreter = Interpreter(program)
    outcome = Outcome(OutcomeKind.VALUE)
    path: str = ""
    line: int | None = None
    command = ""
    for step in steps:
        try:
            value = interpreter.perform(step)
        except RunStoppedError as error:
            kind = OutcomeKind.HANGS if error.timed_out else OutcomeKind.CRASHES
            place = (error.report.stuck_path, error.report.stuck_line)
            return _ClaimRun(Outcome(kind), tuple(program.record.steps), program.record.command(), *place)
        except PlayerError as error:
            command = program.record.command()
            path, line = error.path, error.line
            outcome = Outcome(OutcomeKind.RAISES, names=program.class_names(error))
        else:
            is_run = isinstance(value, ScriptRun)
            outcome = Outcome(OutcomeKind.EXIT_STATUS, value.exit_code) if is_run else value_outcome(value)
            path, line, command = "", None, program.record.command()
    return _ClaimRun(outcome, tuple(program.record.steps), command, path, line)


def _difference_words(read_claim: _ReadClaim, run: _ClaimRun) -> str:
    if run.outcome.matches(read_claim.expected):
        return f"the submission gives {run.outcome.words}, as the contract asks"
    return f"the submission gives {run.outcome.words}, not {read_claim.got.words}"


def _result(claim: Claim, state: ClaimState, reason: str, run: _ClaimRun) -> ClaimResult:
    return ClaimResult(
        claim=claim,
        state=state,
        reason=reason,
        expected=parse_outcome(claim.expected).words,
        got=run.outcome.words,
        steps=run.steps,
        command=run.command,
        path=run.path,
        line=run.line,
    )
