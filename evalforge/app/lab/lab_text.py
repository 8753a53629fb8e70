"""The lab's texts: score changes with their causes, notes with their lines, all with styles."""

from collections.abc import Callable, Mapping

from rich.cells import cell_len

from evalforge.app.ui.text.formatting import VERDICT_ROLES, VERDICT_WORDS
from evalforge.app.ui.text.styled_text import Run
from evalforge.app.ui.theme.glyphs import Glyphs
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import fit, wrap
from evalforge.lab.draft import DraftPart
from evalforge.lab.draft_check import DraftCheck
from evalforge.lab.rubric_changes import RubricChange
from evalforge.lab.score_changes import LevelChange, ScoreChange
from evalforge.model.number_format import format_number
from evalforge.model.rubric import Criterion, Level
from evalforge.model.text import clean_line
from evalforge.packs.issue import Issue

_MAX_CAUSES_SHOWN = 3
_MAX_ISSUE_LINES = 3
_VERDICT_WIDTH = max(map(len, VERDICT_WORDS.values()))
Place = Callable[[RubricChange], str]
"""Formats the place of a change: ``rubric.yaml:3``."""


def places(draft_check: DraftCheck, names: Mapping[DraftPart, str]) -> Place:
    """Return a function that formats the places of changes in the checked draft."""

    def place(change: RubricChange) -> str:
        line = draft_check.line_of(change.part, change.location)
        name = names[change.part]
        return f"{name}:{line}" if line else name

    return place


def score_change_lines(name: str, change: ScoreChange, place: Place, glyphs: Glyphs, width: int) -> list[Line]:
    """One submission: total and verdict, then every level that changed, and why."""
    before, after = change.before, change.after
    top = format_number(after.score_max)
    total = (
        f"{format_number(before.score_total)} {glyphs.arrow} {format_number(after.score_total)}/{top}"
        if before.score_total != after.score_total
        else f"{format_number(after.score_total)}/{top}"
    )
    verdict_before, verdict_after = VERDICT_WORDS[before.verdict], VERDICT_WORDS[after.verdict]
    # Totals are aligned, whatever the verdict; if there are two, the name is cut.
    figures_width = 10 + (len(verdict_before) + 4 + len(verdict_after) if change.verdict_changed else _VERDICT_WIDTH)
    name_width = max(8, min(26, width - figures_width - 2))
    role = "dim" if change.is_unchanged else "bold ash"
    head: list[Run] = [(f"{fit(clean_line(name), name_width)} ", role), (f"{total:>9} ", role)]
    if change.verdict_changed:
        head += [
            (f" {verdict_before}", "dim"), (f" {glyphs.arrow} ", "ember"),
            (verdict_after, f"bold {VERDICT_ROLES[after.verdict]}"),
        ]  # fmt: skip
    else:
        head.append((f" {verdict_after}", VERDICT_ROLES[after.verdict] if not change.is_unchanged else "dim"))
    lines: list[Line] = [tuple(head)]
    causes_of_levels = {cause for level in change.levels for cause in level.causes}
    for level in change.levels:
        lines += _level_lines(level, place, glyphs, width)
    for cause in change.causes:
        if cause not in causes_of_levels:
            lines += _cause_lines(cause, place, width)
    return lines


def _level_lines(change: LevelChange, place: Place, glyphs: Glyphs, width: int) -> list[Line]:
    role = "verdigris" if change.points > 0 else "blood" if change.points < 0 else "steel"
    levels_text = f"{_level(change.before)} {glyphs.arrow} {_level(change.after)}"
    name_width = max(8, width - cell_len(levels_text) - 4)
    name = clean_line(change.label)
    lines: list[Line] = []
    if cell_len(name) > name_width or cell_len(levels_text) + 12 > width:
        lines += [(("  ", ""), (fit(name, width - 2), "ash")), (("  ", ""), (fit(levels_text, width - 2), role))]
    else:
        lines.append((("  ", ""), (f"{name}  ", "ash"), (levels_text, role)))
    for cause in change.causes[:_MAX_CAUSES_SHOWN]:
        lines += _cause_lines(cause, place, width)
    if len(change.causes) > _MAX_CAUSES_SHOWN:
        lines.append(((f"    and {len(change.causes) - _MAX_CAUSES_SHOWN} more", "faint"),))
    return lines


def _level(level: Level | None) -> str:
    return f"{format_number(level.score)} {clean_line(level.label)}" if level else "none"


def _cause_lines(cause: RubricChange, place: Place, width: int) -> list[Line]:
    lines = wrap(clean_line(cause.summary, cap=400), max(10, width - 4), 3)
    return _with_place([(("    ", ""), (line, "dim")) for line in lines], place(cause), 4, width)


def issue_lines(issue: Issue, place: str, glyphs: Glyphs, width: int) -> list[Line]:
    """Format one issue, with its line; one in another file ends with its place instead, which is empty otherwise."""
    sign, role = (glyphs.failed, "blood") if issue.is_problem else (glyphs.empty_pip, "steel")
    number = str(issue.line) if issue.line and not place else ""
    head = f"{number:>5}  "
    indent = cell_len(head) + 1
    first, *others = wrap(clean_line(issue.message, cap=600), max(10, width - indent), _MAX_ISSUE_LINES)
    lines: list[Line] = [((sign, role), (head, "steel"), (first, "ash"))]
    lines += [((" " * indent, ""), (line, "ash")) for line in others]
    return _with_place(lines, clean_line(place), indent, width) if place else lines


def _with_place(lines: list[Line], place: str, indent: int, width: int) -> list[Line]:
    """Add a place to the end of the last line if there is room, else on a line of its own."""
    if cell_len(lines[-1][-1][0]) + cell_len(place) + indent + 2 <= width:
        return [*lines[:-1], (*lines[-1], (f"  {place}", "steel"))]
    return [*lines, ((" " * indent, ""), (fit(place, width - indent), "steel"))]


def level_words(criterion: Criterion, score: float, glyphs: Glyphs) -> tuple[str, str, str]:
    """The pips, label and role of a level."""
    label = criterion.level_label(score) or format_number(score)
    pips = glyphs.pips(score, criterion.max_score)
    role = "molten" if score >= criterion.max_score else "blood" if score <= criterion.min_score else "ember"
    return pips, clean_line(label), role
