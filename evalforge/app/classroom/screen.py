"""A class against one boss: judged live, then read from every side."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import ContentSwitcher, Input

from evalforge.app.classroom.class_progress import ClassProgress, ClassTally
from evalforge.app.classroom.findings_views import AlikeView, LevelsView, StuckView
from evalforge.app.classroom.judging import ClassJudgingScreen, ClassPhase
from evalforge.app.classroom.row_order import ORDERS, RowFilter, select_rows
from evalforge.app.classroom.suites import SuitesView
from evalforge.app.classroom.views import ClassSnapshot, ClassView, MovedView, TableView, WallView
from evalforge.app.ui.text.paths import problem, short
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.search_bar import SearchBar, SearchSlot
from evalforge.app.ui.widgets.tab_bar import TabBar
from evalforge.classroom.class_run import ClassOptions
from evalforge.model.errors import EvalForgeError
from evalforge.model.text import clean_line

if TYPE_CHECKING:
    from evalforge.packs.pack import BossPack

VIEWS = ("wall", "table", "levels", "stuck", "alike", "moved", "tests")
_RENEW = 0.3
"""How often lists that may change under judging are drawn anew, in seconds."""


class ClassScreen(ClassJudgingScreen):
    """Seven sides of one class."""

    CSS_PATH = "screen.tcss"
    NAME = "A class"
    HELP_TEXT = """
Every hand-in is a bar: what is struck from the left is what it earned. Each result is kept at once. Stopped or left,
the run ends cleanly; the next goes on from there and judges only what changed.

`1` to `7` turn the sides; `tab` goes to the next part of one. `/` looks in names and reasons, `v` keeps some rows,
`s` sorts: by name, by score, by each criterion. `enter` opens a fight; on a level, a cluster, a pair or an impostor
it keeps only those in it.

