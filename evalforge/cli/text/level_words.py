"""Levels as a table: the rubric's sentence on the left, the conditions that earn the level on the right."""

import textwrap
from itertools import zip_longest
from pathlib import Path

from rich.console import Console

from evalforge.cli import output
from evalforge.model.number_format import format_number
from evalforge.packs.level_words import LevelWords

_GAP = 2


def print_level_words(boss_id: str, words: tuple[LevelWords, ...], files: tuple[Path, Path], out: Console) -> None:
    """Print the table.

    Args:
        boss_id: The boss.
        words: Its levels.
        files: Its rubric and its rules.
        out: Where to print it.
    """
    output.print_line(out, (boss_id, "bold"), ": what each level says, and what earns it")
    width = max(20, (out.width - 4 - _GAP) // 2)
    for level in words:
        score = format_number(float(level.level.score))
        output.print_line(
            out, (f"{level.criterion_id} {score}", "bold"), (f"  {level.level.label}", "dim"), indent="  "
        )
        left = [f"{files[0].name}:{level.sentence_line}", *textwrap.wrap(level.sentence, width)]
        right = [f"{files[1].name}:{level.rule_line}", *_condition_lines(level, width)]
        for index, (sentence, condition) in enumerate(zip_longest(left, right, fillvalue="")):
            style = "dim" if index == 0 else ""
            output.print_line(out, (f"{sentence:<{width}}{' ' * _GAP}{condition}".rstrip(), style), indent="    ")


def _condition_lines(level: LevelWords, width: int) -> list[str]:
    """Wrap conditions, each preceded by a dash."""
    return [
        line
        for condition in level.conditions
        for line in textwrap.wrap(condition, width, initial_indent="- ", subsequent_indent="  ")
    ]
