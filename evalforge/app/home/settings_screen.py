"""The player's settings on one screen; each change is seen at once and kept in ``config.toml``."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.widget import Widget

from evalforge.app.screens.ask import AskScreen
from evalforge.app.screens.base import GameScreen
from evalforge.app.ui.text import external_editor
from evalforge.app.ui.text.paths import problem, short
from evalforge.app.ui.text.styled_text import Run, styled
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import fit
from evalforge.app.ui.widgets.row_list import Row, Rows
from evalforge.app.ui.widgets.text_panel import Prose
from evalforge.model.errors import UsageError
from evalforge.model.text import clean_line
from evalforge.packs.path_checks import interpreter_path

if TYPE_CHECKING:
    from evalforge.app.core.services import Services
    from evalforge.app.ui.theme.glyphs import Glyphs

_LABEL_CELLS = 10
_ON, _OFF = "on", "off"
_MOTIONS = {
    "full": "everything moves",
    "reduced": "the bar drains, but nothing breathes, shakes or flashes",
    "none": "the end is shown at once, with the same words",
}
_THEMES = {
    "ember": "a forge at night",
    "quench": "the same forge after the quench",
    "vellum": "daylight on paper",
    "anvil": "high contrast",
    "terminal": "your terminal's own sixteen colours",
}
_TONES = {"lively": "bosses comment on what you do", "plain": "bosses say nothing"}
_BELL = {_ON: "the terminal's bell rings when a fight ends", _OFF: "fights end in silence"}


@dataclass(frozen=True)
class _Setting:
    """One row.

    Attributes:
        name: Its key in ``config.toml``.
        value: What is set now; empty for the default.
        choices: The meaning of each value; empty if the value is typed.
        default: What an empty value means.
        meaning: What a typed value is for.
    """

    name: str
    value: str
    choices: Mapping[str, str] = field(default_factory=dict[str, str])
    default: str = ""
    meaning: str = ""

    def description(self, glyphs: "Glyphs") -> list[Run]:
        """The meaning of every choice, with a mark at the one that is set; or what a typed value is for."""
        runs: list[Run] = [(self.meaning, "ash")]
        for value, meaning in self.choices.items():
            is_set = value == self.value
            mark = glyphs.pip if is_set else glyphs.empty_pip
            runs.append((f"{mark} {value.ljust(_LABEL_CELLS)} {clean_line(meaning)}\n", "ash" if is_set else "dim"))
        return runs

    def neighbour(self, step: int) -> str:
        """The next or the previous choice."""
        values = list(self.choices)
        return values[(values.index(self.value) + step) % len(values)] if self.value in values else values[0]

    def line(self, width: int) -> Line:
        """The row: the name, and what is set."""
        text = fit(clean_line(self.value or self.default), width - _LABEL_CELLS).rstrip()
        return ((self.name.ljust(_LABEL_CELLS), "ash"), (text, "bold ember" if self.value else "dim"))


class SettingsScreen(GameScreen):
    """Motion, colours, words, bell, judge, model, editor and interpreter."""

    CSS_PATH = "settings_screen.tcss"
    NAME = "Settings"
    HELP_TEXT = """
A change is in force at once, and kept in `config.toml`, whose other lines and comments stay as they are.
A variable such as `EVALFORGE_MOTION`, or an option of the command, wins over the file when the game starts.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "change(-1)", "choose", key_display="←→", id="settings.left"),
        Binding("right", "change(1)", "choose", show=False, id="settings.right"),
        Binding("escape,comma", "back", "back", key_display="esc", id="settings.back"),
    ]

    def body(self) -> Iterable[Widget]:
        """Compose the settings, then what the chosen one means."""
        place = short(self.session.services.config_file)
        yield Heading([("SETTINGS", "bold ember")], [(clean_line(place), "dim")], id="heading")
        yield Rows("change", id="settings")
        yield Prose(id="about")

    def on_mount(self) -> None:
        """Show every setting."""
        self._show_settings()
        self.query_one(Rows).focus()

    def _show_settings(self) -> None:
        rows = [
            Row(setting.name, lambda width, setting=setting: [setting.line(width)])
            for setting in _settings(self.session.services, self.game.theme)
        ]
        self.query_one(Rows).show(rows)

    def _setting(self) -> _Setting:
        """The setting under the cursor."""
        settings = {each.name: each for each in _settings(self.session.services, self.game.theme)}
        return settings[self.query_one(Rows).key]

    @on(Rows.Pointed)
    def _describe(self) -> None:
        setting = self._setting()
        variable = f"EVALFORGE_{setting.name.upper()}"
        note = f"\n{variable} is set: at the next start it wins over the file." if variable in os.environ else ""
        runs = setting.description(self.game.look.glyphs)
        self.query_one("#about", Prose).set_text(styled(*runs, (note, "ember")))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable the arrows where a value is typed."""
        return action != "change" or not self.is_mounted or bool(self._setting().choices)

    def action_change(self, step: int) -> None:
        """Take the next or the previous choice."""
        setting = self._setting()
        self._change(setting.name, setting.neighbour(step))

    @on(Rows.Opened)
    def _open(self) -> None:
        setting = self._setting()
        if setting.choices:
            self.action_change(1)
            return

        def keep(answer: str | None) -> None:
            if answer is not None:
                self._change(setting.name, answer)

        note = f"Empty: {setting.default}."
        self.game.push_screen(AskScreen(setting.name.capitalize(), setting.value, note), keep)

    def _change(self, name: str, value: str) -> None:
        try:
            checked = interpreter_path(value, "python") if name == "python" and value else value
        except UsageError as error:
            self.notify(problem(error), severity="warning", markup=False)
            return
        self.game.change_setting(name, checked == _ON if name == "bell" else checked)
        self._show_settings()


def _settings(services: "Services", theme: str) -> list[_Setting]:
    models = services.models
    return [
        _Setting("motion", services.motion, _MOTIONS),
        _Setting("theme", theme, _THEMES),
        _Setting("tone", services.tone, _TONES),
        _Setting("bell", _ON if services.bell else _OFF, _BELL),
        _Setting("judge", services.judge, {
            offer.name: offer.description for offer in services.offers() if offer.is_available
        }),
        _Setting("model", ",".join(models.models) if models else "", default="the newest that the judges know",
                 meaning="The model that the judges claude and panel ask; several, with commas, for a panel."),
        _Setting("editor", services.editor, default=_environment_editor(),
                 meaning="The command that e runs, such as: code --wait. It opens at the line."),
        _Setting("python", services.python, default="the one that runs the game",
                 meaning="The interpreter that runs your program; 3.9 or newer."),
    ]  # fmt: skip


def _environment_editor() -> str:
    return " ".join(external_editor.environment_editor()) or "asked for the first time that you edit"
