"""The tabs of a page, on one line: chosen by arrow, by number, by click."""

from textual import events
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.painting import Piece, strip


class TabBar(Widget):
    """Names in a row; the open one is bright, above a rule."""

    DEFAULT_CSS = """
    TabBar { height: 2; padding: 0 1; }
    """
    ALLOW_SELECT = False
    open: reactive[str] = reactive("")

    class TabOpened(Message):
        """Posted when another tab was opened."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(self, names: tuple[str, ...], opened: str, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.names = names
        self.set_reactive(TabBar.open, opened)

    def watch_open(self, name: str) -> None:
        """Post the message for a newly opened tab."""
        self.post_message(self.TabOpened(name))

    def open_neighbour(self, step: int) -> None:
        """Open the tab this many steps to the right, wrapping around at the end."""
        self.open = self.names[(self.names.index(self.open) + step) % len(self.names)]

    def _spots(self) -> list[tuple[int, int, str]]:
        spots: list[tuple[int, int, str]] = []
        at = 0
        for index, name in enumerate(self.names, start=1):
            end = at + len(f"{index} {name}")
            spots.append((at, end, name))
            at = end + 3
        return spots

    def on_click(self, event: events.Click) -> None:
        """Open the tab that is clicked."""
        at = event.get_content_offset_capture(self).x
        for start, end, name in self._spots():
            if start <= at < end:
                self.open = name

    def render_line(self, y: int) -> Strip:
        """Draw the names, then the rule with the open tab's part highlighted."""
        current_look = look(self)
        pieces: list[Piece] = []
        width, at = self.size.width, 0
        for index, (start, end, name) in enumerate(self._spots(), start=1):
            is_open = name == self.open
            if y == 0:
                number = current_look.palette.style("ember" if is_open else "faint")
                pieces += [(" " * (start - at), number), (f"{index} ", number)]
                pieces.append((name, current_look.palette.style("ash" if is_open else "dim", bold=is_open)))
            else:
                pieces.append((current_look.glyphs.rule * (start - at), current_look.palette.style("rule")))
                pieces.append(
                    (
                        current_look.glyphs.rule * (end - start),
                        current_look.palette.style("ember" if is_open else "rule"),
                    )
                )
            at = end
        if y:
            pieces.append((current_look.glyphs.rule * (width - at), current_look.palette.style("rule")))
        return strip(pieces, width, self.rich_style)
