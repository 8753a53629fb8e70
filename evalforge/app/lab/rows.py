"""The lab's lists: score changes by submission, and what to fix."""

from collections.abc import Sequence

from evalforge.app.lab.lab_text import Place, issue_lines, score_change_lines
from evalforge.app.ui.text.formatting import plural
from evalforge.app.ui.theme.glyphs import Glyphs
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import wrap
from evalforge.app.ui.widgets.row_list import Row
from evalforge.lab.draft import DraftPart, LabDraft
from evalforge.lab.lab_session import LabSession, ScoreChanges
from evalforge.lab.submissions import LabSubmission, SubmissionKind
from evalforge.model.text import clean_line
from evalforge.packs.issue import Issue


def score_change_rows(lab: LabSession, changes: ScoreChanges, place: Place, glyphs: Glyphs) -> list[Row]:
    """List the submissions: changed verdicts first, then changed levels, then unscored ones, then the rest."""

    def rank(source: LabSubmission) -> int:
        change = changes.by_submission.get(source.id)
        return 2 if change is None else 3 if change.is_unchanged else 0 if change.verdict_changed else 1

    return [_score_change_row(lab, source, changes, place, glyphs) for source in sorted(lab.sources, key=rank)]


def _score_change_row(
    lab: LabSession, source: LabSubmission, changes: ScoreChanges, place: Place, glyphs: Glyphs
) -> Row:
    change = changes.by_submission.get(source.id)

    def build(width: int) -> list[Line]:
        if change is not None:
            return score_change_lines(source.name, change, place, glyphs, width)
        why = lab.failures.get(source.id, "not measured yet")
        lines = wrap(f"not scored: {clean_line(why)}", max(10, width - 2), 3)
        return [((clean_line(source.name), "ash"),), *((("  ", ""), (line, "dim")) for line in lines)]

    return Row(source.id, build, is_static=change is None)


def issue_rows(
    issues: Sequence[Issue], blocking_issue: Issue | None, draft: LabDraft, part: DraftPart, glyphs: Glyphs
) -> list[Row]:
    """List what keeps the draft from being scored, then notes on the open text, then everything else."""
    open_file = draft.file(part)

    def row(index: int, issue: Issue) -> Row:
        place = "" if issue.path == open_file else issue.place(draft.path)
        return Row(str(index), lambda width: issue_lines(issue, place, glyphs, width))

    ordered = sorted(enumerate(issues), key=lambda pair: (pair[1] != blocking_issue, pair[1].path != open_file))
    return [row(index, note) for index, note in ordered]


def change_counts(changes: ScoreChanges) -> str:
    """Count changed verdicts and levels: ``2 verdicts, 3 levels``."""
    verdicts = sum(change.verdict_changed for change in changes.by_submission.values())
    levels = sum(len(change.levels) for change in changes.by_submission.values())
    return f"{plural(verdicts, 'verdict')}, {plural(levels, 'level')}" if verdicts or levels else "nothing"


def source_counts(lab: LabSession) -> str:
    """Count what the draft is scored on: ``8 exemplars, 3 attempts``."""
    attempt_count = len(lab.attempt_ids)
    exemplars = plural(sum(source.kind is SubmissionKind.EXEMPLAR for source in lab.sources), "exemplar")
    return f"{exemplars}, {plural(attempt_count, 'attempt')}" if attempt_count else exemplars
