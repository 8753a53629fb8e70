"""Proof that a boss's trials are worth something: they hold on flawless code and break on faulty code.

Faults are the same small ones that are seeded into a player's code to try the player's tests; here they go into the
flawless exemplar, to try ours. A trial is proven by an exemplar or a fault on which it fails while others pass: where
everything fails, as on code that does not load, nothing is told apart.
"""

import asyncio
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path

from evalforge.collect import collect
from evalforge.evidence.engine import Engine
from evalforge.evidence.mutation.candidates import candidates
from evalforge.evidence.mutation.fault import Fault
from evalforge.evidence.mutation.plan import sample
from evalforge.evidence.reading import is_test_file
from evalforge.library.gold import read_gold
from evalforge.library.lint.exemplars import FLAWLESS
from evalforge.library.lint.remark import Remark, in_order
from evalforge.library.lint.trialfile import read_trials
from evalforge.library.pack import BossPack
from evalforge.model.errors import PackError, SandboxError, SubmissionError
from evalforge.model.events import TrialFinished
from evalforge.model.evidence import LOAD_GROUP, Outcome, TrialResult
from evalforge.model.result import Verdict
from evalforge.model.submission import Submission, SubmissionFile

FAULTS = 30
"""How many faults are tried on every boss."""
MOST_FAULTS = 120
"""How many are tried as long as some trial has failed on none."""
_ENGINES_MOST = 4
_FAILING = (Outcome.FAILED, Outcome.CRASHED, Outcome.TIMED_OUT)
Results = tuple[TrialResult, ...]


@dataclass
class _Record:
    """What is known so far. ``proven`` are the ids of trials that told faulty code from sound."""

    trials: dict[str, TrialResult] = field(default_factory=dict[str, TrialResult])
    proven: set[str] = field(default_factory=set[str])

    def take(self, results: Results) -> bool:
        """Note which trials failed; answers whether any did."""
        failing = {trial.id for trial in results if trial.outcome in _FAILING}
        if any(trial.passed for trial in results if trial.group != LOAD_GROUP):
            self.proven |= failing
        return bool(failing)

    @property
    def unproven(self) -> list[str]:
        """Ids of trials that have failed on nothing."""
        return [name for name in self.trials if name not in self.proven]


