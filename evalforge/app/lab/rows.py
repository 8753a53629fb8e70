"""The lab's lists: what moved, exhibit by exhibit, and what there is to mend."""

from collections.abc import Sequence

from evalforge.app.judged_submission import JudgedSubmission, judged_now
from evalforge.app.lab.lab_text import Place, move_lines, note_lines
from evalforge.app.ui.text.formatting import plural
from evalforge.app.ui.theme.glyphs import Glyphs
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import wrap
from evalforge.app.ui.widgets.row_list import Row
from evalforge.lab.draft import DraftPart
from evalforge.lab.draft_check import DraftIssue
from evalforge.lab.session import LabSession, ScoreChanges
from evalforge.lab.submissions import SubmissionKind, SubmissionSource
from evalforge.model.text import clean_line


def move_rows(bench: LabSession, outcome: ScoreChanges, place: Place, glyphs: Glyphs) -> list[Row]:
    """One row for each exhibit: verdicts that moved, then levels, then what could not be scored, then the rest."""

    def rank(source: SubmissionSource) -> int:
        move = outcome.by_submission.get(source.id)
        return 2 if move is None else 3 if move.is_unchanged else 0 if move.verdict_changed else 1

    return [_move_row(bench, source, outcome, place, glyphs) for source in sorted(bench.sources, key=rank)]


def _move_row(bench: LabSession, source: SubmissionSource, outcome: ScoreChanges, place: Place, glyphs: Glyphs) -> Row:
    move = outcome.by_submission.get(source.id)

    def build(width: int) -> list[Line]:
        if move is not None:
            return move_lines(source.name, move, place, glyphs, width)
        why = bench.failures.get(source.id, "not measured yet")
        lines = wrap(f"not scored: {clean_line(why)}", max(10, width - 2), 3)
        return [((clean_line(source.name), "ash"),), *((("  ", ""), (line, "dim")) for line in lines)]

    return Row(source.id, build, still=move is None)


def note_rows(notes: Sequence[DraftIssue], barrier: DraftIssue | None, part: DraftPart, glyphs: Glyphs) -> list[Row]:
    """What keeps the draft from being scored, then what is said about the open text, then everything else."""

    def row(index: int, note: DraftIssue) -> Row:
        own = note.part is part
        return Row(str(index), lambda width: note_lines(note, glyphs, width, with_place=not own))

    ordered = sorted(enumerate(notes), key=lambda pair: (pair[1] != barrier, pair[1].part is not part))
    return [row(index, note) for index, note in ordered]


def moved_words(outcome: ScoreChanges) -> str:
    """``2 verdicts, 3 levels``."""
    verdicts = sum(move.verdict_changed for move in outcome.by_submission.values())
    levels = sum(len(move.levels) for move in outcome.by_submission.values())
    return f"{plural(verdicts, 'verdict')}, {plural(levels, 'level')}" if verdicts or levels else "nothing"


def source_counts(bench: LabSession) -> str:
    """``8 exemplars, 3 tries``."""
    tries = len(bench.attempt_ids)
    exemplars = sum(source.kind is SubmissionKind.EXEMPLAR for source in bench.sources)
    told = plural(exemplars, "exemplar")
    return f"{told}, {plural(tries, 'try', 'tries')}" if tries else told


def judged_by_draft(bench: LabSession, outcome: ScoreChanges, exhibit_id: str) -> JudgedSubmission:
    """All that is known of one exhibit as it is scored by the draft."""
    exhibit = bench.submissions[exhibit_id]
    judgements = outcome.after[exhibit_id].judgements
    return judged_now(outcome.pack, judgements, exhibit.evidence, exhibit.submission, exhibit.directory)
