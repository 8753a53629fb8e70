"""The results of a contest: levels, attempts and seconds per boss, with 95 % intervals over its repeats."""

import math
from collections.abc import Sequence

from evalforge.agents.contest_journal import ContestPlan, ContestTry
from evalforge.evaluate.statistics import mean, student_point, variance
from evalforge.model.base import Frozen

_NORMAL_POINT = 1.959963984540054


class MeanWithInterval(Frozen):
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
    felled_share: MeanWithInterval | None
    integrity: MeanWithInterval | None
    tries: MeanWithInterval | None
    seconds: MeanWithInterval | None
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
            if (run := [agent_try for agent_try in tries if (agent_try.boss_id, agent_try.repeat) == (boss_id, repeat)])
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
    return len(run) == plan.tries or any(agent_try.passed for agent_try in run)


def _standing(boss_id: str, runs: Sequence[Sequence[ContestTry]]) -> BossStanding:
    scored = [run for run in runs if any(agent_try.integrity is not None for agent_try in run)]
    best = [
        max(run, key=lambda agent_try: -1.0 if agent_try.integrity is None else agent_try.integrity) for run in scored
    ]
    every_try = [agent_try for run in runs for agent_try in run]
    felled = sum(best_try.passed for best_try in best)
    return BossStanding(
        boss_id=boss_id,
        repeats=len(scored),
        felled=felled,
        felled_share=wilson_interval(felled, len(scored)),
        integrity=_figure([best_try.integrity or 0.0 for best_try in best]),
        tries=_figure([float(len(run)) for run in scored]),
        seconds=_figure([sum(agent_try.seconds for agent_try in run) for run in scored]),
        levels=_levels(best),
        timeouts=sum(agent_try.ended == "timeout" for agent_try in every_try),
        ungraded=sum(bool(agent_try.ungraded) for agent_try in every_try),
        copied=tuple(sorted({agent_try.copied for agent_try in every_try if agent_try.copied})),
        explained_by=tuple(best_try.attempt_id for best_try in best if best_try.attempt_id),
    )


def _levels(best: Sequence[ContestTry]) -> tuple[LevelStanding, ...]:
    """Average the levels of the best attempts. An attempt with nothing to judge has the lowest level everywhere."""
    first = next((best_try.levels for best_try in best if best_try.levels), ())
    return tuple(
        LevelStanding(
            criterion_id=criterion.criterion_id,
            label=criterion.label,
            score=sum(
                level.score
                for best_try in best
                for level in best_try.levels
                if level.criterion_id == criterion.criterion_id
            )
            / len(best),
            max_score=criterion.max_score,
        )
        for criterion in first
    )


def _figure(values: Sequence[float]) -> MeanWithInterval | None:
    """Return the mean with Student's interval; None without values."""
    middle, spread = mean(values), variance(values)
    if middle is None:
        return None
    if spread is None:
        return MeanWithInterval(mean=middle)
    half_width = student_point(len(values) - 1) * math.sqrt(spread / len(values))
    return MeanWithInterval(mean=middle, low=middle - half_width, high=middle + half_width)


def wilson_interval(count: int, total: int) -> MeanWithInterval | None:
    """Return a share with its 95 % interval; None if the total is 0.

    E. B. Wilson, Probable inference, the law of succession, and statistical inference (JASA 22, 1927). Valid for few
    repeats and for shares of 0 and 1, where the interval of a mean has no width.
    """
    if not total:
        return None
    share, square = count / total, _NORMAL_POINT**2
    middle = (share + square / (2 * total)) / (1 + square / total)
    half_width = _NORMAL_POINT / (1 + square / total) * math.sqrt(share * (1 - share) / total + square / (4 * total**2))
    return MeanWithInterval(mean=share, low=max(0.0, middle - half_width), high=min(1.0, middle + half_width))
