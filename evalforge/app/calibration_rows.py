"""A calibration as bars and rows."""

from collections.abc import Sequence

from evalforge.app.glyphs import Glyphs
from evalforge.app.widgets.interval_bars import Bar
from evalforge.app.widgets.line_view import Line
from evalforge.app.widgets.marked import marked, wrap_runs
from evalforge.app.widgets.paint import fit
from evalforge.app.widgets.rows import Row
from evalforge.calibration.figures import CriterionFigures, OverallFigures
from evalforge.lab.rounds import Difference, Round
from evalforge.library.pack import BossPack
from evalforge.model.rubric import Criterion
from evalforge.model.spoken import number
from evalforge.model.text import clean_line

NOTHING = ""
_REASON = 5
"""Lines of a reason that are told; the whole of it is behind the row."""


def bars(overall: OverallFigures, criteria: Sequence[CriterionFigures]) -> list[Bar | None]:
    """All criteria first, then the exact agreement on each."""
    return [
        Bar("exact agreement", overall.exact, is_head=True),
        Bar("at most one level off", overall.adjacent),
        Bar("weighted kappa", overall.quadratic_kappa, is_share=False),
        Bar("passes or not", overall.pass_agreement),
        None,
        *(Bar(figures.label, figures.exact) for figures in criteria),
    ]


def key_of(one: Difference) -> str:
    """What a row of it stands for."""
    return f"{one.exhibit} {one.criterion_id}"


def difference_rows(
    pack: BossPack, found: Sequence[Difference], played: Round, other: str, glyphs: Glyphs
) -> list[Row]:
    """Each disagreement: whose, on what, and why gold is what it is."""
    if not found:
        calm: Line = ((f"{glyphs.passed} ", "verdigris"), ("Not one disagreement.", "ash"))
        return [Row(NOTHING, lambda _width: [calm], still=True)]
    known = {criterion.id: criterion for criterion in pack.rubric.criteria}
    rows: list[Row] = []
    for index, one in enumerate(found):
        rows.append(_row(one, known.get(one.criterion_id), played, other, glyphs))
        rows.append(Row(f"{NOTHING}{index}", lambda _width: [()], still=True))
    return rows[:-1]


def _row(one: Difference, criterion: Criterion | None, played: Round, other: str, glyphs: Glyphs) -> Row:
    def build(width: int) -> list[Line]:
        name = clean_line(criterion.label if criterion else one.criterion_id)
        sides = f"{other} {_level(criterion, one.one)} {glyphs.arrow} judged {_level(criterion, one.other)}"
        judgement = played.judgement(one.exhibit, one.criterion_id)
        room = max(10, width - 2)
        lines: list[Line] = [
            ((f"{clean_line(one.exhibit)}  ", "bold ash"), (fit(name, max(0, width - len(one.exhibit) - 2)), "dim")),
            (("  ", ""), (fit(sides, room), "ember")),
        ]
        reasons = [f"Gold: {one.why}"] if one.why else []
        reasons += [f"Judge: {judgement.comment}"] if judgement is not None else []
        told = [line for reason in reasons for line in wrap_runs(marked(reason, "dim"), room, _REASON, glyphs.ellipsis)]
        return [*lines, *((("  ", ""), *line) for line in told)]

    return Row(key_of(one), build)


def _level(criterion: Criterion | None, score: float) -> str:
    levels = criterion.levels if criterion else ()
    label = next((level.label for level in levels if level.score == score), "")
    return f"{number(score)} {clean_line(label)}".strip()
