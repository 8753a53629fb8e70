"""The forge judge's comments, built from the pack's conditions and the findings; same input, same words."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from evalforge.evidence.attribution import RepeatedFault
from evalforge.evidence.earned_levels import EarnedLevel, FailedCondition
from evalforge.judges.advice_order import LevelFailure, in_order, score_share
from evalforge.judges.base import Case
from evalforge.model.evidence import LOAD_GROUP, Evidence, Finding, TrialOutcome, count_passed
from evalforge.model.exact_numbers import to_fraction
from evalforge.model.reason import failed_words
from evalforge.model.result import Judgement

_MAX_FAILURES_LISTED = 3
_MAX_CAUSES_LISTED = 2
_CAPITALISED_CODE = frozenset({"None", "True", "False"})


def as_sentence(text: str) -> str:
    """Turn words into a sentence: trimmed, capitalised, with a full stop. Names such as ``main.py`` keep their case."""
    text = text.strip()
    if not text:
        return ""
    first = text.split(maxsplit=1)[0]
    is_name = "." in first.rstrip(".") or any(sign in first for sign in ("_", "/", "()"))
    return (text if is_name else text[0].upper() + text[1:]) + ("" if text[-1] in ".!?…" else ".")


def level_comment(level: EarnedLevel, evidence: Evidence) -> str:
    """Why a criterion has its level and not the next: what fails and where, then what holds already."""
    parts: list[str] = []
    for failure in level.failures[:_MAX_FAILURES_LISTED]:
        parts.append(as_sentence(failure.otherwise))
        parts.append(_finding_words(failure, evidence))
        parts.append(as_sentence(failure.why) if failure is level.failures[0] else "")
    unlisted = len(level.failures) - _MAX_FAILURES_LISTED
    if unlisted > 0:
        parts.append(f"{unlisted} more {'fault keeps' if unlisted == 1 else 'faults keep'} it from the next level.")
    holds = level.words or ("" if level.failures else level.level.full_description)
    parts.append(as_sentence(f"What holds: {with_lowercase_start(holds)}" if level.failures and holds else holds))
    return " ".join(dict.fromkeys(part for part in parts if part))


def not_charged_again(faults: Iterable[RepeatedFault]) -> str:
    """Sentences on the trials that a criterion isn't charged for again, naming the criterion that is."""
    return " ".join(
        f"{'A trial fails' if fault.trials == 1 else f'{fault.trials} trials fail'} only by a fault of"
        f" {fault.charged.label}: not charged again, see {fault.charged.label}."
        for fault in faults
    )


def _finding_words(failure: FailedCondition, evidence: Evidence) -> str:
    """The failed trials, or the first finding, behind a failed condition; empty if another criterion reports them.

    A condition on tests may also ask that some trials of the program pass.
    """
    if not failure.reports_trials:
        return ""
    return _trial_words(failure, evidence) or as_sentence(_first_finding_words(failure))


class TrialCounts(NamedTuple):
    """How many trials a failed condition is about; all 0 if it is about something else.

    Attributes:
        failed: How many of them fail and are charged.
        total: How many there are.
        explained: How many of the failed ones its cause explains.
    """

    failed: int = 0
    total: int = 0
    explained: int = 0


def trial_counts(failure: FailedCondition, evidence: Evidence) -> TrialCounts:
    """Count the trials of a failed condition."""
    name = failure.condition.checks[0].fact
    kind, _, group = name.partition(".")
    explained = sum(bool(finding.trial) for finding in failure.findings)
    if kind != "trials" or not explained:
        return TrialCounts()
    passed, total = count_passed(evidence.trials, group)
    if total - passed == unreached_count(failure, evidence):
        return TrialCounts(total=total)
    fact = evidence.fact(name)
    failed = sum(bool(finding.trial) for finding in fact.findings) if fact else 0
    return TrialCounts(max(failed, explained), total, explained)


def unreached_count(failure: FailedCondition, evidence: Evidence) -> int:
    """How many trials of a failed condition passed without reaching the code."""
    group = failure.condition.checks[0].fact.removeprefix("trials.")
    return sum(trial.outcome is TrialOutcome.NOT_REACHED for trial in evidence.trials if trial.is_in((group,)))


def _trial_words(failure: FailedCondition, evidence: Evidence) -> str:
    """How many trials of a failed condition fail, and the two causes that fail most of them."""
    findings = [finding for finding in failure.findings if finding.trial]
    if not findings:
        return ""
    counts = trial_counts(failure, evidence)
    causes = _causes(findings)
    if not counts.failed:
        return ""
    count = f"{failed_words(*counts)}: " if counts.total > 1 else ""
    sentences = [as_sentence(_cause_words(cause, failure.otherwise)) for cause in causes[:_MAX_CAUSES_LISTED]]
    unlisted = sum(len(cause) for cause in causes[_MAX_CAUSES_LISTED:])
    more = [f"{unlisted} more {'fails' if unlisted == 1 else 'fail'}."] if unlisted else []
    return count + " ".join([*sentences, *more])


