"""Why a criterion of a stored attempt has its level, by the boss's present rules."""

from difflib import get_close_matches

from evalforge.evidence.attribution import charge_once
from evalforge.evidence.reason_chain import CriterionReason, reason_chain
from evalforge.model.attempt import Attempt
from evalforge.model.errors import UsageError
from evalforge.model.rubric import BossRubric
from evalforge.packs.pack import BossPack


def attempt_reason(attempt: Attempt, pack: BossPack | None, criterion_name: str) -> CriterionReason:
    """The reason chain of one criterion.

    Args:
        attempt: A judged attempt.
        pack: The attempt's boss; None if it isn't available.
        criterion_name: The criterion's id or label, in any case; empty if none was named.

    Raises:
        UsageError: The boss's rules have changed since, there is no such criterion, or it wasn't judged.
    """
    if pack is None or pack.rubric_hash != attempt.rubric_hash:
        raise UsageError(
            f"The rubric of {attempt.boss_id} has changed since, or isn't at hand, so its rules can't be followed.",
            "--bosses DIR, or judge the folder again",
        )
    criterion = pack.rubric.criterion(criterion_id(pack.rubric, criterion_name))
    judgement = next((judgement for judgement in attempt.judgements if judgement.criterion_id == criterion.id), None)
    if judgement is None:
        raise UsageError(f"Attempt {attempt.id} was not judged ({attempt.state.value}): no criterion has a level.")
    evidence = charge_once(pack.rubric, pack.rules, attempt.evidence)
    return reason_chain(criterion, pack.rules, judgement, evidence, attempt.submission)


def criterion_id(rubric: BossRubric, name: str) -> str:
    """Find a criterion's id by its id or label, in any case.

    Raises:
        UsageError: No criterion has this name; the message lists the boss's own, with their labels.
    """
    folded_name = name.casefold().replace("-", "_")
    for criterion in rubric.criteria:
        if folded_name in (criterion.id.casefold(), criterion.label.casefold()):
            return criterion.id
    names = {text: criterion.id for criterion in rubric.criteria for text in (criterion.id, criterion.label.casefold())}
    guess = get_close_matches(folded_name, names, n=1)
    suggestion = f"Did you mean {names[guess[0]]}? " if guess else ""
    listed = ", ".join(f"{criterion.id} ({criterion.label})" for criterion in rubric.criteria)
    problem = f"There is no criterion {name!r}." if name else "No criterion was named."
    raise UsageError(problem, f"{suggestion}Criteria: {listed}.")
