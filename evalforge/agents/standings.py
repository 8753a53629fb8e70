"""The results of a contest: levels, attempts and seconds per boss, with 95 % intervals over its repeats."""

import math
from collections.abc import Sequence

from evalforge.agents.contest_journal import ContestPlan, ContestTry
from evalforge.evaluate.statistics import mean, student_point, variance
from evalforge.model.base import Frozen

_NORMAL_POINT = 1.959963984540054


class Figure(Frozen):
    """A mean and its 95 % interval; there is no interval for fewer than two repeats."""

    mean: float
    low: float | None = None
    high: float | None = None


class LevelStanding(Frozen):
    """The mean score of a criterion in the best attempts of the repeats."""

    criterion_id: str
    label: str
    score: float
    max_score: float


class BossStanding(Frozen):
    """One boss over all repeats.

    Attributes:
        repeats: Number of repeats with a score.
        felled: Number of those in which the boss fell; the interval of its share is Wilson's.
        integrity: Integrity of the best attempt of each repeat.
        tries: Number of attempts until the boss fell, else all.
        seconds: The agent's time for all attempts of a repeat.
        timeouts: Attempts that ran out of time.
        ungraded: Attempts without a score, which aren't the agent's fault and aren't counted.
        copied: Exemplars that an attempt copied a file of.
        explained_by: The id of each repeat's best attempt, for ``evalforge attempt ID --why CRITERION``.
    """

    boss_id: str
    repeats: int
    felled: int
    felled_share: Figure | None
    integrity: Figure | None
    tries: Figure | None
    seconds: Figure | None
    levels: tuple[LevelStanding, ...]
    timeouts: int
    ungraded: int
    copied: tuple[str, ...]
    explained_by: tuple[str, ...]


class ContestTable(Frozen):
    """The table of a contest. ``finished`` is false while repeats are missing."""

    plan: ContestPlan
    finished: bool
    bosses: tuple[BossStanding, ...]


def contest_table(plan: ContestPlan, tries: Sequence[ContestTry]) -> ContestTable:
    """Compute the table from a journal's attempts."""
    runs = {
        boss_id: [
            run
            for repeat in range(1, plan.repeats + 1)
            if (run := [one for one in tries if (one.boss_id, one.repeat) == (boss_id, repeat)])
        ]
        for boss_id in plan.bosses
    }
    finished = all(
        len(runs[boss_id]) == plan.repeats and all(_is_over(plan, run) for run in runs[boss_id]) for boss_id in runs
    )
    return ContestTable(
        plan=plan, finished=finished, bosses=tuple(_standing(boss_id, of_boss) for boss_id, of_boss in runs.items())
    )


def _is_over(plan: ContestPlan, run: Sequence[ContestTry]) -> bool:
    return len(run) == plan.tries or any(one.passed for one in run)


def _standing(boss_id: str, runs: Sequence[Sequence[ContestTry]]) -> BossStanding:
    scored = [run for run in runs if any(one.integrity is not None for one in run)]
    best = [max(run, key=lambda one: -1.0 if one.integrity is None else one.integrity) for run in scored]
    every_try = [one for run in runs for one in run]
    felled = sum(one.passed for one in best)
    return BossStanding(
        boss_id=boss_id,
        repeats=len(scored),
        felled=felled,
        felled_share=wilson_interval(felled, len(scored)),
        integrity=_figure([one.integrity or 0.0 for one in best]),
        tries=_figure([float(len(run)) for run in scored]),
        seconds=_figure([sum(one.seconds for one in run) for run in scored]),
        levels=_levels(best),
        timeouts=sum(one.ended == "timeout" for one in every_try),
        ungraded=sum(bool(one.ungraded) for one in every_try),
        copied=tuple(sorted({one.copied for one in every_try if one.copied})),
        explained_by=tuple(one.attempt_id for one in best if one.attempt_id),
    )


def _levels(best: Sequence[ContestTry]) -> tuple[LevelStanding, ...]:
    """Average the levels of the best attempts. An attempt with nothing to judge has the lowest level everywhere."""
    first = next((one.levels for one in best if one.levels), ())
    return tuple(
        LevelStanding(
            criterion_id=criterion.criterion_id,
            label=criterion.label,
            score=sum(
                level.score for one in best for level in one.levels if level.criterion_id == criterion.criterion_id
            )
            / len(best),
            max_score=criterion.max_score,
        )
        for criterion in first
    )


def _figure(values: Sequence[float]) -> Figure | None:
    """Return the mean with Student's interval; None without values."""
    middle, spread = mean(values), variance(values)
    if middle is None:
        return None
    if spread is None:
        return Figure(mean=middle)
    half_width = student_point(len(values) - 1) * math.sqrt(spread / len(values))
    return Figure(mean=middle, low=middle - half_width, high=middle + half_width)


def wilson_interval(count: int, total: int) -> Figure | None:
    """Return a share with its 95 % interval; None if the total is 0.

    E. B. Wilson, Probable inference, the law of succession, and statistical inference (JASA 22, 1927). Valid for few
    repeats and for shares of 0 and 1, where the interval of a mean has no width.
    """
    if not total:
        return None
    share, square = count / total, _NORMAL_POINT**2
    middle = (share + square / (2 * total)) / (1 + square / total)
    half_width = _NORMAL_POINT / (1 + square / total) * math.sqrt(share * (1 - share) / total + square / (4 * total**2))
    return Figure(mean=share, low=max(0.0, middle - half_width), high=min(1.0, middle + half_width))
