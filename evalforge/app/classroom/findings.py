"""What is found in a class as a whole, as lines: who is stuck on the same, who moved and why, what to look at."""

from collections.abc import Callable, Iterable, Sequence

from rich.cells import cell_len
from textual.content import Content

from evalforge.app.classroom.class_state import ClassState, RowState
from evalforge.app.classroom.row_status import brief
from evalforge.app.ui.text.formatting import VERDICT_WORDS, plural
from evalforge.app.ui.text.markup import spans
from evalforge.app.ui.theme.glyphs import Glyphs
from evalforge.app.ui.widgets.inline_code import mark_code, wrap_runs
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import fit
from evalforge.app.ui.widgets.row_list import Row
from evalforge.classroom.class_row import ClassRow
from evalforge.classroom.failure_clusters import Cluster
from evalforge.classroom.lookalikes import LookalikePair
from evalforge.classroom.report import ClassReport
from evalforge.model.number_format import format_number, format_percent, format_signed
from evalforge.model.text import clean_line

_CAUSES = {
    "submission": "the hand-in changed",
    "rubric": "the rubric changed",
    "evidence rules": "the evidence rules changed",
    "trials": "the trials changed",
    "judge": "another judge",
    "interpreter": "another interpreter",
}
_NAME = 26
MOVED, SET, LOOK, UNSCORED = "Who moved", "Set by a person", "To look at", "Without a score"
Tell = Callable[[ClassRow, int], Sequence[Line]]
"""What is said of a row, for a width."""


def title_of(room: ClassState, row_id: str) -> str:
    """What a row is called, safe to show."""
    place = room.places.get(row_id)
    return clean_line(place.title if place else row_id)


def stuck_rows(report: ClassReport, room: ClassState, glyphs: Glyphs) -> list[Row]:
    """Clusters, the largest first; then those who fail like nobody else."""
    rows = [_cluster(one, f"{len(one.members):>3}  ", one.title) for one in report.clusters]
    if not rows:
        rows = [said_row("none", "Nobody fails in the same way as somebody else.")]
    if report.singletons:
        rows.append(heading_row("alone", f"Alone in how they fail ({len(report.singletons)})", apart=True))
    for one in report.singletons:
        rows.append(_cluster(one, f"  {glyphs.dot}  ", f"{title_of(room, one.members[0])}: {one.title}"))
    return rows


def _cluster(one: Cluster, head: str, words: str) -> Row:
    def build(width: int) -> Sequence[Line]:
        lines = wrap_runs(mark_code(words, "ash"), max(8, width - len(head)), 2)
        return [((" " * len(head) if at else head, "bold molten"), *line) for at, line in enumerate(lines)]

    return Row(one.cluster_id, build)


def cluster_text(one: Cluster, room: ClassState) -> Content:
    """Who is in a cluster, and the trials and conditions they share."""
    parts: list[tuple[str, str]] = [*spans(clean_line(one.title), "bold $ash"), ("\n", "")]
    names = ", ".join(title_of(room, row_id) for row_id in one.members)
    parts += [(f"{plural(len(one.members), 'hand-in')}  ", "$molten"), (f"{names}\n", "$dim")]
    if one.trials:
        parts.append((f"\nThe trials they fail ({len(one.trials)})\n", "bold $steel"))
    for trial in one.trials:
        group = clean_line(trial.group).replace("_", " ")
        parts += [("  · ", "$blood"), *spans(clean_line(trial.title or trial.id), "$ash")]
        parts.append((f"  {group}\n", "$faint"))
    if one.conditions:
        parts.append(("\nWhat keeps them from the next level\n", "bold $steel"))
    for condition in one.conditions:
        parts += [("  · ", "$dim"), *spans(clean_line(condition.words), "$ash")]
        parts.append((f"  {clean_line(room.rubric.labels.get(condition.criterion_id, ''))}\n", "$faint"))
    return Content.assemble(*parts)


def pair_rows(report: ClassReport, room: ClassState) -> list[Row]:
    """Pairs to look at, the most similar first."""
    shown = [title_of(room, row_id) for pair in report.lookalikes for row_id in (pair.row_id, pair.other_id)]
    longest = max(map(cell_len, shown), default=0)
    rows = [_pair(index, pair, room, longest) for index, pair in enumerate(report.lookalikes)]
    more = report.lookalikes_in_all - len(rows)
    if more > 0:
        rows.append(said_row("more", f"and {more:,} more that are less alike"))
    return rows or [said_row("none", "No two hand-ins look alike.")]


