"""What to do next: the advice of failed conditions, ranked by gain, and whether the next attempt followed it."""

import ast
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from evalforge.evidence.attribution import charge_once
from evalforge.evidence.conditions import is_met, met_check, moves_nearer
from evalforge.evidence.earned_levels import EarnedLevel, FailedCondition, earned_level
from evalforge.evidence.mistakes import find_mistakes
from evalforge.evidence.static import is_test_file
from evalforge.judges.advice_order import gain, in_order
from evalforge.judges.base import Case
from evalforge.judges.causes import fix_words, name_causes
from evalforge.judges.comments import as_sentence
from evalforge.model.evidence import Evidence, Fact, Finding, ImpostorFate, TrialResult, count_passed
from evalforge.model.exact_numbers import to_fraction
from evalforge.model.followed_advice import AdviceState, FollowedAdvice
from evalforge.model.level_rules import FactCheck, LevelRules
from evalforge.model.number_format import format_number
from evalforge.model.reason import Mistake
from evalforge.model.submission import Submission
from evalforge.packs.pack import BossPack

# Functions just below a limit: advice that adds code to them may cost the level that needs the limit.

_MARGINS = {"code.longest_function": 3, "code.max_complexity": 2}
"""How far below its limit a fact counts as near: in lines, and in points of cognitive complexity."""
_UNITS = {"code.longest_function": ("longer", "lines"), "code.max_complexity": ("branch more", "points of complexity")}


@dataclass(frozen=True)
class NearLimit:
    """A limit that a reached level requires, and the function that nearly exceeds it.

    Attributes:
        fact: The measured fact, such as ``code.longest_function``.
        value: The function's measured value.
        limit: The most that the level allows.
        place: The function's first line.
        last_line: Its last line.
    """

    fact: str
    value: int
    limit: int
    place: Finding
    last_line: int

    @property
    def warning(self) -> str:
        """The effect of adding code there: ``this makes `shelf` longer: 27 lines of at most 30``."""
        effect, unit = _UNITS[self.fact]
        return f"this makes {self.place.message.split(' ')[0]} {effect}: {self.value} {unit} of at most {self.limit}"

    def includes(self, finding: Finding) -> bool:
        """Whether a finding is within the function."""
        first = self.place.line or 0
        return finding.path == self.place.path and first <= (finding.line or 0) <= self.last_line


def near_limits(
    levels: tuple[EarnedLevel, ...], rules: LevelRules, evidence: Evidence, submission: Submission
) -> tuple[NearLimit, ...]:
    """The limits required by reached levels that a function nearly exceeds, only the tightest per fact."""
    tightest: dict[str, NearLimit] = {}
    for check in _limits_kept(levels, rules, evidence):
        limit = _near_limit(check, evidence.fact(check.fact), submission)
        if limit and (check.fact not in tightest or limit.limit < tightest[check.fact].limit):
            tightest[check.fact] = limit
    return tuple(tightest.values())


def _limits_kept(levels: tuple[EarnedLevel, ...], rules: LevelRules, evidence: Evidence) -> Iterator[FactCheck]:
    for level in levels:
        for rule in rules.of(level.criterion.id):
            if to_fraction(rule.level) > to_fraction(level.level.score):
                break
            checks = (met_check(condition, evidence) for condition in rule.requires)
            yield from (check for check in checks if check and check.fact in _MARGINS and "<=" in check.check)


def _near_limit(check: FactCheck, fact: Fact | None, submission: Submission) -> NearLimit | None:
    limit = int(float(check.check.partition("<=")[2]))
    if (
        fact is None
        or not isinstance(fact.value, int)
        or not fact.findings
        or limit - fact.value > _MARGINS[check.fact]
    ):
        return None
    worst = fact.findings[0]
    last_line = _last_line(submission, worst)
    return NearLimit(check.fact, fact.value, limit, worst, last_line) if last_line and worst.message[0] == "`" else None


def _last_line(submission: Submission, function: Finding) -> int:
    """The last line of the function that begins at a finding; 0 if none does."""
    file = submission.file(function.path)
    try:
        tree = ast.parse(file.content) if file else ast.Module([], [])
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return 0
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    for node in functions:
        if function.line in (node.lineno, *(decorator.lineno for decorator in node.decorator_list)):
            return node.end_lineno or 0
    return 0


_END = ")."
# Matches measurements such as 240 ms, 1.5 seconds, 38 MB
_MEASURED = re.compile(r"\d\s?(ms|s|seconds?|minutes?|[kKMG]i?B)\b")
_RANDOM_IMPORT = re.compile(r"^\s*(import|from) (hypothesis|random)\b", re.MULTILINE)
_LONG_FUNCTION_LINES = 25
_MAX_IMPROVEMENTS = 5
_MIN_IMPROVEMENTS = 2


