"""Check that a boss's trials are useful: they pass on flawless code and fail on faulty code.

The faults are the small ones also seeded into a player's code to check the player's tests; here they go into the
flawless exemplar, to check ours. A trial is proven by an exemplar, a mutant or an impostor on which it fails while
others pass: where everything fails, as on code that does not load, nothing is distinguished.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import aclosing, suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path

from evalforge.engine_pool import EnginePool
from evalforge.evidence.engine import Engine
from evalforge.evidence.suite.candidates import find_mutants
from evalforge.evidence.suite.jobs import sample_mutants
from evalforge.measurements import without_tests
from evalforge.model.errors import PackError, SubmissionError
from evalforge.model.events import TrialFinished
from evalforge.model.evidence import LOAD_GROUP, TrialOutcome, TrialResult
from evalforge.model.result import Verdict
from evalforge.model.submission import Submission
from evalforge.packs.atomic_files import read_json_object, write_atomically
from evalforge.packs.fingerprint import engine_version, files_below, framed, short_hash
from evalforge.packs.gold import read_gold
from evalforge.packs.impostors import plant, read_impostors
from evalforge.packs.issue import Issue, sort_issues
from evalforge.packs.lint.exemplar_checks import FLAWLESS
from evalforge.packs.lint.trial_files import read_trials
from evalforge.packs.pack import BossPack
from evalforge.packs.trial_key import trial_seed
from evalforge.submissions.collect import collect

MUTANTS_PER_BOSS = 30
"""Number of mutants tried for every boss."""
MAX_MUTANTS_PER_BOSS = 120
"""Number of mutants tried while some trial has not failed on any."""
_FAILED_OUTCOMES = (TrialOutcome.FAILED, TrialOutcome.CRASHED, TrialOutcome.TIMED_OUT)
_RUN_FOLDERS = ("trials", "exemplars", "starter", "impostors")
Results = tuple[TrialResult, ...]


async def kept_trial_issues(
    pack: BossPack, engines: EnginePool, state: Path, on_progress: Callable[[str], None]
) -> tuple[Issue, ...]:
    """The issues of the trials: stored ones if no program has changed since, else from a new run.

    Raises:
        SandboxError: Code can't be run here.
    """
    file = state / "lab" / "checks" / f"{_programs_hash(pack)}.json"
    issues = _read_issues(file, pack.path)
    if issues is None:
        issues = await check_trials(pack, engines, on_progress)
        entries = [{**asdict(issue), "path": issue.file(pack.path)} for issue in issues]
        with suppress(OSError):  # then the programs run again next time
            write_atomically(file, json.dumps({"issues": entries}).encode())
    return issues


def _programs_hash(pack: BossPack) -> str:
    """The hash of everything that runs in a pack; words of rubric, rules, codex and gold aren't included."""
    files = [path for name in _RUN_FOLDERS for path in files_below(pack.path / name) if path.name != "gold.yaml"]
    header = f"{pack.boss_id}\0{pack.definition.metadata.entry_files}\0{engine_version()}\0".encode()
    return short_hash(header, *(framed(path.relative_to(pack.path).as_posix(), path.read_bytes()) for path in files))


def _read_issues(file: Path, pack: Path) -> tuple[Issue, ...] | None:
    stored = read_json_object(file).get("issues")
    try:
        return None if stored is None else tuple(Issue(**{**entry, "path": pack / entry["path"]}) for entry in stored)
    except (KeyError, TypeError):
        return None


async def check_trials(pack: BossPack, engines: EnginePool, on_progress: Callable[[str], None]) -> tuple[Issue, ...]:
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
    return sort_issues(pack.path, await _TrialChecker(pack, engines, on_progress).check())


