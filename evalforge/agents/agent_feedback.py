"""The feedback an agent reads about a judging: what a player sees, as data and as a Markdown page."""

from evalforge.model.base import Frozen
from evalforge.model.fight_record import FightRecord
from evalforge.model.number_format import format_number
from evalforge.model.reason import Reason
from evalforge.model.result import verdict_words
from evalforge.packs.pack import BossPack
from evalforge.reports.markdown import reason_markdown

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


def feedback_page(feedback: Feedback) -> str:
    """Render the feedback as Markdown."""
    if feedback.score_total is None:
        return f"# Not judged\n\n{feedback.ungraded}\n"
    score = f"{format_number(feedback.score_total)} of {format_number(feedback.score_max or 0)}"
    lines = [f"# {verdict_words(feedback.verdict).capitalize()}, {score}", "", feedback.summary]
    if feedback.improvements:
        lines += ["", "## What to do next", ""]
        lines += [f"{number}. {improvement}" for number, improvement in enumerate(feedback.improvements, start=1)]
    lines += ["", "## Criteria"]
    for criterion in feedback.criteria:
        lines += [
            "",
            f"### {criterion.label}: {format_number(criterion.score)} of {format_number(criterion.max_score)}",
            "",
            *(reason_markdown(criterion.reason) if criterion.reason else (criterion.comment,)),
        ]
        lines += ["", f"Next level: {criterion.next_level}"] if criterion.next_level else []
    if feedback.failed_trials:
        lines += ["", f"## Failed trials ({feedback.failed_trial_count})", ""]
        lines += [
            f"- {failed_trial.group}: {failed_trial.title} [{failed_trial.outcome}] {failed_trial.message}"
            for failed_trial in feedback.failed_trials
        ]
    return "\n".join(lines) + "\n"
