"""The page of a lesson: text and levels in one pane, the boss or the code in the other, and the line of steps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.style import Style
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from evalforge.app.core.judged_submission import marks_in
from evalforge.app.ui.text.formatting import plural
from evalforge.app.ui.text.styled_text import Runs, styled
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.banner import Banner, pixels
from evalforge.app.ui.widgets.code_view import CodeView
from evalforge.app.ui.widgets.finding_list import FindingList
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.inline_code import mark_code, pieces, wrap_runs
from evalforge.app.ui.widgets.painting import Piece, fit, strip
from evalforge.app.ui.widgets.sprite_view import SpriteView
from evalforge.app.ui.widgets.text_panel import Prose
from evalforge.model.number_format import format_number
from evalforge.model.rubric import Criterion, Level
from evalforge.model.text import clean_line

if TYPE_CHECKING:
    from evalforge.model.evidence import Finding
    from evalforge.model.submission import Submission, SubmissionFile


_INDENT = 6
_MAX_DESCRIPTION_LINES = 40
_TALLY_WIDTH, _MAX_BAR_WIDTH = 6, 8
_JUDGED_REMARK = " · judged"


@dataclass(frozen=True)
class Levels:
    """The levels of one criterion as the board shows them.

    Attributes:
        keys: The digit that guesses each level, by score; empty if guessing is off.
        tally: The number of guesses of each level.
        pointed: The score of the level under the cursor.
        judged_score: The score that was judged; None while it is hidden. Then the levels need no description.
    """

    criterion: Criterion
    keys: Mapping[float, str]
    tally: Mapping[float, int]
    pointed: float | None = None
    judged_score: float | None = None


class LevelBoard(Widget):
    """Is as high as its levels need. With less room every level stays visible, and descriptions are cut."""

    DEFAULT_CSS = """
    LevelBoard { height: auto; width: 1fr; }
    """
    ALLOW_SELECT = False

    class Picked(Message):
        """Posted when a level is clicked."""

        def __init__(self, score: float) -> None:
            super().__init__()
            self.score = score

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._levels: Levels | None = None

    def show(self, levels: Levels) -> None:
        """Show these levels of a criterion."""
        width = max(1, self.size.width)
        has_grown = self._levels is None or _height(self._levels, width) != _height(levels, width)
        self._levels = levels
        self.refresh(layout=has_grown)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """The lines that the levels need; moving the cursor doesn't change them."""
        return _height(self._levels, max(1, width)) if self._levels else 0

    def on_click(self, event: events.Click) -> None:
        """Guess the level that is clicked."""
        y = event.get_content_offset_capture(self).y
        rows = self._rows()
        score = rows[y][0] if 0 <= y < len(rows) else None
        if self._levels and self._levels.keys and score is not None:
            self.post_message(self.Picked(score))

    def _rows(self) -> list[tuple[float | None, list[Piece]]]:
        """The lines, each with the score it belongs to."""
        levels, (width, height) = self._levels, self.size
        if levels is None:
            return []
        lines_by_score = _description_lines(levels, width)
        lines_left = height - len(lines_by_score)
        has_gaps = (
            levels.judged_score is None
            and lines_left >= sum(map(len, lines_by_score.values())) + len(lines_by_score) - 1
        )
        lines_by_score = _limit_descriptions(lines_by_score, lines_left, levels.pointed, look(self).glyphs.ellipsis)
        palette = look(self).palette
        rows: list[tuple[float | None, list[Piece]]] = []
        for level in reversed(levels.criterion.levels):
            if rows and has_gaps:
                rows.append((None, []))
            rows.append((level.score, self._head_line(levels, level, width)))
            rows += [
                (level.score, [(" " * _INDENT, Style()), *pieces(line, palette)])
                for line in lines_by_score[level.score]
            ]
        return rows

    def _head_line(self, levels: Levels, level: Level, width: int) -> list[Piece]:
        """Draw mark, key, pips, label, and the audience's guesses."""
        palette, glyphs = look(self).palette, look(self).glyphs
        score, maximum = level.score, levels.criterion.max_score
        is_judged, is_pointed = score == levels.judged_score, score == levels.pointed and levels.judged_score is None
        mark = glyphs.diamond if is_judged else glyphs.cursor if is_pointed else " "
        is_bright = levels.judged_score in (None, score)
        pips = glyphs.pips(score, maximum)
        longest_label = max(cell_len(clean_line(criterion_level.label)) for criterion_level in levels.criterion.levels)
        label_column = _INDENT + len(pips) + 2
        max_label_width = max(4, width - label_column - _TALLY_WIDTH)
        remark = (
            _JUDGED_REMARK
            if levels.judged_score is not None and longest_label + len(_JUDGED_REMARK) < max_label_width
            else ""
        )
        label_width = min(max_label_width, longest_label + len(remark) + 1)
        label = clean_line(level.label) + (remark if is_judged else "")
        pieces: list[Piece] = [
            (f"{mark} ", palette.style("molten" if is_judged else "ember", bold=True)),
            (
                f"{levels.keys.get(score) or format_number(score):>2}  ",
                palette.style("ember" if levels.keys else "molten", bold=True),
            ),
            (f"{pips}  ", palette.style("molten" if is_bright else "faint")),
            (fit(label, label_width, glyphs.ellipsis), palette.style("ash" if is_bright else "faint", bold=is_bright)),
        ]
        return [*pieces, *self._guess_bar(levels.tally, score, width - label_column - label_width)]

    def _guess_bar(self, tally: Mapping[float, int], score: float, width: int) -> list[Piece]:
        """Draw the guesses of a level as a small bar and a number."""
        palette, glyphs = look(self).palette, look(self).glyphs
        count, highest_count = tally.get(score, 0), max(tally.values(), default=0)
        if not count:
            return []
        max_length = min(highest_count, _MAX_BAR_WIDTH, max(1, width - 2 - len(str(highest_count))))
        length = max(1, round(max_length * count / highest_count))
        return [
            (f" {glyphs.bar * length}", palette.style("steel")),
            (f" {count}", palette.style("steel", bold=True)),
        ]

    def render_line(self, y: int) -> Strip:
        """Draw one line of the board."""
        rows = self._rows()
        pieces = rows[y][1] if y < len(rows) else []
        return strip(pieces, self.size.width, self.rich_style)


