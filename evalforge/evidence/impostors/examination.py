"""Run the player's tests on a pack's right programs, and on the impostors among them.

An impostor is a mutant of a right program, so it is tried as mutants of the player's own code are: planned here, where
none of the player's code runs, sent out as a numbered change, with controls among them that change nothing.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from evalforge.evidence.control_files import control_files, runnable_python_files
from evalforge.evidence.examination import MutantVerdict
from evalforge.evidence.impostors import layout, planting
from evalforge.evidence.impostors.conversation import ProgramConversation, TestsOnProgram
from evalforge.evidence.impostors.inner_tests import (
    InnerNames,
    TestUses,
    contract_words,
    find_inner_names,
    top_level_names,
)
from evalforge.evidence.impostors.planting import PlantedImpostor
from evalforge.evidence.impostors.suite_runs import Standing, join_standings
from evalforge.evidence.pytest_settings import find_tests, read_pytest_settings
from evalforge.model.evidence import ImpostorFate, ImpostorResult
from evalforge.model.submission import Submission
from evalforge.packs.impostors import read_impostors
from evalforge.sandbox.player_test_host import PlayerTestHost, PlayerTestPlan
from evalforge.sandbox.report import RunLimits
from evalforge.sandbox.staging import StagedSubmission

_PROGRAM_SECONDS = 6.0
_MAX_BLANK_LINES = 20


@dataclass(frozen=True)
class ImpostorRun:
    """What came of all right programs and impostors of a boss.

    Attributes:
        standings: How each test stands to the right programs, by its name.
        uses: What is known of the tests from their source.
        results: One for each impostor.
        is_void: The tests failed on programs in which nothing was changed.
    """

    standings: dict[str, Standing]
    uses: TestUses
    results: tuple[ImpostorResult, ...]
    is_void: bool


class ImpostorExamination:
    """The player's tests on the programs of one boss.

    Args:
        host: The host the tests run in, free.
        submission: What was handed in.
        pack: The boss's folder.
        entry_files: Names the program may be started by.
        contract: The boss's contract.

    Raises:
        PackError: The pack's impostors can't be used.
    """

    def __init__(
        self, host: PlayerTestHost, submission: Submission, pack: Path, entry_files: tuple[str, ...], contract: str
    ) -> None:
        self._host = host
        self._submission = submission
        self._left_out = frozenset(control_files(submission))
        self._sources = runnable_python_files(submission)
        self._settings = read_pytest_settings(submission)
        self._tests = find_tests(self._sources, self._settings)
        self._place = layout.find_place(submission, entry_files)
        self._program = layout.program_paths(submission, self._place)
        self._impostors = read_impostors(pack)
        right = self._impostors.right if self._impostors else ()
        self._originals = {program.name: planting.read_program(pack, program) for program in right}
        names = [top_level_names(sources.values()) for sources in self._originals.values()]
        self._common_names = frozenset[str].intersection(*names) if names else frozenset[str]()
        # Whoever keeps the names that were given, and that other programs kept as well, keeps to the contract.
        self._known = contract_words(contract) | (_starter_names(pack) & self._common_names)
        self._inner = self._inner_names()
        support = {path: source for path, source in self._sources.items() if path not in self._program}
        self._uses = TestUses(support, self._inner, self._place.stem)

    @property
    def has_tests(self) -> bool:
        """Whether anything was handed in that holds tests."""
        return bool(self._tests)

    def _inner_names(self) -> InnerNames:
        modules = layout.module_names(self._program, self._place) - {self._place.stem}
        return find_inner_names((self._sources.get(path, "") for path in self._program), modules, self._known)

    def run(self) -> ImpostorRun | None:
        """Run the tests on every program; None if there are no tests or no impostors, or the host broke off.

        Raises:
            SandboxError: The host is gone.
            PackError: An impostor doesn't fit its right program.
        """
        if self._impostors is None or not self._tests:
            return None
        on_programs: list[TestsOnProgram] = []
        planted: list[PlantedImpostor] = []
        for program in self._impostors.right:
            original = self._originals[program.name]
            bare = planting.bare_program(original)
            own = planting.plant_impostors(self._impostors, program, original, bare)
            on_program = self._run_on(bare, own, is_reversed=bool(on_programs))
            if on_program is None:
                continue
            on_programs.append(on_program)
            planted += own
        if not on_programs:
            return None
        standings = join_standings(each.suite for each in on_programs)
        is_void = any(each.has_noticed_control for each in on_programs)
        results = tuple(self._result(each, on_programs, standings, is_void) for each in planted)
        return ImpostorRun(standings, self._uses, results, is_void)

    def _run_on(
        self, bare: Mapping[str, str], planted: Sequence[PlantedImpostor], *, is_reversed: bool
    ) -> TestsOnProgram | None:
        # Line numbers say nothing: they are others in each fight, and the same for right and wrong.
        blank_lines = random.SystemRandom().randint(0, _MAX_BLANK_LINES)
        moved = {path: "\n" * blank_lines + source for path, source in bare.items()}
        laid_out = layout.lay_out(moved, self._place)
        prefix = f"{self._place.folder}/" if self._place.folder else ""
        mutants = {
            each.impostor.id: planting.move_mutant(each.mutant, prefix, blank_lines)
            for each in _one_of_each_owner(planted)
        }
        plan = PlayerTestPlan(
            tests=self._tests,
            code=tuple(laid_out),
            seconds=_PROGRAM_SECONDS,
            is_reversed=is_reversed,
            laid_out=laid_out,
            inner_modules=tuple(sorted(self._inner.modules - layout.module_names(laid_out, self._place))),
            inner_names=tuple(sorted(self._inner.top_level)),
            inner_errors=tuple(sorted(self._inner.errors)),
            import_folders=self._settings.import_folders,
            settings_file=self._settings.path,
            options=self._settings.options,
        )
        limits = RunLimits(seconds=_PROGRAM_SECONDS, open_files=256)
        stand_in = layout.stand_in(self._submission, self._program, laid_out)
        with StagedSubmission(stand_in, self._left_out) as staged:
            connection = self._host.start_tests(staged, plan, limits)
            is_complete = False
            try:
                conversation = ProgramConversation(
                    frozenset(self._tests), self._uses, self._common_names, mutants, laid_out
                )
                on_program = conversation.hold(connection, _PROGRAM_SECONDS)
                is_complete = on_program is not None
            finally:
                self._host.close_session(connection, limits, late=not is_complete)
        return on_program

    def _result(
        self,
        planted: PlantedImpostor,
        on_programs: Sequence[TestsOnProgram],
        standings: Mapping[str, Standing],
        is_void: bool,
    ) -> ImpostorResult:
        impostor = planted.impostor
        verdict = next((each.outcomes[impostor.id] for each in on_programs if impostor.id in each.outcomes), None)
        fate, test = ImpostorFate.NOT_TRIED, ""
        if verdict is not None and not is_void and _notices(verdict, standings):
            fate, test = ImpostorFate.UNMASKED, verdict.test
        elif verdict is not None or any(impostor.id in each.unreached for each in on_programs):
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


def _one_of_each_owner(planted: Sequence[PlantedImpostor]) -> list[PlantedImpostor]:
    """The impostors in the order in which they are sent: of each criterion one before the second of any."""
    by_owner: dict[str, list[PlantedImpostor]] = {}
    for each in planted:
        by_owner.setdefault(each.impostor.owner, []).append(each)
    return [each for row in zip_longest(*by_owner.values()) for each in row if each is not None]


def _notices(verdict: MutantVerdict, standings: Mapping[str, Standing]) -> bool:
    """Whether tests that speak for the contract noticed; a hang, or the end of the process, is noticed by all."""
    if verdict.outcome == "timeout":
        return True
    return verdict.outcome == "killed" and (not verdict.test or standings.get(verdict.test) is Standing.CONTRACT)


def _starter_names(pack: Path) -> frozenset[str]:
    """The names at the top of the starter's files: whoever keeps them keeps what was given."""
    return top_level_names(path.read_text(encoding="utf-8") for path in sorted((pack / "starter").glob("*.py")))
