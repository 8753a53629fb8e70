"""The class as a table, and its distribution over levels, totals and trial groups."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, partial

from rich.cells import cell_len

from evalforge.app.classroom.class_state import (
    ClassState,
    RowState,
    first_words,
    status_glyph,
    status_role,
    status_word,
)
from evalforge.app.classroom.tab_rows import ClassSnapshot, TabRow, heading_row
from evalforge.app.ui.text.styled_text import Run
from evalforge.app.ui.theme.glyphs import Glyphs
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import fit
from evalforge.app.ui.widgets.row_list import Row, message_row
from evalforge.classroom.report import ClassReport
from evalforge.model.number_format import format_number, format_percent, format_signed
from evalforge.model.rubric import Criterion, Level
from evalforge.model.text import clean_line

_MAX_LISTED_TOTALS = 12
"""Up to this maximum, every total has a bar, also those that nobody reached."""
_COUNT_CELLS = 11
_MIN_BAR_CELLS = 12
COLUMN_BREAK = Row("column break", lambda _: [()], is_static=True)
"""A blank line, at which the rows may be laid out in two columns."""


@dataclass(frozen=True)
class _BarSection:
    """The bars of one section: how many submissions each is a share of, and the width of their labels."""

    glyphs: Glyphs
    submissions: int
    label_width: int

    def bar_row(self, key: str, label: str, filter_title: str, row_ids: Iterable[str], role: str, count: int) -> TabRow:
        """Draw a label, a bar, and a count with its share."""
        share = count / self.submissions if self.submissions else 0.0
        end = f"{count or self.glyphs.dot:>4} {format_percent(share) if count else '':>6}"

        def build(width: int) -> tuple[Line, ...]:
            label_width = min(self.label_width, max(8, width - _COUNT_CELLS - 2 - _MIN_BAR_CELLS))
            bar_width = max(4, width - label_width - _COUNT_CELLS - 2)
            bar = fit(bar_text(share, bar_width, self.glyphs), bar_width)
            label_cells = f"{fit(label, label_width, self.glyphs.ellipsis)}  "
            return (((label_cells, "ash" if count else "faint"), (bar, role), (end, "dim")),)

        return TabRow(key, build, is_static=not count, listed_ids=frozenset(row_ids), filter_title=filter_title)


def level_rows(snapshot: ClassSnapshot, glyphs: Glyphs) -> list[Row]:
    """List the levels of every criterion, and below a column break the totals and the groups of trials."""
    class_state, report = snapshot.class_state, snapshot.report
    groups = _group_rows(class_state, report, glyphs) if report and report.groups else []
    return [*_criterion_rows(class_state, glyphs), COLUMN_BREAK, *_total_rows(class_state, glyphs), *groups]


def _criterion_rows(class_state: ClassState, glyphs: Glyphs) -> list[Row]:
    """List each criterion's levels as bars, the highest first."""
    rows: list[Row] = []
    labels = [_level_label(level) for criterion in class_state.rubric.criteria for level in criterion.levels]
    label_width = max(map(cell_len, labels), default=0)
    for criterion in class_state.rubric.criteria:
        levels = {row_state.row_id: row_state.level_of(criterion.id) for row_state in class_state.judged_rows}
        scores = [score for score in levels.values() if score is not None]
        mean = f"mean {sum(scores) / len(scores):.1f} of {format_number(criterion.max_score)}" if scores else ""
        rows.append(heading_row(criterion.id, criterion.label, mean, role="bold ash", gap_above=bool(rows)))
        section = _BarSection(glyphs, len(scores), label_width)
        for level in reversed(criterion.levels_with(scores)):
            row_ids = [row_id for row_id, score in levels.items() if score == level.score]
            key, title = f"{criterion.id} {format_number(level.score)}", f"{criterion.label}: {level.label}"
            role = "steel" if level.score == criterion.min_score else "molten"
            rows.append(section.bar_row(key, _level_label(level), title, row_ids, role, len(row_ids)))
    return rows


