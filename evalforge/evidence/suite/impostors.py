"""The player's tests on a boss's right programs, on their impostors, and on a program that answers nothing."""

import math
import random
from collections import ChainMap, Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path

from evalforge.evidence.missing_libraries import missing_library_reason
from evalforge.evidence.suite import layout, planting
from evalforge.evidence.suite.candidates import find_mutants
from evalforge.evidence.suite.conversation import SuiteReport
from evalforge.evidence.suite.hollow import hollow_out
from evalforge.evidence.suite.impostor_facts import ImpostorMeasurement
from evalforge.evidence.suite.inner_tests import TestUses, contract_words, find_inner_names, top_level_names
from evalforge.evidence.suite.jobs import MIN_CONTROLS, JobKind, JobPlan, plan_jobs
from evalforge.evidence.suite.mutant import Mutant
from evalforge.evidence.suite.run import Fate, Outcome, Program, Reading, Suite, run
from evalforge.evidence.suite.standings import SuiteOnProgram, SuiteTestStatus, join_statuses, suite_on_program
from evalforge.model.boss import BossDefinition
from evalforge.model.errors import EvalForgeError
from evalforge.model.evidence import ImpostorFate, ImpostorResult
from evalforge.model.text import clean_line
from evalforge.packs.document import read_document
from evalforge.packs.impostors import Impostor, Impostors, RightProgram, read_impostors
from evalforge.packs.path_checks import boss_file

PROGRAMS_NEED = (3, 11)
_OLD_PYTHON = "The boss's own programs need Python 3.11 or newer."
_NO_IMPOSTORS = "This boss has no impostors."
_NO_TESTS = "There are no tests."
_NOT_RUN = "The tests could not be run on other programs"
_PROGRAM_SECONDS = 60.0
_MAX_BLANK_LINES = 20
_MAX_WRONG_TESTS = 5
"""The most tests that contradict the contract for which it is found out what they expect instead."""
_CONTENT = frozenset({SuiteTestStatus.CONTRACT, SuiteTestStatus.WRONG, SuiteTestStatus.OPEN})


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


def meet_impostors(suite: Suite, source: ImpostorSource | None, *, meets_all: bool = False) -> ImpostorMeasurement:
    """Run a suite on every right program of a boss, and on its impostors: all, or those of a fight."""
    if source is None:
        return ImpostorMeasurement(_NO_IMPOSTORS)
    if suite.hosts[0].version < PROGRAMS_NEED:
        return ImpostorMeasurement(_OLD_PYTHON)
    if suite.is_empty:
        return ImpostorMeasurement(_NO_TESTS)
    try:
        impostors = read_impostors(source.pack)
        if impostors is None:
            return ImpostorMeasurement(_NO_IMPOSTORS)
        met = impostors if meets_all else impostors.in_a_fight()
        return _BossPrograms(suite, source, impostors, met.impostors).measure()
    except EvalForgeError as error:
        return ImpostorMeasurement(f"{_NOT_RUN}: {error}")


