"""The outcome of a judging: judgements chosen by a judge, and the result computed from them."""

from enum import StrEnum
from typing import Literal, Self

from pydantic import Field

from evalforge.model.base import Frozen
from evalforge.model.evidence import Finding
from evalforge.model.exact_numbers import Score
from evalforge.model.number_format import format_number
from evalforge.model.reason import Reason


class Verdict(StrEnum):
    """How a judged fight ended."""

    FAIL = "fail"
    BORDERLINE = "borderline"
    PASS = "pass"  # noqa: S105 - a verdict, not a password
    STRONG_PASS = "strong_pass"  # noqa: S105


def verdict_words(verdict: str) -> str:
    """A verdict as written in a sentence: ``strong pass``."""
    return verdict.replace("_", " ")


NOT_CALIBRATED = "not calibrated"
"""Shown beside a verdict if no judge was calibrated against the gold of its boss."""


class CriterionResult(Frozen):
    """The score and comment of one criterion in the result."""

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

    ``comment`` gives the reason in prose, ``reason`` as data; it is None if the judge is a model that wrote prose only.
    ``next_level`` says what the next level needs (empty at the top). ``bounded`` says why a model's choice was lowered,
    ``contradiction`` is its objection to the limit of the level, ``close`` says what decided between two adjacent
    levels (all empty otherwise). ``votes`` are the scores a panel gave. ``chosen`` and ``written`` are a model's
    original score and comment, before the score was limited and the text edited; None and empty for the forge.
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
        """The reason in a few words."""
        return self.reason.headline if self.reason else self.comment

    @property
    def further_findings(self) -> tuple[Finding, ...]:
        """The findings that aren't from trials; all of them if the reason is prose alone."""
        return tuple(finding for finding in self.findings if not (self.reason and finding.trial))

    @property
    def caveats(self) -> tuple[str, ...]:
        """What to know of the judgement itself: what capped it, and where judges were in doubt; one sentence each."""
        votes = f" ({', '.join(format_number(vote) for vote in self.votes)})" if self.votes else ""
        sentences = (
            (self.bounded, f"Capped by the evidence: {self.bounded}"),
            (self.close, "Close: the facts lie between two levels."),
            (self.ambiguous, f"The votes disagreed{votes}."),
            (self.uncertain, "The judge was not sure."),
        )
        return tuple(sentence for applies, sentence in sentences if applies)

    def with_remark(self, text: str) -> Self:
        """The same judgement with one more remark."""
        reason = self.reason and self.reason.model_copy(update={"remarks": (*self.reason.remarks, text)})
        return self.model_copy(update={"comment": f"{self.comment} {text}", "reason": reason})


class Opinion(Frozen):
    """All that a judge says about a case: one judgement per criterion, a summary and notes, but no totals.

    ``written`` is a model's original text where summary, improvements or notes were reworded.
    """

    judgements: tuple[Judgement, ...]
    summary: str
    improvements: tuple[str, ...]
    raw_notes: str = ""
    written: str = ""


class JudgeInfo(Frozen):
    """The judge's name and versions, enough to see whether two judgings are comparable."""

    name: Literal["forge", "claude", "panel", "forge+words"]
    model: str = ""
    version: str = ""
