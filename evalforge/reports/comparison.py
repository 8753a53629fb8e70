"""Two attempts side by side: what was gained, what was lost, and which changes led to that."""

from datetime import datetime
from typing import Any

from evalforge.model.attempt import Attempt
from evalforge.model.base import Frozen
from evalforge.model.evidence import ImpostorFate, TrialOutcome
from evalforge.model.exact_numbers import Score, to_fraction, to_number
from evalforge.model.followed_advice import FollowedAdvice
from evalforge.model.impostor_tally import tally_impostors
from evalforge.model.result import CriterionResult, JudgeInfo
from evalforge.reports.diff import FileChange, file_change
from evalforge.reports.labels import labels_by_criterion

Value = int | float | str | bool | None
INCOMPARABLE = "Different bosses or rubrics: the scores aren't comparable."


class ComparedAttempt(Frozen):
    """One of the two attempts. Scores are None if it was not judged."""

    id: str
    boss_id: str
    boss_title: str
    started_at: datetime
    judge: JudgeInfo
    score_total: Score | None
    score_max: Score | None
    integrity: float | None
    verdict: str | None


class CriterionChange(Frozen):
    """One criterion in both attempts. An attempt that lacks it has None, and then there is no delta."""

    id: str
    label: str
    before: Score | None
    after: Score | None
    max_score: Score
    delta: Score | None
    comment_before: str
    comment_after: str


class TrialChange(Frozen):
    """A trial with a different outcome; None if it was not run."""

    id: str
    group: str
    title: str
    before: TrialOutcome | None
    after: TrialOutcome | None


class ImpostorChange(Frozen):
    """An impostor with a different outcome; None if the tests did not meet it."""

    id: str
    clause: str
    riddle: str
    before: ImpostorFate | None
    after: ImpostorFate | None


class FactChange(Frozen):
    """A fact with a different value; None if it was not measured."""

    name: str
    before: Value
    after: Value


class Comparison(Frozen):
    """The differences between two attempts.

    Attributes:
        comparable: Whether both fought the same boss by the same rubric; otherwise deltas aren't comparable.
        score_delta: The difference in points; None unless both were judged.
        hp_delta: The difference in integrity as a share, below 0 if the second is better; the JSON has its name.
        advice: Whether the first attempt's advice was followed, if the second is the next attempt after it.
        unmasked_delta: How many more impostors the second caught; None unless the tests of both met some.
    """

    before: ComparedAttempt
    after: ComparedAttempt
    comparable: bool
    score_delta: Score | None
    hp_delta: float | None
    criteria: tuple[CriterionChange, ...]
    advice: tuple[FollowedAdvice, ...]
    trials: tuple[TrialChange, ...]
    unmasked_delta: int | None
    impostors: tuple[ImpostorChange, ...]
    facts: tuple[FactChange, ...]
    files: tuple[FileChange, ...]

    @property
    def same_files(self) -> bool:
        """Whether exactly the same files were submitted."""
        return not self.files

    @property
    def impostor_words(self) -> str:
        """How many more impostors the second attempt caught, in words."""
        delta = self.unmasked_delta
        return f"{abs(delta)} {'more' if delta > 0 else 'fewer'} caught" if delta else "no change"


def compare(before: Attempt, after: Attempt) -> Comparison:
    """Compare two attempts. Swapping them changes the sign of every delta.

    Args:
        before: The attempt to measure from, usually the earlier one.
        after: The attempt to measure to.
    """
    first, second = before.result, after.result
    return Comparison(
        before=_compared_attempt(before),
        after=_compared_attempt(after),
        comparable=(before.boss_id, before.rubric_hash) == (after.boss_id, after.rubric_hash),
        score_delta=_delta(first.score_total, second.score_total) if first and second else None,
        hp_delta=first.integrity - second.integrity if first and second else None,
        criteria=_criteria(before, after),
        advice=_advice(before, after),
        trials=_trials(before, after),
        unmasked_delta=_unmasked_delta(before, after),
        impostors=_impostors(before, after),
        facts=_facts(before, after),
        files=_files(before, after),
    )


