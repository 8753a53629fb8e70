"""Findings about a class as lines: who fails alike, who moved and why, and what deserves attention."""

from collections.abc import Callable, Iterable, Sequence

from rich.cells import cell_len
from textual.content import Content

from evalforge.app.classroom.class_state import ClassState, RowState
from evalforge.app.classroom.row_status import brief
from evalforge.app.ui.text.formatting import VERDICT_WORDS, plural
from evalforge.app.ui.text.markup import spans
from evalforge.app.ui.text.styled_text import Run, styled
from evalforge.app.ui.theme.glyphs import Glyphs
from evalforge.app.ui.widgets.inline_code import mark_code, wrap_runs
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import fit
from evalforge.app.ui.widgets.row_list import Row
from evalforge.classroom.class_row import NOT_ON_ROSTER, ClassRow
from evalforge.classroom.failure_clusters import Cluster
from evalforge.classroom.lookalikes import LookalikePair
from evalforge.classroom.report import ClassReport
from evalforge.model.number_format import format_number, format_percent, format_signed
from evalforge.model.text import clean_line

_CAUSES = {
    "submission": "the submission changed",
    "rubric": "the rubric changed",
    "evidence rules": "the evidence rules changed",
    "trials": "the trials changed",
    "judge": "another judge",
    "interpreter": "another interpreter",
}
_NAME = 26
FOLDER = "Contents of the folder"
MOVED, SET, LOOK, UNSCORED = "Changes", "Set by a person", "To look at", "Without a score"
RowDescription = Callable[[ClassRow, int], Sequence[Line]]
"""Describes a row in lines of a given width."""


def title_of(class_state: ClassState, row_id: str) -> str:
    """The displayed name of a row, safe to show."""
    row_state = class_state.row_states.get(row_id)
    return clean_line(row_state.title if row_state else row_id)


def title_of_rows(rows: Sequence[ClassRow]) -> str:
    """The name of a single row, or the number of rows in a cluster."""
    return clean_line(rows[0].title) if len(rows) == 1 else f"{len(rows)} submissions that fail alike"


def stuck_rows(report: ClassReport, class_state: ClassState, glyphs: Glyphs) -> list[Row]:
    """Clusters, the largest first; then submissions that fail like no other."""
    rows = [_cluster_row(cluster, f"{len(cluster.members):>3}  ", cluster.title) for cluster in report.clusters]
    if not rows:
        rows = [message_row("none", "No two submissions fail in the same way.")]
    if report.singletons:
        rows.append(heading_row("alone", f"Failing in their own way ({len(report.singletons)})", gap_above=True))
    for singleton in report.singletons:
        rows.append(
            _cluster_row(
                singleton, f"  {glyphs.dot}  ", f"{title_of(class_state, singleton.members[0])}: {singleton.title}"
            )
        )
    return rows


def _cluster_row(one: Cluster, head: str, title: str) -> Row:
    def build(width: int) -> Sequence[Line]:
        lines = wrap_runs(mark_code(title, "ash"), max(8, width - len(head)), 2)
        return [((" " * len(head) if at else head, "bold molten"), *line) for at, line in enumerate(lines)]

    return Row(one.cluster_id, build)


def cluster_text(one: Cluster, class_state: ClassState) -> Content:
    """The members of a cluster, and the trials and conditions they share."""
    parts: list[Run] = [*spans(clean_line(one.title), "bold ash"), ("\n", "")]
    names = ", ".join(title_of(class_state, row_id) for row_id in one.members)
    parts += [(f"{plural(len(one.members), 'submission')}  ", "molten"), (f"{names}\n", "dim")]
    if one.trials:
        parts.append((f"\nThe trials they fail ({len(one.trials)})\n", "bold steel"))
    for trial in one.trials:
        group = clean_line(trial.group).replace("_", " ")
        parts += [("  · ", "blood"), *spans(clean_line(trial.title or trial.id), "ash")]
        parts.append((f"  {group}\n", "faint"))
    if one.conditions:
        parts.append(("\nWhat keeps them from the next level\n", "bold steel"))
    for condition in one.conditions:
        parts += [("  · ", "dim"), *spans(clean_line(condition.words), "ash")]
        parts.append((f"  {clean_line(class_state.rubric.labels.get(condition.criterion_id, ''))}\n", "faint"))
    return styled(*parts)


