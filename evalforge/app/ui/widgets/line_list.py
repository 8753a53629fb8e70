"""The base of all lists: items of one or more lines, one of which is under the cursor."""

from collections.abc import Sequence
from typing import ClassVar

from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.line_view import LineScroll


class ItemMessage(Message):
    """Something happened to an item of a widget; ``key`` identifies it."""

    def __init__(self, widget: Widget, key: str) -> None:
        super().__init__()
        self.widget, self.key = widget, key

    @property
    def control(self) -> Widget:
        """The widget that contains the item."""
        return self.widget


class LineList(LineScroll, inherit_bindings=False):
    """Items from top to bottom. Subclasses define them by ``key_of``, ``line`` and ``item_of_lines``.

    Args:
        opens: The label of enter in the key bar; empty if the screen handles enter.
        id: The widget's id.
    """

    DEFAULT_CSS = """
    LineList { scrollbar-size: 1 1; overflow-x: hidden; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "up", show=False, id="list.up"),
        Binding("down,j", "move(1)", "down", show=False, id="list.down"),
        Binding("pageup", "move_page(-1)", "page up", show=False, id="list.page_up"),
        Binding("pagedown", "move_page(1)", "page down", show=False, id="list.page_down"),
        Binding("home,g", "move(-1000000000)", "first", show=False, id="list.first"),
        Binding("end,G", "move(1000000000)", "last", show=False, id="list.last"),
        Binding("enter", "open", "open", key_display="⏎", id="list.open"),
    ]
    ONE_CLICK: ClassVar[bool] = False
    """Whether the first click on an item opens it, rather than the second."""
    LIT_ALWAYS: ClassVar[bool] = False
    """Whether the item under the cursor is highlighted even without the focus."""
    RAISED_ROLE: ClassVar[str] = "raised"
    """The background of the item under the cursor."""
    cursor: reactive[int] = reactive(0)

    class Pointed(ItemMessage):
        """Posted when the cursor moves to another item, or the items change."""

    class Opened(ItemMessage):
        """Posted when an item is opened."""

    def __init__(self, opens: str = "", *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._opens, self._count = opens, 0
        self._items: Sequence[int] = ()

    def binding_label(self, binding: Binding) -> str:
        """The label of a key: for enter, what opening an item does."""
        return self._opens if binding.action == "open" else binding.description

    # Overridden by lists

    def item_of_lines(self, width: int) -> Sequence[int]:
        """Lay out for a width: the item of each line, -1 for none. The lines of an item are adjacent.

        By default, every item has one line.
        """
        del width
        return range(self._count)

    def item_at(self, x: int, y: int) -> int:
        """The item that is drawn at a position; -1 for none."""
        del x
        return self._items[y] if 0 <= y < len(self._items) else -1

    def region_of(self, index: int) -> Region:
        """The lines of an item; empty if it has none."""
        height = self._items.count(index)
        return Region(0, self._items.index(index) if height else 0, self.line_width, height)

    def key_of(self, index: int) -> str:
        """The key that identifies an item."""
        raise NotImplementedError

    def can_open(self, index: int) -> bool:
        """Whether an item can be opened."""
        return 0 <= index < self._count

    # Common to all lists

    @property
    def count(self) -> int:
        """The number of items."""
        return self._count

    @property
    def key(self) -> str:
        """The key of the item under the cursor; empty if there is none."""
        return self.key_of(self.cursor) if 0 <= self.cursor < self._count else ""

    def renew(self, count: int, cursor: int = 0) -> None:
        """Replace the items."""
        self._count = count
        self.set_reactive(LineList.cursor, cursor)
        self.arrange_lines()
        if self.is_mounted:
            if self.styles.height is not None and self.styles.height.is_auto:
                self.refresh(layout=True)
            self.call_after_refresh(self._keep_in_sight)
            self.announce()

    def point(self, key: str) -> None:
        """Move the cursor to an item."""
        self.cursor = next((index for index in range(self._count) if self.key_of(index) == key), self.cursor)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable opening if there is nothing to open."""
        return bool(self._opens) and self.can_open(self.cursor) if action == "open" else True

    def action_move(self, step: int) -> None:
        """Move the cursor by some items."""
        if self._count:
            self.cursor = min(max(self.cursor + step, 0), self._count - 1)

    def action_move_page(self, step: int) -> None:
        """Move the cursor by as many items as are visible."""
        last_row = (self.size.height - 1) * self._count // max(1, len(self._items))
        self.action_move(step * max(1, last_row))

    def action_open(self) -> None:
        """Open the item under the cursor."""
        if self.can_open(self.cursor):
            self.post_message(self.Opened(self, self.key))

    def watch_cursor(self) -> None:
        """Keep the cursor in sight and report it."""
        if self.is_mounted:
            self._keep_in_sight()
            self.announce()

    def on_click(self, event: events.Click) -> None:
        """Point at the clicked item; a second click opens it."""
        x, y = event.get_content_offset_capture(self) + self.scroll_offset
        index = self.item_at(x, y)
        if index >= 0:
            opens = self.ONE_CLICK or index == self.cursor
            self.cursor = index
            if opens:
                self.action_open()

    def on_resize(self) -> None:
        """Keep the cursor in sight."""
        self.call_after_refresh(self._keep_in_sight)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """The number of lines, if the style sheet leaves the height to them."""
        return len(self.item_of_lines(width))

    def lay_out(self, width: int) -> Size:
        """Lay out the list's lines."""
        self._items = self.item_of_lines(width)
        return Size(width, len(self._items))

    def line_style(self, y: int) -> Style:
        """Highlight the item under the cursor."""
        is_lit = self._items[y] == self.cursor >= 0 and (self.has_focus or self.LIT_ALWAYS) and self.line(y)
        return self.rich_style + look(self).palette.style("", on=self.RAISED_ROLE) if is_lit else self.rich_style

    def announce(self) -> None:
        """Report the item under the cursor."""
        self.screen.refresh_bindings()
        if self.cursor >= 0:
            self.post_message(self.Pointed(self, self.key))

    def _keep_in_sight(self) -> None:
        """Scroll to the item, including the heading lines above it that belong to no item."""
        region = self.region_of(self.cursor)
        if not region.height:
            return
        while region.y and self.item_at(region.x, region.y - 1) < 0 and region.height < self.size.height:
            region = region.grow((1, 0, 0, 0))
        self.scroll_to_region(region, animate=False, force=True)
