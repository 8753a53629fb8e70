"""The forge judge's words: from the pack's conditions and the findings behind them, the same every time."""

from collections.abc import Sequence

from evalforge.evidence.earned_levels import EarnedLevel, FailedCondition, asks_for_less
from evalforge.judges.base import Case
from evalforge.model.evidence import LOAD_GROUP, Evidence, Finding, ImpostorFate, TrialOutcome, count_passed
from evalforge.model.exact_numbers import to_fraction
from evalforge.model.number_format import format_number
from evalforge.model.result import Judgement

_MAX_FAILURES_LISTED = 3
_MAX_CAUSES_LISTED = 2
_LONG_FUNCTION_LINES = 25
_MAX_IMPROVEMENTS = 5
_MIN_IMPROVEMENTS = 2


def as_sentence(words: str) -> str:
    """Words as a sentence: trimmed, capitalised, with a full stop. ``main.py`` and ``read_all`` keep their spelling."""
    words = words.strip()
    if not words:
        return ""
    first = words.split(maxsplit=1)[0]
    is_name = "." in first.rstrip(".") or any(sign in first for sign in ("_", "/", "()"))
    return (words if is_name else words[0].upper() + words[1:]) + ("" if words[-1] in ".!?…" else ".")


def level_comment(level: EarnedLevel, evidence: Evidence) -> str:
    """Why a criterion has its level and not the next one: what fails and where, then what holds already."""
    parts: list[str] = []
    for failure in level.failures[:_MAX_FAILURES_LISTED]:
        parts.append(as_sentence(failure.otherwise))
        parts.append(_trial_words(failure, evidence) or as_sentence(_first_finding_words(failure)))
    unlisted = len(level.failures) - _MAX_FAILURES_LISTED
    if unlisted > 0:
        words = "condition of the next level fails" if unlisted == 1 else "conditions of the next level fail"
        parts.append(f"{unlisted} more {words}.")
    holds = level.words or ("" if level.failures else level.level.description)
    parts.append(as_sentence(f"What holds: {_with_lowercase_start(holds)}" if level.failures and holds else holds))
    return " ".join(dict.fromkeys(part for part in parts if part))


def _trial_words(failure: FailedCondition, evidence: Evidence) -> str:
    """How many trials of a failed condition's group fail, and what each cause did: two at most, the widest first."""
    findings = [finding for finding in failure.findings if finding.trial]
    if not findings:
        return ""
    group = failure.condition.checks[0].fact.partition(".")[2]
    passed, total = count_passed(evidence.trials, group)
    causes = _causes(findings)
    count = f"{_count_words(total - passed, total)}: " if total > 1 else ""
    sentences = [as_sentence(_cause_words(cause, failure.otherwise)) for cause in causes[:_MAX_CAUSES_LISTED]]
    unlisted = sum(len(cause) for cause in causes[_MAX_CAUSES_LISTED:])
    more = [f"{unlisted} more {'fails' if unlisted == 1 else 'fail'} for other reasons."] if unlisted else []
    return count + " ".join([*sentences, *more])


def _count_words(failed: int, total: int) -> str:
    if failed == total:
        return "Both trials fail" if total == 2 else f"All {total} trials fail"
    return f"{failed} of {total} trials {'fails' if failed == 1 else 'fail'}"


def _causes(findings: list[Finding]) -> list[list[Finding]]:
    """Failed trials by what they have in common: the line they end at, or the words; the most trials first."""
    causes: dict[str, list[Finding]] = {}
    for finding in findings:
        causes.setdefault(finding.place or finding.message, []).append(finding)
    return sorted(causes.values(), key=len, reverse=True)


def _cause_words(findings: list[Finding], said: str) -> str:
    """What a cause did in its first trial, if that isn't said yet, where, and in how many others."""
    first = findings[0]
    message, asked = first.message.strip(), first.trial.rstrip(".")
    is_said = message.rstrip(".") == asked or message.rstrip(".") in said
    words = f"“{asked}”" if is_said else f"“{asked}”: {message}"
    if first.place and first.place not in words:
        words = f"{words.rstrip('.')} ({first.place})"
    others = len(findings) - 1
    return f"{words.rstrip('.')}; {others} more {'ends' if others == 1 else 'end'} the same way" if others else words


