"""Levels that a decoy bought: which conditions gave way, and what to do about it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from evalforge.evidence.earned_levels import earned_level, is_met, met_check
from evalforge.model.evidence import Evidence
from evalforge.model.level_rules import FactCheck, LevelRule
from evalforge.model.rubric import Criterion
from evalforge.packs.document import read_document
from evalforge.packs.lint.issue import LintIssue
from evalforge.packs.pack import BossPack
from evalforge.packs.path_checks import pack_file

_ADVICE = {
    "tests": "Ask for tests.unmasked or tests.noticed as well: only tests that notice wrong answers have them.",
    "code": "Ask for a limit as well that the exemplar exceeds either way, such as code.longest_function.",
}
_THINNED_SHARES = ("code.docstring_share", "code.typed_share", "code.pure_share")


@dataclass(frozen=True)
class Purchase:
    """A level that a decoy bought.

    Attributes:
        criterion: Of what.
        earned: The level without the decoy.
        level: The level with it.
        exemplar: The exemplar that it was tried on.
        trick: What the decoy does.
        gave_way: What holds only with the decoy.
    """

    criterion: Criterion
    earned: float
    level: float
    exemplar: str
    trick: str
    gave_way: tuple["BoughtCondition", ...]


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
    pack: BossPack, exemplar: str, trick: str, without: Evidence, changed: Evidence
) -> Iterator[Purchase]:
    """The levels that rise.

    Args:
        pack: The boss.
        exemplar: The exemplar's name.
        trick: What the decoy does.
        without: Evidence of the exemplar without the decoy.
        changed: Evidence of the exemplar with it.
    """
    for criterion in pack.rubric.criteria:
        earned = earned_level(criterion, pack.rules, without).level.score
        level = earned_level(criterion, pack.rules, changed).level.score
        rules = pack.rules.of(criterion.id)
        gave_way = tuple(_gave_way([rule for rule in rules if rule.level <= level], without, changed))
        # Where nothing but trials pass that failed before, that was chance: decoys leave behaviour alone.
        if level > earned and any(not each.check.fact.startswith("trials.") for each in gave_way):
            yield Purchase(criterion, earned, level, exemplar, trick, gave_way)


def _gave_way(rules: Iterable[LevelRule], without: Evidence, changed: Evidence) -> Iterator[BoughtCondition]:
    for step, rule in enumerate(rules):
        for index, condition in enumerate(rule.requires):
            if not is_met(condition, without) and (check := met_check(condition, changed)):
                yield BoughtCondition(step, index, check)


def describe_purchases(pack: BossPack, purchases: Iterable[Purchase]) -> Iterator[LintIssue]:
    """One note for each level that was bought on an exemplar, with all decoys that buy it."""
    document = read_document(pack_file(pack.path, "evidence"))
    sales: dict[tuple[str, str, float], list[Purchase]] = {}
    for each in purchases:
        sales.setdefault((each.exemplar, each.criterion.id, each.level), []).append(each)
    for sold in sales.values():
        last = sold[0].gave_way[-1]
        line = document.line_of((sold[0].criterion.id, last.rule, "requires", last.index))
        yield LintIssue(document.path, line, _message(sold), is_problem=False)


def _message(sold: list[Purchase]) -> str:
    """Say what is sold, by which decoys, and why."""
    first = sold[0]
    checks = list(dict.fromkeys(bought.check for each in sold for bought in each.gave_way))
    conditions = ", ".join(f"{each.fact} {each.check.strip()}" for each in checks)
    tricks = "; ".join(each.trick for each in sold)
    return (
        f"level {first.level} of {first.criterion.id} can be bought by {tricks} "
        f"({first.exemplar} earns {first.earned}). What then holds: {conditions}. {_advice(checks)}"
    )


def _advice(checks: list[FactCheck]) -> str:
    if all(check.fact in _THINNED_SHARES for check in checks):
        return "Such a share rises with everything that is added: let it not be all that separates two levels."
    families = (check.fact.partition(".")[0] for check in checks)
    return next(_ADVICE[family] for family in families if family in _ADVICE)