class _TrialChecker:
    def __init__(self, pack: BossPack, engines: EnginePool, on_progress: Callable[[str], None]) -> None:
        self._pack = pack
        self._on_progress = on_progress
        self._engines = engines
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
        self._on_progress(f"{self._pack.boss_id}: trials on the exemplars")
        first_run, second_run = await self._run_all([submission, submission])
        self._trials = {trial.id: trial for trial in first_run if trial.group != LOAD_GROUP}
        issues = [*self._failure_issues(FLAWLESS, first_run), *self._flaky_issues(first_run, second_run)]
        if issues:
            return issues
        issues = [*await self._check_exemplars(), *await self._check_starter()]
        survivors = await self._check_mutants(flawless, submission)
        if self._unproven:
            await self._try_impostors()
        return [*issues, *self._unproven_issues(), *survivors]

    async def _run_all(self, submissions: Sequence[Submission]) -> list[Results]:
        """Run the trials on each submission, as many at once as there are engines."""
        return await self._engines.run_all([partial(self._run_trials, submission) for submission in submissions])

    async def _run_trials(self, submission: Submission, engine: Engine) -> Results:
        entry_files = self._pack.definition.metadata.entry_files
        seed = trial_seed(self._pack.boss_id, submission.content_hash)
        gathering = engine.gather(seed, self._pack.trials, entry_files, submission)
        async with aclosing(gathering) as events:
            return tuple([event.trial async for event in events if isinstance(event, TrialFinished)])

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
        exemplars = [exemplar for exemplar in self._pack.exemplars if exemplar.name != FLAWLESS]
        submissions: list[Submission] = []
        strong_ones: list[bool] = []
        for exemplar in exemplars:
            try:
                submissions.append(without_tests(collect(exemplar)))
                strong_ones.append(read_gold(exemplar).verdict is Verdict.STRONG_PASS)
            except (SubmissionError, PackError) as error:
                return [Issue(exemplar, None, str(error))]
        issues: list[Issue] = []
        for exemplar, is_strong, results in zip(exemplars, strong_ones, await self._run_all(submissions), strict=True):
            self._add_proofs(results)
            issues += self._failure_issues(exemplar.name, results) if is_strong else ()
        return issues

    async def _check_starter(self) -> list[Issue]:
        """Check that the starter loads and fails some trial."""
        try:
            submission = collect(self._pack.starter)
        except SubmissionError as error:
            return [Issue(self._pack.starter, None, str(error))]
        (results,) = await self._run_all([without_tests(submission)])
        loading = [trial for trial in results if trial.group == LOAD_GROUP and not trial.passed]
        if loading:
            return [Issue(self._pack.starter, None, f"the starter does not load: {loading[0].message}")]
        if all(trial.passed for trial in results):
            return [Issue(self._pack.starter, None, "the starter passes every trial, so nothing is left to do")]
        return []

    async def _check_mutants(self, folder: Path, submission: Submission) -> list[Issue]:
        """Run mutants; more than the usual number only while they may still prove a trial."""
        programs = [file for file in submission.files if file.path.endswith(".py")]
        candidates = (mutant for file in programs for mutant in find_mutants(file.path, file.content)[0])
        mutants = sample_mutants(candidates, MAX_MUTANTS_PER_BOSS)
        survivors: list[Issue] = []
        for start in range(0, len(mutants), self._engines.size):
            if start >= MUTANTS_PER_BOSS and not self._unproven:
                break
            if start % 10 < self._engines.size:
                self._on_progress(f"{self._pack.boss_id}: faults {start + 1} to {min(start + 10, len(mutants))}")
            batch = mutants[start : start + self._engines.size]
            runs = await self._run_all([mutant.put_into(submission) for mutant in batch])
            for mutant, results in zip(batch, runs, strict=True):
                if not self._add_proofs(results):
                    message = f"no trial catches {mutant.description}"
                    survivors.append(Issue(folder / mutant.path, mutant.line, message, is_problem=False))
        return survivors

    async def _try_impostors(self) -> None:
        """Run the boss's impostors, which differ more than small faults, if some trials have never failed."""
        impostors = read_impostors(self._pack.path)
        if impostors is None:
            return
        self._on_progress(f"{self._pack.boss_id}: impostors")
        right = {program.name: without_tests(collect(program.path(self._pack.path))) for program in impostors.right}
        wrong = [
            Submission.of(plant(right[impostor.of].contents, impostor))
            for impostor in impostors.impostors
            if impostor.of in right
        ]
        for results in await self._run_all(wrong):
            self._add_proofs(results)

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
