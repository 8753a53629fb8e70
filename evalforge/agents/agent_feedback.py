"""The feedback an agent reads about a judging: what a player sees, as data."""

from evalforge.model.base import Frozen
from evalforge.model.fight_record import FightRecord
from evalforge.model.reason import Reason
from evalforge.packs.pack import BossPack

_MAX_FAILED_TRIALS = 20


class CriterionFeedback(Frozen):
    """One criterion: its level, why it has it, and what the next level needs."""

    criterion_id: str
    label: str
    score: float
    max_score: float
    comment: str
    next_level: str
    reason: Reason | None = None


class TrialFeedback(Frozen):
    """A trial that failed, as players see it."""

    group: str
    title: str
    outcome: str
    message: str


class Feedback(Frozen):
    """The outcome of a judging. Without a score, ``ungraded`` says why, and the submission is not to blame.

    ``attempt_id`` is empty if none is stored; ``failed_trials`` holds the first twenty of ``failed_trial_count``.
    """

    boss_id: str
    attempt_id: str
    verdict: str = ""
    passed: bool = False
    score_total: float | None = None
    score_max: float | None = None
    integrity: float | None = None
    summary: str = ""
    criteria: tuple[CriterionFeedback, ...] = ()
    failed_trials: tuple[TrialFeedback, ...] = ()
    failed_trial_count: int = 0
    improvements: tuple[str, ...] = ()
    ungraded: str = ""


def feedback_on(pack: BossPack, record: FightRecord) -> Feedback:
    """Collect the feedback of a fight."""
    result = record.result
    if result is None:
        reason = record.ungraded
        text = f"{reason.reason} {reason.advice}".strip() if reason else "The judging was stopped."
        return Feedback(boss_id=pack.boss_id, attempt_id=record.attempt_id, ungraded=text)
    failed = [trial for trial in record.trials if not trial.passed]
    return Feedback(
        boss_id=pack.boss_id,
        attempt_id=record.attempt_id,
        verdict=result.verdict,
        passed=result.passed,
        score_total=result.score_total,
        score_max=result.score_max,
        integrity=result.integrity,
        summary=result.summary,
        criteria=tuple(
            CriterionFeedback(
                criterion_id=judgement.criterion_id,
                label=pack.rubric.criterion(judgement.criterion_id).label,
                score=judgement.score,
                max_score=pack.rubric.criterion(judgement.criterion_id).max_score,
                comment=judgement.comment,
                next_level=judgement.next_level,
                reason=judgement.reason,
            )
            for judgement in record.judgements
        ),
        failed_trials=tuple(
            TrialFeedback(group=trial.group, title=trial.title, outcome=trial.outcome.value, message=trial.message)
            for trial in failed[:_MAX_FAILED_TRIALS]
        ),
        failed_trial_count=len(failed),
        improvements=result.improvements,
    )
