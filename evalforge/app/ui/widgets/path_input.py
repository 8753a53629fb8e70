"""An input for a folder's path, completed from the disk with tab, with recent folders on the arrow keys."""

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.suggester import Suggester
from textual.widgets import Input

from evalforge.app.ui.widgets.directory_tree import is_shown
from evalforge.packs.path_checks import expand_home


class LineInput(Input):
    """An input that leaves enter to its screen, which shows it among its keys.

    The key still passes through this input, so it never overtakes letters typed before it; a priority
    binding of the screen would.
    """

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable the input's own enter."""
        return False if action == "submit" else super().check_action(action, parameters)


_MAX_ENTRIES_SCANNED = 2_000


class FolderSuggester(Suggester):
    """Suggests the first folder that begins with what is typed."""

    def __init__(self) -> None:
        super().__init__(use_cache=False, case_sensitive=True)

    async def get_suggestion(self, value: str) -> str | None:
        """The completed path, or None."""
        return await asyncio.to_thread(_complete, value) if value else None


def _complete(value: str) -> str | None:
    parent_text, _, stem = value.rpartition("/")
    parent = expand_home(parent_text + "/") if "/" in value else Path()
    names: list[str] = []
    try:
        with os.scandir(parent) as scan:
            for _, entry in zip(range(_MAX_ENTRIES_SCANNED), scan, strict=False):
                if entry.name.startswith(stem) and (stem or is_shown(entry.name)) and entry.is_dir():
                    names.append(entry.name)
    except OSError:
        return None
    folder_names = sorted((name for name in names if is_shown(name)), key=str.lower)
    return f"{value[: len(value) - len(stem)]}{folder_names[0]}/" if folder_names else None


class PathInput(LineInput):
    """An input for a folder."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "complete", "complete", show=False, id="path.complete"),
        Binding("up", "recent(1)", "recent", key_display="↑↓", id="path.older"),
        Binding("down", "recent(-1)", "recent", show=False, id="path.newer"),
    ]

    def __init__(self, value: str = "", *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(value, placeholder="the folder with your solution", suggester=FolderSuggester(), id=id)
        self._recent: list[str] = []

    def remember(self, folders: Sequence[str]) -> None:
        """Set the recent folders, latest first."""
        self._recent = list(folders)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable the arrow keys if there are no recent folders."""
        return bool(self._recent) if action == "recent" else super().check_action(action, parameters)

    def action_complete(self) -> None:
        """Accept the suggestion; without one, go to the next field."""
        before = self.value
        self.action_end()
        self.action_cursor_right()
        if self.value == before:
            self.screen.focus_next()

    def action_recent(self, step: int) -> None:
        """Go through the recent folders: from any other text, up leads to the latest, down to the oldest."""
        if not self._recent:
            return
        count = len(self._recent)
        if self.value in self._recent:
            index = (self._recent.index(self.value) + step) % count
        else:
            index = 0 if step > 0 else count - 1
        self.value = self._recent[index]
        self.action_end()
