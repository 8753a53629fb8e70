"""How facts earn levels: the mechanism behind the forge judge's choices and the limits of every judge."""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from evalforge.evidence.conditions import asks_for_less, is_met, number_of
from evalforge.model.evidence import Evidence, Fact, Finding, TrialOutcome, TrialResult, count_passed
from evalforge.model.exact_numbers import to_fraction
from evalforge.model.level_rules import PLACEHOLDERS, Condition, FactCheck, LevelRule, LevelRules, trial_groups
from evalforge.model.reason import Mistake
from evalforge.model.rubric import Criterion, Level
from evalforge.model.text import clean_line

# Advice from failed trials, if the advice for their whole group would miss the fault.

_MIN_TRIALS_OF_A_SUBJECT = 3
"""In a smaller group, a trial's own advice is always the best."""
_ADVISE_ON_TIME = "First fix what hangs or is slow: no time was left to run this."
_ADVISE_ON_HANG = "First fix {}, which never ends or takes too long: that left no time to run this."
_REFUSES_EVERYTHING = "Good input is refused too, so refusing bad input proves nothing yet."


def unreached_words(condition: Condition, evidence: Evidence) -> str:
    """The message if trials passed without reaching the code, instead of the condition's; else empty."""
    return _REFUSES_EVERYTHING if any(map(_is_unreached, _trials_of(condition, evidence))) else ""


def trial_advice(condition: Condition, evidence: Evidence) -> str:
    """The advice of a condition's failed trials; empty if the condition's own is better."""
    trials = _trials_of(condition, evidence)
    failed = [trial for trial in trials if not trial.passed]
    if failed and all(trial.outcome is TrialOutcome.NOT_RUN for trial in failed):
        return _time_advice(evidence)
    if any(map(_is_unreached, failed)):
        return next((trial.advice for trial in failed if trial.advice and not _is_unreached(trial)), failed[0].message)
    if len(trials) >= _MIN_TRIALS_OF_A_SUBJECT and 2 * len(failed) > len(trials):
        return ""
    return next((trial.advice for trial in failed if trial.advice), "")


def _time_advice(evidence: Evidence) -> str:
    """What to do about trials that were not run: at best, the line at which an earlier one hung."""
    hung = (trial for trial in evidence.trials if trial.outcome is TrialOutcome.TIMED_OUT and trial.path)
    place = next((Finding(message="", path=trial.path, line=trial.line).place for trial in hung), "")
    return _ADVISE_ON_HANG.format(clean_line(place)) if place else _ADVISE_ON_TIME


def _trials_of(condition: Condition, evidence: Evidence) -> list[TrialResult]:
    groups = trial_groups(condition.checks)
    return [trial for trial in evidence.trials if trial.group in groups]


def _is_unreached(trial: TrialResult) -> bool:
    return trial.outcome is TrialOutcome.NOT_REACHED


# Facts between two adjacent levels: which level is given then, and what decided.

_ZONE_ENDS = {"code.max_complexity": 30}
"""The value up to which a fact above its limit counts as a near miss."""
_MIN_OTHER_CONDITIONS = 3
"""How many other conditions of the level there must be, all of them met."""
_NEAR_SHARE = 0.1
"""How far from its limit, relative to it, the fact of a nearly met condition may be."""


def conceded_condition(rule: LevelRule, evidence: Evidence) -> Condition | None:
    """The only unmet condition of a level, if the level is given all the same; else None.

    Its fact is between two levels, and all other conditions of the higher one are met.
    """
    unmet = [condition for condition in rule.requires if not is_met(condition, evidence)]
    if len(unmet) != 1 or len(rule.requires) <= _MIN_OTHER_CONDITIONS:
        return None
    check = unmet[0].checks[0]
    value, end = number_of(evidence.fact(check.fact)), _ZONE_ENDS.get(check.fact)
    is_near_miss = len(unmet[0].checks) == 1 and end is not None and value is not None and value <= end
    return unmet[0] if is_near_miss and check.check.startswith("<=") else None


def is_close(conditions: list[Condition], evidence: Evidence) -> bool:
    """Whether only one condition keeps a submission from a level, and it is nearly met."""
    if len(conditions) != 1 or len(conditions[0].checks) != 1:
        return False
    check = conditions[0].checks[0]
    value, limit = number_of(evidence.fact(check.fact)), _limit(check)
    return value is not None and limit != 0 and abs(float(value) - limit) <= _NEAR_SHARE * abs(limit)


