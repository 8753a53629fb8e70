"""One row of a class: how it stands with one hand-in, whatever happened to it."""

from enum import StrEnum

from evalforge.history.overrides import Revised
from evalforge.model.base import Frozen
from evalforge.model.cost import Cost
from evalforge.model.numbers import Score
from evalforge.model.result import BossEvalResult


class Outcome(StrEnum):
    """What became of a hand-in. Only a judged one has a score; all others have a reason."""

    JUDGED = "judged"
    UNGRADED = "ungraded"
    UNUSABLE = "unusable"
    ABSENT = "absent"


class Earlier(Frozen):
    """The judged attempt of the same hand-in before this one, and what has changed since.

    ``causes`` are out of: submission, rubric, evidence rules, trials, judge, interpreter; empty where it was asked for.
    """

    attempt_id: str
    score_total: Score
    score_max: Score
    verdict: str
    causes: tuple[str, ...]


class ClassRow(Frozen):
    """One hand-in.

    Attributes:
        row_id: Its name in the class, the same in every run.
        name: Of the person, as far as known; so are ``student_id``, ``email`` and ``number`` (Moodle's participant).
        source: Where it was found.
        on_roster: Whether the roster names the person; None without a roster.
        outcome: What became of it.
        reason: Why there is no score; empty if there is one.
        fresh: Whether it was judged in this run, and not taken over from an earlier one.
        attempt_id: Its attempt in history; empty if there is none.
        judged: The judge's result.
        revised: What a person said of it, and the result that follows; None if nobody did.
        earlier: The attempt before, with what has changed since.
        lost: Criteria a person had set on the attempt before, which the rubric no longer has that way.
        left_out: What of an archive was not unpacked.
        seconds: How long judging took; 0 where it was taken over.
    """

    row_id: str
    name: str = ""
    student_id: str = ""
    email: str = ""
    number: str = ""
    source: str = ""
    on_roster: bool | None = None
    outcome: Outcome
    reason: str = ""
    fresh: bool = False
    attempt_id: str = ""
    content_hash: str = ""
    isolation: str = ""
    judged: BossEvalResult | None = None
    revised: Revised | None = None
    earlier: Earlier | None = None
    lost: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    seconds: float = 0.0
    cost: Cost = Cost()

    @property
    def result(self) -> BossEvalResult | None:
        """The result that counts: a person's word before the judge's."""
        return self.revised.result if self.revised else self.judged

    @property
    def title(self) -> str:
        """What to call it: the name of the person, else of the row."""
        return self.name or self.row_id

    @property
    def moved(self) -> bool:
        """Whether the judge's result differs from that of the attempt before."""
        before, now = self.earlier, self.judged
        return (
            before is not None
            and now is not None
            and (before.score_total, before.score_max, before.verdict)
            != (now.score_total, now.score_max, now.verdict.value)
        )

    @property
    def flags(self) -> tuple[str, ...]:
        """What a person should look at."""
        found: list[str] = []
        if self.revised and self.revised.to_review:
            found.append("a level set by a person on an earlier attempt still counts: look again")
        if self.lost:
            found.append(f"a person had set {', '.join(self.lost)}, which the rubric no longer has: look again")
        if self.on_roster is False:
            found.append("not on the roster")
        if self.left_out:
            found.append(f"{len(self.left_out)} left out of the archive")
        return tuple(found)