def _causes(findings: list[Finding]) -> list[list[Finding]]:
    """Group failed trials by the line they end at, or by their message; the largest group comes first."""
    causes: dict[str, list[Finding]] = {}
    for finding in findings:
        causes.setdefault(finding.place or finding.message, []).append(finding)
    return sorted(causes.values(), key=len, reverse=True)


def _cause_words(findings: list[Finding], cause: str) -> str:
    """The first trial of a cause with its message, unless already said, its place, and how many more fail like it."""
    first = findings[0]
    message, trial_title = first.message.strip(), first.trial.rstrip(".")
    is_said = message.rstrip(".") == trial_title or message.rstrip(".") in cause
    has_title = f"“{trial_title}”" in cause
    text = f"“{trial_title}”" if is_said else message if has_title else f"“{trial_title}”: {message}"
    if first.place and first.place not in text:
        text = f"{text.rstrip('.')} ({first.place})"
    other_count = len(findings) - 1
    return (
        f"{text.rstrip('.')}; {other_count} more {'fails' if other_count == 1 else 'fail'} the same way"
        if other_count
        else text
    )


def _first_finding_words(failure: FailedCondition) -> str:
    """The first finding behind a failed condition, with its place."""
    if not failure.findings:
        return ""
    finding = failure.findings[0]
    return f"{finding.place}: {finding.message}" if finding.place else finding.message


def summary(case: Case, levels: tuple[EarnedLevel, ...]) -> str:
    """A summary of strengths and weaknesses in two to four sentences."""
    first = next(iter(in_order(levels)), None)
    parts = _behaviour_sentence(case.charged_evidence), _strength_sentence(levels, first), _weakness_sentence(first)
    return " ".join(filter(None, parts))


def summary_of_judgements(case: Case, judgements: Sequence[Judgement]) -> str:
    """Two or three sentences on levels that a model chose and the evidence changed: the facts, without its praise."""
    pairs = [(case.pack.rubric.criterion(judgement.criterion_id), judgement) for judgement in judgements]
    at_top = [criterion.label for criterion, judgement in pairs if judgement.score == criterion.max_score]
    worst = min(pairs, key=lambda pair: float(to_fraction(pair[1].score) / to_fraction(pair[0].max_score)))
    parts = [_behaviour_sentence(case.charged_evidence)]
    if at_top:
        parts.append(_at_top_sentence(at_top))
    else:
        parts.append("No criterion is at its highest level.")
    if len(at_top) < len(pairs):
        criterion, judgement = worst
        parts.append(f"Start with {criterion.label} ({criterion.level(judgement.score).label}).")
    return " ".join(parts)


def _behaviour_sentence(evidence: Evidence) -> str:
    passed, total = count_passed(evidence.trials)
    if not total:
        return "No trial could be run."
    if passed == total:
        return f"All {total} trials pass."
    trials = [trial for trial in evidence.trials if trial.group != LOAD_GROUP]
    unfinished_count = sum(trial.outcome in (TrialOutcome.TIMED_OUT, TrialOutcome.NOT_RUN) for trial in trials)
    stuck_words = f"; {unfinished_count} hung or were not run" if unfinished_count else ""
    return f"{passed} of {total} trials pass{stuck_words}."


def _strength_sentence(levels: tuple[EarnedLevel, ...], first: LevelFailure | None) -> str:
    best = max(levels, key=score_share)
    if score_share(best) == 0:
        return "Every criterion is still at its lowest level."
    names = [level.criterion.label for level in levels if not level.failures]
    if len(names) == len(levels):
        return "Every criterion is at its highest level."
    if names:
        return _at_top_sentence(names)
    is_tied = sum(score_share(level) == score_share(best) for level in levels) > 1
    if is_tied or (first is not None and best is first[0]):
        return ""
    return f"{best.criterion.label} is your strongest criterion ({best.level.label})."


def _weakness_sentence(first: LevelFailure | None) -> str:
    """Where to start: at what is advised first; its criterion says why."""
    if first is None:
        return ""
    level, failure = first
    if failure.is_ending:
        return "Most failed trials end before they check anything."
    return f"Start with {level.criterion.label} ({level.level.label})."


def with_lowercase_start(text: str) -> str:
    """Lowercase a sentence's start for use after a colon; acronyms, code and ``None`` keep their capitals."""
    if text.split(",", 1)[0].split(" ", 1)[0] in _CAPITALISED_CODE:
        return text
    is_plain = len(text) > 1 and text[0].isupper() and (text[1].islower() or text.startswith("A "))
    return text[0].lower() + text[1:] if is_plain else text


def _at_top_sentence(names: Sequence[str]) -> str:
    """The criteria at their highest level; names with a comma are separated by semicolons."""
    return f"At the highest level: {('; ' if any(',' in name for name in names) else ', ').join(names)}."