def _total_rows(class_state: ClassState, glyphs: Glyphs) -> list[Row]:
    """List the number of rows at each total, with the pass line among them."""
    rubric, judged_rows = class_state.rubric, class_state.judged_rows
    counts = Counter(row_state.total for row_state in judged_rows)
    maximum, threshold = rubric.max_score, rubric.overall.pass_threshold
    lists_all_totals = float(maximum).is_integer() and 0 < maximum <= _MAX_LISTED_TOTALS
    totals = {*counts, *(map(float, range(int(maximum) + 1)) if lists_all_totals else ())}
    passed = sum(bool(row_state.result and row_state.result.passed) for row_state in judged_rows)
    passed_text = f"{passed} of {len(judged_rows)} pass" if judged_rows else ""
    section = _BarSection(glyphs, len(judged_rows), label_width=6)

    def total_row(total: float) -> TabRow:
        row_ids = [row_state.row_id for row_state in judged_rows if row_state.total == total]
        score, role = format_number(total), "molten" if total >= threshold else "steel"
        title = f"{score} of {format_number(maximum)}"
        return section.bar_row(f"total {score}", f"{score:>4}", title, row_ids, role, counts[total])

    above = [total_row(total) for total in sorted(totals, reverse=True) if total >= threshold]
    below = [total_row(total) for total in sorted(totals, reverse=True) if total < threshold]
    pass_line = Row("pass line", lambda width: (_pass_line(threshold, width, glyphs),), is_static=True)
    heading = heading_row("total", "Totals", passed_text, role="bold ash")
    return [heading, *above, *([pass_line] if below else []), *below]


def _group_rows(class_state: ClassState, report: ClassReport, glyphs: Glyphs) -> list[Row]:
    """List the number of submissions that fail a trial of each group."""
    rows = [heading_row("group", "Failed trials", "submissions", role="bold ash", gap_above=True)]
    labels = [clean_line(group.group).replace("_", " ") for group in report.groups]
    section = _BarSection(glyphs, len(class_state.judged_rows), 2 + max(map(cell_len, labels)))
    for group, label in zip(report.groups, labels, strict=True):
        clusters = [
            cluster
            for cluster in (*report.clusters, *report.singletons)
            if any(trial.group == group.group for trial in cluster.trials)
        ]
        row_ids = [row_id for cluster in clusters for row_id in cluster.members]
        key, title = f"group {group.group}", f"fails {label}"
        rows.append(section.bar_row(key, f"  {label}", title, row_ids, "blood", group.hand_ins))
    return rows


def _level_label(level: Level) -> str:
    return f"{format_number(level.score):>3}  {clean_line(level.label)}"


def bar_text(share: float, width: int, glyphs: Glyphs) -> str:
    """Draw a bar as long as a share of the width; a share above 0 is always visible."""
    return glyphs.bar * max(int(share * width + 0.5), 1 if share > 0 else 0)


def _pass_line(threshold: float, width: int, glyphs: Glyphs) -> Line:
    label = f" pass at {format_number(threshold)} "
    return (("      " + glyphs.rule * max(0, width - len(label) - 8), "rule"), (label, "verdigris"))


_VERDICT_CELLS, _SCORE_CELLS, _CHANGE_CELLS = 11, 8, 6
_MIN_LEVEL_CELLS, _MAX_LEVEL_CELLS = 6, 15
_MIN_NAME_CELLS, _MAX_NAME_CELLS = 14, 30
_MIN_REMARK_CELLS = 24


