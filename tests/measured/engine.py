"""An engine that runs nothing whose run is stored."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from pathlib import Path

import pytest

from evalforge.evidence.engine import Engine
from evalforge.evidence.trial_worker import static_facts
from evalforge.model.claim import Claim
from evalforge.model.errors import SandboxError
from evalforge.model.events import Event, FactMeasured, TrialFinished, TrialsPlanned
from evalforge.model.submission import Submission
from evalforge.sandbox.isolation import CAGED_LAYERS, NO_ISOLATION_MESSAGE
from tests.measured.records import (
    MeasuredEvent,
    Record,
    measured_by_one,
    read_record,
    record_keys,
    valid_record,
    write_record,
)


class RecordedEngine(Engine):
    """Replays a submission's stored runs and reads its code anew; runs those that are not stored.

    Args:
        folder: Where what had to be run is kept until all who ask for it have it.
        replays: Whether stored runs are replayed at all.
    """

    def __init__(self, folder: Path, *, replays: bool = True) -> None:
        super().__init__()
        self._folder = folder
        self._replays = replays
        self.may_run = True
        """Whether a test may wait for a run that is not stored; else it is skipped."""
        self.record = Record()
        """The last submission's."""

    async def warm(self) -> None:
        """Wait with that for a submission whose run isn't stored."""
        self.layer = self.layer or "full"

    async def gather(
        self,
        trial_seed: str,
        trials: Path,
        entry_files: tuple[str, ...],
        submission: Submission,
        python: str = "",
        *,
        tests_alone: bool = False,
        hides_inputs: bool = False,
        claims: tuple[Claim, ...] = (),
    ) -> AsyncGenerator[Event]:
        """The events of measuring a submission, now or some time ago."""
        if tests_alone or claims:
            events = super().gather(
                *(trial_seed, trials, entry_files, submission, python),
                tests_alone=tests_alone,
                hides_inputs=hides_inputs,
                claims=claims,
            )
            await super().warm()
            async with aclosing(events):
                async for event in events:
                    yield event
            return
        conditions = tuple(filter(None, (python, "hides inputs" if hides_inputs else "")))
        keys = record_keys(trial_seed, trials, entry_files, submission, conditions)
        record = valid_record(keys) if self._replays else None
        if record is None:
            file = self._folder / f"{keys.trials}-{keys.suite}.json"
            with measured_by_one(file):
                record = read_record(file, keys)
                if record is None:
                    events = super().gather(
                        *(trial_seed, trials, entry_files, submission, python), hides_inputs=hides_inputs
                    )
                    record = _record_of(
                        await self._run(events), Record(keys=keys, execution=self.execution), submission
                    )
                    write_record(file, record)
        self.record = record
        for event in record_events(submission, record):
            yield event

    async def _run(self, events: AsyncGenerator[Event]) -> list[MeasuredEvent]:
        """What a real run measures."""
        if not self.may_run:
            pytest.skip("its runs have changed, and are measured in another of four changes")
        await super().warm()
        if self.layer not in CAGED_LAYERS:
            raise SandboxError(NO_ISOLATION_MESSAGE)
        async with aclosing(events):
            return [_without_times(event) async for event in events if isinstance(event, MeasuredEvent)]


def record_events(submission: Submission, record: Record) -> tuple[MeasuredEvent, ...]:
    """The events of a record's submission, in the order of a measurement; what is read from the code is read now."""
    return (*record.trials, *_reading(submission, record), *record.suite)


def _reading(submission: Submission, record: Record) -> tuple[FactMeasured, ...]:
    return tuple(FactMeasured(fact=fact) for fact in static_facts(submission, record.execution))


def _record_of(measured: Sequence[MeasuredEvent], record: Record, submission: Submission) -> Record:
    """Add what was measured to a record, but for the facts that are read from the code."""
    read = {event.fact.name for event in _reading(submission, record)}
    trials = tuple(event for event in measured if _is_of_trials(event))
    suite = tuple(
        event
        for event in measured
        if not (_is_of_trials(event) or (isinstance(event, FactMeasured) and event.fact.name in read))
    )
    return record.model_copy(update={"trials": trials, "suite": suite})


def _is_of_trials(event: MeasuredEvent) -> bool:
    if isinstance(event, FactMeasured):
        return event.fact.name.startswith("trials.")
    return isinstance(event, TrialsPlanned | TrialFinished)


def _without_times(event: MeasuredEvent) -> MeasuredEvent:
    if not isinstance(event, TrialFinished):
        return event
    return event.model_copy(update={"trial": event.trial.model_copy(update={"seconds": 0.0})})
