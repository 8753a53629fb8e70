"""Levels that a decoy bought: which conditions it satisfied, and what to do about it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from evalforge.evidence.attribution import charge_once
from evalforge.evidence.conditions import is_met, met_check
from evalforge.evidence.earned_levels import earned_level
from evalforge.model.evidence import Evidence
from evalforge.model.level_rules import FactCheck, LevelRule
from evalforge.model.rubric import Criterion
from evalforge.packs.document import read_document
from evalforge.packs.issue import Issue
from evalforge.packs.pack import BossPack
from evalforge.packs.path_checks import pack_file

_ADVICE = {
    "tests": "Ask for tests.unmasked or tests.noticed as well: only tests that catch wrong answers raise them.",
    "code": "Ask for a limit as well that the exemplar exceeds either way, such as code.longest_function.",
}
_SHARE_FACT = "code.docstring_share"


@dataclass(frozen=True)
class Purchase:
    """A level that a decoy bought.

    Attributes:
        criterion: The criterion of the level.
        earned: The level without the decoy.
        exemplar: The exemplar that it was tried on.
        trick: What the decoy does.
        bought_conditions: The conditions that hold only with the decoy.
    """

    criterion: Criterion
    earned: float
    level: float
    exemplar: str
    trick: str
    bought_conditions: tuple["BoughtCondition", ...]


@dataclass(frozen=True)
class BoughtCondition:
    """A condition that holds only with a decoy.

    Attributes:
        rule: The index of its rule among those of the criterion.
        index: Its index among that rule's conditions.
        check: The alternative that holds.
    """

    rule: int
    index: int
    check: FactCheck


def find_purchases(
    pack: BossPack, exemplar: str, trick: str, evidence_without: Evidence, evidence_with: Evidence
) -> Iterator[Purchase]:
    """Find the levels that a decoy raises.

    Args:
        pack: The boss.
        exemplar: The exemplar's name.
        trick: What the decoy does.
        evidence_without: Evidence of the exemplar without the decoy.
        evidence_with: Evidence of the exemplar with it.
    """
    pair = (evidence_without, evidence_with)
    evidence_without, evidence_with = (charge_once(pack.rubric, pack.rules, evidence) for evidence in pair)
    for criterion in pack.rubric.criteria:
        earned = earned_level(criterion, pack.rules, evidence_without).level.score
        level = earned_level(criterion, pack.rules, evidence_with).level.score
        rules = pack.rules.of(criterion.id)
        bought_conditions = tuple(
            _bought_conditions([rule for rule in rules if rule.level <= level], evidence_without, evidence_with)
        )
        # If the only change is that some trials now pass, that was chance: decoys don't change behaviour.
        if level > earned and any(
            not bought_condition.check.fact.startswith("trials.") for bought_condition in bought_conditions
        ):
            yield Purchase(criterion, earned, level, exemplar, trick, bought_conditions)


def _bought_conditions(
    rules: Iterable[LevelRule], evidence_without: Evidence, evidence_with: Evidence
) -> Iterator[BoughtCondition]:
    for step, rule in enumerate(rules):
        for index, condition in enumerate(rule.requires):
            if not is_met(condition, evidence_without) and (check := met_check(condition, evidence_with)):
                yield BoughtCondition(step, index, check)


def describe_purchases(pack: BossPack, purchases: Iterable[Purchase]) -> Iterator[Issue]:
    """Yield a problem for each level that was bought on an exemplar, with all decoys that buy it."""
    document = read_document(pack_file(pack.path, "evidence"))
    purchases_by_level: dict[tuple[str, str, float], list[Purchase]] = {}
    for purchase in purchases:
        purchases_by_level.setdefault((purchase.exemplar, purchase.criterion.id, purchase.level), []).append(purchase)
    for level_purchases in purchases_by_level.values():
        last_condition = level_purchases[0].bought_conditions[-1]
        line = document.line_of(
            (level_purchases[0].criterion.id, last_condition.rule, "requires", last_condition.index)
        )
        yield Issue(document.path, line, _message(level_purchases))


def _message(purchases: list[Purchase]) -> str:
    """Say which level can be bought, by which decoys, and why."""
    first = purchases[0]
    checks = list(dict.fromkeys(bought.check for purchase in purchases for bought in purchase.bought_conditions))
    conditions = ", ".join(f"{check.fact} {check.check.strip()}" for check in checks)
    tricks = "; ".join(purchase.trick for purchase in purchases)
    return (
        f"level {first.level} of {first.criterion.id} can be bought by {tricks} "
        f"({first.exemplar} earns {first.earned}). What then holds: {conditions}. {_advice(checks)}"
    )


def _advice(checks: list[FactCheck]) -> str:
    if all(check.fact == _SHARE_FACT for check in checks):
        return "Such a share rises with everything that is added: let it not be all that separates two levels."
    families = (check.fact.partition(".")[0] for check in checks)
    return next(_ADVICE[family] for family in families if family in _ADVICE)