`o` sets a criterion's level yourself, with a reason. The judge's word is kept beside yours. `e` hands the class out.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "widen", "all rows", id="class.widen"),
        Binding("escape", "halt", "stop", id="class.halt"),
        Binding("escape", "back", "back", id="class.back"),
        Binding("slash", "search", "search", key_display="/", id="class.search"),
        Binding("s", "sort", "sort", id="class.sort"),
        Binding("v", "keep", "filter", id="class.keep"),
        Binding("o", "override", "set a level", id="class.override"),
        Binding("e", "export", "export", id="class.export"),
        Binding("r", "go_on", "go on", id="class.go_on"),
        *(Binding(str(i), f"turn('{name}')", name, show=False, id=f"class.{name}") for i, name in enumerate(VIEWS, 1)),
    ]

    def __init__(self, pack: "BossPack", place: Path, options: ClassOptions | None = None) -> None:
        super().__init__(pack, place, options)
        self._row_filter = RowFilter()

    def body(self) -> Iterable[Widget]:
        """Heading, progress, the sides, the tally."""
        about = self._pack.definition
        yield Heading([(about.title.upper(), f"bold {about.metadata.accent}")], id="heading")
        yield ClassProgress(self._room, id="progress")
        yield TabBar(VIEWS, VIEWS[0], id="tabs")
        with SearchSlot():
            yield SearchBar("name, id, address or reason", id="search")
        with ContentSwitcher(initial="wall-view", id="sides"):
            yield WallView(self._room, about.metadata.accent, id="wall-view")
            yield TableView(id="table-view")
            yield LevelsView(id="levels-view")
            yield StuckView(id="stuck-view")
            yield AlikeView(self._files, id="alike-view")
            yield MovedView(id="moved-view")
            yield SuitesView(id="tests-view")
        yield ClassTally(self._room, id="tally")

    def on_mount(self) -> None:
        """Begin at once."""
        self.set_interval(_RENEW, self._catch_up)
        self._view.take_focus()
        self.action_go_on()

    # What is shown

    @property
    def _view(self) -> ClassView:
        return self.query_one(f"#{self.query_one(TabBar).open}-view", ClassView)

    def _catch_up(self) -> None:
        if self._stale and self.is_current:
            self.show_all()

    def show_all(self) -> None:
        """Show the side that is in front anew."""
        self._stale = False
        room = self._room
        waits = "This is told when every row is settled." if room.closed is None else "Looking for what they share ..."
        seen = ClassSnapshot(
            room, select_rows(room.places.values(), self._row_filter), self._row_filter, self._report, waits
        )
        self._view.renew(seen)
        notes = [] if self._row_filter.order == ORDERS[0] else [self._order_words()]
        notes += [self._row_filter.why] if self._row_filter.only is not None else []
        notes += [self._row_filter.kept] if self._row_filter.kept != "all" else []
        notes += [f"{len(seen.places)} shown"] if self._row_filter.narrows else []
        self.query_one(ClassTally).show_time_left(", ".join(notes))
        self.refresh_bindings()

    def _order_words(self) -> str:
        labels = self._pack.rubric.labels
        order = self._row_filter.order
        return f"by {labels[order]}" if order in labels else order

    def on_screen_resume(self) -> None:
        """Judging went on while a fight was read."""
        if self.is_mounted and self._room.total:
            self.show_all()
            self._view.take_focus()

    def on_resize(self) -> None:
        """Lists are as wide as there is room for."""
        self._stale = self._stale or bool(self._room.total)

    @on(TabBar.Turned)
    def _turned(self, event: TabBar.Turned) -> None:
        row_id = self._chosen
        self.query_one(ContentSwitcher).current = f"{event.name}-view"
        self.show_all()
        self._view.take_focus()
        if row_id and event.name == "wall":
            self.wall.point(row_id)

    @property
    def _chosen(self) -> str:
        current = self.query_one(ContentSwitcher).current
        return self.query_one(f"#{current}", ClassView).selection if current else ""

    # What can be done

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what makes sense now."""
        if not self.is_mounted:
            return True
        place = self._room.places.get(self._chosen)
        match action:
            case "widen":
                return self._narrowed
            case "halt":
                return not self._narrowed and self._phase in (ClassPhase.READING, ClassPhase.JUDGING)
            case "back":
                settled = self._phase in (ClassPhase.STOPPED, ClassPhase.SETTLED, ClassPhase.FAILED)
                return not self._narrowed and settled
            case "go_on":
                return self._phase in (ClassPhase.STOPPED, ClassPhase.FAILED)
            case "export":
                return self._phase is ClassPhase.SETTLED and self._report is not None
            case "override":
                return place is not None and place.result is not None
            case "search" | "sort" | "keep":
                return self.query_one(TabBar).open in ("wall", "table")
            case _:
                return True

    @property
    def _narrowed(self) -> bool:
        """Whether escape widens first what is shown."""
        return self.query_one(SearchBar).display or self._row_filter.only is not None

    def action_turn(self, name: str) -> None:
        """One side."""
        self.query_one(TabBar).open = name

    def action_go_on(self) -> None:
        """Judge whoever is not settled."""
        self.begin()

    def action_widen(self) -> None:
        """Out of the search, back to all rows."""
        search = self.query_one(SearchBar)
        if search.display:
            search.close()
            self._view.take_focus()
        else:
            self._row_filter = replace(self._row_filter, only=None, why="")
            self.show_all()

    def action_halt(self) -> None:
        """Stop; the next run goes on from there."""
        self.stop()

    def action_search(self) -> None:
        """Type to narrow."""
        self.query_one(SearchBar).open()

    @on(Input.Changed, "#search")
    def _narrow(self, event: Input.Changed) -> None:
        self._row_filter = replace(self._row_filter, words=event.value)
        self.show_all()

    @on(Input.Submitted, "#search")
    def _leave_search(self) -> None:
        self._view.take_focus()

    def action_sort(self) -> None:
        """The next order."""
        self._row_filter = self._row_filter.next_order(self._pack.rubric)
        self.show_all()

    def action_keep(self) -> None:
        """The next choice of rows."""
        self._row_filter = self._row_filter.next_kept()
        self.show_all()

    @on(ClassView.Pointed)
    def _pointed(self) -> None:
        self.refresh_bindings()

    @on(ClassView.Narrowed)
    def _only(self, event: ClassView.Narrowed) -> None:
        self._row_filter = RowFilter(order=self._row_filter.order, only=event.row_ids, why=clean_line(event.why))
        self.query_one(TabBar).open = "table"

    @on(ClassView.Opened)
    def _open(self, event: ClassView.Opened) -> None:
        place = self._room.places.get(event.key)
        if place is not None and place.attempt_id:
            self.navigator.open_attempt(place.attempt_id)

    def _files(self, row_id: str) -> Mapping[str, str]:
        """What a row handed in."""
        place, history = self._room.places.get(row_id), self.session.history()
        if place is None or history is None or not place.attempt_id:
            return {}
        try:
            return {file.path: file.content for file in history.get(place.attempt_id).submission.files}
        except EvalForgeError as error:
            self.notify(problem(error), severity="error", markup=False)
            return {}

    def action_override(self) -> None:
        """Set a level of the row under the cursor."""
        from evalforge.app.classroom.override import OverrideScreen

        place = self._room.places.get(self._chosen)
        if place is not None and place.row is not None and place.row.judged is not None:
            row_id = place.row_id
            self.game.push_screen(
                OverrideScreen(place.row, self._pack.rubric), lambda word: self.keep_word(row_id, word)
            )

    def action_export(self) -> None:
        """Ask in which form to hand the class out."""
        from evalforge.app.classroom.export_dialog import ClassExportScreen

        folder = short(self.session.services.starter_folder.absolute())
        self.game.push_screen(ClassExportScreen(folder), self.hand_out)
