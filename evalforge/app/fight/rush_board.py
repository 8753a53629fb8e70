"""Every boss of a rush on a line: its folder, its bar as it is struck, how it ended."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len
from rich.style import Style
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from evalforge.app.ui.text.formatting import VERDICT_ROLES, VERDICT_WORDS
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.painting import Piece, fit, strip
from evalforge.model.number_format import format_number
from evalforge.model.text import clean_line

_TITLE, _SCORE, _WORDS = 24, 7, 16
_WIDE = 100


@dataclass(frozen=True)
class Round:
    """One boss of the rush. ``state`` is ``waiting``, ``fighting``, ``over`` or ``skipped``."""

    slug: str
    title: str
    accent: str
    folder: str
    maximum: float = 0
    state: str = "waiting"
    struck: float = 0
    words: str = ""
    verdict: str = ""
    trials: tuple[int, int] = (0, 0)


class RushBoard(ScrollView):
    """The rounds, one under the other."""

    DEFAULT_CSS = """
    RushBoard { width: 100%; height: 1fr; background: transparent; scrollbar-size-vertical: 1; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.rounds: list[Round] = []

    def show(self, rounds: Sequence[Round]) -> None:
        """Show these."""
        self.rounds = list(rounds)
        self._lay_out()

    def change(self, index: int, **what: object) -> None:
        """Change what one line says, and bring it into sight."""
        self.rounds[index] = replace(self.rounds[index], **what)  # type: ignore[arg-type]
        self.scroll_to_region(Region(0, index * self._step, 1, self._step), animate=False, force=True)
        self.refresh()

    @property
    def _step(self) -> int:
        return 2 if len(self.rounds) * 2 <= self.size.height else 1

    def _lay_out(self) -> None:
        self.virtual_size = Size(self.size.width, len(self.rounds) * self._step)
        self.refresh()

    def on_resize(self) -> None:
        """Lay out anew."""
        self._lay_out()

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        width = self.size.width
        index, part = divmod(self.scroll_offset.y + y, self._step)
        if part or not 0 <= index < len(self.rounds):
            return Strip.blank(width, self.rich_style)
        return strip(self._pieces(self.rounds[index], width), width, self.rich_style)

    def _pieces(self, one: Round, width: int) -> list[Piece]:
        here = look(self)
        palette, glyphs = here.palette, here.glyphs
        fighting, over = one.state == "fighting", one.state == "over"
        marks = {"waiting": glyphs.empty_pip, "fighting": glyphs.half_pip, "skipped": glyphs.dot}
        passed = one.verdict in ("pass", "strong_pass")
        mark = marks.get(one.state, glyphs.passed if passed else glyphs.failed if one.verdict else glyphs.dot)
        skipped = one.state == "skipped"
        role = "ember" if fighting else VERDICT_ROLES.get(one.verdict, "dim") if over else "faint" if skipped else "dim"
        ink = palette.accent(one.accent) if fighting else "faint" if skipped else "ash"
        title = min(_TITLE, max(len(clean_line(each.title)) for each in self.rounds))
        score = (
            f"{format_number(one.struck)}/{format_number(one.maximum)}" if one.maximum and (over or fighting) else ""
        )
        words = one.words or VERDICT_WORDS.get(one.verdict, "")
        if fighting and one.trials[1]:
            words = f"{one.trials[0]} of {one.trials[1]} trials"
        pieces: list[Piece] = [
            (f" {glyphs.cursor if fighting else ' '} ", palette.style("ember", bold=True)),
            (f"{mark} ", palette.style(role)),
            (fit(clean_line(one.title), title) + "  ", palette.style(ink)),
            *self._bar(one, 36 if width >= _WIDE else 16),
            (f"{score:>{_SCORE}}  ", palette.style("ash", bold=over)),
            (fit(words, _WORDS) + " ", palette.style(role)),
        ]
        room = width - sum(cell_len(text) for text, _ in pieces) - 1
        folder = clean_line(one.folder)
        if room >= 8:
            shown = folder if len(folder) <= room else glyphs.ellipsis + folder[-(room - 1) :]
            pieces.append((shown, palette.style("faint")))
        return [*pieces, (" ", Style())]

    def _bar(self, one: Round, width: int) -> list[Piece]:
        """What was struck, and what is left; nothing where nothing is to be fought."""
        palette, glyphs = look(self).palette, look(self).glyphs
        share = min(1.0, max(0.0, one.struck / one.maximum)) if one.maximum else 0.0
        struck = round(share * width)
        rest = " " if one.state == "skipped" else glyphs.bar_rest
        return [(glyphs.bar * struck, palette.style("molten")), (rest * (width - struck), palette.style("faint"))]
