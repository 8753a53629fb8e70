"""The single path of a fight: collect, measure, judge, score, save; all of it one stream of events."""

import asyncio
import shutil
import sysconfig
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from evalforge.evidence.control_files import control_file_notices
from evalforge.evidence.engine import Engine
from evalforge.history.store import History
from evalforge.judges.base import Case, Judge
from evalforge.judges.forge import FORGE_NAME, judge_what_is_measured
from evalforge.judges.improvements import follow_advice
from evalforge.judges.refusals import refuse_broken, refuse_unmeasured
from evalforge.judges.registry import make_judge, prepare_judge
from evalforge.llm.budget import Budget
from evalforge.llm.model_options import ModelOptions
from evalforge.measurements import Measurements
from evalforge.model.claim import Claim
from evalforge.model.errors import SandboxError
from evalforge.model.events import (
    AdviceFollowed,
    Collected,
    CriterionJudged,
    Event,
    FactMeasured,
    ImpostorMet,
    Judged,
    Progress,
    Saved,
    Started,
    TrialFinished,
    TrialsPlanned,
    Ungraded,
)
from evalforge.model.evidence import LOAD_GROUP, Evidence
from evalforge.model.fight_record import FightRecord
from evalforge.model.result import Judgement
from evalforge.model.submission import Submission
from evalforge.own_failure import ungraded_on_error
from evalforge.packs.calibrated import is_calibrated
from evalforge.packs.pack import BossPack
from evalforge.packs.trial_key import trial_key, trial_seed
from evalforge.sandbox.isolation import CAGED_LAYERS, NO_ISOLATION_HINT, NO_ISOLATION_MESSAGE
from evalforge.submissions.boss_submission import collect_for, renaming_notice
from evalforge.submissions.collect import collect

# Evidence of submissions that were judged before, valid as long as files, trials, engine and key are the same.


def measurement_events(evidence: Evidence) -> Iterator[Event]:
    """Yield evidence as its original events: the result of loading, the plan, then everything else."""
    loading = [trial for trial in evidence.trials if trial.group == LOAD_GROUP]
    asking = [trial for trial in evidence.trials if trial.group != LOAD_GROUP]
    yield from (TrialFinished(trial=trial) for trial in loading)
    yield TrialsPlanned(groups=dict(Counter(trial.group for trial in asking)))
    yield from (TrialFinished(trial=trial) for trial in asking)
    yield from (ImpostorMet(impostor=impostor) for impostor in evidence.impostors)
    yield from (FactMeasured(fact=fact) for fact in evidence.facts)


def _libraries(python: str) -> Iterator[str]:
    """Yield the interpreter and its library folders, each with its last change: installing a library changes one."""
    if not python:
        yield _changed_at(Path(sysconfig.get_path("purelib")))
        return
    program = Path(shutil.which(python) or python)
    yield _changed_at(program)
    for folder in sorted(program.absolute().parent.parent.glob("lib*/python*/site-packages")):
        yield _changed_at(folder)


def _changed_at(path: Path) -> str:
    with suppress(OSError):
        return f"{path} {path.stat().st_mtime_ns}"
    return str(path)


# Whether a player followed the advice of the directory's previous judging.


@dataclass(frozen=True)
class _Try:
    """The part of a judging that decides whether its advice was followed.

    Attributes:
        where: The boss's id and the directory.
        attempt_id: The attempt's id; empty for practice.
        improvements: What it advised.
        evidence: What it measured.
    """

    where: tuple[str, str]
    attempt_id: str
    improvements: tuple[str, ...]
    evidence: Evidence


class EarlierAdvice:
    """Remembers the last judging, and finds the last attempt.

    Args:
        history: The stored attempts; None if none are kept.
    """

    def __init__(self, history: History | None) -> None:
        self._history = history
        self._last_judging: _Try | None = None

    def follow(self, case: Case, directory: Path, attempt_id: str, judged_event: Judged) -> Iterator[AdviceFollowed]:
        """Compare with the last attempt's advice; in practice, with that of the same directory's last judging."""
        last = self._last_attempt(attempt_id) if attempt_id else self._last_judging
        where = (case.pack.boss_id, str(directory.absolute()))
        self._last_judging = _Try(where, attempt_id, judged_event.result.improvements, case.evidence)
        if last is None or (not attempt_id and last.where != where):
            return
        if advice := follow_advice(case.pack, last.improvements, last.evidence, case.evidence):
            yield AdviceFollowed(advice=advice, since=last.attempt_id)

    def _last_attempt(self, attempt_id: str) -> _Try | None:
        attempt = self._history.previous(attempt_id) if self._history else None
        if attempt is None or attempt.result is None or attempt.judge.name != FORGE_NAME:
            return None
        where = (attempt.boss_id, attempt.directory)
        return _Try(where, attempt.id, attempt.result.improvements, attempt.evidence)