@dataclass(frozen=True)
class _Advice:
    """A piece of advice with its place and gain, and the failed condition that it comes from."""

    text: str
    level: EarnedLevel
    failure: FailedCondition

    def text_near(self, limits: Sequence[NearLimit]) -> str:
        """The advice, with a warning if it would add code to a function that is close to a limit."""
        findings = [finding for finding in self.failure.findings if finding.trial]
        warnings = [limit.warning for limit in limits if any(map(limit.includes, findings))]
        return _with_remark(self.text, warnings[0]) if warnings else self.text


def improvements(case: Case, levels: tuple[EarnedLevel, ...]) -> tuple[str, ...]:
    """Two to five suggestions, in the order of ``advice_order``, with what each gains."""
    limits = near_limits(levels, case.pack.rules, case.charged_evidence, case.submission)
    unique = [advice.text_near(limits) for advice in _ranked_advice(levels)]
    count = max(_MIN_IMPROVEMENTS, len(unique))
    if len(unique) < _MIN_IMPROVEMENTS:
        unique += [text for text in _polish_suggestions(case) if text not in unique]
    return tuple(unique[:count][:_MAX_IMPROVEMENTS])


def follow_advice(
    pack: BossPack, past_advice: Sequence[str], before: Evidence, after: Evidence
) -> tuple[FollowedAdvice, ...]:
    """How far the next attempt followed each piece of advice, in the order it was given.

    Advice that these rules would now word differently is left out, because it can't be matched to a condition.

    Args:
        pack: The boss, as it judges the later attempt.
        past_advice: The forge judge's improvements of the earlier attempt.
        before: The evidence of the earlier attempt.
        after: The evidence of the later attempt.
    """
    mistakes = find_mistakes(pack, after.trials)
    advice = _ranked_advice(_levels(pack, before, find_mistakes(pack, before.trials)))
    levels = {level.criterion.id: level for level in _levels(pack, after, mistakes)}
    matches = (
        (text, next((candidate for candidate in advice if _is_advice(text, candidate)), None)) for text in past_advice
    )
    return tuple(
        _followed(text, earlier_advice, levels, mistakes, before, after)
        for text, earlier_advice in matches
        if earlier_advice
    )


def _levels(pack: BossPack, evidence: Evidence, mistakes: Sequence[Mistake]) -> tuple[EarnedLevel, ...]:
    charged = charge_once(pack.rubric, pack.rules, evidence)
    levels = [earned_level(criterion, pack.rules, charged) for criterion in pack.rubric.criteria]
    return name_causes(levels, mistakes, evidence.trials)


def _is_advice(text: str, advice: _Advice) -> bool:
    """Whether a text is this advice, with or without a remark."""
    return text == advice.text or text.startswith(f"{advice.text.removesuffix(_END)}; ")


def _followed(
    text: str,
    advice: _Advice,
    levels: dict[str, EarnedLevel],
    mistakes: Collection[Mistake],
    before: Evidence,
    after: Evidence,
) -> FollowedAdvice:
    criterion, condition = advice.level.criterion, advice.failure.condition
    now = levels[criterion.id]
    if is_met(condition, after) or _is_gone(advice.failure, after):
        has_risen = to_fraction(now.level.score) > to_fraction(advice.level.level.score)
        state = AdviceState.DONE if has_risen else AdviceState.NOT_ENOUGH
        remains = "" if has_risen or not now.failures else as_sentence(now.failures[0].otherwise)
    else:
        has_begun = moves_nearer(condition, before, after) or _has_moved(advice.failure, after, mistakes)
        state = AdviceState.BEGUN if has_begun else AdviceState.NOT_DONE
        remains = _still_wrong(advice.failure, now, before, after) if has_begun else ""
    return FollowedAdvice(
        words=text,
        criterion_id=criterion.id,
        label=criterion.label,
        state=state,
        before=advice.level.level.score,
        after=now.level.score,
        remains=remains,
    )


def _is_gone(failure: FailedCondition, after: Evidence) -> bool:
    """Whether all trials pass that failed because of a known cause."""
    return failure.is_explained and not _own_failures(failure, after)


def _has_moved(failure: FailedCondition, after: Evidence, mistakes: Collection[Mistake]) -> bool:
    """Whether a trial that failed because of a known cause passes, or fails otherwise.

    Args:
        failure: What failed before.
        after: The later evidence.
        mistakes: The known mistakes in it.
    """
    if failure.mistake is not None and failure.mistake.ids not in {mistake.ids for mistake in mistakes}:
        return True
    return failure.is_explained and len(_own_failures(failure, after)) < len(failure.findings)


def _own_failures(failure: FailedCondition, after: Evidence) -> list[TrialResult]:
    """The trials of a failure that still fail."""
    titles = {finding.trial for finding in failure.findings}
    return [trial for trial in after.trials if trial.title in titles and not trial.passed]


