"""The arena before the fight: the folder, its files, and the notes."""

import asyncio
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input

from evalforge.app.screens.base import GameScreen
from evalforge.app.screens.confirm import ConfirmScreen
from evalforge.app.screens.edit import edit
from evalforge.app.ui.text import external_editor
from evalforge.app.ui.text.formatting import plural
from evalforge.app.ui.text.markup import render_markup
from evalforge.app.ui.text.paths import folder_of, short, shorten_home
from evalforge.app.ui.text.styled_text import styled
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.path_input import LineInput, PathInput
from evalforge.app.ui.widgets.text_panel import Panel, Prose
from evalforge.model.errors import EvalForgeError
from evalforge.model.number_format import format_size
from evalforge.model.submission import Submission
from evalforge.model.text import clean, clean_line
from evalforge.model.voice import Moment
from evalforge.packs.new_folders import is_untouched_starter

if TYPE_CHECKING:
    from evalforge.packs.pack import BossPack

# The files of a folder that are judged and those that are left out, as styled text.

_PATHS_SHOWN = 8


def judged_files(submission: Submission) -> Content:
    """List every file that is judged, with its size."""
    return styled(*(
        part
        for file in submission.files
        for part in (
            (f"{format_size(len(file.content.encode('utf-8', 'replace'))):>7}  ", "dim"),
            (f"{clean_line(file.path)}\n", "ash"),
        )
    ))  # fmt: skip


def left_out_files(submission: Submission) -> Content:
    """List what is left out, by reason; and how many more there are if not all are listed."""
    reasons: dict[str, list[str]] = {}
    for entry in submission.left_out:
        reasons.setdefault(clean_line(entry.reason), []).append(clean_line(entry.path))
    parts = [part for reason, paths in reasons.items() for part in _left(reason, paths)]
    if unlisted := submission.total_left_out - len(submission.left_out):
        parts.append((f"and {unlisted} more not listed\n", "dim"))
    return styled(*parts)


def _left(reason: str, paths: list[str]) -> list[tuple[str, str]]:
    """List what was left out for one reason."""
    listed_paths = paths[:_PATHS_SHOWN]
    more = f"  and {len(paths) - len(listed_paths)} more" if len(paths) > len(listed_paths) else ""
    return [
        (f"{reason}\n", "dim"),
        *((f"  {path}\n", "ash") for path in listed_paths),
        (f"{more}\n" if more else "", "dim"),
    ]


_TYPING_PAUSE = 0.15
_YOUR_PART = re.compile(r"#.*(EDIT 1|Your turn)")
"""How a starter's program says where the player goes on."""
_UNTOUCHED = "This is still the unchanged starter. Edit it first: a strike now is recorded as an attempt."
_WAY_OUT = "Choose the folder with your solution, or press ctrl+n for a starter folder."


