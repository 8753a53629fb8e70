"""Advice from failed trials, if the advice for their whole group would miss the fault.

A group's advice is for players who have not built its subject yet. If most of its trials pass, they have: "match the
whole line with one pattern" doesn't help if only the share of errors is wrong. Then the trial itself is the best
advice. A trial's own advice has priority over both, unless most of its group fails; then the group's comes first.
"""

from evalforge.model.evidence import Evidence, TrialOutcome, TrialResult
from evalforge.model.level_rules import Condition, trial_groups

_MIN_TRIALS_OF_A_SUBJECT = 3
"""In a smaller group, a trial's own advice is always the best."""
_MIN_TRIALS_PER_FAILURE = 3
"""If at least this many trials of the groups exist per failed one, most of the subject has been built."""
_MAX_MESSAGE_CHARS = 220
_ADVISE_ON_TIME = "First fix what hangs or is slow: no time was left to run this."
_REFUSES_EVERYTHING = "Good input is refused too, so refusing bad input proves nothing yet."
_OUTCOMES = ("; got ", "; it returned ", "; it raised ", "; changed: ")


def unreached_words(condition: Condition, evidence: Evidence) -> str:
    """The message if trials passed without reaching the code, instead of the condition's; else empty."""
    return _REFUSES_EVERYTHING if any(map(_is_unreached, _trials_of(condition, evidence))) else ""


def trial_advice(condition: Condition, evidence: Evidence) -> str:
    """The advice of a condition's failed trials; empty if the condition's own is better."""
    trials = _trials_of(condition, evidence)
    failed = [trial for trial in trials if not trial.passed]
    if failed and all(trial.outcome is TrialOutcome.NOT_RUN for trial in failed):
        return _ADVISE_ON_TIME
    if any(map(_is_unreached, failed)):
        return next((trial.advice for trial in failed if trial.advice and not _is_unreached(trial)), failed[0].message)
    if len(trials) >= _MIN_TRIALS_OF_A_SUBJECT and 2 * len(failed) > len(trials):
        return ""
    own = next((trial.advice for trial in failed if trial.advice), "")
    if own or not failed or len(trials) < _MIN_TRIALS_PER_FAILURE * len(failed):
        return own
    return next((_case_words(trial) for trial in failed if _tells_a_case(trial)), "")


def _trials_of(condition: Condition, evidence: Evidence) -> list[TrialResult]:
    groups = trial_groups(condition.checks)
    return [trial for trial in evidence.trials if trial.group in groups]


def _is_unreached(trial: TrialResult) -> bool:
    return trial.outcome is TrialOutcome.NOT_REACHED


def _tells_a_case(trial: TrialResult) -> bool:
    """Whether a trial says what it expected and got, as ``expected 0.5 of 2 lines; got 0.25``, or ran out of time."""
    message = trial.message
    if len(message) > _MAX_MESSAGE_CHARS or "\n" in message:
        return False
    has_outcome = any(text in message for text in _OUTCOMES)
    return trial.outcome is TrialOutcome.TIMED_OUT or ("expected " in message and has_outcome)


def _case_words(trial: TrialResult) -> str:
    return f"Make this trial pass: “{trial.title.rstrip('.')}”"