def _first_finding_words(failure: FailedCondition) -> str:
    """The first finding behind a failed condition, with its place."""
    if not failure.findings:
        return ""
    finding = failure.findings[0]
    return f"{finding.place}: {finding.message}" if finding.place else finding.message


def summary(case: Case, levels: tuple[EarnedLevel, ...]) -> str:
    """Two to four sentences on strengths and weaknesses."""
    return " ".join(
        part
        for part in (_behaviour_sentence(case.evidence), _strength_sentence(levels), _weakness_sentence(levels))
        if part
    )


def summary_of_judgements(case: Case, judgements: Sequence[Judgement]) -> str:
    """Two or three sentences on levels that a model chose and the evidence changed: from the facts, not its praise."""
    pairs = [(case.pack.rubric.criterion(each.criterion_id), each) for each in judgements]
    at_top = [criterion.label for criterion, each in pairs if each.score == criterion.max_score]
    worst = min(pairs, key=lambda pair: float(to_fraction(pair[1].score) / to_fraction(pair[0].max_score)))
    parts = [_behaviour_sentence(case.evidence)]
    if at_top:
        parts.append(f"{_joined_names(at_top)} {'stands' if len(at_top) == 1 else 'stand'} at the highest level.")
    else:
        parts.append("No criterion stands at its highest level.")
    if len(at_top) < len(pairs):
        criterion, judgement = worst
        reason = _with_lowercase_start(_first_sentence(judgement.comment))
        label = criterion.level(judgement.score).label
        parts.append(as_sentence(f"Most is to be gained in {criterion.label} ({label}): {reason}"))
    return " ".join(parts)


def _behaviour_sentence(evidence: Evidence) -> str:
    passed, total = count_passed(evidence.trials)
    if not total:
        return "No trial could be run."
    if passed == total:
        return f"The code passes all {total} trials."
    trials = [trial for trial in evidence.trials if trial.group != LOAD_GROUP]
    stuck = sum(trial.outcome in (TrialOutcome.TIMED_OUT, TrialOutcome.NOT_RUN) for trial in trials)
    stuck_words = f", {stuck} of them hung or could not be run" if stuck else ""
    return f"The code passes {passed} of {total} trials{stuck_words}."


def _score_share(level: EarnedLevel) -> float:
    """The level's score as a share of the criterion's maximum, 0 to 1."""
    highest = to_fraction(level.criterion.max_score)
    return float(to_fraction(level.level.score) / highest) if highest else 1.0


def _strength_sentence(levels: tuple[EarnedLevel, ...]) -> str:
    best = max(levels, key=_score_share)
    if _score_share(best) == 0:
        return "No criterion has reached a level above the lowest yet."
    names = [level.criterion.label for level in levels if not level.failures]
    if len(names) == len(levels):
        return "Every criterion stands at its highest level."
    if names:
        return f"{_joined_names(names)} {'stands' if len(names) == 1 else 'stand'} at the highest level."
    return f"Strongest is {best.criterion.label} ({best.level.label})."


def _weakness_sentence(levels: tuple[EarnedLevel, ...]) -> str:
    improvable = [level for level in levels if level.failures]
    if not improvable:
        return ""
    worst = min(improvable, key=_score_share)
    reason = _with_lowercase_start(_first_sentence(worst.failures[0].otherwise))
    return as_sentence(f"Most is to be gained in {worst.criterion.label} ({worst.level.label}): {reason}")


def _first_sentence(words: str) -> str:
    """The first sentence of several."""
    head, full_stop, _ = words.partition(". ")
    return head + full_stop.strip()


def _with_lowercase_start(words: str) -> str:
    """A sentence continued after a colon; acronyms and code keep their capitals."""
    is_plain = len(words) > 1 and words[0].isupper() and (words[1].islower() or words.startswith("A "))
    return words[0].lower() + words[1:] if is_plain else words