class Columns:
    """The table's columns; their widths fill a given total width.

    Args:
        snapshot: The rows to show; the criteria of their rubric become columns.
        width: The total width.
    """

    def __init__(self, snapshot: ClassSnapshot, width: int) -> None:
        self._order = snapshot.row_filter.order
        titles = (clean_line(row_state.title) for row_state in snapshot.row_states)
        criteria = snapshot.class_state.rubric.criteria
        free_width = width - 2 - _VERDICT_CELLS - _SCORE_CELLS - _CHANGE_CELLS
        level_width = (free_width - _MIN_NAME_CELLS) // max(1, len(criteria))
        self._level = max(_MIN_LEVEL_CELLS, min(_MAX_LEVEL_CELLS, level_width))
        self._criteria = criteria[: max(0, (free_width - _MIN_NAME_CELLS) // self._level)]
        free_width -= self._level * len(self._criteria)
        longest = max(map(cell_len, titles), default=0)
        self._name = max(_MIN_NAME_CELLS, min(_MAX_NAME_CELLS, free_width, longest + 2))
        free_width -= self._name
        self._remark = free_width if free_width >= _MIN_REMARK_CELLS else 0

    def head(self) -> Line:
        """The column headings; the sorted column is bright."""

        def heading(text: str, *orders: str) -> Run:
            return text, "bold ash" if self._order in orders else "dim"

        labels = [fit(first_words(criterion.label, self._level - 1), self._level - 1) for criterion in self._criteria]
        return (
            ("  ", "dim"),
            heading(fit("name", self._name), "name"),
            heading(fit("verdict", _VERDICT_CELLS)),
            heading(f"{'total':>{_SCORE_CELLS - 2}}  ", "best first", "worst first"),
            *(heading(f"{label} ", criterion.id) for criterion, label in zip(self._criteria, labels, strict=True)),
            heading(fit("since", _CHANGE_CELLS)),
        )

    def line(self, row_state: RowState, glyphs: Glyphs) -> Line:
        """Draw a row of the class as one line of cells."""
        row, result = row_state.row, row_state.result
        status = row_state.status
        line: list[Run] = [
            (f"{status_glyph(status, glyphs)} ", f"bold {status_role(status)}"),
            (fit(clean_line(row_state.title), self._name - 1, glyphs.ellipsis) + " ", "ash" if row else "dim"),
            (fit(status_word(status), _VERDICT_CELLS), status_role(status)),
        ]
        if row is not None and result is None:
            reason_width = _SCORE_CELLS + self._level * len(self._criteria) + _CHANGE_CELLS + self._remark
            return (*line, (fit(clean_line(row_state.reason), reason_width, glyphs.ellipsis), "dim"))
        total = format_number(row_state.total) if result or row_state.scores else ""
        line.append((f"{total:>{_SCORE_CELLS - 2}}  ", "bold ash" if result else "molten"))
        line += [self._level_cell(row_state, criterion, glyphs) for criterion in self._criteria]
        return (*line, _change_cell(row_state), (fit(_remark(row_state), self._remark, glyphs.ellipsis), "dim"))

    def _level_cell(self, row_state: RowState, criterion: Criterion, glyphs: Glyphs) -> Run:
        score = row_state.level_of(criterion.id)
        if score is None:
            return " " * self._level, "faint"
        cell = glyphs.pips(score, criterion.max_score)
        if self._level >= _MIN_LEVEL_CELLS + 3:
            cell += f" {format_number(score)}"
        cell += glyphs.diamond if criterion.id in row_state.overridden_ids else ""
        role = "molten" if score >= criterion.max_score else "ash" if score > criterion.min_score else "steel"
        return fit(cell, self._level - 1) + " ", role


def table_rows(snapshot: ClassSnapshot, glyphs: Glyphs) -> list[Row]:
    """List every row of the class as a line of cells."""
    columns_of_width = cache(partial(Columns, snapshot))

    def table_row(row_state: RowState) -> TabRow:
        return TabRow(
            row_state.row_id,
            lambda width: (columns_of_width(width).line(row_state, glyphs),),
            shut=not row_state.attempt_id,
            selected_ids=(row_state.row_id,),
        )

    return [*map(table_row, snapshot.row_states)] or [message_row("Nobody matches.")]


def _change_cell(row_state: RowState) -> Run:
    """The change of the score since the previous attempt, and a mark for a row that a person should look at."""
    row = row_state.row
    flag = "!" if row and row.flags else ""
    if row is None or not row.has_changed or row.earlier is None or row.judged is None:
        return fit(flag, _CHANGE_CELLS), "bold blood"
    change = row.judged.score_total - row.earlier.score_total
    role = "verdigris" if change > 0 else "blood" if change < 0 else "dim"
    return fit(f"{format_signed(change)}{flag}", _CHANGE_CELLS), role


def _remark(row_state: RowState) -> str:
    """The text of the last column: what deserves attention."""
    row = row_state.row
    if row is None:
        done, planned = row_state.trials
        return f"{done} of {planned} trials" if row_state.is_judging and planned else ""
    parts = list(map(clean_line, row.flags))
    if row_state.overridden_ids and row.judged:
        parts.insert(0, f"judged {format_number(row.judged.score_total)}")
    if not parts and row.fresh and row.seconds:
        parts = [f"{row.seconds:.1f} s"]
    return "; ".join(parts)
