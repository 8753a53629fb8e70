"""The report of a class: its rows, statistics of levels and trials, clusters of failures, and lookalikes."""

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime

from evalforge.classroom.account import ClassAccount
from evalforge.classroom.class_impostors import ClassImpostors, class_impostors
from evalforge.classroom.class_row import ClassRow, RowOutcome
from evalforge.classroom.class_run import ClassRun
from evalforge.classroom.failure_clusters import Cluster, FailureSignature, cluster_failures, failure_signature
from evalforge.classroom.grading import Grading
from evalforge.classroom.lookalikes import (
    Fingerprints,
    LookalikePair,
    find_lookalikes,
    given_code_hashes,
    take_fingerprints,
)
from evalforge.history.store import History
from evalforge.model.base import Frozen
from evalforge.model.evidence import LOAD_GROUP
from evalforge.model.exact_numbers import Score, to_fraction, to_number
from evalforge.model.impostor_tally import ImpostorTally, tally_impostors
from evalforge.model.result import JudgeInfo


class LevelCount(Frozen):
    """The number of submissions at a level."""

    score: Score
    label: str
    count: int


class CriterionLevels(Frozen):
    """A criterion, and the number of submissions at each of its levels."""

    id: str
    label: str
    max_score: Score
    levels: tuple[LevelCount, ...]


class GroupFailures(Frozen):
    """A group of trials in a class.

    Attributes:
        trials: The number of its trials.
        hand_ins: The number of submissions that fail at least one of them.
        failed_share: The share of its trials that failed, over all submissions, 0..1.
    """

    group: str
    trials: int
    hand_ins: int
    failed_share: float


class ClassReport(Frozen):
    """Everything about one run over a class, as in the output of ``batch --json``."""

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
    outcomes: dict[RowOutcome, int]
    rows: tuple[ClassRow, ...]
    criteria: tuple[CriterionLevels, ...]
    groups: tuple[GroupFailures, ...]
    clusters: tuple[Cluster, ...]
    singletons: tuple[Cluster, ...]
    lookalikes: tuple[LookalikePair, ...]
    """Pairs to look at, the most similar first; similarity alone proves nothing."""
    lookalikes_in_all: int = 0
    """The number of pairs found; only the first of very many are kept."""
    impostors: ClassImpostors = ClassImpostors()
    """What the submissions' tests miss, and what they wrongly expect."""
    account: ClassAccount = ClassAccount()
    """Everything in the folder of the class."""
    grading: Grading | None = None
    """The institution's scale and penalty for lateness; None if scores are the grades."""

    @property
    def labels(self) -> dict[str, str]:
        """The label of each criterion by its id."""
        return {criterion.id: criterion.label for criterion in self.criteria}

    @property
    def changed_rows(self) -> tuple[ClassRow, ...]:
        """The rows whose result differs from that of the previous attempt."""
        return tuple(row for row in self.rows if row.has_changed)

    def row(self, row_id: str) -> ClassRow:
        """The row with an id.

        Raises:
            KeyError: There is no such row.
        """
        for row in self.rows:
            if row.row_id == row_id:
                return row
        raise KeyError(row_id)


def make_report(run: ClassRun, history: History) -> ClassReport:
    """Make the report of a run.

    Args:
        run: A run whose rows are all settled.
        history: Where its attempts and the instructor's comments are stored.
    """
    pack, grading = run.pack, run.options.grading
    comments = history.comments.of_class(run.label, pack.boss_id)
    rows = tuple(
        row.model_copy(
            update={
                "comments": tuple(comment.text for comment in comments.get(row.row_id, ())),
                "grade": grading.grade(row) if grading else None,
            }
        )
        for row in sorted(run.rows.values(), key=lambda row: (row.row_id.casefold(), row.row_id))
    )
    signatures: list[FailureSignature] = []
    fingerprints: list[Fingerprints] = []
    tallies: dict[str, ImpostorTally] = {}
    given_hashes = given_code_hashes(pack)
    for row in rows:
        if row.attempt_id:
            # One at a time: the attempts of a class, with their events, may not fit into memory together.
            attempt = history.get(row.attempt_id)
            fingerprints.append(take_fingerprints(row.row_id, attempt.submission, given_hashes))
            if row.outcome is RowOutcome.JUDGED:
                signatures.append(failure_signature(row.row_id, pack, attempt.evidence))
                if tally := tally_impostors(attempt.evidence):
                    tallies[row.row_id] = tally
    clusters, singletons = cluster_failures(signatures)
    lookalikes = find_lookalikes(fingerprints)
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
        criteria=tuple(_criterion_levels(run, rows)),
        groups=_group_failures(signatures),
        clusters=clusters,
        singletons=singletons,
        lookalikes=lookalikes.pairs,
        lookalikes_in_all=lookalikes.total,
        impostors=class_impostors(tallies, pack.path),
        account=run.intake.account,
        grading=grading,
    )


def _criterion_levels(run: ClassRun, rows: Iterable[ClassRow]) -> Iterable[CriterionLevels]:
    results = [row.result for row in rows if row.result]
    for criterion in run.pack.rubric.criteria:
        counts = Counter(
            to_fraction(criterion_result.score)
            for result in results
            for criterion_result in result.criteria
            if criterion_result.id == criterion.id
        )
        levels = tuple(
            LevelCount(score=level.score, label=level.label, count=counts[to_fraction(level.score)])
            for level in criterion.levels_with(map(to_number, counts))
        )
        yield CriterionLevels(id=criterion.id, label=criterion.label, max_score=criterion.max_score, levels=levels)


def _group_failures(signatures: list[FailureSignature]) -> tuple[GroupFailures, ...]:
    """Return the groups of trials, those that most submissions fail first."""
    sizes: dict[str, int] = {}
    run_trials, failed_trials, hand_ins = Counter[str](), Counter[str](), Counter[str]()
    for signature in signatures:
        failing = Counter(trial.group for trial in signature.trials)
        for group, count in signature.trials_per_group.items():
            sizes[group] = max(sizes.get(group, 0), count)
            run_trials[group] += count
            failed_trials[group] += failing[group]
            hand_ins[group] += bool(failing[group])
    groups = [
        GroupFailures(
            group=group, trials=size, hand_ins=hand_ins[group], failed_share=failed_trials[group] / run_trials[group]
        )
        for group, size in sizes.items()
        if group != LOAD_GROUP or failed_trials[group]
    ]
    return tuple(sorted(groups, key=lambda group: (-group.hand_ins, -group.failed_share, group.group)))
