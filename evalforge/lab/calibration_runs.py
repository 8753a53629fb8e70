"""Calibration runs: one judge's levels for every measured submission, stored so that two runs can be compared."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from pydantic import Field

from evalforge.calibration.calibrate import rate_submission
from evalforge.calibration.figures import RatedSubmission
from evalforge.judges.forge import rescore
from evalforge.judges.registry import make_judge
from evalforge.lab.files import read_bytes_if_present, timestamp
from evalforge.lab.judge_pair import AskJudge, JudgeChoice, judge_submission
from evalforge.lab.submissions import LabSubmission
from evalforge.llm.model_options import ModelOptions
from evalforge.model.base import Frozen
from evalforge.model.exact_numbers import Score, to_fraction
from evalforge.model.result import JudgeInfo, Judgement
from evalforge.model.rubric import BossRubric
from evalforge.packs.atomic_files import write_atomically
from evalforge.packs.pack import BossPack

_MAX_STORED_RUNS = 40


class CalibrationRun(Frozen):
    """One judge's judgements by submission id. ``failed`` holds the reason, by submission id, if it failed to judge."""

    boss_id: str
    rubric_hash: str
    judge: JudgeInfo
    at: datetime
    judged: dict[str, tuple[Judgement, ...]]
    failed: dict[str, str] = Field(default_factory=dict)

    @property
    def name(self) -> str:
        """The judge's name and model, plus the local time for a judge that may answer differently each time."""
        judge = " ".join(part for part in (self.judge.name, self.judge.model) if part)
        return judge if self.judge.name == "forge" else f"{judge}, {self.at.astimezone():%Y-%m-%d %H:%M}"

    def judgement(self, submission_id: str, criterion_id: str) -> Judgement | None:
        """The judgement of one criterion of one submission; None if it was not judged."""
        return next(
            (judgement for judgement in self.judged.get(submission_id, ()) if judgement.criterion_id == criterion_id),
            None,
        )


class LevelDifference(Frozen):
    """One judgement of a run that differs from gold, or from another run.

    Attributes:
        expected: The score according to gold or the other run.
        judged: The score that the run gave.
        gold_reason: The readers' reason for the gold level; empty if there is none.
    """

    submission_id: str
    criterion_id: str
    expected: Score
    judged: Score
    gold_reason: str = ""


def forge_run(pack: BossPack, submissions: Sequence[LabSubmission], judge: JudgeInfo) -> CalibrationRun:
    """Compute the forge's run. It takes no time and costs nothing, so it is never stored."""
    judgements = {
        submission.id: rescore(pack, submission.submission, submission.evidence).judgements
        for submission in submissions
    }
    return CalibrationRun(
        boss_id=pack.boss_id, rubric_hash=pack.rubric_hash, judge=judge, at=datetime.now(UTC), judged=judgements
    )


async def run_judge(
    choice: JudgeChoice,
    pack: BossPack,
    submissions: Sequence[LabSubmission],
    models: ModelOptions,
    ask: AskJudge,
    show_progress: Callable[[str], None],
) -> CalibrationRun:
    """Ask a judge about each submission in turn.

    Raises:
        UsageError: There is no such judge, or it is unavailable here.
    """
    info = make_judge(choice.judge, choice.options(models)).info
    judgements: dict[str, tuple[Judgement, ...]] = {}
    failed: dict[str, str] = {}
    for number, submission in enumerate(submissions, start=1):
        show_progress(f"{choice.name or choice.judge}: {submission.name}, {number} of {len(submissions)}")
        answer = await judge_submission(choice, submission, (pack, pack), models, ask)
        if answer.judged is not None:
            judgements[submission.id] = answer.judged.judgements
        else:
            failed[submission.id] = answer.failure
    return CalibrationRun(
        boss_id=pack.boss_id,
        rubric_hash=pack.rubric_hash,
        judge=info,
        at=datetime.now(UTC),
        judged=judgements,
        failed=failed,
    )


def level_differences(
    submissions: Sequence[LabSubmission], run: CalibrationRun, reference: CalibrationRun | None = None
) -> tuple[LevelDifference, ...]:
    """Return the judgements of a run that differ from gold, or from another run."""
    differences: list[LevelDifference] = []
    for submission in submissions:
        expected_levels = _expected_levels(submission, reference)
        for judgement in run.judged.get(submission.id, ()):
            expected = expected_levels.get(judgement.criterion_id)
            if expected is not None and to_fraction(expected) != to_fraction(judgement.score):
                differences.append(
                    LevelDifference(
                        submission_id=submission.id,
                        criterion_id=judgement.criterion_id,
                        expected=expected,
                        judged=judgement.score,
                        gold_reason=submission.gold.why.get(judgement.criterion_id, "") if submission.gold else "",
                    )
                )
    return tuple(differences)


def rate_run(
    pack: BossPack,
    submissions: Sequence[LabSubmission],
    run: CalibrationRun,
    reference: CalibrationRun | None = None,
) -> list[RatedSubmission]:
    """Rate the submissions that a run judged on every criterion against gold, or against another run."""
    ratings: list[RatedSubmission] = []
    for submission in submissions:
        expected, judged = _expected_levels(submission, reference), _levels(run, submission)
        if _covers_rubric(pack.rubric, expected) and _covers_rubric(pack.rubric, judged):
            ratings.append(rate_submission(pack, submission.id, expected, [judged]))
    return ratings


def _expected_levels(submission: LabSubmission, reference: CalibrationRun | None) -> dict[str, float]:
    """The levels that another run gave a submission, or its gold levels if there is no other run."""
    if reference is not None:
        return _levels(reference, submission)
    return dict(submission.gold.levels) if submission.gold else {}


def _levels(run: CalibrationRun, submission: LabSubmission) -> dict[str, float]:
    return {judgement.criterion_id: judgement.score for judgement in run.judged.get(submission.id, ())}


def _covers_rubric(rubric: BossRubric, levels: Mapping[str, float]) -> bool:
    """Whether every criterion of the rubric was given one of its levels."""
    return all(
        criterion.id in levels
        and any(to_fraction(level.score) == to_fraction(levels[criterion.id]) for level in criterion.levels)
        for criterion in rubric.criteria
    )


class CalibrationRunStore:
    """The stored calibration runs of one boss, newest first; only the newest 40 are kept.

    Args:
        state: EvalForge's state folder.
    """

    def __init__(self, state: Path, boss_id: str) -> None:
        self._folder = state / "lab" / "rounds" / boss_id

    def save(self, run: CalibrationRun) -> None:
        """Store a run and delete the oldest beyond the limit.

        Raises:
            OSError: The file can't be written.
        """
        name = f"{timestamp()}-{run.judge.name}.json"
        write_atomically(self._folder / name, run.model_dump_json(indent=1).encode("utf-8", "surrogatepass"))
        for path in self._files()[_MAX_STORED_RUNS:]:
            path.unlink(missing_ok=True)

    def load_all(self) -> list[CalibrationRun]:
        """Load all stored runs; unreadable files are skipped."""
        runs: list[CalibrationRun] = []
        for path in self._files():
            try:
                runs.append(CalibrationRun.model_validate_json(read_bytes_if_present(path) or b""))
            except ValueError:
                continue
        return runs

    def _files(self) -> list[Path]:
        return sorted(self._folder.glob("*.json"), reverse=True) if self._folder.is_dir() else []
