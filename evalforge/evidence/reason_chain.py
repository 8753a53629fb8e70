"""Why a criterion has its level: the chain from the level to its rules, facts, trials, calls and lines."""

from evalforge.evidence.conditions import met_check
from evalforge.model.base import Frozen
from evalforge.model.evidence import ClaimResult, Evidence, Finding, TrialResult
from evalforge.model.level_rules import Condition, LevelRule, LevelRules, trial_groups
from evalforge.model.result import Judgement
from evalforge.model.rubric import Criterion
from evalforge.model.submission import Submission


class MeasuredFact(Frozen):
    """One check of a condition, with the measured value."""

    fact: str
    check: str
    value: int | float | str | bool | None


class Place(Frozen):
    """A line of the submission with a finding, and its text."""

    finding: Finding
    code: str = ""


class ConditionReason(Frozen):
    """A condition of a level: whether it holds, its measured facts, and the findings and trials behind them."""

    holds: bool
    words: str
    facts: tuple[MeasuredFact, ...]
    trials: tuple[TrialResult, ...] = ()
    places: tuple[Place, ...] = ()


class LevelReason(Frozen):
    """A level: whether it is reached, and each condition that it needs beyond the lower ones."""

    score: int | float
    label: str
    description: str
    reached: bool
    conditions: tuple[ConditionReason, ...] = ()


class CriterionReason(Frozen):
    """The whole chain of a criterion from its lowest level up to the first level that isn't reached."""

    criterion_id: str
    label: str
    score: int | float
    max_score: int | float
    comment: str
    bounded: str = ""
    claims: tuple[ClaimResult, ...] = ()
    levels: tuple[LevelReason, ...] = ()


def reason_chain(
    criterion: Criterion, rules: LevelRules, judgement: Judgement, evidence: Evidence, submission: Submission
) -> CriterionReason:
    """Build the chain behind a judgement; ``rules`` are those by which it was judged."""
    levels: list[LevelReason] = []
    for rule in rules.of(criterion.id):
        level = _level_reason(criterion, rule, judgement, evidence, submission)
        levels.append(level)
        if not level.reached:
            break
    return CriterionReason(
        criterion_id=criterion.id,
        label=criterion.label,
        score=judgement.score,
        max_score=criterion.max_score,
        comment=judgement.comment,
        bounded=judgement.bounded,
        claims=tuple(claim for claim in evidence.claims if claim.claim.criterion_id == criterion.id),
        levels=tuple(levels),
    )


def _level_reason(
    criterion: Criterion, rule: LevelRule, judgement: Judgement, evidence: Evidence, submission: Submission
) -> LevelReason:
    level = criterion.level(rule.level)
    return LevelReason(
        score=level.score,
        label=level.label,
        description=level.description,
        reached=level.score <= judgement.score,
        conditions=tuple(_condition_reason(condition, evidence, submission) for condition in rule.requires),
    )


def _condition_reason(condition: Condition, evidence: Evidence, submission: Submission) -> ConditionReason:
    holding_check = met_check(condition, evidence)
    checks = condition.checks if holding_check is None else (holding_check,)
    facts = {check.fact: evidence.fact(check.fact) for check in checks}
    measured = tuple(
        MeasuredFact(fact=check.fact, check=check.check, value=fact.value if (fact := facts[check.fact]) else None)
        for check in checks
    )
    groups = trial_groups(checks)
    trials = tuple(trial for trial in evidence.trials if trial.is_in(groups))
    findings = [finding for fact in facts.values() if fact for finding in fact.findings if not finding.trial]
    return ConditionReason(
        holds=holding_check is not None,
        words="" if holding_check else condition.otherwise,
        facts=measured,
        trials=trials,
        places=() if holding_check else tuple(_place(finding, submission) for finding in findings),
    )


def _place(finding: Finding, submission: Submission) -> Place:
    return Place(finding=finding, code=line_of_code(submission, finding.path, finding.line))


def line_of_code(submission: Submission, path: str, line: int | None) -> str:
    """A line of a submitted file without its indentation; empty if there is no such line."""
    file = submission.file(path) if path and line else None
    lines = file.content.splitlines() if file else []
    return lines[line - 1].strip() if line and line <= len(lines) else ""