def _advice(before: Attempt, after: Attempt) -> tuple[FollowedAdvice, ...]:
    followed = after.advice_followed
    return followed.advice if followed and followed.since == before.id else ()


def _compared_attempt(attempt: Attempt) -> ComparedAttempt:
    result = attempt.result
    return ComparedAttempt(
        id=attempt.id,
        boss_id=attempt.boss_id,
        boss_title=attempt.boss_title,
        started_at=attempt.started_at,
        judge=attempt.judge,
        score_total=result.score_total if result else None,
        score_max=result.score_max if result else None,
        integrity=result.integrity if result else None,
        verdict=result.verdict.value if result else None,
    )


def _delta(before: float, after: float) -> int | float:
    return to_number(to_fraction(after) - to_fraction(before))


def _criteria(before: Attempt, after: Attempt) -> tuple[CriterionChange, ...]:
    one, two = _by_criterion(before), _by_criterion(after)
    labels = {**labels_by_criterion(before), **labels_by_criterion(after)}
    changes: list[CriterionChange] = []
    for name in dict.fromkeys([*two, *one]):
        first, second = one.get(name), two.get(name)
        latest = second or first
        assert latest is not None
        changes.append(
            CriterionChange(
                id=name,
                label=labels[name].label,
                before=first.score if first else None,
                after=second.score if second else None,
                max_score=latest.max_score,
                delta=_delta(first.score, second.score) if first and second else None,
                comment_before=first.comment if first else "",
                comment_after=second.comment if second else "",
            )
        )
    return tuple(changes)


def _by_criterion(attempt: Attempt) -> dict[str, CriterionResult]:
    return {criterion.id: criterion for criterion in attempt.result.criteria} if attempt.result else {}


def _trials(before: Attempt, after: Attempt) -> tuple[TrialChange, ...]:
    before_by_id = {trial.id: trial for trial in before.evidence.trials}
    two = {trial.id: trial for trial in after.evidence.trials}
    changes: list[TrialChange] = []
    for name, trial in {**two, **{key: value for key, value in before_by_id.items() if key not in two}}.items():
        then, now = before_by_id.get(name), two.get(name)
        outcomes = (then.outcome if then else None, now.outcome if now else None)
        if outcomes[0] is not outcomes[1]:
            changes.append(
                TrialChange(id=name, group=trial.group, title=trial.title, before=outcomes[0], after=outcomes[1])
            )
    return tuple(changes)


def _unmasked_delta(before: Attempt, after: Attempt) -> int | None:
    first, second = tally_impostors(before.evidence), tally_impostors(after.evidence)
    return len(second.unmasked) - len(first.unmasked) if first and second else None


def _impostors(before: Attempt, after: Attempt) -> tuple[ImpostorChange, ...]:
    before_by_id = {impostor.id: impostor for impostor in before.evidence.impostors}
    two = {impostor.id: impostor for impostor in after.evidence.impostors}
    if not before_by_id or not two:
        return ()
    changes: list[ImpostorChange] = []
    for name, impostor in {**before_by_id, **two}.items():
        then, now = before_by_id.get(name), two.get(name)
        fates = (then.fate if then else None, now.fate if now else None)
        if fates[0] is not fates[1]:
            changes.append(
                ImpostorChange(id=name, clause=impostor.clause, riddle=impostor.riddle, before=fates[0], after=fates[1])
            )
    return tuple(changes)


def _facts(before: Attempt, after: Attempt) -> tuple[FactChange, ...]:
    before_by_name: dict[str, Any] = {fact.name: fact.value for fact in before.evidence.facts}
    two: dict[str, Any] = {fact.name: fact.value for fact in after.evidence.facts}
    return tuple(
        FactChange(name=name, before=before_by_name.get(name), after=two.get(name))
        for name in sorted({*before_by_name, *two})
        if before_by_name.get(name) != two.get(name)
    )


def _files(before: Attempt, after: Attempt) -> tuple[FileChange, ...]:
    first, second = before.submission.contents, after.submission.contents
    changes = (file_change(path, first.get(path), second.get(path)) for path in sorted({*first, *second}))
    return tuple(file for file in changes if file)
