"""What the game is given: where bosses and history lie, and a forge to fight in. The command line builds it."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from evalforge.fight import FightOptions
    from evalforge.history.store import Filter, History
    from evalforge.library.pack import BossPack
    from evalforge.library.summary import BossSummary
    from evalforge.model.events import Event
    from evalforge.model.submission import Submission


class Fighter(Protocol):
    """A warmed forge. Closing the stream of a fight kills whatever runs for it."""

    async def warm(self) -> None:
        """Get everything ready that the first fight would wait for."""
        ...

    async def isolation(self) -> str:
        """How players' code is caged here, in a sentence or two; said before the fight."""
        ...

    def fight(self, pack: "BossPack", directory: Path, options: "FightOptions | None" = None) -> "AsyncIterator[Event]":
        """Collect, measure, judge, score and save, as a stream of events."""
        ...


@dataclass(frozen=True)
class Opening:
    """What to show first: the roster, a boss's page, or a fight that begins at once."""

    boss: str = ""
    directory: str = ""


@dataclass(frozen=True)
class Services:
    """Everything the game needs from the floors below.

    Args:
        bosses: Folders searched for boss packs.
        history: The file attempts are stored in.
        forge: Makes a forge; the game keeps one open while it runs.
        judge: Name of the judge that is asked.
        motion: ``full``, ``reduced`` or ``none``.
        theme: Name of one of our themes.
        ascii_only: Whether to draw with ASCII signs only.
        opening: What to show first.
        workshop: Where starter folders are offered to be made.
    """

    bosses: tuple[Path, ...]
    history: Path
    forge: Callable[[], AbstractAsyncContextManager[Fighter]]
    judge: str = "forge"
    motion: str = "full"
    theme: str = ""
    ascii_only: bool = False
    opening: Opening = Opening()
    workshop: Path = Path()

    def find_bosses(self) -> "tuple[BossSummary, ...]":
        """The lines of the roster; cheap enough for the first frame."""
        from evalforge.library.summary import find_bosses

        return find_bosses(self.bosses)

    def load_pack(self, path: Path) -> "BossPack":
        """One boss in full.

        Raises:
            PackError: The pack is broken.
        """
        from evalforge.library.pack import load_pack

        return load_pack(path)

    def open_history(self) -> "History":
        """The store of attempts.

        Raises:
            HistoryError: It can't be read.
        """
        from evalforge.history.store import History

        return History(self.history)

    def filter(self, boss_id: str = "", text: str = "") -> "Filter":
        """Which attempts are wanted."""
        from evalforge.history.store import Filter

        return Filter(boss_id=boss_id, text=text)

    def options(self, notes: str = "") -> "FightOptions":
        """How a fight is fought here."""
        from evalforge.fight import FightOptions

        return FightOptions(judge=self.judge, notes=notes)

    def collect(self, directory: Path, notes: str = "") -> "Submission":
        """What would be handed in from a directory.

        Raises:
            SubmissionError: There is nothing to judge.
        """
        from evalforge.collect import collect

        return collect(directory, notes)

    def create_starter(self, pack: "BossPack", directory: Path) -> Path:
        """Make a boss's starter folder; never overwrites.

        Raises:
            UsageError: The folder holds something already.
        """
        from evalforge.library.scaffold import create

        return create(pack, directory)
