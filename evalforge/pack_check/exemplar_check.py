"""Exemplars run once and held against their gold: the forge judge gives its levels, and no judge more by its word."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from evalforge.engine_pool import EnginePool
from evalforge.evidence.earned_levels import highest_allowed_level
from evalforge.evidence.engine import Engine
from evalforge.judges.base import Case
from evalforge.judges.forge import rescore
from evalforge.judges.refusals import refuse_unmeasured
from evalforge.judges.verdict_bound import always_top_judgements, verdict_of_scores, verdict_rank
from evalforge.measurements import Measurements
from evalforge.model.exact_numbers import to_fraction, to_number
from evalforge.model.number_format import format_number
from evalforge.model.result import verdict_words
from evalforge.model.rubric import Criterion
from evalforge.packs.document import read_document
from evalforge.packs.gold import GOLD_FILE, Gold, read_gold
from evalforge.packs.issue import Issue
from evalforge.packs.pack import BossPack
from evalforge.submissions.collect import collect


@dataclass(frozen=True)
class MeasuredExemplar:
    """An exemplar with its gold and its evidence.

    Attributes:
        path: Its folder.
        case: The case that a judge reads.
    """

    path: Path
    gold: Gold
    case: Case

    @property
    def refusal(self) -> str:
        """Why it can't be judged on this machine; empty if it can."""
        refusal = refuse_unmeasured(self.case)
        return f"{self.path.name}: {refusal.reason}" if refusal else ""


async def measure_exemplars(
    pack: BossPack, engines: EnginePool, kept: Measurements, report: Callable[[str], None]
) -> list[MeasuredExemplar]:
    """Measure all exemplars; those with stored evidence aren't run again.

    Raises:
        SandboxError: Code can't be run here.
    """
    report(f"{pack.boss_id}: exemplars")
    return await engines.run_all([partial(_measure, pack, kept, path) for path in pack.exemplars])


async def _measure(pack: BossPack, kept: Measurements, path: Path, engine: Engine) -> MeasuredExemplar:
    submission = collect(path)
    return MeasuredExemplar(
        path, read_gold(path), Case(pack, submission, await kept.find_or_measure(submission, engine))
    )


def gold_issues(exemplar: MeasuredExemplar) -> Iterator[Issue]:
    """Yield a problem for each level that the forge judge gives and gold doesn't."""
    gold, case = exemplar.gold, exemplar.case
    document = read_document(exemplar.path / GOLD_FILE)
    for judgement in rescore(case.pack, case.submission, case.evidence).judgements:
        name = judgement.criterion_id
        accepted = {to_fraction(level) for level in (gold.levels[name], *gold.also.get(name, ()))}
        judged = to_fraction(judgement.score)
        if judged in accepted:
            continue
        levels = f"{name} is judged {to_number(judged):g}, and gold is {format_number(float(gold.levels[name]))}"
        if gold.cheat and judged > max(accepted):
            message = (
                f"a cheat gains ({gold.cheat.rstrip('.')}): {levels}. Draw its trials with rng, or bound the level"
            )
        else:
            message = f"{levels}: {judgement.comment} Change the rule or the trials, or gold if it was misread"
        yield Issue(document.path, document.line_of(("levels", name)), message)


def verdict_issues(exemplar: MeasuredExemplar) -> Iterator[Issue]:
    """Yield a problem if a judge that says yes to everything gives an exemplar a better verdict than its gold."""
    case, gold = exemplar.case, exemplar.gold.verdict
    rubric = case.pack.rubric
    verdict = verdict_of_scores(rubric, (judgement.score for judgement in always_top_judgements(case)))
    if verdict_rank(verdict) > verdict_rank(gold):
        unbounded = ", ".join(criterion.id for criterion in rubric.criteria if _is_unbounded(case, criterion))
        message = (
            f"a judge that says yes to everything makes a {verdict_words(verdict)} of this {verdict_words(gold)}: "
            f"give {unbounded or 'its criteria'} conditions in evidence.yaml that it fails"
        )
        yield Issue(exemplar.path / GOLD_FILE, None, message)


def _is_unbounded(case: Case, criterion: Criterion) -> bool:
    return highest_allowed_level(criterion, case.pack.rules, case.charged_evidence)[0].score == criterion.max_score


def judged_summary(exemplar: MeasuredExemplar, issues: tuple[Issue, ...]) -> str:
    """Its total, and whether it agrees with gold."""
    result = rescore(exemplar.case.pack, exemplar.case.submission, exemplar.case.evidence).result
    total = f"{format_number(float(result.score_total))} of {format_number(float(result.score_max))}"
    text = "; ".join(issue.message.partition(". ")[0].partition(": ")[0] for issue in issues)
    kind = "cheat, " if exemplar.gold.cheat else ""
    return f"{kind}{total}, {text or 'as gold says'}"
