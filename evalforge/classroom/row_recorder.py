"""Records the rows of a class run: reuses earlier results, and stores new ones.

An override survives a new judging: it is carried over to the new attempt, and marked for review.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from evalforge.classroom.class_row import ClassRow, EarlierResult, RowOutcome
from evalforge.classroom.hand_in import HandIn
from evalforge.classroom.judging_fingerprint import changed_parts
from evalforge.history.class_book import ClassSlot, JudgingFingerprint, PastJudging
from evalforge.history.overrides import Override, RevisedResult
from evalforge.history.overriding import StoredJudging, revise_judging
from evalforge.history.store import History
from evalforge.model.errors import HistoryError, UsageError
from evalforge.model.fight_record import FightRecord
from evalforge.model.result import JudgeInfo, Judgement
from evalforge.model.rubric import BossRubric
from evalforge.packs.pack import BossPack


@dataclass(frozen=True)
class JudgingTask:
    """A submission that has to be judged.

    Attributes:
        content_hash: Hash of its files now.
        earlier: Its latest judging; None if it was never judged.
        causes: What has changed since: ``submission``, ``rubric``, ``judge`` and so on.
    """

    hand_in: HandIn
    content_hash: str
    earlier: PastJudging | None
    causes: tuple[str, ...]


class RowRecorder:
    """Looks up and stores the rows of one class.

    Args:
        history: Where attempts and runs are stored.
        label: The name of the class.
        judge: The judge of this run.
        fingerprint: What decides results in this run, besides submissions and judge.
        sources: The folders and files of all submissions of this run.
        again: Whether everybody is judged, even if an earlier result could be reused.
    """

    def __init__(
        self,
        pack: BossPack,
        history: History,
        label: str,
        judge: JudgeInfo,
        fingerprint: JudgingFingerprint,
        sources: Iterable[str] = (),
        *,
        again: bool,
    ) -> None:
        self._pack = pack
        self._history = history
        self._label = label
        self._judge = judge
        self._fingerprint = fingerprint
        self._sources = frozenset(sources)
        self._again = again
        self._run = 0

    def open_run(self, source: str) -> int:
        """Start a run over the class found at ``source``; returns its number."""
        book = self._history.classes
        self._run = book.open_run(self._label, self._pack.boss_id, source, self._judge, self._fingerprint)
        return self._run

    def close_run(self) -> int:
        """Finish the run; returns its number, or that of an identical earlier run."""
        self._run = self._history.classes.close_run(self._run)
        return self._run

    def assign_next_attempt(self, hand_in: HandIn, directory: Path) -> None:
        """Assign the next attempt on a directory to a submission."""
        self._history.assign_class_slot(directory, ClassSlot(self._run, hand_in.row_id, hand_in.source))

    def record_row(self, row: ClassRow) -> None:
        """Store a settled row. The row of a fight was stored when the fight began."""
        is_stored = row.fresh and bool(row.attempt_id)
        if not is_stored:
            outcome = "" if row.attempt_id else row.outcome.value
            self._history.classes.record_row(self._run, row.row_id, row.attempt_id, outcome, row.reason)

    def reuse_or_plan(self, hand_in: HandIn, content_hash: str) -> ClassRow | JudgingTask:
        """Return the row from an earlier run if nothing has changed since; else the task to judge it."""
        judgings = self._past_judgings(hand_in)
        changes = [changed_parts(judging, content_hash, self._judge, self._fingerprint) for judging in judgings]
        reusable = next((index for index, changed in enumerate(changes) if not changed), None)
        if reusable is None or self._again:
            latest = (judgings[0], changes[0]) if judgings else (None, ())
            return JudgingTask(hand_in, content_hash, *latest)
        previous = next((index for index in range(len(judgings)) if index != reusable), None)
        earlier_result = None if previous is None else _earlier_result(judgings[previous], changes[previous])
        try:
            return self._reused_row(hand_in, judgings[reusable].attempt_id, earlier_result)
        except HistoryError:
            # A damaged attempt is judged again.
            return JudgingTask(hand_in, content_hash, judgings[reusable], ())

    def _past_judgings(self, hand_in: HandIn) -> list[PastJudging]:
        """Return the judgings of a submission, excluding those of another one that had its name before."""
        classes = self._history.classes
        judgings = classes.past_judgings(self._label, self._pack.boss_id, hand_in.row_id, hand_in.source)
        return [
            judging for judging in judgings if judging.source == hand_in.source or judging.source not in self._sources
        ]

    def _reused_row(self, hand_in: HandIn, attempt_id: str, earlier_result: EarlierResult | None) -> ClassRow:
        attempt = self._history.get(attempt_id)
        details = {
            "attempt_id": attempt_id,
            "isolation": attempt.isolation,
            "content_hash": attempt.submission.content_hash,
            "judged": attempt.result,
            "earlier": earlier_result,
        }
        return self._with_overrides(make_row(hand_in, RowOutcome.JUDGED, **details), attempt.judgements)

    def row_after_fight(self, task: JudgingTask, record: FightRecord, left_out: tuple[str, ...]) -> ClassRow:
        """Build the row of a finished fight.

        Args:
            task: What was to be judged.
            record: What the fight yielded.
            left_out: What was not unpacked from an archive, and why.
        """
        details = {
            "fresh": True,
            "left_out": left_out,
            "attempt_id": record.attempt_id,
            "isolation": record.isolation,
            "content_hash": record.content_hash or task.content_hash,
            "judged": record.result,
            "cost": record.cost,
            "earlier": _earlier_result(task.earlier, task.causes) if task.earlier else None,
        }
        if record.judged:
            return self._with_overrides(make_row(task.hand_in, RowOutcome.JUDGED, **details), record.judgements)
        ungraded = record.ungraded
        reason = f"{ungraded.reason} {ungraded.advice}".strip() if ungraded else "Nothing was returned."
        return make_row(task.hand_in, RowOutcome.UNGRADED, reason=reason, **details)

    def _with_overrides(self, row: ClassRow, judgements: tuple[Judgement, ...]) -> ClassRow:
        """Return a judged row with the overrides of its attempt, or of the previous one."""
        if row.judged is None:
            return row
        judging = StoredJudging(row.attempt_id, row.judged, judgements)
        earlier_id = row.earlier.attempt_id if row.earlier else ""
        revised, lost_ids = _carry_overrides(self._history, judging, earlier_id, self._pack.rubric)
        revised = revised and _with_current_words(revised, judging, self._pack.rubric)
        return row.model_copy(update={"revised": revised, "lost": lost_ids})


def _with_current_words(revised: RevisedResult, judging: StoredJudging, rubric: BossRubric) -> RevisedResult:
    """Return a stored revision with its text written again: older texts might contradict the overrides."""
    try:
        return revised.model_copy(update={"result": revise_judging(judging, rubric, revised.in_force)})
    except UsageError:
        return revised  # The rubric has changed since.


def make_row(hand_in: HandIn, outcome: RowOutcome, **details: object) -> ClassRow:
    """Build the row of a submission; ``details`` are further fields of ``ClassRow``."""
    person = hand_in.person
    identity = {
        "row_id": hand_in.row_id,
        "name": person.name,
        "student_id": person.student_id,
        "email": person.email,
        "number": person.number,
        "members": hand_in.members,
        "platform": hand_in.platform,
        "handed_in": hand_in.handed_in,
        "is_late": hand_in.is_late,
        "earlier_versions": hand_in.earlier,
        "source": hand_in.source,
        "on_roster": hand_in.on_roster,
        "name_clashes": hand_in.name_clashes,
    }
    return ClassRow.model_validate({**identity, "outcome": outcome, **details})


def _earlier_result(judging: PastJudging, causes: tuple[str, ...]) -> EarlierResult:
    return EarlierResult(
        attempt_id=judging.attempt_id,
        score_total=judging.score_total,
        score_max=judging.score_max,
        verdict=judging.verdict,
        causes=causes,
    )


def _carry_overrides(
    history: History, judging: StoredJudging, earlier_id: str, rubric: BossRubric
) -> tuple[RevisedResult | None, tuple[str, ...]]:
    """Copy the overrides of an earlier attempt to an attempt that has none.

    Args:
        history: Where both attempts are stored.
        judging: The judging that counts now.
        earlier_id: The previous attempt; empty if there is none.
        rubric: The rubric the attempt was judged by.

    Returns:
        The judging's revised result, and the criteria whose override could not be carried over.
    """
    attempt_id = judging.attempt_id
    revised_result = history.overrides.of(attempt_id)
    if revised_result is not None or not earlier_id or earlier_id == attempt_id:
        return revised_result, ()
    earlier_overrides = history.overrides.of(earlier_id)
    if earlier_overrides is None:
        return None, ()
    carried: list[Override] = []
    lost_ids: list[str] = []
    for override in earlier_overrides.in_force:
        try:
            revise_judging(judging, rubric, [override])
        except UsageError:
            # The rubric no longer has this criterion or level: the override stays with the old attempt.
            lost_ids.append(override.criterion_id)
        else:
            origin_id = override.carried_from or earlier_id
            carried.append(override.model_copy(update={"carried_from": origin_id}))
    if carried:
        history.overrides.add(attempt_id, tuple(carried), revise_judging(judging, rubric, carried))
    return history.overrides.of(attempt_id), tuple(lost_ids)