@lru_cache(maxsize=64)
def _wrapped(description: str, width: int) -> tuple[Runs, ...]:
    return tuple(wrap_runs(mark_code(description, "dim"), max(16, width - _INDENT - 1), _MAX_DESCRIPTION_LINES))


def _description_lines(levels: Levels, width: int) -> dict[float, tuple[Runs, ...]]:
    """The description of each level in lines, the highest level first."""
    return {
        level.score: _wrapped(level.full_description, width) if levels.judged_score is None else ()
        for level in reversed(levels.criterion.levels)
    }


def _height(levels: Levels, width: int) -> int:
    """The lines needed for everything."""
    lines_by_score = _description_lines(levels, width)
    gaps = len(lines_by_score) - 1 if levels.judged_score is None else 0
    return len(lines_by_score) + sum(map(len, lines_by_score.values())) + gaps


def _limit_descriptions(
    lines_by_score: Mapping[float, tuple[Runs, ...]], lines_left: int, first_score: float | None, ellipsis: str
) -> dict[float, tuple[Runs, ...]]:
    """Limit descriptions to the available lines: those of one level first, then the same number for each other."""
    lines_of_first = min(len(lines_by_score[first_score]), max(0, lines_left)) if first_score is not None else 0
    other_heights = [len(lines) for score, lines in lines_by_score.items() if score != first_score]
    shares = range(max(other_heights, default=0) + 1)
    lines_per_other = max(
        (n for n in shares if sum(min(size, n) for size in other_heights) <= lines_left - lines_of_first), default=0
    )
    return {
        score: _cut(lines, lines_of_first if score == first_score else lines_per_other, ellipsis)
        for score, lines in lines_by_score.items()
    }


def _cut(lines: tuple[Runs, ...], max_lines: int, ellipsis: str) -> tuple[Runs, ...]:
    """Keep this many lines; the last one ends in an ellipsis if any were cut."""
    if len(lines) <= max_lines or not max_lines:
        return lines[:max_lines]
    last = lines[max_lines - 1]
    return (*lines[: max_lines - 1], (*last, (ellipsis, last[-1][1])))