def _limit(check: FactCheck) -> float:
    """The number that a check compares with; 0 for a yes or no."""
    text = check.check.lstrip("<>=! ").strip()
    return 0.0 if text.casefold() in ("true", "false") else float(text)


_PLACEHOLDER = re.compile(rf"\{{({'|'.join(PLACEHOLDERS)})\}}")
_LEADING_NAME = re.compile(r"`[^`]+`")


@dataclass(frozen=True)
class _Whole:
    """The whole of a share, with its words.

    Attributes:
        count_fact: The fact with the number of the whole.
        words: The noun after a number.
        uncounted: The noun if the number isn't known.
    """

    count_fact: str
    words: str
    uncounted: str


_SHARE_SUBJECTS = {
    "tests.unmasked": _Whole("tests.impostors", "impostors", "the impostors"),
    "tests.noticed": _Whole(
        "tests.certified",
        "small faults put into your own program, each of which breaks the contract",
        "the small faults put into your own program",
    ),
}
"""The whole of each share; faults in the player's program are for tests that can't run on impostors."""
_MAXIMA = frozenset({"code.longest_function", "code.max_complexity"})
"""Facts that are the largest of several measurements."""


@dataclass(frozen=True)
class FailedCondition:
    """A condition that does not hold: its message with measured values, and the findings that explain it.

    ``mistake`` is the known mistake that makes these trials fail; None if none is known. ``is_ending`` says that they
    ended before they could check anything.
    """

    criterion_id: str
    level: Level
    condition: Condition
    otherwise: str
    improve: str
    findings: tuple[Finding, ...]
    why: str = ""
    mistake: Mistake | None = None
    is_ending: bool = False

    @property
    def is_explained(self) -> bool:
        """Whether it is known what makes its trials fail."""
        return self.mistake is not None or self.is_ending

    @property
    def reports_trials(self) -> bool:
        """Whether it reports its own trials: a condition on tests may only borrow trials from another criterion."""
        return not (self.condition.asks_for_tests and self.condition.checks[0].fact.startswith("trials."))


@dataclass(frozen=True)
class EarnedLevel:
    """The level that a criterion earned, its words, and the conditions that kept it from the next one.

    ``close`` says what decided if the facts are between two adjacent levels; else it is empty.
    """

    criterion: Criterion
    level: Level
    words: str
    failures: tuple[FailedCondition, ...]
    close: str = ""


def earned_level(criterion: Criterion, rules: LevelRules, evidence: Evidence) -> EarnedLevel:
    """The highest level whose conditions, and those of all lower levels, hold.

    A single condition may be conceded: a near miss if everything else is met.
    """
    level, words, close = criterion.levels[0], "", ""
    for rule in rules.of(criterion.id):
        failing = [condition for condition in rule.requires if not is_met(condition, evidence)]
        conceded = conceded_condition(rule, evidence)
        if failing and conceded is not None and not close:
            close = _conceded_words(level, _fill(conceded.otherwise, conceded, evidence), rule)
            level, words = criterion.level(rule.level), f"All but one of {len(rule.requires)} conditions are met."
            continue
        if failing:
            target = criterion.level(rule.level)
            failures = [_failed_condition(criterion, target, condition, evidence) for condition in failing]
            # If code hides what it does, many conditions fail for this one reason.
            said_once = {(failure.otherwise, failure.improve): failure for failure in reversed(failures)}
            if is_close(failing, evidence):
                close = f"Just short of “{target.label}”: one condition is narrowly missed."
            return EarnedLevel(criterion, level, words, tuple(reversed(said_once.values())), close)
        level = criterion.level(rule.level)
        words = _fill(rule.earned, rule.requires[0], evidence) or words
    return EarnedLevel(criterion, level, words, (), close)


def _conceded_words(lower: Level, otherwise: str, rule: LevelRule) -> str:
    """What decided for the higher of two levels, in a sentence."""
    others = f"the other {len(rule.requires) - 1} conditions of the higher level are met"
    return f"Nearly “{lower.label}”: {otherwise.rstrip('.')}, but {others}."


def highest_allowed_level(criterion: Criterion, rules: LevelRules, evidence: Evidence) -> tuple[Level, str]:
    """The highest level that the evidence allows a model, and why not a higher one (empty if unlimited).

    Conditions on trials and on runs of the player's tests limit every level. In the lowest rule, so do conditions that
    there is anything to judge (``Condition.is_soundness``); style is left to the judge.
    """
    return _highest_level(criterion, rules, evidence, _limits_model)


