"""Each level's sentence in the rubric, with the conditions in ``evidence.yaml`` that earn the level."""

from dataclasses import dataclass

from evalforge.model.exact_numbers import to_fraction
from evalforge.model.level_rules import Condition, LevelRules
from evalforge.model.number_format import format_number
from evalforge.model.rubric import BossRubric, Level
from evalforge.packs.document import Document, Location


@dataclass(frozen=True)
class LevelWords:
    """One level above the lowest, with its sentence and its conditions.

    Attributes:
        sentence_line: The line of its sentence in the rubric.
        conditions: What it needs beyond all lower levels, one line per condition.
        rule_line: The line of the conditions in the rules.
    """

    criterion_id: str
    level: Level
    sentence_line: int
    conditions: tuple[str, ...]
    rule_line: int

    @property
    def key(self) -> str:
        """Its criterion and score, as one word."""
        return f"{self.criterion_id}/{format_number(float(self.level.score))}"

    @property
    def sentence(self) -> str:
        """Its sentence with single spaces, so that line breaks don't count."""
        return " ".join(self.level.full_description.split())


def level_words(
    rubric: BossRubric, rules: LevelRules, rubric_document: Document, rules_document: Document
) -> tuple[LevelWords, ...]:
    """Every level above the lowest, in the rubric's order."""
    levels: list[LevelWords] = []
    for index, criterion in enumerate(rubric.criteria):
        steps = {to_fraction(rule.level): index for index, rule in enumerate(rules.of(criterion.id))}
        for level in criterion.levels[1:]:
            step = steps.get(to_fraction(level.score))
            conditions = rules.of(criterion.id)[step].requires if step is not None else ()
            levels.append(
                LevelWords(
                    criterion_id=criterion.id,
                    level=level,
                    sentence_line=rubric_document.line_of((*level_location(rubric_document, index, level),)),
                    conditions=tuple(condition_words(condition) for condition in conditions),
                    rule_line=rules_document.line_of((criterion.id,) if step is None else (criterion.id, step)),
                )
            )
    return tuple(levels)


def level_location(document: Document, criterion: int, level: Level) -> Location:
    """The location of a level in its file, which may list levels in any order.

    Args:
        document: The file of the rubric.
        criterion: The index of its criterion.
        level: The level.
    """
    levels = document.data["criteria"][criterion]["levels"]
    score = to_fraction(level.score)
    position = next(i for i, level in enumerate(levels) if to_fraction(Level.model_validate(level).score) == score)
    return ("criteria", criterion, "levels", position)


def condition_words(condition: Condition) -> str:
    """A condition's checks in a line: ``tests.unmasked >= 0.4 or tests.noticed >= 0.6``."""
    return " or ".join(f"{check.fact} {' '.join(check.check.split())}" for check in condition.checks)
