"""Check that nobody passes a boss on a judge's word: with one that says yes to everything, no verdict rises."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from evalforge.collect import collect
from evalforge.engine_pool import EnginePool
from evalforge.evidence.earned_levels import highest_allowed_level
from evalforge.evidence.engine import Engine
from evalforge.judges.base import Case
from evalforge.judges.verdict_bound import always_top_judgements, verdict_of_scores, verdict_rank
from evalforge.model.errors import PackError, SubmissionError
from evalforge.model.fight_record import record_fight
from evalforge.model.result import Verdict, verdict_words
from evalforge.packs.gold import GOLD_FILE, read_gold
from evalforge.packs.lint.issue import LintIssue
from evalforge.packs.pack import BossPack
from evalforge.packs.trial_key import PUBLIC_KEY, trial_seed


async def check_verdicts(
    pack: BossPack, engines: EnginePool, show_progress: Callable[[str], None]
) -> tuple[LintIssue, ...]:
    """Measure each exemplar with gold, and hold a judge that says yes to everything against it.

    Args:
        pack: A pack whose trials hold.
        engines: What measures the exemplars.
        show_progress: Called with a sentence on what is being tried.

    Returns:
        A problem for each exemplar that such a judge gives a better verdict than its gold.

    Raises:
        SandboxError: Code can't be run here.
    """
    show_progress(f"{pack.boss_id}: a judge that says yes to everything, on the exemplars")
    exemplars = [path for path in pack.exemplars if (path / GOLD_FILE).is_file()]
    issues = await engines.run_all([partial(_check_exemplar, pack, path) for path in exemplars])
    return tuple(issue for issue in issues if issue is not None)


async def _check_exemplar(pack: BossPack, path: Path, engine: Engine) -> LintIssue | None:
    try:
        submission, gold = collect(path), read_gold(path).verdict
    except (SubmissionError, PackError) as error:
        return LintIssue(path, None, str(error))
    seed = trial_seed(pack.boss_id, submission.content_hash, PUBLIC_KEY)
    gathering = engine.gather(seed, pack.trials, pack.definition.metadata.entry_files, submission)
    return verdict_issue(Case(pack, submission, (await record_fight(gathering)).evidence), path, gold)


def verdict_issue(case: Case, path: Path, gold: Verdict) -> LintIssue | None:
    """The problem of an exemplar that a judge who says yes to everything gives a better verdict than its gold.

    Args:
        case: The exemplar, measured.
        path: Its folder.
        gold: Its verdict.
    """
    pack = case.pack
    verdict = verdict_of_scores(
        pack.rubric, (always_top_judgement.score for always_top_judgement in always_top_judgements(case))
    )
    if verdict_rank(verdict) <= verdict_rank(gold):
        return None
    unbounded = ", ".join(criterion.id for criterion in pack.rubric.criteria if _is_unbounded(case, criterion.id))
    return LintIssue(
        path / GOLD_FILE,
        None,
        f"a judge that says yes to everything makes a {verdict_words(verdict)} of this {verdict_words(gold)}: "
        f"give {unbounded or 'its criteria'} conditions in evidence.yaml that it fails",
    )


def _is_unbounded(case: Case, criterion_id: str) -> bool:
    criterion = case.pack.rubric.criterion(criterion_id)
    return highest_allowed_level(criterion, case.pack.rules, case.charged_evidence)[0].score == criterion.max_score
