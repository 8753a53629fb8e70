"""Runs of the player's tests on a pack's right programs, and on their impostors.

An impostor is a mutant of a right program, so it is run like mutants of the player's own code: planned here, where none
of the player's code runs, and sent as a numbered change, among controls that change nothing.
"""

import contextlib
import math
from collections import ChainMap, Counter, defaultdict
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evalforge.evidence.control_files import control_files, runnable_python_files
from evalforge.evidence.examination import NOTICED, MutantVerdict, PlayerTestRun, SuiteConversation
from evalforge.evidence.impostors import layout, planting
from evalforge.evidence.impostors.hollow import hollow_out
from evalforge.evidence.impostors.inner_tests import (
    TestUses,
    contract_words,
    find_inner_names,
    top_level_names,
)
from evalforge.evidence.impostors.planting import PlantedImpostor
from evalforge.evidence.impostors.program_in_place import ImpostorJobs, ProgramInPlace, TestsOnProgram
from evalforge.evidence.impostors.suite_runs import SuiteTestStatus, join_statuses, suite_on_program
from evalforge.evidence.missing_libraries import missing_library_reason
from evalforge.evidence.mutation.mutation_plan import MIN_CONTROLS
from evalforge.model.boss import BossDefinition
from evalforge.model.evidence import ImpostorFate, ImpostorResult
from evalforge.model.submission import Submission
from evalforge.packs.document import read_document
from evalforge.packs.impostors import Impostor, Impostors
from evalforge.packs.path_checks import boss_file
from evalforge.sandbox.player_test_host import PlayerTestHost, PlayerTestPlan
from evalforge.sandbox.staging import StagedSubmission

_PROGRAM_SECONDS = 60.0


@dataclass(frozen=True)
class ImpostorSource:
    """The source of impostors: the boss's folder, and the names by which its program may be started."""

    pack: Path
    entry_files: tuple[str, ...]

    @property
    def contract(self) -> str:
        """The boss's contract; empty if it has none."""
        path = boss_file(self.pack)
        return read_document(path).parse(BossDefinition).metadata.contract if path else ""


@dataclass(frozen=True)
class ImpostorRun:
    """The results on all right programs and impostors of a boss.

    Attributes:
        statuses: The status of each test towards the right programs, by name.
        uses: What the tests use, read from their source.
        results: A result for each impostor.
        is_void: Whether tests failed on unchanged programs.
        is_vacuous: Whether no check of any test fails, whatever the program returns.
        alert_tests: The tests with a check that fails on a hollow program; None if that was not run.
        expected_impostors: The impostor that does what a wrong test expects, by the test's function.
        failed_runs: The failure of a wrong test on a right program, by the test's function.
        absent_impostors: How many of the boss's impostors were not run, because a fight only runs the core.
        missing_library: Why the tests could not be measured, if they need a missing library; else empty.
    """

    statuses: dict[str, SuiteTestStatus]
    uses: TestUses
    results: tuple[ImpostorResult, ...]
    is_void: bool
    is_vacuous: bool = False
    alert_tests: frozenset[str] | None = None
    expected_impostors: Mapping[str, Impostor] = field(default_factory=dict[str, Impostor])
    failed_runs: Mapping[str, PlayerTestRun] = field(default_factory=dict[str, PlayerTestRun])
    absent_impostors: int = 0
    missing_library: str = ""


