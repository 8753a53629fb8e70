"""Scoring: one pure function turns chosen levels into a result. Judges choose; only this module adds up."""

from fractions import Fraction

from evalforge.model.exact_numbers import to_fraction, to_number
from evalforge.model.result import BossEvalResult, CriterionResult, Opinion, Verdict
from evalforge.model.rubric import BossRubric


def verdict_of(total: Fraction, maximum: Fraction, threshold: Fraction) -> Verdict:
    """The verdict that belongs to a total."""
    if total >= threshold:
        return Verdict.STRONG_PASS if total == maximum else Verdict.PASS
    return Verdict.FAIL if total <= threshold / 2 else Verdict.BORDERLINE


def integrity_of(total: Fraction, maximum: Fraction) -> float:
    """``total / maximum`` clamped to 0..1."""
    return float(min(max(total / maximum, Fraction(0)), Fraction(1)))


def score(boss_id: str, rubric: BossRubric, opinion: Opinion) -> BossEvalResult:
    """Turn a judge's opinion into the result, in the rubric's order of criteria.

    Weights are ignored. Sums are exact, so a total that equals the threshold passes.

    Raises:
        ValueError: The opinion does not hold exactly one judgement per criterion, or a score isn't a level of its
            criterion.
    """
    judgements = {judgement.criterion_id: judgement for judgement in opinion.judgements}
    if len(judgements) != len(opinion.judgements) or set(judgements) != {c.id for c in rubric.criteria}:
        raise ValueError("an opinion needs exactly one judgement for each criterion of the rubric")
    criteria: list[CriterionResult] = []
    for criterion in rubric.criteria:
        judgement = judgements[criterion.id]
        try:
            level = criterion.level(judgement.score)
        except KeyError as error:
            raise ValueError(str(error.args[0])) from None
        criteria.append(
            CriterionResult(
                id=criterion.id, score=level.score, max_score=criterion.max_score, comment=judgement.comment
            )
        )
    total = sum((to_fraction(c.score) for c in criteria), Fraction(0))
    maximum = to_fraction(rubric.max_score)
    threshold = to_fraction(rubric.overall.pass_threshold)
    return BossEvalResult(
        boss_id=boss_id,
        rubric_id=rubric.rubric_id,
        score_total=to_number(total),
        score_max=to_number(maximum),
        passed=total >= threshold,
        integrity=integrity_of(total, maximum),
        verdict=verdict_of(total, maximum, threshold),
        criteria=tuple(criteria),
        summary=opinion.summary,
        improvements=opinion.improvements,
        raw_notes=opinion.raw_notes,
    )
