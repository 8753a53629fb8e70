"""A check for sentences of the rubric that changed without their conditions, or the reverse, since the last check."""

from collections.abc import Iterator
from pathlib import Path

from evalforge.model.number_format import format_number
from evalforge.packs.level_words import LevelTexts, LevelWords, level_words, parted_levels, read_level_texts
from evalforge.packs.lint.issue import LintIssue
from evalforge.packs.lint.unchecked_pack import UncheckedPack


def words_of_levels(draft: UncheckedPack) -> tuple[LevelWords, ...]:
    """Every level above the lowest with its conditions; none if rubric or rules can't be read."""
    if draft.rubric is None or draft.rules is None:
        return ()
    return level_words(draft.rubric.value, draft.rules.value, draft.rubric.document, draft.rules.document)


def parting_issues(
    levels: tuple[LevelWords, ...], before: LevelTexts, rubric: Path, rules: Path
) -> Iterator[LintIssue]:
    """Yield a note for each level that changed only in its sentence or only in its conditions.

    Args:
        levels: The levels as they are now.
        before: Their earlier sentences and conditions.
        rubric: The file of the sentences.
        rules: The file of the conditions.
    """
    for level, is_sentence in parted_levels(levels, before):
        name = f"level {format_number(float(level.level.score))} of {level.criterion_id}"
        if is_sentence:
            message = (
                f"the sentence of {name} changed and its conditions ({rules.name}:{level.rule_line}) didn't: "
                f"the forge judges by {rules.name}; only a model reads this sentence"
            )
            yield LintIssue(rubric, level.sentence_line, message, is_problem=False)
        else:
            message = (
                f"the conditions of {name} changed and its sentence ({rubric.name}:{level.sentence_line}) didn't: "
                "a model still judges by the sentence; does it say what is asked now?"
            )
            yield LintIssue(rules, level.rule_line, message, is_problem=False)


def check_words_and_rules(draft: UncheckedPack) -> Iterator[LintIssue]:
    """Yield a note for each level that changed only in its sentence or its conditions since the last clean check."""
    if draft.rubric is not None and draft.rules is not None:
        files = draft.rubric.document.path, draft.rules.document.path
        yield from parting_issues(words_of_levels(draft), read_level_texts(draft.path), *files)