def _pair(index: int, pair: LookalikePair, room: ClassState, longest: int) -> Row:
    def build(width: int) -> Sequence[Line]:
        lines = sum(stretch.last - stretch.first + 1 for stretch in pair.stretches)
        end = plural(lines, "line")
        names = max(8, min(longest, (width - 8 - 5 - len(end) - 4) // 2))
        one, other = (fit(title_of(room, row_id), names) for row_id in (pair.row_id, pair.other_id))
        share = format_percent(pair.similarity)
        return [
            ((f"{share:>6}  ", "bold molten"), (one, "ash"), (" and ", "faint"), (other, "ash"), (f"  {end}", "dim"))
        ]

    return Row(str(index), build)


def moved_rows(room: ClassState, glyphs: Glyphs) -> list[Row]:
    """Who moved since the attempt before and why; whose level a person set; what to look at; who has no score."""
    settled = [place.row for place in room.places.values() if place.row]
    parts: tuple[tuple[str, list[ClassRow], Tell], ...] = (
        (MOVED, [row for row in settled if row.has_changed], lambda row, _: _move(row, glyphs)),
        (SET, [row for row in settled if row.revised and row.revised.overrides], lambda row, _: _set(row, room)),
        (LOOK, [row for row in settled if row.flags], lambda row, width: _wrapped("", ", ".join(row.flags), width)),
        (UNSCORED, [row for row in settled if row.result is None], lambda row, width: _unscored(row, room, width)),
    )
    rows: list[Row] = []
    for title, places, tell in parts:
        if places:
            rows.append(heading_row(title, f"{title} ({len(places)})", apart=bool(rows)))
            longest = max(cell_len(clean_line(row.title)) for row in places)
            rows += [_about(title, row, tell, longest) for row in places]
    return rows or [said_row("none", "Nobody moved, nobody's level was set by hand, and everybody has a score.")]


def row_of(key: str) -> str:
    """Which hand-in a line of ``moved_rows`` is about; empty if none."""
    return next((key.removeprefix(f"{one} ") for one in (MOVED, SET, LOOK, UNSCORED) if key.startswith(f"{one} ")), "")


def _about(section: str, row: ClassRow, tell: Tell, longest: int) -> Row:
    def build(width: int) -> Sequence[Line]:
        name = fit(clean_line(row.title), min(_NAME, longest, width // 3)) + "  "
        room = max(10, width - cell_len(name))
        lines = [tuple(_cut(line, room)) for line in tell(row, room)]
        return [((name if not index else " " * cell_len(name), "ash"), *line) for index, line in enumerate(lines)]

    return Row(f"{section} {row.row_id}", build, shut=not row.attempt_id)


def _cut(line: Line, room: int) -> Iterable[tuple[str, str]]:
    for text, role in line:
        size = cell_len(text)
        yield (text if size <= room else fit(text, room)), role
        room -= min(size, room)


def _wrapped(head: str, words: str, width: int) -> list[Line]:
    lines = wrap_runs(mark_code(words, "ash"), max(8, width - cell_len(head)), 3)
    return [((" " * cell_len(head) if at else head, "bold blood"), *line) for at, line in enumerate(lines)]


def _unscored(row: ClassRow, room: ClassState, width: int) -> list[Line]:
    return _wrapped(fit(row.outcome.value, 10), room.places[row.row_id].reason, width)


def _move(row: ClassRow, glyphs: Glyphs) -> list[Line]:
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


def _set(row: ClassRow, room: ClassState) -> list[Line]:
    labels = room.rubric.labels
    judged = {one.id: one.score for one in row.judged.criteria} if row.judged else {}
    lines: list[Line] = []
    for one in row.revised.overrides if row.revised else ():
        label = clean_line(labels.get(one.criterion_id, one.criterion_id))
        change = (
            "taken back"
            if one.score is None
            else f"{format_number(judged.get(one.criterion_id, 0))} to {format_number(one.score)}"
        )
        again = "  (said of the attempt before)" if one.carried_from else ""
        reason = f"  {clean_line(one.reason)}{again}"
        lines.append(((f"{label}: ", "dim"), (change, "bold molten"), (reason, "ash")))
    return lines


def heading_row(key: str, words: str, *, apart: bool = False) -> Row:
    """The heading of a section; ``apart`` puts a line of air above it."""
    line: Line = ((words, "bold steel"),)
    return Row(f"head {key}", lambda _: [(), line] if apart else [line], still=True)


def said_row(key: str, words: str) -> Row:
    """A sentence instead of a list."""
    return Row(key, lambda width: [((fit(words, width).rstrip(), "dim"),)], still=True)


def levels_of(place: RowState, room: ClassState) -> str:
    """A row's level in each criterion, in a line."""
    result = place.result
    if result is None:
        return ""
    labels = room.rubric.labels
    return ", ".join(
        f"{brief(labels[one.id], 14) if one.id in labels else one.id} {format_number(one.score)}"
        for one in result.criteria
    )


def summary(place: RowState) -> str:
    """A row in a line: what it stands at and what a person should know."""
    row, result = place.row, place.result
    if row is None:
        return "is being judged" if place.judging else "waits its turn"
    if result is None:
        return clean_line(f"{row.outcome.value}: {place.reason}")
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
