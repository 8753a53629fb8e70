"""The rows of a class's tabs: what they share, changes and what to look at, and submissions that fail alike."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual.content import Content

from evalforge.app.classroom.class_state import ClassState, RowFilter, RowState
from evalforge.app.ui.text.formatting import VERDICT_WORDS, plural
from evalforge.app.ui.text.markup import spans
from evalforge.app.ui.text.styled_text import Run, styled
from evalforge.app.ui.theme.glyphs import Glyphs
from evalforge.app.ui.widgets.inline_code import fit_runs, mark_code, wrap_runs
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import fit
from evalforge.app.ui.widgets.row_list import Row, message_row
from evalforge.classroom.class_row import NOT_ON_ROSTER, ClassRow
from evalforge.classroom.failure_clusters import Cluster
from evalforge.classroom.report import ClassReport
from evalforge.model.number_format import format_number, format_signed
from evalforge.model.text import clean_line

_MIN_TEXT_CELLS = 8


@dataclass(frozen=True)
class ClassSnapshot:
    """The data to show now. ``report`` is None until every row is settled; ``why_not`` says what it waits for."""

    class_state: ClassState
    row_states: Sequence[RowState]
    row_filter: RowFilter
    report: ClassReport | None = None
    why_not: str = ""


@dataclass(frozen=True)
class TabRow(Row):
    """A row of a tab, and the submissions that it is about.

    Attributes:
        selected_ids: The submissions that a level or a comment would apply to; enter opens the first one.
        listed_ids: The submissions that enter lists in the table instead; empty if it opens one.
        filter_title: What the listed submissions have in common.
        details: Describes the row in full.
    """

    selected_ids: tuple[str, ...] = ()
    listed_ids: frozenset[str] = frozenset()
    filter_title: str = ""
    details: Callable[[], Content] = Content


def heading_row(key: str, title: str, note: str = "", *, role: str = "bold steel", gap_above: bool = False) -> Row:
    """The heading of a section, with a note at its right end; ``gap_above`` puts a blank line above it."""

    def build(width: int) -> Sequence[Line]:
        title_width = max(1, width - cell_len(note) - 1)
        line: Line = ((f"{fit(clean_line(title), title_width)} ", role), (note, "dim"))
        return [(), line] if gap_above else [line]

    return Row(f"head {key}", build, is_static=True)


def hanging_lines(head: str, text: str, width: int, max_lines: int, head_role: str = "bold molten") -> list[Line]:
    """Wrap a text next to its head; code in it is marked."""
    lines = wrap_runs(mark_code(text, "ash"), max(_MIN_TEXT_CELLS, width - cell_len(head)), max_lines)
    return [((" " * cell_len(head) if index else head, head_role), *line) for index, line in enumerate(lines)]


# Changes since the previous attempt and why; overridden levels; rows to look at, and those without a score.

_CAUSES = {
    "submission": "the submission changed",
    "rubric": "the rubric changed",
    "evidence rules": "the evidence rules changed",
    "trials": "the trials changed",
    "judge": "another judge",
    "interpreter": "another interpreter",
}
_MAX_NAME_CELLS = 26
_OUTCOME_CELLS = 10
_MAX_LINES = 3
FOLDER = "Contents of the folder"
RowDescription = Callable[[ClassRow, int], Sequence[Line]]
"""Describes a row in lines of a given width."""


def change_rows(snapshot: ClassSnapshot, glyphs: Glyphs) -> list[Row]:
    """List the rows of each section, then what the folder of the class contains."""
    class_state = snapshot.class_state
    settled = [row_state.row for row_state in class_state.row_states.values() if row_state.row]
    overridden = [row for row in settled if row.revised and row.revised.overrides]
    flagged = [row for row in settled if _flags(row)]
    unscored = [row for row in settled if row.result is None]
    sections: tuple[tuple[str, list[ClassRow], RowDescription], ...] = (
        ("Changes", [row for row in settled if row.has_changed], lambda row, _: _change_lines(row, glyphs)),
        ("Set by a person", overridden, lambda row, _: _override_lines(row, class_state)),
        ("To look at", flagged, lambda row, width: hanging_lines("", ", ".join(_flags(row)), width, _MAX_LINES)),
        ("Without a score", unscored, lambda row, width: _unscored_lines(row, class_state, width)),
    )
    rows: list[Row] = []
    for title, class_rows, describe in sections:
        if class_rows:
            rows.append(heading_row(title, f"{title} ({len(class_rows)})", gap_above=bool(rows)))
            longest = max(cell_len(clean_line(row.title)) for row in class_rows)
            rows += [_row_about(title, row, describe, longest) for row in class_rows]
    rows = rows or [message_row("Nobody's score changed, no level was set by hand, and everybody has a score.")]
    return [*rows, *_folder_rows(class_state)]


def _flags(row: ClassRow) -> list[str]:
    """The flags of a row, except being off the roster, which is reported once for the whole class."""
    return [flag for flag in row.flags if flag != NOT_ON_ROSTER]


def _folder_rows(class_state: ClassState) -> list[Row]:
    """The contents of the folder, what isn't used, and what the roster says."""
    if not class_state.account.entries:
        return []

    def sentence_row(sentence: str) -> Row:
        return Row("sentence", lambda width: hanging_lines("", sentence, width, _MAX_LINES), is_static=True)

    return [heading_row(FOLDER, FOLDER, gap_above=True), *map(sentence_row, class_state.account.sentences)]