def measured_level(criterion: Criterion, rules: LevelRules, evidence: Evidence) -> tuple[Level, str]:
    """The highest level that no measured fact contradicts, style included, and why not a higher one.

    What could not be measured, such as tests that need a missing library, contradicts nothing.
    """
    return _highest_level(criterion, rules, evidence, _limits_any_judge)


def _highest_level(
    criterion: Criterion, rules: LevelRules, evidence: Evidence, is_limit: Callable[[Condition, Evidence, bool], bool]
) -> tuple[Level, str]:
    """The highest level below the first failed condition that is a limit, and that condition's message.

    Args:
        criterion: The criterion.
        rules: The boss's rules.
        evidence: What was measured.
        is_limit: Whether a failed condition limits the level; its third argument says whether its rule is the lowest.
    """
    level = criterion.levels[0]
    has_conceded = False
    for index, rule in enumerate(rules.of(criterion.id)):
        conceded = None if has_conceded else conceded_condition(rule, evidence)
        has_conceded = has_conceded or conceded is not None
        for condition in rule.requires:
            if (
                condition is not conceded
                and not is_met(condition, evidence)
                and is_limit(condition, evidence, index == 0)
            ):
                return level, _fill(condition.otherwise, condition, evidence)
        level = criterion.level(rule.level)
    top = criterion.levels[-1]
    return (top if to_fraction(level.score) <= to_fraction(top.score) else level), ""


def _limits_any_judge(condition: Condition, evidence: Evidence, _is_lowest: bool) -> bool:
    return any(_is_measured(check.fact, evidence.fact(check.fact)) for check in condition.checks)


def _limits_model(condition: Condition, evidence: Evidence, is_lowest: bool) -> bool:
    if not condition.is_behaviour and not (is_lowest and condition.is_soundness):
        return False
    facts = [(check.fact, evidence.fact(check.fact)) for check in condition.checks]
    # A small number of functions may be right; none at all leaves nothing to call.
    return any(
        _is_measured(name, fact) and not (name == "code.functions" and fact and fact.value) for name, fact in facts
    )


def _is_measured(name: str, fact: Fact | None) -> bool:
    """Whether a fact counts: unmeasured tests prove nothing, but code that hides its work does."""
    if name.startswith("trials."):
        return True
    return fact is not None and (fact.value is not None or (name.startswith("code.") and bool(fact.findings)))


def _failed_condition(criterion: Criterion, level: Level, condition: Condition, evidence: Evidence) -> FailedCondition:
    hidden = _hidden_code(condition, evidence)
    if hidden is not None:
        place = hidden.place or "the program"
        return FailedCondition(
            criterion_id=criterion.id,
            level=level,
            condition=condition,
            otherwise="Some of the work is done in code that can't be read.",
            improve=f"Write what {place} hides as Python in a file of its own, and import it.",
            findings=(hidden,),
        )
    otherwise = unreached_words(condition, evidence) or _fill(condition.otherwise, condition, evidence)
    advice = _first_measured(condition, evidence).improve or condition.improve
    return FailedCondition(
        criterion_id=criterion.id,
        level=level,
        condition=condition,
        otherwise=otherwise,
        improve=trial_advice(condition, evidence) or _fill(advice, condition, evidence) or otherwise,
        findings=tuple(finding for fact in _explaining_facts(condition, evidence) for finding in _explanations(fact)),
        why=_fill(condition.why, condition, evidence),
    )


def _hidden_code(condition: Condition, evidence: Evidence) -> Finding | None:
    """The finding on hidden code if a condition fails because of that; else None."""
    facts = [evidence.fact(check.fact) for check in condition.checks if check.fact.startswith("code.")]
    unmeasured = [fact for fact in facts if fact is not None and fact.value is None and fact.findings]
    return unmeasured[0].findings[0] if unmeasured else None


def _explaining_facts(condition: Condition, evidence: Evidence) -> list[Fact]:
    """The facts whose findings explain a failed condition: excess things, or what a share lacks.

    If a condition asks for more of something, findings show what exists already, and so explain nothing. Assertions
    are never in excess: a condition that asks for none only doesn't apply without them.
    """
    facts = ((check, evidence.fact(check.fact)) for check in condition.checks if check.fact != "tests.asserts")
    return [fact for check, fact in facts if fact is not None and (_is_share(fact.name) or asks_for_less(check.check))]