class ArenaScreen(GameScreen):
    """Choose a folder, see what will be judged, strike."""

    CSS_PATH = "arena.tcss"
    NAME = "The arena"
    AUTO_FOCUS = ""
    HELP_TEXT = """
Choose the folder with your solution. The files that will be judged are listed first, then those left out and why.
Your folder is only read; your code runs elsewhere, in a sandbox.

`f4` switches judge if another is available. The forge is free and needs nothing; Claude also reads the code, at the
price shown.

`w` spars (`f3` while you type): every save is judged for practice, and nothing counts until you strike.

No solution yet? `ctrl+n` makes a starter folder. `e` opens its program in your editor, where your part begins.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "strike", "strike", key_display="⏎", id="arena.strike"),
        Binding("e", "edit", "edit", id="arena.edit"),
        Binding("ctrl+o", "browse", "browse", id="arena.browse"),
        Binding("ctrl+n", "starter", "starter folder", id="arena.starter"),
        Binding("w,f3", "watch", "spar", id="arena.watch"),
        Binding("f4", "judge", "judge", id="arena.judge"),
        Binding("b,f2", "briefing", "briefing", id="arena.briefing"),
        Binding("up", "recent(1)", "recent", key_display="↑↓", id="arena.older"),
        Binding("down", "recent(-1)", "recent", show=False, id="arena.newer"),
        Binding("tab", "name_folder", "another folder", key_display="tab", id="arena.name"),
        Binding("escape", "back", "back", id="arena.back"),
        Binding("f1", "help", "help", id="arena.help"),
    ]

    def __init__(self, pack: "BossPack", directory: str = "") -> None:
        super().__init__()
        self._pack = pack
        self._first_directory = directory
        self._recent: list[str] = []
        self._refusal = ""
        self._submission: Submission | None = None
        """The files that are shown; None if there are none."""
        self._is_untouched = False
        """Whether they are the starter's, unchanged."""
        self._isolation = " Starting up ..."
        self._price = ""

    def body(self) -> Iterable[Widget]:
        """Compose the folder, its files, the notes, and the current sandbox."""
        about = self._pack.definition
        yield Heading(
            [
                (about.title.upper(), f"bold {about.metadata.accent}"),
                ("  choose your solution folder", "dim"),
            ],
            [(f"{self.session.services.judge} judge", "dim")],
            id="heading",
        )
        yield Prose(styled(("Folder", "bold ember")), classes="label")
        yield PathInput(id="folder")
        with Horizontal(id="files"):
            with Vertical(classes="column"):
                yield Prose(id="judged-head")
                yield Panel(id="judged")
            with Vertical(id="left-out-column", classes="column"):
                yield Prose(id="left-out-head")
                yield Panel(id="left-out")
        yield Prose(
            styled(("Notes", "bold ember"), ("  optional; your README is read too", "dim")),
            classes="label",
        )
        yield LineInput(placeholder="what the judge should know about your approach", id="notes", max_length=8000)
        yield Prose(id="isolation")

    def on_mount(self) -> None:
        """Offer the most recent folder, and start the engine while the player chooses."""
        self.session.start_engine()
        self._offer_recent_folders()
        folder = self.query_one(PathInput)
        folder.value = short(self._first_directory or (self._recent[0] if self._recent else ""))
        # A focused field consumes letters: it gets focus only if there is something to type.
        if folder_of(folder.value).is_dir() and folder.value.strip():
            self.set_focus(None)
        else:
            self.action_name_folder()
        self._show_isolation()

    def on_screen_resume(self) -> None:
        """Refresh, because files may have been saved and another folder fought with."""
        self._offer_recent_folders()
        self._preview(self.query_one(PathInput).value)

    def _offer_recent_folders(self) -> None:
        """Offer the folders this boss was fought with."""
        history = self.session.history()
        self._recent = history.recent_directories(self._pack.boss_id) if history else []
        folder_names = [short(folder) for folder in self._recent]
        self.query_one(PathInput).remember(folder_names)
        self.refresh_bindings()

    # Preview

    @on(Input.Changed, "#folder")
    def _changed(self, event: Input.Changed) -> None:
        self._preview(event.value)

    @work(exclusive=True, group="preview", exit_on_error=False)
    async def _preview(self, text: str) -> None:
        """Read the folder shortly after the last key press."""
        if text.strip():
            await asyncio.sleep(_TYPING_PAUSE)
        submission = await self._read_and_show(text)
        if submission is not None:
            self._show_price(submission)

    async def _read_and_show(self, text: str) -> "Submission | None":
        """Read the folder as the judge would, and show its files; None if there is nothing to judge."""
        self._submission = None
        self.refresh_bindings()
        if not text.strip():
            self._show_first_steps()
            return None
        try:
            submission = await asyncio.to_thread(self.session.services.collect, self._pack, folder_of(text))
        except EvalForgeError as error:
            self._show_refusal(error.message)
            return None
        self._submission = submission
        self._show_files(submission)
        self._is_untouched = await asyncio.to_thread(is_untouched_starter, self._pack, submission.files)
        if self._is_untouched:
            self._show_way_in(submission)
        self.refresh_bindings()
        return submission

    def _show_files(self, submission: "Submission") -> None:
        total = f"  {plural(len(submission.files), 'file')}, {format_size(submission.total_bytes)}"
        self.query_one("#judged-head", Prose).set_text(styled(("Will be judged", "bold molten"), (total, "dim")))
        self.query_one("#judged", Panel).set_text(judged_files(submission))
        count = f"  {submission.total_left_out or 'nothing'}"
        self.query_one("#left-out-head", Prose).set_text(styled(("Left out", "bold steel"), (count, "dim")))
        self.query_one("#left-out", Panel).set_text(left_out_files(submission))

    def _show_way_in(self, submission: "Submission") -> None:
        """Show what to do first with an unchanged starter: its README, in the place of what is left out."""
        readme = next((file.content for file in submission.files if file.path == "README.md"), "")
        _, _, steps = readme.partition("\n")
        if steps and not submission.total_left_out:
            self.query_one("#left-out-head", Prose).set_text(
                styled(("Begin here", "bold ember"), ("  README.md", "dim"))
            )
            self.query_one("#left-out", Panel).set_text(render_markup(clean(steps.strip()), "ash"))

    def _show_refusal(self, message: str) -> None:
        message = shorten_home(message)
        self._refusal = clean_line(f"{message} {_WAY_OUT}")
        self.query_one("#judged-head", Prose).set_text(styled(("Not yet", "bold blood")))
        self.query_one("#judged", Panel).set_text(styled((f"{clean(message)}\n", "ash"), (_WAY_OUT, "dim")))
        self.query_one("#left-out-head", Prose).set_text(Content(""))
        self.query_one("#left-out", Panel).set_text(Content(""))

    def _show_first_steps(self) -> None:
        self._refusal = "Name a folder first."
        self.query_one("#judged-head", Prose).set_text(styled(("First time here?", "bold ember")))
        self.query_one("#judged", Panel).set_text(
            styled(
                ("f2      ", "bold ember"), ("what to build\n", "ash"),
                ("ctrl+n  ", "bold ember"), ("make a starter folder\n", "ash"),
                ("ctrl+o  ", "bold ember"), ("browse for your folder\n", "ash"),
            )
        )  # fmt: skip
        self.query_one("#left-out-head", Prose).set_text(Content(""))
        self.query_one("#left-out", Panel).set_text(Content(""))

    @work(exclusive=True, group="isolation", exit_on_error=False)
    async def _show_isolation(self) -> None:
        """Show the judge and the sandbox before the fight."""
        self._show_terms()
        forge = await self.session.engine()
        self._isolation = f" {clean_line(await forge.isolation())}"
        self._show_terms()
        if self.session.services.judge not in ("forge", "forge+words"):
            await forge.prepare(self._pack, self.session.services.models)

    def _show_terms(self) -> None:
        judge_name = self.session.services.judge
        description = next(
            (offer.description for offer in self.session.services.offers() if offer.name == judge_name), ""
        )
        judge = clean_line(f"{judge_name} judge: {description}.".replace("..", "."))
        self.query_one("#isolation", Prose).set_text(
            styled((judge, "dim"), (self._price, "bold molten"), (self._isolation, "dim"))
        )
        self.query_one(Heading).set_text(right=[(f"{clean_line(judge_name)} judge", "dim")])

    @work(exclusive=True, group="price", exit_on_error=False)
    async def _show_price(self, submission: "Submission") -> None:
        """Show the chosen judge's price for this submission; its tokens are counted by the server if possible."""
        price_text = await self.session.services.price(self._pack, submission)
        self._price = f" This fight: {clean_line(price_text)}." if price_text else ""
        self._show_terms()

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enable the key for the folder's field while no field is being typed in."""
        if action == "recent":
            return self.focused is None and bool(self._recent)
        if action == "edit":
            return self.focused is None and self._submission is not None
        return action != "name_folder" or self.focused is None

    def action_recent(self, step: int) -> None:
        """Take the next of the recent folders."""
        self.query_one(PathInput).action_recent(step)

    def action_name_folder(self) -> None:
        """Focus the input for the folder's name."""
        folder = self.query_one(PathInput)
        folder.focus()
        folder.action_end()

    def _use_folder(self, path: Path | None) -> None:
        if path is not None:
            folder = self.query_one(PathInput)
            folder.value = short(path)
            self.set_focus(None)
            self._preview(folder.value)  # its files are new, even if its name isn't

    def action_browse(self) -> None:
        """Browse, starting at the named folder."""
        from evalforge.app.screens.directory_dialog import DirectoryPickerScreen

        self.game.push_screen(DirectoryPickerScreen(folder_of(self.query_one(PathInput).value)), self._use_folder)

    def action_starter(self) -> None:
        """Create the starter folder and choose it; a named folder that is missing or empty becomes its place."""
        folder_text = self.query_one(PathInput).value
        fits = bool(folder_text.strip()) and self.session.services.can_begin(folder_of(folder_text))
        starter = self.session.make_starter(self._pack, folder_of(folder_text) if fits else None)
        if starter is not None:
            self._use_folder(starter)

    def action_edit(self) -> None:
        """Open the editor at the program's first comment for the player, and read the folder again."""
        text, submission = self.query_one(PathInput).value, self._submission
        if submission is None:
            return
        entry_files = self._pack.definition.metadata.entry_files
        program = next((file for file in submission.files if file.path in entry_files), submission.files[0])
        file = external_editor.find(str(folder_of(text) / submission.folder), program.path)
        if file is not None:
            lines = program.content.splitlines()
            line = next((number for number, words in enumerate(lines, 1) if _YOUR_PART.search(words)), 1)
            edit(self, file, line, lambda: self._preview(text))

    def action_judge(self) -> None:
        """Switch to the next available judge; if there is only one, say why."""
        self.session.switch_judge()
        self._price = ""
        self._show_isolation()
        self._preview(self.query_one(PathInput).value)

    def action_briefing(self) -> None:
        """Show what has to be built."""
        self.navigator.open_boss(self._pack)

    def action_strike(self) -> None:
        """Fight with the shown folder."""
        self._start_fight(watch=False)

    def action_watch(self) -> None:
        """Judge the folder as practice after every save."""
        self._start_fight(watch=True)

    @work(exclusive=True, group="go", exit_on_error=False)
    async def _start_fight(self, *, watch: bool) -> None:
        """Fight with the folder as it is now: the preview may be of another folder, or its files may be gone."""
        text, notes = self.query_one(PathInput).value, self.query_one("#notes", Input).value
        submission = await self._read_and_show(text)
        if submission is None:
            self.notify(self._refusal, severity="warning", markup=False)
            return
        if not watch and self._is_untouched:
            line = self.session.boss_line(self._pack.boss_id, Moment.STARTER)
            warning = f"{line}\n\n{_UNTOUCHED}".lstrip()
            question = ConfirmScreen("This is the starter, unchanged", warning, "strike anyway")
            if not await self.game.push_screen_wait(question):
                return
        self.navigator.open_fight(self._pack, folder_of(text).absolute(), notes, watch=watch)
