"""Changes since the previous attempt and why; overridden levels; rows to look at, and those without a score."""

from collections.abc import Callable, Sequence

from rich.cells import cell_len

from evalforge.app.classroom.class_state import ClassState
from evalforge.app.classroom.tab_rows import ClassSnapshot, TabRow, hanging_lines, heading_row
from evalforge.app.ui.text.formatting import VERDICT_WORDS
from evalforge.app.ui.theme.glyphs import Glyphs
from evalforge.app.ui.widgets.inline_code import fit_runs
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import fit
from evalforge.app.ui.widgets.row_list import Row, message_row
from evalforge.classroom.class_row import NOT_ON_ROSTER, ClassRow
from evalforge.model.number_format import format_number, format_signed
from evalforge.model.text import clean_line

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