class StepBar(Widget):
    """Past steps glow, later ones don't; there is a gap between two chapters."""

    DEFAULT_CSS = """
    StepBar { height: 1; width: 1fr; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._chapters: tuple[str, ...] = ()
        self._step = 0

    def plan(self, chapters: Sequence[str]) -> None:
        """Set the chapter of each step, in order."""
        self._chapters = tuple(chapters)
        self.refresh()

    def go(self, step: int) -> None:
        """Mark the current step."""
        self._step = step
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw a mark for each step."""
        current_look, width, count = look(self), self.size.width, len(self._chapters)
        if not count or y:
            return Strip.blank(width, self.rich_style)
        pieces: list[Piece] = []
        for index, chapter in enumerate(self._chapters):
            size = width * (index + 1) // count - width * index // count
            is_last = index + 1 == count or self._chapters[index + 1] != chapter
            gap = min(size, 2) if is_last and index + 1 < count else 0
            role = "ember" if index == self._step else "faint" if index < self._step else "rule"
            mark = current_look.glyphs.diamond if index == self._step and size > gap else ""
            line = mark + current_look.glyphs.rule * (size - gap - len(mark))
            pieces += [(line, current_look.palette.style(role)), (" " * gap, Style())]
        return strip(pieces, width, self.rich_style)


PARTS = ("kicker", "word", "words", "levels", "after", "findings")
"""What a step may show besides the boss and the code."""
_WIDEST = 124


