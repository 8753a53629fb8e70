"""Proof of claims: each has a test, which runs on the submission and on the boss's right programs.

A claim is confirmed if its test passes on every right program, and each time it runs on the submission a check of its
own fails, or the submission hangs. An unconfirmed claim proves nothing.

The submission runs in the process that reports on its tests, so it can forge the results of its own runs. That can only
hide or admit its faults. No file of it is present when tests run on right programs.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from evalforge.evidence.static import is_test_file
from evalforge.evidence.suite import layout
from evalforge.evidence.suite.claim_tests import ClaimError, check_test
from evalforge.evidence.suite.conversation import PlayerTestRun, SuiteReport
from evalforge.evidence.suite.impostors import PROGRAMS_NEED, ImpostorSource
from evalforge.evidence.suite.planting import read_program
from evalforge.evidence.suite.run import Program, Suite, run
from evalforge.model.claim import Claim
from evalforge.model.evidence import ClaimResult, ClaimState
from evalforge.model.submission import Submission, SubmissionFile
from evalforge.model.text import clean_line
from evalforge.packs.contract_clauses import is_stated, judged_contract
from evalforge.packs.impostors import read_impostors
from evalforge.sandbox.player_test_host import PlayerTestHost

MAX_SECONDS = 40.0
"""The time limit of all claims in one judging, in seconds."""
_LEAST_SECONDS = 1.0
_PYTEST_SETTINGS = frozenset(
    {"pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "tox.ini", "setup.cfg", "pyproject.toml"}
)
_OUT_OF_TIME = f"all claims of a judging have {MAX_SECONDS:.0f} s"
_LOOKS = "its test looks at code instead of behaviour"


@dataclass(frozen=True)
class RightPrograms:
    """The programs and the contract that claims are compared with.

    Attributes:
        programs: The source of each program by path; none if the boss has none, or if they can't run here.
        contract: The contract, without what it leaves open.
        entry_files: The names by which a program may be started.
    """

    programs: tuple[Mapping[str, str], ...]
    contract: str
    entry_files: tuple[str, ...]


def right_programs(source: ImpostorSource, version: tuple[int, ...]) -> RightPrograms:
    """The right programs of a boss that run on an interpreter's version.

    Raises:
        PackError: The boss's impostors can't be read.
    """
    impostors = read_impostors(source.pack)
    if impostors is None or version < PROGRAMS_NEED:
        return RightPrograms((), "", source.entry_files)
    programs = tuple(read_program(source.pack, program) for program in impostors.right)
    return RightPrograms(programs, judged_contract(source.contract, impostors.unjudged), source.entry_files)


def check_claims(
    hosts: Sequence[PlayerTestHost], submission: Submission, right: RightPrograms, claims: Sequence[Claim]
) -> list[ClaimResult]:
    """Run the tests of claims, and return one result for each.

    Raises:
        SandboxError: The hosts can't run anything.
    """
    checker = _ClaimChecker(hosts, submission, right, claims)
    checker.run_on_submission()
    checker.run_on_right_programs()
    checker.run_on_submission(is_reversed=True)  # what depends on chance, or on the tests before it, differs
    return checker.results()


class _ClaimChecker:
    """Claims whose proof is under way, by the file of their test, and the results of the others."""

    def __init__(
        self, hosts: Sequence[PlayerTestHost], submission: Submission, right: RightPrograms, claims: Sequence[Claim]
    ) -> None:
        self._hosts = hosts
        self._right = right
        self._place = layout.find_place(submission, right.entry_files)
        self._program_files = tuple(file for file in submission.files if not _controls_tests(file.path))
        self._deadline = time.monotonic() + MAX_SECONDS
        folder = PurePosixPath(self._place.folder)
        self._claims = {(folder / f"test_claim_{number}.py").as_posix(): claim for number, claim in enumerate(claims)}
        self._results: dict[str, ClaimResult] = {}
        self._failures: dict[str, PlayerTestRun] = {}
        for path, claim in self._claims.items():
            try:
                self._check_form(claim)
            except ClaimError as error:
                self._settle(path, str(error), ClaimState.NOT_RUN)

    def _check_form(self, claim: Claim) -> None:
        if not self._right.programs:
            raise ClaimError("this boss has no right programs to compare with")
        if not is_stated(self._right.contract, claim.contract):
            raise ClaimError("the contract doesn't say that in these words")
        check_test(claim.test, {name.removesuffix(".py") for name in self._right.entry_files})

    def _settle(self, path: str, reason: str, state: ClaimState = ClaimState.NOT_CONFIRMED) -> None:
        self._results[path] = ClaimResult(claim=self._claims[path], state=state, reason=reason)

    def run_on_submission(self, *, is_reversed: bool = False) -> None:
        """Run the tests on the submission, and settle the claims that this doesn't prove."""
        program = Program(self._seconds_left(), is_reversed=is_reversed, explains_checks=True)
        for path, runs in self._run([program], self._program_files)[0].items():
            if reason := _unproven_reason(path, runs):
                self._settle(path, reason)
            else:
                self._failures.setdefault(path, runs[0])

    def run_on_right_programs(self) -> None:
        """Run the tests on each right program, and settle the claims that one of them contradicts."""
        laid_out = [layout.lay_out(files, self._place) for files in self._right.programs]
        programs = [Program(self._seconds_left(), files=files, explains_checks=True) for files in laid_out]
        for runs_by_path in self._run(programs, ()):
            for path, runs in runs_by_path.items():
                if reason := _contradiction_reason(runs):
                    self._settle(path, reason)

    def _run(
        self, programs: Sequence[Program], files: Sequence[SubmissionFile]
    ) -> list[dict[str, list[PlayerTestRun]]]:
        """The runs of each test on each program, by the test's file; claims that could not be run are settled."""
        paths = [path for path in self._claims if path not in self._results]
        if not paths or self._seconds_left() < _LEAST_SECONDS:
            for path in paths:
                self._settle(path, _OUT_OF_TIME, ClaimState.NOT_RUN)
            return [{} for _ in programs]
        tests = [SubmissionFile(path=path, content=self._claims[path].test) for path in paths]
        outcomes = run(Suite(self._hosts, Submission(files=(*files, *tests))), programs)
        runs_by_program: list[dict[str, list[PlayerTestRun]]] = []
        for report in (outcome.report or SuiteReport() for outcome in outcomes):
            runs_by_program.append({path: runs for path in paths if (runs := _runs_of(path, report))})
            for path in set(paths) - set(runs_by_program[-1]):
                self._settle(path, _unrun_reason(path, report), ClaimState.NOT_RUN)
        return runs_by_program

    def _seconds_left(self) -> float:
        return self._deadline - time.monotonic()

    def results(self) -> list[ClaimResult]:
        """The result of each claim; those that nothing contradicts are confirmed."""
        return [self._results.get(path) or self._confirmed(path) for path in self._claims]

    def _confirmed(self, path: str) -> ClaimResult:
        failure = self._failures[path]
        is_players = any(file.path == failure.path for file in self._program_files)
        return ClaimResult(
            claim=self._claims[path],
            state=ClaimState.CONFIRMED,
            failure=clean_line(f"it {failure.message}" if failure.late else failure.message),
            path=failure.path if is_players else "",
            line=failure.line if is_players and failure.line > 0 else None,
        )


