"""The distribution of a class over levels, totals and trial groups; every line opens the rows behind it."""

from collections import Counter
from collections.abc import Iterable, Sequence

from rich.cells import cell_len

from evalforge.app.classroom.class_state import ClassState, RowState
from evalforge.app.classroom.row_order import level_of
from evalforge.app.ui.theme.glyphs import Glyphs
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import fit
from evalforge.app.ui.widgets.row_list import Row
from evalforge.classroom.report import ClassReport
from evalforge.model.number_format import format_number, format_percent
from evalforge.model.rubric import Level
from evalforge.model.text import clean_line

_TOTALS_MOST = 12
_END = 11
_TOTAL, _BAR_LEAST = 6, 12
Member = tuple[str, frozenset[str]]
"""What the rows behind a line have in common, and their ids."""


def level_rows(class_state: ClassState, glyphs: Glyphs) -> tuple[list[Row], dict[str, Member]]:
    """List each criterion's levels as bars, the highest first."""
    rows: list[Row] = []
    members: dict[str, Member] = {}
    every = [level for criterion in class_state.rubric.criteria for level in criterion.levels]
    names = max((cell_len(_level_label(level)) for level in every), default=0)
    for criterion in class_state.rubric.criteria:
        at = {row_state.row_id: level_of(row_state, criterion.id) for row_state in _judged_rows(class_state)}
        scores = [score for score in at.values() if score is not None]
        mean = f"mean {sum(scores) / len(scores):.1f} of {format_number(criterion.max_score)}" if scores else ""
        rows += _heading_row(criterion.id, criterion.label, mean, gap_above=bool(rows))
        for level in reversed(criterion.levels_with(scores)):
            who = frozenset(row_id for row_id, score in at.items() if score == level.score)
            key = f"{criterion.id} {format_number(level.score)}"
            members[key] = (f"{criterion.label}: {level.label}", who)
            role = "steel" if level.score == criterion.min_score else "molten"
            rows.append(_bar(key, (_level_label(level), names), (len(who), len(scores)), role, glyphs))
    return rows, members


def total_rows(class_state: ClassState, glyphs: Glyphs) -> tuple[list[Row], dict[str, Member]]:
    """List the number of rows at each total, with the pass line among them."""
    rubric = class_state.rubric
    judged_rows = _judged_rows(class_state)
    totals = {row_state.row_id: row_state.total for row_state in judged_rows}
    counts = Counter(totals.values())
    maximum, line = rubric.max_score, rubric.overall.pass_threshold
    all_whole = float(maximum).is_integer() and 0 < maximum <= _TOTALS_MOST
    steps = {*counts, *(map(float, range(int(maximum) + 1)) if all_whole else ())}
    passed = sum(bool(row_state.result and row_state.result.passed) for row_state in judged_rows)
    rows = _heading_row(
        "total", "Totals", f"{passed} of {len(judged_rows)} pass" if judged_rows else "", gap_above=False
    )
    members: dict[str, Member] = {}
    has_line = False
    for total in sorted(steps, reverse=True):
        if total < line and not has_line:
            rows.append(Row("line", lambda width: (_pass_line(line, width, glyphs),), is_static=True))
            has_line = True
        who = frozenset(row_id for row_id, score in totals.items() if score == total)
        key = f"total {format_number(total)}"
        members[key] = (f"{format_number(total)} of {format_number(maximum)}", who)
        role = "molten" if total >= line else "steel"
        rows.append(_bar(key, (f"{format_number(total):>4}", _TOTAL), (len(who), len(judged_rows)), role, glyphs))
    return rows, members


def group_rows(
    class_state: ClassState, report: ClassReport | None, glyphs: Glyphs
) -> tuple[list[Row], dict[str, Member]]:
    """List the number of submissions that fail a trial of each group."""
    if report is None or not report.groups:
        return [], {}
    rows = _heading_row("group", "Failed trials", "submissions", gap_above=True)
    members: dict[str, Member] = {}
    failing_hand_ins = (*report.clusters, *report.singletons)
    judged_count = len(_judged_rows(class_state))
    labels = {shape.group: f"  {clean_line(shape.group).replace('_', ' ')}" for shape in report.groups}
    names = max(map(cell_len, labels.values()))
    for shape in report.groups:
        who = frozenset(
            row_id
            for failing_hand_in in failing_hand_ins
            if any(t.group == shape.group for t in failing_hand_in.trials)
            for row_id in failing_hand_in.members
        )
        key, label = f"group {shape.group}", labels[shape.group]
        members[key] = (f"fails {label.strip()}", who)
        rows.append(_bar(key, (label, names), (shape.hand_ins, judged_count), "blood", glyphs))
    return rows, members


def _judged_rows(class_state: ClassState) -> Sequence[RowState]:
    return [row_state for row_state in class_state.row_states.values() if row_state.result]


def _heading_row(key: str, text: str, end: str, *, gap_above: bool) -> list[Row]:
    def build(width: int) -> Iterable[Line]:
        if gap_above:
            yield ()
        yield (fit(clean_line(text), max(1, width - cell_len(end) - 1)) + " ", "bold ash"), (end, "dim")

    return [Row(f"head {key}", lambda width: tuple(build(width)), is_static=True)]


def _level_label(level: Level) -> str:
    return f"{format_number(level.score):>3}  {clean_line(level.label)}"


def _bar(key: str, name: tuple[str, int], share_of: tuple[int, int], role: str, glyphs: Glyphs) -> Row:
    """Draw a line: its label and the width of all labels, the count and the total, and a bar of their ratio."""
    (label, names_width), (count, among) = name, share_of

    def build(width: int) -> tuple[Line, ...]:
        names = min(names_width, max(8, width - _END - 2 - _BAR_LEAST))
        bar_width = max(4, width - names - _END - 2)
        share = count / among if among else 0.0
        bar = bar_cells(share, bar_width, glyphs)
        end = f"{count or glyphs.dot:>4} {format_percent(share) if count else '':>6}"
        blank = " " * (bar_width - cell_len(bar))
        name_words = f"{fit(label, names, glyphs.ellipsis)}  "
        return (((name_words, "ash" if count else "faint"), (bar + blank, role), (end, "dim")),)

    return Row(key, build, is_static=not count)


def bar_cells(share: float, width: int, glyphs: Glyphs) -> str:
    """Draw a bar as long as a share of the width; a share above 0 is always visible."""
    return glyphs.bar * max(int(share * width + 0.5), 1 if share > 0 else 0)


def _pass_line(line: float, width: int, glyphs: Glyphs) -> Line:
    label = f" pass at {format_number(line)} "
    return (("      " + glyphs.rule * max(0, width - len(label) - 8), "rule"), (label, "verdigris"))
