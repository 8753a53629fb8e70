"""Check that a judge's word alone passes nobody: a judge that says yes to everything must not raise a verdict."""

from pathlib import Path

from evalforge.evidence.earned_levels import highest_allowed_level
from evalforge.judges.base import Case
from evalforge.judges.verdict_bound import always_top_judgements, verdict_of_scores, verdict_rank
from evalforge.model.result import Verdict, verdict_words
from evalforge.packs.gold import GOLD_FILE
from evalforge.packs.issue import Issue


def verdict_issue(case: Case, path: Path, gold: Verdict) -> Issue | None:
    """Return a problem if a judge that says yes to everything gives an exemplar a better verdict than its gold.

    Args:
        case: The exemplar, measured.
        path: Its folder.
        gold: The verdict of its gold levels.
    """
    pack = case.pack
    verdict = verdict_of_scores(
        pack.rubric, (always_top_judgement.score for always_top_judgement in always_top_judgements(case))
    )
    if verdict_rank(verdict) <= verdict_rank(gold):
        return None
    unbounded = ", ".join(criterion.id for criterion in pack.rubric.criteria if _is_unbounded(case, criterion.id))
    return Issue(
        path / GOLD_FILE,
        None,
        f"a judge that says yes to everything makes a {verdict_words(verdict)} of this {verdict_words(gold)}: "
        f"give {unbounded or 'its criteria'} conditions in evidence.yaml that it fails",
    )


def _is_unbounded(case: Case, criterion_id: str) -> bool:
    criterion = case.pack.rubric.criterion(criterion_id)
    return highest_allowed_level(criterion, case.pack.rules, case.charged_evidence)[0].score == criterion.max_score
