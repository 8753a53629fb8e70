"""All past fights: filtered, sorted, searched, plotted; opened, compared, replayed, exported, deleted."""

import functools
from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from rich.style import Style
from textual import on
from textual.binding import Binding, BindingType
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input

from evalforge.app.attempts.attempt_table import AttemptTable
from evalforge.app.screens.base import GameScreen
from evalforge.app.ui.text.formatting import VERDICT_ROLES, VERDICT_WORDS, plural
from evalforge.app.ui.text.paths import problem
from evalforge.app.ui.text.styled_text import styled
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.painting import Piece, brief, fit, strip
from evalforge.app.ui.widgets.search_bar import SearchBar, SearchSlot
from evalforge.app.ui.widgets.text_panel import Prose
from evalforge.model.errors import EvalForgeError
from evalforge.model.number_format import format_number, format_percent
from evalforge.model.text import clean_line
from evalforge.model.voice import Moment

if TYPE_CHECKING:
    from evalforge.history.boss_progress import LevelMatrix, ScoredAttempt
    from evalforge.history.listing import AttemptFilter
    from evalforge.model.attempt import Attempt
    from evalforge.packs.pack import BossPack

# Attempts on one boss from left to right: integrity as a plot, and below it each criterion's level as a heat strip.

_LABEL_LEAST = 20
_UP = " ▁▂▃▄▅▆▇█"


