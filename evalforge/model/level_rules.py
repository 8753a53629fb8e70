"""The level rules of a boss (``evidence.yaml``): which facts a submission needs for which level."""

import operator
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Self

from pydantic import AfterValidator, Field, RootModel, model_validator

from evalforge.model.base import Frozen
from evalforge.model.exact_numbers import Score, to_fraction

_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
    "!=": operator.ne,
}
MEASURED_IF_ASKED = (
    "code.io_mixed",
    "code.module_level_statements",
    "code.deciding_functions",
    "code.line_functions",
    "code.shared_state",
    "code.catch_alls",
    "code.caught_interrupts",
)
"""The facts that are only measured where a boss's rules ask for them, up to the number that they ask for."""
# Facts from running the player's tests, and whether there are any: these count as behaviour, not style.
_TESTS_AS_RUN = frozenset(
    {"tests.count", "tests.passed", "tests.mutation_score", "tests.noticed"}
    | {"tests.unmasked", "tests.wrong_expectations"}
)
# Whether there is anything to read, to call or to trust: without it no reader of the code could grant a level.
_SOUNDNESS = frozenset(
    {"code.syntax_errors", "code.functions", "code.module_level_statements", "code.main_guard"}
    | {"tests.asserts", "tests.vacuous", "tests.empty"}
)
PLACEHOLDERS = ("value", "passed", "total", "where", "first", "name", "share", "asked")
"""Placeholders that a condition's words may have in braces; measured values replace them."""
_CHECK = re.compile(r"^\s*(>=|<=|==|!=|>|<)\s*(true|false|[-+]?\d+(?:\.\d+)?)\s*$", re.IGNORECASE)


def _well_formed(check: str) -> str:
    if not _CHECK.match(check):
        raise ValueError(f"a check is one of >= <= > < == != and a number, true or false; not {check!r}")
    return check


def meets_check(check: str, value: float | str | bool | None) -> bool:
    """Whether a measured value passes a check such as ``">= 0.8"``; a text or None never does."""
    match = _CHECK.match(check)
    if match is None or isinstance(value, str) or value is None:
        return False
    text = match[2].lower()
    expected = float(text == "true") if text in ("true", "false") else float(text)
    return _OPERATORS[match[1]](value, expected)


Check = Annotated[str, AfterValidator(_well_formed)]


class FactCheck(Frozen):
    """A check on one fact.

    ``improve`` replaces the condition's advice if this is the alternative that was measured.
    """

    fact: str = Field(pattern=r"^(trials|tests|code)\.[A-Za-z0-9_-]+$")
    check: Check
    improve: str = ""


def trial_groups(checks: Iterable[FactCheck]) -> frozenset[str]:
    """The groups of trials that some checks need: a check on ``trials.money`` needs ``money``."""
    facts = (check.fact.partition(".") for check in checks)
    return frozenset(group for kind, _, group in facts if kind == "trials")


class Condition(Frozen):
    """One check, or alternatives of which one must hold, with the words used when it doesn't.

    ``otherwise`` states what is wrong (for the comment), ``why`` what that means for somebody who runs or mends the
    program, and ``improve`` what to do (for the improvements). ``why`` is left out when rules are hashed.
    """

    fact: str = ""
    check: str = ""
    any: tuple[FactCheck, ...] = ()
    otherwise: str = Field(min_length=1)
    improve: str = ""
    why: str = Field(default="", exclude=True)

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if bool(self.any) == bool(self.fact or self.check):
            raise ValueError("a condition has either a fact with a check, or a list under any")
        if not self.any:
            FactCheck(fact=self.fact, check=self.check)
        return self

    @property
    def checks(self) -> tuple[FactCheck, ...]:
        """The alternatives; a plain condition has one."""
        return self.any or (FactCheck(fact=self.fact, check=self.check),)

    @property
    def is_behaviour(self) -> bool:
        """Whether it is about behaviour alone, and so limits the level that a model may grant.

        Behaviour is what the trials saw, and how the player's own tests did when they were run.
        """
        return all(_is_behaviour(check.fact) for check in self.checks)

    @property
    def asks_for_tests(self) -> bool:
        """Whether one of its checks is about the player's own tests."""
        return any(check.fact.startswith("tests.") for check in self.checks)

    @property
    def is_soundness(self) -> bool:
        """Whether it asks only that there is something to judge.

        That is code that can be read, called and imported, or tests that assert something. Such a condition of a lowest
        level limits what a model may grant.
        """
        return all(_is_behaviour(check.fact) or check.fact in _SOUNDNESS for check in self.checks)


def _is_behaviour(fact: str) -> bool:
    return fact.startswith("trials.") or fact in _TESTS_AS_RUN


class LevelRule(Frozen):
    """What one level needs beyond all lower ones. ``earned`` is the text shown when it is reached."""

    level: Score
    earned: str = ""
    requires: tuple[Condition, ...] = Field(min_length=1)


class LevelRules(RootModel[dict[str, tuple[LevelRule, ...]]]):
    """The level rules of every criterion, by its id, in ascending order of level."""

    @model_validator(mode="after")
    def _ascending(self) -> Self:
        for criterion_id, rules in self.root.items():
            scores = [to_fraction(rule.level) for rule in rules]
            if scores != sorted(set(scores)):
                raise ValueError(f"the levels of {criterion_id} must be in ascending order, each once")
        return self

    def of(self, criterion_id: str) -> tuple[LevelRule, ...]:
        """The rules of one criterion; empty if it has none."""
        return self.root.get(criterion_id, ())

    @property
    def _fact_checks(self) -> Iterator[FactCheck]:
        conditions = (condition for rules in self.root.values() for rule in rules for condition in rule.requires)
        return (check for condition in conditions for check in condition.checks)

    @property
    def facts_asked_for(self) -> frozenset[str]:
        """The names of all facts that affect a level of some criterion."""
        return frozenset(check.fact for check in self._fact_checks)

    def checks_of(self, fact: str) -> frozenset[str]:
        """The checks of one fact in all criteria, such as ``">= 2"``."""
        return frozenset(check.check for check in self._fact_checks if check.fact == fact)

    def is_about_tests(self, criterion_id: str) -> bool:
        """Whether every condition of one criterion checks the player's own tests."""
        conditions = [condition for rule in self.of(criterion_id) for condition in rule.requires]
        return bool(conditions) and all(condition.asks_for_tests for condition in conditions)

    def trial_groups(self, criterion_id: str) -> frozenset[str]:
        """The groups of trials that the rules of one criterion need."""
        conditions = (condition for rule in self.of(criterion_id) for condition in rule.requires)
        return trial_groups(check for condition in conditions for check in condition.checks)