class _BossPrograms:
    """The right programs of a boss among a player's tests.

    Args:
        suite: The tests.
        source: The boss.
        impostors: Its right programs, and all its impostors, since a wrong test may expect what any of them does.
        met: The impostors to run.

    Raises:
        PackError: A right program can't be read, or an impostor doesn't fit it.
    """

    def __init__(self, suite: Suite, source: ImpostorSource, impostors: Impostors, met: Sequence[Impostor]) -> None:
        self._suite = suite
        self._impostors = {impostor.id: impostor for impostor in impostors.impostors}
        self._met_ids = frozenset(impostor.id for impostor in met)
        self._place = layout.find_place(suite.submission, source.entry_files)
        self._player_files = layout.program_paths(suite.submission, self._place, suite.tests)
        originals = {right.name: planting.read_program(source.pack, right) for right in impostors.right}
        names = [top_level_names(files.values()) for files in originals.values()]
        self._common_names = frozenset[str].intersection(*names)
        words = contract_words(source.contract)
        starters = sorted((source.pack / "starter").glob("*.py"))
        # A test may use names that the starter gave and that all right programs kept.
        usual_names = top_level_names(path.read_text(encoding="utf-8") for path in starters) & self._common_names
        self._inner = find_inner_names(
            (suite.files.get(path, "") for path in self._player_files),
            layout.module_names(self._player_files, self._place) - {self._place.stem},
            words | usual_names,
        )
        support = {path: text for path, text in suite.files.items() if path not in self._player_files}
        self._uses = TestUses(support, self._inner, self._place.stem, usual_names - words)
        self._min_controls = math.ceil(MIN_CONTROLS / len(impostors.right))
        self._programs = [
            self._program(right, originals[right.name], is_reversed=right is not impostors.right[0])
            for right in impostors.right
        ]

    def _program(self, right: RightProgram, original: Mapping[str, str], *, is_reversed: bool) -> Program:
        bare_program = planting.bare_program(original)
        # Line numbers reveal nothing: they differ in each fight, and are the same for right and wrong programs.
        blank_lines = random.SystemRandom().randint(0, _MAX_BLANK_LINES)
        moved = {path: "\n" * blank_lines + source for path, source in bare_program.items()}
        files = layout.lay_out(moved, self._place)
        folder = f"{self._place.folder}/" if self._place.folder else ""
        planted = planting.plant_impostors(self._impostors.values(), right.name, original, bare_program)
        mutants = [planting.move_mutant(mutant, folder, blank_lines) for mutant in planted]
        return Program(
            seconds=_PROGRAM_SECONDS,
            is_reversed=is_reversed,
            files=files,
            replaced=self._player_files,
            inner=replace(self._inner, modules=self._inner.modules - layout.module_names(files, self._place)),
            plan_jobs=lambda report: self._plan_jobs(report, files, mutants),
        )

    def _plan_jobs(self, report: SuiteReport, files: Mapping[str, str], mutants: Sequence[Mutant]) -> JobPlan:
        """Plan which tests run on which impostors; and, if some contradict the contract, what they may expect."""
        on_program = self._results(report)
        met = self._one_of_each_owner(mutant for mutant in mutants if mutant.impostor_id in self._met_ids)
        paths = sorted({mutant.path for mutant in met})
        equivalents = [equivalent for path in paths for equivalent in find_mutants(path, files[path])[1]]
        plan = plan_jobs(met, equivalents, on_program.baseline, self._min_controls)
        failing = on_program.failing
        single_tests = [replace(failing, tests=(test,)) for test in failing.tests[:_MAX_WRONG_TESTS]]
        questions = [test.job(mutant, JobKind.QUESTION) for test in single_tests for mutant in mutants]
        return replace(plan, jobs=(*plan.jobs, *filter(None, questions)))

    def _one_of_each_owner(self, mutants: Iterable[Mutant]) -> list[Mutant]:
        """The impostors in the order of sending: one of each criterion before the second of any."""
        by_owner: dict[str, list[Mutant]] = defaultdict(list)
        for mutant in mutants:
            by_owner[self._impostors[mutant.impostor_id].owner].append(mutant)
        return [mutant for row in zip_longest(*by_owner.values()) for mutant in row if mutant is not None]

    def _results(self, report: SuiteReport) -> SuiteOnProgram:
        return suite_on_program(report, self._uses, self._common_names)

    def measure(self) -> ImpostorMeasurement:
        """Run the tests on every program.

        Raises:
            SandboxError: The host has ended.
        """
        outcomes = run(self._suite, self._programs)
        reports = [outcome.report for outcome in outcomes if outcome.report and outcome.report.runs]
        if not reports:
            return ImpostorMeasurement(f"{_NOT_RUN}.")
        on_programs = [self._results(report) for report in reports]
        failures = (message for on_program in on_programs for message in on_program.failures)
        if reason := missing_library_reason(failures, self._suite.submission):
            return ImpostorMeasurement(reason)
        statuses = join_statuses(on_programs)
        contract_tests = {test for test, status in statuses.items() if status is SuiteTestStatus.CONTRACT}
        untried_reason = _untried_reason(reports)
        is_void = any(outcome.void_control for outcome in outcomes)
        readings = [reading for outcome in outcomes for reading in self._in_order(outcome.readings(contract_tests))]
        if untried_reason:
            readings = [replace(reading, fate=Fate.NOT_RUN) for reading in readings]
        needs_hollow = is_void or not any(outcome.has_failed_check for outcome in outcomes)
        return ImpostorMeasurement(
            statuses=statuses,
            uses=self._uses,
            results=tuple(self._result(reading, is_void=is_void) for reading in readings),
            is_void=is_void,
            alert_tests=self._alert_tests(statuses) if needs_hollow else None,
            expected_impostors=self._expected_impostors(outcomes),
            failed_runs=dict(ChainMap(*(on_program.failed_runs for on_program in on_programs))),
            absent_impostors=len(self._impostors) - len(self._met_ids),
            untried_reason=untried_reason,
        )

    def _in_order(self, readings: Iterable[Reading]) -> list[Reading]:
        """Readings in the order of the boss's list."""
        order = list(self._impostors)
        return sorted(readings, key=lambda reading: order.index(reading.mutant.impostor_id))

    def _alert_tests(self, statuses: Mapping[str, SuiteTestStatus]) -> frozenset[str] | None:
        """The tests with a check that fails on a hollow program; None if none could be run on it."""
        content_tests = {test for test, status in statuses.items() if status in _CONTENT}
        if not content_tests:
            return None
        hollow = replace(self._programs[0], files=hollow_out(self._programs[0].files), plan_jobs=None)
        (outcome,) = run(self._suite, [hollow])
        runs = outcome.report.runs if outcome.report else []
        ran = [test for run in runs for test in run.tests if test.name in content_tests]
        return frozenset(test.name for test in ran if test.checked) if ran else None

    def _result(self, reading: Reading, *, is_void: bool) -> ImpostorResult:
        impostor = self._impostors[reading.mutant.impostor_id]
        fate, test = ImpostorFate.LET_THROUGH, ""
        if reading.fate is Fate.NOT_RUN:
            fate = ImpostorFate.NOT_TRIED
        elif not is_void and reading.fate in (Fate.CAUGHT, Fate.CRASHED, Fate.HUNG):
            fate, test = ImpostorFate.UNMASKED, reading.test
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

    def _expected_impostors(self, outcomes: Iterable[Outcome]) -> dict[str, Impostor]:
        """The impostor that does what a wrong test expects, by the test's function; of several, the least common."""
        candidates: dict[str, list[Impostor]] = defaultdict(list)
        for test, mutant in (answer for outcome in outcomes for answer in outcome.answers()):
            candidates[test.partition("[")[0]].append(self._impostors[mutant.impostor_id])
        counts = Counter(impostor.id for impostors in candidates.values() for impostor in impostors)
        return {test: min(impostors, key=lambda each: counts[each.id]) for test, impostors in candidates.items()}


def _untried_reason(reports: Sequence[SuiteReport]) -> str:
    """Why no test could be loaded with any right program; empty if one was."""
    broken_files = [broken for report in reports if report.loaded for broken in report.loaded.broken]
    if not broken_files or any(map(any, (report.results_by_run for report in reports))):
        return ""
    first = broken_files[0]
    return f"Your tests met no impostor: {clean_line(first.file)} can't be loaded ({clean_line(first.message, 200)})."