def _joined_names(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def improvements(case: Case, levels: tuple[EarnedLevel, ...]) -> tuple[str, ...]:
    """Two to five suggestions: the first condition of each level first, those with the most missing points leading.

    Missing points are weighted where the rubric has weights. Syntax errors come before everything else: nothing else
    can be tried until they are mended.
    """
    ranked = sorted(
        ((index, level, failure) for level in levels for index, failure in enumerate(level.failures)),
        key=lambda entry: (not _is_about_syntax(entry[2]), entry[0], -_weighted_missing_share(entry[1])),
    )
    advice = {_improvement_words(failure): (level, failure) for _, level, failure in reversed(ranked)}
    suggestions = dict.fromkeys(_improvement_words(failure) for _, _, failure in ranked)
    unique = [_with_details(words, _place_of(advice[words][1], words), _worth(*advice[words])) for words in suggestions]
    if len(unique) < _MIN_IMPROVEMENTS:
        unique += [words for words in _polish_suggestions(case.evidence) if words not in unique]
    return tuple(unique[: max(_MIN_IMPROVEMENTS, len(suggestions))][:_MAX_IMPROVEMENTS])


def _is_about_syntax(failure: FailedCondition) -> bool:
    # As an alternative "more than 0" stands in conditions that are silent where Python can't read the code.
    return any(check.fact == "code.syntax_errors" and asks_for_less(check.check) for check in failure.condition.checks)


def _weighted_missing_share(level: EarnedLevel) -> float:
    missing = 1 - _score_share(level)
    return missing * (level.criterion.weight if level.criterion.weight is not None else 1.0)


def _worth(level: EarnedLevel, failure: FailedCondition) -> str:
    """What is gained where a failure is mended: ``+1 Threads``."""
    gain = to_fraction(failure.level.score) - to_fraction(level.level.score)
    return f"+{format_number(float(gain))} {level.criterion.label}"


def _improvement_words(failure: FailedCondition) -> str:
    return as_sentence(failure.improve)


def _place_of(failure: FailedCondition, words: str) -> str:
    """The first place of a failure, unless the words name it already."""
    place = next((finding.place for finding in failure.findings if finding.place), "")
    return "" if place in words else place


def _with_details(words: str, *details: str) -> str:
    """A sentence with a place, a gain or the like in parentheses at its end."""
    shown = "; ".join(filter(None, details))
    return f"{words.rstrip('.')} ({shown})." if shown else words


def _polish_suggestions(evidence: Evidence) -> list[str]:
    """What is left to improve in code that meets every condition: measured things first, then what no fact shows."""
    suggestions = _test_suggestions(evidence)
    longest = evidence.fact("code.longest_function")
    if longest and isinstance(longest.value, int | float) and longest.value > _LONG_FUNCTION_LINES and longest.findings:
        suggestions.append(f"Split the longest function ({longest.findings[0].place}, {longest.value} lines).")
    for name, words in (
        ("code.docstring_share", "Say in a docstring what each public function promises"),
        ("code.typed_share", "Annotate the remaining parameters and results"),
    ):
        fact = evidence.fact(name)
        if fact and isinstance(fact.value, int | float) and fact.value < 1:
            place = fact.findings[0].place if fact.findings else ""
            suggestions.append(as_sentence(_with_details(words, place)))
    suggestions.append("Run it on an input a hundred times larger and write down time and memory in the README.")
    suggestions.append("Add one property test on random input beside the tests with fixed examples.")
    return suggestions


def _test_suggestions(evidence: Evidence) -> list[str]:
    """The first gap in the tests: an impostor that they let through, or a mutant that survived."""
    for impostor in evidence.impostors:
        if impostor.fate is ImpostorFate.LET_THROUGH:
            return [as_sentence(f"Unmask one more impostor ({impostor.clause}): {impostor.riddle}")]
    score = evidence.fact("tests.mutation_score")
    survivor = next((finding for finding in score.findings if finding.path), None) if score else None
    if score is None or score.value is None or survivor is None:
        return []
    return [as_sentence(f"Close a gap in the tests: {_with_details(survivor.message, survivor.place)}")]
