"""Check that a boss's trials are useful: they pass on flawless code and fail on faulty code.

The faults are the small ones also seeded into a player's code to check the player's tests; here they go into the
flawless exemplar, to check ours. A trial is proven by an exemplar, an impostor or a mutant on which it fails while
others pass: where everything fails, as on code that does not load, nothing is distinguished.
"""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path

from evalforge.calibration.impostor_runs import ProgramRuns, read_programs
from evalforge.evidence.suite.candidates import find_mutants
from evalforge.evidence.suite.jobs import sample_mutants
from evalforge.measurements import without_tests
from evalforge.model.errors import SubmissionError
from evalforge.model.evidence import LOAD_GROUP, TrialOutcome, TrialResult
from evalforge.model.result import Verdict
from evalforge.model.submission import Submission
from evalforge.pack_check.exemplar_check import MeasuredExemplar
from evalforge.packs.issue import Issue, sort_issues
from evalforge.packs.lint.exemplar_checks import FLAWLESS
from evalforge.packs.lint.trial_files import read_trials
from evalforge.packs.pack import BossPack
from evalforge.submissions.collect import collect

MUTANTS_PER_BOSS = 30
"""Number of mutants tried for every boss."""
MAX_MUTANTS_PER_BOSS = 120
"""Number of mutants tried while some trial has not failed on any."""
_MUTANTS_AT_ONCE = 10
_FAILED_OUTCOMES = (TrialOutcome.FAILED, TrialOutcome.CRASHED, TrialOutcome.TIMED_OUT)
Results = tuple[TrialResult, ...]
MeasureExemplars = Callable[[], Awaitable[Sequence[MeasuredExemplar]]]


async def check_trials(pack: BossPack, runs: ProgramRuns, measure_exemplars: MeasureExemplars) -> tuple[Issue, ...]:
    """Run a boss's trials on its exemplars, its starter, its impostors, and mutants of its flawless exemplar.

    Args:
        pack: A pack without lint problems.
        runs: Runs programs, each only if no evidence of it is kept.
        measure_exemplars: Measures the exemplars, once the trials pass on the flawless one.

    Returns:
        Problems, and a note for each mutant that every trial passes.

    Raises:
        SandboxError: Code can't be run here.
    """
    return sort_issues(pack.path, await _TrialChecker(pack, runs, measure_exemplars).check())