def _still_wrong(failure: FailedCondition, level: EarnedLevel, before: Evidence, after: Evidence) -> str:
    """How much of a condition still fails; empty if a lower condition fails too, and is reported instead."""
    condition = failure.condition
    kind, _, group = condition.checks[0].fact.partition(".")
    if failure.is_explained:
        own = _own_failures(failure, after)
        others = len(own) - 1
        more = f" {others} more {'fails' if others == 1 else 'fail'}." if others else ""
        return as_sentence(f"“{own[0].title.rstrip('.')}” still fails: {own[0].message}") + more
    if kind == "trials":
        failed_before, failed = (_count_failed(evidence, group) for evidence in (before, after))
        return f"{failed} {'trial still fails' if failed == 1 else 'trials still fail'}, {failed_before} did before."
    return next((as_sentence(failure.otherwise) for failure in level.failures if failure.condition == condition), "")


def _count_failed(evidence: Evidence, group: str) -> int:
    passed, total = count_passed(evidence.trials, group)
    return total - passed


def _ranked_advice(levels: tuple[EarnedLevel, ...]) -> list[_Advice]:
    """The advice of all failed conditions, each sentence once, by urgency and gain."""
    by_words: dict[str, tuple[EarnedLevel, FailedCondition]] = {}
    for level, failure in in_order(levels):
        words = as_sentence(_advice_words(failure))
        if not any(earlier.startswith(words.rstrip(".")) for earlier in by_words):
            by_words[words] = level, failure
    return [
        _Advice(_with_details(advice, _place_of(failure, advice), _worth_words(level, failure)), level, failure)
        for advice, (level, failure) in by_words.items()
    ]


def _advice_words(failure: FailedCondition) -> str:
    """What to do: to fix the mistake if it is known, else what the failed condition advises."""
    return fix_words(failure.mistake) if failure.mistake else failure.improve


def _worth_words(level: EarnedLevel, failure: FailedCondition) -> str:
    """The points to gain, such as ``+1 Threads``, or ``+1 Threads; needs 2 more fixes`` if that isn't enough.

    Empty for what ended trials before they could check anything: what else is wrong isn't known yet.
    """
    if failure.is_ending:
        return ""
    others = len(level.failures) - 1
    more = f"; needs {others} more {'fix' if others == 1 else 'fixes'}" if others else ""
    return f"+{format_number(gain(level, failure))} {level.criterion.label}{more}"


def _place_of(failure: FailedCondition, text: str) -> str:
    """The first place of a failure, unless the text names it already; for a failure of tests, a place in the tests."""
    is_about_tests = failure.condition.asks_for_tests
    places = (
        finding for finding in failure.findings if finding.place and (not is_about_tests or is_test_file(finding.path))
    )
    place = next((finding.place for finding in places), "")
    return "" if place in text else place


def _with_details(text: str, *details: str) -> str:
    """Add a place, a gain or the like in parentheses at the end of a sentence."""
    details_text = "; ".join(filter(None, details))
    return f"{text.rstrip('.')} ({details_text}{_END}" if details_text else text


def _with_remark(text: str, remark: str) -> str:
    """Add one more detail to those in parentheses at the end of a sentence."""
    return f"{text.removesuffix(_END)}; {remark}{_END}"


def _polish_suggestions(case: Case) -> list[str]:
    """Suggestions for code that meets every condition: first what was measured, then what no fact shows."""
    evidence = case.charged_evidence
    suggestions = _test_suggestions(evidence)
    longest = evidence.fact("code.longest_function")
    if longest and isinstance(longest.value, int | float) and longest.value > _LONG_FUNCTION_LINES and longest.findings:
        suggestions.append(f"Split the longest function ({longest.findings[0].place}, {longest.value} lines).")
    documented = evidence.fact("code.docstring_share")
    if documented and isinstance(documented.value, int | float) and documented.value < 1:
        place = documented.findings[0].place if documented.findings else ""
        suggestions.append(as_sentence(_with_details("Say in a docstring what each public function promises", place)))
    suggestions.append(
        "Profile the slowest case in your README, and write down where its time goes."
        if _MEASURED.search(case.submission.notes)
        else "Let somebody run it by your README alone, and fix the first place at which they stop."
    )
    suggestions.append(
        "Run your random tests once with a hundred times more input, and keep each failure as a fixed example."
        if _has_random_tests(case.submission)
        else "Add one property test on random input beside the tests with fixed examples."
    )
    return suggestions


def _has_random_tests(submission: Submission) -> bool:
    return any(_RANDOM_IMPORT.search(file.content) for file in submission.files if is_test_file(file.path))


def _test_suggestions(evidence: Evidence) -> list[str]:
    """The first gap in the tests: an impostor that they miss, or a mutant that survived.

    If most tests need more than the contract names, too few of them run on impostors to say anything.
    """
    unmasked = evidence.fact("tests.unmasked")
    meets_impostors = unmasked is None or unmasked.value is not None
    for impostor in evidence.impostors if meets_impostors else ():
        if impostor.fate is ImpostorFate.LET_THROUGH:
            return [f"Catch one more impostor (contract section {impostor.clause}). Its riddle: “{impostor.riddle}”"]
    score = evidence.fact("tests.mutation_score")
    survivor = next((finding for finding in score.findings if finding.path), None) if score else None
    if score is None or score.value is None or survivor is None:
        return []
    return [as_sentence(f"Close a gap in the tests: {_with_details(survivor.message, survivor.place)}")]
