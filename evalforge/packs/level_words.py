"""Each level's sentence in the rubric, with the conditions in ``evidence.yaml`` that earn the level.

The forge judges by the conditions alone, and a model by the sentence: if only one of them changes, the two judges may
disagree. The state folder stores both as they were when a pack last passed its check.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from evalforge.model.exact_numbers import to_fraction
from evalforge.model.level_rules import Condition, LevelRules
from evalforge.model.number_format import format_number
from evalforge.model.rubric import BossRubric, Level
from evalforge.packs.atomic_files import read_json_object, write_atomically
from evalforge.packs.document import Document, Location
from evalforge.packs.fingerprint import short_hash
from evalforge.packs.locations import state_folder

LevelTexts = Mapping[str, list[str]]
"""For each criterion and score: the level's sentence, then its conditions in order."""


@dataclass(frozen=True)
class LevelWords:
    """One level above the lowest, with its sentence and its conditions.

    Attributes:
        criterion_id: The id of its criterion.
        level: The level.
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
        """The key under which it is stored."""
        return f"{self.criterion_id}/{format_number(float(self.level.score))}"

    @property
    def sentence(self) -> str:
        """Its sentence with single spaces, so that line breaks don't count."""
        return " ".join(self.level.full_description.split())


def level_words(
    rubric: BossRubric, rules: LevelRules, rubric_document: Document, rules_document: Document
) -> tuple[LevelWords, ...]:
    """Every level above the lowest, in the rubric's order.

    Args:
        rubric: The rubric.
        rules: The level rules.
        rubric_document: The file of the rubric.
        rules_document: The file of the rules.
    """
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


def level_texts(words: tuple[LevelWords, ...]) -> LevelTexts:
    """The sentences and conditions of levels, for a later comparison."""
    return {level.key: [level.sentence, *sorted(level.conditions)] for level in words}


def parted_levels(words: tuple[LevelWords, ...], before: LevelTexts) -> Iterator[tuple[LevelWords, bool]]:
    """Yield the levels that changed only in their sentence (True) or only in their conditions (False).

    Args:
        words: The levels as they are now.
        before: Their earlier sentences and conditions; levels missing there are skipped.
    """
    for level in words:
        old = before.get(level.key)
        if not old:
            continue
        has_new_sentence = old[0] != level.sentence
        has_new_conditions = old[1:] != sorted(level.conditions)
        if has_new_sentence != has_new_conditions:
            yield level, has_new_sentence


def keep_level_texts(pack: Path, texts: LevelTexts) -> None:
    """Store the present sentences and conditions; if that fails, later changes are simply not reported.

    Args:
        pack: The pack's folder.
        texts: Its levels.
    """
    with suppress(OSError):
        write_atomically(_file(pack), json.dumps(texts, indent=1).encode())


def read_level_texts(pack: Path) -> LevelTexts:
    """The stored sentences and conditions of a pack's levels; empty if none are stored."""
    return read_json_object(_file(pack))


def _file(pack: Path) -> Path:
    path = str(pack.resolve()).encode("utf-8", "surrogateescape")
    return state_folder() / "lab" / "words" / f"{short_hash(path)}.json"
