"""A calibration as tables of text."""

from collections.abc import Sequence

from rich.console import Console

from evalforge.calibration.calibrate import BossFigures, Calibration, Miss
from evalforge.calibration.figures import CriterionFigures, Figure, OverallFigures
from evalforge.calibration.model_figures import BaselineFigures, ModelFigures
from evalforge.cli import output
from evalforge.model.number_format import format_percent, round_percent

_NAME_WIDTH = 34


def print_calibration(calibration: Calibration) -> None:
    """Print every figure, then what the judge got wrong."""
    out = output.console()
    judge = calibration.judge
    name = " ".join(part for part in (judge.name, judge.model, judge.version) if part) if judge else "no judge"
    times = "once" if calibration.repeats == 1 else f"{calibration.repeats} times"
    output.print_line(out, (f"{name} judge", "bold"), f", each submission {times}. Gold in rows, judged in columns.")
    for boss in calibration.bosses:
        _print_boss(out, boss)
    if len(calibration.bosses) > 1:
        out.print()
        output.print_line(out, ("All bosses", "bold"))
        _print_overall(out, calibration.pooled)
    if calibration.model is not None:
        _print_model(out, calibration.model, calibration)
    _print_misses(out, calibration.misses)
    for failed in calibration.not_judged:
        output.print_line(out, ("not judged  ", "bold yellow"), f"{failed.boss_id}/{failed.exemplar}: {failed.reason}")


def _print_boss(out: Console, boss: BossFigures) -> None:
    out.print()
    output.print_line(out, (boss.title, "bold"), f"  {boss.boss_id}, {boss.overall.submissions} submissions")
    for criterion in boss.criteria:
        _print_criterion(out, criterion)
    _print_overall(out, boss.overall)
    if boss.readers is not None:
        output.print_line(out, f"the two readers on their own: {_agreement_text(boss.readers)}", indent="  ")


def _print_criterion(out: Console, criterion: CriterionFigures) -> None:
    out.print()
    output.print_line(out, (criterion.label, "bold"), (f"  {criterion.criterion_id}", "dim"), indent="  ")
    heads = [f"{level:g}" for level in criterion.levels]
    output.print_line(out, "      " + "".join(f"{head:>5}" for head in heads), indent="  ")
    for head, row in zip(heads, criterion.confusion, strict=True):
        output.print_line(out, f"{head:>5} " + "".join(f"{count or '·':>5}" for count in row), indent="  ")
    parts = [
        f"exact {_percent_text(criterion.exact)}",
        f"adjacent {_percent_text(criterion.adjacent)}",
        f"kappa {_figure_text(criterion.quadratic_kappa)}",
        f"bias {_figure_text(criterion.bias, sign=True)}",
    ]
    if criterion.alpha.value is not None:
        parts.append(f"alpha {_figure_text(criterion.alpha)}")
    output.print_line(out, " · ".join(parts), indent="  ")


def _print_overall(out: Console, figures: OverallFigures) -> None:
    rows = [
        ("exact agreement", _percent_text(figures.exact)),
        ("exact, or as defensible", _percent_text(figures.defensible)),
        ("adjacent agreement", _percent_text(figures.adjacent)),
        ("quadratic weighted kappa", _figure_text(figures.quadratic_kappa)),
        ("bias in levels", _figure_text(figures.bias, sign=True)),
        ("pass or not: agreement", _percent_text(figures.pass_agreement)),
        ("pass or not: Cohen's kappa", _figure_text(figures.pass_kappa)),
        ("gold that passes", _percent_text(figures.passing)),
        ("totals: ICC(3,1)", _figure_text(figures.total_icc)),
        ("totals: mean error, of the maximum", _percent_text(figures.total_error)),
        ("repeats: Krippendorff's alpha", _figure_text(figures.alpha)),
        ("repeats: passes that flip", _percent_text(figures.pass_flips)),
    ]
    out.print()
    _print_rows(out, rows)


def _print_rows(out: Console, rows: Sequence[tuple[str, str]]) -> None:
    for name, figure_text in rows:
        output.print_line(out, f"{name:<{_NAME_WIDTH}} {figure_text}", indent="  ")


def _print_model(out: Console, model: ModelFigures, calibration: Calibration) -> None:
    """Print the model's own figures next to trivial judges within the same bounds."""
    out.print()
    output.print_line(out, ("The model itself", "bold"), ", before bounds, and trivial judges within them")
    rows = [
        ("this model, within bounds", _agreement_text(calibration.pooled)),
        ("its own choices", _agreement_text(model.raw)),
        ("levels lowered", f"{model.lowered} of {model.judgements}"),
        ("limits it contradicts", f"{model.contradicted}"),
        ("where nothing bounds it", f"exact {_percent_text(model.unbounded)} of {model.unbounded_judgements}"),
        *(
            (base.name, f"{_agreement_text(base)}; the model gains {_percent_text(base.gain)} of the rest")
            for base in model.baselines
        ),
        ("a judging, without the trials", f"{model.seconds:.1f} s"),
        ("spent", calibration.cost.price),
    ]
    _print_rows(out, rows)
    output.print_line(out, (model.conclusion, "bold"), indent="  ")


def _agreement_text(figures: OverallFigures | BaselineFigures) -> str:
    return f"exact {_percent_text(figures.exact)}, kappa {_figure_text(figures.quadratic_kappa)}"


def _figure_text(figure: Figure, *, sign: bool = False) -> str:
    """Format a figure with its 95 % interval."""
    form = "+.2f" if sign else ".2f"
    if figure.value is None:
        return "n/a"
    interval = figure.interval
    # Adding 0 turns -0.0 into 0.0.
    text = format(round(figure.value, 2) + 0, form)
    return f"{text} [{interval.low + 0:{form}}, {interval.high + 0:{form}}]" if interval else text


def _percent_text(figure: Figure) -> str:
    """Format a share in percent with its 95 % interval."""
    if figure.value is None:
        return "n/a"
    interval = figure.interval
    text = format_percent(figure.value)
    return f"{text} [{round_percent(interval.low)}, {round_percent(interval.high)}]" if interval else text


def _print_misses(out: Console, misses: tuple[Miss, ...]) -> None:
    if not misses:
        return
    out.print()
    output.print_line(out, ("Where the judge differs from gold", "bold"))
    for miss in misses:
        place = f"{miss.boss_id}/{miss.exemplar} {miss.criterion_id}"
        output.print_line(out, (place, "bold"), f"  gold {miss.gold:g}, judged {miss.judged:g}", indent="  ")
        output.print_line(out, ("gold:  ", "dim"), miss.why, indent="    ")
        output.print_line(out, ("judge: ", "dim"), miss.comment, indent="    ")
