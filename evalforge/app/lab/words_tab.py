"""The lab's table of levels: the rubric's sentence on the left, the conditions on the right."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import fit, wrap
from evalforge.app.ui.widgets.row_list import Row
from evalforge.model.number_format import format_number
from evalforge.model.text import clean_line
from evalforge.packs.level_words import LevelWords

_MAX_LINES = 40
_GAP = 2
_INDENT = 2
_SENTENCE_SHARE = 0.45
"""The sentence's share of the width; conditions get the rest, because names of facts are long and can't be wrapped."""
_NEW_SENTENCE = "Only the sentence changed: the forge judges as before."
_NEW_CONDITIONS = "Only the conditions changed: a model judges as before."


def level_rows(levels: Sequence[LevelWords], parted: Mapping[str, bool]) -> list[Row]:
    """One row for each level.

    Args:
        levels: The levels of the draft.
        parted: By a level's key, whether only its sentence (True) or only its conditions (False) changed.
    """
    return [_row(index, level, parted.get(level.key)) for index, level in enumerate(levels)]


def _row(index: int, level: LevelWords, only_sentence_changed: bool | None) -> Row:
    remark = ""
    if only_sentence_changed is not None:
        remark = _NEW_SENTENCE if only_sentence_changed else _NEW_CONDITIONS

    def build(width: int) -> list[Line]:
        return _lines(level, remark, width)

    return Row(str(index), build)


def _lines(level: LevelWords, remark: str, width: int) -> list[Line]:
    column = max(10, round((width - _INDENT - _GAP) * _SENTENCE_SHARE))
    condition_width = max(10, width - _INDENT - column - _GAP)
    name = f"{level.criterion_id} {format_number(float(level.level.score))}"
    head: Line = ((clean_line(name), "bold steel"), (f"  {clean_line(level.level.label)}", "dim"))
    lines: list[Line] = [head]
    if remark:
        lines += [((" " * _INDENT, ""), (line, "ember")) for line in wrap(remark, width - _INDENT, 3)]
    conditions = [
        line
        for condition in level.conditions
        for line in _condition_lines(clean_line(condition, cap=400), condition_width)
    ]
    sentences = wrap(clean_line(level.sentence, cap=2000), column, _MAX_LINES)
    for sentence, condition in zip_longest(sentences, conditions, fillvalue=""):
        lines.append(((" " * _INDENT, ""), (fit(sentence, column), "ash"), (" " * _GAP, ""), (condition, "verdigris")))
    return lines


def _condition_lines(condition: str, width: int) -> list[str]:
    first, *others = wrap(condition, width - 2, _MAX_LINES)
    return [f"- {first}", *(f"  {line}" for line in others)]