class LessonPage(Widget):
    """Two panes; each step shows the parts it needs."""

    DEFAULT_CSS = """
    LessonPage { layout: vertical; height: 1fr; }
    LessonPage #text-column { height: auto; max-height: 100%; scrollbar-size-vertical: 1; padding: 0 1; }
    LessonPage #kicker { margin: 0 0 1 0; }
    LessonPage #word { margin: 0 0 1 0; }
    LessonPage #words { margin: 0 0 1 0; }
    LessonPage #seen { height: 1fr; }
    LessonPage #file { margin: 0; }
    LessonPage #picture { width: 1fr; height: 1fr; }
    LessonPage #text-column > Prose, LessonPage LevelBoard { padding: 0 2 0 0; }
    LessonPage FindingList { margin: 0 0 1 0; max-height: 6; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._submission: Submission | None = None
        self._files: tuple[SubmissionFile, ...] = ()
        self._file_index = 0
        self._shown_findings: tuple[Finding, ...] = ()

    def compose(self) -> ComposeResult:
        """Compose every part a page may have; ``show_parts`` decides which are visible."""
        with VerticalScroll(id="text-column"):
            yield Prose(id="kicker")
            yield Banner(id="word")
            yield Prose(id="words")
            yield LevelBoard(id="levels")
            yield Prose(id="after")
        with Vertical(id="seen"):
            yield FindingList(id="findings")
            yield SpriteView(id="picture")
            yield Heading(id="file")
            yield CodeView(id="code")

    def on_mount(self) -> None:
        """Let no widget in here take the focus, so that the arrow keys stay with the lesson."""
        for widget in (self.text_column, self.query_one(CodeView), self.findings):
            widget.can_focus = False

    @property
    def text_column(self) -> VerticalScroll:
        """The column with the text of the page."""
        return self.query_one("#text-column", VerticalScroll)

    @property
    def findings(self) -> FindingList:
        """The evidence of the revealed level."""
        return self.query_one(FindingList)

    @property
    def picture(self) -> SpriteView:
        """The picture of the boss."""
        return self.query_one(SpriteView)

    def show_parts(self, *parts: str, picture: bool = False, code: bool = False, wide: bool = False) -> None:
        """Show only these parts, from their start; ``wide`` gives the text more of the page."""
        for part in PARTS:
            self.query_one(f"#{part}").display = part in parts
        self.picture.display = picture
        self.query_one(CodeView).display = self.query_one("#file").display = code
        self.query_one("#seen").display = picture or code
        self.set_class(code, "-code")
        self.set_class(wide, "-words")
        self.set_class(not (picture or code), "-alone")
        self.text_column.scroll_home(animate=False)

    def set_part(self, part: str, content: Content) -> None:
        """Fill one of the text parts."""
        self.query_one(f"#{part}", Prose).set_text(content)

    def set_kicker(self, text: str) -> None:
        """Set the small line above everything else."""
        self.set_part("kicker", styled((text.upper(), "dim")))

    def set_word(
        self, text: str, low: str, high: str = "shade", *, share_taken: float = 0.0, spaced: bool = False
    ) -> bool:
        """Show the one large word of the page; returns False if it is too long to be large.

        Args:
            text: Any words; the face has only letters, so ``&`` is spelt out and other characters become spaces.
            low: The role at its bottom.
            high: The role at its top, or ``shade``.
            share_taken: The share of the page that other parts take.
            spaced: Whether spaced capitals may be used if the face is too wide.
        """
        spelled_text = " ".join(
            "".join(c if c.isalpha() else " " for c in clean_line(text).replace("&", " and ")).split()
        )
        width_left = int(min(self.size.width, _WIDEST) * (1 - share_taken)) - 8
        is_large = bool(spelled_text) and (
            len(pixels(spelled_text)[0]) <= width_left or (spaced and 2 * len(spelled_text) <= width_left)
        )
        if is_large:
            self.query_one(Banner).set_word(spelled_text, low, high)
        self.query_one(Banner).display = is_large
        return is_large

    def show_levels(self, levels: Levels) -> None:
        """Show the levels of a criterion."""
        self.query_one(LevelBoard).show(levels)

    # The code

    def open(self, submission: "Submission", entry_files: Sequence[str]) -> None:
        """Open a submission at its first file."""
        if submission is not self._submission:
            self._submission, self._file_index = submission, 0
            self._files = reading_order(submission, entry_files)

    def show_code(self, finding: "Finding | None" = None, marks: dict[int, list[str]] | None = None) -> None:
        """Show the open file, or that of a finding with its line in view."""
        paths = [file.path for file in self._files]
        if finding is not None and finding.path in paths:
            self._file_index = paths.index(finding.path)
        heading = self.query_one("#file", Heading)
        if not self._files:
            heading.set_text([("No readable file here.", "dim")], [])
            return
        file = self._files[self._file_index]
        finding_line = finding.line if finding is not None and finding.path == file.path else None
        count = len(self._files)
        position = f"{self._file_index + 1} of {plural(count, 'file')}" if count > 1 else ""
        heading.set_text([(clean_line(file.path), "bold steel")], [(position, "faint")])
        self.query_one(CodeView).show(file.path, file.content, marks or {}, finding_line or 0)

    def show_findings(self, findings: "Sequence[Finding]") -> None:
        """List findings, and show the code at the first."""
        self._shown_findings = tuple(findings)
        self.findings.show(findings)
        self.show_selection()

    def show_selection(self) -> None:
        """Show the code at the finding under the cursor, with all findings in that file."""
        selection = self.findings.selection
        open_path = self._files[self._file_index].path if self._files else ""
        path = selection.path if selection and selection.path else open_path
        self.show_code(selection, marks_in(self._shown_findings, path))

    def open_next_file(self) -> None:
        """Open the next file of the submission."""
        self._file_index = (self._file_index + 1) % max(1, len(self._files))
        self.show_code()

    def scroll_page(self, pages: int, *, prefers_text: bool = False) -> None:
        """Scroll the code by pages; if the text is preferred, or there is no code, scroll the text."""
        pane = self._scrolled_pane(prefers_text=prefers_text)
        pane.scroll_relative(y=pages * max(1, pane.size.height - 2), animate=False)

    def scroll_lines(self, lines: int) -> None:
        """Scroll the code by lines, or the text if there is no code."""
        self._scrolled_pane(prefers_text=False).scroll_relative(y=lines, animate=False)

    def _scrolled_pane(self, *, prefers_text: bool) -> Widget:
        scrolls_text = not self.query_one(CodeView).display or (prefers_text and self.text_column.max_scroll_y > 0)
        return self.text_column if scrolls_text else self.query_one(CodeView)


def reading_order(submission: "Submission", entry_files: Sequence[str]) -> tuple["SubmissionFile", ...]:
    """The files in reading order: the entry, the other code, the tests, the rest."""

    def rank(file: "SubmissionFile") -> tuple[int, str]:
        is_test = file.name.startswith("test_") or file.name.endswith("_test.py") or "tests/" in f"/{file.path}"
        if file.name in entry_files:
            return 0, file.path
        return (2 if is_test else 1) if file.name.endswith(".py") else 3, file.path

    return tuple(sorted(submission.files, key=rank))
