"""The common code of two submissions, side by side."""

from collections.abc import Iterator, Mapping

from rich.cells import cell_len, set_cell_size

from evalforge.app.ui.text.styled_text import Run
from evalforge.app.ui.text.syntax import SyntaxHighlighter
from evalforge.app.ui.theme.glyphs import Glyphs
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import fit
from evalforge.classroom.lookalikes import LookalikePair, MatchedSpan
from evalforge.model.text import clean_line

_NUMBER = 5
_LINES_MOST = 400


class PairView:
    """The files of two submissions, and the lines of each that look like the other's.

    Args:
        pair: The matching lines.
        files: Every file of the first submission, by path.
        other: Every file of the other, by path.
    """

    def __init__(self, pair: LookalikePair, files: Mapping[str, str], other: Mapping[str, str]) -> None:
        self.pair = pair
        self._inks = {
            (0, path): SyntaxHighlighter(path, files.get(path, "")) for path in {s.path for s in pair.stretches}
        }
        self._inks |= {
            (1, path): SyntaxHighlighter(path, other.get(path, "")) for path in {s.other_path for s in pair.stretches}
        }

    def lines(self, width: int, glyphs: Glyphs) -> list[Line]:
        """Draw the matches one by one, for a width."""
        half = max(12, (width - 3) // 2)
        lines: list[Line] = []
        for stretch in self.pair.stretches:
            if lines:
                lines.append(())
            lines += self._stretch(stretch, half, glyphs)
        return lines

    def _stretch(self, one: MatchedSpan, half: int, glyphs: Glyphs) -> Iterator[Line]:
        heads = (
            f"{clean_line(one.path)}:{one.first}-{one.last}",
            f"{clean_line(one.other_path)}:{one.other_first}-{one.other_last}",
        )
        left, right = (fit(head, half, glyphs.ellipsis) for head in heads)
        yield ((left, "bold ember"), ("   ", "rule"), (right, "bold ember"))
        count = max(one.last - one.first, one.other_last - one.other_first) + 1
        for step in range(min(count, _LINES_MOST)):
            yield (
                *self._line((0, one.path), one.first + step, one.last, half, glyphs),
                (f" {glyphs.hairline} ", "rule"),
                *self._line((1, one.other_path), one.other_first + step, one.other_last, half, glyphs),
            )
        if count > _LINES_MOST:
            yield ((f"and {count - _LINES_MOST} more lines", "dim"),)

    def _line(self, which: tuple[int, str], number: int, last: int, half: int, glyphs: Glyphs) -> Line:
        if number > last:
            return ((" " * half, "ash"),)
        runs = self._inks[which].line(number - 1)
        return ((f"{number:>{_NUMBER - 1}} ", "faint"), *_cut(runs, half - _NUMBER, glyphs.ellipsis))


def _cut(runs: list[Run], width: int, ellipsis: str) -> Iterator[Run]:
    """Fit runs into exactly this many cells."""
    total_width = sum(cell_len(text) for text, _ in runs)
    width_left = width if total_width <= width else width - 1
    for text, role in runs:
        size = min(width_left, cell_len(text))
        if size:
            yield set_cell_size(text, size), role
        width_left -= size
    yield ellipsis if total_width > width else " " * width_left, "faint"