class EarlyLevels:
    """The levels that the forge judge gives while something is still being measured.

    Args:
        is_asked: Whether it is to give any.
    """

    def __init__(self, *, is_asked: bool) -> None:
        self._is_asked = is_asked
        self._judgements: dict[str, Judgement] = {}

    async def among(self, measuring: AsyncGenerator[Event], case: Callable[[], Case]) -> AsyncGenerator[Event]:
        """Yield what is measured, and the levels that can be given when the next part of the measuring begins.

        Args:
            measuring: What is measured.
            case: Returns the case with all that was measured so far.
        """
        has_news = False
        async with aclosing(measuring) as events:
            async for event in events:
                yield event
                has_news = has_news or isinstance(event, FactMeasured)
                if self._is_asked and has_news and isinstance(event, Progress):
                    has_news = False
                    for level in judge_what_is_measured(case()):
                        if level.judgement.criterion_id not in self._judgements:
                            self._judgements[level.judgement.criterion_id] = level.judgement
                            yield level

    def has_given(self, event: Event) -> bool:
        """Whether an event is a level that was given before, in the same words."""
        if not isinstance(event, CriterionJudged):
            return False
        return self._judgements.get(event.judgement.criterion_id) == event.judgement


TRIES_BEFORE_INPUTS = 2
"""Attempts during which the inputs of trials marked ``hidden`` stay hidden."""


@dataclass(frozen=True)
class FightOptions:
    """The options of one fight.

    Attributes:
        judge: The judge's name; empty for the default one.
        models: Which models a model judge asks, at which server, within which budget.
        notes: The player's notes on the approach; if empty, a README is used.
        python: The interpreter for the player's code; ours if empty.
        save: Whether the fight becomes an attempt in history.
        tries: How often the player has been judged on this boss; None if no player fights, so nothing is hidden.
        trusted: Whether the code is the player's own, and may run without a sandbox.
        agent: The program that submits, such as ``claude-code``; empty for a person.
        again: Whether code is run even if evidence of the same files is cached.
        strikes_early: Whether the forge judge gives each level as soon as it can, while the tests still meet impostors.
    """

    judge: str = "forge"
    models: ModelOptions = field(default_factory=ModelOptions)
    notes: str = ""
    python: str = ""
    save: bool = True
    tries: int | None = None
    trusted: bool = False
    agent: str = ""
    again: bool = False
    strikes_early: bool = False

    @property
    def hides_inputs(self) -> bool:
        """Whether this is one of the player's first attempts, in which hidden inputs stay hidden."""
        return self.tries is not None and self.tries < TRIES_BEFORE_INPUTS


# A server caches a prefix for five minutes after its last use.
_PREPARED_SECONDS = 270.0


