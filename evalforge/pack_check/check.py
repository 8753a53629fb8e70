"""The check of a pack: quick stages first, and each runs only if the earlier ones found nothing to fix."""

import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path

from evalforge.calibration.impostor_matrix import ImpostorMatrix
from evalforge.calibration.impostor_runs import ProgramCache, ProgramRuns, measure_impostors
from evalforge.calibration.mistake_signatures import keep_signatures
from evalforge.decoys.decoy_check import check_decoys
from evalforge.engine_pool import EnginePool, open_engines
from evalforge.evidence.trials.load_errors import read_load_error
from evalforge.measurements import Measurements
from evalforge.model.errors import SandboxError
from evalforge.model.number_format import format_count
from evalforge.pack_check.exemplar_check import (
    MeasuredExemplar,
    gold_issues,
    judged_summary,
    measure_exemplars,
    verdict_issues,
)
from evalforge.pack_check.trial_check import check_trials
from evalforge.packs.impostors import Impostors, impostors_file
from evalforge.packs.issue import Issue, sort_issues
from evalforge.packs.lint.impostor_checks import located_faults
from evalforge.packs.lint.lint import lint
from evalforge.packs.lint.unchecked_pack import PackFile, read_unchecked_pack
from evalforge.packs.pack import BossPack, load_pack
from evalforge.packs.path_checks import folders_in

STAGES = ("text", "trials", "gold", "verdicts", "impostors", "cheats")
"""The names of the stages, in running order."""
Report = Callable[[str], None]
_Outcome = tuple[Iterable[Issue], str]
"""What a stage found, and what holds if nothing has to be fixed, in a few words."""


@dataclass(frozen=True)
class StageResult:
    """What one stage found.

    Attributes:
        name: Its name, one of ``STAGES``.
        issues: What it found, in the order in which it is best fixed.
        praise: What holds if it found no problem, in a few words.
        seconds: How long it took.
    """

    name: str
    issues: tuple[Issue, ...]
    praise: str
    seconds: float

    @property
    def problems(self) -> tuple[Issue, ...]:
        """What must be fixed."""
        return tuple(issue for issue in self.issues if issue.is_problem)

    @property
    def notes(self) -> tuple[Issue, ...]:
        """What is worth a look."""
        return tuple(issue for issue in self.issues if not issue.is_problem)

    @property
    def summary(self) -> str:
        """What was found, in a few words."""
        problems, notes = len(self.problems), len(self.notes)
        counts = [format_count(problems, "problem") if problems else self.praise]
        return ", ".join([*counts, *([format_count(notes, "note")] if notes else [])])


@dataclass(frozen=True)
class CheckReport:
    """What a whole check found.

    Attributes:
        pack: The pack's folder.
        stages: The stages that ran, in order.
        exemplars: What was found on exemplars, by name, and whether they need no fix.
        ungraded: Why exemplars could not be judged; empty if all were.
    """

    pack: Path
    stages: tuple[StageResult, ...]
    exemplars: dict[str, tuple[str, bool]]
    ungraded: tuple[str, ...]

    @property
    def skipped(self) -> tuple[str, ...]:
        """The stages that did not run, because an earlier one found a problem."""
        return STAGES[len(self.stages) :]

    @property
    def next_to_mend(self) -> Issue | None:
        """The next thing to fix; None if nothing is wrong."""
        return next((stage.problems[0] for stage in self.stages if stage.problems), None)


async def check_pack(path: Path, state: Path, report: Report) -> CheckReport:
    """Check a pack up to the first stage that finds something to fix.

    Args:
        path: The pack's folder.
        state: EvalForge's state folder; evidence is stored there.
        report: Called with a line on what is being run.

    Raises:
        SandboxError: Code can't be run here.
    """
    async with open_engines() as engines:
        return await _Check(path, state, report, engines).run()


