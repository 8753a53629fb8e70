"""What a model adds to the evidence: its own choices before any bound, compared with trivial judges.

Evidence bounds every model, so one that says yes to everything agrees with gold most of the time. A model is worth
what it gains over that.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from evalforge.calibration.agreement import exact_agreement, quadratic_kappa
from evalforge.calibration.figures import Figure, OverallFigures, RatedSubmission, figure_of, overall_figures
from evalforge.evidence.earned_levels import highest_allowed_level
from evalforge.judges.base import Case
from evalforge.judges.forge import forge_opinion
from evalforge.judges.verdict_bound import always_middle_judgements, always_top_judgements
from evalforge.model.base import Frozen
from evalforge.model.exact_numbers import Score, to_fraction
from evalforge.model.number_format import format_percent
from evalforge.model.result import Judgement

Levels = dict[str, Score]
_ALWAYS_TOP, _ALWAYS_MIDDLE, _FORGE = "always the top level", "always the middle level", "forge: the evidence alone"


@dataclass(frozen=True)
class ModelJudging:
    """One submission as a model judged it, once or several times.

    Attributes:
        case: What was judged, with its evidence.
        rate: Turns levels, one set per judging, into a rated submission.
        judgings: The judgements, one list per judging.
        seconds: Total time of all judgings, without the trials.
    """

    case: Case
    rate: Callable[[Sequence[Levels]], RatedSubmission]
    judgings: tuple[tuple[Judgement, ...], ...]
    seconds: float


class BaselineFigures(Frozen):
    """A trivial judge within the same bounds. ``gain`` is the share of what it gets wrong that the model gets right."""

    name: str
    exact: Figure
    quadratic_kappa: Figure
    gain: Figure


class ModelFigures(Frozen):
    """The figures of a model's own choices.

    Attributes:
        raw: Agreement of its choices before bounds.
        lowered: Number of levels that were lowered.
        contradicted: Number of limits that it says are contradicted by the code.
        judgements: Number of levels it chose.
        unbounded: Agreement on criteria that no evidence bounds.
        unbounded_judgements: Number of judgements on those criteria.
        baselines: The figures of trivial judges.
        seconds: Mean time of one judging, without the trials.
        conclusion: What the model adds to the evidence, in words.
    """

    raw: OverallFigures
    lowered: int
    judgements: int
    unbounded: Figure
    unbounded_judgements: int
    baselines: tuple[BaselineFigures, ...]
    seconds: float
    conclusion: str
    contradicted: int = 0


def model_figures(judgings: Sequence[ModelJudging]) -> ModelFigures | None:
    """Compute the figures of a model over some submissions; None if no model chose anything."""
    chosen = [
        judgement
        for submission in judgings
        for judging in submission.judgings
        for judgement in judging
        if judgement.chosen is not None
    ]
    if not chosen:
        return None
    rated = [submission.rate([_levels(judging) for judging in submission.judgings]) for submission in judgings]
    raw = [submission.rate([_chosen_levels(judging) for judging in submission.judgings]) for submission in judgings]
    baselines = tuple(
        _baseline(
            name,
            rated,
            [submission.rate([levels(submission.case)] * len(submission.judgings)) for submission in judgings],
        )
        for name, levels in _BASELINES.items()
    )
    unbounded = [_unbounded_pairs(submission, unit) for submission, unit in zip(judgings, rated, strict=True)]
    return ModelFigures(
        raw=overall_figures(raw),
        lowered=sum(judgement.chosen is not None and judgement.chosen > judgement.score for judgement in chosen),
        contradicted=sum(bool(judgement.contradiction) for judgement in chosen),
        judgements=len(chosen),
        unbounded=figure_of(unbounded, lambda units: exact_agreement([pair for unit in units for pair in unit])),
        unbounded_judgements=sum(map(len, unbounded)),
        baselines=baselines,
        seconds=sum(submission.seconds for submission in judgings)
        / sum(len(submission.judgings) for submission in judgings),
        conclusion=_conclusion(len(judgings), rated, baselines),
    )


def _levels(judgements: Sequence[Judgement]) -> Levels:
    return {judgement.criterion_id: judgement.score for judgement in judgements}


def _chosen_levels(judgements: Sequence[Judgement]) -> Levels:
    return {
        judgement.criterion_id: judgement.score if judgement.chosen is None else judgement.chosen
        for judgement in judgements
    }


_BASELINES: Mapping[str, Callable[[Case], Levels]] = {
    _ALWAYS_TOP: lambda case: _levels(always_top_judgements(case)),
    _ALWAYS_MIDDLE: lambda case: _levels(always_middle_judgements(case)),
    _FORGE: lambda case: _levels(forge_opinion(case).judgements),
}


def _baseline(name: str, rated: Sequence[RatedSubmission], base: Sequence[RatedSubmission]) -> BaselineFigures:
    units = list(zip(rated, base, strict=True))
    return BaselineFigures(
        name=name,
        exact=figure_of(base, _exact),
        quadratic_kappa=figure_of(base, lambda some: quadratic_kappa([pair for unit in some for pair in unit.pairs()])),
        gain=figure_of(
            units, lambda some: _gain(_exact([one for one, _ in some]), _exact([other for _, other in some]))
        ),
    )


def _exact(units: Sequence[RatedSubmission]) -> float | None:
    return exact_agreement([pair for unit in units for pair in unit.pairs()])


def _gain(exact: float | None, base: float | None) -> float | None:
    """The share of a baseline's errors that a judge gets right, less what it spoils: 1 is everything, 0 nothing."""
    return None if exact is None or base is None or base == 1 else (exact - base) / (1 - base)


def _unbounded_pairs(judging: ModelJudging, unit: RatedSubmission) -> list[tuple[int, int]]:
    case, criteria = judging.case, judging.case.pack.rubric.criteria
    limits = {
        criterion.id: highest_allowed_level(criterion, case.pack.rules, case.charged_evidence)[0].score
        for criterion in criteria
    }
    free = [
        criterion.id for criterion in criteria if to_fraction(limits[criterion.id]) == to_fraction(criterion.max_score)
    ]
    return [pair for name in free for pair in unit.pairs(name)]


def _conclusion(count: int, rated: Sequence[RatedSubmission], baselines: Sequence[BaselineFigures]) -> str:
    """Say whether the model beats the best trivial judge, as far as this many submissions can show."""
    best = max(
        (baseline for baseline in baselines if baseline.name != _FORGE),
        key=lambda baseline: baseline.exact.value or 0.0,
    )
    where = f"On {'this submission' if count == 1 else f'these {count} submissions'} this model"
    compared = (
        f"it agrees with gold on {format_percent(_exact(rated) or 0.0)} of the levels, "
        f"“{best.name}” within the same bounds on {format_percent(best.exact.value or 0.0)}"
    )
    gain = best.gain
    if gain.value is not None and gain.value > 0 and (gain.interval is None or gain.interval.low > 0):
        return f"{where} adds to the evidence: {compared}."
    if gain.value is not None and gain.value > 0:
        return f"{where} may add to the evidence, but so few can't show it: {compared}."
    return f"{where} adds nothing to the evidence: {compared}."
