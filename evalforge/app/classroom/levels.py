"""The distribution of a class over levels, totals and trial groups; every line opens the rows behind it."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from rich.cells import cell_len

from evalforge.app.classroom.class_state import ClassState
from evalforge.app.classroom.tab_rows import ClassSnapshot, TabRow, heading_row
from evalforge.app.ui.theme.glyphs import Glyphs
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import fit
from evalforge.app.ui.widgets.row_list import Row
from evalforge.classroom.report import ClassReport
from evalforge.model.number_format import format_number, format_percent
from evalforge.model.rubric import Level
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
