"""A calibration as tables of text."""

from rich.console import Console

from evalforge.calibration.calibrate import BossFigures, Calibration, Miss
from evalforge.calibration.figures import CriterionFigures, Figure, OverallFigures
from evalforge.calibration.impostor_matrix import ImpostorMatrix, WrongResult
from evalforge.calibration.model_figures import BaselineFigures, ModelFigures
from evalforge.cli import output
from evalforge.model.number_format import format_percent, round_percent

_NAME = 34


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
        kappa = _figure_text(boss.readers.quadratic_kappa)
        exact = _percent_text(boss.readers.exact)
        output.print_line(out, f"the two readers before they spoke: exact {exact}, kappa {kappa}", indent="  ")


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
        ("signed bias, in levels", _figure_text(figures.bias, sign=True)),
        ("pass or not: agreement", _percent_text(figures.pass_agreement)),
        ("pass or not: Cohen's kappa", _figure_text(figures.pass_kappa)),
        ("gold that passes", _percent_text(figures.passing)),
        ("totals: ICC(3,1)", _figure_text(figures.total_icc)),
        ("totals: mean error, of the maximum", _percent_text(figures.total_error)),
        ("repeats: Krippendorff's alpha", _figure_text(figures.alpha)),
        ("repeats: passes that flip", _percent_text(figures.pass_flips)),
    ]
    out.print()
    for name, shown in rows:
        output.print_line(out, f"{name:<{_NAME}} {shown}", indent="  ")


def _print_model(out: Console, model: ModelFigures, calibration: Calibration) -> None:
    """What is the model's own, beside judges without a thought within the same bounds."""
    out.print()
    output.print_line(out, ("The model itself", "bold"), ", before bounds, and judges without a thought within them")
    pooled = calibration.pooled
    rows = [
        (
            "this model, within bounds",
            f"exact {_percent_text(pooled.exact)}, kappa {_figure_text(pooled.quadratic_kappa)}",
        ),
        ("its own choices", f"exact {_percent_text(model.raw.exact)}, kappa {_figure_text(model.raw.quadratic_kappa)}"),
        ("levels lowered", f"{model.lowered} of {model.judgements}"),
        ("where nothing bounds it", f"exact {_percent_text(model.unbounded)} of {model.unbounded_judgements}"),
        *((each.name, _baseline_text(each)) for each in model.baselines),
        ("a judging, without the trials", f"{model.seconds:.1f} s"),
        ("spent", calibration.cost.price),
    ]
    for name, shown in rows:
        output.print_line(out, f"{name:<{_NAME}} {shown}", indent="  ")
    output.print_line(out, (model.conclusion, "bold"), indent="  ")


def _baseline_text(baseline: BaselineFigures) -> str:
    agreement = f"exact {_percent_text(baseline.exact)}, kappa {_figure_text(baseline.quadratic_kappa)}"
    return f"{agreement}; the model gains {_percent_text(baseline.gain)} of the rest"


def _figure_text(figure: Figure, *, sign: bool = False) -> str:
    """A figure and its 95 % interval."""
    form = "+.2f" if sign else ".2f"
    if figure.value is None:
        return "n/a"
    interval = figure.interval
    # Adding 0 turns -0.0 into 0.0.
    text = format(round(figure.value, 2) + 0, form)
    return f"{text} [{interval.low + 0:{form}}, {interval.high + 0:{form}}]" if interval else text


def _percent_text(figure: Figure) -> str:
    """A share in percent, and its 95 % interval."""
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


def print_matrix(matrix: ImpostorMatrix, out: Console) -> None:
    """Print each program on a line, then the sums."""
    output.print_line(out, (matrix.boss_id, "bold"))
    for program in matrix.right:
        failed = len(program.failed)
        state = f"{failed} of {program.trials} trials fail" if failed else f"all {program.trials} trials pass"
        output.print_line(out, f"right  {program.name}: {state}", indent="  ")
        for title in program.failed:
            output.print_line(out, f"the trials ask more than the contract: {title}", indent="    ")
    for wrong in matrix.wrong:
        output.print_line(out, _line(wrong), indent="  ")
    _print_sums(matrix, out)


def _line(wrong: WrongResult) -> str:
    kind = "wrong" if wrong.is_impostor else "fault"
    parts = [f"{kind}  {wrong.id}: {wrong.owner} {wrong.given:g}"]
    if wrong.given != wrong.expected:
        parts.append(f"expected {wrong.expected:g}")
    if wrong.is_missed:
        parts.append("no trial notices it")
    if wrong.spill:
        parts.append("also " + ", ".join(f"{name} {level:g}" for name, level in wrong.spill.items()))
    return ", ".join(parts)


def _print_sums(matrix: ImpostorMatrix, out: Console) -> None:
    impostors = [wrong for wrong in matrix.wrong if wrong.is_impostor]
    noticed = sum(not wrong.is_missed for wrong in impostors)
    as_expected = sum(wrong.given == wrong.expected for wrong in matrix.wrong)
    spilled = sum(bool(wrong.spill) for wrong in matrix.wrong)
    count = len(matrix.wrong)
    output.print_line(
        out,
        (f"{noticed} of {len(impostors)} impostors noticed by their criterion", "bold"),
        f"; {as_expected} of {count} at the expected level; {spilled} of {count} lower another criterion",
    )
