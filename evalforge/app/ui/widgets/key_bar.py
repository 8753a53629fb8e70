"""The keys that can be pressed now, on one line; every entry can be clicked."""

from rich.cells import cell_len
from rich.segment import Segment
from textual import events
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from evalforge.app.ui.text.key_hints import KeyHint, key_hints
from evalforge.app.ui.theme.look import app_of, look
from evalforge.app.ui.widgets.painting import Piece

_ALWAYS = frozenset({"escape", "question_mark", "f1"})
"""Keys that stay even if space is short: ways out and help."""
_GAP = 2


class KeyBar(Widget):
    """The currently enabled keys, those of the focused widget first; help stays even if space is short."""

    DEFAULT_CSS = """
    KeyBar { height: 1; dock: bottom; padding: 0 1; }
    """
    ALLOW_SELECT = False

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._spots: list[tuple[int, int, str]] = []

    def on_mount(self) -> None:
        """Redraw the keys whenever the screen's bindings change, and when a dialog opens or closes."""
        app_of(self).screen_change_signal.subscribe(self, self._refresh_for)  # pyright: ignore[reportUnknownMemberType]
        self.screen.bindings_updated_signal.subscribe(self, self._renew)  # pyright: ignore[reportUnknownMemberType]

    def _renew(self, screen: Screen[object]) -> None:
        if screen.is_attached and screen is self.screen:
            self.refresh()

    def _refresh_for(self, _: Screen[object]) -> None:
        self.refresh()

    def _entries(self) -> list[KeyHint]:
        """The keys offered now; none behind a dialog, which shows its own."""
        if app_of(self).screen is not self.screen:  # pyright: ignore[reportUnknownMemberType]
            return []
        return [hint for hint in key_hints(self.screen) if hint.offered and hint.enabled]  # pyright: ignore[reportUnknownMemberType]

    def render_line(self, y: int) -> Strip:
        """Draw the keys that can be pressed now."""
        palette = look(self).palette
        entries, width = self._entries(), self.size.width
        while sum(map(_width, entries)) > width + _GAP:
            spare = [hint for hint in entries if hint.key not in _ALWAYS]
            if not spare:
                break
            entries.remove(spare[-1])
        pieces: list[Piece] = []
        self._spots, at = [], 0
        for hint in entries:
            end = at + _width(hint) - _GAP
            self._spots.append((at, end, hint.key))
            pieces += [(hint.display, palette.style("ember", bold=True)), (f" {hint.label}  ", palette.style("dim"))]
            at = end + _GAP
        return Strip([Segment(*piece) for piece in pieces]).adjust_cell_length(width).apply_style(self.rich_style)

    def on_click(self, event: events.Click) -> None:
        """Press the key that was clicked."""
        at = event.get_content_offset_capture(self).x
        for start, end, key in self._spots:
            if start <= at < end:
                app_of(self).simulate_key(key)
                return


def _width(hint: KeyHint) -> int:
    return cell_len(hint.display) + 1 + cell_len(hint.label) + _GAP