class TryChart(Widget):
    """A column for each attempt; the chosen one is bright."""

    DEFAULT_CSS = """
    TryChart { height: 9; padding: 0 1; }
    """
    chosen: reactive[str] = reactive("")
    """The id of the attempt whose column is highlighted."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._title = ""
        self._matrix: LevelMatrix | None = None
        self._labels: dict[str, str] = {}
        self._line = 0.0

    def show(self, title: str, matrix: "LevelMatrix", labels: dict[str, str], pass_share: float) -> None:
        """Show the attempts on a boss.

        Args:
            title: The boss's title.
            matrix: Criteria by attempts, oldest first.
            labels: The criteria's labels, by id.
            pass_share: The integrity that passes; 0 if unknown.
        """
        self._title, self._matrix, self._labels, self._line = title, matrix, labels, pass_share
        self.refresh()

    @property
    def has_tries(self) -> bool:
        """Whether there is anything to plot; submissions of a class aren't attempts of the player."""
        return self._matrix is not None and bool(self._matrix.attempts)

    @property
    def _tall(self) -> int:
        """The height of the plot in lines: what the heat strip leaves."""
        criteria = len(self._matrix.criteria) if self._matrix else 0
        return max(2, self.size.height - 1 - criteria)

    @property
    def _label(self) -> int:
        """The width of the labels before the plot, which get a third of the chart at most."""
        criteria = self._matrix.criteria if self._matrix else ()
        longest_label = max((cell_len(self._label_of(criterion)) for criterion in criteria), default=0)
        return max(_LABEL_LEAST, min(longest_label + 2, self.size.width // 3))

    def _label_of(self, criterion: str) -> str:
        return clean_line(self._labels.get(criterion, criterion))

    def _columns(self) -> "tuple[list[ScoredAttempt], int]":
        """The attempts that fit, and the width of each column."""
        tries = list(self._matrix.attempts) if self._matrix else []
        plot_width = max(1, self.size.width - self._label - 1)
        wide = next((w for w in (4, 3, 2) if len(tries) * w <= plot_width), 1)
        return tries[-(plot_width // wide) :], wide

    def render_line(self, y: int) -> Strip:
        """Draw one line of the chart: plot, numbers or heat."""
        width = self.size.width
        if self._matrix is None or not self._matrix.attempts:
            return Strip.blank(width, self.rich_style)
        tries, wide = self._columns()
        if y < self._tall:
            pieces = self._plot(y, tries, wide)
        elif y == self._tall:
            pieces = self._feet(tries, wide)
        else:
            pieces = self._heat(y - self._tall - 1, tries, wide)
        return strip(pieces, width, self.rich_style)

    def _plot(self, y: int, tries: "list[ScoredAttempt]", wide: int) -> list[Piece]:
        current_look = look(self)
        palette, rows = current_look.palette, self._tall
        at_line = self._line and rows - 1 - min(rows - 1, int(self._line * rows)) == y
        label = (
            clean_line(self._title)
            if y == 0 and not at_line
            else f"pass at {format_percent(self._line)}"
            if at_line
            else ""
        )
        role = "verdigris" if at_line else "ash"
        pieces: list[Piece] = [(fit(f" {label}", self._label), palette.style(role, bold=y == 0 and not at_line))]
        for attempt in tries:
            eighths = round(attempt.integrity * rows * 8) - (rows - 1 - y) * 8
            glyph = (
                _UP[min(8, max(0, eighths))]
                if current_look.glyphs.block_face
                else (current_look.glyphs.full if eighths > 3 else " ")
            )
            ink = "flash" if attempt.id == self.chosen else VERDICT_ROLES.get(attempt.verdict, "steel")
            if not glyph.strip() and at_line:
                glyph, ink = current_look.glyphs.rule, "faint"
            gap = current_look.glyphs.rule if at_line else " "
            bar = glyph * max(1, wide - 1)
            pieces += [(bar, palette.style(ink)), (gap if wide > 1 else "", palette.style("faint"))]
        return pieces

    def _feet(self, tries: "list[ScoredAttempt]", wide: int) -> list[Piece]:
        """The number of the chosen attempt, below its column."""
        current_look = look(self)
        pieces: list[Piece] = [(" " * self._label, Style())]
        at = next((i for i, attempt in enumerate(tries) if attempt.id == self.chosen), None)
        if at is not None:
            mark = f"{current_look.glyphs.below} #{tries[at].number}  {format_percent(tries[at].integrity)}"
            mark_column = at * wide
            plot_width = len(tries) * wide
            if mark_column + len(mark) > max(plot_width, self.size.width - self._label):
                mark = f"#{tries[at].number}  {format_percent(tries[at].integrity)} {current_look.glyphs.below}"
                mark_column = max(0, mark_column + 1 - len(mark))
            pieces += [(" " * mark_column, Style()), (mark, current_look.palette.style("ash"))]
        return pieces

    def _heat(self, index: int, tries: "list[ScoredAttempt]", wide: int) -> list[Piece]:
        current_look = look(self)
        palette, glyphs = current_look.palette, current_look.glyphs
        matrix = self._matrix
        if matrix is None or index >= len(matrix.criteria):
            return []
        name = matrix.criteria[index]
        pieces: list[Piece] = [
            (fit(f" {brief(self._label_of(name), self._label - 2)}", self._label), palette.style("dim"))
        ]
        for attempt in tries:
            level = attempt.levels.get(name)
            glyph, role = " ", "faint"
            if level is not None:
                share = level[0] / level[1] if level[1] > 0 else 0.0
                glyph, role = (
                    (glyphs.full, "molten") if share >= 1
                    else (glyphs.dot, "blood") if share <= 0
                    else (glyphs.medium if share < 0.67 else glyphs.dense, "ember")
                )  # fmt: skip
            cell = glyph * max(1, wide - 1) + (" " if wide > 1 else "")
            pieces.append((cell, palette.style(role)))
        return pieces


_VERDICTS = ("", *VERDICT_WORDS)
_ORDERS = ("newest", "integrity", "boss")


class AttemptsScreen(GameScreen):
    """The table, a search line, and a plot of the attempts on the boss under the cursor."""

    CSS_PATH = "attempt_list.tcss"
    NAME = "Attempts"
    HELP_TEXT = """
Every attempt is kept whole: the files as they were, the evidence, the verdict, and the fight itself.

`/` searches bosses, folders and ids. `o` shows one boss only, `v` one verdict only, and `s` sorts.
Below the list are the selected boss's attempts: the integrity of each, and the level of each criterion.

`m` marks an attempt; `d` compares with it, or with the previous attempt. `p` plays the fight again.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "search", "search", key_display="/", id="attempts.search"),
        Binding("o", "only_boss", "only this boss", id="attempts.boss"),
        Binding("v", "only_verdict", "verdict", id="attempts.verdict"),
        Binding("s", "sort", "sort", id="attempts.sort"),
        Binding("d", "compare", "compare", id="attempts.compare"),
        Binding("p", "replay", "replay", id="attempts.replay"),
        Binding("x", "export", "export", id="attempts.export"),
        Binding("m", "mark", "mark", id="attempts.mark"),
        Binding("r", "again", "fight again", id="attempts.again"),
        Binding("delete", "delete", "delete", id="attempts.delete"),
        Binding("escape", "widen", "all attempts", id="attempts.widen"),
        Binding("escape", "back", "back", id="attempts.back"),
    ]

    def __init__(self, boss_id: str = "") -> None:
        super().__init__()
        self._boss_id = boss_id
        self._verdict = ""
        self._order = _ORDERS[0]
        self._marked = ""
        self._plotted = ""

    def body(self) -> Iterable[Widget]:
        """Compose the heading, the search, the table and the plot."""
        yield Heading([("ATTEMPTS", "bold ember")], id="heading")
        with SearchSlot():
            yield SearchBar("boss, folder or id", id="search")
        yield Prose(id="nothing")
        yield AttemptTable(id="table")
        yield TryChart(id="chart")

    def on_mount(self) -> None:
        """List all attempts that pass the filter."""
        self._show()
        self.query_one(AttemptTable).focus()

    def on_screen_resume(self) -> None:
        """Reload the list, because there may be a new attempt."""
        history = self.session.history()
        if history is not None and history.count(self._filter()) != self.query_one(AttemptTable).count:
            self._show()

    def _filter(self) -> "AttemptFilter":
        from evalforge.history.listing import AttemptFilter

        text = self.query_one(SearchBar).value.strip()
        return AttemptFilter(boss_id=self._boss_id, text=text, verdict=self._verdict)

    @property
    def _is_narrowed(self) -> bool:
        """Whether a filter or search is active."""
        return bool(self.query_one(SearchBar).value.strip() or self._boss_id or self._verdict)

    def _show(self) -> None:
        from evalforge.history.listing import Order

        history = self.session.history()
        count = 0
        if history is not None:
            listing = history.listing(self._filter(), Order(self._order))
            count = listing.count
            self.query_one(AttemptTable).show(count, listing.page, self.session.thresholds())
        nothing = self.query_one("#nothing", Prose)
        nothing.display = count == 0
        text = "Nothing matches." if self._is_narrowed else "No fights yet. Pick a boss and strike."
        line = "" if self._is_narrowed else self.session.boss_line(self._boss_id, Moment.NO_ATTEMPTS)
        nothing.set_text(styled((text, "dim"), (f"\n{line}", "italic dim")).rstrip())
        self._show_heading(count)
        self._plotted = ""
        self._plot()
        self.refresh_bindings()

    def _show_heading(self, count: int) -> None:
        chosen = [("ATTEMPTS", "bold ember")]
        row = self.query_one(AttemptTable).selection
        boss = row.boss_title if row and self._boss_id else self._boss_id
        only = (boss, VERDICT_WORDS.get(self._verdict, ""))
        chosen += [(f"  {clean_line(text)}", "ash") for text in only if text]
        by = {"newest": "", "integrity": "best first", "boss": "by boss"}[self._order]
        chosen.append((f"  {by}" if by else "", "dim"))
        self.query_one(Heading).set_text(chosen, [(plural(count, "attempt"), "dim")])

    @on(AttemptTable.Pointed)
    def _plot(self) -> None:
        """Plot the attempts on the boss under the cursor; the one under the cursor is bright."""
        row = self.query_one(AttemptTable).selection
        chart = self.query_one(TryChart)
        history = self.session.history()
        if row is None or history is None:
            chart.display = False
            return
        chart.chosen = row.id
        if row.boss_id != self._plotted:
            self._plotted = row.boss_id
            matrix = history.progress.level_matrix(row.boss_id, 120)
            labels, line = self._measure(row.boss_id)
            chart.styles.height = len(matrix.criteria) + (9 if self.size.height >= 36 else 4)
            chart.show(row.boss_title, matrix, labels, line)
        chart.display = chart.has_tries

    def _measure(self, boss_id: str) -> tuple[dict[str, str], float]:
        """The labels of a boss's criteria and the share that passes, according to the current pack."""
        pack = self._pack(boss_id)
        if pack is None:
            return {}, 0.0
        rubric = pack.rubric
        return rubric.labels, rubric.overall.pass_threshold / rubric.max_score

    def _pack(self, boss_id: str) -> "BossPack | None":
        return self.session.load_boss(boss_id)

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable actions on an attempt if there is none, and the search if the list is empty."""
        if not self.is_mounted:
            return action == "help"
        has_attempts = self.query_one(AttemptTable).count > 0
        match action:
            case "again" | "compare" | "replay" | "export" | "delete" | "mark":
                return has_attempts
            case "search" | "only_boss" | "only_verdict" | "sort":
                return has_attempts or self._is_narrowed
            case "widen" | "back":
                return self.query_one(SearchBar).display is (action == "widen")
            case _:
                return True

    def action_search(self) -> None:
        """Open the search, which narrows the table."""
        self.query_one(SearchBar).open()

    def action_only_boss(self) -> None:
        """Show only the boss under the cursor, or all bosses again."""
        row = self.query_one(AttemptTable).selection
        self._boss_id = "" if self._boss_id or row is None else row.boss_id
        self._show()

    def action_only_verdict(self) -> None:
        """Show only the next verdict, or all verdicts."""
        self._verdict = _VERDICTS[(_VERDICTS.index(self._verdict) + 1) % len(_VERDICTS)]
        self._show()

    def action_sort(self) -> None:
        """Sort the attempts by the next order."""
        self._order = _ORDERS[(_ORDERS.index(self._order) + 1) % len(_ORDERS)]
        self._show()

    def action_widen(self) -> None:
        """Close the search and list all attempts."""
        self.query_one(SearchBar).close()
        self.set_focus(self.query_one(AttemptTable))

    def action_mark(self) -> None:
        """Mark the attempt to compare others with."""
        row = self.query_one(AttemptTable).selection
        self._marked = "" if row is None or row.id == self._marked else row.id
        self.query_one(AttemptTable).mark(self._marked)

    def _read_selection(self) -> "Attempt | None":
        row = self.query_one(AttemptTable).selection
        return self.session.read_attempt(row.id) if row else None

    def action_compare(self) -> None:
        """Compare with the marked attempt, or with the previous one."""
        attempt = self._read_selection()
        history = self.session.history()
        if attempt is None or history is None:
            return
        marked = self._marked if self._marked != attempt.id else ""
        try:
            other = history.get(marked) if marked else history.previous(attempt.id)
        except EvalForgeError as error:
            self.notify(problem(error), severity="error", markup=False)
            return
        if other is None:
            self.notify("This is the first attempt. Mark another with m.", markup=False)
            return
        first, second = sorted((other, attempt), key=lambda one: one.started_at)
        self.navigator.open_comparison(first, second)

    def action_replay(self) -> None:
        """Replay the chosen attempt's fight."""
        from evalforge.app.attempts.replay_screen import ReplayScreen

        attempt = self._read_selection()
        if attempt is not None:
            self.game.push_screen(ReplayScreen(attempt, self._pack(attempt.boss_id)))

    def action_export(self) -> None:
        """Ask for the form to export the chosen attempt in."""
        attempt = self._read_selection()
        if attempt is not None:
            self.navigator.open_export(attempt)

    def action_delete(self) -> None:
        """Delete the chosen attempt after a confirmation."""
        row = self.query_one(AttemptTable).selection
        if row is None:
            return
        from evalforge.app.screens.confirm import ConfirmScreen

        score = (
            f"{format_number(row.score_total)}/{format_number(row.score_max or 0)}"
            if row.score_total is not None
            else row.state
        )
        text = f"{row.boss_title}, {row.words}, {score}. Its files and evidence are deleted too. This can't be undone."
        # The list may be another one when the question is answered.
        answer = functools.partial(self._delete, row.id)
        self.game.push_screen(ConfirmScreen("Delete this attempt?", text, "delete it"), answer)

    def _delete(self, attempt_id: str, sure: bool | None) -> None:
        history = self.session.history()
        if not sure or history is None:
            return
        try:
            history.delete(attempt_id)
        except EvalForgeError as error:
            self.notify(problem(error), severity="warning", markup=False)
            return
        self.session.forget_progress()
        at = self.query_one(AttemptTable).cursor
        self._show()
        self.query_one(AttemptTable).action_move(at)

    def action_again(self) -> None:
        """Open the arena with the folder of that attempt."""
        row = self.query_one(AttemptTable).selection
        pack = self.session.require_boss(row.boss_id) if row else None
        if row is not None and pack is not None:
            self.navigator.open_arena(pack, row.directory)

    @on(Input.Changed, "#search")
    def _apply_search(self) -> None:
        self._show()

    @on(Input.Submitted, "#search")
    def _leave_search(self) -> None:
        self.set_focus(self.query_one(AttemptTable))

    @on(AttemptTable.Opened)
    def _open_attempt(self, event: AttemptTable.Opened) -> None:
        self.navigator.open_attempt(event.key)
