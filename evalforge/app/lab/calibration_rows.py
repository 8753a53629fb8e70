"""A calibration as bars and rows."""

from collections.abc import Sequence

from evalforge.app.ui.theme.glyphs import Glyphs
from evalforge.app.ui.widgets.inline_code import mark_code, wrap_runs
from evalforge.app.ui.widgets.interval_bars import IntervalBar
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import fit
from evalforge.app.ui.widgets.row_list import Row
from evalforge.calibration.figures import CriterionFigures, OverallFigures
from evalforge.lab.calibration_runs import CalibrationRun, LevelDifference
from evalforge.model.number_format import format_number
from evalforge.model.rubric import Criterion
from evalforge.model.text import clean_line
from evalforge.packs.pack import BossPack

_MAX_REASON_LINES = 5
"""The most lines of a reason in a row; opening the row shows all of it."""


def agreement_bars(overall: OverallFigures, criteria: Sequence[CriterionFigures]) -> list[IntervalBar | None]:
    """Draw the agreement over all criteria first, then the exact agreement on each."""
    return [
        IntervalBar("exact agreement", overall.exact, is_head=True),
        IntervalBar("at most one level off", overall.adjacent),
        IntervalBar("weighted kappa", overall.quadratic_kappa, is_share=False),
        IntervalBar("passes or not", overall.pass_agreement),
        None,
        *(IntervalBar(figures.label, figures.exact) for figures in criteria),
    ]


def difference_key(difference: LevelDifference) -> str:
    """The key of a difference's row."""
    return f"{difference.submission_id} {difference.criterion_id}"


def difference_rows(
    pack: BossPack, differences: Sequence[LevelDifference], run: CalibrationRun, reference: str, glyphs: Glyphs
) -> list[Row]:
    """List each disagreement: the submission, the criterion, and the reason for gold.

    Args:
        pack: The pack whose levels are named.
        differences: The disagreements.
        run: The run that disagrees.
        reference: The name of what it is compared with.
        glyphs: The signs to draw with.
    """
    if not differences:
        calm: Line = ((f"{glyphs.passed} ", "verdigris"), ("No disagreements.", "ash"))
        return [Row("", lambda _width: [calm], is_static=True)]
    criteria = {criterion.id: criterion for criterion in pack.rubric.criteria}
    rows: list[Row] = []
    for index, difference in enumerate(differences):
        rows.append(_row(difference, criteria.get(difference.criterion_id), run, reference, glyphs))
        rows.append(Row(str(index), lambda _width: [()], is_static=True))
    return rows[:-1]


def _row(
    difference: LevelDifference, criterion: Criterion | None, run: CalibrationRun, reference: str, glyphs: Glyphs
) -> Row:
    def build(width: int) -> list[Line]:
        name = clean_line(criterion.label if criterion else difference.criterion_id)
        submission_id = clean_line(difference.submission_id)
        expected, judged = _level(criterion, difference.expected), _level(criterion, difference.judged)
        levels = f"{reference} {expected} {glyphs.arrow} judged {judged}"
        judgement = run.judgement(difference.submission_id, difference.criterion_id)
        text_width = max(10, width - 2)
        lines: list[Line] = [
            ((f"{submission_id}  ", "bold ash"), (fit(name, max(0, width - len(submission_id) - 2)), "dim")),
            (("  ", ""), (fit(levels, text_width), "ember")),
        ]
        reasons = [f"Gold: {difference.gold_reason}"] if difference.gold_reason else []
        reasons += [f"Judge: {judgement.comment}"] if judgement is not None else []
        reason_lines = [
            line
            for reason in reasons
            for line in wrap_runs(mark_code(reason, "dim"), text_width, _MAX_REASON_LINES, glyphs.ellipsis)
        ]
        return [*lines, *((("  ", ""), *line) for line in reason_lines)]

    return Row(difference_key(difference), build)


def _level(criterion: Criterion | None, score: float) -> str:
    label = clean_line(criterion.level_label(score)) if criterion else ""
    return f"{format_number(score)} {label}".strip()
