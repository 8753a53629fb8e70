"""Practice for tests: a folder's tests run on a boss's right programs and impostors, without the player's program."""

import asyncio
from collections.abc import Iterable
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widget import Widget
from textual.worker import Worker, WorkerState

from evalforge.app.fight.impostor_list import ImpostorList, contract_words
from evalforge.app.fight.stage.impostor_row import ImpostorRow
from evalforge.app.fight.stage.impostor_scene import show_arrival, unmask_row
from evalforge.app.fight.stage.pacing import Pacer
from evalforge.app.screens.base import GameScreen
from evalforge.app.screens.edit import edit_place, edit_tests
from evalforge.app.ui.text.paths import short
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.code_view import CodeView
from evalforge.app.ui.widgets.heading import Heading
from evalforge.model.evidence import Finding
from evalforge.model.fight_record import FightRecord
from evalforge.model.text import clean_line
from evalforge.own_failure import ungraded_by

if TYPE_CHECKING:
    from evalforge.packs.pack import BossPack

_LINES_BESIDE_MASKS = 14
"""Lines reserved for the list of impostors, which is read; the masks are only looked at."""
_NO_FOLDER = "Press `ctrl+o` to choose the folder that holds your tests."


class ImpostorsScreen(GameScreen):
    """Masks above, then the same list as in a fight's evidence."""

    CSS_PATH = "impostor_practice.tcss"
    NAME = "Impostors"
    HELP_TEXT = """
Your tests run against the boss's own programs. They must pass on the right ones, and they should catch the impostors,
each of which is wrong in one place. You need no program of your own. This is practice: nothing is judged or saved.

Tests that fail on every right program come first: there, your test expects something that the contract denies. Each
missed impostor gives a riddle; `h` adds the line of the contract that it breaks. `enter` shows the code of a
test, `e` opens your editor there, and `t` at the end of your tests. Save them, then press `r`.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "again", "again", id="impostors.again"),
        Binding("ctrl+o", "choose", "another folder", id="impostors.choose"),
        Binding("e", "edit", "edit", id="impostors.edit"),
        Binding("t", "write_test", "write a test", id="impostors.write_test"),
        Binding("h", "hint", "hint", id="impostors.hint"),
        Binding("f", "fight", "fight", id="impostors.fight"),
        Binding("escape", "leave", "back", id="impostors.back"),
    ]

    def __init__(self, pack: "BossPack") -> None:
        super().__init__()
        self._pack = pack
        self._directory: Path | None = None
        self._record = FightRecord()
        self._pacer = Pacer()
        self._is_running = False

    def body(self) -> Iterable[Widget]:
        """Compose heading and masks, then the list or the code of a test."""
        about = self._pack.definition
        yield Heading(
            [(about.title.upper(), f"bold {about.metadata.accent}"), ("  your tests alone", "dim")], id="heading"
        )
        yield Heading(id="folder")
        with Vertical(id="page"):
            yield ImpostorRow(_LINES_BESIDE_MASKS, id="masks")
            yield ImpostorList(id="impostors")
            yield CodeView(id="code")

    def on_mount(self) -> None:
        """Run the tests of the folder that last fought this boss, or ask for one."""
        self.session.start_engine()
        self.query_one(CodeView).display = False
        self.query_one(ImpostorList).focus()
        history = self.session.history()
        recent = history.recent_directories(self._pack.boss_id) if history else []
        if recent:
            self._run_tests(Path(recent[0]))
        else:
            self.query_one(ImpostorList).show_sentence(_NO_FOLDER)
            self.action_choose()

    # Running

    def _run_tests(self, directory: Path) -> None:
        self._directory, self._record, self._is_running = directory, FightRecord(), True
        self._pacer = Pacer(look(self).motion)
        self.query_one(ImpostorRow).clear()
        self.query_one(ImpostorList).show_sentence("Running your tests against every program ...")
        self._show_folder("")
        self._close_code()
        self._run_suite(directory)

    @work(exclusive=True, group="meet", exit_on_error=False)
    async def _run_suite(self, directory: Path) -> None:
        """Run the tests; once all results are known, the masks appear and fall."""
        row, record = self.query_one(ImpostorRow), self._record
        forge = await self.session.engine()
        stream = forge.meet_impostors(self._pack, directory, self.session.services.options(practice=True))
        async with aclosing(stream) as events:
            async for event in events:
                record.add(event)
        record.submission = await asyncio.to_thread(self.session.services.read_folder, directory)
        if record.impostors:
            await show_arrival(row, record.impostors, self._pacer)
            await unmask_row(row, record.evidence, self._pacer)
        self._show_end()

    def _show_end(self) -> None:
        """List the results, or say why the tests could not be run."""
        self._is_running = False
        impostors, ungraded = self.query_one(ImpostorList), self._record.ungraded
        if ungraded is not None:
            impostors.show_sentence(clean_line(f"{ungraded.reason} {ungraded.advice}", cap=800))
        else:
            impostors.show_evidence(self._record.evidence)
        self._show_folder(contract_words(self._record.evidence))
        self.refresh_bindings()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Show an error of ours; it must not end the game."""
        worker = cast("Worker[Any]", event.worker)  # pyright: ignore[reportUnknownMemberType]
        if worker.group == "meet" and event.state is WorkerState.ERROR and worker.error is not None:
            event.prevent_default()
            self._record.add(ungraded_by(worker.error))
            self._show_end()

    def _show_folder(self, result: str) -> None:
        """Show the folder of the tests, and their result."""
        folder = clean_line(short(self._directory)) if self._directory else ""
        self.query_one("#folder", Heading).set_text([(folder, "steel")], [(result, "dim")])

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enable only the actions that make sense now."""
        if action == "again":
            return self._directory is not None and not self._is_running
        if action == "edit":
            return self.is_mounted and self._place is not None
        if action == "hint":
            return self.is_mounted and bool(self.query_one(ImpostorList).riddle)
        if action == "write_test":
            return self._record.submission is not None
        return True

    @property
    def _place(self) -> Finding | None:
        place = self.query_one(ImpostorList).place
        return place if place is not None and place.path else None

    def action_again(self) -> None:
        """Run the tests again in their current state."""
        if self._directory is not None:
            self._run_tests(self._directory)

    def action_choose(self) -> None:
        """Browse for the folder with the tests."""
        from evalforge.app.screens.directory_dialog import DirectoryPickerScreen

        start = self._directory or self.session.services.starter_folder.absolute()
        self.game.push_screen(DirectoryPickerScreen(start), self._set_directory)

    def _set_directory(self, directory: Path | None) -> None:
        if directory is not None:
            self._run_tests(directory)

    def action_hint(self) -> None:
        """Quote the part of the contract that the impostor under the cursor breaks."""
        self.query_one(ImpostorList).quote_contract(self._pack.path)

    def action_fight(self) -> None:
        """Open the arena with the same folder."""
        self.navigator.open_arena(self._pack, str(self._directory or ""))

    def action_leave(self) -> None:
        """Close the code first, then leave."""
        if self.query_one(CodeView).display:
            self._close_code()
        else:
            self.action_back()

    @on(ImpostorList.Opened, "#impostors")
    def _open_code(self) -> None:
        """Show the code of a test instead of the list."""
        place, code, submission = self._place, self.query_one(CodeView), self._record.submission
        file = submission.file(place.path) if place and submission else None
        if place is None or file is None:
            return
        self.query_one(ImpostorList).display, code.display = False, True
        code.focus()
        code.show(file.path, file.content, {place.line or 1: [place.message]}, place.line or 1)
        self.query_one("#folder", Heading).set_text(right=[(clean_line(place.place), "bold steel")])

    def _close_code(self) -> None:
        impostors, code = self.query_one(ImpostorList), self.query_one(CodeView)
        if code.display:
            impostors.display, code.display = True, False
            impostors.focus()
            self._show_folder(contract_words(self._record.evidence))

    def action_edit(self) -> None:
        """Open the editor at the test, and return."""
        place = self._place
        if place is not None and self._directory is not None:
            edit_place(self, self._directory, place)

    def action_write_test(self) -> None:
        """Open the editor at the end of the tests, and return."""
        if self._directory is not None and self._record.submission is not None:
            edit_tests(self, self._directory, self._record.submission)