async def prove(pack: BossPack, tell: Callable[[str], None]) -> tuple[Remark, ...]:
    """Run a boss's trials on its exemplars, on its starter, and on faults seeded into its flawless exemplar.

    Args:
        pack: A sound pack.
        tell: Called with a word on what is going on.

    Returns:
        What must be mended, and as notes the faults that no trial notices.

    Raises:
        SandboxError: Nothing can be run here.
    """
    engines = [Engine() for _ in range(max(1, min(_ENGINES_MOST, (os.cpu_count() or 1) // 2)))]
    try:
        return in_order(await _Prover(pack, engines, tell).prove())
    finally:
        for engine in engines:
            await engine.close()


class _Prover:
    def __init__(self, pack: BossPack, engines: Sequence[Engine], tell: Callable[[str], None]) -> None:
        self._pack = pack
        self._tell = tell
        self._free: asyncio.Queue[Engine] = asyncio.Queue()
        for engine in engines:
            self._free.put_nowait(engine)
        self._at_once = len(engines)
        self._record = _Record()
        self._places = _places(pack)

    async def prove(self) -> list[Remark]:
        flawless = self._pack.path / "exemplars" / FLAWLESS
        try:
            submission = _without_tests(collect(flawless))
        except SubmissionError as error:
            return [Remark(flawless, None, str(error))]
        self._tell(f"{self._pack.boss_id}: trials on the exemplars")
        first, again = await self._all([submission, submission])
        self._record.trials = {trial.id: trial for trial in first if trial.group != LOAD_GROUP}
        remarks = [*self._failures(FLAWLESS, first), *self._flickers(first, again)]
        if remarks:
            return remarks
        remarks = [*await self._exemplars(), *await self._starter()]
        survivors = await self._faults(flawless, submission)
        return [*remarks, *self._unproven(), *survivors]

    async def _all(self, submissions: Sequence[Submission]) -> list[Results]:
        """The trials on each submission, as many at once as there are engines."""
        lost: list[SandboxError] = []
        tasks: list[asyncio.Task[Results]] = []
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._trials(submission)) for submission in submissions]
        except* SandboxError as errors:
            lost = [error for error in errors.exceptions if isinstance(error, SandboxError)]
        if lost:
            raise lost[0]
        return [task.result() for task in tasks]

    async def _trials(self, submission: Submission) -> Results:
        engine = await self._free.get()
        entry_files = self._pack.definition.metadata.entry_files
        gathering = engine.gather(self._pack.boss_id, self._pack.trials, entry_files, submission)
        try:
            async with aclosing(gathering) as events:
                return tuple([event.trial async for event in events if isinstance(event, TrialFinished)])
        finally:
            self._free.put_nowait(engine)

    def _failures(self, exemplar: str, results: Results) -> Iterator[Remark]:
        """Trials that fail on code that has it all."""
        for trial in results:
            if not trial.passed:
                told = f": {trial.message}" if trial.message else ""
                yield self._about(trial.id, f"{trial.title} {trial.outcome.value} on {exemplar}{told}")

    def _flickers(self, first: Results, again: Results) -> Iterator[Remark]:
        second = {trial.id: trial for trial in again}
        for trial in first:
            if trial.passed and trial.id in second and not second[trial.id].passed:
                yield self._about(trial.id, f"{trial.title} passes in one run and fails in the next, on the same code")

    async def _exemplars(self) -> list[Remark]:
        remarks: list[Remark] = []
        names: list[tuple[str, bool]] = []
        submissions: list[Submission] = []
        for exemplar in self._pack.exemplars:
            if exemplar.name == FLAWLESS:
                continue
            try:
                submissions.append(_without_tests(collect(exemplar)))
                names.append((exemplar.name, read_gold(exemplar).verdict is Verdict.STRONG_PASS))
            except (SubmissionError, PackError) as error:
                remarks.append(Remark(exemplar, None, str(error)))
                return remarks
        for (name, has_it_all), results in zip(names, await self._all(submissions), strict=True):
            self._record.take(results)
            if has_it_all:
                remarks += self._failures(name, results)
        return remarks

    async def _starter(self) -> list[Remark]:
        """The starter loads, and leaves something to do."""
        try:
            submission = collect(self._pack.starter)
        except SubmissionError as error:
            return [Remark(self._pack.starter, None, str(error))]
        (results,) = await self._all([_without_tests(submission)])
        loading = [trial for trial in results if trial.group == LOAD_GROUP and not trial.passed]
        if loading:
            return [Remark(self._pack.starter, None, f"the starter does not load: {loading[0].message}")]
        if all(trial.passed for trial in results):
            return [Remark(self._pack.starter, None, "the starter passes every trial: nothing is left to do")]
        return []

    async def _faults(self, folder: Path, submission: Submission) -> list[Remark]:
        """Seed faults; more than the usual number only while they may still prove a trial."""
        faults = sample(_faults_in(submission), MOST_FAULTS)
        survivors: list[Remark] = []
        for start in range(0, len(faults), self._at_once):
            if start >= FAULTS and not self._record.unproven:
                break
            if start % 10 < self._at_once:
                self._tell(f"{self._pack.boss_id}: faults {start + 1} to {min(start + 10, len(faults))}")
            batch = faults[start : start + self._at_once]
            for fault, results in zip(batch, await self._all([_seeded(submission, f) for f in batch]), strict=True):
                if not self._record.take(results):
                    path = folder / fault.path
                    survivors.append(Remark(path, fault.line, f"no trial notices {fault.words}", is_problem=False))
        return survivors

    def _unproven(self) -> Iterator[Remark]:
        """Trials that can't tell right from wrong: all cases of one, a problem; some of them, worth knowing."""
        cases: dict[str, list[str]] = {}
        for name in self._record.trials:
            cases.setdefault(name.partition("[")[0], []).append(name)
        unproven = set(self._record.unproven)
        for names in cases.values():
            idle = [name for name in names if name in unproven]
            for name in idle[:1] if len(idle) == len(names) else idle:
                told = "has failed on no exemplar and no seeded fault that anything else passes"
                whole = len(idle) == len(names)
                yield self._about(name, f"{self._record.trials[name].title} {told}", is_problem=whole)

    def _about(self, name: str, message: str, *, is_problem: bool = True) -> Remark:
        path, line = self._places.get(name.partition("[")[0], (self._pack.trials, None))
        return Remark(path, line, message, is_problem)


def _places(pack: BossPack) -> dict[str, tuple[Path, int | None]]:
    """Where each trial is written, by its id without the case."""
    return {
        f"{file.path.name}::{trial.name}": (file.path, trial.line)
        for file in read_trials(pack.trials)
        for trial in file.trials
    }


def _without_tests(submission: Submission) -> Submission:
    """The program alone: what its own tests do proves nothing about our trials."""
    files = tuple(file for file in submission.files if not is_test_file(file.path))
    return Submission(files=files, notes=submission.notes)


def _faults_in(submission: Submission) -> Iterable[Fault]:
    for file in submission.files:
        if file.path.endswith(".py"):
            yield from candidates(file.path, file.content)[0]


def _seeded(submission: Submission, fault: Fault) -> Submission:
    """The submission with a fault in it."""
    files = tuple(_changed(file, fault) if file.path == fault.path else file for file in submission.files)
    return Submission(files=files, notes=submission.notes)


def _changed(file: SubmissionFile, fault: Fault) -> SubmissionFile:
    content = file.content.encode("utf-8", "surrogatepass")
    text = content[: fault.start] + fault.text.encode("utf-8", "surrogatepass") + content[fault.end :]
    return SubmissionFile(path=file.path, content=text.decode("utf-8", "surrogatepass"))
