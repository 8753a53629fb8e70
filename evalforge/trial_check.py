"""Check that a boss's trials are useful: they pass on flawless code and fail on faulty code.

The faults are the small ones also seeded into a player's code to check the player's tests; here they go into the
flawless exemplar, to check ours. A trial is proven by an exemplar, a mutant or an impostor on which it fails while
others pass: where everything fails, as on code that does not load, nothing is distinguished.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from evalforge.engine_pool import EnginePool
from evalforge.evidence.engine import Engine
from evalforge.evidence.static import is_test_file
from evalforge.evidence.suite.candidates import find_mutants
from evalforge.evidence.suite.jobs import sample_mutants
from evalforge.evidence.suite.mutant import Mutant
from evalforge.model.errors import PackError, SubmissionError
from evalforge.model.events import TrialFinished
from evalforge.model.evidence import LOAD_GROUP, TrialOutcome, TrialResult
from evalforge.model.result import Verdict
from evalforge.model.submission import Submission
from evalforge.packs.gold import read_gold
from evalforge.packs.impostors import PlantedFault, plant, read_impostors
from evalforge.packs.lint.exemplar_checks import FLAWLESS
from evalforge.packs.lint.issue import LintIssue, sort_issues
from evalforge.packs.lint.trial_files import read_trials
from evalforge.packs.pack import BossPack
from evalforge.packs.trial_key import trial_seed
from evalforge.submissions.collect import collect

MUTANTS_PER_BOSS = 30
"""Number of mutants tried for every boss."""
MAX_MUTANTS_PER_BOSS = 120
"""Number of mutants tried while some trial has not failed on any."""
_FAILED_OUTCOMES = (TrialOutcome.FAILED, TrialOutcome.CRASHED, TrialOutcome.TIMED_OUT)
Results = tuple[TrialResult, ...]


@dataclass
class _TrialProofs:
    """The trials of a boss, and those proven so far: that failed where other trials passed."""

    trials: dict[str, TrialResult] = field(default_factory=dict[str, TrialResult])
    proven: set[str] = field(default_factory=set[str])

    def add_results(self, results: Results) -> bool:
        """Record which trials failed on one program, and return whether any did."""
        failing = {trial.id for trial in results if trial.outcome in _FAILED_OUTCOMES}
        if any(trial.passed for trial in results if trial.group != LOAD_GROUP):
            self.proven |= failing
        return bool(failing)

    @property
    def unproven(self) -> list[str]:
        """Ids of trials that have failed on nothing."""
        return [name for name in self.trials if name not in self.proven]


async def check_trials(
    pack: BossPack, engines: EnginePool, on_progress: Callable[[str], None]
) -> tuple[LintIssue, ...]:
    """Run a boss's trials on its exemplars, on its starter, and on mutants of its flawless exemplar.

    Args:
        pack: A pack without lint problems.
        engines: What runs them.
        on_progress: Called with a sentence on what is being run.

    Returns:
        Problems, and a note for each mutant that every trial passes.

    Raises:
        SandboxError: Code can't be run here.
    """
    return sort_issues(await _TrialChecker(pack, engines, on_progress).check())


class _TrialChecker:
    def __init__(self, pack: BossPack, engines: EnginePool, on_progress: Callable[[str], None]) -> None:
        self._pack = pack
        self._on_progress = on_progress
        self._engines = engines
        self._proofs = _TrialProofs()
        self._trial_places = _trial_places(pack)

    async def check(self) -> list[LintIssue]:
        flawless = self._pack.path / "exemplars" / FLAWLESS
        try:
            submission = without_tests(collect(flawless))
        except SubmissionError as error:
            return [LintIssue(flawless, None, str(error))]
        self._on_progress(f"{self._pack.boss_id}: trials on the exemplars")
        first_run, second_run = await self._run_all([submission, submission])
        self._proofs.trials = {trial.id: trial for trial in first_run if trial.group != LOAD_GROUP}
        remarks = [*self._failure_issues(FLAWLESS, first_run), *self._flaky_issues(first_run, second_run)]
        if remarks:
            return remarks
        remarks = [*await self._check_exemplars(), *await self._check_starter()]
        survivors = await self._check_mutants(flawless, submission)
        if self._proofs.unproven:
            await self._try_impostors()
        return [*remarks, *self._unproven_issues(), *survivors]

    async def _run_all(self, submissions: Sequence[Submission]) -> list[Results]:
        """Run the trials on each submission, as many at once as there are engines."""
        return await self._engines.run_all([partial(self._run_trials, submission) for submission in submissions])

    async def _run_trials(self, submission: Submission, engine: Engine) -> Results:
        entry_files = self._pack.definition.metadata.entry_files
        seed = trial_seed(self._pack.boss_id, submission.content_hash)
        gathering = engine.gather(seed, self._pack.trials, entry_files, submission)
        async with aclosing(gathering) as events:
            return tuple([event.trial async for event in events if isinstance(event, TrialFinished)])

    def _failure_issues(self, exemplar: str, results: Results) -> Iterator[LintIssue]:
        """Yield an issue for each trial that fails on flawless code."""
        for trial in results:
            if not trial.passed:
                reason = f": {trial.message}" if trial.message else ""
                yield self._issue_about(trial.id, f"{trial.title} {trial.outcome.value} on {exemplar}{reason}")

    def _flaky_issues(self, first_run: Results, second_run: Results) -> Iterator[LintIssue]:
        second_by_id = {trial.id: trial for trial in second_run}
        for trial in first_run:
            if trial.passed and trial.id in second_by_id and not second_by_id[trial.id].passed:
                yield self._issue_about(
                    trial.id, f"{trial.title} passes in one run and fails in the next, on the same code"
                )

    async def _check_exemplars(self) -> list[LintIssue]:
        remarks: list[LintIssue] = []
        names: list[tuple[str, bool]] = []
        submissions: list[Submission] = []
        for exemplar in self._pack.exemplars:
            if exemplar.name == FLAWLESS:
                continue
            try:
                submissions.append(without_tests(collect(exemplar)))
                names.append((exemplar.name, read_gold(exemplar).verdict is Verdict.STRONG_PASS))
            except (SubmissionError, PackError) as error:
                remarks.append(LintIssue(exemplar, None, str(error)))
                return remarks
        for (name, is_flawless), results in zip(names, await self._run_all(submissions), strict=True):
            self._proofs.add_results(results)
            if is_flawless:
                remarks += self._failure_issues(name, results)
        return remarks

    async def _check_starter(self) -> list[LintIssue]:
        """Check that the starter loads and fails some trial."""
        try:
            submission = collect(self._pack.starter)
        except SubmissionError as error:
            return [LintIssue(self._pack.starter, None, str(error))]
        (results,) = await self._run_all([without_tests(submission)])
        loading = [trial for trial in results if trial.group == LOAD_GROUP and not trial.passed]
        if loading:
            return [LintIssue(self._pack.starter, None, f"the starter does not load: {loading[0].message}")]
        if all(trial.passed for trial in results):
            return [LintIssue(self._pack.starter, None, "the starter passes every trial, so nothing is left to do")]
        return []

    async def _check_mutants(self, folder: Path, submission: Submission) -> list[LintIssue]:
        """Run mutants; more than the usual number only while they may still prove a trial."""
        mutants = sample_mutants(_mutants_of(submission), MAX_MUTANTS_PER_BOSS)
        survivors: list[LintIssue] = []
        for start in range(0, len(mutants), self._engines.size):
            if start >= MUTANTS_PER_BOSS and not self._proofs.unproven:
                break
            if start % 10 < self._engines.size:
                self._on_progress(f"{self._pack.boss_id}: faults {start + 1} to {min(start + 10, len(mutants))}")
            batch = mutants[start : start + self._engines.size]
            for mutant, results in zip(
                batch, await self._run_all([mutant.put_into(submission) for mutant in batch]), strict=True
            ):
                if not self._proofs.add_results(results):
                    path = folder / mutant.path
                    survivors.append(
                        LintIssue(path, mutant.line, f"no trial catches {mutant.description}", is_problem=False)
                    )
        return survivors

    async def _try_impostors(self) -> None:
        """Run the boss's impostors, which differ more than small faults, if some trials have never failed."""
        impostors = read_impostors(self._pack.path)
        if impostors is None:
            return
        self._on_progress(f"{self._pack.boss_id}: impostors")
        right = {program.name: without_tests(collect(program.path(self._pack.path))) for program in impostors.right}
        wrong = [_with_fault(right[impostor.of], impostor) for impostor in impostors.impostors if impostor.of in right]
        for results in await self._run_all(wrong):
            self._proofs.add_results(results)

    def _unproven_issues(self) -> Iterator[LintIssue]:
        """Yield an issue for each unproven trial: a problem if no case of it ever failed, else a note."""
        cases: dict[str, list[str]] = {}
        for name in self._proofs.trials:
            cases.setdefault(name.partition("[")[0], []).append(name)
        unproven = set(self._proofs.unproven)
        for names in cases.values():
            unproven_cases = [name for name in names if name in unproven]
            is_all = len(unproven_cases) == len(names)
            for name in unproven_cases[:1] if is_all else unproven_cases:
                problem = "has failed on no exemplar, seeded fault or impostor that anything else passes"
                yield self._issue_about(name, f"{self._proofs.trials[name].title} {problem}", is_problem=is_all)

    def _issue_about(self, name: str, message: str, *, is_problem: bool = True) -> LintIssue:
        path, line = self._trial_places.get(name.partition("[")[0], (self._pack.trials, None))
        return LintIssue(path, line, message, is_problem)


def _trial_places(pack: BossPack) -> dict[str, tuple[Path, int | None]]:
    """File and line of each trial, by its id without the case."""
    return {
        f"{file.path.name}::{trial.name}": (file.path, trial.line)
        for file in read_trials(pack.trials)
        for trial in file.trials
    }


def without_tests(submission: Submission) -> Submission:
    """Return the submission without its tests, which prove nothing about our trials."""
    files = tuple(file for file in submission.files if not is_test_file(file.path))
    return Submission(files=files, notes=submission.notes)


def _with_fault(submission: Submission, wrong: PlantedFault) -> Submission:
    return Submission.of(plant(submission.contents, wrong))


def _mutants_of(submission: Submission) -> Iterable[Mutant]:
    for file in submission.files:
        if file.path.endswith(".py"):
            yield from find_mutants(file.path, file.content)[0]