class _TrialChecker:
    def __init__(self, pack: BossPack, runs: ProgramRuns, measure_exemplars: MeasureExemplars) -> None:
        self._pack, self._runs, self._measure_exemplars = pack, runs, measure_exemplars
        self._trials: dict[str, TrialResult] = {}
        self._proven: set[str] = set()
        """Ids of trials that failed where other trials passed."""
        self._trial_places = {
            f"{trial.path.name}::{trial.name}": (trial.path, trial.line)
            for file in read_trials(pack.trials)
            for trial in file.trials
        }

    @property
    def _unproven(self) -> list[str]:
        return [name for name in self._trials if name not in self._proven]

    async def check(self) -> list[Issue]:
        flawless = self._pack.path / "exemplars" / FLAWLESS
        try:
            submission = without_tests(collect(flawless))
        except SubmissionError as error:
            return [Issue(flawless, None, str(error))]
        first_run, second_run = await self._runs.measure_twice(FLAWLESS, submission)
        self._trials = {trial.id: trial for trial in first_run.trials if trial.group != LOAD_GROUP}
        issues = [
            *self._failure_issues(FLAWLESS, first_run.trials),
            *self._flaky_issues(first_run.trials, second_run.trials),
        ]
        if issues:
            return issues
        issues = [*await self._check_exemplars(), *await self._check_starter()]
        await self._try_impostors()
        survivors = await self._check_mutants(flawless, submission)
        return [*issues, *self._unproven_issues(), *survivors]

    def _add_proofs(self, results: Results) -> bool:
        """Record which trials failed on one program, and return whether any did."""
        failing = {trial.id for trial in results if trial.outcome in _FAILED_OUTCOMES}
        if any(trial.passed for trial in results if trial.group != LOAD_GROUP):
            self._proven |= failing
        return bool(failing)

    def _failure_issues(self, exemplar: str, results: Results) -> Iterator[Issue]:
        """Yield an issue for each trial that fails on flawless code."""
        for trial in results:
            if not trial.passed:
                reason = f": {trial.message}" if trial.message else ""
                yield self._issue_about(trial.id, f"{trial.title} {trial.outcome.value} on {exemplar}{reason}")

    def _flaky_issues(self, first_run: Results, second_run: Results) -> Iterator[Issue]:
        failing = {trial.id for trial in second_run if not trial.passed}
        for trial in first_run:
            if trial.passed and trial.id in failing:
                message = f"{trial.title} passes in one run and fails in the next, on the same code"
                yield self._issue_about(trial.id, message)

    async def _check_exemplars(self) -> list[Issue]:
        issues: list[Issue] = []
        for exemplar in await self._measure_exemplars():
            trials = exemplar.case.evidence.trials
            self._add_proofs(trials)
            is_strong = exemplar.gold.verdict is Verdict.STRONG_PASS
            issues += self._failure_issues(exemplar.path.name, trials) if is_strong else ()
        return issues

    async def _check_starter(self) -> list[Issue]:
        """Check that the starter loads and fails some trial."""
        try:
            submission = collect(self._pack.starter)
        except SubmissionError as error:
            return [Issue(self._pack.starter, None, str(error))]
        (evidence,) = (await self._runs.measure({"the starter": without_tests(submission)})).values()
        loading = [trial for trial in evidence.trials if trial.group == LOAD_GROUP and not trial.passed]
        if loading:
            return [Issue(self._pack.starter, None, f"the starter does not load: {loading[0].message}")]
        if all(trial.passed for trial in evidence.trials):
            return [Issue(self._pack.starter, None, "the starter passes every trial, so nothing is left to do")]
        return []

    async def _try_impostors(self) -> None:
        """Run the boss's wrong programs, which differ more than small faults."""
        programs = read_programs(self._pack)
        wrong = await self._runs.measure(programs.wrong) if programs else {}
        for evidence in wrong.values():
            self._add_proofs(evidence.trials)

    async def _check_mutants(self, folder: Path, submission: Submission) -> list[Issue]:
        """Run mutants; more than the usual number only while they may still prove a trial."""
        programs = [file for file in submission.files if file.path.endswith(".py")]
        candidates = (mutant for file in programs for mutant in find_mutants(file.path, file.content)[0])
        mutants = sample_mutants(candidates, MAX_MUTANTS_PER_BOSS)
        survivors: list[Issue] = []
        for start in range(0, len(mutants), _MUTANTS_AT_ONCE):
            if start >= MUTANTS_PER_BOSS and not self._unproven:
                break
            numbered = enumerate(mutants[start : start + _MUTANTS_AT_ONCE], start + 1)
            batch = {f"fault {number}": mutant for number, mutant in numbered}
            measured = await self._runs.measure({name: mutant.put_into(submission) for name, mutant in batch.items()})
            for name, mutant in batch.items():
                if not self._add_proofs(measured[name].trials):
                    message = f"no trial catches {mutant.description}"
                    survivors.append(Issue(folder / mutant.path, mutant.line, message, is_problem=False))
        return survivors

    def _unproven_issues(self) -> Iterator[Issue]:
        """Yield an issue for each unproven trial: a problem if no case of it ever failed, else a note."""
        cases: dict[str, list[str]] = {}
        for name in self._trials:
            cases.setdefault(name.partition("[")[0], []).append(name)
        unproven = set(self._unproven)
        for names in cases.values():
            unproven_cases = [name for name in names if name in unproven]
            is_all = len(unproven_cases) == len(names)
            for name in unproven_cases[:1] if is_all else unproven_cases:
                problem = "has failed on no exemplar, seeded fault or impostor that anything else passes"
                yield self._issue_about(name, f"{self._trials[name].title} {problem}", is_problem=is_all)

    def _issue_about(self, name: str, message: str, *, is_problem: bool = True) -> Issue:
        path, line = self._trial_places.get(name.partition("[")[0], (self._pack.trials, None))
        return Issue(path, line, message, is_problem)
