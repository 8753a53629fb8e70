"""How checked claims change a judgement: a confirmed one lowers the level, any other lowers nothing."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import aclosing

from evalforge.evidence.earned_levels import is_met
from evalforge.judges.base import Case
from evalforge.judges.comments import as_sentence
from evalforge.judges.lowering import lower
from evalforge.judges.reply import MAX_CLAIMS
from evalforge.model.claim import Claim
from evalforge.model.errors import SandboxError
from evalforge.model.events import ClaimChecked, Event, Progress
from evalforge.model.evidence import PROVEN, ClaimResult, ClaimState, Finding
from evalforge.model.exact_numbers import to_fraction
from evalforge.model.result import Judgement
from evalforge.model.rubric import Criterion, Level


async def run_claims(case: Case, claims: Iterable[Claim], emit: Callable[[Event], None]) -> tuple[ClaimResult, ...]:
    """Run the claims of a judging and return one result per claim."""
    claims = distinct_claims(case, claims)
    if not claims:
        return ()
    emit(Progress(message=f"Running what the judge claims: {len(claims)} {'fault' if len(claims) == 1 else 'faults'}"))
    results: list[ClaimResult] = []
    reason = "nothing can be run here"
    if case.run_claims is not None:
        try:
            async with aclosing(case.run_claims(claims)) as events:
                results += [event.claim async for event in events if isinstance(event, ClaimChecked)]
        except SandboxError as error:
            reason = error.message.rstrip(".")
    unrun_claims = claims[len(results) :]
    results += [ClaimResult(claim=claim, state=ClaimState.NOT_RUN, reason=reason) for claim in unrun_claims]
    for result in results:
        emit(ClaimChecked(claim=result))
        emit(Progress(message=proof_words(result) if result.is_confirmed else _unproven_words(result)))
    return tuple(results)


def distinct_claims(case: Case, claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """The claims to run: each only once, for the first criterion that names it, and a few for each criterion.

    Only criteria with trials take claims: a program's behaviour shows nothing about how it is built or tested.
    """
    chosen_claims: dict[str, Claim] = {}
    for claim in claims:
        count = sum(chosen_claim.criterion_id == claim.criterion_id for chosen_claim in chosen_claims.values())
        if count < MAX_CLAIMS and takes_claims(case, claim.criterion_id):
            chosen_claims.setdefault(claim.test, claim)
    return tuple(chosen_claims.values())


def takes_claims(case: Case, criterion_id: str) -> bool:
    """Whether the level rules of a criterion check any trials."""
    conditions = (condition for rule in case.pack.rules.of(criterion_id) for condition in rule.requires)
    return any(check.fact.startswith("trials.") for condition in conditions for check in condition.checks)


def charge_claims(case: Case, judgements: Sequence[Judgement], results: Sequence[ClaimResult]) -> tuple[Judgement, ...]:
    """The judgements after confirmed claims lowered levels, and unconfirmed ones were disregarded."""
    charged: list[Judgement] = []
    for judgement in judgements:
        criterion = case.pack.rubric.criterion(judgement.criterion_id)
        about_it = [result for result in results if result.claim.criterion_id == criterion.id]
        confirmed = [result for result in about_it if result.is_confirmed]
        if confirmed:
            charged.append(_with_confirmed(criterion, judgement, confirmed))
        else:
            charged.append(_without_confirmed(case, criterion, judgement, about_it) if about_it else judgement)
    return tuple(charged)


def _with_confirmed(criterion: Criterion, judgement: Judgement, confirmed: Sequence[ClaimResult]) -> Judgement:
    """A judgement with its proven faults, at a level below the highest."""
    findings = [
        Finding(message=proof_words(result), path=result.path, line=result.line, trial=result.as_trial.title)
        for result in confirmed
    ]
    judgement = judgement.model_copy(update={"findings": (*findings, *judgement.findings)})
    below = _level_below_top(criterion)
    if to_fraction(judgement.score) > to_fraction(below.score):
        why = f"Lowered to “{below.label}”: {PROVEN[0].lower()}{PROVEN[1:]}: {confirmed[0].claim.fault}"
        return lower(criterion, judgement, below, why, proof_words(confirmed[0]))
    return judgement.with_remark(proof_words(confirmed[0]))


def _without_confirmed(
    case: Case, criterion: Criterion, judgement: Judgement, about_it: Sequence[ClaimResult]
) -> Judgement:
    """A judgement whose claims prove nothing: it rises to the level that trials and runs of the tests earn."""
    earned = _level_earned_by_runs(case, criterion)
    if earned is None or to_fraction(earned.score) <= to_fraction(judgement.score):
        return judgement
    following = criterion.next_level(earned.score)
    return judgement.model_copy(
        update={
            "score": earned.score,
            "comment": f"{as_sentence(earned.full_description or earned.label)} {_unproven_words(about_it[0])}",
            "next_level": following.asked if following else "",
            "uncertain": True,
        }
    )


def _level_earned_by_runs(case: Case, criterion: Criterion) -> Level | None:
    """The highest level earned by trials and runs of the tests alone; None if there is none."""
    level: Level | None = None
    for rule in case.pack.rules.of(criterion.id):
        if not all(require.is_behaviour and is_met(require, case.evidence) for require in rule.requires):
            break
        level = criterion.level(rule.level)
    return level


def _level_below_top(criterion: Criterion) -> Level:
    return max(
        (level for level in criterion.levels if to_fraction(level.score) < to_fraction(criterion.max_score)),
        key=lambda level: to_fraction(level.score),
        default=criterion.levels[0],
    )


def proof_words(result: ClaimResult) -> str:
    """A confirmed claim in sentences: the fault, the contract's words, and how the test failed."""
    return f"{PROVEN}: {as_sentence(result.claim.fault)} {result.message}"


def _unproven_words(result: ClaimResult) -> str:
    state = "not confirmed" if result.state is ClaimState.NOT_CONFIRMED else "could not be run"
    return f"A fault was claimed and {state}: {as_sentence(result.claim.fault).rstrip('.')} ({result.reason})."


def claim_notes(criterion: Criterion, results: Sequence[ClaimResult]) -> list[str]:
    """The results of the claims about a criterion, for the raw notes."""
    about_it = [result for result in results if result.claim.criterion_id == criterion.id]
    sentences = [proof_words(result) if result.is_confirmed else _unproven_words(result) for result in about_it]
    return [f"{criterion.label}: {sentence}" for sentence in sentences]
