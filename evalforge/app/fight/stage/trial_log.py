"""The trials of a fight as they end: the last lines, and a row of marks below."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.style import Style
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.geometry import Size
from textual.strip import Strip

from evalforge.app.fight.difference import Change
from evalforge.app.fight.stage.impostor_row import ImpostorRow
from evalforge.app.ui.text.formatting import plural
from evalforge.app.ui.text.styled_text import Run
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.line_view import Line, LineScroll
from evalforge.app.ui.widgets.painted_widget import PaintedWidget
from evalforge.app.ui.widgets.painting import Piece, strip, wrap
from evalforge.model.evidence import LOAD_GROUP, TrialOutcome
from evalforge.model.number_format import format_size
from evalforge.model.text import clean_line

if TYPE_CHECKING:
    from evalforge.model.events import Collected
    from evalforge.model.evidence import TrialResult

_MESSAGE_LINES = 3
_TITLE_LINES = 2
_KEPT_LINES = 2_000
_CHANGE_WORDS = {Change.NEWLY_PASSES: "now passes: ", Change.NEWLY_FAILS: "newly fails: "}
_LINES_BESIDE_MASKS = 5
"""Lines of the log, the count and the masks' heading, which stay visible when impostors arrive."""


class TrialLog(LineScroll):
    """Titles and messages, wrapped when they arrive."""

    DEFAULT_CSS = """
    TrialLog { scrollbar-size-vertical: 0; }
    """

    can_focus = False

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._entries: list[tuple[str, Run]] = []
        self._lines: list[Line] = []
        self._wrapped_at = 0
        self._step = 1
        """The number of lines the page turns by: moving every line for each new one would flicker."""

    def clear(self) -> None:
        """Remove all trials and messages."""
        self._entries.clear()
        self._lines.clear()
        self._turn_page()

    def show_message(self, text: str, role: str = "dim") -> None:
        """Add a line that isn't a trial; how far something has got takes the place of the line that said so before."""
        glyph, (last_text, _) = self._entries[-1] if self._entries else ("", ("", ""))
        if not glyph and last_text and text.startswith(last_text.partition(": ")[0] + ": "):
            del self._lines[-len(self._wrap(*self._entries.pop())) :]
        self._add("", text, role)

    def trial(self, trial: "TrialResult", change: Change) -> None:
        """Add a trial's outcome, and that it changed; one that didn't pass says why, and one that broke says where."""
        glyph, role = look(self).glyphs.outcome(trial.outcome)
        prefix = _CHANGE_WORDS.get(change, "")
        self._add(glyph, f"{prefix}{trial.title or trial.group}", role)
        if not trial.passed:
            line = f":{trial.line}" if trial.line else ""
            place = f"{trial.path}{line}  " if change is Change.NEWLY_FAILS and trial.path else ""
            self._add("", f"{place}{trial.message or trial.outcome.value}", "dim")

    def _add(self, glyph: str, text: str, role: str) -> None:
        entry = glyph, (clean_line(text), role)
        self._entries.append(entry)
        del self._entries[:-_KEPT_LINES]
        new = self._wrap(*entry)
        self._lines += new
        if len(self._lines) > self.scroll_offset.y + self.size.height:
            self._turn_page(max(1, self.size.height // 2))
        else:
            self.refresh_lines(len(self._lines) - len(new), len(new))

    def show_last_page(self) -> None:
        """Fill the last page, because nothing more comes for now."""
        self._turn_page()

    def _wrap(self, glyph: str, message: Run) -> list[Line]:
        text, role = message
        width = max(10, (self.size.width or self._wrapped_at) - 2)
        if not glyph:
            return [(("  ", role), (line, role)) for line in wrap(text, width, _MESSAGE_LINES)]
        first, *further = wrap(text, width, _TITLE_LINES)
        ink = "ash" if role == "blood" else "dim"
        return [((f"{glyph} ", role), (first, ink)), *((("  ", role), (line, ink)) for line in further)]

    def _turn_page(self, step: int = 1) -> None:
        self._step = step
        self.arrange_lines()

    def lay_out(self, width: int) -> Size:
        """Wrap the lines again if the width changed, and show the newest."""
        if self._wrapped_at != width:
            self._wrapped_at = width
            self._lines = [line for entry in self._entries for line in self._wrap(*entry)]
        page = max(1, self.size.height)
        turns = -(-max(0, len(self._lines) - page) // self._step)
        return Size(width, turns * self._step + page)

    def arrange_lines(self) -> None:
        """Go to the last page."""
        super().arrange_lines()
        # Textual itself notices that there is something to scroll only in the next layout.
        self.scroll_to(y=self.virtual_size.height - max(1, self.size.height), animate=False, force=True)

    def on_resize(self) -> None:
        """Go to the last page, as soon as the widget has a height."""
        self._step = 1
        self.arrange_lines()

    def line(self, y: int) -> Line:
        """Draw one of the lines; those below the newest are still to come."""
        return self._lines[y] if y < len(self._lines) else ()


class TrialMarks(PaintedWidget):
    """A mark for each trial, in groups: planned, passed or failed; a mark for each group if space is short."""

    DEFAULT_CSS = """
    TrialMarks { height: 1; background: transparent; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._groups: dict[str, int] = {}
        self._outcomes: dict[str, list[TrialOutcome]] = {}

    def plan(self, groups: dict[str, int]) -> None:
        """Set the number of trials in each group."""
        self._groups, self._outcomes = dict(groups), {}
        self.refresh()

    def add_outcome(self, group: str, outcome: TrialOutcome) -> None:
        """Add an outcome. Whether the code loads isn't a trial of the boss, so it isn't counted."""
        if group == LOAD_GROUP:
            return
        self._outcomes.setdefault(group, []).append(outcome)
        self.draw_again()

    @property
    def count(self) -> tuple[int, int]:
        """The number of passed trials, and of all."""
        done = [outcome for outcomes in self._outcomes.values() for outcome in outcomes]
        return done.count(TrialOutcome.PASSED), max(len(done), sum(self._groups.values()))

    def line(self, y: int) -> Strip:
        """Draw the marks, then the count."""
        palette = look(self).palette
        passed, total = self.count
        if y or not total:
            return Strip.blank(self.size.width, self.ground)
        ink = palette.style("verdigris" if total == passed else "ash", bold=True)
        tally = [(f" {passed}/{total}", ink), (" trials", palette.style("dim"))]
        marks_width = self.size.width - sum(cell_len(text) for text, _ in tally)
        return strip([*self._marks(marks_width), *tally], self.size.width, self.ground)

    def _marks(self, marks_width: int) -> list[Piece]:
        """Draw a mark for each trial; where they don't fit, one for each group with how many of its trials failed."""
        palette, glyphs = look(self).palette, look(self).glyphs
        marks = {outcome: glyphs.outcome(outcome) for outcome in TrialOutcome}
        marks_by_outcome = {outcome: (glyph, palette.style(role)) for outcome, (glyph, role) in marks.items()}
        marks_by_outcome |= {None: (glyphs.dot, palette.style("faint"))}
        groups = self._states()
        pieces: list[Piece] = []
        if sum(map(len, groups)) + len(groups) - 1 <= marks_width:
            for states in groups:
                pieces += [*(marks_by_outcome[state] for state in states), (" ", Style())]
            return pieces[:-1]
        for states in groups:
            failed_count = sum(state is not None and state is not TrialOutcome.PASSED for state in states)
            pieces += [marks_by_outcome[_worst(states)], (f"{failed_count or ''} ", palette.style("dim"))]
        return pieces if sum(cell_len(text) for text, _ in pieces) <= marks_width else []

    def _states(self) -> list[list[TrialOutcome | None]]:
        """Each group's outcomes; None for pending trials."""
        groups: list[list[TrialOutcome | None]] = []
        for name in self._groups | dict.fromkeys(self._outcomes, 0):
            outcomes = self._outcomes.get(name, [])
            groups.append([*outcomes, *[None] * (self._groups.get(name, 0) - len(outcomes))])
        return groups


class TrialView(Vertical):
    """The trials as they end, the count, and then the impostors that the player's tests run on."""

    DEFAULT_CSS = """
    TrialView { height: 1fr; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._unlogged_ids: set[str] = set()
        """The ids of the trials that the log leaves out while the fight is on."""

    def compose(self) -> ComposeResult:
        """Compose the log, the marks of the trials and the row of impostors."""
        yield TrialLog(id="log")
        yield TrialMarks(id="marks")
        yield ImpostorRow(_LINES_BESIDE_MASKS, id="impostors")

    def clear(self) -> None:
        """Remove the trials, the marks and the impostors of the last fight."""
        self.query_one(TrialLog).clear()
        self.impostors.clear()
        self._unlogged_ids.clear()
        self.plan({})

    def plan(self, groups: dict[str, int]) -> None:
        """Set the number of trials in each group."""
        self.query_one(TrialMarks).plan(groups)

    def collected(self, event: "Collected") -> None:
        """Show the submitted files."""
        left_out = f", {plural(event.total_left_out, 'path')} left out" if event.left_out else ""
        self.show_message(f"{plural(len(event.files), 'file')}, {format_size(event.total_bytes)}{left_out}")
        if event.measured_at:
            self.show_message(f"same files: evidence from {event.measured_at.astimezone():%Y-%m-%d %H:%M}")

    def show_message(self, text: str, role: str = "dim") -> None:
        """Add a line that isn't a trial to the log."""
        self.query_one(TrialLog).show_message(text, role)

    def close(self, text: str) -> None:
        """Add the last line, if no verdict follows."""
        self.show_message(text, "ember")
        self.query_one(TrialLog).show_last_page()

    def add_trial(self, trial: "TrialResult", change: Change) -> None:
        """Add a finished trial to the marks, and to the log unless it ended as before."""
        self.query_one(TrialMarks).add_outcome(trial.group, trial.outcome)
        if change is Change.SAME:
            self._unlogged_ids.add(trial.id)
        else:
            self.query_one(TrialLog).trial(trial, change)

    def fill_log(self, trials: "Sequence[TrialResult]") -> None:
        """Add the trials that ended as before, which were left out of the log while the fight was on."""
        for trial in trials:
            if trial.id in self._unlogged_ids:
                self.query_one(TrialLog).trial(trial, Change.SAME)
        self._unlogged_ids.clear()

    @property
    def impostors(self) -> ImpostorRow:
        """The row of impostors that the tests run on."""
        return self.query_one(ImpostorRow)

    @property
    def total(self) -> int:
        """The number of trials, as far as known."""
        return self.query_one(TrialMarks).count[1]


def _worst(states: list[TrialOutcome | None]) -> TrialOutcome | None:
    """The first of these that occurs: failed, pending, not reached, passed."""
    calm = (None, TrialOutcome.NOT_REACHED, TrialOutcome.PASSED)
    failed = (state for state in states if state not in calm)
    return next(failed, next((state for state in calm if state in states), None))
