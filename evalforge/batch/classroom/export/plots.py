"""Plots of a class as inline SVG. Colours come from the page, so they follow light and dark."""

from collections.abc import Iterable, Sequence

from evalforge.batch.classroom.report import ClassReport, CriterionShape, GroupShape
from evalforge.chronicle.svg import safe
from evalforge.model.spoken import percent

_WIDTH = 720
_BINS = 10
_PLOT_HEIGHT = 190
_BASE = 160
_BAR_ROW = 30
_LABEL = 210


def _svg(height: float, title: str, parts: Iterable[str]) -> str:
    name = safe(title, 160)
    return (
        f'<svg viewBox="0 0 {_WIDTH} {height:g}" role="img" aria-label="{name}"><title>{name}</title>'
        f"{''.join(parts)}</svg>"
    )


def _text(x: float, y: float, words: str, style: str = "", anchor: str = "start", cap: int = 60) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{style}" text-anchor="{anchor}">{safe(words, cap)}</text>'


def _rect(x: float, y: float, width: float, height: float, style: str, title: str = "") -> str:
    inner = f"<title>{safe(title, 160)}</title>" if title else ""
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{max(height, 0):.1f}" rx="2" '
        f'class="{style}">{inner}</rect>'
    )


def integrity_plot(report: ClassReport) -> str:
    """How many hand-ins stand where, in tenths of the integrity, with the pass mark."""
    results = [row.result for row in report.rows if row.result]
    bins = [[0, 0] for _ in range(_BINS)]
    for result in results:
        bins[min(_BINS - 1, int(result.integrity * _BINS))][result.passed] += 1
    highest = max((sum(bin_) for bin_ in bins), default=0) or 1
    step = _WIDTH / _BINS
    parts = [f'<line x1="0" y1="{_BASE}" x2="{_WIDTH}" y2="{_BASE}" class="axis"/>']
    for index, (failed, passed) in enumerate(bins):
        x, top = index * step + 4, float(_BASE)
        where = f"{index * 10} to {index * 10 + 10} %"
        for count, style, words in ((passed, "good", "passed"), (failed, "bad", "not passed")):
            height = count / highest * (_BASE - 30)
            top -= height
            if count:
                parts.append(_rect(x, top, step - 8, height, style, f"{where}: {count} {words}"))
        if failed + passed:
            parts.append(_text(x + step / 2 - 4, top - 6, str(failed + passed), "count", "middle"))
        parts.append(_text(index * step, _BASE + 18, f"{index * 10}", "tick"))
    parts.append(_text(_WIDTH, _BASE + 18, "100 %", "tick", "end"))
    parts += _pass_mark(report)
    return _svg(_PLOT_HEIGHT, f"Integrity of {len(results)} hand-ins", parts)


def _pass_mark(report: ClassReport) -> list[str]:
    share = float(report.pass_threshold) / float(report.score_max)
    if not 0 <= share <= 1:
        return []
    x = share * _WIDTH
    anchor, words = ("end", f"pass at {report.pass_threshold:g} ▸") if share > 0.5 else ("start", "◂ pass")
    shift = -6 if share > 0.5 else 6
    line = f'<line x1="{x:.1f}" y1="4" x2="{x:.1f}" y2="{_BASE}" class="mark"/>'
    return [line, _text(x + shift, 14, words, "tick", anchor)]


def levels_plot(criteria: Sequence[CriterionShape]) -> str:
    """Each criterion as one bar: how many stand at which level, the highest at the right."""
    parts: list[str] = []
    for index, criterion in enumerate(criteria):
        y = index * (_BAR_ROW + 22)
        total = sum(level.count for level in criterion.levels) or 1
        parts.append(_text(0, y + 14, f"{criterion.label}", "label"))
        x = 0.0
        top = max(1, len(criterion.levels) - 1)
        for place, level in enumerate(criterion.levels):
            width = level.count / total * _WIDTH
            if not level.count:
                continue
            title = f"{criterion.label}: {level.count} at {level.score:g} ({level.label})"
            parts.append(_rect(x, y + 20, width - 2, _BAR_ROW - 4, f"level l{round(place / top * 4)}", title))
            words = f"{level.count} at {level.score:g}, {level.label}"
            parts.append(_text(x + 8, y + 37, words, "inbar", cap=max(1, int(width / 7.5))))
            x += width
    return _svg(max(1, len(criteria)) * (_BAR_ROW + 22) + 4, "Levels for each criterion", parts)


def groups_plot(groups: Sequence[GroupShape], hand_ins: int) -> str:
    """Groups of trials: how many hand-ins fail at least one of each."""
    parts: list[str] = []
    room = _WIDTH - _LABEL - 130
    for index, group in enumerate(groups):
        y = index * _BAR_ROW
        parts.append(_text(_LABEL - 10, y + 18, group.group.replace("_", " "), "label", "end", cap=26))
        parts.append(_rect(_LABEL, y + 4, room, _BAR_ROW - 12, "rest"))
        share = group.hand_ins / max(1, hand_ins)
        title = f"{group.group}: {percent(group.failed_share)} of all its trials failed"
        parts.append(_rect(_LABEL, y + 4, share * room, _BAR_ROW - 12, "bad", title))
        parts.append(_text(_LABEL + room + 10, y + 18, f"{group.hand_ins} of {hand_ins} fail", "count"))
    return _svg(max(1, len(groups)) * _BAR_ROW, "Hand-ins that fail trials of each group", parts)


def clusters_plot(sizes: Sequence[tuple[str, int]]) -> str:
    """Clusters by how many hand-ins are in each."""
    parts: list[str] = []
    highest = max((size for _, size in sizes), default=1)
    for index, (title, size) in enumerate(sizes):
        y = index * (_BAR_ROW + 16)
        parts.append(_text(0, y + 14, title, "label", cap=96))
        width = size / highest * (_WIDTH - 60)
        parts.append(_rect(0, y + 20, width, _BAR_ROW - 14, "cluster"))
        parts.append(_text(width + 8, y + 33, str(size), "count"))
    return _svg(max(1, len(sizes)) * (_BAR_ROW + 16), "Clusters of hand-ins that fail alike", parts)


def bar(integrity: float, *, passed: bool) -> str:
    """A row's HP bar: what was struck off."""
    style = "good" if passed else "bad"
    words = percent(integrity)
    return (
        f'<svg viewBox="0 0 120 12" class="hp" role="img" aria-label="{words}"><title>{words}</title>'
        f'<rect x="0" y="1" width="120" height="10" rx="2" class="rest"/>'
        f'<rect x="0" y="1" width="{integrity * 120:.1f}" height="10" rx="2" class="{style}"/></svg>'
    )