def _explanations(fact: Fact) -> Sequence[Finding]:
    """The findings of a fact that explain its value; that of a maximum is explained by the first alone."""
    return fact.findings[:1] if fact.name in _MAXIMA else fact.findings


def _is_share(name: str) -> bool:
    return name.startswith("trials.") or name.endswith(("_share", "_score", ".passed", ".unmasked", ".noticed"))


def _fill(text: str, condition: Condition, evidence: Evidence) -> str:
    """Fill measured values into a condition's words, such as ``{value}``, ``{passed}`` and ``{where}``.

    ``{share}`` and ``{asked}`` refer to the first alternative that was measured, all others to the first alternative.
    """
    if "{" not in text:
        return text
    name = condition.checks[0].fact
    fact = evidence.fact(name)
    group = name.partition(".")[2]
    passed, total = count_passed(evidence.trials, group)
    finding = next(iter(fact.findings), None) if fact else None
    measured = _first_measured(condition, evidence)
    values = {
        "value": _value_words(name, fact, math.ceil if asks_for_less(condition.checks[0].check) else math.floor),
        "passed": str(passed),
        "total": str(total),
        "where": next((f.place for f in fact.findings if f.place), "the code") if fact else "the code",
        "first": finding.message if finding else "",
        "name": _subject(finding.message) if finding else "",
        "share": _share_words(measured.fact, evidence),
        "asked": _asked_words(measured, evidence),
    }
    return _PLACEHOLDER.sub(lambda match: clean_line(values[match[1]]), text)


def _subject(message: str) -> str:
    """The name that a finding's message begins with: ```main``` of ```main` decides and also uses open``."""
    name = _LEADING_NAME.match(message)
    return name[0] if name else message


def _first_measured(condition: Condition, evidence: Evidence) -> FactCheck:
    """The first alternative whose fact was measured; the first of all if none was."""
    facts = ((check, evidence.fact(check.fact)) for check in condition.checks)
    measured = (check for check, fact in facts if fact is not None and fact.value is not None)
    return next(measured, condition.checks[0])


def _share_words(name: str, evidence: Evidence) -> str:
    """A share and its whole, such as ``13 of 52 impostors (25 %)``."""
    fact, whole_fact, total = evidence.fact(name), _SHARE_SUBJECTS.get(name), _total(name, evidence)
    if fact is None or fact.value is None:
        share = "an unmeasured share"
    elif whole_fact and total:
        return f"{_count_in_share(fact, total)} of {total} {whole_fact.words} ({_value_words(name, fact, math.floor)})"
    else:
        share = _value_words(name, fact, math.floor)
    return f"{share} of {whole_fact.uncounted if whole_fact else 'what was tried'}"


def _total(name: str, evidence: Evidence) -> int:
    """The number of the whole of a share; 0 if it is unknown."""
    whole_fact = _SHARE_SUBJECTS.get(name)
    count = evidence.fact(whole_fact.count_fact) if whole_fact else None
    return count.value if count is not None and isinstance(count.value, int) else 0


def _asked_words(check: FactCheck, evidence: Evidence) -> str:
    """The number that a check asks for; for a share, its percentage, and how many are missing if that is known."""
    number = check.check.lstrip("<>=! ").strip()
    if not _is_share(check.fact):
        return number
    share, total = to_fraction(float(number)), _total(check.fact, evidence)
    percent = f"{float(share * 100):g} %"
    fact = evidence.fact(check.fact)
    missing = math.ceil(share * total) - _count_in_share(fact, total) if fact and total else 0
    return f"{missing} more ({percent})" if missing > 0 else percent


def _count_in_share(fact: Fact, total: int) -> int:
    """How many of all are in a share."""
    return round(to_fraction(fact.value) * total) if isinstance(fact.value, int | float) else 0


def _value_words(name: str, fact: Fact | None, round_share: Callable[[Fraction], int]) -> str:
    """A measured value in words. Shares are rounded away from the limit: 0.695 is 69 % if 70 % is asked."""
    if fact is None or fact.value is None:
        return "not measured"
    if isinstance(fact.value, bool):
        return "yes" if fact.value else "no"
    if _is_share(name) and isinstance(fact.value, int | float):
        return f"{round_share(to_fraction(fact.value) * 100)} %"
    return f"{fact.value:g}" if isinstance(fact.value, float) else str(fact.value)