class ImpostorExamination:
    """Runs the player's tests on the programs of one boss, on as many right ones at a time as there are hosts.

    Raises:
        PackError: A right program can't be read.
    """

    def __init__(
        self,
        hosts: Sequence[PlayerTestHost],
        submission: Submission,
        tests: tuple[str, ...],
        source: ImpostorSource,
        impostors: Impostors,
        all_impostors: Impostors,
    ) -> None:
        self._hosts = hosts
        self._submission = submission
        self._left_out = frozenset(control_files(submission))
        files = runnable_python_files(submission)
        self._tests = tests
        self._place = layout.find_place(submission, source.entry_files)
        self._player_files = layout.program_paths(submission, self._place, tests)
        originals = {program.name: planting.read_program(source.pack, program) for program in impostors.right}
        names = [top_level_names(original.values()) for original in originals.values()]
        self._common_names = frozenset[str].intersection(*names) if names else frozenset[str]()
        self._programs = [
            ProgramInPlace(impostors, all_impostors, program, originals[program.name], self._place)
            for program in impostors.right
        ]
        words = contract_words(source.contract)
        starters = sorted((source.pack / "starter").glob("*.py"))
        # A test may use names that the starter gave and that all right programs kept.
        usual_names = top_level_names(path.read_text(encoding="utf-8") for path in starters) & self._common_names
        self._inner = find_inner_names(
            (files.get(path, "") for path in self._player_files),
            layout.module_names(self._player_files, self._place) - {self._place.stem},
            words | usual_names,
        )
        support = {path: text for path, text in files.items() if path not in self._player_files}
        self._uses = TestUses(support, self._inner, self._place.stem, usual_names - words)

    def run(self) -> ImpostorRun | None:
        """Run the tests on every program; None if there are no impostors, or the host disconnected.

        Raises:
            SandboxError: The host has ended.
            PackError: An impostor doesn't fit its right program.
        """
        program_results: list[TestsOnProgram] = []
        for first in range(0, len(self._programs), len(self._hosts)):
            program_results += self._meet_side_by_side(self._programs[first : first + len(self._hosts)])
        if not program_results:
            return None
        statuses = join_statuses(result.suite for result in program_results)
        is_void = any(result.has_noticed_control for result in program_results)
        results = [
            self._result(planted, result, statuses, is_void)
            for result in program_results
            for planted in result.program.planted
        ]
        checks = any(verdict.outcome == "killed" for result in program_results for verdict in result.outcomes.values())
        alert_tests = self._alert_tests(statuses) if is_void or not checks else None
        failures = (message for result in program_results for message in result.suite.failures)
        return ImpostorRun(
            statuses=statuses,
            uses=self._uses,
            results=tuple(results),
            is_void=is_void,
            is_vacuous=alert_tests is not None and not alert_tests,
            alert_tests=alert_tests,
            expected_impostors=_expected_impostors(program_results),
            failed_runs=dict(ChainMap(*(result.suite.failed_runs for result in program_results))),
            missing_library=missing_library_reason(failures, self._submission),
        )

    def _alert_tests(self, statuses: Mapping[str, SuiteTestStatus]) -> frozenset[str] | None:
        """The tests with a check that fails on a hollow program; None if none could be run on it."""
        content_tests = {
            test
            for test, status in statuses.items()
            if status in (SuiteTestStatus.CONTRACT, SuiteTestStatus.WRONG, SuiteTestStatus.OPEN)
        }
        if not content_tests:
            return None
        with self._converse(self._hosts[0], self._programs[0], hollow_out(self._programs[0].files)) as conversation:
            report = conversation.receive_report()
        ran = [test for run in (report.runs if report else []) for test in run.tests if test.name in content_tests]
        return frozenset(test.name for test in ran if test.checked) if ran else None

    def _meet_side_by_side(self, group: Sequence[ProgramInPlace], *, is_repeated: bool = False) -> list[TestsOnProgram]:
        """Run the tests on several right programs concurrently, then on the impostors of each.

        Each program has a host of its own. Impostors only start when all right programs of the group have finished,
        because tests on a wrong program could learn from the others what is right. A program whose host was lost is run
        again.
        """
        min_controls = math.ceil(MIN_CONTROLS / len(self._programs))
        with contextlib.ExitStack() as stack:
            conversations = [
                stack.enter_context(self._converse(host, program))
                for host, program in zip(self._hosts, group, strict=False)
            ]
            for program in group:
                program.prepare_jobs()  # meanwhile the tests run
            reports = [conversation.receive_report() for conversation in conversations]
            jobs_by_conversation: list[tuple[SuiteConversation, ImpostorJobs]] = []
            for program, conversation, report in zip(group, conversations, reports, strict=True):
                if report and report.runs:
                    suite = suite_on_program(report, self._uses, self._common_names)
                    jobs_by_conversation.append((conversation, program.plan_jobs(suite, self._uses, min_controls)))
            for conversation, jobs in jobs_by_conversation:
                conversation.send_jobs(jobs.jobs)
            program_results = [
                jobs.read_verdicts(conversation.receive_verdicts(len(jobs.jobs)))
                for conversation, jobs in jobs_by_conversation
            ]
        lost_programs = [program for program, report in zip(group, reports, strict=True) if report is None]
        return program_results + (
            self._meet_side_by_side(lost_programs, is_repeated=True) if lost_programs and not is_repeated else []
        )

    @contextlib.contextmanager
    def _converse(
        self, host: PlayerTestHost, program: ProgramInPlace, stand_in_files: dict[str, str] | None = None
    ) -> Generator[SuiteConversation]:
        """Make a host begin with the tests on a right program, or on other files in its place."""
        files = stand_in_files or program.files
        plan = PlayerTestPlan(
            tests=self._tests,
            code=tuple(files),
            seconds=_PROGRAM_SECONDS,
            is_reversed=program is not self._programs[0],
            laid_out=files,
            inner_modules=tuple(sorted(self._inner.modules - layout.module_names(files, self._place))),
            inner_names=tuple(sorted(self._inner.top_level)),
            inner_errors=tuple(sorted(self._inner.errors)),
        )
        stand_in = layout.stand_in(self._submission, self._player_files, files)
        with (
            StagedSubmission(stand_in, self._left_out) as staged,
            SuiteConversation(host, staged, plan) as conversation,
        ):
            yield conversation

    def _result(
        self, planted: PlantedImpostor, tests: TestsOnProgram, statuses: Mapping[str, SuiteTestStatus], is_void: bool
    ) -> ImpostorResult:
        impostor = planted.impostor
        verdict = tests.outcomes.get(impostor.id)
        fate, test = ImpostorFate.NOT_TRIED, ""
        if verdict is not None and not is_void and _notices(verdict, statuses):
            fate, test = ImpostorFate.UNMASKED, verdict.test
        elif verdict is not None or impostor.id in tests.unreached:
            fate = ImpostorFate.LET_THROUGH
        path, _, name = test.partition("::")
        return ImpostorResult(
            id=impostor.id,
            owner=impostor.owner,
            clause=impostor.clause,
            riddle=impostor.riddle,
            fate=fate,
            test=name,
            path=path,
            line=self._uses.line_of(test) if test else None,
        )


def _expected_impostors(program_results: Iterable[TestsOnProgram]) -> dict[str, Impostor]:
    """The impostor that does what a wrong test expects, by the test's function; of several, the least common one."""
    candidates = defaultdict[str, list[Impostor]](list)
    for result in program_results:
        if result.expected:
            impostors = {planted.impostor.id: planted.impostor for planted in result.program.all_planted}
            for test, names in result.expected.items():
                candidates[test.partition("[")[0]] += [impostors[name] for name in names]
    counts = Counter(impostor.id for candidates_of_test in candidates.values() for impostor in candidates_of_test)
    return {
        test: min(candidates_of_test, key=lambda impostor: counts[impostor.id])
        for test, candidates_of_test in candidates.items()
    }


def _notices(verdict: MutantVerdict, statuses: Mapping[str, SuiteTestStatus]) -> bool:
    """Whether contract tests caught an impostor; a hang or a dead process counts for all of them."""
    if verdict.outcome == "timeout":
        return True
    is_contract_test = not verdict.test or statuses.get(verdict.test) is SuiteTestStatus.CONTRACT
    return verdict.outcome in NOTICED and is_contract_test
