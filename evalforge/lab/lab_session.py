"""A lab session: a draft, the submissions it is tried on, and the scores that change."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evalforge.fight import FightOptions, Forge
from evalforge.judges.forge import rescore
from evalforge.lab.draft import LabDraft
from evalforge.lab.draft_check import DraftCheck, check_draft
from evalforge.lab.score_changes import PackRevision, ScoreChange
from evalforge.lab.submissions import (
    LabSubmission,
    SubmissionKind,
    attempt_source,
    exemplar_sources,
    measure_source,
)
from evalforge.model.attempt import Attempt
from evalforge.model.errors import EvalForgeError
from evalforge.model.events import Judged
from evalforge.model.exact_numbers import to_fraction
from evalforge.packs.pack import BossPack

_SCORES_PER_YIELD = 25
"""Submissions scored before the event loop gets a turn."""


@dataclass(frozen=True)
class ScoreChanges:
    """The scores by the saved pack and by a draft, keyed by submission id.

    Attributes:
        pack: The drafted pack.
        before: The forge's judgements by the saved pack.
        after: The forge's judgements by the draft.
        revision: Both packs, compared.
    """

    pack: BossPack
    before: Mapping[str, Judged]
    after: Mapping[str, Judged]
    by_submission: Mapping[str, ScoreChange]
    revision: PackRevision

    def count_gold_hits(
        self, submissions: Sequence[LabSubmission], judged_events: Mapping[str, Judged]
    ) -> tuple[int, int]:
        """Count the gold levels that the forge agrees with, and all gold levels."""
        pairs = [
            (to_fraction(submission.gold.levels[criterion_result.id]), to_fraction(criterion_result.score))
            for submission in submissions
            if submission.gold is not None and submission.id in judged_events
            for criterion_result in judged_events[submission.id].result.criteria
            if criterion_result.id in submission.gold.levels
        ]
        return sum(gold == score for gold, score in pairs), len(pairs)


class LabSession:
    """A draft, its submissions and their scores. Close it to release the draft's lock.

    Args:
        state: EvalForge's state folder.
        pack: The pack whose rubric is edited.

    Raises:
        UsageError: The draft is open in another lab, or can't be written.
    """

    def __init__(self, state: Path, pack: BossPack) -> None:
        self.state = state
        self.draft = LabDraft(state, pack)
        self._sources: dict[str, LabSubmission] = {}
        self._scores_before: dict[str, Judged] = {}
        self.submissions: dict[str, LabSubmission] = {}
        self.failures: dict[str, str] = {}
        """Why a submission could not be measured, by its id."""

    @property
    def pack(self) -> BossPack:
        """The pack as it is saved."""
        return self.draft.pack

    @property
    def sources(self) -> tuple[LabSubmission, ...]:
        """The exemplars and the chosen attempts."""
        return tuple(self._sources.values())

    @property
    def measured_sources(self) -> tuple[LabSubmission, ...]:
        """The sources that have been measured, with their evidence."""
        return tuple(self.submissions[source.id] for source in self.sources if source.id in self.submissions)

    @property
    def attempt_ids(self) -> tuple[str, ...]:
        """The ids of the chosen attempts."""
        return tuple(source.id for source in self.sources if source.kind is SubmissionKind.ATTEMPT)

    def close(self) -> None:
        """Release the draft's lock."""
        self.draft.close()

    def add_exemplars(self) -> None:
        """Collect the pack's exemplars."""
        for source in exemplar_sources(self.pack):
            self._sources.setdefault(source.id, source)

    def replace_attempts(self, attempts: Sequence[tuple[Attempt, str]]) -> None:
        """Choose these past attempts, given with their names, in place of those chosen before."""
        for attempt_id in self.attempt_ids:
            del self._sources[attempt_id]
            self.submissions.pop(attempt_id, None)
            self.failures.pop(attempt_id, None)
        for attempt, name in attempts:
            self._sources[attempt.id] = attempt_source(attempt, name)

    async def measure(
        self,
        get_forge: Callable[[], Awaitable[Forge]],
        options: FightOptions,
        show_progress: Callable[[str], None],
    ) -> None:
        """Measure every source that has no evidence yet. Code is run only where facts may have changed.

        Args:
            get_forge: Starts what runs code.
            options: Fight options for what is run.
            show_progress: Called with one line before each submission.
        """
        missing = [source for source in self.sources if source.id not in self.submissions]
        for number, source in enumerate(missing, start=1):
            show_progress(f"Scoring {number} of {len(missing)}: {source.name} ...")
            try:
                self.submissions[source.id] = await measure_source(source, self.pack, await get_forge(), options)
                self.failures.pop(source.id, None)
            except EvalForgeError as error:
                self.failures[source.id] = str(error)
            await asyncio.sleep(0)

    def check_draft(self) -> DraftCheck:
        """Lint the draft, and score everything with it if it is sound."""
        return check_draft(self.draft)

    async def score(self, pack: BossPack) -> ScoreChanges:
        """Score every measured submission by a loaded draft, and compare with the saved pack."""
        revision = PackRevision(self.pack, pack)
        after: dict[str, Judged] = {}
        changes: dict[str, ScoreChange] = {}
        for number, submission in enumerate(self.measured_sources):
            if number % _SCORES_PER_YIELD == _SCORES_PER_YIELD - 1:
                await asyncio.sleep(0)
            if submission.id not in self._scores_before:
                self._scores_before[submission.id] = rescore(self.pack, submission.submission, submission.evidence)
            before = self._scores_before[submission.id]
            after[submission.id] = rescore(pack, submission.submission, submission.evidence)
            changes[submission.id] = revision.score_change(
                before.result, after[submission.id].result, submission.evidence
            )
        return ScoreChanges(pack, dict(self._scores_before), after, changes, revision)
