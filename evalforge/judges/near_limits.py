"""Functions just below a limit: advice that adds code to them may cost the level that needs the limit."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from evalforge.evidence.conditions import met_check
from evalforge.evidence.earned_levels import EarnedLevel
from evalforge.model.evidence import Evidence, Fact, Finding
from evalforge.model.exact_numbers import to_fraction
from evalforge.model.level_rules import FactCheck, LevelRules
from evalforge.model.submission import Submission

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