def _controls_tests(path: str) -> bool:
    """Whether a file belongs to the player's tests, or would control a session of pytest."""
    return is_test_file(path) or PurePosixPath(path).name in _PYTEST_SETTINGS


def _runs_of(path: str, report: SuiteReport) -> list[PlayerTestRun]:
    return [ran for run in report.runs for ran in run.tests if ran.name.partition("::")[0] == path]


def _unrun_reason(path: str, report: SuiteReport) -> str:
    """Why a test has no result."""
    if any(run.left for run in report.runs):
        return _OUT_OF_TIME
    broken = report.loaded.broken if report.loaded else []
    messages = [file.message for file in broken if file.file == path]
    return f"its test can't be loaded ({clean_line(messages[0])})" if messages else "its test could not be run"


def _unproven_reason(path: str, runs: Sequence[PlayerTestRun]) -> str:
    """Why the runs of a test on the submission prove no fault; empty if they do."""
    passed = [ran.outcome == "passed" for ran in runs]
    if any(passed):
        return f"its test {'passes' if all(passed) else 'only sometimes fails'} on the submission"
    if any(ran.looked for ran in runs):
        return _LOOKS
    for ran in runs:
        is_own_check = ran.checked and ran.path == path
        if ran.outcome != "failed" or not (is_own_check or ran.late):
            return f"no check of its test fails on the submission ({_words(ran)})"
    return ""


def _contradiction_reason(runs: Sequence[PlayerTestRun]) -> str:
    """Why the runs of a test on a right program contradict its claim; empty if they don't."""
    if any(ran.looked for ran in runs):
        return _LOOKS
    contradiction = next((ran for ran in runs if ran.outcome != "passed" or ran.inner), None)
    return f"its test fails on a program that keeps the contract ({_words(contradiction)})" if contradiction else ""


def _words(ran: PlayerTestRun) -> str:
    return clean_line(ran.message) or ran.outcome
