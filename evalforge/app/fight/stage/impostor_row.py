"""The impostors as a row of masks: caught ones shatter, missed ones laugh."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from rich.cells import cell_len
from rich.style import Style
from textual.geometry import Size
from textual.strip import Strip

from evalforge.app.ui.text.styled_text import Run, Runs
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.inline_code import pieces
from evalforge.app.ui.widgets.painted_widget import PaintedWidget
from evalforge.app.ui.widgets.painting import strip
from evalforge.model.evidence import ImpostorFate

# The drawings of impostors: a mask before the player's tests have run on it, and its remains afterwards.


class MaskState(Enum):
    """The state of a mask, ordered by precedence when several share a cell."""

    LAUGHING = auto()
    SMIRKING = auto()
    STRUCK = auto()
    IN_PLACE = auto()
    NOT_TRIED = auto()
    SHATTERED = auto()


FINAL_STATES = {
    ImpostorFate.UNMASKED: MaskState.SHATTERED,
    ImpostorFate.LET_THROUGH: MaskState.LAUGHING,
    ImpostorFate.NOT_TRIED: MaskState.NOT_TRIED,
}
Drawing = tuple[Runs, ...]
"""The lines of one mask, each of the same width."""


@dataclass(frozen=True)
class MaskFormat:
    """One format for drawing masks.

    Attributes:
        width: The width of a mask in cells.
        gap: The cells between two masks.
    """

    width: int
    gap: int
    drawings: Mapping[MaskState, Drawing]

    @property
    def height(self) -> int:
        """The number of lines of a mask."""
        return len(self.drawings[MaskState.IN_PLACE])

    def masks_in(self, width: int) -> int:
        """How many masks fit on a line of this width."""
        return max(1, (width + self.gap) // (self.width + self.gap))

    def lines_for(self, count: int, width: int) -> int:
        """How many lines this many masks need."""
        return -(-count // self.masks_in(width)) * self.height


def _plain(top: str, bottom: str, role: str) -> Drawing:
    return ((top, role),), ((bottom, role),)


_FACES: dict[MaskState, Drawing] = {
    MaskState.IN_PLACE: _plain("▄▄▄▄▄", "▀▄█▄▀", "steel"),
    MaskState.STRUCK: _plain("▄▄ ▄▄", "▀▄▀▄▀", "flash"),
    MaskState.SHATTERED: (
        ((" ·", "faint"), (" ", ""), ("· ", "ember")),
        (("▁▂", "faint"), ("✓", "bold verdigris"), ("▂▁", "faint")),
    ),
    MaskState.LAUGHING: ((("▄ ▄ ▄", "steel"),), (("▀█▄█▀", "blood"),)),
    MaskState.SMIRKING: ((("▄▄▄▄▄", "steel"),), (("▀▄█▄▀", "blood"),)),
    MaskState.NOT_TRIED: _plain("▄▄▄▄▄", "· · ·", "faint"),
}
_ASCII_FACES: dict[MaskState, Drawing] = {
    MaskState.IN_PLACE: _plain("(o_o)", " |=| ", "steel"),
    MaskState.STRUCK: _plain("(o/o)", " /=| ", "flash"),
    MaskState.SHATTERED: (
        ((" . . ", "ember"),),
        ((".,", "faint"), ("+", "bold verdigris"), (",.", "faint")),
    ),
    MaskState.LAUGHING: _plain("(^_^)", " \\x/ ", "blood"),
    MaskState.SMIRKING: _plain("(^_^)", " -x/ ", "blood"),
    MaskState.NOT_TRIED: _plain("(   )", " ... ", "faint"),
}


def _small(mask: str, role: str, mark: str, mark_role: str) -> tuple[Drawing, Drawing]:
    """A mask of one cell above its mark, and a single-line version: the mark, or the mask while it has none."""
    has_mark = bool(mark.strip())
    return (((mask, role),), ((mark, mark_role),)), (((mark, mark_role) if has_mark else (mask, role),),)


def _small_formats(dense: str, light: str, full: str, passed: str, failed: str, dot: str) -> tuple[MaskFormat, ...]:
    """Formats with masks of one cell, from the most detailed to the smallest."""
    drawings = {
        MaskState.IN_PLACE: _small(dense, "steel", " ", ""),
        MaskState.STRUCK: _small(full, "flash", " ", ""),
        MaskState.SHATTERED: _small(light, "faint", passed, "verdigris"),
        MaskState.LAUGHING: _small(full, "steel", failed, "bold blood"),
        MaskState.SMIRKING: _small(dense, "steel", failed, "bold blood"),
        MaskState.NOT_TRIED: _small(dense, "faint", dot, "faint"),
    }
    tall = {state: drawing for state, (drawing, _) in drawings.items()}
    flat = {state: drawing for state, (_, drawing) in drawings.items()}
    return MaskFormat(1, 1, tall), MaskFormat(1, 0, tall), MaskFormat(1, 1, flat), MaskFormat(1, 0, flat)


FORMATS = (MaskFormat(5, 1, _FACES), *_small_formats("▓", "░", "█", "✓", "✗", "·"))
"""The formats, from the most detailed to the smallest."""
ASCII_FORMATS = (MaskFormat(5, 1, _ASCII_FACES), *_small_formats("=", ".", "#", "+", "x", "."))


_HEADING = "IMPOSTORS"


class ImpostorRow(PaintedWidget):
    """A heading with the count, then masks as large as fit, in as many rows as they need.

    Args:
        spared_lines: Lines of the surrounding widget that it leaves free.
        id: The widget's id.
    """

    DEFAULT_CSS = """
    ImpostorRow { height: auto; background: transparent; }
    """

    def __init__(self, spared_lines: int, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._spared_lines = spared_lines
        self._max_lines = 2
        self._fates: list[ImpostorFate] = []
        self._revealed: set[int] = set()
        self._struck = -1
        self._smirks = False
        self._wrong_expectations = 0
        self._is_measured = True

    # State

    def clear(self) -> None:
        """Remove all impostors."""
        self.show_arrived([])

    def show_arrived(self, fates: Sequence[ImpostorFate]) -> None:
        """Show these impostors with their masks on."""
        self._fates = list(fates)
        self._revealed, self._struck, self._smirks = set(), -1, False
        self._wrong_expectations, self._is_measured = 0, True
        self._arrange()

    def reveal(self, indexes: Iterable[int]) -> None:
        """Show how the tests have ended on some impostors."""
        self._revealed.update(indexes)
        self.draw_again()

    def strike(self, index: int, *, flash: bool) -> None:
        """Advance the tests to an impostor; the one before it is done."""
        self._revealed.update((self._struck,) if flash and self._struck >= 0 else () if flash else (index,))
        self._struck = index if flash else -1
        self.draw_again()

    def laugh(self, *, mouth_open: bool) -> None:
        """Draw one frame of the missed impostors' laugh."""
        self._smirks = not mouth_open
        self.draw_again()

    def finish(self, *, wrong_expectations: int) -> None:
        """Record that the tests have run on all impostors and right programs."""
        self._revealed, self._struck, self._smirks = set(range(len(self._fates))), -1, False
        self._wrong_expectations = wrong_expectations
        self.draw_again()

    def leave_unmeasured(self) -> None:
        """Keep all masks on, because the tests could not run on them."""
        self._is_measured = False
        self.draw_again()

    @property
    def count(self) -> int:
        """The number of impostors in the row."""
        return len(self._fates)

    @property
    def is_waiting(self) -> bool:
        """Whether the tests have yet to run on some impostors."""
        return len(self._revealed) < len(self._fates) and self._is_measured

    # Drawing

    def _arrange(self) -> None:
        if self.is_mounted:
            self.display = bool(self._fates)
            self.refresh(layout=True)

    def on_mount(self) -> None:
        """Hide the row until the first impostor arrives."""
        self.display = bool(self._fates)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """The height of the heading and the masks."""
        del viewport
        self._max_lines = max(2, container.height - self._spared_lines)
        layout = self._format(width)
        return 1 + min(self._max_lines, layout.lines_for(len(self._fates), width))

    def _format(self, width: int) -> MaskFormat:
        formats = FORMATS if look(self).glyphs.block_face else ASCII_FORMATS
        fitting_formats = (
            row_format for row_format in formats if row_format.lines_for(len(self._fates), width) <= self._max_lines
        )
        return next(fitting_formats, formats[-1])

    def _states(self) -> list[MaskState]:
        laughing = MaskState.SMIRKING if self._smirks else MaskState.LAUGHING
        states: list[MaskState] = []
        for index, fate in enumerate(self._fates):
            state = MaskState.STRUCK if index == self._struck else MaskState.IN_PLACE
            if index in self._revealed:
                state = FINAL_STATES[fate]
            states.append(laughing if state is MaskState.LAUGHING else state)
        return states

    def line(self, y: int) -> Strip:
        """Draw the heading, or a line of a row of masks."""
        width = self.size.width
        if y == 0:
            return strip(pieces(tuple(self._heading(width)), look(self).palette), width, self.ground)
        layout, states = self._format(width), self._states()
        states = _shared_cells(states, layout.masks_in(width) * max(1, self._max_lines // layout.height))
        row, part = divmod(y - 1, layout.height)
        per_row = layout.masks_in(width)
        runs: list[tuple[str, Style]] = []
        for state in states[row * per_row : (row + 1) * per_row]:
            runs += pieces(layout.drawings[state][part], look(self).palette)
            runs.append((" " * layout.gap, Style()))
        return strip(runs, width, self.ground)

    def _heading(self, width: int) -> list[Run]:
        """Count the impostors and their outcomes; in fewer words if space is short."""
        heading: list[Run] = [(_HEADING, "bold steel"), ("  ", "")]
        in_words, in_numbers = self._counts(in_words=True), self._counts(in_words=False)
        variants = [*heading, *in_words], in_words, in_numbers
        return next((runs for runs in variants if sum(cell_len(text) for text, _ in runs) <= width), in_numbers)

    def _counts(self, *, in_words: bool) -> list[Run]:
        glyphs, fate_counts = look(self).glyphs, Counter(self._fates[index] for index in self._revealed)
        if not self._is_measured or not self._revealed:
            text = "" if self._is_measured else ", not measured"
            return [(str(len(self._fates)), "bold ash"), (f" to catch{text}", "dim")]
        unmasked, through = fate_counts[ImpostorFate.UNMASKED], fate_counts[ImpostorFate.LET_THROUGH]
        tried_count = len(self._fates) - sum(fate is ImpostorFate.NOT_TRIED for fate in self._fates)
        runs: list[Run] = [
            (f"{glyphs.passed} ", "bold verdigris"),
            (f"{unmasked} of {tried_count}" if in_words else f"{unmasked}/{tried_count}", "bold ash"),
            (" caught", "dim"),
            (f"  {glyphs.failed} ", "bold blood" if through else "faint"),
            (str(through), "bold ash"),
            (" missed" if in_words else "", "dim"),
        ]
        if wrong := self._wrong_expectations:
            text = f" wrong {'test' if wrong == 1 else 'tests'}" if in_words else " wrong"
            runs += [("  ! ", "bold blood"), (str(wrong), "bold ash"), (text, "dim")]
        return runs


def _shared_cells(states: list[MaskState], cells: int) -> list[MaskState]:
    """Return the states; if there are more than cells, the highest-ranking one of each few that share a cell."""
    share = -(-len(states) // cells)
    if share <= 1:
        return states
    groups = (states[at : at + share] for at in range(0, len(states), share))
    return [min(group, key=lambda state: state.value) for group in groups]
