"""What can be pressed now, on one line; every entry can be clicked."""

from rich.cells import cell_len
from rich.segment import Segment
from textual import events
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from evalforge.app.look import app_of, look
from evalforge.app.widgets.paint import Piece

_ALWAYS = frozenset({"escape", "question_mark", "f1"})
"""Ways out and help stay even where room is short."""


class KeyBar(Widget):
    """The keys valid here and now, those of the focused part first; help stays even where room is short."""

    DEFAULT_CSS = """
    KeyBar { height: 1; dock: bottom; padding: 0 1; }
    """
    ALLOW_SELECT = False

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._spots: list[tuple[int, int, str]] = []

    def on_mount(self) -> None:
        """Follow the screen's bindings."""
        self.screen.bindings_updated_signal.subscribe(self, self._renew)  # pyright: ignore[reportUnknownMemberType]

    def _renew(self, screen: Screen[object]) -> None:
        if screen.is_attached and screen is self.screen:
            self.refresh()

    def _entries(self) -> list[tuple[str, str, str]]:
        """Key, how it is shown, and what it does, in order."""
        found: dict[str, tuple[str, str, str]] = {}
        for key, active in self.screen.active_bindings.items():
            binding = active.binding
            if binding.show and active.enabled and binding.description and binding.action not in found:
                shown = app_of(self).get_key_display(binding)
                found[binding.action] = (
                    key,
                    _plain(shown, enter=look(self).glyphs.enter),
                    binding.description,
                )
        entries = list(found.values())
        return [e for e in entries if e[2] != "help"] + [e for e in entries if e[2] == "help"]

    def render_line(self, y: int) -> Strip:
        """Draw the line."""
        palette = look(self).palette
        entries, width = self._entries(), self.size.width
        while sum(_width(entry) for entry in entries) > width + 2:
            spare = [entry for entry in entries if entry[0] not in _ALWAYS]
            if not spare:
                break
            entries.remove(spare[-1])
        pieces: list[Piece] = []
        self._spots, at = [], 0
        for key, shown, words in entries:
            end = at + cell_len(shown) + 1 + cell_len(words)
            self._spots.append((at, end, key))
            pieces += [(shown, palette.style("ember", bold=True)), (f" {words}  ", palette.style("dim"))]
            at = end + 2
        return Strip([Segment(*piece) for piece in pieces]).adjust_cell_length(width).apply_style(self.rich_style)

    def on_click(self, event: events.Click) -> None:
        """Press the key that was clicked."""
        at = event.get_content_offset_capture(self).x
        for start, end, key in self._spots:
            if start <= at < end:
                app_of(self).simulate_key(key)
                return


def _width(entry: tuple[str, str, str]) -> int:
    return cell_len(entry[1]) + 1 + cell_len(entry[2]) + 2


def _plain(shown: str, enter: str) -> str:
    """A key as we write it: ``ctrl+q``, not ``^q``."""
    if shown == "⏎":
        return enter
    return f"ctrl+{shown[1:]}" if len(shown) == 2 and shown[0] == "^" else shown
