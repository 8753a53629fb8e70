"""A limit on verdicts: a model's reading alone may raise levels, but never the verdict.

Trials limit some criteria, but hardly anything limits how well built a program may be called. There a judge that says
yes to everything would turn *borderline* into *pass*. So if the chosen levels give a better verdict than the measured
ones, levels are lowered to the measured ones until they don't.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from evalforge.evidence.earned_levels import highest_allowed_level, measured_level
from evalforge.judges.base import Case
from evalforge.judges.lowering import lower
from evalforge.model.exact_numbers import Score, to_fraction
from evalforge.model.result import Judgement, Verdict, verdict_words
from evalforge.model.rubric import BossRubric, Criterion, Level
from evalforge.model.scoring import verdict_of

_RANKS = {verdict: rank for rank, verdict in enumerate(Verdict)}


def hold_verdict(case: Case, judgements: Sequence[Judgement]) -> tuple[Judgement, ...]:
    """Lower judgements to their measured levels while they give a better verdict than was measured.

    Uncertain ones are lowered first, then the last in the rubric's order.
    """
    rubric = case.pack.rubric
    measured = {
        criterion.id: measured_level(criterion, case.pack.rules, case.charged_evidence) for criterion in rubric.criteria
    }
    verdict = verdict_of_scores(rubric, (level.score for level, _ in measured.values()))
    held_by_id = {judgement.criterion_id: judgement for judgement in judgements}
    raised_judgements = [
        judgement
        for judgement in judgements
        if to_fraction(judgement.score) > to_fraction(measured[judgement.criterion_id][0].score)
    ]
    while (
        raised_judgements
        and _RANKS[verdict_of_scores(rubric, (held.score for held in held_by_id.values()))] > _RANKS[verdict]
    ):
        judgement = next(
            (judgement for judgement in reversed(raised_judgements) if judgement.uncertain), raised_judgements[-1]
        )
        raised_judgements.remove(judgement)
        criterion = rubric.criterion(judgement.criterion_id)
        level, reason = measured[criterion.id]
        bounded = (
            f"Lowered to “{level.label}”: what was measured makes a {verdict_words(verdict)}, and a judge's reading "
            f"alone can't raise that. {reason}"
        )
        held_by_id[criterion.id] = lower(criterion, judgement, level, bounded.rstrip(), reason)
    return tuple(held_by_id[judgement.criterion_id] for judgement in judgements)


def always_top_judgements(case: Case) -> tuple[Judgement, ...]:
    """The judgements that remain of a judge that says yes to everything, and always finds a line to quote."""
    return _thoughtless_judgements(case, lambda criterion: criterion.levels[-1])


def always_middle_judgements(case: Case) -> tuple[Judgement, ...]:
    """The judgements that remain of a judge that takes no risk: it picks the middle level, or the lower of two."""
    return _thoughtless_judgements(case, lambda criterion: criterion.levels[(len(criterion.levels) - 1) // 2])


def _thoughtless_judgements(case: Case, choose: Callable[[Criterion], Level]) -> tuple[Judgement, ...]:
    judgements: list[Judgement] = []
    for criterion in case.pack.rubric.criteria:
        limit, _ = highest_allowed_level(criterion, case.pack.rules, case.charged_evidence)
        level = min(choose(criterion), limit, key=lambda level: to_fraction(level.score))
        judgements.append(Judgement(criterion_id=criterion.id, score=level.score, comment=level.label))
    return hold_verdict(case, judgements)


def verdict_rank(verdict: Verdict) -> int:
    """The rank of a verdict, from 0 for the worst."""
    return _RANKS[verdict]


def verdict_of_scores(rubric: BossRubric, scores: Iterable[Score]) -> Verdict:
    """The verdict that results from one score per criterion."""
    total = sum(map(to_fraction, scores), Fraction(0))
    return verdict_of(total, to_fraction(rubric.max_score), to_fraction(rubric.overall.pass_threshold))