class Forge:
    """Runs fights: owns the warm engine, the session's budget and the history.

    Args:
        history: The store of attempts; None stores none.
        budget: What model judges have spent in this session; a new one if None.
        engine: What measures; a new one if None. The forge closes it.
        trial_key: The key that makes trials unpredictable; None for this machine's own key.
    """

    def __init__(
        self,
        history: History | None = None,
        budget: Budget | None = None,
        engine: Engine | None = None,
        trial_key: str | None = None,
    ) -> None:
        self._trial_key = trial_key
        self.history = history
        self.budget = budget or Budget()
        self.engine = engine or Engine()
        self._earlier_advice = EarlierAdvice(history)
        self._prepared: dict[tuple[str, str, ModelOptions | None], float] = {}

    def _trial_seed(self, pack: BossPack, submission: Submission) -> str:
        if self._trial_key is None:
            self._trial_key = trial_key()
        return trial_seed(pack.boss_id, submission.content_hash, self._trial_key)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.engine.close()

    async def warm(self) -> None:
        """Start the engine ahead of a fight. Errors are ignored, because the fight will hit and report them."""
        try:
            await self.engine.warm()
        except SandboxError:
            return

    async def isolation(self) -> str:
        """Describe in a sentence or two how players' code is isolated here."""
        await self.warm()
        if not self.engine.layer:
            return "The sandbox could not start: run evalforge doctor."
        return f"Your code runs in the {self.engine.layer} sandbox. {self.engine.isolation_note}".strip()

    async def prepare(self, pack: BossPack, models: ModelOptions | None) -> None:
        """Prepare a model judge while the player reads: load its library, put the boss in the server's cache.

        It is repeated only once that cache has expired.
        """
        key = pack.boss_id, pack.rubric_hash, models
        if time.monotonic() < self._prepared.get(key, 0.0):
            return
        self._prepared[key] = time.monotonic() + _PREPARED_SECONDS
        await prepare_judge(pack, models, self.budget)

    def judge(self, name: str, models: ModelOptions, case: Case) -> AsyncGenerator[Event]:
        """Have a judge, given by name, judge from existing evidence; its cost is charged to the session.

        Raises:
            UsageError: There is no such judge, or it is unavailable here.
        """
        return make_judge(name, models, self.budget).judge(case)

    async def fight(
        self,
        pack: BossPack,
        directory: Path,
        options: FightOptions | None = None,
        submission: Submission | None = None,
    ) -> AsyncGenerator[Event]:
        """Fight one boss with one directory.

        If ``submission`` is given, it was read from there before, and the directory may be gone.

        Closing the stream early ends the fight: the player's code is killed, the attempt is marked interrupted.
        ``model.fight_record`` collects the events it yields.

        Raises:
            SubmissionError: The directory holds nothing that can be judged.
            UsageError: There is no such judge, or it is unavailable here.
        """
        options = options or FightOptions()
        judge = make_judge(options.judge, options.models, self.budget)
        started_at = time.monotonic()
        submission = submission or collect_for(pack, directory, options.notes)
        directory /= submission.folder
        record = FightRecord(submission=submission)
        history = self.history if options.save else None
        attempt_id = self._begin(pack, directory, judge, submission, options)
        try:
            judging = self._events(pack, directory, submission, judge, options, record, attempt_id)
            async with aclosing(ungraded_on_error(judging)) as events:
                async for event in events:
                    stamped = event.model_copy(update={"at": round(time.monotonic() - started_at, 4)})
                    record.add(stamped)
                    yield stamped
        finally:
            if history is not None:
                # An interrupted judge has spent more than its last event said.
                record.cost = judge.cost
                history.finish(attempt_id, record)
        if history is not None:
            yield Saved(attempt_id=attempt_id, at=round(time.monotonic() - started_at, 4))

    async def meet_impostors(
        self, pack: BossPack, directory: Path, options: FightOptions | None = None
    ) -> AsyncGenerator[Event]:
        """Run a directory's tests on a boss's right programs and impostors only: practice, never stored.

        Closing the stream early kills the player's code.

        Yields:
            ``Collected``, then ``ImpostorMet`` and ``FactMeasured``, or ``Ungraded`` if the tests could not be run.

        Raises:
            SubmissionError: The directory holds nothing that can be run.
        """
        options = options or FightOptions()
        submission = collect(directory)
        yield _collected(pack, directory, submission)
        async with aclosing(ungraded_on_error(self._practice_events(pack, submission, options))) as events:
            async for event in events:
                yield event

    async def _practice_events(
        self, pack: BossPack, submission: Submission, options: FightOptions
    ) -> AsyncGenerator[Event]:
        if (refusal := await self._prepare_to_run(pack, options)) is not None:
            yield refusal
            return
        gathering = self._gather(pack, submission, options.python, tests_alone=True)
        async with aclosing(gathering) as measurements:
            async for event in measurements:
                yield event

    async def _events(
        self,
        pack: BossPack,
        directory: Path,
        submission: Submission,
        judge: Judge,
        options: FightOptions,
        record: FightRecord,
        attempt_id: str,
    ) -> AsyncGenerator[Event]:
        refusal = await self._prepare_to_run(pack, options)
        yield self._started(pack, judge)
        refusal = refusal or judge.refusal(Case(pack, submission, record.evidence))
        if refusal is not None:
            yield _collected(pack, directory, submission)
            yield refusal
            return
        seed = self._trial_seed(pack, submission)
        conditions = *_libraries(options.python), seed, self.engine.layer, options.hides_inputs
        store = await asyncio.to_thread(Measurements, pack, *conditions)
        kept_evidence = (
            None if options.again else await asyncio.to_thread(store.find_with_time, submission.content_hash)
        )
        measured_at, evidence = kept_evidence or (None, None)
        yield _collected(pack, directory, submission, measured_at)
        early = EarlyLevels(is_asked=options.strikes_early and judge.info.name == FORGE_NAME)
        measuring = self._measure(pack, submission, options, evidence)
        async with aclosing(early.among(measuring, lambda: Case(pack, submission, record.evidence))) as events:
            async for event in events:
                yield event

        def run_claims(claims: tuple[Claim, ...]) -> AsyncGenerator[Event]:
            return self._gather(pack, submission, options.python, claims=claims)

        case = Case(pack, submission, record.evidence, run_claims)
        if (refusal := refuse_unmeasured(case)) is not None:
            yield refusal
            return
        if evidence is None:
            store.store(submission.content_hash, case.evidence)
        async with aclosing(judge.judge(case)) as judging:
            async for event in judging:
                if early.has_given(event):
                    continue
                # A model's advice isn't tied to any condition.
                if isinstance(event, Judged) and judge.info.name == FORGE_NAME:
                    for followed in self._earlier_advice.follow(case, directory, attempt_id, event):
                        yield followed
                yield event

    async def _prepare_to_run(self, pack: BossPack, options: FightOptions) -> Ungraded | None:
        """Start the engine, and meanwhile read the boss. Returns why nothing can be judged here; None if all is well.

        In a thread: reading a boss the first time takes 0.2 s, during which a screen must go on drawing.
        """
        _, broken = await asyncio.gather(self.engine.warm(), asyncio.to_thread(refuse_broken, pack))
        if self.engine.layer not in CAGED_LAYERS and not options.trusted:
            return Ungraded(reason=NO_ISOLATION_MESSAGE, advice=NO_ISOLATION_HINT)
        return broken

    async def _measure(
        self, pack: BossPack, submission: Submission, options: FightOptions, kept_evidence: Evidence | None
    ) -> AsyncGenerator[Event]:
        """Yield the evidence of a submission, from the cache if it was judged before."""
        if kept_evidence is not None:
            for event in measurement_events(kept_evidence):
                yield event
            return
        gathering = self._gather(pack, submission, options.python, hides_inputs=options.hides_inputs)
        async with aclosing(gathering) as events:
            async for event in events:
                yield event

    def _gather(self, pack: BossPack, submission: Submission, python: str, **asked: Any) -> AsyncGenerator[Event]:
        """Measure a submission; ``asked`` holds keyword arguments for ``Engine.gather``."""
        entry_files, seed = pack.definition.metadata.entry_files, self._trial_seed(pack, submission)
        return self.engine.gather(seed, pack.trials, entry_files, submission, python, **asked)

    def _started(self, pack: BossPack, judge: Judge) -> Started:
        return Started(
            boss_id=pack.boss_id,
            title=pack.definition.title,
            judge=judge.info,
            isolation=self.engine.layer,
            isolation_note=self.engine.isolation_note,
            calibrated=is_calibrated(pack),
        )

    def _begin(
        self, pack: BossPack, directory: Path, judge: Judge, submission: Submission, options: FightOptions
    ) -> str:
        """Begin an attempt and return its id; empty if attempts aren't kept."""
        if self.history is None or not options.save:
            return ""
        boss = (pack.boss_id, pack.definition.title, pack.rubric_hash)
        return self.history.begin(*boss, str(directory.absolute()), judge.info, submission, options.agent)


def _collected(
    pack: BossPack, directory: Path, submission: Submission, measured_at: datetime | None = None
) -> Collected:
    return Collected(
        directory=str(directory),
        content_hash=submission.content_hash,
        files=tuple(file.path for file in submission.files),
        total_bytes=submission.total_bytes,
        left_out=submission.left_out,
        left_out_count=submission.total_left_out,
        measured_at=measured_at,
        notices=(*renaming_notice(pack, submission), *control_file_notices(submission)),
    )
