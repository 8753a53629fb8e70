"""The HP bar as a small SVG for a README or a page: boss, bar, score and verdict."""

from collections.abc import Sequence

from evalforge.model.number_format import format_number, format_percent
from evalforge.model.result import Verdict, verdict_words
from evalforge.reports import svg
from evalforge.reports.pipelines.judged_folder import JudgedFolder

_HEIGHT, _GAP, _BAR_WIDTH = 28, 10, 160
_FONT_SIZE = 13.0
_LETTER = svg.LETTER_WIDTH * _FONT_SIZE
_MAX_TITLE = 40
_GROUND, _INK, _LIFE, _DAMAGE, _ASH, _MARK = "#16110e", "#e0d6ca", "#ff8d42", "#ffc84d", "#65584e", "#fff6e0"
_VERDICTS = {
    Verdict.FAIL: "#f0625a",
    Verdict.BORDERLINE: "#ffc84d",
    Verdict.PASS: "#6cc2a1",
    Verdict.STRONG_PASS: "#6cc2a1",
}


def badge(folders: Sequence[JudgedFolder]) -> str:
    """Draw all folders, one bar below the other."""
    rows = [_Row(folder) for folder in folders]
    width = max((row.width for row in rows), default=_BAR_WIDTH)
    parts = [part for index, row in enumerate(rows) for part in row.parts(index * _HEIGHT)]
    height = _HEIGHT * max(1, len(rows))
    label = svg.xml_text("; ".join(row.words for row in rows), 400)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height}" viewBox="0 0 {width:g} {height}" '
        f'role="img" aria-label="{label}" font-family="{svg.FONT_FAMILY}">'
    )
    return "\n".join((head, svg.rect(0, 0, width, height, _GROUND, round_by=5), *parts, "</svg>\n"))


class _Row:
    """One bar with the text around it."""

    def __init__(self, folder: JudgedFolder) -> None:
        self._folder = folder
        result = folder.result
        self._title = svg.one_line(folder.boss_title, _MAX_TITLE)
        self._verdict = "ungraded"
        if result is not None:
            points = f"{format_number(result.score_total)}/{format_number(result.score_max)}"
            self._verdict = f"{points} {verdict_words(result.verdict)}"
        self._bar_left = 2 * _GAP + _LETTER * len(self._title)
        self._verdict_left = self._bar_left + _BAR_WIDTH + _GAP
        self.width = self._verdict_left + _LETTER * len(self._verdict) + _GAP
        damage = f", {format_percent(result.integrity)} struck off" if result else ""
        self.words = f"{self._title}: {self._verdict}{damage}"

    def parts(self, top: float) -> list[str]:
        """Draw the title, life or ash, damage, the pass mark, and the verdict."""
        result = self._folder.result
        baseline, bar_top, bar_height = top + _HEIGHT / 2 + _FONT_SIZE * 0.35, top + 8, _HEIGHT - 16
        share = result.integrity if result else 0.0
        left = _BAR_WIDTH * (1 - share)
        falls_at = 1 - self._folder.rubric.overall.pass_threshold / self._folder.rubric.max_score
        color = _VERDICTS[result.verdict] if result else _INK
        return [
            svg.text(_GAP, baseline, self._title, _FONT_SIZE, _INK),
            svg.rect(self._bar_left, bar_top, left, bar_height, _ASH if result and result.passed else _LIFE),
            svg.rect(self._bar_left + left, bar_top + 3, _BAR_WIDTH - left, bar_height - 6, _DAMAGE),
            svg.rect(self._bar_left + _BAR_WIDTH * falls_at - 0.75, bar_top - 2, 1.5, bar_height + 4, _MARK),
            svg.text(self._verdict_left, baseline, self._verdict, _FONT_SIZE, color, bold=True),
        ]
