"""Plots of a class as inline SVG. Colours come from the page's style sheet, so they follow light and dark."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

from evalforge.classroom.report import ClassReport, CriterionLevels, GroupFailures
from evalforge.model.exact_numbers import to_fraction
from evalforge.model.number_format import format_percent
from evalforge.reports.svg import xml_text

_WIDTH = 720
_MAX_BARS = 41
_PLOT_HEIGHT = 190
_BASELINE_Y = 160
_ROW_HEIGHT = 30
_LABEL_WIDTH = 210


def _svg(height: float, title: str, parts: Iterable[str]) -> str:
    name = xml_text(title, 160)
    return (
        f'<svg viewBox="0 0 {_WIDTH} {height:g}" role="img" aria-label="{name}"><title>{name}</title>'
        f"{''.join(parts)}</svg>"
    )


def _text(x: float, y: float, text: str, style: str = "", anchor: str = "start", max_chars: int = 60) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{style}" text-anchor="{anchor}">{xml_text(text, max_chars)}</text>'


def _rect(x: float, y: float, width: float, height: float, style: str, title: str = "") -> str:
    inner = f"<title>{xml_text(title, 160)}</title>" if title else ""
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{max(height, 0):.1f}" rx="2" '
        f'class="{style}">{inner}</rect>'
    )


def score_plot(report: ClassReport) -> str:
    """Draw a histogram with a bar for each total, and the pass mark."""
    results = [row.result for row in report.rows if row.result]
    counts = Counter((to_fraction(result.score_total), result.passed) for result in results)
    totals = _possible_totals(report, {total for total, _ in counts})
    tallest = max((sum(counts[total, passed] for passed in (False, True)) for total in totals), default=0) or 1
    step = _WIDTH / len(totals)
    parts = [f'<line x1="0" y1="{_BASELINE_Y}" x2="{_WIDTH}" y2="{_BASELINE_Y}" class="axis"/>']
    for index, total in enumerate(totals):
        x, top, score = index * step + step * 0.06, float(_BASELINE_Y), f"{float(total):g}"
        for passed, style, outcome in ((True, "good", "passed"), (False, "bad", "not passed")):
            count = counts[total, passed]
            height = count / tallest * (_BASELINE_Y - 30)
            top -= height
            if count:
                parts.append(_rect(x, top, step * 0.88, height, style, f"{score} points: {count} {outcome}"))
        together = counts[total, True] + counts[total, False]
        if together:
            parts.append(_text(index * step + step / 2, top - 6, str(together), "count", "middle"))
        parts.append(_text(index * step + step / 2, _BASELINE_Y + 18, score, "tick", "middle"))
    parts += _pass_mark(report, totals)
    return _svg(_PLOT_HEIGHT, f"Scores of {len(results)} submissions", parts)


def _possible_totals(report: ClassReport, totals: set[Fraction]) -> list[Fraction]:
    """The totals on the axis: every whole number up to the highest, or only those found if that is too many."""
    highest = to_fraction(report.score_max)
    whole_numbers = {Fraction(number) for number in range(math.floor(highest) + 1)} if highest > 0 else set[Fraction]()
    if len(whole_numbers) <= _MAX_BARS and len(whole_numbers | totals) <= _MAX_BARS:
        return sorted(whole_numbers | totals)
    return sorted(totals or {Fraction(0)})


def _pass_mark(report: ClassReport, totals: Sequence[Fraction]) -> list[str]:
    threshold = to_fraction(report.pass_threshold)
    below = sum(total < threshold for total in totals)
    if not 0 < below < len(totals):
        return []
    x = below / len(totals) * _WIDTH
    anchor, label = ("end", f"pass at {report.pass_threshold:g} ▸") if below * 2 > len(totals) else ("start", "◂ pass")
    shift = -6 if anchor == "end" else 6
    line = f'<line x1="{x:.1f}" y1="4" x2="{x:.1f}" y2="{_BASELINE_Y}" class="mark"/>'
    return [line, _text(x + shift, 14, label, "tick", anchor)]


def levels_plot(criteria: Sequence[CriterionLevels]) -> str:
    """Draw each criterion as one bar, divided by the number of submissions at each level, the highest at the right."""
    parts: list[str] = []
    for index, criterion in enumerate(criteria):
        y = index * (_ROW_HEIGHT + 22)
        total = sum(level.count for level in criterion.levels) or 1
        parts.append(_text(0, y + 14, f"{criterion.label}", "label"))
        x = 0.0
        top_level = max(1, len(criterion.levels) - 1)
        for index_of_level, level in enumerate(criterion.levels):
            width = level.count / total * _WIDTH
            if not level.count:
                continue
            title = f"{criterion.label}: {level.count} at {level.score:g} ({level.label})"
            parts.append(
                _rect(x, y + 20, width - 2, _ROW_HEIGHT - 4, f"level l{round(index_of_level / top_level * 4)}", title)
            )
            text = f"{level.count} at {level.score:g}, {level.label}"
            parts.append(_text(x + 8, y + 37, text, "inbar", max_chars=max(1, int(width / 7.5))))
            x += width
    return _svg(max(1, len(criteria)) * (_ROW_HEIGHT + 22) + 4, "Levels for each criterion", parts)


def groups_plot(groups: Sequence[GroupFailures], hand_ins: int) -> str:
    """Draw the number of submissions that fail at least one trial of each group."""
    parts: list[str] = []
    bar_width = _WIDTH - _LABEL_WIDTH - 130
    for index, group in enumerate(groups):
        y = index * _ROW_HEIGHT
        parts.append(_text(_LABEL_WIDTH - 10, y + 18, group.group.replace("_", " "), "label", "end", max_chars=26))
        parts.append(_rect(_LABEL_WIDTH, y + 4, bar_width, _ROW_HEIGHT - 12, "rest"))
        share = group.hand_ins / max(1, hand_ins)
        title = f"{group.group}: {format_percent(group.failed_share)} of all its trials failed"
        parts.append(_rect(_LABEL_WIDTH, y + 4, share * bar_width, _ROW_HEIGHT - 12, "bad", title))
        parts.append(_text(_LABEL_WIDTH + bar_width + 10, y + 18, f"{group.hand_ins} of {hand_ins} fail", "count"))
    return _svg(max(1, len(groups)) * _ROW_HEIGHT, "Submissions that fail trials of each group", parts)


def clusters_plot(sizes: Sequence[tuple[str, int]]) -> str:
    """Draw clusters by their number of submissions; ``sizes`` are titles and numbers."""
    parts: list[str] = []
    largest = max((size for _, size in sizes), default=1)
    for index, (title, size) in enumerate(sizes):
        y = index * (_ROW_HEIGHT + 16)
        parts.append(_text(0, y + 14, title, "label", max_chars=96))
        width = size / largest * (_WIDTH - 60)
        parts.append(_rect(0, y + 20, width, _ROW_HEIGHT - 14, "cluster"))
        parts.append(_text(width + 8, y + 33, str(size), "count"))
    return _svg(max(1, len(sizes)) * (_ROW_HEIGHT + 16), "Clusters of submissions that fail alike", parts)


def bar(integrity: float, *, passed: bool) -> str:
    """Draw the integrity of a row."""
    style = "good" if passed else "bad"
    label = format_percent(integrity)
    return (
        f'<svg viewBox="0 0 120 12" class="hp" role="img" aria-label="{label}"><title>{label}</title>'
        f'<rect x="0" y="1" width="120" height="10" rx="2" class="rest"/>'
        f'<rect x="0" y="1" width="{integrity * 120:.1f}" height="10" rx="2" class="{style}"/></svg>'
    )
