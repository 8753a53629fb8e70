"""A class as a whole: its rows, how levels and trials came out, who fails alike, whose code looks alike."""

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime

from evalforge.batch.classroom.clusters import Cluster, Trouble, cluster, trouble_of
from evalforge.batch.classroom.lookalikes import Pair, Sheet, find_alike, given_code, sheet
from evalforge.batch.classroom.rows import ClassRow, Outcome
from evalforge.batch.classroom.run import ClassRun
from evalforge.history.store import History
from evalforge.model.base import Frozen
from evalforge.model.evidence import LOAD_GROUP
from evalforge.model.numbers import Score, exact
from evalforge.model.result import JudgeInfo


class LevelCount(Frozen):
    """How many hand-ins stand at a level."""

    score: Score
    label: str
    count: int


class CriterionShape(Frozen):
    """A criterion, and how a class stands in it."""

    id: str
    label: str
    max_score: Score
    levels: tuple[LevelCount, ...]


class GroupShape(Frozen):
    """A group of trials: how many hand-ins fail at least one of them, and what share of all its trials failed."""

    group: str
    trials: int
    hand_ins: int
    failed_share: float


class ClassReport(Frozen):
    """Everything about one run over a class."""

    label: str
    run: int
    boss_id: str
    boss_title: str
    rubric_id: str
    rubric_hash: str
    judge: JudgeInfo
    source: str
    made_at: datetime
    pass_threshold: Score
    score_max: Score
    outcomes: dict[Outcome, int]
    rows: tuple[ClassRow, ...]
    criteria: tuple[CriterionShape, ...]
    groups: tuple[GroupShape, ...]
    clusters: tuple[Cluster, ...]
    singletons: tuple[Cluster, ...]
    lookalikes: tuple[Pair, ...]
    """Pairs to look at, the most similar first; what looks alike may have been written apart."""
    lookalikes_in_all: int = 0
    """How many there are; of very many only the first are kept."""

    @property
    def moved(self) -> tuple[ClassRow, ...]:
        """Rows the judge sees otherwise than in the attempt before."""
        return tuple(row for row in self.rows if row.moved)

    def row(self, row_id: str) -> ClassRow:
        """One row.

        Raises:
            KeyError: There is none of that name.
        """
        for row in self.rows:
            if row.row_id == row_id:
                return row
        raise KeyError(row_id)


def make_report(run: ClassRun, history: History) -> ClassReport:
    """Put together what a run that is over found.

    Args:
        run: Every row of it is settled.
        history: Where its attempts are.
    """
    pack = run.pack
    rows = tuple(sorted(run.rows.values(), key=lambda row: (row.row_id.casefold(), row.row_id)))
    troubles: list[Trouble] = []
    sheets: list[Sheet] = []
    given = given_code(pack)
    for row in rows:
        if row.attempt_id:
            # One at a time: a class of attempts, events and all, need not fit into memory.
            attempt = history.get(row.attempt_id)
            sheets.append(sheet(row.row_id, attempt.submission, given))
            if row.outcome is Outcome.JUDGED:
                troubles.append(trouble_of(row.row_id, pack, attempt.evidence))
    clusters, singletons = cluster(troubles)
    alike = find_alike(sheets)
    return ClassReport(
        label=run.label,
        run=run.run,
        boss_id=pack.boss_id,
        boss_title=pack.definition.title,
        rubric_id=pack.rubric.rubric_id,
        rubric_hash=pack.rubric_hash,
        judge=run.judge,
        source=run.intake.source,
        made_at=datetime.now(UTC).replace(microsecond=0),
        pass_threshold=pack.rubric.overall.pass_threshold,
        score_max=pack.rubric.max_score,
        outcomes=dict(Counter(row.outcome for row in rows)),
        rows=rows,
        criteria=tuple(_criteria(run, rows)),
        groups=_groups(troubles),
        clusters=clusters,
        singletons=singletons,
        lookalikes=alike.pairs,
        lookalikes_in_all=alike.in_all,
    )


def _criteria(run: ClassRun, rows: Iterable[ClassRow]) -> Iterable[CriterionShape]:
    results = [row.result for row in rows if row.result]
    for criterion in run.pack.rubric.criteria:
        at = Counter(exact(one.score) for result in results for one in result.criteria if one.id == criterion.id)
        levels = tuple(
            LevelCount(score=level.score, label=level.label, count=at[exact(level.score)]) for level in criterion.levels
        )
        yield CriterionShape(id=criterion.id, label=criterion.label, max_score=criterion.max_score, levels=levels)


def _groups(troubles: list[Trouble]) -> tuple[GroupShape, ...]:
    """Groups of trials, those most hand-ins fail first."""
    sizes: dict[str, int] = {}
    run, failed, hand_ins = Counter[str](), Counter[str](), Counter[str]()
    for trouble in troubles:
        failing = Counter(trial.group for trial in trouble.trials)
        for group, count in trouble.counts.items():
            sizes[group] = max(sizes.get(group, 0), count)
            run[group] += count
            failed[group] += failing[group]
            hand_ins[group] += bool(failing[group])
    shapes = [
        GroupShape(group=group, trials=size, hand_ins=hand_ins[group], failed_share=failed[group] / run[group])
        for group, size in sizes.items()
        if group != LOAD_GROUP or failed[group]
    ]
    return tuple(sorted(shapes, key=lambda shape: (-shape.hand_ins, -shape.failed_share, shape.group)))
