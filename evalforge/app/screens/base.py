"""What every screen has: keys, help, breakpoints, and a message for terminals that are too small."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, TypeVar, cast

from rich.cells import cell_len
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Static
from textual.worker import Worker, WorkerState

from evalforge.app.ui.text.key_hints import all_key_hints
from evalforge.app.ui.text.markup import render_markup
from evalforge.app.ui.text.paths import problem
from evalforge.app.ui.text.styled_text import Run, styled
from evalforge.app.ui.theme.look import app_of
from evalforge.app.ui.widgets.key_bar import KeyBar
from evalforge.app.ui.widgets.text_panel import Panel
from evalforge.model.text import clean_line

if TYPE_CHECKING:
    from evalforge.app.core.game_app import GameApp
    from evalforge.app.core.navigation import Navigator
    from evalforge.app.core.session import Session

Answer = TypeVar("Answer")
SMALLEST = (60, 18)
"""The smallest playable terminal, in columns and lines."""
WIDTHS = ((0, "-tiny"), (60, "-narrow"), (80, "-normal"), (110, "-wide"))
HEIGHTS = ((0, "-low"), (18, "-short"), (24, "-regular"), (32, "-tall"))
"""The lowest number of columns or lines for each class of a screen, which has one of each."""
VAST = 150
"""With at least this many columns a wide screen has room to spare, and a class for that."""


class TooSmall(Static):
    """Covers the screen with a message while the terminal is too small."""

    DEFAULT_CSS = """
    TooSmall {
        layer: cover; display: none; width: 100%; height: 100%;
        background: $ground; color: $ash; content-align: center middle; text-align: center;
    }
    """

    def __init__(self) -> None:
        width, height = SMALLEST
        super().__init__(
            styled(("Too small.\n", "bold ember"), (f"{width}x{height} or more", "dim")),
            markup=False,
        )


class Dialog(ModalScreen[Answer]):
    """A box over the screen that opens it; it is dismissed with an answer."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title

    def compose(self) -> ComposeResult:
        """Compose the content, then the keys."""
        with Vertical(id="box") as box:
            box.border_title = Content(clean_line(self._title))
            yield from self.body()
            yield KeyBar()

    def body(self) -> Iterable[Widget]:
        """Compose the content of the dialog's box."""
        return ()


class GameScreen(Screen[None]):
    """Base of all our screens. ``NAME`` is the title of its help, ``HELP_TEXT`` its text."""

    DEFAULT_CSS = """
    GameScreen { layers: base cover; background: $ground; color: $ash; }
    GameScreen.-tiny, GameScreen.-low { overflow: hidden; }
    GameScreen.-tiny TooSmall, GameScreen.-low TooSmall { display: block; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "help", key_display="?", id="help"),
        Binding("f1", "help", "help", key_display="f1", id="help.while_typing"),
        Binding("comma", "app.settings", "settings", key_display=",", show=False, id="settings"),
        Binding("q", "name_ways_out", "how to quit", show=False, id="quit.named"),
    ]
    NAME: ClassVar[str] = ""
    HELP_TEXT: ClassVar[str] = ""

    @on(events.Resize)
    @on(events.ScreenResume)
    def _make_room(self) -> None:
        """Set the classes for the terminal's size before the first layout; Textual would set them after it."""
        size = app_of(self).size
        classes = {"-vast"} if size.width >= VAST else set[str]()
        for cells, steps in ((size.width, WIDTHS), (size.height, HEIGHTS)):
            classes.add(next(name for least, name in reversed(steps) if least <= cells))
        names = [name for _, name in (*WIDTHS, *HEIGHTS, (VAST, "-vast"))]
        self.update_classes({name: name in classes for name in names}, animate=False)

    @property
    def game(self) -> "GameApp":
        """The app, with the game's own type."""
        return cast("GameApp", app_of(self))

    @property
    def session(self) -> "Session":
        """History, bosses, engine and settings."""
        return self.game.session

    @property
    def navigator(self) -> "Navigator":
        """The navigator, which opens other screens."""
        return self.game.navigator

    def compose(self) -> ComposeResult:
        """Compose the screen's own parts, then the parts of all screens."""
        self._make_room()
        yield from self.body()
        yield KeyBar()
        yield TooSmall()

    def body(self) -> Iterable[Widget]:
        """Compose the screen's own widgets between heading and keys."""
        return ()

    def action_help(self) -> None:
        """Show the screen's purpose and its keys."""
        self.game.push_screen(HelpScreen(self))

    def action_name_ways_out(self) -> None:
        """Show how to leave: a single letter must not end the game, because it is easily hit by mistake."""
        self.notify("esc goes back, ctrl+q quits.", timeout=2.5, markup=False)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Show a worker's error if it doesn't show it itself; it must not end the game."""
        worker = cast("Worker[object]", event.worker)  # pyright: ignore[reportUnknownMemberType]
        if event.state is WorkerState.ERROR and worker.error is not None:
            self.notify(problem(worker.error), title="Something broke", severity="error", markup=False)

    def action_back(self) -> None:
        """Return to the previous screen."""
        if len(app_of(self).screen_stack) > 1:
            app_of(self).pop_screen()


class HelpScreen(ModalScreen[None]):
    """The help over the screen that it explains."""

    CSS_PATH = "help.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,f1,q,enter", "dismiss", "close", id="help.close"),
    ]

    def __init__(self, about: GameScreen) -> None:
        super().__init__()
        self._about = about

    def compose(self) -> ComposeResult:
        """Compose the purpose, then the keys."""
        with Vertical(id="help-box") as box:
            box.border_title = Content(self._about.NAME)
            box.border_subtitle = Content("esc closes")
            yield Panel(styled(render_markup(self._about.HELP_TEXT), "\n", self._keys()))

    def on_mount(self) -> None:
        """Let the arrow keys scroll."""
        self.query_one(Panel).focus()

    def _keys(self) -> Content:
        hints = all_key_hints(self._about)  # pyright: ignore[reportArgumentType]
        widest = max((cell_len(hint.display) for hint in hints), default=0)
        parts: list[Run] = []
        for hint in hints:
            padding = " " * (widest - cell_len(hint.display))
            parts += [(f"  {padding}{hint.display}  ", "bold ember"), (f"{hint.label}\n", "ash")]
        return styled(*parts)