def pair_rows(report: ClassReport, class_state: ClassState) -> list[Row]:
    """Pairs to look at, the most similar first."""
    titles = [title_of(class_state, row_id) for pair in report.lookalikes for row_id in (pair.row_id, pair.other_id)]
    longest = max(map(cell_len, titles), default=0)
    rows = [_pair_row(index, pair, class_state, longest) for index, pair in enumerate(report.lookalikes)]
    more = report.lookalikes_in_all - len(rows)
    if more > 0:
        rows.append(message_row("more", f"and {more:,} more that are less alike"))
    return rows or [message_row("none", "No two submissions look alike.")]


def _pair_row(index: int, pair: LookalikePair, class_state: ClassState, longest: int) -> Row:
    def build(width: int) -> Sequence[Line]:
        lines = sum(stretch.last - stretch.first + 1 for stretch in pair.stretches)
        end = plural(lines, "line")
        names = max(8, min(longest, (width - 8 - 5 - len(end) - 4) // 2))
        one, other = (fit(title_of(class_state, row_id), names) for row_id in (pair.row_id, pair.other_id))
        share = format_percent(pair.similarity)
        return [
            ((f"{share:>6}  ", "bold molten"), (one, "ash"), (" and ", "faint"), (other, "ash"), (f"  {end}", "dim"))
        ]

    return Row(str(index), build)


def moved_rows(class_state: ClassState, glyphs: Glyphs) -> list[Row]:
    """Changes since the previous attempt and why; overridden levels; rows to look at; rows without a score."""
    settled = [row_state.row for row_state in class_state.row_states.values() if row_state.row]
    set_by_hand = [row for row in settled if row.revised and row.revised.overrides]
    unscored = [row for row in settled if row.result is None]
    parts: tuple[tuple[str, list[ClassRow], RowDescription], ...] = (
        (MOVED, [row for row in settled if row.has_changed], lambda row, _: _change_lines(row, glyphs)),
        (SET, set_by_hand, lambda row, _: _override_lines(row, class_state)),
        (LOOK, [row for row in settled if _flags(row)], _flag_lines),
        (UNSCORED, unscored, lambda row, width: _unscored_lines(row, class_state, width)),
    )
    rows: list[Row] = []
    for title, class_rows, describe in parts:
        if class_rows:
            rows.append(heading_row(title, f"{title} ({len(class_rows)})", gap_above=bool(rows)))
            longest = max(cell_len(clean_line(row.title)) for row in class_rows)
            rows += [_row_about(title, row, describe, longest) for row in class_rows]
    rows = rows or [message_row("none", "Nobody's score changed, no level was set by hand, and everybody has a score.")]
    return [*rows, *_account_rows(class_state)]


def _flags(row: ClassRow) -> list[str]:
    """The flags of a row, except being off the roster, which is reported once for the whole class."""
    return [flag for flag in row.flags if flag != NOT_ON_ROSTER]


def _flag_lines(row: ClassRow, width: int) -> list[Line]:
    return _wrapped_lines("", ", ".join(_flags(row)), width)


def _account_rows(class_state: ClassState) -> list[Row]:
    """The contents of the folder, what isn't used, and what the roster says."""
    if not class_state.account.entries:
        return []

    def line(sentence: str) -> Callable[[int], Sequence[Line]]:
        return lambda width: _wrapped_lines("", sentence, width)

    sentences = [clean_line(sentence) for sentence in class_state.account.sentences]
    rows = [Row(f"account {index}", line(sentence), is_static=True) for index, sentence in enumerate(sentences)]
    return [heading_row(FOLDER, FOLDER, gap_above=True), *rows]


def row_of(key: str) -> str:
    """The row id that a line of ``moved_rows`` is about; empty if none."""
    return next((key.removeprefix(f"{one} ") for one in (MOVED, SET, LOOK, UNSCORED) if key.startswith(f"{one} ")), "")


def _row_about(section: str, row: ClassRow, describe: RowDescription, longest: int) -> Row:
    def build(width: int) -> Sequence[Line]:
        name = fit(clean_line(row.title), min(_NAME, longest, width // 3)) + "  "
        text_width = max(10, width - cell_len(name))
        lines = [tuple(_cut_line(line, text_width)) for line in describe(row, text_width)]
        return [((name if not index else " " * cell_len(name), "ash"), *line) for index, line in enumerate(lines)]

    return Row(f"{section} {row.row_id}", build, shut=not row.attempt_id)


def _cut_line(line: Line, width: int) -> Iterable[Run]:
    for text, role in line:
        size = cell_len(text)
        yield (text if size <= width else fit(text, width)), role
        width -= min(size, width)


def _wrapped_lines(head: str, text: str, width: int) -> list[Line]:
    lines = wrap_runs(mark_code(text, "ash"), max(8, width - cell_len(head)), 3)
    return [((" " * cell_len(head) if at else head, "bold blood"), *line) for at, line in enumerate(lines)]


def _unscored_lines(row: ClassRow, class_state: ClassState, width: int) -> list[Line]:
    return _wrapped_lines(fit(row.outcome.value, 10), class_state.row_states[row.row_id].reason, width)


def _change_lines(row: ClassRow, glyphs: Glyphs) -> list[Line]:
    before, now = row.earlier, row.judged
    if before is None or now is None:
        return []
    change = now.score_total - before.score_total
    role = "verdigris" if change > 0 else "blood" if change < 0 else "dim"
    words = [VERDICT_WORDS.get(one, one) for one in (before.verdict, now.verdict.value)]
    verdicts = words[1] if words[0] == words[1] else f"{words[0]} {glyphs.arrow} {words[1]}"
    why = ", ".join(_CAUSES.get(cause, cause) for cause in before.causes) or "judged again, as asked"
    old_score, new_score, highest = map(format_number, (before.score_total, now.score_total, now.score_max))
    scores = f"{old_score} {glyphs.arrow} {new_score} of {highest}"
    line: Line = ((f"{format_signed(change):>4}", f"bold {role}"), (f"  {scores:<12}", "ash"))
    return [(*line, (f"  {verdicts:<21}", "dim"), (f"  {why}", "ash"))]


def _override_lines(row: ClassRow, class_state: ClassState) -> list[Line]:
    labels = class_state.rubric.labels
    judged_scores = {criterion.id: criterion.score for criterion in row.judged.criteria} if row.judged else {}
    lines: list[Line] = []
    for one in row.revised.overrides if row.revised else ():
        label = clean_line(labels.get(one.criterion_id, one.criterion_id))
        change = (
            "taken back"
            if one.score is None
            else f"{format_number(judged_scores.get(one.criterion_id, 0))} to {format_number(one.score)}"
        )
        carried_note = "  (set on the previous attempt)" if one.carried_from else ""
        reason = f"  {clean_line(one.reason)}{carried_note}"
        lines.append(((f"{label}: ", "dim"), (change, "bold molten"), (reason, "ash")))
    return lines


def heading_row(key: str, title: str, *, gap_above: bool = False) -> Row:
    """The heading of a section; ``gap_above`` puts a blank line above it."""
    line: Line = ((title, "bold steel"),)
    return Row(f"head {key}", lambda _: [(), line] if gap_above else [line], is_static=True)


def message_row(key: str, message: str) -> Row:
    """A sentence instead of a list."""
    return Row(key, lambda width: [((fit(message, width).rstrip(), "dim"),)], is_static=True)


def levels_of(row_state: RowState, class_state: ClassState) -> str:
    """A row's levels in all criteria, in one line."""
    result = row_state.result
    if result is None:
        return ""
    labels = class_state.rubric.labels
    return ", ".join(
        f"{brief(labels[each.id], 14) if each.id in labels else each.id} {format_number(each.score)}"
        for each in result.criteria
    )


def summary(row_state: RowState) -> str:
    """A row in one line: its score and what deserves attention."""
    row, result = row_state.row, row_state.result
    if row is None:
        return "is being judged" if row_state.judging else "waits its turn"
    if result is None:
        return clean_line(f"{row.outcome.value}: {row_state.reason}")
    parts = [
        f"{format_number(result.score_total)} of {format_number(result.score_max)}",
        VERDICT_WORDS[result.verdict.value],
    ]
    if row.has_changed and row.earlier:
        parts.append(f"{format_signed(result.score_total - row.earlier.score_total)} since last time")
    if row.revised and row.revised.in_force and row.judged:
        parts.append(f"judged {format_number(row.judged.score_total)}, set by a person")
    if not row.fresh:
        parts.append("unchanged")
    return ", ".join([*parts, *map(clean_line, row.flags)])
