"""Pairs of submissions that look alike, and the code that they share, side by side."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from rich.cells import cell_len

from evalforge.app.classroom.tab_rows import ClassSnapshot, TabRow
from evalforge.app.ui.text.formatting import plural
from evalforge.app.ui.text.syntax import SyntaxHighlighter
from evalforge.app.ui.theme.glyphs import Glyphs
from evalforge.app.ui.widgets.inline_code import fit_runs
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import fit
from evalforge.app.ui.widgets.row_list import Row, message_row
from evalforge.classroom.lookalikes import LookalikePair, MatchedSpan
from evalforge.model.number_format import format_percent
from evalforge.model.text import clean_line

_NUMBER_CELLS = 5
_MAX_LINES = 400
Files = Callable[[str], Mapping[str, str]]
"""Returns the files of a row's submission, by path."""


def pair_rows(snapshot: ClassSnapshot, _glyphs: Glyphs) -> list[Row]:
    """List the pairs to look at, the most similar first; the key of each is its index."""
    report = snapshot.report
    if report is None:
        return [message_row(snapshot.why_not)]
    names = [
        (snapshot.class_state.title_of(pair.row_id), snapshot.class_state.title_of(pair.other_id))
        for pair in report.lookalikes
    ]
    longest = max((cell_len(name) for pair_names in names for name in pair_names), default=0)
    rows: list[Row] = [
        _pair_row(index, pair, names[index], longest) for index, pair in enumerate(report.lookalikes)
    ]  # fmt: skip
    more = report.lookalikes_in_all - len(rows)
    if more > 0:
        rows.append(message_row(f"and {more:,} more that are less alike"))
    return rows or [message_row("No two submissions look alike.")]


def _pair_row(index: int, pair: LookalikePair, names: tuple[str, str], longest: int) -> TabRow:
    def build(width: int) -> Sequence[Line]:
        end = plural(sum(span.last - span.first + 1 for span in pair.stretches), "line")
        name_width = max(8, min(longest, (width - 8 - 5 - len(end) - 4) // 2))
        name, other_name = (fit(name, name_width) for name in names)
        share = (f"{format_percent(pair.similarity):>6}  ", "bold molten")
        return [(share, (name, "ash"), (" and ", "faint"), (other_name, "ash"), (f"  {end}", "dim"))]

    # Enter lists both submissions, because it is not for us to say which to read first.
    return TabRow(
        str(index),
        build,
        selected_ids=(pair.row_id,),
        listed_ids=frozenset((pair.row_id, pair.other_id)),
        filter_title=f"{' and '.join(names)}, which look alike",
    )


class PairView:
    """The files of two submissions, and the lines of each that look like the other's.

    Args:
        pair: The matching lines.
        files: Returns the files of a submission.
    """

    def __init__(self, pair: LookalikePair, files: Files) -> None:
        self.pair = pair
        own_files, other_files = files(pair.row_id), files(pair.other_id)
        own_paths, other_paths = ({span.path for span in pair.stretches}, {span.other_path for span in pair.stretches})
        self._code = {path: SyntaxHighlighter(path, own_files.get(path, "")) for path in own_paths}
        self._other_code = {path: SyntaxHighlighter(path, other_files.get(path, "")) for path in other_paths}

    def lines(self, width: int, glyphs: Glyphs) -> list[Line]:
        """Draw the matches one by one, for a width."""
        half = max(12, (width - 3) // 2)
        lines: list[Line] = []
        for span in self.pair.stretches:
            if lines:
                lines.append(())
            lines += self._span_lines(span, half, glyphs)
        return lines

    def _span_lines(self, span: MatchedSpan, half: int, glyphs: Glyphs) -> Iterator[Line]:
        locations = (f"{span.path}:{span.first}-{span.last}", f"{span.other_path}:{span.other_first}-{span.other_last}")
        left, right = (fit(clean_line(location), half, glyphs.ellipsis) for location in locations)
        yield ((left, "bold ember"), ("   ", "rule"), (right, "bold ember"))
        count = max(span.last - span.first, span.other_last - span.other_first) + 1
        code, other_code = self._code[span.path], self._other_code[span.other_path]
        for step in range(min(count, _MAX_LINES)):
            yield (
                *_code_line(code, span.first + step, span.last, half, glyphs),
                (f" {glyphs.hairline} ", "rule"),
                *_code_line(other_code, span.other_first + step, span.other_last, half, glyphs),
            )
        if count > _MAX_LINES:
            yield ((f"and {count - _MAX_LINES} more lines", "dim"),)


def _code_line(code: SyntaxHighlighter, number: int, last: int, half: int, glyphs: Glyphs) -> Line:
    if number > last:
        return ((" " * half, "ash"),)
    # The ellipsis is faint, because it is not part of the code.
    runs = fit_runs(tuple(code.line(number - 1)), half - _NUMBER_CELLS, glyphs.ellipsis, "faint")
    return ((f"{number:>{_NUMBER_CELLS - 1}} ", "faint"), *runs)