class _Check:
    """The stages, and what they share."""

    def __init__(self, path: Path, state: Path, report: Report, engines: EnginePool) -> None:
        self._path, self._state, self._report, self._engines = path, state, report, engines
        self._measured: list[MeasuredExemplar] = []
        self._exemplars: dict[str, tuple[str, bool]] = {}
        self._ungraded: tuple[str, ...] = ()

    async def run(self) -> CheckReport:
        """Run the stages until one finds something to fix."""
        checks: tuple[Callable[[], Awaitable[_Outcome]], ...] = (
            *(self._check_text, self._check_trials, self._check_gold),
            *(self._check_verdicts, self._check_impostors, self._check_cheats),
        )
        stages: list[StageResult] = []
        for name, check in zip(STAGES, checks, strict=True):
            started_at = time.monotonic()
            try:
                issues, praise = await check()
            except SandboxError as error:
                if (broken_trials := _unloadable(self._path, error)) is None:
                    raise
                issues, praise = [broken_trials], ""
            seconds = round(time.monotonic() - started_at, 1)
            stages.append(StageResult(name, sort_issues(self._path, issues), praise, seconds))
            if stages[-1].problems or self._ungraded:
                break
        return CheckReport(self._path, tuple(stages), self._exemplars, self._ungraded)

    @cached_property
    def _pack(self) -> BossPack:
        """The pack, which can be loaded once its text is fine."""
        return load_pack(self._path)

    @cached_property
    def _measurements(self) -> Measurements:
        return Measurements(self._pack, state=self._state)

    async def _check_text(self) -> _Outcome:
        """Check all that can be seen by reading."""
        issues = lint(self._path)
        for exemplar in folders_in(self._path / "exemplars"):
            own = [issue for issue in issues if issue.is_problem and issue.path.is_relative_to(exemplar)]
            if own:
                more = f", and {format_count(len(own) - 1, 'more problem')}" if len(own) > 1 else ""
                place = Path(own[0].place(self._path)).name
                self._exemplars[exemplar.name] = (f"{place}: {own[0].message}{more}", False)
        return issues, "fine"

    async def _check_trials(self) -> _Outcome:
        """Check that trials pass on right programs and fail on wrong ones."""
        runs = ProgramRuns(self._pack, self._engines, ProgramCache(self._pack, self._state), self._report)
        issues = await check_trials(self._pack, runs, self._measure_exemplars)
        return issues, "each fails on something wrong and on nothing right"

    async def _check_gold(self) -> _Outcome:
        """Check that the forge judge gives every exemplar its gold levels."""
        await self._measure_exemplars()
        self._ungraded = tuple(exemplar.refusal for exemplar in self._measured if exemplar.refusal)
        issues = [tuple(gold_issues(exemplar)) for exemplar in self._measured]
        for exemplar, own in zip(self._measured, issues, strict=True):
            self._exemplars[exemplar.path.name] = (judged_summary(exemplar, own), not own)
        cheats = sum(bool(exemplar.gold.cheat) for exemplar in self._measured)
        honest = format_count(len(self._measured) - cheats, "exemplar")
        praise = f"{honest} and {format_count(cheats, 'cheat')} judged as gold says"
        return chain.from_iterable(issues), praise

    async def _measure_exemplars(self) -> list[MeasuredExemplar]:
        if not self._measured:
            self._measured = await measure_exemplars(self._pack, self._engines, self._measurements, self._report)
        return self._measured

    async def _check_verdicts(self) -> _Outcome:
        """Check that no exemplar gets a better verdict from a judge that says yes to everything."""
        return chain.from_iterable(map(verdict_issues, self._measured)), "no model can raise one"

    async def _check_impostors(self) -> _Outcome:
        """Check that right programs pass all trials, and that each fault lowers only its own criterion."""
        listed = read_unchecked_pack(self._path).impostors
        if listed is None:
            message = "there are no impostors: what tests are worth isn't measured"
            return [Issue(impostors_file(self._path), None, message, is_problem=False)], "none"
        matrix = await measure_impostors(self._pack, self._engines, self._state, self._report)
        issues = [*matrix_issues(matrix, listed)]
        try:
            await keep_signatures(self._pack, self._engines, self._state, self._report)
        except OSError as error:
            message = f"known mistakes can't be kept here ({error.strerror}): no mistake will be named"
            issues.append(Issue(self._path, None, message, is_problem=False))
        return issues, f"{format_count(len(matrix.wrong), 'fault')}, each charged once"

    async def _check_cheats(self) -> _Outcome:
        """Check that no level can be gained by changes that improve no program."""
        issues = await check_decoys(self._pack, self._engines, self._report, self._measurements)
        return issues, "no level can be bought"


def _unloadable(pack: Path, error: SandboxError) -> Issue | None:
    """The issue if the pack's trials can't be imported; None if the sandbox itself failed."""
    fault = read_load_error(error.message)
    return Issue(pack / fault.file, fault.line, f"this can't be imported: {fault.message}") if fault else None


def matrix_issues(matrix: ImpostorMatrix, listed: PackFile[Impostors]) -> Iterator[Issue]:
    """Yield a problem for each right program that fails a trial, and each fault that isn't charged exactly once.

    Args:
        matrix: What was measured.
        listed: The pack's list of right and wrong programs.
    """
    right = {program.name: program for program in matrix.right}
    for index, program in enumerate(listed.value.right):
        if program.name in right and (failed := right[program.name].failed):
            message = f"this right program fails {failed[0]!r}: that trial asks for more than the contract"
            yield listed.issue(("right", index), f"{program.name}: {message}")
    results = {result.id: result for result in matrix.wrong}
    for location, fault in located_faults(listed):
        result = results[fault.id]
        if result.is_missed:
            yield listed.issue(location, f"{fault.id}: no trial of {fault.owner} catches this impostor")
        elif not result.is_charged:
            yield listed.issue(location, f"{fault.id}: {fault.owner} keeps its level with this fault")
        elif result.spill:
            spill = ", ".join(result.spill)
            yield listed.issue(location, f"{fault.id}: {spill} loses a level too: the fault is charged twice")
