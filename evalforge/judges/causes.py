"""Says causes instead of symptoms: failed conditions are split by what is known to make their trials fail.

Known are the ending that most failed trials share, and the mistakes of the pack's impostors.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from evalforge.evidence.earned_levels import EarnedLevel, FailedCondition
from evalforge.judges.comments import with_lowercase_start
from evalforge.judges.endings import Ending, common_ending
from evalforge.model.evidence import Finding, TrialOutcome, TrialResult
from evalforge.model.level_rules import trial_groups
from evalforge.model.reason import Mistake

_ALTERNATIVE = " or "
_CLAUSE = re.compile(r"\(contract: [^)]+\)$")
_MAX_RULES = 2


def name_causes(
    levels: Sequence[EarnedLevel], mistakes: Sequence[Mistake], trials: Sequence[TrialResult]
) -> tuple[EarnedLevel, ...]:
    """The levels, whose failed conditions say what makes their trials fail, as far as it is known.

    A condition becomes one for the common ending, one for each mistake, and one for the trials that nothing explains.
    The contract is quoted at one criterion, the one that is charged if it shows the mistake; the others refer to it.
    Where only the broken section of the contract is known, the condition names that.

    Args:
        levels: What each criterion earned.
        mistakes: The known mistakes of the submission, as ``find_mistakes`` gives them.
        trials: The results of all trials.
    """
    ending = common_ending(trials, frozenset(title for mistake in mistakes for title in mistake.trials))
    unreached = {trial.group for trial in trials if trial.outcome is TrialOutcome.NOT_REACHED}
    causes: list[EarnedLevel] = []
    for level in levels:
        causes.append(_with_ending(level, ending, unreached) if ending else level)
        if ending and any(failure.is_ending for failure in causes[-1].failures):
            ending = replace(ending, why="")  # once is enough
    for mistake in mistakes:
        if not mistake.fault:
            causes = [_with_clause(level, mistake) for level in causes]
            continue
        shown_at = [level for level in causes if any(_findings_of(failure, mistake) for failure in level.failures)]
        if not shown_at:
            continue
        home = next((level for level in shown_at if level.criterion.id == mistake.owner), shown_at[0])
        for level in shown_at:
            words = mistake.words if level is home else mistake.words_elsewhere(home.criterion.label)
            failures = (part for failure in level.failures for part in _split(failure, mistake, words))
            causes[causes.index(level)] = replace(level, failures=tuple(failures))
    return tuple(_with_broken_rules(level, trials) for level in causes)


def fix_words(mistake: Mistake) -> str:
    """The advice to fix a known mistake; if its trials have none, what is wrong and the contract's words."""
    return mistake.advice or f"Fix this: {with_lowercase_start(mistake.words)}"


def further_mistakes(mistakes: Sequence[Mistake], levels: Sequence[EarnedLevel]) -> Iterator[str]:
    """Yield a note on each mistake that no criterion shows yet, because something else keeps it from the next level."""
    shown = {failure.mistake.ids for level in levels for failure in level.failures if failure.mistake}
    unseen = (mistake for mistake in mistakes if mistake.fault and mistake.ids not in shown)
    yield from (f"Also wrong: {mistake.words}" for mistake in unseen)


def _with_ending(level: EarnedLevel, ending: Ending, unreached: Collection[str]) -> EarnedLevel:
    """The level with the ending's trials first, but for groups of trials of which some reach no code."""
    unfinished: list[FailedCondition] = []
    others: list[FailedCondition] = []
    for failure in level.failures:
        is_reached = trial_groups(failure.condition.checks).isdisjoint(unreached)
        own = _findings_of(failure, ending) if is_reached else ()
        if own:
            unfinished.append(
                replace(
                    failure,
                    otherwise=ending.cause,
                    improve=ending.advice,
                    findings=own,
                    why=ending.why,
                    is_ending=True,
                )
            )
        others += _rest(failure, own)
    return replace(level, failures=(*unfinished, *others))


def _with_broken_rules(level: EarnedLevel, trials: Sequence[TrialResult]) -> EarnedLevel:
    """The level, whose conditions name the trials that fail if their words say all that may be wrong: *A or B*.

    If most of its trials fail, such words are as good. What is left beside explained failures is always named.
    """
    explained = {id(failure.condition) for failure in level.failures if failure.is_explained}
    failures = (
        failure if failure.is_explained else _naming_trials(failure, trials, is_left=id(failure.condition) in explained)
        for failure in level.failures
    )
    return replace(level, failures=tuple(failures))


def _naming_trials(failure: FailedCondition, trials: Sequence[TrialResult], *, is_left: bool) -> FailedCondition:
    titles = list(dict.fromkeys(finding.trial.rstrip(".") for finding in failure.findings if finding.trial))
    all_titles = {trial.title for trial in trials if trial.is_in(trial_groups(failure.condition.checks))}
    is_exception = len(titles) <= max(_MAX_RULES, len(all_titles) / 2) and _ALTERNATIVE in failure.otherwise
    if not titles or not failure.reports_trials or not (is_left or is_exception):
        return failure
    clause = _CLAUSE.search(failure.otherwise)
    rules = " and ".join(f"“{title}”" for title in titles[:_MAX_RULES])
    others = f", and {len(titles) - _MAX_RULES} more" if len(titles) > _MAX_RULES else ""
    head = "Also broken" if is_left else "Broken rule" if len(titles) == 1 else "Broken rules"
    return replace(failure, otherwise=f"{head}: {rules}{others}{f' {clause[0]}' if clause else ''}")


def _with_clause(level: EarnedLevel, mistake: Mistake) -> EarnedLevel:
    """The level, whose conditions on trials of a mistake name the section of the contract that it breaks."""
    failures = (
        replace(failure, otherwise=f"{failure.otherwise.rstrip('.')} (contract: {mistake.clause})")
        if _findings_of(failure, mistake) and mistake.clause not in failure.otherwise
        else failure
        for failure in level.failures
    )
    return replace(level, failures=tuple(failures))


def _split(failure: FailedCondition, mistake: Mistake, words: str) -> Iterator[FailedCondition]:
    own = _findings_of(failure, mistake)
    if own:
        advice, why = mistake.advice or failure.improve, mistake.why or failure.why
        yield replace(failure, otherwise=words, improve=advice, findings=own, why=why, mistake=mistake)
    yield from _rest(failure, own)


def _findings_of(failure: FailedCondition, cause: Mistake | Ending) -> tuple[Finding, ...]:
    """The failed trials of a condition that a cause explains, unless another one does."""
    if failure.is_explained or not failure.reports_trials:
        return ()
    return tuple(finding for finding in failure.findings if finding.trial in cause.trials)


def _rest(failure: FailedCondition, explained: Sequence[Finding]) -> Iterator[FailedCondition]:
    """Yield the condition with the findings that aren't explained, if there are any, or none was."""
    unexplained = tuple(finding for finding in failure.findings if finding not in explained)
    if unexplained or not explained:
        yield replace(failure, findings=unexplained)