def _row_about(section: str, row: ClassRow, describe: RowDescription, longest: int) -> TabRow:
    def build(width: int) -> Sequence[Line]:
        name = fit(clean_line(row.title), min(_MAX_NAME_CELLS, longest, width // 3)) + "  "
        text_width = max(10, width - cell_len(name))
        lines = [fit_runs(line, text_width) for line in describe(row, text_width)]
        return [((name if not index else " " * cell_len(name), "ash"), *line) for index, line in enumerate(lines)]

    return TabRow(f"{section} {row.row_id}", build, shut=not row.attempt_id, selected_ids=(row.row_id,))


def _unscored_lines(row: ClassRow, class_state: ClassState, width: int) -> list[Line]:
    head, reason = fit(row.outcome.value, _OUTCOME_CELLS), class_state.row_states[row.row_id].reason
    return hanging_lines(head, reason, width, _MAX_LINES, "bold blood")


def _change_lines(row: ClassRow, glyphs: Glyphs) -> list[Line]:
    before, now = row.earlier, row.judged
    if before is None or now is None:
        return []
    change = now.score_total - before.score_total
    role = "verdigris" if change > 0 else "blood" if change < 0 else "dim"
    old_verdict, new_verdict = (VERDICT_WORDS.get(verdict, verdict) for verdict in (before.verdict, now.verdict.value))
    verdicts = new_verdict if old_verdict == new_verdict else f"{old_verdict} {glyphs.arrow} {new_verdict}"
    why = ", ".join(_CAUSES.get(cause, cause) for cause in before.causes) or "judged again, as asked"
    old_score, new_score, highest = map(format_number, (before.score_total, now.score_total, now.score_max))
    scores = f"{old_score} {glyphs.arrow} {new_score} of {highest}"
    line: Line = ((f"{format_signed(change):>4}", f"bold {role}"), (f"  {scores:<12}", "ash"))
    return [(*line, (f"  {verdicts:<21}", "dim"), (f"  {why}", "ash"))]


def _override_lines(row: ClassRow, class_state: ClassState) -> list[Line]:
    labels = class_state.rubric.labels
    judged_scores = {criterion.id: criterion.score for criterion in row.judged.criteria} if row.judged else {}
    lines: list[Line] = []
    for override in row.revised.overrides if row.revised else ():
        label = clean_line(labels.get(override.criterion_id, override.criterion_id))
        judged_score = format_number(judged_scores.get(override.criterion_id, 0))
        change = "taken back" if override.score is None else f"{judged_score} to {format_number(override.score)}"
        carried_note = "  (set on the previous attempt)" if override.carried_from else ""
        reason = f"  {clean_line(override.reason)}{carried_note}"
        lines.append(((f"{label}: ", "dim"), (change, "bold molten"), (reason, "ash")))
    return lines


# Submissions that fail in the same way, the largest cluster first, and what each cluster shares.

_MAX_CLUSTER_LINES = 2


def cluster_rows(snapshot: ClassSnapshot, glyphs: Glyphs) -> list[Row]:
    """List the clusters; then submissions that fail like no other."""
    report, class_state = snapshot.report, snapshot.class_state
    if report is None:
        return [message_row(snapshot.why_not)]
    rows: list[Row] = [
        _cluster_row(cluster, f"{len(cluster.members):>3}  ", cluster.title, class_state) for cluster in report.clusters
    ] or [message_row("No two submissions fail in the same way.")]
    if report.singletons:
        rows.append(heading_row("singletons", f"Failing in their own way ({len(report.singletons)})", gap_above=True))
    for singleton in report.singletons:
        title = f"{class_state.title_of(singleton.members[0])}: {singleton.title}"
        rows.append(_cluster_row(singleton, f"  {glyphs.dot}  ", title, class_state))
    return rows


def _cluster_row(cluster: Cluster, head: str, title: str, class_state: ClassState) -> TabRow:
    return TabRow(
        cluster.cluster_id,
        lambda width: hanging_lines(head, title, width, _MAX_CLUSTER_LINES),
        selected_ids=cluster.members,
        listed_ids=frozenset(cluster.members if len(cluster.members) > 1 else ()),
        filter_title=cluster.title,
        details=lambda: _cluster_text(cluster, class_state),
    )


def _cluster_text(cluster: Cluster, class_state: ClassState) -> Content:
    """The members of a cluster, and the trials and conditions they share."""
    parts: list[Run] = [*spans(clean_line(cluster.title), "bold ash"), ("\n", "")]
    names = ", ".join(map(class_state.title_of, cluster.members))
    parts += [(f"{plural(len(cluster.members), 'submission')}  ", "molten"), (f"{names}\n", "dim")]
    if cluster.trials:
        parts.append((f"\nThe trials they fail ({len(cluster.trials)})\n", "bold steel"))
    for trial in cluster.trials:
        group = clean_line(trial.group).replace("_", " ")
        parts += [("  · ", "blood"), *spans(clean_line(trial.title or trial.id), "ash")]
        parts.append((f"  {group}\n", "faint"))
    if cluster.conditions:
        parts.append(("\nWhat keeps them from the next level\n", "bold steel"))
    for condition in cluster.conditions:
        parts += [("  · ", "dim"), *spans(clean_line(condition.words), "ash")]
        parts.append((f"  {clean_line(class_state.rubric.labels.get(condition.criterion_id, ''))}\n", "faint"))
    return styled(*parts)
