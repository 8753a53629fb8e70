"""One row of a class: the state of one submission, whatever happened to it."""

from enum import StrEnum

from evalforge.classroom.hand_in import Person
from evalforge.history.overrides import RevisedResult
from evalforge.model.base import Frozen
from evalforge.model.cost import Cost
from evalforge.model.exact_numbers import Score
from evalforge.model.result import BossEvalResult

NOT_ON_ROSTER = "not on the roster"


class RowOutcome(StrEnum):
    """The outcome of a submission. Only a judged one has a score; all others have a reason."""

    JUDGED = "judged"
    UNGRADED = "ungraded"
    UNUSABLE = "unusable"
    ABSENT = "absent"


class EarlierResult(Frozen):
    """The result of the previous attempt, and what has changed since.

    Attributes:
        causes: Some of ``submission``, ``rubric``, ``evidence rules``, ``trials``, ``judge`` and ``interpreter``; empty
            if it was judged again on request.
    """

    attempt_id: str
    score_total: Score
    score_max: Score
    verdict: str
    causes: tuple[str, ...]


class Grade(Frozen):
    """The institution's points for a score.

    Attributes:
        points: The grade, after the penalty for lateness.
        maximum: The highest grade.
        before_penalty: The grade that the score alone earns.
        penalty_percent: The penalty for lateness, in percent of the highest grade.
        late: How late it was; empty if there is no penalty.
    """

    points: Score
    maximum: Score
    before_penalty: Score
    penalty_percent: Score = 0
    late: str = ""


class ClassRow(Frozen):
    """Everything a class run knows about one submission.

    Attributes:
        row_id: Its id in the class, the same in every run.
        name: The person's name; empty if unknown, like ``student_id``, ``email`` and ``number`` (the platform's own).
        members: The people of a group; empty for one person.
        platform: The course platform that named it; empty if none did.
        handed_in: The time of submission according to the platform; empty if it gives none.
        is_late: Whether the platform marks it as late.
        earlier_versions: The names of earlier versions, which are not judged.
        source: Its folder or archive.
        on_roster: Whether the roster names the person; None without a roster.
        name_clashes: Names of other submissions that differ only in case or extension.
        outcome: How its judging ended.
        reason: Why there is no score; empty if there is one.
        fresh: Whether it was judged in this run, not reused from an earlier one.
        attempt_id: Its attempt in history; empty if there is none.
        judged: The judge's result.
        revised: Its result with the levels that a person set; None if there are none.
        earlier: The previous attempt, and what has changed since.
        lost: Criteria whose override in the previous attempt no longer fits the rubric.
        left_out: What was not unpacked from its archive.
        seconds: How long judging took; 0 if the result was reused.
        comments: What the instructor wrote to the student.
        grade: The institution's points; None without a score or a scale.
    """

    row_id: str
    name: str = ""
    student_id: str = ""
    email: str = ""
    number: str = ""
    members: tuple[Person, ...] = ()
    platform: str = ""
    handed_in: str = ""
    is_late: bool = False
    earlier_versions: tuple[str, ...] = ()
    source: str = ""
    on_roster: bool | None = None
    name_clashes: tuple[str, ...] = ()
    outcome: RowOutcome
    reason: str = ""
    fresh: bool = False
    attempt_id: str = ""
    content_hash: str = ""
    isolation: str = ""
    judged: BossEvalResult | None = None
    revised: RevisedResult | None = None
    earlier: EarlierResult | None = None
    lost: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    seconds: float = 0.0
    cost: Cost = Cost()
    comments: tuple[str, ...] = ()
    grade: Grade | None = None

    @property
    def result(self) -> BossEvalResult | None:
        """The result that counts: with a person's overrides, if there are any."""
        return self.revised.result if self.revised else self.judged

    @property
    def title(self) -> str:
        """The name of the person, else of the row."""
        return self.name or self.row_id

    @property
    def has_changed(self) -> bool:
        """Whether the judge's result differs from that of the previous attempt."""
        before, now = self.earlier, self.judged
        return (
            before is not None
            and now is not None
            and (before.score_total, before.score_max, before.verdict)
            != (now.score_total, now.score_max, now.verdict.value)
        )

    @property
    def flags(self) -> tuple[str, ...]:
        """The reasons why a person should look at it."""
        flags: list[str] = []
        if self.revised and self.revised.to_review:
            flags.append("an override on an earlier attempt still counts: check it")
        if self.lost:
            flags.append(f"overridden, but no longer in the rubric: {', '.join(self.lost)}: check it")
        if self.is_late:
            flags.append("submitted late")
        if self.earlier_versions:
            flags.append(f"submitted before: {', '.join(self.earlier_versions)}; the latest version is judged")
        if self.on_roster is False:
            flags.append(NOT_ON_ROSTER)
        if self.name_clashes:
            names = ", ".join(self.name_clashes)
            flags.append(f"its name differs from another submission's only in case or ending ({names}): check it")
        if self.left_out:
            flags.append(f"{len(self.left_out)} left out of the archive")
        return tuple(flags)
