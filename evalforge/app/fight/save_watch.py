"""Watching a folder for saves, while a screen is open."""

from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.worker import Worker

    from evalforge.app.screens.base import GameScreen


class SaveWatch:
    """Watches a folder, and calls back at every save.

    Args:
        screen: The screen that watches; its end ends the watch.
        directory: The folder.
        on_save: Called after each save.
    """

    def __init__(self, screen: "GameScreen", directory: Path, on_save: Callable[[], None]) -> None:
        self._screen, self._directory, self._on_save = screen, directory, on_save
        self._worker: Worker[None] | None = None

    @property
    def is_on(self) -> bool:
        """Whether the folder is watched."""
        return self._worker is not None

    def start(self) -> None:
        """Watch from now on."""
        self._worker = self._screen.run_worker(self._watch(), group="watch", exclusive=True, exit_on_error=False)

    def stop(self) -> None:
        """Watch no longer."""
        if self._worker is not None:
            self._worker.cancel()
            self._worker = None

    async def _watch(self) -> None:
        from evalforge.watcher import Watcher

        async with aclosing(Watcher(self._directory).changes()) as changes:
            async for change in changes:
                if change.paths:
                    self._on_save()
