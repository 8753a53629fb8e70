"""What a judging yields: judgements from a judge, a result from arithmetic."""

from enum import StrEnum
from typing import Literal, Self

from pydantic import Field

from evalforge.model.base import Frozen
from evalforge.model.evidence import Finding
from evalforge.model.exact_numbers import Score
from evalforge.model.reason import Reason


class Verdict(StrEnum):
    """How a fight ended."""

    FAIL = "fail"
    BORDERLINE = "borderline"
    PASS = "pass"  # noqa: S105 - a verdict, no password
    STRONG_PASS = "strong_pass"  # noqa: S105


def verdict_words(verdict: str) -> str:
    """A verdict as it is written in a sentence: ``strong pass``."""
    return verdict.replace("_", " ")


NOT_CALIBRATED = "not calibrated"
"""What stands beside a verdict whose boss no judge was held against gold with."""


class CriterionResult(Frozen):
    """One criterion's part of the result."""

    id: str
    score: Score
    max_score: Score
    comment: str


class BossEvalResult(Frozen):
    """The result of a judging, in the exact shape of the Boss Judge's contract."""

    boss_id: str
    rubric_id: str
    score_total: Score
    score_max: Score
    passed: bool
    integrity: float = Field(ge=0, le=1)
    verdict: Verdict
    criteria: tuple[CriterionResult, ...]
    summary: str
    improvements: tuple[str, ...]
    raw_notes: str


class Judgement(Frozen):
    """A judge's decision on one criterion: a level of the rubric, and the reason for it.

    ``comment`` says the reason in prose, ``reason`` as data; None where the judge is a model that wrote prose alone.
    ``next_level`` says what the next level needs (empty at the top). ``bounded`` says why a model's choice was
    lowered, ``contradiction`` what it says against the limit of its level, ``close`` what decided where the facts lie
    between two adjacent levels (all empty otherwise). ``votes`` are the scores a panel gave. ``chosen`` is the score
    and ``written`` the comment as a model gave them, before bounds were kept and the words put in order; None and empty
    for the forge.
    """

    criterion_id: str
    score: Score
    comment: str
    findings: tuple[Finding, ...] = ()
    next_level: str = ""
    uncertain: bool = False
    ambiguous: bool = False
    bounded: str = ""
    contradiction: str = ""
    close: str = ""
    votes: tuple[Score, ...] = ()
    chosen: Score | None = None
    written: str = ""
    reason: Reason | None = None

    @property
    def headline(self) -> str:
        """The reason in few words."""
        return self.reason.headline if self.reason else self.comment

    @property
    def further_findings(self) -> tuple[Finding, ...]:
        """The findings that the reason's examples don't tell; all of them where there is prose alone."""
        return tuple(each for each in self.findings if not (self.reason and each.trial))

    def with_remark(self, text: str) -> Self:
        """The same judgement that says one thing more."""
        reason = self.reason and self.reason.model_copy(update={"remarks": (*self.reason.remarks, text)})
        return self.model_copy(update={"comment": f"{self.comment} {text}", "reason": reason})


class Opinion(Frozen):
    """All a judge says about a case: one judgement per criterion and the words around them. No totals.

    ``written`` is what a model wrote in place of summary, improvements and notes, where those say it otherwise.
    """

    judgements: tuple[Judgement, ...]
    summary: str
    improvements: tuple[str, ...]
    raw_notes: str = ""
    written: str = ""


class JudgeInfo(Frozen):
    """Which judge it was: enough to tell two judgings apart."""

    name: Literal["forge", "claude", "panel", "forge+words"]
    model: str = ""
    version: str = ""
