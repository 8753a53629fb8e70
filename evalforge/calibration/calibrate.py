"""Judge exemplars and compare the judge's levels with the readers'."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path

from evalforge.calibration.calibration_plan import CalibrationPlan, read_sound_gold, submissions_with_gold
from evalforge.calibration.figures import (
    CriterionFigures,
    OverallFigures,
    RatedSubmission,
    criterion_figures,
    overall_figures,
)
from evalforge.calibration.model_figures import ModelFigures, ModelJudging, model_figures
from evalforge.fight import Forge
from evalforge.judges.base import Case
from evalforge.model.base import Frozen
from evalforge.model.cost import Cost
from evalforge.model.events import FactMeasured, ImpostorMet, TrialFinished
from evalforge.model.exact_numbers import Score, to_fraction
from evalforge.model.fight_record import FightRecord, record_fight
from evalforge.model.result import BossEvalResult, JudgeInfo
from evalforge.model.rubric import BossRubric, Criterion
from evalforge.packs.calibrated import note_calibrated
from evalforge.packs.gold import Gold
from evalforge.packs.pack import BossPack
from evalforge.packs.trial_key import PUBLIC_KEY
from evalforge.submissions.boss_submission import collect_for


class Miss(Frozen):
    """One judgement that differs from gold."""

    boss_id: str
    exemplar: str
    criterion_id: str
    gold: Score
    judged: Score
    why: str
    comment: str


class NotJudged(Frozen):
    """One judging that failed; no figure includes it."""

    boss_id: str
    exemplar: str
    reason: str


class BossFigures(Frozen):
    """The figures of one boss. ``readers`` is the agreement of independent readers, if it was recorded."""

    boss_id: str
    title: str
    overall: OverallFigures
    criteria: tuple[CriterionFigures, ...]
    readers: OverallFigures | None = None


class Calibration(Frozen):
    """All figures of one judge.

    ``pooled`` covers every submission of every boss, ``cost`` is what they cost, ``model`` is what a model adds
    to the evidence (None for the forge).
    """

    judge: JudgeInfo | None
    repeats: int
    bosses: tuple[BossFigures, ...]
    pooled: OverallFigures
    misses: tuple[Miss, ...]
    not_judged: tuple[NotJudged, ...]
    cost: Cost = Cost()
    model: ModelFigures | None = None


async def calibrate(plan: CalibrationPlan, show_progress: Callable[[str], None]) -> Calibration:
    """Judge every exemplar with gold.

    Args:
        plan: What to judge; nothing is saved, whatever its options say.
        show_progress: Called with one line before each judging.

    Raises:
        UsageError: There is nothing to judge, or no such judge.
        PackError: Gold is incomplete.
    """
    runner = _CalibrationRunner(plan, show_progress)
    cases = [(pack, path, read_sound_gold(pack, path)) for pack, path in submissions_with_gold(plan)]
    async with Forge(trial_key=PUBLIC_KEY) as forge:
        for pack, path, gold in cases:
            await runner.judge(forge, pack, path, gold)
    return runner.figures()


def keep_agreements(plan: CalibrationPlan, calibration: Calibration) -> None:
    """Record as calibrated each pack whose every exemplar was judged as its gold says, or equally defensibly."""
    unjudged_ids = {failure.boss_id for failure in calibration.not_judged}
    for pack in plan.packs:
        misses = [
            miss for miss in calibration.misses if miss.boss_id == pack.boss_id and not _is_defensible(pack, miss)
        ]
        if not misses and pack.boss_id not in unjudged_ids:
            note_calibrated(pack)


def _is_defensible(pack: BossPack, miss: Miss) -> bool:
    gold = read_sound_gold(pack, pack.path / "exemplars" / miss.exemplar)
    return any(to_fraction(level) == to_fraction(miss.judged) for level in gold.also.get(miss.criterion_id, ()))


class _CalibrationRunner:
    def __init__(self, plan: CalibrationPlan, show_progress: Callable[[str], None]) -> None:
        self._plan = plan
        self._show_progress = show_progress
        self._ratings: list[RatedSubmission] = []
        self._readings: list[RatedSubmission] = []
        self._misses: list[Miss] = []
        self._not_judged: list[NotJudged] = []
        self._judge: JudgeInfo | None = None
        self._cost = Cost()
        self._judgings: list[ModelJudging] = []

    async def judge(self, forge: Forge, pack: BossPack, path: Path, gold: Gold) -> None:
        """Judge one exemplar as often as planned."""
        records: list[FightRecord] = []
        for repeat in range(self._plan.repeats):
            repeat_text = f" ({repeat + 1} of {self._plan.repeats})" if self._plan.repeats > 1 else ""
            self._show_progress(f"{pack.boss_id}: {path.name}{repeat_text}")
            record = await self._fight(forge, pack, path, repeat)
            if record.result is not None:
                records.append(record)
                self._misses += _misses(pack, path.name, gold, record.result)
            else:
                reason = record.ungraded_reason or "the judge gave no comment"
                self._not_judged.append(NotJudged(boss_id=pack.boss_id, exemplar=path.name, reason=reason))
        if records:
            rate = partial(rate_submission, pack, path.name, gold.levels, also=gold.also)
            self._ratings.append(rate([_levels(record) for record in records]))
            submission = collect_for(pack, path)
            self._judgings.append(
                ModelJudging(
                    case=Case(pack, submission, records[0].evidence),
                    rate=rate,
                    judgings=tuple(record.judgements for record in records),
                    seconds=sum(map(_judging_seconds, records)),
                )
            )
        if len(gold.readings) > 1:
            self._readings.append(rate_submission(pack, path.name, gold.readings[0], gold.readings[1:]))

    async def _fight(self, forge: Forge, pack: BossPack, path: Path, repeat: int) -> FightRecord:
        options = self._plan.options
        # Otherwise the cached answer of the first judging would serve all repeats: perfect agreement.
        options = replace(options, models=replace(options.models, repeat=repeat), again=options.again or repeat > 0)
        record = await record_fight(forge.fight(pack, path, options))
        self._judge = record.judge or self._judge
        self._cost += record.cost
        return record

    def figures(self) -> Calibration:
        """Compute all figures of what was judged."""
        return Calibration(
            judge=self._judge,
            repeats=self._plan.repeats,
            bosses=tuple(self._boss(pack) for pack in self._plan.packs),
            pooled=overall_figures(self._ratings),
            misses=tuple(self._misses),
            not_judged=tuple(self._not_judged),
            cost=self._cost,
            model=model_figures(self._judgings),
        )

    def _boss(self, pack: BossPack) -> BossFigures:
        ratings = [unit for unit in self._ratings if unit.boss_id == pack.boss_id]
        readings = [unit for unit in self._readings if unit.boss_id == pack.boss_id]
        return BossFigures(
            boss_id=pack.boss_id,
            title=pack.definition.title,
            overall=overall_figures(ratings),
            criteria=tuple(criterion_figures(ratings, pack.boss_id, criterion) for criterion in pack.rubric.criteria),
            readers=overall_figures(readings) if readings else None,
        )


def rate_submission(
    pack: BossPack,
    name: str,
    gold: dict[str, float],
    judged: Sequence[dict[str, float]],
    also: Mapping[str, Sequence[float]] | None = None,
) -> RatedSubmission:
    """One submission's gold and judged levels, as ranks, totals and passes.

    Args:
        pack: Its boss.
        name: Its name in the figures.
        gold: The gold level of each criterion.
        judged: The judged level of each criterion, for each judging.
        also: Other levels of a criterion that are as defensible as gold.
    """
    rubric = pack.rubric
    totals = [_total(rubric, levels) for levels in (gold, *judged)]
    shares = [float(total / to_fraction(rubric.max_score)) for total in totals]
    passes = [total >= to_fraction(rubric.overall.pass_threshold) for total in totals]
    return RatedSubmission(
        boss_id=pack.boss_id,
        name=name,
        gold=_ranks(rubric, gold),
        judged=tuple(_ranks(rubric, levels) for levels in judged),
        gold_share=shares[0],
        judged_shares=tuple(shares[1:]),
        gold_passes=passes[0],
        judged_passes=tuple(passes[1:]),
        also={
            criterion.id: frozenset(_rank(criterion, level) for level in (also or {}).get(criterion.id, ()))
            for criterion in rubric.criteria
        },
    )


def _levels(record: FightRecord) -> dict[str, float]:
    return {judgement.criterion_id: judgement.score for judgement in record.judgements}


def _judging_seconds(record: FightRecord) -> float:
    """Time from the last measurement to the end."""
    measured = [event.at for event in record.events if isinstance(event, TrialFinished | FactMeasured | ImpostorMet)]
    return record.events[-1].at - max(measured, default=0.0)


def _total(rubric: BossRubric, levels: dict[str, float]) -> Fraction:
    return sum((to_fraction(levels[criterion.id]) for criterion in rubric.criteria), Fraction(0))


def _ranks(rubric: BossRubric, levels: dict[str, float]) -> dict[str, int]:
    return {criterion.id: _rank(criterion, levels[criterion.id]) for criterion in rubric.criteria}


def _rank(criterion: Criterion, score: float) -> int:
    return criterion.levels.index(criterion.level(score))


def _misses(pack: BossPack, name: str, gold: Gold, result: BossEvalResult) -> list[Miss]:
    return [
        Miss(
            boss_id=pack.boss_id,
            exemplar=name,
            criterion_id=criterion_result.id,
            gold=gold.levels[criterion_result.id],
            judged=criterion_result.score,
            why=gold.why.get(criterion_result.id, ""),
            comment=criterion_result.comment,
        )
        for criterion_result in result.criteria
        if to_fraction(criterion_result.score) != to_fraction(gold.levels[criterion_result.id])
    ]
